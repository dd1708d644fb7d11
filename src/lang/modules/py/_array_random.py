"""Random vectors over the normal numbers of a stream."""


def multivariate_normal(np, stream, mean, cov, size, check_valid, tol):
    """Normal vectors with a mean and a covariance matrix, from `stream`, a module or a generator of the library `np`."""
    centre, spread = np.asarray(mean), np.asarray(cov)
    if centre.ndim != 1:
        raise ValueError("mean must be 1 dimensional")
    if spread.ndim != 2 or spread.shape[0] != spread.shape[1]:
        raise ValueError("cov must be 2 dimensional and square")
    if spread.shape[0] != centre.shape[0]:
        raise ValueError("mean and cov must have same length")
    if check_valid not in ("warn", "raise", "ignore"):
        raise ValueError("check_valid must equal 'warn', 'raise', or 'ignore'")
    outer = () if size is None else (size,) if isinstance(size, int) else tuple(size)
    drawn = stream.standard_normal(outer + (centre.shape[0],))
    left, values, right = np.linalg.svd(spread + 0.0)
    if check_valid != "ignore":
        back = np.matmul(right.T * values, right)
        if not bool(np.allclose(back, spread, rtol=tol, atol=tol)):
            if check_valid == "raise":
                raise ValueError("covariance is not symmetric positive-semidefinite.")
            import warnings

            warnings.warn("covariance is not symmetric positive-semidefinite.", RuntimeWarning)
    flat = drawn.reshape((-1, centre.shape[0]))
    mixed = np.matmul(flat, np.sqrt(values)[:, None] * right)
    return (mixed + centre).reshape(outer + (centre.shape[0],))


class PCG64:
    """The source of bits of `Generator`; generators over the same one share its numbers."""

    def __init__(self, seed=None):
        import numpy

        self._generator = numpy.random.default_rng(seed)


PCG64.__module__ = "numpy.random"
