//! Arrays made by calling their class: `numpy.ndarray(shape)`, `dpnp.ndarray(shape, buffer=...)`, `usm_ndarray(shape)`.
//!
//! The work is that of `empty`, `frombuffer` and views, so it is written in the language over them.

use crate::lang::builtins::array_classes::array_class;
use crate::lang::builtins::classes::attach;
use crate::lang::name::Name;
use crate::lang::native::{Args, Method, static_method};
use crate::lang::objects::ArrayFlavour;
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Lets the classes of arrays be called.
pub(super) fn install() {
    for (flavour, family) in [(ArrayFlavour::NumPy, NUMPY), (ArrayFlavour::Dpnp, DPNP), (ArrayFlavour::Tensor, TENSOR)]
    {
        attach(&array_class(flavour), family);
    }
}

const DOC: &str = "An array of a shape, not filled, or a view of memory that is there already.";

const NUMPY: &[Method] = &[static_method(
    "__new__",
    "(cls, shape, dtype=float, buffer=None, offset=0, strides=None, order=None)",
    DOC,
    |vm, args| make(vm, args, "numpy", 7),
)];

const DPNP: &[Method] = &[static_method(
    "__new__",
    "(cls, shape, dtype=None, buffer=None, offset=0, strides=None, order='C', device=None, usm_type='device', \
     sycl_queue=None)",
    DOC,
    |vm, args| make(vm, args, "dpnp", 10),
)];

const TENSOR: &[Method] = &[static_method(
    "__new__",
    "(cls, shape, dtype=None, strides=None, buffer='device', offset=0, order='C', buffer_ctor_kwargs=None, \
     array_namespace=None)",
    DOC,
    |vm, args| make(vm, args, "tensor", 9),
)];

fn make(vm: &mut Vm, args: Args, library: &str, count: usize) -> Fallible<Value> {
    let objects = vm.import("_array_objects")?;
    // What was not given is the function's own business.
    let values: Vec<Value> = (1..count).map(|index| args.optional(vm, index).unwrap_or(Value::None)).collect();
    vm.call_method(&objects, Name::new(&format!("new_{library}_array")), &values)
}
