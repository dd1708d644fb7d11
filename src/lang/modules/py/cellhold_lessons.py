"""What the lessons use: how much is held, and whether a guess was right."""

import cellhold

MIB = 2**20


def held(device=None):
    """MiB that arrays of this session hold on a device now, the default one when none is named."""
    cellhold.synchronize()
    return cellhold.memory_reading(device)[2] / MIB


def pooled(device=None):
    """MiB of freed memory that the pool keeps for reuse."""
    return cellhold.memory_reading(device)[3] / MIB


def device_free(device=None):
    """MiB that the device says are free."""
    return cellhold.memory_reading(device)[0] / MIB


def account():
    """What the running cell has done with memory so far."""
    return cellhold.cell_account()


def check(guess, measured, because, expected):
    """Compares a guess with what was measured; `expected` is what the lesson says, so that a lesson never lies."""
    if isinstance(expected, (int, float)):
        agrees = abs(measured - expected) < 0.01
    else:
        agrees = measured == expected
    if not agrees:
        raise AssertionError(f"this lesson expects {_shown(expected)} here and found {_shown(measured)}: "
                             "run its cells in order, once, in a fresh session")
    if guess is None:
        print("No guess yet. Put one in place of None in the cell with the question, run that cell, then this one again.")
        return
    if isinstance(expected, (int, float)):
        guess = _number(guess)
    if isinstance(expected, (int, float)) and isinstance(guess, (int, float)):
        right = abs(guess - expected) < 0.1
    else:
        right = str(guess).strip().lower() == str(expected).lower()
    if right:
        print(f"Right: {_shown(expected)}.")
    else:
        print(f"Not quite: you said {_shown(guess)}, it is {_shown(expected)}.")
    print(because)


def _number(guess):
    """A guess as a number where it is one, also as text and with its unit: `'8 MiB'`."""
    try:
        return float(guess.strip().removesuffix("MiB")) if isinstance(guess, str) else guess
    except ValueError:
        return guess


def _shown(value):
    if isinstance(value, float) and value == int(value):
        return str(int(value))
    if isinstance(value, float):
        return f"{value:.3g}"
    return str(value)
