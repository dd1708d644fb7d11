"""Values of literals. There are no syntax trees as objects here."""

import _literals


def literal_eval(node_or_string):
    """The value of a text that is a literal: numbers, texts, bytes, tuples, lists, dicts, sets, booleans, None."""
    if not isinstance(node_or_string, str):
        raise ValueError(f"malformed node or string: {node_or_string!r}")
    return _literals.value(node_or_string)


def __getattr__(name):
    raise AttributeError(f"module 'ast' has no attribute {name!r}: there are no syntax trees as objects here, only "
                         "ast.literal_eval(text)")
