//! `_strides`: views with a shape and strides of one's own, behind `numpy.lib.stride_tricks` and `numpy.ndarray(strides=)`,
//! whose faces are written in the language (`modules/py/numpy_stride_tricks.py`, `_array_objects.py`).
//!
//! NumPy trusts what it is told here; this checks every view against the block it looks into, so that no index can
//! reach memory of something else.

use crate::arrays::array::Array;
use crate::arrays::layout::{Dims, Layout, Strides, checked_len};
use crate::lang::arrays::convert::{array_value, computed, ints_argument, shape_argument};
use crate::lang::heap::Ref;
use crate::lang::modules::support::new_module;
use crate::lang::native::{Args, method};
use crate::lang::objects::ModuleObject;
use crate::lang::raise::{Fallible, type_error, value_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Builds `_strides`.
pub fn build(_vm: &mut Vm) -> Fallible<Ref<ModuleObject>> {
    Ok(new_module(
        "_strides",
        "Views with a shape and strides of one's own.",
        &[method(
            "strided",
            "(array, shape, strides, offset, writeable)",
            "The array's memory seen with a shape, strides in bytes and a start in bytes after the array's first element.",
            strided,
        )],
    ))
}

fn strided(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let value = args.get(vm, 0);
    let Value::Array(source) = &value else {
        return Err(type_error(format!("expected an array, got {}", value.type_name())));
    };
    let array = computed(vm, &value)?;
    let lengths = args.get(vm, 1);
    let shape = shape_argument(vm, &lengths)?;
    let steps = args.get(vm, 2);
    let steps = ints_argument(vm, &steps)?;
    let start = args.get(vm, 3);
    let start = ints_argument(vm, &start)?.first().copied().unwrap_or(0);
    let writeable = args.get(vm, 4);
    let writeable = vm.truth(&writeable)?;
    let view = view_of(&array, &shape, &steps, start)?;
    let readonly = source.readonly.get() || !writeable || view.layout().overlaps_itself();
    let value = array_value(source.flavour, view);
    if let Value::Array(view) = &value {
        view.readonly.set(readonly);
    }
    Ok(value)
}

/// The view, when every one of its elements lies in the array's block.
fn view_of(array: &Array, shape: &[usize], strides: &[i64], start: i64) -> Fallible<Array> {
    if shape.len() != strides.len() {
        return Err(value_error(format!(
            "strides must have one number for each axis: the shape has {} and the strides have {}",
            shape.len(),
            strides.len()
        )));
    }
    let bytes = array.dtype().bytes() as i64;
    if let Some(odd) = strides.iter().chain([&start]).find(|stride| *stride % bytes != 0) {
        return Err(value_error(format!(
            "strides are whole elements here, and {odd} is no multiple of the {bytes} bytes of a {}",
            array.dtype().name()
        )));
    }
    let outside = |first: i128, last: i128| {
        let within = array.buffer().bytes() as i128 / i128::from(bytes);
        value_error(format!(
            "this view would reach outside its memory: it needs elements {first} to {last}, and the block has elements 0 to {}",
            within - 1
        ))
    };
    let origin = array.layout().offset as i128 + i128::from(start / bytes);
    let (mut first, mut last) = (origin, origin);
    for (&len, &stride) in shape.iter().zip(strides) {
        let reach = (len as i128 - 1).saturating_mul(i128::from(stride / bytes));
        if reach < 0 {
            first = first.saturating_add(reach);
        } else {
            last = last.saturating_add(reach);
        }
    }
    let Some(len_elements) = checked_len(shape) else {
        return Err(value_error("array is too big; the product of its lengths is no number of elements"));
    };
    let elements = array.buffer().bytes() as i128 / i128::from(bytes);
    if len_elements > 0 && (first < 0 || last >= elements) {
        return Err(outside(first, last));
    }
    if !(0..=elements).contains(&origin) {
        return Err(outside(origin, origin));
    }
    let layout = Layout {
        shape: shape.iter().copied().collect::<Dims>(),
        strides: strides.iter().map(|stride| (stride / bytes) as isize).collect::<Strides>(),
        offset: origin as usize,
    };
    Ok(array.view(layout))
}
