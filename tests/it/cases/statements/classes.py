class A:
    def __init__(self): print("A.init")
    def hi(self): return "A"
    @property
    def p(self): return 42
    @p.setter
    def p(self, v): print("set", v)
    @classmethod
    def cm(cls): return cls.__name__
    @staticmethod
    def sm(x): return x
    def __repr__(self): return "<A>"
    def __eq__(self, o): return True
    def __add__(self, o): return ("add", o)
    def __radd__(self, o): return ("radd", o)
    def __getitem__(self, k): return k
    def __len__(self): return 3
    def __contains__(self, x): return x == 1
    def __call__(self, *a): return a
    def __enter__(self): print("enter"); return self
    def __exit__(self, *a): print("exit", a[0]); return True
    def __iter__(self): return [1, 2].__iter__()
class B(A):
    def __init__(self):
        super().__init__()
        print("B.init")
    def hi(self): return "B" + super().hi()
b = B()
print(b.hi(), b.p, B.cm(), b.sm(3), b, b == 3, b + 1, 1 + b, b[1:2], b["x"], 1 in b, b(1, 2), [*b])
b.p = 5
with b as q, A() as r:
    print("body", q)
    raise KeyError("x")
print("after")
with b: pass
class C3:
    x = [i for i in range(3)]
    y = x
    def m(self): return __class__.__name__
print(C3.y, C3().m())
class D:
    def __init_subclass__(cls, **kw): print("sub", cls.__name__, kw)
class E(D, tag=1): pass
class Desc:
    def __set_name__(self, o, n): print("setname", n)
    def __get__(self, i, o): return ("get", i is None)
    def __set__(self, i, v): print("dset", v)
class F: d = Desc()
F().d = 3
print(F.d, F().d)
class G:
    def __getattr__(self, n): return n + "!"
print(G().foo)
def deco(fn):
    def w(*a, **k):
        print("call", fn.__name__)
        return fn(*a, **k)
    return w
@deco
def dd(x): return x
print(dd(3))
class BB(A): pass
print(type(3), A, BB.__mro__, type("X", (A,), {"q": 1}).q)
