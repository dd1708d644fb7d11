# Messages of the library's mistakes, dates with zones, small programs over many modules.
def t(f):
    try: print(f())
    except BaseException as e: print(type(e).__name__, e)
import functools, operator, itertools, contextlib, typing, collections, string, re, math, datetime as dt, json, io, random, statistics, copy, weakref, warnings, traceback, sys, os, time, textwrap, pprint, heapq, enum, dataclasses, numbers, fractions, decimal, bisect
t(lambda: functools.reduce(operator.add,[])); t(lambda: list(itertools.islice([1],-1))); t(lambda: next(itertools.count(1.5,.5))); t(lambda: json.loads('')); t(lambda: json.dumps(object())); t(lambda: dt.date(2024,13,1)); t(lambda: dt.datetime.strptime('x','%Y')); t(lambda: random.choice([])); t(lambda: statistics.mean([])); t(lambda: re.compile('[')); t(lambda: math.sqrt(-1)); t(lambda: math.log(0)); t(lambda: math.factorial(-1)); t(lambda: collections.namedtuple('X','1a')); t(lambda: heapq.heappop([])); t(lambda: textwrap.wrap('a',0)); t(lambda: string.Template('$a').substitute()); t(lambda: fractions.Fraction(1,0)); t(lambda: dataclasses.fields(3)); t(lambda: collections.deque([1],-1)); t(lambda: dt.date.fromisoformat('2024-1-1')); t(lambda: time.strptime('a','%H')); t(lambda: io.StringIO(5)); t(lambda: io.BytesIO('a')); t(lambda: os.listdir('/nope')); t(lambda: int.from_bytes('a','big')); t(lambda: (5).to_bytes(0,'big')); t(lambda: bytes.fromhex('zz')); t(lambda: re.sub('(a)','\\2','a')); t(lambda: math.comb(-1,2)); t(lambda: random.sample([1],2)); t(lambda: random.randint(2,1)); t(lambda: enum.Enum('E','a a')); t(lambda: weakref.ref(1)); t(lambda: itertools.permutations(5)); t(lambda: zip(1)); t(lambda: map(1)); t(lambda: list(map(1,[1]))); t(lambda: sorted([1],key=1)); t(lambda: functools.partial(1)); t(lambda: typing.Optional[1,2]); t(lambda: decimal.Decimal('1').quantize(decimal.Decimal('1e-40')))
# tz aware
tz=dt.timezone(dt.timedelta(hours=5,minutes=30),'IST'); d=dt.datetime(2024,3,10,8,30,tzinfo=tz); print(d, d.utcoffset(), d.tzname(), d.astimezone(dt.timezone.utc), d.strftime('%z %Z %s') if 0 else d.strftime('%z %Z'), d.isoformat(timespec='minutes'), d-dt.datetime(2024,3,10,tzinfo=dt.timezone.utc), dt.datetime(2024,1,31)+dt.timedelta(30), [str(dt.date(2024,1,1)+dt.timedelta(weeks=i)) for i in range(3)], dt.datetime.combine(dt.date(2024,1,1),dt.time(1,2)), dt.time(13,5).strftime('%I:%M %p'), dt.datetime(2024,1,1)<dt.datetime(2024,1,2), min(dt.date(2024,1,1),dt.date(2023,1,1)), dt.datetime.max, dt.date(2024,12,30).isocalendar()[1], dt.datetime.fromisoformat('2024-01-01T00:00:00Z'), dt.datetime(2024,5,17).ctime(), divmod(dt.timedelta(hours=25),dt.timedelta(days=1)), dt.timedelta(minutes=-5), abs(dt.timedelta(-1)), str(dt.timedelta(days=2,hours=3)), dt.datetime(2020,2,29).replace(year=2024), hash(dt.date(2024,1,1))==hash(dt.date(2024,1,1)))
# itertools extra / functools
print(list(itertools.batched([1,2,3],2)) if hasattr(itertools,'batched') else 'nb', list(itertools.groupby([1,1,2]))[0][0], list(zip(*[iter('abcdef')]*2)), functools.reduce(lambda a,b:a|b,[{1},{2}]), list(itertools.product([0,1],repeat=2)), sum(1 for _ in itertools.combinations(range(5),2)))
class Node:
    def __init__(s,v,n=None): s.v,s.n=v,n
    def __iter__(s):
        while s: yield s.v; s=s.n
print(list(Node(1,Node(2))), [*Node(3)], max(Node(1,Node(7))), 2 in Node(1,Node(2)))
class Tree:
    def __init__(s,v,l=None,r=None): s.v,s.l,s.r=v,l,r
    def walk(s):
        if s.l: yield from s.l.walk()
        yield s.v
        if s.r: yield from s.r.walk()
print(list(Tree(2,Tree(1),Tree(3)).walk()))
def parse(s):
    toks=re.findall(r'\d+|[-+*/()]',s); pos=0
    def expr():
        nonlocal pos; v=term()
        while pos<len(toks) and toks[pos] in '+-':
            o=toks[pos]; pos+=1; v=v+term() if o=='+' else v-term()
        return v
    def term():
        nonlocal pos; v=fac()
        while pos<len(toks) and toks[pos] in '*/':
            o=toks[pos]; pos+=1; v=v*fac() if o=='*' else v/fac()
        return v
    def fac():
        nonlocal pos; k=toks[pos]; pos+=1
        if k=='(':
            v=expr(); pos+=1; return v
        return int(k)
    return expr()
print(parse('2*(3+4)-10/5'))
@contextlib.contextmanager
def timer(name):
    try: yield name
    finally: print('end',name)
with timer('a') as a, timer('b') as b: print(a,b)
with (timer('c') as c, timer('d')): print(c)
def retry(n):
    def deco(f):
        @functools.wraps(f)
        def w(*a,**k):
            for i in range(n):
                try: return f(*a,**k)
                except ValueError as e: print('retry',i,e)
            raise RuntimeError('gave up')
        return w
    return deco
cnt=itertools.count()
@retry(3)
def flaky():
    if next(cnt)<2: raise ValueError('boom')
    return 'ok'
print(flaky(), flaky.__name__)
pprint.pprint({'a':[1,2,{'b':(1,2)}],'c':'x'*30,'d':{'e':list(range(30))}},width=60); print(pprint.pformat([1,{'z':1}]))
with warnings.catch_warnings():
    warnings.simplefilter('error')
    t(lambda: warnings.warn('w',DeprecationWarning))
s=io.StringIO('a,b\n1,2\n'); print([l.strip().split(',') for l in s])
print(json.dumps({'a':[{'b':None}],'t':(1,2)},indent=1), json.dumps([1.0,1e20,-0.0,1e-7]), json.loads('[1e2,-0,"\\u00e9"]'), json.dumps({True:1,None:2,1.5:3}))
print(re.sub(r'\b(\w)(\w*)',lambda m:m[1].upper()+m[2],'hello big world'), re.findall(r'(?i)a','aA'), re.split(r'(\d)','a1b2'), re.match(r'(a)|(b)','b').groups(), re.search(r'(?<=x)y','xy').span(), re.sub(r'(?m)^','> ','a\nb'), re.findall(r'[\w.]+@[\w.]+','a@b.c d@e.f'), bool(re.fullmatch(r'[A-Z]{2}\d{3}','AB123')), re.compile(r'(\d+)-(\d+)').sub(r'\2-\1','1-2'))
print("%(a)s %(b)05.1f"%{'a':1,'b':2.25}, '{:>{w}.{p}f}'.format(3.14159,w=8,p=2), f'{1234567.891:,.2f}', f'{0.000012345:.3g}', f'{255:b} {255:o} {255:X} {255:#b}', f'{"é":>3}', f'{dt.date(2024,1,2):%d/%m/%y}', f'{3:+d} {-3: d}', f'{12:05}', '{!r:>6}'.format('a'), f'{1e100:.2e}', f'{True}', f'{None!s:>6}', f'{[1,2]}', f'{1.0}', f'{10**20:,}', '{0}{1}{0}'.format(1,2))
