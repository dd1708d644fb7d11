//! The tables of functions and methods, and what a seed becomes.

use num_traits::ToPrimitive;

use super::distributions::drawn;
use super::drawing::*;
use super::stream::{Drawing, GeneratorObject, as_generator, replace_global};
use crate::arrays::array::Alloc;
use crate::arrays::backend::UsmKind;
use crate::arrays::functions::random::{Family, Generator, seed_words};
use crate::lang::arrays::call::{Call, FLAVOURS};
use crate::lang::arrays::error::raised;
use crate::lang::heap::Ref;
use crate::lang::modules::dpctl;
use crate::lang::native::{Args, Method, method, static_method};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The functions of the module besides the distributions.
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
        if as_generator(&seed).is_some() {
            return Ok(seed);
        }
        let generator = modern(vm, &seed)?;
        let flavour = FLAVOURS[args.row.min(2)];
        Ok(Value::object(GeneratorObject::new(flavour, generator, None)))
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
    drawn!(plain "standard_exponential", "size=None", "Exponential numbers of scale 1.", standard_exponential),
    drawn!(plain "standard_gamma", "shape, size=None", "Gamma numbers of scale 1.", standard_gamma),
    drawn!(plain "standard_cauchy", "size=None", "Cauchy numbers.", standard_cauchy),
    drawn!(plain "choice", "a, size=None, replace=True, p=None", "A random sample of an array or of range(a).", choice_legacy),
    drawn!(plain "shuffle", "x", "Shuffles a sequence in place.", shuffle),
    drawn!(plain "permutation", "x", "A shuffled copy, or shuffled range(x).", permutation),
    drawn!(plain "bytes", "length", "Random bytes.", random_bytes),
];

/// Methods of `RandomState`.
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

/// Methods of `Generator`.
pub const GENERATOR_METHODS: &[Method] = &[
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
