//! Hyperbolic functions and their inverses in double precision.

use super::double::{exp, expm1, log, log1p};

#[inline(always)]
fn with_sign_of(magnitude: f64, x: f64) -> f64 {
    magnitude.copysign(x)
}

/// `sinh(x)`.
#[inline(always)]
pub fn sinh(x: f64) -> f64 {
    let a = x.abs();
    let e = expm1(if a > 700.0 { 700.0 } else { a });
    let near = 0.5 * (e + e / (e + 1.0));
    let half = exp(0.5 * a);
    let far = (0.5 * half) * half;
    let result = if a > 22.0 { far } else { near };
    let result = if x != x { x } else { result };
    with_sign_of(if a < 1e-150 { a } else { result }, x)
}

/// `cosh(x)`.
#[inline(always)]
pub fn cosh(x: f64) -> f64 {
    let a = x.abs();
    let half = exp(0.5 * a);
    let e = half * half;
    let near = exp(if a > 30.0 { 30.0 } else { a });
    let near = 0.5 * (near + 1.0 / near);
    let far = (0.5 * half) * half;
    let _ = e;
    if a > 22.0 { far } else { near }
}

/// `tanh(x)`.
#[inline(always)]
pub fn tanh(x: f64) -> f64 {
    let a = x.abs();
    let e = expm1(-2.0 * if a > 30.0 { 30.0 } else { a });
    let result = -e / (e + 2.0);
    let result = if a < 1e-150 { a } else { result };
    let result = if x != x { x } else { result };
    with_sign_of(result, x)
}

/// `arcsinh(x)`.
#[inline(always)]
pub fn arcsinh(x: f64) -> f64 {
    let a = x.abs();
    let square = a * a;
    let root = (1.0 + square).sqrt();
    let near = log1p(a + square / (1.0 + root));
    let far = log(a) + std::f64::consts::LN_2;
    let result = if a > 134217728.0 { far } else { near };
    let result = if a < 1e-150 { a } else { result };
    with_sign_of(if x != x { x } else { result }, x)
}

/// `arccosh(x)`.
#[inline(always)]
pub fn arccosh(x: f64) -> f64 {
    let t = x - 1.0;
    let near = log1p(t + (2.0 * t + t * t).sqrt());
    let far = log(x) + std::f64::consts::LN_2;
    let result = if x > 134217728.0 { far } else { near };
    if x < 1.0 { f64::NAN } else { result }
}

/// `arctanh(x)`.
#[inline(always)]
pub fn arctanh(x: f64) -> f64 {
    let a = x.abs();
    let result = 0.5 * log1p((a + a) / (1.0 - a));
    let result = if a < 1e-150 { a } else { result };
    let result = if a > 1.0 { f64::NAN } else { result };
    with_sign_of(if x != x { x } else { result }, x)
}
