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
        "doctest" | "unittest" | "pytest" => {
            "Nothing runs test files here: assert statements and numpy.testing check results in a cell. Leave the import and the \
             call of testmod() or main() out."
        }
        "joblib" | "dill" | "cloudpickle" => {
            "Objects are kept otherwise here: numpy.save and numpy.savez keep arrays, json keeps lists, dicts, numbers and text."
        }
        "multiprocessing" | "subprocess" => {
            "A cell is one program on one thread here; array functions use all processors by themselves."
        }
        _ => return None,
    };
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::remedy;
    use crate::lang::vm::imports::module_names;

    #[test]
    fn what_is_here_has_no_remedy_and_what_notebooks_import_has_one() {
        for name in module_names() {
            assert_eq!(remedy(name), None, "{name} is here");
        }
        for name in ["matplotlib", "pandas", "scipy", "sklearn", "numba", "torch", "joblib", "doctest"] {
            assert!(remedy(name).is_some_and(|text| text.ends_with('.')), "{name}");
        }
    }
}
