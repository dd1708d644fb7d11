"""Functions of `dpnp.tensor` (`dpctl.tensor`) and what the array API asks of a library, over what is there."""

from collections import namedtuple

TopKResult = namedtuple("TopKResult", "values indices")


def bind(tensor, dpnp):
    """What `dpnp.tensor` lacks, by name."""

    def checked(x):
        if not isinstance(x, tensor.usm_ndarray):
            raise TypeError(f"Expected dpctl.tensor.usm_ndarray, got {type(x)}")
        return x

    def from_numpy(np_ary, /, *, device=None, usm_type="device", sycl_queue=None):
        """A NumPy array copied to a device."""
        import numpy

        if not isinstance(np_ary, numpy.ndarray):
            raise TypeError(f"Expected numpy.ndarray, got {type(np_ary)}")
        return tensor.asarray(np_ary, device=device, usm_type=usm_type, sycl_queue=sycl_queue)

    def to_numpy(usm_ary, /):
        """The array copied to the host as a NumPy array."""
        return checked(usm_ary).asnumpy()

    def from_dlpack(x, /, *, device=None, copy=None):
        """An array of this engine as it is, a NumPy array copied to a device: no foreign memory is read here."""
        from _dlpack import taken

        return taken(tensor, x, device, copy)

    def top_k(x, k, /, *, axis=None, mode="largest"):
        """The `k` largest or smallest elements along an axis, and where they are."""
        checked(x)
        if mode not in ("largest", "smallest"):
            raise ValueError(f"`mode` must be `largest` or `smallest`, got {mode}")
        if axis is None:
            x, axis = tensor.reshape(x, -1), 0
        if not 0 < k <= x.shape[axis]:
            raise ValueError(f"`k`={k} is out of bounds for an axis of {x.shape[axis]} elements" if k > 0 else "`k` must be a positive integer value")
        order = tensor.argsort(x, axis=axis, descending=mode == "largest")
        found = tensor.take(order, tensor.arange(k, sycl_queue=x.sycl_queue), axis=axis)
        return TopKResult(tensor.take_along_axis(x, found, axis=axis), found)

    def validate_usm_type(usm_type, /, *, allow_none=True):
        """Raises for what is no kind of USM."""
        if usm_type is None and allow_none:
            return
        if not isinstance(usm_type, str):
            raise TypeError(f"Expected usm_type to be a str, got {type(usm_type)}")
        if usm_type not in ("device", "shared", "host"):
            raise ValueError(f"Unrecognized value of usm_type={usm_type}, expected 'device', 'shared', or 'host'.")

    def usm_ndarray_repr(x, /, *, line_width=None, precision=None, suppress=None, prefix="usm_ndarray"):
        """The array as repr prints it."""
        with dpnp.printoptions(linewidth=line_width, precision=precision, suppress=suppress):
            return repr(checked(x))

    def usm_ndarray_str(x, /, *, line_width=None, edge_items=None, threshold=None, precision=None, **options):
        """The array as str prints it."""
        with dpnp.printoptions(linewidth=line_width, edgeitems=edge_items, threshold=threshold, precision=precision):
            return str(checked(x))

    made = [from_numpy, to_numpy, from_dlpack, top_k, validate_usm_type, usm_ndarray_repr, usm_ndarray_str]
    found = {function.__name__: function for function in made}
    found["print_options"] = dpnp.printoptions
    found["get_print_options"] = dpnp.get_printoptions
    found["set_print_options"] = dpnp.set_printoptions
    found["cumulative_logsumexp"] = tensor.cumlogsumexp
    for name in ("unique_all", "unique_counts", "unique_inverse"):
        found[name] = unique_of(tensor, name)
    found["__array_namespace_info__"] = namespace_info(tensor)
    return found


def unique_of(tensor, name):
    """One of the array API's functions of different values."""
    parts = {
        "unique_all": ("UniqueAllResult", "values indices inverse_indices counts", (True, True, True)),
        "unique_counts": ("UniqueCountsResult", "values counts", (False, False, True)),
        "unique_inverse": ("UniqueInverseResult", "values inverse_indices", (False, True, False)),
    }
    title, words, (index, inverse, counts) = parts[name]
    result = namedtuple(title, words)

    def function(x, /):
        plain = tensor.unique(x, return_index=index, return_inverse=inverse, return_counts=counts)
        return result(*plain)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"The different values: {words}."
    return function


def namespace_info(library):
    """The function `__array_namespace_info__` of a library."""

    on_host = library.__name__ == "numpy"

    def first(device):
        """An array of the device's default float."""
        return library.zeros(1) if on_host else library.zeros(1, device=device)

    class Info:
        """What the array API asks of a library: its capabilities, devices and dtypes."""

        def capabilities(self):
            """Which optional parts of the array API are there."""
            return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

        def default_device(self):
            """The device that is used when none is named."""
            import dpctl

            return "cpu" if on_host else dpctl.select_default_device()

        def default_dtypes(self, *, device=None):
            """The dtypes that new arrays have when none is named."""
            real = first(device).dtype
            imaginary = library.dtype("complex128" if real.name == "float64" else "complex64")
            whole = library.dtype("int64")
            return {"real floating": real, "complex floating": imaginary, "integral": whole, "indexing": whole}

        def devices(self):
            """All devices."""
            import dpctl

            return ["cpu"] if on_host else dpctl.get_devices()

        def dtypes(self, *, device=None, kind=None):
            """The dtypes of a device, those of a kind when one is given."""
            names = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128".split()
            if first(device).dtype.name == "float32":
                names = [name for name in names if name not in ("float64", "complex128")]
            kinds = {
                "bool": "b", "signed integer": "i", "unsigned integer": "u", "integral": "iu", "real floating": "f",
                "complex floating": "c", "numeric": "iufc", None: "biufc",
            }
            asked = kind if isinstance(kind, tuple) else (kind,)
            for one in asked:
                if one not in kinds:
                    raise ValueError(f"Unrecognized dtype kind {one!r}")
            letters = "".join(kinds[one] for one in asked)
            return {name: library.dtype(name) for name in names if library.dtype(name).kind in letters}

    def __array_namespace_info__():
        """What the array API asks of a library."""
        return Info()

    return __array_namespace_info__
