# numpy.poly1d, numpy.polynomial.Polynomial and the functions of polynomials.
import numpy as np
from numpy.polynomial import Polynomial as P
import numpy.polynomial.polynomial as pl
p = P([1, 2, 3])
print(p, repr(p))
print(P([1.5, -2, 0, 10000000000.0, 1e-07]))
print(f'{p:ascii}')
print(p(2), p(np.arange(3.0)), p.deriv(), p.integ(), p.roots(), p.degree(), p.coef, p.domain, p.window, p.symbol)
f = P.fit([0, 1, 2, 3], [1, 3, 7, 13], 2)
print(repr(f))
print(f)
print(repr(f.convert()))
print(round(f(1.5), 6))
print(f.linspace(3))
print(p + P([1]), p * 2, p * p, p - 1, p // P([1, 1]), p % P([1, 1]), divmod(p, P([1, 1])), p ** 2, -p, p == P([1, 2, 3]))
print(p.cutdeg(1), p.trim(), p.truncate(2), P.basis(3), P.identity(), P.fromroots([1, 2]), len(p), list(p))
print(p(P([0, 1])), repr(P([1, 2], domain=[0, 1], window=[-1, 1])))
print(P([1, 2], domain=[0, 1], window=[-1, 1]))
print(pl.polyval(2, [1, 2, 3]), pl.polyfit([0, 1, 2], [1, 2, 5], 1), pl.polyadd([1], [1, 2]), pl.polymul([1, 2], [1, 2]), pl.polydiv([1, 2, 1], [1, 1]), pl.polyroots([6, -5, 1]), pl.polyder([1, 2, 3]), pl.polyint([1, 2, 3]), pl.polyfromroots([1, 2]), pl.polyvander([1, 2], 2), pl.polypow([1, 1], 3), pl.polyval2d(1, 2, [[1, 2], [3, 4]]))
print(P([1 + 2j, 3]))
print(repr(P([1, 0]) * 1.0))
print(P([1, 2], symbol='t'))
print(P([0, 0, 0]))
try:
    p / p
except Exception as e:
    print(type(e).__name__, e)
try:
    P([1], domain=[0, 1]) + P([1])
except Exception as e:
    print(type(e).__name__, e)
try:
    P([1, 2]) + P([1], symbol='t')
except Exception as e:
    print(type(e).__name__, e)
q = np.poly1d([1, -3, 2])
print(q)
print(repr(q), q(2), q.r, q.o, q.c, q[0], q[5], len(q), list(q))
print(np.poly1d([1, 2], True), np.poly1d([1.5, 0, -2], variable='z'))
print(q * q, q + 1, q - q, 2 * q, q / 2, q / np.poly1d([1, -1]), q ** 2, -q, q == q, q.deriv(), q.integ(), q.deriv(2), q.integ(k=3))
print(np.polyval(q, 2), np.polyval([1, 2], q), q(q))
print(repr(np.polyadd(q, q)), repr(np.polymul(q, [1, 2])), repr(np.polyder(q)), repr(np.polyint(q)), repr(np.polysub(q, 1)), np.polydiv(q, np.poly1d([1, -1])), np.roots(q), np.sin(q), np.array(q))
print(np.poly1d([1]), np.poly1d([0]), np.poly1d([1j, 2]), np.poly1d([1 + 1j, 0, 2]))
print(np.poly1d([1e-09, 123456.789, 1] * 5))
q[5] = 7
print(repr(q))
np.set_printoptions(linewidth=40)
print(P([1.234567, 2.3456789, 3.456789, 4.56789, 5.6789]))
