import numpy as np


def t(f, *a):
    try:
        print(repr(f(*a)))
    except Exception as e:
        print(type(e).__name__, e)


a = np.arange(12, dtype=np.float64).reshape(3, 4)
m = memoryview(a)
print(m.format, m.itemsize, m.nbytes, m.shape, m.strides, m.ndim, m.readonly, m.c_contiguous, m.f_contiguous, m.obj is a)
print(m.tolist(), m[1, 2], len(m))
m[1, 2] = -1.5
print(a)
a[0, 0] = 7
print(m[0, 0], m.tobytes() == a.tobytes())

turned = memoryview(a.T)
print(turned.shape, turned.strides, turned.c_contiguous, turned.f_contiguous, turned.contiguous, turned.tolist())
print(turned.tobytes() == a.T.tobytes())
part = memoryview(a[::-1, 1::2])
print(part.shape, part.strides, part.contiguous, part.tolist())
part[0, 0] = 100.0
print(a)
t(part.cast, "B")

for dtype in ("?", "int8", "uint16", "int32", "uint64", "float32"):
    row = memoryview(np.array([0, 1, 2], dtype=dtype))
    print(row.format, row.itemsize, row.tolist(), row[1:].tobytes())
print(memoryview(np.array([1 + 2j])).format, memoryview(np.array(5)).shape, memoryview(np.array(5)).tolist())
t(memoryview(np.array([1 + 2j])).tolist)

numbers = memoryview(np.arange(5))
t(numbers.__setitem__, 0, 1.5)
t(numbers.__setitem__, 9, 1)
whole = numbers.cast("B")
print(whole.nbytes, whole[8])
whole[8] = 9
print(numbers.tolist(), bytes(numbers[:1]))
fixed = np.arange(3)
fixed.flags.writeable = False
t(memoryview(fixed).__setitem__, 0, 1)
print(memoryview(fixed).readonly, memoryview(np.zeros((0, 3))).tolist(), memoryview(np.arange(3) * 2).tolist())
fixed.flags["WRITEABLE"] = True
print(fixed.flags.writeable)
fixed[0] = 8
print(fixed)
