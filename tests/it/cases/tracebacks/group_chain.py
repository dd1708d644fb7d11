# A group raised in the context of groups: what was printed is not printed again, except* adds its own frame.
def deep(n):
    if n == 0:
        raise ValueError("leaf")
    try:
        deep(n - 1)
    except Exception as error:
        raise ExceptionGroup(f"level {n}", [error, KeyError(n)])


def last():
    try:
        deep(3)
    except* KeyError:
        1 / 0


last()
