//! What a generator of the modern family was seeded with, so that it can give independent generators, and its state.

use std::cell::Cell;

use super::stream::{Drawing, GeneratorObject, as_generator};
use super::tables::seed_numbers;
use crate::arrays::functions::random::{Generator, ModernState, seed_words};
use crate::lang::arrays::convert::ints_argument;
use crate::lang::arrays::error::raised;
use crate::lang::name::Name;
use crate::lang::native::{Args, Method, getter, method};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Words that the pool of a seed sequence has.
const POOL_WORDS: usize = 4;

/// A seed sequence as a generator keeps it.
#[derive(Clone, Debug)]
pub struct Seeds {
    entropy: Vec<u32>,
    key: Vec<u32>,
    children: Cell<u32>,
}

impl Seeds {
    /// What `default_rng` makes of its argument.
    pub fn of(vm: &mut Vm, seed: &Value) -> Fallible<Self> {
        let mut words = |name: &str| -> Fallible<Option<Vec<u32>>> {
            match vm.find_attribute(seed, Name::new(name))? {
                Some(value) => Ok(Some(ints_argument(vm, &value)?.into_iter().map(|word| word as u32).collect())),
                None => Ok(None),
            }
        };
        if matches!(seed, Value::Instance(_))
            && let (Some(entropy), Some(key)) = (words("_entropy_words")?, words("_key_words")?)
        {
            return Ok(Self { entropy, key, children: Cell::new(0) });
        }
        let entropy = match seed_numbers(vm, seed)? {
            None => Generator::system_entropy().map_err(raised)?,
            Some(numbers) => {
                let mut words = Vec::new();
                for number in numbers {
                    words.extend(seed_words(number).map_err(raised)?);
                }
                words
            }
        };
        Ok(Self { entropy, key: Vec::new(), children: Cell::new(0) })
    }

    /// The generator of this sequence.
    pub fn generator(&self) -> Generator {
        let mut words = self.entropy.clone();
        if !self.key.is_empty() {
            // The key of a child must not be taken for a part of the seed.
            words.resize(words.len().max(POOL_WORDS), 0);
            words.extend(&self.key);
        }
        Generator::modern(&words)
    }

    /// The sequences of the next children.
    fn spawn(&self, count: u32) -> Vec<Self> {
        let first = self.children.get();
        self.children.set(first.saturating_add(count));
        let child = |number| {
            let key = self.key.iter().copied().chain([number]).collect();
            Self { entropy: self.entropy.clone(), key, children: Cell::new(0) }
        };
        (first..first.saturating_add(count)).map(child).collect()
    }
}

/// Methods of `Generator` about its source.
pub const SOURCE_METHODS: &[Method] = &[
    method("spawn", "(self, n_children)", "Generators that are independent of this one and of each other.", spawn),
    getter("bit_generator", "The source of bits, with its state and its seed sequence.", |vm, args| {
        let home = vm.import("_array_random")?;
        let own = args.get(vm, 0);
        vm.call_method(&home, Name::new("bit_generator"), &[own])
    }),
    method(
        "_seeds",
        "(self)",
        "The words of the seed, those of the spawn key, and how many children there are.",
        |vm, args| {
            let own = args.get(vm, 0);
            let list = |words: &[u32]| Value::list(words.iter().map(|word| Value::Int(i64::from(*word))).collect());
            match as_generator(&own).and_then(GeneratorObject::seeds) {
                Some(seeds) => Ok(Value::tuple(vec![
                    list(&seeds.entropy),
                    list(&seeds.key),
                    Value::Int(i64::from(seeds.children.get())),
                ])),
                None => Ok(Value::None),
            }
        },
    ),
    method("_raw", "(self, size)", "The next numbers of 64 bits.", |vm, args| {
        let drawing = Drawing::of_method(vm, args)?;
        let shape = drawing.shape(vm, 0)?.unwrap_or_default();
        let drawn = drawing.draw(vm, |generator| generator.raw(&shape))?;
        Ok(drawing.call().give(drawn))
    }),
    method("_state", "(self)", "The words of the state, of the increment, and half a number or None.", |vm, args| {
        let own = args.get(vm, 0);
        let state = as_generator(&own).and_then(|object| object.generator.borrow().modern_state());
        let Some(state) = state else { return Err(raise::type_error("expected a random generator")) };
        let half = state.half.map_or(Value::None, |half| Value::Int(i64::from(half)));
        Ok(Value::tuple(vec![words_of(state.state), words_of(state.increment), half]))
    }),
    method("_set_state", "(self, state, increment, half)", "Goes on from what _state gave.", |vm, args| {
        let own = args.get(vm, 0);
        let mut wide = |index| -> Fallible<u128> {
            let words = ints_argument(vm, &args.get(vm, index))?;
            Ok(words.iter().rev().fold(0, |number, word| number << 32 | u128::from(*word as u32)))
        };
        let (state, increment) = (wide(1)?, wide(2)?);
        let half = match args.not_none(vm, 3) {
            Some(half) => Some(vm.index(&half)? as u32),
            None => None,
        };
        if let Some(object) = as_generator(&own) {
            object.generator.replace(Generator::from_modern_state(ModernState { state, increment, half }));
        }
        Ok(Value::None)
    }),
];

fn words_of(number: u128) -> Value {
    Value::list((0..4).map(|word| Value::Int(i64::from((number >> (32 * word)) as u32))).collect())
}

fn spawn(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let own = args.get(vm, 0);
    let count = args.get(vm, 1);
    let count = vm.index(&count)?;
    let count = u32::try_from(count).map_err(|_| raise::value_error("n_children must be non-negative"))?;
    vm.reserve(count as usize * size_of::<GeneratorObject>())?;
    let Some(seeds) = as_generator(&own).and_then(GeneratorObject::seeds) else {
        return Err(raise::type_error("The underlying SeedSequence does not implement spawning."));
    };
    let flavour = Drawing::of_method(vm, args)?.flavour;
    let children = seeds.spawn(count).into_iter().map(|seeds| Value::object(GeneratorObject::of_seeds(flavour, seeds)));
    Ok(Value::list(children.collect()))
}
