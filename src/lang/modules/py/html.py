"""Characters that mean something in HTML, escaped and back."""

import re

__all__ = ["escape", "unescape"]

_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'", "nbsp": "\xa0", "copy": "\xa9", "reg": "\xae",
          "deg": "\xb0", "plusmn": "\xb1", "micro": "\xb5", "middot": "\xb7", "times": "\xd7", "divide": "\xf7",
          "laquo": "\xab", "raquo": "\xbb", "ndash": "\u2013", "mdash": "\u2014", "lsquo": "\u2018", "rsquo": "\u2019",
          "ldquo": "\u201c", "rdquo": "\u201d", "bull": "\u2022", "hellip": "\u2026", "euro": "\u20ac", "trade": "\u2122",
          "larr": "\u2190", "uarr": "\u2191", "rarr": "\u2192", "darr": "\u2193", "sect": "\xa7", "para": "\xb6",
          "pound": "\xa3", "yen": "\xa5", "cent": "\xa2", "auml": "\xe4", "ouml": "\xf6", "uuml": "\xfc", "Auml": "\xc4",
          "Ouml": "\xd6", "Uuml": "\xdc", "szlig": "\xdf", "eacute": "\xe9", "egrave": "\xe8", "agrave": "\xe0",
          "ccedil": "\xe7", "ntilde": "\xf1", "alpha": "\u03b1", "beta": "\u03b2", "gamma": "\u03b3", "delta": "\u03b4",
          "lambda": "\u03bb", "mu": "\u03bc", "pi": "\u03c0", "sigma": "\u03c3", "omega": "\u03c9", "infin": "\u221e",
          "ne": "\u2260", "le": "\u2264", "ge": "\u2265", "sum": "\u2211", "radic": "\u221a", "asymp": "\u2248"}
_REFERENCE = re.compile(r"&(#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[A-Za-z][A-Za-z0-9]*;)")


def escape(s, quote=True):
    """Replace special characters "&", "<" and ">" to HTML-safe sequences."""
    s = s.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    if quote:
        s = s.replace('"', "&quot;").replace("'", "&#x27;")
    return s


def _character(found):
    text = found[1].rstrip(";")
    if text[0] != "#":
        if text not in _NAMED:
            raise NotImplementedError(f"the HTML name &{text}; is not here; write its number, as in &#8212;")
        return _NAMED[text]
    number = int(text[2:], 16) if text[1] in "xX" else int(text[1:])
    if number == 0 or 0xD800 <= number <= 0xDFFF or number > 0x10FFFF:
        return "\ufffd"
    return chr(number)


def unescape(s):
    """Convert character references to the characters they stand for."""
    return _REFERENCE.sub(_character, s) if "&" in s else s
