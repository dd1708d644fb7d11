"""`numpy.lib.stride_tricks`: views that see memory in another shape. Every view is checked against its memory."""

import numpy as _np
from _strides import strided as _strided
from numpy import broadcast_arrays, broadcast_shapes, broadcast_to

__all__ = ["as_strided", "broadcast_arrays", "broadcast_shapes", "broadcast_to", "sliding_window_view"]


def as_strided(x, shape=None, strides=None, subok=False, writeable=True):
    """A view with a shape and strides (in bytes) of one's own. Views whose elements overlap are read-only."""
    x = _np.asarray(x)
    shape = x.shape if shape is None else tuple(shape) if hasattr(shape, "__iter__") else (shape,)
    strides = x.strides if strides is None else tuple(strides) if hasattr(strides, "__iter__") else (strides,)
    return _strided(x, shape, strides, 0, writeable)


def sliding_window_view(x, window_shape, axis=None, *, subok=False, writeable=False):
    """All windows of a shape that fit into an array, as a view with the window's axes last."""
    window = tuple(window_shape) if hasattr(window_shape, "__iter__") else (window_shape,)
    x = _np.asarray(x)
    if any(length < 0 for length in window):
        raise ValueError("`window_shape` cannot contain negative values")
    if axis is None:
        axes = tuple(range(x.ndim))
        if len(window) != len(axes):
            raise ValueError(
                "Since axis is `None`, must provide window_shape for all dimensions of `x`; "
                f"got {len(window)} window_shape elements and `x.ndim` is {x.ndim}."
            )
    else:
        axes = []
        for one in tuple(axis) if hasattr(axis, "__iter__") else (axis,):
            if not -x.ndim <= one < x.ndim:
                raise _np.exceptions.AxisError(f"axis {one} is out of bounds for array of dimension {x.ndim}")
            axes.append(one % x.ndim)
        if len(window) != len(axes):
            raise ValueError(
                f"Must provide matching length window_shape and axis; got {len(window)} window_shape elements and {len(axes)} axes elements."
            )
    left = list(x.shape)
    for one, length in zip(axes, window):
        if left[one] < length:
            raise ValueError("window shape cannot be larger than input array shape")
        left[one] -= length - 1
    steps = x.strides + tuple(x.strides[one] for one in axes)
    return _strided(x, tuple(left) + window, steps, 0, writeable)
