//! `types.ModuleType`: modules that a program makes.

use super::classes::{Builtin, attach, builtin_class};
use crate::lang::heap::Ref;
use crate::lang::name::{Name, names};
use crate::lang::native::{Method, method, static_method};
use crate::lang::objects::ModuleObject;
use crate::lang::raise::type_error;
use crate::lang::value::Value;

/// Attaches the methods; once per thread.
pub fn install() {
    attach(&builtin_class(Builtin::Module), METHODS);
}

const METHODS: &[Method] = &[
    static_method("__new__", "(cls, name, doc=None)", "A module without any names.", |vm, args| {
        let name = args.get(vm, 1);
        let Value::Str(name) = &name else {
            return Err(type_error(format!("module() argument 'name' must be str, not {}", name.type_name())));
        };
        let module = Ref::new(ModuleObject::new(Name::new(name.as_str())));
        module.set(names::NAME, Value::str(name.as_str()));
        module.set(names::DOC, args.optional(vm, 2).unwrap_or(Value::None));
        for name in ["__package__", "__loader__", "__spec__"] {
            module.set(Name::new(name), Value::None);
        }
        Ok(Value::Module(module))
    }),
    method("__dir__", "(self, /)", "The names of the module.", |vm, args| {
        let module = args.get(vm, 0);
        let names = vm.attribute_names(&module);
        Ok(Value::list(names.into_iter().map(|name| Value::str(name.text())).collect()))
    }),
];
