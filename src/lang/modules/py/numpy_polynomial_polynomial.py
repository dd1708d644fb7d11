"""`numpy.polynomial.polynomial`: power series, coefficients from the constant up, and the class `Polynomial`."""

import numbers as _numbers
import warnings as _warnings

import numpy as _np
from _array_extras import check_points as _check_points

__all__ = [
    "Polynomial", "polyadd", "polycompanion", "polyder", "polydiv", "polydomain", "polyfit", "polyfromroots", "polygrid2d", "polyint",
    "polyline", "polymul", "polymulx", "polyone", "polypow", "polyroots", "polysub", "polytrim", "polyval", "polyval2d",
    "polyvalfromroots", "polyvander", "polyvander2d", "polyx", "polyzero",
]

polydomain = _np.array([-1.0, 1.0])
polyzero, polyone, polyx = _np.array([0]), _np.array([1]), _np.array([0, 1])


def _series(*given, trim=True):
    """Coefficients as one-dimensional arrays of one floating dtype."""
    arrays = [_np.atleast_1d(_np.asarray(one)) for one in given]
    for array in arrays:
        if array.size == 0:
            raise ValueError("Coefficient array is empty")
        if array.ndim != 1:
            raise ValueError("Coefficient array is not 1-d")
    dtype = _np.result_type(*arrays)
    if dtype.kind not in "fc":
        dtype = _np.dtype(float)
    arrays = [array.astype(dtype) for array in arrays]
    return [_trimmed(array) for array in arrays] if trim else arrays


def _trimmed(c):
    """Coefficients without zeros at the end; the constant stays."""
    used = _np.nonzero(c)[0]
    return c[: int(used[-1]) + 1] if used.size else c[:1]


def _whole(value, name):
    try:
        return value.__index__()
    except AttributeError:
        raise TypeError(f"{name} must be an integer, received {value}") from None


def polytrim(c, tol=0):
    """Coefficients without those at the end that are at most `tol`."""
    if tol < 0:
        raise ValueError("tol must be non-negative")
    [c] = _series(c, trim=False)
    large = _np.nonzero(abs(c) > tol)[0]
    return c[: int(large[-1]) + 1].copy() if large.size else c[:1] * 0


def polyline(off, scl):
    """The coefficients of `off + scl*x`."""
    return _np.array([off, scl]) if scl != 0 else _np.array([off])


def polyadd(c1, c2):
    """The sum of two polynomials."""
    c1, c2 = _series(c1, c2)
    total = _np.zeros(max(len(c1), len(c2)), dtype=c1.dtype)
    total[: len(c1)] = c1
    total[: len(c2)] += c2
    return _trimmed(total)


def polysub(c1, c2):
    """The difference of two polynomials."""
    c1, c2 = _series(c1, c2)
    return polyadd(c1, -c2)


def polymul(c1, c2):
    """The product of two polynomials."""
    c1, c2 = _series(c1, c2)
    return _trimmed(_np.convolve(c1, c2))


def polymulx(c):
    """A polynomial times x."""
    [c] = _series(c)
    if len(c) == 1 and c[0] == 0:
        return c
    return _np.concatenate([c[:1] * 0, c])


def polydiv(c1, c2):
    """Quotient and rest of two polynomials."""
    c1, c2 = _series(c1, c2)
    if c2[-1] == 0:
        raise ZeroDivisionError
    if len(c1) < len(c2):
        return c1[:1] * 0, c1
    if len(c2) == 1:
        return c1 / c2[-1], c1[:1] * 0
    lead, divisor, rest = c2[-1], c2[:-1] / c2[-1], c1.copy()
    width = len(divisor)
    for at in range(len(c1) - len(c2), -1, -1):
        rest[at : at + width] -= divisor * rest[at + width]
    return rest[width:] / lead, _trimmed(rest[:width])


def polypow(c, pow, maxpower=None):
    """A polynomial to a whole power."""
    [c] = _series(c)
    power = int(pow)
    if power != pow or power < 0:
        raise ValueError("Power must be a non-negative integer.")
    if maxpower is not None and power > maxpower:
        raise ValueError("Power is too large")
    product = _np.array([1], dtype=c.dtype)
    for _ in range(power):
        product = _np.convolve(product, c)
    return product


def polyder(c, m=1, scl=1, axis=0):
    """The m-th derivative; each step is multiplied by `scl`."""
    c = _floating(c)
    count = _whole(m, "the order of derivation")
    if count < 0:
        raise ValueError("The order of derivation must be non-negative")
    c = _np.moveaxis(c, axis, 0)
    if count >= len(c):
        return _np.moveaxis(c[:1] * 0, 0, axis)
    for _ in range(count):
        powers = _np.arange(1, len(c)).reshape((-1,) + (1,) * (c.ndim - 1))
        c = c[1:] * scl * powers
    return _np.moveaxis(c, 0, axis)


def polyint(c, m=1, k=[], lbnd=0, scl=1, axis=0):
    """The m-th antiderivative that has the values `k` at `lbnd`; each step is multiplied by `scl`."""
    c = _floating(c)
    k = list(k) if hasattr(k, "__iter__") else [k]
    count = _whole(m, "the order of integration")
    if count < 0:
        raise ValueError("The order of integration must be non-negative")
    if len(k) > count:
        raise ValueError("Too many integration constants")
    if _np.ndim(lbnd) != 0:
        raise ValueError("lbnd must be a scalar.")
    if _np.ndim(scl) != 0:
        raise ValueError("scl must be a scalar.")
    if count == 0:
        return c
    k += [0] * (count - len(k))
    c = _np.moveaxis(c, axis, 0)
    for constant in k:
        c = c * scl
        if len(c) == 1 and bool(_np.all(c[0] == 0)):
            c = c + constant
            continue
        powers = _np.arange(1, len(c) + 1).reshape((-1,) + (1,) * (c.ndim - 1))
        c = _np.concatenate([c[:1] * 0, c / powers])
        c[0] += constant - polyval(lbnd, c)
    return _np.moveaxis(c, 0, axis)


def _floating(c):
    """A copy that can take fractions."""
    c = _np.atleast_1d(_np.array(c))
    return c + 0.0 if c.dtype.kind in "biu" else c


def polyval(x, c, tensor=True):
    """The values of a polynomial at x; several polynomials stand in columns."""
    c = _np.atleast_1d(_np.array(c))
    if c.dtype.kind in "biu":
        c = c.astype(float)
    if isinstance(x, (tuple, list)):
        x = _np.asarray(x)
    if isinstance(x, _np.ndarray) and tensor:
        c = c.reshape(c.shape + (1,) * x.ndim)
    value = c[-1] + x * 0
    for at in range(2, len(c) + 1):
        value = c[-at] + value * x
    return value


def polyvalfromroots(x, r, tensor=True):
    """The values of the polynomial with these roots."""
    r = _np.atleast_1d(_np.array(r))
    if r.dtype.kind in "biu":
        r = r.astype(float)
    if isinstance(x, (tuple, list)):
        x = _np.asarray(x)
    if isinstance(x, _np.ndarray):
        if tensor:
            r = r.reshape(r.shape + (1,) * x.ndim)
        elif x.ndim >= r.ndim:
            raise ValueError("x.ndim must be < r.ndim when tensor == False")
    return _np.prod(x - r, axis=0)


def polyval2d(x, y, c):
    """The values of a polynomial in two variables at points."""
    x, y = _np.asarray(x), _np.asarray(y)
    if x.shape != y.shape:
        raise ValueError("x, y are incompatible")
    return polyval(y[()], polyval(x[()], c), tensor=False)


def polygrid2d(x, y, c):
    """The values of a polynomial in two variables on the grid of x and y."""
    return polyval(y, polyval(x, c))


def polyvander(x, deg):
    """The powers of x up to a degree along a last axis."""
    degree = _whole(deg, "deg")
    if degree < 0:
        raise ValueError("deg must be non-negative")
    x = _np.atleast_1d(_np.asarray(x)) + 0.0
    powers = [x * 0 + 1]
    for _ in range(degree):
        powers.append(powers[-1] * x)
    return _np.stack(powers, axis=-1)


def polyvander2d(x, y, deg):
    """The products of powers of x and y up to two degrees along a last axis."""
    first, second = polyvander(x, deg[0]), polyvander(y, deg[1])
    both = first[..., :, None] * second[..., None, :]
    return both.reshape(both.shape[:-2] + (-1,))


def polyfromroots(roots):
    """The polynomial with these roots, its highest coefficient one."""
    roots = _np.atleast_1d(_np.asarray(roots))
    if roots.size == 0:
        return _np.ones(1)
    product = _np.ones(1)
    for root in _np.sort(_series(roots, trim=False)[0]):
        product = _np.convolve(product, _np.array([-root, 1]))
    return product


def polycompanion(c):
    """The companion matrix, whose eigenvalues are the roots."""
    [c] = _series(c)
    if len(c) < 2:
        raise ValueError("Series must have maximum degree of at least 1.")
    if len(c) == 2:
        return _np.array([[-c[0] / c[1]]])
    degree = len(c) - 1
    matrix = _np.diag(_np.ones(degree - 1, dtype=c.dtype), -1)
    matrix[:, -1] -= c[:-1] / c[-1]
    return matrix


def polyroots(c):
    """The roots of a polynomial, sorted."""
    [c] = _series(c)
    if len(c) < 2:
        return _np.array([], dtype=c.dtype)
    if len(c) == 2:
        return _np.array([-c[0] / c[1]])
    return _np.sort(_np.linalg.eigvals(polycompanion(c)))


def polyfit(x, y, deg, rcond=None, full=False, w=None):
    """The polynomial that fits points best; `deg` is a degree or the powers that it may have."""
    x, y = _np.asarray(x) + 0.0, _np.asarray(y) + 0.0
    powers = _np.asarray(deg)
    if powers.ndim > 1 or powers.dtype.kind not in "iu" or powers.size == 0:
        raise TypeError("deg must be an int or non-empty 1-D array of int")
    if powers.min() < 0:
        raise ValueError("expected deg >= 0")
    _check_points(x, y)
    highest = int(powers.max())
    columns = polyvander(x, highest)
    chosen = None if powers.ndim == 0 else _np.sort(powers)
    if chosen is not None:
        columns = columns[:, chosen]
    if w is not None:
        w = _np.asarray(w) + 0.0
        if w.ndim != 1:
            raise TypeError("expected 1D vector for w")
        if len(x) != len(w):
            raise TypeError("expected x and w to have same length")
        columns = columns * w[:, None]
        y = y * (w if y.ndim == 1 else w[:, None])
    if rcond is None:
        rcond = len(x) * _np.finfo(x.dtype).eps
    scale = _np.sqrt((abs(columns) ** 2).sum(axis=0))
    scale = _np.where(scale == 0, 1, scale)
    found, residuals, rank, singular = _np.linalg.lstsq(columns / scale, y, rcond)
    found = (found.T / scale).T
    if chosen is not None:
        spread = _np.zeros((highest + 1,) + found.shape[1:], dtype=found.dtype)
        spread[chosen] = found
        found = spread
    if rank != columns.shape[1] and not full:
        _warnings.warn("The fit may be poorly conditioned", _np.exceptions.RankWarning, stacklevel=2)
    return (found, [residuals, rank, singular, rcond]) if full else found


def _map_parameters(old, new):
    """The line that takes one interval to another: `off + scl*x`."""
    length = old[1] - old[0]
    return (old[1] * new[0] - old[0] * new[1]) / length, (new[1] - new[0]) / length


def _domain_of(x):
    """The interval that points lie in."""
    [x] = _series(x, trim=False)
    if x.dtype.kind == "c":
        return _np.array([complex(x.real.min(), x.imag.min()), complex(x.real.max(), x.imag.max())])
    return _np.array([x.min(), x.max()])


def _number_text(x, parens=False):
    """A coefficient as it is printed: in scientific form when it is very large or small."""
    if not isinstance(x, _np.floating):
        return str(x)
    options = _np.get_printoptions()
    if x != x:
        return options["nanstr"]
    if abs(x) == _np.inf:
        return options["infstr"]
    fixed = options["floatmode"] == "fixed"
    how = {
        "precision": options["precision"], "unique": not fixed, "trim": "k" if fixed else "0", "sign": options["sign"] == "+",
    }
    large = abs(x)
    if large != 0 and (large >= 1.0e8 or large < 10 ** min(0, -(options["precision"] - 1) // 2)):
        text = _np.format_float_scientific(x, **how)
        return f"({text})" if parens else text
    return _np.format_float_positional(x, **how)


_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def _part(divided, place):
    """The quotient (0) or the remainder (1) of a division that may not have been possible."""
    return divided if divided is NotImplemented else divided[place]


class Polynomial:
    """A power series over a domain, which is mapped to a window before powers are taken."""

    __hash__ = None
    __array_ufunc__ = None
    maxpower = 100
    basis_name = None
    domain = _np.array([-1.0, 1.0])
    window = _np.array([-1.0, 1.0])
    _unicode = True

    def __init__(self, coef, domain=None, window=None, symbol="x"):
        [self.coef] = _series(coef, trim=False)
        for name, given in (("domain", domain), ("window", window)):
            if given is not None:
                [ends] = _series(given, trim=False)
                if len(ends) != 2:
                    raise ValueError(f"{name.capitalize()} has wrong number of elements.")
                setattr(self, name, ends)
        if not isinstance(symbol, str):
            raise TypeError("Symbol must be a non-empty string")
        if not symbol.isidentifier():
            raise ValueError("Symbol string must be a valid Python identifier")
        self._symbol = symbol

    @property
    def symbol(self):
        """The name of the variable."""
        return self._symbol

    def _like(self, coef):
        return self.__class__(coef, self.domain, self.window, self.symbol)

    def _other(self, other):
        """The coefficients of the other operand."""
        if not isinstance(other, Polynomial):
            return other
        if not isinstance(other, self.__class__):
            raise TypeError("Polynomial types differ")
        if not self.has_samedomain(other):
            raise TypeError("Domains differ")
        if not self.has_samewindow(other):
            raise TypeError("Windows differ")
        if self.symbol != other.symbol:
            raise ValueError("Polynomial symbols differ")
        return other.coef

    def _combined(self, work, other, turned=False):
        other = self._other(other)
        try:
            found = work(other, self.coef) if turned else work(self.coef, other)
        except ZeroDivisionError:
            raise
        except Exception:
            return NotImplemented
        if isinstance(found, tuple):
            return tuple(self._like(one) for one in found)
        return self._like(found)

    def __add__(self, other):
        return self._combined(polyadd, other)

    __radd__ = __add__

    def __sub__(self, other):
        return self._combined(polysub, other)

    def __rsub__(self, other):
        return self._combined(polysub, other, True)

    def __mul__(self, other):
        return self._combined(polymul, other)

    __rmul__ = __mul__

    def __truediv__(self, other):
        if not isinstance(other, _numbers.Number) or isinstance(other, bool):
            raise TypeError(f"unsupported types for true division: '{type(self)}', '{type(other)}'")
        return self.__floordiv__(other)

    def __divmod__(self, other):
        return self._combined(polydiv, other)

    def __rdivmod__(self, other):
        return self._combined(polydiv, other, True)

    def __floordiv__(self, other):
        return _part(self.__divmod__(other), 0)

    def __rfloordiv__(self, other):
        return _part(self.__rdivmod__(other), 0)

    def __mod__(self, other):
        return _part(self.__divmod__(other), 1)

    def __rmod__(self, other):
        return _part(self.__rdivmod__(other), 1)

    def __pow__(self, other):
        return self._like(polypow(self.coef, other, maxpower=self.maxpower))

    def __neg__(self):
        return self._like(-self.coef)

    def __pos__(self):
        return self

    def __eq__(self, other):
        return (
            isinstance(other, self.__class__)
            and self.has_samedomain(other)
            and self.has_samewindow(other)
            and self.has_samecoef(other)
            and self.symbol == other.symbol
        )

    def __iter__(self):
        return iter(self.coef)

    def __len__(self):
        return len(self.coef)

    def __call__(self, arg):
        off, scale = self.mapparms()
        return polyval(off + scale * (arg if isinstance(arg, Polynomial) else _np.asarray(arg)[()]), self.coef)

    def has_samecoef(self, other):
        """Whether the coefficients are the same."""
        return len(self.coef) == len(other.coef) and bool(_np.all(self.coef == other.coef))

    def has_samedomain(self, other):
        """Whether the domains are the same."""
        return bool(_np.all(self.domain == other.domain))

    def has_samewindow(self, other):
        """Whether the windows are the same."""
        return bool(_np.all(self.window == other.window))

    def has_sametype(self, other):
        """Whether the other is of this class."""
        return isinstance(other, self.__class__)

    def mapparms(self):
        """Offset and scale of the map from the domain to the window."""
        return _map_parameters(self.domain, self.window)

    def copy(self):
        """The same polynomial once more."""
        return self._like(self.coef)

    def degree(self):
        """The degree, zeros at the end counted."""
        return len(self) - 1

    def cutdeg(self, deg):
        """Without the powers above a degree."""
        return self.truncate(deg + 1)

    def trim(self, tol=0):
        """Without coefficients at the end that are at most `tol`."""
        return self._like(polytrim(self.coef, tol))

    def truncate(self, size):
        """The first coefficients only."""
        count = int(size)
        if count != size or count < 1:
            raise ValueError("size must be a positive integer")
        return self._like(self.coef[:count])

    def convert(self, domain=None, kind=None, window=None):
        """The same function over another domain and window."""
        kind = self.__class__ if kind is None else kind
        domain = kind.domain if domain is None else domain
        window = kind.window if window is None else window
        return self(kind.identity(domain, window=window, symbol=self.symbol))

    def integ(self, m=1, k=[], lbnd=None):
        """The antiderivative."""
        off, scale = self.mapparms()
        return self._like(polyint(self.coef, m, k, 0 if lbnd is None else off + scale * lbnd, 1.0 / scale))

    def deriv(self, m=1):
        """The derivative."""
        return self._like(polyder(self.coef, m, self.mapparms()[1]))

    def roots(self):
        """The roots, in the domain's scale."""
        off, scale = _map_parameters(self.window, self.domain)
        return off + scale * polyroots(self.coef)

    def linspace(self, n=100, domain=None):
        """Evenly spaced points of the domain and the values there."""
        ends = self.domain if domain is None else domain
        x = _np.linspace(ends[0], ends[1], n)
        return x, self(x)

    @classmethod
    def fit(cls, x, y, deg, domain=None, rcond=None, full=False, w=None, window=None, symbol="x"):
        """The polynomial that fits points best, over the interval they lie in."""
        window = cls.window if window is None else window
        if domain is None:
            domain = _domain_of(x)
            if domain[0] == domain[1]:
                domain = _np.array([domain[0] - 1, domain[1] + 1])
        elif isinstance(domain, list) and not domain:
            domain = cls.domain
        off, scale = _map_parameters(domain, window)
        found = polyfit(off + scale * _np.asarray(x), y, deg, w=w, rcond=rcond, full=full)
        if full:
            return cls(found[0], domain=domain, window=window, symbol=symbol), found[1]
        return cls(found, domain=domain, window=window, symbol=symbol)

    @classmethod
    def fromroots(cls, roots, domain=[], window=None, symbol="x"):
        """The polynomial with these roots."""
        [roots] = _series(roots, trim=False)
        if domain is None:
            domain = _domain_of(roots)
        elif isinstance(domain, list) and not domain:
            domain = cls.domain
        window = cls.window if window is None else window
        off, scale = _map_parameters(domain, window)
        return cls(polyfromroots(off + scale * roots) / scale ** len(roots), domain=domain, window=window, symbol=symbol)

    @classmethod
    def identity(cls, domain=None, window=None, symbol="x"):
        """The polynomial that gives x back."""
        domain = cls.domain if domain is None else domain
        window = cls.window if window is None else window
        off, scale = _map_parameters(window, domain)
        return cls(polyline(off, scale), domain, window, symbol)

    @classmethod
    def basis(cls, deg, domain=None, window=None, symbol="x"):
        """One power of x."""
        if int(deg) != deg or deg < 0:
            raise ValueError("deg must be non-negative integer")
        return cls([0] * int(deg) + [1], domain, window, symbol)

    @classmethod
    def cast(cls, series, domain=None, window=None):
        """Another series as one of this class."""
        return series.convert(cls.domain if domain is None else domain, cls, cls.window if window is None else window)

    def __repr__(self):
        coef, domain, window = (repr(one)[6:-1] for one in (self.coef, self.domain, self.window))
        return f"{self.__class__.__name__}({coef}, domain={domain}, window={window}, symbol='{self.symbol}')"

    def __str__(self):
        return self._text(self._unicode)

    def __format__(self, fmt_str):
        if fmt_str == "":
            return self.__str__()
        if fmt_str not in ("ascii", "unicode"):
            raise ValueError(
                f"Unsupported format string '{fmt_str}' passed to {self.__class__}.__format__. Valid options are 'ascii' and 'unicode'"
            )
        return self._text(fmt_str == "unicode")

    def _text(self, unicode):
        width = max(1, _np.get_printoptions()["linewidth"])
        off, scale = self.mapparms()
        variable = self.symbol if scale == 1 else f"{_number_text(scale)}{self.symbol}"
        if off != 0:
            variable = f"{_number_text(off)} + {variable}"
        if off != 0 or scale != 1:
            variable = f"({variable})"
        text = _number_text(self.coef[0])
        rest = self.coef[1:]
        for at, coefficient in enumerate(rest):
            power = str(at + 1)
            text += " "
            if isinstance(coefficient, _np.complexfloating):
                # NumPy orders complex numbers by their real part first.
                upwards = (coefficient.real, coefficient.imag) >= (0, 0)
            else:
                upwards = coefficient >= 0
            term = f"+ {_number_text(coefficient, parens=True)}" if upwards else f"- {_number_text(-coefficient, parens=True)}"
            if unicode:
                term += f"·{variable}" + ("" if power == "1" else power.translate(_RAISED))
            else:
                term += f" {variable}" + ("" if power == "1" else f"**{power}")
            length = len(text.split("\n")[-1]) + len(term) + (2 if at < len(rest) - 1 else 0)
            if length >= width:
                term = term.replace(" ", "\n", 1)
            text += term
        return text


Polynomial.__module__ = "numpy.polynomial.polynomial"
