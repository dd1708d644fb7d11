"""Container datatypes beyond the built-in ones."""

from _collections import deque, defaultdict, _tuplegetter
from operator import itemgetter as _itemgetter

__all__ = ["ChainMap", "Counter", "OrderedDict", "UserDict", "UserList", "UserString", "defaultdict", "deque", "namedtuple"]

_KEYWORDS = frozenset(
    "False None True and as assert async await break class continue def del elif else except finally for from global if "
    "import in is lambda nonlocal not or pass raise return try while with yield".split()
)


def _bind_fields(typename, names, defaults, args, kwargs):
    """The values of a named tuple's fields from a call, or TypeError in a function's words."""
    count = len(names)
    if len(args) > count:
        given = len(args) + 1
        low = count + 1 - len(defaults)
        wanted = f"from {low} to {count + 1}" if defaults else f"{count + 1}"
        plural = "" if wanted == "1" else "s"
        raise TypeError(f"{typename}.__new__() takes {wanted} positional argument{plural} but {given} were given")
    values = list(args)
    for name in names[: len(args)]:
        if name in kwargs:
            raise TypeError(f"{typename}.__new__() got multiple values for argument {name!r}")
    missing = []
    for name in names[len(args):]:
        if name in kwargs:
            values.append(kwargs.pop(name))
        elif name in defaults:
            values.append(defaults[name])
        else:
            missing.append(repr(name))
    for name in kwargs:
        if name not in names:
            raise TypeError(f"{typename}.__new__() got an unexpected keyword argument {name!r}")
    if missing:
        if len(missing) > 2:
            text = ", ".join(missing[:-1]) + ", and " + missing[-1]
        else:
            text = " and ".join(missing)
        plural = "s" if len(missing) > 1 else ""
        raise TypeError(f"{typename}.__new__() missing {len(missing)} required positional argument{plural}: {text}")
    return values


def namedtuple(typename, field_names, *, rename=False, defaults=None, module=None):
    """Returns a new subclass of tuple with named fields."""
    if isinstance(field_names, str):
        field_names = field_names.replace(",", " ").split()
    field_names = list(map(str, field_names))
    typename = str(typename)
    if rename:
        seen = set()
        for index, name in enumerate(field_names):
            if not name.isidentifier() or name in _KEYWORDS or name.startswith("_") or name in seen:
                field_names[index] = f"_{index}"
            seen.add(name)
    for name in [typename] + field_names:
        if not name.isidentifier():
            raise ValueError(f"Type names and field names must be valid identifiers: {name!r}")
        if name in _KEYWORDS:
            raise ValueError(f"Type names and field names cannot be a keyword: {name!r}")
    seen = set()
    for name in field_names:
        if name.startswith("_") and not rename:
            raise ValueError(f"Field names cannot start with an underscore: {name!r}")
        if name in seen:
            raise ValueError(f"Encountered duplicate field name: {name!r}")
        seen.add(name)
    names = tuple(field_names)
    field_defaults = {}
    if defaults is not None:
        defaults = tuple(defaults)
        if len(defaults) > len(names):
            raise TypeError("Got more default values than field names")
        field_defaults = dict(zip(names[len(names) - len(defaults):], defaults))
    count = len(names)
    make = tuple.__new__

    def __new__(_cls, *args, **kwargs):
        if kwargs or len(args) != count:
            args = _bind_fields(typename, names, field_defaults, args, kwargs)
        return make(_cls, args)

    def _make(cls, iterable):
        result = make(cls, iterable)
        if len(result) != count:
            raise TypeError(f"Expected {count} arguments, got {len(result)}")
        return result

    def _replace(self, /, **kwds):
        result = self._make(map(kwds.pop, names, self))
        if kwds:
            raise ValueError(f"Got unexpected field names: {list(kwds)!r}")
        return result

    def __repr__(self):
        inner = ", ".join(f"{name}={value!r}" for name, value in zip(names, self))
        return f"{self.__class__.__name__}({inner})"

    def _asdict(self):
        return dict(zip(names, self))

    def __getnewargs__(self):
        return tuple(self)

    namespace = {
        "__doc__": f"{typename}({', '.join(names)})",
        "__slots__": (),
        "_fields": names,
        "_field_defaults": field_defaults,
        "__new__": __new__,
        "_make": classmethod(_make),
        "_replace": _replace,
        "__repr__": __repr__,
        "_asdict": _asdict,
        "__getnewargs__": __getnewargs__,
        "__match_args__": names,
    }
    for index, name in enumerate(names):
        namespace[name] = _tuplegetter(index, f"Alias for field number {index}")
    result = type(typename, (tuple,), namespace)
    result.__module__ = module if module is not None else "__main__"
    return result


class OrderedDict(dict):
    """Dictionary that remembers insertion order"""

    def move_to_end(self, key, last=True):
        value = dict.pop(self, key)
        if last:
            dict.__setitem__(self, key, value)
        else:
            rest = list(dict.items(self))
            dict.clear(self)
            dict.__setitem__(self, key, value)
            dict.update(self, rest)

    def popitem(self, last=True):
        if not self:
            raise KeyError("dictionary is empty")
        key = next(reversed(self)) if last else next(iter(self))
        return key, dict.pop(self, key)

    def __eq__(self, other):
        if isinstance(other, OrderedDict):
            return dict.__eq__(self, other) and all(a == b for a, b in zip(self, other))
        return dict.__eq__(self, other)

    def __ne__(self, other):
        result = self.__eq__(other)
        return result if result is NotImplemented else not result

    __hash__ = None

    def __repr__(self):
        if not self:
            return f"{self.__class__.__name__}()"
        return f"{self.__class__.__name__}({list(self.items())!r})"

    def copy(self):
        return self.__class__(self)

    __copy__ = copy

    @classmethod
    def fromkeys(cls, iterable, value=None):
        result = cls()
        for key in iterable:
            result[key] = value
        return result

    def __or__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        result = self.__class__(self)
        result.update(other)
        return result

    def __ror__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        result = self.__class__(other)
        result.update(self)
        return result

    def __ior__(self, other):
        self.update(other)
        return self


class Counter(dict):
    """Dict subclass for counting hashable items."""

    def __init__(self, iterable=None, /, **kwds):
        dict.__init__(self)
        self.update(iterable, **kwds)

    def __missing__(self, key):
        return 0

    def total(self):
        return sum(self.values())

    def most_common(self, n=None):
        ordered = sorted(self.items(), key=_itemgetter(1), reverse=True)
        return ordered if n is None else ordered[: max(n, 0)]

    def elements(self):
        for item, count in self.items():
            for _ in range(count):
                yield item

    @classmethod
    def fromkeys(cls, iterable, v=None):
        raise NotImplementedError("Counter.fromkeys() is undefined.  Use Counter(iterable) instead.")

    def update(self, iterable=None, /, **kwds):
        if iterable is not None:
            if isinstance(iterable, dict):
                if self:
                    for item, count in iterable.items():
                        self[item] = count + self.get(item, 0)
                else:
                    dict.update(self, iterable)
            else:
                get = self.get
                for item in iterable:
                    self[item] = get(item, 0) + 1
        if kwds:
            self.update(kwds)

    def subtract(self, iterable=None, /, **kwds):
        if iterable is not None:
            if isinstance(iterable, dict):
                for item, count in iterable.items():
                    self[item] = self.get(item, 0) - count
            else:
                for item in iterable:
                    self[item] = self.get(item, 0) - 1
        if kwds:
            self.subtract(kwds)

    def copy(self):
        return self.__class__(self)

    __copy__ = copy

    def __delitem__(self, item):
        if item in self:
            dict.__delitem__(self, item)

    def __repr__(self):
        if not self:
            return f"{self.__class__.__name__}()"
        try:
            items = dict(self.most_common())
        except TypeError:
            items = dict(self)
        return f"{self.__class__.__name__}({items!r})"

    def __eq__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return all(self[key] == other[key] for counter in (self, other) for key in counter)

    def __ne__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return not self == other

    __hash__ = None

    def __le__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return all(self[key] <= other[key] for counter in (self, other) for key in counter)

    def __lt__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return self <= other and self != other

    def __ge__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return all(self[key] >= other[key] for counter in (self, other) for key in counter)

    def __gt__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return self >= other and self != other

    def _combine(self, other, combine):
        if not isinstance(other, Counter):
            return NotImplemented
        result = Counter()
        for counter in (self, other):
            for item in counter:
                if item not in result:
                    count = combine(self[item], other[item])
                    if count > 0:
                        dict.__setitem__(result, item, count)
        return result

    def __add__(self, other):
        return self._combine(other, lambda a, b: a + b)

    def __sub__(self, other):
        return self._combine(other, lambda a, b: a - b)

    def __or__(self, other):
        return self._combine(other, max)

    def __and__(self, other):
        return self._combine(other, min)

    def __pos__(self):
        return self._combine(Counter(), lambda a, b: a + b)

    def __neg__(self):
        return Counter()._combine(self, lambda a, b: a - b)

    def _assign(self, result):
        if result is NotImplemented:
            return result
        self.clear()
        dict.update(self, result)
        return self

    def __iadd__(self, other):
        return self._assign(self + other)

    def __isub__(self, other):
        return self._assign(self - other)

    def __ior__(self, other):
        return self._assign(self | other)

    def __iand__(self, other):
        return self._assign(self & other)


class ChainMap:
    """Groups several mappings together to create a single, updateable view."""

    def __init__(self, *maps):
        self.maps = list(maps) or [{}]

    def __missing__(self, key):
        raise KeyError(key)

    def __getitem__(self, key):
        for mapping in self.maps:
            try:
                return mapping[key]
            except KeyError:
                pass
        return self.__missing__(key)

    def get(self, key, default=None):
        return self[key] if key in self else default

    def __len__(self):
        return len(set().union(*self.maps))

    def __iter__(self):
        merged = {}
        for mapping in map(dict.fromkeys, reversed(self.maps)):
            merged |= mapping
        return iter(merged)

    def __contains__(self, key):
        return any(key in mapping for mapping in self.maps)

    def __bool__(self):
        return any(self.maps)

    def keys(self):
        return {key: self[key] for key in self}.keys()

    def values(self):
        return {key: self[key] for key in self}.values()

    def items(self):
        return {key: self[key] for key in self}.items()

    def __eq__(self, other):
        return dict(self.items()) == (dict(other.items()) if hasattr(other, "items") else other)

    __hash__ = None

    def __repr__(self):
        return f"{self.__class__.__name__}({', '.join(map(repr, self.maps))})"

    @classmethod
    def fromkeys(cls, iterable, *args):
        return cls(dict.fromkeys(iterable, *args))

    def copy(self):
        return self.__class__(self.maps[0].copy(), *self.maps[1:])

    __copy__ = copy

    def new_child(self, m=None, **kwargs):
        if m is None:
            m = kwargs
        elif kwargs:
            m.update(kwargs)
        return self.__class__(m, *self.maps)

    @property
    def parents(self):
        return self.__class__(*self.maps[1:])

    def __setitem__(self, key, value):
        self.maps[0][key] = value

    def __delitem__(self, key):
        try:
            del self.maps[0][key]
        except KeyError:
            raise KeyError(f"Key not found in the first mapping: {key!r}")

    def popitem(self):
        try:
            return self.maps[0].popitem()
        except KeyError:
            raise KeyError("No keys found in the first mapping.")

    def pop(self, key, *args):
        try:
            return self.maps[0].pop(key, *args)
        except KeyError:
            raise KeyError(f"Key not found in the first mapping: {key!r}")

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]

    def update(self, *args, **kwargs):
        self.maps[0].update(*args, **kwargs)

    def clear(self):
        self.maps[0].clear()


class UserDict:
    """A mapping that keeps its entries in the attribute data."""

    def __init__(self, dict=None, /, **kwargs):
        self.data = {}
        if dict is not None:
            self.update(dict)
        if kwargs:
            self.update(kwargs)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, key):
        if key in self.data:
            return self.data[key]
        if hasattr(self.__class__, "__missing__"):
            return self.__class__.__missing__(self, key)
        raise KeyError(key)

    def __setitem__(self, key, item):
        self.data[key] = item

    def __delitem__(self, key):
        del self.data[key]

    def __iter__(self):
        return iter(self.data)

    def __contains__(self, key):
        return key in self.data

    def __repr__(self):
        return repr(self.data)

    def __eq__(self, other):
        return self.data == (other.data if isinstance(other, UserDict) else other)

    __hash__ = None

    def keys(self):
        return self.data.keys()

    def values(self):
        return self.data.values()

    def items(self):
        return self.data.items()

    def get(self, key, default=None):
        return self[key] if key in self else default

    def pop(self, key, *default):
        return self.data.pop(key, *default)

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]

    def update(self, other=(), /, **kwargs):
        pairs = other.items() if hasattr(other, "items") else other
        for key, value in pairs:
            self[key] = value
        for key, value in kwargs.items():
            self[key] = value

    def clear(self):
        self.data.clear()

    def copy(self):
        return self.__class__(self.data)


class UserList:
    """A sequence that keeps its items in the attribute data."""

    def __init__(self, initlist=None):
        self.data = [] if initlist is None else list(initlist)

    def __repr__(self):
        return repr(self.data)

    def _cast(self, other):
        return other.data if isinstance(other, UserList) else other

    def __lt__(self, other):
        return self.data < self._cast(other)

    def __le__(self, other):
        return self.data <= self._cast(other)

    def __eq__(self, other):
        return self.data == self._cast(other)

    def __gt__(self, other):
        return self.data > self._cast(other)

    def __ge__(self, other):
        return self.data >= self._cast(other)

    __hash__ = None

    def __contains__(self, item):
        return item in self.data

    def __len__(self):
        return len(self.data)

    def __iter__(self):
        return iter(self.data)

    def __getitem__(self, i):
        if isinstance(i, slice):
            return self.__class__(self.data[i])
        return self.data[i]

    def __setitem__(self, i, item):
        self.data[i] = item

    def __delitem__(self, i):
        del self.data[i]

    def __add__(self, other):
        return self.__class__(self.data + list(self._cast(other)))

    def __radd__(self, other):
        return self.__class__(list(self._cast(other)) + self.data)

    def __iadd__(self, other):
        self.data += list(self._cast(other))
        return self

    def __mul__(self, n):
        return self.__class__(self.data * n)

    __rmul__ = __mul__

    def append(self, item):
        self.data.append(item)

    def insert(self, i, item):
        self.data.insert(i, item)

    def pop(self, i=-1):
        return self.data.pop(i)

    def remove(self, item):
        self.data.remove(item)

    def clear(self):
        self.data.clear()

    def copy(self):
        return self.__class__(self)

    def count(self, item):
        return self.data.count(item)

    def index(self, item, *args):
        return self.data.index(item, *args)

    def reverse(self):
        self.data.reverse()

    def sort(self, /, *args, **kwds):
        self.data.sort(*args, **kwds)

    def extend(self, other):
        self.data.extend(self._cast(other))


class UserString(str):
    """A text that keeps itself in the attribute data too."""

    @property
    def data(self):
        return str(self)
