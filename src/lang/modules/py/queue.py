"""Queues in one thread: who would have to wait for another one is told that nothing will come."""

from collections import deque
import heapq

__all__ = ["Empty", "Full", "Queue", "PriorityQueue", "LifoQueue", "SimpleQueue"]


class Empty(Exception):
    """There is nothing to get."""


class Full(Exception):
    """There is no room."""


def _give_up(block, timeout, failure, deadlock):
    """Raises for a call that finds no room or no item: no other thread will change that, however long it waits."""
    if block and timeout is None:
        raise RuntimeError(deadlock)
    raise failure


def _check_timeout(timeout):
    if timeout is not None and timeout < 0:
        raise ValueError("'timeout' must be a non-negative number")


class Queue:
    """First in, first out. What derives says with `_init`, `_put` and `_get` in what order items leave."""

    def __init__(self, maxsize=0):
        self.maxsize, self.unfinished_tasks = maxsize, 0
        self._init(maxsize)

    def _init(self, maxsize):
        self.queue = deque()

    def _put(self, item):
        self.queue.append(item)

    def _get(self):
        return self.queue.popleft()

    def _qsize(self):
        return len(self.queue)

    def qsize(self):
        """How many items wait."""
        return self._qsize()

    def empty(self):
        """Whether no item waits."""
        return self._qsize() == 0

    def full(self):
        """Whether there is a limit and it is reached."""
        return self.maxsize > 0 and self._qsize() >= self.maxsize

    def put(self, item, block=True, timeout=None):
        """Adds an item; Full where there is no room."""
        _check_timeout(timeout)
        if self.full():
            _give_up(block, timeout, Full, "the queue is full and there is no other thread here that could take from it")
        self._put(item)
        self.unfinished_tasks += 1

    def get(self, block=True, timeout=None):
        """Takes an item; Empty where there is none."""
        _check_timeout(timeout)
        if self.empty():
            _give_up(block, timeout, Empty, "the queue is empty and there is no other thread here that could put into it")
        return self._get()

    def put_nowait(self, item):
        """Adds an item, never waits."""
        self.put(item, False)

    def get_nowait(self):
        """Takes an item, never waits."""
        return self.get(False)

    def task_done(self):
        """Says that an item that was taken is done."""
        if not self.unfinished_tasks:
            raise ValueError("task_done() called too many times")
        self.unfinished_tasks -= 1

    def join(self):
        """Waits until all items are done, which nobody else can bring about."""
        if self.unfinished_tasks:
            raise RuntimeError("items of the queue are not done and there is no other thread here that could do them")


class LifoQueue(Queue):
    """Last in, first out."""

    def _init(self, maxsize):
        self.queue = list()

    def _get(self):
        return self.queue.pop()


class PriorityQueue(Queue):
    """Smallest first."""

    def _init(self, maxsize):
        self.queue = list()

    def _put(self, item):
        heapq.heappush(self.queue, item)

    def _get(self):
        return heapq.heappop(self.queue)


class SimpleQueue(Queue):
    """First in, first out, without a limit."""

    def __init__(self):
        Queue.__init__(self)
