class Num:
    def __init__(self, v): self.v = v
    def __lt__(self, o): return self.v < o.v
    def __hash__(self): return hash(self.v)
    def __eq__(self, o): return self.v == o.v
    def __bool__(self): return self.v != 0
    def __iadd__(self, o): self.v += o; return self
    def __neg__(self): return Num(-self.v)
    def __repr__(self): return f"Num({self.v})"
    def __str__(self): return f"<{self.v}>"
    def __format__(self, s): return f"fmt[{s}]"
    def __index__(self): return self.v
    def __matmul__(self, o): return "mm"
    def __delitem__(self, k): print("delitem", k)
    def __setitem__(self, k, v): print("setitem", k, v)
n = Num(3); n += 2; print(n, repr(n), f"{n:abc} {n!r} {n}", -n, n < Num(9), bool(Num(0)), {n: 1}[Num(5)], [1,2,3,4,5,6][n], n @ 1)
del n[1:2]; n[...] = 5; n[1, 2:3] = 0
print(sorted([Num(3), Num(1)]), max(Num(3), Num(8)), Num(3) != Num(3))
class L(list):
    def first(self): return self[0]
    def __len__(self): return 99
class D(dict):
    def __missing__(self, k): return k * 2
l = L([1, 2]); l.append(3); print(l, l.first(), len(l), l + [4], isinstance(l, list), D(a=1)["zz"], D(a=1)["a"])
class S(str):
    def __new__(cls, v): return super().__new__(cls, v.upper())
print(S("abc"), S("x") + "y", type(S("q")).__name__, S("k").lower())
class I(int):
    def __add__(self, o): return "added"
print(I(3) + 4, I(3) * 4, 2 + I(5), I(7) == 7)
class Err(ValueError):
    def __init__(self, a, b): super().__init__(a); self.b = b
try: raise Err("m", 2)
except ValueError as e: print(e, e.b, e.args, repr(e))
class Sing:
    _i = None
    def __new__(cls, *a):
        if cls._i is None: cls._i = super().__new__(cls)
        return cls._i
print(Sing() is Sing(1))
class X: pass
class Y(X): pass
class Z(X): pass
class W(Y, Z): pass
print([c.__name__ for c in W.__mro__], issubclass(W, X))
try:
    class Q(X, Y): pass
except TypeError as e: print(e)
class Slots:
    __slots__ = ("a",)
s = Slots(); s.a = 1
try: s.b = 2
except AttributeError as e: print(e)
class At:
    def __setattr__(self, n, v): object.__setattr__(self, n, v * 2)
    def __delattr__(self, n): print("delattr", n)
    def __getattribute__(self, n): return object.__getattribute__(self, n)
a = At(); a.k = 4; print(a.k); del a.k
def fn(a: int, b: "str" = "x") -> None: "doc"
print(fn.__annotations__, fn.__doc__, fn.__defaults__, fn.__name__, fn.__code__.co_varnames)
fn.attr = 5; print(fn.attr, fn.__dict__)
print(int.__add__(1, 2), str.upper("a"), list.__len__([1]), dict.fromkeys("ab", 0))
m = [].append; print(m.__name__, callable(m))
it = iter([1, 2]); print(next(it), next(it), next(it, "end"))
print([*range(5)][::-1], "abc"[-1], (1, 2, 3)[1:], list(reversed([1, 2])))
def g():
    try:
        x = yield
        while True: x = yield x * 2
    except GeneratorExit: print("gexit"); raise
c = g(); next(c); print(c.send(4), c.send(5)); c.close()
print(list(x for x in [1, 2, 3] if x > 1), sum(i * i for i in range(10)), any(x > 2 for x in [1, 3]), all([]))
def inner_gen():
    yield from [1, 2]
    return "r"
def outer_gen():
    v = yield from inner_gen()
    yield v
print(list(outer_gen()))
import functools, itertools
print(functools.reduce(lambda a, b: a + b, [1, 2, 3]), list(itertools.chain([1], [2])))
@functools.lru_cache(None)
def fibc(n): return n if n < 2 else fibc(n - 1) + fibc(n - 2)
print(fibc(50))
print(functools.partial(pow, 2)(5), list(itertools.islice(itertools.count(3), 2)))
@functools.wraps(fn)
def wr(): pass
print(wr.__name__, wr.__wrapped__ is fn)
print("%-5s|%5.1f|%03d" % ("ab", 2.25, 7), "a,b".split(","), "-".join("xyz"), f"{1234567:,} {0.5:%} {255:#x} {'c':^5}|")
x = 10
def scope():
    x = 1
    class C:
        y = x
        x = 2
        z = x
    return C.y, C.z
print(scope())
print((lambda: (yield))().__class__.__name__)
print(type(None), type(...), NotImplemented, ...)
try: raise Exception("a", "b")
except Exception as e: print(e, e.args)
def args_order(*a, **k): return a, k
print(args_order(1, *[2], x=1, **{"y": 2}))
print(__name__, __doc__)
import sys
def exc():
    try: raise ValueError(1)
    except ValueError:
        try: raise TypeError(2)
        except TypeError: pass
        print(sys.exc_info()[0])
    print(sys.exc_info())
exc()
lst = [3, 1, 2]
lst[0], lst[1] = lst[1], lst[0]; print(lst)
i = 0
def idx():
    global i
    i += 1
    return i
arr = [0] * 5
arr[idx()] = arr[idx()] = 7
print(arr)
a = b, c = (1, 2); print(a, b, c)
for i, (j, *k) in [(1, (2, 3, 4))]: print(i, j, k)
print([[j for j in range(i)] for i in range(3)], {i: {j for j in range(i)} for i in range(2)})
print(1 if [] else 2, [] or "d", {} and 1, not [])
print(0 < 1 < 2 < 3 > 2, 1 == 1.0 == True, "a" < "b" != "c")
while False: pass
else: print("while-else")
print(list(map(str, [1, 2])), list(filter(None, [0, 1])), "abc".replace("b", "x"))
print(round(2.5), int(3.9), float("1.5"), complex(1, 2), bool(""), bytes([65]), bytearray(b"x"), frozenset([1]))
