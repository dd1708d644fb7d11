//! References that do not keep their object alive: the heap empties them at the moment their object goes.
//!
//! An object that is referred to weakly carries a flag in its header; a table names its weak references. Walks and the collector never see one,
//! so a weak reference is no holder.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ptr::NonNull;
use std::rc::{Rc, Weak as RcWeak};

use hashbrown::HashSet;

use super::{HAS_FINALIZERS, HEAP, Header, Heap, LiveObject, ObjectId, Words};
use crate::lang::heap::{HeapObject, Ref};
use crate::lang::value::Value;

/// The weak references to each object that has any, oldest first.
pub(super) type Table = BTreeMap<NonNull<Header>, Vec<RcWeak<Slot>>>;

/// One weak reference, owned by the object of the language that stands for it.
#[derive(Debug)]
pub struct Slot {
    /// Live until the heap empties it: only [`let_go`] and [`Slot::new`] write here.
    target: Cell<Option<NonNull<Header>>>,
    /// The object that stands for this reference; it lives as long as the slot has a strong owner.
    owner: Cell<Option<NonNull<Header>>>,
    calls_back: bool,
}

/// The object behind a header, counted once more; nothing while it is being released.
///
/// # Safety
/// The allocation must not be freed yet.
unsafe fn counted(header: NonNull<Header>) -> Option<Value> {
    // SAFETY: the caller's.
    let live = unsafe { header.as_ref() };
    // SAFETY: a count above zero keeps the object whole, and the table belongs to its type.
    (live.count.get() > 0).then(|| unsafe { (live.operations.value)(header) })
}

impl Slot {
    /// A weak reference to an object on the heap; nothing for values without one. With `calls_back`, the object that stands
    /// for the reference is given to [`take_callbacks`] when the target goes.
    pub fn new(target: &Value, calls_back: bool) -> Option<Rc<Self>> {
        let header = Words::of(target).header()?;
        let slot = Rc::new(Self { target: Cell::new(Some(header)), owner: Cell::new(None), calls_back });
        // SAFETY: the value keeps its object alive.
        unsafe { header.as_ref() }.is_weakly_referenced.set(true);
        HEAP.with(|heap| {
            let mut table = heap.weak.borrow_mut();
            let slots = table.entry(header).or_default();
            slots.retain(|slot| slot.strong_count() > 0);
            slots.push(Rc::downgrade(&slot));
        });
        Some(slot)
    }

    /// Says which object stands for this reference; it must own the slot.
    pub fn set_owner<T: HeapObject>(&self, owner: &Ref<T>) {
        self.owner.set(Some(owner.pointer.cast()));
    }

    /// The target, while it lives.
    pub fn target(&self) -> Option<Value> {
        // SAFETY: the heap empties the slot before it frees the target.
        self.target.get().and_then(|header| unsafe { counted(header) })
    }

    /// The object that stands for this reference.
    fn owner(&self) -> Option<Value> {
        // SAFETY: the owner drops its slot when it is freed, and this slot is there.
        self.owner.get().and_then(|header| unsafe { counted(header) })
    }
}

/// The objects that stand for weak references to a value, oldest first; with whether each has a callback.
pub fn references_to(value: &Value) -> Vec<(Value, bool)> {
    let Some(header) = Words::of(value).header() else { return Vec::new() };
    // The list is copied: counting an owner up and down may free it, and with it its slot.
    let slots = HEAP.with(|heap| heap.weak.borrow().get(&header).cloned()).unwrap_or_default();
    let slots = slots.iter().filter_map(RcWeak::upgrade);
    slots.filter_map(|slot| Some((slot.owner()?, slot.calls_back))).collect()
}

/// Empties the references to an object that goes, and keeps the owners whose callback has to be called.
#[cold]
pub(super) fn let_go(heap: &Heap, header: NonNull<Header>, dying: &HashSet<ObjectId>) {
    // SAFETY: the caller holds the object or is about to free it.
    unsafe { header.as_ref() }.is_weakly_referenced.set(false);
    let slots = heap.weak.borrow_mut().remove(&header).unwrap_or_default();
    for slot in slots.iter().rev().filter_map(RcWeak::upgrade) {
        slot.target.set(None);
        let is_dying = slot.owner.get().is_none_or(|owner| dying.contains(&ObjectId(owner)));
        if slot.calls_back
            && !is_dying
            && let Some(owner) = slot.owner()
        {
            heap.callbacks.borrow_mut().push(owner);
            HAS_FINALIZERS.set(true);
        }
    }
}

/// Empties the references to what a collection found unreachable. Owners that are unreachable too call nobody.
pub fn let_garbage_go(garbage: &[LiveObject]) {
    let referenced = |object: &&LiveObject| object.header().is_weakly_referenced.get();
    if !garbage.iter().any(|object| referenced(&object)) {
        return;
    }
    let dying: HashSet<ObjectId> = garbage.iter().map(LiveObject::id).collect();
    HEAP.with(|heap| {
        for object in garbage.iter().filter(referenced) {
            let_go(heap, object.0, &dying);
        }
    });
}

/// Takes the objects whose callback has to be called because their target went.
pub fn take_callbacks() -> Vec<Value> {
    HEAP.with(|heap| std::mem::take(&mut *heap.callbacks.borrow_mut()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::objects::ListObject;

    #[test]
    fn a_reference_is_empty_once_its_object_is_gone() {
        let list = Value::List(Ref::new(ListObject::default()));
        let slot = Slot::new(&list, false).expect("lists are on the heap");
        assert!(slot.target().is_some());
        drop(list);
        assert!(slot.target().is_none());
        assert!(Slot::new(&Value::Int(3), false).is_none(), "numbers are inline");
    }

    #[test]
    fn only_living_owners_are_called_and_the_newest_first() {
        let list = Value::List(Ref::new(ListObject::default()));
        let owners: Vec<Ref<ListObject>> = (0..3).map(|_| Ref::new(ListObject::default())).collect();
        let mut slots: Vec<Rc<Slot>> = (0..3).map(|_| Slot::new(&list, true).expect("on the heap")).collect();
        for (slot, owner) in slots.iter().zip(&owners) {
            slot.set_owner(owner);
        }
        assert_eq!(references_to(&list).len(), 3);
        drop(slots.remove(1));
        drop(list);
        let called = take_callbacks();
        assert!(matches!(&called[..], [Value::List(first), Value::List(second)]
            if Ref::ptr_eq(first, &owners[2]) && Ref::ptr_eq(second, &owners[0])));
    }
}
