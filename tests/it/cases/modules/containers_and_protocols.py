# Containers of collections and the classes that containers derive from.
from collections import Counter, defaultdict, OrderedDict, deque, namedtuple, ChainMap, UserDict, UserList, UserString
import collections.abc as cabc
c=Counter('abracadabra'); print(c, c.most_common(2), c['z'], sum(c.values()), c.total(), list(c.elements())[:4])
c.update('aaa'); c.subtract({'b':5}); print(c, +c, -c, c+Counter(a=1), c-Counter(a=2), c&Counter(a=1), c|Counter(z=1), dict(c))
print(Counter(a=1)==Counter(a=1,b=0), Counter(['x','y','x']).items())
d=defaultdict(list); d['a'].append(1); print(d, d['b'], len(d)); dd=defaultdict(lambda: defaultdict(int)); dd['x']['y']+=1; print(dict(dd['x']))
o=OrderedDict(a=1,b=2,c=3); o.move_to_end('a'); print(o, o.popitem(last=False), list(reversed(o)), o==OrderedDict(c=3,a=1))
q=deque([1,2,3],maxlen=3); q.append(4); q.appendleft(0); q.rotate(1); print(q, q.maxlen, q[0], list(q), q.index(2), q.count(3)); q.extend([7]); q.extendleft([8,9]); print(q); q.clear(); print(q)
Pt=namedtuple('Pt','x y',defaults=[5]); p=Pt(1); print(p, p._asdict(), p._replace(y=2), Pt._field_defaults, Pt._make([3,4]), p==(1,5)); x,y=p; print(x,y,p.x,p[1], *p)
try: Pt()
except TypeError as e: print(e)
cm=ChainMap({'a':1},{'a':2,'b':3}); print(cm['a'],cm['b'],dict(cm),cm.maps,cm.new_child({'z':1}), cm.parents, len(cm), list(cm))
class UD(UserDict):
    def __setitem__(self,k,v): super().__setitem__(k.lower(),v)
u=UD(A=1); u['BB']=2; print(u, u.data, 'a' in u, len(u)); 
ul=UserList([3,1,2]); ul.sort(); print(ul, ul+[1], ul[0:2]); us=UserString('abc'); print(us.upper(), us+'d', us[1])
print(isinstance([],cabc.Sequence), isinstance({},cabc.Mapping), isinstance(set(),cabc.Set), isinstance(iter([]),cabc.Iterator), isinstance((i for i in []),cabc.Generator), isinstance(print,cabc.Callable), isinstance('',cabc.Hashable), isinstance([],cabc.Hashable), issubclass(list,cabc.MutableSequence), isinstance(range(3),cabc.Sequence), isinstance({}.keys(),cabc.KeysView))
class MySeq(cabc.Sequence):
    def __init__(self,d): self.d=d
    def __getitem__(self,i): return self.d[i]
    def __len__(self): return len(self.d)
m=MySeq([1,2,3]); print(list(m), 2 in m, m.index(3), m.count(1), list(reversed(m)))
try: cabc.Sequence()
except TypeError as e: print(e)
class MyMap(cabc.MutableMapping):
    def __init__(self): self.d={}
    def __getitem__(self,k): return self.d[k]
    def __setitem__(self,k,v): self.d[k]=v
    def __delitem__(self,k): del self.d[k]
    def __iter__(self): return iter(self.d)
    def __len__(self): return len(self.d)
mm=MyMap(); mm['a']=1; mm.update(b=2); print(dict(mm), mm.pop('a'), mm.get('q',0), list(mm.items()), mm.setdefault('z',3), mm=={'b':2,'z':3})
