"""Names for annotations. They evaluate and print; nothing is checked."""

import collections as _collections
import collections.abc as _abc
import sys as _sys

_GenericAlias = type(list[int])


class _Form:
    """A special form: Any, Union, Optional, ... as a name, or with parameters."""

    def __init__(self, name, args=None, origin=None):
        self._name = name
        self.__args__ = args
        self.__origin__ = origin

    def __getitem__(self, args):
        if not isinstance(args, tuple):
            args = (args,)
        if self._name == "Optional":
            if len(args) != 1:
                raise TypeError(f"typing.Optional requires a single type. Got {args!r}.")
            return Union[args[0], None]
        if self._name == "Union":
            flat = []
            for arg in args:
                arg = type(None) if arg is None else arg
                inner = arg.__args__ if isinstance(arg, _Form) and arg._name == "Union" and arg.__args__ else (arg,)
                flat.extend(item for item in inner if item not in flat)
            if len(flat) == 1:
                return flat[0]
            return _Form("Union", tuple(flat), Union)
        return _Form(self._name, args, self.__origin__ or self)

    def __call__(self, *args, **kwargs):
        if isinstance(self.__origin__, type):
            return self.__origin__(*args, **kwargs)
        raise TypeError(f"Cannot instantiate {self!r}")

    def __or__(self, other):
        return Union[self, other]

    def __ror__(self, other):
        return Union[other, self]

    def __eq__(self, other):
        return isinstance(other, _Form) and (self._name, self.__args__) == (other._name, other.__args__)

    def __hash__(self):
        return hash((self._name, self.__args__))

    def __repr__(self):
        if self.__args__ is None:
            return "typing." + self._name
        args = self.__args__
        if self._name == "Union" and len(args) == 2 and type(None) in args:
            other = args[0] if args[1] is type(None) else args[1]
            return f"typing.Optional[{_shown(other)}]"
        return f"typing.{self._name}[{', '.join(map(_shown, args))}]"

    def __instancecheck__(self, instance):
        if self.__args__ is not None and self._name not in ("Union",):
            raise TypeError("Subscripted generics cannot be used with class and instance checks")
        if self._name == "Union":
            return isinstance(instance, tuple(self.__args__))
        if isinstance(self.__origin__, type):
            return isinstance(instance, self.__origin__)
        raise TypeError(f"{self!r} cannot be used with isinstance()")


def _shown(value):
    if value is Ellipsis:
        return "..."
    if isinstance(value, type):
        return value.__name__ if value.__module__ == "builtins" else f"{value.__module__}.{value.__qualname__}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_shown, value)) + "]"
    return repr(value)


Any = _Form("Any")
Union = _Form("Union")
Optional = _Form("Optional")
Literal = _Form("Literal")
Final = _Form("Final")
ClassVar = _Form("ClassVar")
Annotated = _Form("Annotated")
NoReturn = _Form("NoReturn")
Never = _Form("Never")
Self = _Form("Self")
LiteralString = _Form("LiteralString")
TypeAlias = _Form("TypeAlias")
Concatenate = _Form("Concatenate")
TypeGuard = _Form("TypeGuard")
Required = _Form("Required")
NotRequired = _Form("NotRequired")
Unpack = _Form("Unpack")
List = _Form("List", None, list)
Dict = _Form("Dict", None, dict)
Set = _Form("Set", None, set)
FrozenSet = _Form("FrozenSet", None, frozenset)
Tuple = _Form("Tuple", None, tuple)
Type = _Form("Type", None, type)
DefaultDict = _Form("DefaultDict", None, _collections.defaultdict)
OrderedDict = _Form("OrderedDict", None, _collections.OrderedDict)
Counter = _Form("Counter", None, _collections.Counter)
ChainMap = _Form("ChainMap", None, _collections.ChainMap)
Deque = _Form("Deque", None, _collections.deque)
Callable = _Form("Callable", None, _abc.Callable)
Iterable = _Form("Iterable", None, _abc.Iterable)
Iterator = _Form("Iterator", None, _abc.Iterator)
Generator = _Form("Generator", None, _abc.Generator)
Sequence = _Form("Sequence", None, _abc.Sequence)
MutableSequence = _Form("MutableSequence", None, _abc.MutableSequence)
Mapping = _Form("Mapping", None, _abc.Mapping)
MutableMapping = _Form("MutableMapping", None, _abc.MutableMapping)
AbstractSet = _Form("AbstractSet", None, _abc.Set)
MutableSet = _Form("MutableSet", None, _abc.MutableSet)
Collection = _Form("Collection", None, _abc.Collection)
Container = _Form("Container", None, _abc.Container)
Hashable = _Form("Hashable", None, _abc.Hashable)
Sized = _Form("Sized", None, _abc.Sized)
Reversible = _Form("Reversible", None, _abc.Reversible)
Text = str
AnyStr = None
TYPE_CHECKING = False


class SupportsInt:
    pass


class SupportsFloat:
    pass


class SupportsIndex:
    pass


class TypeVar:
    """Type variable."""

    def __init__(self, name, *constraints, bound=None, covariant=False, contravariant=False):
        self.__name__ = name
        self.__bound__ = bound
        self.__constraints__ = constraints
        self._mark = "+" if covariant else "-" if contravariant else "~"

    def __repr__(self):
        return self._mark + self.__name__

    def __or__(self, other):
        return Union[self, other]

    def __ror__(self, other):
        return Union[other, self]


class ParamSpec(TypeVar):
    """Parameter specification variable."""

    @property
    def args(self):
        return self

    @property
    def kwargs(self):
        return self


AnyStr = TypeVar("AnyStr", bytes, str)


class Generic:
    """Abstract base class for generic types."""

    @classmethod
    def __class_getitem__(cls, params):
        return cls if cls in (Generic, Protocol) else _GenericAlias(cls, params)


class Protocol(Generic):
    """Base class for protocol classes."""


def runtime_checkable(cls):
    """Mark a protocol class as a runtime protocol: isinstance() asks for its methods."""
    names = [name for name in cls.__dict__ if not name.startswith("__") or callable(cls.__dict__[name])]
    names = [name for name in names if name not in ("__init__", "__module__", "__doc__", "__qualname__", "__dict__")]

    def hook(own, instance):
        if own is not cls:
            return NotImplemented
        return all(hasattr(instance, name) for name in names)

    cls.__instancehook__ = classmethod(hook)
    return cls


_NAMED_TUPLE_OWN = ("__new__", "__init__", "__slots__", "__getnewargs__", "_fields", "_field_defaults", "_field_types",
                    "_make", "_replace", "_asdict", "_source")


def _named_tuple(name, hints, defaults, module):
    made = _collections.namedtuple(name, list(hints), defaults=defaults, module=module)
    made.__annotations__ = dict(hints)
    made.__orig_bases__ = (NamedTuple,)
    return made


class NamedTuple:
    """Typed version of namedtuple: derive from it and annotate the fields."""

    def __new__(cls, typename, fields=None, /, **kwargs):
        pairs = list(fields) if fields is not None else list(kwargs.items())
        return _named_tuple(typename, dict(pairs), [], "__main__")

    @classmethod
    def __class_made__(cls, body):
        hints, own, defaults = body.__dict__.get("__annotations__", {}), body.__dict__, []
        for name in hints:
            if name in own:
                defaults.append(name)
            elif defaults:
                raise TypeError(f"Non-default namedtuple field {name} cannot follow default field"
                                f"{'s' if len(defaults) > 1 else ''} {', '.join(defaults)}")
        made = _named_tuple(body.__name__, hints, [own[name] for name in defaults], body.__module__)
        made.__qualname__ = body.__qualname__
        for name, value in own.items():
            if name in _NAMED_TUPLE_OWN:
                raise AttributeError("Cannot overwrite NamedTuple attribute " + name)
            if name not in hints and name not in ("__module__", "__annotations__", "__dict__", "__weakref__") \
                    and (name != "__doc__" or value is not None):
                setattr(made, name, value)
        return made


class TypedDict(dict):
    """A dict with annotated keys; nothing is checked."""

    __total__ = True
    __required_keys__ = __optional_keys__ = frozenset()

    def __new__(cls, *args, **kwargs):
        if cls is not TypedDict:
            return dict(*args, **kwargs)
        name, fields, total = args[0], args[1] if len(args) > 1 else {}, kwargs.pop("total", True)
        return type(name, (TypedDict,), {"__annotations__": dict(fields or kwargs)}, total=total)

    def __init_subclass__(cls, total=True, **kwargs):
        own = cls.__dict__.get("__annotations__", {})
        hints, required, optional = {}, set(), set()
        for base in reversed(cls.__mro__[1:]):
            if "__required_keys__" in base.__dict__ and base is not TypedDict:
                hints.update(base.__annotations__)
                required |= base.__required_keys__
                optional |= base.__optional_keys__
        for name, hint in own.items():
            wrapped = get_origin(hint)
            is_required = total if wrapped not in (Required, NotRequired) else wrapped is Required
            (required if is_required else optional).add(name)
        cls.__annotations__ = {**hints, **own}
        cls.__required_keys__, cls.__optional_keys__ = frozenset(required), frozenset(optional)
        cls.__total__ = total


def NewType(name, tp):
    """A function that answers its argument, for annotations."""

    def new_type(x):
        return x

    new_type.__name__ = new_type.__qualname__ = name
    new_type.__supertype__ = tp
    return new_type


def cast(typ, val):
    """Cast a value to a type: answers the value unchanged."""
    return val


def overload(func):
    return func


def final(f):
    return f


def no_type_check(arg):
    return arg


def get_type_hints(obj, globalns=None, localns=None, include_extras=False):
    """The annotations of an object, those of its bases included; texts are evaluated."""
    if isinstance(obj, type):
        hints = {}
        for base in reversed(obj.__mro__):
            names = globalns
            if names is None:
                names = getattr(_sys.modules.get(base.__module__), "__dict__", {})
            for name, hint in base.__dict__.get("__annotations__", {}).items():
                hints[name] = _evaluated(hint, names, dict(vars(base)) if localns is None else localns, include_extras)
        return hints
    if isinstance(obj, _sys.__class__):
        names = vars(obj) if globalns is None else globalns
    else:
        function = obj
        while hasattr(function, "__wrapped__"):
            function = function.__wrapped__
        names = getattr(function, "__globals__", {}) if globalns is None else globalns
    hints = getattr(obj, "__annotations__", None)
    if hints is None:
        raise TypeError(f"{obj!r} is not a module, class, method, or function.")
    return {name: _evaluated(hint, names, localns, include_extras) for name, hint in hints.items()}


def _evaluated(hint, names, locals, include_extras):
    if isinstance(hint, str):
        hint = eval(hint, names, locals)
    if hint is None:
        return type(None)
    if not include_extras and getattr(hint, "_name", None) == "Annotated":
        return hint.__origin__
    return hint


def get_origin(tp):
    return getattr(tp, "__origin__", None)


def get_args(tp):
    return getattr(tp, "__args__", None) or ()


def assert_never(arg, /):
    raise AssertionError(f"Expected code to be unreachable, but got: {arg!r}")


def reveal_type(obj, /):
    import sys
    print(f"Runtime type is {type(obj).__name__!r}", file=sys.stderr)
    return obj


IO = _Form("IO")
TextIO = _Form("TextIO")
BinaryIO = _Form("BinaryIO")
