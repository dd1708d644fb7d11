"""Filename matching with shell patterns."""

__all__ = ["filter", "fnmatch", "fnmatchcase"]


def _set_end(pattern, start):
    """Where the bracket that opens before start closes, or -1."""
    at = start
    if pattern[at:at + 1] == "!":
        at += 1
    if pattern[at:at + 1] == "]":
        at += 1
    return pattern.find("]", at)


def _in_set(chars, c):
    negated = chars[:1] == "!"
    if negated:
        chars = chars[1:]
    at, found = 0, False
    while at < len(chars):
        if chars[at + 1:at + 2] == "-" and at + 2 < len(chars):
            found = found or chars[at] <= c <= chars[at + 2]
            at += 3
        else:
            found = found or chars[at] == c
            at += 1
    return found != negated


def fnmatchcase(name, pat):
    """Test whether FILENAME matches PATTERN, including case."""
    at, place = 0, 0
    star, resume = -1, 0
    while place < len(name):
        matched = False
        if at < len(pat):
            c = pat[at]
            if c == "*":
                star, resume = at, place
                at += 1
                continue
            if c == "?":
                matched, step = True, 1
            elif c == "[" and (end := _set_end(pat, at + 1)) >= 0:
                matched, step = _in_set(pat[at + 1:end], name[place]), end + 1 - at
            else:
                matched, step = c == name[place], 1
        if matched:
            at += step
            place += 1
        elif star >= 0:
            # The last star takes one character more.
            resume += 1
            at, place = star + 1, resume
        else:
            return False
    while at < len(pat) and pat[at] == "*":
        at += 1
    return at == len(pat)


fnmatch = fnmatchcase


def filter(names, pat):
    """Construct a list from those elements of the iterable NAMES that match PAT."""
    return [name for name in names if fnmatchcase(name, pat)]
