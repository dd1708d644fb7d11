# Small programs of beginners' notebooks.
import sys, io, time, timeit, math, random, string, itertools, json
from collections import defaultdict, Counter
# word count
text="the quick brown fox jumps over the lazy dog the end"
wc=Counter(text.split()); print(wc.most_common(3)); print({w:len(w) for w in sorted(set(text.split()),key=lambda w:(-len(w),w))})
# matrix
M=[[1,2],[3,4]]; print([list(r) for r in zip(*M)], [[sum(a*b for a,b in zip(r,c)) for c in zip(*M)] for r in M])
# primes, sieve
def sieve(n):
    s=[True]*(n+1); s[0:2]=[False]*2
    for i in range(2,int(n**.5)+1):
        if s[i]: s[i*i::i]=[False]*len(s[i*i::i])
    return [i for i,v in enumerate(s) if v]
print(sieve(50))
# memo
from functools import lru_cache
@lru_cache
def f(n): return 1 if n<2 else f(n-1)+f(n-2)
print([f(i) for i in range(15)])
# simulation
random.seed(1); print(sum(random.random()**2+random.random()**2<=1 for _ in range(1000)), random.choices([1,2,3],k=5), random.sample('abcdef',3))
# table
rows=[('name','qty','price'),('apple',3,1.5),('pear',10,0.25)]
for r in rows: print('{:<10}|{:>5}|{:>8}'.format(*r))
for n,q,p in rows[1:]: print(f"{n:<10}|{q:>5d}|{p:>8.2f}|{q*p:10.3e}")
# group
g=defaultdict(list)
for k,v in [('a',1),('b',2),('a',3)]: g[k].append(v)
print(dict(g), {k:sum(v)/len(v) for k,v in g.items()})
# binary search, bubble
def bs(a,x):
    lo,hi=0,len(a)
    while lo<hi:
        m=(lo+hi)//2
        if a[m]<x: lo=m+1
        else: hi=m
    return lo
print(bs([1,3,5,7],5))
# class hierarchy w/ str
class Account:
    interest=.02
    def __init__(s,o,b=0): s.owner=o; s.balance=b
    def deposit(s,a):
        if a<=0: raise ValueError('amount must be positive')
        s.balance+=a; return s
    def __str__(s): return f'{type(s).__name__}({s.owner}: {s.balance:,.2f})'
class Savings(Account):
    interest=.05
    def add(s): return s.deposit(s.balance*s.interest)
print(Savings('bob',1000).add().deposit(1), [str(Account('x'))])
try: Account('a').deposit(-1)
except ValueError as e: print('Error:',e)
# string processing
s="Hello, World! 123"; print(s.lower(), s[::-1], ''.join(c for c in s if c.isalnum()), sum(c.isdigit() for c in s), s.translate(str.maketrans('','',string.punctuation)), s.title().swapcase(), sorted(s)[:5], s.count('l'), s.rjust(20,'.'), s.encode().hex(), s.split(maxsplit=1), s.rsplit(' ',1), s.partition(','), s.splitlines(), s.isascii(), s.startswith(('He','x')), s.find('World'))
# caesar
print(''.join(chr((ord(c)-97+3)%26+97) if c.islower() else c for c in 'abcxyz hello'))
# file io
buf=io.StringIO(); print('a',1,sep='-',end='!\n',file=buf); print(buf.getvalue(), end='')
print(sys.getsizeof(0)>0, sys.argv[0].endswith('.py'), __name__, sys.version.split()[0][:4])
t0=time.perf_counter(); time.sleep(0.001); print(time.perf_counter()-t0>0, timeit.timeit('1+1',number=10)>=0, time.strftime('%Y',time.gmtime(0)), type(time.time()).__name__, time.localtime().tm_year>2000)
data=json.loads('[{"n":"x","v":1},{"n":"y","v":2.5}]'); print(max(data,key=lambda d:d['v'])['n'], sorted(data,key=lambda d:-d['v']), sum(d['v'] for d in data))
print(list(itertools.accumulate(range(6))), [''.join(p) for p in itertools.permutations('abc')][:3], list(map(lambda x,y:x+y,[1,2],[3,4])), list(filter(None,[0,1,'',2])))
def fizz(n): return ['FizzBuzz' if i%15==0 else 'Fizz' if i%3==0 else 'Buzz' if i%5==0 else i for i in range(1,n+1)]
print(fizz(15))
def gen():
    a,b=0,1
    while True: yield a; a,b=b,a+b
print(list(itertools.islice(gen(),10)))
for i,(a,b) in enumerate(zip('ab',[1,2]),start=1): print(i,a,b)
else: print('done')
while True:
    break
else: print('never')
try: assert 1==2, 'math is broken'
except AssertionError as e: print('AE',e)
x=10
r='pos' if x>0 else 'neg'; print(r, x if x else None, 0 or 'default', [] and 1, 1<x<=10, not x, x==10.0, x is None, bool([]), 5//2, -5//2, 5%-3, 2**-1, 7.0//2, 1e3, 1_000, 0b11, 0o17, 0xff, 3.0, 1e16, 1e-5, 0.1+0.2, 1/3, 100000000000000000.0, float('inf'), -0.0, 5e-324, 1.7976931348623157e308, 2**64, (-1)**.5)
print("tab\tq\"uote\\ \x41 \u00e9 \N{BULLET}", r'raw\n', b'by\x00', '''multi
line''', 'con' 'cat', f"{'a':*^5}{2+3}{{}}", "%s %r"%('a','b'), 'a\
b')
