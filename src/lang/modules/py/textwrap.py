"""Text wrapping and filling."""

__all__ = ["TextWrapper", "wrap", "fill", "dedent", "indent", "shorten"]

_WHITESPACE = "\t\n\x0b\x0c\r "


class TextWrapper:
    """Object for wrapping/filling text."""

    def __init__(self, width=70, initial_indent="", subsequent_indent="", expand_tabs=True, replace_whitespace=True,
                 fix_sentence_endings=False, break_long_words=True, drop_whitespace=True, break_on_hyphens=True,
                 tabsize=8, *, max_lines=None, placeholder=" [...]"):
        if fix_sentence_endings:
            raise NotImplementedError("textwrap: fix_sentence_endings is not here")
        self.width = width
        self.initial_indent = initial_indent
        self.subsequent_indent = subsequent_indent
        self.expand_tabs = expand_tabs
        self.replace_whitespace = replace_whitespace
        self.break_long_words = break_long_words
        self.drop_whitespace = drop_whitespace
        self.break_on_hyphens = break_on_hyphens
        self.tabsize = tabsize
        self.max_lines = max_lines
        self.placeholder = placeholder

    def _split_word(self, word):
        """A word's pieces: it may break behind a hyphen between letters."""
        if not self.break_on_hyphens:
            return [word]
        pieces, start = [], 0
        for i in range(1, len(word) - 1):
            if word[i] == "-" and i + 1 < len(word):
                before, after = word[:i], word[i + 1:]
                if len(before) >= 2 and before[-1].isalpha() and before[-2].isalpha() \
                        and len(after) >= 2 and after[0].isalpha() and after[1].isalpha():
                    pieces.append(word[start:i + 1])
                    start = i + 1
        pieces.append(word[start:])
        return [piece for piece in pieces if piece]

    def _split(self, text):
        chunks, at = [], 0
        while at < len(text):
            end = at
            blank = text[at] in _WHITESPACE
            while end < len(text) and (text[end] in _WHITESPACE) == blank:
                end += 1
            chunks.extend([text[at:end]] if blank else self._split_word(text[at:end]))
            at = end
        return chunks

    def wrap(self, text):
        if self.expand_tabs:
            text = text.expandtabs(self.tabsize)
        if self.replace_whitespace:
            text = text.translate({ord(c): " " for c in _WHITESPACE})
        chunks = self._split(text)
        if self.width <= 0:
            raise ValueError("invalid width %r (must be > 0)" % self.width)
        if self.max_lines is not None:
            indent = self.subsequent_indent if self.max_lines > 1 else self.initial_indent
            if len(indent) + len(self.placeholder.lstrip()) > self.width:
                raise ValueError("placeholder too large for max width")
        lines = []
        chunks.reverse()
        while chunks:
            line, length = [], 0
            indent = self.subsequent_indent if lines else self.initial_indent
            width = self.width - len(indent)
            if self.drop_whitespace and chunks[-1].strip() == "" and lines:
                del chunks[-1]
            while chunks:
                size = len(chunks[-1])
                if length + size <= width:
                    line.append(chunks.pop())
                    length += size
                else:
                    break
            if chunks and len(chunks[-1]) > width:
                self._long_word(chunks, line, length, width)
                length = sum(map(len, line))
            if self.drop_whitespace and line and line[-1].strip() == "":
                length -= len(line[-1])
                del line[-1]
            if line:
                if (self.max_lines is None or len(lines) + 1 < self.max_lines
                        or (not chunks or self.drop_whitespace and len(chunks) == 1 and not chunks[0].strip())
                        and length <= width):
                    lines.append(indent + "".join(line))
                else:
                    while line:
                        if line[-1].strip() and length + len(self.placeholder) <= width:
                            line.append(self.placeholder)
                            lines.append(indent + "".join(line))
                            break
                        length -= len(line[-1])
                        del line[-1]
                    else:
                        if lines:
                            previous = lines[-1].rstrip()
                            if len(previous) + len(self.placeholder) <= self.width:
                                lines[-1] = previous + self.placeholder
                                break
                        lines.append(indent + self.placeholder.lstrip())
                    break
        return lines

    def _long_word(self, chunks, line, length, width):
        space = 1 if width < 1 else width - length
        if self.break_long_words:
            line.append(chunks[-1][:space])
            chunks[-1] = chunks[-1][space:]
        elif not line:
            line.append(chunks.pop())

    def fill(self, text):
        return "\n".join(self.wrap(text))


def wrap(text, width=70, **kwargs):
    """Wrap a single paragraph of text, returning a list of wrapped lines."""
    return TextWrapper(width=width, **kwargs).wrap(text)


def fill(text, width=70, **kwargs):
    """Fill a single paragraph of text, returning a new string."""
    return TextWrapper(width=width, **kwargs).fill(text)


def shorten(text, width, **kwargs):
    """Collapse and truncate the given text to fit in the given width."""
    return TextWrapper(width=width, max_lines=1, **kwargs).fill(" ".join(text.strip().split()))


def dedent(text):
    """Remove any common leading whitespace from every line in text."""
    margin = None
    lines = text.split("\n")
    for line in lines:
        body = line.lstrip(" \t")
        if not body:
            continue
        lead = line[: len(line) - len(body)]
        if margin is None:
            margin = lead
        else:
            count = 0
            while count < min(len(margin), len(lead)) and margin[count] == lead[count]:
                count += 1
            margin = margin[:count]
    cut = len(margin or "")
    return "\n".join(line[cut:] if line.strip(" \t") else "" for line in lines)


def indent(text, prefix, predicate=None):
    """Adds prefix to the beginning of selected lines in text."""
    if predicate is None:
        def predicate(line):
            return line.strip()
    return "".join(prefix + line if predicate(line) else line for line in text.splitlines(True))
