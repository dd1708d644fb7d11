"""Runs examples and prints what each printed or raised, one line of JSON an example. Runs under Python and `cellhold run`.

Its argument is a file with one JSON object a line: an example's name and its blocks, each a list of statements, each a
pair of its text and whether it is an expression whose value is shown.
"""

import contextlib
import io
import json
import sys

import dpctl
import dpctl.memory
import dpctl.utils
import dpnp
import dpnp.tensor
import numpy

# Names that the examples take for granted.
GIVEN = {
    "np": dpnp, "dp": dpnp, "dpnp": dpnp, "dpctl": dpctl, "numpy": numpy, "inp": numpy, "dpt": dpnp.tensor,
    "tensor": dpnp.tensor, "dpm": dpctl.memory, "dpctl_mem": dpctl.memory, "inf": dpnp.inf, "array": dpnp.array,
    "MemoryUSMShared": dpctl.memory.MemoryUSMShared,
}


def outcome(block, names):
    """What a block printed, and the class and text of what it raised or None."""
    text = io.StringIO()
    try:
        with contextlib.redirect_stdout(text):
            for source, is_expression in block:
                if is_expression:
                    value = eval(source, names)
                    if value is not None:
                        print(repr(value))
                else:
                    exec(source, names)
    except BaseException as problem:
        return text.getvalue().rstrip("\n"), [type(problem).__name__, str(problem)]
    return text.getvalue().rstrip("\n"), None


def main():
    with open(sys.argv[1]) as lines:
        for line in lines:
            example = json.loads(line)
            print("begin", json.dumps(example["name"]), flush=True)
            dpnp.random.seed(12345)
            numpy.random.seed(12345)
            names = dict(GIVEN)
            names["__name__"] = "__main__"
            print("end", json.dumps([outcome(block, names) for block in example["blocks"]]), flush=True)


main()
