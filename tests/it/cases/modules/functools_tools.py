import functools
import operator
from functools import cache, cached_property, cmp_to_key, lru_cache, partial, partialmethod, reduce, singledispatch, total_ordering, wraps


def attempt(f, *a, **k):
    try:
        print(f(*a, **k))
    except Exception as e:
        print(type(e).__name__, e)


print(reduce(operator.add, [1, 2, 3]), reduce(lambda a, b: a * b, [2, 3], 10), reduce(operator.add, [], "z"))
attempt(reduce, operator.add, [])
p = partial(int, base=2)
print(p("1010"), p.func, p.args, p.keywords, partial(max, 1, 2)(3, 0), partial(partial(pow, 2), 5)())
print(repr(partial(print, 1, sep="-")).startswith("functools.partial(<built-in function print>, 1, sep='-')"))
attempt(partial)
attempt(partial, 5)
calls = []


@lru_cache(maxsize=2)
def square(x, y=0):
    """doc of square"""
    calls.append((x, y))
    return x * x + y


print(square(2), square(2), square(3), square(4), square(2), square(x=2), square(2, y=1))
print(calls, square.cache_info(), square.__name__, square.__doc__, square.__wrapped__(5), square.cache_parameters())
square.cache_clear()
print(square.cache_info())
attempt(square, [1])


@cache
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


print(fib(90), fib.cache_info())


class Thing:
    def __init__(self):
        self.count = 0

    @lru_cache(None)
    def method(self, x):
        self.count += 1
        return x + 1

    @cached_property
    def heavy(self):
        self.count += 10
        return "made"

    def power(self, base, exponent):
        return base ** exponent

    square = partialmethod(power, exponent=2)


t = Thing()
print(t.method(1), t.method(1), t.count, t.heavy, t.heavy, t.count, t.square(7), t.__dict__)


def decorator(f):
    @wraps(f)
    def wrapper(*args, **kwargs):
        "wrapper doc"
        return f(*args, **kwargs)
    return wrapper


@decorator
def documented(a: int, b=1) -> int:
    "original doc"
    return a


print(documented.__name__, documented.__doc__, documented.__wrapped__(3), documented.__annotations__, documented.__qualname__)
print(sorted([3, 1, 2], key=cmp_to_key(lambda a, b: b - a)), cmp_to_key(lambda a, b: 0)(5).obj)


@total_ordering
class Version:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        return self.n == other.n

    def __lt__(self, other):
        return self.n < other.n


print(Version(1) < Version(2), Version(1) >= Version(1), Version(3) > Version(2), Version(3) <= Version(2))
attempt(total_ordering, object)


@singledispatch
def show(x):
    return "object"


@show.register(int)
def _(x):
    return "int"


@show.register
def _(x: list):
    return "list"


print(show(1), show([]), show("s"), show(True), show.dispatch(int)(5))
print(functools.WRAPPER_ASSIGNMENTS[:2])
