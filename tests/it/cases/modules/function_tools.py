# itertools, functools, contextlib, heaps, copies in daily use.
import itertools as it, functools as ft, operator as op, heapq, bisect, contextlib, copy
print(list(it.accumulate([1,2,3,4],op.mul)), list(it.chain([1],[2,3])), list(it.chain.from_iterable(['ab','c'])), list(it.combinations('abc',2)), list(it.permutations([1,2,3],2)), list(it.product('ab',repeat=2)), list(it.combinations_with_replacement('ab',2)))
print(list(it.compress('abcd',[1,0,1,1])), list(it.dropwhile(lambda x:x<3,[1,2,3,1])), list(it.takewhile(lambda x:x<3,[1,2,3,1])), list(it.filterfalse(lambda x:x%2,range(6))), [(k,list(g)) for k,g in it.groupby('aabbbc')], list(it.islice(it.count(5,2),3)), list(it.pairwise([1,2,3])), list(it.repeat(7,2)), list(it.starmap(pow,[(2,3),(3,2)])), [list(x) for x in it.tee([1,2],2)], list(it.zip_longest([1,2],[3],fillvalue=0)), list(it.islice(it.cycle('ab'),5)))
print(ft.reduce(lambda a,b:a*b,[1,2,3,4],1)); 
@ft.lru_cache(maxsize=None)
def fib(n): return n if n<2 else fib(n-1)+fib(n-2)
print(fib(80), fib.cache_info()); fib.cache_clear(); print(fib.cache_info())
@ft.singledispatch
def show(x): return 'obj'
@show.register
def _(x:int): return 'int'
@show.register(list)
def _(x): return 'list'
print(show(1),show([]),show('a'),show.registry.keys(), show.dispatch(int)(3))
class Cell:
    @ft.cached_property
    def v(self): print('calc'); return 42
    @ft.singledispatchmethod
    def m(self,x): return 'o'
    @m.register
    def _(self,x:str): return 's'
c=Cell(); print(c.v,c.v,c.m(1),c.m('a'))
print(ft.partial(int,base=2)('101'), ft.partial(print,'a',sep='-'), sorted(['b','A','c'],key=ft.cmp_to_key(lambda a,b:(a.lower()>b.lower())-(a.lower()<b.lower()))))
@ft.total_ordering
class V:
    def __init__(self,n): self.n=n
    def __eq__(self,o): return self.n==o.n
    def __lt__(self,o): return self.n<o.n
print(V(1)<=V(2), V(3)>V(2), max([V(1),V(5)],key=lambda v:v.n).n)
print(op.itemgetter(1,2)([4,5,6]), op.attrgetter('real','imag')(3+4j), op.methodcaller('upper')('a'), op.add(1,2), op.contains([1],1))
h=[5,1,4]; heapq.heapify(h); heapq.heappush(h,0); print(heapq.heappop(h),h,heapq.nlargest(2,[3,1,9]),heapq.nsmallest(2,[3,1,9],key=lambda x:-x),list(heapq.merge([1,4],[2,3])), heapq.heappushpop(h,2), heapq.heapreplace(h,8))
l=[1,3,5]; bisect.insort(l,4); print(l,bisect.bisect_left(l,3),bisect.bisect(l,3), bisect.bisect_right([1,2,2,3],2), bisect.bisect_left(['a','bb'],2,key=len))
@contextlib.contextmanager
def cm(x):
    print('enter',x)
    try: yield x*2
    except ValueError as e: print('caught',e)
    finally: print('exit')
with cm(3) as y: print(y)
with cm(1): raise ValueError('v')
with contextlib.suppress(KeyError): {}['a']
import io
with contextlib.redirect_stdout(io.StringIO()) as s: print('hid')
print(repr(s.getvalue()))
with contextlib.ExitStack() as st:
    for i in range(2): st.enter_context(cm(i))
    st.callback(print,'cb')
with contextlib.nullcontext(5) as n: print(n)
class CD(contextlib.ContextDecorator):
    def __enter__(self): print('in'); return self
    def __exit__(self,*a): print('out'); return False
@CD()
def ff(): print('body')
ff()
with contextlib.closing(io.StringIO('x')) as z: print(z.read())
a=[1,[2,3]]; b=copy.copy(a); d=copy.deepcopy(a); a[1].append(4); print(b,d)
class CC:
    def __init__(self): self.x=[1]
    def __deepcopy__(self,memo): n=CC(); n.x=['deep']; return n
print(copy.deepcopy(CC()).x, copy.copy({1:2}), copy.deepcopy({'a':{1,2}}))
def deco(arg):
    def w(f):
        @ft.wraps(f)
        def inner(*a,**k):
            "inner"
            return (arg,f(*a,**k))
        return inner
    return w
@deco('q')
def g(x): 
    "gdoc"
    return x
print(g(1), g.__name__, g.__doc__, g.__wrapped__(2))
