"""Threads and executors, where what happens does not depend on whose turn it is."""

import threading
from concurrent.futures import ThreadPoolExecutor, as_completed, wait
import concurrent.futures
import queue

lock, total, seen = threading.Lock(), 0, []


def add(n, *, to=None):
    global total
    for _ in range(n):
        with lock:
            total += 1
    seen.append(threading.current_thread().name)
    if to is not None:
        to.append(n)


kept = []
threads = [threading.Thread(target=add, args=(100,), kwargs={"to": kept}) for _ in range(3)]
threads.append(threading.Thread(target=add, name="named", args=(5,), daemon=True))
print([t.is_alive() for t in threads], threads[3].daemon, threads[0].ident)
for t in threads:
    t.start()
for t in threads:
    t.join()
print(total, kept, sorted(seen), [t.is_alive() for t in threads])
print(threading.current_thread() is threading.main_thread(), threading.main_thread().name, threading.active_count())
for wrong in (threads[0].start, threading.Thread().join, lock.release, threading.main_thread().join, threading.RLock().release):
    try:
        wrong()
    except RuntimeError as error:
        print(error)


class Worker(threading.Thread):
    def __init__(self, items):
        super().__init__(name="worker")
        self.items, self.result = items, None

    def run(self):
        self.result = sum(self.items)


w = Worker([1, 2, 3])
w.start()
w.join()
print(w.result, w.name)

own = threading.local()
own.value = "main"


def look(log):
    log.append(hasattr(own, "value"))
    own.value = "other"
    log.append(own.value)


log = []
t = threading.Thread(target=look, args=(log,))
t.start()
t.join()
print(log, own.value)


class Counters(threading.local):
    step = 2

    def __init__(self, start):
        self.count = start


counters = Counters(5)
counters.count += counters.step
t = threading.Thread(target=lambda: log.append(counters.count))
t.start()
t.join()
print(counters.count, log[-1])

event = threading.Event()
t = threading.Thread(target=event.set)
t.start()
print(event.wait(), event.wait(5), event.is_set())
event.clear()
print(event.wait(0.001), event.wait(0))

again = threading.RLock()
with again:
    with again:
        print(again.acquire(blocking=False), again.release())
print(lock.acquire(), lock.locked(), lock.acquire(False), lock.acquire(timeout=0.001), lock.release(), lock.locked())
limited = threading.BoundedSemaphore(2)
print(limited.acquire(), limited.acquire(), limited.acquire(blocking=False), limited.release(), limited.release())
try:
    limited.release()
except ValueError as error:
    print(error)
condition = threading.Condition()
with condition:
    condition.notify_all()
    print(condition.wait(0.001), condition.wait_for(lambda: "there"))
try:
    condition.notify()
except RuntimeError as error:
    print(error)

q = queue.Queue()
producer = threading.Thread(target=lambda: [q.put(i) for i in range(5)] and q.put(None))
producer.start()
print(list(iter(q.get, None)))


def failing():
    raise ValueError("in a thread")


told = []
threading.excepthook = lambda args: told.append((args.exc_type.__name__, str(args.exc_value), args.thread.name))
t = threading.Thread(target=failing, name="bad")
t.start()
t.join()
print(told)
t = threading.Thread(target=lambda: exit(3), name="leaves")
t.start()
t.join()
print(len(told))

with ThreadPoolExecutor(max_workers=4) as pool:
    print(list(pool.map(pow, [2, 3, 4], [5, 2, 3])))
    futures = {pool.submit(divmod, 7, d): d for d in (2, 0, 3)}
    for future in sorted(as_completed(futures), key=futures.get):
        print(futures[future], future.done(), type(future.exception()).__name__)
        try:
            print(future.result())
        except ZeroDivisionError as error:
            print(error)
    done, left = wait(futures)
    print(len(done), len(left))
    called = []
    pool.submit(str, 5).add_done_callback(lambda f: called.append(f.result()))
print(called)
try:
    pool.submit(print)
except RuntimeError as error:
    print(error)
future = concurrent.futures.Future()
print(future.cancel(), future.cancelled(), future.done())
try:
    future.result()
except concurrent.futures.CancelledError as error:
    print(type(error).__name__)
