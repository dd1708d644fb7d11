//! What streams draw besides the distributions with parameters: uniform and whole numbers, samples, shuffles, bytes.

use super::stream::{Drawing, as_generator};
use crate::arrays::array::Alloc;
use crate::arrays::dtype::DType;
use crate::arrays::functions::random::RealDistribution;
use crate::lang::arrays::convert::{result_value, shape_argument};
use crate::lang::arrays::error::raised;
use crate::lang::arrays::{nested, operators, pending};
use crate::lang::heap::Ref;
use crate::lang::objects::BytesObject;
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

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
    let alloc = drawing.alloc(vm)?;
    let dtype = dtype.unwrap_or_else(|| drawing.default_dtype(&alloc));
    let is_single = shape.is_none();
    let shape = shape.unwrap_or_default();
    let array = drawing.draw(vm, |generator| match distribution {
        None => generator.random(&shape, dtype, &alloc),
        Some(distribution) => generator.real(distribution, &shape, dtype, &alloc),
    })?;
    drawing.give(array, is_single)
}

/// Uniform numbers in a shape given by lengths.
pub fn rand(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
    let shape = lengths(vm, drawing)?;
    floats(vm, drawing, shape, None, None)
}

const STANDARD_NORMAL: RealDistribution = RealDistribution::Normal { mean: 0.0, deviation: 1.0 };

/// Standard normal numbers in a shape given by lengths.
pub fn randn(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
    let shape = lengths(vm, drawing)?;
    floats(vm, drawing, shape, None, Some(STANDARD_NORMAL))
}

/// Uniform numbers in a shape.
pub fn random_legacy(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
    let shape = drawing.shape(vm, 0)?;
    floats(vm, drawing, shape, None, None)
}

/// Uniform numbers in a shape and a dtype.
pub fn random_modern(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
    let shape = drawing.shape(vm, 0)?;
    let dtype = drawing.call().dtype(vm, drawing.place(1))?;
    floats(vm, drawing, shape, dtype, None)
}

/// Standard normal numbers.
pub fn standard_normal(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
    let shape = drawing.shape(vm, 0)?;
    floats(vm, drawing, shape, None, Some(STANDARD_NORMAL))
}

/// Exponential numbers of scale 1.
pub fn standard_exponential(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
    let shape = drawing.shape(vm, 0)?;
    floats(vm, drawing, shape, None, Some(RealDistribution::Exponential { scale: 1.0 }))
}

/// Gamma numbers of scale 1.
pub fn standard_gamma(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
    let gamma = drawing.call().float_or(vm, drawing.place(0), f64::NAN)?;
    let shape = drawing.shape(vm, 1)?;
    floats(vm, drawing, shape, None, Some(RealDistribution::Gamma { shape: gamma, scale: 1.0 }))
}

/// Cauchy numbers.
pub fn standard_cauchy(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
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
    let dtype = drawing.call().dtype(vm, drawing.place(3))?.unwrap_or(drawing.default_whole());
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
    let alloc = drawing.alloc(vm)?;
    let is_single = shape.is_none();
    let shape = shape.unwrap_or_default();
    let array = drawing.draw(vm, |generator| generator.integers(low, high, endpoint, &shape, dtype, &alloc))?;
    drawing.give(array, is_single)
}

/// Whole numbers below an end.
pub fn randint(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
    whole_numbers(vm, drawing, false)
}

/// Whole numbers up to an end, included on request.
pub fn integers(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
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

/// Whole numbers up to an end, included.
pub fn random_integers(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
    let first = drawing.args.get(vm, drawing.place(0));
    let first = i128::from(vm.index(&first)?);
    let (low, high) = match drawing.value(vm, 1) {
        Some(high) => (first, i128::from(vm.index(&high)?)),
        None => (1, first),
    };
    let shape = drawing.shape(vm, 2)?;
    draw_integers(vm, drawing, low, high, true, shape, drawing.default_whole())
}

/// A sample, as the module draws it.
pub fn choice_legacy(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
    choice(vm, drawing, 0, true)
}

/// A sample along an axis, as a `Generator` draws it.
pub fn choice_modern(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
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
    let alloc = match &items {
        Some(items) => items.alloc(),
        None => drawing.alloc(vm)?,
    };
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
    if drawing.own_parameters() > 1 { drawing.call().axis_or(vm, drawing.place(1), 0) } else { Ok(0) }
}

/// Shuffles an array or a list in place.
pub fn shuffle(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
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

/// A shuffled copy.
pub fn permutation(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
    let axis = axis(vm, drawing)?;
    let value = drawing.args.get(vm, drawing.place(0));
    if let Value::Int(count) = value {
        let count = usize::try_from(count).map_err(|_| raise::value_error("negative dimensions are not allowed"))?;
        let alloc = drawing.alloc(vm)?;
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

/// A copy with every line shuffled by itself.
pub fn permuted(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
    let axis = drawing.call().axis(vm, drawing.place(1))?;
    let array = match &drawing.args.get(vm, drawing.place(0)) {
        Value::Array(array) => pending::compute(vm, array)?,
        other => nested::host_array(vm, other)?,
    };
    let shuffled = drawing.draw(vm, |generator| generator.permuted(&array, axis))?;
    drawing.call().give_into(vm, shuffled, drawing.place(2))
}

/// Whole numbers from 0 to the largest of 64 bits with a sign.
pub fn tomaxint(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
    let shape = drawing.shape(vm, 0)?;
    let (is_single, shape) = (shape.is_none(), shape.unwrap_or_default());
    let alloc = drawing.alloc(vm)?;
    let array = drawing.draw(vm, |generator| generator.largest_whole(&shape, &alloc))?;
    drawing.give(array, is_single)
}

/// Random bytes.
pub fn random_bytes(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
    let count = drawing.call().int_or(vm, drawing.place(0), 0)?;
    let count = usize::try_from(count).map_err(|_| raise::value_error("negative dimensions are not allowed"))?;
    vm.reserve(count)?;
    let Some(object) = as_generator(&drawing.stream) else {
        return Err(raise::runtime_error("the stream is gone"));
    };
    let bytes = object.generator.borrow_mut().bytes(count);
    Ok(Value::Bytes(Ref::new(BytesObject::new(bytes))))
}
