//! `globals()` and `__dict__`: the names of a module or the attributes of an instance as a mapping that reads and writes them
//! where they are.

use crate::lang::builtins::classes::{Builtin, attach, builtin_class};
use crate::lang::builtins::{member, receiver, repr, text};
use crate::lang::heap::Ref;
use crate::lang::heap::weak::Slot;
use crate::lang::name::{Name, names};
use crate::lang::native::{Args, Method, method};
use crate::lang::objects::{ClassObject, ClassRef, InstanceObject, ModuleObject, NativeData, PayloadKind};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::{Edge, Value};
use crate::lang::vm::Vm;

/// What has the names.
#[derive(Clone, Debug)]
enum Names {
    Module(Ref<ModuleObject>),
    Instance(Ref<InstanceObject>),
}

impl Names {
    fn get(&self, name: Name) -> Option<Value> {
        match self {
            Self::Module(module) => module.get(name),
            Self::Instance(instance) => instance.attributes.borrow().get(&name).cloned(),
        }
    }

    fn set(&self, name: Name, value: Value) {
        match self {
            Self::Module(module) => module.set(name, value),
            Self::Instance(instance) => {
                let old = instance.attributes.borrow_mut().insert(name, value);
                drop(old);
            }
        }
    }

    fn remove(&self, name: Name) {
        match self {
            Self::Module(module) => module.set(name, Value::Unset),
            Self::Instance(instance) => {
                let old = instance.attributes.borrow_mut().shift_remove(&name);
                drop(old);
            }
        }
    }

    fn pairs(&self) -> Vec<(Name, Value)> {
        match self {
            Self::Module(module) => module.globals.borrow().iter().map(|(name, value)| (name, value.clone())).collect(),
            Self::Instance(instance) => {
                let class = instance.class.borrow();
                let has_slots = class.lookup(names::SLOTS).is_some();
                let attributes = instance.attributes.borrow();
                let own = attributes.iter().filter(|(name, _)| !has_slots || !member::is_slot(&class, **name));
                own.map(|(name, value)| (*name, value.clone())).collect()
            }
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Module(a), Self::Module(b)) => Ref::ptr_eq(a, b),
            (Self::Instance(a), Self::Instance(b)) => Ref::ptr_eq(a, b),
            _ => false,
        }
    }
}

/// The names of a module or an instance.
#[derive(Debug)]
struct NamespaceView {
    names: Names,
}

impl NativeData for NamespaceView {
    fn class(&self) -> ClassRef {
        CLASS.with(Clone::clone)
    }
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        match &self.names {
            Names::Module(module) => visit(Edge::Base, &Value::Module(module.clone())),
            Names::Instance(instance) => visit(Edge::Base, &Value::Instance(instance.clone())),
        }
    }
}

thread_local! {
    static CLASS: ClassRef = {
        // It is a `dict` to isinstance(), with every method its own.
        let dict = builtin_class(Builtin::Dict);
        let mut tail = vec![dict.clone()];
        tail.extend(dict.mro_tail.borrow().iter().cloned());
        let class = Ref::new(ClassObject::new(
            Name::new("dict"),
            Name::new("builtins"),
            vec![dict],
            tail,
            PayloadKind::Sealed,
            false,
        ));
        attach(&class, METHODS);
        class
    };
}

/// The names of a module as a mapping: the same one for as long as a program holds it.
pub fn view(module: Ref<ModuleObject>) -> Value {
    if let Some(view) = module.view.borrow().as_ref().and_then(|slot| slot.target()) {
        return view;
    }
    let view = Value::object(NamespaceView { names: Names::Module(module.clone()) });
    drop(module.view.replace(Slot::new(&view, false)));
    view
}

/// The attributes of an instance as a mapping.
pub fn instance_view(instance: Ref<InstanceObject>) -> Value {
    Value::object(NamespaceView { names: Names::Instance(instance) })
}

fn names_of(value: &Value) -> Option<Names> {
    match value {
        Value::Object(object) => object.downcast::<NamespaceView>().map(|view| view.names.clone()),
        _ => None,
    }
}

/// The module whose names a value shows, if it is such a view.
pub fn module_of(value: &Value) -> Option<Ref<ModuleObject>> {
    match names_of(value) {
        Some(Names::Module(module)) => Some(module),
        _ => None,
    }
}

const METHODS: &[Method] = &[
    method("__getitem__", "(self, key, /)", "Return self[key].", |vm, args| {
        find(vm, args)?.ok_or_else(|| raise::key_error(args.get(vm, 1)))
    }),
    method("__setitem__", "(self, key, value, /)", "Set self[key] to value.", |vm, args| {
        let module = receiver(vm, args)?;
        let value = args.get(vm, 2);
        module.set(key(vm, args)?, value);
        Ok(Value::None)
    }),
    method("__delitem__", "(self, key, /)", "Delete self[key].", |vm, args| {
        remove(vm, args)?.ok_or_else(|| raise::key_error(args.get(vm, 1)))?;
        Ok(Value::None)
    }),
    method("__contains__", "(self, key, /)", "True if the name is bound.", |vm, args| {
        Ok(Value::Bool(find(vm, args)?.is_some()))
    }),
    method("__len__", "(self, /)", "Return len(self).", |vm, args| Ok(Value::from(receiver(vm, args)?.pairs().len()))),
    method("__iter__", "(self, /)", "Implement iter(self).", |vm, args| {
        let copy = copy_of(vm, args)?;
        vm.iter(&copy)
    }),
    method("__repr__", "(self, /)", "Return repr(self).", |vm, args| {
        let value = args.get(vm, 0);
        let Some(guard) = repr::Guard::enter(&value) else { return Ok(Value::str("{...}")) };
        let copy = copy_of(vm, args)?;
        let shown = vm.repr(&copy)?;
        drop(guard);
        Ok(Value::str(&*shown))
    }),
    method("__eq__", "(self, value, /)", "Return self==value.", |vm, args| {
        let other = args.get(vm, 1);
        if names_of(&other).is_some_and(|other| receiver(vm, args).is_ok_and(|own| own.is_same(&other))) {
            return Ok(Value::Bool(true));
        }
        let copy = copy_of(vm, args)?;
        vm.equals(&copy, &other).map(Value::Bool)
    }),
    method("get", "(self, key, default=None, /)", "The value of a name, or default.", |vm, args| {
        Ok(find(vm, args)?.unwrap_or_else(|| args.optional(vm, 2).unwrap_or(Value::None)))
    }),
    method("setdefault", "(self, key, default=None, /)", "Bind a name that is not bound.", |vm, args| {
        if let Some(found) = find(vm, args)? {
            return Ok(found);
        }
        let default = args.optional(vm, 2).unwrap_or(Value::None);
        receiver(vm, args)?.set(key(vm, args)?, default.clone());
        Ok(default)
    }),
    method("pop", "(self, key, default=None, /)", "Unbind a name and return its value.", |vm, args| {
        match remove(vm, args)? {
            Some(value) => Ok(value),
            None => args.optional(vm, 2).ok_or_else(|| raise::key_error(args.get(vm, 1))),
        }
    }),
    method("update", "(self, *args, **kwargs)", "Bind the names of a mapping.", |vm, args| {
        let module = receiver(vm, args)?;
        let gathered = Ref::new(crate::lang::objects::DictObject::default());
        if let Value::Tuple(sources) = args.get(vm, 1) {
            for source in sources.items() {
                crate::lang::builtins::dict::update(vm, &gathered, source)?;
            }
        }
        crate::lang::builtins::dict::update(vm, &gathered, &args.get(vm, 2))?;
        for (name, value) in crate::lang::builtins::dict::keyword_pairs(&Value::Dict(gathered)) {
            module.set(name, value);
        }
        Ok(Value::None)
    }),
    method("copy", "(self, /)", "A dict of the names as they are now.", copy_of),
    method("keys", "(self, /)", "The names.", |vm, args| delegate(vm, args, "keys")),
    method("values", "(self, /)", "The values.", |vm, args| delegate(vm, args, "values")),
    method("items", "(self, /)", "Names and values.", |vm, args| delegate(vm, args, "items")),
];

fn receiver(vm: &Vm, args: Args) -> Fallible<Names> {
    names_of(args.peek(vm, 0)).ok_or_else(|| receiver::wrong(args, args.peek(vm, 0), "dict"))
}

fn key(vm: &Vm, args: Args) -> Fallible<Name> {
    match args.peek(vm, 1) {
        Value::Str(text) => Ok(Name::new(text.as_str())),
        other => Err(raise::type_error(format!("names are texts, not '{}'", other.type_name()))),
    }
}

fn find(vm: &mut Vm, args: Args) -> Fallible<Option<Value>> {
    let module = receiver(vm, args)?;
    match args.peek(vm, 1) {
        Value::Str(text) => Ok(module.get(Name::new(text.as_str()))),
        _ => Ok(None),
    }
}

fn remove(vm: &mut Vm, args: Args) -> Fallible<Option<Value>> {
    let names = receiver(vm, args)?;
    let Some(found) = find(vm, args)? else { return Ok(None) };
    names.remove(key(vm, args)?);
    Ok(Some(found))
}

fn copy_of(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let pairs = receiver(vm, args)?.pairs();
    super::objects::dict_of(vm, pairs)
}

fn delegate(vm: &mut Vm, args: Args, name: &str) -> Fallible<Value> {
    let copy = copy_of(vm, args)?;
    vm.call_method(&copy, Name::new(name), &[])
}

/// The names of a mapping, to bind them in a module.
pub fn pairs_of(value: &Value) -> Vec<(Name, Value)> {
    match receiver::payload(value) {
        Value::Dict(dict) => {
            let table = dict.table.borrow();
            let named =
                table.iter().filter_map(|(_, entry)| Some((Name::new(entry.key.as_str()?), entry.value.clone())));
            named.collect()
        }
        other => names_of(&other).map_or_else(Vec::new, |names| names.pairs()),
    }
}

/// A name as a text value.
pub fn name_value(name: Name) -> Value {
    text::value(name.text())
}
