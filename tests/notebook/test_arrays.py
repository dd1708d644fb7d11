"""Random calls of array functions answer as NumPy and dpnp do: dtypes, shapes, values, classes of errors."""

import importlib.util

import fuzz_arrays
import pytest
from conftest import BINARY

# Enough to meet every kind of call several times; `fuzz_arrays.py --calls` runs more. dpnp builds programs at first calls.
CALLS = {"numpy": 2500, "dpnp": 250}


@pytest.mark.parametrize("library", CALLS)
def test_random_calls_answer_as_the_library_does(library):
    if importlib.util.find_spec(library) is None:
        pytest.skip(f"{library} is not installed here")
    found = fuzz_arrays.differences(library, CALLS[library], 20, BINARY)
    shown = "\n\n".join(f"{text}\n  {library}: {want}\n  here: {given}" for text, want, given in found[:10])
    assert not found, f"{len(found)} of {CALLS[library]} differ\n\n{shown}"
