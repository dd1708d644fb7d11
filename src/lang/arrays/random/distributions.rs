//! Distributions with parameters: one list gives the module's functions and the methods of streams.

use super::stream::Drawing;
use crate::arrays::array::{Alloc, Array};
use crate::arrays::error::ArrayError;
use crate::arrays::functions::random::{Generator, RealDistribution, WholeDistribution};
use crate::lang::arrays::error::raised;
use crate::lang::arrays::{nested, pending};
use crate::lang::native::{Method, method};
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Declares a function of the module and the method of the same name over one body. A module's function takes, after its
/// own parameters, where the result goes.
macro_rules! drawn {
    (module $name:literal, $signature:expr, $doc:literal, $body:expr) => {
        method(
            $name,
            concat!("(", $signature, ", device=None, usm_type='device', sycl_queue=None)"),
            $doc,
            |vm, args| {
                let drawing = Drawing::of_module(vm, args)?;
                $body(vm, &drawing)
            },
        )
    };
    (plain $name:literal, $signature:expr, $doc:literal, $body:expr) => {
        method($name, concat!("(", $signature, ")"), $doc, |vm, args| {
            let drawing = Drawing::of_plain_module(args)?;
            $body(vm, &drawing)
        })
    };
    (method $name:literal, $signature:expr, $doc:literal, $body:expr) => {
        method($name, concat!("(self, ", $signature, ")"), $doc, |vm, args| {
            let drawing = Drawing::of_method(vm, args)?;
            $body(vm, &drawing)
        })
    };
}
pub(super) use drawn;

/// Both tables of the distributions, from one list.
macro_rules! distributions {
    ($($family:ident $name:literal, $signature:literal, $doc:literal, $defaults:expr, $make:expr;)*) => {
        /// The distributions as functions of the module.
        pub const MODULE_DISTRIBUTIONS: &[Method] = &[$(
            drawn!(module $name, concat!($signature, ", size=None"), $doc, |vm: &mut Vm, drawing: &Drawing| {
                $family(vm, drawing, &$defaults, $make)
            })
        ),*];
        /// The distributions as methods of a stream.
        pub const DISTRIBUTIONS: &[Method] = &[$(
            drawn!(method $name, concat!($signature, ", size=None"), $doc, |vm: &mut Vm, drawing: &Drawing| {
                $family(vm, drawing, &$defaults, $make)
            })
        ),*];
    };
}

distributions! {
    real "uniform", "low=0.0, high=1.0", "Uniform on [low, high).", [0.0, 1.0], |p: &[f64]| RealDistribution::Uniform { low: p[0], width: p[1] - p[0] };
    real "normal", "loc=0.0, scale=1.0", "Normal distribution.", [0.0, 1.0], |p: &[f64]| RealDistribution::Normal { mean: p[0], deviation: p[1] };
    real "lognormal", "mean=0.0, sigma=1.0", "Log-normal distribution.", [0.0, 1.0], |p: &[f64]| RealDistribution::Lognormal { mean: p[0], deviation: p[1] };
    real "exponential", "scale=1.0", "Exponential distribution.", [1.0], |p: &[f64]| RealDistribution::Exponential { scale: p[0] };
    real "gamma", "shape, scale=1.0", "Gamma distribution.", [f64::NAN, 1.0], |p: &[f64]| RealDistribution::Gamma { shape: p[0], scale: p[1] };
    real "beta", "a, b", "Beta distribution.", [f64::NAN, f64::NAN], |p: &[f64]| RealDistribution::Beta { a: p[0], b: p[1] };
    real "chisquare", "df", "Chi-square distribution.", [f64::NAN], |p: &[f64]| RealDistribution::Chisquare { df: p[0] };
    real "noncentral_chisquare", "df, nonc", "Non-central chi-square distribution.", [f64::NAN, f64::NAN], |p: &[f64]| RealDistribution::NoncentralChisquare { df: p[0], nonc: p[1] };
    real "f", "dfnum, dfden", "F distribution.", [f64::NAN, f64::NAN], |p: &[f64]| RealDistribution::F { dfnum: p[0], dfden: p[1] };
    real "noncentral_f", "dfnum, dfden, nonc", "Non-central F distribution.", [f64::NAN, f64::NAN, f64::NAN], |p: &[f64]| RealDistribution::NoncentralF { dfnum: p[0], dfden: p[1], nonc: p[2] };
    real "standard_t", "df", "Student's t distribution.", [f64::NAN], |p: &[f64]| RealDistribution::StudentT { df: p[0] };
    real "laplace", "loc=0.0, scale=1.0", "Laplace distribution.", [0.0, 1.0], |p: &[f64]| RealDistribution::Laplace { loc: p[0], scale: p[1] };
    real "logistic", "loc=0.0, scale=1.0", "Logistic distribution.", [0.0, 1.0], |p: &[f64]| RealDistribution::Logistic { loc: p[0], scale: p[1] };
    real "gumbel", "loc=0.0, scale=1.0", "Gumbel distribution.", [0.0, 1.0], |p: &[f64]| RealDistribution::Gumbel { loc: p[0], scale: p[1] };
    real "weibull", "a", "Weibull distribution.", [f64::NAN], |p: &[f64]| RealDistribution::Weibull { a: p[0] };
    real "pareto", "a", "Pareto distribution.", [f64::NAN], |p: &[f64]| RealDistribution::Pareto { a: p[0] };
    real "power", "a", "Power distribution.", [f64::NAN], |p: &[f64]| RealDistribution::Power { a: p[0] };
    real "rayleigh", "scale=1.0", "Rayleigh distribution.", [1.0], |p: &[f64]| RealDistribution::Rayleigh { scale: p[0] };
    real "triangular", "left, mode, right", "Triangular distribution.", [f64::NAN, f64::NAN, f64::NAN], |p: &[f64]| RealDistribution::Triangular { left: p[0], mode: p[1], right: p[2] };
    real "wald", "mean, scale", "Inverse Gaussian distribution.", [f64::NAN, f64::NAN], |p: &[f64]| RealDistribution::Wald { mean: p[0], scale: p[1] };
    real "vonmises", "mu, kappa", "Von Mises distribution.", [f64::NAN, f64::NAN], |p: &[f64]| RealDistribution::VonMises { mu: p[0], kappa: p[1] };
    whole "poisson", "lam=1.0", "Poisson distribution.", [1.0], |p: &[f64]| WholeDistribution::Poisson { lam: p[0] };
    whole "binomial", "n, p", "Binomial distribution.", [f64::NAN, f64::NAN], |p: &[f64]| WholeDistribution::Binomial { n: p[0] as i64, p: p[1] };
    whole "negative_binomial", "n, p", "Negative binomial distribution.", [f64::NAN, f64::NAN], |p: &[f64]| WholeDistribution::NegativeBinomial { n: p[0], p: p[1] };
    whole "geometric", "p", "Geometric distribution.", [f64::NAN], |p: &[f64]| WholeDistribution::Geometric { p: p[0] };
    whole "zipf", "a", "Zipf distribution.", [f64::NAN], |p: &[f64]| WholeDistribution::Zipf { a: p[0] };
    whole "logseries", "p", "Logarithmic series distribution.", [f64::NAN], |p: &[f64]| WholeDistribution::Logseries { p: p[0] };
}

/// A parameter of a distribution: a number, or an array of them.
enum Parameter {
    Number(f64),
    Each(Array),
}

fn parameters(vm: &mut Vm, drawing: &Drawing, defaults: &[f64]) -> Fallible<Vec<Parameter>> {
    let mut parameters = Vec::with_capacity(defaults.len());
    for (index, default) in defaults.iter().enumerate() {
        parameters.push(match drawing.value(vm, index) {
            None => Parameter::Number(*default),
            Some(value @ (Value::Array(_) | Value::List(_) | Value::Tuple(_))) => {
                let array = match &value {
                    Value::Array(array) => pending::compute(vm, array)?,
                    other => nested::host_array(vm, other)?,
                };
                Parameter::Each(array)
            }
            Some(value) => Parameter::Number(vm.float(&value)?),
        });
    }
    Ok(parameters)
}

/// All parameters as numbers, nothing when one is an array.
fn numbers(parameters: &[Parameter]) -> Option<Vec<f64>> {
    parameters
        .iter()
        .map(|parameter| match parameter {
            Parameter::Number(number) => Some(*number),
            Parameter::Each(_) => None,
        })
        .collect()
}

fn arrays(parameters: &[Parameter]) -> Fallible<Vec<Array>> {
    parameters
        .iter()
        .map(|parameter| match parameter {
            Parameter::Number(number) => Array::from_slice(&[*number], &[], &Alloc::HOST).map_err(raised),
            Parameter::Each(array) => Ok(array.clone()),
        })
        .collect()
}

fn real(vm: &mut Vm, drawing: &Drawing, defaults: &[f64], make: fn(&[f64]) -> RealDistribution) -> Fallible<Value> {
    let dtype = |alloc: &Alloc| drawing.default_dtype(alloc);
    drawn_from(
        vm,
        drawing,
        defaults,
        |generator, numbers, lengths, alloc| generator.real(make(numbers), lengths, dtype(alloc), alloc),
        |generator, arrays, shape, alloc| generator.real_each(arrays, shape, dtype(alloc), alloc, make),
    )
}

fn whole(vm: &mut Vm, drawing: &Drawing, defaults: &[f64], make: fn(&[f64]) -> WholeDistribution) -> Fallible<Value> {
    drawn_from(
        vm,
        drawing,
        defaults,
        |generator, numbers, lengths, alloc| generator.whole(make(numbers), lengths, alloc),
        |generator, arrays, shape, alloc| generator.whole_each(arrays, shape, alloc, make),
    )
}

/// Draws `alike` with one set of parameters for all elements, or `each` where a parameter is an array.
fn drawn_from(
    vm: &mut Vm,
    drawing: &Drawing,
    defaults: &[f64],
    alike: impl Fn(&mut Generator, &[f64], &[usize], &Alloc) -> Result<Array, ArrayError>,
    each: impl Fn(&mut Generator, &[&Array], Option<&[usize]>, &Alloc) -> Result<Array, ArrayError>,
) -> Fallible<Value> {
    let parameters = parameters(vm, drawing, defaults)?;
    let shape = drawing.shape(vm, defaults.len())?;
    let alloc = drawing.alloc(vm)?;
    let array = match numbers(&parameters) {
        Some(numbers) => {
            let lengths = shape.as_deref().unwrap_or_default();
            drawing.draw(vm, |generator| alike(generator, &numbers, lengths, &alloc))?
        }
        None => {
            let arrays = arrays(&parameters)?;
            let arrays: Vec<&Array> = arrays.iter().collect();
            drawing.draw(vm, |generator| each(generator, &arrays, shape.as_deref(), &alloc))?
        }
    };
    let is_single = shape.is_none() && array.rank() == 0;
    drawing.give(array, is_single)
}
