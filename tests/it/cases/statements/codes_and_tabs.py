"""What code says of itself, the one mapping of a module's names, tabs that mean different things, receivers of the wrong class."""

import math


def measured(a, b=2, *rest, key, **others):
    def inner():
        return a

    total = len(rest) + math.pi
    label = "text"
    others.setdefault(label, inner)
    return total


code = measured.__code__
print(code.co_names, code.co_cellvars, code.co_freevars, code.co_varnames[:5], code.co_argcount, code.co_kwonlyargcount)
print([c for c in code.co_consts if not hasattr(c, "co_code")][:2], [c.co_name for c in code.co_consts if hasattr(c, "co_name")])
print(measured.__globals__ is globals(), locals() is globals(), vars() is globals())
globals()["made"] = 5
print(made, measured.__globals__["made"])

for text in (
    "if 1:\n\tx=1\n        y=2\n",
    "if 1:\n        x=1\n\ty=2\n",
    "if 1:\n        if 2:\n\t\tx=1\n\ty=2\n",
    "if 1:\n    x=1\n\ty=2\n",
    "if 1:\n\tx = (\n  1)\n\ty=2\n",
    "if 1:\n\tx='''\n        '''\n        y=2\n",
    "x=1\n\ty=2\n",
    "if 1:\n\tx=1\n   y=2\n",
):
    try:
        compile(text, "text", "exec")
        print("fine")
    except IndentationError as error:
        print(type(error).__name__, error.msg, error.lineno)

for call in (
    lambda: str.upper(5),
    lambda: str.join(5, 6),
    lambda: list.append(5, 6),
    lambda: dict.get([], 1),
    lambda: int.bit_length(1.5),
    lambda: bytes.hex("text"),
):
    try:
        call()
    except TypeError as error:
        print(error)
