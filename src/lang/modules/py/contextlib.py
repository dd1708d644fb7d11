"""What stands behind `with`: managers made of generators, of pairs of actions, and of other managers."""

import os
import sys
from functools import partial, wraps

__all__ = ["contextmanager", "closing", "nullcontext", "AbstractContextManager", "ContextDecorator", "ExitStack",
           "redirect_stdout", "redirect_stderr", "suppress", "chdir"]

_NOTHING_RAISED = (None, None, None)
_AT_END = object()


class AbstractContextManager:
    """Base of context managers, and of every class that has the two methods of one."""

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        """Lets what was raised in the block go on."""

    @classmethod
    def __subclasshook__(cls, other):
        if cls is not AbstractContextManager:
            return NotImplemented
        return all(hasattr(other, method) for method in ("__enter__", "__exit__"))

    @classmethod
    def __instancehook__(cls, instance):
        return cls.__subclasshook__(type(instance))


class ContextDecorator:
    """Lets a context manager stand above a function as its decorator."""

    def _for_one_call(self):
        """The manager of a single call of the function."""
        return self

    def __call__(self, function):
        @wraps(function)
        def within(*args, **kwargs):
            with self._for_one_call():
                return function(*args, **kwargs)

        return within


class _GeneratorContextManager(ContextDecorator, AbstractContextManager):
    """A generator that yields once: what stands before is the entry, what stands after is the exit."""

    def __init__(self, start):
        self._start = start
        self.gen = start()
        self.__doc__ = start.func.__doc__

    def _for_one_call(self):
        return type(self)(self._start)

    def __enter__(self):
        # The arguments live in the generator's frame from now on, and only there.
        self._start = None
        entered = next(self.gen, _AT_END)
        if entered is _AT_END:
            raise RuntimeError("generator didn't yield")
        return entered

    def __exit__(self, kind, raised, traceback):
        if kind is None:
            if next(self.gen, _AT_END) is not _AT_END:
                raise RuntimeError("generator didn't stop")
            return False
        if raised is None:
            raised = kind()
        try:
            self.gen.throw(raised)
        except BaseException as left:
            if _is_same_failure(left, raised):
                return False
            if isinstance(left, StopIteration):
                return True
            raise
        raise RuntimeError("generator didn't stop after throw()")


def _is_same_failure(left, raised):
    """Whether a generator let out what was thrown into it; a StopIteration comes out as the cause of a RuntimeError."""
    if isinstance(raised, StopIteration) and isinstance(left, RuntimeError):
        left = left.__cause__
    return left is raised


def contextmanager(func):
    """Makes a function that answers context managers out of a generator function."""

    @wraps(func)
    def manager(*args, **kwargs):
        return _GeneratorContextManager(partial(func, *args, **kwargs))

    return manager


class nullcontext(AbstractContextManager):
    """A manager that does nothing, for where one is optional."""

    def __init__(self, enter_result=None):
        self.enter_result = enter_result

    def __enter__(self):
        return self.enter_result


class closing(AbstractContextManager):
    """Calls the `close` of something when its block is left."""

    def __init__(self, thing):
        self.thing = thing

    def __enter__(self):
        return self.thing

    def __exit__(self, *raised):
        self.thing.close()


class suppress(AbstractContextManager):
    """Ends its block quietly where one of these exceptions is raised in it."""

    def __init__(self, *exceptions):
        self._quiet = exceptions

    def __enter__(self):
        """Nothing to give to the block."""

    def __exit__(self, kind, *raised):
        return kind is not None and issubclass(kind, self._quiet)


class _Replacing(AbstractContextManager):
    """Puts something in the place of another for a block. Entered within itself, it puts back in reverse."""

    def __init__(self, new):
        self._new = new
        self._former = []

    def _put(self, new):
        """Puts `new` in place and answers what was there."""
        raise NotImplementedError

    def __enter__(self):
        self._former.append(self._put(self._new))
        return self._new

    def __exit__(self, *raised):
        self._put(self._former.pop())


class redirect_stdout(_Replacing):
    """What is printed in the block goes to another file."""

    def __init__(self, new_target):
        super().__init__(new_target)

    def _put(self, new):
        former, sys.stdout = sys.stdout, new
        return former


class redirect_stderr(_Replacing):
    """What is said on the error stream in the block goes to another file."""

    def __init__(self, new_target):
        super().__init__(new_target)

    def _put(self, new):
        former, sys.stderr = sys.stderr, new
        return former


class chdir(_Replacing):
    """Another working directory for a block; of the whole process, as there is only one."""

    def __init__(self, path):
        super().__init__(path)
        self.path = path

    def _put(self, new):
        former = os.getcwd()
        os.chdir(new)
        return former

    def __enter__(self):
        super().__enter__()


class ExitStack(AbstractContextManager):
    """Holds what is to be done at the end of its block, the last thing first."""

    def __init__(self):
        self._endings = []

    def enter_context(self, cm):
        """Enters a manager now, leaves it at the end; answers what it gives to its block."""
        kind = type(cm)
        if not (hasattr(kind, "__enter__") and hasattr(kind, "__exit__")):
            raise TypeError(f"'{kind.__module__}.{kind.__qualname__}' object does not support the context manager protocol")
        leave = kind.__exit__
        given = kind.__enter__(cm)
        self._endings.append(lambda *raised: leave(cm, *raised))
        return given

    def push(self, exit):
        """Adds the end of a manager, or a function that is called as one."""
        leave = getattr(type(exit), "__exit__", None)
        self._endings.append(exit if leave is None else lambda *raised: leave(exit, *raised))
        return exit

    def callback(self, callback, /, *args, **kwds):
        """Adds a call that hears nothing of exceptions and stops none."""

        def call(*raised):
            callback(*args, **kwds)

        self._endings.append(call)
        return callback

    def pop_all(self):
        """Hands all that is to be done to a new stack."""
        other = type(self)()
        self._endings, other._endings = [], self._endings
        return other

    def close(self):
        """Does now what is to be done at the end."""
        self.__exit__(*_NOTHING_RAISED)

    def __exit__(self, *raised):
        now = raised
        while self._endings:
            ending = self._endings.pop()
            try:
                if ending(*now):
                    now = _NOTHING_RAISED
            except BaseException as failure:
                now = (type(failure), failure, None)
        if now is raised:
            return False
        if now is _NOTHING_RAISED:
            return raised[0] is not None
        raise now[1]
