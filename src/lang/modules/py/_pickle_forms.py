"""The forms that CPython and NumPy give the objects of their libraries in a pickle, where ours have other insides."""

import sys as _sys


class _Unfinished:
    """Stands for an array until its state has been read."""


def _reconstruct(cls, shape, kind):
    return _Unfinished()


def _dtype(text, align=False, copy=False):
    import numpy

    return numpy.dtype(text)


def _scalar(dtype, data):
    import numpy

    return numpy.frombuffer(_data(data), dtype=dtype)[0]


def _frombuffer(data, dtype, shape, order):
    import numpy

    return numpy.frombuffer(bytes(data), dtype=dtype).reshape(shape, order=order).copy(order=order)


def _encode(text, encoding="utf-8", errors="strict"):
    return text.encode(encoding, errors)


def _data(data):
    return data.encode("latin-1") if isinstance(data, str) else bytes(data)


def _from_bytes(name, whole):
    """A constructor that also takes the bytes in which CPython keeps dates and times."""

    def make(first, *rest):
        import datetime

        if isinstance(first, str):
            first = first.encode("latin-1")
        if not isinstance(first, bytes):
            return getattr(datetime, name)(first, *rest)
        return whole(datetime, list(first), *rest)

    return make


def _date(datetime, b):
    return datetime.date(b[0] << 8 | b[1], b[2], b[3])


def _time(datetime, b, tz=None):
    return datetime.time(b[0] & 127, b[1], b[2], b[3] << 16 | b[4] << 8 | b[5], tz, fold=b[0] >> 7)


def _moment(datetime, b, tz=None):
    day = (b[0] << 8 | b[1], b[2] & 127, b[3])
    return datetime.datetime(*day, b[4], b[5], b[6], b[7] << 16 | b[8] << 8 | b[9], tz, fold=b[2] >> 7)


class _Foreign(dict):
    """What stands for names that are not here, and for classes whose bytes are read in another way."""

    def name_of(self, obj):
        """The module and the name that a function of this file is written as."""
        for name, known in self.items():
            if known is obj:
                return name
        numpy = _sys.modules.get("numpy")
        if numpy is not None and obj is numpy.ndarray:
            return "numpy", "ndarray"
        return None

    def finish(self, made, state):
        """The array that stands for what was made, now that its state is known; for a dtype itself."""
        if type(made) is _Unfinished:
            import numpy

            version, shape, dtype, is_fortran, data = state
            if isinstance(data, list):
                raise NotImplementedError("arrays of objects are not read here: save lists, or arrays of numbers")
            order = "F" if is_fortran else "C"
            return numpy.frombuffer(_data(data), dtype=dtype).reshape(shape, order=order).copy(order=order)
        numpy = _sys.modules.get("numpy")
        if numpy is not None and isinstance(made, numpy.dtype):
            if state[1] == ">":
                raise NotImplementedError("arrays in the other byte order are not read here: save arr.astype(arr.dtype.newbyteorder('='))")
            return made
        return None


FOREIGN = _Foreign({
    ("numpy._core.multiarray", "_reconstruct"): _reconstruct,
    ("numpy._core.multiarray", "scalar"): _scalar,
    ("numpy._core.numeric", "_frombuffer"): _frombuffer,
    ("numpy.core.multiarray", "_reconstruct"): _reconstruct,
    ("numpy.core.multiarray", "scalar"): _scalar,
    ("numpy.core.numeric", "_frombuffer"): _frombuffer,
    ("numpy", "dtype"): _dtype,
    ("_codecs", "encode"): _encode,
    ("datetime", "date"): _from_bytes("date", _date),
    ("datetime", "time"): _from_bytes("time", _time),
    ("datetime", "datetime"): _from_bytes("datetime", _moment),
})


def _reduce_dtype(dtype):
    text = dtype.str
    order = text[0]
    return _dtype, (text[1:], False, True), (3, order, None, None, None, -1, -1, 0)


def _reduce_array(obj, numpy):
    is_fortran = obj.flags.f_contiguous and not obj.flags.c_contiguous
    data = obj.tobytes("F" if is_fortran else "C")
    return _reconstruct, (numpy.ndarray, (0,), b"b"), (1, obj.shape, obj.dtype, is_fortran, data)


def reduce_library(obj, protocol):
    """How an object of the library is written; nothing for instances of a program's own classes."""
    cls = type(obj)
    module, name = cls.__module__, cls.__name__
    if isinstance(obj, BaseException):
        return (cls, obj.args, obj.__dict__) if obj.__dict__ else (cls, obj.args)
    enum = _sys.modules.get("enum")
    if enum is not None and isinstance(obj, enum.Enum):
        return cls, (obj.value,)
    if module == "numpy" or module.startswith("numpy."):
        import numpy

        if cls is numpy.ndarray:
            return _reduce_array(obj, numpy)
        if isinstance(obj, numpy.dtype):
            return _reduce_dtype(obj)
        if isinstance(obj, numpy.generic):
            return _scalar, (obj.dtype, obj.tobytes())
    elif module == "collections":
        return _reduce_collection(obj, cls, name)
    elif module == "datetime":
        return _reduce_time(obj, cls, name)
    elif module == "fractions":
        return cls, (str(obj),)
    elif module == "pathlib":
        return cls, obj.parts
    elif module == "types" and name == "SimpleNamespace":
        return cls, (), obj.__dict__
    elif module in ("dpnp", "dpctl.tensor") or module.startswith("dpnp."):
        raise TypeError(f"cannot pickle '{name}' object: it lives on a device; pickle dpnp.asnumpy(x)")
    if callable(obj) and hasattr(obj, "__self__") and hasattr(obj, "__name__"):
        return getattr, (obj.__self__, obj.__name__)
    home = _sys.modules.get(module)
    if module == "__main__" or hasattr(home, "__file__") or (module, name) in _ALIKE:
        return None
    # What a class of the library keeps inside is its own affair, and not what CPython's keeps.
    full = name if module == "builtins" else f"{module}.{name}"
    raise TypeError(f"cannot pickle '{full}' object")


# Classes of the library whose attributes are those of CPython's.
_ALIKE = {("argparse", "Namespace")}


def _reduce_collection(obj, cls, name):
    if name == "OrderedDict":
        return cls, (), None, None, list(obj.items())
    if name == "defaultdict":
        return cls, (obj.default_factory,), None, None, list(obj.items())
    if name == "Counter":
        return cls, (dict(obj),)
    if name == "deque":
        return cls, () if obj.maxlen is None else ((), obj.maxlen), None, list(obj)
    raise TypeError(f"cannot pickle '{name}' object")


def _reduce_time(obj, cls, name):
    if name == "timedelta":
        return cls, (obj.days, obj.seconds, obj.microseconds)
    if name == "date":
        return cls, (obj.year, obj.month, obj.day)
    if name == "time":
        return cls, (obj.hour, obj.minute, obj.second, obj.microsecond, obj.tzinfo)
    if name == "datetime":
        return cls, (obj.year, obj.month, obj.day, obj.hour, obj.minute, obj.second, obj.microsecond, obj.tzinfo)
    if name == "timezone":
        return cls, (obj.utcoffset(None),)
    raise TypeError(f"cannot pickle '{name}' object")
