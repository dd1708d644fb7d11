//! `mappingproxy`: a mapping that reads another one and refuses to be written, as `vars(Class)` answers it.

use super::classes::{Builtin, attach, builtin_class};
use super::generic_alias;
use crate::lang::name::Name;
use crate::lang::native::{Args, Method, method, static_method};
use crate::lang::objects::{ClassRef, NativeData};
use crate::lang::raise::{Fallible, type_error};
use crate::lang::value::{Edge, Value};
use crate::lang::vm::Vm;

/// The mapping behind a proxy.
#[derive(Debug)]
struct MappingProxy {
    mapping: Value,
}

impl NativeData for MappingProxy {
    fn class(&self) -> ClassRef {
        builtin_class(Builtin::MappingProxy)
    }
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        visit(Edge::Base, &self.mapping);
    }
}

/// A proxy of a mapping.
pub fn value(mapping: Value) -> Value {
    Value::object(MappingProxy { mapping })
}

/// The mapping that a proxy reads.
pub fn mapping_of(value: &Value) -> Option<&Value> {
    match value {
        Value::Object(object) => object.downcast::<MappingProxy>().map(|proxy| &proxy.mapping),
        _ => None,
    }
}

/// Attaches the methods; once per thread.
pub fn install() {
    let class = builtin_class(Builtin::MappingProxy);
    attach(&class, METHODS);
    generic_alias::attach_to(&class);
}

const METHODS: &[Method] = &[
    static_method("__new__", "(cls, mapping)", "A proxy that only reads a mapping.", |vm, args| {
        let mapping = args.get(vm, 1);
        let reads = mapping.class().lookup(Name::new("__getitem__")).is_some();
        if !reads || matches!(mapping, Value::List(_) | Value::Tuple(_)) {
            return Err(type_error(format!("mappingproxy() argument must be a mapping, not {}", mapping.type_name())));
        }
        Ok(value(mapping))
    }),
    method("__getitem__", "(self, key, /)", "Return self[key].", |vm, args| {
        let (mapping, key) = (this(vm, args)?, args.get(vm, 1));
        vm.get_item(&mapping, &key)
    }),
    method("__contains__", "(self, key, /)", "Return key in self.", |vm, args| {
        let (mapping, key) = (this(vm, args)?, args.get(vm, 1));
        vm.contains(&mapping, &key).map(Value::Bool)
    }),
    method("__len__", "(self, /)", "Return len(self).", |vm, args| {
        let mapping = this(vm, args)?;
        vm.len(&mapping).map(Value::from)
    }),
    method("__iter__", "(self, /)", "Implement iter(self).", |vm, args| {
        let mapping = this(vm, args)?;
        vm.iter(&mapping)
    }),
    method("__reversed__", "(self, /)", "Implement reversed(self).", |vm, args| delegate(vm, args, "__reversed__")),
    method("__repr__", "(self, /)", "Return repr(self).", |vm, args| {
        let mapping = this(vm, args)?;
        Ok(Value::str(format!("mappingproxy({})", vm.repr(&mapping)?)))
    }),
    method("__str__", "(self, /)", "Return str(self).", |vm, args| {
        let mapping = this(vm, args)?;
        Ok(Value::str(&*vm.str(&mapping)?))
    }),
    method("__eq__", "(self, value, /)", "Return self==value.", |vm, args| {
        let (mapping, other) = (this(vm, args)?, args.get(vm, 1));
        let other = mapping_of(&other).cloned().unwrap_or(other);
        vm.equals(&mapping, &other).map(Value::Bool)
    }),
    method("__or__", "(self, value, /)", "Return self|value.", |vm, args| merged(vm, args, 0, 1)),
    method("__ror__", "(self, value, /)", "Return value|self.", |vm, args| merged(vm, args, 1, 0)),
    method("get", "(self, key, default=None, /)", "The value of a key, or default.", |vm, args| {
        let (mapping, key) = (this(vm, args)?, args.get(vm, 1));
        let default = args.optional(vm, 2).unwrap_or(Value::None);
        vm.call_method(&mapping, Name::new("get"), &[key, default])
    }),
    method("keys", "(self, /)", "The keys.", |vm, args| delegate(vm, args, "keys")),
    method("values", "(self, /)", "The values.", |vm, args| delegate(vm, args, "values")),
    method("items", "(self, /)", "Keys and values.", |vm, args| delegate(vm, args, "items")),
    method("copy", "(self, /)", "A copy of the mapping.", |vm, args| delegate(vm, args, "copy")),
];

fn this(vm: &Vm, args: Args) -> Fallible<Value> {
    let value = args.peek(vm, 0);
    mapping_of(value)
        .cloned()
        .ok_or_else(|| type_error(format!("expected a mappingproxy, not '{}'", value.type_name())))
}

fn delegate(vm: &mut Vm, args: Args, name: &str) -> Fallible<Value> {
    let mapping = this(vm, args)?;
    vm.call_method(&mapping, Name::new(name), &[])
}

fn merged(vm: &mut Vm, args: Args, left: usize, right: usize) -> Fallible<Value> {
    let [left, right] = [left, right].map(|index| {
        let side = args.get(vm, index);
        mapping_of(&side).cloned().unwrap_or(side)
    });
    vm.binary(crate::lang::operators::BinaryOperator::Or, &left, &right)
}
