"""What functions, classes and modules say of themselves: signatures, sources, documentation, members."""

import _inspect
import functools
import sys
import types
from collections import namedtuple
from _signatures import (BoundArguments, Parameter, Signature, _empty, _ParameterKind, _signature_of, formatannotation,
                         signature)

CO_OPTIMIZED, CO_NEWLOCALS, CO_VARARGS, CO_VARKEYWORDS = 1, 2, 4, 8
CO_NESTED, CO_GENERATOR, CO_NOFREE, CO_COROUTINE = 16, 32, 64, 128
CO_ITERABLE_COROUTINE, CO_ASYNC_GENERATOR = 256, 512

GEN_CREATED, GEN_RUNNING, GEN_SUSPENDED, GEN_CLOSED = "GEN_CREATED", "GEN_RUNNING", "GEN_SUSPENDED", "GEN_CLOSED"


# What an object is.

def ismodule(object):
    """Whether it is a module."""
    return isinstance(object, types.ModuleType)


def isclass(object):
    """Whether it is a class."""
    return isinstance(object, type)


def ismethod(object):
    """Whether it is a method bound to an object."""
    return isinstance(object, types.MethodType)


def isfunction(object):
    """Whether it is a function that a program defines."""
    return isinstance(object, types.FunctionType)


def isbuiltin(object):
    """Whether it is a built-in function, or a built-in method bound to an object."""
    return isinstance(object, types.BuiltinFunctionType)


def isroutine(object):
    """Whether it is a function or a method of any kind."""
    return isbuiltin(object) or isfunction(object) or ismethod(object) or ismethoddescriptor(object)


def _has_own_test(object):
    """Whether it is no descriptor for the two questions below, whatever it has."""
    return isclass(object) or ismethod(object) or isfunction(object)


def ismethoddescriptor(object):
    """Whether it is a descriptor that cannot be written and is none of the kinds that have a test of their own."""
    if _has_own_test(object):
        return False
    if isinstance(object, (types.MethodDescriptorType, types.WrapperDescriptorType, types.ClassMethodDescriptorType,
                           classmethod, staticmethod)):
        return True
    if isinstance(object, (types.GetSetDescriptorType, types.MemberDescriptorType, property)):
        return False
    kind = type(object)
    return hasattr(kind, "__get__") and not hasattr(kind, "__set__")


def isdatadescriptor(object):
    """Whether it is a descriptor that can be written."""
    if _has_own_test(object):
        return False
    if isinstance(object, (types.GetSetDescriptorType, types.MemberDescriptorType, property)):
        return True
    kind = type(object)
    return hasattr(kind, "__set__") or hasattr(kind, "__delete__")


def ismemberdescriptor(object):
    """Whether it is a slot of a class."""
    return isinstance(object, types.MemberDescriptorType)


def isgetsetdescriptor(object):
    """Whether it is a computed attribute of a built-in class."""
    return isinstance(object, types.GetSetDescriptorType)


def ismethodwrapper(object):
    """Whether it is a built-in dunder bound to an object."""
    return isinstance(object, types.MethodWrapperType)


def _has_flag(object, flag):
    while isinstance(object, functools.partial):
        object = object.func
    while ismethod(object):
        object = object.__func__
    return isfunction(object) and bool(object.__code__.co_flags & flag)


def isgeneratorfunction(obj):
    """Whether calling it makes a generator."""
    return _has_flag(obj, CO_GENERATOR)


def iscoroutinefunction(obj):
    """Whether it is defined with async def; there is none here."""
    return _has_flag(obj, CO_COROUTINE)


def isasyncgenfunction(obj):
    """Whether it is an async generator function; there is none here."""
    return _has_flag(obj, CO_ASYNC_GENERATOR)


def isgenerator(object):
    """Whether it is a generator."""
    return isinstance(object, types.GeneratorType)


def iscoroutine(object):
    """Whether it is a coroutine; there is none here."""
    return False


def isasyncgen(object):
    """Whether it is an async generator; there is none here."""
    return False


def isawaitable(object):
    """Whether it can stand after await."""
    return hasattr(type(object), "__await__")


def istraceback(object):
    """Whether it is a traceback."""
    return isinstance(object, types.TracebackType)


def isframe(object):
    """Whether it is a frame."""
    kind = type(object)
    return kind.__name__ == "frame" and kind.__module__ == "builtins"


def iscode(object):
    """Whether it is a code object."""
    return isinstance(object, types.CodeType)


def isabstract(object):
    """Whether it is a class with methods that must still be defined."""
    return isclass(object) and bool(getattr(object, "__abstractmethods__", ()))


# Members.

def getmembers(object, predicate=None):
    """Pairs of name and value of all attributes, by name."""
    return _members(object, predicate, getattr)


def getmembers_static(object, predicate=None):
    """As getmembers, without running descriptors."""
    return _members(object, predicate, getattr_static)


def _members(object, predicate, get):
    found = []
    for name in sorted(set(dir(object))):
        try:
            value = get(object, name)
        except AttributeError:
            continue
        if predicate is None or predicate(value):
            found.append((name, value))
    return found


Attribute = namedtuple("Attribute", "name kind defining_class object")


def classify_class_attrs(cls):
    """What each attribute of a class is, and which class of its order defines it."""
    found = []
    for name in sorted(set(dir(cls))):
        for base in cls.__mro__:
            if name in base.__dict__:
                value = base.__dict__[name]
                break
        else:
            continue
        if isinstance(value, (staticmethod, types.BuiltinMethodType)):
            kind = "static method"
        elif isinstance(value, (classmethod, types.ClassMethodDescriptorType)):
            kind = "class method"
        elif isinstance(value, property):
            kind = "property"
        elif isroutine(value):
            kind = "method"
        else:
            kind = "data"
        if kind in ("static method", "class method"):
            value = getattr(cls, name)
        found.append(Attribute(name, kind, base, value))
    return found


def getmro(cls):
    """The order in which attributes of a class are looked up."""
    return cls.__mro__


_absent = object()


def getattr_static(obj, attr, default=_absent):
    """An attribute as it is stored, without running descriptors or __getattr__."""
    if not isinstance(obj, type):
        in_class = _in_order(type(obj), attr)
        own = _own(obj).get(attr, _absent)
        if in_class is not _absent and (own is _absent or isdatadescriptor(in_class)):
            return in_class
        if own is not _absent:
            return own
    else:
        found = _in_order(obj, attr)
        if found is _absent:
            found = _in_order(type, attr)
        if found is not _absent:
            return found
    if default is _absent:
        raise AttributeError(attr)
    return default


def _own(obj):
    try:
        return object.__getattribute__(obj, "__dict__")
    except AttributeError:
        return {}


def _in_order(cls, name):
    for base in cls.__mro__:
        if name in base.__dict__:
            return base.__dict__[name]
    return _absent


# Documentation and sources.

def cleandoc(doc):
    """Documentation without the indentation of its second and later lines, and without empty lines around it."""
    lines = doc.expandtabs().split("\n")
    margins = [len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()]
    margin = min(margins, default=0)
    lines = [lines[0].lstrip()] + [line[margin:] for line in lines[1:]]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    return "\n".join(lines)


def getdoc(object):
    """The documentation of an object, or of what it overrides."""
    try:
        doc = object.__doc__
    except AttributeError:
        return None
    if doc is None:
        doc = _inherited_doc(object)
    return cleandoc(doc) if isinstance(doc, str) else None


def _inherited_doc(obj):
    if isclass(obj):
        for base in obj.__mro__[1:]:
            if base is not object and base.__doc__ is not None:
                return base.__doc__
        return None
    if ismethod(obj):
        owner, name = obj.__self__, obj.__func__.__name__
        cls = owner if isclass(owner) else type(owner)
    elif isfunction(obj):
        cls, name = _class_of(obj), obj.__name__
    elif isinstance(obj, property):
        function = obj.fget
        cls, name = (_class_of(function), function.__name__) if isfunction(function) else (None, None)
    else:
        return None
    for base in cls.__mro__ if cls is not None else ():
        doc = getattr(base.__dict__.get(name), "__doc__", None)
        if doc is not None:
            return doc
    return None


def _class_of(function):
    module = sys.modules.get(function.__module__)
    found = module
    for name in function.__qualname__.split(".")[:-1]:
        found = getattr(found, name, None)
    return found if isclass(found) else None


def unwrap(func, *, stop=None):
    """What a function wraps, through all that functools.wraps has put around it."""
    seen = {id(func)}
    while hasattr(func, "__wrapped__") and not (stop is not None and stop(func)):
        func = func.__wrapped__
        if id(func) in seen:
            raise ValueError(f"wrapper loop when unwrapping {func!r}")
        seen.add(id(func))
    return func


def _shown_kind(object):
    return ("module, class, method, function, traceback, frame, or code object was expected, got "
            f"{type(object).__name__}")


def _located(object):
    if ismodule(object):
        raise OSError("source code not available")
    found = _inspect.source(unwrap(object))
    if found is None:
        if isclass(object):
            if object.__module__ == "builtins":
                raise TypeError(f"{object!r} is a built-in class")
            raise OSError("source code not available")
        raise TypeError(_shown_kind(object))
    if found[3]:
        raise OSError("could not get source code")
    return found


def getfile(object):
    """The file, or the cell, that an object was defined in."""
    if ismodule(object):
        file = getattr(object, "__file__", None)
        if file is None:
            raise TypeError(f"{object!r} is a built-in module")
        return file
    if isclass(object):
        file = getattr(sys.modules.get(object.__module__), "__file__", None)
        if file is not None:
            return file
    return _located(object)[0]


def getsourcefile(object):
    """The file, or the cell, that an object was defined in."""
    return getfile(object)


def getmodule(object, _filename=None):
    """The module that an object was defined in."""
    if ismodule(object):
        return object
    return sys.modules.get(getattr(object, "__module__", None))


def getmodulename(path):
    """The name of the module in a file."""
    name = path.rpartition("/")[2]
    return name[:-3] if name.endswith(".py") else None


def getsourcelines(object):
    """The lines of an object's definition, and the number of the first."""
    if ismodule(object):
        with open(getfile(object)) as file:
            return file.readlines(), 0
    _, first, lines, _ = _located(object)
    return lines, first


def getsource(object):
    """The text of an object's definition."""
    return "".join(getsourcelines(object)[0])


def getcomments(object):
    """The comments directly before an object's definition."""
    lines, first = findsource(object)
    found = []
    at = first - 1
    while at >= 0 and lines[at].lstrip().startswith("#"):
        found.insert(0, lines[at].strip() + "\n")
        at -= 1
    return "".join(found) or None


def findsource(object):
    """All lines of the file that an object is defined in, and the index of the first of its definition."""
    name, first, _, _ = _located(object)
    with open(name) as file:
        return file.readlines(), first - 1


# Arguments.

FullArgSpec = namedtuple("FullArgSpec", "args varargs varkw defaults kwonlyargs kwonlydefaults annotations")


def getfullargspec(func):
    """Names and defaults of a function's parameters."""
    try:
        found = _signature_of(func, skip_bound=False, follow_wrapped=False)
    except ValueError as error:
        raise TypeError("unsupported callable") from error
    args, defaults, keyword_only, keyword_defaults, annotations = [], [], [], {}, {}
    var_positional = var_keyword = None
    for name, parameter in found.parameters.items():
        if parameter.kind <= Parameter.POSITIONAL_OR_KEYWORD:
            args.append(name)
            if parameter.default is not _empty:
                defaults.append(parameter.default)
        elif parameter.kind is Parameter.VAR_POSITIONAL:
            var_positional = name
        elif parameter.kind is Parameter.KEYWORD_ONLY:
            keyword_only.append(name)
            if parameter.default is not _empty:
                keyword_defaults[name] = parameter.default
        else:
            var_keyword = name
        if parameter.annotation is not _empty:
            annotations[name] = parameter.annotation
    if found.return_annotation is not _empty:
        annotations = {"return": found.return_annotation, **annotations}
    return FullArgSpec(args, var_positional, var_keyword, tuple(defaults) or None, keyword_only,
                       keyword_defaults or None, annotations)


def getcallargs(func, /, *positional, **named):
    """The values of a function's parameters for a call."""
    bound = _signature_of(func, skip_bound=True).bind(*positional, **named)
    bound.apply_defaults()
    values = dict(bound.arguments)
    if ismethod(func):
        first = next(iter(_signature_of(func.__func__).parameters))
        values = {first: func.__self__, **values}
    return values


def get_annotations(obj, *, globals=None, locals=None, eval_str=False):
    """The annotations of a function, class or module; texts are evaluated with eval_str."""
    if isclass(obj):
        found = obj.__dict__.get("__annotations__", {})
    else:
        found = getattr(obj, "__annotations__", None) or {}
    if not eval_str:
        return dict(found)
    if globals is None:
        if isclass(obj):
            globals = vars(sys.modules[obj.__module__])
        else:
            globals = getattr(unwrap(obj), "__globals__", {})
    return {name: eval(value, globals, locals) if isinstance(value, str) else value for name, value in found.items()}


ClosureVars = namedtuple("ClosureVars", "nonlocals globals builtins unbound")


def getgeneratorstate(generator):
    """Where a generator is: GEN_CREATED, GEN_RUNNING, GEN_SUSPENDED or GEN_CLOSED."""
    if generator.gi_running:
        return GEN_RUNNING
    if generator.gi_suspended:
        return GEN_SUSPENDED
    return GEN_CREATED if generator.gi_code is not None else GEN_CLOSED


# Frames.

def currentframe():
    """Refused: frames are not values here."""
    raise NotImplementedError("inspect.currentframe() is not here: running frames are not values; locals() and "
                              "globals() give their names, traceback.format_exc() where an error passed")


def stack(context=1):
    """Refused: frames are not values here."""
    raise NotImplementedError("inspect.stack() is not here: running frames are not values; traceback.format_exc() "
                              "says where an error passed")


def getclosurevars(func):
    """The captured variables of a function; its global names are not kept apart here."""
    raise NotImplementedError("inspect.getclosurevars() is not here: func.__closure__ with func.__code__.co_freevars "
                              "has the captured variables")
