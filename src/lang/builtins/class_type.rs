//! `type`: attributes of classes, making classes by call, `int | str`.

use std::rc::Rc;

use super::classes::{Builtin, attach, builtin_class};
use super::functions::namespace;
use super::mapping_proxy;
use crate::lang::heap::{self, Ref};
use crate::lang::name::{Name, names};
use crate::lang::native::{Args, Method, method, static_method};
use crate::lang::objects::{ClassObject, ClassRef, DictObject, InstanceObject, NativeData, PayloadKind};
use crate::lang::raise::{Fallible, Raised, type_error};
use crate::lang::value::{Edge, Value};
use crate::lang::vm::Vm;

/// Attaches the methods; once per thread.
pub fn install() {
    attach(&builtin_class(Builtin::Type), METHODS);
}

const METHODS: &[Method] = &[
    static_method("__new__", "(cls, /, *args, **kwargs)", "The type of a value, or a new class.", new),
    method("mro", "(self, /)", "Return a type's method resolution order.", |vm, args| {
        Ok(Value::list(order_of(&this(vm, args)?)))
    }),
    method("__subclasses__", "(self, /)", "Return a list of immediate subclasses.", |vm, args| {
        let class = this(vm, args)?;
        let mut found = Vec::new();
        for object in heap::containers() {
            if let Value::Class(other) = object.value()
                && other.bases.borrow().iter().any(|base| Ref::ptr_eq(base, &class))
            {
                found.push(Value::Class(other));
            }
        }
        Ok(Value::list(found))
    }),
    method("__instancecheck__", "(self, instance, /)", "Check if an object is an instance.", |vm, args| {
        let (class, value) = (args.get(vm, 0), args.get(vm, 1));
        vm.is_instance_of(&value, &class).map(Value::Bool)
    }),
    method("__subclasscheck__", "(self, subclass, /)", "Check if a class is a subclass.", |vm, args| {
        let (class, value) = (args.get(vm, 0), args.get(vm, 1));
        vm.is_subclass_of(&value, &class).map(Value::Bool)
    }),
];

fn this(vm: &Vm, args: Args) -> Fallible<ClassRef> {
    match args.peek(vm, 0) {
        Value::Class(class) => Ok(class.clone()),
        other => Err(type_error(format!("expected a class, not {}", other.type_name()))),
    }
}

fn order_of(class: &ClassRef) -> Vec<Value> {
    std::iter::once(Value::Class(class.clone()))
        .chain(class.mro_tail.borrow().iter().cloned().map(Value::Class))
        .collect()
}

/// `type(value)`, `type(name, bases, namespace)`
fn new(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let given = match args.get(vm, 1) {
        Value::Tuple(items) => items.items().to_vec(),
        _ => vec![],
    };
    match given.as_slice() {
        [value] => Ok(Value::Class(value.class())),
        [Value::Str(name), Value::Tuple(bases), Value::Dict(namespace)] => {
            let mut attributes = Vec::new();
            for (_, entry) in namespace.table.borrow().iter() {
                if let Some(key) = entry.key.as_str() {
                    attributes.push((Name::new(key), entry.value.clone()));
                }
            }
            if !attributes.iter().any(|(name, _)| *name == names::MODULE) {
                attributes.push((names::MODULE, Value::str("__main__")));
            }
            let keywords = super::dict::keyword_pairs(&args.get(vm, 2));
            let class = vm.new_class(Name::new(name.as_str()), bases.items().to_vec(), attributes)?;
            vm.complete_class(&class, &keywords)?;
            Ok(Value::Class(class))
        }
        [_, _, _] => Err(type_error("type() takes a name, a tuple of bases and a dict")),
        _ => Err(type_error("type() takes 1 or 3 arguments")),
    }
}

/// Attributes that every class computes.
pub fn special_attribute(vm: &mut Vm, class: &ClassRef, name: Name) -> Option<Value> {
    Some(match name {
        names::NAME => Value::str(class.name.get().text()),
        names::QUALNAME => Value::str(&**class.qualname.borrow()),
        names::MODULE => Value::str(class.module.get().text()),
        names::BASES => Value::tuple(class.bases.borrow().iter().cloned().map(Value::Class).collect::<Vec<_>>()),
        names::MRO => Value::tuple(order_of(class)),
        names::CLASS => Value::Class(builtin_class(Builtin::Type)),
        names::DICT => {
            let pairs = class.attributes.borrow().iter().map(|(n, v)| (*n, v.clone())).collect();
            mapping_proxy::value(attribute_dict(vm, pairs)?)
        }
        names::DOC => class.attributes.borrow().get(&names::DOC).cloned().unwrap_or(Value::None),
        _ if name.text() == "__base__" => match class.bases.borrow().first() {
            Some(base) => Value::Class(base.clone()),
            None => Value::None,
        },
        _ => return None,
    })
}

/// Attributes that every object has without its class saying so.
pub fn object_attribute(vm: &mut Vm, object: &Value, name: Name) -> Option<Value> {
    match name {
        names::CLASS => Some(Value::Class(object.class())),
        names::DICT => match object {
            Value::Instance(instance) if !has_dict(&instance.class.borrow()) => None,
            Value::Instance(instance) => Some(namespace::instance_view(instance.clone())),
            Value::Module(module) => Some(namespace::view(module.clone())),
            Value::Exception(exception) => {
                let pairs = exception.attributes.borrow().iter().map(|(n, v)| (*n, v.clone())).collect();
                attribute_dict(vm, pairs)
            }
            Value::Object(native) => {
                let attributes = native.data().attributes()?;
                let pairs = attributes.borrow().iter().map(|(n, v)| (*n, v.clone())).collect();
                attribute_dict(vm, pairs)
            }
            _ => None,
        },
        names::DOC => Some(Value::None),
        names::MODULE => Some(Value::str(object.class().module.get().text())),
        names::NAME => match object {
            Value::Module(module) => Some(Value::str(module.name.text())),
            _ => None,
        },
        _ => None,
    }
}

/// A dict of attributes; a copy, since attributes live in slots.
fn attribute_dict(vm: &mut Vm, pairs: Vec<(Name, Value)>) -> Option<Value> {
    let dict = Ref::new(DictObject::default());
    for (name, value) in pairs {
        vm.dict_set(&dict, Value::str(name.text()), value).ok()?;
    }
    Some(Value::Dict(dict))
}

/// `Class.name = value`, `del Class.name`
pub fn set_attribute(class: &ClassRef, name: Name, value: Option<Value>) -> Fallible<()> {
    if !class.is_user_defined {
        return Err(type_error(format!("cannot set '{name}' attribute of immutable type '{}'", class.name.get())));
    }
    match (name, value) {
        (names::NAME, Some(Value::Str(text))) => class.name.set(Name::new(text.as_str())),
        (names::QUALNAME, Some(Value::Str(text))) => *class.qualname.borrow_mut() = text.as_str().into(),
        (names::MODULE, Some(Value::Str(text))) => class.module.set(Name::new(text.as_str())),
        (_, Some(value)) => drop(class.set(name, value)),
        (_, None) => match class.remove(name) {
            Some(old) => drop(old),
            None => {
                return Err(Raised::builtin(
                    Builtin::AttributeError,
                    format!("type object '{}' has no attribute '{name}'", class.name.get()),
                ));
            }
        },
    }
    Ok(())
}

/// `instance.__class__ = Other`
pub fn set_class(instance: &InstanceObject, value: Option<Value>) -> Fallible<()> {
    match value {
        Some(Value::Class(class)) if class.payload == PayloadKind::Attributes && class.is_user_defined => {
            let old = instance.class.replace(class);
            drop(old);
            Ok(())
        }
        Some(Value::Class(_)) => {
            Err(type_error("__class__ assignment only supported for mutable types or ModuleType subclasses"))
        }
        _ => Err(type_error("__class__ must be set to a class")),
    }
}

/// Whether instances may get an attribute of this name: `__slots__` limits them when every class of the order has them.
pub fn allows_attribute(class: &ClassRef, name: Name) -> bool {
    let declares = |class: &ClassObject| class.attributes.borrow().get(&names::SLOTS).cloned();
    let Some(own) = declares(class) else { return true };
    let mut all = vec![(own, class.name.get())];
    for base in class.mro_tail.borrow().iter() {
        match declares(base) {
            Some(slots) => all.push((slots, base.name.get())),
            None if base.is_user_defined => return true,
            None => {}
        }
    }
    let matches = |slots: &Value, class: Name| {
        let is_named = |slot: &str| is_slot_named(slot, class, name);
        match slots {
            Value::Str(text) => is_named(text.as_str()),
            Value::Tuple(items) => items.items().iter().filter_map(Value::as_str).any(is_named),
            Value::List(items) => items.items.borrow().iter().filter_map(Value::as_str).any(is_named),
            _ => true,
        }
    };
    all.iter().any(|(slots, class)| matches(slots, *class) || has_dict_slot(slots))
}

/// Whether a slot that a class declares is the attribute of a name: private names carry the class's.
pub fn is_slot_named(slot: &str, class: Name, name: Name) -> bool {
    let class = class.text().trim_start_matches('_');
    if !slot.starts_with("__") || slot.ends_with("__") || class.is_empty() {
        return slot == name.text();
    }
    name.text().strip_prefix('_').and_then(|rest| rest.strip_prefix(class)) == Some(slot)
}

/// Whether instances have a `__dict__`: every class that declares none with `__slots__` gives one.
pub fn has_dict(class: &ClassRef) -> bool {
    let gives = |class: &ClassObject| match class.attributes.borrow().get(&names::SLOTS) {
        Some(slots) => has_dict_slot(slots),
        // Of the engine's classes those whose instances hold attributes give one, `object` itself does not.
        None => class.is_user_defined || class.payload == PayloadKind::Attributes && !class.bases.borrow().is_empty(),
    };
    gives(class) || class.mro_tail.borrow().iter().any(|base| gives(base))
}

/// A slot's name as an attribute: private names carry the class's.
pub fn mangled(slot: &str, class: Name) -> Name {
    let class = class.text().trim_start_matches('_');
    if !slot.starts_with("__") || slot.ends_with("__") || class.is_empty() {
        return Name::new(slot);
    }
    Name::new(&format!("_{class}{slot}"))
}

fn has_dict_slot(slots: &Value) -> bool {
    let is_dict = |item: &Value| item.as_str() == Some("__dict__");
    match slots {
        Value::Tuple(items) => items.items().iter().any(is_dict),
        Value::List(items) => items.items.borrow().iter().any(is_dict),
        other => is_dict(other),
    }
}

/// `int | str`
#[derive(Debug)]
struct Union {
    members: Rc<[Value]>,
}

thread_local! {
    static UNION: ClassRef = super::classes::define_class(
        "UnionType",
        "types",
        &builtin_class(Builtin::Object),
        PayloadKind::Sealed,
        UNION_METHODS,
    );
}

const UNION_METHODS: &[Method] = &[
    method("__repr__", "(self, /)", "Return repr(self).", |vm, args| {
        let members = union_members(args.peek(vm, 0)).unwrap_or_default();
        let mut shown = Vec::new();
        for member in &members {
            shown.push(match member {
                Value::Class(class) if class.module.get().text() == "builtins" => class.qualname.borrow().to_string(),
                Value::Class(class) => format!("{}.{}", class.module.get(), class.qualname.borrow()),
                Value::None => "None".to_owned(),
                other => vm.repr(other)?.to_string(),
            });
        }
        Ok(Value::str(shown.join(" | ")))
    }),
    crate::lang::native::getter("__args__", "The members.", |vm, args| {
        Ok(Value::tuple(union_members(args.peek(vm, 0)).unwrap_or_default()))
    }),
];

impl NativeData for Union {
    fn class(&self) -> ClassRef {
        UNION.with(Clone::clone)
    }
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        for (index, member) in self.members.iter().enumerate() {
            visit(Edge::Argument(index), member);
        }
    }
}

/// The members of a union of classes.
pub fn union_members(value: &Value) -> Option<Vec<Value>> {
    match value {
        Value::Object(object) => object.downcast::<Union>().map(|union| union.members.to_vec()),
        _ => None,
    }
}

/// `a | b` of classes, unions, aliases and `None`.
pub fn union(a: &Value, b: &Value) -> Option<Value> {
    let is_type = |value: &Value| {
        matches!(value, Value::Class(_))
            || union_members(value).is_some()
            || matches!(value, Value::Object(object) if object.data().class().name.get().text() == "GenericAlias")
    };
    if !(is_type(a) && (is_type(b) || b.is_none()) || a.is_none() && is_type(b)) {
        return None;
    }
    let mut members: Vec<Value> = Vec::new();
    for side in [a, b] {
        for member in union_members(side).unwrap_or_else(|| vec![side.clone()]) {
            if !members.iter().any(|known| known.is_same(&member)) {
                members.push(member);
            }
        }
    }
    if members.len() == 1 {
        return members.pop();
    }
    Some(Value::object(Union { members: members.into() }))
}
