//! Modules of the engine that programs import: one file or folder a module, a table that names them.

pub mod absent;
pub mod array;
pub mod binary;
pub mod bisect;
pub mod budget;
pub mod cellhold;
pub mod cmath;
pub mod collections;
pub mod dpctl;
pub mod dpnp;
pub mod elsewhere;
pub mod file_system;
pub mod functools;
pub mod gc;
pub mod host;
pub mod inspection;
pub mod io;
pub mod itertools;
pub mod json;
pub mod literals;
pub mod math;
pub mod numpy;
pub mod operator;
pub mod os;
pub mod random;
pub mod regex;
mod removed;
pub mod struct_sequence;
pub mod structs;
pub mod support;
pub mod sys;
pub mod tensor;
pub mod time;
pub mod traceback;
pub mod unicode_data;
pub mod warnings;
pub mod weak_references;

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
    ("dpctl.tensor", tensor::build),
    ("dpnp.tensor", tensor::build),
    ("dpctl.utils", dpctl::build_utils),
    ("dpnp", dpnp::build),
    ("dpctl.enum_types", dpctl::build_enum_types),
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
    ("_re", regex::build),
    ("array", array::build),
    ("cmath", cmath::build),
    ("gc", gc::build),
    ("_host", host::build),
    ("_inspect", inspection::build),
    ("sys", sys::build),
    ("_warnings", warnings::build),
    ("time", time::build),
    ("_binary", binary::build),
    ("_strides", crate::lang::arrays::strides::build),
    ("bisect", bisect::build),
    ("_struct", structs::build),
    ("_traceback", traceback::build),
    ("_literals", literals::build),
    ("unicodedata", unicode_data::build),
    ("_weakref", weak_references::build),
];

/// Modules written in the language itself: dotted name and text, compiled at their first import.
pub const TEXTS: &[(&str, &str)] = &[
    ("IPython", include_str!("py/ipython.py")),
    ("IPython.display", include_str!("py/ipython_display.py")),
    ("__future__", include_str!("py/future.py")),
    ("_array_extras", include_str!("py/_array_extras.py")),
    ("_array_histograms", include_str!("py/_array_histograms.py")),
    ("_array_linear", include_str!("py/_array_linear.py")),
    ("_array_objects", include_str!("py/_array_objects.py")),
    ("_array_random", include_str!("py/_array_random.py")),
    ("_array_tensor", include_str!("py/_array_tensor.py")),
    ("_array_ufunc", include_str!("py/_array_ufunc.py")),
    ("_numpy_extras", include_str!("py/_numpy_extras.py")),
    ("_numpy_iterator", include_str!("py/_numpy_iterator.py")),
    ("_numpy_poly1d", include_str!("py/_numpy_poly1d.py")),
    ("_dlpack", include_str!("py/_dlpack.py")),
    ("_dpctl_extras", include_str!("py/_dpctl_extras.py")),
    ("_decimal_context", include_str!("py/_decimal_context.py")),
    ("_decimal_format", include_str!("py/_decimal_format.py")),
    ("_decimal_math", include_str!("py/_decimal_math.py")),
    ("_decimal_number", include_str!("py/_decimal_number.py")),
    ("_pickle_forms", include_str!("py/_pickle_forms.py")),
    ("_signatures", include_str!("py/_signatures.py")),
    ("abc", include_str!("py/abc.py")),
    ("argparse", include_str!("py/argparse.py")),
    ("ast", include_str!("py/ast.py")),
    ("atexit", include_str!("py/atexit.py")),
    ("base64", include_str!("py/base64.py")),
    ("binascii", include_str!("py/binascii.py")),
    ("calendar", include_str!("py/calendar.py")),
    ("collections", include_str!("py/collections.py")),
    ("collections.abc", include_str!("py/collections_abc.py")),
    ("concurrent", include_str!("py/concurrent.py")),
    ("concurrent.futures", include_str!("py/concurrent_futures.py")),
    ("contextlib", include_str!("py/contextlib.py")),
    ("copy", include_str!("py/copy.py")),
    ("csv", include_str!("py/csv.py")),
    ("dataclasses", include_str!("py/dataclasses.py")),
    ("datetime", include_str!("py/datetime.py")),
    ("decimal", include_str!("py/decimal.py")),
    ("difflib", include_str!("py/difflib.py")),
    ("enum", include_str!("py/enum.py")),
    ("errno", include_str!("py/errno.py")),
    ("fnmatch", include_str!("py/fnmatch.py")),
    ("fractions", include_str!("py/fractions.py")),
    ("functools", include_str!("py/functools.py")),
    ("getpass", include_str!("py/getpass.py")),
    ("glob", include_str!("py/glob.py")),
    ("graphlib", include_str!("py/graphlib.py")),
    ("hashlib", include_str!("py/hashlib.py")),
    ("heapq", include_str!("py/heapq.py")),
    ("html", include_str!("py/html.py")),
    ("importlib", include_str!("py/importlib.py")),
    ("inspect", include_str!("py/inspect.py")),
    ("json", include_str!("py/json.py")),
    ("keyword", include_str!("py/keyword.py")),
    ("logging", include_str!("py/logging.py")),
    ("numbers", include_str!("py/numbers.py")),
    ("numpy.emath", include_str!("py/numpy_emath.py")),
    ("numpy.lib", include_str!("py/numpy_lib.py")),
    ("numpy.lib.scimath", include_str!("py/numpy_emath.py")),
    ("numpy.lib.stride_tricks", include_str!("py/numpy_stride_tricks.py")),
    ("numpy.polynomial", include_str!("py/numpy_polynomial.py")),
    ("numpy.polynomial.polynomial", include_str!("py/numpy_polynomial_polynomial.py")),
    ("numpy.testing", include_str!("py/numpy_testing.py")),
    ("numpy.typing", include_str!("py/numpy_typing.py")),
    ("pathlib", include_str!("py/pathlib.py")),
    ("pickle", include_str!("py/pickle.py")),
    ("platform", include_str!("py/platform.py")),
    ("pprint", include_str!("py/pprint.py")),
    ("queue", include_str!("py/queue.py")),
    ("re", include_str!("py/re.py")),
    ("reprlib", include_str!("py/reprlib.py")),
    ("secrets", include_str!("py/secrets.py")),
    ("shlex", include_str!("py/shlex.py")),
    ("shutil", include_str!("py/shutil.py")),
    ("statistics", include_str!("py/statistics.py")),
    ("string", include_str!("py/string.py")),
    ("struct", include_str!("py/struct.py")),
    ("tempfile", include_str!("py/tempfile.py")),
    ("textwrap", include_str!("py/textwrap.py")),
    ("threading", include_str!("py/threading.py")),
    ("traceback", include_str!("py/traceback.py")),
    ("timeit", include_str!("py/timeit.py")),
    ("types", include_str!("py/types.py")),
    ("typing", include_str!("py/typing.py")),
    ("uuid", include_str!("py/uuid.py")),
    ("warnings", include_str!("py/warnings.py")),
    ("weakref", include_str!("py/weakref.py")),
    ("cellhold.lessons", include_str!("py/cellhold_lessons.py")),
    ("cunumpy", include_str!("py/cunumpy.py")),
    ("cunumpy.cuda", include_str!("py/cunumpy_cuda.py")),
    ("cunumpy.profiling", include_str!("py/cunumpy_profiling.py")),
];
