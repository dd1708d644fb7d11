# Arguments that NumPy takes by position, older names of arguments, and numbers that do not fit where they are assigned.
import numpy as np

p = np.array([1.0, 2.0])
x = np.arange(6.0).reshape(3, 2)
print(np.concatenate((p, p), 0), np.concatenate((x, x), 1), np.concatenate((x, x), axis=None))
print(np.concat((x, x), -1).shape, np.stack((p, p), 1), np.stack(arrays=[p, p], axis=-1).shape)
out = np.zeros(4)
print(np.concatenate((p, p), 0, out) is out, out)
print(np.take(x, [0, 2], 0), np.take(a=p, indices=1), np.take(p, [0, 5], None, None, "clip"))
print(np.linspace(0, 1, 3, False), np.linspace(0, 1, 3, True, True), np.linspace(start=0, stop=4, num=5, dtype=int), np.linspace([0, 1], [1, 2], 3, True, False, None, 1))
print(np.logspace(0, 2, 3, True, 2), np.logspace(0, 1, 2, False, 10.0, float), np.geomspace(1, 8, 3, False), np.geomspace(1, 8, 4, True, int))
print(np.arange(0, 3, 1, float), np.arange(3, dtype=np.int8))
print(np.clip(np.arange(5), a_min=1, a_max=3), np.clip(np.arange(5), 1, a_max=3), np.clip(p, min=1.5), np.clip(a=p, a_min=None, a_max=1))
o = np.zeros(2)
print(np.clip(p, 0, 1, o) is o, o, p.clip(max=1), p.clip(0, 1))


def tried(work):
    try:
        print(work())
    except Exception as error:
        print(type(error).__name__, error)


def assigned(dtype, key, value):
    a = np.zeros(4, dtype)
    a[key] = value
    return a


tried(lambda: assigned(np.int8, slice(None), [255, 0, 0, 255]))
tried(lambda: assigned(np.uint8, [0, 1], [1, 256]))
tried(lambda: assigned(np.uint8, slice(None), [1.5, 2, 3, True]))
tried(lambda: assigned(int, slice(0, 2), (1.5, -2.5)))
tried(lambda: assigned(float, slice(0, 2), [1, np.float32(0.5)]))
tried(lambda: assigned(bool, slice(0, 2), [3, 0]))
tried(lambda: assigned(complex, slice(0, 2), [1j, 2]))
tried(lambda: assigned(np.int16, 0, 40000))
tried(lambda: assigned(np.int8, slice(None), np.array([255, 0, 0, 255])))
tried(lambda: np.clip(p, 0, 1, nothing=3))
frozen = np.frombuffer(b"12345678", dtype=np.uint8)
print(frozen.flags.writeable, np.frombuffer(bytearray(b"12"), dtype=np.uint8).flags.writeable)


def typed(a: np.ndarray[tuple[int], np.dtype[np.float64]]) -> np.ndarray[int]:
    return a


print(typed(p), np.ndarray[int])

# vectorize hands plain numbers over and lets the first result decide the dtype.
print(np.vectorize(lambda v: 0 if v < 1 else v * 1.5)([0, 1, 2]), np.vectorize(lambda v: isinstance(v, np.generic))(p))
print(np.vectorize(lambda a, b: (a + b, a > b))([1, 2], [0, 3]), np.vectorize(lambda v: v, otypes=[float])([1, 2]))
