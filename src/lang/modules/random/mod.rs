//! `random`: CPython's generator and its algorithms, so that a seeded program draws the same numbers.
//!
//! The engine's `Twister` makes the bits, `distributions` floats, `sequences` choices and shuffles; this file has the class, seeding, state, whole numbers
//! and the module, whose functions are methods of one hidden generator, as in CPython.

mod distributions;
mod sequences;

use std::cell::{Cell, RefCell};

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, Signed, ToPrimitive, Zero};
use sha2::{Digest, Sha512};

use super::support::{
    Typed, bytes_of, exact_int, instantiate, integer, items_of, new_module, text_of, thread_class, unwrap_payload,
};
use crate::arrays::functions::random::Twister;
use crate::lang::builtins::classes::{Builtin, attach, builtin_class, define_class};
use crate::lang::heap::Ref;
use crate::lang::name::Name;
use crate::lang::native::{Args, Method, method, static_method};
use crate::lang::objects::{BoundMethod, ClassRef, ModuleObject, NativeData, PayloadKind};
use crate::lang::raise::{Fallible, not_implemented_error, overflow_error, type_error, value_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// A generator and the second normal number that `gauss` keeps back.
#[derive(Debug)]
struct Generator {
    twister: RefCell<Twister>,
    gauss_next: Cell<Option<f64>>,
}

thread_class! {
    fn random_class() = {
        let class = define_class("Random", "random", &builtin_class(Builtin::Object), PayloadKind::Value, METHODS);
        attach(&class, distributions::METHODS);
        attach(&class, sequences::METHODS);
        class
    };
}

const METHODS: &[Method] = &[
    static_method("__new__", "(cls, x=None)", "Create and return a generator.", new),
    method("__init__", "(self, x=None)", "Initialize an instance.", |_, _| Ok(Value::None)),
    method("seed", "(self, a=None, version=2)", "Initialize internal state from a seed.", seed),
    method("getstate", "(self)", "Return internal state; can be passed to setstate() later.", get_state),
    method("setstate", "(self, state)", "Restore internal state from object returned by getstate().", set_state),
    method("random", "(self, /)", "random() -> x in the interval [0, 1).", |vm, args| {
        Ok(Value::Float(receiver(vm, args)?.float()))
    }),
    method("getrandbits", "(self, k, /)", "getrandbits(k) -> x.  Generates an int with k random bits.", bits),
    method("randbytes", "(self, n)", "Generate n random bytes.", bytes),
    method(
        "randrange",
        "(self, start, stop=None, step=1)",
        "Choose a random item from range(stop) or range(start, stop[, step]).",
        range,
    ),
    method("randint", "(self, a, b)", "Return random integer in range [a, b], including both end points.", int),
];

impl NativeData for Generator {
    fn class(&self) -> ClassRef {
        random_class()
    }
}

impl Generator {
    fn float(&self) -> f64 {
        self.twister.borrow_mut().float()
    }
}

fn receiver(vm: &Vm, args: Args) -> Fallible<Typed<Generator>> {
    Typed::receiver(vm, args, "Random")
}

/// Entropy for a generator without a seed.
fn system_twister() -> Twister {
    let words: Vec<u32> = (0..8)
        .flat_map(|_| {
            uuid::Uuid::new_v4()
                .as_u128()
                .to_le_bytes()
                .chunks(4)
                .map(|four| four.iter().fold(0, |word, byte| word << 8 | u32::from(*byte)))
                .collect::<Vec<_>>()
        })
        .collect();
    Twister::with_key(&words)
}

/// Builds the module.
pub fn build(_vm: &mut Vm) -> Fallible<Ref<ModuleObject>> {
    let module = new_module("random", "Random variable generators.", &[]);
    let class = random_class();
    let generator = Value::object(Generator { twister: RefCell::new(system_twister()), gauss_next: Cell::new(None) });
    for table in [METHODS, distributions::METHODS, sequences::METHODS] {
        for row in table.iter().filter(|row| !row.name.starts_with("__")) {
            if let Some(function) = class.lookup(Name::new(row.name)) {
                let bound = Ref::new(BoundMethod { function, receiver: generator.clone() });
                module.set(Name::new(row.name), Value::Method(bound));
            }
        }
    }
    module.set(Name::new("Random"), Value::Class(class));
    module.set(Name::new("_inst"), generator);
    Ok(module)
}

fn new(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let twister = twister_from(vm, args.not_none(vm, 1), 2)?;
    let generator = Generator { twister: RefCell::new(twister), gauss_next: Cell::new(None) };
    instantiate(&args.get(vm, 0), &random_class(), Value::object(generator))
}

/// The generator that a seed means: a number by its size, text and bytes with their SHA-512 behind them, a float by its hash.
fn twister_from(vm: &mut Vm, seed: Option<Value>, version: i64) -> Fallible<Twister> {
    let Some(seed) = seed else { return Ok(system_twister()) };
    if let Some(number) = exact_int(&unwrap_payload(&seed)) {
        return Ok(with_number(number.magnitude()));
    }
    if version == 1 {
        return Err(not_implemented_error("random.seed(version=1) is not here: it is CPython 2's way; use version 2"));
    }
    let data = text_of(&seed).map(|text| text.as_bytes().to_vec()).or_else(|| bytes_of(&seed));
    if let Some(mut data) = data {
        let digest = Sha512::digest(&data);
        data.extend_from_slice(&digest);
        return Ok(with_number(&BigUint::from_bytes_be(&data)));
    }
    if let Value::Float(_) = unwrap_payload(&seed) {
        let hash = vm.hash(&seed)?;
        return Ok(with_number(&BigUint::from(hash.unsigned_abs())));
    }
    Err(type_error("The only supported seed types are: None,\nint, float, str, bytes, and bytearray."))
}

fn seed(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let version = args.index_or(vm, 2, 2)?;
    let twister = twister_from(vm, args.not_none(vm, 1), version)?;
    let generator = receiver(vm, args)?;
    *generator.twister.borrow_mut() = twister;
    generator.gauss_next.set(None);
    Ok(Value::None)
}

fn get_state(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let generator = receiver(vm, args)?;
    let twister = generator.twister.borrow();
    let (words, index) = twister.words();
    let mut state: Vec<Value> = words.iter().map(|word| Value::Int((*word).into())).collect();
    state.push(index.into());
    let gauss = generator.gauss_next.get().map_or(Value::None, Value::Float);
    Ok(Value::tuple([Value::Int(3), Value::tuple(state), gauss]))
}

fn set_state(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let state = items_of(args.peek(vm, 1));
    let [version, words, gauss] = state.as_slice() else {
        return Err(value_error("state vector must be a tuple of three items"));
    };
    if !matches!(version, Value::Int(3)) {
        let version = vm.repr(version)?;
        return Err(value_error(format!("state with version {version} passed to Random.setstate() of version 3")));
    }
    let mut numbers = Vec::new();
    for word in items_of(words) {
        numbers
            .push(u32::try_from(vm.index(&word)?).map_err(|_| overflow_error("state vector must be 32 bit numbers"))?);
    }
    let index = numbers.pop().unwrap_or(0) as usize;
    let twister = Twister::from_words(&numbers, index).ok_or_else(|| value_error("state vector is the wrong size"))?;
    let gauss = if gauss.is_none() { None } else { Some(vm.float(gauss)?) };
    let generator = receiver(vm, args)?;
    *generator.twister.borrow_mut() = twister;
    generator.gauss_next.set(gauss);
    Ok(Value::None)
}

fn bits(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let count = args.get(vm, 1);
    let Ok(count) = u64::try_from(vm.index(&count)?) else {
        return Err(value_error("number of bits must be non-negative"));
    };
    vm.reserve((count / 8) as usize)?;
    let number = drawn_bits(&mut receiver(vm, args)?.twister.borrow_mut(), count);
    Ok(Value::int(number))
}

fn bytes(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let count = args.get(vm, 1);
    let Ok(count) = usize::try_from(vm.index(&count)?) else {
        return Err(value_error("number of bits must be non-negative"));
    };
    vm.reserve(count)?;
    let number = drawn_bits(&mut receiver(vm, args)?.twister.borrow_mut(), count as u64 * 8);
    let mut data = number.to_bytes_le();
    data.resize(count, 0);
    Ok(Value::Bytes(Ref::new(crate::lang::objects::BytesObject::new(data))))
}

/// A whole number from a bound; a float is accepted where it is one, as 3.11 still does with a warning.
fn bound(vm: &mut Vm, value: &Value, word: &str) -> Fallible<BigInt> {
    let Value::Float(float) = value else { return integer(vm, value) };
    if float.fract() != 0.0 || !float.is_finite() {
        return Err(value_error(format!("non-integer {word} for randrange()")));
    }
    vm.warn(Builtin::DeprecationWarning, "non-integer arguments to randrange() have been deprecated since Python 3.10 and will be removed in a subsequent version")?;
    Ok(num_traits::FromPrimitive::from_f64(*float).unwrap_or_default())
}

fn draw(generator: &Generator, width: &BigInt) -> BigInt {
    match width.to_usize() {
        Some(limit) => generator.twister.borrow_mut().index_below(limit).into(),
        None => BigInt::from_biguint(Sign::Plus, below(&mut generator.twister.borrow_mut(), width.magnitude())),
    }
}

fn range(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let generator = receiver(vm, args)?;
    let start = bound(vm, &args.get(vm, 1), "arg 1")?;
    let Some(stop) = args.not_none(vm, 2) else {
        if args.optional(vm, 3).is_some() {
            return Err(type_error("Missing a non-None stop argument"));
        }
        if !start.is_positive() {
            return Err(value_error("empty range for randrange()"));
        }
        return Ok(Value::int(draw(&generator, &start)));
    };
    let stop = bound(vm, &stop, "stop")?;
    let width = &stop - &start;
    let step = match args.optional(vm, 3) {
        Some(step) => bound(vm, &step, "step")?,
        None => BigInt::one(),
    };
    if step.is_one() {
        if width.is_positive() {
            return Ok(Value::int(&start + draw(&generator, &width)));
        }
        return Err(value_error(format!("empty range for randrange() ({start}, {stop}, {width})")));
    }
    let count: BigInt = if step.is_positive() {
        num_integer::Integer::div_floor(&(&width + &step - 1), &step)
    } else if step.is_zero() {
        return Err(value_error("zero step for randrange()"));
    } else {
        num_integer::Integer::div_floor(&(&width + &step + 1), &step)
    };
    if !count.is_positive() {
        return Err(value_error("empty range for randrange()"));
    }
    Ok(Value::int(start + step * draw(&generator, &count)))
}

fn int(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let generator = receiver(vm, args)?;
    let start = bound(vm, &args.get(vm, 1), "arg 1")?;
    let stop: BigInt = bound(vm, &args.get(vm, 2), "stop")? + 1;
    let width: BigInt = &stop - &start;
    if !width.is_positive() {
        return Err(value_error(format!("empty range for randrange() ({start}, {stop}, {width})")));
    }
    Ok(Value::int(start + draw(&generator, &width)))
}

/// A generator seeded with a number of any size.
fn with_number(number: &BigUint) -> Twister {
    let mut key = number.to_u32_digits();
    if key.is_empty() {
        key.push(0);
    }
    Twister::with_key(&key)
}

/// `count` random bits, lowest word first.
fn drawn_bits(twister: &mut Twister, count: u64) -> BigUint {
    let mut words = Vec::with_capacity(count.div_ceil(32) as usize);
    let mut left = count;
    while left > 0 {
        let word = twister.word();
        words.push(if left < 32 { word >> (32 - left) } else { word });
        left = left.saturating_sub(32);
    }
    BigUint::new(words)
}

/// A number below `limit`, which is at least 1, by drawing until one fits.
fn below(twister: &mut Twister, limit: &BigUint) -> BigUint {
    loop {
        let number = drawn_bits(twister, limit.bits());
        if number < *limit {
            return number;
        }
    }
}
