"""How long a person waits for the kernel: start to first answer, one cell's round trip, an interrupt. ipykernel is the
peer, in the same run, over the same raw sockets; the two take turns, so that a noisy machine treats both alike.

    cargo xtask bench          (or: CELLHOLD_BIN=... python tests/notebook/bench_kernel.py)
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import zmq
from jupyter_client.session import Session

ROOT = pathlib.Path(__file__).resolve().parents[2]
CELLHOLD = os.environ.get("CELLHOLD_BIN", str(ROOT / "target/release/cellhold"))
COMMANDS = {
    "cellhold": [CELLHOLD, "kernel", "-f"],
    "ipykernel": [sys.executable, "-m", "ipykernel_launcher", "-f"],
}
STARTS, CELLS, INTERRUPTS = 10, 500, 30


class Peer:
    """One kernel process and raw sockets to it, connected before it starts."""

    def __init__(self, name):
        self.folder = tempfile.TemporaryDirectory()
        prefix = f"{self.folder.name}/k"
        ports = {"shell_port": 1, "iopub_port": 2, "stdin_port": 3, "control_port": 4, "hb_port": 5}
        settings = {"transport": "ipc", "ip": prefix, "key": "k", "signature_scheme": "hmac-sha256", **ports}
        file = pathlib.Path(self.folder.name, "connection.json")
        file.write_text(json.dumps(settings))
        self.session = Session(key=b"k")
        self.context = zmq.Context()
        self.shell, self.iopub, self.control = (self.context.socket(kind) for kind in (zmq.DEALER, zmq.SUB, zmq.DEALER))
        self.iopub.subscribe(b"")
        for socket, port in ((self.shell, 1), (self.iopub, 2), (self.control, 4)):
            # The kernel's own start is measured, not the client's patience between attempts to connect.
            socket.setsockopt(zmq.RECONNECT_IVL, 1)
            socket.rcvtimeo = 60_000
            socket.connect(f"ipc://{prefix}-{port}")
        environment = {**os.environ, "CELLHOLD_HISTORY": "off"}
        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            [*COMMANDS[name], file], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self.ask(self.shell, "kernel_info_request", {})
        self.start_seconds = time.perf_counter() - self.started

    def ask(self, socket, kind, content):
        request = self.session.send(socket, kind, content)["header"]["msg_id"]
        while True:
            reply = self.session.recv(socket, mode=0)[1]
            if reply["parent_header"].get("msg_id") == request:
                return reply

    def wait_for(self, request, state):
        while True:
            message = self.session.recv(self.iopub, mode=0)[1]
            if message["parent_header"].get("msg_id") == request and message["content"].get("execution_state") == state:
                return

    def cell(self, code):
        """Seconds from sending a cell until both its reply and its idle are here."""
        started = time.perf_counter()
        reply = self.ask(self.shell, "execute_request", {"code": code, "silent": False})
        self.wait_for(reply["parent_header"]["msg_id"], "idle")
        assert reply["content"]["status"] == "ok", reply["content"]
        return time.perf_counter() - started

    def interrupt(self):
        """Seconds from asking for an interrupt until the cell's reply."""
        request = self.session.send(self.shell, "execute_request", {"code": "while True: pass"})["header"]["msg_id"]
        self.wait_for(request, "busy")
        started = time.perf_counter()
        self.session.send(self.control, "interrupt_request", {})
        while self.session.recv(self.shell, mode=0)[1]["parent_header"].get("msg_id") != request:
            pass
        return time.perf_counter() - started

    def end(self):
        self.process.kill()
        self.process.wait()
        self.context.destroy(linger=0)
        self.folder.cleanup()


def percentile(values, part):
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def show(question, goal, ours, theirs=None):
    peer = f"   ipykernel {1e3 * theirs:8.2f} ms   ({theirs / ours:.1f}x)" if theirs else ""
    print(f"{question:<44} {1e3 * ours:8.2f} ms   goal {goal:>7}{peer}")


def main():
    starts = {name: [] for name in COMMANDS}
    for _ in range(STARTS):
        for name in COMMANDS:
            peer = Peer(name)
            starts[name].append(peer.start_seconds)
            peer.end()
    median = {name: statistics.median(times) for name, times in starts.items()}
    show("start to first kernel_info_reply, median", "50 ms", median["cellhold"], median["ipykernel"])

    peers = {name: Peer(name) for name in COMMANDS}
    cells = {name: [] for name in COMMANDS}
    for number in range(CELLS):
        for name, peer in peers.items():
            cells[name].append(peer.cell(f"x = {number}"))
    for part, goal in ((0.5, "1 ms"), (0.99, "")):
        values = {name: percentile(times[20:], part) for name, times in cells.items()}
        show(f"cell round trip, reply and idle, p{int(100 * part)}", goal, values["cellhold"], values["ipykernel"])

    interrupts = [peers["cellhold"].interrupt() for _ in range(INTERRUPTS)]
    show("interrupt of a running loop, p99", "100 ms", percentile(interrupts, 0.99))
    for peer in peers.values():
        peer.end()


if __name__ == "__main__":
    main()
