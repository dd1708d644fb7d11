"""Contexts of decimal numbers: precision, rounding, signals and their traps."""

__all__ = ["Context", "DecimalException", "Clamped", "InvalidOperation", "ConversionSyntax", "DivisionByZero",
           "DivisionImpossible", "DivisionUndefined", "Inexact", "InvalidContext", "Rounded", "Subnormal", "Overflow",
           "Underflow", "FloatOperation", "ROUND_DOWN", "ROUND_HALF_UP", "ROUND_HALF_EVEN", "ROUND_CEILING",
           "ROUND_FLOOR", "ROUND_UP", "ROUND_HALF_DOWN", "ROUND_05UP", "DefaultContext", "BasicContext",
           "ExtendedContext", "MAX_PREC", "MAX_EMAX", "MIN_EMIN", "MIN_ETINY", "round_off"]

ROUND_DOWN, ROUND_HALF_UP, ROUND_HALF_EVEN = "ROUND_DOWN", "ROUND_HALF_UP", "ROUND_HALF_EVEN"
ROUND_CEILING, ROUND_FLOOR, ROUND_UP = "ROUND_CEILING", "ROUND_FLOOR", "ROUND_UP"
ROUND_HALF_DOWN, ROUND_05UP = "ROUND_HALF_DOWN", "ROUND_05UP"
_ROUNDINGS = (ROUND_UP, ROUND_DOWN, ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, ROUND_HALF_DOWN, ROUND_HALF_EVEN,
              ROUND_05UP)

# Kinds of numbers; those that are not finite are told by these letters in tuples too.
_FINITE, _INFINITE, _QUIET, _SIGNALING = "finite", "F", "n", "N"

MAX_PREC = MAX_EMAX = 999999999999999999
MIN_EMIN = -MAX_EMAX
MIN_ETINY = MIN_EMIN - (MAX_PREC - 1)


class DecimalException(ArithmeticError):
    """What decimal arithmetic signals."""


class Clamped(DecimalException):
    pass


class InvalidOperation(DecimalException):
    pass


class ConversionSyntax(InvalidOperation):
    pass


class DivisionByZero(DecimalException, ZeroDivisionError):
    pass


class DivisionImpossible(InvalidOperation):
    pass


class DivisionUndefined(InvalidOperation, ZeroDivisionError):
    pass


class Inexact(DecimalException):
    pass


class InvalidContext(InvalidOperation):
    pass


class Rounded(DecimalException):
    pass


class Subnormal(DecimalException):
    pass


class Overflow(Inexact, Rounded):
    pass


class Underflow(Inexact, Rounded, Subnormal):
    pass


class FloatOperation(DecimalException, TypeError):
    pass


_SIGNALS = [InvalidOperation, FloatOperation, DivisionByZero, Overflow, Subnormal, Underflow, Rounded, Inexact, Clamped]
for _class in _SIGNALS + [DecimalException, ConversionSyntax, DivisionImpossible, DivisionUndefined, InvalidContext]:
    _class.__module__ = "decimal"

_POWERS = [10 ** n for n in range(64)]


def _ten(n):
    return _POWERS[n] if n < 64 else 10 ** n


def _digit_count(number):
    """How many digits a number has; one for zero."""
    if number < 10:
        return 1
    guess = number.bit_length() * 30103 // 100000
    return guess + (number >= _ten(guess))


def round_off(coefficient, digits, rounding, sign):
    """A coefficient without its last digits, and whether that changed the number."""
    if digits > _digit_count(coefficient) + 1:
        # All digits go; a stand-in is below the half as they are.
        whole, rest, unit = 0, int(coefficient != 0), 10
    else:
        unit = _ten(digits)
        whole, rest = divmod(coefficient, unit)
    if not rest:
        return whole, False
    if rounding == ROUND_HALF_EVEN:
        up = 2 * rest > unit or 2 * rest == unit and whole & 1
    elif rounding == ROUND_HALF_UP:
        up = 2 * rest >= unit
    elif rounding == ROUND_HALF_DOWN:
        up = 2 * rest > unit
    elif rounding == ROUND_UP:
        up = True
    elif rounding == ROUND_DOWN:
        up = False
    elif rounding == ROUND_CEILING:
        up = not sign
    elif rounding == ROUND_FLOOR:
        up = bool(sign)
    elif rounding == ROUND_05UP:
        up = whole % 5 == 0
    else:
        raise TypeError("valid values for rounding are:\n  [" + ", ".join(_ROUNDINGS) + "]")
    return whole + bool(up), True


def _rounded(number, context):
    """A number as a context can hold it."""
    from _decimal_number import _make
    if number._kind != _FINITE:
        return number
    coefficient, exponent, sign = number._int, number._exp, number._sign
    count = _digit_count(coefficient)
    if count <= context.prec and coefficient and context.Emin <= exponent + count - 1 <= context.Emax \
            and not context.clamp:
        return number
    tiny, top = context.Etiny(), context.Etop()
    if not coefficient:
        highest = top if context.clamp else context.Emax
        fitted = min(max(exponent, tiny), highest)
        if fitted != exponent:
            context._signal(Clamped)
            return _make(sign, 0, fitted)
        return number
    lowest = max(exponent + count - context.prec, tiny)
    if exponent + count - 1 > context.Emax:
        return _overflowed(sign, context)
    is_subnormal = exponent + count - 1 < context.Emin
    if exponent < lowest:
        coefficient, changed = round_off(coefficient, lowest - exponent, context.rounding, sign)
        exponent = lowest
        if _digit_count(coefficient) > context.prec:
            coefficient //= 10
            exponent += 1
        if exponent + _digit_count(coefficient) - 1 > context.Emax:
            return _overflowed(sign, context)
        if is_subnormal:
            context._signal(Subnormal)
            if changed:
                context._signal(Underflow)
        if changed:
            context._signal(Inexact)
        context._signal(Rounded)
        if not coefficient:
            context._signal(Clamped)
        return _make(sign, coefficient, exponent)
    if is_subnormal:
        context._signal(Subnormal)
    if context.clamp and exponent > top:
        context._signal(Clamped)
        return _make(sign, coefficient * _ten(exponent - top), top)
    return number


def _overflowed(sign, context):
    from _decimal_number import _make
    context._signal(Overflow)
    context._signal(Inexact)
    context._signal(Rounded)
    to_infinity = {ROUND_CEILING: not sign, ROUND_FLOOR: bool(sign), ROUND_DOWN: False, ROUND_05UP: False}
    if to_infinity.get(context.rounding, True):
        return _make(sign, 0, 0, _INFINITE)
    return _make(sign, _ten(context.prec) - 1, context.Etop())


def _flags_of(given, default):
    if given is None:
        return dict(default)
    if isinstance(given, dict):
        return {signal: bool(given.get(signal, False)) for signal in _SIGNALS}
    return {signal: signal in given for signal in _SIGNALS}


class Context:
    """How operations round and what they raise."""

    __hash__ = None

    def __init__(self, prec=None, rounding=None, Emin=None, Emax=None, capitals=None, clamp=None, flags=None,
                 traps=None):
        base = globals().get("DefaultContext")
        choose = lambda given, name, default: given if given is not None else getattr(base, name, default)
        self.prec = choose(prec, "prec", 28)
        self.rounding = choose(rounding, "rounding", ROUND_HALF_EVEN)
        self.Emin = choose(Emin, "Emin", -999999)
        self.Emax = choose(Emax, "Emax", 999999)
        self.capitals = choose(capitals, "capitals", 1)
        self.clamp = choose(clamp, "clamp", 0)
        self.flags = _flags_of(flags, dict.fromkeys(_SIGNALS, False))
        usual = {signal: signal in (InvalidOperation, DivisionByZero, Overflow) for signal in _SIGNALS}
        self.traps = _flags_of(traps, getattr(base, "traps", usual))

    def __setattr__(self, name, value):
        if name in ("prec", "Emin", "Emax", "capitals", "clamp") and not isinstance(value, int):
            raise TypeError("an integer is required")
        if name == "prec" and not 1 <= value <= MAX_PREC:
            raise ValueError("valid range for prec is [1, MAX_PREC]")
        if name == "rounding" and value not in _ROUNDINGS:
            raise TypeError("valid values for rounding are:\n  [" + ", ".join(_ROUNDINGS) + "]")
        if name not in ("prec", "rounding", "Emin", "Emax", "capitals", "clamp", "flags", "traps"):
            raise AttributeError(f"'decimal.Context' object has no attribute {name!r}")
        if name in ("flags", "traps") and not isinstance(value, dict):
            value = _flags_of(value, {})
        object.__setattr__(self, name, value)

    def _signal(self, signal, reason=None):
        self.flags[signal] = True
        if self.traps[signal]:
            raise signal([reason or signal])

    def __repr__(self):
        names = lambda given, order: ", ".join(signal.__name__ for signal in order if given[signal])
        later = (Inexact, Overflow, Rounded, Subnormal, Underflow, FloatOperation)
        flags = names(self.flags, (Clamped, DivisionByZero, InvalidOperation) + later)
        traps = names(self.traps, (Clamped, InvalidOperation, DivisionByZero) + later)
        return (f"Context(prec={self.prec}, rounding={self.rounding}, Emin={self.Emin}, Emax={self.Emax}, "
                f"capitals={self.capitals}, clamp={self.clamp}, flags=[{flags}], traps=[{traps}])")

    def copy(self):
        """The same settings and flags."""
        return Context(self.prec, self.rounding, self.Emin, self.Emax, self.capitals, self.clamp, self.flags, self.traps)

    __copy__ = copy

    def _with(self, rounding=None, prec=None, traps=None):
        """The same context for one operation; its signals are noted here."""
        made = Context(self.prec if prec is None else prec, self.rounding if rounding is None else rounding, self.Emin,
                       self.Emax, self.capitals, self.clamp, None, self.traps if traps is None else traps)
        if traps is None:
            object.__setattr__(made, "flags", self.flags)
        return made

    def clear_flags(self):
        for signal in _SIGNALS:
            self.flags[signal] = False

    def clear_traps(self):
        for signal in _SIGNALS:
            self.traps[signal] = False

    def Etiny(self):
        """The smallest exponent."""
        return self.Emin - self.prec + 1

    def Etop(self):
        """The greatest exponent of a number with all digits."""
        return self.Emax - self.prec + 1

    def radix(self):
        from _decimal_number import Decimal
        return Decimal(10)

    def create_decimal(self, num="0", /):
        """A number, rounded."""
        from _decimal_number import Decimal
        return _rounded(Decimal(num, self), self)

    def create_decimal_from_float(self, f, /):
        from _decimal_number import Decimal
        return _rounded(Decimal.from_float(f), self)

    def divide_int(self, a, b, /):
        from _decimal_number import _operand
        return _operand(a).__floordiv__(b, self)

    def power(self, a, b, modulo=None):
        """a to the power of b."""
        from _decimal_number import _operand
        return _operand(a).__pow__(b, modulo, self)

    def to_sci_string(self, x, /):
        from _decimal_number import _operand
        return str(_operand(x))


def _context_method(name, method):
    def apply(self, a, /, *others):
        from _decimal_number import _operand
        found = getattr(_operand(a), method)(*others, context=self)
        if found is NotImplemented:
            raise TypeError(f"conversion from {type(others[0]).__name__} to Decimal is not supported")
        return found

    apply.__name__ = name
    apply.__qualname__ = "Context." + name
    setattr(Context, name, apply)


for _name, _method in [("add", "__add__"), ("subtract", "__sub__"), ("multiply", "__mul__"), ("divide", "__truediv__"),
                       ("remainder", "__mod__"), ("divmod", "__divmod__"), ("minus", "__neg__"), ("plus", "__pos__"),
                       ("abs", "__abs__"), ("sqrt", "sqrt"), ("exp", "exp"), ("ln", "ln"), ("log10", "log10"),
                       ("logb", "logb"), ("compare", "compare"), ("max", "max"), ("min", "min"), ("fma", "fma"),
                       ("quantize", "quantize"), ("normalize", "normalize"), ("scaleb", "scaleb"), ("shift", "shift"),
                       ("remainder_near", "remainder_near"), ("next_plus", "next_plus"), ("next_minus", "next_minus"),
                       ("to_integral_value", "to_integral_value"), ("to_integral_exact", "to_integral_exact"),
                       ("to_eng_string", "to_eng_string"), ("number_class", "number_class"),
                       ("same_quantum", "same_quantum"), ("is_normal", "is_normal"), ("is_subnormal", "is_subnormal")]:
    _context_method(_name, _method)
Context.__module__ = "decimal"

DefaultContext = Context()
BasicContext = Context(prec=9, rounding=ROUND_HALF_UP, traps=[DivisionByZero, Overflow, InvalidOperation, Clamped,
                                                              Underflow], flags=[])
ExtendedContext = Context(prec=9, rounding=ROUND_HALF_EVEN, traps=[], flags=[])

_in_use = DefaultContext.copy()


def _current():
    return _in_use


def _set_current(context):
    global _in_use
    _in_use = context
