# Orderings from one comparison, caches, partial methods, cached properties.
from functools import *
def t(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
for root in ("__lt__","__le__","__gt__","__ge__"):
    def cmp(self, o, root=root):
        return getattr(self.v, root)(o.v) if isinstance(o, C) else NotImplemented
    C=type("C",(),{"__init__":lambda s,v:setattr(s,"v",v),"__eq__":lambda s,o:s.v==getattr(o,"v",None),root:cmp})
    total_ordering(C)
    print(root,[(a,b,C(a)<C(b),C(a)<=C(b),C(a)>C(b),C(a)>=C(b)) for a in (1,2) for b in (1,2)])
    t(lambda: C(1)<3); t(lambda: C(1)>=3)
t(lambda: total_ordering(type("D",(),{})))
@lru_cache
def a(x): return x
@lru_cache(maxsize=2, typed=True)
def b(x): return x
@lru_cache(-5)
def c(x): return x
@cache
def d(x): return x
for f in (a,b,c,d):
    for x in (1,1,1.0,2,3,1): f(x)
    print(f.cache_info(), f.__name__, f.cache_parameters())
t(lambda: lru_cache("x")); t(lambda: lru_cache(True)(len).cache_info())
class P:
    def m(self,*a,**k): return (a,k)
    p=partialmethod(m,1,k=2); q=partialmethod(max,3); r=partialmethod(staticmethod(max),5)
    @cached_property
    def cp(self): print("once"); return 5
print(P().p(7), P().r(9))
x=P(); print(x.cp,x.cp,x.__dict__, P.__dict__["cp"].attrname)
t(lambda: partialmethod(5))
class S:
    __slots__=()
    @cached_property
    def z(self): return 1
t(lambda: S().z)
class V:
    @singledispatchmethod
    def f(self,x): return "o"
    @f.register(int)
    def _(self,x): return "i"
print(V().f(1),V().f("s"))
@wraps(t)
def w(): "doc"
print(w.__name__, w.__wrapped__ is t, w.__doc__)
