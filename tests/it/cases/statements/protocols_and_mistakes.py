# Protocols of classes and the messages of everyday mistakes.
# classes & protocols less common
def t(f):
    try: print(f())
    except BaseException as e: print(type(e).__name__, e)
class A:
    x=1
    def __getattr__(self,n): 
        if n.startswith('dyn_'): return n[4:]
        raise AttributeError(f'no {n}')
    def __call__(self,*a,**k): return (a,k)
    def __contains__(self,i): return i==3
    def __len__(self): return 5
    def __reversed__(self): return iter([3,2,1])
    def __index__(self): return 7
    def __int__(self): return 8
    def __float__(self): return 1.5
    def __complex__(self): return 1j
    def __round__(self,n=None): return ('r',n)
    def __divmod__(self,o): return 'dm'
    def __lshift__(self,o): return 'ls'
    def __matmul__(self,o): return 'mm'
    def __delitem__(self,k): print('del',k)
    def __setitem__(self,k,v): print('set',k,v)
    def __getitem__(self,k): return k
    def __enter__(self): return self
    def __exit__(self,*a): return True
    def __iadd__(self,o): self.v=o; return self
    def __bytes__(self): return b'by'
    def __fspath__(self): return '/tmp/x'
    def __sizeof__(self): return 10
    def __dir__(self): return ['a','b']
    def __copy__(self): return 'copied'
a=A(); t(lambda: a.dyn_foo); t(lambda: a.zzz); t(lambda: a(1,k=2)); t(lambda: 3 in a); t(lambda: list(reversed(a))); t(lambda: [0]*10 if [1,2,3,4,5,6,7,8][a] else 0); t(lambda: (int(a),float(a),complex(a),round(a),round(a,2),divmod(a,1),a<<1,a@1,bytes(a)))
del a[1:2]; a[1,2]=3; t(lambda: a[1:2,...]); a+=5; print(a.v, dir(a))
with a: raise ValueError
import os,copy; print(os.fspath(a), copy.copy(a), hex(a), range(a), 'abcdefghij'[a])
t(lambda: type('X',(A,),{'y':2})().y)
t(lambda: A.__name__+A.__qualname__+A.__module__)
class B(A):
    __slots__=()
    def __init_subclass__(cls,**k): print('isc',cls.__name__,k)
class C(B,flag=1): pass
print(C.__mro__, C.__bases__, issubclass(C,A), isinstance(C(),(int,A)))
class P:
    def __init__(self): self._x=0
    x=property(lambda s:s._x, lambda s,v:setattr(s,'_x',v), doc='dd')
p=P(); p.x=4; print(p.x,P.x.__doc__)
t(lambda: delattr(p,'x')); t(lambda: setattr(p,'__class__',A)); print(type(p))
class Cnt:
    n=0
    def __new__(cls,*a): cls.n+=1; return super().__new__(cls)
    def __del__(self): print('bye')
c=Cnt(); del c; print(Cnt.n)
def outer():
    x=1
    def inner():
        nonlocal x; x+=1; return x
    return inner
i=outer(); print(i(),i(), i.__code__.co_freevars)
def kw(a,/,b,*,c=3,**d): return (a,b,c,d)
t(lambda: kw(1,b=2,c=4,e=5)); t(lambda: kw(a=1,b=2)); t(lambda: kw(1)); t(lambda: kw(1,2,3)); t(lambda: kw(1,2,b=3)); t(lambda: kw(*[1],**{'b':2}))
t(lambda: (lambda x,y=2:x+y)(1)); t(lambda: [].pop()); t(lambda: {}['k']); t(lambda: 'a'+1); t(lambda: 1+'a'); t(lambda: [1]<['a']); t(lambda: None+1); t(lambda: len(5)); t(lambda: int('x')); t(lambda: (1,2)[5]); t(lambda: 'abc'.foo); t(lambda: undefined_name); t(lambda: 1/0); t(lambda: [1,2].index(9)); t(lambda: next(iter([]))); t(lambda: int([])); t(lambda: sum(['a'])); t(lambda: sorted([1,'a'])); t(lambda: dict([1])); t(lambda: set([[]])); t(lambda: 'x'*-1); t(lambda: range(1,2,0)); t(lambda: chr(-1)); t(lambda: ord('ab')); t(lambda: float('abc')); t(lambda: max([])); t(lambda: min(1,'a')); t(lambda: zip([1],[2],strict=True) and list(zip([1],[2,3],strict=True))); t(lambda: open('/nope')); t(lambda: [].remove(1)); t(lambda: (1).bit_length()); t(lambda: isinstance(1,'a')); t(lambda: print(1,foo=2)); t(lambda: 'a b'.split('')); t(lambda: bytes(-1)); t(lambda: 'é'.encode('ascii')); t(lambda: b'\xff'.decode()); t(lambda: '{}'.format()); t(lambda: '%d'%'a'); t(lambda: f'{1:z}'); t(lambda: round('a')); t(lambda: abs('a')); t(lambda: hash([])); t(lambda: iter(5)); t(lambda: object().x); t(lambda: A.nope); t(lambda: super().x); t(lambda: type(1,2)); t(lambda: list(5)); t(lambda: pow(2,-1,4)); t(lambda: 5 .real.x); t(lambda: __import__('nope_mod')); t(lambda: exec('1+')); t(lambda: eval('a b')); t(lambda: int('12',99)); t(lambda: {1:2}.popitem() and {}.popitem()); t(lambda: setattr(1,'a',2)); t(lambda: 1 .x); t(lambda: (x for x in 5)); t(lambda: ''.join([1])); t(lambda: 'abc'.index('z')); t(lambda: [].extend(5)); t(lambda: list.append([],1,2)); t(lambda: 10**-400); t(lambda: 2.0**10000); t(lambda: divmod(1,0)); t(lambda: 5%0); t(lambda: 1.5//0); t(lambda: 0**-1); t(lambda: complex('x')); t(lambda: 'a'<1); t(lambda: [1]+(2,)); t(lambda: {}|[]); t(lambda: {1}+{2}); t(lambda: -'a'); t(lambda: ~1.5); t(lambda: not_defined.x); t(lambda: kw.zzz)
a,b=1,2
def unp():
    a,b=[1,2,3]
t(unp)
def unp2():
    a,b,c=[1,2]
t(unp2)
def unp3():
    a,*b,c=[1]
t(unp3)
def loc():
    print(lv); lv=1
t(loc)
def gl():
    del zzz
t(gl)
print(*[type(x).__name__ for x in (1,1.0,'',b'',[],(),{},set(),None,True,len,print,t,A,a,range(1),iter([]),(i for i in []),lambda:0,...,NotImplemented,1j,frozenset(),bytearray(),memoryview(b''),slice(1),zip(),map(str,[]),filter(None,[]),enumerate([]),reversed([]),{}.keys(),{}.items(),property(),classmethod(t),staticmethod(t),super(C,C()),type,object())])
