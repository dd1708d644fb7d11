"""How soon the full-screen terminal shows its prompt, and how soon a key shows, with nothing and with 100,000 allocations alive.

A pseudo-terminal stands in for a person: each figure runs from the write of a key to the moment its character has been
drawn. IPython's start stands beside ours. Run it where nothing else runs.
"""

import fcntl
import os
import pty
import select
import statistics
import struct
import sys
import termios
import time

from conftest import BINARY


class Screen:
    def __init__(self, command, rows=40, columns=120):
        self.started = time.perf_counter()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="xterm-256color", CELLHOLD_BACKENDS="native", CELLHOLD_HISTORY=os.devnull)
            os.execvp(command[0], command)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.seen = b""

    def until(self, text, patience=60):
        end = time.perf_counter() + patience
        while text not in self.seen:
            ready, _, _ = select.select([self.fd], [], [], max(0, end - time.perf_counter()))
            if not ready:
                sys.exit(f"waited for {text!r}; seen last: {self.seen[-300:]!r}")
            self.seen += os.read(self.fd, 1 << 16)
        return time.perf_counter()

    def send(self, text):
        self.seen = b""
        started = time.perf_counter()
        os.write(self.fd, text)
        return started

    def close(self):
        os.kill(self.pid, 9)
        os.waitpid(self.pid, 0)
        os.close(self.fd)


def starts(command, prompt, count):
    times = []
    for _ in range(count):
        screen = Screen(command)
        times.append((screen.until(prompt) - screen.started) * 1000)
        screen.close()
    return statistics.median(times)


def latencies(setup):
    screen = Screen([str(BINARY)])
    screen.until(b"In [1]:")
    for number, cell in enumerate(setup):
        screen.send(cell + b"\r")
        screen.until(b"In [%d]:" % (number + 2))
    # The panel's own look at the memory is over when nothing more is drawn for a while.
    while select.select([screen.fd], [], [], 1.0)[0]:
        os.read(screen.fd, 1 << 16)
    times = []
    for letter in "qwzyjkvu" * 12:
        started = screen.send(letter.encode())
        times.append((screen.until(letter.encode()) - started) * 1000)
    screen.close()
    times.sort()
    return times[len(times) // 2], times[-2]


def main():
    ours = starts([str(BINARY)], b"In [1]:", 15)
    print(f"start to the prompt, median            {ours:8.2f} ms   goal   30 ms")
    try:
        theirs = starts([sys.executable, "-m", "IPython", "--no-banner", "--simple-prompt"], b"In [1]:", 3)
        print(f"  IPython                              {theirs:8.2f} ms   ({theirs / ours:.1f}x)")
    except SystemExit as missing:
        print(f"  IPython: {missing}")
    for title, setup in [
        ("nothing alive", []),
        ("100,000 allocations alive", [b"a = [dpnp.zeros(4) for i in range(100_000)]"]),
    ]:
        half, slowest = latencies(setup)
        print(f"a key until it shows, {title:<26} p50 {half:6.2f} ms   p99 {slowest:6.2f} ms   goal 10 ms")


main()
