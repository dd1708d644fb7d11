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


def starts(command, count):
    """Medians of the time to the prompt and of the time to the answer of a cell typed into it at once."""
    prompts, answers = [], []
    for _ in range(count):
        screen = Screen(command)
        prompts.append((screen.until(b"In [") - screen.started) * 1000)
        screen.send(b"111 * 1001\r")
        answers.append((screen.until(b"111111") - screen.started) * 1000)
        screen.close()
    return statistics.median(prompts), statistics.median(answers)


def latencies(setup, shows):
    """Half and nearly all of the times from a key to its character, after a cell that shows something has ended."""
    screen = Screen([str(BINARY)])
    screen.until(b"In [")
    if setup:
        screen.send(setup + b"\r")
        screen.until(shows)
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
    prompt, answer = starts([str(BINARY)], 15)
    their_prompt, their_answer = starts([sys.executable, "-m", "IPython", "--no-banner", "--simple-prompt"], 3)
    print(f"start to the prompt, median          {prompt:8.2f} ms   goal   30 ms   IPython {their_prompt:8.2f} ms")
    print(f"start to the first answer, median    {answer:8.2f} ms                  IPython {their_answer:8.2f} ms")
    setup = b"a = [dpnp.zeros(4) for i in range(100_000)]"
    for title, half, slowest in [
        ("nothing alive", *latencies(b"", b"")),
        # What the cell added stands in its margin once it has ended.
        ("100,000 allocations alive", *latencies(setup, b"+3.05")),
    ]:
        print(f"a key until it shows, {title:<26} p50 {half:6.2f} ms   p99 {slowest:6.2f} ms   goal 10 ms")


main()
