"""Filename globbing utility."""

import os
from fnmatch import fnmatchcase

__all__ = ["glob", "iglob", "escape", "has_magic"]


def has_magic(s):
    return any(c in s for c in "*?[")


def escape(pathname):
    """Escape all special characters."""
    return "".join(f"[{c}]" if c in "*?[" else c for c in pathname)


def _names(folder, hidden):
    try:
        names = os.listdir(folder or ".")
    except OSError:
        return []
    return [name for name in names if hidden or not name.startswith(".")]


def _below(folder, hidden):
    """The folder itself, and every folder below it."""
    yield folder
    for name in _names(folder, hidden):
        path = os.path.join(folder, name) if folder else name
        if os.path.isdir(path) and not os.path.islink(path):
            yield from _below(path, hidden)


def _expand(folder, parts, recursive, hidden):
    part, rest = parts[0], parts[1:]
    if part == "**" and recursive:
        for path in _below(folder, hidden):
            if rest:
                yield from _expand(path, rest, recursive, hidden)
            else:
                yield os.path.join(path, "") if path == folder and path else path
                for name in _names(path, hidden):
                    inner = os.path.join(path, name) if path else name
                    if not os.path.isdir(inner) or os.path.islink(inner):
                        yield inner
        return
    if has_magic(part):
        names = [n for n in _names(folder, hidden or part.startswith(".")) if fnmatchcase(n, part)]
    else:
        names = [part]
    for name in names:
        path = os.path.join(folder, name) if folder else name
        if rest:
            if os.path.isdir(path):
                yield from _expand(path, rest, recursive, hidden)
        elif os.path.lexists(path) if part else os.path.isdir(path):
            yield path


def iglob(pathname, *, root_dir=None, dir_fd=None, recursive=False, include_hidden=False):
    """Return an iterator which yields the paths matching a pathname pattern."""
    pathname = os.fspath(pathname)
    start = ""
    parts = pathname.split("/")
    if parts[0] == "":
        start, parts = "/", parts[1:]
    parts = [p for i, p in enumerate(parts) if p or i == len(parts) - 1]
    if root_dir is not None and not start:
        root = os.path.join(os.fspath(root_dir), "")
        for path in _expand(root, parts, recursive, include_hidden):
            yield path[len(root):]
        return
    for path in _expand(start, parts, recursive, include_hidden):
        if path:
            yield path


def glob(pathname, *, root_dir=None, dir_fd=None, recursive=False, include_hidden=False):
    """Return a list of paths matching a pathname pattern."""
    return list(iglob(pathname, root_dir=root_dir, recursive=recursive, include_hidden=include_hidden))
