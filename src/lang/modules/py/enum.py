"""Enumerations. There are no metaclasses here: a class becomes an enumeration when it is derived."""

__all__ = ["Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "auto", "unique", "member", "nonmember"]


class auto:
    """Instances are replaced with an appropriate value in Enum class suites."""

    def __init__(self, value=None):
        self.value = value

    def __repr__(self):
        return f"auto({self.value!r})"


    def __or__(self, other):
        return _Deferred(lambda a, b: a | b, self, other)

    def __and__(self, other):
        return _Deferred(lambda a, b: a & b, self, other)

    def __xor__(self, other):
        return _Deferred(lambda a, b: a ^ b, self, other)

    __ror__ = __or__
    __rand__ = __and__
    __rxor__ = __xor__


class _Deferred(auto):
    """An expression of values that are given once the class is made."""

    def __init__(self, combine, left, right):
        self.value = None
        self._parts = combine, left, right

    def resolve(self):
        combine, left, right = self._parts
        left = left.resolve() if isinstance(left, _Deferred) else left.value if isinstance(left, auto) else left
        right = right.resolve() if isinstance(right, _Deferred) else right.value if isinstance(right, auto) else right
        return combine(left, right)


class nonmember:
    """Protects item from becoming an Enum member during class creation."""

    def __init__(self, value):
        self.value = value


class member:
    """Forces item to become an Enum member during class creation."""

    def __init__(self, value):
        self.value = value


_DESCRIPTORS = (type(lambda: None), type(len), type(str.join), classmethod, staticmethod, property)


def _is_descriptor(value):
    return isinstance(value, _DESCRIPTORS) or hasattr(type(value), "__get__") or hasattr(type(value), "__set__")


def _data_type(cls):
    for base in cls.__mro__[1:]:
        if base in (int, str, float, bytes, tuple, complex):
            return base
    return None


class Enum:
    """Create a collection of name/value pairs."""

    _member_names_ = ()
    _member_map_ = {}
    _value2member_map_ = {}

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        for base in cls.__mro__[1:]:
            if base.__dict__.get("_member_names_"):
                raise TypeError(f"<enum {cls.__name__!r}> cannot extend {base!r}")
        data_type = _data_type(cls)
        own_init = cls.__dict__.get("__init__")
        inherited_init = next((b.__dict__["_member_init_"] for b in cls.__mro__[1:] if "_member_init_" in b.__dict__), None)
        if own_init is not None:
            cls._member_init_ = own_init
            delattr(cls, "__init__")
        init = own_init or inherited_init
        make = cls.__dict__.get("__new__")
        make = getattr(make, "__func__", make)
        if make is None or make is Enum.__new__:
            make = next((b.__dict__["_new_member_"] for b in cls.__mro__[1:] if "_new_member_" in b.__dict__), None)
            make = getattr(make, "__func__", make)
        else:
            cls._new_member_ = staticmethod(make)
            delattr(cls, "__new__")
        ignored = cls.__dict__.get("_ignore_", ())
        ignored = ignored.replace(",", " ").split() if isinstance(ignored, str) else list(ignored)
        names, by_name, by_value = [], {}, {}
        last_values = []
        for name, value in list(cls.__dict__.items()):
            if isinstance(value, nonmember):
                setattr(cls, name, value.value)
                continue
            if name.startswith("_") and name.endswith("_") or name in ignored:
                continue
            if name.startswith(f"_{cls.__name__}__"):
                continue
            if isinstance(value, member):
                value = value.value
            elif _is_descriptor(value):
                continue
            if isinstance(value, _Deferred):
                value = value.resolve()
            elif isinstance(value, auto):
                given = value
                value = cls._generate_next_value_(name, 1, len(last_values), list(last_values)) \
                    if value.value is None else value.value
                given.value = value
            elif isinstance(value, tuple):
                value = tuple(
                    cls._generate_next_value_(name, 1, len(last_values), list(last_values)) if isinstance(v, auto) else v
                    for v in value
                )
            args = value if isinstance(value, tuple) else (value,)
            if make is not None:
                new = make(cls, *args)
                if not hasattr(new, "_value_"):
                    new._value_ = value if data_type is None else data_type(*args)
            elif data_type is None:
                new = object.__new__(cls)
                new._value_ = value
            else:
                new = data_type.__new__(cls, args) if data_type is tuple else data_type.__new__(cls, *args)
                new._value_ = value if data_type is tuple or len(args) == 1 and isinstance(value, data_type) \
                    else data_type(*args)
            value = new._value_
            last_values.append(value)
            known = None
            for other in by_name.values():
                if other._value_ == value and type(other._value_) is type(value) or other._value_ == value:
                    known = other
                    break
            if known is None:
                new._name_ = name
                new.__objclass__ = cls
                new._sort_order_ = len(names)
                if init is not None:
                    init(new, *args)
                if cls._counts_as_name(value):
                    names.append(name)
                known = new
            by_name[name] = known
            try:
                by_value.setdefault(value, known)
            except TypeError:
                pass
            setattr(cls, name, known)
        cls._member_names_ = names
        cls._member_map_ = by_name
        cls._value2member_map_ = by_value
        cls.__members__ = by_name

    @classmethod
    def _counts_as_name(cls, value):
        return True

    def __new__(cls, value, names=None, *rest, module=None, qualname=None, type=None, start=1):
        if names is not None or not cls._member_map_:
            return _functional(cls, value, names, module, start)
        if value.__class__ is cls:
            return value
        try:
            return cls._value2member_map_[value]
        except KeyError:
            pass
        except TypeError:
            for known in cls._member_map_.values():
                if known._value_ == value:
                    return known
        result = cls._missing_(value)
        if isinstance(result, cls):
            return result
        raise ValueError(f"{value!r} is not a valid {cls.__qualname__}")

    def __init__(self, *args, **kwds):
        pass

    @classmethod
    def _missing_(cls, value):
        return None

    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        if not last_values:
            return start
        try:
            return sorted(last_values)[-1] + 1
        except TypeError:
            raise TypeError("unable to sort non-numeric values") from None

    @classmethod
    def __class_getitem__(cls, name):
        return cls._member_map_[name]

    @classmethod
    def __class_iter__(cls):
        return iter([cls._member_map_[name] for name in cls._member_names_])

    @classmethod
    def __class_reversed__(cls):
        return iter([cls._member_map_[name] for name in reversed(cls._member_names_)])

    @classmethod
    def __class_len__(cls):
        return len(cls._member_names_)

    @classmethod
    def __class_contains__(cls, member):
        if not isinstance(member, Enum):
            raise TypeError(f"unsupported operand type(s) for 'in': '{type(member).__qualname__}' and 'EnumType'")
        return isinstance(member, cls)

    @classmethod
    def __class_setattr__(cls, name, value):
        if name in cls.__dict__.get("_member_map_", ()):
            raise AttributeError(f"cannot reassign member {name!r}")
        type.__setattr__(cls, name, value)

    @classmethod
    def __class_repr__(cls):
        return f"<enum {cls.__name__!r}>"

    @property
    def name(self):
        return self._name_

    @property
    def value(self):
        return self._value_

    def __repr__(self):
        return f"<{self.__class__.__name__}.{self._name_}: {self._value_!r}>"

    def __str__(self):
        return f"{self.__class__.__name__}.{self._name_}"

    def __format__(self, format_spec):
        return str.__format__(str(self), format_spec)

    def __hash__(self):
        return hash(self._name_)

    def __eq__(self, other):
        return True if self is other else NotImplemented

    def __setattr__(self, name, value):
        if name in ("name", "value") and "_name_" in self.__dict__:
            raise AttributeError(f"<enum 'Enum'> cannot set attribute {name!r}")
        object.__setattr__(self, name, value)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


def _functional(cls, name, names, module, start):
    """Enum('Name', 'A B C')"""
    if names is None:
        raise TypeError(f"{name!r} is not a valid {cls.__qualname__}: it has no members")
    if isinstance(names, str):
        names = names.replace(",", " ").split()
    namespace = {}
    last = []
    items = names.items() if isinstance(names, dict) else names
    for count, item in enumerate(items):
        member_name = item if isinstance(item, str) else item[0]
        if member_name in namespace:
            raise TypeError(f"{member_name!r} already defined as {namespace[member_name]!r}")
        if isinstance(item, str):
            value = cls._generate_next_value_(item, start, count, last[:])
            namespace[item] = value
        else:
            item, value = item
            namespace[item] = value
        last.append(value)
    made = type(name, (cls,), namespace)
    made.__module__ = module or "__main__"
    return made


class ReprEnum(Enum):
    """Only changes the repr(), leaving str() and format() to the mixed-in type."""

    def __str__(self):
        return str(self._value_)

    def __format__(self, format_spec):
        return format(self._value_, format_spec)


class IntEnum(int, ReprEnum):
    """Enum where members are also (and must be) ints"""

    __hash__ = int.__hash__
    __eq__ = int.__eq__
    __repr__ = Enum.__repr__
    __str__ = ReprEnum.__str__
    __format__ = ReprEnum.__format__
    __new__ = Enum.__new__


class StrEnum(str, ReprEnum):
    """Enum where members are also (and must be) strings"""

    __hash__ = str.__hash__
    __eq__ = str.__eq__
    __repr__ = Enum.__repr__
    __str__ = ReprEnum.__str__
    __format__ = ReprEnum.__format__
    __new__ = Enum.__new__

    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return name.lower()


class Flag(Enum):
    """Support for flags"""

    @classmethod
    def _counts_as_name(cls, value):
        return value != 0 and value & (value - 1) == 0

    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        if not last_values:
            return start if start is not None else 1
        return 1 << max(last_values).bit_length()

    @classmethod
    def _all_bits(cls):
        bits = 0
        for known in cls._member_map_.values():
            bits |= known._value_
        return bits

    @classmethod
    def _missing_(cls, value):
        if not isinstance(value, int):
            raise ValueError(f"{value!r} is not a valid {cls.__qualname__}")
        if value < 0:
            value = cls._all_bits() & value
            if value in cls._value2member_map_:
                return cls._value2member_map_[value]
        if value & ~cls._all_bits() and not issubclass(cls, int):
            count = max(value.bit_length(), cls._all_bits().bit_length())
            raise ValueError(f"{cls!r} invalid value {value!r}\n    given {bin(value)}\n  allowed {bin(cls._all_bits())}"
                             if count else f"{value!r} is not a valid {cls.__qualname__}")
        new = int.__new__(cls, value) if issubclass(cls, int) else object.__new__(cls)
        new._value_ = value
        names = [known._name_ for known in cls if known._value_ & value]
        new._name_ = "|".join(names) if names else None
        new.__objclass__ = cls
        return cls._value2member_map_.setdefault(value, new)

    def _value_of(self, other):
        if isinstance(other, self.__class__):
            return other._value_
        if isinstance(self, int) and isinstance(other, int):
            return int(other)
        return None

    def __contains__(self, other):
        if not isinstance(other, self.__class__):
            raise TypeError(f"unsupported operand type(s) for 'in': {type(other).__qualname__!r} and "
                            f"{self.__class__.__qualname__!r}")
        return other._value_ & self._value_ == other._value_

    def __iter__(self):
        for known in self.__class__:
            if known._value_ & self._value_:
                yield known

    def __len__(self):
        return bin(self._value_).count("1")

    def __bool__(self):
        return bool(self._value_)

    def __repr__(self):
        if self._name_ is None:
            return f"<{self.__class__.__name__}: {self._value_!r}>"
        return f"<{self.__class__.__name__}.{self._name_}: {self._value_!r}>"

    def __str__(self):
        if self._name_ is None:
            return f"{self.__class__.__name__}({self._value_!r})"
        return f"{self.__class__.__name__}.{self._name_}"

    def __or__(self, other):
        value = self._value_of(other)
        return NotImplemented if value is None else self.__class__(self._value_ | value)

    def __and__(self, other):
        value = self._value_of(other)
        return NotImplemented if value is None else self.__class__(self._value_ & value)

    def __xor__(self, other):
        value = self._value_of(other)
        return NotImplemented if value is None else self.__class__(self._value_ ^ value)

    __ror__ = __or__
    __rand__ = __and__
    __rxor__ = __xor__

    def __invert__(self):
        return self.__class__(self._all_bits() & ~self._value_)


class IntFlag(int, Flag):
    """Support for integer-based Flags"""

    __hash__ = int.__hash__
    __eq__ = int.__eq__
    __repr__ = Flag.__repr__
    __str__ = ReprEnum.__str__
    __format__ = ReprEnum.__format__
    __new__ = Enum.__new__
    __or__ = Flag.__or__
    __and__ = Flag.__and__
    __xor__ = Flag.__xor__
    __ror__ = Flag.__or__
    __rand__ = Flag.__and__
    __rxor__ = Flag.__xor__
    __invert__ = Flag.__invert__
    __contains__ = Flag.__contains__


def unique(enumeration):
    """Class decorator for enumerations ensuring unique member values."""
    duplicates = [(name, known.name) for name, known in enumeration.__members__.items() if name != known.name]
    if duplicates:
        details = ", ".join(f"{alias} -> {name}" for alias, name in duplicates)
        raise ValueError(f"duplicate values found in {enumeration!r}: {details}")
    return enumeration
