# Functions that are compositions of others, in NumPy and, where it has them, in dpnp.
import dpnp
import numpy as np


def show(label, function):
    try:
        print(label, function())
    except Exception as error:
        print(label, type(error).__name__, error)


def g(name):
    return getattr(np, name)


a = np.arange(12.0).reshape(3, 4)
show('tril', lambda: g('tril_indices')(3))
show('triu', lambda: g('triu_indices')(3, 1, 4))
show('trilf', lambda: g('tril_indices_from')(a))
show('triuf', lambda: g('triu_indices_from')(a, k=1))
show('diag', lambda: g('diag_indices')(3, 3))
show('diagf', lambda: g('diag_indices_from')(np.ones((2,2))))
show('mask', lambda: g('mask_indices')(3, np.triu))
show('diagf', lambda: g('diag_indices_from')(a))
show('ix', lambda: a[g('ix_')([0, 2], [True, False, True, False])])
show('ixe', lambda: g('ix_')([[1]]))
for ax in (0, 1, -1, 5):
    show('aaa', lambda: g('apply_along_axis')(np.sum, ax, a))
    show('aaa2', lambda: g('apply_along_axis')(lambda x: x[::2] * 2, ax, a))
    show('aaa3', lambda: g('apply_along_axis')(np.diag, ax, a).shape)
show('over', lambda: g('apply_over_axes')(np.sum, np.arange(24).reshape(2, 3, 4), [0, 2]))
x = np.linspace(-2.5, 2.5, 6)
show('pw', lambda: g('piecewise')(x, [x < 0, x >= 0], [-1, 1]))
show('pw2', lambda: g('piecewise')(x, [x < 0], [lambda x: -x, lambda x: x * 2]))
show('pw3', lambda: g('piecewise')(x, [x < 0, x > 1, x > 2], [1]))
show('pw4', lambda: g('piecewise')(x, x < 0, [1, 2]))
show('ff', lambda: g('fromfunction')(lambda i, j: i + j, (3, 3), dtype=int))
show('ff2', lambda: g('fromfunction')(lambda i, j: i == j, (2, 3)))
show('mg', lambda: g('mgrid')[0:3, 0:2])
show('mg1', lambda: g('mgrid')[-1:1:5j])
show('og', lambda: g('ogrid')[0:3, 0:2])
show('mg2', lambda: g('mgrid')[0:1:3j, 0:2])
show('mg3', lambda: g('mgrid')[1:6:2])
show('isc', lambda: g('iscomplex')([1+1j, 1+0j, 4.5]))
show('isr', lambda: g('isreal')([1+1j, 1+0j, 4.5]))
show('fin', lambda: g('asarray_chkfinite')([1, np.inf]))
show('fort', lambda: g('asfortranarray')(a).flags.f_contiguous)
n = np.array([[np.nan, 4], [2, 3]])
show('nam', lambda: g('nanargmax')(n))
show('nam2', lambda: g('nanargmin')(n, axis=0))
show('nam3', lambda: g('nanargmax')(np.array([np.nan])))
show('ua', lambda: tuple(g('unique_all')(np.array([3, 1, 3, 2]))))
show('uc', lambda: g('unique_counts')(np.array([3, 1, 3, 2])).counts)
show('ui', lambda: g('unique_inverse')(np.array([3, 1, 3])).inverse_indices)
show('pv', lambda: g('polyval')([3, 0, 1], 5))
show('pv2', lambda: g('polyval')([3, 0, 1], a))
show('pa', lambda: g('polyadd')([1, 2], [9, 5, 4]))
show('ps', lambda: g('polysub')([2, 10, -2], [3, 10, -4]))
show('pm', lambda: g('polymul')([1, 2, 3], [9, 5, 1]))
show('pd', lambda: g('polydiv')([3.0, 5.0, 2.0], [2.0, 1.0]))
show('pder', lambda: g('polyder')([1, 1, 1, 1], 2))
show('pint', lambda: g('polyint')([1, 1, 1]))
show('pint2', lambda: g('polyint')([1., 1], 2, k=[3, 4]))
show('pf', lambda: np.round(g('polyfit')(np.arange(6.0), np.array([0, 0.8, 0.9, 0.1, -0.8, -1.0]), 3), 8) + 0.0)
show('poly', lambda: g('poly')((1., 2., 3.)))
show('roots', lambda: np.round(np.sort(g('roots')([1, -6, 11, -6, 0])), 8) + 0.0)
v = g('vectorize')(lambda p, q: p - q if p > q else p + q)
show('vec', lambda: v([1, 2, 3, 4], 2))
show('vec2', lambda: g('vectorize')(lambda p: (p, p * 2.0))([1, 2]))
show('vec3', lambda: g('vectorize')(lambda p, k=1: p * k, otypes=[float])([1, 2], k=3))

d = dpnp.arange(12.0).reshape(3, 4)
show("d tril", lambda: dpnp.tril_indices(3))
show("d triu", lambda: dpnp.triu_indices_from(d, k=1))
show("d diag", lambda: dpnp.diag_indices(3))
show("d ix", lambda: d[dpnp.ix_(dpnp.asarray([0, 2]), dpnp.asarray([1, 3]))])
show("d along", lambda: dpnp.apply_along_axis(dpnp.sum, 1, d))
show("d over", lambda: dpnp.apply_over_axes(dpnp.sum, d, [0, 1]))
show("d piecewise", lambda: dpnp.piecewise(d, [d < 3, d >= 6], [-1, 1]))
show("d mgrid", lambda: dpnp.mgrid[0:2, 0:3])
show("d ogrid", lambda: dpnp.ogrid[0:2, 0:3])
show("d fromfunction", lambda: dpnp.fromfunction(lambda i, j: i + j, (2, 3)))
for library in (np, dpnp):
    name = library.__name__
    for window in ("bartlett", "blackman", "hamming", "hanning"):
        for count in (0, 1, 2, 7):
            show(f"{name} {window} {count}", lambda: library.round(getattr(library, window)(count), 6) + 0.0)
    show(f"{name} kaiser", lambda: library.round(library.kaiser(6, 5.0), 5))
    show(f"{name} unwrap", lambda: library.round(library.unwrap(library.asarray([0.0, 3.5, 7.0, 1.0, -6.0])), 6))
    show(f"{name} unwrap period", lambda: library.unwrap(library.asarray([0, 1, 2, -1, 0]), period=4))
    show(f"{name} angle", lambda: library.round(library.angle(library.asarray([1.0, 1j, 1 + 1j]), deg=True), 6))
    show(f"{name} iscomplex", lambda: library.iscomplex(library.asarray([1 + 1j, 1 + 0j])))
    show(f"{name} sort_complex", lambda: library.sort_complex(library.asarray([3.0, 1.0, 2.0])))
    show(f"{name} nanargmax", lambda: library.nanargmax(library.asarray([1.0, float("nan"), 5.0])))
    show(f"{name} unique_counts", lambda: tuple(library.unique_counts(library.asarray([3, 1, 3]))))
    matrix = library.asarray([[2.0, 0.0], [0.0, 3.0]])
    for factorisation in ("eigh", "qr", "svd", "slogdet"):
        answer = getattr(library.linalg, factorisation)(matrix)
        print(name, factorisation, type(answer).__name__, answer._fields)
    quotient, rest = divmod(library.arange(5), 3)
    print(name, quotient, rest)
