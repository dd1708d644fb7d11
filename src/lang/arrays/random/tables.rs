//! The tables of functions and methods, and what a seed becomes.

use num_traits::ToPrimitive;

use super::distributions::drawn;
use super::drawing::*;
use super::seeds::Seeds;
use super::state::{get_state, set_state};
use super::stream::{Drawing, GeneratorObject, as_generator, replace_global};
use super::vectors::{dirichlet, hypergeometric, multinomial, multivariate_normal};
use crate::arrays::array::Alloc;
use crate::arrays::backend::UsmKind;
use crate::arrays::functions::random::{Family, Generator};
use crate::lang::arrays::call::{Call, FLAVOURS};
use crate::lang::arrays::error::raised;
use crate::lang::heap::Ref;
use crate::lang::modules::dpctl;
use crate::lang::name::Name;
use crate::lang::native::{Args, Method, method, static_method};
use crate::lang::objects::ArrayFlavour;
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The functions of the module that seed and make streams.
pub const FUNCTIONS: &[Method] = &[
    method("seed", "(seed=None, device=None, sycl_queue=None)", "Starts the global stream anew.", |vm, args| {
        let flavour = FLAVOURS[args.row.min(2)];
        let generator = legacy(vm, &args.get(vm, 0))?;
        let queue = Call { args, flavour }.queue(vm, 1, 2)?;
        replace_global(flavour, generator, queue.map(|queue| Alloc::queue(queue, UsmKind::Device)));
        Ok(Value::None)
    }),
    method("default_rng", "(seed=None)", "A new generator of the modern family.", |vm, args| {
        let seed = args.get(vm, 0);
        modern_stream(vm, seed, FLAVOURS[args.row.min(2)])
    }),
    method("get_state", "(legacy=True)", "The state of the global stream, for set_state.", |vm, args| {
        let drawing = Drawing::of_plain_module(args)?;
        get_state(vm, &drawing)
    }),
    method("set_state", "(state)", "Lets the global stream go on from a state.", |vm, args| {
        let drawing = Drawing::of_plain_module(args)?;
        set_state(vm, &drawing)
    }),
];

/// Methods of `RandomState` that are not draws.
pub const STATE_METHODS: &[Method] = &[
    static_method(
        "__new__",
        "(cls, seed=None, device=None, sycl_queue=None)",
        "A stream of the legacy family.",
        |vm, args| {
            let flavour = FLAVOURS[args.row.min(2)];
            let generator = legacy(vm, &args.get(vm, 1))?;
            let queue = Call { args, flavour }.queue(vm, 2, 3)?;
            let alloc = queue.map(|queue| Alloc::queue(queue, UsmKind::Device));
            Ok(Value::object(GeneratorObject::new(flavour, generator, alloc)))
        },
    ),
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
    method("get_state", "(self, legacy=True)", "The state, for set_state.", |vm, args| {
        let drawing = Drawing::of_method(vm, args)?;
        get_state(vm, &drawing)
    }),
    method("set_state", "(self, state)", "Goes on from a state.", |vm, args| {
        let drawing = Drawing::of_method(vm, args)?;
        set_state(vm, &drawing)
    }),
];

/// Methods of `Generator` that are not draws.
pub const GENERATOR_METHODS: &[Method] = &[
    static_method("__new__", "(cls, bit_generator)", "The generator over PCG64(seed).", |vm, args| {
        let source = args.get(vm, 1);
        match vm.find_attribute(&source, Name::new("_generator"))? {
            Some(generator) if as_generator(&generator).is_some() => Ok(generator),
            _ => Err(raise::type_error(format!(
                "Generator takes numpy.random.PCG64(seed) here, not {}; default_rng(seed) makes one from a seed",
                source.type_name()
            ))),
        }
    }),
    method("__repr__", "(self)", "As NumPy prints it.", |vm, args| {
        Ok(Value::str(format!("Generator(PCG64) at {:#X}", address(vm, args))))
    }),
];

/// All draws, one a line: what it is called, what it says, what draws, and the signature it has as a function of the module,
/// as a method of `RandomState` and as one of `Generator`, as far as it is there. A `placed` function of the module takes
/// where the result goes.
macro_rules! draws {
    ($($name:literal, $doc:literal, $body:expr;
        $(placed $placed:literal)? $(plain $plain:literal)? $(state $state:literal)? $(modern $modern:literal)?;)*) => {
        /// The draws as functions of the module.
        pub const MODULE_DRAWS: &[Method] = &[$(
            $(drawn!(module $name, $placed, $doc, $body),)?
            $(drawn!(plain $name, $plain, $doc, $body),)?
        )*];
        /// The draws as methods of `RandomState`.
        pub const STATE_DRAWS: &[Method] = &[$($(drawn!(method $name, $state, $doc, $body),)?)*];
        /// The draws as methods of `Generator`.
        pub const GENERATOR_DRAWS: &[Method] = &[$($(drawn!(method $name, $modern, $doc, $body),)?)*];
    };
}

draws! {
    "rand", "Uniform numbers on [0, 1) in the given shape.", rand; placed "*size" state "*size";
    "randn", "Standard normal numbers in the given shape.", randn; placed "*size" state "*size";
    "random", "Uniform numbers on [0, 1).", random_legacy; placed "size=None" state "size=None";
    "random", "Uniform numbers on [0, 1).", random_modern; modern "size=None, dtype=float, out=None";
    "random_sample", "Uniform numbers on [0, 1).", random_legacy; placed "size=None" state "size=None";
    "ranf", "Uniform numbers on [0, 1).", random_legacy; placed "size=None";
    "sample", "Uniform numbers on [0, 1).", random_legacy; placed "size=None";
    "randint", "Whole numbers from low up to high, excluded.", randint;
        placed "low, high=None, size=None, dtype=int" state "low, high=None, size=None, dtype=int";
    "random_integers", "Whole numbers from low up to high, included.", random_integers;
        placed "low, high=None, size=None" state "low, high=None, size=None";
    "integers", "Whole numbers from low up to high.", integers; modern "low, high=None, size=None, dtype=int, endpoint=False";
    "standard_normal", "Standard normal numbers.", standard_normal;
        placed "size=None" state "size=None" modern "size=None, dtype=float, out=None";
    "standard_exponential", "Exponential numbers of scale 1.", standard_exponential;
        plain "size=None" state "size=None" modern "size=None, dtype=float";
    "standard_gamma", "Gamma numbers of scale 1.", standard_gamma;
        plain "shape, size=None" state "shape, size=None" modern "shape, size=None";
    "standard_cauchy", "Cauchy numbers.", standard_cauchy; plain "size=None" state "size=None" modern "size=None";
    "choice", "A random sample of an array or of range(a).", choice_legacy;
        plain "a, size=None, replace=True, p=None" state "a, size=None, replace=True, p=None";
    "choice", "A random sample of an array or of range(a).", choice_modern;
        modern "a, size=None, replace=True, p=None, axis=0, shuffle=True";
    "shuffle", "Shuffles a sequence in place.", shuffle; plain "x" state "x" modern "x, axis=0";
    "permutation", "A shuffled copy, or shuffled range(x).", permutation; plain "x" state "x" modern "x, axis=0";
    "permuted", "A copy with the elements of each line along an axis shuffled by themselves.", permuted;
        modern "x, axis=None, out=None";
    "tomaxint", "Whole numbers up to the largest.", tomaxint; state "size=None";
    "bytes", "Random bytes.", random_bytes; plain "length" state "length" modern "length";
    "multinomial", "How often each of several outcomes happens in n trials.", multinomial;
        plain "n, pvals, size=None" state "n, pvals, size=None" modern "n, pvals, size=None";
    "dirichlet", "Shares of a whole.", dirichlet;
        plain "alpha, size=None" state "alpha, size=None" modern "alpha, size=None";
    "hypergeometric", "How many of a sample are of one kind, drawn from two kinds without putting back.", hypergeometric;
        plain "ngood, nbad, nsample, size=None" state "ngood, nbad, nsample, size=None" modern "ngood, nbad, nsample, size=None";
    "multivariate_normal", "Normal vectors with a mean and a covariance matrix.", multivariate_normal;
        plain "mean, cov, size=None, check_valid='warn', tol=1e-8"
        state "mean, cov, size=None, check_valid='warn', tol=1e-8"
        modern "mean, cov, size=None, check_valid='warn', tol=1e-8";
}

/// What only dpnp's `RandomState` has: where it draws.
pub const PLACES: &[Method] = &[
    method("get_sycl_queue", "(self)", "The queue that results are bound to.", |vm, args| {
        let drawing = Drawing::of_method(vm, args)?;
        let alloc = drawing.alloc(vm)?;
        Ok(alloc.place.queue().cloned().map_or(Value::None, dpctl::queue_value))
    }),
    method("get_sycl_device", "(self)", "The device that results live on.", |vm, args| {
        let drawing = Drawing::of_method(vm, args)?;
        let alloc = drawing.alloc(vm)?;
        Ok(alloc.place.queue().map_or(Value::None, |queue| dpctl::device_value(queue.device().clone())))
    }),
];

fn address(vm: &Vm, args: Args) -> usize {
    match args.peek(vm, 0) {
        Value::Object(object) => Ref::address(object),
        _ => 0,
    }
}

/// A seed's whole numbers; nothing for `None`.
pub(super) fn seed_numbers(vm: &mut Vm, seed: &Value) -> Fallible<Option<Vec<i128>>> {
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

/// What `default_rng` gives: a stream as it is, else a new one.
fn modern_stream(vm: &mut Vm, seed: Value, flavour: ArrayFlavour) -> Fallible<Value> {
    if as_generator(&seed).is_some() {
        return Ok(seed);
    }
    if let Some(generator) = vm.find_attribute(&seed, Name::new("_generator"))?
        && as_generator(&generator).is_some()
    {
        return Ok(generator);
    }
    let seeds = Seeds::of(vm, &seed)?;
    Ok(Value::object(GeneratorObject::of_seeds(flavour, seeds)))
}
