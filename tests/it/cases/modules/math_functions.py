import math


def attempt(f, *args, **kw):
    try:
        print(repr(f(*args, **kw)))
    except Exception as e:
        print(type(e).__name__, e)


values = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.0, 1e-10, 3.7, -3.7, 1e10, 1e300, -1e300, 1e-310, math.inf, -math.inf, math.nan, 7, -3, 10**30, True]
names = ["acos", "acosh", "asin", "asinh", "atan", "atanh", "ceil", "cos", "cosh", "degrees", "erf", "exp",
         "exp2", "expm1", "fabs", "floor", "frexp", "gamma", "isfinite", "isinf", "isnan", "lgamma", "log", "log10",
         "log1p", "log2", "modf", "radians", "sin", "sinh", "sqrt", "tan", "tanh", "trunc", "ulp"]
for name in names:
    for value in values:
        print(name, repr(value), end=" ")
        attempt(getattr(math, name), value)
for name in ["atan2", "copysign", "fmod", "pow", "remainder", "nextafter", "hypot"]:
    for x in [0.0, -0.0, 1.0, -2.5, 7.25, 1e308, math.inf, math.nan]:
        for y in [0.0, -0.0, 1.0, -3.0, 0.5, math.inf, math.nan]:
            print(name, x, y, end=" ")
            attempt(getattr(math, name), x, y)
attempt(math.sin, "a")
attempt(math.sin)
attempt(math.floor, "a")
attempt(math.trunc, "a")
attempt(math.ldexp, 1.5, 1000)
attempt(math.ldexp, 1.5, 2000)
attempt(math.ldexp, 1.5, -2000)
attempt(math.ldexp, 1.5, 2.0)
attempt(math.log, 8, 2)
attempt(math.log, 10**1000)
attempt(math.log2, 2**5000 + 1)
attempt(math.log10, 10**400)
attempt(math.log, -10**400)
attempt(math.log, 5, 1)
attempt(math.factorial, 20)
attempt(math.factorial, 30)
attempt(math.factorial, -1)
attempt(math.factorial, 2.5)
print(math.factorial(500) % (10**9 + 7), len(str(math.factorial(1000))))
attempt(math.gcd)
attempt(math.gcd, 12, -18, 30)
attempt(math.gcd, 10**40, 6**30)
attempt(math.gcd, 1.5)
attempt(math.lcm, 4, 6, 10)
attempt(math.lcm)
attempt(math.lcm, 0, 5)
attempt(math.comb, 10, 3)
attempt(math.comb, 100, 50)
attempt(math.comb, 3, 10)
attempt(math.comb, -1, 2)
attempt(math.comb, 2, -1)
attempt(math.perm, 10, 3)
attempt(math.perm, 5)
attempt(math.perm, 3, 5)
attempt(math.isqrt, 10**40 - 1)
attempt(math.isqrt, -1)
attempt(math.fsum, [0.1] * 10)
attempt(math.fsum, [1e100, 1.0, -1e100])
attempt(math.fsum, [math.inf, -math.inf])
attempt(math.fsum, [1e308, 1e308])
attempt(math.fsum, ["a"])
attempt(math.prod, [1, 2, 3, 4.5])
attempt(math.prod, [2] * 70)
attempt(math.prod, [], start=7)
attempt(math.dist, [1, 2, 3], [4, 5, 6])
attempt(math.dist, [1], [1, 2])
attempt(math.hypot)
attempt(math.hypot, 1, 1, 1)
attempt(math.hypot, 3e200, 4e200)
attempt(math.hypot, 1e-320, 1e-320)
attempt(math.isclose, 1.0, 1.0 + 1e-10)
attempt(math.isclose, 1.0, 1.1, rel_tol=0.2)
attempt(math.isclose, 1.0, 1.1, rel_tol=-1)
attempt(math.isclose, math.inf, math.inf)
print(math.pi, math.e, math.tau, math.inf, math.nan)


class Floaty:
    def __float__(self):
        return 2.0

    def __floor__(self):
        return "floor"

    def __index__(self):
        return 9


attempt(math.sqrt, Floaty())
attempt(math.floor, Floaty())
attempt(math.isqrt, Floaty())
attempt(math.factorial, Floaty())
try:
    math.nothing
except AttributeError as e:
    print(e)
