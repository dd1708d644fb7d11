//! `object`: what every value inherits.

use super::classes::{Builtin, attach, builtin_class};
use crate::lang::heap::Ref;
use crate::lang::name::{Name, names};
use crate::lang::native::{Args, Method, class_method, method, static_method};
use crate::lang::objects::{InstanceObject, PayloadKind};
use crate::lang::raise::{Fallible, type_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Attaches the methods; once per thread.
pub fn install() {
    attach(&builtin_class(Builtin::Object), METHODS);
}

const METHODS: &[Method] = &[
    static_method("__new__", "(cls, /, *args, **kwargs)", "Create and return a new object.", new),
    method("__init__", "(self, /, *args, **kwargs)", "Initialize self.", |_, _| Ok(Value::None)),
    method("__repr__", "(self, /)", "Return repr(self).", |vm, args| Ok(Value::str(default_repr(args.peek(vm, 0))))),
    method("__str__", "(self, /)", "Return str(self).", |vm, args| {
        let value = args.get(vm, 0);
        Ok(Value::str(&*vm.repr(&value)?))
    }),
    method("__format__", "(self, format_spec, /)", "Default object formatter.", |vm, args| {
        let (value, spec) = (args.get(vm, 0), args.text(vm, 1, "format_spec")?);
        Ok(Value::str(super::format::object(vm, &value, &spec)?))
    }),
    method("__hash__", "(self, /)", "Return hash(self).", |vm, args| {
        Ok(Value::Int(args.peek(vm, 0).heap_id().map_or(0, |id| super::hash::of_identity(id.address()))))
    }),
    method("__eq__", "(self, value, /)", "Return self==value.", |vm, args| {
        Ok(if args.peek(vm, 0).is_same(args.peek(vm, 1)) { Value::Bool(true) } else { Value::NotImplemented })
    }),
    method("__ne__", "(self, value, /)", "Return self!=value.", |vm, args| {
        let (value, other) = (args.get(vm, 0), args.get(vm, 1));
        match vm.find_special(&value, names::EQ) {
            Some(method) => match vm.call(&method, &[other])? {
                Value::NotImplemented => Ok(Value::NotImplemented),
                answer => Ok(Value::Bool(!vm.truth(&answer)?)),
            },
            None => Ok(Value::NotImplemented),
        }
    }),
    method("__lt__", "(self, value, /)", "Return self<value.", |_, _| Ok(Value::NotImplemented)),
    method("__le__", "(self, value, /)", "Return self<=value.", |_, _| Ok(Value::NotImplemented)),
    method("__gt__", "(self, value, /)", "Return self>value.", |_, _| Ok(Value::NotImplemented)),
    method("__ge__", "(self, value, /)", "Return self>=value.", |_, _| Ok(Value::NotImplemented)),
    method("__getattribute__", "(self, name, /)", "Return getattr(self, name).", |vm, args| {
        let (value, name) = (args.get(vm, 0), args.get(vm, 1));
        let name = vm.attribute_name(&name)?;
        match vm.plain_attribute(&value, name)? {
            Some(found) => Ok(found),
            None => Err(vm.attribute_error(&value, name)),
        }
    }),
    method("__setattr__", "(self, name, value, /)", "Implement setattr(self, name, value).", |vm, args| {
        let (object, name, value) = (args.get(vm, 0), args.get(vm, 1), args.get(vm, 2));
        let name = vm.attribute_name(&name)?;
        vm.set_plain_attribute(&object, name, Some(value))?;
        Ok(Value::None)
    }),
    method("__delattr__", "(self, name, /)", "Implement delattr(self, name).", |vm, args| {
        let (object, name) = (args.get(vm, 0), args.get(vm, 1));
        let name = vm.attribute_name(&name)?;
        vm.set_plain_attribute(&object, name, None)?;
        Ok(Value::None)
    }),
    method("__dir__", "(self, /)", "Default dir() implementation.", |vm, args| {
        let object = args.get(vm, 0);
        let names = vm.attribute_names(&object);
        Ok(Value::list(names.into_iter().map(|name| Value::str(name.text())).collect()))
    }),
    method("__sizeof__", "(self, /)", "Size of object in memory, in bytes.", |_, _| {
        Ok(Value::from(size_of::<InstanceObject>()))
    }),
    method("__reduce_ex__", "(self, protocol, /)", "Helper for pickle.", |vm, args| {
        Err(type_error(format!("cannot pickle '{}' object", args.peek(vm, 0).type_name())))
    }),
    class_method("__init_subclass__", "(cls, /)", "This method is called when a class is subclassed.", |_, _| {
        Ok(Value::None)
    }),
];

fn new(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let Value::Class(class) = args.get(vm, 0) else {
        return Err(type_error("object.__new__(X): X is not a type object"));
    };
    let has_arguments = matches!(args.peek(vm, 1), Value::Tuple(items) if !items.items().is_empty());
    let own_init = class.lookup(names::INIT).is_some_and(|init| !is_of_object(&init));
    if has_arguments && !own_init {
        return Err(type_error(format!("{}() takes no arguments", class.name.get())));
    }
    match class.payload {
        PayloadKind::Attributes => Ok(Value::Instance(Ref::new(InstanceObject::new(class, Value::Unset)))),
        PayloadKind::Value | PayloadKind::Exception | PayloadKind::Sealed => {
            Err(type_error(format!("object.__new__({0}) is not safe, use {0}.__new__()", class.name.get())))
        }
    }
}

/// Whether a function is `object`'s own.
pub fn is_of_object(value: &Value) -> bool {
    let object = builtin_class(Builtin::Object);
    match value {
        Value::Native(native) => native.class.as_ref().is_some_and(|class| Ref::ptr_eq(class, &object)),
        Value::Method(method) => is_of_object(&method.function),
        _ => false,
    }
}

/// Whether a bound `__str__` is `object`'s, which shows the repr.
pub fn is_default_str(method: &Value) -> bool {
    is_of_object(method)
}

/// Whether a bound `__format__` is `object`'s.
pub fn is_default_format(method: &Value) -> bool {
    is_of_object(method)
}

/// `<module.Class object at 0x7f...>` and the like for functions, classes and modules.
pub fn default_repr(value: &Value) -> String {
    let address = value.heap_id().map_or(0, |id| id.address());
    match value {
        Value::Class(class) => {
            let module = class.module.get();
            let qualname = class.qualname.borrow();
            if module.text() == "builtins" {
                format!("<class '{qualname}'>")
            } else {
                format!("<class '{module}.{qualname}'>")
            }
        }
        Value::Function(function) => format!("<function {} at {address:#x}>", function.qualname.borrow()),
        Value::Native(native) => match &native.class {
            Some(class) => {
                let (name, class) = (native.definition.name, class.name.get());
                match native.descriptor_class() {
                    Builtin::WrapperDescriptor => format!("<slot wrapper '{name}' of '{class}' objects>"),
                    Builtin::GetSetDescriptor => format!("<attribute '{name}' of '{class}' objects>"),
                    Builtin::BuiltinFunction => format!("<built-in method {name} of type object at {address:#x}>"),
                    _ => format!("<method '{name}' of '{class}' objects>"),
                }
            }
            None => format!("<built-in function {}>", native.definition.name),
        },
        Value::Method(method) => {
            let receiver = &method.receiver;
            let owner = receiver.heap_id().map_or(0, |id| id.address());
            match &method.function {
                Value::Native(native) if native.descriptor_class() == Builtin::WrapperDescriptor => format!(
                    "<method-wrapper '{}' of {} object at {owner:#x}>",
                    native.definition.name,
                    receiver.type_name()
                ),
                Value::Native(native) => format!(
                    "<built-in method {} of {} object at {owner:#x}>",
                    native.definition.name,
                    receiver.type_name()
                ),
                other => format!("<bound method {} of {}>", other.type_name(), receiver.type_name()),
            }
        }
        Value::Module(module) => match module.get(Name::new("__file__")).as_ref().and_then(Value::as_str) {
            Some(file) => format!("<module '{}' from '{file}'>", module.name),
            None if module.get(Name::new("__loader__")).is_some() => format!("<module '{}'>", module.name),
            None => format!("<module '{}' (built-in)>", module.name),
        },
        Value::Generator(generator) => {
            format!("<generator object {} at {address:#x}>", generator.qualname.borrow())
        }
        Value::Cell(cell) => match &*cell.value.borrow() {
            Value::Unset => format!("<cell at {address:#x}: empty>"),
            held => format!(
                "<cell at {address:#x}: {} object at {:#x}>",
                held.type_name(),
                held.heap_id().map_or(0, |id| id.address())
            ),
        },
        other => format!("<{} object at {address:#x}>", full_class_name(other)),
    }
}

fn full_class_name(value: &Value) -> String {
    let class = value.class();
    let module = class.module.get();
    let qualname = class.qualname.borrow();
    if module.text() == "builtins" { qualname.to_string() } else { format!("{module}.{qualname}") }
}
