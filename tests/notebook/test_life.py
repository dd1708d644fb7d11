"""Interrupts, restarts and endings, in every state a cell can be in."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import psutil
import pytest

from conftest import BINARY, PATIENCE
from support import Kernel, result_of

RUNNING = {
    "a loop": "while True: pass",
    "a sleep": "import time; time.sleep(1000)",
    "input": "input('name? ')",
    "an output flood": "while True: print('x' * 100)",
    "array work": "import dpnp\na = dpnp.ones(200_000)\nwhile True: a = a * 1.0000001",
    "a comprehension": "[i for i in iter(int, 1)]",
    "a native function": "sum(iter(int, 1))",
}


@pytest.mark.parametrize("state", RUNNING)
def test_an_interrupt_ends_the_cell_and_keeps_every_name(kernel, state):
    kernel.execute("kept = 41")
    request = kernel.client.execute(RUNNING[state])
    kernel.wait_until_running(request)
    if state == "input":
        kernel.client.get_stdin_msg(timeout=PATIENCE)
    started = time.monotonic()
    kernel.manager.interrupt_kernel()
    reply = kernel.reply(request)["content"]
    latency = time.monotonic() - started
    assert reply["status"] == "error" and reply["ename"] == "KeyboardInterrupt"
    assert latency < 2, f"{state}: interrupted after {latency:.3f} s"
    errors = [m for m in kernel.outputs(request) if m["msg_type"] == "error"]
    assert [error["content"]["ename"] for error in errors] == ["KeyboardInterrupt"]
    assert result_of(kernel.execute("kept + 1")[1]) == "42"


def test_sigint_interrupts_a_cell_and_is_ignored_between_cells(kernel):
    for _ in range(100):
        os.kill(kernel.pid, signal.SIGINT)
    assert result_of(kernel.execute("1 + 1")[1]) == "2"
    request = kernel.client.execute("while True: pass")
    kernel.wait_until_running(request)
    os.kill(kernel.pid, signal.SIGINT)
    assert kernel.reply(request)["content"]["ename"] == "KeyboardInterrupt"


@pytest.mark.parametrize("code", ["1", "while True: pass", "input('? ')", "while True: print('x')"])
def test_shutdown_takes_less_than_two_seconds(code):
    with Kernel() as kernel:
        children = psutil.Process(kernel.pid).children(recursive=True)
        request = kernel.client.execute(code)
        kernel.wait_until_running(request)
        reply = kernel.control("shutdown_request", {"restart": False})
        assert reply["content"] == {"status": "ok", "restart": False}
        assert kernel.wait_until_gone() < 2
        assert not [child for child in children if child.is_running()]


def test_sigterm_ends_the_kernel(kernel):
    request = kernel.client.execute("while True: pass")
    kernel.wait_until_running(request)
    os.kill(kernel.pid, signal.SIGTERM)
    assert kernel.wait_until_gone() < 2


def test_a_restart_binds_the_same_ports_under_a_new_session(kernel):
    before = kernel.client.get_connection_info()
    session = kernel.control("kernel_info_request")["header"]["session"]
    kernel.execute("x = 1")
    kernel.manager.restart_kernel()
    kernel.client.wait_for_ready(timeout=PATIENCE)
    assert kernel.manager.get_connection_info()["shell_port"] == before["shell_port"]
    assert kernel.control("kernel_info_request")["header"]["session"] != session
    reply, _ = kernel.execute("x")
    assert reply["ename"] == "NameError" and reply["execution_count"] == 1


def test_ipc_leaves_no_files(tmp_path):
    with Kernel(transport="ipc", ip=str(tmp_path / "k")) as kernel:
        assert result_of(kernel.execute("2 + 3")[1]) == "5"
        assert list(tmp_path.iterdir())
        kernel.control("shutdown_request", {"restart": False})
        kernel.wait_until_gone()
        assert not list(tmp_path.iterdir())


STARTER = """
import json, os, subprocess, sys
binary, file = sys.argv[1:]
kernel = subprocess.Popen([binary, "kernel", "-f", file], env={**os.environ, "JPY_PARENT_PID": str(os.getpid())},
                          start_new_session=True)
print(kernel.pid, flush=True)
sys.stdin.read()
"""


def test_a_kernel_ends_with_the_process_that_started_it(kernel, tmp_path):
    file = tmp_path / "connection.json"
    ports = {f"{name}_port": number for number, name in enumerate(["shell", "iopub", "stdin", "control", "hb"], 1)}
    file.write_text(json.dumps({"transport": "ipc", "ip": str(tmp_path / "k"), "key": "k", **ports}))
    starter = subprocess.Popen(
        [sys.executable, "-c", STARTER, BINARY, file], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    orphan = psutil.Process(int(starter.stdout.readline()))
    socket = pathlib.Path(f"{tmp_path / 'k'}-1")
    started = time.monotonic()
    while not socket.exists():
        assert time.monotonic() - started < PATIENCE
        time.sleep(0.005)
    starter.kill()
    starter.wait()
    orphan_gone = time.monotonic()
    while orphan.is_running() and orphan.status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() - orphan_gone < PATIENCE
        time.sleep(0.005)
    assert time.monotonic() - orphan_gone < 3
