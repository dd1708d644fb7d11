//! Classes and instances.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::lang::code::Code;
use crate::lang::heap::weak::Slot;
use crate::lang::heap::{HeapObject, Ref};
use crate::lang::name::{Name, names};
use crate::lang::value::{Edge, Value};

/// A counted reference to a class.
pub type ClassRef = Ref<ClassObject>;

/// What an instance of a class carries besides attributes: the built-in value its nearest built-in base needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PayloadKind {
    /// Attributes only (`object`).
    Attributes,
    /// A value of a built-in type (`class Stack(list)`), kept in [`InstanceObject::payload`].
    Value,
    /// Instances are [`super::ExceptionObject`]s.
    Exception,
    /// Cannot be subclassed (`bool`, `range`, functions, iterators, arrays...).
    Sealed,
}

pub use super::attributes::Attributes;

/// A class, built in or defined by `class`.
#[derive(Debug)]
pub struct ClassObject {
    /// `__name__`
    pub name: Cell<Name>,
    /// `__qualname__`
    pub qualname: RefCell<Rc<str>>,
    /// `__module__`
    pub module: Cell<Name>,
    /// Direct bases; empty only for `object`.
    pub bases: RefCell<Vec<ClassRef>>,
    /// Method resolution order, without the class itself (which would be a cycle by construction).
    pub mro_tail: RefCell<Vec<ClassRef>>,
    /// Attributes; never borrowed while user code can run.
    pub attributes: RefCell<Attributes>,
    /// What instances carry.
    pub payload: PayloadKind,
    /// Whether it was defined by a program, so that its attributes may be changed.
    pub is_user_defined: bool,
    /// Raised whenever this class or a base changes, for inline caches; 0 is never a valid version.
    pub version: Cell<u32>,
    /// Whether there is a `__del__`, and for which version that was found.
    finalizer: Cell<(u32, bool)>,
    /// The code of its body, for who asks where it was defined; nothing for classes made by a call.
    pub body: RefCell<Option<Rc<Code>>>,
    /// Classes that derive from this one, whose versions rise with this one's; they are not held.
    derived: RefCell<Vec<Rc<Slot>>>,
}

impl ClassObject {
    /// A class with the given bases; `mro_tail` is what C3 computed, without the class itself.
    pub fn new(
        name: Name,
        module: Name,
        bases: Vec<ClassRef>,
        mro_tail: Vec<ClassRef>,
        payload: PayloadKind,
        is_user_defined: bool,
    ) -> Self {
        Self {
            name: Cell::new(name),
            qualname: RefCell::new(name.text().into()),
            module: Cell::new(module),
            bases: RefCell::new(bases),
            mro_tail: RefCell::new(mro_tail),
            attributes: RefCell::default(),
            payload,
            is_user_defined,
            version: Cell::new(next_version()),
            finalizer: Cell::default(),
            body: RefCell::default(),
            derived: RefCell::default(),
        }
    }

    /// A class of the engine with any number of bases; the order is C3's, which for our own bases always exists.
    pub fn native(name: Name, module: Name, bases: Vec<ClassRef>, payload: PayloadKind) -> ClassRef {
        let mut sequences: Vec<Vec<ClassRef>> = bases
            .iter()
            .map(|base| std::iter::once(base.clone()).chain(base.mro_tail.borrow().iter().cloned()).collect())
            .collect();
        sequences.push(bases.clone());
        let mut mro_tail: Vec<ClassRef> = Vec::new();
        while let Some(next) = sequences.iter().filter_map(|sequence| sequence.first()).find(|candidate| {
            !sequences.iter().any(|sequence| sequence.iter().skip(1).any(|class| Ref::ptr_eq(class, candidate)))
        }) {
            let next = next.clone();
            for sequence in &mut sequences {
                sequence.retain(|class| !Ref::ptr_eq(class, &next));
            }
            mro_tail.push(next);
        }
        Ref::new(Self::new(name, module, bases, mro_tail, payload, false))
    }

    /// The attribute as found along the method resolution order.
    pub fn lookup(&self, name: Name) -> Option<Value> {
        if let Some(value) = self.attributes.borrow().get(&name) {
            return Some(value.clone());
        }
        self.mro_tail.borrow().iter().find_map(|class| class.attributes.borrow().get(&name).cloned())
    }

    /// As [`Self::lookup`], but not as far as `object`, which ends every order.
    pub fn lookup_before_object(&self, name: Name) -> Option<Value> {
        if let Some(value) = self.attributes.borrow().get(&name) {
            return Some(value.clone());
        }
        let tail = self.mro_tail.borrow();
        let (_, before) = tail.split_last()?;
        before.iter().find_map(|class| class.attributes.borrow().get(&name).cloned())
    }

    /// Whether instances have a `__del__`; asked whenever one goes.
    #[inline]
    pub fn has_finalizer(&self) -> bool {
        let (version, has_finalizer) = self.finalizer.get();
        if version == self.version.get() {
            return has_finalizer;
        }
        let has_finalizer = self.lookup(names::DEL).is_some();
        self.finalizer.set((self.version.get(), has_finalizer));
        has_finalizer
    }

    /// Whether the class is `other` or derives from it.
    pub fn is_subclass_of(this: &ClassRef, other: &ClassRef) -> bool {
        Ref::ptr_eq(this, other) || this.mro_tail.borrow().iter().any(|class| Ref::ptr_eq(class, other))
    }

    /// Sets an attribute of the class itself and returns the old value, to be dropped after the borrow ends.
    pub fn set(&self, name: Name, value: Value) -> Option<Value> {
        self.changed();
        self.attributes.borrow_mut().insert(name, value)
    }

    /// Gives this class and those that derive from it new versions, so that caches look again.
    fn changed(&self) {
        self.version.set(next_version());
        self.derived.borrow_mut().retain(|slot| match slot.target() {
            Some(Value::Class(class)) => {
                class.version.set(next_version());
                true
            }
            _ => false,
        });
    }

    /// Lets every class of a new class's order that a program may change know of it.
    pub fn register(this: &ClassRef) {
        for base in this.mro_tail.borrow().iter().filter(|base| base.is_user_defined) {
            if let Some(slot) = Slot::new(&Value::Class(this.clone()), false) {
                base.derived.borrow_mut().push(slot);
            }
        }
    }

    /// Removes an attribute of the class itself.
    pub fn remove(&self, name: Name) -> Option<Value> {
        self.changed();
        self.attributes.borrow_mut().shift_remove(&name)
    }
}

thread_local! {
    static VERSION: Cell<u32> = const { Cell::new(1) };
}

fn next_version() -> u32 {
    VERSION.with(|version| {
        let next = version.get().wrapping_add(1).max(1);
        version.set(next);
        next
    })
}

impl HeapObject for ClassObject {
    const IS_CONTAINER: bool = true;
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        for (index, base) in self.bases.borrow().iter().enumerate() {
            with_class_value(base, |value| visit(Edge::BaseClass(index), value));
        }
        for base in self.mro_tail.borrow().iter() {
            with_class_value(base, |value| visit(Edge::Other("method resolution order"), value));
        }
        for (name, value) in self.attributes.borrow().iter() {
            visit(Edge::Attribute(*name), value);
        }
    }
    fn take_children(&self, into: &mut Vec<Value>) {
        into.extend(std::mem::take(&mut *self.attributes.borrow_mut()).into_values());
        into.extend(std::mem::take(&mut *self.bases.borrow_mut()).into_iter().map(Value::Class));
        into.extend(std::mem::take(&mut *self.mro_tail.borrow_mut()).into_iter().map(Value::Class));
    }
    fn as_value(this: &Ref<Self>) -> Value {
        Value::Class(this.clone())
    }
}

/// Shows a class reference held as such to a visitor of values; the extra count lives only for the call.
pub fn with_class_value(class: &ClassRef, visit: impl FnOnce(&Value)) {
    visit(&Value::Class(class.clone()));
}

/// An instance of a class defined by `class`.
#[derive(Debug)]
pub struct InstanceObject {
    /// Its class; `obj.__class__ = Other` changes it.
    pub class: RefCell<ClassRef>,
    /// Attributes; never borrowed while user code can run.
    pub attributes: RefCell<Attributes>,
    /// The built-in value of `class Stack(list)`, unset for plain instances.
    pub payload: RefCell<Value>,
}

impl InstanceObject {
    /// An instance without attributes.
    pub fn new(class: ClassRef, payload: Value) -> Self {
        Self { class: RefCell::new(class), attributes: RefCell::default(), payload: RefCell::new(payload) }
    }
}

impl HeapObject for InstanceObject {
    const IS_CONTAINER: bool = true;
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        with_class_value(&self.class.borrow(), |value| visit(Edge::Class, value));
        for (name, value) in self.attributes.borrow().iter() {
            visit(Edge::Attribute(*name), value);
        }
        let payload = self.payload.borrow();
        if !payload.is_unset() {
            visit(Edge::Base, &payload);
        }
    }
    fn take_children(&self, into: &mut Vec<Value>) {
        into.extend(std::mem::take(&mut *self.attributes.borrow_mut()).into_values());
        into.push(std::mem::take(&mut *self.payload.borrow_mut()));
    }
    fn as_value(this: &Ref<Self>) -> Value {
        Value::Instance(this.clone())
    }
    fn wants_finalizer(&self) -> bool {
        self.class.borrow().has_finalizer()
    }
}
