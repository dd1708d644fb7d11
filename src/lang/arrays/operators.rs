//! Operators on arrays and NumPy scalars: which element-wise operation they mean, who may meet whom, and what comes out.

use crate::arrays::array::{Alloc, Array};
use crate::arrays::dtype::{Casting, DType};
use crate::arrays::expr::{self as direct, Expr};
use crate::arrays::functions::creation::full;
use crate::arrays::layout::Order;
use crate::arrays::op::{Flavour, Op};
use crate::arrays::scalar::{Operand, Scalar};
use crate::lang::arrays::convert::{Term, class_path, expression_of, result_value, scalar_of, term_of};
use crate::lang::arrays::error::raised;
use crate::lang::arrays::{nested, pending};
use crate::lang::builtins::classes::{Builtin, builtin_class};
use crate::lang::heap::Ref;
use crate::lang::name::names;
use crate::lang::objects::{ArrayFlavour, ArrayObject, NumpyScalar};
use crate::lang::operators::{BinaryOperator, CompareOperator, UnaryOperator};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Results with at least this many elements wait for their statement's end; smaller ones are computed at once, because
/// building an expression would cost more than it saves.
pub const DEFER_ELEMENTS_MIN: usize = 4096;

/// Whose rules an array's operations follow.
pub fn rules(flavour: ArrayFlavour) -> Flavour {
    match flavour {
        ArrayFlavour::NumPy => Flavour::NumPy,
        ArrayFlavour::Dpnp | ArrayFlavour::Tensor => Flavour::Dpnp,
    }
}

/// The element-wise operation of a binary operator; nothing for `@`, which is a product.
pub fn binary_op(operator: BinaryOperator) -> Option<Op> {
    Some(match operator {
        BinaryOperator::Add => Op::Add,
        BinaryOperator::Subtract => Op::Subtract,
        BinaryOperator::Multiply => Op::Multiply,
        BinaryOperator::TrueDivide => Op::Divide,
        BinaryOperator::FloorDivide => Op::FloorDivide,
        BinaryOperator::Modulo => Op::Remainder,
        BinaryOperator::Power => Op::Power,
        BinaryOperator::ShiftLeft => Op::LeftShift,
        BinaryOperator::ShiftRight => Op::RightShift,
        BinaryOperator::And => Op::BitwiseAnd,
        BinaryOperator::Or => Op::BitwiseOr,
        BinaryOperator::Xor => Op::BitwiseXor,
        BinaryOperator::MatrixMultiply => return None,
    })
}

fn compare_op(operator: CompareOperator) -> Op {
    match operator {
        CompareOperator::Equal => Op::Equal,
        CompareOperator::NotEqual => Op::NotEqual,
        CompareOperator::Less => Op::Less,
        CompareOperator::LessEqual => Op::LessEqual,
        CompareOperator::Greater => Op::Greater,
        CompareOperator::GreaterEqual => Op::GreaterEqual,
    }
}

/// Whether an operator with this operand is this file's business.
pub fn concerns(value: &Value) -> bool {
    matches!(value, Value::Array(_) | Value::Scalar(_))
}

/// `a op b` where at least one is an array or a NumPy scalar; nothing when the other operand is of a kind that may answer
/// the operator itself.
pub fn binary(vm: &mut Vm, operator: BinaryOperator, a: &Value, b: &Value) -> Fallible<Option<Value>> {
    match binary_op(operator) {
        Some(op) => elementwise_operator(vm, op, a, b),
        None => super::products::matmul_operator(vm, a, b),
    }
}

/// `a == b` and the other comparisons; as for [`binary`].
pub fn compare(vm: &mut Vm, operator: CompareOperator, a: &Value, b: &Value) -> Fallible<Option<Value>> {
    elementwise_operator(vm, compare_op(operator), a, b)
}

/// `-a`, `+a`, `~a`.
pub fn unary(vm: &mut Vm, operator: UnaryOperator, a: &Value) -> Fallible<Value> {
    let op = match operator {
        UnaryOperator::Negative => Op::Negative,
        UnaryOperator::Positive => Op::Positive,
        UnaryOperator::Invert => Op::Invert,
    };
    elementwise(vm, op, std::slice::from_ref(a), None)
}

fn elementwise_operator(vm: &mut Vm, op: Op, a: &Value, b: &Value) -> Fallible<Option<Value>> {
    let comparing = matches!(op, Op::Equal | Op::NotEqual);
    let (left, right) = (matches!(a, Value::Array(_)), matches!(b, Value::Array(_)));
    // A foreign operand is given the chance that Python gives it: its own reflected method is tried by the machine.
    for operand in [a, b] {
        if matches!(operand, Value::Instance(_) | Value::Object(_) | Value::None | Value::Str(_) | Value::Class(_))
            && term_of(operand)?.is_none()
            && !(comparing && (left || right) && !compares_itself(operand))
        {
            return Ok(None);
        }
    }
    elementwise(vm, op, &[a.clone(), b.clone()], None).map(Some)
}

/// Whether a value's class says what equals it.
fn compares_itself(value: &Value) -> bool {
    match value {
        Value::Instance(_) | Value::Object(_) => {
            let class = value.class();
            !Ref::ptr_eq(&class, &builtin_class(Builtin::Object)) && class.lookup_before_object(names::EQ).is_some()
        }
        _ => false,
    }
}

/// `a == None`, `a != "text"`: what no array holds equals no element of NumPy's arrays; nothing for other operands.
/// The function `equal` has no loop for text.
fn unlike(
    vm: &mut Vm,
    op: Op,
    operands: &[Value],
    flavour: ArrayFlavour,
    is_operator: bool,
) -> Fallible<Option<Value>> {
    let (Op::Equal | Op::NotEqual, [a, b]) = (op, operands) else { return Ok(None) };
    let array = match (a, b) {
        (Value::Array(array), other) | (other, Value::Array(array)) if is_no_element(other)? => array,
        _ => return Ok(None),
    };
    if !is_operator && [a, b].iter().any(|side| matches!(side, Value::Str(_) | Value::Bytes(_))) {
        return Ok(None);
    }
    if flavour != ArrayFlavour::NumPy {
        return match (a, b) {
            (Value::Str(_), _) | (_, Value::Str(_)) => Err(raise::value_error("Operands have unsupported data types")),
            _ => Ok(None),
        };
    }
    let (shape, answer) = (array.shape(), Scalar::Bool(op == Op::NotEqual));
    let full =
        pending::with_relief(vm, |_| full(&shape, Operand::Typed(answer, DType::Bool), None, Order::C, &Alloc::HOST))?;
    result_value(flavour, full).map(Some)
}

fn is_no_element(value: &Value) -> Fallible<bool> {
    Ok(match value {
        Value::None | Value::Str(_) | Value::Bytes(_) | Value::Class(_) | Value::Dict(_) | Value::Set(_) => true,
        Value::Function(_) | Value::Native(_) | Value::Module(_) => true,
        Value::Instance(_) | Value::Object(_) => !compares_itself(value) && term_of(value)?.is_none(),
        _ => false,
    })
}

/// The flavour of the result of operands: that of the arrays among them, NumPy when there are only scalars.
fn common_flavour(operands: &[Value]) -> Fallible<ArrayFlavour> {
    let mut flavour: Option<ArrayFlavour> = None;
    for operand in operands {
        if let Value::Array(array) = operand {
            match flavour {
                None => flavour = Some(array.flavour),
                Some(known) if known == array.flavour => {}
                Some(known) if known == ArrayFlavour::NumPy || array.flavour == ArrayFlavour::NumPy => {
                    return Err(raise::type_error(
                        "An array must be any of supported type, but got <class 'numpy.ndarray'>. Arrays on a device and \
                         NumPy arrays do not mix: dpnp.asarray(x) copies a NumPy array to the device, x.asnumpy() copies \
                         one back",
                    ));
                }
                Some(_) => flavour = Some(ArrayFlavour::Dpnp),
            }
        }
    }
    Ok(flavour.unwrap_or(ArrayFlavour::NumPy))
}

/// An operand as an expression: arrays and scalars as they are, and for NumPy also lists and other sequences.
pub fn operand_expression(vm: &mut Vm, value: &Value, flavour: ArrayFlavour) -> Fallible<Expr> {
    match term_of(value)? {
        Some(Term::Array(array)) => Ok(expression_of(&array)),
        Some(Term::Scalar(operand)) => Ok(Expr::scalar(operand)),
        None if flavour == ArrayFlavour::NumPy => Ok(Expr::array(&nested::host_array(vm, value)?)),
        None => Err(raise::type_error(format!(
            "An array must be any of supported type, but got <class '{}'>",
            class_path(value)
        ))),
    }
}

/// Applies an element-wise operation to operands by the rules of their flavour, or of `flavour` when given.
pub fn elementwise(vm: &mut Vm, op: Op, operands: &[Value], flavour: Option<ArrayFlavour>) -> Fallible<Value> {
    let is_operator = flavour.is_none();
    let flavour = match flavour {
        Some(flavour) => flavour,
        None => common_flavour(operands)?,
    };
    if let Some(value) = small(vm, op, operands, flavour)? {
        return Ok(value);
    }
    if let Some(value) = unlike(vm, op, operands, flavour, is_operator)? {
        return Ok(value);
    }
    let mut inputs: smallvec::SmallVec<[Expr; 3]> = smallvec::SmallVec::new();
    for operand in operands {
        inputs.push(operand_expression(vm, operand, flavour)?);
    }
    let expression = Expr::apply(op, &inputs, rules(flavour)).map_err(raised)?;
    finish(vm, flavour, expression, operands)
}

/// The value of an expression: pending when it is large, computed when it is small.
pub fn finish(vm: &mut Vm, flavour: ArrayFlavour, expression: Expr, operands: &[Value]) -> Fallible<Value> {
    if expression.len_elements() >= DEFER_ELEMENTS_MIN {
        return Ok(pending::defer(vm, flavour, expression));
    }
    let has_array = operands.iter().any(|operand| matches!(operand, Value::Array(_)));
    let array = pending::with_relief(vm, |_| expression.evaluate())?;
    if has_array && flavour != ArrayFlavour::NumPy {
        return Ok(super::convert::array_value(flavour, array));
    }
    result_value(flavour, array)
}

/// The short way for small computed arrays and scalars: no expression is built.
fn small(vm: &mut Vm, op: Op, operands: &[Value], flavour: ArrayFlavour) -> Fallible<Option<Value>> {
    let [a, b] = operands else { return Ok(None) };
    let (Some(left), Some(right)) = (SmallOperand::of(a)?, SmallOperand::of(b)?) else { return Ok(None) };
    if let (SmallOperand::Scalar(left), SmallOperand::Scalar(right)) = (&left, &right) {
        let (value, dtype) = direct::scalars(op, &[*left, *right], rules(flavour)).map_err(raised)?;
        super::float_errors::report(vm)?;
        return Ok(Some(Value::Scalar(Ref::new(NumpyScalar::new(value, dtype)))));
    }
    let array = pending::with_relief(vm, |_| direct::binary(op, left.ready(), right.ready(), rules(flavour)))?;
    if array.rank() == 0 && flavour == ArrayFlavour::NumPy {
        return result_value(flavour, array).map(Some);
    }
    Ok(Some(super::convert::array_value(flavour, array)))
}

/// An operand that the short way takes.
enum SmallOperand {
    Array(Array),
    Scalar(Operand),
}

impl SmallOperand {
    fn of(value: &Value) -> Fallible<Option<Self>> {
        Ok(match value {
            Value::Array(array) => {
                array.computed().filter(|array| array.len_elements() < DEFER_ELEMENTS_MIN).map(Self::Array)
            }
            other => scalar_of(other)?.map(Self::Scalar),
        })
    }

    fn ready(&self) -> direct::Ready<'_> {
        match self {
            Self::Array(array) => direct::Ready::Array(array),
            Self::Scalar(operand) => direct::Ready::Scalar(*operand),
        }
    }
}

/// `a op= b` for an array `a`: writes into its memory, by same-kind casting.
pub fn in_place(vm: &mut Vm, operator: BinaryOperator, a: &Ref<ArrayObject>, b: &Value) -> Fallible<Option<Value>> {
    let Some(op) = binary_op(operator) else {
        return super::products::matmul_in_place(vm, a, b);
    };
    if matches!(b, Value::Instance(_) | Value::Object(_)) && term_of(b)?.is_none() {
        return Ok(None);
    }
    common_flavour(&[Value::Array(a.clone()), b.clone()])?;
    let target = pending::compute(vm, a)?;
    pending::settle(vm)?;
    check_writable(a)?;
    let right = operand_expression(vm, b, a.flavour)?;
    let expression = Expr::apply(op, &[Expr::array(&target), right], rules(a.flavour)).map_err(raised)?;
    let (from, to) = (expression.dtype(), target.dtype());
    if !from.can_cast(to, Casting::SameKind) {
        return Err(cast_error(op, a.flavour, &target, b, from, to));
    }
    pending::with_relief(vm, |_| expression.evaluate_into(&target, None))?;
    Ok(Some(Value::Array(a.clone())))
}

#[cold]
fn cast_error(op: Op, flavour: ArrayFlavour, target: &Array, right: &Value, from: DType, to: DType) -> raise::Raised {
    if flavour == ArrayFlavour::NumPy {
        return raise::type_error(format!(
            "Cannot cast ufunc '{}' output from dtype('{}') to dtype('{}') with casting rule 'same_kind'",
            op.name(),
            from.name(),
            to.name()
        ));
    }
    let right = match right {
        Value::Array(array) => array.dtype(),
        Value::Scalar(scalar) => scalar.dtype,
        _ => from,
    };
    raise::value_error(format!(
        "function '{}' does not support input types ({}, {}), and the inputs could not be safely coerced to any supported \
         types according to the casting rule ''same_kind''.",
        op.name(),
        target.dtype().name(),
        right.name()
    ))
}

/// An error when the array may not be written through.
pub fn check_writable(array: &ArrayObject) -> Fallible<()> {
    if array.readonly.get() {
        return Err(raise::value_error("assignment destination is read-only"));
    }
    Ok(())
}

/// Python's truth of an array: only arrays of one element have one.
pub fn truth(vm: &mut Vm, array: &Ref<ArrayObject>) -> Fallible<bool> {
    let computed = pending::compute(vm, array)?;
    if computed.len_elements() == 1 {
        let index = vec![0; computed.rank()];
        return Ok(computed.read_scalar(&index).map_err(raised)?.truth());
    }
    let dpnp = "The truth value of an array with more than one element is ambiguous. Use dpnp.tensor.any() or dpnp.tensor.all()";
    let numpy = "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()";
    let empty =
        "The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an array is not empty.";
    Err(raise::value_error(match (array.flavour, computed.len_elements()) {
        (ArrayFlavour::NumPy, 0) => empty,
        (ArrayFlavour::NumPy, _) => numpy,
        (ArrayFlavour::Dpnp | ArrayFlavour::Tensor, _) => dpnp,
    }))
}

/// Python's truth of a NumPy scalar.
pub fn scalar_truth(scalar: &NumpyScalar) -> bool {
    scalar.value.truth()
}
