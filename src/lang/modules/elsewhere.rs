//! Packages that programs for arrays import and that are not here: why, and what to do without them.

/// What to do without a package; the name is that of the package, without its parts.
pub fn remedy(package: &str) -> Option<&'static str> {
    let text = match package {
        "matplotlib" | "seaborn" | "plotly" | "bokeh" | "altair" | "pylab" | "mpl_toolkits" => {
            "Nothing draws plots here: numpy.save('a.npy', a) hands an array to a Python that has it."
        }
        "pandas" | "polars" | "pyarrow" => {
            "There are no data frames here: csv, numpy.loadtxt and numpy.genfromtxt read tables into arrays and lists."
        }
        "scipy" => {
            "Of SciPy only dpnp.scipy.linalg, dpnp.scipy.special and what numpy.linalg and numpy.fft have are here; \
             numpy.save('a.npy', a) hands an array to a Python that has the rest."
        }
        "sklearn" | "sklearnex" | "daal4py" | "statsmodels" | "xgboost" => {
            "There are no estimators here: numpy.savez('data.npz', x=x, y=y) hands arrays to a Python that has them."
        }
        "numba" | "numba_dpex" | "cython" | "numexpr" => {
            "Nothing needs compiling here: array expressions are fused and run on the device as they stand, and %%rust cells \
             hold compiled loops. Leave the decorator out."
        }
        "torch" | "tensorflow" | "jax" | "cupy" | "mxnet" => {
            "Arrays here are those of dpnp (on devices) and numpy (on the host); most array functions have the same names there."
        }
        "PIL" | "cv2" | "imageio" | "skimage" => {
            "Nothing reads or writes images here: convert them to .npy with a Python that does, and use numpy.load."
        }
        "pickle" | "joblib" | "dill" | "cloudpickle" => {
            "Objects are not pickled here: numpy.save and numpy.savez keep arrays, json keeps lists, dicts, numbers and text."
        }
        "threading" | "multiprocessing" | "concurrent" | "subprocess" => {
            "A cell is one program on one thread here; array functions use all processors by themselves."
        }
        _ => return None,
    };
    Some(text)
}
