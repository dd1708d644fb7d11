"""Regular expressions: patterns, matches, searching, splitting, replacing."""

import _re
import enum

__all__ = [
    "match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer", "compile", "purge", "escape",
    "error", "Pattern", "Match", "A", "I", "L", "M", "S", "X", "U",
    "ASCII", "IGNORECASE", "LOCALE", "MULTILINE", "DOTALL", "VERBOSE", "UNICODE", "NOFLAG", "RegexFlag",
]

_BYTES = 1 << 20


class RegexFlag(enum.IntFlag):
    """Flags of a pattern."""

    NOFLAG = 0
    IGNORECASE = I = 2
    LOCALE = L = 4
    MULTILINE = M = 8
    DOTALL = S = 16
    UNICODE = U = 32
    VERBOSE = X = 64
    DEBUG = 128
    ASCII = A = 256

    def __repr__(self):
        value = int(self)
        if value == 0:
            return "re.NOFLAG"
        parts = []
        for name, bit in _FLAG_NAMES:
            if value & bit:
                parts.append("re." + name)
                value &= ~bit
        if value:
            parts.append(hex(value))
        return "|".join(parts)

    __str__ = __repr__


_FLAG_NAMES = [("IGNORECASE", 2), ("LOCALE", 4), ("MULTILINE", 8), ("DOTALL", 16), ("UNICODE", 32), ("VERBOSE", 64),
               ("DEBUG", 128), ("ASCII", 256)]

NOFLAG = RegexFlag.NOFLAG
IGNORECASE = I = RegexFlag.IGNORECASE
LOCALE = L = RegexFlag.LOCALE
MULTILINE = M = RegexFlag.MULTILINE
DOTALL = S = RegexFlag.DOTALL
UNICODE = U = RegexFlag.UNICODE
VERBOSE = X = RegexFlag.VERBOSE
DEBUG = RegexFlag.DEBUG
ASCII = A = RegexFlag.ASCII


class error(Exception):
    """What is wrong with a pattern or a template, and where."""

    def __init__(self, msg, pattern=None, pos=None):
        self.msg = msg
        self.pattern = pattern
        self.pos = pos
        if pattern is not None and pos is not None:
            newline = "\n" if isinstance(pattern, str) else b"\n"
            msg = "%s at position %d" % (msg, pos)
            self.lineno = pattern.count(newline, 0, pos) + 1
            self.colno = pos - pattern.rfind(newline, 0, pos)
            if newline in pattern:
                msg = "%s (line %d, column %d)" % (msg, self.lineno, self.colno)
        else:
            self.lineno = self.colno = None
        super().__init__(msg)


class Match:
    """What a pattern found in a string."""

    __slots__ = ("re", "string", "pos", "endpos", "_spans")

    def __init__(self, pattern, string, pos, endpos, spans):
        self.re = pattern
        self.string = string
        self.pos = pos
        self.endpos = endpos
        self._spans = spans

    def _index(self, group):
        if isinstance(group, int):
            if 0 <= group <= self.re.groups:
                return group
        elif group in self.re.groupindex:
            return self.re.groupindex[group]
        raise IndexError("no such group")

    def _part(self, index, default=None):
        start = self._spans[2 * index]
        return default if start < 0 else self.string[start:self._spans[2 * index + 1]]

    def group(self, *groups):
        """Subgroups by number or name; the whole match without arguments."""
        if not groups:
            return self._part(0)
        if len(groups) == 1:
            return self._part(self._index(groups[0]))
        return tuple([self._part(self._index(group)) for group in groups])

    def __getitem__(self, group):
        return self._part(self._index(group))

    def groups(self, default=None):
        """All subgroups; default for those that took no part."""
        return tuple([self._part(index, default) for index in range(1, self.re.groups + 1)])

    def groupdict(self, default=None):
        """Named subgroups by name."""
        return {name: self._part(index, default) for name, index in self.re.groupindex.items()}

    def start(self, group=0):
        """Where a group begins; -1 when it took no part."""
        return self._spans[2 * self._index(group)]

    def end(self, group=0):
        """Where a group ends; -1 when it took no part."""
        return self._spans[2 * self._index(group) + 1]

    def span(self, group=0):
        """Where a group begins and ends."""
        index = self._index(group)
        return (self._spans[2 * index], self._spans[2 * index + 1])

    @property
    def regs(self):
        return tuple([self.span(index) for index in range(self.re.groups + 1)])

    @property
    def lastindex(self):
        """The group that closed last; None without one."""
        found, end = None, -1
        for index in self.re._closing:
            if self._spans[2 * index + 1] >= end and self._spans[2 * index] >= 0:
                found, end = index, self._spans[2 * index + 1]
        return found

    @property
    def lastgroup(self):
        """The name of the group that closed last; None without one."""
        last = self.lastindex
        for name, index in self.re.groupindex.items():
            if index == last:
                return name
        return None

    def expand(self, template):
        """The template with its references replaced by groups."""
        return _expand(_parse_template(template, self.re), self)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __repr__(self):
        return "<re.Match object; span=%r, match=%r>" % (self.span(), self._part(0))


class Pattern:
    """A compiled regular expression."""

    __slots__ = ("pattern", "flags", "groups", "groupindex", "_text", "_given", "_closing")

    def __init__(self, pattern, flags):
        self.pattern = pattern
        self._given = flags
        self._text = pattern
        if isinstance(pattern, (bytes, bytearray)):
            self._text = bytes(pattern).decode("latin-1")
            self._given |= _BYTES
        prepared = _re.prepare(self._text, self._given)
        if prepared[0] is None:
            raise error(prepared[1], pattern, prepared[2])
        self.flags, self.groups, names, self._closing = prepared
        self.groupindex = dict(names)

    def _find(self, string, pos, endpos, mode, limit):
        if isinstance(string, str):
            if self._given & _BYTES:
                raise TypeError("cannot use a bytes pattern on a string-like object")
            text = string
        elif isinstance(string, (bytes, bytearray, memoryview)):
            if not self._given & _BYTES:
                raise TypeError("cannot use a string pattern on a bytes-like object")
            text = bytes(string).decode("latin-1")
        else:
            raise TypeError("expected string or bytes-like object, got '%s'" % type(string).__name__)
        if endpos is None:
            endpos = len(text)
        return _re.find(self._text, self._given, text, pos, endpos, mode, limit)

    def _one(self, string, pos, endpos, mode):
        for spans in self._find(string, pos, endpos, mode, 1):
            length = len(string)
            return Match(self, string, min(max(pos, 0), length),
                         length if endpos is None else min(max(endpos, 0), length), spans)
        return None

    def search(self, string, pos=0, endpos=None):
        """The first match anywhere in the string; None without one."""
        return self._one(string, pos, endpos, 0)

    def match(self, string, pos=0, endpos=None):
        """The match at the beginning of the string; None without one."""
        return self._one(string, pos, endpos, 1)

    def fullmatch(self, string, pos=0, endpos=None):
        """The match of the whole string; None without one."""
        return self._one(string, pos, endpos, 2)

    def finditer(self, string, pos=0, endpos=None):
        """An iterator over all matches."""
        found = self._find(string, pos, endpos, 0, 0)
        last = len(string) if endpos is None else min(endpos, len(string))
        return iter([Match(self, string, pos, last, spans) for spans in found])

    def findall(self, string, pos=0, endpos=None):
        """All matches: strings, or tuples of groups where the pattern has more than one."""
        found = self._find(string, pos, endpos, 0, 0)
        empty = string[:0]
        if self.groups == 0:
            return [string[spans[0]:spans[1]] for spans in found]
        if self.groups == 1:
            return [string[spans[2]:spans[3]] if spans[2] >= 0 else empty for spans in found]
        return [
            tuple([string[spans[at]:spans[at + 1]] if spans[at] >= 0 else empty for at in range(2, len(spans), 2)])
            for spans in found
        ]

    def split(self, string, maxsplit=0):
        """The string split at the matches, with the groups between the parts."""
        parts, at = [], 0
        if maxsplit >= 0:
            for spans in self._find(string, 0, None, 0, maxsplit):
                parts.append(string[at:spans[0]])
                for group in range(2, len(spans), 2):
                    parts.append(string[spans[group]:spans[group + 1]] if spans[group] >= 0 else None)
                at = spans[1]
        parts.append(string[at:])
        return parts

    def subn(self, repl, string, count=0):
        """As sub(), with the number of replacements."""
        if callable(repl):
            template = None
        else:
            template = _parse_template(repl, self)
            if len(template) == 1 and not isinstance(template[0], int):
                template = template[0]
            elif not template:
                template = string[:0]
        parts, at, made = [], 0, 0
        if count >= 0:
            for spans in self._find(string, 0, None, 0, count):
                parts.append(string[at:spans[0]])
                at = spans[1]
                made += 1
                if template is None:
                    parts.append(repl(Match(self, string, 0, len(string), spans)))
                elif isinstance(template, list):
                    parts.append(_expand(template, Match(self, string, 0, len(string), spans)))
                else:
                    parts.append(template)
        parts.append(string[at:])
        return (string[:0].join(parts), made)

    def sub(self, repl, string, count=0):
        """The string with matches replaced by a template or by what a function of the match answers."""
        return self.subn(repl, string, count)[0]

    def scanner(self, string, pos=0, endpos=None):
        raise NotImplementedError("Pattern.scanner is not here; finditer answers all matches")

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __eq__(self, other):
        if not isinstance(other, Pattern):
            return NotImplemented
        return self.pattern == other.pattern and type(self.pattern) is type(other.pattern) and self.flags == other.flags

    def __hash__(self):
        return hash((self.pattern, self.flags))

    def __repr__(self):
        flags = self.flags & ~32 if isinstance(self.pattern, str) else self.flags
        shown = repr(self.pattern)
        if len(shown) > 200:
            shown = shown[:200]
        return "re.compile(%s%s)" % (shown, ", " + repr(RegexFlag(flags)) if flags else "")


Pattern.__module__ = Match.__module__ = "re"

_ESCAPES = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\"}
_OCTAL = "01234567"


def _parse_template(template, pattern):
    """The parts of a replacement: texts and numbers of groups."""
    is_bytes = isinstance(template, (bytes, bytearray))
    text = bytes(template).decode("latin-1") if is_bytes else template
    if not isinstance(text, str):
        raise TypeError("decoding to str: need a bytes-like object, %s found" % type(template).__name__)
    parts, literal, at = [], [], 0

    def group(index, where):
        if index > pattern.groups:
            raise error("invalid group reference %d" % index, template, where)
        if literal:
            parts.append("".join(literal))
            literal.clear()
        parts.append(index)

    while at < len(text):
        found = text.find("\\", at)
        if found < 0:
            literal.append(text[at:])
            break
        literal.append(text[at:found])
        c = text[found + 1:found + 2]
        at = found + 2
        if c == "":
            raise error("bad escape (end of pattern)", template, found)
        if c == "g":
            if text[at:at + 1] != "<":
                raise error("missing <", template, at)
            end = text.find(">", at)
            if end < 0:
                raise error("missing >, unterminated name", template, at + 1)
            name = text[at + 1:end]
            if name.isascii() and name.isdigit():
                group(int(name), at + 1)
            elif name in pattern.groupindex:
                group(pattern.groupindex[name], at + 1)
            elif not name:
                raise error("missing group name", template, at + 1)
            elif not name.isidentifier():
                raise error("bad character in group name %r" % name, template, at + 1)
            else:
                raise IndexError("unknown group name %r" % name)
            at = end + 1
        elif c == "0":
            digits = c
            while len(digits) < 3 and text[at:at + 1] in _OCTAL and text[at:at + 1]:
                digits += text[at]
                at += 1
            literal.append(chr(int(digits, 8) & 0xFF))
        elif c in "123456789":
            digits = c
            if text[at:at + 1] and text[at] in "0123456789":
                digits += text[at]
                at += 1
                if c in _OCTAL and digits[1] in _OCTAL and text[at:at + 1] and text[at] in _OCTAL:
                    digits += text[at]
                    at += 1
                    value = int(digits, 8)
                    if value > 0o377:
                        raise error("octal escape value \\%s outside of range 0-0o377" % digits, template, found)
                    literal.append(chr(value))
                    continue
            group(int(digits), found + 1)
        elif c in _ESCAPES:
            literal.append(_ESCAPES[c])
        elif c.isascii() and c.isalpha():
            raise error("bad escape \\%s" % c, template, found)
        else:
            literal.append("\\" + c)
    tail = "".join(literal)
    if tail:
        parts.append(tail)
    if is_bytes:
        parts = [part if isinstance(part, int) else part.encode("latin-1") for part in parts]
    return parts


def _expand(parts, match):
    empty = match.string[:0]
    return empty.join([match._part(part, empty) if isinstance(part, int) else part for part in parts])


_kept = {}


def compile(pattern, flags=0):
    """Compile a regular expression pattern, returning a Pattern object."""
    if isinstance(pattern, Pattern):
        if flags:
            raise ValueError("cannot process flags argument with a compiled pattern")
        return pattern
    flags = int(flags)
    key = (type(pattern), pattern, flags)
    try:
        return _kept[key]
    except (KeyError, TypeError):
        pass
    if isinstance(pattern, str):
        if flags & 4:
            raise ValueError("cannot use LOCALE flag with a str pattern")
        if flags & 256 and flags & 32:
            raise ValueError("ASCII and UNICODE flags are incompatible")
        if not flags & 256:
            given = flags | 32
        else:
            given = flags
    elif isinstance(pattern, (bytes, bytearray)):
        if flags & 32:
            raise ValueError("cannot use UNICODE flag with a bytes pattern")
        given = flags
    else:
        raise TypeError("first argument must be string or compiled pattern")
    made = Pattern(pattern, given)
    if isinstance(pattern, (str, bytes)):
        if len(_kept) >= 512:
            _kept.clear()
        _kept[key] = made
    return made


def purge():
    """Clear the regular expression caches."""
    _kept.clear()


def match(pattern, string, flags=0):
    """Try to apply the pattern at the start of the string, returning a Match object, or None if no match was found."""
    return compile(pattern, flags).match(string)


def fullmatch(pattern, string, flags=0):
    """Try to apply the pattern to all of the string, returning a Match object, or None if no match was found."""
    return compile(pattern, flags).fullmatch(string)


def search(pattern, string, flags=0):
    """Scan through string looking for a match to the pattern, returning a Match object, or None if no match was found."""
    return compile(pattern, flags).search(string)


def sub(pattern, repl, string, count=0, flags=0):
    """Return the string obtained by replacing the leftmost non-overlapping occurrences of the pattern by repl."""
    return compile(pattern, flags).sub(repl, string, count)


def subn(pattern, repl, string, count=0, flags=0):
    """As sub(), in a tuple with the number of substitutions that were made."""
    return compile(pattern, flags).subn(repl, string, count)


def split(pattern, string, maxsplit=0, flags=0):
    """Split the source string by the occurrences of the pattern, returning a list."""
    return compile(pattern, flags).split(string, maxsplit)


def findall(pattern, string, flags=0):
    """Return a list of all non-overlapping matches in the string."""
    return compile(pattern, flags).findall(string)


def finditer(pattern, string, flags=0):
    """Return an iterator over all non-overlapping matches in the string."""
    return compile(pattern, flags).finditer(string)


_SPECIAL = {c: "\\" + c for c in "()[]{}?*+-|^$\\.&~# \t\n\r\v\f"}


def escape(pattern):
    """Escape special characters in a string."""
    if isinstance(pattern, str):
        return "".join([_SPECIAL.get(c, c) for c in pattern])
    text = bytes(pattern).decode("latin-1")
    return "".join([_SPECIAL.get(c, c) for c in text]).encode("latin-1")
