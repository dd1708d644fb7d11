"""Functions of dpnp and NumPy that are compositions of others: `bind` gives them to a library module that lacks them."""

import functools
import itertools
from collections import namedtuple


def bind(np, is_numpy):
    def place_of(array):
        return {} if is_numpy else {"sycl_queue": array.sycl_queue, "usm_type": array.usm_type}

    def as_array(value):
        return value if isinstance(value, np.ndarray) else np.asarray(value)

    def normalized(axis, rank):
        if not -rank <= axis < rank:
            from numpy.exceptions import AxisError

            raise AxisError(f"axis {axis} is out of bounds for array of dimension {rank}")
        return axis % rank

    # Positions

    def tril_indices(n, k=0, m=None, **place):
        """Positions of the lower triangle of an (n, m) array."""
        return tuple(np.nonzero(np.tri(n, m, k=k, dtype=bool, **place)))

    def triu_indices(n, k=0, m=None, **place):
        """Positions of the upper triangle of an (n, m) array."""
        return tuple(np.nonzero(~np.tri(n, m, k=k - 1, dtype=bool, **place)))

    def checked_matrix(array):
        if array.ndim != 2:
            raise ValueError("input array must be 2-d")
        return array

    def tril_indices_from(arr, k=0):
        """Positions of the lower triangle of an array."""
        rows, columns = checked_matrix(arr).shape
        return tril_indices(rows, k=k, m=columns, **place_of(arr))

    def triu_indices_from(arr, k=0):
        """Positions of the upper triangle of an array."""
        rows, columns = checked_matrix(arr).shape
        return triu_indices(rows, k=k, m=columns, **place_of(arr))

    def diag_indices(n, ndim=2, **place):
        """Positions of the main diagonal of an array with `ndim` axes of length `n`."""
        return (np.arange(n, **place),) * ndim

    def diag_indices_from(arr):
        """Positions of the main diagonal of an array whose axes have one length."""
        if arr.ndim < 2:
            raise ValueError("input array must be at least 2-d")
        if len(set(arr.shape)) != 1:
            raise ValueError("All dimensions of input must be of equal length")
        return diag_indices(arr.shape[0], arr.ndim, **place_of(arr))

    def mask_indices(n, mask_func, k=0, **place):
        """Positions of an (n, n) array that a masking function such as `triu` keeps."""
        return tuple(np.nonzero(mask_func(np.ones((n, n), dtype=int, **place), k) != 0))

    def ix_(*args):
        """Positions along each axis, shaped so that together they select a sub-array."""
        out = []
        for axis, positions in enumerate(args):
            positions = as_array(positions)
            if positions.size == 0:
                positions = positions.astype(int)
            if positions.ndim != 1:
                raise ValueError("Cross index must be 1 dimensional")
            if positions.dtype == bool:
                (positions,) = np.nonzero(positions)
            out.append(positions.reshape((1,) * axis + (positions.size,) + (1,) * (len(args) - axis - 1)))
        return tuple(out)

    # Applying functions

    def apply_along_axis(func1d, axis, arr, *args, **kwargs):
        """Calls a function with every line along an axis and puts what it gives in the line's place."""
        arr = as_array(arr)
        rank = arr.ndim
        axis = normalized(axis, rank)
        work = np.moveaxis(arr, axis, -1)
        outer = work.shape[:-1]
        if 0 in outer:
            raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
        results = []
        for at in itertools.product(*(range(length) for length in outer)):
            results.append(np.asarray(func1d(work[at], *args, **kwargs), **({} if is_numpy else place_of(arr))))
        first = results[0]
        whole = np.stack(results).astype(first.dtype).reshape(outer + first.shape)
        axes = list(range(whole.ndim))
        inner = axes[rank - 1 :]
        return np.transpose(whole, axes[:axis] + inner + axes[axis : rank - 1])

    def apply_over_axes(func, a, axes):
        """Calls a function of an array and an axis for one axis after the other."""
        value = as_array(a)
        rank = value.ndim
        for axis in axes if isinstance(axes, (tuple, list)) else (axes,):
            axis = axis + rank if axis < 0 else axis
            result = func(value, axis)
            if result.ndim != value.ndim:
                result = np.expand_dims(result, axis)
                if result.ndim != value.ndim:
                    raise ValueError("function is not returning an array of the correct shape")
            value = result
        return value

    def piecewise(x, condlist, funclist, *args, **kw):
        """A value or a function for each of several conditions; one more at the end is for everything else."""
        x = as_array(x)
        is_array = isinstance(condlist, np.ndarray) and condlist.ndim == x.ndim
        is_one = is_array or isinstance(condlist, bool) or (not isinstance(condlist[0], (list, np.ndarray)) and x.ndim != 0)
        conditions = [np.asarray(one, dtype=bool) for one in ([condlist] if is_one else condlist)]
        count = len(conditions)
        if count == len(funclist) - 1:
            rest = conditions[0]
            for one in conditions[1:]:
                rest = rest | one
            conditions.append(~rest)
        elif count != len(funclist):
            raise ValueError(f"with {count} condition(s), either {count} or {count + 1} functions are expected")
        y = np.zeros_like(x)
        for condition, function in zip(conditions, funclist):
            if callable(function):
                values = x[condition]
                if values.size > 0:
                    y[condition] = function(values, *args, **kw)
            else:
                y[condition] = function
        return y

    def fromfunction(function, shape, *, dtype=float, **kwargs):
        """What a function of the coordinates gives."""
        place = {name: kwargs.pop(name) for name in ("device", "usm_type", "sycl_queue") if name in kwargs}
        return function(*np.indices(shape, dtype=dtype, **place), **kwargs)

    # Grids

    class Grid:
        """`mgrid` and `ogrid`: coordinates from slices; a complex step counts points."""

        def __init__(self, sparse, **place):
            self.sparse, self.place = sparse, place

        def __call__(self, device=None, usm_type="device", sycl_queue=None):
            return Grid(self.sparse, device=device, usm_type=usm_type, sycl_queue=sycl_queue)

        def line(self, part):
            start, step = part.start or 0, 1 if part.step is None else part.step
            if isinstance(step, complex):
                return np.linspace(start, part.stop, int(abs(step)), **self.place)
            return np.arange(start, part.stop, step, **self.place)

        def __getitem__(self, key):
            if isinstance(key, slice):
                return self.line(key)
            lines = [self.line(part) for part in key]
            kind = float if any(line.dtype.kind == "f" for line in lines) else int
            rank = len(lines)
            open_lines = [
                line.astype(kind).reshape((1,) * axis + (line.size,) + (1,) * (rank - axis - 1))
                for axis, line in enumerate(lines)
            ]
            if self.sparse:
                return tuple(open_lines) if is_numpy else open_lines
            return np.stack(np.broadcast_arrays(*open_lines))

        def __repr__(self):
            return f"<{'ogrid' if self.sparse else 'mgrid'}: coordinates from slices>"

    # Parts and kinds

    def iscomplex(x):
        """Where the imaginary part is not zero."""
        return np.imag(as_array(x)) != 0

    def isreal(x):
        """Where the imaginary part is zero."""
        return np.imag(as_array(x)) == 0

    def asfortranarray(a, dtype=None, **place):
        """The array with its first axis fastest in memory."""
        return np.asarray(a, dtype=dtype, order="F", **place)

    def asarray_chkfinite(a, dtype=None, order=None, **place):
        """The array, or an error when it has infinities or NaNs."""
        array = np.asarray(a, dtype=dtype, order=order or "K", **place)
        if array.dtype.kind in "fc" and not bool(np.isfinite(array).all()):
            raise ValueError("array must not contain infs or NaNs")
        return array

    def nan_arg(function, fill):
        def find(a, axis=None, out=None, *, keepdims=False):
            a = as_array(a)
            if a.dtype.kind != "f":
                return function(a, axis=axis, out=out, keepdims=keepdims)
            missing = np.isnan(a)
            if bool(np.any(np.all(missing, axis=axis))):
                raise ValueError("All-NaN slice encountered")
            filled = np.where(missing, fill, a)
            return function(filled, axis=axis, out=out, keepdims=keepdims)

        return find

    UniqueAllResult = namedtuple("UniqueAllResult", "values indices inverse_indices counts")
    UniqueCountsResult = namedtuple("UniqueCountsResult", "values counts")
    UniqueInverseResult = namedtuple("UniqueInverseResult", "values inverse_indices")

    def unique_all(x):
        """Different values, where each comes first, which one each element is, how often each occurs."""
        return UniqueAllResult(*np.unique(x, return_index=True, return_inverse=True, return_counts=True))

    def unique_counts(x):
        """Different values and how often each occurs."""
        return UniqueCountsResult(*np.unique(x, return_counts=True))

    def unique_inverse(x):
        """Different values and which one each element is."""
        return UniqueInverseResult(*np.unique(x, return_inverse=True))

    functions = [
        tril_indices, triu_indices, tril_indices_from, triu_indices_from, diag_indices, diag_indices_from, mask_indices,
        ix_, apply_along_axis, apply_over_axes, piecewise, fromfunction, iscomplex, isreal, asfortranarray,
        asarray_chkfinite, unique_all, unique_counts, unique_inverse,
    ]
    made = {function.__name__: function for function in functions}
    made["mgrid"], made["ogrid"] = Grid(False), Grid(True)
    for name, of, fill in (("nanargmax", "argmax", -float("inf")), ("nanargmin", "argmin", float("inf"))):
        made[name] = nan_arg(getattr(np, of), fill)
        made[name].__name__ = made[name].__qualname__ = name
    if is_numpy:
        made.update(polynomials(np))
        made["vectorize"] = vectorize_of(np)
    return made


def complete(np, is_numpy):
    """Completes a library whose own functions are bound: families of their own files, submodules, wrappers."""
    import _array_linear
    import _array_objects

    def add(module, found):
        for name, value in found.items():
            if not hasattr(module, name):
                setattr(module, name, value)

    found, replaced = _array_objects.bind(np, is_numpy)
    add(np, found)
    linalg, own, scipy = _array_linear.bind(np, is_numpy)
    for name, value in {**replaced, **own}.items():
        setattr(np, name, value)
    for name, value in linalg.items():
        setattr(np.linalg, name, value)
    if hasattr(np, "scipy"):
        add(np.scipy.linalg, scipy)
    np.pad = pad_of(np)
    if not is_numpy:
        from _array_tensor import namespace_info

        np.__array_namespace_info__ = namespace_info(np)
    name_results(np)


def pad_of(np):
    """`pad` that takes a function of a line, its widths and its axis beside the modes' names."""
    plain = np.pad

    @functools.wraps(plain)
    def pad(array, pad_width, mode="constant", **kwargs):
        if not callable(mode):
            return plain(array, pad_width, mode=mode, **kwargs)
        padded = plain(array, pad_width, mode="empty")
        before = plain(np.zeros_like(array, dtype=bool), pad_width, mode="constant", constant_values=True)
        widths = []
        for axis in range(padded.ndim):
            inside = np.nonzero(~before.all(axis=tuple(other for other in range(padded.ndim) if other != axis)))[0]
            low = int(inside.min()) if inside.size else 0
            widths.append((low, padded.shape[axis] - low - array.shape[axis]))
        for axis, width in enumerate(widths):
            lines = np.moveaxis(padded, axis, -1)
            for at in itertools.product(*(range(length) for length in lines.shape[:-1])):
                mode(lines[at], width, axis, kwargs)
        return padded

    return pad


def name_results(np):
    """Gives the parts of what factorisations return their names, and angles their degrees."""
    names = {
        "eig": "EigResult eigenvalues eigenvectors",
        "eigh": "EighResult eigenvalues eigenvectors",
        "qr": "QRResult Q R",
        "slogdet": "SlogdetResult sign logabsdet",
        "svd": "SVDResult U S Vh",
    }
    for name, words in names.items():
        title, *parts = words.split()
        plain = getattr(np.linalg, name, None)
        if plain is not None:
            setattr(np.linalg, name, named(plain, namedtuple(title, parts)))
    np.angle = angle_of(np)


def angle_of(np):
    plain = np.angle

    def angle(z, deg=False, **kwargs):
        """The angle of complex numbers, in radians or degrees."""
        found = plain(z, **kwargs)
        return np.rad2deg(found) if deg else found

    return angle


def named(plain, result):
    @functools.wraps(plain)
    def function(*args, **kwargs):
        answer = plain(*args, **kwargs)
        return result(*answer) if isinstance(answer, tuple) else answer

    return function


def check_points(x, y):
    """Raises for points that no polynomial can be fitted to."""
    if x.ndim != 1:
        raise TypeError("expected 1D vector for x")
    if x.size == 0:
        raise TypeError("expected non-empty vector for x")
    if y.ndim < 1 or y.ndim > 2:
        raise TypeError("expected 1D or 2D array for y")
    if x.shape[0] != y.shape[0]:
        raise TypeError("expected x and y to have same length")


def polynomials(np):
    """Polynomials as NumPy's old functions have them: coefficients from the highest power down."""

    def line(value):
        return np.atleast_1d(value.coeffs if is_poly1d(value) else np.asarray(value))

    def is_poly1d(value):
        return hasattr(type(value), "_is_poly1d")

    def like(found, *given):
        """The result as a `poly1d` when one was given."""
        return next((type(one)(found) for one in given if is_poly1d(one)), found)

    def trimmed(p):
        p = line(p)
        used = np.nonzero(p)[0]
        return p[int(used[0]) :] if used.size else p[:0]

    def padded(a, b):
        a, b = line(a), line(b)
        length = max(a.size, b.size)
        return [np.concatenate([np.zeros(length - one.size, dtype=one.dtype), one]) for one in (a, b)]

    def polyval(p, x):
        """The values of a polynomial."""
        y = 0 if is_poly1d(x) else np.zeros_like(x := np.asarray(x))
        for coefficient in line(p):
            y = y * x + coefficient
        return y

    def polyadd(a1, a2):
        """The sum of two polynomials."""
        a, b = padded(a1, a2)
        return like(a + b, a1, a2)

    def polysub(a1, a2):
        """The difference of two polynomials."""
        a, b = padded(a1, a2)
        return like(a - b, a1, a2)

    def polymul(a1, a2):
        """The product of two polynomials."""
        return like(np.convolve(line(a1), line(a2)), a1, a2)

    def polydiv(u, v):
        """Quotient and rest of two polynomials."""
        given = u, v
        u, v = line(u) + 0.0, line(v) + 0.0
        steps = max(u.size - v.size + 1, 1)
        quotient, rest = np.zeros(steps), u.copy()
        for at in range(u.size - v.size + 1):
            factor = rest[at] / v[0]
            quotient[at] = factor
            rest[at : at + v.size] -= factor * v
        while rest.size > 1 and abs(rest[0]) <= 1e-14:
            rest = rest[1:]
        return like(quotient, *given), like(rest, *given)

    def polyder(p, m=1):
        """The derivative of a polynomial."""
        if m < 0:
            raise ValueError("Order of derivative must be positive (see polyint)")
        given, p = p, line(p)
        for _ in range(m):
            p = p[:-1] * np.arange(p.size - 1, 0, -1)
        return like(p, given)

    def polyint(p, m=1, k=None):
        """The antiderivative of a polynomial."""
        if m < 0:
            raise ValueError("Order of integral must be positive (see polyder)")
        given, p = p, line(p)
        constants = [0] if k is None else list(np.atleast_1d(k))
        if len(constants) == 1:
            constants *= m
        if len(constants) < m:
            raise ValueError("k must be a scalar or a rank-1 array of length 1 or >m.")
        for step in range(m):
            p = np.concatenate([p / np.arange(p.size, 0, -1), [constants[step]]])
        return like(p, given)

    def polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False):
        """The polynomial of a degree that fits points best, and with `full` or `cov` how well it does."""
        x, y = np.asarray(x) + 0.0, np.asarray(y) + 0.0
        if deg < 0:
            raise ValueError("expected deg >= 0")
        check_points(x, y)
        if rcond is None:
            rcond = x.size * np.finfo(x.dtype).eps
        columns = np.vander(x, deg + 1)
        if w is not None:
            w = np.asarray(w) + 0.0
            if w.ndim != 1:
                raise TypeError("expected a 1-d array for weights")
            if w.shape[0] != y.shape[0]:
                raise TypeError("expected w and y to have the same length")
            columns, y = columns * w[:, None], y * (w[:, None] if y.ndim == 2 else w)
        scale = np.sqrt((columns * columns).sum(axis=0))
        scaled = columns / scale
        solution, residuals, rank, singular = np.linalg.lstsq(scaled, y, rcond=rcond)
        solution = (solution.T / scale).T
        if rank != deg + 1 and not full:
            import warnings
            from numpy.exceptions import RankWarning

            warnings.warn("Polyfit may be poorly conditioned", RankWarning, stacklevel=2)
        if full:
            return solution, residuals, rank, singular, rcond
        if not cov:
            return solution
        spread = np.linalg.inv(np.matmul(scaled.T, scaled)) / np.outer(scale, scale)
        if isinstance(cov, str) and cov == "unscaled":
            factor = 1
        else:
            if x.size <= deg + 1:
                raise ValueError("the number of data points must exceed order to scale the covariance matrix")
            factor = residuals / (x.size - deg - 1)
        return solution, spread * factor if y.ndim == 1 else spread[:, :, None] * factor

    def poly(seq_of_zeros):
        """The polynomial with these roots, or of a matrix's eigenvalues."""
        zeros = line(seq_of_zeros)
        if zeros.ndim == 2:
            zeros = np.linalg.eigvals(zeros)
        product = np.ones(1)
        for zero in zeros:
            product = np.convolve(product, np.asarray([1, -zero]))
        if product.dtype.kind == "c" and bool(np.all(np.abs(product.imag) <= 1e-14 * np.abs(product).max())):
            return product.real
        return product

    def roots(p):
        """The roots of a polynomial."""
        p = line(p)
        if p.ndim != 1:
            raise ValueError("Input must be a rank-1 array.")
        used = np.nonzero(p)[0]
        if used.size == 0:
            return np.zeros(0)
        zeros_at_end = p.size - int(used[-1]) - 1
        p = p[int(used[0]) : int(used[-1]) + 1] + 0.0
        if p.size < 2:
            return np.zeros(zeros_at_end)
        companion = np.diag(np.ones(p.size - 2), -1) if p.size > 2 else np.zeros((1, 1))
        companion[0, :] = -p[1:] / p[0]
        found = np.linalg.eigvals(companion)
        return np.concatenate([found, np.zeros(zeros_at_end, dtype=found.dtype)])

    functions = [polyval, polyadd, polysub, polymul, polydiv, polyder, polyint, polyfit, poly, roots]
    return {function.__name__: function for function in functions}


def vectorize_of(np):
    """The class that calls a function once for every element."""

    class vectorize:
        """Calls a function of numbers for every element of arrays: a loop, not a program of a device."""

        def __init__(self, pyfunc, otypes=None, doc=None, excluded=None, cache=False, signature=None):
            if signature is not None:
                raise NotImplementedError("vectorize(signature=...) is not here; apply_along_axis walks along an axis")
            self.pyfunc, self.otypes, self.excluded = pyfunc, otypes, set(excluded or ())
            self.__doc__ = doc if doc is not None else pyfunc.__doc__
            self.__name__ = getattr(pyfunc, "__name__", "vectorized")

        def __call__(self, *args, **kwargs):
            places = [at for at in range(len(args)) if at not in self.excluded]
            names = [name for name in kwargs if name not in self.excluded]
            inputs = [np.asarray(args[at]) for at in places] + [np.asarray(kwargs[name]) for name in names]
            if not inputs:
                raise ValueError("args can not be empty")
            spread = np.broadcast_arrays(*inputs)
            shape = spread[0].shape
            if 0 in shape and self.otypes is None:
                raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
            given, keywords, results = list(args), dict(kwargs), []
            # NumPy hands plain Python numbers over; elements of a device stay arrays.
            on_host = np.__name__ == "numpy"
            for values in zip(*(one.ravel().tolist() if on_host else one.ravel() for one in spread)):
                for at, value in zip(places, values):
                    given[at] = value
                for name, value in zip(names, values[len(places) :]):
                    keywords[name] = value
                results.append(self.pyfunc(*given, **keywords))
            if results and isinstance(results[0], tuple):
                kinds = self.otypes or [np.asarray(one).dtype for one in results[0]]
                return tuple(np.asarray(part, dtype=kind).reshape(shape) for part, kind in zip(zip(*results), kinds))
            # The first result decides the dtype, as in NumPy.
            kind = self.otypes[0] if self.otypes else np.asarray(results[0]).dtype
            return np.asarray(results, dtype=kind).reshape(shape)

    return vectorize
