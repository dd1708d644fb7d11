# NaNs as keys, integers of many digits as text, classes that typing makes.
import math, sys
nan=float('nan'); d={nan:1, float('nan'):2, math.nan:3, math.nan:4}
print(len(d), d[nan], d[math.nan], nan in d, float('nan') in d, [nan]==[nan], [float('nan')]==[float('nan')], nan in [nan], len({float('nan'),float('nan')}), float('nan')==float('nan'), nan is nan, math.isnan(-nan), repr(-nan), len({nan,nan}), hash(nan)==hash(nan), (nan,)==(nan,), [nan].index(nan), [float('nan'),nan].count(nan))
import struct, array
print(struct.pack('<d',float('nan')), struct.pack('<f',float('nan')), array.array('d',[float('nan')]).tobytes())
sys.set_int_max_str_digits(0)
n=3**100000; s=str(n); print(len(s), s[:20], s[-20:], int(s)==n, int('-'+s)==-n, f'{n:,}'[:10], '%d'%n==s, len(str(10**50000)), str(-10**20000)[:5])
print(int('0'*70000+'12'), str(int('9'*40000)+1)=='1'+'0'*40000)
from typing import NamedTuple, TypedDict, get_type_hints, Generic, TypeVar
class P(NamedTuple):
    "doc"
    x:int
    y:'int'=2
    @property
    def s(self): return self.x+self.y
    def __str__(self): return f'<{self.x}>'
    @classmethod
    def mk(cls): return cls(9)
p=P(1); print(p, repr(p), p.s, P.mk(), P.__doc__, P.__mro__, P._field_defaults, p._replace(x=5).s, isinstance(p,tuple), get_type_hints(P))
class Q(P):
    def t(self): return super().mk()
print(Q(1).t(), Q.__mro__[1] is P)
try:
    class R(NamedTuple):
        a:int=1
        b:int
except TypeError as e: print(e)
class A(TypedDict): a:int
class B(A,total=False): b:str
b=B(a=1); print(b, type(b), B.__annotations__, B.__total__, B.__required_keys__, B.__optional_keys__)
C=TypedDict('C',{'k':int}); print(C(k=1), C.__name__, NamedTuple('N',[('a',int)])(3))
T=TypeVar('T')
class Box(Generic[T]):
    def __init__(self,v:T): self.v=v
print(Box[int], Box[int](3).v, Box[int].__args__, Box[int].__origin__)
import types
print(types.GenericAlias(list,(int,)), types.GenericAlias(dict,(int,str)))
