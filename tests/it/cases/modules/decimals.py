# Decimal numbers: contexts, rounding, signals, formats, functions, against what CPython's own module answers.
import decimal
from decimal import *

NUMBERS = "0 -0 1 -1 0.1 1.10 3.14159265358979323846 -2.5 2.675 1E+3 1E-7 123456789.987654321 9.999999999999999999999999999 NaN sNaN Infinity -Infinity 7E+20 -3E-20 1E+999999 99 0E+5 0E-9".split()


def show(function, *args):
    try:
        return str(function(*args))
    except (ArithmeticError, ValueError, TypeError, OverflowError) as error:
        return f"{type(error).__name__} {error}"


for a in NUMBERS:
    x = Decimal(a)
    print(a, repr(x), x.as_tuple(), x.adjusted(), x.number_class(), show(lambda: x.normalize()), show(lambda: x.to_eng_string()))
    print("  ", [show(f) for f in (x.sqrt, x.ln, x.log10, x.__neg__, x.__abs__, x.__int__, x.__float__, x.to_integral_value, x.next_plus, x.next_minus, x.logb, x.as_integer_ratio) if "999999" not in a])
    for b in ("1", "-0.3", "7", "0", "Infinity", "1E-10"):
        y = Decimal(b)
        print("  ", b, [show(f, y) for f in (x.__add__, x.__sub__, x.__mul__, x.__truediv__, x.__floordiv__, x.__mod__, x.compare, x.max, x.min, x.__eq__, x.__lt__)])
    if a not in ("1E+999999",):
        print("  ", [show(format, x, spec) for spec in ("", ".2f", ",.3f", "e", ".3e", "g", ".1%", ">12", "+.1f", "012.2f", "n", "*^20.4f")])

for rounding in (ROUND_UP, ROUND_DOWN, ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, ROUND_HALF_DOWN, ROUND_HALF_EVEN, ROUND_05UP):
    print(rounding, [str(Decimal(n).quantize(Decimal("0.1"), rounding=rounding)) for n in ("1.05", "1.15", "-1.05", "1.04", "1.06", "-1.01")])
for base, exponent in [("2", "10"), ("2", "-1"), ("2", "0.5"), ("1.5", "3"), ("10", "-5"), ("0", "3"), ("-8", "3"), ("-8", "0.5"), ("1.0001", "1000"), ("9", "0.5"), ("0", "0")]:
    print(base, exponent, show(lambda: Decimal(base) ** Decimal(exponent)))
print(Decimal(1).exp(), Decimal("-2.5").exp(), Decimal("0.001").ln(), Decimal(1000).log10(), Decimal(2).fma(3, 4), pow(Decimal(3), 5, 7))
print(getcontext())
with localcontext() as context:
    context.prec = 5
    context.clear_flags()
    print(Decimal(1) / 3, context.flags[Inexact], context.flags[DivisionByZero])
    context.traps[Inexact] = True
    print(show(lambda: Decimal(1) / 3))
with localcontext(prec=3, rounding=ROUND_DOWN) as context:
    print(+Decimal("1.2399"), context.create_decimal("9.999"), context.divide(1, 7), context.sqrt(2))
print(show(lambda: Decimal("a")), show(lambda: Decimal(1) / 0), show(lambda: Decimal(0) / 0), show(lambda: Decimal([1])), show(lambda: int(Decimal("NaN"))))
print(Decimal(5) + 2, 2 - Decimal("0.5"), Decimal(0.1), Decimal((1, (1, 2, 3), -2)), Decimal("1_000.5"), Decimal(" 7 "), 3 // Decimal(2), divmod(Decimal(-7), 2), round(Decimal("2.675"), 2), round(Decimal("3.5")))
print(Decimal("1.5") == 1.5, Decimal("0.1") == 0.1, Decimal(1) < 2, Decimal("2") == 2 + 0j, hash(Decimal("1.5")) == hash(1.5), hash(Decimal("1E+5")) == hash(100000), {Decimal(1): "a"}[1], sorted([Decimal(3), 1, 2.5]), sum(map(Decimal, ["0.1", "0.2"])), max(Decimal(1), 2))
from fractions import Fraction
print(Fraction(Decimal("0.25")), Decimal("0.5") == Fraction(1, 2), Decimal(1) < Fraction(3, 2), float(Decimal("1e-5")), isinstance(Decimal(1), decimal.Decimal), bool(Decimal(0)), complex(Decimal(2)))
print(Decimal("123.4567").same_quantum(Decimal("1.0001")), Decimal(7).remainder_near(4), Decimal("1.23").scaleb(3), Decimal(-5).copy_sign(Decimal(1)), Decimal("NaN").is_nan(), Decimal("12.5").is_signed(), Decimal(3).radix())
