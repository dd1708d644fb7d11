//! Modules and their namespaces: names with fixed slots, so that code reads a global without a lookup.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use hashbrown::HashMap;

use crate::lang::heap::weak::Slot as WeakSlot;
use crate::lang::heap::{HeapObject, Ref};
use crate::lang::name::Name;
use crate::lang::value::{Edge, Value};

/// Names with slots. A slot once given stays with its name; a deleted name leaves it unset.
#[derive(Clone, Debug, Default)]
pub struct Namespace {
    index: HashMap<Name, u32>,
    slots: Vec<Slot>,
}

/// A name's place.
#[derive(Clone, Debug)]
struct Slot {
    name: Name,
    /// The slot of the same name among the built-ins, once it was looked for, so that code which reads one looks once.
    builtin: Cell<u32>,
    value: Value,
}

/// The place among the built-ins of a name that was not looked for there.
const UNKNOWN: u32 = u32::MAX;

impl Namespace {
    /// The slot of a name, made unset when it is new.
    pub fn slot(&mut self, name: Name) -> u32 {
        let slots = &mut self.slots;
        *self.index.entry(name).or_insert_with(|| {
            slots.push(Slot { name, builtin: Cell::new(UNKNOWN), value: Value::Unset });
            u32::try_from(slots.len() - 1).expect("fewer than 2^32 globals")
        })
    }

    /// The slot of a name that has one.
    pub fn find(&self, name: Name) -> Option<u32> {
        self.index.get(&name).copied()
    }

    /// The value in a slot, unset when the name is not bound.
    #[inline]
    pub fn at(&self, slot: u32) -> &Value {
        &self.slots[slot as usize].value
    }

    /// The slot of a name among the built-ins, where [`Self::note_builtin`] told it.
    #[inline]
    pub fn builtin_slot(&self, slot: u32) -> Option<u32> {
        let builtin = self.slots[slot as usize].builtin.get();
        (builtin != UNKNOWN).then_some(builtin)
    }

    /// Remembers the slot of a name among the built-ins.
    pub fn note_builtin(&self, slot: u32, builtin: u32) {
        self.slots[slot as usize].builtin.set(builtin);
    }

    /// The name a slot belongs to.
    pub fn name_at(&self, slot: u32) -> Name {
        self.slots[slot as usize].name
    }

    /// The names of all slots, in their order.
    pub fn slot_names(&self) -> impl Iterator<Item = Name> {
        self.slots.iter().map(|slot| slot.name)
    }

    /// Puts a value into a slot and returns the old one, to be dropped after the borrow ends.
    #[inline]
    pub fn put(&mut self, slot: u32, value: Value) -> Value {
        std::mem::replace(&mut self.slots[slot as usize].value, value)
    }

    /// The value of a bound name.
    pub fn get(&self, name: Name) -> Option<&Value> {
        let value = self.at(self.find(name)?);
        (!value.is_unset()).then_some(value)
    }

    /// Binds a name and returns the old value, to be dropped after the borrow ends.
    pub fn set(&mut self, name: Name, value: Value) -> Value {
        let slot = self.slot(name);
        self.put(slot, value)
    }

    /// Bound names in the order they were first seen.
    pub fn iter(&self) -> impl Iterator<Item = (Name, &Value)> {
        self.slots.iter().filter(|slot| !slot.value.is_unset()).map(|slot| (slot.name, &slot.value))
    }
}

/// A module.
#[derive(Debug)]
pub struct ModuleObject {
    /// Its dotted name.
    pub name: Name,
    /// Its globals; never borrowed while user code can run.
    pub globals: RefCell<Namespace>,
    /// The mapping that shows the globals, while a program holds one: there is never a second beside it.
    pub view: RefCell<Option<Rc<WeakSlot>>>,
}

impl ModuleObject {
    /// An empty module.
    pub fn new(name: Name) -> Self {
        Self { name, globals: RefCell::default(), view: RefCell::default() }
    }

    /// Binds a global, dropping the old value after the borrow.
    pub fn set(&self, name: Name, value: Value) {
        let old = self.globals.borrow_mut().set(name, value);
        drop(old);
    }

    /// A bound global.
    pub fn get(&self, name: Name) -> Option<Value> {
        self.globals.borrow().get(name).cloned()
    }
}

impl HeapObject for ModuleObject {
    const IS_CONTAINER: bool = true;
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        for (name, value) in self.globals.borrow().iter() {
            visit(Edge::Global(name), value);
        }
    }
    fn take_children(&self, into: &mut Vec<Value>) {
        for slot in &mut self.globals.borrow_mut().slots {
            into.push(std::mem::take(&mut slot.value));
        }
    }
    fn as_value(this: &Ref<Self>) -> Value {
        Value::Module(this.clone())
    }
}
