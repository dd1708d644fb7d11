"""`numpy.testing`: assertions about arrays, with what differs in the message."""

import contextlib
import re
import warnings

import numpy as np


def assert_(val, msg=""):
    """Raises unless the value is true."""
    if not val:
        raise AssertionError(msg() if callable(msg) else msg)


def _report(header, actual, desired, differs, err_msg, names):
    lines = ["", header + (f"\n{err_msg}" if err_msg else "")]
    total = differs.size
    wrong = int(differs.sum())
    if total:
        share = f"{100 * wrong / total:.3g}%"
        lines.append(f"Mismatched elements: {wrong} / {total} ({share})")
    both = np.broadcast_arrays(actual, desired)
    if wrong and both[0].dtype.kind != "b" and both[1].dtype.kind != "b":
        with np.errstate(all="ignore"):
            gaps = np.abs(both[0].astype(np.complex128 if both[0].dtype.kind == "c" else np.float64) - both[1])
            lines.append(f"Max absolute difference among violations: {np.nanmax(gaps[differs])!s}")
            scale = np.abs(both[1])[differs]
            ratios = gaps[differs] / scale
            lines.append(f"Max relative difference among violations: {np.nanmax(ratios)!s}")
    for name, value in zip(names, (actual, desired)):
        lines.append(f" {name}: {np.array2string(value, prefix=' ' * (len(name) + 3))}" if value.ndim == 0 else f" {name}: {value!r}")
    raise AssertionError("\n".join(lines))


def _compared(actual, desired, close, header, err_msg, names=("ACTUAL", "DESIRED"), strict=False):
    actual, desired = np.asarray(actual), np.asarray(desired)
    if actual.shape != desired.shape and (strict or (actual.ndim and desired.ndim)):
        raise AssertionError(
            f"\n{header}\n{err_msg}\n(shapes {actual.shape}, {desired.shape} mismatch)\n {names[0]}: {actual!r}\n {names[1]}: {desired!r}"
        )
    if strict and actual.dtype != desired.dtype:
        raise AssertionError(f"\n{header}\n{err_msg}\n(dtypes {actual.dtype}, {desired.dtype} mismatch)")
    differs = ~np.asarray(close(actual, desired))
    if bool(differs.any()):
        _report(header, actual, desired, differs, err_msg, names)


def _same(a, b):
    equal = a == b
    if a.dtype.kind in "fc" and b.dtype.kind in "fc":
        equal = equal | (np.isnan(a) & np.isnan(b))
    return equal


def assert_array_equal(actual, desired, err_msg="", verbose=True, *, strict=False):
    """Raises unless all elements are equal; NaN equals NaN."""
    _compared(actual, desired, _same, "Arrays are not equal", err_msg, strict=strict)


def assert_allclose(actual, desired, rtol=1e-07, atol=0, equal_nan=True, err_msg="", verbose=True, *, strict=False):
    """Raises unless all elements are within `atol + rtol * abs(desired)`."""
    header = f"Not equal to tolerance rtol={rtol:g}, atol={atol:g}"
    close = lambda a, b: np.isclose(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan)
    _compared(actual, desired, close, header, err_msg, strict=strict)


def assert_array_almost_equal(actual, desired, decimal=6, err_msg="", verbose=True):
    """Raises unless all elements are within `1.5 * 10**-decimal`."""
    close = lambda a, b: _same(a, b) | (np.abs(a - b) < 1.5 * 10.0**-decimal)
    _compared(actual, desired, close, f"Arrays are not almost equal to {decimal} decimals", err_msg)


def assert_array_less(x, y, err_msg="", verbose=True, *, strict=False):
    """Raises unless every element is smaller than the other's."""
    _compared(x, y, lambda a, b: a < b, "Arrays are not strictly ordered `x < y`", err_msg, ("x", "y"), strict)


def assert_almost_equal(actual, desired, decimal=7, err_msg="", verbose=True):
    """Raises unless both are within `1.5 * 10**-decimal`."""
    if np.ndim(actual) or np.ndim(desired):
        return assert_array_almost_equal(actual, desired, decimal, err_msg)
    if actual != actual and desired != desired or abs(desired - actual) < 1.5 * 10.0**-decimal:
        return
    raise AssertionError(
        f"\nArrays are not almost equal to {decimal} decimals{err_msg and chr(10) + err_msg}\n ACTUAL: {actual!r}\n DESIRED: {desired!r}"
    )


def assert_equal(actual, desired, err_msg="", verbose=True, *, strict=False):
    """Raises unless both are equal: numbers, arrays, and lists, tuples and dicts of them."""
    if isinstance(desired, dict):
        assert_(isinstance(actual, dict), f"{type(actual)} is no dict")
        assert_equal(len(actual), len(desired), err_msg)
        for key in desired:
            assert_(key in actual, f"{key!r} is missing")
            assert_equal(actual[key], desired[key], f"key={key!r}\n{err_msg}")
        return
    if isinstance(desired, (list, tuple)) and isinstance(actual, (list, tuple)):
        assert_equal(len(actual), len(desired), err_msg)
        for place, (one, other) in enumerate(zip(actual, desired)):
            assert_equal(one, other, f"item={place}\n{err_msg}")
        return
    if isinstance(actual, np.ndarray) or isinstance(desired, np.ndarray):
        return assert_array_equal(actual, desired, err_msg, strict=strict)
    if actual == desired or (actual != actual and desired != desired):
        return
    raise AssertionError(f"\nItems are not equal:{err_msg and chr(10) + err_msg}\n ACTUAL: {actual!r}\n DESIRED: {desired!r}")


@contextlib.contextmanager
def _raising(classes):
    try:
        yield
    except classes:
        return
    raise AssertionError(f"{getattr(classes, '__name__', classes)} not raised")


def assert_raises(exception_class, callable=None, *args, **kwargs):
    """Raises unless a call, or the block it stands at, raises the exception."""
    if callable is None:
        return _raising(exception_class)
    with _raising(exception_class):
        callable(*args, **kwargs)


def assert_raises_regex(exception_class, expected_regexp, callable=None, *args, **kwargs):
    """Raises unless a call, or the block it stands at, raises the exception with a message that fits."""

    @contextlib.contextmanager
    def raising():
        try:
            yield
        except exception_class as problem:
            assert_(re.search(expected_regexp, str(problem)), f"{expected_regexp!r} does not match {str(problem)!r}")
            return
        raise AssertionError(f"{exception_class.__name__} not raised")

    if callable is None:
        return raising()
    with raising():
        callable(*args, **kwargs)


def assert_warns(warning_class, *args, **kwargs):
    """Raises unless a call, or the block it stands at, warns."""

    @contextlib.contextmanager
    def warning():
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            yield
        assert_(any(issubclass(one.category, warning_class) for one in seen), f"no {warning_class.__name__} raised")

    if not args:
        return warning()
    with warning():
        return args[0](*args[1:], **kwargs)


def assert_no_warnings(*args, **kwargs):
    """Raises when a call, or the block it stands at, warns."""

    @contextlib.contextmanager
    def silent():
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            yield
        assert_(not seen, f"Got warnings: {[str(one.message) for one in seen]}")

    if not args:
        return silent()
    with silent():
        return args[0](*args[1:], **kwargs)


def assert_string_equal(actual, desired):
    """Raises unless two texts are equal."""
    if actual != desired:
        raise AssertionError(f"Differences in strings:\n- {actual}\n+ {desired}")


def assert_approx_equal(actual, desired, significant=7, err_msg="", verbose=True):
    """Raises unless two numbers agree in so many significant digits."""
    if actual == desired or (actual != actual and desired != desired):
        return
    scale = 10 ** np.floor(np.log10((abs(desired) + abs(actual)) / 2))
    if abs(desired / scale - actual / scale) >= 10.0 ** -(significant - 1):
        raise AssertionError(
            f"\nItems are not equal to {significant} significant digits:{err_msg}\n ACTUAL: {actual!r}\n DESIRED: {desired!r}"
        )


def assert_array_almost_equal_nulp(x, y, nulp=1):
    """Raises unless all elements are within so many spacings of the larger one."""
    reach = nulp * np.spacing(np.maximum(np.abs(x), np.abs(y)))
    if not bool(np.all(np.abs(np.asarray(x) - np.asarray(y)) <= reach)):
        raise AssertionError(f"Arrays are not equal to {nulp} ULP")


def assert_array_max_ulp(a, b, maxulp=1, dtype=None):
    """Raises unless all elements are within so many spacings; answers how many lie between."""
    one, other = np.asarray(a, dtype=dtype), np.asarray(b, dtype=dtype)
    between = np.abs(one - other) / np.spacing(np.minimum(np.abs(one), np.abs(other)))
    if not bool(np.all(between <= maxulp)):
        raise AssertionError(f"Arrays are not almost equal up to {maxulp} ULP (max difference is {between.max():g} ULP)")
    return between
