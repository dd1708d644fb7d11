"""Signatures of what can be called, behind inspect."""

import enum
import functools
import types


class _empty:
    """Says that there is none."""


class _ParameterKind(enum.IntEnum):
    POSITIONAL_ONLY = 0
    POSITIONAL_OR_KEYWORD = 1
    VAR_POSITIONAL = 2
    KEYWORD_ONLY = 3
    VAR_KEYWORD = 4

    def __str__(self):
        return self.name

    @property
    def description(self):
        return ("positional-only", "positional or keyword", "variadic positional", "keyword-only",
                "variadic keyword")[self]


_POSITIONAL_ONLY, _EITHER, _VAR_POSITIONAL, _KEYWORD_ONLY, _VAR_KEYWORD = _ParameterKind


def formatannotation(annotation, base_module=None):
    """An annotation as signatures show it."""
    if getattr(annotation, "__module__", None) == "typing":
        return repr(annotation).replace("typing.", "")
    if isinstance(annotation, types.GenericAlias):
        return str(annotation)
    if isinstance(annotation, type):
        if annotation.__module__ in ("builtins", base_module):
            return annotation.__qualname__
        return annotation.__module__ + "." + annotation.__qualname__
    return repr(annotation)


class Parameter:
    """One parameter: name, kind, default, annotation."""

    __slots__ = ("_name", "_kind", "_default", "_annotation")

    POSITIONAL_ONLY = _POSITIONAL_ONLY
    POSITIONAL_OR_KEYWORD = _EITHER
    VAR_POSITIONAL = _VAR_POSITIONAL
    KEYWORD_ONLY = _KEYWORD_ONLY
    VAR_KEYWORD = _VAR_KEYWORD
    empty = _empty

    def __init__(self, name, kind, *, default=_empty, annotation=_empty):
        try:
            kind = _ParameterKind(kind)
        except ValueError:
            raise ValueError(f"value {kind!r} is not a valid Parameter.kind")
        if default is not _empty and kind in (_VAR_POSITIONAL, _VAR_KEYWORD):
            raise ValueError(f"{kind.description} parameters cannot have default values")
        if name is _empty:
            raise ValueError("name is a required attribute for Parameter")
        if not isinstance(name, str):
            raise TypeError(f"name must be a str, not a {type(name).__name__}")
        if not name.isidentifier():
            raise ValueError(f"{name!r} is not a valid parameter name")
        self._name = name
        self._kind = kind
        self._default = default
        self._annotation = annotation

    @property
    def name(self):
        return self._name

    @property
    def kind(self):
        return self._kind

    @property
    def default(self):
        return self._default

    @property
    def annotation(self):
        return self._annotation

    def replace(self, *, name=_empty, kind=_empty, annotation=_empty, default=_empty):
        """The same parameter with other parts."""
        return type(self)(self._name if name is _empty else name, self._kind if kind is _empty else kind,
                          default=self._default if default is _empty else default,
                          annotation=self._annotation if annotation is _empty else annotation)

    def __str__(self):
        text = self._name
        if self._annotation is not _empty:
            text += ": " + formatannotation(self._annotation)
        if self._default is not _empty:
            text += (" = " if self._annotation is not _empty else "=") + repr(self._default)
        return {_VAR_POSITIONAL: "*", _VAR_KEYWORD: "**"}.get(self._kind, "") + text

    def __repr__(self):
        return f'<{type(self).__name__} "{self}">'

    def _parts(self):
        return (self._name, self._kind, self._default, self._annotation)

    def __hash__(self):
        return hash(self._parts())

    def __eq__(self, other):
        return self._parts() == other._parts() if isinstance(other, Parameter) else NotImplemented


class BoundArguments:
    """The arguments of a call by the names of their parameters."""

    __slots__ = ("arguments", "_signature", "__weakref__")

    def __init__(self, signature, arguments):
        self.arguments = arguments
        self._signature = signature

    @property
    def signature(self):
        return self._signature

    def _split(self):
        args, kwargs, by_name = [], {}, False
        for name, parameter in self._signature.parameters.items():
            if parameter.kind in (_KEYWORD_ONLY, _VAR_KEYWORD):
                by_name = True
            if name not in self.arguments:
                by_name = True
                continue
            value = self.arguments[name]
            if parameter.kind is _VAR_KEYWORD:
                kwargs.update(value)
            elif by_name:
                kwargs[name] = value
            elif parameter.kind is _VAR_POSITIONAL:
                args.extend(value)
            else:
                args.append(value)
        return tuple(args), kwargs

    @property
    def args(self):
        return self._split()[0]

    @property
    def kwargs(self):
        return self._split()[1]

    def apply_defaults(self):
        """Adds what the call left out."""
        complete = {}
        for name, parameter in self._signature.parameters.items():
            if name in self.arguments:
                complete[name] = self.arguments[name]
            elif parameter.default is not _empty:
                complete[name] = parameter.default
            elif parameter.kind is _VAR_POSITIONAL:
                complete[name] = ()
            elif parameter.kind is _VAR_KEYWORD:
                complete[name] = {}
        self.arguments = complete

    def __eq__(self, other):
        if not isinstance(other, BoundArguments):
            return NotImplemented
        return self._signature == other._signature and self.arguments == other.arguments

    def __repr__(self):
        shown = ", ".join(f"{name}={value!r}" for name, value in self.arguments.items())
        return f"<{type(self).__name__} ({shown})>"


class Signature:
    """The parameters of what can be called, and what it says that it returns."""

    __slots__ = ("_return_annotation", "_parameters")

    empty = _empty

    def __init__(self, parameters=None, *, return_annotation=_empty, __validate_parameters__=True):
        found, last, has_default = {}, _POSITIONAL_ONLY, False
        for parameter in parameters or ():
            kind, name = parameter.kind, parameter.name
            if __validate_parameters__:
                if kind < last:
                    raise ValueError(f"wrong parameter order: {last.description} parameter before "
                                     f"{kind.description} parameter")
                if kind > last:
                    last = kind
                if kind <= _EITHER:
                    if parameter.default is not _empty:
                        has_default = True
                    elif has_default:
                        raise ValueError("non-default argument follows default argument")
                if name in found:
                    raise ValueError(f"duplicate parameter name: {name!r}")
            found[name] = parameter
        self._parameters = types.MappingProxyType(found)
        self._return_annotation = return_annotation

    @classmethod
    def from_callable(cls, obj, *, follow_wrapped=True, globals=None, locals=None, eval_str=False):
        return _signature_of(obj, follow_wrapped=follow_wrapped, evaluate=(globals, locals) if eval_str else None)

    @property
    def parameters(self):
        return self._parameters

    @property
    def return_annotation(self):
        return self._return_annotation

    def replace(self, *, parameters=_empty, return_annotation=_empty):
        """The same signature with other parts."""
        return type(self)(self._parameters.values() if parameters is _empty else parameters,
                          return_annotation=self._return_annotation if return_annotation is _empty
                          else return_annotation)

    def _bind(self, args, kwargs, partial):
        arguments, args, kwargs = {}, list(args), dict(kwargs)
        for name, parameter in self._parameters.items():
            kind = parameter.kind
            if kind is _VAR_POSITIONAL:
                if args:
                    arguments[name] = tuple(args)
                    args = []
            elif kind is _VAR_KEYWORD:
                if kwargs:
                    arguments[name] = dict(kwargs)
                    kwargs = {}
            elif kind <= _EITHER and args:
                arguments[name] = args.pop(0)
                if kind is _EITHER and name in kwargs:
                    raise TypeError(f"multiple values for argument {name!r}")
            elif kind is not _POSITIONAL_ONLY and name in kwargs:
                arguments[name] = kwargs.pop(name)
            elif kind is _POSITIONAL_ONLY and name in kwargs and not self._takes_any_name():
                raise TypeError(f"{name!r} parameter is positional only, but was passed as a keyword")
            elif parameter.default is _empty and not partial:
                raise TypeError(f"missing a required argument: {name!r}")
        if args:
            raise TypeError("too many positional arguments")
        if kwargs:
            raise TypeError(f"got an unexpected keyword argument {next(iter(kwargs))!r}")
        return BoundArguments(self, arguments)

    def _takes_any_name(self):
        return any(parameter.kind is _VAR_KEYWORD for parameter in self._parameters.values())

    def bind(self, /, *args, **kwargs):
        """The arguments of a call by parameter; TypeError where the call would not do."""
        return self._bind(args, kwargs, False)

    def bind_partial(self, /, *args, **kwargs):
        """As bind, for a call that leaves arguments out."""
        return self._bind(args, kwargs, True)

    def __hash__(self):
        named = frozenset(p for p in self._parameters.values() if p.kind is _KEYWORD_ONLY)
        others = tuple(p for p in self._parameters.values() if p.kind is not _KEYWORD_ONLY)
        return hash((others, named, self._return_annotation))

    def __eq__(self, other):
        if not isinstance(other, Signature):
            return NotImplemented
        def parts(signature):
            all = signature._parameters.values()
            return ([p for p in all if p.kind is not _KEYWORD_ONLY],
                    {p.name: p for p in all if p.kind is _KEYWORD_ONLY}, signature._return_annotation)
        return parts(self) == parts(other)

    def __str__(self):
        shown, before_slash, has_star = [], False, False
        for parameter in self._parameters.values():
            kind = parameter.kind
            if kind is _POSITIONAL_ONLY:
                before_slash = True
            elif before_slash:
                shown.append("/")
                before_slash = False
            if kind is _VAR_POSITIONAL:
                has_star = True
            elif kind is _KEYWORD_ONLY and not has_star:
                shown.append("*")
                has_star = True
            shown.append(str(parameter))
        if before_slash:
            shown.append("/")
        text = "(" + ", ".join(shown) + ")"
        if self._return_annotation is not _empty:
            text += " -> " + formatannotation(self._return_annotation)
        return text

    def __repr__(self):
        return f"<{type(self).__name__} {self}>"


for _class in (_empty, _ParameterKind, Parameter, BoundArguments, Signature):
    _class.__module__ = "inspect"
formatannotation.__module__ = "inspect"


def signature(obj, *, follow_wrapped=True, globals=None, locals=None, eval_str=False):
    """The signature of what can be called."""
    return Signature.from_callable(obj, follow_wrapped=follow_wrapped, globals=globals, locals=locals,
                                   eval_str=eval_str)


signature.__module__ = "inspect"


def _signature_of(obj, skip_bound=True, follow_wrapped=True, evaluate=None):
    if not callable(obj):
        raise TypeError(f"{obj!r} is not a callable object")
    again = functools.partial(_signature_of, skip_bound=skip_bound, follow_wrapped=follow_wrapped, evaluate=evaluate)
    if isinstance(obj, types.MethodType):
        found = again(obj.__func__)
        return _without_first(found) if skip_bound else found
    if follow_wrapped:
        while hasattr(obj, "__wrapped__") and not hasattr(obj, "__signature__"):
            obj = obj.__wrapped__
        if isinstance(obj, types.MethodType):
            return again(obj)
    given = getattr(obj, "__signature__", None)
    if given is not None:
        if not isinstance(given, Signature):
            raise TypeError(f"unexpected object {given!r} in __signature__ attribute")
        return given
    if isinstance(obj, functools.partial):
        return _of_partial(again(obj.func), obj)
    if isinstance(obj, types.FunctionType):
        return _of_function(obj, evaluate)
    if isinstance(obj, (types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType,
                        types.MethodWrapperType, types.ClassMethodDescriptorType)):
        return _of_native(obj)
    if isinstance(obj, type):
        return _of_class(obj, again)
    call = getattr(type(obj), "__call__", None)
    if call is not None:
        if isinstance(call, (types.FunctionType, types.MethodType)):
            return _without_first(again(call))
        found = getattr(obj, "__text_signature__", None)
        if found is not None:
            return _of_text(found)
    raise ValueError(f"no signature found for builtin {obj!r}")


def _without_first(found):
    parameters = list(found.parameters.values())
    if not parameters or parameters[0].kind in (_KEYWORD_ONLY, _VAR_KEYWORD):
        raise ValueError("invalid method signature")
    if parameters[0].kind is not _VAR_POSITIONAL:
        parameters = parameters[1:]
    return found.replace(parameters=parameters)


def _of_function(function, evaluate):
    code = function.__code__
    annotations = dict(function.__annotations__)
    if evaluate is not None:
        globals, locals = evaluate
        globals = function.__globals__ if globals is None else globals
        annotations = {name: eval(value, globals, locals) if isinstance(value, str) else value
                       for name, value in annotations.items()}
    names = list(code.co_varnames)
    positional, keyword_only = code.co_argcount, code.co_kwonlyargcount
    defaults = function.__defaults__ or ()
    without_default = positional - len(defaults)
    parameters = []

    def add(name, kind, default=_empty):
        parameters.append(Parameter(name if name.isidentifier() else "implicit" + name[1:], kind, default=default,
                                    annotation=annotations.get(name, _empty)))

    for index, name in enumerate(names[:positional]):
        kind = _POSITIONAL_ONLY if index < code.co_posonlyargcount else _EITHER
        add(name, kind, defaults[index - without_default] if index >= without_default else _empty)
    after = positional + keyword_only
    if code.co_flags & 4:
        add(names[after], _VAR_POSITIONAL)
        after += 1
    keyword_defaults = function.__kwdefaults__ or {}
    for name in names[positional:positional + keyword_only]:
        add(name, _KEYWORD_ONLY, keyword_defaults.get(name, _empty))
    if code.co_flags & 8:
        add(names[after], _VAR_KEYWORD)
    return Signature(parameters, return_annotation=annotations.get("return", _empty))


class _Text:
    """A default that is shown as it is written."""

    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text


def _of_native(function):
    text = getattr(function, "__text_signature__", None)
    if text is None:
        raise ValueError(f"no signature found for builtin {function!r}")
    found = _of_text(text)
    owner = getattr(function, "__self__", None)
    if owner is not None and not isinstance(owner, types.ModuleType):
        found = _without_first(found)
    return found


def _of_text(text):
    parameters, kind = [], _EITHER
    for part in _split(text.strip()[1:-1]):
        if part == "/":
            parameters = [parameter.replace(kind=_POSITIONAL_ONLY) for parameter in parameters]
        elif part == "*":
            kind = _KEYWORD_ONLY
        elif part.startswith("**"):
            parameters.append(Parameter(part[2:], _VAR_KEYWORD))
        elif part.startswith("*"):
            parameters.append(Parameter(part[1:], _VAR_POSITIONAL))
            kind = _KEYWORD_ONLY
        else:
            name, _, default = part.partition("=")
            value = _empty
            if default:
                try:
                    value = eval(default, {})
                except Exception:
                    value = _Text(default)
            parameters.append(Parameter(name.strip(), kind, default=value))
    return Signature(parameters, __validate_parameters__=False)


def _split(text):
    parts, depth, start, quote = [], 0, 0, None
    for at, character in enumerate(text):
        if quote is not None:
            quote = None if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    parts.append(text[start:].strip())
    return [part for part in parts if part]


def _of_class(cls, again):
    for name in ("__new__", "__init__"):
        for base in cls.__mro__:
            own = base.__dict__.get(name)
            own = getattr(own, "__func__", own)
            if isinstance(own, types.FunctionType):
                return _without_first(again(own))
    for base in cls.__mro__[:-1]:
        text = getattr(base.__dict__.get("__new__"), "__text_signature__", None)
        if text is None:
            continue
        if base.__module__ == "builtins" and not _shows_arguments(base):
            raise ValueError(f"no signature found for builtin type {base!r}")
        if isinstance(base, type) and issubclass(base, BaseException):
            return Signature([Parameter("args", _VAR_POSITIONAL), Parameter("kwargs", _VAR_KEYWORD)])
        return _without_first(_of_text(text))
    return Signature()


def _shows_arguments(cls):
    return cls in (list, tuple, float, complex, enumerate, property, memoryview) or issubclass(cls, BaseException)


def _of_partial(found, partial):
    try:
        bound = found.bind_partial(*partial.args, **partial.keywords)
    except TypeError as error:
        raise ValueError(f"partial object {partial!r} has incorrect arguments") from error
    parameters, by_name = [], False
    for name, parameter in found.parameters.items():
        kind = parameter.kind
        if kind is _VAR_POSITIONAL:
            if not by_name:
                parameters.append(parameter)
            continue
        if name in bound.arguments and kind is not _VAR_KEYWORD:
            if kind is _POSITIONAL_ONLY:
                continue
            if name not in partial.keywords:
                continue
            by_name = by_name or kind is _EITHER
            parameters.append(parameter.replace(kind=_KEYWORD_ONLY, default=bound.arguments[name]))
        elif by_name and kind is _EITHER:
            parameters.append(parameter.replace(kind=_KEYWORD_ONLY))
        else:
            parameters.append(parameter)
    return found.replace(parameters=parameters)
