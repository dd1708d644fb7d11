"""Threads that take turns: one runs from its `start()` to its end, then who started it goes on.

There is one evaluator, so this is the order in which threads run, and one of those that a program with threads must expect anyway.
Who would have to wait for something that only comes later is told so at once, with what to write instead; nothing hangs.
Waits with a timeout take their time, since nobody can cut them short.
"""

import sys as _sys
import time as _time

__all__ = [
    "get_ident", "get_native_id", "active_count", "Condition", "current_thread", "enumerate", "main_thread", "TIMEOUT_MAX",
    "Event", "Lock", "RLock", "Semaphore", "BoundedSemaphore", "Thread", "Barrier", "BrokenBarrierError", "Timer",
    "ThreadError", "excepthook", "ExceptHookArgs", "local",
]

TIMEOUT_MAX = 9223372036.0
ThreadError = RuntimeError

_REMEDY = "threads here run one after the other, each from start() to its end: start it after what it waits for is there"


def _never(what):
    """The error for a wait that nobody will end."""
    return RuntimeError(f"deadlock: {what}, and no other thread can change that ({_REMEDY})")


def _wait(what, timeout):
    """A wait that nobody ends: it takes its time where it has one, and is refused where it has none."""
    if timeout is None:
        raise _never(what)
    if len(_running) > 1 and timeout > 0:
        # A loop that waits like this for its starter would never let it go on.
        raise _never(what)
    if timeout > 0:
        _time.sleep(timeout)


class Lock:
    """A lock: held by at most one, released by anyone."""

    def __init__(self):
        self._is_held = False

    def acquire(self, blocking=True, timeout=-1):
        """Takes the lock; False when it is held and that was not to be waited for."""
        _check_timeout(blocking, timeout)
        if self._is_held:
            if blocking:
                _wait("the lock is held", None if timeout == -1 else timeout)
            return False
        self._is_held = True
        return True

    def release(self):
        """Lets go of the lock."""
        if not self._is_held:
            raise RuntimeError("release unlocked lock")
        self._is_held = False

    def locked(self):
        """Whether it is held."""
        return self._is_held

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *raised):
        self.release()


def _check_timeout(blocking, timeout):
    if not blocking and timeout != -1:
        raise ValueError("can't specify a timeout for a non-blocking call")
    if timeout < 0 and timeout != -1:
        raise ValueError("timeout value must be a non-negative number")


class RLock:
    """A lock that its holder may take again; it is free once it was released as often."""

    def __init__(self):
        self._owner = None
        self._count = 0

    def acquire(self, blocking=True, timeout=-1):
        """Takes the lock once more; False when another thread holds it and that was not to be waited for."""
        _check_timeout(blocking, timeout)
        thread = current_thread()
        if self._owner is not None and self._owner is not thread:
            if blocking:
                _wait("another thread holds the lock", None if timeout == -1 else timeout)
            return False
        self._owner = thread
        self._count += 1
        return True

    def release(self):
        """Lets go of the lock once."""
        if self._owner is not current_thread():
            raise RuntimeError("cannot release un-acquired lock")
        self._count -= 1
        if not self._count:
            self._owner = None

    def _is_owned(self):
        return self._owner is current_thread()

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *raised):
        self.release()


class Condition:
    """A lock with waiting for a change."""

    def __init__(self, lock=None):
        self._lock = RLock() if lock is None else lock
        self.acquire = self._lock.acquire
        self.release = self._lock.release

    def __enter__(self):
        return self._lock.__enter__()

    def __exit__(self, *raised):
        return self._lock.__exit__(*raised)

    def _check_owned(self, what):
        owned = self._lock._is_owned() if hasattr(self._lock, "_is_owned") else self._lock.locked()
        if not owned:
            raise RuntimeError(f"cannot {what} on un-acquired lock")

    def wait(self, timeout=None):
        """Waits for a notification."""
        self._check_owned("wait")
        _wait("nobody is there to notify", timeout)
        return False

    def wait_for(self, predicate, timeout=None):
        """Waits until a function answers something true."""
        result = predicate()
        if not result:
            self.wait(timeout)
            result = predicate()
        return result

    def notify(self, n=1):
        """Wakes threads that wait, of which there are none."""
        self._check_owned("notify")

    def notify_all(self):
        """Wakes all threads that wait, of which there are none."""
        self._check_owned("notify")


class Semaphore:
    """A counter that is waited for while it is zero."""

    def __init__(self, value=1):
        if value < 0:
            raise ValueError("semaphore initial value must be >= 0")
        self._value = value

    def acquire(self, blocking=True, timeout=None):
        """Counts down; False when it is at zero and that was not to be waited for."""
        if not blocking and timeout is not None:
            raise ValueError("can't specify timeout for non-blocking acquire")
        if not self._value:
            if blocking:
                _wait("the semaphore is at zero", timeout)
            return False
        self._value -= 1
        return True

    def release(self, n=1):
        """Counts up."""
        if n < 1:
            raise ValueError("n must be one or more")
        self._value += n

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *raised):
        self.release()


class BoundedSemaphore(Semaphore):
    """A semaphore that is not released more often than it was taken."""

    def __init__(self, value=1):
        super().__init__(value)
        self._initial_value = value

    def release(self, n=1):
        """Counts up, to the first value at most."""
        if n < 1:
            raise ValueError("n must be one or more")
        if self._value + n > self._initial_value:
            raise ValueError("Semaphore released too many times")
        self._value += n


class Event:
    """A flag that can be waited for."""

    def __init__(self):
        self._flag = False

    def is_set(self):
        """Whether it is set."""
        return self._flag

    def set(self):
        """Sets it."""
        self._flag = True

    def clear(self):
        """Takes it back."""
        self._flag = False

    def wait(self, timeout=None):
        """Waits until it is set; whether it is."""
        if not self._flag:
            _wait("the event is not set", timeout)
        return self._flag


class BrokenBarrierError(RuntimeError):
    """The barrier was aborted."""


class Barrier:
    """Lets threads go on once so many have come."""

    def __init__(self, parties, action=None, timeout=None):
        if parties < 1:
            raise ValueError("parties must be > 0")
        self.parties, self.n_waiting, self.broken = parties, 0, False
        self._action, self._timeout = action, timeout

    def wait(self, timeout=None):
        """Waits for the others."""
        if self.broken:
            raise BrokenBarrierError
        if self.parties > 1:
            raise _never(f"the barrier waits for {self.parties - 1} others")
        if self._action is not None:
            self._action()
        return 0

    def reset(self):
        """Makes it as new."""
        self.broken = False

    def abort(self):
        """Breaks it."""
        self.broken = True


class ExceptHookArgs(tuple):
    """What `excepthook` is told."""

    def __new__(cls, args):
        return super().__new__(cls, args)

    exc_type = property(lambda self: self[0])
    exc_value = property(lambda self: self[1])
    exc_traceback = property(lambda self: self[2])
    thread = property(lambda self: self[3])


def excepthook(args, /):
    """Tells of an exception that ended a thread."""
    import traceback

    if args.exc_type is SystemExit:
        return
    name = args.thread.name if args.thread is not None else get_ident()
    print(f"Exception in thread {name}:", file=_sys.stderr)
    traceback.print_exception(args.exc_type, args.exc_value, args.exc_traceback, file=_sys.stderr)


__excepthook__ = excepthook
_numbers = 0


class Thread:
    """A thread: its target, or `run()`, is called when it is started."""

    def __init__(self, group=None, target=None, name=None, args=(), kwargs=None, *, daemon=None):
        global _numbers
        assert group is None, "group argument must be None for now"
        if name is None:
            _numbers += 1
            name = f"Thread-{_numbers}"
            if target is not None:
                name += f" ({getattr(target, '__name__', type(target).__name__)})"
        self._target, self._args, self._kwargs = target, args, {} if kwargs is None else kwargs
        self._name = str(name)
        self._daemon = current_thread().daemon if daemon is None else daemon
        self._state = "initial"
        self.ident = self.native_id = None

    @property
    def name(self):
        """What it is called."""
        return self._name

    @name.setter
    def name(self, name):
        self._name = str(name)

    @property
    def daemon(self):
        """Whether a program may end before it."""
        return self._daemon

    @daemon.setter
    def daemon(self, daemon):
        if self._state == "started":
            raise RuntimeError("cannot set daemon status of active thread")
        self._daemon = daemon

    def run(self):
        """What the thread does."""
        try:
            if self._target is not None:
                self._target(*self._args, **self._kwargs)
        finally:
            # What it was given is not held once it is done.
            del self._target, self._args, self._kwargs

    def start(self):
        """Runs the thread to its end."""
        if self._state != "initial":
            raise RuntimeError("threads can only be started once")
        self.ident = self.native_id = id(self)
        self._state = "started"
        _running.append(self)
        try:
            self.run()
        except (Exception, SystemExit) as error:
            excepthook(ExceptHookArgs((type(error), error, error.__traceback__, self)))
        finally:
            _running.pop()
            self._state = "stopped"

    def join(self, timeout=None):
        """Waits for its end, which has come."""
        if self._state == "initial":
            raise RuntimeError("cannot join thread before it is started")
        if self is current_thread():
            raise RuntimeError("cannot join current thread")
        if self._state == "started":
            _wait(f"{self.name} runs below this thread", timeout)

    def is_alive(self):
        """Whether it runs."""
        return self._state == "started"

    def __repr__(self):
        daemon = " daemon" if self._daemon else ""
        ident = "" if self.ident is None else f" {self.ident}"
        return f"<{type(self).__name__}({self._name}, {self._state}{daemon}{ident})>"


class Timer(Thread):
    """A call after some time."""

    def __init__(self, interval, function, args=None, kwargs=None):
        super().__init__()
        self.interval, self.function = interval, function
        self.args, self.kwargs = [] if args is None else args, {} if kwargs is None else kwargs

    def cancel(self):
        """Keeps it from being called."""

    def start(self):
        """Is refused: the call would have to come in the middle of something else."""
        raise RuntimeError(
            "a Timer would call its function beside the program, and there is one evaluator: "
            f"time.sleep({self.interval!r}) and then call it"
        )


class _MainThread(Thread):
    def __init__(self):
        super().__init__(name="MainThread", daemon=False)
        self._state = "started"
        self.ident = self.native_id = id(self)


_running = []


def current_thread():
    """The thread that runs."""
    return _running[-1] if _running else None


_running.append(_MainThread())


def main_thread():
    """The thread that the program began with."""
    return _running[0]


def enumerate():
    """The threads that have begun and not ended."""
    return list(_running)


def active_count():
    """How many threads have begun and not ended."""
    return len(_running)


def get_ident():
    """A number that no other living thread has."""
    return current_thread().ident


get_native_id = get_ident


class local:
    """Attributes of which each thread has its own."""

    def __new__(cls, *args, **kwargs):
        if (args or kwargs) and cls.__init__ is object.__init__:
            raise TypeError("Initialization arguments are not supported")
        self = object.__new__(cls)
        object.__setattr__(self, "_local__made", (args, kwargs))
        object.__setattr__(self, "_local__values", [(current_thread(), {})])
        return self

    def _local__own(self):
        thread, values = current_thread(), self._local__values
        # A thread that has ended reads its attributes no more.
        values[:] = [entry for entry in values if entry[0].is_alive()]
        for owner, own in values:
            if owner is thread:
                return own
        own = {}
        values.append((thread, own))
        args, kwargs = self._local__made
        self.__init__(*args, **kwargs)
        return own

    def __getattr__(self, name):
        own = self._local__own()
        if name == "__dict__":
            return own
        if name in own:
            return own[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name, value):
        self._local__own()[name] = value

    def __delattr__(self, name):
        own = self._local__own()
        if name not in own:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        del own[name]
