"""Format specifications of decimal numbers."""

import re

from _decimal_number import _make, _parted
from _decimal_context import round_off, _digit_count, _FINITE, _INFINITE, _QUIET

_SPEC = re.compile(r"(?:(.)?([<>=^]))?([-+ ])?(z)?(0)?(\d+)?(,)?(?:\.(\d+))?([eEfFgGn%])?\Z", re.S)


def _round_to(number, digits, rounding):
    """With so many digits at most."""
    extra = _digit_count(number._int) - digits
    if extra <= 0 or not number._int:
        return number
    coefficient = round_off(number._int, extra, rounding, number._sign)[0]
    if _digit_count(coefficient) > digits:
        return _make(number._sign, coefficient // 10, number._exp + extra + 1)
    return _make(number._sign, coefficient, number._exp + extra)


def formatted(number, spec, context):
    """The text of a number by a format specification."""
    found = _SPEC.match(spec)
    if found is None:
        raise ValueError("invalid format string")
    fill, align, sign, coerce, zero, width, comma, precision, kind = found.groups()
    if zero and (fill or align):
        align = align or "="
    elif zero:
        fill, align = "0", "="
    fill, align, width = fill or " ", align or ">", int(width or 0)
    if number._kind != _FINITE:
        text = "Infinity" if number._kind == _INFINITE else "NaN" if number._kind == _QUIET else "sNaN"
        if number._kind != _INFINITE and number._int:
            text += str(number._int)
        text += "%" if kind == "%" else ""
        fill, align = (" ", ">") if zero else (fill, align)
        return _padded(_sign_of(number._sign, sign), text, fill, align, width)
    if kind is None:
        kind = "G" if context.capitals else "g"
    if kind == "n":
        kind = "g"
    value, rounding = number, context.rounding
    if kind == "%":
        value = _make(value._sign, value._int, value._exp + 2)
    if precision is not None:
        precision = int(precision)
        if kind in "eE":
            value = _round_to(value, precision + 1, rounding)
            if value._int:
                value = value._to_exponent(value.adjusted() - precision, rounding)
        elif kind in "fF%":
            value = value._to_exponent(-precision, rounding)
        elif _digit_count(value._int) > (precision or 1):
            value = _round_to(value, precision or 1, rounding)
    if not value._int and value._exp > 0 and kind in "fF%":
        value = value._to_exponent(0, rounding)
    if coerce and not value._int:
        value = _make(0, 0, value._exp)
    digits = str(value._int)
    left = value._exp + len(digits)
    if kind in "eE":
        place = 1 - precision if not value._int and precision is not None else 1
    elif kind in "fF%":
        place = left
    else:
        place = left if value._exp <= 0 and left > -6 else 1
    whole, fraction = _parted(digits, place)
    tail = "." + fraction if fraction else ""
    if left != place or kind in "eE":
        tail += ("E" if kind in "EG" else "e") + f"{left - place:+d}"
    if kind == "%":
        tail += "%"
    lead = _sign_of(value._sign, sign)
    if comma:
        room = width - len(lead) - len(tail) if fill == "0" and align == "=" else 0
        whole = _grouped(whole, room)
    return _padded(lead, whole + tail, fill, align, width)


def _sign_of(is_negative, sign):
    return "-" if is_negative else sign if sign in ("+", " ") else ""


def _grouped(whole, room):
    while True:
        text = f"{int(whole):,}" if whole[0] != "0" or len(whole) == 1 else ",".join(
            [whole[max(at - 3, 0):at] for at in range(len(whole), 0, -3)][::-1])
        if len(text) >= room:
            return text
        whole = "0" + whole


def _padded(lead, text, fill, align, width):
    missing = width - len(lead) - len(text)
    if missing <= 0:
        return lead + text
    if align == "<":
        return lead + text + fill * missing
    if align == "=":
        return lead + fill * missing + text
    if align == "^":
        return fill * (missing // 2) + lead + text + fill * (missing - missing // 2)
    return fill * missing + lead + text
