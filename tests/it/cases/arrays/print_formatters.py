# Functions that print elements, print options, strides of arrays made by their class, names NumPy took away.
import numpy as np
a = np.array([1.5, 2.25, -3])
b = np.arange(3)
c = np.array([True, False])
z = np.array([1 + 2j])
print(np.array2string(a, formatter={'float_kind': lambda x: '%.2f' % x}), np.array2string(b, formatter={'int': lambda x: hex(x)}, separator=', '))
np.set_printoptions(formatter={'float': '{:6.1f}'.format, 'int': '<{}>'.format})
print(a, b, c, z)
print(repr(a), repr(b))
print(np.ones((2, 3)), [a])
print(np.float64(1.5), a[0], np.array(2.5))
np.set_printoptions()
print(a)
print(np.get_printoptions())
with np.printoptions(formatter={'all': lambda x: 'X'}):
    print(a, b, c, z)
print(a)
np.set_printoptions(formatter={'float_kind': '{:.1f}'.format})
with np.printoptions(precision=3):
    print(a / 3)
print(a / 3)
np.set_printoptions(formatter=None)
print(a / 3)
print(np.array2string(a, precision=2, floatmode='fixed', sign='+'), np.array2string(np.arange(2000), edgeitems=2), np.array2string(np.arange(30), prefix='data: ', suffix=' end'))
np.set_printoptions(precision=2, suppress=True, sign=' ', floatmode='fixed')
print(np.get_printoptions())
print(a)
np.set_printoptions(edgeitems=3, infstr='inf', linewidth=75, nanstr='nan', precision=8, suppress=False, threshold=1000, formatter=None, floatmode='maxprec', sign='-')
shape = (len(x) for x in ([1, 2], [3]))
print(np.indices(shape))
print(np.indices((2,)), np.indices([2, 1]).shape)
a = np.arange(10.0)
v = np.ndarray((3, 4), float, buffer=a, strides=(8, 16))
print(v)
a[0] = 9
print(v[0, 0], v.strides)
for f in [lambda: np.ndarray((3, 14), float, buffer=a, strides=(8, 16)), lambda: np.ndarray((3, 2), float, buffer=a[::2], strides=(8, 16)), lambda: np.ndarray((3,), float, buffer=a, strides=(8, 16)), lambda: np.ndarray((2, 2), float, strides=(8, 1600)), lambda: np.NaN, lambda: np.float, lambda: np.int, lambda: np.str, lambda: np.object, lambda: np.complex, lambda: np.round_]:
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
print(np.ndarray((2, 2), np.int16, buffer=np.arange(8, dtype=np.int16), offset=4, strides=(4, 2)))
