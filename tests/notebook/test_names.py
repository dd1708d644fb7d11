"""Every recorded name of dpnp, dpctl and NumPy is here, or the error says why it is not and what to write instead.

`documentation/names.py` records the names from the real libraries; `documentation/refused.txt` lists those that are refused.
"""

import json
import os
import pathlib
import subprocess

import pytest
from conftest import BINARY

FOLDER = pathlib.Path(__file__).parent / "documentation"

@pytest.fixture(scope="module")
def missing():
    """What is not there: owner, name, class of the error and message."""
    asked = subprocess.run(
        [BINARY, "run", "names.py", "ask"],
        cwd=FOLDER, capture_output=True, text=True, timeout=300, env=dict(os.environ, CELLHOLD_BACKENDS="native"),
    )
    assert asked.returncode == 0, asked.stderr
    return [json.loads(line) for line in asked.stdout.splitlines()]


def test_no_name_is_missing_without_a_remedy(missing):
    bare = [
        f"{owner} {name}: {kind}: {message}"
        for owner, name, kind, message in missing
        if kind != "AttributeError" or message.endswith(f"has no attribute '{name}'")
    ]
    assert not bare, "\n".join(bare)


def test_what_is_refused_is_listed(missing):
    found = {}
    for owner, name, _, _ in missing:
        found.setdefault(owner, set()).add(name)
    listed = {}
    for line in (FOLDER / "refused.txt").read_text().splitlines():
        owner, *names = line.split(" ")
        listed[owner] = set(names)
    assert found == listed
