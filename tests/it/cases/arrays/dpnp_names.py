# Functions that are compositions of others, and attributes that are written to.
import dpnp as np
import numpy

a = np.arange(6.0).reshape(2, 3)
counts, xs, ys = np.histogram2d(np.array([0.0, 1, 2, 3]), np.array([0.0, 1, 1, 3]), bins=(2, 3))
print(counts, xs, ys)
counts, edges = np.histogramdd(np.array([[0.0, 1], [2, 3], [4, 5]]), bins=2, range=[(0, 4), None])
print(counts, edges)
print(np.ravel_multi_index((np.array([1, 2]), np.array([0, 3])), (3, 4)), np.unravel_index(np.array([4, 11]), (3, 4)))
print(np.fromiter((i * i for i in range(4)), np.int32), np.isfortran(a.T), np.common_type(a, np.ones(2, dtype="c8")).__name__)
print(np.require(a, requirements=["F"]).flags.f_contiguous, np.trim_zeros(np.array([[0, 0, 0], [0, 1, 0]])))
print([int(i) for i in a.flat][:3], a.flat[4], [where for where in np.ndindex(2, 2)])
print(np.einsum(a, [0, 1], a, [0, 2], [1, 2]), np.einsum_path("ij,jk,kl->il", a, a.T, a)[0])
print(np.linalg.matrix_norm(a), np.linalg.diagonal(a, offset=1), np.linalg.trace(np.arange(8).reshape(2, 2, 2)))
print(np.linspace(0, 1, 3, retstep=True), np.logspace(0, 2, 3, base=np.array([2.0, 10.0])))
z = np.array([1 + 2j, np.nan + 1j])
print(np.nan_to_num(z), np.real_if_close(np.array([1 + 1e-15j])))
z.real = 9
z.imag[0] = 5
a.shape = (3, 2)
print(z, a.shape, np.take(np.arange(3), np.array([5, -1, -7])), np.binary_repr(-3, 5))
print(np.pad(np.arange(3), 2, lambda line, width, axis, keywords: line.__setitem__(slice(None), 7)))
print(np.scipy.special.erf(np.array([0.0, 0.5])), [part.shape for part in np.scipy.linalg.lu(np.array([[2.0, 1], [4, 3]]))])


def attempt(call):
    try:
        print(call())
    except Exception as problem:
        print(type(problem).__name__, problem)


attempt(lambda: np.ones(3, like=a))
attempt(lambda: np.array([1], subok=True))
attempt(lambda: np.full(2, 2**64))
attempt(lambda: np.full(2, numpy.float32(2.5)).dtype)
attempt(lambda: np.linalg.diagonal(np.ones(3)))
attempt(lambda: np.linalg.matrix_norm(np.ones(3)))
attempt(lambda: np.ravel_multi_index((np.array([5]), np.array([0])), (3, 4)))
attempt(lambda: np.require(a, None, ["C", "F"]))
attempt(lambda: np.histogramdd(np.ones((4, 2)), bins=(3,)))
attempt(lambda: np.histogram2d(np.arange(4.0), np.arange(3.0)))
attempt(lambda: np.fromiter([1], int, count=3))
attempt(lambda: np.bincount(np.array([-1])))
attempt(lambda: np.average(np.ones(2), weights=np.ones(3)))
attempt(lambda: np.trim_zeros(a, trim="x"))
attempt(lambda: np.nonzero(np.array(1)))
attempt(lambda: setattr(a, "shape", (5, 5)))
attempt(lambda: int(np.ones(3)))
