//! Operations that read the same on integers and on floats.

use super::emit::Reg;
use crate::arrays::op::Op;

/// One operation on numbers; nothing where integers and floats differ in it.
pub(super) fn number<'e>(op: Op, x: Reg<'e>, y: Reg<'e>) -> Option<Reg<'e>> {
    let zero = x.like(0.0);
    let truth = |value: Reg<'e>| value.ne(zero);
    Some(match op {
        Op::Add => x + y,
        Op::Subtract => x - y,
        Op::Multiply => x * y,
        Op::Square => x * x,
        Op::Negative => -x,
        Op::Positive | Op::Real | Op::Conjugate => x,
        Op::Imag => zero,
        Op::LogicalAnd => truth(x) & truth(y),
        Op::LogicalOr => truth(x) | truth(y),
        Op::LogicalXor => truth(x) ^ truth(y),
        Op::LogicalNot => x.eq(zero),
        Op::Equal => x.eq(y),
        Op::NotEqual => x.ne(y),
        Op::Less => x.lt(y),
        Op::LessEqual => x.le(y),
        Op::Greater => x.gt(y),
        Op::GreaterEqual => x.ge(y),
        _ => return None,
    })
}
