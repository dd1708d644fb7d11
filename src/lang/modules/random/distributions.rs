//! Floats by distribution: the algorithms of CPython's `random`, each drawing in the same order.

use std::f64::consts::{E, PI, TAU};

use super::{Generator, receiver};
use crate::lang::native::{Args, Method, method};
use crate::lang::raise::{Fallible, value_error, zero_division_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

pub(super) const METHODS: &[Method] = &[
    method(
        "uniform",
        "(self, a, b)",
        "Get a random number in the range [a, b) or [a, b] depending on rounding.",
        |vm, args| {
            let (a, b) = (float(vm, args, 1, None)?, float(vm, args, 2, None)?);
            let u = receiver(vm, args)?.float();
            Ok(Value::Float(a + (b - a) * u))
        },
    ),
    method("triangular", "(self, low=0.0, high=1.0, mode=None)", "Triangular distribution.", triangular),
    method("gauss", "(self, mu=0.0, sigma=1.0)", "Gaussian distribution.", gauss),
    method("normalvariate", "(self, mu=0.0, sigma=1.0)", "Normal distribution.", |vm, args| {
        let (mu, sigma) = (float(vm, args, 1, Some(0.0))?, float(vm, args, 2, Some(1.0))?);
        Ok(Value::Float(mu + standard_normal(vm, args)? * sigma))
    }),
    method("lognormvariate", "(self, mu=0.0, sigma=1.0)", "Log normal distribution.", |vm, args| {
        let (mu, sigma) = (float(vm, args, 1, Some(0.0))?, float(vm, args, 2, Some(1.0))?);
        Ok(Value::Float((mu + standard_normal(vm, args)? * sigma).exp()))
    }),
    method("expovariate", "(self, lambd)", "Exponential distribution.", |vm, args| {
        let rate = float(vm, args, 1, None)?;
        let u = receiver(vm, args)?.float();
        if rate == 0.0 {
            return Err(zero_division_error("float division by zero"));
        }
        Ok(Value::Float(-(1.0 - u).ln() / rate))
    }),
    method("vonmisesvariate", "(self, mu, kappa)", "Circular data distribution.", von_mises),
    method("gammavariate", "(self, alpha, beta)", "Gamma distribution.  Not the gamma function!", |vm, args| {
        let (alpha, beta) = (float(vm, args, 1, None)?, float(vm, args, 2, None)?);
        if alpha <= 0.0 || beta <= 0.0 {
            return Err(value_error("gammavariate: alpha and beta must be > 0.0"));
        }
        Ok(Value::Float(gamma(&*receiver(vm, args)?, alpha, beta)))
    }),
    method("betavariate", "(self, alpha, beta)", "Beta distribution.", |vm, args| {
        let (alpha, beta) = (float(vm, args, 1, None)?, float(vm, args, 2, None)?);
        if alpha <= 0.0 || beta <= 0.0 {
            return Err(value_error("gammavariate: alpha and beta must be > 0.0"));
        }
        let generator = receiver(vm, args)?;
        let y = gamma(&generator, alpha, 1.0);
        Ok(Value::Float(if y == 0.0 { 0.0 } else { y / (y + gamma(&generator, beta, 1.0)) }))
    }),
    method("paretovariate", "(self, alpha)", "Pareto distribution.  alpha is the shape parameter.", |vm, args| {
        let alpha = float(vm, args, 1, None)?;
        let u = 1.0 - receiver(vm, args)?.float();
        if alpha == 0.0 {
            return Err(zero_division_error("float division by zero"));
        }
        Ok(Value::Float(u.powf(-1.0 / alpha)))
    }),
    method("weibullvariate", "(self, alpha, beta)", "Weibull distribution.", |vm, args| {
        let (alpha, beta) = (float(vm, args, 1, None)?, float(vm, args, 2, None)?);
        let u = 1.0 - receiver(vm, args)?.float();
        if beta == 0.0 {
            return Err(zero_division_error("float division by zero"));
        }
        Ok(Value::Float(alpha * (-u.ln()).powf(1.0 / beta)))
    }),
];

fn float(vm: &mut Vm, args: Args, index: usize, default: Option<f64>) -> Fallible<f64> {
    match (args.optional(vm, index), default) {
        (None, Some(default)) => Ok(default),
        (value, _) => vm.float(&value.unwrap_or(Value::None)),
    }
}

fn triangular(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (mut low, mut high) = (float(vm, args, 1, Some(0.0))?, float(vm, args, 2, Some(1.0))?);
    let mode = args.not_none(vm, 3);
    let mut u = receiver(vm, args)?.float();
    let mut c = match mode {
        None => 0.5,
        Some(_) if high == low => return Ok(Value::Float(low)),
        Some(mode) => (vm.float(&mode)? - low) / (high - low),
    };
    if u > c {
        u = 1.0 - u;
        c = 1.0 - c;
        std::mem::swap(&mut low, &mut high);
    }
    Ok(Value::Float(low + (high - low) * (u * c).sqrt()))
}

/// Two numbers a draw (Box and Muller); the second waits for the next call.
fn gauss(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (mu, sigma) = (float(vm, args, 1, Some(0.0))?, float(vm, args, 2, Some(1.0))?);
    let generator = receiver(vm, args)?;
    let z = match generator.gauss_next.take() {
        Some(z) => z,
        None => {
            let angle = generator.float() * TAU;
            let radius = (-2.0 * (1.0 - generator.float()).ln()).sqrt();
            generator.gauss_next.set(Some(angle.sin() * radius));
            angle.cos() * radius
        }
    };
    Ok(Value::Float(mu + z * sigma))
}

/// Kinderman and Monahan's ratio of uniform deviates.
fn standard_normal(vm: &mut Vm, args: Args) -> Fallible<f64> {
    let generator = receiver(vm, args)?;
    let magic = 4.0 * (-0.5_f64).exp() / 2.0_f64.sqrt();
    loop {
        let u = generator.float();
        let v = 1.0 - generator.float();
        let z = magic * (u - 0.5) / v;
        if z * z / 4.0 <= -v.ln() {
            return Ok(z);
        }
    }
}

fn von_mises(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (mu, kappa) = (float(vm, args, 1, None)?, float(vm, args, 2, None)?);
    let generator = receiver(vm, args)?;
    if kappa <= 1e-6 {
        return Ok(Value::Float(TAU * generator.float()));
    }
    let s = 0.5 / kappa;
    let r = s + (1.0 + s * s).sqrt();
    let z = loop {
        let z = (PI * generator.float()).cos();
        let d = z / (r + z);
        let u = generator.float();
        if u < 1.0 - d * d || u <= (1.0 - d) * d.exp() {
            break z;
        }
    };
    let q = 1.0 / r;
    let f = (q + z) / (1.0 + q * z);
    let angle = if generator.float() > 0.5 { mu + f.acos() } else { mu - f.acos() };
    Ok(Value::Float(angle.rem_euclid(TAU)))
}

/// Cheng's method above 1, an exponential at 1, Ahrens and Dieter's GS below.
fn gamma(generator: &Generator, alpha: f64, beta: f64) -> f64 {
    if alpha > 1.0 {
        let ainv = (2.0 * alpha - 1.0).sqrt();
        let b = alpha - 4.0_f64.ln();
        let c = alpha + ainv;
        let magic = 1.0 + 4.5_f64.ln();
        loop {
            let u1 = generator.float();
            if !(1e-7 < u1 && u1 < 0.999_999_9) {
                continue;
            }
            let u2 = 1.0 - generator.float();
            let v = (u1 / (1.0 - u1)).ln() / ainv;
            let x = alpha * v.exp();
            let z = u1 * u1 * u2;
            let r = b + c * v - x;
            if r + magic - 4.5 * z >= 0.0 || r >= z.ln() {
                return x * beta;
            }
        }
    }
    if alpha == 1.0 {
        return -(1.0 - generator.float()).ln() * beta;
    }
    loop {
        let b = (E + alpha) / E;
        let p = b * generator.float();
        let x = if p <= 1.0 { p.powf(1.0 / alpha) } else { -((b - p) / alpha).ln() };
        let u = generator.float();
        let accept = if p > 1.0 { u <= x.powf(alpha - 1.0) } else { u <= (-x).exp() };
        if accept {
            return x * beta;
        }
    }
}
