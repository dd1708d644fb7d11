# Where items belong in sequences that are in order, and what is said of wrong bounds.
import bisect
from contextlib import ExitStack, chdir, contextmanager, redirect_stdout
import io
import os
import textwrap


def attempt(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__, e, "| context:", repr(e.__context__))


places = [1, 2, 2, 2, 5]
print([bisect.bisect_left(places, x) for x in range(7)], [bisect.bisect_right(places, x) for x in range(7)])
print(bisect.bisect(places, 2), bisect.bisect_left(places, 2, 2), bisect.bisect_left(places, 5, 0, 3), bisect.bisect(places, 9, hi=None))
print(bisect.bisect_left([9, 5, 1], -5, key=lambda x: -x), bisect.bisect("aabbc", "b"), bisect.bisect_left((1.5, 2.5), 2))
attempt(lambda: bisect.bisect(places, 1, -1))
attempt(lambda: bisect.bisect(places, 9, 0, 10))
attempt(lambda: bisect.bisect(places, 9, 0, -1))
attempt(lambda: bisect.bisect_left(places, "a"))
attempt(lambda: bisect.bisect_left(5, 5))
attempt(lambda: bisect.bisect_left(places, 1, 1.5))


class Ordered:
    def __init__(self, rank, name):
        self.rank, self.name = rank, name

    def __lt__(self, other):
        return self.rank < other.rank

    def __repr__(self):
        return self.name


items = []
for rank, name in [(2, "b"), (1, "a"), (2, "c"), (1, "d")]:
    bisect.insort(items, Ordered(rank, name))
bisect.insort_left(items, Ordered(2, "first of twos"))
print(items)
words = ["kiwi", "apple"]
bisect.insort(words, "fig", key=len)
bisect.insort_left(words, "pear", key=len)
print(words)


# Stacks of endings: what each hears, and what comes out.
@contextmanager
def heard(name, swallow=False, instead=None):
    try:
        yield name
    except Exception as e:
        print(name, "heard", repr(e))
        if instead is not None:
            raise instead
        if not swallow:
            raise
    else:
        print(name, "heard nothing")


def stacked(*managers, failure=None):
    with ExitStack() as stack:
        for manager in managers:
            stack.enter_context(manager)
        if failure is not None:
            raise failure
    return "went on"


attempt(lambda: stacked(heard("a"), heard("b")))
attempt(lambda: stacked(heard("a"), heard("b", swallow=True), failure=ValueError("v")))
attempt(lambda: stacked(heard("a"), heard("b", instead=KeyError("k")), failure=ValueError("v")))
attempt(lambda: stacked(heard("a", swallow=True), heard("b", instead=KeyError("k")), failure=ValueError("v")))
attempt(lambda: stacked(heard("a", instead=TypeError("t"))))
attempt(lambda: stacked(heard("a"), failure=StopIteration("s")))
stack = ExitStack()
stack.callback(print, "one", sep="")
stack.callback(print, "two")
kept = stack.pop_all()
stack.close()
print("closed the empty one")
kept.close()
kept.close()


class OnlyEnd:
    def __exit__(self, *raised):
        print("end", raised[0])
        return True


with ExitStack() as stack:
    print(type(stack.push(OnlyEnd())).__name__)
    raise KeyError("ended")
try:
    ExitStack().enter_context(OnlyEnd())
except TypeError as e:
    print(e)

outer, inner = io.StringIO(), io.StringIO()
again = redirect_stdout(outer)
with again as target:
    print("a")
    with redirect_stdout(inner), again:
        print("b")
    print("c")
print(repr(outer.getvalue()), repr(inner.getvalue()), target is outer)
here = os.getcwd()
with chdir("/") as entered:
    print(os.getcwd(), entered)
print(os.getcwd() == here)

# Lines of a width.
text = "A well-known  text,\twith self-explanatory words and incomprehensibilities"
for options in [{}, {"break_long_words": False}, {"drop_whitespace": False}, {"break_on_hyphens": False}, {"initial_indent": "* ", "subsequent_indent": "  "}]:
    print(textwrap.wrap(text, 12, **options))
for lines in (1, 2, 9):
    print(textwrap.wrap(text, 20, max_lines=lines, placeholder=" ..."))
attempt(lambda: textwrap.wrap("a", -1))
attempt(lambda: textwrap.wrap("a", 3, max_lines=1))
print(repr(textwrap.dedent("    a\n  \n      b\n\t\n    c\n")), repr(textwrap.dedent("\ta\n  b")))
print(repr(textwrap.indent("a\n\n b\n", "| ")), repr(textwrap.indent("a\n\nb", "| ", lambda line: True)))
print(textwrap.shorten("  hello   brave new world ", 16), textwrap.shorten("hello", 16), textwrap.fill("", 5) == "", textwrap.wrap(""))
