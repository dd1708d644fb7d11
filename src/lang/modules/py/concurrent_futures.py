"""Work that is handed over and asked for later. A task runs when it is submitted: there is one evaluator (see `threading`)."""

import threading as _threading

FIRST_COMPLETED = "FIRST_COMPLETED"
FIRST_EXCEPTION = "FIRST_EXCEPTION"
ALL_COMPLETED = "ALL_COMPLETED"

__all__ = [
    "FIRST_COMPLETED", "FIRST_EXCEPTION", "ALL_COMPLETED", "CancelledError", "TimeoutError", "InvalidStateError",
    "BrokenExecutor", "Future", "Executor", "wait", "as_completed", "ThreadPoolExecutor", "ProcessPoolExecutor",
]


class Error(Exception):
    """Something about futures."""


class CancelledError(Error):
    """The task was taken back."""


TimeoutError = TimeoutError


class InvalidStateError(Error):
    """The future has its result already."""


class BrokenExecutor(RuntimeError):
    """The executor cannot take tasks any more."""


class Future:
    """The result of a task."""

    def __init__(self):
        self._state = "PENDING"
        self._result = self._exception = None
        self._callbacks = []

    def __repr__(self):
        about = ""
        if self._state == "FINISHED":
            what = "returned" if self._exception is None else "raised"
            about = f" {what} {type(self._result if self._exception is None else self._exception).__name__}"
        return f"<Future at {id(self):#x} state={self._state.lower()}{about}>"

    def cancel(self):
        """Takes the task back, if it has not begun."""
        if self._state in ("RUNNING", "FINISHED"):
            return False
        if self._state == "PENDING":
            self._end("CANCELLED")
        return True

    def cancelled(self):
        """Whether it was taken back."""
        return self._state == "CANCELLED"

    def running(self):
        """Whether it runs."""
        return self._state == "RUNNING"

    def done(self):
        """Whether it ended or was taken back."""
        return self._state in ("CANCELLED", "FINISHED")

    def add_done_callback(self, fn):
        """Has a function called with this future when it is done."""
        if not self.done():
            self._callbacks.append(fn)
            return
        self._call(fn)

    def _call(self, callback):
        try:
            callback(self)
        except Exception as error:
            import logging

            logging.getLogger("concurrent.futures").exception("exception calling callback for %r", self)

    def _await(self, timeout):
        if self._state == "CANCELLED":
            raise CancelledError
        if self._state != "FINISHED":
            if timeout is not None:
                _threading._wait("the future has no result", timeout)
                raise TimeoutError
            raise _threading._never("the future has no result")

    def result(self, timeout=None):
        """What the task returned; raises what it raised."""
        self._await(timeout)
        if self._exception is not None:
            raise self._exception
        return self._result

    def exception(self, timeout=None):
        """What the task raised, or None."""
        self._await(timeout)
        return self._exception

    def set_running_or_notify_cancel(self):
        """For executors: says that the task begins."""
        if self._state == "CANCELLED":
            return False
        if self._state != "PENDING":
            raise RuntimeError("Future in unexpected state")
        self._state = "RUNNING"
        return True

    def set_result(self, result):
        """For executors: says what the task returned."""
        self._check_open()
        self._result = result
        self._end("FINISHED")

    def set_exception(self, exception):
        """For executors: says what the task raised."""
        self._check_open()
        self._exception = exception
        self._end("FINISHED")

    def _check_open(self):
        if self.done():
            raise InvalidStateError(f"{self._state}: {self!r}")

    def _end(self, state):
        self._state = state
        callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            self._call(callback)


class Executor:
    """What runs tasks."""

    def submit(self, fn, /, *args, **kwargs):
        """Hands a call over."""
        raise NotImplementedError()

    def map(self, fn, *iterables, timeout=None, chunksize=1):
        """What a function answers for each item, in their order."""
        futures = [self.submit(fn, *args) for args in zip(*iterables)]

        def results():
            futures.reverse()
            while futures:
                # A result is held by who takes it only.
                yield futures.pop().result(timeout)

        return results()

    def shutdown(self, wait=True, *, cancel_futures=False):
        """Takes no more tasks."""

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        self.shutdown(wait=True)
        return False


class _Worker(_threading.Thread):
    """A turn of a task. An exception belongs to the future."""

    def run(self):
        target, args, self._target, self._args = self._target, self._args, None, ()
        target(*args)


_pools = 0


class ThreadPoolExecutor(Executor):
    """Runs each task when it is submitted."""

    def __init__(self, max_workers=None, thread_name_prefix="", initializer=None, initargs=()):
        global _pools
        if max_workers is not None and max_workers <= 0:
            raise ValueError("max_workers must be greater than 0")
        if initializer is not None and not callable(initializer):
            raise TypeError("initializer must be a callable")
        self._max_workers = max_workers or 1
        self._prefix = thread_name_prefix or f"ThreadPoolExecutor-{_pools}"
        _pools += 1
        self._initializer, self._initargs = initializer, initargs
        self._is_shut = False

    def submit(self, fn, /, *args, **kwargs):
        """Runs the call; its future has what came of it."""
        if self._is_shut:
            raise RuntimeError("cannot schedule new futures after shutdown")
        future = Future()

        def task():
            if self._initializer is not None:
                initializer, self._initializer = self._initializer, None
                initializer(*self._initargs)
            future.set_running_or_notify_cancel()
            try:
                result = fn(*args, **kwargs)
            except Exception as error:
                future.set_exception(error)
            else:
                future.set_result(result)

        worker = _Worker(target=task, name=f"{self._prefix}_0")
        worker.start()
        return future

    def shutdown(self, wait=True, *, cancel_futures=False):
        """Takes no more tasks."""
        self._is_shut = True


class ProcessPoolExecutor(Executor):
    """Is refused: another process would not have this one's arrays."""

    def __init__(self, max_workers=None, mp_context=None, initializer=None, initargs=(), **options):
        raise NotImplementedError(
            "there are no worker processes, which would not see this session's arrays: array operations use all processors by themselves; "
            "ThreadPoolExecutor runs tasks one after the other"
        )


class DoneAndNotDoneFutures(tuple):
    """Futures by whether they are done."""

    def __new__(cls, done, not_done):
        return super().__new__(cls, (done, not_done))

    done = property(lambda self: self[0])
    not_done = property(lambda self: self[1])

    def __repr__(self):
        return f"DoneAndNotDoneFutures(done={self.done!r}, not_done={self.not_done!r})"


def wait(fs, timeout=None, return_when=ALL_COMPLETED):
    """Waits for futures."""
    fs = set(fs)
    done = {future for future in fs if future.done()}
    if done != fs and not (return_when == FIRST_COMPLETED and done):
        _threading._wait("a future has no result", timeout)
    return DoneAndNotDoneFutures(done, fs - done)


def as_completed(fs, timeout=None):
    """Futures as they are done."""
    fs = list(dict.fromkeys(fs))
    for future in fs:
        if not future.done():
            _threading._wait("a future has no result", timeout)
            raise TimeoutError(f"{sum(not f.done() for f in fs)} (of {len(fs)}) futures unfinished")
    fs.reverse()
    while fs:
        yield fs.pop()
