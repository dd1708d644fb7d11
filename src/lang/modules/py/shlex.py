"""Command lines, split and quoted as a shell would."""

import re

__all__ = ["split", "quote", "join"]

_UNSAFE = re.compile(r"[^\w@%+=:,./-]", re.ASCII)


def split(s, comments=False, posix=True):
    """Split the string s using shell-like syntax."""
    if not posix:
        raise NotImplementedError("shlex.split(posix=False) is not here")
    words, word, at = [], None, 0
    while at < len(s):
        c = s[at]
        at += 1
        if c in " \t\r\n":
            if word is not None:
                words.append(word)
                word = None
        elif c == "#" and comments and word is None:
            while at < len(s) and s[at] != "\n":
                at += 1
        elif c == "\\":
            if at >= len(s):
                raise ValueError("No escaped character")
            word = (word or "") + s[at]
            at += 1
        elif c == "'":
            end = s.find("'", at)
            if end < 0:
                raise ValueError("No closing quotation")
            word = (word or "") + s[at:end]
            at = end + 1
        elif c == '"':
            word = word or ""
            while True:
                if at >= len(s):
                    raise ValueError("No closing quotation")
                c = s[at]
                at += 1
                if c == '"':
                    break
                if c == "\\" and at < len(s):
                    if s[at] not in '"\\':
                        word += c
                    c = s[at]
                    at += 1
                word += c
        else:
            word = (word or "") + c
    if word is not None:
        words.append(word)
    return words


def quote(s):
    """Return a shell-escaped version of the string *s*."""
    if not s:
        return "''"
    return s if _UNSAFE.search(s) is None else "'" + s.replace("'", "'\"'\"'") + "'"


def join(split_command):
    """Return a shell-escaped string from *split_command*."""
    return " ".join(quote(word) for word in split_command)
