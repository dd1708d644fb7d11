import dpnp
import numpy as np

a = dpnp.arange(12).reshape(3, 4)
print(repr(a), a.shape, a.dtype, a.ndim, a.size, a.strides, a.nbytes)
print(repr(a * 2 + 1), repr(a / 2), repr(a // 5), repr(a % 5), repr(a ** 2), repr(-a), repr(a > 5))
print(repr(a[1]), repr(a[1, 2]), repr(a[:, 1]), repr(a[::2, ::-1]), repr(a[..., 0]), repr(a[None, 0]))
print(repr(a[a > 6]), repr(a[dpnp.array([0, 2])]), repr(a[[0, 1], ] if False else a[0:1]))
b = a.copy()
b[0] = 100
b[:, 1] = dpnp.array([7, 8, 9])
b[b == 100] = -1
print(repr(b))
print(a.sum(), a.sum(axis=0), a.mean(axis=1), a.max(), a.min(axis=0, keepdims=True), a.prod(axis=1), a.argmax(), a.std())
print(repr(a.T), repr(a.reshape(-1)), repr(a.ravel()), repr(dpnp.transpose(a)), repr(dpnp.expand_dims(a[0], 1)))
print(repr(dpnp.concatenate((a, a), axis=1)), repr(dpnp.stack([a[0], a[1]])), repr(dpnp.vstack([a[0], a[1]])))
print(repr(dpnp.where(a > 5, a, 0)), repr(dpnp.clip(a, 2, 7)), repr(dpnp.cumsum(a)), repr(dpnp.diff(a)))
print(repr(dpnp.sort(dpnp.array([3, 1, 2]))), repr(dpnp.argsort(dpnp.array([3, 1, 2]))), repr(dpnp.unique(dpnp.array([3, 1, 3]))))
print(repr(dpnp.linspace(0, 1, 5)), repr(dpnp.zeros((2, 2))), repr(dpnp.ones(3, dtype=dpnp.int32)), repr(dpnp.full((2,), 7)), repr(dpnp.eye(2)))
print(repr(a @ a.T), repr(dpnp.dot(a[0], a[1])), repr(dpnp.matmul(a, a.T)), repr(dpnp.einsum("ij,kj->ik", a, a)))
print(repr(dpnp.linalg.norm(a * 1.0)), a.tolist(), a[0, 1].item(), float(a[0, 1]), int(a[2, 3]), bool(a[0, 0]))
print(a.asnumpy(), type(a.asnumpy()), repr(a.asnumpy()[0, 1]))
print(repr(a.astype(dpnp.float32)), repr(a.astype(float)[0]), repr(dpnp.asarray([1, 2.5, 3])), repr(dpnp.array([[True, False]])))
x = dpnp.array([0.0, 0.5, 1.0])
print(repr(dpnp.sin(x)), repr(dpnp.exp(x)), repr(dpnp.sqrt(x)), repr(dpnp.log1p(x)), repr(dpnp.power(x, 2)), repr(dpnp.tanh(x)))
out = dpnp.empty_like(x)
r = dpnp.add(x, x, out=out)
print(r is out, repr(out), f"{x.sum():.3f}", f"{x[1]}", str(x), "%.2f" % x[1])
x += 1
x *= 2
x[1:] -= 1
print(repr(x), repr(x[::-1]), len(x), [float(v) for v in x], 2 in a, 99 in a)
print(repr(dpnp.array(5)), repr(dpnp.array([])), repr(dpnp.array([1 + 2j])), repr(dpnp.abs(dpnp.array([3 + 4j]))))
print(repr(np.array(a.tolist())), repr(dpnp.asarray(np.ones(2))), x.dtype == dpnp.float64, x.dtype.name)
z = dpnp.array([1 + 2j, 3 - 1j])
print(repr(z.real), repr(z.imag), z.flags, dpnp.fft.fft(dpnp.array([1.0, 0.0, 0.0, 0.0])), dpnp.fft.fftfreq(4))
