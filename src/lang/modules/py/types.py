"""Names of the built-in types that have none, and simple namespaces."""


def _function():
    pass


def _generator():
    yield


FunctionType = type(_function)
LambdaType = type(lambda: None)
CodeType = type(_function.__code__)
MappingProxyType = type(type.__dict__)
GeneratorType = type(_generator())
BuiltinFunctionType = type(len)
BuiltinMethodType = type([].append)
MethodDescriptorType = type(str.join)
NoneType = type(None)
NotImplementedType = type(NotImplemented)
EllipsisType = type(Ellipsis)


class _Methods:
    def method(self):
        pass


MethodType = type(_Methods().method)

import sys as _sys

ModuleType = type(_sys)
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


def new_class(name, bases=(), kwds=None, exec_body=None):
    """Create a class object dynamically."""
    if kwds:
        raise NotImplementedError("types.new_class() with keywords is not here: there are no metaclasses")
    namespace = {}
    if exec_body is not None:
        exec_body(namespace)
    return type(name, tuple(bases), namespace)


class DynamicClassAttribute(property):
    pass


del _Methods, _generator, _function, _sys
