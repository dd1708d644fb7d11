# Signatures, members, documentation and sources.
import inspect, functools, types, typing, dataclasses
def t(s):
    try: print(s,'->',eval(s))
    except BaseException as e: print(s,'!!',type(e).__name__, e)
def f(a, b: int = 1, /, c=2, *args: str, d, e: typing.Optional[int] = None, **kw) -> list[int]:
    """Doc of f.

        indented
    last
    """
    x = 1
    return x
def gen(x):
    yield x
def g(): pass
lam = lambda x, *, y=3: x
class Base:
    "base doc"
    def __init__(self, x, y=2): self.x=x
    def m(self, q): 
        "m doc"
        return q
    @classmethod
    def cm(cls, z): pass
    @staticmethod
    def sm(w=1): pass
    @property
    def p(self): 
        "p doc"
        return 1
class Derived(Base):
    def m(self, q): return q
    @property
    def p(self): return 2
    def __call__(self, k): pass
class NewOnly:
    def __new__(cls, a, b=1): return super().__new__(cls)
class Nothing: pass
@dataclasses.dataclass
class DC:
    a: int
    b: str = 'x'
    c: list = dataclasses.field(default_factory=list)
def deco(fn):
    @functools.wraps(fn)
    def wrapper(*a, **k): return fn(*a, **k)
    return wrapper
@deco
def decorated(a, b=2):
    "decorated doc"
    return a
pf = functools.partial(f, 1, d=5)
pg = functools.partial(decorated, b=3)
for s in ['inspect.signature(f)','inspect.signature(gen)','inspect.signature(g)','inspect.signature(lam)','inspect.signature(Base)','inspect.signature(Base.m)','inspect.signature(Base(1).m)','inspect.signature(Base.cm)','inspect.signature(Base.sm)','inspect.signature(Derived)','inspect.signature(Derived(1))','inspect.signature(NewOnly)','inspect.signature(Nothing)','inspect.signature(DC)','inspect.signature(decorated)','inspect.signature(decorated, follow_wrapped=False)','inspect.signature(pf)','inspect.signature(pg)','inspect.signature(3)','inspect.signature(len)','inspect.signature(int)','inspect.signature(print)','inspect.signature(sorted)','repr(inspect.signature(f))','list(inspect.signature(f).parameters)','inspect.signature(f).parameters["b"]','inspect.signature(f).parameters["b"].kind','repr(inspect.signature(f).parameters["b"].kind)','inspect.signature(f).parameters["args"].kind.description','inspect.signature(f).parameters["b"].default','inspect.signature(f).parameters["a"].default','inspect.signature(f).parameters["b"].annotation','inspect.signature(f).return_annotation','inspect.Parameter.empty','inspect.signature(f).parameters["c"].replace(default=9)','inspect.signature(f).bind(1,2,3,4,d=5,z=6)','inspect.signature(f).bind(1,2,3,4,d=5,z=6).arguments','inspect.signature(f).bind(1,2,3,4,d=5,z=6).args','inspect.signature(f).bind(1,2,3,4,d=5,z=6).kwargs','inspect.signature(f).bind(1)','inspect.signature(f).bind(d=1)','inspect.signature(g).bind(1)','inspect.signature(g).bind(k=1)','inspect.signature(gen).bind(1,x=2)','inspect.signature(f).bind_partial(1)','inspect.signature(f) == inspect.signature(f)','hash(inspect.signature(g))==hash(inspect.signature(g))','inspect.getdoc(f)','inspect.getdoc(Derived)','inspect.getdoc(Derived.m)','inspect.getdoc(Derived(1).m)','inspect.getdoc(Derived.p)','inspect.getdoc(decorated)','inspect.cleandoc("a\\n   b\\n     c\\n")','inspect.isfunction(f)','inspect.isfunction(len)','inspect.ismethod(Base(1).m)','inspect.ismethod(Base.m)','inspect.isclass(Base)','inspect.isgenerator(gen(1))','inspect.isgeneratorfunction(gen)','inspect.isgeneratorfunction(f)','inspect.isbuiltin(len)','inspect.isbuiltin([].append)','inspect.isroutine(str.join)','inspect.isroutine(len)','inspect.ismodule(inspect)','inspect.iscoroutinefunction(f)','inspect.isdatadescriptor(Base.p)','inspect.ismethoddescriptor(str.join)','inspect.iscode(f.__code__)','inspect.isabstract(Base)','inspect.getmro(Derived)','[n for n,v in inspect.getmembers(Base) if not n.startswith("__")]','[n for n,_ in inspect.getmembers(Base(1), inspect.ismethod)]','[n for n,_ in inspect.getmembers(Derived, inspect.isfunction)]','inspect.getsource(f)','inspect.getsource(gen)','inspect.getsource(Base.m)','inspect.getsource(Derived)','inspect.getsource(lam)','inspect.getsource(decorated)','inspect.getsource(DC)','inspect.getsource(len)','inspect.getsource(int)','inspect.getsourcelines(g)','inspect.getsource(Base(1).m)','inspect.getfullargspec(f)','inspect.getfullargspec(Base(1).m)','inspect.getcallargs(gen, 3)','inspect.getgeneratorstate(gen(1))','inspect.unwrap(decorated).__name__','inspect.getattr_static(Base(1),"p")==Base.__dict__["p"]','inspect.getmodule(f).__name__','inspect.getfile(f).split("/")[-1]','inspect.Signature([inspect.Parameter("a",inspect.Parameter.KEYWORD_ONLY),inspect.Parameter("b",inspect.Parameter.POSITIONAL_ONLY)])','inspect.Signature([inspect.Parameter("a",0),inspect.Parameter("b",1,default=3,annotation=int)])','inspect.Parameter("1a",0)','inspect.Parameter("a",9)','inspect.get_annotations(f)','inspect.formatannotation(list[int])','inspect.signature(inspect.signature)','inspect.signature(type("X",(),{"__call__":lambda self,a:1})())','inspect.getcomments(g)']:
    t(s)
b=inspect.signature(f).bind(1,d=5); b.apply_defaults(); print(b, b.arguments)
def outer():
    def inner(a): 
        if a:
            return [
                1,
                2]
        # comment

    # trailing
    return inner
print(inspect.getsource(outer()))
