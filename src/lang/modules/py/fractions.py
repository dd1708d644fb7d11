"""Rational numbers."""

import math
import numbers
import re

__all__ = ["Fraction"]

_FORM = re.compile(r"""
    \A\s*
    (?P<sign>[-+]?)
    (?=\d|\.\d)
    (?P<num>\d*|\d+(_\d+)*)
    (?:
       (?:/(?P<denom>\d+(_\d+)*))?
    |
       (?:\.(?P<decimal>\d*|\d+(_\d+)*))?
       (?:E(?P<exp>[-+]?\d+(_\d+)*))?
    )
    \s*\Z
""", re.VERBOSE | re.IGNORECASE)

# How hashes of numbers are made, so that equal numbers of different types have equal ones.
_MODULUS = (1 << 61) - 1
_INFINITY = 314159


class Fraction(numbers.Rational):
    """A rational number: Fraction(3, 4), Fraction('0.75'), Fraction(0.75)."""

    __slots__ = ("_numerator", "_denominator")

    def __new__(cls, numerator=0, denominator=None):
        self = object.__new__(cls)
        if denominator is None:
            if type(numerator) is int:
                self._numerator, self._denominator = numerator, 1
                return self
            if isinstance(numerator, numbers.Rational) or isinstance(numerator, Fraction):
                self._numerator, self._denominator = numerator.numerator, numerator.denominator
                return self
            if isinstance(numerator, float) or hasattr(numerator, "as_integer_ratio"):
                self._numerator, self._denominator = numerator.as_integer_ratio()
                return self
            if isinstance(numerator, str):
                m = _FORM.match(numerator)
                if m is None:
                    raise ValueError("Invalid literal for Fraction: %r" % numerator)
                top = int(m.group("num") or "0")
                bottom = m.group("denom")
                if bottom:
                    bottom = int(bottom)
                else:
                    bottom = 1
                    decimal = m.group("decimal")
                    if decimal:
                        decimal = decimal.replace("_", "")
                        scale = 10 ** len(decimal)
                        top = top * scale + int(decimal)
                        bottom *= scale
                    exponent = m.group("exp")
                    if exponent:
                        exponent = int(exponent)
                        if exponent >= 0:
                            top *= 10 ** exponent
                        else:
                            bottom *= 10 ** -exponent
                if m.group("sign") == "-":
                    top = -top
                numerator, denominator = top, bottom
            else:
                raise TypeError("argument should be a string or a Rational instance")
        elif type(numerator) is int is type(denominator):
            pass
        elif _is_rational(numerator) and _is_rational(denominator):
            numerator, denominator = (numerator.numerator * denominator.denominator,
                                      denominator.numerator * numerator.denominator)
        else:
            raise TypeError("both arguments should be Rational instances")
        if denominator == 0:
            raise ZeroDivisionError("Fraction(%s, 0)" % numerator)
        common = math.gcd(numerator, denominator)
        if denominator < 0:
            common = -common
        self._numerator, self._denominator = numerator // common, denominator // common
        return self

    @classmethod
    def from_float(cls, f):
        """The exact value of a float."""
        if isinstance(f, int):
            return cls(f)
        if not isinstance(f, float):
            raise TypeError("%s.from_float() only takes floats, not %r (%s)" % (cls.__name__, f, type(f).__name__))
        return cls(*f.as_integer_ratio())

    def as_integer_ratio(self):
        return (self._numerator, self._denominator)

    def limit_denominator(self, max_denominator=1000000):
        """The closest fraction whose denominator is at most max_denominator."""
        if max_denominator < 1:
            raise ValueError("max_denominator should be at least 1")
        if self._denominator <= max_denominator:
            return Fraction(self)
        p0, q0, p1, q1 = 0, 1, 1, 0
        n, d = self._numerator, self._denominator
        while True:
            a = n // d
            q2 = q0 + a * q1
            if q2 > max_denominator:
                break
            p0, q0, p1, q1 = p1, q1, p0 + a * p1, q2
            n, d = d, n - a * d
        k = (max_denominator - q0) // q1
        lower = Fraction(p0 + k * p1, q0 + k * q1)
        upper = Fraction(p1, q1)
        return upper if abs(upper - self) <= abs(lower - self) else lower

    @property
    def numerator(self):
        return self._numerator

    @property
    def denominator(self):
        return self._denominator

    def __repr__(self):
        return "%s(%s, %s)" % (self.__class__.__name__, self._numerator, self._denominator)

    def __str__(self):
        return str(self._numerator) if self._denominator == 1 else "%s/%s" % (self._numerator, self._denominator)

    def __add__(self, other):
        return _arithmetic(self, other, _add, lambda a, b: a + b)

    def __radd__(self, other):
        return _arithmetic(self, other, lambda a, b: _add(b, a), lambda a, b: b + a)

    def __sub__(self, other):
        return _arithmetic(self, other, _sub, lambda a, b: a - b)

    def __rsub__(self, other):
        return _arithmetic(self, other, lambda a, b: _sub(b, a), lambda a, b: b - a)

    def __mul__(self, other):
        return _arithmetic(self, other, _mul, lambda a, b: a * b)

    def __rmul__(self, other):
        return _arithmetic(self, other, lambda a, b: _mul(b, a), lambda a, b: b * a)

    def __truediv__(self, other):
        return _arithmetic(self, other, _div, lambda a, b: a / b)

    def __rtruediv__(self, other):
        return _arithmetic(self, other, lambda a, b: _div(b, a), lambda a, b: b / a)

    def __floordiv__(self, other):
        return _arithmetic(self, other, _floordiv, lambda a, b: a // b)

    def __rfloordiv__(self, other):
        return _arithmetic(self, other, lambda a, b: _floordiv(b, a), lambda a, b: b // a)

    def __mod__(self, other):
        return _arithmetic(self, other, _mod, lambda a, b: a % b)

    def __rmod__(self, other):
        return _arithmetic(self, other, lambda a, b: _mod(b, a), lambda a, b: b % a)

    def __divmod__(self, other):
        return _arithmetic(self, other, lambda a, b: (_floordiv(a, b), _mod(a, b)), lambda a, b: divmod(a, b))

    def __rdivmod__(self, other):
        return _arithmetic(self, other, lambda a, b: (_floordiv(b, a), _mod(b, a)), lambda a, b: divmod(b, a))

    def __pow__(self, other):
        if _is_rational(other):
            if other.denominator == 1:
                power = other.numerator
                if power >= 0:
                    return Fraction(self._numerator ** power, self._denominator ** power)
                if self._numerator == 0:
                    raise ZeroDivisionError("Fraction(%s, 0)" % self._denominator ** -power)
                return Fraction(self._denominator ** -power, self._numerator ** -power)
            return float(self) ** float(other)
        return float(self) ** other

    def __rpow__(self, other):
        if self._denominator == 1 and self._numerator >= 0:
            return other ** self._numerator
        if _is_rational(other):
            return Fraction(other.numerator, other.denominator) ** self
        if self._denominator == 1:
            return other ** self._numerator
        return other ** float(self)

    def __pos__(self):
        return Fraction(self._numerator, self._denominator)

    def __neg__(self):
        return Fraction(-self._numerator, self._denominator)

    def __abs__(self):
        return Fraction(abs(self._numerator), self._denominator)

    def __int__(self):
        return -(-self._numerator // self._denominator) if self._numerator < 0 else self._numerator // self._denominator

    def __trunc__(self):
        return int(self)

    def __floor__(self):
        return self._numerator // self._denominator

    def __ceil__(self):
        return -(-self._numerator // self._denominator)

    def __round__(self, ndigits=None):
        if ndigits is None:
            floor, remainder = divmod(self._numerator, self._denominator)
            if remainder * 2 < self._denominator:
                return floor
            if remainder * 2 > self._denominator:
                return floor + 1
            return floor if floor % 2 == 0 else floor + 1
        shift = 10 ** abs(ndigits)
        if ndigits > 0:
            return Fraction(round(self * shift), shift)
        return Fraction(round(self / shift) * shift)

    def __float__(self):
        return self._numerator / self._denominator

    def __complex__(self):
        return complex(float(self))

    def __hash__(self):
        if self._denominator % _MODULUS == 0:
            hashed = _INFINITY
        else:
            hashed = hash(hash(abs(self._numerator)) * pow(self._denominator, -1, _MODULUS))
        result = hashed if self._numerator >= 0 else -hashed
        return -2 if result == -1 else result

    def __eq__(self, other):
        if type(other) is int:
            return self._numerator == other and self._denominator == 1
        if _is_rational(other):
            return self._numerator == other.numerator and self._denominator == other.denominator
        if isinstance(other, complex) and other.imag == 0:
            other = other.real
        if isinstance(other, float):
            if math.isnan(other) or math.isinf(other):
                return 0.0 == other
            return self == Fraction(*other.as_integer_ratio())
        return NotImplemented

    def _compare(self, other, op):
        if _is_rational(other):
            return op(self._numerator * other.denominator, self._denominator * other.numerator)
        if isinstance(other, float):
            if math.isnan(other) or math.isinf(other):
                return op(0.0, other)
            return op(self, Fraction(*other.as_integer_ratio()))
        return NotImplemented

    def __lt__(self, other):
        return self._compare(other, lambda a, b: a < b)

    def __gt__(self, other):
        return self._compare(other, lambda a, b: a > b)

    def __le__(self, other):
        return self._compare(other, lambda a, b: a <= b)

    def __ge__(self, other):
        return self._compare(other, lambda a, b: a >= b)

    def __bool__(self):
        return bool(self._numerator)

    def __copy__(self):
        return self if type(self) is Fraction else self.__class__(self._numerator, self._denominator)

    def __deepcopy__(self, memo):
        return self.__copy__()


def _is_rational(value):
    return isinstance(value, (int, Fraction)) or isinstance(value, numbers.Rational)


def _arithmetic(a, b, exact, inexact):
    if _is_rational(b):
        return exact(a, b)
    if isinstance(b, float):
        return inexact(float(a), b)
    if isinstance(b, complex):
        return inexact(complex(a), b)
    return NotImplemented


def _add(a, b):
    return Fraction(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator)


def _sub(a, b):
    return Fraction(a.numerator * b.denominator - b.numerator * a.denominator, a.denominator * b.denominator)


def _mul(a, b):
    return Fraction(a.numerator * b.numerator, a.denominator * b.denominator)


def _div(a, b):
    if b.numerator == 0:
        raise ZeroDivisionError("Fraction(%s, 0)" % (a.numerator * b.denominator))
    return Fraction(a.numerator * b.denominator, a.denominator * b.numerator)


def _floordiv(a, b):
    return (a.numerator * b.denominator) // (a.denominator * b.numerator)


def _mod(a, b):
    da, db = a.denominator, b.denominator
    return Fraction((a.numerator * db) % (b.numerator * da), da * db)
