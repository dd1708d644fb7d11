# Views with strides of their own, numpy.emath, and the fits that tell how good they are.
import numpy as np
from numpy.lib.stride_tricks import as_strided, sliding_window_view
import numpy.lib.stride_tricks as s
x = np.arange(10)
print(as_strided(x, (8, 3), (8, 8)).sum(1), as_strided(x, shape=(3, 3), strides=(0, 8)), as_strided(x[::2], (3, 2) + ()[:0], (32, 8)))
v = sliding_window_view(x, 3)
print(v.shape, v.mean(axis=-1))
print(sliding_window_view(np.arange(12).reshape(3, 4), (2, 2)).sum((2, 3)), sliding_window_view(np.arange(12).reshape(3, 4), 2, axis=1)[:, 1])
print(np.lib.stride_tricks.sliding_window_view(x[::-1], 4)[::2, :])
for f in [lambda: sliding_window_view(x, 11), lambda: sliding_window_view(x, -1), lambda: sliding_window_view(np.ones((2, 2)), 2), lambda: sliding_window_view(np.ones((2, 2)), (2, 2), axis=0), lambda: sliding_window_view(x, 1, axis=3)]:
    try:
        f()
    except Exception as e:
        print(type(e).__name__, e)
try:
    v[0, 0] = 1
except Exception as e:
    print(type(e).__name__, e)
w = as_strided(x, (5,), (16,))
w[:] = -1
print(x)
print(np.emath.sqrt(-1), np.emath.sqrt([1, -4.0]), np.emath.sqrt([1, 4]), np.emath.log(-np.e), np.emath.power([2, 4], -2), np.emath.power([-2, 4], 0.5), np.emath.arccos(2), np.emath.arcsin(0.5), np.emath.arctanh(2), np.emath.log2([-4, 8]), np.emath.log10(100), np.emath.logn(2, [4, 8]), np.lib.scimath.sqrt(-4), repr(np.emath.sqrt(np.float32(-1))), repr(np.emath.sqrt(4)))
print(np.polyfit([0, 1, 2, 3.0], [1, 2, 3, 5.0], 1, full=True))
print(np.polyfit([0, 1, 2, 3.0], [1, 2, 3, 5.0], 1, cov=True))
print(np.polyfit([0, 1, 2, 3.0], [1, 2, 3, 5.0], 1, w=[1, 2, 1, 2.0], cov='unscaled'))
print(np.polyfit([0, 1, 2, 3.0], [[1, 2], [3, 5.0], [1, 2], [4, 4]], 1, cov=True)[1].shape, np.polyint([1, 2], m=2, k=[1, 2]), np.polyint([1, 2], m=2, k=3))
