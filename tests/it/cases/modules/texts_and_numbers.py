# Texts, dates, statistics, random and exact numbers in daily use.
import re, string, textwrap, json, csv, io, datetime as dt, statistics as st, math, random, time, decimal, fractions
print(re.findall(r'(\w+)@(\w+)\.com','a@b.com, c@d.com'), re.sub(r'(?P<y>\d{4})-(\d\d)',r'\2/\g<y>','2024-05'), re.split(r'[,;]\s*','a, b;c'), bool(re.match(r'\d+$','12')), re.fullmatch('a|b','b'), re.search(r'b(.)','abc').groups())
m=re.match(r'(?P<k>\w+)=(?P<v>\d+)','ab=12'); print(m.groupdict(), m.span('v'), m['k'], m.start(), m.lastgroup, m.expand(r'\g<v>-\1'), m)
p=re.compile(r'''(\d+)  # num
  \s*(px|em)''',re.X|re.I); print(p.pattern[:5], p.flags, [x.group() for x in p.finditer('12PX 3 em')], p.sub(lambda m:str(int(m[1])*2),'4px'), p)
print(re.escape('a.b*c'), re.subn('a','b','aaa',count=2))
try: re.compile('(')
except re.error as e: print(e, e.pos)
print(string.ascii_letters[:5], string.digits, string.punctuation, string.Template('$a ${b} $$').substitute(a=1,b=2), string.capwords('hello world'), string.Template('$x').safe_substitute())
print(textwrap.fill('the quick brown fox jumps over',15), textwrap.dedent('  a\n   b'), textwrap.indent('a\nb','> '), textwrap.shorten('hello big world',11), textwrap.wrap('aaa bbb',3))
print(json.dumps({'a':[1,2.5,None,True],'b':'é"'},indent=2), json.dumps({'b':1,'a':2},sort_keys=True,separators=(',',':')), json.loads('{"x":[1,{"y":null}]}'), json.dumps('é',ensure_ascii=False), json.dumps(float('nan')))
try: json.loads('{bad')
except json.JSONDecodeError as e: print(e)
class E(json.JSONEncoder):
    def default(self,o): return list(o) if isinstance(o,set) else super().default(o)
print(json.dumps({1:{3}},cls=E), json.dumps(dt.date(2024,1,2),default=str))
try: json.dumps({1,2})
except TypeError as e: print(e)
s=io.StringIO(); w=csv.writer(s); w.writerow(['a','b,c','d"e']); w.writerows([[1,2.5,None]]); print(repr(s.getvalue()), list(csv.reader(io.StringIO(s.getvalue()))), list(csv.DictReader(io.StringIO('x,y\n1,2\n'))))
dw=csv.DictWriter(s2:=io.StringIO(),fieldnames=['a','b'],delimiter=';'); dw.writeheader(); dw.writerow({'a':1,'b':2}); print(repr(s2.getvalue()))
d=dt.datetime(2024,2,29,13,5,7,123456); print(d, repr(d), d.isoformat(), d.strftime('%Y-%m-%d %H:%M:%S.%f %a %b %j %p %I %y %A %B %U %w %%'), d+dt.timedelta(days=1,hours=2), d.date(), d.time(), d.weekday(), d.isocalendar(), d.replace(year=2023,day=1), d.timetuple().tm_yday)
print(dt.datetime.strptime('03/04/2021 10:11','%d/%m/%Y %H:%M'), dt.datetime.fromisoformat('2024-01-02T03:04:05+02:00'), dt.date.fromisoformat('2024-01-31')-dt.date(2023,12,25), dt.timedelta(seconds=3661.5), repr(dt.timedelta(1,2,3)), dt.timedelta(days=1)/2, dt.timedelta(hours=5).total_seconds(), dt.timezone.utc, dt.datetime(2020,1,1,tzinfo=dt.timezone(dt.timedelta(hours=-3))), dt.datetime(2024,1,1,tzinfo=dt.timezone.utc).timestamp(), dt.date.today()<=dt.date.max, dt.datetime.fromtimestamp(0,dt.timezone.utc))
print(st.mean([1,2,3,4]), st.median([1,3,2]), st.mode('aab'), st.stdev([1,2,3,4]), st.pstdev([1,2]), st.variance([1,2,4]), st.quantiles([1,2,3,4,5]), st.fmean([1,2]), st.geometric_mean([1,2,4]), st.harmonic_mean([1,2]), st.multimode([1,1,2,2]), st.correlation([1,2,3],[1,2,4]), st.linear_regression([1,2,3],[2,4,6]), st.NormalDist(0,1).cdf(1.0))
print(math.comb(5,2), math.perm(5), math.gcd(12,18), math.lcm(4,6), math.isclose(0.1+0.2,0.3), math.prod([1,2,3]), math.dist((0,0),(3,4)), math.hypot(3,4), math.fsum([.1]*10), math.floor(-1.5), math.trunc(2.7), math.log(8,2), math.log2(8), math.degrees(math.pi), math.factorial(20), math.isqrt(17), math.copysign(1,-0.0), math.frexp(8), math.modf(1.5), math.inf, math.nan, math.erf(0.5), math.gamma(5), math.tau)
random.seed(42); print(random.random(), random.randint(1,10), random.choice('abc'), random.sample(range(10),3), random.shuffle(l:=[1,2,3,4]), l, random.gauss(0,1), random.uniform(1,2), random.choices('ab',weights=[1,3],k=4), random.getrandbits(16), random.triangular(), random.expovariate(1), random.betavariate(1,2), random.normalvariate(0,1), random.randrange(0,100,5))
from fractions import Fraction as F
print(F(1,3)+F(1,6), F('0.25'), F(0.5), F(7,3).limit_denominator(2), F(3,4)**2, float(F(1,3)), round(F(7,2)), F(1,2)<0.6, repr(F(2,4)), F(5).numerator, divmod(F(7,2),1))
from decimal import Decimal as D, getcontext, ROUND_HALF_UP, localcontext
print(D('0.1')+D('0.2'), D(1)/D(3), D('1.10')*3, D('2.675').quantize(D('0.01'),rounding=ROUND_HALF_UP), repr(D(0.1)), D('1E+3'), D('123.456').as_tuple(), round(D('2.5')), round(D('2.345'),2), D('-3.7')//1, D('7')%3, D(2).sqrt(), D('1.5')**3, int(D('9.9')), D('NaN'), D('Infinity'), D('1.0')==D('1.00'), hash(D(1))==hash(1), f"{D('1234.5'):,.2f}", D('0.00').is_zero(), D(2).ln(), D(1).exp(), sum([D('0.1')]*3), max(D(1),D(2)), abs(D(-1)), -D(3), D('1e-7'), D('100').normalize())
getcontext().prec=6; print(D(1)/D(7))
with localcontext() as ctx:
    ctx.prec=3; print(D(1)/D(7))
try: D('x')
except decimal.InvalidOperation as e: print(type(e).__name__, e)
try: D(1)/0
except ZeroDivisionError as e: print(type(e).__name__)
