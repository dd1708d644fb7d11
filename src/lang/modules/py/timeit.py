"""How long small pieces of code take: the best of several runs, and the clock that they are measured with."""

import gc
import itertools
import time

default_timer = time.perf_counter
default_number = 1_000_000
default_repeat = 5


class Timer:
    """A statement with its set-up, each a text or a function without arguments."""

    def __init__(self, stmt="pass", setup="pass", timer=default_timer, globals=None):
        for name, code in (("stmt", stmt), ("setup", setup)):
            if not isinstance(code, str) and not callable(code):
                raise ValueError(f"{name} is neither a string nor callable")
        self.timer, self._names = timer, {} if globals is None else globals
        self._setup = self._function(setup)
        self._stmt = self._function(stmt)

    def _function(self, code):
        if callable(code):
            return code
        compiled = compile(code, "<timeit>", "exec")
        names = self._names
        return lambda: exec(compiled, names)

    def timeit(self, number=default_number):
        """Seconds that so many runs of the statement take, after one of the set-up."""
        runs = itertools.repeat(None, number)
        was_on = gc.isenabled()
        gc.disable()
        try:
            self._setup()
            run, timer = self._stmt, self.timer
            start = timer()
            for _ in runs:
                run()
            return timer() - start
        finally:
            if was_on:
                gc.enable()

    def repeat(self, repeat=default_repeat, number=default_number):
        """What `timeit` says, several times."""
        return [self.timeit(number) for _ in range(repeat)]

    def autorange(self, callback=None):
        """How many runs take at least a fifth of a second, and how long they took."""
        scale = 1
        while True:
            for step in (1, 2, 5):
                number = scale * step
                taken = self.timeit(number)
                if callback:
                    callback(number, taken)
                if taken >= 0.2:
                    return number, taken
            scale *= 10


def timeit(stmt="pass", setup="pass", timer=default_timer, number=default_number, globals=None):
    """Seconds that so many runs of a statement take."""
    return Timer(stmt, setup, timer, globals).timeit(number)


def repeat(stmt="pass", setup="pass", timer=default_timer, repeat=default_repeat, number=default_number, globals=None):
    """What `timeit` says, several times."""
    return Timer(stmt, setup, timer, globals).repeat(repeat, number)
