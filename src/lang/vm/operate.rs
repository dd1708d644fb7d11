//! Operators: user-defined special methods of both sides in Python's order, then what built-in values and arrays do.

use super::Vm;
use crate::lang::arrays::operators as array_operators;
use crate::lang::builtins::{equality, item, receiver};
use crate::lang::heap::Ref;
use crate::lang::name::{Name, names};
use crate::lang::objects::ClassObject;
use crate::lang::operators::{BinaryOperator, CompareOperator, UnaryOperator, builtin, number};
use crate::lang::raise::{Fallible, Raised, type_error};
use crate::lang::value::Value;

/// The special methods of a binary operator: direct, reflected, in place.
fn binary_names(op: BinaryOperator) -> (Name, Name, Name) {
    match op {
        BinaryOperator::Add => (names::ADD, names::RADD, names::IADD),
        BinaryOperator::Subtract => (names::SUB, names::RSUB, names::ISUB),
        BinaryOperator::Multiply => (names::MUL, names::RMUL, names::IMUL),
        BinaryOperator::TrueDivide => (names::TRUEDIV, names::RTRUEDIV, names::ITRUEDIV),
        BinaryOperator::FloorDivide => (names::FLOORDIV, names::RFLOORDIV, names::IFLOORDIV),
        BinaryOperator::Modulo => (names::MOD, names::RMOD, names::IMOD),
        BinaryOperator::Power => (names::POW, names::RPOW, names::IPOW),
        BinaryOperator::MatrixMultiply => (names::MATMUL, names::RMATMUL, names::IMATMUL),
        BinaryOperator::ShiftLeft => (names::LSHIFT, names::RLSHIFT, names::ILSHIFT),
        BinaryOperator::ShiftRight => (names::RSHIFT, names::RRSHIFT, names::IRSHIFT),
        BinaryOperator::And => (names::AND, names::RAND, names::IAND),
        BinaryOperator::Or => (names::OR, names::ROR, names::IOR),
        BinaryOperator::Xor => (names::XOR, names::RXOR, names::IXOR),
    }
}

/// The operator as messages write it.
pub(super) fn symbol(op: BinaryOperator) -> &'static str {
    match op {
        BinaryOperator::Add => "+",
        BinaryOperator::Subtract => "-",
        BinaryOperator::Multiply => "*",
        BinaryOperator::TrueDivide => "/",
        BinaryOperator::FloorDivide => "//",
        BinaryOperator::Modulo => "%",
        BinaryOperator::Power => "** or pow()",
        BinaryOperator::MatrixMultiply => "@",
        BinaryOperator::ShiftLeft => "<<",
        BinaryOperator::ShiftRight => ">>",
        BinaryOperator::And => "&",
        BinaryOperator::Or => "|",
        BinaryOperator::Xor => "^",
    }
}

fn compare_name(op: CompareOperator) -> Name {
    match op {
        CompareOperator::Equal => names::EQ,
        CompareOperator::NotEqual => names::NE,
        CompareOperator::Less => names::LT,
        CompareOperator::LessEqual => names::LE,
        CompareOperator::Greater => names::GT,
        CompareOperator::GreaterEqual => names::GE,
    }
}

fn compare_symbol(op: CompareOperator) -> &'static str {
    match op {
        CompareOperator::Equal => "==",
        CompareOperator::NotEqual => "!=",
        CompareOperator::Less => "<",
        CompareOperator::LessEqual => "<=",
        CompareOperator::Greater => ">",
        CompareOperator::GreaterEqual => ">=",
    }
}

fn swapped(op: CompareOperator) -> CompareOperator {
    match op {
        CompareOperator::Less => CompareOperator::Greater,
        CompareOperator::LessEqual => CompareOperator::GreaterEqual,
        CompareOperator::Greater => CompareOperator::Less,
        CompareOperator::GreaterEqual => CompareOperator::LessEqual,
        CompareOperator::Equal | CompareOperator::NotEqual => op,
    }
}

/// Whether a value's operators are special methods to look up.
#[inline]
fn has_methods(value: &Value) -> bool {
    matches!(value, Value::Instance(_) | Value::Object(_) | Value::Exception(_))
}

impl Vm {
    /// `a op b`
    pub fn binary(&mut self, op: BinaryOperator, a: &Value, b: &Value) -> Fallible<Value> {
        if let Some(result) = self.try_binary(op, a, b)? {
            return Ok(result);
        }
        Err(unsupported(symbol(op), a, b))
    }

    /// `a op= b`
    pub fn binary_in_place(&mut self, op: BinaryOperator, a: Value, b: &Value) -> Fallible<Value> {
        if has_methods(&a) {
            let (_, _, in_place) = binary_names(op);
            if let Some(method) = self.find_special(&a, in_place) {
                let result = self.call(&method, std::slice::from_ref(b))?;
                if !matches!(result, Value::NotImplemented) {
                    return Ok(result);
                }
            }
        }
        if let Value::Array(array) = &a {
            self.note_origin();
            if let Some(result) = array_operators::in_place(self, op, array, b)? {
                return Ok(result);
            }
        } else if let Some(result) = builtin::binary_in_place(self, op, &a, b)? {
            return Ok(result);
        }
        match self.try_binary(op, &a, b)? {
            Some(result) => Ok(result),
            None => {
                let sign = if op == BinaryOperator::Power { "**=".to_owned() } else { format!("{}=", symbol(op)) };
                Err(unsupported(&sign, &a, b))
            }
        }
    }

    fn try_binary(&mut self, op: BinaryOperator, a: &Value, b: &Value) -> Fallible<Option<Value>> {
        if !has_methods(a) && !has_methods(b) {
            return self.builtin_binary(op, a, b);
        }
        let (direct, reflected, _) = binary_names(op);
        let (class_a, class_b) = (a.class(), b.class());
        let differ = !Ref::ptr_eq(&class_a, &class_b);
        // A subclass on the right is asked first when it has the reflected method itself.
        let mut right_asked = false;
        if differ && ClassObject::is_subclass_of(&class_b, &class_a) && overrides(&class_b, &class_a, reflected) {
            right_asked = true;
            if let Some(result) = self.ask(b, reflected, a)? {
                return Ok(Some(result));
            }
        }
        if has_methods(a)
            && let Some(result) = self.ask(a, direct, b)?
        {
            return Ok(Some(result));
        }
        if differ
            && !right_asked
            && has_methods(b)
            && let Some(result) = self.ask(b, reflected, a)?
        {
            return Ok(Some(result));
        }
        let (a, b) = (receiver::payload(a), receiver::payload(b));
        self.builtin_binary(op, &a, &b)
    }

    fn builtin_binary(&mut self, op: BinaryOperator, a: &Value, b: &Value) -> Fallible<Option<Value>> {
        // `"%.2f" % x` is the text's operator, whatever `x` is; so arrays may pass.
        if array_operators::concerns(a) || array_operators::concerns(b) {
            self.note_origin();
            if let Some(result) = array_operators::binary(self, op, a, b)? {
                return Ok(Some(result));
            }
        }
        if op == BinaryOperator::Or
            && let Some(union) = crate::lang::builtins::class_type::union(a, b)
        {
            return Ok(Some(union));
        }
        builtin::binary(self, op, a, b)
    }

    /// Calls a special method with one argument; nothing when it is absent or answers `NotImplemented`.
    fn ask(&mut self, object: &Value, name: Name, other: &Value) -> Fallible<Option<Value>> {
        let class = object.class();
        let Some(method) = class.lookup(name) else { return Ok(None) };
        // A method of the built-in base works on what the instance carries, which the caller does without a call.
        if matches!(&method, Value::Native(native) if native.class.as_ref().is_some_and(|owner| !owner.is_user_defined))
            && matches!(object, Value::Instance(_))
        {
            return Ok(None);
        }
        let method = self.bind_attribute(method, Some(object), &class)?;
        let result = self.call(&method, std::slice::from_ref(other))?;
        Ok(if matches!(result, Value::NotImplemented) { None } else { Some(result) })
    }

    /// `-a`, `+a`, `~a`
    pub fn unary(&mut self, op: UnaryOperator, a: &Value) -> Fallible<Value> {
        if has_methods(a) {
            let name = match op {
                UnaryOperator::Negative => names::NEG,
                UnaryOperator::Positive => names::POS,
                UnaryOperator::Invert => names::INVERT,
            };
            if let Some(method) = self.find_special(a, name) {
                return self.call(&method, &[]);
            }
        }
        if array_operators::concerns(a) {
            self.note_origin();
            return array_operators::unary(self, op, a);
        }
        if let Some(result) = number::unary(op, &receiver::payload(a)) {
            return Ok(result);
        }
        let sign = match op {
            UnaryOperator::Negative => "-",
            UnaryOperator::Positive => "+",
            UnaryOperator::Invert => "~",
        };
        Err(type_error(format!("bad operand type for unary {sign}: '{}'", a.type_name())))
    }

    /// The rich comparison's value (an array for arrays).
    pub fn compare(&mut self, op: CompareOperator, a: &Value, b: &Value) -> Fallible<Value> {
        if has_methods(a) || has_methods(b) {
            if let Some(result) = self.compare_by_methods(op, a, b)? {
                return Ok(result);
            }
            let (plain_a, plain_b) = (receiver::payload(a), receiver::payload(b));
            // An array answers for each of its elements, also about what has no opinion of its own.
            let is_arrays = array_operators::concerns(&plain_a) || array_operators::concerns(&plain_b);
            if (is_arrays || !has_methods(&plain_a) && !has_methods(&plain_b))
                && let Some(result) = self.builtin_compare(op, &plain_a, &plain_b)?
            {
                return Ok(result);
            }
        } else if let Some(result) = self.builtin_compare(op, a, b)? {
            return Ok(result);
        }
        match op {
            CompareOperator::Equal => Ok(Value::Bool(a.is_same(b))),
            CompareOperator::NotEqual => Ok(Value::Bool(!a.is_same(b))),
            _ => Err(type_error(format!(
                "'{}' not supported between instances of '{}' and '{}'",
                compare_symbol(op),
                a.type_name(),
                b.type_name()
            ))),
        }
    }

    fn builtin_compare(&mut self, op: CompareOperator, a: &Value, b: &Value) -> Fallible<Option<Value>> {
        if array_operators::concerns(a) || array_operators::concerns(b) {
            self.note_origin();
            return array_operators::compare(self, op, a, b);
        }
        Ok(equality::compare(self, op, a, b)?.map(Value::Bool))
    }

    fn compare_by_methods(&mut self, op: CompareOperator, a: &Value, b: &Value) -> Fallible<Option<Value>> {
        let (class_a, class_b) = (a.class(), b.class());
        let right_first = !Ref::ptr_eq(&class_a, &class_b) && ClassObject::is_subclass_of(&class_b, &class_a);
        if right_first
            && has_methods(b)
            && let Some(result) = self.ask_comparison(b, swapped(op), a)?
        {
            return Ok(Some(result));
        }
        if has_methods(a)
            && let Some(result) = self.ask_comparison(a, op, b)?
        {
            return Ok(Some(result));
        }
        if !right_first
            && has_methods(b)
            && let Some(result) = self.ask_comparison(b, swapped(op), a)?
        {
            return Ok(Some(result));
        }
        Ok(None)
    }

    fn ask_comparison(&mut self, object: &Value, op: CompareOperator, other: &Value) -> Fallible<Option<Value>> {
        if let Some(result) = self.ask(object, compare_name(op), other)? {
            return Ok(Some(result));
        }
        // `!=` without `__ne__` is the opposite of `__eq__`.
        if op == CompareOperator::NotEqual
            && let Some(result) = self.ask(object, names::EQ, other)?
        {
            let truth = self.truth(&result)?;
            return Ok(Some(Value::Bool(!truth)));
        }
        Ok(None)
    }

    /// `bool(a == b)`, identity first as containers do.
    pub fn equals(&mut self, a: &Value, b: &Value) -> Fallible<bool> {
        if let Some(result) = equality::quick(a, b) {
            return Ok(result);
        }
        if a.is_same(b) {
            return Ok(true);
        }
        let result = self.compare(CompareOperator::Equal, a, b)?;
        self.truth(&result)
    }

    /// `bool(a < b)`
    pub fn less(&mut self, a: &Value, b: &Value) -> Fallible<bool> {
        let result = self.compare(CompareOperator::Less, a, b)?;
        self.truth(&result)
    }

    /// `bool(value)`
    pub fn truth(&mut self, value: &Value) -> Fallible<bool> {
        match value {
            Value::Bool(truth) => return Ok(*truth),
            Value::Array(array) => return array_operators::truth(self, array),
            Value::Scalar(scalar) => return Ok(array_operators::scalar_truth(scalar)),
            _ => {}
        }
        if has_methods(value) {
            if let Some(method) = self.find_special(value, names::BOOL) {
                let answer = self.call(&method, &[])?;
                return match answer {
                    Value::Bool(truth) => Ok(truth),
                    other => Err(type_error(format!("__bool__ should return bool, returned {}", other.type_name()))),
                };
            }
            if self.find_special(value, names::LEN).is_some() {
                return Ok(self.len(value)? > 0);
            }
        }
        Ok(item::truth(&receiver::payload(value)).unwrap_or(true))
    }
}

/// Whether a class has its own version of a method that its base also may have.
fn overrides(class: &Ref<ClassObject>, base: &Ref<ClassObject>, name: Name) -> bool {
    match (class.lookup(name), base.lookup(name)) {
        (Some(own), Some(inherited)) => !own.is_same(&inherited),
        (Some(_), None) => true,
        (None, _) => false,
    }
}

#[cold]
fn unsupported(sign: &str, a: &Value, b: &Value) -> Raised {
    type_error(format!("unsupported operand type(s) for {sign}: '{}' and '{}'", a.type_name(), b.type_name()))
}
