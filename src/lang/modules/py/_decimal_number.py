"""Decimal numbers as far as they are asked, shown, converted, ordered and cut; decimal.py adds the arithmetic."""

import re
import sys
from _decimal_context import (ConversionSyntax, DivisionByZero, FloatOperation, Inexact, InvalidOperation, ROUND_CEILING,
                              ROUND_FLOOR, ROUND_HALF_EVEN, Rounded, round_off, _current, _digit_count, _rounded, _ten,
                              _FINITE, _INFINITE, _QUIET, _SIGNALING)
from collections import namedtuple
from numbers import Rational

DecimalTuple = namedtuple("DecimalTuple", "sign digits exponent", module="decimal")

_PATTERN = re.compile(r"\s*([-+])?(?:(?=\d|\.\d)(\d*)(?:\.(\d*))?(?:E([-+]?\d+))?|Inf(inity)?|(s)?NaN(\d*))\s*\Z", re.I)
_MODULUS = sys.hash_info.modulus
_TENTH = pow(10, _MODULUS - 2, _MODULUS)


# The class with the arithmetic, which decimal.py puts here.
Decimal = None


def _make(sign, coefficient, exponent, kind=_FINITE):
    made = object.__new__(Decimal)
    _set = object.__setattr__
    _set(made, "_sign", sign)
    _set(made, "_int", coefficient)
    _set(made, "_exp", exponent)
    _set(made, "_kind", kind)
    return made


def _nan(context, reason=InvalidOperation):
    context._signal(InvalidOperation, reason)
    return _make(0, 0, 0, _QUIET)


class DecimalNumber:
    """What a decimal number is without arithmetic."""

    __slots__ = ()

    # Questions.

    def is_nan(self):
        return self._kind in (_QUIET, _SIGNALING)

    def is_qnan(self):
        return self._kind == _QUIET

    def is_snan(self):
        return self._kind == _SIGNALING

    def is_infinite(self):
        return self._kind == _INFINITE

    def is_finite(self):
        return self._kind == _FINITE

    def is_zero(self):
        return self._kind == _FINITE and self._int == 0

    def is_signed(self):
        return self._sign == 1

    def is_canonical(self):
        return True

    def is_normal(self, context=None):
        return bool(self._kind == _FINITE and self._int and self.adjusted() >= (context or _current()).Emin)

    def is_subnormal(self, context=None):
        return bool(self._kind == _FINITE and self._int and self.adjusted() < (context or _current()).Emin)

    def adjusted(self):
        """The exponent of the first digit."""
        return self._exp + _digit_count(self._int) - 1 if self._kind == _FINITE else 0

    def as_tuple(self):
        """Sign, digits and exponent."""
        if self._kind == _INFINITE:
            return DecimalTuple(self._sign, (0,), _INFINITE)
        digits = tuple(map(int, str(self._int))) if self._int or self._kind == _FINITE else ()
        return DecimalTuple(self._sign, digits, self._exp if self._kind == _FINITE else self._kind)

    def as_integer_ratio(self):
        """The number as a fraction in lowest terms."""
        if self._kind != _FINITE:
            what, kind = ("NaN", ValueError) if self.is_nan() else ("Infinity", OverflowError)
            raise kind(f"cannot convert {what} to integer ratio")
        from math import gcd
        top, bottom = self._int, 1
        if self._exp >= 0:
            top *= 10 ** self._exp
        else:
            bottom = 10 ** -self._exp
        common = gcd(top, bottom)
        return ((-1) ** self._sign * top // common, bottom // common)

    def number_class(self, context=None):
        if self.is_nan():
            return "sNaN" if self.is_snan() else "NaN"
        if self.is_infinite():
            what = "Infinity"
        elif not self._int:
            what = "Zero"
        else:
            what = "Subnormal" if self.is_subnormal(context) else "Normal"
        return "-+"[not self._sign] + what

    # Text.

    def __repr__(self):
        return f"Decimal('{self}')"

    def __str__(self):
        return self._text(False)

    def to_eng_string(self, context=None):
        """Text whose exponent is a multiple of three."""
        return self._text(True)

    def _text(self, engineering):
        sign = "-" * self._sign
        if self._kind == _INFINITE:
            return sign + "Infinity"
        if self._kind != _FINITE:
            return sign + ("sNaN" if self._kind == _SIGNALING else "NaN") + (str(self._int) if self._int else "")
        digits = str(self._int)
        left = self._exp + len(digits)
        if self._exp <= 0 and left > -6:
            place = left
        elif not engineering:
            place = 1
        elif not self._int:
            place = (left + 1) % 3 - 1
        else:
            place = (left - 1) % 3 + 1
        whole, fraction = _parted(digits, place)
        exponent = "" if left == place else ("E" if _current().capitals else "e") + f"{left - place:+d}"
        return sign + whole + ("." + fraction if fraction else "") + exponent

    def __format__(self, spec):
        from _decimal_format import formatted
        return formatted(self, spec, _current())

    # Conversions.

    def __bool__(self):
        return self._kind != _FINITE or self._int != 0

    def __int__(self):
        if self._kind != _FINITE:
            if self.is_nan():
                raise ValueError("cannot convert NaN to integer")
            raise OverflowError("cannot convert Infinity to integer")
        value = self._int * 10 ** self._exp if self._exp >= 0 else self._int // _ten(-self._exp)
        return -value if self._sign else value

    __trunc__ = __int__

    def __float__(self):
        if self.is_snan():
            raise ValueError("cannot convert signaling NaN to float")
        return float(("-" * self._sign + "nan") if self.is_nan() else str(self))

    def __complex__(self):
        return complex(float(self))

    def __floor__(self):
        return int(self.to_integral_value(ROUND_FLOOR))

    def __ceil__(self):
        return int(self.to_integral_value(ROUND_CEILING))

    def __round__(self, n=None):
        if n is not None:
            if not isinstance(n, int):
                raise TypeError("optional arg must be an integer")
            return self.quantize(_make(0, 1, -n))
        return int(self.to_integral_value(ROUND_HALF_EVEN))

    def __hash__(self):
        if self._kind != _FINITE:
            if self.is_snan():
                raise TypeError("Cannot hash a signaling NaN value")
            return object.__hash__(self) if self.is_nan() else sys.hash_info.inf * (-1) ** self._sign
        scale = pow(10, self._exp, _MODULUS) if self._exp >= 0 else pow(_TENTH, -self._exp, _MODULUS)
        found = self._int * scale % _MODULUS
        found = -found if self._sign else found
        return -2 if found == -1 else found

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return (type(self), (str(self),))

    real = property(lambda self: self)
    imag = property(lambda self: Decimal(0))

    def conjugate(self):
        return self

    def canonical(self):
        return self

    def radix(self):
        return Decimal(10)

    # Order.

    def _order(self, other):
        """Below, equal to or above another number that is no NaN: -1, 0 or 1."""
        if self._kind == _INFINITE or other._kind == _INFINITE:
            a = (self._kind == _INFINITE) * (1 - 2 * self._sign)
            b = (other._kind == _INFINITE) * (1 - 2 * other._sign)
            return (a > b) - (a < b)
        a, b = self._int * (1 - 2 * self._sign), other._int * (1 - 2 * other._sign)
        if a and b and (a < 0) == (b < 0) and self._exp != other._exp:
            first, second = self.adjusted(), other.adjusted()
            if first != second:
                return (1 if first > second else -1) * (1 if a > 0 else -1)
        if a and b:
            shared = min(self._exp, other._exp)
            a, b = a * _ten(self._exp - shared), b * _ten(other._exp - shared)
        return (a > b) - (a < b)

    def _compared(self, other, is_equality):
        if isinstance(other, Rational) and not isinstance(other, (int, Decimal)):
            if self._kind != _FINITE:
                other = Decimal(0)
            else:
                return (self * 1)._scaled(other.denominator), Decimal(other.numerator)
        elif isinstance(other, complex) and is_equality and other.imag == 0:
            other = other.real
        if isinstance(other, float):
            context = _current()
            context.flags[FloatOperation] = True
            if context.traps[FloatOperation] and not is_equality:
                context._signal(FloatOperation)
            other = Decimal.from_float(other)
        elif isinstance(other, int):
            other = Decimal(other)
        return (self, other) if isinstance(other, Decimal) else None

    def _scaled(self, factor):
        return _make(self._sign, self._int * factor, self._exp)

    def __eq__(self, other):
        pair = self._compared(other, True)
        if pair is None:
            return NotImplemented
        if pair[0].is_nan() or pair[1].is_nan():
            if pair[0].is_snan() or pair[1].is_snan():
                _nan(_current())
            return False
        return pair[0]._order(pair[1]) == 0

    def _ordered(self, other, wanted):
        pair = self._compared(other, False)
        if pair is None:
            return NotImplemented
        if pair[0].is_nan() or pair[1].is_nan():
            _nan(_current())
            return False
        return pair[0]._order(pair[1]) in wanted

    def __lt__(self, other):
        return self._ordered(other, (-1,))

    def __le__(self, other):
        return self._ordered(other, (-1, 0))

    def __gt__(self, other):
        return self._ordered(other, (1,))

    def __ge__(self, other):
        return self._ordered(other, (1, 0))

    def compare(self, other, context=None):
        """-1, 0 or 1, or NaN."""
        other = _operand(other)
        return self._of_nans(other, context) or Decimal(self._order(other))

    def compare_total(self, other, context=None):
        key = lambda d: (-1 if d._sign else 1) * {_FINITE: 1, _INFINITE: 2, _SIGNALING: 3, _QUIET: 4}[d._kind]
        other = _operand(other)
        if self._kind == other._kind == _FINITE:
            found = self._order(other) or (self._exp > other._exp) - (self._exp < other._exp) * 1
            return Decimal(-found if self._sign and self._order(other) == 0 else found)
        return Decimal((key(self) > key(other)) - (key(self) < key(other)))

    def max(self, other, context=None):
        """The greater of two; a number rather than a NaN."""
        return self._extreme(other, context, 1)

    def min(self, other, context=None):
        """The smaller of two; a number rather than a NaN."""
        return self._extreme(other, context, -1)

    def _extreme(self, other, context, wanted):
        other, context = _operand(other), context or _current()
        if self.is_qnan() and not other.is_nan():
            return _rounded(other, context)
        if other.is_qnan() and not self.is_nan():
            return _rounded(self, context)
        found = self._of_nans(other, context)
        if found is not None:
            return found
        order = self._order(other)
        if order == 0:
            # Of two with the same value, the one without a sign is greater, then the one nearer to zero in its digits.
            if self._sign != other._sign:
                order = 1 if other._sign else -1
            else:
                order = 1 if (self._exp >= other._exp) != bool(self._sign) or self._exp == other._exp else -1
        return _rounded(self if order == wanted else other, context)

    # Digits.

    def _to_exponent(self, exponent, rounding):
        """The same number with an exponent, rounded where digits go."""
        if self._kind != _FINITE or self._exp == exponent:
            return self
        if self._exp > exponent:
            return _make(self._sign, self._int * _ten(self._exp - exponent), exponent)
        return _make(self._sign, round_off(self._int, exponent - self._exp, rounding, self._sign)[0], exponent)

    def quantize(self, exp, rounding=None, context=None):
        """The number with the exponent of another."""
        exp, context = _operand(exp), context or _current()
        rounding = context.rounding if rounding is None else rounding
        found = self._of_nans(exp, context)
        if found is not None:
            return found
        if self._kind == _INFINITE or exp._kind == _INFINITE:
            return self if self._kind == exp._kind else _nan(context)
        if not context.Etiny() <= exp._exp <= context.Emax:
            return _nan(context)
        made = self._to_exponent(exp._exp, rounding)
        if made._int and (made.adjusted() > context.Emax or _digit_count(made._int) > context.prec):
            return _nan(context)
        if self._exp < exp._exp:
            context._signal(Rounded)
            if self._order(made):
                context._signal(Inexact)
        return made

    def same_quantum(self, other, context=None):
        """Whether another number has the same exponent."""
        other = _operand(other)
        if self._kind != _FINITE or other._kind != _FINITE:
            return self.is_nan() and other.is_nan() or self.is_infinite() and other.is_infinite()
        return self._exp == other._exp

    def normalize(self, context=None):
        """Without zeros at the end."""
        context = context or _current()
        found = self._of_nans(None, context)
        if found is not None:
            return found
        made = _rounded(self, context)
        if made._kind != _FINITE:
            return made
        if not made._int:
            return _make(made._sign, 0, 0)
        coefficient, exponent = made._int, made._exp
        while coefficient % 10 == 0 and exponent < context.Emax:
            coefficient //= 10
            exponent += 1
        return _make(made._sign, coefficient, exponent)

    def to_integral_value(self, rounding=None, context=None):
        """The nearest whole number."""
        context = context or _current()
        found = self._of_nans(None, context)
        if found is not None:
            return found
        if self._kind == _INFINITE or self._exp >= 0:
            return self
        return self._to_exponent(0, context.rounding if rounding is None else rounding)

    to_integral = to_integral_value

    def to_integral_exact(self, rounding=None, context=None):
        """As to_integral_value, noting in the context that digits went."""
        context = context or _current()
        made = self.to_integral_value(rounding, context)
        if self._kind == _FINITE and self._exp < 0:
            context._signal(Rounded)
            if self._order(made):
                context._signal(Inexact)
        return made

    def scaleb(self, other, context=None):
        """With another number added to the exponent."""
        context = context or _current()
        found = self._of_nans(_operand(other), context)
        if found is not None:
            return found
        if self._kind == _INFINITE:
            return self
        return _rounded(_make(self._sign, self._int, self._exp + int(other)), context)

    def shift(self, other, context=None):
        """With the digits moved, as many as the precision keeps."""
        context, by = context or _current(), int(other)
        if not -context.prec <= by <= context.prec:
            return _nan(context)
        moved = self._int * _ten(by) % _ten(context.prec) if by >= 0 else self._int // _ten(-by)
        return _make(self._sign, moved, self._exp)

    def _next(self, towards, context):
        context = context or _current()
        found = self._of_nans(None, context)
        if found is not None:
            return found
        if self._kind == _INFINITE:
            if self._sign == int(towards < 0):
                return self
            return _make(self._sign, _ten(context.prec) - 1, context.Etop())
        quiet = context._with(rounding=ROUND_CEILING if towards > 0 else ROUND_FLOOR, traps=[])
        made = _rounded(self, quiet)
        if made._order(self):
            return made
        return self.__add__(_make(int(towards < 0), 1, context.Etiny() - 1), quiet)

    def next_plus(self, context=None):
        """The smallest number above that the context can hold."""
        return self._next(1, context)

    def next_minus(self, context=None):
        """The greatest number below that the context can hold."""
        return self._next(-1, context)


def _parted(digits, place):
    if place <= 0:
        return "0", "0" * -place + digits
    if place >= len(digits):
        return digits + "0" * (place - len(digits)), ""
    return digits[:place], digits[place:]


def _convert(value):
    if isinstance(value, Decimal):
        return value
    if isinstance(value, int):
        return Decimal(value)
    return NotImplemented


def _operand(value):
    made = _convert(value)
    if made is NotImplemented:
        raise TypeError(f"conversion from {type(value).__name__} to Decimal is not supported")
    return made


def _from_text(text, context):
    found = _PATTERN.match(text.strip().replace("_", ""))
    if found is None:
        return _nan(context or _current(), ConversionSyntax)
    sign = int(found[1] == "-")
    if found[2] is not None:
        fraction = found[3] or ""
        return _make(sign, int(found[2] + fraction or "0"), int(found[4] or 0) - len(fraction))
    if found[0].strip().lstrip("+-")[0] in "iI":
        return _make(sign, 0, 0, _INFINITE)
    return _make(sign, int(found[7] or 0), 0, _SIGNALING if found[6] else _QUIET)


def _from_tuple(value, context):
    if len(value) != 3:
        raise ValueError("argument must be a sequence of length 3")
    sign, digits, exponent = value
    if sign not in (0, 1):
        raise ValueError("sign must be an integer with the value 0 or 1")
    if exponent == _INFINITE:
        return _make(sign, 0, 0, _INFINITE)
    if not all(isinstance(digit, int) and 0 <= digit <= 9 for digit in digits):
        raise ValueError("coefficient must be a tuple of digits")
    coefficient = int("".join(map(str, digits)) or "0")
    if exponent in (_QUIET, _SIGNALING):
        return _make(sign, coefficient, 0, exponent)
    if not isinstance(exponent, int):
        raise ValueError("string argument in the third position must be 'F', 'n' or 'N'")
    return _make(sign, coefficient, exponent)
