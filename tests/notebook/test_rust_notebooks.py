"""Both languages in one program, as people use them: notebooks through nbclient, the full screen and the line under tmux."""

import os
import pathlib
import subprocess
import time

from rust_support import HELPER, temporary
from conftest import BINARY, PATIENCE
from test_notebooks import run
from test_terminal import terminal  # noqa: F401  (a fixture)

# The terminal's home is a folder of its own; the compiler's is where it was.
COMMAND = f"env HOME={pathlib.Path.home()} CELLHOLD_RUST={HELPER} CELLHOLD_HISTORY=/dev/null {BINARY}"


def rust(text):
    return "%%rust\n" + text


def test_an_array_made_in_one_language_is_changed_and_freed_in_the_other():
    outputs = run(
        "import dpnp\na = dpnp.arange(6.0)",
        rust('let a = get("a");\nlet b = &a * 2.0 + 1.0;\nput("b", &b);\nb.to_vec::<f64>()'),
        "b[0] = 100.0; float(b.sum())",
        rust("b.to_vec::<f64>()[0]"),
        "%mem b",
        rust("drop(a); drop(b);"),
        "%mem b",
        "del a\n%free b",
        "%mem",
    )
    # Lines on what is waited for may stand before it.
    assert outputs[1].endswith("[1.0, 3.0, 5.0, 7.0, 9.0, 11.0]\n")
    assert outputs[2] == "135.0\n"
    assert outputs[3] == "100.0\n"
    assert "rust: b" in outputs[4]
    assert "rust: b" not in outputs[6]
    assert "rust:" not in outputs[8]


def test_errors_of_arrays_in_rust_are_errors_of_the_cell():
    outputs = run(
        rust("let kept = 1;"),
        rust('let n = get("nobody");'),
        rust("kept"),
        "x = 1",
        allow_errors=True,
    )
    assert outputs[1].startswith("RustError: error: panicked: NameError") and "nobody" in outputs[1]
    assert outputs[2] == "1\n"


def test_the_full_screen_evaluates_completes_and_interrupts_rust(terminal):  # noqa: F811
    screen = terminal(COMMAND, height=40)
    screen.wait("In [1]:")
    screen.type("%%rust")
    # tmux takes a semicolon at the end of what is typed for its own.
    screen.type('let word = String::from("rust"); ')
    screen.type("")
    screen.wait("In [2]:", without=["running"])
    screen.type("%%rust")
    screen.tmux("send-keys", "-l", "word.to_upperc")
    # The analyser may be too late with its first answer.
    until = time.monotonic() + PATIENCE
    while "word.to_uppercase" not in screen.screen():
        assert time.monotonic() < until, screen.screen()
        screen.keys("Tab")
        time.sleep(1)
    screen.type("")
    screen.type("")
    screen.wait('"RUST"', "In [3]:")
    screen.type("%%rust")
    screen.type('println!("{} turns", 6 * 7); loop {}')
    screen.type("")
    screen.wait("42 turns")
    screen.keys("C-c")
    # The line is folded within its last words.
    screen.wait("KeyboardInterrupt: while the Rust cell ran", "le word", "In [4]:")
    screen.type("1 + 1")
    screen.wait("Out[4]: 2")


def test_the_line_evaluates_rust_and_shows_its_errors(terminal):  # noqa: F811
    line = terminal(f"{COMMAND} repl", height=50)
    line.wait("In [1]:")
    line.type("%%rust")
    line.type("fn half(x: f64) -> f64 {")
    line.type("x / 2.0")
    line.type("}")
    line.type("half(3.0)")
    line.type("")
    line.wait("1.5", "In [2]:")
    line.type("%%rust")
    line.type('let n: i32 = "x"; ')
    line.type("")
    line.wait("error[E0308]: mismatched types", "--> cell 2:2:14", "In [3]:")
    line.type("exit")


def test_a_pipe_runs_rust(tmp_path):
    with temporary() as folder:
        environment = {**os.environ, "CELLHOLD_RUST": str(HELPER), "TMPDIR": folder}
        done = subprocess.run(
            [BINARY, "repl"], input="%%rust\nlet v = vec![1, 2];\n\n%%rust\nv.len()\n\nprint('end')\n",
            env=environment, capture_output=True, text=True, timeout=300,
        )
        assert (done.stdout, done.stderr, done.returncode) == ("2\nend\n", "", 0)
        assert os.listdir(folder) == []
