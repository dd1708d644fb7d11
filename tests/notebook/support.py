"""A kernel started by jupyter_client, and the few questions that tests ask of it."""

import time

from jupyter_client import KernelManager

from conftest import PATIENCE


class Kernel:
    """A running kernel and its blocking client. Messages are taken in order; nothing is skipped unseen."""

    def __init__(self, transport="tcp", env=None, **connection):
        self.manager = KernelManager(kernel_name="cellhold", transport=transport, **connection)
        self.manager.start_kernel(**({"env": env} if env else {}))
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=PATIENCE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.client.stop_channels()
        if self.manager.is_alive():
            self.manager.shutdown_kernel(now=True)

    @property
    def pid(self):
        return self.manager.provisioner.pid

    def execute(self, code, **options):
        """Runs a cell to its end: its reply's content and all its iopub messages between busy and idle."""
        request = self.client.execute(code, **options)
        return self.reply(request)["content"], self.outputs(request)

    def reply(self, request):
        while True:
            reply = self.client.get_shell_msg(timeout=PATIENCE)
            if reply["parent_header"].get("msg_id") == request:
                return reply

    def outputs(self, request):
        """The iopub messages of a request between busy and idle."""
        messages = []
        while True:
            message = self.next_output(request)
            if message["msg_type"] == "status":
                if message["content"]["execution_state"] == "idle":
                    return messages
                assert message["content"]["execution_state"] == "busy" and not messages
            else:
                messages.append(message)

    def next_output(self, request):
        """The next iopub message of a request; messages of other requests are passed over."""
        while True:
            message = self.client.get_iopub_msg(timeout=PATIENCE)
            if message["parent_header"].get("msg_id") == request:
                return message

    def wait_until_running(self, request):
        """Returns once the cell has announced itself."""
        while self.next_output(request)["msg_type"] != "execute_input":
            pass

    def control(self, kind, content=None):
        """Asks on the control channel and returns the reply."""
        message = self.client.session.msg(kind, content or {})
        self.client.control_channel.send(message)
        while True:
            reply = self.client.get_control_msg(timeout=PATIENCE)
            if reply["parent_header"].get("msg_id") == message["header"]["msg_id"]:
                return reply

    def ask(self, kind, **content):
        """Asks on the shell channel and returns the content of the reply."""
        message = self.client.session.msg(kind, content)
        self.client.shell_channel.send(message)
        return self.reply(message["header"]["msg_id"])["content"]

    def wait_until_gone(self):
        """Waits for the process to end; says how long that took."""
        started = time.monotonic()
        while self.manager.is_alive():
            assert time.monotonic() - started < PATIENCE, "the kernel does not end"
            time.sleep(0.005)
        return time.monotonic() - started


def text_of(messages, name="stdout"):
    """All text of a stream."""
    parts = [m["content"]["text"] for m in messages if m["msg_type"] == "stream" and m["content"]["name"] == name]
    return "".join(parts)


def kinds(messages):
    """The types of messages in order, neighbours of one kind once."""
    seen = []
    for message in messages:
        if not seen or seen[-1] != message["msg_type"]:
            seen.append(message["msg_type"])
    return seen


def result_of(messages):
    """The plain text of a cell's result, if it has one."""
    texts = [m["content"]["data"]["text/plain"] for m in messages if m["msg_type"] == "execute_result"]
    assert len(texts) <= 1
    return texts[0] if texts else None
