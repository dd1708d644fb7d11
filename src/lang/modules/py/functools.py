"""Higher-order functions: what works on functions and makes functions."""

from _functools import partial, reduce, cmp_to_key, _lru_cache_wrapper
from collections import namedtuple

WRAPPER_ASSIGNMENTS = ("__module__", "__name__", "__qualname__", "__doc__", "__annotations__")
WRAPPER_UPDATES = ("__dict__",)


def update_wrapper(wrapper, wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    """Gives a function the name, documentation and attributes of the one it stands for."""
    nothing = object()
    for name in assigned:
        value = getattr(wrapped, name, nothing)
        if value is not nothing:
            setattr(wrapper, name, value)
    for name in updated:
        entries = getattr(wrapper, name)
        entries.update(getattr(wrapped, name, {}))
    # Behind the attributes, which may have brought that of a function further inside.
    wrapper.__wrapped__ = wrapped
    return wrapper


def wraps(wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    """A decorator that gives what it decorates the looks of another function."""
    return partial(update_wrapper, wrapped=wrapped, assigned=assigned, updated=updated)


_CacheInfo = namedtuple("CacheInfo", "hits misses maxsize currsize")


def lru_cache(maxsize=128, typed=False):
    """Keeps the answers of a function for the arguments that were used last."""
    is_bare = callable(maxsize) and isinstance(typed, bool)
    if is_bare and not isinstance(maxsize, int):
        return _lru_cache_wrapper(maxsize, 128, typed, _CacheInfo)
    if maxsize is not None and not isinstance(maxsize, int):
        raise TypeError("Expected first argument to be an integer, a callable, or None")
    limit = None if maxsize is None else max(maxsize, 0)
    return lambda function: _lru_cache_wrapper(function, limit, typed, _CacheInfo)


def cache(user_function, /):
    """Keeps all answers of a function."""
    return _lru_cache_wrapper(user_function, None, False, _CacheInfo)


def _derived(root, is_negated, equal):
    """A comparison by another one: its answer or the contrary. Equal ones always count, never do, or (None) are not asked for."""

    def compare(self, other):
        found = getattr(type(self), root)(self, other)
        if found is NotImplemented:
            return found
        if is_negated:
            found = not found
        if equal is None:
            return found
        return (found or self == other) if equal else (found and self != other)

    return compare


# By the comparison that a class has: the others, whether they are its contrary, and what equal ones are to them.
_ORDERINGS = {
    "__lt__": {"__gt__": (True, False), "__le__": (False, True), "__ge__": (True, None)},
    "__le__": {"__ge__": (True, True), "__lt__": (False, False), "__gt__": (True, None)},
    "__gt__": {"__lt__": (True, False), "__ge__": (False, True), "__le__": (True, None)},
    "__ge__": {"__le__": (True, True), "__gt__": (False, False), "__lt__": (True, None)},
}


def total_ordering(cls):
    """Gives a class that has one comparison the three others."""
    own = [name for name in _ORDERINGS if getattr(cls, name, None) is not getattr(object, name, None)]
    if not own:
        raise ValueError("must define at least one ordering operation: < > <= >=")
    # Of several it goes by < rather than <=, that rather than >, and that rather than >=.
    root = max(own)
    for name, (is_negated, equal) in _ORDERINGS[root].items():
        if name not in own:
            function = _derived(root, is_negated, equal)
            function.__name__, function.__qualname__ = name, f"{cls.__qualname__}.{name}"
            setattr(cls, name, function)
    return cls


class partialmethod:
    """A method that is another one with some arguments given."""

    def __init__(self, func, /, *args, **keywords):
        if not (callable(func) or hasattr(func, "__get__")):
            raise TypeError(f"{func!r} is not callable or a descriptor")
        self.func, self.args, self.keywords = func, args, keywords

    def __repr__(self):
        given = [repr(value) for value in (self.func, *self.args)]
        given += [f"{name}={value!r}" for name, value in self.keywords.items()]
        return f"functools.partialmethod({', '.join(given)})"

    def __get__(self, obj, cls=None):
        bound = self.func.__get__(obj, cls) if hasattr(self.func, "__get__") else self.func
        # What does not bind itself takes the object as its first argument.
        first = (obj,) if bound is self.func and obj is not None else ()
        return partial(bound, *first, *self.args, **self.keywords)


class singledispatch:
    """Single-dispatch generic function decorator."""

    def __init__(self, func):
        self.registry = {object: func}
        update_wrapper(self, func)

    def dispatch(self, cls):
        """Returns the implementation for the class."""
        for base in cls.__mro__:
            if base in self.registry:
                return self.registry[base]
        for base, function in self.registry.items():
            if base is not object and issubclass(cls, base):
                return function
        return self.registry[object]

    def register(self, cls, func=None):
        """Registers an implementation for a class."""
        if func is None:
            if isinstance(cls, type):
                return lambda f: self.register(cls, f)
            annotations = getattr(cls, "__annotations__", {})
            kinds = [kind for name, kind in annotations.items() if name != "return"]
            if not kinds:
                raise TypeError(
                    f"Invalid first argument to `register()`: {cls!r}. "
                    "Use either `@register(some_class)` or plain `@register` on an annotated function."
                )
            func, cls = cls, kinds[0]
        self.registry[cls] = func
        return func

    def __call__(self, *args, **kwargs):
        if not args:
            raise TypeError(f"{self.__name__} requires at least 1 positional argument")
        return self.dispatch(type(args[0]))(*args, **kwargs)

    def __get__(self, obj, cls=None):
        return self if obj is None else partial(self, obj)


class singledispatchmethod:
    """A method that is another one by the class of its first argument."""

    def __init__(self, func):
        self.func = func
        self.dispatcher = singledispatch(func)

    def register(self, cls, method=None):
        """Registers the method for a class."""
        return self.dispatcher.register(cls, method)

    def __get__(self, obj, cls=None):
        def method(*args, **kwargs):
            found = self.dispatcher.dispatch(type(args[0]))
            return found.__get__(obj, cls)(*args, **kwargs)

        return update_wrapper(method, self.func)


class cached_property:
    """A property whose value is computed once per instance and kept in its __dict__."""

    def __init__(self, func):
        self.func, self.attrname = func, None
        self.__doc__ = func.__doc__

    def __set_name__(self, owner, name):
        if self.attrname not in (None, name):
            both = f"({self.attrname!r} and {name!r})"
            raise TypeError(f"Cannot assign the same cached_property to two different names {both}.")
        self.attrname = name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        name = self.attrname
        if name is None:
            raise TypeError("Cannot use cached_property instance without calling __set_name__ on it.")
        if not hasattr(instance, "__dict__"):
            kind = type(instance).__name__
            raise TypeError(f"No '__dict__' attribute on {kind!r} instance to cache {name!r} property.")
        kept = instance.__dict__
        if name not in kept:
            kept[name] = self.func(instance)
        return kept[name]
