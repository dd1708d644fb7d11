//! `_literals`: the value of a text that is a literal, behind `ast.literal_eval` (`py/ast.py`). Nothing is run.

use super::support::new_module;
use crate::lang::compile::constant_value;
use crate::lang::heap::Ref;
use crate::lang::native::{Args, method};
use crate::lang::objects::{DictObject, ModuleObject};
use crate::lang::operators::{BinaryOperator, UnaryOperator};
use crate::lang::parse::Dialect;
use crate::lang::raise::{Fallible, Raised, value_error};
use crate::lang::tree::{Expr, ExprKind, StmtKind};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Builds `_literals`.
pub fn build(_vm: &mut Vm) -> Fallible<Ref<ModuleObject>> {
    Ok(new_module("_literals", "Values of literals.", &[method("value", "(text)", "The value of a literal.", value)]))
}

fn value(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let text = args.text(vm, 0, "literal_eval() argument")?;
    let source = vm.new_source("<unknown>", text.trim_start_matches([' ', '\t']), None);
    let module = vm.parse(&source, Dialect::Expression)?;
    match module.body.first().map(|statement| &statement.kind) {
        Some(StmtKind::Expression(expression)) => literal(vm, &source, expression),
        _ => Err(value_error("malformed node or string")),
    }
}

fn malformed(source: &crate::lang::code::Source, expression: &Expr) -> Raised {
    let text = source.text.get(expression.span.start as usize..expression.span.end as usize).unwrap_or_default();
    let line = source.line(expression.span.start);
    value_error(format!("malformed node or string on line {line}: {text}"))
}

fn literal(vm: &mut Vm, source: &crate::lang::code::Source, expression: &Expr) -> Fallible<Value> {
    let all = |vm: &mut Vm, items: &[Expr]| -> Fallible<Vec<Value>> {
        items.iter().map(|item| literal(vm, source, item)).collect()
    };
    match &expression.kind {
        ExprKind::Constant(constant) => Ok(constant_value(constant)),
        ExprKind::Tuple(items) => Ok(Value::tuple(all(vm, items)?)),
        ExprKind::List(items) => Ok(Value::list(all(vm, items)?)),
        ExprKind::Set(items) => {
            let items = Value::list(all(vm, items)?);
            set_of(vm, &[items])
        }
        ExprKind::Call(callee, arguments)
            if arguments.is_empty() && matches!(&callee.kind, ExprKind::Name(name) if name.text() == "set") =>
        {
            set_of(vm, &[])
        }
        ExprKind::Dict(pairs) => {
            let dict = Ref::new(DictObject::default());
            for (key, value) in pairs {
                let Some(key) = key else { return Err(value_error("malformed node or string: None")) };
                let (key, value) = (literal(vm, source, key)?, literal(vm, source, value)?);
                vm.dict_set(&dict, key, value)?;
            }
            Ok(Value::Dict(dict))
        }
        ExprKind::Unary(operator @ (UnaryOperator::Negative | UnaryOperator::Positive), inner) => {
            let value = literal(vm, source, inner)?;
            if !is_number(&value) {
                return Err(malformed(source, inner));
            }
            vm.unary(*operator, &value)
        }
        // `1 + 2j`
        ExprKind::Binary(operator @ (BinaryOperator::Add | BinaryOperator::Subtract), left, right) => {
            let (a, b) = (literal(vm, source, left)?, literal(vm, source, right)?);
            if !is_number(&a) || matches!(a, Value::Complex(_)) || !matches!(b, Value::Complex(_)) {
                return Err(malformed(source, expression));
            }
            vm.binary(*operator, &a, &b)
        }
        _ => Err(malformed(source, expression)),
    }
}

fn is_number(value: &Value) -> bool {
    matches!(value, Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::Complex(_))
}

fn set_of(vm: &mut Vm, args: &[Value]) -> Fallible<Value> {
    use crate::lang::builtins::classes::{Builtin, builtin_class};
    vm.call(&Value::Class(builtin_class(Builtin::Set)), args)
}
