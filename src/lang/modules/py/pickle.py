"""Values as bytes and back, in the protocols 2 to 5: CPython reads what this writes, and the other way round.

Built-in types, instances and functions by the name of their class or module, NumPy's arrays, scalars and dtypes. What has no
such form (generators, files, arrays of a device) is refused by name.
"""

import sys as _sys
from _pickle_forms import FOREIGN, reduce_library

__all__ = [
    "PickleError", "PicklingError", "UnpicklingError", "Pickler", "Unpickler", "dump", "dumps", "load", "loads",
    "HIGHEST_PROTOCOL", "DEFAULT_PROTOCOL",
]

HIGHEST_PROTOCOL = 5
DEFAULT_PROTOCOL = 4
format_version = "4.0"


class PickleError(Exception):
    """Something about pickling."""


class PicklingError(PickleError):
    """A value that cannot become bytes."""


class UnpicklingError(PickleError):
    """Bytes that are no value."""


_OLD_NAMES = {"builtins": "__builtin__", "copyreg": "copy_reg"}
_NEW_NAMES = {"__builtin__": "builtins", "copy_reg": "copyreg", "exceptions": "builtins"}
# What protocol 2 calls by Python 2's names.
_RENAMED = {"xrange": "range", "long": "int", "unicode": "str", "unichr": "chr"}
_BATCH = 1000


class Pickler:
    """Writes values to a file."""

    def __init__(self, file, protocol=None, *, fix_imports=True, buffer_callback=None):
        if protocol is None:
            protocol = DEFAULT_PROTOCOL
        if protocol < 0:
            protocol = HIGHEST_PROTOCOL
        if protocol > HIGHEST_PROTOCOL:
            raise ValueError(f"pickle protocol must be <= {HIGHEST_PROTOCOL}")
        if protocol < 2:
            raise NotImplementedError(f"pickle protocol {protocol} is not written here: 2 is the oldest one")
        if buffer_callback is not None:
            raise NotImplementedError("buffers outside the pickle are not written here: leave out buffer_callback")
        if not hasattr(file, "write"):
            raise TypeError("file must have a 'write' attribute")
        self._file = file
        self.proto = protocol
        self.memo = {}

    def clear_memo(self):
        """Forgets which objects were written."""
        self.memo.clear()

    def persistent_id(self, obj):
        """For deriving classes: what stands for an object that is kept elsewhere."""
        return None

    def dump(self, obj):
        """Writes a value."""
        self._parts = [b"\x80" + bytes([self.proto])]
        self._save(obj)
        self._parts.append(b".")
        parts, self._parts = self._parts, []
        self._file.write(b"".join(parts))

    def _memoize(self, obj):
        number = len(self.memo)
        # The object is kept, so that its identity stays its own.
        self.memo[id(obj)] = number, obj
        if self.proto >= 4:
            self._parts.append(b"\x94")
        elif number < 256:
            self._parts.append(b"q" + bytes([number]))
        else:
            self._parts.append(b"r" + number.to_bytes(4, "little"))

    def _get(self, number):
        self._parts.append(b"h" + bytes([number]) if number < 256 else b"j" + number.to_bytes(4, "little"))

    def _save(self, obj):
        persistent = self.persistent_id(obj)
        if persistent is not None:
            self._save(persistent)
            self._parts.append(b"Q")
            return
        known = self.memo.get(id(obj))
        if known is not None:
            self._get(known[0])
            return
        writer = _WRITERS.get(type(obj))
        if writer is not None:
            writer(self, obj)
        elif isinstance(obj, type) or callable(obj) and hasattr(obj, "__qualname__") and hasattr(obj, "__module__") and not hasattr(obj, "__self__"):
            self._save_global(obj)
        else:
            self._save_reduced(obj)

    def _save_none(self, obj):
        self._parts.append(b"N")

    def _save_bool(self, obj):
        self._parts.append(b"\x88" if obj else b"\x89")

    def _save_int(self, obj):
        if 0 <= obj < 256:
            self._parts.append(b"K" + bytes([obj]))
        elif 0 <= obj < 65536:
            self._parts.append(b"M" + obj.to_bytes(2, "little"))
        elif -(2**31) <= obj < 2**31:
            self._parts.append(b"J" + obj.to_bytes(4, "little", signed=True))
        else:
            data = obj.to_bytes((obj.bit_length() >> 3) + 1, "little", signed=True)
            if obj < 0 and len(data) > 1 and data[-1] == 0xFF and data[-2] & 0x80:
                data = data[:-1]
            size = b"\x8a" + bytes([len(data)]) if len(data) < 256 else b"\x8b" + len(data).to_bytes(4, "little")
            self._parts.append(size + data)

    def _save_float(self, obj):
        import struct

        self._parts.append(b"G" + struct.pack(">d", obj))

    def _save_complex(self, obj):
        self._reduce(obj, complex, (obj.real, obj.imag))

    def _sized(self, short, middle, long, data):
        """Data after its length, in the shortest form there is."""
        size = len(data)
        if size < 256 and short:
            self._parts.append(short + bytes([size]))
        elif size < 2**32:
            self._parts.append(middle + size.to_bytes(4, "little"))
        elif self.proto >= 4:
            self._parts.append(long + size.to_bytes(8, "little"))
        else:
            raise OverflowError("4 GiB and more in one piece need protocol 4 or higher")
        self._parts.append(data)

    def _save_str(self, obj):
        data = obj.encode("utf-8", "surrogatepass")
        self._sized(b"\x8c" if self.proto >= 4 else None, b"X", b"\x8d", data)
        self._memoize(obj)

    def _save_bytes(self, obj):
        if self.proto < 3:
            if obj:
                self._reduce(obj, FOREIGN["_codecs", "encode"], (obj.decode("latin-1"), "latin1"))
            else:
                self._reduce(obj, bytes, ())
            return
        self._sized(b"C", b"B", b"\x8e", obj)
        self._memoize(obj)

    def _save_bytearray(self, obj):
        if self.proto < 5:
            self._reduce(obj, bytearray, (bytes(obj),) if obj else ())
            return
        self._parts.append(b"\x96" + len(obj).to_bytes(8, "little"))
        self._parts.append(bytes(obj))
        self._memoize(obj)

    def _save_tuple(self, obj):
        if not obj:
            self._parts.append(b")")
            return
        if len(obj) > 3:
            self._parts.append(b"(")
        for item in obj:
            self._save(item)
        known = self.memo.get(id(obj))
        if known is not None:
            # It holds itself: its items have written it.
            self._parts.append(b"1" if len(obj) > 3 else b"0" * len(obj))
            self._get(known[0])
            return
        self._parts.append((b"\x85", b"\x86", b"\x87")[len(obj) - 1] if len(obj) <= 3 else b"t")
        self._memoize(obj)

    def _batches(self, items, one, many, save):
        items = list(items)
        for start in range(0, len(items), _BATCH):
            batch = items[start : start + _BATCH]
            if len(batch) > 1:
                self._parts.append(b"(")
            for item in batch:
                save(item)
            self._parts.append(many if len(batch) > 1 else one)

    def _save_pair(self, pair):
        self._save(pair[0])
        self._save(pair[1])

    def _save_list(self, obj):
        self._parts.append(b"]")
        self._memoize(obj)
        self._batches(obj, b"a", b"e", self._save)

    def _save_dict(self, obj):
        self._parts.append(b"}")
        self._memoize(obj)
        self._batches(obj.items(), b"s", b"u", self._save_pair)

    def _save_set(self, obj):
        if self.proto < 4:
            self._reduce(obj, set, (list(obj),))
            return
        self._parts.append(b"\x8f")
        self._memoize(obj)
        items = list(obj)
        for start in range(0, len(items), _BATCH):
            self._parts.append(b"(")
            for item in items[start : start + _BATCH]:
                self._save(item)
            self._parts.append(b"\x90")

    def _save_frozenset(self, obj):
        if self.proto < 4:
            self._reduce(obj, frozenset, (list(obj),))
            return
        self._parts.append(b"(")
        for item in obj:
            self._save(item)
        known = self.memo.get(id(obj))
        if known is not None:
            self._parts.append(b"1")
            self._get(known[0])
            return
        self._parts.append(b"\x91")
        self._memoize(obj)

    def _save_range(self, obj):
        self._reduce(obj, range, (obj.start, obj.stop, obj.step))

    def _save_slice(self, obj):
        self._reduce(obj, slice, (obj.start, obj.stop, obj.step))

    def _save_singleton(self, obj):
        self._save_named(obj, "builtins", "Ellipsis" if obj is ... else "NotImplemented")

    def _save_named(self, obj, module, name):
        if self.proto >= 4:
            self._save(module)
            self._save(name)
            self._parts.append(b"\x93")
        elif "." in name:
            self._reduce(obj, getattr, (_sys.modules[module], name))
            return
        else:
            if self.proto < 3:
                module = _OLD_NAMES.get(module, module)
            self._parts.append(b"c" + module.encode() + b"\n" + name.encode() + b"\n")
        self._memoize(obj)

    def _save_global(self, obj):
        foreign = FOREIGN.name_of(obj)
        if foreign is not None:
            self._save_named(obj, *foreign)
            return
        name = getattr(obj, "__qualname__", None) or obj.__name__
        module = getattr(obj, "__module__", None) or "__main__"
        try:
            found = _find(module, name)
        except (ImportError, KeyError, AttributeError):
            if "<locals>" in name:
                raise AttributeError(f"Can't pickle local object {name!r}") from None
            raise PicklingError(f"Can't pickle {obj!r}: attribute lookup {name} on {module} failed") from None
        if found is not obj:
            raise PicklingError(f"Can't pickle {obj!r}: it's not the same object as {module}.{name}")
        self._save_named(obj, module, name)

    def _save_reduced(self, obj):
        cls = type(obj)
        reduced = None
        for base in cls.__mro__[:-1]:
            own = vars(base)
            if "__reduce_ex__" in own:
                reduced = obj.__reduce_ex__(self.proto)
                break
            if "__reduce__" in own:
                reduced = obj.__reduce__()
                break
        if reduced is None:
            reduced = reduce_library(obj, self.proto)
        if reduced is None:
            self._save_instance(obj)
            return
        if isinstance(reduced, str):
            self._save_named(obj, cls.__module__ if not hasattr(obj, "__module__") else obj.__module__, reduced)
            return
        if not isinstance(reduced, tuple) or not 2 <= len(reduced) <= 6:
            raise PicklingError(f"__reduce__ of {cls.__name__} must return a string or tuple")
        self._reduce(obj, *reduced)

    def _reduce(self, obj, function, args, state=None, items=None, pairs=None, setter=None):
        self._save(function)
        self._save(args)
        self._parts.append(b"R")
        known = self.memo.get(id(obj))
        if known is not None:
            self._parts.append(b"0")
            self._get(known[0])
            return
        self._memoize(obj)
        self._fill(obj, items, pairs, state, setter)

    def _fill(self, obj, items, pairs, state, setter=None):
        if items is not None:
            self._batches(items, b"a", b"e", self._save)
        if pairs is not None:
            self._batches(pairs, b"s", b"u", self._save_pair)
        if state is None:
            return
        if setter is not None:
            self._save(setter)
            self._save(obj)
            self._save(state)
            self._parts.append(b"\x86R0")
            return
        self._save(state)
        self._parts.append(b"b")

    def _save_instance(self, obj):
        cls = type(obj)
        args, kwargs = (), {}
        if hasattr(cls, "__getnewargs_ex__"):
            args, kwargs = obj.__getnewargs_ex__()
        elif hasattr(cls, "_fields") and isinstance(obj, tuple):
            args = tuple(obj)
        elif any("__getnewargs__" in vars(base) for base in cls.__mro__[:-1]):
            args = obj.__getnewargs__()
        else:
            for base in (int, float, complex, str, bytes, tuple, bytearray):
                if isinstance(obj, base):
                    args = (base(obj),)
        state = _state_of(obj)
        if isinstance(obj, (set, frozenset)):
            self._reduce(obj, cls, (list(obj),), state)
            return
        self._save(cls)
        self._save(args)
        if kwargs:
            if self.proto < 4:
                raise PicklingError("arguments by name need protocol 4 or higher")
            self._save(kwargs)
            self._parts.append(b"\x92")
        else:
            self._parts.append(b"\x81")
        self._memoize(obj)
        items = list.__iter__(obj) if isinstance(obj, list) else None
        pairs = dict.items(obj) if isinstance(obj, dict) else None
        self._fill(obj, items, pairs, state)


def _state_of(obj):
    """What an instance has besides its class: its attributes, and its slots beside them."""
    cls = type(obj)
    for base in cls.__mro__[:-1]:
        if "__getstate__" in vars(base):
            return obj.__getstate__()
    state = dict(obj.__dict__) if hasattr(obj, "__dict__") else None
    slots = {}
    for base in cls.__mro__[:-1]:
        names = vars(base).get("__slots__", ())
        for name in (names,) if isinstance(names, str) else names:
            if name in ("__dict__", "__weakref__"):
                continue
            if name.startswith("__") and not name.endswith("__"):
                name = f"_{base.__name__.lstrip('_')}{name}"
            if hasattr(obj, name):
                slots[name] = getattr(obj, name)
    return (state or None, slots) if slots else state or None


_WRITERS = {
    type(None): Pickler._save_none, bool: Pickler._save_bool, int: Pickler._save_int, float: Pickler._save_float,
    complex: Pickler._save_complex, str: Pickler._save_str, bytes: Pickler._save_bytes, bytearray: Pickler._save_bytearray,
    tuple: Pickler._save_tuple, list: Pickler._save_list, dict: Pickler._save_dict, set: Pickler._save_set,
    frozenset: Pickler._save_frozenset, range: Pickler._save_range, slice: Pickler._save_slice,
    type(...): Pickler._save_singleton, type(NotImplemented): Pickler._save_singleton,
}


def _find(module, name):
    """What a dotted name in a module stands for."""
    if module not in _sys.modules:
        __import__(module)
    found = _sys.modules[module]
    for part in name.split("."):
        if part == "<locals>":
            raise AttributeError(f"Can't get local attribute {name!r} on {found!r}")
        found = getattr(found, part)
    return found


_MARK = object()


class Unpickler:
    """Reads values from a file."""

    def __init__(self, file, *, fix_imports=True, encoding="ASCII", errors="strict", buffers=None):
        if not hasattr(file, "read") or not hasattr(file, "readline"):
            raise TypeError("file must have 'read' and 'readline' attributes")
        self._file = file
        self.memo = {}

    def persistent_load(self, pid):
        """For deriving classes: the object that something stands for."""
        raise UnpicklingError("unsupported persistent id encountered")

    def find_class(self, module, name):
        """What a name in a module stands for."""
        if module == "__builtin__":
            name = _RENAMED.get(name, name)
        module = _NEW_NAMES.get(module, module)
        foreign = FOREIGN.get((module, name))
        if foreign is not None:
            return foreign
        return _find(module, name)

    def _read(self, count):
        data = self._file.read(count)
        if len(data) < count:
            raise UnpicklingError("pickle data was truncated")
        return data

    def _number(self, count):
        return int.from_bytes(self._read(count), "little")

    def _line(self):
        line = self._file.readline()
        if not line.endswith(b"\n"):
            raise UnpicklingError("pickle data was truncated")
        return line[:-1].decode("utf-8")

    def load(self):
        """Reads a value."""
        self.stack, self._below = [], []
        try:
            while True:
                code = self._file.read(1)
                if not code:
                    raise EOFError("Ran out of input")
                if code == b".":
                    return self.stack.pop()
                reader = _READERS.get(code)
                if reader is None:
                    if code in b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ":
                        raise UnpicklingError(f"pickle data of a protocol before 2 is not read here ({code!r})")
                    raise UnpicklingError(f"invalid load key, {ascii(code.decode('latin-1'))}.")
                reader(self)
        except IndexError:
            raise UnpicklingError("unpickling stack underflow") from None
        finally:
            self.stack = self._below = None

    def _to_mark(self):
        items, self.stack = self.stack, self._below.pop()
        return items

    def _push(self, value):
        self.stack.append(value)

    def _mark(self):
        self._below.append(self.stack)
        self.stack = []

    def _memoize(self):
        self.memo[len(self.memo)] = self.stack[-1]

    def _put(self, number):
        self.memo[number] = self.stack[-1]

    def _get(self, number):
        if number not in self.memo:
            raise UnpicklingError(f"Memo value not found at index {number}")
        self.stack.append(self.memo[number])

    def _tuple(self, count):
        items = self.stack[len(self.stack) - count :]
        if len(items) < count:
            raise IndexError
        del self.stack[len(self.stack) - count :]
        self.stack.append(tuple(items))

    def _float(self):
        import struct

        self.stack.append(struct.unpack(">d", self._read(8))[0])

    def _text(self, size):
        self.stack.append(self._read(size).decode("utf-8", "surrogatepass"))

    def _append(self):
        item = self.stack.pop()
        self.stack[-1].append(item)

    def _appends(self):
        items = self._to_mark()
        self.stack[-1].extend(items)

    def _set_item(self):
        value, key = self.stack.pop(), self.stack.pop()
        self.stack[-1][key] = value

    def _set_items(self):
        items = self._to_mark()
        target = self.stack[-1]
        for at in range(0, len(items), 2):
            target[items[at]] = items[at + 1]

    def _add_items(self):
        items = self._to_mark()
        self.stack[-1].update(items)

    def _stack_global(self):
        name, module = self.stack.pop(), self.stack.pop()
        if type(name) is not str or type(module) is not str:
            raise UnpicklingError("STACK_GLOBAL requires str")
        self.stack.append(self.find_class(module, name))

    def _global(self):
        module = self._line()
        self.stack.append(self.find_class(module, self._line()))

    def _reduce(self):
        args, function = self.stack.pop(), self.stack.pop()
        self.stack.append(function(*args))

    def _new(self):
        args, cls = self.stack.pop(), self.stack.pop()
        self.stack.append(cls.__new__(cls, *args))

    def _new_named(self):
        kwargs, args, cls = self.stack.pop(), self.stack.pop(), self.stack.pop()
        self.stack.append(cls.__new__(cls, *args, **kwargs))

    def _build(self):
        state, made = self.stack.pop(), self.stack[-1]
        finished = FOREIGN.finish(made, state)
        if finished is not None:
            # An array exists once its state is there: it takes the place of what stood for it.
            self.stack[-1] = finished
            for number, known in self.memo.items():
                if known is made:
                    self.memo[number] = finished
            return
        setter = getattr(made, "__setstate__", None)
        if setter is not None:
            setter(state)
            return
        slots = None
        if isinstance(state, tuple) and len(state) == 2:
            state, slots = state
        if state and isinstance(made, BaseException):
            slots = {**state, **(slots or {})}
        elif state:
            made.__dict__.update(state)
        for name, value in (slots or {}).items():
            setattr(made, name, value)

    def _pop(self):
        if self.stack:
            self.stack.pop()
        else:
            self._to_mark()

    def _persistent(self):
        self.stack.append(self.persistent_load(self.stack.pop()))

    def _proto(self):
        if self._number(1) > HIGHEST_PROTOCOL:
            raise ValueError("unsupported pickle protocol")

    def _signed(self, count):
        self.stack.append(int.from_bytes(self._read(count), "little", signed=True))

    def _frozenset(self):
        items = self._to_mark()
        self.stack.append(frozenset(items))

    def _tuple_to_mark(self):
        items = self._to_mark()
        self.stack.append(tuple(items))


_READERS = {
    b"\x80": Unpickler._proto, b"\x95": lambda self: self._number(8), b"(": Unpickler._mark, b"0": Unpickler._pop,
    b"1": lambda self: self._to_mark(), b"2": lambda self: self._push(self.stack[-1]), b"N": lambda self: self._push(None),
    b"\x88": lambda self: self._push(True), b"\x89": lambda self: self._push(False),
    b"K": lambda self: self._push(self._number(1)), b"M": lambda self: self._push(self._number(2)),
    b"J": lambda self: self._signed(4), b"\x8a": lambda self: self._signed(self._number(1)),
    b"\x8b": lambda self: self._signed(self._number(4)), b"G": Unpickler._float,
    b"X": lambda self: self._text(self._number(4)), b"\x8c": lambda self: self._text(self._number(1)),
    b"\x8d": lambda self: self._text(self._number(8)), b"B": lambda self: self._push(self._read(self._number(4))),
    b"C": lambda self: self._push(self._read(self._number(1))), b"\x8e": lambda self: self._push(self._read(self._number(8))),
    b"\x96": lambda self: self._push(bytearray(self._read(self._number(8)))),
    b")": lambda self: self._push(()), b"\x85": lambda self: self._tuple(1), b"\x86": lambda self: self._tuple(2),
    b"\x87": lambda self: self._tuple(3), b"t": Unpickler._tuple_to_mark, b"]": lambda self: self._push([]),
    b"a": Unpickler._append, b"e": Unpickler._appends, b"}": lambda self: self._push({}), b"s": Unpickler._set_item,
    b"u": Unpickler._set_items, b"\x8f": lambda self: self._push(set()), b"\x90": Unpickler._add_items,
    b"\x91": Unpickler._frozenset, b"c": Unpickler._global, b"\x93": Unpickler._stack_global, b"R": Unpickler._reduce,
    b"\x81": Unpickler._new, b"\x92": Unpickler._new_named, b"b": Unpickler._build, b"\x94": Unpickler._memoize,
    b"q": lambda self: self._put(self._number(1)), b"r": lambda self: self._put(self._number(4)),
    b"h": lambda self: self._get(self._number(1)), b"j": lambda self: self._get(self._number(4)), b"Q": Unpickler._persistent,
}


def dump(obj, file, protocol=None, *, fix_imports=True, buffer_callback=None):
    """Writes a value to a file."""
    Pickler(file, protocol, buffer_callback=buffer_callback).dump(obj)


def dumps(obj, protocol=None, *, fix_imports=True, buffer_callback=None):
    """A value as bytes."""
    import io

    file = io.BytesIO()
    Pickler(file, protocol, buffer_callback=buffer_callback).dump(obj)
    return file.getvalue()


def load(file, *, fix_imports=True, encoding="ASCII", errors="strict", buffers=None):
    """Reads a value from a file."""
    return Unpickler(file).load()


def loads(data, /, *, fix_imports=True, encoding="ASCII", errors="strict", buffers=None):
    """The value that bytes stand for."""
    import io

    if isinstance(data, str):
        raise TypeError("a bytes-like object is required, not 'str'")
    return Unpickler(io.BytesIO(data)).load()
