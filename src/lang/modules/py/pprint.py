"""Pretty-print data: one line where it fits, else one item a line."""

import sys

__all__ = ["pprint", "pformat", "pp", "PrettyPrinter", "isreadable", "isrecursive", "saferepr"]


def saferepr(object):
    return repr(object)


class PrettyPrinter:
    """Handle pretty-printing operations onto a stream using a set of configured parameters."""

    def __init__(self, indent=1, width=80, depth=None, stream=None, *, compact=False, sort_dicts=True,
                 underscore_numbers=False):
        self._indent = int(indent)
        self._width = int(width)
        self._depth = depth
        self._stream = stream
        self._compact = bool(compact)
        self._sort = sort_dicts

    def pprint(self, object):
        stream = sys.stdout if self._stream is None else self._stream
        stream.write(self.pformat(object) + "\n")

    def pformat(self, object):
        return self._text(object, 0, 0, 1)

    def _ordered(self, mapping):
        items = list(mapping.items())
        if self._sort:
            try:
                items.sort(key=lambda item: item[0])
            except TypeError:
                items.sort(key=lambda item: (str(type(item[0])), id(item[0])))
        return items

    def _flat(self, object, level):
        """The object on one line."""
        if self._depth is not None and level > self._depth and isinstance(object, (list, tuple, dict)) and object:
            return "{...}" if isinstance(object, dict) else "[...]" if isinstance(object, list) else "(...)"
        kind = type(object)
        if kind is dict and object:
            return "{" + ", ".join(f"{self._flat(k, level + 1)}: {self._flat(v, level + 1)}" for k, v in self._ordered(object)) + "}"
        if kind is list and object:
            return "[" + ", ".join(self._flat(item, level + 1) for item in object) + "]"
        if kind is tuple and object:
            tail = "," if len(object) == 1 else ""
            return "(" + ", ".join(self._flat(item, level + 1) for item in object) + tail + ")"
        return repr(object)

    def _text(self, object, indent, allowance, level):
        flat = self._flat(object, level)
        if len(flat) <= self._width - indent - allowance:
            return flat
        kind = type(object)
        if kind is dict and object:
            inner = indent + self._indent
            items, parts = self._ordered(object), []
            for i, (key, value) in enumerate(items):
                shown = self._flat(key, level + 1)
                last = i == len(items) - 1
                parts.append(shown + ": " + self._text(value, inner + len(shown) + 2, allowance + 1 if last else 1, level + 1))
            return "{" + " " * (self._indent - 1) + (",\n" + " " * inner).join(parts) + "}"
        if kind in (list, tuple, set, frozenset) and object:
            opening, closing = {list: "[]", tuple: "()", set: "{}", frozenset: ("frozenset({", "})")}[kind]
            if kind is tuple and len(object) == 1:
                closing = ",)"
            items = sorted(object, key=lambda item: (str(type(item)), item)) if kind in (set, frozenset) else list(object)
            inner = indent + (self._indent if len(opening) == 1 else len(opening))
            if self._compact:
                return opening + self._packed(items, inner, level) + closing
            parts = [self._text(item, inner, allowance + len(closing) if i == len(items) - 1 else 1, level + 1)
                     for i, item in enumerate(items)]
            return opening + " " * (self._indent - 1) + (",\n" + " " * inner).join(parts) + closing
        if kind is str and len(object) > 1 and " " in object:
            return self._long_text(object, indent, allowance, level)
        return flat

    def _packed(self, items, inner, level):
        lines, line = [], ""
        for i, item in enumerate(items):
            shown = self._text(item, inner, 1, level + 1) + ("," if i < len(items) - 1 else "")
            if line and len(line) + 1 + len(shown) > self._width - inner - (1 if i == len(items) - 1 else 0):
                lines.append(line)
                line = shown
            else:
                line = f"{line} {shown}" if line else shown
        lines.append(line)
        return ("\n" + " " * inner).join(lines)

    def _long_text(self, object, indent, allowance, level):
        chunks = []
        room = self._width - indent - (1 if level == 1 else 0)
        for line in object.splitlines(True):
            current = ""
            words, word = [], ""
            for c in line:
                if word and not word[-1].strip() == word[-1] and c.strip() == c and c:
                    words.append(word)
                    word = ""
                word += c
            words.append(word)
            for word in words:
                if current and len(repr(current + word)) > room - allowance:
                    chunks.append(repr(current))
                    current = word
                else:
                    current += word
            if current:
                chunks.append(repr(current))
        if len(chunks) == 1:
            return chunks[0]
        opening, closing = ("(", ")") if level == 1 else ("", "")
        return opening + ("\n" + " " * (indent + len(opening))).join(chunks) + closing


def pformat(object, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True, underscore_numbers=False):
    """Format a Python object into a pretty-printed representation."""
    return PrettyPrinter(indent=indent, width=width, depth=depth, compact=compact, sort_dicts=sort_dicts).pformat(object)


def pprint(object, stream=None, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True,
           underscore_numbers=False):
    """Pretty-print a Python object to a stream [default is sys.stdout]."""
    PrettyPrinter(indent=indent, width=width, depth=depth, stream=stream, compact=compact, sort_dicts=sort_dicts).pprint(object)


def pp(object, *args, sort_dicts=False, **kwargs):
    """Pretty-print a Python object"""
    pprint(object, *args, sort_dicts=sort_dicts, **kwargs)


def isreadable(object):
    return True


def isrecursive(object):
    return False
