//! The cycle collector: finds containers that only refer to each other and breaks them, by CPython's generations and
//! thresholds. Reference counts free everything else at once.
//!
//! A container is garbage when all its references come from containers that are garbage themselves. Each candidate's count
//! is compared with the edges that other candidates have to it; what is left over comes from outside and keeps the object and
//! all it reaches.

use super::heap::{self, GENERATIONS, LiveObject};
use super::name::names;
use super::value::Value;
use super::vm::Vm;

/// CPython's default thresholds.
pub const THRESHOLDS: [i64; GENERATIONS] = [700, 10, 10];

/// When automatic collection happens, and what has happened so far.
#[derive(Debug)]
pub struct Collector {
    /// Whether automatic collection is on (`gc.enable()`).
    pub enabled: bool,
    /// `gc.get_threshold()`; 0 in the first place turns automatic collection off.
    pub thresholds: [i64; GENERATIONS],
    /// Collections of the younger generation since the last one of this generation.
    collections: [i64; GENERATIONS],
    /// Containers that survived a full collection, as counted then.
    long_lived_total: usize,
    /// Containers that reached the oldest generation since.
    long_lived_pending: usize,
    is_running: bool,
    statistics: [GenerationStatistics; GENERATIONS],
}

/// What `gc.get_stats()` tells of one generation.
#[derive(Clone, Copy, Debug, Default)]
pub struct GenerationStatistics {
    /// How often it was collected.
    pub collections: usize,
    /// How many objects were freed by that.
    pub collected: usize,
}

impl Default for Collector {
    fn default() -> Self {
        Self {
            enabled: true,
            thresholds: THRESHOLDS,
            collections: [0; GENERATIONS],
            long_lived_total: 0,
            long_lived_pending: 0,
            is_running: false,
            statistics: [GenerationStatistics::default(); GENERATIONS],
        }
    }
}

impl Collector {
    /// Whether an automatic collection is due; cheap enough for every allocation-heavy safe point.
    #[inline]
    pub fn is_due(&self) -> bool {
        self.enabled && self.thresholds[0] > 0 && heap::allocation_balance() > self.thresholds[0]
    }

    /// `gc.get_count()`
    pub fn counts(&self) -> [i64; GENERATIONS] {
        [heap::allocation_balance().max(0), self.collections[1], self.collections[2]]
    }

    /// `gc.get_stats()`
    pub fn statistics(&self) -> [GenerationStatistics; GENERATIONS] {
        self.statistics
    }

    /// The oldest generation whose turn it is.
    fn due_generation(&self) -> usize {
        for generation in (1..GENERATIONS).rev() {
            let many = self.collections[generation] > self.thresholds[generation];
            // A full collection costs as much as there is; it pays only when enough is new.
            let worthwhile = generation < GENERATIONS - 1 || self.long_lived_pending > self.long_lived_total / 4;
            if many && worthwhile {
                return generation;
            }
        }
        0
    }
}

/// Collects the generation whose turn it is; for safe points where [`Collector::is_due`] says so.
pub fn collect_due(vm: &mut Vm) {
    let generation = vm.collector.due_generation();
    collect(vm, generation);
}

/// Collects a generation and all younger ones; answers how many objects were found unreachable and freed.
///
/// Finalizers run first; what they revive is kept. Their errors are reported to stderr as CPython does and go no further.
pub fn collect(vm: &mut Vm, generation: usize) -> usize {
    if vm.collector.is_running {
        return 0;
    }
    vm.collector.is_running = true;
    let freed = collect_guarded(vm, generation);
    vm.collector.is_running = false;
    let statistics = &mut vm.collector.statistics[generation];
    statistics.collections += 1;
    statistics.collected += freed;
    freed
}

fn collect_guarded(vm: &mut Vm, generation: usize) -> usize {
    let mut garbage = find_garbage(generation);
    heap::weak::let_garbage_go(&garbage);
    let finalizable: Vec<Value> = garbage
        .iter()
        .filter(|object| object.wants_finalizer())
        .map(|object| {
            object.set_finalized();
            object.value()
        })
        .collect();
    if !finalizable.is_empty() {
        drop(garbage);
        for object in &finalizable {
            run_finalizer(vm, object);
        }
        drop(finalizable);
        garbage = find_garbage(generation);
        // A finalizer may have made new ones.
        heap::weak::let_garbage_go(&garbage);
    }
    let freed = garbage.len();
    let mut limbo = Vec::new();
    for object in &garbage {
        object.take_children(&mut limbo);
    }
    // First what the objects held, then the objects: dropping either may free the other.
    drop(limbo);
    drop(garbage);
    heap::promote(generation);
    heap::reset_allocation_balance();
    let collector = &mut vm.collector;
    for younger in 0..=generation {
        collector.collections[younger] = 0;
    }
    if generation + 1 < GENERATIONS {
        collector.collections[generation + 1] += 1;
        if generation + 1 == GENERATIONS - 1 {
            collector.long_lived_pending =
                heap::generation_count(GENERATIONS - 1).saturating_sub(collector.long_lived_total);
        }
    } else {
        collector.long_lived_total = heap::generation_count(GENERATIONS - 1);
        collector.long_lived_pending = 0;
    }
    freed
}

fn run_finalizer(vm: &mut Vm, object: &Value) {
    if let Some(finalizer) = vm.find_special(object, names::DEL)
        && let Err(error) = vm.call(&finalizer, &[])
    {
        vm.report_unraisable(&error, object);
    }
}

/// Marks are positions in the candidates' list plus one while a collection looks; they are zero again afterwards.
fn find_garbage(generation: usize) -> Vec<LiveObject> {
    let candidates = heap::containers_up_to(generation);
    let mut outside: Vec<i64> = Vec::with_capacity(candidates.len());
    for (position, object) in candidates.iter().enumerate() {
        outside.push(i64::from(object.count()));
        object.set_mark(position as u32 + 1);
    }
    for object in &candidates {
        object.visit_children(&mut |_, child| {
            if let Some(mark @ 1..) = child.mark() {
                outside[mark as usize - 1] -= 1;
            }
        });
    }
    let mut is_reachable = vec![false; candidates.len()];
    let mut work: Vec<usize> = (0..candidates.len()).filter(|position| outside[*position] > 0).collect();
    for position in &work {
        is_reachable[*position] = true;
    }
    while let Some(position) = work.pop() {
        candidates[position].visit_children(&mut |_, child| {
            if let Some(mark @ 1..) = child.mark()
                && !std::mem::replace(&mut is_reachable[mark as usize - 1], true)
            {
                work.push(mark as usize - 1);
            }
        });
    }
    for object in &candidates {
        object.set_mark(0);
    }
    candidates.into_iter().zip(is_reachable).filter(|(_, reachable)| !reachable).map(|(object, _)| object).collect()
}

/// Checks that every container's count is what containers and counted roots account for; answers the objects whose count is
/// higher or lower than found, with both numbers.
#[cfg(test)]
pub fn count_mismatches(roots: &[Value]) -> Vec<(Value, u32, u32)> {
    let candidates = heap::containers();
    let mut found = vec![0u32; candidates.len()];
    let counts: Vec<u32> = candidates.iter().map(LiveObject::count).collect();
    for (position, object) in candidates.iter().enumerate() {
        object.set_mark(position as u32 + 1);
    }
    let mut count_edge = |child: &Value| {
        if let Some(mark @ 1..) = child.mark() {
            found[mark as usize - 1] += 1;
        }
    };
    roots.iter().for_each(&mut count_edge);
    for object in &candidates {
        object.visit_children(&mut |_, child| count_edge(child));
    }
    for object in &candidates {
        object.set_mark(0);
    }
    candidates
        .iter()
        .zip(counts)
        .zip(found)
        .filter(|((_, count), found)| count != found)
        .map(|((object, count), found)| (object.value(), count, found))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::heap::Ref;
    use crate::lang::objects::ListObject;

    fn list_cycle(len: usize) -> Vec<Ref<ListObject>> {
        let lists: Vec<Ref<ListObject>> = (0..len).map(|_| Ref::new(ListObject::default())).collect();
        for (index, list) in lists.iter().enumerate() {
            list.items.borrow_mut().push(Value::List(lists[(index + 1) % len].clone()));
        }
        lists
    }

    #[test]
    fn a_cycle_without_outside_references_is_garbage() {
        let before = heap::container_count();
        drop(list_cycle(3));
        assert_eq!(heap::container_count(), before + 3, "counts alone do not free a cycle");
        let garbage = find_garbage(GENERATIONS - 1);
        assert_eq!(garbage.len(), 3);
        let mut limbo = Vec::new();
        garbage.iter().for_each(|object| object.take_children(&mut limbo));
        drop(limbo);
        drop(garbage);
        assert_eq!(heap::container_count(), before);
    }

    #[test]
    fn an_outside_reference_keeps_all_that_it_reaches() {
        let lists = list_cycle(4);
        let kept = lists[2].clone();
        drop(lists);
        assert_eq!(find_garbage(GENERATIONS - 1).len(), 0);
        drop(kept);
        assert_eq!(find_garbage(GENERATIONS - 1).len(), 4);
    }

    #[test]
    fn an_older_generation_counts_as_outside() {
        let lists = list_cycle(2);
        heap::promote(0);
        let young = Ref::new(ListObject::new(vec![Value::List(lists[0].clone())]));
        lists[1].items.borrow_mut().push(Value::List(young));
        drop(lists);
        assert_eq!(find_garbage(0).len(), 0, "the young list is held from the older generation");
        assert_eq!(find_garbage(1).len(), 3);
    }
}
