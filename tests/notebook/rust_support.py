"""What the tests of Rust cells share. They need the helper: `cargo xtask cells` builds it once and runs them."""

import os
import pathlib
import re
import tempfile
import time

import psutil
import pytest

from conftest import BINARY, PATIENCE
from support import Kernel, result_of

HELPER = pathlib.Path(os.environ.get("CELLHOLD_RUST", BINARY.parent / "cellhold-rust"))


class RustKernel(Kernel):
    """A kernel whose temporary files are its own, and the processes that it starts for Rust."""

    def __init__(self, folder):
        super().__init__(env={**os.environ, "TMPDIR": str(folder), "CELLHOLD_RUST": str(HELPER)})

    def run(self, code):
        """Runs a cell that must not fail; its iopub messages."""
        reply, messages = self.execute(code)
        assert reply["status"] == "ok", "\n".join(reply["traceback"])
        return messages

    def rust(self, code):
        return self.run("%%rust\n" + code)

    def value(self, code):
        return result_of(self.rust(code))

    def fails(self, code):
        """Runs a cell that must fail; the name of the error, its message, and all that is shown of it, without colours."""
        reply, _ = self.execute(code)
        assert reply["status"] == "error", "the cell did not fail"
        return reply["ename"], reply["evalue"], plain("\n".join(reply["traceback"]))

    def processes(self):
        """Everything below the kernel, by role: supervisor, worker, runtime, and what else there is."""
        return psutil.Process(self.pid).children(recursive=True)

    def helper(self):
        """The supervisor, the worker and the process that runs cells."""
        supervisor = psutil.Process(self.pid).children()[0]
        worker = supervisor.children()[0]
        runtime = next(process for process in worker.children() if process.name() == "cellhold-rust")
        return supervisor, worker, runtime

    def interrupt_after(self, request, seen):
        """Interrupts a running cell once it has printed something; its reply, and how long that took."""
        self.wait_until_running(request)
        printed = ""
        while seen not in printed:
            message = self.next_output(request)
            if message["msg_type"] == "stream":
                printed += message["content"]["text"]
        return self.interrupt_after_running(request)

    def interrupt_after_running(self, request):
        """Interrupts a cell that has announced itself."""
        began = time.monotonic()
        self.manager.interrupt_kernel()
        reply = self.reply(request)["content"]
        return reply, time.monotonic() - began


def plain(text):
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def wait_for(condition, what):
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until, f"waited for {what}"
        time.sleep(0.01)


def compiler_runs(kernel):
    def is_compiler(process):
        try:
            return process.name() == "rustc"
        except psutil.NoSuchProcess:
            return False

    return any(is_compiler(process) for process in kernel.processes())


def all_gone(processes):
    """Whether processes are gone: not even a zombie is left."""
    return not any(process.is_running() for process in processes)


def temporary():
    return tempfile.TemporaryDirectory(prefix="rc-", dir="/tmp")


# Not below pytest's own folder, whose name is too long for sockets.
@pytest.fixture
def folder():
    with temporary() as folder:
        yield pathlib.Path(folder)


@pytest.fixture
def fresh(folder):
    """A kernel of this test's own."""
    with RustKernel(folder) as kernel:
        yield kernel


@pytest.fixture(scope="module")
def rust():
    """A kernel shared by the tests of a file."""
    with temporary() as folder, RustKernel(pathlib.Path(folder)) as kernel:
        yield kernel
