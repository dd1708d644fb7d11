//! The machine: its stack, and what native code asks of it.

use std::rc::Rc;

use super::heap::Ref;
use super::host::Host;
use super::name::Name;
use super::objects::{ClassRef, ModuleObject};
use super::operators::{BinaryOperator, CompareOperator, UnaryOperator};
use super::raise::{self, Fallible, Raised};
use super::value::Value;

/// The machine of one evaluator thread.
pub struct Vm {
    stack: Vec<Value>,
    /// The session above.
    pub host: Rc<dyn Host>,
    /// The module that cells run in.
    pub main: Ref<ModuleObject>,
    /// The cycle collector's settings and counts.
    pub collector: super::collector::Collector,
}

fn absent<T>(what: &str) -> Fallible<T> {
    Err(raise::system_error(format!("{what} is not built yet")))
}

#[allow(unused_variables, missing_docs, clippy::unused_self, clippy::needless_pass_by_ref_mut)]
impl Vm {
    pub(super) fn stack_value(&self, slot: usize) -> &Value {
        &self.stack[slot]
    }
    pub(super) fn stack_value_mut(&mut self, slot: usize) -> &mut Value {
        &mut self.stack[slot]
    }

    pub fn add_pending(&mut self, array: Ref<super::objects::ArrayObject>) {}
    pub fn take_pending(&mut self) -> Option<Ref<super::objects::ArrayObject>> {
        None
    }
    pub fn relieve_memory(&mut self) {}

    /// Keeps `value` visible to holder walks until the running native call returns.
    pub fn protect(&mut self, value: Value) {}

    // Calls
    pub fn call(&mut self, callee: &Value, args: &[Value]) -> Fallible<Value> {
        absent("call")
    }
    pub fn call_with(&mut self, callee: &Value, args: &[Value], keywords: &[(Name, Value)]) -> Fallible<Value> {
        absent("call")
    }
    /// Calls `obj.name(*args)`.
    pub fn call_method(&mut self, receiver: &Value, name: Name, args: &[Value]) -> Fallible<Value> {
        absent("call")
    }

    // Attributes (full descriptor protocol, __getattr__, AttributeError with suggestions)
    pub fn get_attribute(&mut self, object: &Value, name: Name) -> Fallible<Value> {
        absent("attribute")
    }
    /// As `get_attribute`, nothing for an AttributeError.
    pub fn find_attribute(&mut self, object: &Value, name: Name) -> Fallible<Option<Value>> {
        absent("attribute")
    }
    pub fn set_attribute(&mut self, object: &Value, name: Name, value: Value) -> Fallible<()> {
        absent("attribute")
    }
    pub fn delete_attribute(&mut self, object: &Value, name: Name) -> Fallible<()> {
        absent("attribute")
    }
    /// A dunder looked up on the class, bound to the object.
    pub fn find_special(&mut self, object: &Value, name: Name) -> Option<Value> {
        None
    }

    // Operators
    pub fn binary(&mut self, op: BinaryOperator, a: &Value, b: &Value) -> Fallible<Value> {
        absent("operator")
    }
    /// `a op= b`
    pub fn binary_in_place(&mut self, op: BinaryOperator, a: Value, b: &Value) -> Fallible<Value> {
        absent("operator")
    }
    pub fn unary(&mut self, op: UnaryOperator, a: &Value) -> Fallible<Value> {
        absent("operator")
    }
    /// The rich comparison's value (an array for arrays).
    pub fn compare(&mut self, op: CompareOperator, a: &Value, b: &Value) -> Fallible<Value> {
        absent("operator")
    }
    /// `bool(a == b)`, identity first as containers do.
    pub fn equals(&mut self, a: &Value, b: &Value) -> Fallible<bool> {
        absent("operator")
    }
    pub fn less(&mut self, a: &Value, b: &Value) -> Fallible<bool> {
        absent("operator")
    }
    pub fn truth(&mut self, value: &Value) -> Fallible<bool> {
        absent("truth")
    }
    pub fn contains(&mut self, container: &Value, item: &Value) -> Fallible<bool> {
        absent("contains")
    }
    pub fn get_item(&mut self, object: &Value, key: &Value) -> Fallible<Value> {
        absent("item")
    }
    pub fn set_item(&mut self, object: &Value, key: &Value, value: Value) -> Fallible<()> {
        absent("item")
    }
    pub fn delete_item(&mut self, object: &Value, key: &Value) -> Fallible<()> {
        absent("item")
    }

    // Conversions
    pub fn repr(&mut self, value: &Value) -> Fallible<Rc<str>> {
        absent("repr")
    }
    pub fn str(&mut self, value: &Value) -> Fallible<Rc<str>> {
        absent("str")
    }
    pub fn format(&mut self, value: &Value, spec: &str) -> Fallible<Rc<str>> {
        absent("format")
    }
    pub fn hash(&mut self, value: &Value) -> Fallible<i64> {
        absent("hash")
    }
    pub fn len(&mut self, value: &Value) -> Fallible<usize> {
        absent("len")
    }
    /// `__index__` in 64 bits; IndexError-free OverflowError outside.
    pub fn index(&mut self, value: &Value) -> Fallible<i64> {
        absent("index")
    }
    /// A float from int, float or `__float__`.
    pub fn float(&mut self, value: &Value) -> Fallible<f64> {
        absent("float")
    }

    // Iteration
    pub fn iter(&mut self, value: &Value) -> Fallible<Value> {
        absent("iter")
    }
    pub fn next(&mut self, iterator: &Value) -> Fallible<Option<Value>> {
        absent("next")
    }
    /// Every item, in a vector that the machine protects while it grows.
    pub fn collect(&mut self, iterable: &Value) -> Fallible<Vec<Value>> {
        absent("iter")
    }

    // Dict helpers (hash + user __eq__ handled)
    pub fn dict_get(&mut self, dict: &Ref<super::objects::DictObject>, key: &Value) -> Fallible<Option<Value>> {
        absent("dict")
    }
    pub fn dict_set(&mut self, dict: &Ref<super::objects::DictObject>, key: Value, value: Value) -> Fallible<()> {
        absent("dict")
    }
    pub fn dict_remove(&mut self, dict: &Ref<super::objects::DictObject>, key: &Value) -> Fallible<Option<Value>> {
        absent("dict")
    }
    pub fn set_add(&mut self, set: &Ref<super::objects::SetObject>, item: Value) -> Fallible<bool> {
        absent("set")
    }
    pub fn set_contains(&mut self, set: &Ref<super::objects::SetObject>, item: &Value) -> Fallible<bool> {
        absent("set")
    }

    // Classes
    pub fn is_instance(&mut self, value: &Value, class: &ClassRef) -> bool {
        super::objects::ClassObject::is_subclass_of(&value.class(), class)
    }

    // Modules
    pub fn import(&mut self, name: &str) -> Fallible<Value> {
        absent("import")
    }

    // Safety
    /// Polls the attention word: raises KeyboardInterrupt, publishes snapshots. Long native loops call it.
    pub fn poll(&mut self) -> Fallible<()> {
        Ok(())
    }
    /// Asks the host budget for `bytes` before a user-sized growth; MemoryError when refused.
    pub fn reserve(&mut self, bytes: usize) -> Fallible<()> {
        Ok(())
    }
    /// Issues a warning as `warnings.warn` does.
    pub fn warn(&mut self, category: super::builtins::classes::Builtin, message: &str) -> Fallible<()> {
        Ok(())
    }
    pub fn raise(&self, error: Raised) -> Raised {
        error
    }
    /// Reports an error that cannot be raised (from `__del__`) on stderr as CPython does.
    pub fn report_unraisable(&mut self, error: &Raised, object: &Value) {}
}
