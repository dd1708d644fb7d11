def t(f, *a, **k):
    try:
        print(repr(f(*a, **k)))
    except Exception as e:
        print(type(e).__name__, e)


t(min, [])
t(min)
t(max, 1)
t(min, 1, 2, default=3)
t(min, 1, 2, foo=1)
t(max, [1, 2], key=lambda x: -x)
t(max, [], default=7)
t(min, "hello")
t(max, 3, 1.5, 7)
t(min, [1, "a"])
t(max, ["aa", "b"], key=len)
t(min, [(1, "b"), (1, "a")])
t(len, 5)
t(iter, 5)
t(next, 5)
t(next, iter([]))
t(next, iter([]), 3)
t(iter, 5, 5)
print(list(iter(iter([1, 2, 3, 0, 5]).__next__, 0)))
t(reversed, 5)
t(reversed, {1})
t(list, reversed((1, 2)))
t(list, reversed("ab"))
t(list, reversed(range(3)))
t(list, reversed({1: 2, 3: 4}))
t(enumerate, 5)
t(list, enumerate("ab", 5))
t(list, enumerate(["x"], start=10**30))
t(zip, 5)
t(list, zip())
t(list, zip([1, 2, 3], "ab"))
t(list, zip([1], [2, 3], strict=True))
t(list, zip([1, 2], [2], strict=True))
t(list, zip([1], [2], [3, 4], strict=True))
t(list, zip([1, 2], [2, 3], [3], strict=True))
t(map, 5)
t(list, map(1, [1]))
t(list, map(lambda a, b: a + b, [1, 2], [10, 20, 30]))
t(list, map(str.upper, ["a", "b"]))
t(filter, None)
t(list, filter(None, [0, 1, "", "a", None, []]))
t(list, filter(lambda x: x > 1, [1, 2, 3]))
t(sorted, 5)
t(sorted, [1, "a"])
t(sorted, [3, 1], reverse="a")
t(sorted, [3, 1], reverse=True)
t(hash, [])
t(hash, (1, []))
t(callable, 5)
t(callable, len)
t(callable, int)
t(all, 5)
t(all, [])
t(all, [1, 0])
t(any, [])
t(any, [0, 3])
t(isinstance, 1, 1)
t(isinstance, 1, int)
t(isinstance, True, (str, int))
t(issubclass, bool, int)
t(issubclass, 1, int)
t(getattr, 1, "x")
t(getattr, 1, "x", 5)
t(getattr, 1, 5)
t(getattr, 1)
print(getattr("a", "upper")())
t(hasattr, 1, "real")
t(hasattr, 1, 2)
t(setattr, 1, "x", 2)
t(format, 1, 2)
t(format, 3.14159, ".2f")
t(format, "x")
t(repr)
t(repr, 1, 2)
t(print, 1, sep=2)
t(print, 1, end=2)
t(print, 1, foo=2)
print(1, 2, sep="-", end="!\n")
print()
print("a", end="")
print("", "b", sep="|")
print(*[1, 2, 3], sep="\n")
t(open, "/nonexistent/file")
t(eval, 5)
t(eval, "1 + 2")
t(eval, " 3 * x", {"x": 4})
t(compile, "1", "a", "b")
t(eval, compile("2 ** 10", "f", "eval"))
t(dir, 1, 2)
t(vars, 1)
t(id)
t(ascii, "é")
t(abs)
t(chr)
t(len)
t(len, 1, 2)
t(sum)
t(divmod, 1)
t(pow, 1)
t(bin)
g = {"y": 5}
exec("z = y + 1\ndef f(): return y * 2", g)
print(g["z"], g["f"]())
exec("module_level = 42")
print(module_level, eval("module_level + 1"), "module_level" in globals(), globals()["module_level"])


def scope(a, b=2):
    c = 3
    return locals(), eval("a + b + c"), sorted(locals()), "a" in dir()


print(scope(1))
globals()["made"] = 7
print(made, len([n for n in dir() if n == "made"]), isinstance(globals(), dict), vars() is not None)


class C:
    x = 1

    def __init__(self):
        self.y = 2


print(vars(C()), "y" in dir(C()), "x" in dir(C), getattr(C(), "y"), hasattr(C, "zz"), callable(C()), vars(C)["x"])
print(id(C) == id(C), id([]) != id(()), type(id(1)), isinstance(hash("a"), int))
it = iter("abc")
print(next(it), next(it), next(it), next(it, "end"), type(iter([])), type(iter({})), type(iter(())), type(iter("")), type(iter(range(1))), type(iter(set())), type(iter(b"")), type(zip()), type(map(int, [])), type(enumerate([])))


class Seq:
    def __getitem__(self, i):
        if i > 2:
            raise IndexError
        return i * 10

    def __len__(self):
        return 3


print(list(Seq()), 20 in Seq(), list(reversed(Seq())), list(zip(Seq(), Seq())), sum(Seq()), max(Seq()), tuple(Seq()), sorted(Seq(), reverse=True))


class Count:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        return self.n


print(list(Count(3)), sum(Count(4)), max(Count(5)), [*Count(2)], 1 in Count(3), list(enumerate(Count(2))), list(map(str, Count(2))), dict(zip("ab", Count(2))), sorted(Count(4)), set(Count(3)), "".join(map(str, Count(3))), bytes(Count(3)), any(Count(1)), all(Count(2)))


def gen():
    yield from range(3)


print(list(gen()), sum(gen()), sorted(gen(), reverse=True), list(zip(gen(), gen())), max(gen()), tuple(gen()), set(gen()), dict(enumerate(gen())), [x for x in gen()], len(list(gen())))
for bomb in (lambda: [0] * 10**15, lambda: "a" * 10**18, lambda: bytes(10**17), lambda: (0,) * 10**18, lambda: 1 << 10**16, lambda: "%1000000000000000d" % 1, lambda: f"{1:1000000000000000}", lambda: "x".center(10**17), lambda: "a".ljust(10**17), lambda: [1, 2] * 2**62, lambda: "a" * 2**64, lambda: b"a" * 10**18, lambda: "x".zfill(10**17)):
    try:
        bomb()
        print("no error")
    except (MemoryError, OverflowError) as e:
        print(type(e).__name__)

# Wrappers take attributes of their own.
import functools


def plain():
    """Says something."""
    return 1


for wrapper in [staticmethod(plain), classmethod(plain), functools.partial(plain), functools.lru_cache(plain)]:
    wrapper.note = [1]
    wrapper.note.append(2)
    print(type(wrapper).__name__, wrapper.note, "note" in vars(wrapper), "note" in dir(wrapper))
    del wrapper.note
    try:
        wrapper.note
    except AttributeError as error:
        print(str(error).endswith("has no attribute 'note'"))
    try:
        del wrapper.note
    except AttributeError as error:
        print(type(error).__name__)
