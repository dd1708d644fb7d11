//! Kernels over complex64 and complex128. Arithmetic stays in the element's own precision; transcendental functions
//! of complex64 go through complex128.

use super::super::kernel::{Kernels, map1, map2, plain1, plain2, plain3};
use super::float::Real;
use crate::arrays::op::Op;
use num_complex::Complex;

mod functions;

type Z<T> = Complex<T>;

#[inline(always)]
fn has_nan<T: Real>(z: Z<T>) -> bool {
    z.re != z.re || z.im != z.im
}

/// Lexicographic order, as NumPy sorts and compares complex numbers.
#[inline(always)]
fn greater<T: Real>(x: Z<T>, y: Z<T>) -> bool {
    (x.re > y.re && x.im == x.im && y.im == y.im) || (x.re == y.re && x.im > y.im)
}

#[inline(always)]
fn greater_equal<T: Real>(x: Z<T>, y: Z<T>) -> bool {
    (x.re > y.re && x.im == x.im && y.im == y.im) || (x.re == y.re && x.im >= y.im)
}

#[inline(always)]
fn multiply<T: Real>(x: Z<T>, y: Z<T>) -> Z<T> {
    Z { re: x.re * y.re - x.im * y.im, im: x.re * y.im + x.im * y.re }
}

/// Smith's division, in the order of operations that NumPy uses.
#[inline(always)]
fn divide<T: Real>(x: Z<T>, y: Z<T>) -> Z<T> {
    let (re_abs, im_abs) = (y.re.abs(), y.im.abs());
    if re_abs >= im_abs {
        if re_abs == T::ZERO && im_abs == T::ZERO {
            return Z { re: x.re / re_abs, im: x.im / re_abs };
        }
        let ratio = y.im / y.re;
        let scale = T::ONE / (y.re + y.im * ratio);
        Z { re: (x.re + x.im * ratio) * scale, im: (x.im - x.re * ratio) * scale }
    } else {
        let ratio = y.re / y.im;
        let scale = T::ONE / (y.im + y.re * ratio);
        Z { re: (x.re * ratio + x.im) * scale, im: (x.im * ratio - x.re) * scale }
    }
}

#[inline(always)]
fn reciprocal<T: Real>(z: Z<T>) -> Z<T> {
    if z.im.abs() <= z.re.abs() {
        let ratio = z.im / z.re;
        let scale = z.re + z.im * ratio;
        Z { re: T::ONE / scale, im: -ratio / scale }
    } else {
        let ratio = z.re / z.im;
        let scale = z.re * ratio + z.im;
        Z { re: ratio / scale, im: -T::ONE / scale }
    }
}

fn sign<T: Real>(z: Z<T>) -> Z<T> {
    let modulus = z.re.hypot(z.im);
    if modulus != modulus {
        return Z { re: T::NAN, im: T::NAN };
    }
    if modulus == T::INFINITY {
        return match (z.re.abs() == T::INFINITY, z.im.abs() == T::INFINITY) {
            (true, true) => Z { re: T::NAN, im: T::NAN },
            (true, false) => Z { re: T::ONE.copysign(z.re), im: T::ZERO },
            (false, _) => Z { re: T::ZERO, im: T::ONE.copysign(z.im) },
        };
    }
    if modulus == T::ZERO {
        return Z { re: T::ZERO, im: T::ZERO };
    }
    Z { re: z.re / modulus, im: z.im / modulus }
}

fn through<T: Real>(z: Z<T>, f: impl Fn(Z<f64>) -> Z<f64>) -> Z<T> {
    let result = f(Z { re: z.re.to_f64(), im: z.im.to_f64() });
    Z { re: T::from_f64(result.re), im: T::from_f64(result.im) }
}

fn power<T: Real>(x: Z<T>, y: Z<T>) -> Z<T> {
    let exponent = Z { re: y.re.to_f64(), im: y.im.to_f64() };
    through(x, |base| functions::power(base, exponent))
}

fn projection<T: Real>(z: Z<T>) -> Z<T> {
    if z.re.abs() == T::INFINITY || z.im.abs() == T::INFINITY {
        Z { re: T::INFINITY, im: T::ZERO.copysign(z.im) }
    } else {
        z
    }
}

pub(super) fn find<T: Real>(op: Op) -> Option<Kernels> {
    Some(match op {
        Op::Add => map2(|x: Z<T>, y: Z<T>| Z { re: x.re + y.re, im: x.im + y.im }),
        Op::Subtract => map2(|x: Z<T>, y: Z<T>| Z { re: x.re - y.re, im: x.im - y.im }),
        Op::Multiply => map2(multiply::<T>),
        Op::Divide => map2(divide::<T>),
        Op::Power | Op::FloatPower => plain2(power::<T>),
        Op::Maximum => map2(|x: Z<T>, y: Z<T>| if greater(x, y) || has_nan(x) { x } else { y }),
        Op::Minimum => map2(|x: Z<T>, y: Z<T>| if greater(y, x) || has_nan(x) { x } else { y }),
        Op::Fmax => map2(|x: Z<T>, y: Z<T>| if greater(x, y) || has_nan(y) { x } else { y }),
        Op::Fmin => map2(|x: Z<T>, y: Z<T>| if greater(y, x) || has_nan(y) { x } else { y }),
        Op::LogicalAnd => {
            map2(|x: Z<T>, y: Z<T>| (x.re != T::ZERO || x.im != T::ZERO) && (y.re != T::ZERO || y.im != T::ZERO))
        }
        Op::LogicalOr => {
            map2(|x: Z<T>, y: Z<T>| x.re != T::ZERO || x.im != T::ZERO || y.re != T::ZERO || y.im != T::ZERO)
        }
        Op::LogicalXor => {
            map2(|x: Z<T>, y: Z<T>| (x.re != T::ZERO || x.im != T::ZERO) != (y.re != T::ZERO || y.im != T::ZERO))
        }
        Op::Equal => map2(|x: Z<T>, y: Z<T>| x.re == y.re && x.im == y.im),
        Op::NotEqual => map2(|x: Z<T>, y: Z<T>| x.re != y.re || x.im != y.im),
        Op::Less => map2(|x: Z<T>, y: Z<T>| greater(y, x)),
        Op::LessEqual => map2(|x: Z<T>, y: Z<T>| greater_equal(y, x)),
        Op::Greater => map2(greater::<T>),
        Op::GreaterEqual => map2(greater_equal::<T>),
        Op::Negative => map1(|z: Z<T>| Z { re: -z.re, im: -z.im }),
        Op::Positive => map1(|z: Z<T>| z),
        Op::Absolute => plain1(|z: Z<T>| z.re.hypot(z.im)),
        Op::Sign => plain1(sign::<T>),
        Op::Square => map1(|z: Z<T>| multiply(z, z)),
        Op::Reciprocal => map1(reciprocal::<T>),
        Op::Conjugate => map1(|z: Z<T>| Z { re: z.re, im: -z.im }),
        Op::Real => map1(|z: Z<T>| z.re),
        Op::Imag => map1(|z: Z<T>| z.im),
        Op::Angle => plain1(|z: Z<T>| z.im.arctan2(z.re)),
        Op::Proj => plain1(projection::<T>),
        Op::LogicalNot => map1(|z: Z<T>| z.re == T::ZERO && z.im == T::ZERO),
        Op::Isnan => map1(has_nan::<T>),
        Op::Isinf => map1(|z: Z<T>| z.re.abs() == T::INFINITY || z.im.abs() == T::INFINITY),
        Op::Isfinite => map1(|z: Z<T>| z.re.abs() < T::INFINITY && z.im.abs() < T::INFINITY),
        Op::Rint => map1(|z: Z<T>| Z { re: z.re.rint(), im: z.im.rint() }),
        Op::Sqrt => plain1(|z: Z<T>| through(z, functions::sqrt)),
        Op::Exp => plain1(|z: Z<T>| through(z, functions::exp)),
        Op::Exp2 => plain1(|z: Z<T>| through(z, functions::exp2)),
        Op::Expm1 => plain1(|z: Z<T>| through(z, functions::expm1)),
        Op::Log => plain1(|z: Z<T>| through(z, functions::log)),
        Op::Log2 => plain1(|z: Z<T>| through(z, functions::log2)),
        Op::Log10 => plain1(|z: Z<T>| through(z, functions::log10)),
        Op::Log1p => plain1(|z: Z<T>| through(z, functions::log1p)),
        Op::Sin => plain1(|z: Z<T>| through(z, functions::sin)),
        Op::Cos => plain1(|z: Z<T>| through(z, functions::cos)),
        Op::Tan => plain1(|z: Z<T>| through(z, functions::tan)),
        Op::Sinh => plain1(|z: Z<T>| through(z, functions::sinh)),
        Op::Cosh => plain1(|z: Z<T>| through(z, functions::cosh)),
        Op::Tanh => plain1(|z: Z<T>| through(z, functions::tanh)),
        Op::Arcsin => plain1(|z: Z<T>| through(z, functions::arcsin)),
        Op::Arccos => plain1(|z: Z<T>| through(z, functions::arccos)),
        Op::Arctan => plain1(|z: Z<T>| through(z, functions::arctan)),
        Op::Arcsinh => plain1(|z: Z<T>| through(z, functions::arcsinh)),
        Op::Arccosh => plain1(|z: Z<T>| through(z, functions::arccosh)),
        Op::Arctanh => plain1(|z: Z<T>| through(z, functions::arctanh)),
        Op::Sinc => plain1(|z: Z<T>| through(z, functions::sinc)),
        Op::Clip => plain3(|z: Z<T>, low: Z<T>, high: Z<T>| {
            let raised = if greater(z, low) || has_nan(z) { z } else { low };
            if greater(high, raised) || has_nan(raised) { raised } else { high }
        }),
        _ => return None,
    })
}
