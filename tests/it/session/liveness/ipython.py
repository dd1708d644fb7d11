"""The reference of the liveness tests: cells in a real IPython whose arrays are counted.

Reads one program a line (a JSON list of cells) and answers one line: for each cell the class of its error or null, and
how many arrays of which length live after it. The cells see a module `dpnp` whose arrays are a counted NumPy class.
"""

import contextlib
import gc
import io
import json
import sys
import types
import weakref

import numpy
from IPython.core.interactiveshell import InteractiveShell

registry = []


class Counted(numpy.ndarray):
    """An array whose life is watched; a view of one is one too, and holds it as `base`."""

    __slots__ = ()

    def __iter__(self):
        # As dpnp: views that hold the array, not scalars.
        return (self[index : index + 1].reshape(()) for index in range(len(self)))

    def __array_finalize__(self, source):
        registry.append(weakref.ref(self))


def module_dpnp():
    module = types.ModuleType("dpnp")
    module.ones = lambda length: numpy.ones(length).view(Counted)
    module.ndarray = Counted
    return module


def live():
    """Lengths of the arrays that own memory and live, with their counts: views are counted as what they look at."""
    lengths = {}
    registry[:] = [reference for reference in registry if reference() is not None]
    for reference in registry:
        array = reference()
        if type(array.base) is not Counted:
            lengths[array.size] = lengths.get(array.size, 0) + 1
    return lengths


def forget_outputs(shell):
    """What `%free out` does here: an output is let go of under every name that IPython gave it, also the hidden ones."""
    names = shell.user_ns
    for number in list(names["Out"]):
        names.pop(f"_{number}", None)
        shell.user_ns_hidden.pop(f"_{number}", None)
    names["Out"].clear()
    for name in ("_", "__", "___"):
        names[name] = ""
        shell.user_ns_hidden.pop(name, None)
        setattr(shell.displayhook, name, "")


def run(shell, cells):
    sys.unraisablehook = lambda *unraisable: None
    shell.reset(new_session=True)
    gc.enable()
    gc.collect()
    registry.clear()
    answers = []
    for cell in cells:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            if cell.strip() == "%free out":
                shell.execution_count += 1
                forget_outputs(shell)
                error = None
            else:
                result = shell.run_cell(cell, store_history=True)
                error = result.error_before_exec or result.error_in_exec
                error = error and type(error).__name__
                result = None
        answers.append([error, live()])
    return answers


def main():
    sys.modules["dpnp"] = module_dpnp()
    shell = InteractiveShell.instance()
    shell.history_manager.enabled = False
    shell.showtraceback = shell._showtraceback = lambda *args, **kwargs: None
    answers = sys.stdout
    for line in sys.stdin:
        print(json.dumps(run(shell, json.loads(line))), file=answers, flush=True)


if __name__ == "__main__":
    main()
