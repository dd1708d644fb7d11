"""Whole notebooks through nbclient, as a user's JupyterLab runs them, and through `cellhold run`."""

import pathlib
import signal
import subprocess

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from conftest import BINARY, PATIENCE


def notebook(*cells):
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    book.metadata.kernelspec = {"name": "cellhold", "display_name": "Cellhold", "language": "cellhold"}
    return book


def run(*cells, **options):
    """Runs cells in a fresh kernel; each cell's outputs as text."""
    book = notebook(*cells)
    NotebookClient(book, timeout=PATIENCE, kernel_name="cellhold", **options).execute()
    nbformat.validate(book)
    return ["".join(shown(output) for output in cell.outputs) for cell in book.cells]


def shown(output):
    if output.output_type == "stream":
        return output.text
    if output.output_type == "error":
        return f"{output.ename}: {output.evalue}\n"
    return output.data["text/plain"] + "\n"


def test_values_output_and_errors():
    outputs = run("x = 6\nprint('x is', x)", "x * 7", "1/0", "x", allow_errors=True)
    assert outputs == ["x is 6\n", "42\n", "ZeroDivisionError: division by zero\n", "6\n"]


def test_a_failing_notebook_stops_at_its_cell():
    with pytest.raises(CellExecutionError, match="ZeroDivisionError"):
        run("1/0", "print('never')")


def test_a_loop_with_out_allocates_nothing():
    outputs = run(
        "import dpnp\na = dpnp.ones(1000); b = dpnp.ones(1000); result = dpnp.empty(1000)",
        "%%mem\nfor _ in range(1000):\n    dpnp.add(a, b, out=result)",
        "float(result.sum())",
    )
    assert outputs[2] == "2000.0\n"
    assert "1000 allocations" not in outputs[1]


def test_chunks_from_files(tmp_path):
    outputs = run(
        f"import numpy, dpnp, gc\nfolder = {str(tmp_path)!r}\n"
        "for k in range(4): numpy.save(f'{folder}/part{k}.npy', numpy.arange(1000.0) + k)",
        "total = 0.0\nfor k in range(4):\n    x = dpnp.array(numpy.load(f'{folder}/part{k}.npy'))\n"
        "    total += float(dpnp.sum(x**2))\n    del x\n    gc.collect()\ntotal",
    )
    expected = sum((i + k) ** 2 for i in range(1000) for k in range(4))
    assert float(outputs[1]) == pytest.approx(expected, rel=1e-12)


def test_memory_is_found_and_let_go():
    outputs = run(
        "import dpnp\na = dpnp.ones((1000, 1000))",
        "a",
        "del a",
        "%mem",
        "%free Out[2]",
        "%mem",
    )
    assert "Out[2]" in outputs[2] or "Out[2]" in outputs[3]
    assert "7.63 MiB" in outputs[3] and "Out[2]" in outputs[3]
    assert "7.63 MiB" in outputs[4]
    assert "Out[2]" not in outputs[5]


def test_devices_are_listed_with_their_filter_strings():
    (listed,) = run("%devices")
    assert "native:cpu:0" in listed
    assert "opencl" in listed and "level_zero" in listed


def test_the_same_notebook_runs_from_the_command_line(tmp_path):
    file = tmp_path / "book.ipynb"
    nbformat.write(notebook("x = 6\nprint('x is', x)", "x * 7"), file)
    done = subprocess.run([BINARY, "run", file], capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout, done.stderr) == (0, "x is 6\n42\n", "")
    nbformat.write(notebook("1/0", "print('never')"), file)
    done = subprocess.run([BINARY, "run", file], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 1 and done.stdout == "" and "ZeroDivisionError: division by zero" in done.stderr


@pytest.mark.parametrize(
    "source, status, out, err",
    [
        ("print('hello')", 0, "hello\n", ""),
        ("import sys; sys.exit(3)", 3, "", ""),
        ("import sys; print(sys.argv[1:])", 0, "['a', '-b']\n", ""),
        ("print('out'); raise ValueError('boom')", 1, "out\n", "ValueError: boom"),
        ("x = (", 1, "", "SyntaxError"),
    ],
)
def test_scripts_leave_with_their_status(tmp_path, source, status, out, err):
    file = tmp_path / "script.py"
    file.write_text(source + "\n")
    done = subprocess.run([BINARY, "run", file, "a", "-b"], capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout) == (status, out)
    assert err in done.stderr if err else done.stderr == ""


def test_a_pipe_is_a_script():
    done = subprocess.run([BINARY, "run", "-"], input="print(2 + 3)", capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout) == (0, "5\n")


def test_a_script_is_interrupted_as_shells_expect(tmp_path):
    file = tmp_path / "loop.py"
    file.write_text("print('running', flush=True)\nwhile True: pass\n")
    with subprocess.Popen([BINARY, "run", file], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout.readline() == "running\n"
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130 and "KeyboardInterrupt" in err


def test_a_script_whose_reader_has_gone_ends_quietly(tmp_path):
    file = tmp_path / "many.py"
    file.write_text("while True: print('line')\n")
    with subprocess.Popen([BINARY, "run", file], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout.readline() == "line\n"
        running.stdout.close()
        err = running.stderr.read()
        running.wait(timeout=PATIENCE)
    assert (running.returncode, err) == (141, "")


LESSONS = sorted((pathlib.Path(__file__).parents[2] / "lessons").glob("*.ipynb"))
# The one with Rust cells needs their helper; test_rust_lesson.py runs it.
WITHOUT_RUST = [path for path in LESSONS if "rust" not in path.stem]


@pytest.mark.parametrize("path", WITHOUT_RUST, ids=lambda path: path.stem)
def test_a_lesson_runs_in_a_notebook_and_in_batch(path, tmp_path):
    book = nbformat.read(path, as_version=4)
    nbformat.validate(book)
    NotebookClient(book, timeout=PATIENCE, kernel_name="cellhold").execute()
    checks = [cell for cell in book.cells if "check(guess" in cell.source]
    assert checks and all("No guess yet" in cell.outputs[0].text for cell in checks)
    done = subprocess.run([BINARY, "run", path], capture_output=True, text=True, timeout=PATIENCE, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("No guess yet") == len(checks)


def test_the_lessons_come_with_the_program(tmp_path):
    said = subprocess.run([BINARY, "lessons", "copy", tmp_path], capture_output=True, text=True, timeout=PATIENCE)
    assert said.returncode == 0 and f"{len(LESSONS)} lessons" in said.stdout
    assert {path.name: path.read_text() for path in LESSONS} == {path.name: path.read_text() for path in tmp_path.iterdir()}
