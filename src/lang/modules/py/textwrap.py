"""Text in lines of a given width."""

from os.path import commonprefix

__all__ = ["TextWrapper", "wrap", "fill", "dedent", "indent", "shorten"]

_BLANKS = "\t\n\x0b\x0c\r "
_TO_SPACES = {ord(blank): " " for blank in _BLANKS}


class TextWrapper:
    """How text is parted into lines; each parameter is an attribute that may change between texts."""

    def __init__(self, width=70, initial_indent="", subsequent_indent="", expand_tabs=True, replace_whitespace=True,
                 fix_sentence_endings=False, break_long_words=True, drop_whitespace=True, break_on_hyphens=True,
                 tabsize=8, *, max_lines=None, placeholder=" [...]"):
        if fix_sentence_endings:
            raise NotImplementedError("textwrap: fix_sentence_endings is not here")
        self.width, self.max_lines, self.placeholder = width, max_lines, placeholder
        self.initial_indent, self.subsequent_indent = initial_indent, subsequent_indent
        self.expand_tabs, self.tabsize, self.replace_whitespace = expand_tabs, tabsize, replace_whitespace
        self.drop_whitespace = drop_whitespace
        self.break_long_words, self.break_on_hyphens = break_long_words, break_on_hyphens

    def fill(self, text):
        """The lines of `wrap` as one text."""
        return "\n".join(self.wrap(text))

    def wrap(self, text):
        """The lines of a text, without their ends."""
        self._check()
        # The next piece stands last, where it is cheap to take.
        rest = self._pieces(self._plain(text))[::-1]
        lines = []
        while rest:
            indent = self.subsequent_indent if lines else self.initial_indent
            room = self.width - len(indent)
            line = self._take_line(rest, room, is_first=not lines)
            if not line:
                continue
            if self._is_last(len(lines) + 1) and (self._goes_on(rest) or _length(line) > room):
                self._end_early(lines, line, indent, room)
                break
            lines.append(indent + "".join(line))
        return lines

    def _check(self):
        if self.width <= 0:
            raise ValueError(f"invalid width {self.width!r} (must be > 0)")
        if self.max_lines is None:
            return
        indent = self.initial_indent if self.max_lines <= 1 else self.subsequent_indent
        if self.width < len(indent + self.placeholder.lstrip()):
            raise ValueError("placeholder too large for max width")

    def _plain(self, text):
        text = text.expandtabs(self.tabsize) if self.expand_tabs else text
        return text.translate(_TO_SPACES) if self.replace_whitespace else text

    def _pieces(self, text):
        """Runs of blanks and the words between them, in the parts at which they may break."""
        pieces, start = [], 0
        while start < len(text):
            is_blank = text[start] in _BLANKS
            end = start + 1
            while end < len(text) and (text[end] in _BLANKS) == is_blank:
                end += 1
            run = text[start:end]
            pieces += [run] if is_blank or not self.break_on_hyphens else _hyphenated(run)
            start = end
        return pieces

    def _take_line(self, rest, room, is_first):
        """Takes the pieces of the next line, one more letter at least."""
        if not is_first and self.drop_whitespace and not rest[-1].strip():
            rest.pop()
        line = []
        while rest and len(rest[-1]) <= room:
            room -= len(rest[-1])
            line.append(rest.pop())
        whole = room + _length(line)
        if rest and len(rest[-1]) > whole:
            # What fits no line: as much of it as there is room for, or all of it on a line of its own.
            if self.break_long_words:
                cut = room if whole > 0 else 1
                word = rest.pop()
                line.append(word[:cut])
                if word[cut:]:
                    rest.append(word[cut:])
            elif not line:
                line.append(rest.pop())
        if self.drop_whitespace and line and not line[-1].strip():
            line.pop()
        return line

    def _is_last(self, number):
        return self.max_lines is not None and number >= self.max_lines

    def _goes_on(self, rest):
        """Whether what is left would make another line."""
        ends_blank = self.drop_whitespace and len(rest) == 1 and not rest[0].strip()
        return bool(rest) and not ends_blank

    def _end_early(self, lines, line, indent, room):
        """Ends the last line, or the one before, with the placeholder."""
        while line and not (line[-1].strip() and _length(line) + len(self.placeholder) <= room):
            line.pop()
        if line:
            lines.append(indent + "".join(line) + self.placeholder)
        elif lines and len(lines[-1].rstrip() + self.placeholder) <= self.width:
            lines[-1] = lines[-1].rstrip() + self.placeholder
        else:
            lines.append(indent + self.placeholder.lstrip())


def _length(pieces):
    return sum(map(len, pieces))


def _hyphenated(word):
    """The parts of a word: it may break behind a hyphen that has two letters on either side."""
    parts, start = [], 0
    for at, letter in enumerate(word):
        if letter == "-" and at >= 2 and len(word) - at > 2 and (word[at - 2:at] + word[at + 1:at + 3]).isalpha():
            parts.append(word[start:at + 1])
            start = at + 1
    return parts + [word[start:]]


def wrap(text, width=70, **kwargs):
    """The lines of a paragraph."""
    return TextWrapper(width, **kwargs).wrap(text)


def fill(text, width=70, **kwargs):
    """A paragraph in lines, as one text."""
    return TextWrapper(width, **kwargs).fill(text)


def shorten(text, width, **kwargs):
    """A text in one line, its end replaced by a placeholder where it is too long."""
    words = text.split()
    return TextWrapper(width, max_lines=1, **kwargs).fill(" ".join(words))


def dedent(text):
    """A text without the blanks that all its lines begin with; lines of blanks become empty."""
    lines = [line if line.strip(" \t") else "" for line in text.split("\n")]
    leads = [line[:len(line) - len(line.lstrip(" \t"))] for line in lines if line]
    cut = len(commonprefix(leads))
    return "\n".join(line[cut:] for line in lines)


def indent(text, prefix, predicate=None):
    """A text with a prefix before each line that is not blank, or that the predicate takes."""
    takes = predicate or str.strip
    return "".join([prefix + line if takes(line) else line for line in text.splitlines(keepends=True)])
