"""Frames, signatures and sockets, below what a well-behaved client would send."""

import json
import os
import random
import subprocess
import time

import pytest
import zmq
from jupyter_client.session import Session

from conftest import BINARY, PATIENCE
from support import Kernel, result_of, text_of

PORTS = {"shell_port": 1, "iopub_port": 2, "stdin_port": 3, "control_port": 4, "hb_port": 5}


class Raw:
    """A kernel started from a connection file of our own making, and bare sockets to it."""

    def __init__(self, folder, **changes):
        self.prefix = str(folder / "k")
        self.file = folder / "connection.json"
        settings = {"transport": "ipc", "ip": self.prefix, "key": "secret", "signature_scheme": "hmac-sha256", **PORTS}
        settings.update(changes)
        self.file.write_text(json.dumps(settings))
        self.process = subprocess.Popen([BINARY, "kernel", "-f", self.file], stderr=subprocess.PIPE, text=True)
        self.session = Session(key=settings["key"].encode(), signature_scheme=settings["signature_scheme"] or "hmac-sha256")
        self.context = zmq.Context()

    def connect(self, kind, port, identity=None):
        socket = self.context.socket(kind)
        socket.linger = 0
        socket.rcvtimeo = PATIENCE * 1000
        if identity:
            socket.setsockopt(zmq.IDENTITY, identity)
        if kind == zmq.SUB:
            socket.subscribe(b"")
        socket.connect(f"ipc://{self.prefix}-{port}")
        return socket

    def receive(self, socket):
        return self.session.recv(socket, mode=0)[1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stderr.close()
        self.context.destroy(linger=0)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"key": ""},
        {"signature_scheme": "hmac-sha512"},
        {name: str(port) for name, port in PORTS.items()},
        {"kernel_name": "cellhold", "jupyter_session": "a.ipynb", "unheard-of": {"a": [1]}},
    ],
    ids=["plain", "empty key", "sha512", "string ports", "unknown keys"],
)
def test_connection_files_of_every_kind(tmp_path, changes):
    with Raw(tmp_path, **changes) as raw:
        shell = raw.connect(zmq.DEALER, 1)
        raw.session.send(shell, "kernel_info_request", {})
        assert raw.receive(shell)["content"]["implementation"] == "cellhold"


@pytest.mark.parametrize(
    "changes, named",
    [({"signature_scheme": "hmac-md5"}, "hmac-md5"), ({"shell_port": "x"}, "shell_port"), ({"transport": "udp"}, "udp")],
)
def test_a_connection_file_that_cannot_be_used_is_refused_by_name(tmp_path, changes, named):
    with Raw(tmp_path, **changes) as raw:
        assert raw.process.wait(timeout=PATIENCE) == 1
        assert named in raw.process.stderr.read()


def test_a_wrong_signature_is_dropped_and_the_next_message_answered(tmp_path):
    with Raw(tmp_path) as raw:
        shell, control = raw.connect(zmq.DEALER, 1), raw.connect(zmq.DEALER, 4)
        forger = Session(key=b"wrong")
        for socket in (shell, control):
            forged = forger.send(socket, "kernel_info_request", {})
            honest = raw.session.send(socket, "kernel_info_request", {})
            reply = raw.receive(socket)
            assert reply["parent_header"]["msg_id"] == honest["header"]["msg_id"] != forged["header"]["msg_id"]


def test_ten_thousand_broken_messages_break_nothing(tmp_path):
    """Cut, shuffled, doubled and damaged frames of real messages, and noise, with every signature that can be right right."""
    rng = random.Random(20261129)
    with Raw(tmp_path, key="") as raw:
        sockets = [raw.connect(zmq.DEALER, 1, b"fuzz"), raw.connect(zmq.DEALER, 4, b"fuzz")]
        good = raw.session.serialize(raw.session.msg("complete_request", {"code": "a.b", "cursor_pos": 3}))
        pieces = good + [b"", b"{}", b"[]", b"null", b"\xff\xfe", b"<IDS|MSG>", b'{"msg_type": 1}', b"{" * 500, b'{"a":']
        for number in range(10_000):
            frames = [rng.choice(pieces) for _ in range(rng.randrange(1, 10))]
            if number % 3 == 0:
                frames = list(good)
                victim = rng.randrange(len(frames))
                damaged = bytearray(frames[victim])
                for _ in range(rng.randrange(1, 4)):
                    damaged[rng.randrange(len(damaged)) if damaged else 0 :][:1] = b""
                    damaged.insert(rng.randrange(len(damaged) + 1), rng.randrange(256))
                frames[victim] = bytes(damaged)
            rng.choice(sockets).send_multipart(frames)
        for port in (1, 4):
            honest = raw.connect(zmq.DEALER, port)
            raw.session.send(honest, "kernel_info_request", {})
            assert raw.receive(honest)["content"]["status"] == "ok"
        assert raw.process.poll() is None


def test_heartbeat(tmp_path):
    with Raw(tmp_path) as raw:
        heart = raw.connect(zmq.REQ, 5)
        for beat in (b"ping", b"\x00\xff", b""):
            heart.send(beat)
            assert heart.recv() == beat


def test_each_subscriber_is_welcomed(tmp_path):
    with Raw(tmp_path) as raw:
        for _ in range(3):
            welcome = raw.receive(raw.connect(zmq.SUB, 2))
            while welcome["msg_type"] == "status":
                welcome = raw.receive(raw.connect(zmq.SUB, 2))
            assert welcome["msg_type"] == "iopub_welcome"
            assert welcome["content"] == {"subscription": ""} and welcome["parent_header"] == {}


def test_a_front_end_that_reconnects_takes_its_place_while_a_cell_runs(tmp_path):
    with Raw(tmp_path) as raw:
        shell, iopub = raw.connect(zmq.DEALER, 1, b"tab"), raw.connect(zmq.SUB, 2)
        while raw.receive(iopub)["msg_type"] != "iopub_welcome":
            pass
        raw.session.send(shell, "execute_request", {"code": "while True: pass"})
        while raw.receive(iopub)["msg_type"] != "execute_input":
            pass
        control = raw.connect(zmq.DEALER, 4, b"tab")
        raw.session.send(control, "kernel_info_request", {})
        assert raw.receive(control)["msg_type"] == "kernel_info_reply"
        control.close()
        again = raw.connect(zmq.DEALER, 4, b"tab")
        raw.session.send(again, "kernel_info_request", {})
        assert raw.receive(again)["msg_type"] == "kernel_info_reply"
        shell.close()
        shell_again = raw.connect(zmq.DEALER, 1, b"tab")
        raw.session.send(shell_again, "kernel_info_request", {})
        raw.session.send(again, "interrupt_request", {})
        assert raw.receive(again)["msg_type"] == "interrupt_reply"
        replies = {raw.receive(shell_again)["msg_type"] for _ in range(2)}
        assert replies == {"execute_reply", "kernel_info_reply"}


def test_a_storm_of_nudges_while_busy(kernel):
    request = kernel.client.execute("while True: pass")
    kernel.wait_until_running(request)
    for _ in range(100):
        assert kernel.control("kernel_info_request")["content"]["status"] == "ok"
    kernel.manager.interrupt_kernel()
    assert kernel.reply(request)["content"]["ename"] == "KeyboardInterrupt"


def test_one_session_identity_and_no_signature_twice(tmp_path):
    with Raw(tmp_path) as raw:
        shell, iopub = raw.connect(zmq.DEALER, 1), raw.connect(zmq.SUB, 2)
        raw.receive(iopub)
        signatures, sessions = set(), set()
        count = 2000
        for _ in range(count):
            raw.session.send(shell, "kernel_info_request", {})
        for socket, share in ((shell, 1), (iopub, 2)):
            for _ in range(count * share):
                frames = socket.recv_multipart()
                signature, header = frames[frames.index(b"<IDS|MSG>") + 1 :][:2]
                signatures.add(signature)
                sessions.add(json.loads(header)["session"])
        assert len(signatures) == 3 * count and len(sessions) == 1


def test_an_unknown_request_is_bracketed_and_not_answered(kernel):
    message = kernel.client.session.msg("nonsense_request", {})
    kernel.client.shell_channel.send(message)
    assert kernel.outputs(message["header"]["msg_id"]) == []


def test_a_comm_to_nobody_is_closed(kernel):
    message = kernel.client.session.msg("comm_open", {"comm_id": "c1", "target_name": "nobody", "data": {}})
    kernel.client.shell_channel.send(message)
    (closed,) = kernel.outputs(message["header"]["msg_id"])
    assert closed["msg_type"] == "comm_close" and closed["content"]["comm_id"] == "c1"
    assert kernel.ask("comm_info_request") == {"status": "ok", "comms": {}}


def test_usage_is_complete_and_ours_is_with_it(kernel):
    kernel.execute("import dpnp\na = dpnp.ones(1000)")
    usage = kernel.control("usage_request")["content"]
    memory = usage["host_virtual_memory"]
    assert all(isinstance(memory[name], (int, float)) for name in
               ("active", "available", "free", "inactive", "percent", "total", "used", "wired"))
    assert usage["pid"] == kernel.pid and usage["hostname"] and usage["cpu_count"] >= 1
    assert usage["kernel_memory"] > 1_000_000
    assert isinstance(usage["kernel_cpu"], (int, float)) and isinstance(usage["host_cpu_percent"], (int, float))
    ours = usage["cellhold"]
    assert ours["schema"] == 1
    assert sum(entry["bytes"] for entry in ours["allocations"]) == 8000


def test_a_free_asked_for_in_mid_cell_waits_for_its_end(kernel):
    kernel.execute("import dpnp\nx = dpnp.ones(2**17)\ny = dpnp.ones(10)")
    request = kernel.client.execute("name = input()")
    kernel.wait_until_running(request)
    kernel.client.get_stdin_msg(timeout=PATIENCE)
    assert kernel.control("cellhold_free_request", {})["content"]["status"] == "error"
    asked = kernel.control("cellhold_free_request", {"line": "x"})["content"]
    assert (asked["status"], asked["id"], asked["state"]) == ("ok", 1, "pending")
    ours = kernel.control("usage_request")["content"]["cellhold"]
    assert [free["state"] for free in ours["frees"]] == ["pending"] and len(ours["allocations"]) == 2
    kernel.client.input("go on")
    assert kernel.reply(request)["content"]["status"] == "ok"
    ours = kernel.control("usage_request")["content"]["cellhold"]
    (free,) = ours["frees"]
    assert free["state"] == "done" and "Released: 1.00 MiB" in free["text"]
    assert [entry["bytes"] for entry in ours["allocations"]] == [80]
    # Between cells it is the executor's next work, before any cell that comes later.
    kernel.control("cellhold_free_request", {"line": "y"})
    kernel.execute("z = 1")
    ours = kernel.control("usage_request")["content"]["cellhold"]
    assert ours["frees"][-1]["state"] == "done" and ours["allocations"] == []


def test_what_holds_memory_is_told_in_mid_cell_with_its_age(kernel):
    kernel.execute("import dpnp\nx = dpnp.ones(2**17)\nheld = [x, dpnp.ones(10)]")
    request = kernel.client.execute("name = input()")
    kernel.wait_until_running(request)
    kernel.client.get_stdin_msg(timeout=PATIENCE)
    answer = kernel.control("cellhold_mem_request", {"line": "x"})["content"]
    assert answer["status"] == "ok" and answer["age_s"] >= 0
    assert [one["bytes"] for one in answer["allocations"]] == [2**20]
    text = answer["data"]["text/plain"]
    assert "1.00 MiB" in text and "held[0]" in text and "let go: del x" in text and ("ago" in text or "Just now" in text)
    assert "text/html" in answer["data"]
    assert len(kernel.control("cellhold_mem_request", {"line": "held"})["content"]["allocations"]) == 2
    missing = kernel.control("cellhold_mem_request", {"line": "nothing"})["content"]
    assert missing["status"] == "error" and "there is no nothing" in missing["evalue"]
    kernel.client.input("go on")
    assert kernel.reply(request)["content"]["status"] == "ok"


def test_usage_in_mid_cell_leaves_the_cells_parents_alone(kernel):
    request = kernel.client.execute("print('before')\nname = input()\nprint('after')")
    kernel.wait_until_running(request)
    kernel.client.get_stdin_msg(timeout=PATIENCE)
    kernel.control("usage_request")
    kernel.client.input("x")
    assert kernel.reply(request)["content"]["status"] == "ok"
    texts, state = [], None
    while state != "idle":
        message = kernel.next_output(request)
        state = message["content"].get("execution_state")
        texts += [message["content"]["text"]] if message["msg_type"] == "stream" else []
    assert "".join(texts) == "before\nafter\n"


def test_native_output_belongs_to_its_cell(kernel):
    reply, messages = kernel.execute("with open('/dev/fd/1', 'w') as f: f.write('from a driver\\n')\nNone")
    assert reply["status"] == "ok", reply
    assert text_of(messages) == "from a driver\n"


def test_the_file_needs_nobody_elses_rights(tmp_path):
    """The history is private to the user."""
    history = tmp_path / "state/history.jsonl"
    with Kernel(env={**os.environ, "CELLHOLD_HISTORY": str(history)}) as kernel:
        assert result_of(kernel.execute("1 + 1")[1]) == "2"
        kernel.ask("history_request", hist_access_type="tail", n=1, output=False, raw=True)
        assert history.stat().st_mode & 0o777 == 0o600
