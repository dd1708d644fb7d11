"""Container datatypes beyond the built-in ones."""

from _collections import deque, defaultdict, _tuplegetter
from itertools import chain, repeat
import operator

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


def _taken_name(name, seen):
    """Whether a field cannot have this name."""
    return not name.isidentifier() or name in _KEYWORDS or name[0] == "_" or name in seen


def _field_names(typename, given, rename):
    """The names of a named tuple's fields; what cannot be one is refused, or replaced by its position."""
    names = given.replace(",", " ").split() if isinstance(given, str) else [str(name) for name in given]
    if rename:
        for index, name in enumerate(names):
            if _taken_name(name, names[:index]):
                names[index] = f"_{index}"
    for name in [typename, *names]:
        if not name.isidentifier():
            raise ValueError(f"Type names and field names must be valid identifiers: {name!r}")
        if name in _KEYWORDS:
            raise ValueError(f"Type names and field names cannot be a keyword: {name!r}")
    for index, name in enumerate(names):
        if not rename and name[0] == "_":
            raise ValueError(f"Field names cannot start with an underscore: {name!r}")
        if name in names[:index]:
            raise ValueError(f"Encountered duplicate field name: {name!r}")
    return tuple(names)


def namedtuple(typename, field_names, *, rename=False, defaults=None, module=None):
    """A class of tuples whose items have names."""
    typename = str(typename)
    names = _field_names(typename, field_names, rename)
    field_defaults = {}
    if defaults is not None:
        values = tuple(defaults)
        if len(values) > len(names):
            raise TypeError("Got more default values than field names")
        field_defaults = dict(zip(names[len(names) - len(values):], values))
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
        changed = [kwds.pop(name, value) for name, value in zip(names, self)]
        if kwds:
            raise ValueError(f"Got unexpected field names: {list(kwds)!r}")
        return self._make(changed)

    def __repr__(self):
        fields = [f"{name}={value!r}" for name, value in zip(names, self)]
        return f"{type(self).__name__}({', '.join(fields)})"

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
    namespace.update((name, _tuplegetter(index, f"Alias for field number {index}")) for index, name in enumerate(names))
    made = type(typename, (tuple,), namespace)
    made.__module__ = "__main__" if module is None else module
    return made


def _named(self, inside):
    return f"{type(self).__name__}({inside})"


class OrderedDict(dict):
    """A dict whose order counts: entries move to its ends, and two with another order differ."""

    def move_to_end(self, key, last=True):
        """Moves an entry behind all others, or in front of them."""
        moved = {key: dict.pop(self, key)}
        if not last:
            moved.update(dict.items(self))
            dict.clear(self)
        dict.update(self, moved)

    def popitem(self, last=True):
        """Takes the last entry out, or the first."""
        for key in reversed(self) if last else self:
            return key, dict.pop(self, key)
        raise KeyError("dictionary is empty")

    def __eq__(self, other):
        same = dict.__eq__(self, other)
        if same is True and isinstance(other, OrderedDict):
            return list(self) == list(other)
        return same

    def __ne__(self, other):
        return not self == other

    __hash__ = None

    def __repr__(self):
        return _named(self, list(self.items()) if self else "")

    def copy(self):
        """A copy of the same class."""
        return type(self)(self)

    __copy__ = copy

    @classmethod
    def fromkeys(cls, iterable, value=None):
        """Keys that all have one value."""
        return cls((key, value) for key in iterable)

    def __or__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        return type(self)([*self.items(), *other.items()])

    def __ror__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        return type(self)([*other.items(), *self.items()])

    def __ior__(self, other):
        self.update(other)
        return self


def _with_all_counts(holds):
    """A method that tells whether something holds for the counts of each item in two counters."""

    def compare(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return all(holds(self[item], other[item]) for item in {**self, **other})

    return compare


def _of_both_counts(combine):
    """A method that combines the counts of each item in two counters and keeps what is above zero."""

    def combined(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        counts = {item: combine(self[item], other[item]) for item in {**self, **other}}
        result = Counter()
        dict.update(result, {item: count for item, count in counts.items() if count > 0})
        return result

    return combined


def _in_place(operation):
    """The in-place form of a method that `_of_both_counts` made."""

    def assigned(self, other):
        result = operation(self, other)
        if result is NotImplemented:
            return result
        self.clear()
        dict.update(self, result)
        return self

    return assigned


class Counter(dict):
    """How many there are of each; of what it does not know there are none."""

    def __init__(self, iterable=None, /, **kwds):
        dict.__init__(self)
        self.update(iterable, **kwds)

    def __missing__(self, key):
        return 0

    def update(self, iterable=None, /, **kwds):
        """Adds items, or counts of items."""
        get = self.get
        for counted in (iterable, kwds):
            if counted is None:
                continue
            if not hasattr(counted, "items"):
                for item in counted:
                    self[item] = get(item, 0) + 1
            elif self:
                for item, count in counted.items():
                    self[item] = count + get(item, 0)
            else:
                dict.update(self, counted)

    def subtract(self, iterable=None, /, **kwds):
        """Takes items away, or counts of items; counts may fall below zero."""
        for counted in (() if iterable is None else iterable, kwds):
            pairs = counted.items() if hasattr(counted, "items") else zip(counted, repeat(1))
            for item, count in pairs:
                self[item] = self[item] - count

    def total(self):
        """The sum of all counts."""
        return sum(self.values())

    def most_common(self, n=None):
        """Items with their counts, the highest first."""
        ranked = sorted(self.items(), key=lambda pair: pair[1], reverse=True)
        return ranked if n is None else ranked[:max(n, 0)]

    def elements(self):
        """Each item as often as it counts."""
        return chain.from_iterable(repeat(item, count) for item, count in self.items())

    @classmethod
    def fromkeys(cls, iterable, v=None):
        raise NotImplementedError("Counter.fromkeys() is undefined.  Use Counter(iterable) instead.")

    def copy(self):
        """A copy of the same class."""
        return type(self)(self)

    __copy__ = copy

    def __delitem__(self, item):
        dict.pop(self, item, None)

    def __repr__(self):
        if not self:
            return _named(self, "")
        try:
            return _named(self, dict(self.most_common()))
        except TypeError:
            # Counts that have no order.
            return _named(self, dict(self))

    __hash__ = None

    __eq__ = _with_all_counts(operator.eq)
    __le__ = _with_all_counts(operator.le)
    __ge__ = _with_all_counts(operator.ge)

    def __ne__(self, other):
        return not self == other if isinstance(other, Counter) else NotImplemented

    def __lt__(self, other):
        return self != other and self <= other if isinstance(other, Counter) else NotImplemented

    def __gt__(self, other):
        return self != other and self >= other if isinstance(other, Counter) else NotImplemented

    __add__ = _of_both_counts(operator.add)
    __sub__ = _of_both_counts(operator.sub)
    __or__ = _of_both_counts(max)
    __and__ = _of_both_counts(min)

    __iadd__ = _in_place(__add__)
    __isub__ = _in_place(__sub__)
    __ior__ = _in_place(__or__)
    __iand__ = _in_place(__and__)

    def __pos__(self):
        return self + Counter()

    def __neg__(self):
        return Counter() - self


def _not_in_first(key):
    return KeyError(f"Key not found in the first mapping: {key!r}")


class ChainMap:
    """Several mappings looked up one after the other; what is changed is the first."""

    def __init__(self, *maps):
        self.maps = [*maps] if maps else [{}]

    def __missing__(self, key):
        raise KeyError(key)

    def __getitem__(self, key):
        for mapping in self.maps:
            try:
                return mapping[key]
            except KeyError:
                continue
        return self.__missing__(key)

    def __contains__(self, key):
        return any(key in mapping for mapping in self.maps)

    def __iter__(self):
        # The order of one dict that the maps update from the last to the first.
        keys = {}
        for mapping in self.maps[::-1]:
            keys.update(dict.fromkeys(mapping))
        return iter(keys)

    def __len__(self):
        return len(set().union(*self.maps))

    def __bool__(self):
        return any(self.maps)

    def _seen(self):
        """What a look at the whole shows."""
        return {key: self[key] for key in self}

    def keys(self):
        return self._seen().keys()

    def values(self):
        return self._seen().values()

    def items(self):
        return self._seen().items()

    def get(self, key, default=None):
        return self[key] if key in self else default

    def __eq__(self, other):
        return self._seen() == (dict(other.items()) if hasattr(other, "items") else other)

    __hash__ = None

    def __repr__(self):
        return _named(self, ", ".join([repr(mapping) for mapping in self.maps]))

    @classmethod
    def fromkeys(cls, iterable, *args):
        return cls(dict.fromkeys(iterable, *args))

    def copy(self):
        """A copy whose first mapping is a copy too."""
        first, *others = self.maps
        return type(self)(first.copy(), *others)

    __copy__ = copy

    def new_child(self, m=None, **kwargs):
        """A chain with one more mapping in front."""
        child = kwargs if m is None else m
        if m is not None and kwargs:
            child.update(kwargs)
        return type(self)(child, *self.maps)

    @property
    def parents(self):
        """The chain without its first mapping."""
        return type(self)(*self.maps[1:])

    def __setitem__(self, key, value):
        self.maps[0][key] = value

    def __delitem__(self, key):
        try:
            del self.maps[0][key]
        except KeyError:
            raise _not_in_first(key)

    def pop(self, key, *args):
        try:
            return self.maps[0].pop(key, *args)
        except KeyError:
            raise _not_in_first(key)

    def popitem(self):
        try:
            return self.maps[0].popitem()
        except KeyError:
            raise KeyError("No keys found in the first mapping.")

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]

    def update(self, *args, **kwargs):
        self.maps[0].update(*args, **kwargs)

    def clear(self):
        self.maps[0].clear()


def _passes_on(names):
    """Gives a class methods that are those of the container in its attribute `data`."""

    def passing(name):
        def method(self, *args, **kwargs):
            return getattr(self.data, name)(*args, **kwargs)

        method.__name__ = method.__qualname__ = name
        return method

    def decorate(cls):
        for name in names.split():
            setattr(cls, name, passing(name))
        return cls

    return decorate


@_passes_on("__len__ __iter__ __contains__ keys values items clear")
class UserDict:
    """A mapping that keeps its entries in the attribute data."""

    def __init__(self, dict=None, /, **kwargs):
        self.data = {}
        self.update(() if dict is None else dict, **kwargs)

    def __getitem__(self, key):
        if key not in self.data and hasattr(type(self), "__missing__"):
            return type(self).__missing__(self, key)
        return self.data[key]

    def __setitem__(self, key, item):
        self.data[key] = item

    def __delitem__(self, key):
        del self.data[key]

    def __repr__(self):
        return repr(self.data)

    def __eq__(self, other):
        return self.data == (other.data if isinstance(other, UserDict) else other)

    __hash__ = None

    def get(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            return default

    def pop(self, key, *default):
        return self.data.pop(key, *default)

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]

    def update(self, other=(), /, **kwargs):
        for entries in (other, kwargs):
            for key, value in entries.items() if hasattr(entries, "items") else entries:
                self[key] = value

    def copy(self):
        return type(self)(self.data)


def _items_of(other):
    """The plain sequence to combine a `UserList` with."""
    return other.data if isinstance(other, UserList) else other


def _comparing(compare):
    return lambda self, other: compare(self.data, _items_of(other))


@_passes_on("__len__ __iter__ __reversed__ __contains__ append insert pop remove clear count index reverse sort")
class UserList:
    """A sequence that keeps its items in the attribute data."""

    def __init__(self, initlist=None):
        self.data = list(() if initlist is None else initlist)

    def __repr__(self):
        return repr(self.data)

    __eq__ = _comparing(operator.eq)
    __lt__ = _comparing(operator.lt)
    __le__ = _comparing(operator.le)
    __gt__ = _comparing(operator.gt)
    __ge__ = _comparing(operator.ge)
    __hash__ = None

    def __getitem__(self, i):
        found = self.data[i]
        return type(self)(found) if isinstance(i, slice) else found

    def __setitem__(self, i, item):
        self.data[i] = item

    def __delitem__(self, i):
        del self.data[i]

    def __add__(self, other):
        return type(self)([*self.data, *_items_of(other)])

    def __radd__(self, other):
        return type(self)([*_items_of(other), *self.data])

    def __iadd__(self, other):
        self.extend(other)
        return self

    def __mul__(self, n):
        return type(self)(self.data * n)

    __rmul__ = __mul__

    def extend(self, other):
        self.data.extend(_items_of(other))

    def copy(self):
        return type(self)(self)


class UserString(str):
    """A text that keeps itself in the attribute data too."""

    @property
    def data(self):
        return str(self)
