"""Abstract base classes of containers: what a class must have to count as one."""

from abc import abstractmethod, update_abstractmethods


def _has(cls, *names):
    for name in names:
        if getattr(cls, name, None) is None:
            return False
    return True


class _Abstract:
    """Classes count as derived by what they have, or because they were registered."""

    _required = ()
    _registered = ()
    _derived = None

    @classmethod
    def register(cls, subclass):
        cls._registered = cls.__dict__.get("_registered", ()) + (subclass,)
        if cls.__dict__.get("_derived") is None:
            cls._derived = (cls,)
        return subclass

    @classmethod
    def __subclasshook__(cls, other):
        if "_required" in cls.__dict__ and cls._required:
            if _has(other, *cls._required):
                return True
        if cls.__dict__.get("_derived") is None:
            return NotImplemented
        for abstract in cls._derived:
            for known in abstract._registered:
                if known is other or known in other.__mro__:
                    return True
        return NotImplemented

    @classmethod
    def __instancehook__(cls, instance):
        return cls.__subclasshook__(type(instance))

    @classmethod
    def __class_getitem__(cls, item):
        return cls


class Hashable(_Abstract):
    _required = ("__hash__",)


class Iterable(_Abstract):
    _required = ("__iter__",)

    def __iter__(self):
        while False:
            yield None


class Iterator(Iterable):
    _required = ("__iter__", "__next__")

    def __next__(self):
        raise StopIteration

    def __iter__(self):
        return self


class Reversible(Iterable):
    _required = ("__iter__", "__reversed__")


class Generator(Iterator):
    _required = ("__iter__", "__next__", "send", "throw", "close")


class Sized(_Abstract):
    _required = ("__len__",)


class Container(_Abstract):
    _required = ("__contains__",)


class Collection(Sized, Iterable, Container):
    _required = ("__len__", "__iter__", "__contains__")


class Callable(_Abstract):
    _required = ("__call__",)
    _registered = (type(lambda: None), type(len), type([].append), type(str.join), type)


class Awaitable(_Abstract):
    _required = ("__await__",)


class Buffer(_Abstract):
    _registered = (bytes, bytearray, memoryview)


class Sequence(Reversible, Collection):
    _required = ()
    _registered = (tuple, list, str, range, bytes, bytearray, memoryview)

    def __iter__(self):
        i = 0
        try:
            while True:
                yield self[i]
                i += 1
        except IndexError:
            return

    def __contains__(self, value):
        return any(v is value or v == value for v in self)

    def __reversed__(self):
        for i in reversed(range(len(self))):
            yield self[i]

    def index(self, value, start=0, stop=None):
        if start < 0:
            start = max(len(self) + start, 0)
        if stop is not None and stop < 0:
            stop += len(self)
        i = start
        while stop is None or i < stop:
            try:
                v = self[i]
            except IndexError:
                break
            if v is value or v == value:
                return i
            i += 1
        raise ValueError

    def count(self, value):
        return sum(1 for v in self if v is value or v == value)


class MutableSequence(Sequence):
    _required = ()
    _registered = (list, bytearray)

    def append(self, value):
        self.insert(len(self), value)

    def clear(self):
        try:
            while True:
                self.pop()
        except IndexError:
            pass

    def reverse(self):
        n = len(self)
        for i in range(n // 2):
            self[i], self[n - i - 1] = self[n - i - 1], self[i]

    def extend(self, values):
        if values is self:
            values = list(values)
        for v in values:
            self.append(v)

    def pop(self, index=-1):
        v = self[index]
        del self[index]
        return v

    def remove(self, value):
        del self[self.index(value)]

    def __iadd__(self, values):
        self.extend(values)
        return self


class Set(Collection):
    _required = ()
    _registered = (set, frozenset, type({}.keys()), type({}.items()))

    @classmethod
    def _from_iterable(cls, it):
        return cls(it)

    def __le__(self, other):
        return len(self) <= len(other) and all(elem in other for elem in self)

    def __lt__(self, other):
        return len(self) < len(other) and self <= other

    def __ge__(self, other):
        return len(self) >= len(other) and all(elem in self for elem in other)

    def __gt__(self, other):
        return len(self) > len(other) and self >= other

    def __eq__(self, other):
        return len(self) == len(other) and self <= other

    def __and__(self, other):
        return self._from_iterable(value for value in other if value in self)

    __rand__ = __and__

    def __or__(self, other):
        return self._from_iterable(e for s in (self, other) for e in s)

    __ror__ = __or__

    def __sub__(self, other):
        other = list(other)
        return self._from_iterable(value for value in self if value not in other)

    def __xor__(self, other):
        other = self._from_iterable(other)
        return (self - other) | (other - self)

    def isdisjoint(self, other):
        return not any(value in self for value in other)


class MutableSet(Set):
    _required = ()
    _registered = (set,)

    def remove(self, value):
        if value not in self:
            raise KeyError(value)
        self.discard(value)

    def pop(self):
        try:
            value = next(iter(self))
        except StopIteration:
            raise KeyError from None
        self.discard(value)
        return value

    def clear(self):
        try:
            while True:
                self.pop()
        except KeyError:
            pass

    def __ior__(self, it):
        for value in it:
            self.add(value)
        return self

    def __isub__(self, it):
        for value in list(it):
            self.discard(value)
        return self


class Mapping(Collection):
    _required = ()
    _registered = (dict, type(type.__dict__))

    def get(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            return default

    def __contains__(self, key):
        try:
            self[key]
        except KeyError:
            return False
        return True

    def keys(self):
        return {key: None for key in self}.keys()

    def items(self):
        return {key: self[key] for key in self}.items()

    def values(self):
        return {key: self[key] for key in self}.values()

    def __eq__(self, other):
        if not isinstance(other, Mapping):
            return NotImplemented
        return dict(self.items()) == dict(other.items())


class MutableMapping(Mapping):
    _required = ()
    _registered = (dict,)
    _marker = object()

    def pop(self, key, default=_marker):
        try:
            value = self[key]
        except KeyError:
            if default is self._marker:
                raise
            return default
        del self[key]
        return value

    def popitem(self):
        try:
            key = next(iter(self))
        except StopIteration:
            raise KeyError from None
        value = self[key]
        del self[key]
        return key, value

    def clear(self):
        try:
            while True:
                self.popitem()
        except KeyError:
            pass

    def update(self, other=(), /, **kwds):
        if isinstance(other, Mapping):
            for key in other:
                self[key] = other[key]
        elif hasattr(other, "keys"):
            for key in other.keys():
                self[key] = other[key]
        else:
            for key, value in other:
                self[key] = value
        for key, value in kwds.items():
            self[key] = value

    def setdefault(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            self[key] = default
        return default


class MappingView(Sized):
    _required = ()
    _registered = (type({}.keys()), type({}.values()), type({}.items()))


class KeysView(MappingView, Set):
    _required = ()
    _registered = (type({}.keys()),)


class ItemsView(MappingView, Set):
    _required = ()
    _registered = (type({}.items()),)


class ValuesView(MappingView, Collection):
    _required = ()
    _registered = (type({}.values()),)


def _register_ours():
    from collections import deque, ChainMap, UserDict, UserList
    abstract = [kind for kind in globals().values() if isinstance(kind, type) and _Abstract in kind.__mro__]
    for kind in abstract:
        # What counts as a derived class counts as this one.
        kind._derived = tuple(other for other in abstract if kind in other.__mro__)
    MutableSequence.register(deque)
    MutableSequence.register(UserList)
    MutableMapping.register(ChainMap)
    MutableMapping.register(UserDict)


_register_ours()


def _refused(name):
    def method(self, *args, **kwargs):
        raise NotImplementedError(name)

    method.__name__ = name
    return method


# What a class that derives must define before it has instances.
for _class, _names in [
    (Hashable, ("__hash__",)), (Iterable, ("__iter__",)), (Iterator, ("__next__",)), (Reversible, ("__reversed__",)),
    (Generator, ("send", "throw")), (Sized, ("__len__",)), (Container, ("__contains__",)), (Callable, ("__call__",)),
    (Sequence, ("__getitem__",)), (MutableSequence, ("__setitem__", "__delitem__", "insert")),
    (MutableSet, ("add", "discard")), (Mapping, ("__getitem__",)), (MutableMapping, ("__setitem__", "__delitem__")),
]:
    for _name in _names:
        if _name not in _class.__dict__:
            setattr(_class, _name, _refused(_name))
        abstractmethod(_class.__dict__[_name])
for _class in (Hashable, Iterable, Iterator, Reversible, Generator, Sized, Container, Collection, Callable, Sequence,
               MutableSequence, Set, MutableSet, Mapping, MutableMapping):
    update_abstractmethods(_class)


def _derive(cls, **kwargs):
    super(_Abstract, cls).__init_subclass__(**kwargs)
    update_abstractmethods(cls)


_Abstract.__init_subclass__ = classmethod(_derive)
