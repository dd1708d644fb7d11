"""Small objects around arrays and questions about them: iterators, addresses, requirements, common types."""

import itertools
import math
import operator


class flatiter:
    """The elements of an array one after the other in C order, as `x.flat`: reading, writing by position, iterating."""

    def __init__(self, X):
        if not hasattr(X, "ndim"):
            raise TypeError(f"Must provide an array, got {type(X)}")
        self.base, self._at = X, 0

    @property
    def index(self):
        """How many elements an iteration has passed."""
        return self._at

    @property
    def coords(self):
        """The position along each axis of the next element."""
        left, found = self._at, []
        for length in reversed(self.base.shape):
            found.append(left % length)
            left //= length
        return tuple(reversed(found))

    def _position(self, key):
        size = self.base.size
        if not hasattr(key, "__index__") or isinstance(key, bool):
            raise TypeError(f"flat takes an int or a slice, not {type(key)}; ravel() takes every subscript")
        key = operator.index(key)
        if not -size <= key < size:
            raise IndexError(f"index {key} is out of bounds for size {size}")
        key = key % size
        found = []
        for length in reversed(self.base.shape):
            found.append(key % length)
            key //= length
        return tuple(reversed(found))

    def __getitem__(self, key):
        if isinstance(key, slice):
            return self.base.reshape(-1)[key].copy()
        return self.base[self._position(key)]

    def __setitem__(self, key, value):
        if not isinstance(key, slice):
            self.base[self._position(key)] = value
            return
        places = range(*key.indices(self.base.size))
        if not hasattr(value, "__len__"):
            value = [value]
        for place, one in zip(places, itertools.cycle(value)):
            self.base[self._position(place)] = one

    def __array__(self, dtype=None, /, *, copy=None):
        return self.base.ravel().__array__(dtype, copy=copy)

    def __iter__(self):
        return self

    def __next__(self):
        if self._at >= self.base.size:
            raise StopIteration
        self._at += 1
        return self.base[self._position(self._at - 1)]

    def __len__(self):
        return self.base.size

    def copy(self):
        """The elements in a new one-dimensional array."""
        return self.base.flatten()


class ndindex:
    """The positions of an array of a shape, in C order."""

    def __init__(self, *shape):
        if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
            shape = tuple(shape[0])
        if any(length < 0 for length in shape):
            raise ValueError("negative dimensions are not allowed")
        self.shape = shape
        self._places = itertools.product(*(range(length) for length in shape))

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._places)

    def ndincr(self):
        """Moves to the next position."""
        next(self)


def _part(buffer, shape, dtype, offset, order):
    """A view of an array's memory from an element on, in another shape."""
    flat = buffer.reshape(-1)
    if dtype is not None and flat.dtype != dtype:
        flat = flat.view(dtype)
    length = math.prod(shape)
    if offset < 0 or offset + length > flat.size:
        raise TypeError("buffer is too small for requested array")
    return flat[offset : offset + length].reshape(shape, order=order)


def _lengths(shape):
    """A shape as a tuple."""
    return tuple(shape) if hasattr(shape, "__iter__") else (shape,)


def _plain(strides):
    """Refuses strides of one's own: what they describe is a slice of something."""
    if strides is not None:
        raise NotImplementedError("strides= is not here: slice, transpose or reshape an array instead")


def _strided_numpy(numpy, shape, dtype, buffer, offset, strides):
    """A view of a buffer, or an array of its own, with strides of one's own."""
    from _strides import strided

    shape, strides = _lengths(shape), _lengths(strides)
    if len(strides) != len(shape):
        raise ValueError("strides, if given, must be the same length as shape")
    if buffer is None:
        used = sum((length - 1) * step for length, step in zip(shape, strides)) + dtype.itemsize
        if any(step < 0 for step in strides) or used > max(1, math.prod(shape)) * dtype.itemsize:
            raise ValueError("strides is incompatible with shape of requested array and size of buffer")
        return strided(numpy.empty(shape, dtype=dtype).reshape(-1), shape, strides, 0, True)
    if isinstance(buffer, numpy.ndarray):
        if not buffer.flags.c_contiguous:
            raise ValueError("ndarray is not contiguous")
        plain = buffer.reshape(-1).view("uint8")
    else:
        plain = numpy.frombuffer(buffer, dtype="uint8")
    if (len(plain) - offset) % dtype.itemsize:
        plain = plain[: len(plain) - (len(plain) - offset) % dtype.itemsize]
    plain = plain[offset:].view(dtype)
    ends = [(length - 1) * step for length, step in zip(shape, strides)]
    low, high = sum(end for end in ends if end < 0), sum(end for end in ends if end > 0)
    if 0 not in shape and (low < 0 or high + dtype.itemsize > plain.nbytes):
        raise ValueError("strides is incompatible with shape of requested array and size of buffer")
    return strided(plain, shape, strides, 0, True)


def new_numpy_array(shape, dtype, buffer, offset, strides, order):
    """`numpy.ndarray(...)`"""
    import numpy

    dtype = numpy.dtype(float if dtype is None else dtype)
    order, offset = order or "C", offset or 0
    if strides is not None:
        return _strided_numpy(numpy, shape, dtype, buffer, offset, strides)
    if buffer is None:
        return numpy.empty(shape, dtype=dtype, order=order)
    shape = _lengths(shape)
    if isinstance(buffer, numpy.ndarray):
        return _part(buffer.reshape(-1).view("uint8")[offset:][: math.prod(shape) * dtype.itemsize], shape, dtype, 0, order)
    try:
        flat = numpy.frombuffer(buffer, dtype=dtype, count=math.prod(shape), offset=offset)
    except ValueError:
        raise TypeError("buffer is too small for requested array") from None
    return flat.reshape(shape, order=order)


def new_dpnp_array(shape, dtype, buffer, offset, strides, order, device, usm_type, sycl_queue):
    """`dpnp.ndarray(...)`"""
    import dpnp

    place = {"device": device, "sycl_queue": sycl_queue}
    return _on_device(dpnp, shape, dtype, buffer, offset, strides, order, usm_type, place)


def new_tensor_array(shape, dtype, strides, buffer, offset, order, buffer_ctor_kwargs, array_namespace):
    """`dpctl.tensor.usm_ndarray(...)`"""
    import dpctl.tensor

    place = {"sycl_queue": (buffer_ctor_kwargs or {}).get("queue")}
    return _on_device(dpctl.tensor, shape, dtype, buffer, offset, strides, order, None, place)


def _on_device(library, shape, dtype, buffer, offset, strides, order, usm_type, place):
    """An array on a device: `buffer` is a kind of memory, nothing, or an array whose memory it looks at."""
    _plain(strides)
    order = order or "C"
    if buffer is None or isinstance(buffer, str):
        if isinstance(buffer, str) and buffer not in ("device", "shared", "host"):
            raise ValueError(f"{buffer=} was not understood.")
        return library.empty(shape, dtype=dtype, order=order, usm_type=buffer or usm_type or "device", **place)
    if not hasattr(buffer, "__sycl_usm_array_interface__") or not hasattr(buffer, "reshape"):
        raise ValueError(f"buffer={str(buffer)!r} was not understood.")
    try:
        return library.asarray(_part(buffer, _lengths(shape), dtype, offset or 0, order))
    except TypeError:
        raise ValueError(f"buffer={str(buffer)!r} can not accommodate the requested array.") from None


def bind(np, is_numpy):
    ndarray = np.ndarray

    def checked(*arrays):
        for array in arrays:
            if not isinstance(array, ndarray):
                raise TypeError(f"An array must be any of supported type, but got {type(array)}")

    def binary_repr(num, width=None):
        """An int as a string of binary digits, two's complement when it is negative and has a width."""
        if num >= 0:
            text = bin(num)[2:]
        elif width is None:
            return "-" + bin(-num)[2:]
        else:
            needed = len(bin(-num)[2:])
            needed = needed if 2 ** (needed - 1) == -num else needed + 1
            if width < needed:
                raise ValueError(f"Insufficient bit width={width} provided for binwidth={needed}")
            return bin(2**width + num)[2:].rjust(width, "1")
        if width is not None and width < len(text):
            raise ValueError(f"Insufficient bit width={width} provided for binwidth={len(text)}")
        return text.zfill(width or 0)

    def common_type(*arrays):
        """The scalar class of inexact numbers that holds what the arrays hold."""
        precision = {"float16": 0, "complex64": 1, "float32": 1}
        best, is_complex = 0, False
        for array in arrays:
            if not is_numpy:
                checked(array)
            if array.dtype.kind == "b":
                raise TypeError("can't get common type for non-numeric array")
            is_complex = is_complex or array.dtype.kind == "c"
            best = max(best, precision.get(array.dtype.name, 2))
        if is_complex:
            return np.complex128 if best == 2 else np.complex64
        return (np.float16, np.float32, np.float64)[best]

    def fromiter(iter, dtype, count=-1, *, like=None, **place):
        """A one-dimensional array of what an iterable gives."""
        values = []
        for value in iter:
            if len(values) == count:
                break
            if isinstance(value, (list, tuple)):
                names = {"f": "float", "c": "complex"}
                name = names.get(np.dtype(dtype).kind, "int")
                raise TypeError(
                    f"{name}() argument must be a string, a bytes-like object or a real number, not '{type(value).__name__}'"
                )
            values.append(value)
        if len(values) < count:
            raise ValueError(f"iterator too short: Expected {count} but iterator had only {len(values)} items.")
        plain = np.asarray(values, **place)
        return plain.astype(dtype)

    def isfortran(a):
        """Whether the array is in Fortran order and not in C order."""
        if not is_numpy:
            checked(a)
        return a.flags.fnc

    def require(a, dtype=None, requirements=None, *, like=None):
        """The array, copied where that is needed for a dtype, an order or writing."""
        if not is_numpy:
            checked(a)
            if like is not None:
                raise NotImplementedError(
                    f"Keyword argument `like` is supported only with default value ``None``, but got {like}."
                )
        names = {"C": "C", "C_CONTIGUOUS": "C", "CONTIGUOUS": "C", "F": "F", "F_CONTIGUOUS": "F", "FORTRAN": "F"}
        names.update({"W": "W", "WRITABLE": "W", "WRITEABLE": "W"})
        if is_numpy:
            names.update({"A": "A", "ALIGNED": "A", "O": "O", "OWNDATA": "O", "E": "E", "ENSUREARRAY": "E"})
        wanted = set()
        for flag in requirements or ():
            if flag.upper() not in names:
                raise KeyError(flag) if is_numpy else ValueError(f"Incorrect flag {flag} in requirements")
            wanted.add(names[flag.upper()])
        if {"C", "F"} <= wanted:
            mark = '"' if is_numpy else "'"
            raise ValueError(f"Cannot specify both {mark}C{mark} and {mark}F{mark} order")
        array = np.asarray(a, dtype=dtype, order="C" if "C" in wanted else "F" if "F" in wanted else None)
        return array.copy() if "W" in wanted and not array.flags.writable else array

    def trim_zeros(filt, trim="fb", axis=None):
        """Without the zeros at the front and the back of each axis."""
        array = np.asarray(filt) if is_numpy else filt
        if not is_numpy:
            checked(filt)
        for letter in trim.lower():
            if letter not in "fb":
                raise ValueError(f"unexpected character(s) in `trim`: '{trim}'")
        axes = range(array.ndim) if axis is None else (axis,) if isinstance(axis, int) else axis
        for one in axes:
            if not -array.ndim <= one < array.ndim:
                from numpy.exceptions import AxisError

                raise AxisError(f"axis: axis {one} is out of bounds for array of dimension {array.ndim}")
        if array.ndim == 0:
            return array
        axes = [one % array.ndim for one in axes]
        found = np.nonzero(array)
        cut = [slice(None)] * array.ndim
        for one in axes:
            if array.size == 0 or found[0].size == 0:
                cut[one] = slice(0, 0)
                continue
            first = int(found[one].min()) if "f" in trim.lower() else 0
            last = int(found[one].max()) + 1 if "b" in trim.lower() else array.shape[one]
            cut[one] = slice(first, last)
        return array[tuple(cut)]

    def are_same_logical_tensors(ar1, ar2):
        """Whether two arrays are the same elements of the same memory."""
        checked(ar1, ar2)
        return (
            ar1.shape == ar2.shape
            and ar1.strides == ar2.strides
            and ar1.dtype == ar2.dtype
            and byte_bounds(ar1) == byte_bounds(ar2)
            and ar1.sycl_queue == ar2.sycl_queue
        )

    def byte_bounds(a):
        """The addresses of the first byte of an array and of the byte after its last."""
        checked(a)
        interface = a.__sycl_usm_array_interface__
        low = interface["data"][0] + interface.get("offset", 0) * a.itemsize
        high = low
        for length, stride in zip(a.shape, a.strides):
            if length > 0 and stride > 0:
                high += (length - 1) * stride
            elif length > 0:
                low += (length - 1) * stride
        return low, high + a.itemsize

    def asfarray(a, dtype=None, **place):
        """The input as an array of floats."""
        if dtype is None or np.dtype(dtype).kind not in "fc":
            kind = getattr(a, "dtype", None)
            dtype = kind if dtype is None and kind is not None and kind.kind in "fc" else default_float_type(**place)
        place.pop("usm_type", None) if place.get("usm_type") is None else None
        return np.asarray(a, dtype=dtype, **place)

    def default_float_type(device=None, sycl_queue=None, **_):
        """The dtype of floats that a device computes in when none is named."""
        return np.zeros(1, device=device, sycl_queue=sycl_queue).dtype

    def as_usm_ndarray(a, dtype=None, **place):
        """The same memory as an array of `dpnp.tensor`."""
        return np.asarray(a, dtype=dtype, **place).get_array()

    def get_usm_ndarray(a):
        """The same memory as an array of `dpnp.tensor`."""
        checked(a)
        return a.get_array()

    def is_supported_array_type(a):
        """Whether it is an array of a device."""
        return hasattr(a, "__sycl_usm_array_interface__")

    def is_supported_array_or_scalar(a):
        """Whether it is an array of a device or a scalar."""
        return np.isscalar(a) or is_supported_array_type(a)

    def check_supported_arrays_type(*arrays, scalar_type=False, all_scalars=False):
        """Raises `TypeError` for what is no array of a device (nor a scalar, where those are taken)."""
        seen = False
        for array in arrays:
            if scalar_type and np.isscalar(array):
                continue
            seen = True
            if not is_supported_array_type(array):
                raise TypeError(f"An array must be any of supported type, but got {type(array)}")
        if scalar_type and not (seen or all_scalars):
            raise TypeError("At least one input must be of supported array type, but got all scalars.")

    def get_usm_ndarray_or_scalar(a):
        """A scalar as it is, of an array the same memory as an array of `dpnp.tensor`."""
        return a if np.isscalar(a) else get_usm_ndarray(a)

    def get_normalized_queue_device(obj=None, device=None, sycl_queue=None):
        """The queue that `device=` and `sycl_queue=` name, else the one of `obj`, else the default one."""
        if device is None and sycl_queue is None and obj is not None and hasattr(obj, "sycl_queue"):
            sycl_queue = obj.sycl_queue
        return np.empty(0, device=device, sycl_queue=sycl_queue).sycl_queue

    def get_result_array(a, out=None, casting="safe"):
        """`a`, or `out` with the elements of `a` written into it."""
        as_own = lambda x: x if isinstance(x, ndarray) else np.asarray(x)
        if out is None:
            return as_own(a)
        out = as_own(out)
        if a is out or are_same_logical_tensors(a, out):
            return out
        if out.shape != a.shape:
            raise ValueError(f"Output array of shape {a.shape} is needed, got {out.shape}.")
        np.copyto(out, a, casting=casting)
        return out

    def is_cuda_backend(obj=None):
        """Whether an array, a queue or a device is one of CUDA, which no device here is."""
        return False

    def check_limitations(subok=False, like=None, initial=None, where=True, subok_linalg=True, signature=None):
        """Raises for keyword arguments whose values dpnp does not take."""
        given = (("like", like, None), ("subok", subok, False), ("initial", initial, None), ("where", where, True))
        for name, value, default in given:
            if value is not default:
                raise NotImplementedError(
                    f"Keyword argument `{name}` is only supported with default value ``{default}``, but got {value}."
                    if name in ("initial", "where")
                    else f"Keyword argument `{name}` is supported only with default value ``{default}``, but got {value}."
                )
        for name, value, default in (("subok", subok_linalg, True), ("signature", signature, None)):
            if value is not default:
                raise NotImplementedError(
                    f"keyword argument `{name}` is only supported with default value ``{default}``, but got {value}."
                )

    def synchronize_array_data(a):
        """Waits for the work that writes an array."""
        checked(a)
        a.sycl_queue.wait()

    def from_dlpack(x, /, *, device=None, copy=None):
        """An array of this engine as it is, a NumPy array copied to a device: no foreign memory is read here."""
        from _dlpack import taken

        return taken(np, x, device, copy)

    plain_fromfile = getattr(np, "fromfile", None)

    def fromfile(file, dtype=float, count=-1, sep="", offset=0, **place):
        """Numbers from a file: its path, or a file opened for reading, which is read from where it stands."""
        if not hasattr(file, "read"):
            return plain_fromfile(file, dtype=dtype, count=count, sep=sep, offset=offset, **place)
        if sep:
            if offset:
                raise TypeError("'offset' argument only permitted for binary files")
            text = file.read()
            text = text.decode() if isinstance(text, bytes) else text
            return np.fromstring(text, dtype=dtype, count=count, sep=sep, **place)
        file.seek(offset, 1)
        size = np.dtype(dtype).itemsize
        data = file.read() if count < 0 else file.read(count * size)
        return np.frombuffer(data[: len(data) // size * size], dtype=dtype, **place).copy()

    made = [binary_repr, common_type, fromiter, isfortran, require]
    replaced = {"trim_zeros": trim_zeros}
    if plain_fromfile is not None:
        replaced["fromfile"] = fromfile
    if not is_numpy:
        made += [
            are_same_logical_tensors, byte_bounds, asfarray, default_float_type, as_usm_ndarray, get_usm_ndarray,
            is_supported_array_type, is_supported_array_or_scalar, check_supported_arrays_type, synchronize_array_data,
            get_usm_ndarray_or_scalar, get_normalized_queue_device, get_result_array, is_cuda_backend, check_limitations,
        ]
    made += [from_dlpack]
    found = {function.__name__: function for function in made}
    found.update(ndindex=ndindex, flatiter=flatiter)
    return found, replaced
