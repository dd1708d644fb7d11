"""Array helpers in the style of CuNumpy wrappers: `import cunumpy as xp`, over the current device."""

import cellhold as _cellhold
import dpctl as _dpctl
import warnings as _warnings
from dpnp import *
import dpnp as _dpnp

linalg = _dpnp.linalg
random = _dpnp.random

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


def to_numpy(a):
    """A copy of an array in host memory, as a NumPy array; NumPy arrays as they are."""
    return _dpnp.asnumpy(a)


import cunumpy.cuda as cuda
import cunumpy.profiling as profiling
