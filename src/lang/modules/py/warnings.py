"""Warnings: filters, and what is shown of them."""

import sys
import _warnings

__all__ = ["warn", "warn_explicit", "showwarning", "formatwarning", "filterwarnings", "simplefilter", "resetwarnings",
           "catch_warnings"]

filters = [
    ("default", None, DeprecationWarning, "__main__", 0),
    ("ignore", None, DeprecationWarning, None, 0),
    ("ignore", None, PendingDeprecationWarning, None, 0),
    ("ignore", None, ImportWarning, None, 0),
    ("ignore", None, ResourceWarning, None, 0),
]
defaultaction = "default"
onceregistry = {}
# What was shown already, by module; emptied whenever the filters change.
_registries = {}


def _changed():
    _registries.clear()


class WarningMessage:
    """One recorded warning."""

    def __init__(self, message, category, filename, lineno, file=None, line=None, source=None):
        self.message = message
        self.category = category
        self.filename = filename
        self.lineno = lineno
        self.file = file
        self.line = line
        self.source = source
        self._category_name = category.__name__ if category else None

    def __str__(self):
        return "{message : %r, category : %r, filename : %r, lineno : %s, line : %r}" % (
            self.message, self._category_name, self.filename, self.lineno, self.line)


def formatwarning(message, category, filename, lineno, line=None):
    """Function to format a warning the standard way."""
    if line is None:
        line = _warnings.source_line(filename, lineno)
    text = f"{filename}:{lineno}: {category.__name__}: {message}\n"
    if line:
        text += f"  {line.strip()}\n"
    return text


def showwarning(message, category, filename, lineno, file=None, line=None):
    """Hook to write a warning to a file; replace if you like."""
    if file is None:
        file = sys.stderr
        if file is None:
            return
    file.write(formatwarning(message, category, filename, lineno, line))


_showwarning_orig = showwarning


def _matches(pattern, text, ignore_case):
    if pattern is None:
        return True
    if not any(c in "\\.*+?[](){}|^$" for c in pattern):
        return text.lower().startswith(pattern.lower()) if ignore_case else text.startswith(pattern)
    import re
    return re.match(pattern, text, re.IGNORECASE if ignore_case else 0) is not None


def warn(message, category=None, stacklevel=1, source=None):
    """Issue a warning, or maybe ignore it or raise an exception."""
    if isinstance(message, Warning):
        category = message.__class__
    if category is None:
        category = UserWarning
    if not (isinstance(category, type) and issubclass(category, Warning)):
        raise TypeError(f"category must be a Warning subclass, not '{type(category).__name__}'")
    filename, lineno, module, line = _warnings.caller(stacklevel)
    _issue(message, category, filename, lineno, module, _registries.setdefault(module, {}), line, source)


def warn_explicit(message, category, filename, lineno, module=None, registry=None, module_globals=None, source=None):
    """Issue a warning with explicit position."""
    if module is None:
        module = filename or "<unknown>"
        if module[-3:].lower() == ".py":
            module = module[:-3]
    _issue(message, category, filename, lineno, module, {} if registry is None else registry, None, source)


def _issue(message, category, filename, lineno, module, registry, line, source):
    if isinstance(message, Warning):
        text = str(message)
        category = message.__class__
    else:
        text = message
        message = category(message)
    key = (text, category, lineno)
    if registry.get(key):
        return
    action = defaultaction
    for known, pattern, kind, where, number in filters:
        if (issubclass(category, kind) and (number == 0 or lineno == number)
                and _matches(pattern, text, True) and _matches(where, module, False)):
            action = known
            break
    if action == "ignore":
        return
    if action == "error":
        raise message
    if action == "once":
        registry[key] = 1
        once = (text, category)
        if onceregistry.get(once):
            return
        onceregistry[once] = 1
    elif action == "module":
        registry[key] = 1
        once = (text, category, 0)
        if registry.get(once):
            return
        registry[once] = 1
    elif action == "default":
        registry[key] = 1
    elif action != "always":
        raise RuntimeError(f"Unrecognized action ({action!r}) in warnings.filters:\n {action}")
    shown = WarningMessage(message, category, filename, lineno, line=line, source=source)
    _showwarnmsg(shown)


def _showwarnmsg(shown):
    if _recorders:
        _recorders[-1].append(shown)
    elif showwarning is _showwarning_orig:
        showwarning(shown.message, shown.category, shown.filename, shown.lineno, None, shown.line)
    else:
        showwarning(shown.message, shown.category, shown.filename, shown.lineno)


_recorders = []


def _check_action(action):
    if action not in ("error", "ignore", "always", "default", "module", "once"):
        raise AssertionError(f"invalid action: {action!r}")


def _add(item, append):
    if append:
        if item not in filters:
            filters.append(item)
    else:
        if item in filters:
            filters.remove(item)
        filters.insert(0, item)
    _changed()


def filterwarnings(action, message="", category=Warning, module="", lineno=0, append=False):
    """Insert an entry into the list of warnings filters (at the front)."""
    _check_action(action)
    assert isinstance(message, str), "message must be a string"
    assert isinstance(category, type), "category must be a class"
    assert issubclass(category, Warning), "category must be a Warning subclass"
    assert isinstance(module, str), "module must be a string"
    assert isinstance(lineno, int) and lineno >= 0, "lineno must be an int >= 0"
    for pattern in (message, module):
        _matches(pattern, "", False)
    _add((action, message or None, category, (module + r"\Z") if module else None, lineno), append)


def simplefilter(action, category=Warning, lineno=0, append=False):
    """Insert a simple entry into the list of warnings filters (at the front)."""
    _check_action(action)
    assert isinstance(lineno, int) and lineno >= 0, "lineno must be an int >= 0"
    _add((action, None, category, None, lineno), append)


def resetwarnings():
    """Clear the list of warning filters, so that no filters are active."""
    filters[:] = []
    _changed()


class catch_warnings:
    """A context manager that copies and restores the warnings filter upon exiting the context."""

    def __init__(self, *, record=False, module=None, action=None, category=Warning, lineno=0, append=False):
        self._record = record
        self._entered = False
        self._filter = None if action is None else (action, category, lineno, append)

    def __repr__(self):
        return f"catch_warnings({'record=True' if self._record else ''})"

    def __enter__(self):
        global showwarning
        if self._entered:
            raise RuntimeError("Cannot enter %r twice" % self)
        self._entered = True
        self._saved = filters[:]
        self._shown = showwarning
        _changed()
        log = None
        if self._record:
            log = []
            _recorders.append(log)
            showwarning = _showwarning_orig
        if self._filter is not None:
            simplefilter(*self._filter)
        return log

    def __exit__(self, *exc_info):
        global showwarning
        if not self._entered:
            raise RuntimeError("Cannot exit %r without entering first" % self)
        if self._record:
            _recorders.pop()
        filters[:] = self._saved
        showwarning = self._shown
        _changed()
