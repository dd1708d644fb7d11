//! Loops whose results go around the cache: for operations that take less time than memory does, as the last step of a program
//! whose result is larger than the cache.
//!
//! A tile that is computed in the cache and copied out afterwards stops reading while it is written; these read and write at
//! once. Sixteen bytes at a time are enough to keep memory busy, so that one version serves all processors; for that reason
//! division and roots are not among them.

use super::super::kernel::{Kernel, conjure};
use crate::arrays::dtype::DType;
use crate::arrays::op::Op;
use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_stream_si128};

/// Bytes that a result's address must be a multiple of.
pub const ALIGNMENT: usize = 64;

/// The streaming loop of an operation over operands of one dtype, where there is one. It answers what the ordinary one
/// does.
pub fn find(op: Op, dtype: DType) -> Option<Kernel> {
    match dtype {
        DType::Float64 => double(op),
        DType::Float32 => single(op),
        _ => None,
    }
}

/// The streaming loop of two operations of which the second takes the first one's result, as its left operand or, `turned`, as its right:
/// each is rounded as on its own. Its third operand is the second operation's other one.
pub fn find_pair(first: Op, second: Op, turned: bool, dtype: DType) -> Option<Kernel> {
    match (first, second, dtype) {
        (Op::Multiply, Op::Add, DType::Float64) if turned => Some(ternary::<f64, 8, _>(|a, b, c| c + a * b)),
        (Op::Multiply, Op::Add, DType::Float64) => Some(ternary::<f64, 8, _>(|a, b, c| a * b + c)),
        (Op::Multiply, Op::Add, DType::Float32) if turned => Some(ternary::<f32, 16, _>(|a, b, c| c + a * b)),
        (Op::Multiply, Op::Add, DType::Float32) => Some(ternary::<f32, 16, _>(|a, b, c| a * b + c)),
        (Op::Multiply, Op::Subtract, DType::Float64) if turned => Some(ternary::<f64, 8, _>(|a, b, c| c - a * b)),
        (Op::Multiply, Op::Subtract, DType::Float64) => Some(ternary::<f64, 8, _>(|a, b, c| a * b - c)),
        (Op::Multiply, Op::Subtract, DType::Float32) if turned => Some(ternary::<f32, 16, _>(|a, b, c| c - a * b)),
        (Op::Multiply, Op::Subtract, DType::Float32) => Some(ternary::<f32, 16, _>(|a, b, c| a * b - c)),
        _ => None,
    }
}

macro_rules! loops {
    ($find:ident, $t:ty, $line:literal) => {
        fn $find(op: Op) -> Option<Kernel> {
            Some(match op {
                Op::Add => binary::<$t, $line, _>(|x, y| x + y),
                Op::Subtract => binary::<$t, $line, _>(|x, y| x - y),
                Op::Multiply => binary::<$t, $line, _>(|x, y| x * y),
                Op::Negative => unary::<$t, $line, _>(|x| -x),
                Op::Absolute | Op::Fabs => unary::<$t, $line, _>(<$t>::abs),
                Op::Square => unary::<$t, $line, _>(|x| x * x),
                _ => return None,
            })
        }
    };
}

loops!(double, f64, 8);
loops!(single, f32, 16);

fn binary<T: Copy + Default + 'static, const LINE: usize, F: Fn(T, T) -> T + Copy + 'static>(_: F) -> Kernel {
    |a, b, _, out, n| {
        let (a, b, fold) = (a.cast::<T>(), b.cast::<T>(), conjure::<F>());
        // SAFETY: the contract of `Kernel`: both inputs hold n elements, and `stream` asks for the first n only.
        unsafe { stream::<T, LINE>(out, n, |i| fold(a.add(i).read(), b.add(i).read())) }
    }
}

fn unary<T: Copy + Default + 'static, const LINE: usize, F: Fn(T) -> T + Copy + 'static>(_: F) -> Kernel {
    |a, _, _, out, n| {
        let (a, map) = (a.cast::<T>(), conjure::<F>());
        // SAFETY: as above.
        unsafe { stream::<T, LINE>(out, n, |i| map(a.add(i).read())) }
    }
}

fn ternary<T: Copy + Default + 'static, const LINE: usize, F: Fn(T, T, T) -> T + Copy + 'static>(_: F) -> Kernel {
    |a, b, c, out, n| {
        let (a, b, c, fold) = (a.cast::<T>(), b.cast::<T>(), c.cast::<T>(), conjure::<F>());
        // SAFETY: as above.
        unsafe { stream::<T, LINE>(out, n, |i| fold(a.add(i).read(), b.add(i).read(), c.add(i).read())) }
    }
}

/// Writes `element(0)` to `element(n - 1)`, `LINE` of them at a time, which fill a cache line.
///
/// # Safety
/// `out` has room for n elements and is aligned to [`ALIGNMENT`].
#[inline(always)]
unsafe fn stream<T: Copy + Default, const LINE: usize>(out: *mut u8, n: usize, element: impl Fn(usize) -> T) {
    const { assert!(LINE * size_of::<T>() == ALIGNMENT) };
    let whole = n / LINE * LINE;
    let out = out.cast::<T>();
    // SAFETY: lines up to `whole` and the elements behind it lie within n; lines keep the alignment of the first.
    unsafe {
        for start in (0..whole).step_by(LINE) {
            let mut line = [T::default(); LINE];
            for (k, place) in line.iter_mut().enumerate() {
                *place = element(start + k);
            }
            let (from, to) = (line.as_ptr().cast::<__m128i>(), out.add(start).cast::<__m128i>());
            for part in 0..ALIGNMENT / size_of::<__m128i>() {
                _mm_stream_si128(to.add(part), _mm_loadu_si128(from.add(part)));
            }
        }
        for i in whole..n {
            out.add(i).write(element(i));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrays::cpu::kernels;

    /// Memory that starts on a cache line.
    #[repr(align(64))]
    struct Line<T>([T; 100]);

    #[test]
    fn streamed_results_are_those_of_the_ordinary_loops() {
        let wide: Vec<f64> = (0..100).map(|i| (f64::from(i) - 50.0) * 0.37).chain([f64::NAN, -0.0]).collect();
        let narrow: Vec<f32> = wide.iter().map(|&value| value as f32).collect();
        for op in [Op::Add, Op::Subtract, Op::Multiply, Op::Negative, Op::Absolute, Op::Square] {
            for n in [1, 7, 8, 16, 31, 100] {
                check(op, DType::Float64, &wide, n, |value| value.to_bits());
                check(op, DType::Float32, &narrow, n, |value| u64::from(value.to_bits()));
            }
        }
    }

    #[test]
    fn two_operations_in_one_loop_answer_what_they_answer_apart() {
        let wide: Vec<f64> = (0..100).map(|i| (f64::from(i) - 50.0) * 0.37).chain([0.1, -0.0]).collect();
        let apart = |first: Op, second: Op, turned: bool| {
            let loops = |op: Op| kernels::find(op, DType::Float64).expect("arithmetic has loops").get();
            let (mut product, mut result) = (Line([0.0; 100]), Line([0.0; 100]));
            let (a, b) = (wide.as_ptr().cast::<u8>(), wide[2..].as_ptr().cast::<u8>());
            // SAFETY: all hold 100 elements.
            unsafe {
                loops(first)(a, b, std::ptr::null(), product.0.as_mut_ptr().cast(), 100);
                let product = product.0.as_ptr().cast::<u8>();
                let (left, right) = if turned { (b, product) } else { (product, b) };
                loops(second)(left, right, std::ptr::null(), result.0.as_mut_ptr().cast(), 100);
            }
            result.0.map(f64::to_bits)
        };
        for second in [Op::Add, Op::Subtract] {
            for turned in [false, true] {
                let pair = find_pair(Op::Multiply, second, turned, DType::Float64).expect("there is one");
                let mut found = Line([0.0; 100]);
                let (a, b) = (wide.as_ptr().cast::<u8>(), wide[2..].as_ptr().cast::<u8>());
                // SAFETY: all hold 100 elements, and the result starts on a line.
                unsafe { pair(a, b, b, found.0.as_mut_ptr().cast(), 100) };
                assert_eq!(
                    found.0.map(f64::to_bits),
                    apart(Op::Multiply, second, turned),
                    "{} {turned}",
                    second.name()
                );
            }
        }
    }

    fn check<T: Copy + Default>(op: Op, dtype: DType, values: &[T], n: usize, bits: impl Fn(T) -> u64) {
        let ordinary = kernels::find(op, dtype).expect("arithmetic has loops").get();
        let streaming = find(op, dtype).expect("and streaming ones");
        let (mut expected, mut found) = (Line([T::default(); 100]), Line([T::default(); 100]));
        let (a, b) = (values.as_ptr().cast::<u8>(), values[2..].as_ptr().cast::<u8>());
        // SAFETY: all hold 100 elements, and the results start on a line.
        unsafe {
            ordinary(a, b, std::ptr::null(), expected.0.as_mut_ptr().cast(), n);
            streaming(a, b, std::ptr::null(), found.0.as_mut_ptr().cast(), n);
        }
        let (expected, found) = (expected.0.map(&bits), found.0.map(&bits));
        assert_eq!(expected, found, "{} of {n} {}", op.name(), dtype.name());
    }
}
