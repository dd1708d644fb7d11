//! `super`: attributes looked up behind a class in the order of an object's class.

use super::classes::{Builtin, attach, builtin_class};
use crate::lang::heap::Ref;
use crate::lang::name::Name;
use crate::lang::native::{Args, Method, method, static_method};
use crate::lang::objects::{ClassObject, ClassRef, NativeData, NativeObject};
use crate::lang::raise::{Fallible, runtime_error, type_error};
use crate::lang::value::{Edge, Value};
use crate::lang::vm::Vm;

/// A `super` object.
#[derive(Debug)]
struct SuperObject {
    /// The class behind which the search begins.
    class: ClassRef,
    /// What methods are bound to: an instance or a class; unset until it is bound.
    receiver: Value,
    /// The class whose order is searched, once it is bound.
    searched: Option<ClassRef>,
}

impl NativeData for SuperObject {
    fn class(&self) -> ClassRef {
        builtin_class(Builtin::Super)
    }
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        visit(Edge::Class, &Value::Class(self.class.clone()));
        visit(Edge::Bound, &self.receiver);
        if let Some(searched) = &self.searched {
            visit(Edge::Other("searched class"), &Value::Class(searched.clone()));
        }
    }
}

/// Attaches the methods; once per thread.
pub fn install() {
    const METHODS: &[Method] = &[
        static_method("__new__", "(cls, type=None, object=None, /)", "The next class in the order.", new),
        method("__repr__", "(self, /)", "Return repr(self).", |vm, args| {
            let Value::Object(object) = args.peek(vm, 0) else { return Ok(Value::str("<super>")) };
            Ok(Value::str(match object.downcast::<SuperObject>() {
                Some(own) => match &own.searched {
                    Some(searched) => {
                        format!("<super: <class '{}'>, <{} object>>", own.class.name.get(), searched.name.get())
                    }
                    None => format!("<super: <class '{}'>, NULL>", own.class.name.get()),
                },
                None => "<super>".to_owned(),
            }))
        }),
        method("__get__", "(self, instance, owner=None, /)", "The same, bound to an object.", |vm, args| {
            let (own, instance) = (args.get(vm, 0), args.get(vm, 1));
            let Value::Object(object) = &own else { return Err(type_error("expected a super object")) };
            match object.downcast::<SuperObject>() {
                Some(unbound) if unbound.searched.is_none() && !instance.is_none() => {
                    bound(unbound.class.clone(), instance)
                }
                _ => Ok(own),
            }
        }),
    ];
    attach(&builtin_class(Builtin::Super), METHODS);
}

fn new(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (class, receiver) = match (args.optional(vm, 1), args.optional(vm, 2)) {
        (Some(class), Some(receiver)) => (class, receiver),
        (Some(Value::Class(class)), None) => {
            return Ok(Value::object(SuperObject { class, receiver: Value::Unset, searched: None }));
        }
        (Some(class), None) => (class, Value::Unset),
        (None, _) => vm.super_arguments().ok_or_else(|| runtime_error("super(): no arguments"))?,
    };
    let Value::Class(class) = class else {
        return Err(type_error(format!("super() argument 1 must be a type, not {}", class.type_name())));
    };
    bound(class, receiver)
}

fn bound(class: ClassRef, receiver: Value) -> Fallible<Value> {
    let searched = match &receiver {
        Value::Class(own) if ClassObject::is_subclass_of(own, &class) => own.clone(),
        other => {
            let own = other.class();
            if !ClassObject::is_subclass_of(&own, &class) {
                return Err(type_error("super(type, obj): obj must be an instance or subtype of type"));
            }
            own
        }
    };
    Ok(Value::object(SuperObject { class, receiver, searched: Some(searched) }))
}

/// An attribute of a `super` object; nothing when the object is no `super` or only `super`'s own class has it.
pub fn attribute(vm: &mut Vm, object: &Ref<NativeObject>, name: Name) -> Option<Fallible<Value>> {
    let own = object.downcast::<SuperObject>()?;
    if name.text() == "__class__" {
        return None;
    }
    let searched = own.searched.clone()?;
    let order: Vec<ClassRef> =
        std::iter::once(searched.clone()).chain(searched.mro_tail.borrow().iter().cloned()).collect();
    let at = order.iter().position(|class| Ref::ptr_eq(class, &own.class))?;
    let found = order[at + 1..].iter().find_map(|class| class.attributes.borrow().get(&name).cloned());
    match found {
        Some(value) => {
            let receiver = own.receiver.clone();
            let is_class = matches!(&receiver, Value::Class(class) if Ref::ptr_eq(class, &searched));
            let instance = if is_class { None } else { Some(&receiver) };
            Some(vm.bind_attribute(value, instance, &searched))
        }
        None => Some(Err(crate::lang::raise::attribute_error(format!("'super' object has no attribute '{name}'")))),
    }
}
