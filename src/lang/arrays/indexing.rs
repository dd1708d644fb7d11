//! Subscripts of arrays: `a[1:3, ..., mask]` read, written and iterated.

use smallvec::SmallVec;

use crate::arrays::array::Array;
use crate::arrays::device::Place;
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::functions::indexing::{self, Assigned, Index};
use crate::arrays::layout::BasicIndex;
use crate::arrays::scalar::{Operand, Scalar};
use crate::lang::arrays::convert::{array_value, class_path, result_value, scalar_of};
use crate::lang::arrays::error::raised;
use crate::lang::arrays::{nested, operators, pending};
use crate::lang::heap::Ref;
use crate::lang::objects::{ArrayFlavour, ArrayObject, SliceObject};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

type Items = SmallVec<[Index; 4]>;

/// `array[key]`. Basic subscripts are views; full indexing gives a 0-d view in dpnp and a scalar in NumPy.
pub fn get_item(vm: &mut Vm, array: &Ref<ArrayObject>, key: &Value) -> Fallible<Value> {
    let computed = pending::compute(vm, array)?;
    let items = subscript(vm, &computed, array.flavour, key)?;
    check_places(&computed, &items)?;
    let result =
        pending::with_relief(vm, |_| indexing::get(&computed, &items).map_err(|error| in_words(error, array.flavour)))?;
    let whole = items.iter().all(|item| matches!(item, Index::Basic(BasicIndex::At(_))));
    let value = if whole { result_value(array.flavour, result)? } else { array_value(array.flavour, result) };
    if let Value::Array(view) = &value
        && items.iter().all(|item| matches!(item, Index::Basic(_)))
    {
        view.readonly.set(array.readonly.get());
    }
    Ok(value)
}

/// `array[key] = value`.
pub fn set_item(vm: &mut Vm, array: &Ref<ArrayObject>, key: &Value, value: &Value) -> Fallible<()> {
    pending::settle(vm)?;
    let target = pending::compute(vm, array)?;
    operators::check_writable(array)?;
    let items = subscript(vm, &target, array.flavour, key)?;
    check_places(&target, &items)?;
    if let Some(operand) = scalar_of(value)? {
        let operand =
            if array.flavour == ArrayFlavour::NumPy { operand } else { cast_by_device(operand, &target, &items) };
        return pending::with_relief(vm, |_| indexing::set(&target, &items, &Assigned::Scalar(operand)));
    }
    let source = match value {
        Value::Array(source) => {
            if array.flavour == ArrayFlavour::NumPy && source.flavour != ArrayFlavour::NumPy {
                return Err(raise::type_error(
                    "Implicit conversion to a NumPy array is not allowed. Please use `.asnumpy()` to construct a NumPy \
                     array explicitly.",
                ));
            }
            pending::compute(vm, source)?
        }
        // NumPy reads the items as numbers of the array they go to: what does not fit is an error.
        other if array.flavour == ArrayFlavour::NumPy => nested::host_array_of(vm, other, Some(target.dtype()))?,
        other => nested::host_array(vm, other)?,
    };
    check_depth(&target, &items, array.flavour, value, source.rank())?;
    let source = match (source.place(), target.place()) {
        // dpnp takes a NumPy array on the right of an assignment; the transfer is in the cell's account.
        (Place::Host, Place::Queue(_)) => pending::with_relief(vm, |_| source.copy_to(&target.alloc()))?,
        (from, to) if from != to => {
            return Err(raised(ArrayError::Placement {
                message: "Execution queue is not compatible with allocation queues".into(),
            }));
        }
        _ => source,
    };
    pending::with_relief(vm, |_| indexing::set(&target, &items, &Assigned::Array(&source)))
}

/// A sequence that nests deeper than the view it is assigned to has axes is no element of it; neither is one that has axes where
/// NumPy is given one place.
fn check_depth(target: &Array, items: &[Index], flavour: ArrayFlavour, value: &Value, depth: usize) -> Fallible<()> {
    let mut rank = target.rank();
    let mut is_one_place = items.len() == rank;
    for item in items {
        match item {
            Index::Basic(BasicIndex::At(_)) => rank = rank.saturating_sub(1),
            Index::Basic(BasicIndex::NewAxis) => (rank, is_one_place) = (rank + 1, false),
            Index::Basic(BasicIndex::Slice { .. } | BasicIndex::Ellipsis) => is_one_place = false,
            Index::Integers(_) | Index::Mask(_) => return Ok(()),
        }
    }
    let is_array = matches!(value, Value::Array(_));
    match flavour {
        ArrayFlavour::NumPy if is_one_place && depth > 0 && target.dtype().is_integer() && !is_array => {
            Err(raise::type_error(format!(
                "int() argument must be a string, a bytes-like object or a real number, not '{}'",
                value.type_name()
            )))
        }
        ArrayFlavour::NumPy if is_one_place && depth > 0 => {
            Err(raise::value_error("setting an array element with a sequence."))
        }
        ArrayFlavour::NumPy if !is_array && depth > rank => Err(raise::value_error(format!(
            "setting an array element with a sequence. The requested array would exceed the maximum number of dimension of \
             {rank}."
        ))),
        ArrayFlavour::Dpnp | ArrayFlavour::Tensor if !is_array && depth > rank => Err(raise::value_error(format!(
            "Input of type <class '{}'> could not be copied into dpnp.tensor.usm_ndarray",
            class_path(value)
        ))),
        _ => Ok(()),
    }
}

/// A number that dpnp writes through a basic subscript: there the device casts, so that a whole number wraps around and an
/// imaginary part is dropped; through index arrays and masks such numbers are refused.
fn cast_by_device(operand: Operand, target: &Array, items: &[Index]) -> Operand {
    let is_basic = !items.iter().any(|item| matches!(item, Index::Integers(_) | Index::Mask(_)));
    match operand {
        Operand::Weak(number @ Scalar::Int(whole)) if is_basic && i64::try_from(whole).is_ok() => {
            Operand::Typed(number, DType::Int64)
        }
        Operand::Weak(number @ Scalar::Complex(_)) if is_basic && !target.dtype().is_complex() => {
            Operand::Typed(number, DType::Complex128)
        }
        other => other,
    }
}

/// An index error in the words of the array's library.
fn in_words(error: ArrayError, flavour: ArrayFlavour) -> ArrayError {
    match error {
        ArrayError::IndexOutOfBounds { index, axis, len } if flavour != ArrayFlavour::NumPy => {
            ArrayError::index(format!("Index {index} is out of range for axes {axis} with size {len}"))
        }
        other => other,
    }
}

/// Index arrays must live with the array they index; NumPy's are copied over.
fn check_places(array: &Array, items: &[Index]) -> Fallible<()> {
    for item in items {
        let (Index::Integers(index) | Index::Mask(index)) = item else { continue };
        if index.place() != array.place() {
            return Err(raised(ArrayError::Placement {
                message: match item {
                    Index::Mask(_) => {
                        "arrays have different associated queues. Use `y.to_device(x.device)` to migrate.".into()
                    }
                    _ => "Can not automatically determine where to allocate the result or performance execution. Use \
                          `usm_ndarray.to_device` method to migrate data to be associated with the same queue."
                        .into(),
                },
            }));
        }
    }
    Ok(())
}

/// A subscript as items.
pub fn subscript(vm: &mut Vm, array: &Array, flavour: ArrayFlavour, key: &Value) -> Fallible<Items> {
    let mut items = Items::new();
    match key {
        Value::Tuple(parts) => {
            for part in parts.items() {
                items.push(item(vm, array, flavour, part)?);
            }
        }
        one => items.push(item(vm, array, flavour, one)?),
    }
    check_count(array, flavour, &items)?;
    Ok(items)
}

fn check_count(array: &Array, flavour: ArrayFlavour, items: &[Index]) -> Fallible<()> {
    let consumed: usize = items
        .iter()
        .map(|item| match item {
            Index::Basic(BasicIndex::At(_) | BasicIndex::Slice { .. }) | Index::Integers(_) => 1,
            Index::Basic(BasicIndex::NewAxis | BasicIndex::Ellipsis) => 0,
            Index::Mask(mask) => mask.rank(),
        })
        .sum();
    if consumed <= array.rank() {
        return Ok(());
    }
    let rank = array.rank();
    Err(raise::index_error(match flavour {
        ArrayFlavour::NumPy => {
            format!("too many indices for array: array is {rank}-dimensional, but {consumed} were indexed")
        }
        ArrayFlavour::Dpnp | ArrayFlavour::Tensor => {
            format!("too many indices for an array, array is {rank}-dimensional, but {consumed} were indexed")
        }
    }))
}

fn item(vm: &mut Vm, array: &Array, flavour: ArrayFlavour, value: &Value) -> Fallible<Index> {
    Ok(match value {
        Value::Int(index) => Index::Basic(BasicIndex::At(*index)),
        Value::None => Index::Basic(BasicIndex::NewAxis),
        Value::Ellipsis => Index::Basic(BasicIndex::Ellipsis),
        Value::Slice(slice) => Index::Basic(basic_slice(vm, slice)?),
        Value::Bool(truth) => mask_of_rank_0(*truth, array)?,
        Value::Scalar(scalar) if scalar.dtype.is_bool() => mask_of_rank_0(scalar.value.truth(), array)?,
        Value::Array(index) => {
            let computed = pending::compute(vm, index)?;
            if computed.rank() == 0 && computed.dtype().is_integer() {
                let value = computed.read_scalar(&[]).map_err(raised)?.wrapping_int();
                return Ok(Index::Basic(BasicIndex::At(narrow(value)?)));
            }
            let computed = match (computed.place(), array.place()) {
                (Place::Host, Place::Queue(_)) => pending::with_relief(vm, |_| computed.copy_to(&array.alloc()))?,
                _ => computed,
            };
            Index::from_array(computed).map_err(raised)?
        }
        Value::List(_) | Value::Tuple(_) | Value::Range(_) if flavour == ArrayFlavour::NumPy => {
            let host = nested::host_array(vm, value)?;
            let host = if host.len_elements() == 0 {
                pending::with_relief(vm, |_| {
                    crate::arrays::functions::support::cast(&host, crate::arrays::dtype::DType::Int64)
                })?
            } else {
                host
            };
            Index::from_array(host).map_err(raised)?
        }
        other => match vm.index(other) {
            Ok(index) => Index::Basic(BasicIndex::At(index)),
            Err(_) => {
                return Err(raise::index_error(match flavour {
                    ArrayFlavour::NumPy => {
                        "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean \
                         arrays are valid indices"
                    }
                    ArrayFlavour::Dpnp | ArrayFlavour::Tensor => {
                        "Only integers, slices (`:`), ellipsis (`...`), dpnp.tensor.newaxis (`None`) and integer and \
                         boolean arrays are valid indices."
                    }
                }));
            }
        },
    })
}

/// A truth value as a subscript: it takes the whole array, as one item of a new axis, or nothing of it.
fn mask_of_rank_0(truth: bool, array: &Array) -> Fallible<Index> {
    let truth = crate::arrays::scalar::Scalar::Bool(truth);
    Array::from_scalar(truth, crate::arrays::dtype::DType::Bool, &array.alloc()).map(Index::Mask).map_err(raised)
}

fn narrow(value: i128) -> Fallible<i64> {
    i64::try_from(value).map_err(|_| raise::index_error(format!("index {value} is out of bounds")))
}

fn basic_slice(vm: &mut Vm, slice: &SliceObject) -> Fallible<BasicIndex> {
    let mut part = |value: &Value| match value {
        Value::None => Ok(None),
        Value::Int(bound) => Ok(Some(*bound)),
        Value::Array(_) | Value::Scalar(_) | Value::Bool(_) | Value::Instance(_) => vm.index(value).map(Some),
        // A bound beyond 64 bits is beyond every array.
        Value::Big(bound) if bound.value().sign() == num_bigint::Sign::Minus => Ok(Some(i64::MIN + 1)),
        Value::Big(_) => Ok(Some(i64::MAX)),
        _ => Err(raise::type_error("slice indices must be integers or None or have an __index__ method")),
    };
    let (start, stop, step) = (part(&slice.start)?, part(&slice.stop)?, part(&slice.step)?);
    if step == Some(0) {
        return Err(raise::value_error("slice step cannot be zero"));
    }
    Ok(BasicIndex::Slice { start, stop, step })
}

/// How many items iterating gives; a 0-d array has none.
pub fn len(array: &ArrayObject) -> Fallible<usize> {
    array.shape().first().copied().ok_or_else(|| raise::type_error("len() of unsized object"))
}
