//! `get_state` and `set_state`: a stream of the legacy family written down as NumPy does.

use super::stream::{Drawing, as_generator};
use crate::arrays::array::{Alloc, Array};
use crate::arrays::functions::random::{Generator, LegacyState};
use crate::arrays::functions::support;
use crate::lang::arrays::convert::array_value;
use crate::lang::arrays::error::raised;
use crate::lang::arrays::{nested, pending};
use crate::lang::heap::Ref;
use crate::lang::objects::{ArrayFlavour, DictObject};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The name of the legacy family's source of bits.
const SOURCE: &str = "MT19937";

/// `('MT19937', words, place, has_gauss, cached_gaussian)`, or a dict of the same.
pub fn get_state(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
    let state = as_generator(&drawing.stream).and_then(|stream| stream.generator.borrow().legacy_state());
    let Some(state) = state else { return Err(raise::type_error("only streams of RandomState show their state")) };
    let words = Array::from_slice(&state.words, &[state.words.len()], &Alloc::HOST).map_err(raised)?;
    let words = array_value(ArrayFlavour::NumPy, words);
    let has_gauss = Value::Int(i64::from(state.spare_normal.is_some()));
    let spare = Value::Float(state.spare_normal.unwrap_or(0.0));
    let tuple = drawing.call().truth_or(vm, drawing.place(0), true)?;
    if tuple {
        return Ok(Value::tuple(vec![Value::str(SOURCE), words, Value::from(state.place), has_gauss, spare]));
    }
    let inner = dict(vm, &[("key", words), ("pos", Value::from(state.place))])?;
    dict(vm, &[("bit_generator", Value::str(SOURCE)), ("state", inner), ("has_gauss", has_gauss), ("gauss", spare)])
}

fn dict(vm: &mut Vm, entries: &[(&str, Value)]) -> Fallible<Value> {
    let dict = Ref::new(DictObject::default());
    for (name, value) in entries {
        vm.dict_set(&dict, Value::str(*name), value.clone())?;
    }
    Ok(Value::Dict(dict))
}

/// The five parts of a state, a tuple's or a dict's.
fn parts(vm: &mut Vm, state: &Value) -> Fallible<Vec<Value>> {
    let Value::Dict(outer) = state else { return vm.collect(state) };
    let mut entry = |dict: &Ref<DictObject>, name: &str| -> Fallible<Value> {
        vm.dict_get(dict, &Value::str(name))?.ok_or_else(|| raise::key_error(Value::str(name)))
    };
    let Value::Dict(inner) = entry(outer, "state")? else {
        return Err(raise::type_error("'state' of a state is a dict with 'key' and 'pos'"));
    };
    Ok(vec![
        entry(outer, "bit_generator")?,
        entry(&inner, "key")?,
        entry(&inner, "pos")?,
        entry(outer, "has_gauss")?,
        entry(outer, "gauss")?,
    ])
}

/// Lets the stream go on from what [`get_state`] gave.
pub fn set_state(vm: &mut Vm, drawing: &Drawing) -> Fallible<Value> {
    let state = drawing.args.get(vm, drawing.place(0));
    let parts = parts(vm, &state)?;
    if !matches!(parts.len(), 3 | 5) {
        return Err(raise::value_error("state must be a tuple of 3 or 5 parts, or a dict"));
    }
    if parts[0].as_str() != Some(SOURCE) {
        return Err(raise::value_error(format!("set_state can only be used with legacy {SOURCE} state instances.")));
    }
    let words = match &parts[1] {
        Value::Array(array) => pending::compute(vm, array)?,
        other => nested::host_array(vm, other)?,
    };
    let words = support::integers(&words).map_err(raised)?;
    let words: Vec<u32> = words.iter().map(|word| *word as u32).collect();
    let place = vm.index(&parts[2])?;
    let place = usize::try_from(place).map_err(|_| raise::value_error("the place in a state is not negative"))?;
    let spare_normal = match parts.get(3) {
        Some(has_gauss) if vm.truth(has_gauss)? => Some(vm.float(&parts[4])?),
        _ => None,
    };
    let generator = Generator::from_legacy_state(&LegacyState { words, place, spare_normal }).map_err(raised)?;
    let Some(object) = as_generator(&drawing.stream) else {
        return Err(raise::runtime_error("the stream is gone"));
    };
    object.generator.replace(generator);
    Ok(Value::None)
}
