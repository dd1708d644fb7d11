//! Which instruction set the loops are compiled for, chosen once per process.
//!
//! Every kernel exists up to three times, from one source, for the baseline of x86-64, for AVX2 with FMA and for
//! AVX-512. The source is scalar Rust that the compiler vectorises; it never contracts a multiply and an add by
//! itself, so all versions give the same bits. This file knows nothing of operations or arrays.

use std::sync::atomic::{AtomicU8, Ordering};

/// A level of vector instructions; each includes the ones below it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Isa {
    /// SSE2, which every x86-64 processor has.
    Baseline = 0,
    /// AVX2, FMA and BMI.
    Avx2 = 1,
    /// AVX-512 F, DQ, BW, VL and CD.
    Avx512 = 2,
}

const UNKNOWN: u8 = 255;
static CHOSEN: AtomicU8 = AtomicU8::new(UNKNOWN);

/// The best level this processor has (or what `CELLHOLD_ISA=baseline|avx2|avx512` asks for, if it has that).
#[inline]
pub fn isa() -> Isa {
    match CHOSEN.load(Ordering::Relaxed) {
        0 => Isa::Baseline,
        1 => Isa::Avx2,
        2 => Isa::Avx512,
        _ => choose(),
    }
}

#[cold]
fn choose() -> Isa {
    let best = best_available();
    let wanted = match std::env::var("CELLHOLD_ISA").as_deref() {
        Ok("baseline") => Isa::Baseline,
        Ok("avx2") => Isa::Avx2,
        _ => Isa::Avx512,
    };
    let chosen = wanted.min(best);
    CHOSEN.store(chosen as u8, Ordering::Relaxed);
    chosen
}

/// The best level this processor has.
pub fn best_available() -> Isa {
    let avx2 = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("f16c");
    let avx512 = avx2
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512cd");
    match (avx512, avx2) {
        (true, _) => Isa::Avx512,
        (false, true) => Isa::Avx2,
        (false, false) => Isa::Baseline,
    }
}
