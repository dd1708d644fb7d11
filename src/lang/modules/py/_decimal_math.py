"""Powers, exponentials and logarithms of decimal numbers, in whole numbers with digits to spare."""

import _decimal_number
from _decimal_number import _make, _nan
from _decimal_context import ROUND_HALF_EVEN, Inexact, Rounded, _digit_count, _rounded, _ten, _FINITE, _INFINITE

_SPARE = 12
_known_logarithms = {}


def _inverse_tangent(n, unit):
    """unit * 2 * atanh(1 / n)"""
    term = total = 2 * unit // n
    square, k = n * n, 3
    while term:
        term //= square
        total += term // k
        k += 2
    return total


def _log_of_ten(digits):
    """ln(10) * 10 ** digits"""
    if digits not in _known_logarithms:
        unit = _ten(digits + 5)
        _known_logarithms.clear()
        _known_logarithms[digits] = (3 * _inverse_tangent(3, unit) + _inverse_tangent(9, unit)) // 100000
    return _known_logarithms[digits]


def _log_of(coefficient, exponent, digits):
    """ln(coefficient * 10 ** exponent) * 10 ** digits, wrong in the last places only."""
    count = _digit_count(coefficient)
    unit = _ten(digits)
    # Between 1 and 10, then halved to lie near 1.
    shift = digits - count + 1
    value = coefficient * _ten(shift) if shift >= 0 else coefficient // _ten(-shift)
    halvings = 0
    while 2 * value > 3 * unit:
        value //= 2
        halvings += 1
    ratio = (value - unit) * unit // (value + unit)
    square = ratio * ratio // unit
    term, total, k = ratio, ratio, 3
    while term:
        term = term * square // unit
        if term in (0, -1):
            break
        total += term // k
        k += 2
    total = 2 * total + halvings * _inverse_tangent(3, unit)
    return total + (count - 1 + exponent) * _log_of_ten(digits)


def _exp_of(value, digits):
    """exp(value / 10 ** digits) as a coefficient of so many digits after the point, and an exponent of ten."""
    unit = _ten(digits)
    whole = value // _log_of_ten(digits)
    rest = value - whole * _log_of_ten(digits + _digit_count(abs(whole) + 1)) // _ten(_digit_count(abs(whole) + 1))
    small = rest // 256
    term, total, k = unit, unit, 1
    while term:
        term = term * small // (unit * k)
        if term == -1:
            break
        total += term
        k += 1
    for _ in range(8):
        total = total * total // unit
    return total, whole


def _settled(make, context, rounding=ROUND_HALF_EVEN):
    """The number that make(digits) comes close to, rounded once; more digits are taken until it is certain."""
    digits = context.prec + _SPARE
    while True:
        sign, coefficient, exponent = make(digits)
        spare = _digit_count(coefficient) - context.prec
        tail = coefficient % _ten(spare - 4) if spare > 4 else 0
        if 1000 < tail % _ten(max(spare - 4, 4)) < _ten(spare - 4) - 1000 or digits > 8 * context.prec + 200:
            return _rounded(_make(sign, coefficient, exponent), context._with(rounding=rounding))
        digits *= 2


def _inexact(context):
    context._signal(Inexact)
    context._signal(Rounded)


def exponential(number, context):
    Decimal = _decimal_number.Decimal
    found = number._of_nans(None, context)
    if found is not None:
        return found
    if number._kind != _FINITE:
        return Decimal(0) if number._sign else number
    if not number._int:
        return Decimal(1)
    if number.adjusted() > 20:
        huge = _make(0, 1, -2 * context.Emax if number._sign else 2 * context.Emax)
        return _rounded(huge, context)

    def make(digits):
        digits += max(number.adjusted(), 0)
        shift = number._exp + digits
        value = number._int * _ten(shift) if shift >= 0 else number._int // _ten(-shift)
        coefficient, whole = _exp_of(-value if number._sign else value, digits)
        return 0, coefficient, whole - digits

    return _settled(make, context)


def logarithm(number, context):
    Decimal = _decimal_number.Decimal
    found = number._of_nans(None, context)
    if found is not None:
        return found
    if not number:
        return _make(1, 0, 0, _INFINITE)
    if number._sign:
        return _nan(context)
    if number._kind != _FINITE:
        return number
    if number == 1:
        return Decimal(0)

    def make(digits):
        digits += max(0, -_nearness(number))
        value = _log_of(number._int, number._exp, digits)
        return int(value < 0), abs(value), -digits

    return _settled(make, context)


def _nearness(number):
    """The exponent of the difference from one: a logarithm begins there."""
    difference = number._int - _ten(-number._exp) if number._exp < 0 else number._int
    return _digit_count(abs(difference)) + number._exp - 1


def logarithm_of_ten(number, context):
    Decimal = _decimal_number.Decimal
    if number._kind != _FINITE or number._sign or not number._int:
        return logarithm(number, context)
    if number._int == _ten(_digit_count(number._int) - 1):
        return _rounded(Decimal(number.adjusted()), context)

    def make(digits):
        digits += max(0, -_nearness(number))
        value = _log_of(number._int, number._exp, digits + 4) * _ten(digits) // _log_of_ten(digits + 4)
        return int(value < 0), abs(value), -digits

    return _settled(make, context)


def _whole(number):
    """A number as an int, None when it has a fraction."""
    if number._kind != _FINITE:
        return None
    if number._exp >= 0:
        return int(number)
    whole, rest = divmod(number._int, _ten(-number._exp))
    return None if rest else (-whole if number._sign else whole)


def power(base, other, context):
    Decimal = _decimal_number.Decimal
    found = base._of_nans(other, context)
    if found is not None:
        return found
    whole = _whole(other)
    if not other:
        if not base:
            return _nan(context)
        return Decimal(1)
    sign = int(bool(base._sign and whole is not None and whole & 1))
    if base._sign and whole is None and base and other._kind == _FINITE:
        return _nan(context)
    if not base:
        return _make(sign, 0, 0) if not other._sign else _make(sign, 0, 0, _INFINITE)
    if base._kind != _FINITE:
        return _make(sign, 0, 0) if other._sign else _make(sign, 0, 0, _INFINITE)
    if other._kind != _FINITE:
        order = base.copy_abs()._order(Decimal(1))
        if order == 0:
            _inexact(context)
            return _make(sign, _ten(context.prec - 1), 1 - context.prec)
        return _make(0, 0, 0, _INFINITE) if (order > 0) != bool(other._sign) else Decimal(0)
    if whole is not None:
        count = _digit_count(base._int) * abs(whole)
        if base._int == 1 or count <= 40 * context.prec + 400:
            raised = _make(sign, base._int ** abs(whole), base._exp * abs(whole))
            return _rounded(raised, context) if whole > 0 else Decimal(1).__truediv__(raised, context)
    # Far beyond what a context holds, whichever the digits are.
    reach = abs(base.adjusted()) + 1 if base.adjusted() else 1
    if other.adjusted() + _digit_count(reach) > _digit_count(context.Emax) + 25:
        grows = (base.copy_abs()._order(Decimal(1)) > 0) != bool(other._sign)
        return _rounded(_make(sign, 1, 2 * context.Emax if grows else -2 * context.Emax), context)

    def make(digits):
        digits += max(other.adjusted(), 0) + _digit_count(reach)
        value = _log_of(base._int, base._exp, digits + 4) * other._int
        value = value * _ten(other._exp) if other._exp >= 0 else value // _ten(-other._exp)
        value //= 10000
        coefficient, exponent = _exp_of(-value if other._sign else value, digits)
        return sign, coefficient, exponent - digits

    made = _settled(make, context, context.rounding)
    if made._kind == _FINITE and _digit_count(made._int) < context.prec:
        missing = context.prec - _digit_count(made._int)
        made = _make(made._sign, made._int * _ten(missing), made._exp - missing)
    _inexact(context)
    return made


def power_modulo(base, other, modulo, context):
    numbers = [_whole(number) for number in (base, other, modulo)]
    if None in numbers or numbers[1] < 0 or not numbers[2] or abs(numbers[2]) >= _ten(context.prec) \
            or not numbers[0] and not numbers[1]:
        return _nan(context)
    found = pow(abs(numbers[0]), numbers[1], abs(numbers[2]))
    return _make(int(numbers[0] < 0 and numbers[1] & 1), found, 0)
