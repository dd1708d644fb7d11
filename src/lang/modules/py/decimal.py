"""Decimal numbers of any precision, with the contexts that say how they are rounded."""

import _decimal_number
from _decimal_context import *
from _decimal_context import _current, _rounded, _set_current, _digit_count, _ten
from _decimal_math import exponential, logarithm, logarithm_of_ten, power, power_modulo
from _decimal_number import (DecimalNumber, DecimalTuple, _convert, _from_text, _from_tuple, _make, _nan, _operand,
                             _FINITE, _INFINITE, _QUIET, _SIGNALING)
from numbers import Number


class Decimal(DecimalNumber):
    """A decimal number: sign, coefficient and exponent; it never changes."""

    __slots__ = ("_sign", "_int", "_exp", "_kind", "__weakref__")

    def __new__(cls, value="0", context=None):
        if isinstance(value, str):
            made = _from_text(value, context)
        elif isinstance(value, int):
            made = _make(int(value < 0), abs(int(value)), 0)
        elif isinstance(value, Decimal):
            made = value
        elif isinstance(value, float):
            (context or _current())._signal(FloatOperation)
            made = Decimal.from_float(value)
        elif isinstance(value, (tuple, list)):
            made = _from_tuple(value, context)
        else:
            raise TypeError(f"conversion from {type(value).__name__} to Decimal is not supported")
        if cls is not Decimal:
            own = object.__new__(cls)
            for name in ("_sign", "_int", "_exp", "_kind"):
                object.__setattr__(own, name, getattr(made, name))
            return own
        return made

    def __setattr__(self, name, value):
        raise AttributeError(f"'{type(self).__module__}.{type(self).__name__}' object has no attribute {name!r}"
                             if not hasattr(self, name) else f"attribute {name!r} is read-only")

    @classmethod
    def from_float(cls, f):
        """The exact value of a float or an int."""
        if isinstance(f, int):
            return cls(f)
        if f != f:
            return cls("NaN")
        if f in (float("inf"), float("-inf")):
            return cls("-Infinity" if f < 0 else "Infinity")
        numerator, denominator = abs(f).as_integer_ratio()
        twos = denominator.bit_length() - 1
        sign = int(str(f).startswith("-"))
        made = _make(sign, numerator * 5 ** twos, -twos)
        return made if cls is Decimal else cls(made)

    # Arithmetic.

    def _of_nans(self, other=None, context=None):
        """The NaN that an operation on NaNs gives, None where there is none."""
        for value in (self, other):
            if value is not None and value._kind == _SIGNALING:
                return _nan(context or _current())
        for value in (self, other):
            if value is not None and value._kind == _QUIET:
                return value
        return None

    def __neg__(self, context=None):
        context = context or _current()
        if self.is_nan():
            return self._of_nans(None, context)
        if not self._int and self._kind == _FINITE and context.rounding != ROUND_FLOOR:
            return _rounded(self.copy_abs(), context)
        return _rounded(self.copy_negate(), context)

    def __pos__(self, context=None):
        context = context or _current()
        if self.is_nan():
            return self._of_nans(None, context)
        if not self._int and self._kind == _FINITE and context.rounding != ROUND_FLOOR:
            return _rounded(self.copy_abs(), context)
        return _rounded(self, context)

    def __abs__(self, context=None):
        return self.__neg__(context) if self._sign else self.__pos__(context)

    def copy_abs(self):
        return _make(0, self._int, self._exp, self._kind)

    def copy_negate(self):
        return _make(1 - self._sign, self._int, self._exp, self._kind)

    def copy_sign(self, other, context=None):
        return _make(_operand(other)._sign, self._int, self._exp, self._kind)

    def __add__(self, other, context=None):
        other = _convert(other)
        if other is NotImplemented:
            return other
        context = context or _current()
        if self._kind != _FINITE or other._kind != _FINITE:
            found = self._of_nans(other, context)
            if found is not None:
                return found
            if self._kind == other._kind and self._sign != other._sign:
                return _nan(context)
            return self if self._kind == _INFINITE else other
        first, second = self, other
        # A term far below the precision only says on which side of the other the sum is.
        if first._int and second._int:
            if first._exp < second._exp:
                first, second = second, first
            low = second.adjusted()
            floor = first._exp + min(-1, _digit_count(first._int) - context.prec - 2)
            if low < floor and second._exp < floor:
                second = _make(second._sign, 1, floor)
        exponent = min(first._exp, second._exp)
        total = (first._int * (1 - 2 * first._sign) * _ten(first._exp - exponent)
                 + second._int * (1 - 2 * second._sign) * _ten(second._exp - exponent))
        if total == 0:
            sign = int(self._sign and other._sign or self._sign != other._sign and context.rounding == ROUND_FLOOR)
            return _rounded(_make(sign, 0, min(self._exp, other._exp)), context)
        return _rounded(_make(int(total < 0), abs(total), exponent), context)

    __radd__ = __add__

    def __sub__(self, other, context=None):
        other = _convert(other)
        return other if other is NotImplemented else self.__add__(other.copy_negate(), context)

    def __rsub__(self, other, context=None):
        other = _convert(other)
        return other if other is NotImplemented else other.__sub__(self, context)

    def __mul__(self, other, context=None):
        other = _convert(other)
        if other is NotImplemented:
            return other
        context = context or _current()
        sign = self._sign ^ other._sign
        if self._kind != _FINITE or other._kind != _FINITE:
            found = self._of_nans(other, context)
            if found is not None:
                return found
            return _make(sign, 0, 0, _INFINITE) if self and other else _nan(context)
        return _rounded(_make(sign, self._int * other._int, self._exp + other._exp), context)

    __rmul__ = __mul__

    def __truediv__(self, other, context=None):
        other = _convert(other)
        if other is NotImplemented:
            return other
        context = context or _current()
        sign = self._sign ^ other._sign
        if self._kind != _FINITE or other._kind != _FINITE:
            found = self._of_nans(other, context)
            if found is not None:
                return found
            if self._kind == other._kind:
                return _nan(context)
            if self._kind == _INFINITE:
                return _make(sign, 0, 0, _INFINITE)
            context._signal(Clamped)
            return _make(sign, 0, context.Etiny())
        if not other._int:
            if not self._int:
                return _nan(context, DivisionUndefined)
            context._signal(DivisionByZero)
            return _make(sign, 0, 0, _INFINITE)
        ideal = self._exp - other._exp
        if not self._int:
            return _rounded(_make(sign, 0, ideal), context)
        shift = _digit_count(other._int) - _digit_count(self._int) + context.prec + 1
        exponent = ideal - shift
        top = self._int * _ten(shift) if shift >= 0 else self._int
        bottom = other._int if shift >= 0 else other._int * _ten(-shift)
        coefficient, left = divmod(top, bottom)
        if left:
            # The last digit says that there is more, whatever it is.
            if coefficient % 5 == 0:
                coefficient += 1
        else:
            while exponent < ideal and coefficient % 10 == 0:
                coefficient //= 10
                exponent += 1
        return _rounded(_make(sign, coefficient, exponent), context)

    def __rtruediv__(self, other, context=None):
        other = _convert(other)
        return other if other is NotImplemented else other.__truediv__(self, context)

    def _parts(self, other, context):
        """The whole quotient and the remainder, or what an operation on special values gives, twice."""
        found = self._of_nans(other, context)
        if found is not None:
            return found, found
        sign = self._sign ^ other._sign
        if self._kind == _INFINITE:
            other_way = _nan(context) if other._kind == _INFINITE else _make(sign, 0, 0, _INFINITE)
            return other_way, _nan(context)
        if not other:
            if not self:
                return (_nan(context, DivisionUndefined),) * 2
            context._signal(DivisionByZero)
            return _make(sign, 0, 0, _INFINITE), _nan(context)
        exponent = self._exp if other._kind == _INFINITE else min(self._exp, other._exp)
        if other._kind == _INFINITE or not self._int or self.adjusted() - other.adjusted() <= -2:
            return _make(sign, 0, 0), self._to_exponent(exponent, context.rounding)
        if self.adjusted() - other.adjusted() <= context.prec:
            whole, rest = divmod(self._int * _ten(self._exp - exponent), other._int * _ten(other._exp - exponent))
            if whole < _ten(context.prec):
                return _make(sign, whole, 0), _make(self._sign, rest, exponent)
        return (_nan(context, DivisionImpossible),) * 2

    def __floordiv__(self, other, context=None):
        other, context = _convert(other), context or _current()
        if other is NotImplemented:
            return other
        if self._kind == _INFINITE and other._kind == _FINITE:
            return _make(self._sign ^ other._sign, 0, 0, _INFINITE)
        return self._parts(other, context)[0]

    def __mod__(self, other, context=None):
        other, context = _convert(other), context or _current()
        if other is NotImplemented:
            return other
        if self._kind == _FINITE and other.is_zero() and self._int:
            return _nan(context)
        return _rounded(self._parts(other, context)[1], context)

    def __divmod__(self, other, context=None):
        other, context = _convert(other), context or _current()
        if other is NotImplemented:
            return other
        whole, rest = self._parts(other, context)
        return whole, _rounded(rest, context)

    def __rfloordiv__(self, other, context=None):
        other = _convert(other)
        return other if other is NotImplemented else other.__floordiv__(self, context)

    def __rmod__(self, other, context=None):
        other = _convert(other)
        return other if other is NotImplemented else other.__mod__(self, context)

    def __rdivmod__(self, other, context=None):
        other = _convert(other)
        return other if other is NotImplemented else other.__divmod__(self, context)

    def remainder_near(self, other, context=None):
        """The remainder that is nearest to zero."""
        other, context = _operand(other), context or _current()
        found = self._of_nans(other, context)
        if found is not None:
            return found
        if self._kind == _INFINITE or not other:
            return _nan(context)
        if other._kind == _INFINITE:
            return _rounded(self, context)
        exponent = min(self._exp, other._exp)
        a, b = self._int * _ten(self._exp - exponent), other._int * _ten(other._exp - exponent)
        whole, rest = divmod(a, b)
        sign = self._sign
        if whole >= _ten(context.prec):
            return _nan(context, DivisionImpossible)
        if 2 * rest + (whole & 1) > b:
            rest, sign = b - rest, 1 - sign
        return _rounded(_make(sign, rest, exponent), context)

    def fma(self, other, third, context=None):
        """self * other + third, rounded once."""
        other = _operand(other)
        exact = Context(prec=MAX_PREC, Emin=MIN_EMIN, Emax=MAX_EMAX)
        if self._kind != _FINITE or other._kind != _FINITE:
            return self.__mul__(other, context).__add__(third, context)
        return self.__mul__(other, exact).__add__(third, context)

    def __pow__(self, other, modulo=None, context=None):
        other = _convert(other)
        if other is NotImplemented:
            return other
        context = context or _current()
        if modulo is not None:
            return power_modulo(self, other, _operand(modulo), context)
        return power(self, other, context)

    def __rpow__(self, other, context=None):
        other = _convert(other)
        return other if other is NotImplemented else other.__pow__(self, None, context)

    def sqrt(self, context=None):
        """The square root."""
        from math import isqrt
        context = context or _current()
        if self._kind != _FINITE:
            found = self._of_nans(None, context)
            return found if found is not None else self if not self._sign else _nan(context)
        ideal = self._exp // 2
        if not self._int:
            return _rounded(_make(self._sign, 0, ideal), context)
        if self._sign:
            return _nan(context)
        digits = context.prec + 1
        exponent = self._exp >> 1
        number = self._int * 10 if self._exp & 1 else self._int
        shift = digits - (_digit_count(number) + 1 >> 1)
        number, left = (number * _ten(2 * shift), 0) if shift >= 0 else divmod(number, _ten(-2 * shift))
        root = isqrt(number)
        exponent -= shift
        if not left and root * root == number:
            while exponent < ideal and root % 10 == 0:
                root //= 10
                exponent += 1
        elif root % 5 == 0:
            root += 1
        return _rounded(_make(0, root, exponent), context._with(rounding=ROUND_HALF_EVEN))

    def exp(self, context=None):
        """e to the power of self."""
        return exponential(self, context or _current())

    def ln(self, context=None):
        """The natural logarithm."""
        return logarithm(self, context or _current())

    def log10(self, context=None):
        """The logarithm to the base ten."""
        return logarithm_of_ten(self, context or _current())

    def logb(self, context=None):
        """The exponent of the first digit, as a decimal."""
        context = context or _current()
        if self.is_nan():
            return self._of_nans(None, context)
        if self.is_infinite():
            return self.copy_abs()
        if not self._int:
            context._signal(DivisionByZero)
            return _make(1, 0, 0, _INFINITE)
        return _rounded(Decimal(self.adjusted()), context)


_decimal_number.Decimal = Decimal


def getcontext():
    """The context that operations without one use."""
    return _current()


def setcontext(context, /):
    """Sets the context that operations without one use."""
    if context in (DefaultContext, BasicContext, ExtendedContext):
        context = context.copy()
        context.clear_flags()
    _set_current(context)


class localcontext:
    """A copy of a context for a with block."""

    def __init__(self, ctx=None, **kwargs):
        self._new = (ctx or _current()).copy()
        for name, value in kwargs.items():
            setattr(self._new, name, value)

    def __enter__(self):
        self._old = _current()
        _set_current(self._new)
        return self._new

    def __exit__(self, *args):
        _set_current(self._old)


Number.register(Decimal)
HAVE_THREADS = HAVE_CONTEXTVAR = False
__version__ = "1.70"
__libmpdec_version__ = "2.5.1"
