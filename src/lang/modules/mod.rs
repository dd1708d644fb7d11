//! Modules of the engine that programs import: one file or folder a module, a table that names them.

pub mod cellhold;
pub mod collections;
pub mod dpctl;
pub mod dpnp;
pub mod file_system;
pub mod functools;
pub mod io;
pub mod itertools;
pub mod json;
pub mod math;
pub mod numpy;
pub mod operator;
pub mod os;
pub mod random;
pub mod struct_sequence;
pub mod support;
pub mod time;

use super::heap::Ref;
use super::objects::ModuleObject;
use super::raise::Fallible;
use super::vm::Vm;

/// Builds a module; called at its first import and never before.
pub type Build = fn(&mut Vm) -> Fallible<Ref<ModuleObject>>;

/// Modules built in Rust, by dotted name.
pub const NATIVE: &[(&str, Build)] = &[
    ("cellhold", cellhold::build),
    ("dpctl", dpctl::build),
    ("dpctl.memory", dpctl::build_memory),
    ("dpctl.utils", dpctl::build_utils),
    ("dpnp", dpnp::build),
    ("numpy", numpy::build),
    ("_functools", functools::build),
    ("itertools", itertools::build),
    ("io", io::build),
    ("_json", json::build),
    ("math", math::build),
    ("_collections", collections::build),
    ("operator", operator::build),
    ("os", os::build),
    ("os.path", os::path::build),
    ("posixpath", os::path::build),
    ("random", random::build),
    ("time", time::build),
];

/// Modules written in the language itself: dotted name and text, compiled at their first import.
pub const TEXTS: &[(&str, &str)] = &[
    ("cunumpy", include_str!("py/cunumpy.py")),
    ("cunumpy.cuda", include_str!("py/cunumpy_cuda.py")),
    ("cunumpy.profiling", include_str!("py/cunumpy_profiling.py")),
    ("functools", include_str!("py/functools.py")),
    ("json", include_str!("py/json.py")),
];
