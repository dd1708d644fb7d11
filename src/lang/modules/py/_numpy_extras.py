"""Names of NumPy that few programs use, compiled when one of them is."""

import itertools

import numpy as np

True_, False_ = np.bool_(True), np.bool_(False)
little_endian = True
typecodes = {
    "Character": "c", "Integer": "bhilqnp", "UnsignedInteger": "BHILQNP", "Float": "efdg", "Complex": "FDG",
    "AllInteger": "bBhHiIlLqQnNpP", "AllFloat": "efdgFDG", "Datetime": "Mm", "All": "?bhilqnpBHILQNPefdgFDGSUVOMm",
}
ScalarType = (
    int, float, complex, bool, bytes, str, memoryview, np.bool_, np.complex64, np.complex128, np.float16, np.float32,
    np.float64, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64,
)
sctypeDict = {
    name: getattr(np, name)
    for name in "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()
}
sctypeDict["bool"] = np.bool_


class ComplexWarning(RuntimeWarning):
    """An imaginary part is lost."""


class RankWarning(RuntimeWarning):
    """A fit has fewer independent points than coefficients."""


class VisibleDeprecationWarning(UserWarning):
    """Something will go, and users should see that."""


class ModuleDeprecationWarning(DeprecationWarning):
    """A module will go."""


class DTypePromotionError(TypeError):
    """Two dtypes have no common one."""


class TooHardError(RuntimeError):
    """A question would take too long."""


for _class in (ComplexWarning, RankWarning, VisibleDeprecationWarning, ModuleDeprecationWarning, DTypePromotionError, TooHardError):
    _class.__module__ = "numpy.exceptions"


def __array_namespace_info__():
    """What the array API asks of a library."""
    from _array_tensor import namespace_info

    return namespace_info(np)()


class _Index:
    """Turns subscripts into indices: `s_[1:3, ...]`; `index_exp` always gives a tuple."""

    def __init__(self, maketuple):
        self.maketuple = maketuple

    def __getitem__(self, item):
        return (item,) if self.maketuple and not isinstance(item, tuple) else item


index_exp, s_ = _Index(True), _Index(False)


class _Joiner:
    """Joins numbers, arrays and ranges written as slices: `r_[1:4, 0, 4]` along the first axis, `c_[a, b]` as columns."""

    def __init__(self, axis, columns):
        self._axis, self._columns = axis, columns

    def _part(self, item):
        if isinstance(item, slice):
            start, step = 0 if item.start is None else item.start, 1 if item.step is None else item.step
            if isinstance(step, complex):
                return np.linspace(start, item.stop, int(abs(step)))
            return np.arange(start, item.stop, step)
        return np.atleast_1d(np.asarray(item))

    def __getitem__(self, key):
        items = list(key) if isinstance(key, tuple) else [key]
        axis, rank, place = self._axis, 2 if self._columns else 1, 0 if self._columns else -1
        if items and isinstance(items[0], str):
            words = items.pop(0).split(",")
            if not all(word.strip().lstrip("-").isdigit() for word in words):
                raise NotImplementedError(f"matrices are not here: r_[{','.join(words)!r}, ...] takes numbers only; use 2-D arrays")
            numbers = [int(word) for word in words]
            axis, rank, place = (numbers + [rank, place][len(numbers) - 1 :])[:3]
        parts = []
        for item in items:
            part = self._part(item)
            scalar = not isinstance(item, slice) and np.ndim(item) == 0
            missing = rank - (0 if scalar else part.ndim)
            if scalar:
                part = part.reshape((1,) * rank)
            elif missing > 0:
                # `place` says where the axes of the part come to stand among those that are added.
                before = place if place >= 0 else place + rank - part.ndim + 1
                part = part.reshape((1,) * before + part.shape + (1,) * (missing - before))
            parts.append(part)
        return np.concatenate(parts, axis=axis)

    def __len__(self):
        return 0


r_, c_ = _Joiner(0, False), _Joiner(-1, True)


class ndenumerate:
    """Pairs of position and element, in C order."""

    def __init__(self, arr):
        array = np.asarray(arr)
        self._pairs = zip(itertools.product(*(range(length) for length in array.shape)), array.flat)

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._pairs)


class broadcast:
    """The common shape of arrays, and the tuples of their elements in its order."""

    def __init__(self, *args):
        self._arrays = np.broadcast_arrays(*args)
        self.shape = np.broadcast_shapes(*(array.shape for array in self._arrays))
        self.ndim = self.nd = len(self.shape)
        self.size = 1
        for length in self.shape:
            self.size *= length
        self.numiter = len(args)
        self.reset()

    def reset(self):
        """Begins again."""
        self.index, self.iters = 0, tuple(array.flat for array in self._arrays)

    def __iter__(self):
        return self

    def __next__(self):
        found = tuple(next(one) for one in self.iters)
        self.index += 1
        return found


def base_repr(number, base=2, padding=0):
    """A whole number in a base from 2 to 36."""
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    if base > len(digits):
        raise ValueError("Bases greater than 36 not handled in base_repr.")
    if base < 2:
        raise ValueError("Bases less than 2 not handled in base_repr.")
    left, found = abs(int(number)), []
    while left:
        found.append(digits[left % base])
        left //= base
    if padding:
        found.append("0" * padding)
    if number < 0:
        found.append("-")
    return "".join(reversed(found or "0"))


def min_scalar_type(a):
    """The smallest dtype that holds a scalar; the dtype of an array."""
    if np.ndim(a) or not np.isscalar(a):
        return np.asarray(a).dtype
    if isinstance(a, (bool, np.bool_)):
        return np.dtype(bool)
    if isinstance(a, (int, np.integer)):
        for name in ("uint8", "uint16", "uint32", "uint64") if a >= 0 else ("int8", "int16", "int32", "int64"):
            limits = np.iinfo(name)
            if limits.min <= a <= limits.max:
                return np.dtype(name)
        raise TypeError(f"no dtype here holds {a}")
    is_complex = isinstance(a, (complex, np.complexfloating))
    large = max(abs(a.real), abs(a.imag)) if is_complex else abs(a)
    finite = large == large and large != float("inf")
    for name in ("complex64", "complex128") if is_complex else ("float16", "float32", "float64"):
        if not finite or large <= float(np.finfo(name).max):
            return np.dtype(name)


def packbits(a, /, axis=None, bitorder="big"):
    """Eight truths to a byte."""
    if bitorder not in ("big", "little"):
        raise ValueError("'order' must be either 'little' or 'big'")
    a = np.asarray(a)
    if a.dtype.kind not in "biu":
        raise TypeError("Expected an input array of integer or boolean data type")
    bits = (a.reshape(-1) if axis is None else np.moveaxis(a, axis, -1)) != 0
    missing = -bits.shape[-1] % 8
    bits = np.pad(bits.astype(np.uint8), [(0, 0)] * (bits.ndim - 1) + [(0, missing)])
    weights = 2 ** np.arange(8, dtype=np.uint8)
    weights = weights[::-1] if bitorder == "big" else weights
    packed = (bits.reshape(bits.shape[:-1] + (-1, 8)) * weights).sum(axis=-1).astype(np.uint8)
    return packed if axis is None else np.moveaxis(packed, -1, axis)


def unpackbits(a, /, axis=None, count=None, bitorder="big"):
    """The bits of bytes, each an element of 0 or 1."""
    if bitorder not in ("big", "little"):
        raise ValueError("'order' must be either 'little' or 'big'")
    a = np.asarray(a)
    if a.dtype != np.uint8:
        raise TypeError("Expected an input array of unsigned byte data type")
    values = a.reshape(-1) if axis is None else np.moveaxis(a, axis, -1)
    shifts = np.arange(8, dtype=np.uint8)
    shifts = shifts[::-1] if bitorder == "big" else shifts
    bits = ((values[..., None] >> shifts) & 1).reshape(values.shape[:-1] + (-1,))
    if count is not None:
        bits = bits[..., :count] if count < 0 or count <= bits.shape[-1] else np.pad(
            bits, [(0, 0)] * (bits.ndim - 1) + [(0, count - bits.shape[-1])]
        )
    return bits if axis is None else np.moveaxis(bits, -1, axis)


def typename(char):
    """What a type's letter means."""
    words = {
        "?": "bool", "b": "signed char", "B": "unsigned char", "h": "short", "H": "unsigned short", "i": "integer",
        "I": "unsigned integer", "l": "long integer", "L": "unsigned long integer", "q": "long long integer",
        "Q": "unsigned long long integer", "f": "single precision", "d": "double precision", "g": "long precision",
        "F": "complex single precision", "D": "complex double precision", "G": "complex long double precision",
        "S": "string", "U": "unicode", "V": "void", "O": "object",
    }
    return words[char]


def format_float_positional(
    x, precision=None, unique=True, fractional=True, trim="k", sign=False, pad_left=None, pad_right=None, min_digits=None
):
    """A float without an exponent."""
    if not fractional or pad_left is not None or pad_right is not None or min_digits is not None:
        raise NotImplementedError("format_float_positional takes precision, unique, trim and sign here; format(x, spec) does the rest")
    x = x if isinstance(x, np.floating) else float(x)
    text = str(x)
    if unique and precision is None:
        mantissa, _, exponent = text.partition("e")
        if exponent:
            mark = "-" if mantissa.startswith("-") else ""
            whole, _, part = mantissa.lstrip("-").partition(".")
            digits, point = whole + part, len(whole) + int(exponent)
            if point <= 0:
                text = mark + "0." + "0" * -point + digits
            else:
                digits = digits.ljust(point, "0")
                text = mark + digits[:point] + "." + digits[point:]
    else:
        shortest = format_float_positional(x)
        exact = f"{float(x):.{precision}f}"
        text = shortest if unique and len(shortest.partition(".")[2]) <= precision else exact
    if "." not in text and text.lstrip("-").isdigit():
        text += "."
    whole, _, part = text.partition(".")
    if trim in "k" and unique and part == "0":
        text = whole + "."
    if trim in ".0-" and "." in text:
        part = part.rstrip("0")
        text = whole + "." + part if part else whole + {".": ".", "0": ".0", "-": ""}[trim]
    return "+" + text if sign and not text.startswith("-") else text


def format_float_scientific(x, precision=None, unique=True, trim="k", sign=False):
    """A float with an exponent."""
    x = x if isinstance(x, np.floating) else float(x)
    positional = format_float_positional(x)
    if precision is None:
        digits = positional.lstrip("-").replace(".", "").strip("0")
        precision = max(len(digits) - 1, 0)
    mantissa, _, exponent = f"{float(x):.{precision}e}".partition("e")
    if "." not in mantissa:
        mantissa += "."
    whole, _, part = mantissa.partition(".")
    if unique or trim in ".0-":
        part = part.rstrip("0")
    mantissa = whole + "." + part if part else whole + {"k": ".", ".": ".", "0": ".0", "-": ""}[trim]
    text = mantissa + "e" + exponent
    return "+" + text if sign and not text.startswith("-") else text
