//! Large results on processors: written in whole vectors around the caches, as the native engine does.
//!
//! A store that the processor keeps in its caches first reads what it is about to replace; of `a*b+c` that is a fifth of all that
//! passes. The program for it takes whole vectors at multiples of their length, so the elements before the first and after the
//! last such place go by the ordinary program.

use super::launch::{Arguments, Target};
use super::lowering::Lowered;
use super::{Outcome, buffers};
use crate::arrays::array::Array;
use crate::arrays::cpu::memory::last_level_cache_bytes;
use crate::arrays::error::ArrayError;
use crate::arrays::spirv::{Kind, Lane, SIDE_BY_SIDE};
use crate::arrays::trace;
use std::sync::Arc;

#[cfg(test)]
thread_local! {
    /// Takes the place of the cache's size in tests.
    pub(super) static CACHE: std::cell::Cell<Option<usize>> = const { std::cell::Cell::new(None) };
}

/// Results of more bytes than this are not found in the caches by whoever reads them next.
fn cache_bytes() -> usize {
    #[cfg(test)]
    if let Some(bytes) = CACHE.get() {
        return bytes;
    }
    last_level_cache_bytes()
}

/// Whether the result of an expression goes around the caches.
fn suits(to: &Target<'_>, lowered: &Lowered, target: &Array) -> bool {
    let lane = lowered.target.as_ref().and_then(|strides| strides.last()).map(|&stride| Lane::of(stride));
    let in_place = || lowered.arrays.iter().any(|array| Arc::ptr_eq(array.buffer(), target.buffer()));
    to.is_processor()
        && target.bytes() > cache_bytes()
        && matches!(target.dtype().bytes(), 4 | 8)
        && lowered.space.groups.as_slice() == [1]
        && lane == Some(Lane::Unit)
        && lowered.fused.is_straight()
        && !in_place()
}

/// Computes a large contiguous result by a program for whole vectors; nothing where that does not suit it.
pub(super) fn store(to: &Target<'_>, lowered: &Lowered, target: &Array) -> Result<Option<Outcome>, ArrayError> {
    if !suits(to, lowered, target) {
        return Ok(None);
    }
    let side_by_side = SIDE_BY_SIDE as usize;
    let (len, bytes) = (target.len_elements(), target.dtype().bytes());
    let head = (target.device_address()?.wrapping_neg() % (side_by_side * bytes) / bytes).min(len);
    let whole = (len - head) / side_by_side * side_by_side;
    let reads = buffers(&lowered.arrays);
    let fused = || lowered.fused.clone();
    let parts = [
        (0, head, Kind::Map { fused: fused(), target: Lane::Unit }),
        (head, whole, Kind::Stream { fused: fused() }),
        (head + whole, len - head - whole, Kind::Map { fused: fused(), target: Lane::Unit }),
    ];
    for (first, len, kind) in parts.into_iter().filter(|&(_, len, _)| len > 0) {
        let mut arguments = Arguments::new();
        arguments.address_from(target, first)?;
        arguments.body_from(lowered, first, &[len])?;
        let items = if matches!(kind, Kind::Stream { .. }) { len / side_by_side } else { len };
        trace::fusing(lowered.names());
        let program = to.program(kind, lowered.space.clone());
        match to.launch(&program, arguments, [items, 1, 1], None, &reads, &[target.buffer()])? {
            Outcome::Submitted => {}
            refused => return Ok(Some(refused)),
        }
    }
    Ok(Some(Outcome::Submitted))
}
