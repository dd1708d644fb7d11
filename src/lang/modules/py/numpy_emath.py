"""`numpy.emath`: functions that answer with complex numbers where the real ones have no answer."""

import numpy as _np

__all__ = ["sqrt", "log", "log2", "logn", "log10", "power", "arccos", "arcsin", "arctanh"]


def _complex(x):
    """As complex numbers, of single precision where that holds the values."""
    narrow = x.dtype in (_np.float32, _np.int8, _np.int16, _np.uint8, _np.uint16, _np.complex64)
    return x.astype(_np.complex64 if narrow else _np.complex128)


def _widened(x, outside):
    """The array, as complex numbers if any real value lies where the real function has no answer."""
    x = _np.asarray(x)
    real = x.dtype.kind != "c"
    return _complex(x) if real and bool(_np.any(outside(x))) else x


def _negative(x):
    return x < 0


def _beyond_one(x):
    return abs(x) > 1


def sqrt(x):
    """Square roots; imaginary ones of negative numbers."""
    return _np.sqrt(_widened(x, _negative)[()])


def log(x):
    """Natural logarithms, on the main branch."""
    return _np.log(_widened(x, _negative)[()])


def log10(x):
    """Logarithms to base 10, on the main branch."""
    return _np.log10(_widened(x, _negative)[()])


def log2(x):
    """Logarithms to base 2, on the main branch."""
    return _np.log2(_widened(x, _negative)[()])


def logn(n, x):
    """Logarithms of x to base n."""
    return _np.log(_widened(x, _negative)[()]) / _np.log(_widened(n, _negative)[()])


def power(x, p):
    """x to the power p; whole numbers may have negative powers."""
    p = _np.asarray(p)
    if p.dtype.kind in "iu" and bool(_np.any(p < 0)):
        p = p * 1.0
    return _np.power(_widened(x, _negative)[()], p[()] if isinstance(p, _np.ndarray) else p)


def arccos(x):
    """The inverse cosine, on the main branch."""
    return _np.arccos(_widened(x, _beyond_one)[()])


def arcsin(x):
    """The inverse sine, on the main branch."""
    return _np.arcsin(_widened(x, _beyond_one)[()])


def arctanh(x):
    """The inverse hyperbolic tangent, on the main branch."""
    return _np.arctanh(_widened(x, _beyond_one)[()])
