//! What a library's module or class does not have yet or does not have at all: names that arrive with a text module at
//! first use, and names that are refused with the reason and what to write instead.
//!
//! A reader who pastes a program made for the real libraries learns here why a name is not there. The machine asks when an
//! attribute is missing; nothing here knows of arrays.

use super::removed;
use crate::lang::name::Name;
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Names that need a module of their own, which costs time to compile: module, names, and where they are written.
const LATE: &[(&str, &[&str], &str)] = &[
    ("dpnp", &["DLDeviceType"], "_dlpack"),
    (
        "numpy",
        &[
            "True_",
            "False_",
            "little_endian",
            "typecodes",
            "ScalarType",
            "sctypeDict",
            "index_exp",
            "s_",
            "r_",
            "c_",
            "ndenumerate",
            "broadcast",
            "base_repr",
            "min_scalar_type",
            "packbits",
            "unpackbits",
            "typename",
            "format_float_positional",
            "format_float_scientific",
        ],
        "_numpy_extras",
    ),
    ("numpy", &["nditer"], "_numpy_iterator"),
    ("numpy", &["poly1d"], "_numpy_poly1d"),
    ("numpy.random", &["PCG64", "SeedSequence"], "_array_random"),
    (
        "numpy.exceptions",
        &[
            "ComplexWarning",
            "DTypePromotionError",
            "ModuleDeprecationWarning",
            "RankWarning",
            "TooHardError",
            "VisibleDeprecationWarning",
        ],
        "_numpy_extras",
    ),
    ("numpy", &["__array_namespace_info__"], "_numpy_extras"),
    ("dpnp.exceptions", &["DLPackCreationError"], "_dlpack"),
    ("dpnp.tensor", &["DLDeviceType", "dldevice_to_sycl_device", "sycl_device_to_dldevice"], "_dlpack"),
];

/// Modules that are written in the language and stand in a package written in Rust.
const LATE_MODULES: &[(&str, &str)] = &[
    ("numpy", "emath"),
    ("numpy", "lib"),
    ("numpy", "polynomial"),
    ("numpy", "testing"),
    ("numpy", "typing"),
    ("numpy.lib", "scimath"),
    ("numpy.lib", "stride_tricks"),
    ("numpy.polynomial", "polynomial"),
];

/// The value of a name that arrives at first use; it stays in its module.
pub fn late(vm: &mut Vm, module: &Value, name: Name) -> Fallible<Option<Value>> {
    let Value::Module(owner) = module else { return Ok(None) };
    if LATE_MODULES.contains(&(owner.name.text(), name.text())) {
        let value = vm.import(&format!("{}.{name}", owner.name))?;
        owner.set(name, value.clone());
        return Ok(Some(value));
    }
    let Some((_, _, home)) =
        LATE.iter().find(|(known, names, _)| *known == owner.name.text() && names.contains(&name.text()))
    else {
        return Ok(None);
    };
    let home = vm.import(home)?;
    let value = vm.get_attribute(&home, name)?;
    owner.set(name, value.clone());
    Ok(Some(value))
}

/// The names of a module that arrive at first use.
pub fn late_names(module: Name) -> impl Iterator<Item = Name> {
    let rows = LATE.iter().filter(move |(known, _, _)| *known == module.text());
    let modules = LATE_MODULES.iter().filter(move |(known, _)| *known == module.text());
    rows.flat_map(|(_, names, _)| names.iter().map(|name| Name::new(name)))
        .chain(modules.map(|(_, name)| Name::new(name)))
}

const INNER: &str = "it is an inner part of the library and none of its interface";
const FUNCTION: &str = "it is an inner part of dpnp's functions; nin, nout, types and __name__ tell what one takes and gives, \
                        out= and dtype= say what it writes";
const ADDRESS: &str = "no SYCL object stands behind it that could have an address; == tells whether two are the same";

const INNER_OR_OLD: &str = "it is an inner or a retired part of NumPy; the functions of numpy, numpy.linalg, numpy.fft and \
                            numpy.random are here";

const NO_NUMBERS: &[&str] = &[
    "bytes_",
    "char",
    "rec",
    "strings",
    "str_",
    "object_",
    "void",
    "record",
    "recarray",
    "datetime64",
    "timedelta64",
    "datetime_as_string",
    "datetime_data",
    "isnat",
    "is_busday",
    "busday_count",
    "busday_offset",
    "busdaycalendar",
    "character",
    "flexible",
];

/// What is refused: a module or class by its full name, names (`*` at the end stands for any rest), and why.
const REFUSED: &[(&str, &[&str], &str)] = &[
    ("dpnp", &["dpnp_*", "backend", "config", "dpctlpath", "mypath"], INNER),
    ("dpnp", &["erf", "erfc", "erfcx", "erfinv", "erfcinv"], "dpnp moved it: from dpnp.scipy.special import erf"),
    ("dpnp", &["dpctl", "os", "sys"], "import that module by its own name"),
    (
        "dpnp",
        &["get_dpnp_descriptor"],
        "it describes memory to dpnp's C++ side, which is not here; x.get_array() and x.data describe an array",
    ),
    (
        "dpnp",
        &["get_include"],
        "there are no C++ headers here, nothing is compiled against this kernel; pip install dpnp has them",
    ),
    ("dpnp.linalg", &["dpnp_*"], INNER),
    ("dpnp.fft", &["dpnp_*"], INNER),
    ("dpnp.random", &["dpnp_*"], INNER),
    ("dpctl", &["os"], "import that module by its own name"),
    (
        "dpctl.utils",
        &["onetrace_enabled"],
        "it switches Intel's tracing tool onetrace, which cannot look into this kernel; %trace on and %trace save FILE \
         record every allocation, transfer and program",
    ),
    ("dpctl.SyclQueue", &["addressof_ref"], ADDRESS),
    ("dpctl.SyclContext", &["addressof_ref"], ADDRESS),
    ("dpctl.SyclEvent", &["addressof_ref"], ADDRESS),
    (
        "dpctl.SyclTimer",
        &["timer", "host_times", "bracketing_events"],
        "it is an inner part of the timer; dt gives the sums of host and device time",
    ),
    ("dpctl.tensor._device.Device", &["sycl_queue_"], "it is an inner part; write sycl_queue"),
    (
        "_array_objects.flatiter",
        &["arr_", "i_", "size_"],
        "it is an inner part; base, index and base.size tell the same",
    ),
    (
        "numpy.ndarray",
        &["ctypes", "__array_interface__", "__array_struct__"],
        "memory of an array is never handed out raw here; memoryview(a) and a.tobytes() read it",
    ),
    (
        "numpy.ndarray",
        &["dump", "dumps"],
        "pickle.dump(a, file) and pickle.dumps(a) do that; numpy.save(file, a) needs no pickle",
    ),
    (
        "numpy.ndarray",
        &["getfield", "setfield"],
        "there are no structured dtypes; a.view(dtype) and slices see parts of elements",
    ),
    (
        "numpy.ndarray",
        &["byteswap"],
        "all dtypes here are of this machine's byte order; struct reads and writes the other",
    ),
    ("numpy.ndarray", &["resize"], "an array keeps its memory; numpy.resize(a, shape) makes a new one"),
    (
        "numpy.ndarray",
        &["__array_ufunc__", "__array_wrap__", "__array_priority__"],
        "classes cannot derive from arrays here, so nothing is asked for it",
    ),
    (
        "numpy.dtype",
        &["newbyteorder"],
        "all dtypes here are of this machine's byte order; struct reads and writes the other",
    ),
    (
        "numpy",
        NO_NUMBERS,
        "arrays here hold numbers: bool, integers, floats and complex; keep text, dates and records in lists or dicts",
    ),
    (
        "numpy",
        &["longdouble", "clongdouble", "float128", "complex256"],
        "the largest floats here are float64 and complex128",
    ),
    ("numpy", &["matrix", "asmatrix", "bmat"], "use 2-D arrays with @, .T, and numpy.block to put them together"),
    (
        "numpy",
        &["ma"],
        "there are no masked arrays; use a boolean mask (a[~mask]), or NaN with nanmean, nansum and the like",
    ),
    ("numpy", &["nested_iters"], "numpy.nditer, numpy.ndenumerate(a) and numpy.ndindex(shape) go through elements"),
    ("numpy", &["memmap"], "numpy.load(FILE, mmap_mode=\"r\") reads a file as it is needed"),
    (
        "numpy.polynomial",
        &[
            "Chebyshev",
            "Legendre",
            "Laguerre",
            "Hermite",
            "HermiteE",
            "chebyshev",
            "legendre",
            "laguerre",
            "hermite",
            "hermite_e",
            "polyutils",
        ],
        "power series are here: numpy.polynomial.Polynomial and the functions of numpy.polynomial.polynomial",
    ),
    (
        "numpy.polynomial.polynomial",
        &["polyval3d", "polygrid3d", "polyvander3d"],
        "polyval2d, polygrid2d and polyvander2d are here",
    ),
    ("numpy", &["frompyfunc"], "numpy.vectorize(function) calls a function of numbers for every element"),
    (
        "numpy",
        &["f2py", "ctypeslib", "get_include", "distutils"],
        "nothing is compiled against this kernel; %%rust cells run compiled code",
    ),
    ("numpy", &["fromregex"], "read the file and use re.findall and numpy.array"),
    ("numpy", &["core", "dtypes", "test", "info", "mintypecode", "matlib", "compat"], INNER_OR_OLD),
    ("numpy", &["show_config", "show_runtime"], "%devices and `cellhold --version` tell what computes here"),
    (
        "numpy",
        &["getbufsize", "setbufsize", "geterrcall", "seterrcall"],
        "functions here run without such buffers and calls; numpy.errstate says what a floating-point error does",
    ),
    (
        "numpy.generic",
        &["fill", "put", "resize", "setfield", "setflags", "sort"],
        "a NumPy scalar cannot be written; numpy.array(x) makes an array of it",
    ),
    (
        "numpy.testing",
        &["assert_array_compare", "assert_no_gc_cycles"],
        "it is a part of NumPy's own tests; assert_equal, assert_allclose and gc.collect() do what programs need",
    ),
    ("numpy.linalg", &["test"], INNER_OR_OLD),
    ("numpy.fft", &["test"], INNER_OR_OLD),
    ("numpy.random", &["test", "mtrand", "bit_generator"], INNER_OR_OLD),
    (
        "numpy.random",
        &["BitGenerator", "MT19937", "PCG64DXSM", "Philox", "SFC64", "get_bit_generator", "set_bit_generator"],
        "RandomState(seed) draws from MT19937, default_rng(seed) and Generator(PCG64(seed)) from PCG64; a seed is a number or a list",
    ),
    ("numpy.random.Generator", &["multivariate_hypergeometric"], "hypergeometric draws one kind after the other"),
    (FUNCTIONS[0], INNER_OF_FUNCTIONS, FUNCTION),
    (FUNCTIONS[1], INNER_OF_FUNCTIONS, FUNCTION),
    (FUNCTIONS[2], INNER_OF_FUNCTIONS, FUNCTION),
    (FUNCTIONS[3], INNER_OF_FUNCTIONS, FUNCTION),
];

/// The classes of dpnp's universal functions.
const FUNCTIONS: [&str; 4] = [
    "dpnp.dpnp_algo.dpnp_elementwise_common.DPNPUnaryFunc",
    "dpnp.dpnp_algo.dpnp_elementwise_common.DPNPBinaryFunc",
    "dpnp.dpnp_algo.dpnp_elementwise_common.DPNPUnaryTwoOutputsFunc",
    "dpnp.dpnp_algo.dpnp_elementwise_common.DPNPBinaryTwoOutputsFunc",
];

const INNER_OF_FUNCTIONS: &[&str] = &[
    "acceptance_fn_",
    "binary_fn_",
    "binary_inplace_fn_",
    "unary_fn_",
    "name_",
    "types_",
    "result_type_resolver_fn_",
    "weak_type_resolver_",
    "get_array_dtype_scalar_type_resolver_function",
    "get_implementation_function",
    "get_implementation_inplace_function",
    "get_type_promotion_path_acceptance_function",
    "get_type_result_resolver_function",
];

/// The whole message for a name that NumPy once had.
pub fn removed(owner: &Value, name: &str) -> Option<String> {
    match owner {
        Value::Module(module) if module.name.text() == "numpy" => removed::message(name),
        _ => None,
    }
}

/// Why a module or a class does not have a name, with what to write instead; nothing when it is not known at all.
pub fn refusal(owner: &Value, name: &str) -> Option<&'static str> {
    if let Value::Scalar(_) = owner {
        return row("numpy.generic", name).or_else(|| row("numpy.ndarray", name));
    }
    let full = match owner {
        Value::Module(module) => module.name.text().to_owned(),
        Value::Class(class) => format!("{}.{}", class.module.get(), class.name.get()),
        other => {
            let class = other.class();
            format!("{}.{}", class.module.get(), class.name.get())
        }
    };
    row(&full, name)
}

fn row(full: &str, name: &str) -> Option<&'static str> {
    let fits = |pattern: &&str| match pattern.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => *pattern == name,
    };
    REFUSED.iter().find(|(known, names, _)| *known == full && names.iter().any(&fits)).map(|row| row.2)
}
