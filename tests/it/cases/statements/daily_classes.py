# Classes, generators, patterns and formats in daily use.
# generators, classes, metaprogramming, formats
class Meta: pass
class Vec:
    __slots__=('x','y')
    def __init__(s,x,y): s.x,s.y=x,y
    def __add__(s,o): return Vec(s.x+o.x,s.y+o.y)
    def __mul__(s,k): return Vec(s.x*k,s.y*k)
    __rmul__=__mul__
    def __eq__(s,o): return isinstance(o,Vec) and (s.x,s.y)==(o.x,o.y)
    def __hash__(s): return hash((s.x,s.y))
    def __repr__(s): return f'Vec({s.x!r}, {s.y!r})'
    def __iter__(s): yield s.x; yield s.y
    def __bool__(s): return bool(s.x or s.y)
    def __getitem__(s,i): return (s.x,s.y)[i]
    def __neg__(s): return Vec(-s.x,-s.y)
    def __abs__(s): return (s.x**2+s.y**2)**.5
    def __format__(s,spec): return f'<{s.x:{spec}},{s.y:{spec}}>'
v=Vec(3,4); print(v+v, 2*v, v*2, abs(v), list(v), f'{v:.2f}', v==Vec(3,4), {v:1}, -v, bool(Vec(0,0)), v[0], sum([v,v],Vec(0,0)))
class Temp:
    def __init__(self): self._c=0
    @property
    def f(self): "doc"; return self._c*9/5+32
    @f.setter
    def f(self,v): self._c=(v-32)*5/9
    @f.deleter
    def f(self): del self._c
t=Temp(); t.f=212; print(t._c, t.f, Temp.f.__doc__)
class Reg:
    subs=[]
    def __init_subclass__(cls,/,tag=None,**k): super().__init_subclass__(**k); Reg.subs.append((cls.__name__,tag))
class A(Reg,tag='a'): pass
class B(A): pass
print(Reg.subs)
class Desc:
    def __set_name__(self,o,n): self.n='_'+n
    def __get__(self,i,o): return self if i is None else getattr(i,self.n,'unset')
    def __set__(self,i,v):
        if v<0: raise ValueError(f'{self.n} neg')
        setattr(i,self.n,v)
class W: 
    a=Desc()
w=W(); print(w.a); w.a=3; print(w.a,vars(w))
try: w.a=-1
except ValueError as e: print(e)
from abc import ABC, abstractmethod
class Sh(ABC):
    @abstractmethod
    def area(self): ...
    @property
    @abstractmethod
    def n(self): ...
try: Sh()
except TypeError as e: print(e)
class Sq(Sh):
    def area(self): return 4
    n=1
print(Sq().area(), sorted(Sh.__abstractmethods__), isinstance(Sq(),Sh))
def gen():
    x=yield 1
    print('got',x)
    try: yield 2
    except ValueError: yield 've'
    finally: print('fin')
    return 'r'
g=gen(); print(next(g), g.send('hi'), g.throw(ValueError), list(g))
def deleg():
    r=yield from gen2(); print('r',r); yield from [7,8]
def gen2():
    yield 1; return 'ret'
print(list(deleg()))
print(f"{3.14159:.2f} {1234567:,} {0.5:%} {255:#x} {255:08b} {'a':>5}|{'b':^5}|{'c':<5}| {1e10:g} {1.5e-5:e} {True!s:>6} {'x'!r} {1234.5:+.1f} {42:_} {-5:05d}", "{:*^10}".format('mid'), '{0[a]} {1.real}'.format({'a':1},3), '%5.2f|%-5s|%05d|%x|%r'%(1.234,'a',42,255,'q'), f"{'nested':{'>'}{10}}", f'{1+1=}', f"{v=!r:>15}")
match {'type':'pt','xy':[1,2]}:
    case {'type':'pt','xy':[x,y],**rest}: print(x,y,rest)
def mt(o):
    match o:
        case 0|1: return 'small'
        case int(n) if n<0: return f'neg {n}'
        case str() as s: return s
        case [a,*r]: return (a,r)
        case Vec(x=0,y=yy): return yy
        case {}: return 'map'
        case None: return 'none'
        case _: return 'other'
print([mt(o) for o in (1,-3,'s',[1,2,3],Vec(0,9),{},None,3.5)])
print([*range(3),*'ab'], {**{'a':1},'b':2}, (lambda *a,**k:(a,k))(1,*[2],x=3,**{'y':4}))
a,*b,c=range(5); print(a,b,c); (x,y),z=(1,2),3; print(x,y,z)
print([i*j for i in range(3) for j in range(3) if i!=j], {k:v for k,v in zip('ab',[1,2])}, {x%3 for x in range(9)}, sum(x for x in range(5)), (n:=5)+n)
print(sorted([(2,'b'),(1,'z'),(2,'a')],key=lambda t:(-t[0],t[1])), sorted('hello',reverse=True), list(zip(*[[1,2],[3,4]])), list(map(str,[1,2])), any([0,1]), all([]), min([3,1],key=abs), max('a','b'), list(enumerate('ab',1)), dict(a=1)|{'b':2}, [1,2,3][::-1], 'abc'[-2:], divmod(7,-2), round(2.5), round(-1.25,1), pow(3,-1,7), int('ff',16), bin(10), hex(255), oct(8), chr(97), ord('a'), complex('1+2j'), bytes([65]), bytearray(b'a')+b'b', 'a,b'.split(','), ' x '.strip(), 'abc'.center(7,'*'), 'Hello'.swapcase(), 'a-b'.partition('-'), 'abc'.translate(str.maketrans('a','z')), 'ß'.casefold(), 'x'.join('123'), 'aXbX'.replace('X','',1), 'abc'.find('c'), 'tEST'.title(), '12'.zfill(4), 'é'.encode(), b'\xc3\xa9'.decode(), 'a\tb'.expandtabs(4), 'abcabc'.rindex('b'), 'x'.isalpha(), '1'.isdigit(), 'prefix_x'.removeprefix('prefix_'))
try:
    try: raise KeyError('a')
    except KeyError as e: raise ValueError('b') from None
except ValueError as e: print(e.__cause__, e.__suppress_context__, e.args)
class MyErr(Exception):
    def __init__(self,code,msg): super().__init__(msg); self.code=code
    def __str__(self): return f'[{self.code}] {self.args[0]}'
try: raise MyErr(3,'bad')
except MyErr as e: print(e, repr(e), e.code)
