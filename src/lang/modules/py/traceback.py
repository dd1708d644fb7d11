"""Texts of exceptions and of where they passed. Errors keep text and lines, not frames."""

import sys
import _traceback

__all__ = ["extract_tb", "format_exc", "format_exception", "format_exception_only", "format_list", "format_tb",
           "print_exc", "print_exception", "print_last", "print_tb", "FrameSummary", "StackSummary"]

_absent = object()


class FrameSummary:
    """One place that an exception passed."""

    __slots__ = ("filename", "lineno", "name", "line")

    def __init__(self, filename, lineno, name, line=None):
        self.filename = filename
        self.lineno = lineno
        self.name = name
        self.line = line

    def __iter__(self):
        return iter((self.filename, self.lineno, self.name, self.line))

    def __getitem__(self, index):
        return (self.filename, self.lineno, self.name, self.line)[index]

    def __len__(self):
        return 4

    def __eq__(self, other):
        return tuple(self) == tuple(other) if isinstance(other, (FrameSummary, tuple)) else NotImplemented

    def __repr__(self):
        return "<FrameSummary file %s, line %s in %s>" % (self.filename, self.lineno, self.name)


class StackSummary(list):
    """Places in order, outermost first."""

    def format(self):
        return format_list(self)


def extract_tb(tb, limit=None):
    """The places of a traceback."""
    rows = [] if tb is None else [FrameSummary(*row) for row in _traceback.entries(tb)]
    if limit is not None:
        rows = rows[:limit] if limit >= 0 else rows[limit:]
    return StackSummary(rows)


def format_list(extracted_list):
    """A text for each place."""
    lines = []
    for filename, lineno, name, line in extracted_list:
        text = '  File "%s", line %s, in %s\n' % (filename, lineno, name)
        if line:
            text += "    %s\n" % line.strip()
        lines.append(text)
    return lines


def format_tb(tb, limit=None):
    return format_list(extract_tb(tb, limit))


def print_tb(tb, limit=None, file=None):
    for text in format_tb(tb, limit):
        print(text, end="", file=sys.stderr if file is None else file)


def _value(exc, value):
    if value is _absent:
        if isinstance(exc, type):
            raise ValueError("Both or neither of value and tb must be given")
        return exc
    return value


def format_exception_only(exc, value=_absent):
    """The last line of what is printed for an exception, in a list."""
    value = _value(exc, value)
    if value is None:
        return ["NoneType: None\n"]
    lines = [_traceback.last_line(value) + "\n"]
    for note in getattr(value, "__notes__", ()):
        lines.extend([line + "\n" for line in str(note).split("\n")])
    return lines


def format_exception(exc, value=_absent, tb=_absent, limit=None, chain=True):
    """What is printed for an exception, in lines."""
    value = _value(exc, value)
    if value is None:
        return ["NoneType: None\n"]
    if chain and limit is None and (tb is _absent or tb is not None):
        return _traceback.text(value).splitlines(keepends=True)
    lines = []
    if tb is _absent:
        tb = value.__traceback__
    if tb is not None:
        lines.append("Traceback (most recent call last):\n")
        lines.extend(format_tb(tb, limit))
    return lines + format_exception_only(value)


def print_exception(exc, value=_absent, tb=_absent, limit=None, file=None, chain=True):
    print("".join(format_exception(exc, value, tb, limit, chain)), end="", file=sys.stderr if file is None else file)


def format_exc(limit=None, chain=True):
    """The text of the exception that is being handled."""
    return "".join(format_exception(sys.exception(), limit=limit, chain=chain))


def print_exc(limit=None, file=None, chain=True):
    """Prints the exception that is being handled."""
    print_exception(sys.exception(), limit=limit, file=file, chain=chain)


def print_last(limit=None, file=None, chain=True):
    if not hasattr(sys, "last_value"):
        raise ValueError("no last exception")
    print_exception(sys.last_value, limit=limit, file=file, chain=chain)
