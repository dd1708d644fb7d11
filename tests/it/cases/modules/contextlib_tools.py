import contextlib
import io
import sys
from contextlib import ExitStack, closing, contextmanager, nullcontext, redirect_stderr, redirect_stdout, suppress


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


@contextmanager
def tag(name):
    """A tag."""
    print("<", name)
    try:
        yield name.upper()
    except KeyError as e:
        print("swallowed", e)
    finally:
        print("/", name)


with tag("a") as t:
    print(t)
with tag("b"):
    {}["missing"]


def failing():
    with tag("c"):
        raise ValueError("out")


attempt(failing)
print(tag.__name__, tag.__doc__)


@tag("deco")
def f():
    return "in f"


print(f(), f())


@contextmanager
def never():
    if False:
        yield


@contextmanager
def twice():
    yield 1
    yield 2


def use(cm):
    with cm:
        pass


attempt(lambda: use(never()))
attempt(lambda: use(twice()))


class Thing:
    def close(self):
        print("closed")


with closing(Thing()) as thing:
    print(type(thing).__name__)
with suppress(ZeroDivisionError, KeyError):
    1 / 0
attempt(lambda: use(nullcontext()))
with nullcontext(5) as n:
    print(n)
out = io.StringIO()
with redirect_stdout(out):
    print("hidden")
    print("two", end="")
    sys.stdout.write("three")
print(repr(out.getvalue()))
err = io.StringIO()
with redirect_stderr(err):
    print("e", file=sys.stderr)
print(repr(err.getvalue()))
with ExitStack() as stack:
    stack.enter_context(tag("s1"))
    stack.enter_context(tag("s2"))
    stack.callback(print, "callback", end="!\n")
    stack.push(lambda *exc: print("pushed", exc[0]))
with ExitStack() as stack:
    stack.enter_context(tag("k"))
    stack.enter_context(suppress(ValueError))
    raise ValueError("gone")


def reraise():
    with ExitStack() as stack:
        stack.callback(lambda: print("cleanup"))
        raise TypeError("kept")


attempt(reraise)


class Managed(contextlib.AbstractContextManager):
    def __exit__(self, *exc):
        print("exit", exc[0])


with Managed() as m:
    print(isinstance(m, contextlib.AbstractContextManager), isinstance(Thing(), contextlib.AbstractContextManager))
attempt(lambda: use(5))
