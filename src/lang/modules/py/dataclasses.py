"""Classes made from annotated fields."""

from copy import deepcopy as _deepcopy
from types import MemberDescriptorType

__all__ = ["dataclass", "field", "Field", "FrozenInstanceError", "InitVar", "KW_ONLY", "MISSING", "fields", "asdict",
           "astuple", "make_dataclass", "replace", "is_dataclass"]


class FrozenInstanceError(AttributeError):
    pass


class _MISSING_TYPE:
    def __repr__(self):
        return "MISSING"


MISSING = _MISSING_TYPE()


class _KW_ONLY_TYPE:
    pass


KW_ONLY = _KW_ONLY_TYPE()


class _Factory:
    """The default of a parameter whose field has a factory."""

    def __repr__(self):
        return "<factory>"


class InitVar:
    """A pseudo-field that only __init__ and __post_init__ see."""

    def __init__(self, type):
        self.type = type

    @classmethod
    def __class_getitem__(cls, type):
        return InitVar(type)

    def __repr__(self):
        name = self.type.__name__ if isinstance(self.type, type) else repr(self.type)
        return f"dataclasses.InitVar[{name}]"


class Field:
    """One field of a dataclass."""

    __slots__ = ("name", "type", "default", "default_factory", "repr", "hash", "init", "compare", "metadata", "kw_only",
                 "_kind")

    def __init__(self, default, default_factory, init, repr, hash, compare, metadata, kw_only):
        self.name = None
        self.type = None
        self.default = default
        self.default_factory = default_factory
        self.init = init
        self.repr = repr
        self.hash = hash
        self.compare = compare
        self.metadata = {} if metadata is None else metadata
        self.kw_only = kw_only
        self._kind = "field"

    def __repr__(self):
        return (f"Field(name={self.name!r},type={self.type!r},default={self.default!r},"
                f"default_factory={self.default_factory!r},init={self.init!r},repr={self.repr!r},hash={self.hash!r},"
                f"compare={self.compare!r},metadata={self.metadata!r},kw_only={self.kw_only!r},_field_type=_FIELD)")


def field(*, default=MISSING, default_factory=MISSING, init=True, repr=True, hash=None, compare=True, metadata=None,
          kw_only=MISSING):
    """Return an object to identify dataclass fields."""
    if default is not MISSING and default_factory is not MISSING:
        raise ValueError("cannot specify both default and default_factory")
    return Field(default, default_factory, init, repr, hash, compare, metadata, kw_only)


_FIELDS = "__dataclass_fields__"


def _is_classvar(annotation):
    if isinstance(annotation, str):
        return annotation.startswith(("ClassVar", "typing.ClassVar"))
    return getattr(annotation, "_name", None) == "ClassVar"


def _collect(cls, kw_only):
    """The fields of a class in order, those of its bases first."""
    all_fields = {}
    for base in reversed(cls.__mro__[1:]):
        for f in base.__dict__.get(_FIELDS, {}).values():
            all_fields[f.name] = f
    annotations = cls.__dict__.get("__annotations__", {})
    own_kw_only = kw_only
    for name, annotation in annotations.items():
        if annotation is KW_ONLY or annotation == "KW_ONLY":
            own_kw_only = True
            continue
        default = cls.__dict__.get(name, MISSING)
        if isinstance(default, MemberDescriptorType):
            default = MISSING
        if isinstance(default, Field):
            f = default
        else:
            f = field(default=default)
        f.name = name
        f.type = annotation
        if _is_classvar(annotation):
            f._kind = "classvar"
        elif isinstance(annotation, InitVar) or annotation is InitVar:
            f._kind = "initvar"
        if f.kw_only is MISSING:
            f.kw_only = own_kw_only
        if f._kind == "field" and f.default is not MISSING and getattr(type(f.default), "__hash__", None) is None:
            raise ValueError(f"mutable default {type(f.default)} for field {name} is not allowed: use default_factory")
        all_fields[name] = f
        if isinstance(default, Field):
            if f.default is MISSING:
                delattr(cls, name)
            else:
                setattr(cls, name, f.default)
    for name, value in list(cls.__dict__.items()):
        if isinstance(value, Field) and name not in annotations:
            raise TypeError(f"{name!r} is a field but has no type annotation")
    return all_fields


def _plural(names):
    names = [repr(name) for name in names]
    if len(names) > 2:
        text = ", ".join(names[:-1]) + ", and " + names[-1]
    else:
        text = " and ".join(names)
    return ("s" if len(names) > 1 else ""), text


_FACTORY = _Factory()


def _make_init(cls, fields, frozen, slots):
    """`__init__`, compiled from its text so that calls, messages and signatures are those of any function."""
    taken = [f for f in fields if f.init and f._kind != "classvar"]
    positional = [f for f in taken if not f.kw_only]
    seen_default = None
    for f in positional:
        if f.default is not MISSING or f.default_factory is not MISSING:
            seen_default = f
        elif seen_default is not None:
            raise TypeError(f"non-default argument {f.name!r} follows default argument")
    own = "__dataclass_self__" if any(f.name == "self" for f in fields) else "self"
    names = {"__name__": cls.__module__, "_factory": _FACTORY, "_set": object.__setattr__}
    parameters, lines = [own], []
    for f in taken:
        if f.kw_only and "*" not in parameters:
            parameters.append("*")
        if f.default is not MISSING:
            names["_default_" + f.name] = f.default
            parameters.append(f"{f.name}=_default_{f.name}")
        elif f.default_factory is not MISSING:
            parameters.append(f.name + "=_factory")
        else:
            parameters.append(f.name)
    for f in fields:
        if f._kind == "classvar":
            continue
        value = f.name
        if f.default_factory is not MISSING:
            names["_make_" + f.name] = f.default_factory
            made = f"_make_{f.name}()"
            value = f"{made} if {f.name} is _factory else {f.name}" if f.init else made
        elif not f.init:
            if not slots or f.default is MISSING:
                continue
            names["_default_" + f.name] = f.default
            value = "_default_" + f.name
        if f._kind == "initvar":
            if f.default_factory is not MISSING:
                lines.append(f"{f.name} = {value}")
        elif frozen:
            lines.append(f"_set({own}, {f.name!r}, {value})")
        else:
            lines.append(f"{own}.{f.name} = {value}")
    if hasattr(cls, "__post_init__"):
        given = ", ".join([f.name for f in fields if f._kind == "initvar"])
        lines.append(f"{own}.__post_init__({given})")
    exec(f"def __init__({', '.join(parameters)}):\n " + "\n ".join(lines or ["pass"]), names)
    function = names["__init__"]
    function.__annotations__ = {f.name: f.type for f in taken}
    function.__annotations__["return"] = None
    return function


def _with_slots(cls, names, weakref_slot):
    """The same class with its fields in slots: a new class, since slots stand before instances do."""
    if "__slots__" in cls.__dict__:
        raise TypeError(f"{cls.__name__} already specifies __slots__")
    inherited = set()
    for base in cls.__mro__[1:-1]:
        slots = base.__dict__.get("__slots__", ())
        inherited.update([slots] if isinstance(slots, str) else slots)
    attributes = {name: value for name, value in cls.__dict__.items()
                  if name not in names and name not in ("__dict__", "__weakref__")}
    slots = [name for name in names if name not in inherited]
    if weakref_slot:
        slots.append("__weakref__")
    attributes["__slots__"] = tuple(slots)
    made = type(cls.__name__, cls.__bases__, attributes)
    made.__qualname__ = cls.__qualname__
    return made


def _own(cls, function, name):
    function.__name__ = name
    function.__qualname__ = f"{cls.__qualname__}.{name}"
    return function


_REPRESENTING = set()


def dataclass(cls=None, /, *, init=True, repr=True, eq=True, order=False, unsafe_hash=False, frozen=False,
              match_args=True, kw_only=False, slots=False, weakref_slot=False):
    """Add dunder methods based on the fields defined in the class."""

    def wrap(cls):
        return _process(cls, init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only, slots, weakref_slot)

    return wrap if cls is None else wrap(cls)


def _process(cls, init, with_repr, eq, order, unsafe_hash, frozen, match_args, kw_only, slots, weakref_slot):
    if weakref_slot and not slots:
        raise TypeError("weakref_slot is True but slots is False")
    for base in cls.__mro__[1:]:
        parameters = base.__dict__.get("__dataclass_params__")
        if parameters is not None and parameters["frozen"] != frozen:
            if frozen:
                raise TypeError("cannot inherit frozen dataclass from a non-frozen one")
            raise TypeError("cannot inherit non-frozen dataclass from a frozen one")
    all_fields = _collect(cls, kw_only)
    setattr(cls, _FIELDS, all_fields)
    cls.__dataclass_params__ = {"init": init, "repr": with_repr, "eq": eq, "order": order, "unsafe_hash": unsafe_hash,
                                "frozen": frozen}
    real = [f for f in all_fields.values() if f._kind == "field"]
    shown = [f.name for f in real if f.repr]
    compared = [f.name for f in real if f.compare]
    hashed = [f.name for f in real if (f.compare if f.hash is None else f.hash)]
    defined = set(cls.__dict__)

    def values_of(obj, names):
        return tuple([getattr(obj, name) for name in names])

    if init and "__init__" not in defined:
        ordered = [f for f in all_fields.values() if not f.kw_only] + [f for f in all_fields.values() if f.kw_only]
        cls.__init__ = _own(cls, _make_init(cls, ordered, frozen, slots), "__init__")
    if with_repr and "__repr__" not in defined:
        def __repr__(self):
            key = id(self)
            if key in _REPRESENTING:
                return "..."
            _REPRESENTING.add(key)
            try:
                inner = ", ".join([f"{name}={getattr(self, name)!r}" for name in shown])
            finally:
                _REPRESENTING.discard(key)
            return f"{self.__class__.__qualname__}({inner})"

        cls.__repr__ = _own(cls, __repr__, "__repr__")
    if eq and "__eq__" not in defined:
        def __eq__(self, other):
            if other.__class__ is self.__class__:
                return values_of(self, compared) == values_of(other, compared)
            return NotImplemented

        cls.__eq__ = _own(cls, __eq__, "__eq__")
    if order:
        if not eq:
            raise ValueError("eq must be true if order is true")

        def __lt__(self, other):
            if other.__class__ is self.__class__:
                return values_of(self, compared) < values_of(other, compared)
            return NotImplemented

        def __le__(self, other):
            if other.__class__ is self.__class__:
                return values_of(self, compared) <= values_of(other, compared)
            return NotImplemented

        def __gt__(self, other):
            if other.__class__ is self.__class__:
                return values_of(self, compared) > values_of(other, compared)
            return NotImplemented

        def __ge__(self, other):
            if other.__class__ is self.__class__:
                return values_of(self, compared) >= values_of(other, compared)
            return NotImplemented

        for name, function in (("__lt__", __lt__), ("__le__", __le__), ("__gt__", __gt__), ("__ge__", __ge__)):
            if name in defined:
                raise TypeError(f"Cannot overwrite attribute {name} in class {cls.__name__}. "
                                "Consider using functools.total_ordering")
            setattr(cls, name, _own(cls, function, name))
    if frozen:
        names = frozenset(f.name for f in real)

        def __setattr__(self, name, value):
            if type(self) is cls or name in names:
                raise FrozenInstanceError(f"cannot assign to field {name!r}")
            super(cls, self).__setattr__(name, value)

        def __delattr__(self, name):
            if type(self) is cls or name in names:
                raise FrozenInstanceError(f"cannot delete field {name!r}")
            super(cls, self).__delattr__(name)

        cls.__setattr__ = _own(cls, __setattr__, "__setattr__")
        cls.__delattr__ = _own(cls, __delattr__, "__delattr__")
    has_hash = "__hash__" in defined and not (cls.__dict__["__hash__"] is None and "__eq__" in defined)
    if unsafe_hash or (eq and frozen and not has_hash):
        if unsafe_hash and has_hash:
            raise TypeError(f"Cannot overwrite attribute __hash__ in class {cls.__name__}")

        def __hash__(self):
            return hash(values_of(self, hashed))

        cls.__hash__ = _own(cls, __hash__, "__hash__")
    elif eq and not has_hash:
        cls.__hash__ = None
    if match_args and "__match_args__" not in defined:
        cls.__match_args__ = tuple(f.name for f in real if f.init and not f.kw_only)
    if cls.__doc__ is None:
        from _signatures import signature
        try:
            cls.__doc__ = cls.__name__ + str(signature(cls)).replace(" -> None", "")
        except ValueError:
            cls.__doc__ = cls.__name__
    if slots:
        cls = _with_slots(cls, [f.name for f in real], weakref_slot)
    return cls


def fields(class_or_instance):
    """Return a tuple describing the fields of this dataclass."""
    try:
        all_fields = getattr(class_or_instance, _FIELDS)
    except AttributeError:
        raise TypeError("must be called with a dataclass type or instance") from None
    return tuple(f for f in all_fields.values() if f._kind == "field")


def is_dataclass(obj):
    """Returns True if obj is a dataclass or an instance of a dataclass."""
    cls = obj if isinstance(obj, type) else type(obj)
    return hasattr(cls, _FIELDS)


def _is_instance(obj):
    return hasattr(type(obj), _FIELDS)


def asdict(obj, *, dict_factory=dict):
    """Return the fields of a dataclass instance as a new dictionary mapping field names to field values."""
    if not _is_instance(obj):
        raise TypeError("asdict() should be called on dataclass instances")
    return _asdict_inner(obj, dict_factory)


def _asdict_inner(obj, dict_factory):
    if _is_instance(obj):
        return dict_factory([(f.name, _asdict_inner(getattr(obj, f.name), dict_factory)) for f in fields(obj)])
    if isinstance(obj, tuple) and hasattr(obj, "_fields"):
        return type(obj)(*[_asdict_inner(v, dict_factory) for v in obj])
    if isinstance(obj, (list, tuple)):
        return type(obj)([_asdict_inner(v, dict_factory) for v in obj])
    if isinstance(obj, dict):
        pairs = [(_asdict_inner(k, dict_factory), _asdict_inner(v, dict_factory)) for k, v in obj.items()]
        if hasattr(type(obj), "default_factory") or hasattr(obj, "default_factory"):
            result = type(obj)(obj.default_factory)
            result.update(pairs)
            return result
        return type(obj)(pairs)
    return _deepcopy(obj)


def astuple(obj, *, tuple_factory=tuple):
    """Return the fields of a dataclass instance as a new tuple of field values."""
    if not _is_instance(obj):
        raise TypeError("astuple() should be called on dataclass instances")
    return _astuple_inner(obj, tuple_factory)


def _astuple_inner(obj, tuple_factory):
    if _is_instance(obj):
        return tuple_factory([_astuple_inner(getattr(obj, f.name), tuple_factory) for f in fields(obj)])
    if isinstance(obj, tuple) and hasattr(obj, "_fields"):
        return type(obj)(*[_astuple_inner(v, tuple_factory) for v in obj])
    if isinstance(obj, (list, tuple)):
        return type(obj)([_astuple_inner(v, tuple_factory) for v in obj])
    if isinstance(obj, dict):
        return type(obj)([(_astuple_inner(k, tuple_factory), _astuple_inner(v, tuple_factory)) for k, v in obj.items()])
    return _deepcopy(obj)


def make_dataclass(cls_name, fields, *, bases=(), namespace=None, **options):
    """Return a new dynamically created dataclass."""
    namespace = {} if namespace is None else dict(namespace)
    annotations = {}
    for item in fields:
        if isinstance(item, str):
            name, kind = item, "typing.Any"
        elif len(item) == 2:
            name, kind = item
        else:
            name, kind, namespace[item[0]] = item
        if not isinstance(name, str) or not name.isidentifier():
            raise TypeError(f"Field names must be valid identifiers: {name!r}")
        if name in annotations:
            raise TypeError(f"Field name duplicated: {name!r}")
        annotations[name] = kind
    namespace["__annotations__"] = annotations
    return dataclass(type(cls_name, tuple(bases), namespace), **options)


def replace(obj, /, **changes):
    """Return a new object replacing specified fields with new values."""
    if not _is_instance(obj):
        raise TypeError("replace() should be called on dataclass instances")
    for f in getattr(obj, _FIELDS).values():
        if f._kind == "classvar":
            continue
        if not f.init:
            if f.name in changes:
                raise ValueError(f"field {f.name} is declared with init=False, it cannot be specified with replace()")
            continue
        if f.name not in changes:
            if f._kind == "initvar" and f.default is MISSING:
                raise ValueError(f"InitVar {f.name!r} must be specified with replace()")
            changes[f.name] = getattr(obj, f.name)
    return obj.__class__(**changes)
