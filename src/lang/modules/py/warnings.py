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
    """A warning and where it was given: what a recording list holds."""

    def __init__(self, message, category, filename, lineno, file=None, line=None, source=None):
        self.message, self.category = message, category
        self.filename, self.lineno, self.line = filename, lineno, line
        self.file, self.source = file, source

    def __str__(self):
        kind = self.category.__name__ if self.category else None
        return (f"{{message : {self.message!r}, category : {kind!r}, filename : {self.filename!r}, "
                f"lineno : {self.lineno}, line : {self.line!r}}}")


def formatwarning(message, category, filename, lineno, line=None):
    """Function to format a warning the standard way."""
    if line is None:
        line = _warnings.source_line(filename, lineno)
    text = f"{filename}:{lineno}: {category.__name__}: {message}\n"
    if line:
        text += f"  {line.strip()}\n"
    return text


def showwarning(message, category, filename, lineno, file=None, line=None):
    """Writes a warning to a file, to the error stream if none is given; a program may put its own in this place."""
    target = sys.stderr if file is None else file
    if target is not None:
        target.write(formatwarning(message, category, filename, lineno, line))


_show = showwarning


def _matches(pattern, text, ignore_case):
    if pattern is None:
        return True
    if not any(c in "\\.*+?[](){}|^$" for c in pattern):
        return text.lower().startswith(pattern.lower()) if ignore_case else text.startswith(pattern)
    import re
    return re.match(pattern, text, re.IGNORECASE if ignore_case else 0) is not None


def warn(message, category=None, stacklevel=1, source=None):
    """Gives a warning about the line that is running, or about one of its callers' with a higher stacklevel."""
    if isinstance(message, Warning):
        category = type(message)
    elif category is None:
        category = UserWarning
    if not isinstance(category, type) or not issubclass(category, Warning):
        raise TypeError(f"category must be a Warning subclass, not '{type(category).__name__}'")
    filename, lineno, module, line = _warnings.caller(stacklevel)
    _give(message, category, (filename, lineno, module, line), _registries.setdefault(module, {}), source)


def warn_explicit(message, category, filename, lineno, module=None, registry=None, module_globals=None, source=None):
    """Gives a warning about a place that is named."""
    if module is None:
        name = filename or "<unknown>"
        module = name[:-3] if name.lower().endswith(".py") else name
    _give(message, category, (filename, lineno, module, None), {} if registry is None else registry, source)


def _give(message, category, place, registry, source):
    """Does with a warning what the filters say; `registry` knows what was shown from its module."""
    filename, lineno, module, line = place
    warning = message if isinstance(message, Warning) else category(message)
    text, category = str(message), type(warning)
    here = (text, category, lineno)
    if here in registry:
        return
    action = _action(text, category, module, lineno)
    if action == "error":
        raise warning
    if action == "ignore":
        return
    if action != "always":
        registry[here] = 1
    # What is shown once has been: anywhere, or anywhere in this module.
    if action == "once" and not _is_first(onceregistry, (text, category)):
        return
    if action == "module" and not _is_first(registry, (text, category, 0)):
        return
    _showwarnmsg(WarningMessage(warning, category, filename, lineno, line=line, source=source))


def _action(text, category, module, lineno):
    """What the first filter that fits a warning says."""
    for action, message, kind, where, number in filters:
        fits = issubclass(category, kind) and number in (0, lineno)
        if fits and _matches(message, text, True) and _matches(where, module, False):
            if action not in _ACTIONS:
                raise RuntimeError(f"Unrecognized action ({action!r}) in warnings.filters:\n {action}")
            return action
    return defaultaction


def _is_first(seen, key):
    if key in seen:
        return False
    seen[key] = 1
    return True


def _showwarnmsg(shown):
    if _recorders:
        _recorders[-1].append(shown)
        return
    about = (shown.message, shown.category, shown.filename, shown.lineno)
    if showwarning is _show:
        # The line is known where it stood in a cell, which no file has.
        showwarning(*about, None, shown.line)
    else:
        showwarning(*about)


# The lists of the blocks that record, the innermost last.
_recorders = []

_ACTIONS = ("error", "ignore", "always", "default", "module", "once")


def _check_filter(action, lineno):
    if action not in _ACTIONS:
        raise AssertionError(f"invalid action: {action!r}")
    if not isinstance(lineno, int) or lineno < 0:
        raise AssertionError("lineno must be an int >= 0")


def _add(filter, append):
    """A filter that is there already moves to the front, or stays where it is."""
    if append:
        filters.extend([] if filter in filters else [filter])
    else:
        filters[:] = [filter] + [other for other in filters if other != filter]
    _changed()


def filterwarnings(action, message="", category=Warning, module="", lineno=0, append=False):
    """Adds a filter for warnings whose text and module begin as the patterns say."""
    _check_filter(action, lineno)
    for text, name in ((message, "message"), (module, "module")):
        if not isinstance(text, str):
            raise AssertionError(f"{name} must be a string")
        # A pattern that is none is refused now.
        _matches(text, "", False)
    if not isinstance(category, type):
        raise AssertionError("category must be a class")
    if not issubclass(category, Warning):
        raise AssertionError("category must be a Warning subclass")
    _add((action, message or None, category, (module + r"\Z") if module else None, lineno), append)


def simplefilter(action, category=Warning, lineno=0, append=False):
    """Adds a filter for all warnings of a category."""
    _check_filter(action, lineno)
    _add((action, None, category, None, lineno), append)


def resetwarnings():
    """Takes all filters away."""
    filters.clear()
    _changed()


class catch_warnings:
    """A block whose filters end with it; with `record` its warnings go into a list instead of being shown."""

    def __init__(self, *, record=False, module=None, action=None, category=Warning, lineno=0, append=False):
        self._records = record
        self._first_filter = None if action is None else (action, category, lineno, append)
        # Filters and the function that shows, as they were before the block.
        self._before = None

    def __repr__(self):
        return f"catch_warnings({'record=True' if self._records else ''})"

    def __enter__(self):
        global showwarning
        if self._before is not None:
            raise RuntimeError(f"Cannot enter {self!r} twice")
        self._before = (filters.copy(), showwarning)
        _changed()
        recorded = None
        if self._records:
            recorded = []
            _recorders.append(recorded)
            showwarning = _show
        if self._first_filter:
            simplefilter(*self._first_filter)
        return recorded

    def __exit__(self, *raised):
        global showwarning
        if self._before is None:
            raise RuntimeError(f"Cannot exit {self!r} without entering first")
        if self._records:
            _recorders.pop()
        filters[:], showwarning = self._before
        _changed()
