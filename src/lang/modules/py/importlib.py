"""Importing by a name that is computed."""

import sys


def import_module(name, package=None):
    """The module of a dotted name; one that begins with dots is looked for beside `package`."""
    if name.startswith("."):
        if not package:
            raise TypeError(f"the 'package' argument is required to perform a relative import for {name!r}")
        level = len(name) - len(name.lstrip("."))
        parts = package.split(".")
        if level > len(parts):
            raise ImportError("attempted relative import beyond top-level package")
        name = ".".join(parts[: len(parts) - level + 1] + ([name[level:]] if name[level:] else []))
    __import__(name)
    return sys.modules[name]
