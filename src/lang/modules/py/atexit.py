"""Functions that are called when a program ends: the last one registered first."""

_registered = []


def register(func, /, *args, **kwargs):
    """Has a function called at the end."""
    _registered.append((func, args, kwargs))
    return func


def unregister(func, /):
    """Forgets a function."""
    _registered[:] = [entry for entry in _registered if entry[0] != func]


def _clear():
    """Forgets all functions."""
    _registered.clear()


def _ncallbacks():
    """How many functions there are."""
    return len(_registered)


def _run_exitfuncs():
    """Calls them all; what one raises is told and stops no other."""
    import sys
    import traceback

    while _registered:
        func, args, kwargs = _registered.pop()
        try:
            func(*args, **kwargs)
        except SystemExit:
            pass
        except BaseException:
            print(f"Exception ignored in atexit callback: {func!r}", file=sys.stderr)
            traceback.print_exc()
