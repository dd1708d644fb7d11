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


# A question that was not answered yet. Each check sets it back, so that no guess is taken for another question's.
guess = None

# What was guessed, by the explanation that followed: a check that runs again judges the same guess.
_guesses = {}

_UNITS = ("mib", "mb", "m", "bytes", "byte", "b")


def expect(measured, expected):
    """Fails, and says what to do, when the program did not do what the lesson says."""
    if not _agrees(measured, expected):
        raise AssertionError(f"{_shown(measured)} was measured where this lesson has {_shown(expected)}. A cell ran twice or was left "
                             "out: restart, and run the cells in order, each once.")


def check(guess, measured, because, expected):
    """Compares a guess with what was measured; `expected` is what the lesson says, so that a lesson never lies.

    Answers None, for `guess = check(guess, ...)`: the next question has no guess yet."""
    expect(measured, expected)
    if guess is None:
        guess = _guesses.get(because)
    if guess is None:
        print("No guess yet. Put one in place of None in the cell with the question, run that cell, then this one again.")
        return
    _guesses[because] = guess
    if isinstance(expected, (int, float)):
        number = _number(guess)
        right = isinstance(number, (int, float)) and abs(number - expected) < 0.1
    else:
        right = _word(guess) == str(expected).lower()
    if right:
        print(f"Right: {_shown(expected)}.")
    else:
        print(f"Not quite: you said {_shown(guess)}, it is {_shown(expected)}.")
    print(because)


def _agrees(measured, expected):
    if isinstance(expected, tuple):
        return len(measured) == len(expected) and all(map(_agrees, measured, expected))
    if isinstance(expected, (int, float)):
        return abs(measured - expected) < 0.01
    return measured == expected


def _number(guess):
    """A guess as a number where it is one, also as text and with its unit: `'8 MiB'`."""
    if not isinstance(guess, str):
        return guess
    text = guess.strip().lower()
    for unit in _UNITS:
        if text.endswith(unit):
            text = text.removesuffix(unit)
            break
    try:
        return float(text)
    except ValueError:
        return guess


def _word(guess):
    """A guess as a word: True and False are yes and no."""
    if isinstance(guess, bool):
        return "yes" if guess else "no"
    return str(guess).strip().lower()


def _shown(value):
    if isinstance(value, tuple):
        return f"({', '.join(map(_shown, value))})"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, float):
        return f"{value:.3g}"
    return str(value)
