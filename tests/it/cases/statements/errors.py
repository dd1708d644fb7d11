def a(x):
    return b(x) + 1

def b(x):
    return x / 0
def run(f, *args):
    try:
        f(*args)
    except Exception as e:
        tb = e.__traceback__
        while tb is not None:
            print(tb.tb_lineno, end=" ")
            tb = tb.tb_next
        print(type(e).__name__, e)
run(a, 1)
run(lambda: [][1])
run(lambda: {}["x"])
run(lambda: (1).foo)
run(lambda: "abc".uper())
run(lambda: undefined_name)
run(lambda: 1 + "a")
run(lambda: "a" + 1)
run(lambda: [1] + (2,))
run(lambda: None())
run(lambda: 3 < "x")
run(lambda: len(5))
run(lambda: int("x"))
run(lambda: [1, 2, 3].index(9))
run(lambda: (lambda x: x)())
run(lambda: {}.pop("q"))
run(lambda: iter(3))
run(lambda: next(iter([])))
run(lambda: {[]: 1})
run(lambda: hash([]))
def unpack(v):
    a, b = v
run(unpack, [1]); run(unpack, [1, 2, 3]); run(unpack, 5)
def unpack2(v):
    a, *b, c = v
run(unpack2, [1])
run(lambda: 1 .__add__("x").foo)
class Z:
    def __init__(self, a): self.a = a
    def m(self): return self.b
run(Z); run(Z, 1, 2); run(lambda: Z(1).m()); run(lambda: Z.q)
run(lambda: f"{1:zz}")
run(lambda: exec("1 +"))
run(lambda: -"x")
run(lambda: [] < [] < 3)
def kw(a, *, b): pass
run(kw, 1); run(lambda: kw(1, b=2, c=3)); run(lambda: kw(b=1)); run(lambda: kw(1,2,b=3))
def dflt(a, b=1, c=2): pass
run(lambda: dflt(1,2,3,4)); run(dflt)
def two(a, b, c): pass
run(two); run(two, 1)
try:
    try:
        raise KeyError("inner")
    except KeyError as e:
        raise ValueError("outer") from e
except ValueError as e:
    print(repr(e), repr(e.__cause__), repr(e.__context__))
e2 = ValueError("n"); e2.add_note("note1")
print(e2.__notes__)
def gen():
    yield 1
    raise StopIteration
run(lambda: list(gen()))
g = gen()
run(lambda: g.send(5))
with_out = []
class CM:
    def __enter__(self): return 5
    def __exit__(self, t, v, tb): with_out.append((t, str(v))); return False
def w():
    with CM() as x:
        raise RuntimeError("in with")
run(w); print(with_out)
run(lambda: [x for x in 5])
class Meta: pass
run(lambda: isinstance(1, 5))
run(lambda: issubclass(1, int))
print(isinstance(1, int | str), isinstance([], (int, list)), int | str)
