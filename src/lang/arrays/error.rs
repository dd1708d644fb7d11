//! From the array layer's errors to exceptions: which class each kind raises, and the classes that dpctl, dpnp and NumPy add.

use crate::arrays::error::{ArrayError, ErrorKind, OutOfMemory};
use crate::lang::builtins::classes::{Builtin, builtin_class};
use crate::lang::heap::Ref;
use crate::lang::name::Name;
use crate::lang::objects::{ClassObject, ClassRef, PayloadKind};
use crate::lang::raise::{self, Raised};
use crate::lang::value::Value;

/// An exception class that the array libraries define.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrayException {
    /// `dpctl.memory.USMAllocationError`; here also a `MemoryError`, so that `except MemoryError` catches it.
    UsmAllocation,
    /// `dpnp.exceptions.ExecutionPlacementError`; here also a `ValueError`, as half of dpnp's own placement errors are.
    ExecutionPlacement,
    /// `numpy.exceptions.AxisError`
    Axis,
    /// `numpy.linalg.LinAlgError`
    LinAlg,
    /// `dpctl.SyclDeviceCreationError`
    SyclDeviceCreation,
    /// `dpctl.SyclQueueCreationError`
    SyclQueueCreation,
    /// `dpctl.SyclContextCreationError`
    SyclContextCreation,
    /// `dpctl.SyclSubDeviceCreationError`
    SyclSubDeviceCreation,
    /// `cellhold.ReleasedArrayError`: memory that `%free #id` took back.
    ReleasedArray,
    /// `cellhold.DeviceLostError`
    DeviceLost,
    /// `cellhold.PlanStopped`: a dry run needs a value; not an `Exception`, so that programs do not catch it by the way.
    PlanStopped,
}

/// Name, module and bases of each class, in the order of [`ArrayException`].
const ROWS: &[(&str, &str, &[Builtin])] = &[
    ("USMAllocationError", "dpctl.memory", &[Builtin::MemoryError]),
    ("ExecutionPlacementError", "dpnp.exceptions", &[Builtin::ValueError]),
    ("AxisError", "numpy.exceptions", &[Builtin::ValueError, Builtin::IndexError]),
    ("LinAlgError", "numpy.linalg", &[Builtin::ValueError]),
    ("SyclDeviceCreationError", "dpctl", &[Builtin::Exception]),
    ("SyclQueueCreationError", "dpctl", &[Builtin::Exception]),
    ("SyclContextCreationError", "dpctl", &[Builtin::Exception]),
    ("SyclSubDeviceCreationError", "dpctl", &[Builtin::Exception]),
    ("ReleasedArrayError", "cellhold", &[Builtin::RuntimeError]),
    ("DeviceLostError", "cellhold", &[Builtin::RuntimeError]),
    ("PlanStopped", "cellhold", &[Builtin::BaseException]),
];

thread_local! {
    static CLASSES: Vec<ClassRef> = ROWS.iter().map(|(name, module, bases)| build(name, module, bases)).collect();
}

fn build(name: &str, module: &str, bases: &[Builtin]) -> ClassRef {
    let bases: Vec<ClassRef> = bases.iter().map(|base| builtin_class(*base)).collect();
    ClassObject::native(Name::new(name), Name::new(module), bases, PayloadKind::Exception)
}

/// The class of an exception that the array libraries define.
pub fn array_exception(exception: ArrayException) -> ClassRef {
    CLASSES.with(|classes| classes[exception as usize].clone())
}

/// The exception an array error raises.
#[cold]
pub fn raised(error: ArrayError) -> Raised {
    let message = error.to_string();
    match error.kind() {
        ErrorKind::Value => raise::value_error(message),
        ErrorKind::Type => raise::type_error(message),
        ErrorKind::Index => raise::index_error(message),
        ErrorKind::Overflow => raise::overflow_error(message),
        ErrorKind::ZeroDivision => raise::zero_division_error(message),
        ErrorKind::Attribute => raise::attribute_error(message),
        ErrorKind::Buffer => raise::buffer_error(message),
        ErrorKind::Runtime => raise::runtime_error(message),
        ErrorKind::NotSupported => raise::not_implemented_error(message),
        ErrorKind::Interrupted => {
            // Delivered here, so the machine must not raise it again.
            crate::arrays::attention::handle().clear();
            raise::keyboard_interrupt()
        }
        ErrorKind::Memory => match error.out_of_memory() {
            Some(OutOfMemory { usm: None, .. }) => raise::memory_error(message),
            Some(_) | None => Raised::new(array_exception(ArrayException::UsmAllocation), message),
        },
        ErrorKind::Placement => Raised::new(array_exception(ArrayException::ExecutionPlacement), message),
        ErrorKind::Axis => Raised::new(array_exception(ArrayException::Axis), message),
        ErrorKind::LinAlg => Raised::new(array_exception(ArrayException::LinAlg), message),
        ErrorKind::Device => Raised::new(array_exception(ArrayException::SyclDeviceCreation), message),
        ErrorKind::Queue => Raised::new(array_exception(ArrayException::SyclQueueCreation), message),
        ErrorKind::Context => Raised::new(array_exception(ArrayException::SyclContextCreation), message),
        ErrorKind::DeviceLost => Raised::new(array_exception(ArrayException::DeviceLost), message),
        ErrorKind::Released => Raised::new(array_exception(ArrayException::ReleasedArray), message),
        ErrorKind::Unplanned => Raised::new(array_exception(ArrayException::PlanStopped), message),
        ErrorKind::Io => os_error(&error, message),
    }
}

/// The error for using an output that was let go of.
#[cold]
pub fn released_output(message: String) -> Raised {
    Raised::new(array_exception(ArrayException::ReleasedArray), message)
}

/// An `OSError` of the subclass that the operating system's answer means.
fn os_error(error: &ArrayError, message: String) -> Raised {
    use std::io::ErrorKind as Io;
    let class = match error {
        ArrayError::Io { kind: Io::NotFound, .. } => Builtin::FileNotFoundError,
        ArrayError::Io { kind: Io::PermissionDenied, .. } => Builtin::PermissionError,
        ArrayError::Io { kind: Io::AlreadyExists, .. } => Builtin::FileExistsError,
        ArrayError::Io { kind: Io::IsADirectory, .. } => Builtin::IsADirectoryError,
        ArrayError::Io { kind: Io::UnexpectedEof, .. } => Builtin::EOFError,
        _ => Builtin::OSError,
    };
    Raised::builtin(class, message)
}

/// Binds every class of this file that belongs to a module.
pub fn bind(module: &str, mut set: impl FnMut(&'static str, Value)) {
    for (index, (name, home, _)) in ROWS.iter().enumerate() {
        if *home == module {
            set(name, Value::Class(CLASSES.with(|classes| Ref::clone(&classes[index]))));
        }
    }
}
