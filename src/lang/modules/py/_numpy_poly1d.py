"""`numpy.poly1d`: a polynomial by its coefficients from the highest power down."""

import numpy as np


def _plain(coefficient):
    return f"{coefficient:.4g}"


def _coefficient_text(coefficient):
    if coefficient.imag == 0:
        return _plain(coefficient.real)
    if coefficient.real == 0:
        return f"{_plain(coefficient.imag)}j"
    return f"({_plain(coefficient.real)} + {_plain(coefficient.imag)}j)"


class poly1d:
    """A polynomial that can be called, added, multiplied and divided."""

    __hash__ = None
    _is_poly1d = True

    def __init__(self, c_or_r, r=False, variable=None):
        if isinstance(c_or_r, poly1d):
            self._coeffs = c_or_r._coeffs
            self._variable = c_or_r._variable if variable is None else variable
            return
        coefficients = np.atleast_1d(np.poly(c_or_r) if r else np.asarray(c_or_r))
        if coefficients.ndim > 1:
            raise ValueError("Polynomial must be 1d only.")
        coefficients = np.trim_zeros(coefficients, trim="f")
        if len(coefficients) == 0:
            coefficients = np.array([0], dtype=coefficients.dtype)
        self._coeffs = coefficients
        self._variable = "x" if variable is None else variable

    @property
    def coeffs(self):
        """The coefficients, from the highest power down."""
        return self._coeffs

    @coeffs.setter
    def coeffs(self, value):
        # `p.coeffs *= 2` assigns the array that was there.
        if value is not self._coeffs:
            raise AttributeError("Cannot set attribute")

    c = coef = coefficients = coeffs

    @property
    def variable(self):
        """The name of the variable."""
        return self._variable

    @property
    def order(self):
        """The degree."""
        return len(self._coeffs) - 1

    o = order

    @property
    def roots(self):
        """Where the polynomial is zero."""
        return np.roots(self._coeffs)

    r = roots

    def __array__(self, t=None, copy=None):
        return np.asarray(self._coeffs, dtype=t, copy=copy)

    def __repr__(self):
        return f"poly1d({repr(self._coeffs)[6:-1]})"

    def __len__(self):
        return self.order

    def __iter__(self):
        return iter(self._coeffs)

    def __call__(self, val):
        return np.polyval(self._coeffs, val)

    def __str__(self):
        degree, text = len(self._coeffs) - 1, "0"
        for at, coefficient in enumerate(self._coeffs):
            word, power = _coefficient_text(coefficient), degree - at
            if word == "0":
                new = "0" if power == 0 and at == 0 else ""
            elif power == 0:
                new = word
            else:
                new = f"{word} {self._variable}" + (f"**{power}" if power > 1 else "")
            if at == 0:
                text = new
            elif new:
                text = f"{text} - {new[1:]}" if new.startswith("-") else f"{text} + {new}"
        return _with_powers_above(text)

    def __neg__(self):
        return poly1d(-self._coeffs)

    def __pos__(self):
        return self

    def __add__(self, other):
        return poly1d(np.polyadd(self._coeffs, poly1d(other)._coeffs))

    __radd__ = __add__

    def __sub__(self, other):
        return poly1d(np.polysub(self._coeffs, poly1d(other)._coeffs))

    def __rsub__(self, other):
        return poly1d(np.polysub(poly1d(other)._coeffs, self._coeffs))

    def __mul__(self, other):
        if np.isscalar(other):
            return poly1d(self._coeffs * other)
        return poly1d(np.polymul(self._coeffs, poly1d(other)._coeffs))

    __rmul__ = __mul__

    def __pow__(self, val):
        if not np.isscalar(val) or int(val) != val or val < 0:
            raise ValueError("Power to non-negative integers only.")
        product = np.array([1])
        for _ in range(int(val)):
            product = np.polymul(self._coeffs, product)
        return poly1d(product)

    def __truediv__(self, other):
        if np.isscalar(other):
            return poly1d(self._coeffs / other)
        return np.polydiv(self, poly1d(other))

    def __rtruediv__(self, other):
        if np.isscalar(other):
            return poly1d(other / self._coeffs)
        return np.polydiv(poly1d(other), self)

    def __eq__(self, other):
        if not isinstance(other, poly1d):
            return NotImplemented
        if self._coeffs.shape != other._coeffs.shape:
            return False
        return (self._coeffs == other._coeffs).all()

    def __ne__(self, other):
        if not isinstance(other, poly1d):
            return NotImplemented
        return not self.__eq__(other)

    def __getitem__(self, val):
        if val > self.order or val < 0:
            return self._coeffs.dtype.type(0)
        return self._coeffs[self.order - val]

    def __setitem__(self, key, val):
        if key < 0:
            raise ValueError("Does not support negative powers.")
        if key > self.order:
            self._coeffs = np.concatenate([np.zeros(key - self.order, dtype=self._coeffs.dtype), self._coeffs])
        self._coeffs[self.order - key] = val

    def integ(self, m=1, k=0):
        """The antiderivative."""
        return poly1d(np.polyint(self._coeffs, m=m, k=k))

    def deriv(self, m=1):
        """The derivative."""
        return poly1d(np.polyder(self._coeffs, m=m))


def _with_powers_above(text, width=70):
    """`2 x**3 + 1` on two lines, with the powers on the upper one."""
    above, below, done, at = "", "", " ", 0
    while (mark := text.find("**", at)) >= 0:
        end = mark + 2
        while end < len(text) and text[end].isdigit():
            end += 1
        part, power = text[at:mark], text[mark + 2 : end]
        room = part + " " * (len(power) - 1)
        over = " " * (len(part) - 1) + power
        if len(below) + len(room) > width or len(above) + len(over) > width:
            done += above + "\n" + below + "\n "
            above, below = over, room
        else:
            above, below = above + over, below + room
        at = end
    return done + above + "\n" + below + text[at:]


poly1d.__module__ = "numpy"
