//! Kernels over bool. Memory may hold any byte; every one but zero is true, and results are zero or one.

use super::super::kernel::{Kernels, map1, map2, map3};
use crate::arrays::op::Op;

pub(super) fn find(op: Op) -> Option<Kernels> {
    Some(match op {
        Op::Add | Op::LogicalOr | Op::BitwiseOr | Op::Maximum | Op::Fmax => map2(|x: u8, y: u8| (x | y) != 0),
        Op::Multiply | Op::LogicalAnd | Op::BitwiseAnd | Op::Minimum | Op::Fmin => {
            map2(|x: u8, y: u8| (x != 0) & (y != 0))
        }
        Op::LogicalXor | Op::BitwiseXor | Op::NotEqual => map2(|x: u8, y: u8| (x != 0) ^ (y != 0)),
        Op::Equal => map2(|x: u8, y: u8| (x != 0) == (y != 0)),
        Op::Less => map2(|x: u8, y: u8| (x == 0) & (y != 0)),
        Op::LessEqual => map2(|x: u8, y: u8| (x == 0) | (y != 0)),
        Op::Greater => map2(|x: u8, y: u8| (x != 0) & (y == 0)),
        Op::GreaterEqual => map2(|x: u8, y: u8| (x != 0) | (y == 0)),
        Op::LogicalNot | Op::Invert => map1(|x: u8| x == 0),
        Op::Absolute | Op::Positive | Op::Real | Op::Floor | Op::Ceil | Op::Trunc => map1(|x: u8| x != 0),
        Op::Imag | Op::Isnan | Op::Isinf | Op::Signbit => map1(|_: u8| false),
        Op::Isfinite => map1(|_: u8| true),
        Op::BitwiseCount => map1(|x: u8| (x != 0) as u8),
        Op::Clip => map3(|x: u8, low: u8, high: u8| ((x | low) != 0) & (high != 0)),
        _ => return None,
    })
}
