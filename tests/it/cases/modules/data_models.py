# Dataclasses and typing as models of data.
from dataclasses import dataclass, field, asdict, astuple, replace, fields, is_dataclass, FrozenInstanceError, InitVar, KW_ONLY
from typing import List, Dict, Optional, ClassVar, NamedTuple, TypedDict, Union, Any, Callable, Generic, TypeVar, Protocol, Literal, get_type_hints, cast, overload, runtime_checkable, get_args, get_origin, Annotated, Final, Iterator, Iterable, Tuple
@dataclass(order=True)
class Item:
    sort_index: float = field(init=False, repr=False)
    name: str
    price: float = 1.0
    tags: list[str] = field(default_factory=list)
    total: ClassVar[int] = 0
    def __post_init__(self): self.sort_index = self.price
a=Item('x',3.0,['t']); b=Item('y',2.0)
print(a,b,a>b,sorted([a,b]),asdict(a),astuple(b),replace(a,price=9))
print([f.name for f in fields(a)], is_dataclass(Item))
@dataclass(frozen=True)
class P:
    x:int; y:int=0
p=P(1)
try: p.x=3
except FrozenInstanceError as e: print(type(e).__name__, e)
print(hash(p)==hash(P(1)), {p:1}[P(1)], P.__doc__, P.__match_args__)
@dataclass(slots=True)
class S: 
    a:int; b:str='q'
s=S(1); print(s, S.__slots__)
try: s.c=1
except AttributeError as e: print(e)
@dataclass
class K:
    a:int
    _: KW_ONLY
    b:int=2
    c: InitVar[int]=5
    def __post_init__(self,c): self.d=c
print(K(1,b=3,c=7), K(1).d)
try: K(1,2)
except TypeError as e: print(e)
try: K()
except TypeError as e: print(e)
class NT(NamedTuple):
    a:int
    b:str='z'
print(NT(1), NT(1)._asdict(), NT._fields, NT(1)._replace(a=4), NT.__annotations__)
class TD(TypedDict, total=False):
    a:int
print(TD(a=1), TD.__annotations__, TD.__total__)
T=TypeVar('T')
class Stack(Generic[T]):
    def __init__(self): self.items:List[T]=[]
    def push(self,x:T)->None: self.items.append(x)
st=Stack(); st.push(1); print(st.items)
@runtime_checkable
class Q(Protocol):
    def quack(self)->str: ...
class D:
    def quack(self): return 'q'
print(isinstance(D(),Q), isinstance(3,Q))
def f(a:int,b:Optional[str]=None,*c:Dict[str,int])->Union[int,str]: pass
print(get_type_hints(f)); print(f.__annotations__)
print(get_args(Dict[str,int]),get_origin(List[int]),Optional[int],Union[int,str,None],Callable[[int],str],Tuple[int,...],Literal['a',1],Annotated[int,'m'])
x: Final = 3
print(cast(int,'a'), Any, List, T)
print(int|None, list[int]|str, dict[str,list[int]])
