"""The full-screen terminal under tmux, typed at as a person would; and the command line's batch and watching commands."""

import json
import os
import re
import shutil
import subprocess
import time

import pytest

from conftest import BINARY, PATIENCE
from support import Kernel


class Terminal:
    """A tmux session of its own server; every wait is for something to be on the screen."""

    def __init__(self, folder, command, width=110, height=30):
        self.socket = str(folder / "tmux")
        environment = {**os.environ, "TERM": "xterm-256color", "HOME": str(folder), "CELLHOLD_SIM": "gpu mem=64MiB"}
        environment.pop("NO_COLOR", None)
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", str(width), "-y", str(height), command, env=environment)

    def tmux(self, *arguments, env=None):
        done = subprocess.run(["tmux", "-S", self.socket, *arguments], env=env, capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def keys(self, *keys):
        self.tmux("send-keys", *keys)

    def type(self, text):
        self.tmux("send-keys", "-l", text)
        self.keys("Enter")

    def screen(self):
        return self.tmux("capture-pane", "-p")

    def wait(self, *texts, without=()):
        """Returns the screen once it shows all texts and none of those it must be without."""
        until = time.monotonic() + PATIENCE
        while True:
            shown = self.screen()
            if all(text in shown for text in texts) and not any(text in shown for text in without):
                return shown
            assert time.monotonic() < until, f"waited for {texts} without {without}:\n{shown}"
            time.sleep(0.02)

    def close(self):
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], capture_output=True)


@pytest.fixture
def terminal(tmp_path):
    if shutil.which("tmux") is None:
        pytest.skip("there is no tmux (Debian: tmux)")
    made = []

    def start(command=str(BINARY), **measures):
        made.append(Terminal(tmp_path, command, **measures))
        return made[-1]

    yield start
    for one in made:
        one.close()


def test_a_session_is_typed_interrupted_freed_from_the_panel_resized_suspended_and_left(terminal):
    screen = terminal("bash --norc --noprofile")
    screen.type(f"PS1='shell> '; {BINARY}; echo left with $?")
    screen.wait("In [1]:", "F1: keys")
    screen.type("a = dpnp.ones((1000, 1000))")
    screen.wait("In [2]:", "+7.63 MiB", "<- a")
    screen.type("keep = [a, a * 2]")
    screen.wait("In [3]:", "<- keep[1]")
    # Completion with what it is.
    screen.tmux("send-keys", "-l", "a.resh")
    screen.keys("Tab")
    screen.wait("In [3]: a.reshape")
    screen.keys("C-c")
    # An endless cell is interrupted and what was bound stays.
    screen.type("while True: pass")
    screen.keys("Enter")
    screen.wait("running   Ctrl-C: interrupt")
    screen.keys("C-c")
    screen.wait("KeyboardInterrupt", "In [4]:")
    # A holder is let go of from the panel.
    screen.keys("F2")
    screen.wait("f: let go")
    screen.keys("End", "Down", "Down", "Down", "Down")
    screen.keys("f")
    screen.wait("let go by del keep[1]?")
    screen.keys("y")
    screen.wait("In [4]: del keep[1]", "-7.63 MiB", without=["<- keep[1]"])
    screen.keys("Escape")
    # A narrow screen folds the panel, a wide one opens it again.
    screen.tmux("resize-window", "-x", "70", "-y", "20")
    screen.wait("native:cpu:0 7.63 MiB", without=["│"])
    screen.tmux("resize-window", "-x", "110", "-y", "30")
    screen.wait("│", "<- a")
    # Suspended, the shell is back; resumed, the session is as it was.
    screen.keys("C-z")
    screen.wait("Stopped", "shell>")
    screen.type("fg; echo resumed and left with $?")
    screen.wait("In [5]:", "<- a")
    screen.type("input('name? ') + '!'")
    screen.wait("name?")
    screen.type("Ann")
    screen.wait("Out[5]: 'Ann!'")
    screen.keys("C-d")
    screen.wait("resumed and left with 0", "shell>", without=["In [5]"])


def test_the_screen_is_given_back_however_the_session_ends(terminal):
    screen = terminal("bash --norc --noprofile")
    screen.type(f"PS1='shell> '; {BINARY}; echo left with $?")
    screen.wait("In [1]:")
    screen.type("exit(7)")
    screen.wait("left with 7", "shell>")
    screen.type(f"clear; {BINARY}; echo left with $?")
    screen.wait("In [1]:")
    pid = screen.tmux("display-message", "-p", "#{pane_pid}").strip()
    child = subprocess.run(["pgrep", "-P", pid], capture_output=True, text=True).stdout.split()[0]
    os.kill(int(child), 15)
    screen.wait("left with 143", "shell>")


def test_lines_typed_ahead_of_a_prompt_are_not_lost(terminal):
    screen = terminal(f"{BINARY} repl")
    screen.wait("In [1]:")
    # One write of the terminal, without the marks of a paste.
    screen.tmux("send-keys", "-l", "first = 20\nfirst + 1\nfirst + 2\n")
    screen.wait("Out[2]: 21", "Out[3]: 22", "In [4]:")


def run(*arguments, **options):
    return subprocess.run([BINARY, *map(str, arguments)], capture_output=True, text=True, timeout=PATIENCE, **options)


def test_a_notebook_runs_with_parameters_and_is_written_with_its_outputs(tmp_path):
    cells = [
        {"cell_type": "code", "id": "a", "metadata": {"tags": ["parameters"]}, "source": "n = 1", "outputs": [], "execution_count": None},
        {"cell_type": "code", "id": "b", "metadata": {}, "source": "print('n is', n)\nn * 2", "outputs": [], "execution_count": None},
    ]
    notebook = tmp_path / "in.ipynb"
    notebook.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}))
    done = run("run", "--param", "n=21", "-o", tmp_path / "out.ipynb", notebook)
    assert (done.returncode, done.stderr) == (0, "")
    nbformat = pytest.importorskip("nbformat")
    written = nbformat.read(tmp_path / "out.ipynb", as_version=4)
    nbformat.validate(written)
    assert [cell.source for cell in written.cells] == ["n = 1", "n = 21", "print('n is', n)\nn * 2"]
    stream, result = written.cells[2].outputs
    assert (stream.text, result.data["text/plain"], result.execution_count) == ("n is 21\n", "42", 3)


def test_what_is_held_at_the_end_is_reported_and_fails_when_asked(tmp_path):
    script = tmp_path / "leaky.py"
    script.write_text("import dpnp\nkept = [dpnp.ones(1000)]\nprint(len(kept))\n")
    report = tmp_path / "memory.json"
    done = run("run", "--memory-report", report, script)
    assert (done.returncode, done.stdout) == (0, "1\n")
    memory = json.loads(report.read_text())
    assert [holder["path"] for holder in memory["allocations"][0]["holders"]] == ["kept[0]"]
    done = run("run", "--fail-on-leak", script)
    assert done.returncode == 3 and "held by kept[0]" in done.stderr
    script.write_text("import dpnp\nkept = [dpnp.ones(1000)]\nkept.clear()\n")
    assert run("run", "--fail-on-leak", script).returncode == 0
    wrong = run("run", "--param", "1x=2", script)
    assert wrong.returncode == 1 and "1x" in wrong.stderr


def test_top_lists_running_kernels_with_their_holders_even_while_a_cell_runs(tmp_path):
    (tmp_path / "kernel-stale.json").write_text("{}")
    with Kernel(connection_file=str(tmp_path / "kernel-busy.json")) as kernel:
        kernel.execute("import dpnp\nbig = dpnp.ones((512, 512))")
        request = kernel.client.execute("while True: pass")
        kernel.wait_until_running(request)
        environment = {**os.environ, "JUPYTER_RUNTIME_DIR": str(tmp_path)}
        done = run("top", "--json", env=environment)
        assert done.returncode == 0, done.stderr
        [ours] = json.loads(done.stdout)
        held = ours["usage"]["cellhold"]["allocations"][0]
        assert ours["usage"]["pid"] == kernel.pid
        assert (held["bytes"], held["holders"][0]["path"]) == (512 * 512 * 8, "big")
        text = run("top", "--once", env=environment).stdout
        assert f"process {kernel.pid}" in text and "<- big" in text
        kernel.control("interrupt_request")
        kernel.reply(request)


# Arrays of several sizes in names, lists, closures and outputs, something cached, on devices whose figures are exact.
HELD = """import dpnp
%device sim:gpu:0
a = dpnp.ones(1000)
rows = [dpnp.ones(3000 + i) for i in range(5)]
other = dpnp.zeros((20, 30), dtype='f4', device='sim:gpu:1')
keep = (lambda held: lambda: held)(dpnp.ones((7, 9)))
gone = dpnp.ones(2**18)
del gone
a + 1"""


def lasting(memory):
    """The figures of `%mem --json` that time alone does not change."""
    assert memory["schema"] == 1
    devices = [{name: device[name] for name in ("filter", "total", "free", "live", "live_blocks", "cached", "count")}
               for device in memory["devices"] if device["filter"].startswith("sim:")]
    known = ("id", "bytes", "block_bytes", "shape", "dtype", "device", "cell", "line")
    allocations = [{**{name: one[name] for name in known}, "paths": sorted(holder["path"] for holder in one["holders"])}
                   for one in memory["allocations"]]
    return devices, sorted(allocations, key=lambda one: one["id"])


def bytes_text(count):
    """A figure as displays write it: three digits, binary units."""
    if count < 1000:
        return f"{count} B"
    value, units = count / 1024, ["KiB", "MiB", "GiB", "TiB"]
    while value >= 999.5:
        value, units = value / 1024, units[1:]
    return f"{value:.{2 if value < 9.995 else 1 if value < 99.95 else 0}f} {units[0]}"


def test_usage_and_top_tell_the_ledgers_figures(tmp_path, terminal):
    simulated = {**os.environ, "CELLHOLD_SIM": "gpu mem=256MiB; gpu mem=64MiB"}
    with Kernel(connection_file=str(tmp_path / "kernel-held.json"), env=simulated) as kernel:
        reply, _ = kernel.execute(HELD)
        assert reply["status"] == "ok", reply
        # `%mem --json` is compared with the ledger itself where the session is tested.
        _, shown = kernel.execute("%mem --json")
        (ledger,) = [m["content"]["data"]["application/vnd.cellhold.mem+json"] for m in shown if m["msg_type"] == "display_data"]
        devices, allocations = lasting(ledger)
        assert sum(one["bytes"] for one in allocations) == sum(device["live"] for device in devices)
        assert sorted(one["bytes"] for one in allocations) == sorted(
            [8 * 1000] * 2 + [8 * (3000 + i) for i in range(5)] + [4 * 600, 8 * 63])
        assert devices[0]["cached"] > 0
        assert lasting(kernel.control("usage_request")["content"]["cellhold"]) == (devices, allocations)
        environment = {**os.environ, "JUPYTER_RUNTIME_DIR": str(tmp_path)}
        [ours] = json.loads(run("top", "--json", env=environment).stdout)
        assert lasting(ours["usage"]["cellhold"]) == (devices, allocations)
        screen = terminal(f"env JUPYTER_RUNTIME_DIR={tmp_path} {BINARY} top", width=100, height=50)
        for text in (run("top", "--once", env=environment).stdout, screen.wait("<- rows[4]", "<- a")):
            lines = [line.strip() for line in text.splitlines()]
            for device in devices:
                at = lines.index(f"{device['filter']}  {bytes_text(device['total'])}")
                assert lines[at + 2] == f"here {bytes_text(device['live'])}  cached {bytes_text(device['cached'])}"
                assert lines[at + 3] == f"free {bytes_text(device['free']['bytes'])}"
            assert f"{len(allocations)} allocations" in lines
            told = [line.split()[:3] for line in lines if line.startswith("#")]
            assert told and all(
                [number, *bytes_text(one["bytes"]).split()] in told
                for one in sorted(allocations, key=lambda one: -one["bytes"])[: len(told)]
                for number in [f"#{one['id']}"])


def test_top_says_when_nothing_runs(tmp_path):
    done = run("top", "--once", env={**os.environ, "JUPYTER_RUNTIME_DIR": str(tmp_path)})
    assert done.returncode == 0 and "No Cellhold kernel" in done.stdout


CELLS = [
    "a = dpnp.arange(6, dtype='float64').reshape(2, 3)",
    "b = a[1]; print('sum', float((a * 2).sum()))",
    "b",
    "del a",
    "%mem",
    "[1, 2][5]",
]
SHOWN = ["sum 30.0", "array([3., 4., 5.])", "a is gone, its 48 B are not: b, Out[3] still hold them", "48 B   (6,) float64", "IndexError: list index out of range"]


def in_order(text, has_notices=True):
    """What was expected, each after the one before; notices are for people, never for pipes."""
    at, found = 0, []
    for fragment in SHOWN if has_notices else [fragment for fragment in SHOWN if "is gone" not in fragment]:
        at = text.find(fragment, at)
        assert at >= 0, f"no {fragment!r} in:\n{text}"
        found.append(fragment)
    return found


def of_notebook(kernel):
    text = ""
    for cell in CELLS:
        _, messages = kernel.execute(cell)
        for message in messages:
            content = message["content"]
            text += content.get("text", "") + content.get("data", {}).get("text/plain", "") + "\n"
            text += "\n".join(content.get("traceback", [])) + "\n"
    return text


def test_the_same_cells_show_the_same_in_notebook_screen_line_and_batch(terminal, shared, tmp_path):
    plain = re.sub(r"\x1b\[[0-9;]*m", "", of_notebook(shared))
    assert in_order(plain)
    lines = run("repl", input="\n".join(CELLS) + "\n")
    assert in_order(lines.stdout + lines.stderr, has_notices=False)
    cells = [{"cell_type": "code", "metadata": {}, "source": cell, "outputs": [], "execution_count": None} for cell in CELLS]
    notebook = tmp_path / "cells.ipynb"
    notebook.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 2, "metadata": {}, "cells": cells}))
    batch = run("run", "-o", tmp_path / "out.ipynb", notebook)
    written = json.loads((tmp_path / "out.ipynb").read_text())
    kept = ""
    for cell in written["cells"]:
        for output in cell["outputs"]:
            kept += output.get("text", "") + output.get("data", {}).get("text/plain", "") + "\n".join(output.get("traceback", [])) + "\n"
    assert batch.returncode == 1 and in_order(kept)
    screen = terminal(width=130, height=50)
    screen.wait("In [1]:")
    for number, cell in enumerate(CELLS):
        screen.type(cell)
        screen.wait(f"In [{number + 2}]:")
    assert in_order(screen.wait("IndexError"))
