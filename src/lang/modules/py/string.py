"""A collection of string constants, and templates."""

whitespace = " \t\n\r\v\f"
ascii_lowercase = "abcdefghijklmnopqrstuvwxyz"
ascii_uppercase = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ascii_letters = ascii_lowercase + ascii_uppercase
digits = "0123456789"
hexdigits = digits + "abcdef" + "ABCDEF"
octdigits = "01234567"
punctuation = r"""!"#$%&'()*+,-./:;<=>?@[\]^_`{|}~"""
printable = digits + ascii_letters + punctuation + whitespace


def capwords(s, sep=None):
    """Split the argument into words, capitalize each word, and join them."""
    return (sep or " ").join(map(str.capitalize, s.split(sep)))


class Template:
    """A string class for supporting $-substitutions."""

    delimiter = "$"

    def __init__(self, template):
        self.template = template

    def _pieces(self):
        """The text in pieces: kind, text, and a placeholder's name or the place of what is invalid."""
        text, at = self.template, 0
        while True:
            mark = text.find(self.delimiter, at)
            if mark < 0:
                yield "text", text[at:], None
                return
            yield "text", text[at:mark], None
            after = mark + 1
            if text.startswith(self.delimiter, after):
                yield "text", self.delimiter, None
                at = after + 1
                continue
            braced = text.startswith("{", after)
            start = after + 1 if braced else after
            end = start
            while end < len(text) and text[end].isascii() and (text[end].isalnum() or text[end] == "_"):
                end += 1
            name = text[start:end]
            valid = name != "" and not name[0].isdigit() and (not braced or text.startswith("}", end))
            if not valid:
                yield "invalid", self.delimiter, after
                at = after
                continue
            at = end + 1 if braced else end
            yield "name", text[mark:at], name

    def _invalid(self, at):
        lines = self.template[:at].splitlines(keepends=True)
        if not lines:
            colno = lineno = 1
        else:
            colno = at - len("".join(lines[:-1]))
            lineno = len(lines)
        raise ValueError("Invalid placeholder in string: line %d, col %d" % (lineno, colno))

    def substitute(self, mapping={}, /, **kws):
        parts = []
        for kind, text, name in self._pieces():
            if kind == "name":
                parts.append(str(kws[name] if name in kws else mapping[name]))
            elif kind == "invalid":
                self._invalid(name)
            else:
                parts.append(text)
        return "".join(parts)

    def safe_substitute(self, mapping={}, /, **kws):
        parts = []
        for kind, text, name in self._pieces():
            if kind == "name":
                if name in kws:
                    text = str(kws[name])
                elif name in mapping:
                    text = str(mapping[name])
            parts.append(text)
        return "".join(parts)

    def is_valid(self):
        return all(kind != "invalid" for kind, _, _ in self._pieces())

    def get_identifiers(self):
        names = []
        for kind, _, name in self._pieces():
            if kind == "name" and name not in names:
                names.append(name)
        return names


class Formatter:
    """str.format as an object."""

    def format(self, format_string, /, *args, **kwargs):
        return self.vformat(format_string, args, kwargs)

    def vformat(self, format_string, args, kwargs):
        return format_string.format(*args, **kwargs)
