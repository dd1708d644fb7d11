"""Names of the built-in types that have none, simple namespaces, and classes made by calls."""

import sys as _sys


def _function():
    pass


def _generator():
    yield


def _cell():
    held = None
    return lambda: held


class _Methods:
    __slots__ = ("member",)

    def method(self):
        pass


def _traceback():
    try:
        raise ValueError
    except ValueError as error:
        return error.__traceback__


FunctionType = type(_function)
LambdaType = FunctionType
CodeType = type(_function.__code__)
CellType = type(_cell().__closure__[0])
MappingProxyType = type(type.__dict__)
GeneratorType = type(_generator())
MethodType = type(_Methods().method)
BuiltinFunctionType = type(len)
BuiltinMethodType = type([].append)
WrapperDescriptorType = type(object.__init__)
MethodWrapperType = type(object().__str__)
MethodDescriptorType = type(str.join)
ClassMethodDescriptorType = type(dict.__dict__["fromkeys"])
GetSetDescriptorType = type(int.real)
MemberDescriptorType = type(_Methods.member)
ModuleType = type(_sys)
TracebackType = type(_traceback())
NoneType = type(None)
NotImplementedType = type(NotImplemented)
EllipsisType = type(Ellipsis)
GenericAlias = type(list[int])
UnionType = type(int | str)


class SimpleNamespace:
    """A simple attribute-based namespace."""

    def __init__(self, /, **kwargs):
        self.__dict__.update(kwargs)

    def __repr__(self):
        items = (f"{k}={v!r}" for k, v in self.__dict__.items())
        name = "namespace" if type(self) is SimpleNamespace else type(self).__name__
        return f"{name}({', '.join(items)})"

    def __eq__(self, other):
        if isinstance(self, SimpleNamespace) and isinstance(other, SimpleNamespace):
            return self.__dict__ == other.__dict__
        return NotImplemented


def resolve_bases(bases):
    """The bases of a class with those that are no classes replaced by what they stand for."""
    resolved, changed = [], False
    for base in bases:
        if not isinstance(base, type) and hasattr(base, "__mro_entries__"):
            resolved.extend(base.__mro_entries__(bases))
            changed = True
        else:
            resolved.append(base)
    return tuple(resolved) if changed else bases


def new_class(name, bases=(), kwds=None, exec_body=None):
    """Create a class object dynamically."""
    if kwds and "metaclass" in kwds and kwds["metaclass"] is not type:
        raise NotImplementedError("types.new_class() with a metaclass is not here: there are no metaclasses")
    namespace = {"__module__": __name__}
    if exec_body is not None:
        exec_body(namespace)
    keywords = {key: value for key, value in (kwds or {}).items() if key != "metaclass"}
    return type(name, tuple(resolve_bases(bases)), namespace, **keywords)


class DynamicClassAttribute(property):
    """A property for instances; on the class, attributes of its name are looked up as if it were not there."""


def __getattr__(name):
    if name in ("CoroutineType", "AsyncGeneratorType", "coroutine"):
        raise AttributeError(f"module 'types' has no attribute {name!r}: there is no async here")
    if name == "FrameType":
        raise AttributeError("module 'types' has no attribute 'FrameType': running frames are not values here; "
                             "%errors keep-frames keeps those of errors")
    raise AttributeError(f"module 'types' has no attribute {name!r}")


del _Methods, _generator, _function, _cell, _traceback
