//! `_weakref`: `weakref.ref`, an object that knows another without keeping it alive. `modules/py/weakref.py` builds the rest.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::lang::arrays::convert::class_path;
use crate::lang::builtins::class_type;
use crate::lang::builtins::classes::{Builtin, builtin_class, define_class};
use crate::lang::builtins::functions::objects::identity;
use crate::lang::heap::Ref;
use crate::lang::heap::weak::{self, Slot};
use crate::lang::modules::support::{Typed, new_module, set, thread_class, unwrap_payload};
use crate::lang::name::{Name, names};
use crate::lang::native::{Args, Method, getter, method, static_method};
use crate::lang::objects::{ClassRef, InstanceObject, ModuleObject, NativeData, NativeObject, PayloadKind};
use crate::lang::raise::{Fallible, type_error};
use crate::lang::value::{Edge, Value};
use crate::lang::vm::Vm;

/// A weak reference. It holds its callback, never its target.
#[derive(Debug)]
struct WeakReference {
    slot: Rc<Slot>,
    callback: RefCell<Value>,
    /// The instance of a class of the program that this reference is the inside of, known without being held.
    outside: RefCell<Option<Rc<Slot>>>,
    /// The target's hash, once it was asked for: it stays when the target has gone.
    hash: Cell<Option<i64>>,
}

impl NativeData for WeakReference {
    fn class(&self) -> ClassRef {
        reference_class()
    }
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        let callback = self.callback.borrow();
        if !callback.is_unset() {
            visit(Edge::Callable, &callback);
        }
    }
    fn take_children(&self, into: &mut Vec<Value>) {
        into.push(self.callback.take());
    }
}

thread_class! {
    /// The class `weakref.ReferenceType`.
    fn reference_class() = define_class("ReferenceType", "weakref", &builtin_class(Builtin::Object), PayloadKind::Value, METHODS);
}

/// Builds `_weakref`.
pub fn build(_vm: &mut Vm) -> Fallible<Ref<ModuleObject>> {
    let module = new_module("_weakref", "Weak references to objects.", FUNCTIONS);
    set(&module, "ref", Value::Class(reference_class()));
    set(&module, "ReferenceType", Value::Class(reference_class()));
    Ok(module)
}

const FUNCTIONS: &[Method] = &[
    method("getweakrefcount", "(object, /)", "Return the number of weak references to 'object'.", |vm, args| {
        Ok(Value::from(weak::references_to(args.peek(vm, 0)).len()))
    }),
    method(
        "getweakrefs",
        "(object, /)",
        "Return a list of all weak reference objects pointing to 'object'.",
        |vm, args| {
            let references = weak::references_to(args.peek(vm, 0));
            Ok(Value::list(references.into_iter().map(|(reference, _)| seen_from_outside(reference)).collect()))
        },
    ),
];

const METHODS: &[Method] = &[
    static_method("__new__", "(cls, /, *args)", "A weak reference; the callback is called when its object goes.", new),
    method("__call__", "(self, /)", "The object, None when it is gone.", |vm, args| {
        Ok(this(vm, args)?.slot.target().unwrap_or(Value::None))
    }),
    method("__repr__", "(self, /)", "Return repr(self).", repr),
    method("__hash__", "(self, /)", "Return hash(self).", hash),
    method("__eq__", "(self, value, /)", "Return self==value.", |vm, args| compare(vm, args, true)),
    method("__ne__", "(self, value, /)", "Return self!=value.", |vm, args| compare(vm, args, false)),
    getter("__callback__", "The callback, None when there is none or it was called.", |vm, args| {
        let callback = this(vm, args)?.callback.borrow().clone();
        Ok(if callback.is_unset() { Value::None } else { callback })
    }),
];

fn this(vm: &Vm, args: Args) -> Fallible<Typed<WeakReference>> {
    Typed::<WeakReference>::receiver(vm, args, "weakref.ReferenceType")
}

/// Whether weak references to a value may be made: CPython's rule for the kinds it has.
fn takes_references(value: &Value) -> bool {
    match value {
        Value::Instance(instance) => class_type::allows_attribute(&instance.class.borrow(), Name::new("__weakref__")),
        Value::Exception(exception) => exception.class.borrow().is_user_defined,
        Value::Object(object) => !object.data().is_iterator(),
        Value::Function(_)
        | Value::Native(_)
        | Value::Method(_)
        | Value::Class(_)
        | Value::Generator(_)
        | Value::Module(_)
        | Value::Set(_)
        | Value::Array(_) => true,
        _ => false,
    }
}

fn as_reference(value: &Value) -> Option<&WeakReference> {
    match value {
        Value::Object(object) => object.downcast::<WeakReference>(),
        _ => None,
    }
}

/// The instance that a reference is the inside of, else the reference itself.
fn seen_from_outside(reference: Value) -> Value {
    let outside = as_reference(&reference).and_then(|own| own.outside.borrow().clone());
    outside.and_then(|outside| outside.target()).unwrap_or(reference)
}

fn new(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let Value::Class(class) = args.get(vm, 0) else { return Err(type_error("ref.__new__(X): X is not a type object")) };
    let Value::Tuple(given) = args.get(vm, 1) else { return Err(type_error("expected arguments")) };
    let (target, callback) = match given.items() {
        [] => return Err(type_error("__new__ expected at least 1 argument, got 0")),
        [target] | [target, Value::None] => (target, Value::Unset),
        [target, callback] => (target, callback.clone()),
        more => return Err(type_error(format!("__new__ expected at most 2 arguments, got {}", more.len()))),
    };
    if !takes_references(target) {
        return Err(type_error(format!("cannot create weak reference to '{}' object", target.type_name())));
    }
    let is_derived = !Ref::ptr_eq(&class, &reference_class());
    if callback.is_unset() && !is_derived {
        // References without a callback are one and the same.
        let is_plain = |reference: &Value| as_reference(reference).is_some_and(|own| own.outside.borrow().is_none());
        let known =
            weak::references_to(target).into_iter().find(|(reference, calls_back)| !calls_back && is_plain(reference));
        if let Some((reference, _)) = known {
            return Ok(reference);
        }
    }
    let slot = Slot::new(target, !callback.is_unset())
        .ok_or_else(|| type_error(format!("cannot create weak reference to '{}' object", target.type_name())))?;
    let data = WeakReference {
        slot: slot.clone(),
        callback: RefCell::new(callback),
        outside: RefCell::default(),
        hash: Cell::new(None),
    };
    let object = Ref::new(NativeObject::new(data));
    slot.set_owner(&object);
    if !is_derived {
        return Ok(Value::Object(object));
    }
    let instance = Value::Instance(Ref::new(InstanceObject::new(class, Value::Object(object.clone()))));
    if let Some(own) = object.downcast::<WeakReference>() {
        *own.outside.borrow_mut() = Slot::new(&instance, false);
    }
    Ok(instance)
}

fn repr(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let address = identity(args.peek(vm, 0));
    let Some(target) = this(vm, args)?.slot.target() else {
        return Ok(Value::str(format!("<weakref at {address:#x}; dead>")));
    };
    let named = match &target {
        Value::Function(_) | Value::Native(_) | Value::Class(_) | Value::Module(_) => {
            vm.find_attribute(&target, names::NAME)?
        }
        _ => None,
    };
    let name = named.map(|name| vm.str(&name)).transpose()?.map(|name| format!(" ({name})")).unwrap_or_default();
    Ok(Value::str(format!(
        "<weakref at {address:#x}; to '{}' at {:#x}{name}>",
        class_path(&target).trim_start_matches("__main__."),
        identity(&target)
    )))
}

fn hash(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let reference = this(vm, args)?;
    if let Some(hash) = reference.hash.get() {
        return Ok(Value::Int(hash));
    }
    let Some(target) = reference.slot.target() else { return Err(type_error("weak object has gone away")) };
    let hash = vm.hash(&target)?;
    reference.hash.set(Some(hash));
    Ok(Value::Int(hash))
}

/// Living targets are compared; references to what is gone are equal to themselves only.
fn compare(vm: &mut Vm, args: Args, wants_equal: bool) -> Fallible<Value> {
    let (own, other) = (args.get(vm, 0), args.get(vm, 1));
    let other_inside = unwrap_payload(&other);
    let Value::Object(object) = &other_inside else { return Ok(Value::NotImplemented) };
    let Some(theirs) = object.downcast::<WeakReference>() else { return Ok(Value::NotImplemented) };
    let equal = match (this(vm, args)?.slot.target(), theirs.slot.target()) {
        (Some(a), Some(b)) => vm.equals(&a, &b)?,
        _ => identity(&own) == identity(&other),
    };
    Ok(Value::Bool(equal == wants_equal))
}

/// The first weak reference to an instance, as `__weakref__`; nothing for objects that take none.
pub fn first_reference(value: &Value) -> Option<Value> {
    let Value::Instance(_) = value else { return None };
    if !takes_references(value) {
        return None;
    }
    Some(weak::references_to(value).into_iter().next().map_or(Value::None, |(reference, _)| reference))
}

/// Calls the callback of a reference whose object went; what it raises is reported, never propagated.
pub fn call_back(vm: &mut Vm, reference: &Value) {
    let Value::Object(object) = reference else { return };
    let Some(weak) = object.downcast::<WeakReference>() else { return };
    let callback = weak.callback.take();
    if callback.is_unset() {
        return;
    }
    vm.protect(callback.clone());
    let given = seen_from_outside(reference.clone());
    if let Err(error) = vm.call(&callback, std::slice::from_ref(&given)) {
        vm.report_unraisable(&error, &callback);
    }
    vm.unprotect(1);
}
