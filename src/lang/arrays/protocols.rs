//! How an array offers itself to other libraries: its namespace, DLPack, and the same memory under `dpnp.tensor`.

use super::ndarray::{computed, this};
use crate::lang::arrays::convert::{array_value, class_path};
use crate::lang::builtins::array_classes::array_class;
use crate::lang::builtins::classes::attach;
use crate::lang::modules::dpctl;
use crate::lang::name::Name;
use crate::lang::native::{Args, Method, getter, method};
use crate::lang::objects::ArrayFlavour;
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The revision of the array API that dpnp 0.20 follows.
const ARRAY_API: &str = "2024.12";

/// Attaches the protocols to each library's array class; once per thread.
pub fn install() {
    for flavour in [ArrayFlavour::Dpnp, ArrayFlavour::Tensor, ArrayFlavour::NumPy] {
        attach(&array_class(flavour), COMMON);
    }
    attach(&array_class(ArrayFlavour::Dpnp), OF_DPNP);
    attach(&array_class(ArrayFlavour::Tensor), OF_TENSOR);
    attach(&array_class(ArrayFlavour::NumPy), OF_NUMPY);
}

const COMMON: &[Method] = &[
    method(
        "__array_namespace__",
        "(self, /, *, api_version=None)",
        "The library that the array belongs to.",
        namespace,
    ),
    method(
        "__dlpack__",
        "(self, /, *, stream=None, max_version=None, dl_device=None, copy=None)",
        "A DLPack capsule, which from_dlpack takes once.",
        |vm, args| dlpack(vm, args, "capsule_of"),
    ),
    method("__dlpack_device__", "(self, /)", "DLPack's pair of numbers for the array's device.", |vm, args| {
        dlpack(vm, args, "device_of")
    }),
];

const OF_DPNP: &[Method] = &[
    getter("__array_ufunc__", "None: NumPy's functions do not take arrays of dpnp.", |_, _| Ok(Value::None)),
    getter("__usm_ndarray__", "The same memory as an array of dpnp.tensor.", |vm, args| {
        let array = computed(vm, args)?;
        Ok(array_value(ArrayFlavour::Tensor, array))
    }),
];

const OF_NUMPY: &[Method] = &[
    getter("device", "`cpu`: a NumPy array lives on the host.", |_, _| Ok(Value::str("cpu"))),
    method("to_device", "(self, device, /, *, stream=None)", "The array itself, for device \"cpu\".", |vm, args| {
        if args.text(vm, 1, "device")?.as_ref() != "cpu" {
            return Err(raise::value_error(
                "a NumPy array stays on the host: dpnp.asarray(x, device=...) copies it to a device",
            ));
        }
        Ok(args.get(vm, 0))
    }),
    method(
        "setflags",
        "(self, write=None, align=None, uic=None)",
        "Says whether the array may be written.",
        |vm, args| {
            if let Some(write) = args.not_none(vm, 1) {
                let writable = vm.truth(&write)?;
                let array = this(vm, args)?;
                return super::flags::set_writable(&array, writable);
            }
            Ok(Value::None)
        },
    ),
    method(
        "__array__",
        "(self, dtype=None, /, *, copy=None)",
        "The array itself, cast or copied on request.",
        |vm, args| {
            let own = args.get(vm, 0);
            let numpy = vm.import("numpy")?;
            let dtype = args.not_none(vm, 1).unwrap_or(Value::None);
            let asked = args.not_none(vm, 2);
            let copies = matches!(&asked, Some(value) if vm.truth(value)?);
            let function = Name::new(if copies { "array" } else { "asarray" });
            vm.call_method(&numpy, function, &[own, dtype])
        },
    ),
];

const OF_TENSOR: &[Method] = &[getter("usm_data", "Its memory: a USM memory object with its address.", |vm, args| {
    let array = computed(vm, args)?;
    dpctl::memory::array_memory(&array, args.get(vm, 0))
})];

fn namespace(vm: &mut Vm, args: Args) -> Fallible<Value> {
    match args.not_none(vm, 1) {
        None => {}
        Some(Value::Str(version)) if version.as_str() == ARRAY_API => {}
        Some(Value::Str(_)) => return Err(raise::value_error(format!("Only {ARRAY_API} is supported"))),
        Some(other) => {
            return Err(raise::type_error(format!("Expected type str, got <class '{}'>", class_path(&other))));
        }
    }
    let library = if this(vm, args)?.flavour == ArrayFlavour::NumPy { "numpy" } else { "dpnp" };
    vm.import(library)
}

/// One of the functions of `_dlpack`, with the arguments of the method.
fn dlpack(vm: &mut Vm, args: Args, function: &str) -> Fallible<Value> {
    let home = vm.import("_dlpack")?;
    let arguments: Vec<Value> = (0..args.count())
        .map(|index| if index == 0 { args.get(vm, 0) } else { args.not_none(vm, index).unwrap_or(Value::None) })
        .collect();
    vm.call_method(&home, Name::new(function), &arguments)
}
