"""Weak references: objects that are known without being kept alive."""

import atexit
import itertools
from _weakref import ReferenceType, getweakrefcount, getweakrefs, ref
from collections.abc import MutableMapping, MutableSet
from types import MethodType

__all__ = [
    "ref", "proxy", "getweakrefcount", "getweakrefs", "WeakKeyDictionary", "ReferenceType", "ProxyType",
    "CallableProxyType", "ProxyTypes", "WeakValueDictionary", "WeakSet", "WeakMethod", "finalize",
]


def _target(own):
    found = object.__getattribute__(own, "_reference")()
    if found is None:
        raise ReferenceError("weakly-referenced object no longer exists")
    return found


class ProxyType:
    """Stands for an object without keeping it alive; raises ReferenceError when it is gone."""

    __slots__ = ("_reference", "__weakref__")
    __hash__ = None

    def __getattribute__(self, name):
        return getattr(_target(self), name)

    def __setattr__(self, name, value):
        setattr(_target(self), name, value)

    def __delattr__(self, name):
        delattr(_target(self), name)

    def __repr__(self):
        target = _target(self)
        return f"<weakproxy at {hex(id(self))} to {type(target).__name__} at {hex(id(target))}>"

    def __str__(self):
        return str(_target(self))

    def __bool__(self):
        return bool(_target(self))


def _forward(name):
    def method(self, *args):
        args = [_target(arg) if _is_proxy(arg) else arg for arg in args]
        return getattr(_target(self), name)(*args)

    method.__name__ = name
    setattr(ProxyType, name, method)


def _is_proxy(value):
    """Whether a value is a proxy, without asking what it stands for."""
    return type(value) in ProxyTypes


def _forward_operator(name, operate):
    def method(self, other):
        return operate(_target(self), _target(other) if _is_proxy(other) else other)

    setattr(ProxyType, name, method)


for _name in "len contains getitem setitem delitem iter next int float index reversed neg pos abs invert".split():
    _forward(f"__{_name}__")
for _name, _operate in {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b, "add": lambda a, b: a + b, "radd": lambda a, b: b + a,
    "sub": lambda a, b: a - b, "rsub": lambda a, b: b - a, "mul": lambda a, b: a * b, "rmul": lambda a, b: b * a,
    "truediv": lambda a, b: a / b, "rtruediv": lambda a, b: b / a, "floordiv": lambda a, b: a // b,
    "rfloordiv": lambda a, b: b // a, "mod": lambda a, b: a % b, "rmod": lambda a, b: b % a,
    "pow": lambda a, b: a**b, "rpow": lambda a, b: b**a, "matmul": lambda a, b: a @ b, "rmatmul": lambda a, b: b @ a,
    "and": lambda a, b: a & b, "rand": lambda a, b: b & a, "or": lambda a, b: a | b, "ror": lambda a, b: b | a,
    "xor": lambda a, b: a ^ b, "rxor": lambda a, b: b ^ a, "lshift": lambda a, b: a << b, "rshift": lambda a, b: a >> b,
}.items():
    _forward_operator(f"__{_name}__", _operate)


class CallableProxyType(ProxyType):
    """A proxy of something that can be called."""

    __slots__ = ()

    def __call__(self, *args, **kwargs):
        return _target(self)(*args, **kwargs)


ProxyTypes = (ProxyType, CallableProxyType)


def proxy(object, callback=None, /):
    """Something that stands for an object without keeping it alive."""
    if callback is None:
        return _new_proxy(object, ref(object))

    def gone(_):
        living = made()
        if living is not None:
            callback(living)

    found = _new_proxy(object, ref(object, gone))
    made = ref(found)
    return found


def _new_proxy(target, reference):
    found = object.__new__(CallableProxyType if callable(target) else ProxyType)
    object.__setattr__(found, "_reference", reference)
    return found


class WeakMethod:
    """A weak reference to a bound method, which lives as long as its object."""

    def __init__(self, meth, callback=None):
        try:
            target, function = meth.__self__, meth.__func__
        except AttributeError:
            raise TypeError(f"argument should be a bound method, not {type(meth)}") from None
        self._called, self._callback = False, callback
        own = ref(self)

        def gone(_):
            method = own()
            if method is not None and not method._called:
                method._called = True
                if method._callback is not None:
                    method._callback(method)

        self._target = ref(target, gone)
        self._function = ref(function, gone)

    def __call__(self):
        target, function = self._target(), self._function()
        return None if target is None or function is None else MethodType(function, target)

    def __eq__(self, other):
        if not isinstance(other, WeakMethod):
            return NotImplemented
        if self() is None or other() is None:
            return self is other
        return self._target == other._target and self._function == other._function

    def __hash__(self):
        return hash(self._function)


class _WeakDictionary(MutableMapping):
    """What both kinds of dictionary have in common; `data` may have entries that are about to go."""

    def __len__(self):
        return len(self.data)

    def __repr__(self):
        return f"<{self.__class__.__name__} at {id(self):#x}>"

    def __iter__(self):
        return self.keys()


class WeakValueDictionary(_WeakDictionary):
    """A dict whose entries go with their values."""

    def __init__(self, other=(), /, **kw):
        self.data = {}
        self.update(other, **kw)

    def _reference(self, key, value):
        own = ref(self)

        def gone(reference):
            dictionary = own()
            # Another value may have taken the key's place since.
            if dictionary is not None and dictionary.data.get(key) is reference:
                del dictionary.data[key]

        return ref(value, gone)

    def __getitem__(self, key):
        value = self.data[key]()
        if value is None:
            raise KeyError(key)
        return value

    def __setitem__(self, key, value):
        self.data[key] = self._reference(key, value)

    def __delitem__(self, key):
        del self.data[key]

    def __contains__(self, key):
        reference = self.data.get(key)
        return reference is not None and reference() is not None

    def keys(self):
        """The keys whose values live."""
        for key, reference in list(self.data.items()):
            if reference() is not None:
                yield key

    def values(self):
        """The values that live."""
        for reference in list(self.data.values()):
            value = reference()
            if value is not None:
                yield value

    def items(self):
        """Keys and values that live."""
        for key, reference in list(self.data.items()):
            value = reference()
            if value is not None:
                yield key, value

    def get(self, key, default=None):
        """The value of a key, the default when there is none."""
        reference = self.data.get(key)
        value = None if reference is None else reference()
        return default if value is None else value

    def setdefault(self, key, default=None):
        """The value of a key, which becomes the default when there is none."""
        value = self.get(key)
        if value is None:
            self[key] = value = default
        return value

    def pop(self, key, *args):
        """Takes a key's value out."""
        reference = self.data.pop(key, None)
        value = None if reference is None else reference()
        if value is not None:
            return value
        if args:
            return args[0]
        raise KeyError(key)

    def popitem(self):
        """Takes the last living entry out."""
        while True:
            key, reference = self.data.popitem()
            value = reference()
            if value is not None:
                return key, value

    def update(self, other=None, /, **kwargs):
        """Takes over entries."""
        if other is not None:
            pairs = other.items() if hasattr(other, "items") else other
            for key, value in list(pairs):
                self[key] = value
        for key, value in kwargs.items():
            self[key] = value

    def copy(self):
        """Another dictionary with the same entries."""
        return WeakValueDictionary(self)

    __copy__ = copy

    def valuerefs(self):
        """The references to the values."""
        return list(self.data.values())

    def itervaluerefs(self):
        """The references to the values, one after the other."""
        return iter(self.valuerefs())


class WeakKeyDictionary(_WeakDictionary):
    """A dict whose entries go with their keys."""

    def __init__(self, dict=None):
        self.data = {}
        own = ref(self)

        def gone(reference):
            dictionary = own()
            if dictionary is not None:
                dictionary.data.pop(reference, None)

        self._gone = gone
        if dict is not None:
            self.update(dict)

    def __getitem__(self, key):
        return self.data[ref(key)]

    def __setitem__(self, key, value):
        self.data[ref(key, self._gone)] = value

    def __delitem__(self, key):
        del self.data[ref(key)]

    def __contains__(self, key):
        try:
            return ref(key) in self.data
        except TypeError:
            return False

    def keys(self):
        """The keys that live."""
        for reference in list(self.data):
            key = reference()
            if key is not None:
                yield key

    def values(self):
        """The values whose keys live."""
        for reference, value in list(self.data.items()):
            if reference() is not None:
                yield value

    def items(self):
        """Living keys and their values."""
        for reference, value in list(self.data.items()):
            key = reference()
            if key is not None:
                yield key, value

    def get(self, key, default=None):
        """The value of a key, the default when there is none."""
        return self.data.get(ref(key), default)

    def setdefault(self, key, default=None):
        """The value of a key, which becomes the default when there is none."""
        return self.data.setdefault(ref(key, self._gone), default)

    def pop(self, key, *args):
        """Takes a key's value out."""
        return self.data.pop(ref(key), *args)

    def popitem(self):
        """Takes the last living entry out."""
        while True:
            reference, value = self.data.popitem()
            key = reference()
            if key is not None:
                return key, value

    def update(self, dict=None, /, **kwargs):
        """Takes over entries."""
        for key, value in list((dict or {}).items()) + list(kwargs.items()):
            self[key] = value

    def copy(self):
        """Another dictionary with the same entries."""
        return WeakKeyDictionary(self)

    __copy__ = copy

    def keyrefs(self):
        """The references to the keys."""
        return list(self.data)


class WeakSet(MutableSet):
    """A set whose elements it does not keep alive."""

    def __init__(self, data=None):
        self.data = set()
        own = ref(self)

        def gone(reference):
            elements = own()
            if elements is not None:
                elements.data.discard(reference)

        self._gone = gone
        if data is not None:
            self.update(data)

    def __iter__(self):
        for reference in list(self.data):
            element = reference()
            if element is not None:
                yield element

    def __len__(self):
        return len(self.data)

    def __contains__(self, item):
        try:
            return ref(item) in self.data
        except TypeError:
            return False

    def add(self, item):
        """Adds an element."""
        self.data.add(ref(item, self._gone))

    def discard(self, item):
        """Takes an element out when it is there."""
        self.data.discard(ref(item))

    def remove(self, item):
        """Takes an element out; KeyError when it is not there."""
        self.data.remove(ref(item))

    def clear(self):
        """Takes all elements out."""
        self.data.clear()

    def pop(self):
        """Takes any living element out."""
        while True:
            try:
                element = self.data.pop()()
            except KeyError:
                raise KeyError("pop from empty WeakSet") from None
            if element is not None:
                return element

    def update(self, other):
        """Adds elements."""
        for element in other:
            self.add(element)

    def copy(self):
        """Another set of the same elements."""
        return self.__class__(self)

    def union(self, other):
        """The elements of both."""
        return self.__class__(itertools.chain(self, other))

    __or__ = union

    def difference(self, other):
        """The elements that the other does not have."""
        return self.__class__(element for element in self if element not in other)

    __sub__ = difference

    def intersection(self, other):
        """The elements that both have."""
        return self.__class__(element for element in other if element in self)

    __and__ = intersection

    def issubset(self, other):
        """Whether the other has all elements."""
        return all(element in other for element in self)

    def issuperset(self, other):
        """Whether it has all elements of the other."""
        return all(element in self for element in other)

    def __eq__(self, other):
        if not isinstance(other, self.__class__):
            return NotImplemented
        return self.data == set(map(ref, other))

    def __repr__(self):
        return repr(self.data)


class finalize:
    """Calls a function when an object goes, once; calling it does so at once, `detach` never."""

    __slots__ = ("__weakref__",)
    _registry = {}
    _numbers = itertools.count(1)
    _registered_at_exit = False

    def __init__(self, obj, func, /, *args, **kwargs):
        def gone(_):
            self()

        if not finalize._registered_at_exit:
            finalize._registered_at_exit = True
            atexit.register(_at_the_end)
        self._registry[self] = [ref(obj, gone), func, args, kwargs, True, next(self._numbers)]

    def __call__(self, _=None):
        """Calls the function, if it was not called before, and answers its result."""
        info = self._registry.pop(self, None)
        if info is not None:
            return info[1](*info[2], **info[3])

    def detach(self):
        """Forgets the function; answers what it would have been called with."""
        info = self._registry.get(self)
        target = info and info[0]()
        if target is not None and self._registry.pop(self, None):
            return target, info[1], info[2], info[3]

    def peek(self):
        """What it would be called with, None when it was called or forgotten."""
        info = self._registry.get(self)
        target = info and info[0]()
        if target is not None:
            return target, info[1], info[2], info[3]

    @property
    def alive(self):
        """Whether the function is still to be called."""
        return self in self._registry

    @property
    def atexit(self):
        """Whether it is called at the end of the program."""
        info = self._registry.get(self)
        return bool(info) and info[4]

    @atexit.setter
    def atexit(self, value):
        info = self._registry.get(self)
        if info:
            info[4] = bool(value)

    def __repr__(self):
        info = self._registry.get(self)
        target = info and info[0]()
        if target is None:
            return f"<{type(self).__name__} object at {id(self):#x}; dead>"
        return f"<{type(self).__name__} object at {id(self):#x}; for {type(target).__name__!r} at {id(target):#x}>"


def _at_the_end():
    """Calls what is still to be called at the end of a program, the youngest first."""
    due = [(info[5], one) for one, info in finalize._registry.items() if info[4]]
    for _, one in sorted(due, key=lambda pair: -pair[0]):
        one()
