# Slots as descriptors, a property named __class__, unbound super objects, classes that derive from weakref.ref.
class P:
    __slots__=('x','y')
p=P()
def t(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
t(lambda: p.x)
def f(): del p.x
t(f)
def f(): p.z=1
t(f)
t(lambda: p.z)
t(lambda: p.__dict__)
t(lambda: vars(p))
t(lambda: P.x)
t(lambda: P.__dict__['x'].__get__(p))
t(lambda: P.x.__set__(p,4))
t(lambda: p.x)
t(lambda: P.x.__get__(p,P))
t(lambda: P.x.__get__(None,P))
t(lambda: P.x.__get__(3))
t(lambda: P.x.__name__)
t(lambda: P.x.__objclass__)
t(lambda: P.x.__doc__)
t(lambda: type(P.x))
t(lambda: P.x.__delete__(p))
t(lambda: P.x.__delete__(p))
import weakref
t(lambda: weakref.ref(p))
class Q(P): pass
q=Q(); q.z=3; q.x=1
print(q.__dict__, q.x, vars(q))
class R(P):
    __slots__=['w','__dict__']
r=R(); r.x=1;r.w=2; r.k=3
print(r.__dict__)
t(lambda: [n for n in dir(P) if not n.startswith('__')])
print(P.__slots__, R.__slots__)
print([k for k in P.__dict__])
class S:
    __slots__='a'
s=S(); s.a=1; print(s.a)
t(lambda: setattr(s,'b',1))
class T:
    __slots__={'a':'doc of a'}
print(T.a.__doc__)
class U:
    __slots__=('__priv',)
    def __init__(self): self.__priv=1
    def g(self): return self.__priv
print(U().g(), [k for k in U.__dict__])
class V(int):
    pass
v=V(3); v.a=1; print(v.__dict__)
class W(tuple):
    __slots__=()
w=W((1,2)); t(lambda: w.__dict__); t(lambda: setattr(w,'a',1))
class X:
    @property
    def __class__(self): return int
x=X()
print(x.__class__, type(x), isinstance(x,int), isinstance(x,X))
class A:
    def f(self): return 'A.f'
class B(A):
    def f(self): return 'B.f'
    s=None
u=super(B)
print(type(u), repr(u).split(' at ')[0])
b=B()
print(u.__get__(b,B).f())
class C(B):
    def f(self): return self.__s.f()
C._C__s=super(C)
print(C().f())
print(super(B,b).f())
print(super(B,b), super(B,B))
class MyRef(weakref.ref):
    __slots__=('key',)
    def __new__(cls,o,cb=None,key=None):
        self=super().__new__(cls,o,cb); self.key=key; return self
    def __init__(self,o,cb=None,key=None):
        super().__init__(o,cb)
m=MyRef(b,key='k')
print(m() is b, m.key, isinstance(m,weakref.ref), hash(m)==hash(b), m==weakref.ref(b))
del b
print(m())
