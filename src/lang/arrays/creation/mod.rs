//! Functions that make arrays. By what they start from: nothing (`filled`), ends and steps (`spaced`), a diagonal or a
//! shape (`matrices`), data that exists already (`sources`).

pub mod filled;
pub mod matrices;
pub mod sources;
pub mod spaced;

use crate::arrays::array::{Alloc, Array};
use crate::arrays::dtype::DType;
use crate::lang::arrays::call::Call;
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The shape of a new array; what is wrong with it is said in the library's own words.
pub fn new_shape(vm: &mut Vm, call: Call, index: usize) -> Fallible<Vec<usize>> {
    let value = call.args.get(vm, index);
    if !call.is_numpy() && matches!(value, Value::Float(_) | Value::Str(_) | Value::None | Value::Dict(_)) {
        return Err(raise::type_error("Argument shape must a non-negative integer, or a list/tuple of such integers."));
    }
    let lengths = call.ints(vm, index)?;
    if lengths.iter().any(|length| *length < 0) {
        return Err(raise::value_error(if call.is_numpy() {
            "negative dimensions are not allowed"
        } else {
            "Number of bytes of request allocation must be positive."
        }));
    }
    Ok(lengths.into_iter().map(|length| length as usize).collect())
}

/// An explicit dtype that the device cannot compute in is refused with dpnp's error.
pub fn check_dtype(dtype: DType, alloc: &Alloc) -> Fallible<()> {
    if dtype.narrowed(alloc.place.fp64()) == dtype {
        return Ok(());
    }
    Err(raise::value_error(format!(
        "Device {} does not provide native support for double-precision floating point type.",
        alloc.place.device().info().name
    )))
}

/// Where a result goes that follows an array unless `device=`, `usm_type=` or `sycl_queue=` say otherwise.
pub fn alloc_beside(
    vm: &mut Vm,
    call: Call,
    array: &Array,
    device: usize,
    usm_type: usize,
    sycl_queue: usize,
) -> Fallible<Alloc> {
    if call.is_numpy() {
        return Ok(Alloc::HOST);
    }
    let beside = array.alloc();
    let usm = call.usm_type(vm, usm_type)?.unwrap_or(beside.usm);
    Ok(match call.queue(vm, device, sycl_queue)? {
        Some(queue) => Alloc::queue(queue, usm),
        None => Alloc { place: beside.place, usm },
    })
}

/// `like=` has no meaning in dpnp, which says so; NumPy takes any array.
pub fn refuse_like(vm: &mut Vm, call: Call, index: usize) -> Fallible<()> {
    match call.args.not_none(vm, index) {
        Some(value) if !call.is_numpy() => Err(only_default(vm, "like", "None", &value)?),
        _ => Ok(()),
    }
}

/// `subok=True` has no meaning in dpnp, which says so; NumPy has no subclass to pass through here.
pub fn refuse_subok(vm: &mut Vm, call: Call, index: usize) -> Fallible<()> {
    match call.args.optional(vm, index) {
        Some(value) if !call.is_numpy() && vm.truth(&value)? => Err(only_default(vm, "subok", "False", &value)?),
        _ => Ok(()),
    }
}

#[cold]
fn only_default(vm: &mut Vm, keyword: &str, default: &str, given: &Value) -> Fallible<raise::Raised> {
    let given = vm.str(given)?;
    Ok(raise::not_implemented_error(format!(
        "Keyword argument `{keyword}` is supported only with default value ``{default}``, but got {given}."
    )))
}
