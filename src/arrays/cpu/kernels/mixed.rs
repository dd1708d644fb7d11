//! Comparisons between int64 and uint64, which no common dtype holds exactly.

use super::super::kernel::{Kernels, map2};
use crate::arrays::op::Op;
use std::cmp::Ordering;

#[inline(always)]
fn order(signed: i64, unsigned: u64) -> Ordering {
    if signed < 0 { Ordering::Less } else { (signed as u64).cmp(&unsigned) }
}

/// The loop of a comparison whose operands are int64 and uint64 (or the other way round).
pub fn compare_mixed(op: Op, signed_first: bool) -> Option<Kernels> {
    macro_rules! compare {
        ($test:ident) => {
            if signed_first {
                map2(|x: i64, y: u64| order(x, y).$test())
            } else {
                map2(|x: u64, y: i64| order(y, x).reverse().$test())
            }
        };
    }
    Some(match op {
        Op::Equal => compare!(is_eq),
        Op::NotEqual => compare!(is_ne),
        Op::Less => compare!(is_lt),
        Op::LessEqual => compare!(is_le),
        Op::Greater => compare!(is_gt),
        Op::GreaterEqual => compare!(is_ge),
        _ => return None,
    })
}
