//! `member_descriptor`: what a name of `__slots__` is on its class. The value itself stands among the instance's attributes.

use std::rc::Rc;

use super::class_type;
use super::classes::{Builtin, attach, builtin_class};
use crate::lang::heap::weak::Slot;
use crate::lang::name::{Name, names};
use crate::lang::native::{Args, Method, getter, method};
use crate::lang::objects::{ClassObject, ClassRef, NativeData};
use crate::lang::raise::{Fallible, type_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// A slot of a class. It knows its class without holding it, so that a class with slots is no cycle.
#[derive(Debug)]
struct Member {
    class: Option<Rc<Slot>>,
    class_name: Name,
    /// The name of the attribute, mangled where it is private.
    name: Name,
}

impl NativeData for Member {
    fn class(&self) -> ClassRef {
        builtin_class(Builtin::MemberDescriptor)
    }
}

/// Attaches the methods; once per thread.
pub fn install() {
    attach(&builtin_class(Builtin::MemberDescriptor), METHODS);
}

const METHODS: &[Method] = &[
    getter("__name__", "The slot's name.", |vm, args| Ok(Value::str(this(vm, args)?.name.text()))),
    getter("__qualname__", "The slot's name with its class.", |vm, args| {
        let member = this(vm, args)?;
        Ok(Value::str(format!("{}.{}", member.class_name, member.name)))
    }),
    getter("__doc__", "Nothing; inspect.getdoc() reads a dict of slots.", |_, _| Ok(Value::None)),
    getter("__objclass__", "The class that has the slot.", |vm, args| {
        Ok(this(vm, args)?.class.as_ref().and_then(|class| class.target()).unwrap_or(Value::None))
    }),
    method("__repr__", "(self, /)", "Return repr(self).", |vm, args| {
        let member = this(vm, args)?;
        Ok(Value::str(format!("<member '{}' of '{}' objects>", member.name, member.class_name)))
    }),
    method("__get__", "(self, instance, owner=None, /)", "The value in the slot.", |vm, args| {
        let (own, instance) = (args.get(vm, 0), args.get(vm, 1));
        if instance.is_none() && args.not_none(vm, 2).is_some() {
            return Ok(own);
        }
        read(vm, &own, &instance)
    }),
    method("__set__", "(self, instance, value, /)", "Puts a value into the slot.", |vm, args| {
        let (name, instance, value) = (checked(vm, args)?, args.get(vm, 1), args.get(vm, 2));
        vm.set_plain_attribute(&instance, name, Some(value))?;
        Ok(Value::None)
    }),
    method("__delete__", "(self, instance, /)", "Empties the slot.", |vm, args| {
        let (name, instance) = (checked(vm, args)?, args.get(vm, 1));
        vm.set_plain_attribute(&instance, name, None)?;
        Ok(Value::None)
    }),
];

fn as_member(value: &Value) -> Option<&Member> {
    match value {
        Value::Object(object) => object.downcast::<Member>(),
        _ => None,
    }
}

/// Whether a value is a slot of a class.
pub fn is_member(value: &Value) -> bool {
    as_member(value).is_some()
}

fn this(vm: &Vm, args: Args) -> Fallible<&Member> {
    as_member(args.peek(vm, 0)).ok_or_else(|| type_error("expected a member descriptor"))
}

/// The slot's name, once it is certain that the instance has it.
fn checked(vm: &Vm, args: Args) -> Fallible<Name> {
    let member = this(vm, args)?;
    check(member, args.peek(vm, 1))?;
    Ok(member.name)
}

fn check(member: &Member, instance: &Value) -> Fallible<()> {
    let fits = match member.class.as_ref().and_then(|class| class.target()) {
        Some(Value::Class(class)) => ClassObject::is_subclass_of(&instance.class(), &class),
        _ => false,
    };
    if fits {
        return Ok(());
    }
    Err(type_error(format!(
        "descriptor '{}' for '{}' objects doesn't apply to a '{}' object",
        member.name,
        member.class_name,
        instance.type_name()
    )))
}

/// The value in the slot of an instance.
pub fn read(vm: &mut Vm, descriptor: &Value, instance: &Value) -> Fallible<Value> {
    let member = as_member(descriptor).ok_or_else(|| type_error("expected a member descriptor"))?;
    check(member, instance)?;
    let found = match instance {
        Value::Instance(own) => own.attributes.borrow().get(&member.name).cloned(),
        Value::Exception(own) => own.attributes.borrow().get(&member.name).cloned(),
        _ => None,
    };
    match found {
        Some(value) => Ok(value),
        None => Err(vm.attribute_error(instance, member.name)),
    }
}

/// Whether an attribute of instances stands in a slot, and so not in their `__dict__`.
pub fn is_slot(class: &ClassObject, name: Name) -> bool {
    class.lookup(name).is_some_and(|value| is_member(&value))
}

/// Puts the descriptors of `__slots__` into a new class, in the order in which they are named.
pub fn add_to(vm: &mut Vm, class: &ClassRef) -> Fallible<()> {
    let Some(slots) = class.attributes.borrow().get(&names::SLOTS).cloned() else { return Ok(()) };
    let named = if slots.as_str().is_some() { vec![slots.clone()] } else { vm.collect(&slots)? };
    for slot in named {
        let Some(text) = slot.as_str() else { continue };
        if matches!(text, "__dict__" | "__weakref__") {
            continue;
        }
        let name = class_type::mangled(text, class.name.get());
        let owner = Slot::new(&Value::Class(class.clone()), false);
        let member = Value::object(Member { class: owner, class_name: class.name.get(), name });
        let old = class.attributes.borrow_mut().insert(name, member);
        drop(old);
    }
    Ok(())
}
