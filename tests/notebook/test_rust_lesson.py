"""The lesson on Rust ownership runs from top to bottom and judges guesses; the other lessons need no helper and are tested without Python."""

import json
import pathlib

import nbformat
import pytest
from nbclient import NotebookClient

import rust_support  # noqa: F401  (the helper has to be there)

LESSON = pathlib.Path(__file__).parents[2] / "lessons" / "11-rust-ownership.ipynb"


def guessed(field):
    """The lesson with guesses: those that each question calls its answer, or a wrong one."""
    notebook = nbformat.read(LESSON, as_version=4)
    for cell in notebook.cells:
        if "guess" in cell.metadata.get("tags", []):
            cell.source = f"guess = {json.loads(cell.metadata['cellhold'][field])}"
    return notebook


def said(notebook):
    """What each check of a guess printed."""
    texts = []
    for cell in notebook.cells:
        if cell.cell_type == "code" and cell.source.startswith("guess = check("):
            texts.append("".join(output.get("text", "") for output in cell.outputs))
    return texts


@pytest.mark.parametrize("field, begins", [("answer", "Right: "), ("wrong", "Not quite: ")])
def test_the_lesson_runs_and_judges_guesses(field, begins):
    notebook = guessed(field)
    # A cell that raises without being marked so ends the run.
    NotebookClient(notebook, kernel_name="cellhold", timeout=600).execute()
    judged = said(notebook)
    assert len(judged) == 5
    assert all(text.startswith(begins) for text in judged), judged
    errors = ["".join(output.get("traceback", [])) for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert any("borrow of moved value" in text or "cannot find value" in text for text in errors), errors
    assert any("ReleasedArrayError" in text and "%free rust: e" in text for text in errors), errors
