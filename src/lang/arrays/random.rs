//! `numpy.random` and `dpnp.random`: the module's functions over one global stream a library, `RandomState`, and
//! `default_rng` with its `Generator`.
//!
//! Every function takes the stream as its first, hidden parameter when it is a method, and finds the library's global stream
//! when it is the module's: the tables below serve both.

use std::cell::RefCell;

use num_traits::ToPrimitive;

use crate::arrays::array::{Alloc, Array};
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::functions::random::{Family, Generator, RealDistribution, WholeDistribution, seed_words};
use crate::lang::arrays::call::{Call, FLAVOURS};
use crate::lang::arrays::convert::{python_value, result_value, shape_argument};
use crate::lang::arrays::error::raised;
use crate::lang::arrays::{library, nested, operators, pending};
use crate::lang::builtins::classes::{Builtin, attach, builtin_class, define_class};
use crate::lang::heap::Ref;
use crate::lang::name::Name;
use crate::lang::native::{Args, Method, method, static_method};
use crate::lang::objects::{ArrayFlavour, BytesObject, ClassRef, ModuleObject, NativeData, PayloadKind};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// A `RandomState` or a `Generator`.
#[derive(Debug)]
pub struct GeneratorObject {
    flavour: ArrayFlavour,
    generator: RefCell<Generator>,
}

impl NativeData for GeneratorObject {
    fn class(&self) -> ClassRef {
        match self.generator.borrow().family() {
            Family::Modern => generator_class(),
            Family::Legacy => state_class(),
        }
    }
}

thread_local! {
    static CLASSES: [ClassRef; 2] = {
        let object = builtin_class(Builtin::Object);
        let modern = define_class("Generator", "numpy.random", &object, PayloadKind::Sealed, GENERATOR_METHODS);
        let legacy = define_class("RandomState", "numpy.random", &object, PayloadKind::Sealed, STATE_METHODS);
        attach(&modern, DISTRIBUTIONS);
        attach(&legacy, DISTRIBUTIONS);
        [modern, legacy]
    };
    /// The global stream of each library, seeded from the system at first use.
    static GLOBAL: RefCell<[Option<Value>; 3]> = const { RefCell::new([None, None, None]) };
}

fn generator_class() -> ClassRef {
    CLASSES.with(|classes| classes[0].clone())
}

fn state_class() -> ClassRef {
    CLASSES.with(|classes| classes[1].clone())
}

/// Builds the `random` submodule of a library.
pub fn bind(parent: &Ref<ModuleObject>, flavour: ArrayFlavour) -> Ref<ModuleObject> {
    let module = library::submodule(parent, "random", FUNCTIONS, flavour);
    library::bind_functions(&module, MODULE_DISTRIBUTIONS, flavour);
    module.set(Name::new("Generator"), Value::Class(generator_class()));
    module.set(Name::new("RandomState"), Value::Class(state_class()));
    module
}

/// The stream of a call and where its parameters begin: after `self` in a method, at 0 in the module's function.
struct Drawing {
    stream: Value,
    flavour: ArrayFlavour,
    args: Args,
    first: usize,
}

impl Drawing {
    fn of_method(vm: &Vm, args: Args) -> Fallible<Self> {
        let stream = args.get(vm, 0);
        let Some(object) = as_generator(&stream) else {
            return Err(raise::type_error(format!("expected a random generator, got {}", stream.type_name())));
        };
        Ok(Self { flavour: object.flavour, stream, args, first: 1 })
    }

    fn of_module(args: Args) -> Fallible<Self> {
        let flavour = FLAVOURS[args.row.min(2)];
        Ok(Self { stream: global(flavour)?, flavour, args, first: 0 })
    }

    fn call(&self) -> Call {
        Call { args: self.args, flavour: self.flavour }
    }

    fn place(&self, parameter: usize) -> usize {
        self.first + parameter
    }

    fn value(&self, vm: &Vm, parameter: usize) -> Option<Value> {
        self.args.not_none(vm, self.place(parameter))
    }

    /// Where results go: the host for NumPy, the default queue for dpnp.
    fn alloc(&self) -> Fallible<Alloc> {
        if self.flavour == ArrayFlavour::NumPy { Ok(Alloc::HOST) } else { Alloc::default_device().map_err(raised) }
    }

    fn default_dtype(&self, alloc: &Alloc) -> DType {
        DType::default_float(alloc.place.fp64())
    }

    /// `size=`: nothing gives one number.
    fn shape(&self, vm: &mut Vm, parameter: usize) -> Fallible<Option<Vec<usize>>> {
        match self.value(vm, parameter) {
            None => Ok(None),
            Some(value) => shape_argument(vm, &value).map(Some),
        }
    }

    fn draw(&self, vm: &mut Vm, mut work: impl FnMut(&mut Generator) -> Result<Array, ArrayError>) -> Fallible<Array> {
        pending::with_relief(vm, |_| {
            let Some(object) = as_generator(&self.stream) else {
                return Err(ArrayError::runtime("the stream is gone"));
            };
            // A draw that runs out of memory is repeated from the same state.
            let mut trial = object.generator.borrow().clone();
            let array = work(&mut trial)?;
            // A plan draws nothing.
            if !crate::arrays::plan::is_on() {
                object.generator.replace(trial);
            }
            Ok(array)
        })
    }

    /// The result of a draw: a Python number when no size was asked for from NumPy, else an array.
    fn give(&self, array: Array, is_single: bool) -> Fallible<Value> {
        if is_single && self.flavour == ArrayFlavour::NumPy {
            return array.read_scalar(&[]).map(python_value).map_err(raised);
        }
        Ok(self.call().give(array))
    }
}

fn as_generator(value: &Value) -> Option<&GeneratorObject> {
    match value {
        Value::Object(object) => object.downcast::<GeneratorObject>(),
        _ => None,
    }
}

fn global(flavour: ArrayFlavour) -> Fallible<Value> {
    if let Some(stream) = GLOBAL.with_borrow(|streams| streams[flavour as usize].clone()) {
        return Ok(stream);
    }
    let generator = Generator::unseeded(Family::Legacy).map_err(raised)?;
    let stream = Value::object(GeneratorObject { flavour, generator: RefCell::new(generator) });
    let old = GLOBAL.with_borrow_mut(|streams| streams[flavour as usize].replace(stream.clone()));
    drop(old);
    Ok(stream)
}

/// Declares a function of the module and the method of the same name over one body.
macro_rules! drawn {
    (module $name:literal, $signature:expr, $doc:literal, $body:expr) => {
        method($name, concat!("(", $signature, ")"), $doc, |vm, args| {
            let drawing = Drawing::of_module(args)?;
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

/// Both tables of the distributions, from one list.
macro_rules! distributions {
    ($($family:ident $name:literal, $signature:literal, $doc:literal, $defaults:expr, $make:expr;)*) => {
        const MODULE_DISTRIBUTIONS: &[Method] = &[$(
            drawn!(module $name, concat!($signature, ", size=None"), $doc, |vm: &mut Vm, drawing: &Drawing| {
                $family(vm, drawing, &$defaults, $make)
            })
        ),*];
        const DISTRIBUTIONS: &[Method] = &[$(
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
    let parameters = parameters(vm, drawing, defaults)?;
    let shape = drawing.shape(vm, defaults.len())?;
    let alloc = drawing.alloc()?;
    let dtype = drawing.default_dtype(&alloc);
    let array = match numbers(&parameters) {
        Some(numbers) => {
            let lengths = shape.clone().unwrap_or_default();
            drawing.draw(vm, |generator| generator.real(make(&numbers), &lengths, dtype, &alloc))?
        }
        None => {
            let arrays = arrays(&parameters)?;
            let arrays: Vec<&Array> = arrays.iter().collect();
            drawing.draw(vm, |generator| generator.real_each(&arrays, shape.as_deref(), dtype, &alloc, make))?
        }
    };
    let is_single = shape.is_none() && array.rank() == 0;
    drawing.give(array, is_single)
}

fn whole(vm: &mut Vm, drawing: &Drawing, defaults: &[f64], make: fn(&[f64]) -> WholeDistribution) -> Fallible<Value> {
    let parameters = parameters(vm, drawing, defaults)?;
    let shape = drawing.shape(vm, defaults.len())?;
    let alloc = drawing.alloc()?;
    let array = match numbers(&parameters) {
        Some(numbers) => {
            let lengths = shape.clone().unwrap_or_default();
            drawing.draw(vm, |generator| generator.whole(make(&numbers), &lengths, &alloc))?
        }
        None => {
            let arrays = arrays(&parameters)?;
            let arrays: Vec<&Array> = arrays.iter().collect();
            drawing.draw(vm, |generator| generator.whole_each(&arrays, shape.as_deref(), &alloc, make))?
        }
    };
    let is_single = shape.is_none() && array.rank() == 0;
    drawing.give(array, is_single)
}

/// The functions of the module besides the distributions.
const FUNCTIONS: &[Method] = &[
    method("seed", "(seed=None)", "Starts the global stream anew.", |vm, args| {
        let flavour = FLAVOURS[args.row.min(2)];
        let generator = legacy(vm, &args.get(vm, 0))?;
        let stream = Value::object(GeneratorObject { flavour, generator: RefCell::new(generator) });
        let old = GLOBAL.with_borrow_mut(|streams| streams[flavour as usize].replace(stream));
        drop(old);
        Ok(Value::None)
    }),
    method("default_rng", "(seed=None)", "A new generator of the modern family.", |vm, args| {
        let seed = args.get(vm, 0);
        if as_generator(&seed).is_some() {
            return Ok(seed);
        }
        let generator = modern(vm, &seed)?;
        let flavour = FLAVOURS[args.row.min(2)];
        Ok(Value::object(GeneratorObject { flavour, generator: RefCell::new(generator) }))
    }),
    drawn!(module "rand", "*size", "Uniform numbers on [0, 1) in the given shape.", rand),
    drawn!(module "randn", "*size", "Standard normal numbers in the given shape.", randn),
    drawn!(module "random", "size=None", "Uniform numbers on [0, 1).", random_legacy),
    drawn!(module "random_sample", "size=None", "Uniform numbers on [0, 1).", random_legacy),
    drawn!(module "ranf", "size=None", "Uniform numbers on [0, 1).", random_legacy),
    drawn!(module "sample", "size=None", "Uniform numbers on [0, 1).", random_legacy),
    drawn!(module "randint", "low, high=None, size=None, dtype=int", "Whole numbers from low up to high, excluded.", randint),
    drawn!(module "random_integers", "low, high=None, size=None", "Whole numbers from low up to high, included.", random_integers),
    drawn!(module "standard_normal", "size=None", "Standard normal numbers.", standard_normal),
    drawn!(module "standard_exponential", "size=None", "Exponential numbers of scale 1.", standard_exponential),
    drawn!(module "standard_gamma", "shape, size=None", "Gamma numbers of scale 1.", standard_gamma),
    drawn!(module "standard_cauchy", "size=None", "Cauchy numbers.", standard_cauchy),
    drawn!(module "choice", "a, size=None, replace=True, p=None", "A random sample of an array or of range(a).", choice_legacy),
    drawn!(module "shuffle", "x", "Shuffles a sequence in place.", shuffle),
    drawn!(module "permutation", "x", "A shuffled copy, or shuffled range(x).", permutation),
    drawn!(module "bytes", "length", "Random bytes.", random_bytes),
];

const STATE_METHODS: &[Method] = &[
    static_method("__new__", "(cls, seed=None)", "A stream of the legacy family.", |vm, args| {
        let generator = legacy(vm, &args.get(vm, 1))?;
        Ok(Value::object(GeneratorObject { flavour: ArrayFlavour::NumPy, generator: RefCell::new(generator) }))
    }),
    method("__repr__", "(self)", "As NumPy prints it.", |vm, args| {
        Ok(Value::str(format!("RandomState(MT19937) at {:#X}", address(vm, args))))
    }),
    method("seed", "(self, seed=None)", "Starts the stream anew.", |vm, args| {
        let generator = legacy(vm, &args.get(vm, 1))?;
        let drawing = Drawing::of_method(vm, args)?;
        if let Some(object) = as_generator(&drawing.stream) {
            object.generator.replace(generator);
        }
        Ok(Value::None)
    }),
    drawn!(method "rand", "*size", "Uniform numbers on [0, 1) in the given shape.", rand),
    drawn!(method "randn", "*size", "Standard normal numbers in the given shape.", randn),
    drawn!(method "random", "size=None", "Uniform numbers on [0, 1).", random_legacy),
    drawn!(method "random_sample", "size=None", "Uniform numbers on [0, 1).", random_legacy),
    drawn!(method "randint", "low, high=None, size=None, dtype=int", "Whole numbers from low up to high, excluded.", randint),
    drawn!(method "standard_normal", "size=None", "Standard normal numbers.", standard_normal),
    drawn!(method "standard_exponential", "size=None", "Exponential numbers of scale 1.", standard_exponential),
    drawn!(method "standard_gamma", "shape, size=None", "Gamma numbers of scale 1.", standard_gamma),
    drawn!(method "standard_cauchy", "size=None", "Cauchy numbers.", standard_cauchy),
    drawn!(method "choice", "a, size=None, replace=True, p=None", "A random sample.", choice_legacy),
    drawn!(method "shuffle", "x", "Shuffles a sequence in place.", shuffle),
    drawn!(method "permutation", "x", "A shuffled copy, or shuffled range(x).", permutation),
    drawn!(method "bytes", "length", "Random bytes.", random_bytes),
];

const GENERATOR_METHODS: &[Method] = &[
    method("__repr__", "(self)", "As NumPy prints it.", |vm, args| {
        Ok(Value::str(format!("Generator(PCG64) at {:#X}", address(vm, args))))
    }),
    drawn!(method "random", "size=None, dtype=float, out=None", "Uniform numbers on [0, 1).", random_modern),
    drawn!(method "integers", "low, high=None, size=None, dtype=int, endpoint=False", "Whole numbers from low up to high.", integers),
    drawn!(method "standard_normal", "size=None, dtype=float, out=None", "Standard normal numbers.", standard_normal),
    drawn!(method "standard_exponential", "size=None, dtype=float", "Exponential numbers of scale 1.", standard_exponential),
    drawn!(method "standard_gamma", "shape, size=None", "Gamma numbers of scale 1.", standard_gamma),
    drawn!(method "standard_cauchy", "size=None", "Cauchy numbers.", standard_cauchy),
    drawn!(method "choice", "a, size=None, replace=True, p=None, axis=0, shuffle=True", "A random sample.", choice_modern),
    drawn!(method "shuffle", "x, axis=0", "Shuffles a sequence in place.", shuffle),
    drawn!(method "permutation", "x, axis=0", "A shuffled copy, or shuffled range(x).", permutation),
    drawn!(method "bytes", "length", "Random bytes.", random_bytes),
];

fn address(vm: &Vm, args: Args) -> usize {
    match args.peek(vm, 0) {
        Value::Object(object) => Ref::address(object),
        _ => 0,
    }
}

/// A seed's whole numbers; nothing for `None`.
fn seed_numbers(vm: &mut Vm, seed: &Value) -> Fallible<Option<Vec<i128>>> {
    fn wide(vm: &mut Vm, value: &Value) -> Fallible<i128> {
        match value {
            Value::Big(number) => number
                .value()
                .to_i128()
                .ok_or_else(|| raise::value_error("a seed of more than 128 bits is not supported")),
            other => vm.index(other).map(i128::from),
        }
    }
    Ok(match seed {
        Value::Unset | Value::None => None,
        Value::List(_) | Value::Tuple(_) | Value::Array(_) => {
            let items = vm.collect(seed)?;
            Some(items.iter().map(|item| wide(vm, item)).collect::<Fallible<Vec<i128>>>()?)
        }
        one => Some(vec![wide(vm, one)?]),
    })
}

fn legacy(vm: &mut Vm, seed: &Value) -> Fallible<Generator> {
    match seed_numbers(vm, seed)?.as_deref() {
        None => Generator::unseeded(Family::Legacy),
        Some([one]) if !matches!(seed, Value::List(_) | Value::Tuple(_) | Value::Array(_)) => Generator::legacy(*one),
        Some(key) => Generator::legacy_from_key(key),
    }
    .map_err(raised)
}

fn modern(vm: &mut Vm, seed: &Value) -> Fallible<Generator> {
    let Some(numbers) = seed_numbers(vm, seed)? else { return Generator::unseeded(Family::Modern).map_err(raised) };
    let mut words = Vec::new();
    for number in numbers {
        words.extend(seed_words(number).map_err(raised)?);
    }
    Ok(Generator::modern(&words))
}

/// The lengths of `rand(2, 3)`; no lengths give one number.
fn lengths(vm: &mut Vm, drawing: &Drawing) -> Fallible<Option<Vec<usize>>> {
    match drawing.args.get(vm, drawing.place(0)) {
        Value::Tuple(given) if given.items().is_empty() => Ok(None),
        given => shape_argument(vm, &given).map(Some),
    }
}

fn floats(
    vm: &mut Vm,
    drawing: &Drawing,
    shape: Option<Vec<usize>>,
    dtype: Option<DType>,
    distribution: Option<RealDistribution>,
) -> Fallible<Value> {
    let alloc = drawing.alloc()?;
    let dtype = dtype.unwrap_or_else(|| drawing.default_dtype(&alloc));
    let is_single = shape.is_none();
    let shape = shape.unwrap_or_default();
    let array = drawing.draw(vm, |generator| match distribution {
        None => generator.random(&shape, dtype, &alloc),
        Some(distribution) => generator.real(distribution, &shape, dtype, &alloc),
    })?;
    drawing.give(array, is_single)
}

fn rand(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
    let shape = lengths(vm, drawing)?;
    floats(vm, drawing, shape, None, None)
}

const STANDARD_NORMAL: RealDistribution = RealDistribution::Normal { mean: 0.0, deviation: 1.0 };

fn randn(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
    let shape = lengths(vm, drawing)?;
    floats(vm, drawing, shape, None, Some(STANDARD_NORMAL))
}

fn random_legacy(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
    let shape = drawing.shape(vm, 0)?;
    floats(vm, drawing, shape, None, None)
}

fn random_modern(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
    let shape = drawing.shape(vm, 0)?;
    let dtype = drawing.call().dtype(vm, drawing.place(1))?;
    floats(vm, drawing, shape, dtype, None)
}

fn standard_normal(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
    let shape = drawing.shape(vm, 0)?;
    floats(vm, drawing, shape, None, Some(STANDARD_NORMAL))
}

fn standard_exponential(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
    let shape = drawing.shape(vm, 0)?;
    floats(vm, drawing, shape, None, Some(RealDistribution::Exponential { scale: 1.0 }))
}

fn standard_gamma(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
    let gamma = drawing.call().float_or(vm, drawing.place(0), f64::NAN)?;
    let shape = drawing.shape(vm, 1)?;
    floats(vm, drawing, shape, None, Some(RealDistribution::Gamma { shape: gamma, scale: 1.0 }))
}

fn standard_cauchy(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
    let shape = drawing.shape(vm, 0)?;
    floats(vm, drawing, shape, None, Some(RealDistribution::Cauchy))
}

fn whole_numbers(vm: &mut Vm, drawing: &Drawing, endpoint: bool) -> Fallible<Value> {
    let first = drawing.args.get(vm, drawing.place(0));
    let first = i128::from(vm.index(&first)?);
    let (low, high) = match drawing.value(vm, 1) {
        Some(high) => (first, i128::from(vm.index(&high)?)),
        None => (0, first),
    };
    let shape = drawing.shape(vm, 2)?;
    let dtype = drawing.call().dtype(vm, drawing.place(3))?.unwrap_or(DType::Int64);
    draw_integers(vm, drawing, low, high, endpoint, shape, dtype)
}

fn draw_integers(
    vm: &mut Vm,
    drawing: &Drawing,
    low: i128,
    high: i128,
    endpoint: bool,
    shape: Option<Vec<usize>>,
    dtype: DType,
) -> Fallible<Value> {
    let alloc = drawing.alloc()?;
    let is_single = shape.is_none();
    let shape = shape.unwrap_or_default();
    let array = drawing.draw(vm, |generator| generator.integers(low, high, endpoint, &shape, dtype, &alloc))?;
    drawing.give(array, is_single)
}

fn randint(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
    whole_numbers(vm, drawing, false)
}

fn integers(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
    let endpoint = drawing.call().truth_or(vm, drawing.place(4), false)?;
    if endpoint && drawing.value(vm, 1).is_none() {
        let high = drawing.args.get(vm, drawing.place(0));
        let high = i128::from(vm.index(&high)?);
        let shape = drawing.shape(vm, 2)?;
        let dtype = drawing.call().dtype(vm, drawing.place(3))?.unwrap_or(DType::Int64);
        return draw_integers(vm, drawing, 0, high, true, shape, dtype);
    }
    whole_numbers(vm, drawing, endpoint)
}

fn random_integers(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
    let first = drawing.args.get(vm, drawing.place(0));
    let first = i128::from(vm.index(&first)?);
    let (low, high) = match drawing.value(vm, 1) {
        Some(high) => (first, i128::from(vm.index(&high)?)),
        None => (1, first),
    };
    let shape = drawing.shape(vm, 2)?;
    draw_integers(vm, drawing, low, high, true, shape, DType::Int64)
}

fn choice_legacy(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
    choice(vm, drawing, 0, true)
}

fn choice_modern(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
    let axis = drawing.call().axis_or(vm, drawing.place(4), 0)?;
    let shuffle = drawing.call().truth_or(vm, drawing.place(5), true)?;
    choice(vm, drawing, axis, shuffle)
}

fn choice(vm: &mut Vm, drawing: &Drawing, axis: i64, shuffle: bool) -> Fallible<Value> {
    let population = drawing.args.get(vm, drawing.place(0));
    let shape = drawing.shape(vm, 1)?;
    let replace = drawing.call().truth_or(vm, drawing.place(2), true)?;
    let weights = match drawing.value(vm, 3) {
        None => None,
        Some(weights) => {
            let array = match &weights {
                Value::Array(array) => pending::compute(vm, array)?,
                other => nested::host_array(vm, other)?,
            };
            Some(crate::arrays::functions::support::reals(&array).map_err(raised)?)
        }
    };
    let items = match &population {
        Value::Int(_) | Value::Scalar(_) => None,
        Value::Array(array) => Some(pending::compute(vm, array)?),
        other => Some(nested::host_array(vm, other)?),
    };
    let count = match &items {
        None => {
            let count = vm.index(&population)?;
            usize::try_from(count)
                .ok()
                .filter(|count| *count > 0)
                .ok_or_else(|| raise::value_error("a must be greater than 0 unless no samples are taken"))?
        }
        Some(items) => {
            let axis = crate::arrays::layout::normalize_axis(axis, items.rank()).map_err(raised)?;
            items.shape()[axis]
        }
    };
    let alloc = items.as_ref().map_or(drawing.alloc()?, Array::alloc);
    let is_single = shape.is_none();
    let lengths = shape.unwrap_or_default();
    let chosen = drawing
        .draw(vm, |generator| generator.choice(count, &lengths, replace, weights.as_deref(), shuffle, &alloc))?;
    let result = match items {
        None => chosen,
        Some(items) => pending::with_relief(vm, |_| {
            use crate::arrays::functions::indexing::{BoundsMode, take};
            take(&items, &chosen, Some(axis), BoundsMode::Raise)
        })?,
    };
    if is_single && result.rank() == 0 {
        return result_value(drawing.flavour, result);
    }
    Ok(drawing.call().give(result))
}

fn axis(vm: &mut Vm, drawing: &Drawing) -> Fallible<i64> {
    if drawing.args.count() > drawing.place(1) { drawing.call().axis_or(vm, drawing.place(1), 0) } else { Ok(0) }
}

fn shuffle(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
    let axis = axis(vm, drawing)?;
    match drawing.args.get(vm, drawing.place(0)) {
        Value::Array(object) => {
            operators::check_writable(&object)?;
            pending::settle(vm)?;
            let array = pending::compute(vm, &object)?;
            drawing.draw(vm, |generator| generator.shuffle(&array, axis).map(|()| array.clone()))?;
            Ok(Value::None)
        }
        Value::List(list) => {
            let count = list.items.borrow().len();
            let order = order(vm, drawing, count)?;
            let items = list.items.borrow().clone();
            let shuffled = order.iter().filter_map(|index| items.get(*index as usize).cloned()).collect();
            drop(list.items.replace(shuffled));
            Ok(Value::None)
        }
        other => Err(raise::type_error(format!("'{}' object does not support item assignment", other.type_name()))),
    }
}

fn order(vm: &mut Vm, drawing: &Drawing, count: usize) -> Fallible<Vec<i64>> {
    let order = drawing.draw(vm, |generator| generator.shuffled_indices(count, &Alloc::HOST))?;
    Ok(crate::arrays::functions::support::integers(&order).map_err(raised)?.to_vec())
}

fn permutation(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
    let axis = axis(vm, drawing)?;
    let value = drawing.args.get(vm, drawing.place(0));
    if let Value::Int(count) = value {
        let count = usize::try_from(count).map_err(|_| raise::value_error("negative dimensions are not allowed"))?;
        let alloc = drawing.alloc()?;
        let order = drawing.draw(vm, |generator| generator.shuffled_indices(count, &alloc))?;
        return Ok(drawing.call().give(order));
    }
    let array = match &value {
        Value::Array(array) => pending::compute(vm, array)?,
        other => nested::host_array(vm, other)?,
    };
    let shuffled = drawing.draw(vm, |generator| generator.permutation(&array, axis))?;
    Ok(drawing.call().give(shuffled))
}

fn random_bytes(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
    let count = drawing.call().int_or(vm, drawing.place(0), 0)?;
    let count = usize::try_from(count).map_err(|_| raise::value_error("negative dimensions are not allowed"))?;
    vm.reserve(count)?;
    let Some(object) = as_generator(&drawing.stream) else {
        return Err(raise::runtime_error("the stream is gone"));
    };
    let bytes = object.generator.borrow_mut().bytes(count);
    Ok(Value::Bytes(Ref::new(BytesObject::new(bytes))))
}
