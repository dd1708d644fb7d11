//! Iterators over pools of items: products, permutations, combinations.

use std::cell::RefCell;

use super::{Kind, class_of};
use crate::lang::modules::support::{instantiate, items_of};
use crate::lang::native::Args;
use crate::lang::objects::{ClassRef, NativeData};
use crate::lang::raise::{Fallible, value_error};
use crate::lang::value::{Edge, Value};
use crate::lang::vm::Vm;

/// The positions of the next answer; `None` before the first.
#[derive(Debug)]
struct Positions {
    indices: Vec<usize>,
    /// For permutations: how many steps each place has left before it starts anew.
    cycles: Vec<usize>,
    started: bool,
    done: bool,
}

#[derive(Debug)]
struct Combine {
    kind: Kind,
    /// One pool, or one a place for products.
    pools: RefCell<Vec<Vec<Value>>>,
    positions: RefCell<Positions>,
}

impl Combine {
    fn value(kind: Kind, class: &Value, pools: Vec<Vec<Value>>, positions: Positions) -> Fallible<Value> {
        let data = Self { kind, pools: RefCell::new(pools), positions: RefCell::new(positions) };
        instantiate(class, &class_of(kind), Value::object(data))
    }
}

impl Positions {
    /// Moves to the next combination; false at the end.
    fn advance(&mut self, kind: Kind, pools: &[Vec<Value>]) -> bool {
        if !self.started {
            self.started = true;
            return !self.done;
        }
        let places = if kind == Kind::Permutations { self.cycles.len() } else { self.indices.len() };
        let size = pools.first().map_or(0, Vec::len);
        match kind {
            Kind::Product => {
                for place in (0..places).rev() {
                    self.indices[place] += 1;
                    if self.indices[place] < pools[place].len() {
                        return true;
                    }
                    self.indices[place] = 0;
                }
                false
            }
            Kind::Permutations => {
                for place in (0..places).rev() {
                    self.cycles[place] -= 1;
                    if self.cycles[place] == 0 {
                        self.indices[place..].rotate_left(1);
                        self.cycles[place] = size - place;
                    } else {
                        let other = size - self.cycles[place];
                        self.indices.swap(place, other);
                        return true;
                    }
                }
                false
            }
            Kind::Combinations => {
                let Some(place) = (0..places).rev().find(|place| self.indices[*place] != place + size - places) else {
                    return false;
                };
                self.indices[place] += 1;
                for next in place + 1..places {
                    self.indices[next] = self.indices[next - 1] + 1;
                }
                true
            }
            _ => {
                let Some(place) = (0..places).rev().find(|place| self.indices[*place] != size - 1) else {
                    return false;
                };
                let index = self.indices[place] + 1;
                self.indices[place..].fill(index);
                true
            }
        }
    }
}

impl NativeData for Combine {
    fn class(&self) -> ClassRef {
        class_of(self.kind)
    }

    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        for pool in self.pools.borrow().iter() {
            pool.iter().for_each(|item| visit(Edge::Iterated, item));
        }
    }

    fn take_children(&self, into: &mut Vec<Value>) {
        self.positions.borrow_mut().done = true;
        into.extend(self.pools.borrow_mut().drain(..).flatten());
    }

    fn is_iterator(&self) -> bool {
        true
    }

    fn next(&self, _vm: &mut Vm) -> Fallible<Option<Value>> {
        let mut positions = self.positions.borrow_mut();
        let pools = self.pools.borrow();
        if positions.done || !positions.advance(self.kind, &pools) {
            positions.done = true;
            return Ok(None);
        }
        let places = if self.kind == Kind::Permutations { positions.cycles.len() } else { positions.indices.len() };
        let item = |(place, index): (usize, &usize)| {
            let pool = if self.kind == Kind::Product { &pools[place] } else { &pools[0] };
            pool[*index].clone()
        };
        Ok(Some(Value::tuple(positions.indices.iter().take(places).enumerate().map(item).collect::<Vec<_>>())))
    }
}

/// The length of the answers, `default` when not given or `None`.
fn length(vm: &mut Vm, args: Args, default: usize) -> Fallible<usize> {
    let Some(value) = args.not_none(vm, 2) else { return Ok(default) };
    let number = vm.index(&value)?;
    usize::try_from(number).map_err(|_| value_error("r must be non-negative"))
}

pub(super) fn combinations(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let pool = vm.collect(&args.get(vm, 1))?;
    let places = length(vm, args, pool.len())?;
    let with_replacement = args.row == 1;
    vm.reserve(places.saturating_mul(8))?;
    let done = if with_replacement { pool.is_empty() && places > 0 } else { places > pool.len() };
    let indices = if done {
        Vec::new()
    } else if with_replacement {
        vec![0; places]
    } else {
        (0..places).collect()
    };
    let kind = if with_replacement { Kind::CombinationsWithReplacement } else { Kind::Combinations };
    let positions = Positions { indices, cycles: Vec::new(), started: false, done };
    Combine::value(kind, &args.get(vm, 0), vec![pool], positions)
}

pub(super) fn permutations(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let pool = vm.collect(&args.get(vm, 1))?;
    let size = pool.len();
    let places = length(vm, args, size)?;
    let done = places > size;
    let cycles = if done { Vec::new() } else { (0..places).map(|place| size - place).collect() };
    let positions = Positions { indices: (0..size).collect(), cycles, started: false, done };
    Combine::value(Kind::Permutations, &args.get(vm, 0), vec![pool], positions)
}

pub(super) fn product(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let repeat = args.index_or(vm, 2, 1)?;
    let Ok(repeat) = usize::try_from(repeat) else {
        return Err(value_error("repeat argument cannot be negative"));
    };
    let mut pools = Vec::new();
    for iterable in items_of(&args.get(vm, 1)) {
        let pool = vm.collect(&iterable)?;
        vm.protect(Value::list(pool.clone()));
        pools.push(pool);
    }
    let items: usize = pools.iter().map(Vec::len).sum();
    vm.reserve((items + pools.len()).saturating_mul(repeat).saturating_mul(size_of::<Value>()))?;
    let all: Vec<Vec<Value>> = (0..repeat).flat_map(|_| pools.iter().cloned()).collect();
    let done = all.iter().any(Vec::is_empty);
    let positions = Positions { indices: vec![0; all.len()], cycles: Vec::new(), started: false, done };
    Combine::value(Kind::Product, &args.get(vm, 0), all, positions)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(kind: Kind, pools: &[Vec<Value>], mut positions: Positions) -> Vec<Vec<usize>> {
        let mut seen = Vec::new();
        while positions.advance(kind, pools) {
            seen.push(positions.indices.clone());
        }
        seen
    }

    #[test]
    fn permutations_come_in_lexicographic_order() {
        let pool = vec![vec![Value::None; 3]];
        let start = Positions { indices: vec![0, 1, 2], cycles: vec![3, 2, 1], started: false, done: false };
        let expected = vec![[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        assert_eq!(all(Kind::Permutations, &pool, start), expected);
        let start = Positions { indices: vec![0, 1, 2], cycles: vec![3, 2], started: false, done: false };
        assert_eq!(all(Kind::Permutations, &pool, start).len(), 6);
    }

    #[test]
    fn combinations_count_as_they_should() {
        let pool = vec![vec![Value::None; 5]];
        let start = Positions { indices: vec![0, 1, 2], cycles: vec![], started: false, done: false };
        assert_eq!(all(Kind::Combinations, &pool, start).len(), 10);
        let start = Positions { indices: vec![0, 0], cycles: vec![], started: false, done: false };
        assert_eq!(all(Kind::CombinationsWithReplacement, &pool, start).len(), 15);
    }
}
