"""Higher-order functions: what works on functions and makes functions."""

from _functools import partial, reduce, cmp_to_key, _lru_cache_wrapper
from collections import namedtuple

WRAPPER_ASSIGNMENTS = ("__module__", "__name__", "__qualname__", "__doc__", "__annotations__")
WRAPPER_UPDATES = ("__dict__",)


def update_wrapper(wrapper, wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    """Update a wrapper function to look like the wrapped function"""
    for name in assigned:
        try:
            value = getattr(wrapped, name)
        except AttributeError:
            continue
        setattr(wrapper, name, value)
    for name in updated:
        getattr(wrapper, name).update(getattr(wrapped, name, {}))
    wrapper.__wrapped__ = wrapped
    return wrapper


def wraps(wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    """Decorator factory to apply update_wrapper() to a wrapper function"""
    return partial(update_wrapper, wrapped=wrapped, assigned=assigned, updated=updated)


_CacheInfo = namedtuple("CacheInfo", ["hits", "misses", "maxsize", "currsize"])


def lru_cache(maxsize=128, typed=False):
    """Least-recently-used cache decorator."""
    if isinstance(maxsize, int):
        if maxsize < 0:
            maxsize = 0
    elif callable(maxsize) and isinstance(typed, bool):
        return _lru_cache_wrapper(maxsize, 128, typed, _CacheInfo)
    elif maxsize is not None:
        raise TypeError("Expected first argument to be an integer, a callable, or None")

    def decorating_function(user_function):
        return _lru_cache_wrapper(user_function, maxsize, typed, _CacheInfo)

    return decorating_function


def cache(user_function, /):
    """Simple lightweight unbounded cache.  Sometimes called "memoize"."""
    return lru_cache(maxsize=None)(user_function)


def _negated(name):
    def compare(self, other):
        result = getattr(type(self), name)(self, other)
        return result if result is NotImplemented else not result

    return compare


def _or_equal(name):
    def compare(self, other):
        result = getattr(type(self), name)(self, other)
        return result if result is NotImplemented else result or self == other

    return compare


def _and_unequal(name):
    def compare(self, other):
        result = getattr(type(self), name)(self, other)
        return result if result is NotImplemented else result and self != other

    return compare


def _not_and_unequal(name):
    def compare(self, other):
        result = getattr(type(self), name)(self, other)
        return result if result is NotImplemented else not result and self != other

    return compare


def _not_or_equal(name):
    def compare(self, other):
        result = getattr(type(self), name)(self, other)
        return result if result is NotImplemented else not result or self == other

    return compare


_ORDERINGS = {
    "__lt__": [("__gt__", _not_and_unequal), ("__le__", _or_equal), ("__ge__", _negated)],
    "__le__": [("__ge__", _not_or_equal), ("__lt__", _and_unequal), ("__gt__", _negated)],
    "__gt__": [("__lt__", _not_and_unequal), ("__ge__", _or_equal), ("__le__", _negated)],
    "__ge__": [("__le__", _not_or_equal), ("__gt__", _and_unequal), ("__lt__", _negated)],
}


def total_ordering(cls):
    """Class decorator that fills in missing ordering methods"""
    roots = [name for name in _ORDERINGS if getattr(cls, name, None) is not getattr(object, name, None)]
    if not roots:
        raise ValueError("must define at least one ordering operation: < > <= >=")
    root = max(roots)
    for name, make in _ORDERINGS[root]:
        if name not in roots:
            function = make(root)
            function.__name__ = name
            function.__qualname__ = cls.__qualname__ + "." + name
            setattr(cls, name, function)
    return cls


class partialmethod:
    """Method descriptor with partial application of the given arguments and keywords."""

    def __init__(self, func, /, *args, **keywords):
        if not callable(func) and not hasattr(func, "__get__"):
            raise TypeError(f"{func!r} is not callable or a descriptor")
        self.func = func
        self.args = args
        self.keywords = keywords

    def __repr__(self):
        parts = [repr(self.func)]
        parts.extend(map(repr, self.args))
        parts.extend(f"{k}={v!r}" for k, v in self.keywords.items())
        return f"functools.partialmethod({', '.join(parts)})"

    def __get__(self, obj, cls=None):
        get = getattr(self.func, "__get__", None)
        if get is not None:
            bound = get(obj, cls)
            if bound is not self.func:
                return partial(bound, *self.args, **self.keywords)
        if obj is None:
            return partial(self.func, *self.args, **self.keywords)
        return partial(self.func, obj, *self.args, **self.keywords)


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
    """Single-dispatch generic method descriptor."""

    def __init__(self, func):
        self.dispatcher = singledispatch(func)
        self.func = func

    def register(self, cls, method=None):
        return self.dispatcher.register(cls, func=method)

    def __get__(self, obj, cls=None):
        def method(*args, **kwargs):
            function = self.dispatcher.dispatch(type(args[0]))
            return function.__get__(obj, cls)(*args, **kwargs)

        return update_wrapper(method, self.func)


_MISSING = object()


class cached_property:
    """A property whose value is computed once per instance and kept in its __dict__."""

    def __init__(self, func):
        self.func = func
        self.attrname = None
        self.__doc__ = func.__doc__

    def __set_name__(self, owner, name):
        if self.attrname is None:
            self.attrname = name
        elif name != self.attrname:
            raise TypeError(
                "Cannot assign the same cached_property to two different names "
                f"({self.attrname!r} and {name!r})."
            )

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        if self.attrname is None:
            raise TypeError("Cannot use cached_property instance without calling __set_name__ on it.")
        try:
            cache = instance.__dict__
        except AttributeError:
            raise TypeError(
                f"No '__dict__' attribute on {type(instance).__name__!r} "
                f"instance to cache {self.attrname!r} property."
            ) from None
        value = cache.get(self.attrname, _MISSING)
        if value is _MISSING:
            value = self.func(instance)
            cache[self.attrname] = value
        return value
