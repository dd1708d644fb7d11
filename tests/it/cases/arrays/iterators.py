# numpy.nditer as tutorials use it.
import numpy as np
a = np.arange(6).reshape(2, 3)
for x in np.nditer(a):
    print(x, end=' ')
print()
for x in np.nditer(a.T):
    print(x, end=' ')
for x in np.nditer(a.T.copy(order='C')):
    print(x, end=' ')
for x in np.nditer(a, order='F'):
    print(x, end=' ')
for x in np.nditer(a.T, order='C'):
    print(x, end=' ')
print()
with np.nditer(a, op_flags=['readwrite']) as it:
    for x in it:
        x[...] = 2 * x
print(a)
for x in np.nditer(a, flags=['external_loop']):
    print(x, end=' ')
for x in np.nditer(a, flags=['external_loop'], order='F'):
    print(x, end=' ')
print()
it = np.nditer(a, flags=['f_index'])
for x in it:
    print('%d <%d>' % (x, it.index), end=' ')
it = np.nditer(a, flags=['multi_index'])
for x in it:
    print('%d <%s>' % (x, it.multi_index), end=' ')
with np.nditer(a, flags=['multi_index'], op_flags=['writeonly']) as it:
    for x in it:
        x[...] = it.multi_index[1] - it.multi_index[0]
print(a)
for x in np.nditer(a, flags=['external_loop', 'buffered'], order='F'):
    print(x, end=' ')
b = np.arange(6).reshape(2, 3) - 3
for f in [dict(op_dtypes=['complex128']), dict(op_flags=['readonly', 'copy'], op_dtypes=['complex128']), dict(flags=['buffered'], op_dtypes=['complex128'])]:
    try:
        for x in np.nditer(b, **f):
            print(np.sqrt(x), end=' ')
    except Exception as e:
        print(type(e).__name__, e)
print()
try:
    for x in np.nditer(np.arange(6.0), flags=['buffered'], op_dtypes=['float32']):
        print(x, end=' ')
except Exception as e:
    print(type(e).__name__, e)
for x in np.nditer(np.arange(6.0), flags=['buffered'], op_dtypes=['float32'], casting='same_kind'):
    print(x, end=' ')
try:
    for x in np.nditer(np.arange(6), flags=['buffered'], op_dtypes=['float64'], op_flags=['readwrite'], casting='same_kind'):
        x[...] = x / 2.0
except Exception as e:
    print(type(e).__name__, e)
for x, y in np.nditer([np.arange(3), np.arange(6).reshape(2, 3)]):
    print('%d:%d' % (x, y), end=' ')
try:
    for x, y in np.nditer([np.arange(2), np.arange(6).reshape(2, 3)]):
        print('%d:%d' % (x, y), end=' ')
except Exception as e:
    print(type(e).__name__, e)

def square(a):
    with np.nditer([a, None]) as it:
        for x, y in it:
            y[...] = x * x
        return it.operands[1]
print(square([1, 2, 3]))

def square(a, out=None):
    it = np.nditer([a, out], flags=['external_loop', 'buffered'], op_flags=[['readonly'], ['writeonly', 'allocate', 'no_broadcast']])
    with it:
        for x, y in it:
            y[...] = x * x
        return it.operands[1]
print(square([1, 2, 3]), square([1, 2, 3], out=np.zeros(3)))
try:
    square(np.arange(6).reshape(2, 3), out=np.zeros(3))
except Exception as e:
    print(type(e).__name__, e)
it = np.nditer(np.arange(3))
while not it.finished:
    print(it[0], it.iterindex, end=' ')
    it.iternext()
print()
for x in np.nditer(np.arange(4)[::-1]):
    print(x, end=' ')
for x in np.nditer(np.arange(12).reshape(3, 4)[:, ::2], flags=['external_loop']):
    print(x, end=' ')
for x in np.nditer(np.arange(24).reshape(2, 3, 4).transpose(1, 0, 2)):
    print(x, end=' ')
try:
    for x in np.nditer(np.arange(3)):
        x[...] = 1
except Exception as e:
    print(type(e).__name__, e)
try:
    np.nditer(np.zeros((0, 3)))
except Exception as e:
    print(type(e).__name__, e)
try:
    np.nditer([1, 2], flags=['nope'])
except Exception as e:
    print(type(e).__name__, e)
print()
x = next(np.nditer(np.arange(3.0)))
print(type(x), x.shape, repr(x))
