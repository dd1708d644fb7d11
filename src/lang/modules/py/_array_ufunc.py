"""Methods of NumPy's universal functions that fold ever more elements or write by positions."""

import numpy as np


def checked(function):
    if function.nin != 2 or function.nout != 1:
        raise ValueError("accumulate, at and reduceat are only supported for binary functions with one result")


# Functions for which folding in any grouping gives the same bits.
EXACT = {"maximum", "minimum", "fmax", "fmin", "logical_and", "logical_or", "bitwise_and", "bitwise_or", "bitwise_xor"}

COMPARISONS = {"equal", "not_equal", "less", "less_equal", "greater", "greater_equal"}


def accumulate(function, array, axis=0, dtype=None, out=None):
    """The results of folding ever more elements of an axis."""
    checked(function)
    array = np.asarray(array)
    if array.ndim == 0:
        raise TypeError("cannot accumulate on a scalar")
    if axis is None and array.ndim > 1:
        raise ValueError("accumulate does not allow multiple axes")
    axis = 0 if axis is None else axis
    name = function.__name__
    if name in COMPARISONS and array.dtype.kind != "b" or name == "ldexp":
        raise TypeError(f"No loop matching the specified signature and casting was found for ufunc {name}")
    if name.startswith("logical"):
        array = array.astype(bool)
    if name in ("add", "multiply"):
        fold = np.cumsum if name == "add" else np.cumprod
        if dtype is None and array.dtype.kind == "b":
            dtype = np.int64
        result = fold(array, axis=axis, dtype=dtype)
    else:
        result = np.array(np.moveaxis(array, axis, 0), dtype=dtype)
        if name in EXACT and (not name.startswith("logical") or result.dtype.kind == "b"):
            step = 1
            while step < len(result):
                # Each element comes to cover twice as many of those before it.
                result[step:] = function(result[step:], result[:-step].copy())
                step *= 2
        else:
            result = result.astype(function(result[:1], result[:1]).dtype)
            for place in range(1, len(result)):
                result[place] = function(result[place - 1], result[place])
        result = np.moveaxis(result, 0, axis)
    if out is None:
        return result
    out = out[0] if isinstance(out, tuple) else out
    out[...] = result
    return out


def at(function, a, indices, b=None):
    """Writes at positions one after the other, repeated ones too."""
    if not isinstance(a, np.ndarray):
        raise TypeError("first operand must be array")
    if (b is None) != (function.nin == 1):
        raise ValueError("second operand needed for ufunc" if b is None else "second operand provided when ufunc is unary")
    places = np.arange(a.size).reshape(a.shape)[indices]
    places = np.asarray(places)
    values = None if b is None else np.broadcast_to(np.asarray(b), places.shape).reshape(-1)
    places = places.reshape(-1)
    if places.size == 0:
        return
    # Sorted by how often the same position came before: within one round no position repeats.
    order = np.argsort(places, kind="stable")
    repeated = np.arange(places.size) - np.searchsorted(places[order], places[order], side="left")
    rounds = np.argsort(repeated, kind="stable")
    start = 0
    for count in np.bincount(repeated).tolist():
        chosen = order[rounds[start : start + count]]
        start += count
        where = np.unravel_index(places[chosen], a.shape)
        if b is None:
            a[where] = function(a[where])
        else:
            a[where] = function(a[where], values[chosen])


def reduceat(function, array, indices, axis=0, dtype=None, out=None):
    """Folds the stretches between positions of an axis."""
    checked(function)
    array = np.moveaxis(np.asarray(array), 0 if axis is None else axis, 0)
    places = np.asarray(indices).tolist()
    for place in places:
        if not 0 <= place < len(array):
            raise IndexError(f"index {place} out-of-bounds in {function.__name__}.reduceat [0, {len(array)})")
    parts = []
    for number, place in enumerate(places):
        end = places[number + 1] if number + 1 < len(places) else len(array)
        stretch = array[place:end] if end > place else array[place : place + 1]
        parts.append(function.reduce(stretch, axis=0, dtype=dtype))
    result = np.moveaxis(np.stack(parts), 0, 0 if axis is None else axis)
    if out is None:
        return result
    out = out[0] if isinstance(out, tuple) else out
    out[...] = result
    return out
