# ast.literal_eval, difflib, graphlib, queue, unicodedata, and the parts of functions that types makes anew.
import ast, difflib, graphlib, queue, unicodedata
def t(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, str(e)[:30])
for s in ["[1,'a',{'k':(1.5,None,True)},{1,2},b'x',-3,+4,1+2j,set(),()]","' x'","  5","{**{}}","1+1","f(1)","a","-'a'","[x for x in y]","1e400","...","(","'''a\nb'''","{'a':[]}[0]", "0x1F", "1_000", "{}", "-1-2j", "{[]:1}"]:
    t(lambda: repr(ast.literal_eval(s)))
print(difflib.get_close_matches('appel',['ape','apple','peach','puppy']), difflib.SequenceMatcher(None,'abcd','bcde').ratio())
print('\n'.join(difflib.unified_diff(['a','b','c'],['a','x','c'],'f1','f2',lineterm='')))
print(''.join(difflib.context_diff('one\ntwo\n'.splitlines(1),'one\ntree\n'.splitlines(1))))
s=difflib.SequenceMatcher(a='qabxcd',b='abycdf'); print(s.get_matching_blocks(), s.get_opcodes(), s.find_longest_match(0,6,0,6))
g=graphlib.TopologicalSorter({'D':{'B','C'},'B':{'A'},'C':{'A'}}); o=list(g.static_order()); print(o[0],o[-1],sorted(o))
try: list(graphlib.TopologicalSorter({1:[2],2:[3],3:[1]}).static_order())
except graphlib.CycleError as e: print(e.args[0], len(e.args[1]))
q=queue.Queue(2); q.put(1); q.put(2); print(q.full(), q.qsize(), q.get(), q.get_nowait(), q.empty())
t(lambda: q.get_nowait()); q.put(1); q.put(2); t(lambda: q.put_nowait(3)); t(lambda: q.get(timeout=-1))
p=queue.PriorityQueue(); [p.put(x) for x in (3,1,2)]; print([p.get() for _ in range(3)]); l=queue.LifoQueue(); l.put(1); l.put(2); print(l.get())
n=unicodedata.normalize; print(ascii(n('NFD','é')), n('NFC','e\u0301')=='é', n('NFKC','ﬁ①'), ''.join(c for c in n('NFKD','Crème Brûlée') if not unicodedata.combining(c)), [unicodedata.category(c) for c in 'aA1 .é\n€«中'], unicodedata.name('é'), ascii(unicodedata.lookup('GREEK SMALL LETTER ALPHA')), unicodedata.combining('\u0301'), unicodedata.is_normalized('NFC','é'), unicodedata.decimal('7'), unicodedata.name('\n','none'))
t(lambda: unicodedata.name('\n')); t(lambda: unicodedata.lookup('NO SUCH')); t(lambda: n('X','a')); t(lambda: unicodedata.category('ab')); t(lambda: unicodedata.digit('x'))
import types
def outer():
    v=[1]; w=2
    def inner(): return v,w
    return inner
i=outer(); print(i.__closure__[0].cell_contents, i.__code__.co_freevars, types.CellType(5).cell_contents)
i.__closure__[1].cell_contents=9; print(i())
t(lambda: types.CellType().cell_contents)
f=types.FunctionType(i.__code__, globals(), 'nm', None, (types.CellType('x'),types.CellType('y'))); print(f(), f.__name__)
m=types.ModuleType('mm','d'); m.a=1; exec('b=a+1',m.__dict__); print(m.b, m.__name__, m.__doc__, repr(m))
