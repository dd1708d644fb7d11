//! Tuples with named fields that the engine itself gives out: `time.struct_time`, `os.stat_result`, `sys.version_info`...

use crate::lang::builtins::classes::{Builtin, attach, builtin_class, define_class};
use crate::lang::heap::Ref;
use crate::lang::modules::support::{items_of, unwrap_payload};
use crate::lang::name::Name;
use crate::lang::native::{Args, Method, getter, method};
use crate::lang::objects::{ClassRef, InstanceObject, PayloadKind};
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// A class of tuples whose items have names.
pub fn define(name: &str, module: &str, fields: &[&'static str]) -> ClassRef {
    define_partly(name, module, fields, fields.len())
}

/// As [`define`], but only the first `named` items are attributes: instances carry the others themselves, with other values.
pub fn define_partly(name: &str, module: &str, fields: &[&'static str], named: usize) -> ClassRef {
    let class = define_class(name, module, &builtin_class(Builtin::Tuple), PayloadKind::Value, METHODS);
    let getters: Vec<Method> = fields
        .iter()
        .take(named)
        .enumerate()
        .map(|(row, field)| getter(field, "A field of the tuple.", field_at).with_row(row))
        .collect();
    attach(&class, &getters);
    let names: Vec<Value> = fields.iter().map(|field| (*field).into()).collect();
    class.set(Name::new("__match_args__"), Value::tuple(names));
    class.set(Name::new("n_fields"), fields.len().into());
    class.set(Name::new("n_sequence_fields"), fields.len().into());
    class
}

/// A tuple of such a class; `extra` are attributes that are not items.
pub fn make(class: &ClassRef, items: Vec<Value>, extra: &[(&str, Value)]) -> Value {
    let instance = InstanceObject::new(class.clone(), Value::tuple(items));
    for (name, value) in extra {
        instance.attributes.borrow_mut().insert(Name::new(name), value.clone());
    }
    Value::Instance(Ref::new(instance))
}

fn field_at(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let items = items_of(&unwrap_payload(args.peek(vm, 0)));
    Ok(items.get(args.row).cloned().unwrap_or(Value::None))
}

const METHODS: &[Method] = &[method("__repr__", "(self, /)", "Return repr(self).", repr)];

fn repr(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let value = args.get(vm, 0);
    let class = value.class();
    let names = items_of(&class.lookup(Name::new("__match_args__")).unwrap_or(Value::None));
    let mut fields = Vec::new();
    for (name, item) in names.iter().zip(items_of(&unwrap_payload(&value))) {
        fields.push(format!("{}={}", name.as_str().unwrap_or("?"), vm.repr(&item)?));
    }
    Ok(format!("{}.{}({})", class.module.get(), class.name.get(), fields.join(", ")).into())
}
