"""What one cell does on the wire: order, counting, silence, errors, input, payloads, and floods of output."""

import re
import time

import pytest

from conftest import PATIENCE
from support import kinds, result_of, text_of


def test_a_thousand_cells_are_each_bracketed(kernel):
    # Half of them print: a thousand printed lines in a tenth of a second is more than a notebook server takes in, and would
    # rightly be counted instead of sent.
    requests = [kernel.client.execute(f"print({n}); {n}" if n % 2 else f"{n}") for n in range(1000)]
    for number, request in enumerate(requests):
        messages = kernel.outputs(request)
        printed = ["stream"] if number % 2 else []
        assert kinds(messages) == ["execute_input", *printed, "execute_result"]
        assert (text_of(messages), result_of(messages)) == (f"{number}\n" if printed else "", str(number))


def test_outputs_keep_their_order(kernel):
    _, messages = kernel.execute(
        "import sys\nprint('a')\nprint('b', file=sys.stderr)\nprint('c')\ndisplay(1)\nprint('d', end='')\n2"
    )
    told = [
        (m["msg_type"], m["content"].get("text") or m["content"].get("data", {}).get("text/plain")) for m in messages[1:]
    ]
    assert told == [("stream", "a\n"), ("stream", "b\n"), ("stream", "c\n"), ("display_data", "1"), ("stream", "d"),
                    ("execute_result", "2")]


@pytest.mark.parametrize("code", ["for i in range(100_000): print(i)", "for i in range(100_000): print('x' * 90)"])
def test_many_prints_arrive_or_are_counted(kernel, code):
    reply, messages = kernel.execute(code)
    assert reply["status"] == "ok"
    expected = "".join(f"{i}\n" if "(i)" in code else "x" * 90 + "\n" for i in range(100_000))
    text = text_of(messages)
    gap = re.compile(r"\[([\d,]+) bytes with ([\d,]+) line ends left out here: [^\]]*\]\n")
    shown = gap.split(text)
    # Where in the expected text what was read so far may end. A gap in the middle of a line is announced on a line of its own,
    # so a line end before a gap is either the program's or the announcement's.
    positions = {0}
    for index in range(0, len(shown), 3):
        part = shown[index]
        if index + 1 == len(shown):
            positions = {at + len(part) for at in positions if expected.startswith(part, at)}
            break
        left_out, lines = (int(figure.replace(",", "")) for figure in shown[index + 1 : index + 3])
        ends = {at + len(read) for at in positions for read in (part, part.removesuffix("\n")) if expected.startswith(read, at)}
        positions = {end + left_out for end in ends if expected.count("\n", end, end + left_out) == lines}
    assert len(expected) in positions


def test_a_partial_line_is_seen_while_the_cell_runs(kernel):
    request = kernel.client.execute("print('10 %', end='')\nwhile True: pass")
    kernel.wait_until_running(request)
    started = time.monotonic()
    assert kernel.next_output(request)["content"] == {"name": "stdout", "text": "10 %"}
    assert time.monotonic() - started < 1
    kernel.manager.interrupt_kernel()
    kernel.reply(request)


def test_counting(kernel):
    assert kernel.execute("1")[0]["execution_count"] == 1
    silent, messages = kernel.execute("2", silent=True)
    assert (silent["status"], silent["execution_count"], messages) == ("ok", 1, [])
    reply, messages = kernel.execute("3", store_history=False)
    assert reply["execution_count"] == 2 and result_of(messages) == "3"
    assert kernel.execute("1/0")[0]["execution_count"] == 2
    reply, messages = kernel.execute("4")
    numbers = [m["content"]["execution_count"] for m in messages if "execution_count" in m["content"]]
    assert reply["execution_count"] == 3 and numbers == [3, 3]
    assert result_of(kernel.execute("_, sorted(Out)")[1]) == "(4, [1, 3])"


def test_user_expressions(kernel):
    reply, messages = kernel.execute(
        "x = 20", user_expressions={"good": "x + 1", "bad": "nowhere", "worse": "1 +", "silent": "print('p')"}
    )
    values = reply["user_expressions"]
    assert values["good"]["status"] == "ok" and values["good"]["data"]["text/plain"] == "21"
    assert (values["bad"]["status"], values["bad"]["ename"]) == ("error", "NameError")
    assert (values["worse"]["status"], values["worse"]["ename"]) == ("error", "SyntaxError")
    assert "execute_result" not in kinds(messages)
    assert result_of(kernel.execute("sorted(Out)")[1]) == "[]"
    assert "user_expressions" not in kernel.execute("1/0", user_expressions={"a": "x"})[0]


def test_input(kernel):
    request = kernel.client.execute("print('before'); name = input('name? '); print(f'hello {name}')")
    kernel.wait_until_running(request)
    assert kernel.next_output(request)["content"]["text"] == "before\n"
    question = kernel.client.get_stdin_msg(timeout=PATIENCE)
    assert question["content"] == {"prompt": "name? ", "password": False}
    assert question["parent_header"]["msg_id"] == request
    kernel.client.input("wörld")
    assert kernel.reply(request)["content"]["status"] == "ok"
    assert kernel.next_output(request)["content"]["text"] == "hello wörld\n"


def test_input_that_ends_and_input_that_is_not_allowed(kernel):
    request = kernel.client.execute("input()")
    kernel.client.get_stdin_msg(timeout=PATIENCE)
    kernel.client.input("\x04")
    assert kernel.reply(request)["content"]["ename"] == "EOFError"
    reply, _ = kernel.execute("input()", allow_stdin=False)
    assert reply["ename"] == "StdinNotImplementedError"


def test_a_stale_answer_is_not_taken(kernel):
    request = kernel.client.execute("input('first ')")
    kernel.client.get_stdin_msg(timeout=PATIENCE)
    kernel.manager.interrupt_kernel()
    assert kernel.reply(request)["content"]["ename"] == "KeyboardInterrupt"
    kernel.client.input("late")
    kernel.control("kernel_info_request")
    request = kernel.client.execute("print(input('second '))")
    kernel.client.get_stdin_msg(timeout=PATIENCE)
    kernel.client.input("fresh")
    kernel.reply(request)
    assert text_of(kernel.outputs(request)) == "fresh\n"


def test_a_failure_aborts_only_the_queued_cells(kernel):
    failing = kernel.client.execute("input()\n1/0")
    queued = [kernel.client.execute(f"print({n})") for n in range(3)]
    completion = kernel.client.complete("pri", 3)
    kernel.client.get_stdin_msg(timeout=PATIENCE)
    kernel.client.input("")
    assert kernel.reply(failing)["content"]["ename"] == "ZeroDivisionError"
    for request in queued:
        content = kernel.reply(request)["content"]
        assert (content["status"], content["ename"]) == ("error", "ExecutionAborted")
        assert "execution_count" not in content, "it has not run"
        assert kernel.outputs(request) == []
    assert "print" in kernel.reply(completion)["content"]["matches"]
    assert text_of(kernel.execute("print('later')")[1]) == "later\n"


def test_a_failure_that_is_expected_aborts_nothing(kernel):
    failing = kernel.client.execute("1/0", stop_on_error=False)
    after = kernel.client.execute("print('ran')")
    assert kernel.reply(failing)["content"]["status"] == "error"
    assert kernel.reply(after)["content"]["status"] == "ok"


def test_an_error_is_told_once_and_not_on_stderr(kernel):
    reply, messages = kernel.execute("def f():\n    return 1/0\nf()")
    assert kinds(messages) == ["execute_input", "error"]
    (error,) = [m["content"] for m in messages if m["msg_type"] == "error"]
    assert (error["ename"], error["evalue"]) == ("ZeroDivisionError", "division by zero")
    assert {key: reply[key] for key in ("ename", "evalue", "traceback")} == error
    plain = re.sub(r"\x1b\[[\d;]*m", "", "\n".join(error["traceback"]))
    assert "return 1/0" in plain and "line 2" in plain


def test_a_semicolon_shows_and_keeps_nothing(kernel):
    _, messages = kernel.execute("import dpnp\ndpnp.ones(1000);")
    assert kinds(messages) == ["execute_input"]
    held = kernel.control("usage_request")["content"]["cellhold"]["allocations"]
    assert held == []


def test_help_goes_to_the_pager_and_load_to_the_next_cell(kernel, tmp_path):
    reply, messages = kernel.execute("len?")
    (page,) = reply["payload"]
    assert (page["source"], page["start"]) == ("page", 0) and "len" in page["data"]["text/plain"]
    assert kinds(messages) == ["execute_input"]
    script = tmp_path / "script.py"
    script.write_text("x = 1\n")
    reply, _ = kernel.execute(f"%load {script}")
    (loaded,) = reply["payload"]
    assert loaded["source"] == "set_next_input" and "x = 1" in loaded["text"] and loaded["replace"] is True


def test_displays_can_be_replaced_and_cleared(kernel):
    _, messages = kernel.execute("handle = display('one', display_id=True)\nhandle.update('two')")
    first, second = messages[1:]
    assert (first["msg_type"], second["msg_type"]) == ("display_data", "update_display_data")
    name = first["content"]["transient"]["display_id"]
    assert name and second["content"]["transient"] == {"display_id": name}
    assert second["content"]["data"]["text/plain"] == "'two'"
    _, messages = kernel.execute("from IPython.display import clear_output\nprint('x')\nclear_output(wait=True)")
    assert kinds(messages) == ["execute_input", "stream", "clear_output"]
    assert messages[-1]["content"] == {"wait": True}


def test_the_reply_carries_the_cells_account(kernel):
    request = kernel.client.execute("import dpnp\na = dpnp.ones(2**20)")
    account = kernel.reply(request)["metadata"]["cellhold"]
    assert account["kept"] == 8 * 2**20, account


BOMBS = [
    "10**10**10",
    "[0] * 10**12",
    "import dpnp; dpnp.zeros(10**15)",
    "eval('(' * 100_000 + ')' * 100_000)",
    "'x' * 10**12",
    "(lambda f: f(f))(lambda f: f(f))",
    "x = []\nfor i in range(100_000): x = [x]\nrepr(x)",
]


@pytest.mark.parametrize("bomb", BOMBS)
def test_bombs_end_in_an_error_and_the_session_lives(kernel, bomb):
    kernel.execute("kept = 7")
    reply, _ = kernel.execute(bomb)
    assert reply["status"] == "error"
    assert result_of(kernel.execute("kept")[1]) == "7"
