//! `cmath`: functions of complex numbers, with the branch cuts of C99.

use num_complex::Complex64;

use super::math;
use super::support::{new_module, set};
use crate::lang::heap::Ref;
use crate::lang::native::{Args, Method, method};
use crate::lang::objects::ModuleObject;
use crate::lang::raise::{Fallible, overflow_error, value_error, zero_division_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// A function of one complex number: name, documentation, what computes it.
type Row = (&'static str, &'static str, fn(Complex64) -> Complex64);

const UNARY: &[Row] = &[
    ("acos", "Return the arc cosine of z.", |z| z.acos()),
    ("acosh", "Return the inverse hyperbolic cosine of z.", |z| z.acosh()),
    ("asin", "Return the arc sine of z.", |z| z.asin()),
    ("asinh", "Return the inverse hyperbolic sine of z.", |z| z.asinh()),
    ("atan", "Return the arc tangent of z.", |z| z.atan()),
    ("atanh", "Return the inverse hyperbolic tangent of z.", |z| z.atanh()),
    ("cos", "Return the cosine of z.", |z| Complex64::new(z.re.cos() * z.im.cosh(), -(z.re.sin() * z.im.sinh()))),
    ("cosh", "Return the hyperbolic cosine of z.", |z| {
        Complex64::new(z.im.cos() * z.re.cosh(), z.im.sin() * z.re.sinh())
    }),
    ("exp", "Return the exponential value e**z.", |z| {
        let size = z.re.exp();
        Complex64::new(size * z.im.cos(), size * z.im.sin())
    }),
    ("log10", "Return the base-10 logarithm of z.", |z| {
        let found = log(z);
        Complex64::new(found.re / std::f64::consts::LN_10, found.im / std::f64::consts::LN_10)
    }),
    ("sin", "Return the sine of z.", |z| Complex64::new(z.re.sin() * z.im.cosh(), z.re.cos() * z.im.sinh())),
    ("sinh", "Return the hyperbolic sine of z.", |z| {
        Complex64::new(z.im.cos() * z.re.sinh(), z.im.sin() * z.re.cosh())
    }),
    ("sqrt", "Return the square root of z.", sqrt),
    ("tan", "Return the tangent of z.", |z| z.tan()),
    ("tanh", "Return the hyperbolic tangent of z.", |z| z.tanh()),
];

const FUNCTIONS: &[Method] = &[
    method("log", "(z, base=None, /)", "log(z[, base]) -> the logarithm of z to the given base.", |vm, args| {
        let z = argument(vm, args, 0)?;
        if z.re == 0.0 && z.im == 0.0 {
            return Err(value_error("math domain error"));
        }
        let numerator = log(z);
        if args.not_none(vm, 1).is_none() {
            return Ok(value(numerator));
        }
        let denominator = log(argument(vm, args, 1)?);
        if denominator.re == 0.0 && denominator.im == 0.0 {
            return Err(zero_division_error("complex division by zero"));
        }
        Ok(value(numerator / denominator))
    }),
    method("phase", "(z, /)", "Return argument, also known as the phase angle, of a complex.", |vm, args| {
        let z = argument(vm, args, 0)?;
        Ok(Value::Float(z.im.atan2(z.re)))
    }),
    method("polar", "(z, /)", "Convert a complex from rectangular coordinates to polar coordinates.", |vm, args| {
        let z = argument(vm, args, 0)?;
        Ok(Value::tuple([Value::Float(z.re.hypot(z.im)), Value::Float(z.im.atan2(z.re))]))
    }),
    method("rect", "(r, phi, /)", "Convert from polar coordinates to rectangular coordinates.", |vm, args| {
        let (radius, angle) = (args.get(vm, 0), args.get(vm, 1));
        let (radius, angle) = (vm.float(&radius)?, vm.float(&angle)?);
        Ok(Value::complex(radius * angle.cos(), if angle == 0.0 { radius * angle } else { radius * angle.sin() }))
    }),
    method(
        "isfinite",
        "(z, /)",
        "Return True if both the real and imaginary parts of z are finite, else False.",
        |vm, args| {
            let z = argument(vm, args, 0)?;
            Ok((z.re.is_finite() && z.im.is_finite()).into())
        },
    ),
    method("isinf", "(z, /)", "Checks if the real or imaginary part of z is infinite.", |vm, args| {
        let z = argument(vm, args, 0)?;
        Ok((z.re.is_infinite() || z.im.is_infinite()).into())
    }),
    method("isnan", "(z, /)", "Checks if the real or imaginary part of z not a number (NaN).", |vm, args| {
        let z = argument(vm, args, 0)?;
        Ok((z.re.is_nan() || z.im.is_nan()).into())
    }),
    method(
        "isclose",
        "(a, b, *, rel_tol=1e-09, abs_tol=0.0)",
        "Determine whether two complex numbers are close in value.",
        |vm, args| {
            let (a, b) = (argument(vm, args, 0)?, argument(vm, args, 1)?);
            let tolerance = |vm: &mut Vm, index: usize, default: f64| match args.optional(vm, index) {
                Some(value) => vm.float(&value),
                None => Ok(default),
            };
            let (relative, absolute) = (tolerance(vm, 2, 1e-9)?, tolerance(vm, 3, 0.0)?);
            let is_infinite = |z: Complex64| z.re.is_infinite() || z.im.is_infinite();
            math::close(a, b, relative, absolute, (a - b).norm(), is_infinite(a) || is_infinite(b), a.norm(), b.norm())
        },
    ),
];

/// Builds the module.
pub fn build(_vm: &mut Vm) -> Fallible<Ref<ModuleObject>> {
    let module =
        new_module("cmath", "This module provides access to mathematical functions for complex\nnumbers.", FUNCTIONS);
    for (row, (name, doc, _)) in UNARY.iter().enumerate() {
        let function = method(name, "(z, /)", doc, unary).with_row(row).build(None, Some(module.name));
        set(&module, name, Value::Native(function));
    }
    set(&module, "pi", std::f64::consts::PI);
    set(&module, "e", std::f64::consts::E);
    set(&module, "tau", std::f64::consts::TAU);
    set(&module, "inf", f64::INFINITY);
    set(&module, "nan", f64::NAN);
    set(&module, "infj", Value::complex(0.0, f64::INFINITY));
    set(&module, "nanj", Value::complex(0.0, f64::NAN));
    Ok(module)
}

fn value(z: Complex64) -> Value {
    Value::complex(z.re, z.im)
}

fn argument(vm: &mut Vm, args: Args, index: usize) -> Fallible<Complex64> {
    let given = args.get(vm, index);
    if let Value::Complex(z) = super::support::unwrap_payload(&given) {
        return Ok(Complex64::new(z.re, z.im));
    }
    if let Some(method) = vm.find_special(&given, crate::lang::name::names::COMPLEX)
        && let Value::Complex(z) = vm.call(&method, &[])?
    {
        return Ok(Complex64::new(z.re, z.im));
    }
    Ok(Complex64::new(vm.float(&given)?, 0.0))
}

fn log(z: Complex64) -> Complex64 {
    Complex64::new(z.re.hypot(z.im).ln(), z.im.atan2(z.re))
}

/// The square root with a non-negative real part, scaled so that nothing overflows.
fn sqrt(z: Complex64) -> Complex64 {
    if z.re == 0.0 && z.im == 0.0 {
        return Complex64::new(0.0, z.im);
    }
    if z.im.is_infinite() {
        return Complex64::new(f64::INFINITY, z.im);
    }
    let (x, y) = (z.re.abs() / 8.0, z.im.abs());
    let s = 2.0 * (x + x.hypot(y / 8.0)).sqrt();
    let d = y / (2.0 * s);
    if z.re >= 0.0 { Complex64::new(s, d.copysign(z.im)) } else { Complex64::new(d, s.copysign(z.im)) }
}

fn unary(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let z = argument(vm, args, 0)?;
    let (name, _, function) = UNARY[args.row];
    let is_pole = match name {
        "log10" => z.re == 0.0 && z.im == 0.0,
        "atanh" => z.im == 0.0 && z.re.abs() == 1.0,
        "atan" => z.re == 0.0 && z.im.abs() == 1.0,
        _ => false,
    };
    if is_pole {
        return Err(value_error("math domain error"));
    }
    let result = function(z);
    if z.re.is_finite() && z.im.is_finite() && !(result.re.is_finite() && result.im.is_finite()) {
        return Err(overflow_error("math range error"));
    }
    Ok(value(result))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_lie_in_the_right_half_plane() {
        assert_eq!(sqrt(Complex64::new(-4.0, 0.0)), Complex64::new(0.0, 2.0));
        assert_eq!(sqrt(Complex64::new(-4.0, -0.0)), Complex64::new(0.0, -2.0));
        assert_eq!(sqrt(Complex64::new(3.0, 4.0)), Complex64::new(2.0, 1.0));
    }
}
