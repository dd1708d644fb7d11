import bisect
import cmath
import heapq
import operator as op
import pprint
import statistics as st
import string
import textwrap


def attempt(f, *a, **k):
    try:
        print(repr(f(*a, **k)))
    except Exception as e:
        print(type(e).__name__, e)


print(op.add(1, 2), op.sub(5, 3), op.mul("a", 3), op.truediv(1, 4), op.floordiv(7, 2), op.mod(7, 4), op.pow(2, 10), op.neg(3), op.not_(0), op.xor(5, 1), op.and_(6, 3), op.or_(6, 1), op.lshift(1, 4), op.invert(5))
print(op.itemgetter(1)([1, 2]), op.itemgetter(0, "b")({0: 1, "b": 2}), op.attrgetter("real")(3), op.attrgetter("real", "imag")(3 + 4j), op.methodcaller("split", ",", maxsplit=1)("a,b,c"))
print(op.itemgetter(1, 2), op.attrgetter("a.b"), op.methodcaller("f", 1, x=2), op.eq(1, 1.0), op.lt(1, 2), op.contains([1], 1), op.countOf([1, 1], 1), op.indexOf("abc", "c"), op.concat("a", "b"), op.index(True), op.is_(None, None), op.length_hint([1, 2]), op.abs(-3), op.__add__(1, 1))
x = [1]
print(op.iadd(x, [2]) is x, x, op.getitem([5], 0), op.setitem(x, 0, 9), x, op.delitem(x, 0), x, op.truth([]))
attempt(op.itemgetter(5), [1])
attempt(op.attrgetter("nope"), 1)
attempt(op.index, 1.5)
attempt(op.add, 1, "a")
print(st.mean([1, 2, 3, 4]), st.mean([1.5, 2.5]), st.median([3, 1, 2]), st.median([1, 2, 3, 4]), st.mode("aabbb"), st.multimode("aabb"), st.variance([1, 2, 3, 4]), st.stdev([1, 2, 3, 4]), st.pvariance([1, 2, 3]), st.pstdev([1.5, 2.5, 3.5]), st.fmean([1, 2]), st.geometric_mean([1, 10, 100]), st.harmonic_mean([40, 60]), st.quantiles([1, 2, 3, 4, 5]), st.quantiles(range(10), n=4, method="inclusive"), st.correlation([1, 2, 3], [2, 4, 7]), st.linear_regression([1, 2, 3], [2, 4, 6]), st.median_low([1, 2, 3, 4]))
attempt(st.mean, [])
attempt(st.stdev, [1])
attempt(st.median, [])
h = [5, 3, 8, 1, 9, 2]
heapq.heapify(h)
print(h, heapq.heappop(h), heapq.heappushpop(h, 0), heapq.nlargest(2, h), heapq.nsmallest(2, h), heapq.heapreplace(h, 7), h, list(heapq.merge([1, 4], [2, 3])))
heapq.heappush(h, 1)
print(h[0], bisect.bisect([1, 2, 2, 3], 2), bisect.bisect_left([1, 2, 2, 3], 2))
l = [1, 3]
bisect.insort(l, 2)
print(l, string.ascii_letters, string.digits, string.punctuation, string.capwords("ab cd"), string.Template("$a ${b}c $$").substitute(a=1, b=2), string.Template("$a $zz").safe_substitute(a=1))
attempt(string.Template("$a $").substitute, a=1)
attempt(string.Template("$q").substitute, a=1)
text = "The quick brown fox jumped over the lazy dog, and then it went well-known places far-away from here."
print(textwrap.wrap(text, 30), textwrap.fill(text, 40), textwrap.shorten(text, 30), textwrap.dedent("  a\n    b\n\n  c"), textwrap.indent("a\n\nb", "> "), sep="\n")
pprint.pprint({"b": list(range(30)), "a": {"x": 1}, "c": "short"})
pprint.pprint([1, 2, 3])
print(cmath.sqrt(-1), cmath.exp(1j), cmath.phase(-1), cmath.polar(1 + 1j), cmath.rect(1, 0), cmath.isnan(complex("nan")), cmath.log(-1), cmath.sin(1 + 1j), cmath.pi, cmath.isclose(1 + 1j, 1 + 1j))
