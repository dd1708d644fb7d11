//! Names that NumPy took away, with what NumPy itself says to write instead: most programs that are pasted are older than
//! NumPy 2.

/// Names that NumPy 2.0 removed, and its remedy.
const REMOVED: &[(&str, &str)] = &[
    ("DataSource", "It's still available as `np.lib.npyio.DataSource`."),
    ("Inf", "Use `np.inf` instead."),
    ("Infinity", "Use `np.inf` instead."),
    ("NINF", "Use `-np.inf` instead."),
    ("NZERO", "Use `-0.0` instead."),
    ("NaN", "Use `np.nan` instead."),
    ("PINF", "Use `np.inf` instead."),
    ("PZERO", "Use `0.0` instead."),
    ("alltrue", "Use `np.all` instead."),
    ("asfarray", "Use `np.asarray` with a proper dtype instead."),
    ("cast", "Use `np.asarray(arr, dtype=dtype)` instead."),
    ("cfloat", "Use `np.complex128` instead."),
    ("complex_", "Use `np.complex128` instead."),
    ("fastCopyAndTranspose", "Use `arr.T.copy()` instead."),
    (
        "find_common_type",
        "Use `numpy.promote_types` or `numpy.result_type` instead. To achieve semantics for the `scalar_types` argument, use \
         `numpy.result_type` and pass the Python values `0`, `0.0`, or `0j`.",
    ),
    ("float_", "Use `np.float64` instead."),
    ("geterrobj", "Use the np.errstate context manager instead."),
    ("infty", "Use `np.inf` instead."),
    ("issctype", "Use `issubclass(rep, np.generic)` instead."),
    ("issubclass_", "Use `issubclass` builtin instead."),
    ("issubsctype", "Use `np.issubdtype` instead."),
    ("lookfor", "Search NumPy's documentation directly."),
    ("mat", "Use `np.asmatrix` instead."),
    ("nbytes", "Use `np.dtype(<dtype>).itemsize` instead."),
    ("obj2sctype", "Use `np.dtype(obj).type` instead."),
    ("recfromcsv", "Use `np.genfromtxt` with comma delimiter instead."),
    ("recfromtxt", "Use `np.genfromtxt` instead."),
    ("round_", "Use `np.round` instead."),
    ("safe_eval", "Use `ast.literal_eval` instead."),
    ("sctype2char", "Use `np.dtype(obj).char` instead."),
    ("sctypes", "Access dtypes explicitly instead."),
    ("set_string_function", "Use `np.set_printoptions` instead with a formatter for custom printing of NumPy objects."),
    ("seterrobj", "Use the np.errstate context manager instead."),
    ("singlecomplex", "Use `np.complex64` instead."),
    ("sometrue", "Use `np.any` instead."),
    ("source", "Use `inspect.getsource` instead."),
    ("string_", "Use `np.bytes_` instead."),
    ("unicode_", "Use `np.str_` instead."),
    ("who", "Use an IDE variable explorer or `locals()` instead."),
];

/// Names that NumPy dropped without a word, and what takes their place.
const DROPPED: &[(&str, &str)] = &[
    ("asscalar", "a.item() is the Python number of an array with one element"),
    ("bool8", "write np.bool_"),
    ("cumproduct", "write np.cumprod"),
    ("in1d", "write np.isin"),
    ("product", "write np.prod"),
    ("trapz", "write np.trapezoid"),
];

/// Aliases of Python's classes, and what NumPy adds for those who meant a dtype.
const ALIASES: &[(&str, &str)] = &[
    ("complex", "If you specifically wanted the numpy scalar type, use `np.complex128` here."),
    ("float", "If you specifically wanted the numpy scalar type, use `np.float64` here."),
    (
        "int",
        "When replacing `np.int`, you may wish to use e.g. `np.int64` or `np.int32` to specify the precision. If you wish to \
         review your current use, check the release note link for additional information.",
    ),
    ("object", ""),
    ("str", "If you specifically wanted the numpy scalar type, use `np.str_` here."),
];

/// What the error says of a name that NumPy once had; nothing for other names.
pub fn message(name: &str) -> Option<String> {
    let find = |table: &[(&'static str, &'static str)]| table.iter().find(|(known, _)| *known == name).map(|row| row.1);
    if let Some(remedy) = find(REMOVED) {
        return Some(format!("`np.{name}` was removed in the NumPy 2.0 release. {remedy}"));
    }
    if let Some(remedy) = find(DROPPED) {
        return Some(format!("module 'numpy' has no attribute '{name}': {remedy}"));
    }
    let more = find(ALIASES)?;
    let safe = "Doing this will not modify any behavior and is safe. ";
    Some(format!(
        "module 'numpy' has no attribute '{name}'.\n`np.{name}` was a deprecated alias for the builtin `{name}`. To avoid this \
         error in existing code, use `{name}` by itself. {safe}{more}\nThe aliases was originally deprecated in NumPy 1.20; for \
         more details and guidance see the original release note at:\n    \
         https://numpy.org/devdocs/release/1.20.0-notes.html#deprecations"
    ))
}
