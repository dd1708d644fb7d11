"""Completion, inspection, completeness and history: what a front end asks while its user types."""

import os

import pytest

from support import Kernel, result_of

COMPLETE = [
    "", "1", "x = 1", "a; b", "if x: y", "def f(): pass", "def f():\n    return 1\n", "x = [1,\n2]", "'''a\nb'''",
    "# comment", "%mem", "%%mem\nx = 1\n", "f(\n1)", "class A: pass", "for i in x:\n    pass\n\n", "lambda: 0", "len?",
    "try:\n    a\nexcept E:\n    b\n", "x = '𝛑'", "a = 1\\\n+ 2",
]
INCOMPLETE = {
    "if x:": "    ", "def f():": "    ", "def f():\n    return 1": None, "for i in x:\n    if i:": "        ",
    "x = [1,": None, "f(": None, "'''abc": None, "a = 1 + \\": None, "class A:": "    ", "try:\n    a": "    ",
    "while True:\n": "    ", "with a as b:": "    ", "@decorator": None,
}
INVALID = ["1 +* 2", ")", "x = = 1", "def 1(): pass", "'abc\n'", "return = 2", "a b"]


@pytest.mark.parametrize("code", COMPLETE)
def test_complete(shared, code):
    assert shared.ask("is_complete_request", code=code) == {"status": "complete"}


@pytest.mark.parametrize("code", INCOMPLETE)
def test_incomplete(shared, code):
    answer = shared.ask("is_complete_request", code=code)
    assert answer["status"] == "incomplete"
    if INCOMPLETE[code] is not None:
        assert answer["indent"] == INCOMPLETE[code]


@pytest.mark.parametrize("code", INVALID)
def test_invalid(shared, code):
    assert shared.ask("is_complete_request", code=code)["status"] == "invalid"


@pytest.mark.parametrize("before", ["", "'𝛑'; ", "'é'; ", "a = 1\r\n", "# 한글\n"], ids=ascii)
def test_positions_count_code_points(shared, before):
    shared.execute("alpha_one = 1; alpha_two = 2.5")
    code = before + "alpha_"
    answer = shared.ask("complete_request", code=code + " + 1", cursor_pos=len(code))
    assert answer["matches"] == ["alpha_one", "alpha_two"]
    assert (answer["cursor_start"], answer["cursor_end"]) == (len(before), len(code))
    types = answer["metadata"]["_jupyter_types_experimental"]
    assert [entry["text"] for entry in types] == answer["matches"]
    assert {(entry["start"], entry["end"]) for entry in types} == {(len(before), len(code))}
    assert all(entry["type"] for entry in types)
    found = shared.ask("inspect_request", code=before + "alpha_two", cursor_pos=len(code), detail_level=0)
    assert found["found"] and "2.5" in found["data"]["text/plain"]


@pytest.mark.parametrize("position", [0, 1, 10**6])
@pytest.mark.parametrize("code", ["", "x", "𝛑", "import ", "a.b.c.", "'unfinished", "%me", "\n\n", "e\u0301"], ids=ascii)
def test_any_place_can_be_asked_about(shared, code, position):
    answer = shared.ask("complete_request", code=code, cursor_pos=position)
    assert answer["status"] == "ok"
    assert len(answer["matches"]) == len(answer["metadata"]["_jupyter_types_experimental"])
    assert 0 <= answer["cursor_start"] <= answer["cursor_end"] <= len(code)
    assert shared.ask("inspect_request", code=code, cursor_pos=position, detail_level=1)["status"] == "ok"


def test_what_completes(shared):
    shared.execute("import math, dpnp\narr = dpnp.ones(3)\nwords = {'k': 1}\ndef fun(a, b=2): pass")
    for code, expected in [("math.sq", "sqrt"), ("arr.resh", "reshape"), ("words.ke", "keys"), ("'a'.upp", "upper"),
                           ("prin", "print"), ("fu", "fun"), ("%fre", "free"), ("dpnp.linalg.no", "norm"),
                           ("from math import flo", "floor"), ("whi", "while")]:
        matches = shared.ask("complete_request", code=code, cursor_pos=len(code))["matches"]
        assert any(match.endswith(expected) for match in matches), (code, matches)


def test_inspection_of_arrays_launches_nothing_and_says_what_holds(shared):
    shared.execute("import dpnp\nheld = dpnp.ones((2, 3), dtype='float32')")
    text = shared.ask("inspect_request", code="held", cursor_pos=2, detail_level=0)["data"]["text/plain"]
    for fact in ("2 x 3", "float32", "native:cpu:0"):
        assert fact in text, text
    assert shared.ask("inspect_request", code="nowhere", cursor_pos=2, detail_level=0)["found"] is False


def test_history_spans_restarts_and_answers_every_question(tmp_path):
    env = {**os.environ, "CELLHOLD_HISTORY": str(tmp_path / "history.jsonl")}
    ask = lambda kernel, **content: kernel.ask("history_request", **{"output": False, "raw": True, **content})["history"]
    with Kernel(env=env) as first:
        for code in ("a = 1", "a + 1", "a + 1"):
            first.execute(code)
        assert ask(first, hist_access_type="range", session=0, start=1, stop=3) == [[1, 1, "a = 1"], [1, 2, "a + 1"]]
    with Kernel(env=env) as second:
        assert result_of(second.execute("5")[1]) == "5"
        second.execute("6", store_history=False)
        tail = ask(second, hist_access_type="tail", n=2, output=True)
        assert tail == [[1, 3, ["a + 1", "2"]], [2, 1, ["5", "5"]]]
        assert [entry[2] for entry in ask(second, hist_access_type="range", session=-1, start=2, stop=None)] == ["a + 1"] * 2
        assert len(ask(second, hist_access_type="search", pattern="a +*", n=10, unique=False)) == 2
        assert ask(second, hist_access_type="search", pattern="a*", n=10, unique=True) == [[1, 1, "a = 1"], [1, 3, "a + 1"]]
        assert ask(second, hist_access_type="search", pattern="nothing*", n=10, unique=True) == []
