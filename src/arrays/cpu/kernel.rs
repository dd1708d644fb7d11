//! The shape of a kernel: a contiguous loop over up to three inputs and one output, and how one is made from a
//! plain Rust function for every instruction set.
//!
//! Kernels work on tiles: inputs and output are contiguous, and never overlap. Strides, broadcasting and threads are
//! the business of `tile`; dtype rules are the business of `op`.

use super::isa::isa;

/// A compiled loop: reads `n` elements behind each used input and writes `n` elements.
///
/// Contract: unused inputs may dangle; used inputs and the output are valid for `n` elements of the types that the
/// kernel was looked up for, aligned for them, and do not overlap.
pub type Kernel = unsafe fn(a: *const u8, b: *const u8, c: *const u8, out: *mut u8, n: usize);

/// One kernel for each instruction set.
#[derive(Clone, Copy)]
pub struct Kernels([Kernel; 3]);

impl Kernels {
    /// The version for this processor.
    #[inline]
    pub fn get(&self) -> Kernel {
        self.0[isa() as usize]
    }
}

/// Makes the value of a closure or function type that holds nothing, out of nothing.
#[inline(always)]
pub(super) fn conjure<F: Copy>() -> F {
    const { assert!(size_of::<F>() == 0, "kernels are made from functions that capture nothing") };
    // SAFETY: F has no bytes, so any aligned address holds one, and whoever made the loop had a value of F, so the type is
    // inhabited.
    unsafe { std::ptr::NonNull::<F>::dangling().read() }
}

/// A function of one element. Implementations mark `call` as always inlined: only then does the compiler see a long
/// function inside the loop, compile it for the loop's instruction set and vectorise it.
pub trait Function1<A, R>: 'static {
    /// Applies the function.
    fn call(a: A) -> R;
}

/// A function of two elements; see [`Function1`].
pub trait Function2<A, B, R>: 'static {
    /// Applies the function.
    fn call(a: A, b: B) -> R;
}

/// A function of three elements; see [`Function1`].
pub trait Function3<A, B, C, R>: 'static {
    /// Applies the function.
    fn call(a: A, b: B, c: C) -> R;
}

/// A short closure as a function of elements.
struct Closure<F>(std::marker::PhantomData<F>);

impl<A, R, F: Fn(A) -> R + Copy + 'static> Function1<A, R> for Closure<F> {
    #[inline(always)]
    fn call(a: A) -> R {
        conjure::<F>()(a)
    }
}

impl<A, B, R, F: Fn(A, B) -> R + Copy + 'static> Function2<A, B, R> for Closure<F> {
    #[inline(always)]
    fn call(a: A, b: B) -> R {
        conjure::<F>()(a, b)
    }
}

impl<A, B, C, R, F: Fn(A, B, C) -> R + Copy + 'static> Function3<A, B, C, R> for Closure<F> {
    #[inline(always)]
    fn call(a: A, b: B, c: C) -> R {
        conjure::<F>()(a, b, c)
    }
}

macro_rules! make_map {
    ($map:ident, $long:ident, $function:ident, $base:ident, $avx2:ident, $avx512:ident, $body:ident,
     $($in:ident : $T:ident),+) => {
        #[inline(always)]
        unsafe fn $body<$($T: Copy,)+ R, F: $function<$($T,)+ R>>(
            a: *const u8, b: *const u8, c: *const u8, out: *mut u8, n: usize,
        ) {
            let mut pointers = [a, b, c].into_iter();
            $(let $in = pointers.next().unwrap_or(std::ptr::dangling()).cast::<$T>();)+
            let out = out.cast::<R>();
            for i in 0..n {
                // SAFETY: the contract of `Kernel`: every used pointer is valid for n elements of its type.
                unsafe { out.add(i).write(F::call($($in.add(i).read()),+)) }
            }
        }

        unsafe fn $base<$($T: Copy,)+ R, F: $function<$($T,)+ R>>(
            a: *const u8, b: *const u8, c: *const u8, out: *mut u8, n: usize,
        ) {
            // SAFETY: passed on unchanged.
            unsafe { $body::<$($T,)+ R, F>(a, b, c, out, n) }
        }

        #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,f16c")]
        unsafe fn $avx2<$($T: Copy,)+ R, F: $function<$($T,)+ R>>(
            a: *const u8, b: *const u8, c: *const u8, out: *mut u8, n: usize,
        ) {
            // SAFETY: passed on unchanged.
            unsafe { $body::<$($T,)+ R, F>(a, b, c, out, n) }
        }

        #[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx512cd,avx2,fma,bmi1,bmi2,lzcnt,popcnt,f16c")]
        unsafe fn $avx512<$($T: Copy,)+ R, F: $function<$($T,)+ R>>(
            a: *const u8, b: *const u8, c: *const u8, out: *mut u8, n: usize,
        ) {
            // SAFETY: passed on unchanged.
            unsafe { $body::<$($T,)+ R, F>(a, b, c, out, n) }
        }

        /// Compiles a short closure into a loop for each instruction set.
        pub fn $map<$($T: Copy + 'static,)+ R: 'static, F: Fn($($T),+) -> R + Copy + 'static>(_: F) -> Kernels {
            $long::<$($T,)+ R, Closure<F>>()
        }

        /// Compiles a function into a loop for each instruction set.
        pub fn $long<$($T: Copy + 'static,)+ R: 'static, F: $function<$($T,)+ R>>() -> Kernels {
            Kernels([$base::<$($T,)+ R, F>, $avx2::<$($T,)+ R, F>, $avx512::<$($T,)+ R, F>])
        }
    };
}

make_map!(map1, long1, Function1, base1, avx2_1, avx512_1, body1, a: A);
make_map!(map2, long2, Function2, base2, avx2_2, avx512_2, body2, a: A, b: B);
make_map!(map3, long3, Function3, base3, avx2_3, avx512_3, body3, a: A, b: B, c: C);

/// A loop for operations that vector instructions do not help: one version serves all processors.
pub fn plain1<A: Copy + 'static, R: 'static, F: Fn(A) -> R + Copy + 'static>(_: F) -> Kernels {
    Kernels([base1::<A, R, Closure<F>>; 3])
}

/// As [`plain1`], with two inputs.
pub fn plain2<A: Copy + 'static, B: Copy + 'static, R: 'static, F: Fn(A, B) -> R + Copy + 'static>(_: F) -> Kernels {
    Kernels([base2::<A, B, R, Closure<F>>; 3])
}

/// A function of one element that holds for ordinary elements, and what replaces it for the others.
pub trait Repaired1<T>: 'static {
    /// Applies the fast function; always inlined.
    fn fast(a: T) -> T;
    /// Whether the fast function does not apply; always inlined.
    fn is_special(a: T) -> bool;
    /// What holds then.
    fn slow(a: T) -> T;
}

/// As [`Repaired1`], of two elements.
pub trait Repaired2<T>: 'static {
    /// Applies the fast function; always inlined.
    fn fast(a: T, b: T) -> T;
    /// Whether the fast function does not apply; always inlined.
    fn is_special(a: T, b: T) -> bool;
    /// What holds then.
    fn slow(a: T, b: T) -> T;
}

macro_rules! make_repaired {
    ($map:ident, $function:ident, $base:ident, $avx2:ident, $avx512:ident, $body:ident, $($in:ident),+) => {
        #[inline(always)]
        unsafe fn $body<T: Copy, F: $function<T>>(a: *const u8, b: *const u8, out: *mut u8, n: usize) {
            let mut pointers = [a, b].into_iter();
            $(let $in = pointers.next().unwrap_or(std::ptr::dangling()).cast::<T>();)+
            let out = out.cast::<T>();
            let mut special = false;
            for i in 0..n {
                // SAFETY: the contract of `Kernel`: every used pointer is valid for n elements of its type.
                unsafe {
                    special |= F::is_special($($in.add(i).read()),+);
                    out.add(i).write(F::fast($($in.add(i).read()),+));
                }
            }
            if special {
                for i in 0..n {
                    // SAFETY: as above.
                    unsafe {
                        if F::is_special($($in.add(i).read()),+) {
                            out.add(i).write(F::slow($($in.add(i).read()),+));
                        }
                    }
                }
            }
        }

        unsafe fn $base<T: Copy, F: $function<T>>(a: *const u8, b: *const u8, _: *const u8, out: *mut u8, n: usize) {
            // SAFETY: passed on unchanged.
            unsafe { $body::<T, F>(a, b, out, n) }
        }

        #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,f16c")]
        unsafe fn $avx2<T: Copy, F: $function<T>>(a: *const u8, b: *const u8, _: *const u8, out: *mut u8, n: usize) {
            // SAFETY: passed on unchanged.
            unsafe { $body::<T, F>(a, b, out, n) }
        }

        #[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx512cd,avx2,fma,bmi1,bmi2,lzcnt,popcnt,f16c")]
        unsafe fn $avx512<T: Copy, F: $function<T>>(a: *const u8, b: *const u8, _: *const u8, out: *mut u8, n: usize) {
            // SAFETY: passed on unchanged.
            unsafe { $body::<T, F>(a, b, out, n) }
        }

        /// A loop over the fast function that afterwards repairs the elements for which it does not hold.
        pub fn $map<T: Copy + 'static, F: $function<T>>() -> Kernels {
            Kernels([$base::<T, F>, $avx2::<T, F>, $avx512::<T, F>])
        }
    };
}

make_repaired!(repaired1, Repaired1, repaired_base1, repaired_avx2_1, repaired_avx512_1, repaired_body1, a);
make_repaired!(repaired2, Repaired2, repaired_base2, repaired_avx2_2, repaired_avx512_2, repaired_body2, a, b);

/// As [`plain1`], with three inputs.
pub fn plain3<A: Copy + 'static, B: Copy + 'static, C: Copy + 'static, R: 'static, F>(_: F) -> Kernels
where
    F: Fn(A, B, C) -> R + Copy + 'static,
{
    Kernels([base3::<A, B, C, R, Closure<F>>; 3])
}
