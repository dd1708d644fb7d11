"""Array helpers in the style of CuNumpy wrappers: `import cunumpy as xp`, over the current device."""

import cellhold as _cellhold
import dpctl as _dpctl
import warnings as _warnings
from dpnp import *
import dpnp as _dpnp

linalg = _dpnp.linalg
random = _dpnp.random

__version__ = f"{_cellhold.__version__}+cellhold"

_backend = "dpnp"


def set_backend(name):
    """Choose the backend by name. There is one engine: every name means the current device."""
    global _backend
    if name not in ("numpy", "cupy", "dpnp", "cellhold"):
        raise ValueError(f"unknown backend {name!r}, expected 'numpy', 'cupy' or 'dpnp'")
    if name == "cupy" and _backend != "cupy":
        where = _cellhold.default_device().sycl_device.filter_string
        _warnings.warn(f"backend 'cupy' means the current device here: {where}", stacklevel=2)
    _backend = name


def get_backend():
    """The name that was chosen last."""
    return _backend


class use_backend:
    """A block with another backend."""

    def __init__(self, name):
        self._name = name

    def __enter__(self):
        self._before = _backend
        set_backend(self._name)

    def __exit__(self, *error):
        global _backend
        _backend = self._before


def get_array_module(a):
    """The library of an array: `numpy` for arrays in host memory, this one for those on a device."""
    import cunumpy
    import numpy

    return numpy if isinstance(a, numpy.ndarray) else cunumpy


def get_array_backend(a):
    """Where an array is: "numpy" in host memory, "dpnp" on a device."""
    import numpy

    if isinstance(a, numpy.ndarray):
        return "numpy"
    if not hasattr(a, "sycl_queue"):
        raise TypeError(f"an array is wanted, not {type(a).__name__}")
    return "dpnp"


def is_cpu(a):
    """Whether an array is in host memory."""
    return get_array_backend(a) == "numpy"


def is_gpu(a):
    """Whether an array is on a GPU."""
    return not is_cpu(a) and a.sycl_device.is_gpu


def same_backend(*arrays):
    """Whether all arrays are in the same sort of place."""
    return len({get_array_backend(a) for a in arrays}) < 2


def assert_same_backend(*arrays):
    """Raises `TypeError` where they are not."""
    if not same_backend(*arrays):
        raise TypeError(f"arrays of different backends: {', '.join(get_array_backend(a) for a in arrays)}")


def to_cunumpy(a):
    """An array on the current device."""
    return asarray(a)


to_cupy = to_cunumpy


def synchronize():
    """Waits for the work of all devices."""
    _cellhold.synchronize()


def to_numpy(a):
    """A copy of an array in host memory, as a NumPy array; NumPy arrays as they are."""
    return _dpnp.asnumpy(a)


import cunumpy.cuda as cuda
import cunumpy.profiling as profiling
