"""Pickles of every protocol, read back: shared and cyclic objects, classes by name, the library's objects, what is refused."""

import collections
import datetime
import enum
import fractions
import io
import pathlib
import pickle
from dataclasses import dataclass
from typing import NamedTuple


class Plain:
    def __init__(self, x):
        self.x = x

    def method(self):
        return self.x


class Slotted:
    __slots__ = ("a", "b")


class Stateful:
    def __init__(self):
        self.kept, self.dropped = 1, lambda: 0

    def __getstate__(self):
        return {"kept": self.kept}

    def __setstate__(self, state):
        self.__dict__.update(state)
        self.dropped = "made again"


class Reduced:
    def __init__(self, n):
        self.n = n

    def __reduce__(self):
        return Reduced, (self.n + 1,)


class Stack(list):
    pass


class Table(dict):
    pass


class Name(str):
    pass


class Pair(NamedTuple):
    left: int
    right: str


class Colour(enum.Enum):
    RED = 1


class Outer:
    class Inner:
        pass


@dataclass
class Point:
    x: int
    y: list


class Failure(Exception):
    pass


shared = [1]
cyclic = [shared]
cyclic.append(cyclic)
slotted = Slotted()
slotted.a = 5
values = [
    None, True, False, 0, 1, 255, 256, 65535, 65536, -1, -128, -129, 2**31 - 1, 2**31, -(2**31), -(2**63), 10**30, -(10**30), 1 << 4000,
    0.5, float("inf"), -0.0, 1 + 2j, "", "text", "ü€😀", "x" * 300, b"", b"bytes", bytes(range(256)) * 2, bytearray(b"ab"), bytearray(),
    (), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), [], [1, [2, [3]]], {}, {"a": {"b": 1}}, set(), {3}, frozenset(), frozenset({(1, 2)}),
    range(1, 10, 3), slice(1, None, 2), ..., NotImplemented, len, int, ValueError, Plain, pathlib.PurePosixPath("/a/b"),
    [shared, shared], Stack([1, 2]), Table(a=1), Name("n"), Pair(1, "r"), Colour.RED, Point(1, [2]), list(range(2500)), dict.fromkeys(range(1500)),
    collections.OrderedDict(b=1, a=2), collections.defaultdict(list, {"k": [1]}), collections.Counter("abca"), collections.deque([1, 2], 5),
    datetime.date(2024, 2, 29), datetime.datetime(2024, 2, 29, 12, 30, 1, 999), datetime.timedelta(1, 2, 3), datetime.time(1, 2, 3),
    datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc), fractions.Fraction(3, 4), ValueError("a", 1).args,
]
for protocol in (2, 3, 4, 5, -1):
    for value in values:
        back = pickle.loads(pickle.dumps(value, protocol))
        assert type(back) is type(value), (protocol, value, back)
        assert back == value and repr(back) == repr(value), (protocol, value, back)
    a, b = pickle.loads(pickle.dumps([shared, shared], protocol))
    assert a is b
    back = pickle.loads(pickle.dumps(cyclic, protocol))
    assert back[1] is back and back[0] == [1]
    loop = Plain(None)
    loop.x = (loop,)
    back = pickle.loads(pickle.dumps(loop, protocol))
    assert back.x[0] is back and type(back) is Plain
    back = pickle.loads(pickle.dumps(slotted, protocol))
    assert back.a == 5 and not hasattr(back, "b")
    back = pickle.loads(pickle.dumps(Stateful(), protocol))
    assert vars(back) == {"kept": 1, "dropped": "made again"}
    assert pickle.loads(pickle.dumps(Reduced(1), protocol)).n == 2
    assert pickle.loads(pickle.dumps(Plain(7).method, protocol))() == 7
    if protocol != 2 and protocol != 3:
        assert pickle.loads(pickle.dumps(Outer.Inner, protocol)) is Outer.Inner
    error = Failure("why", 5)
    error.note = "n"
    back = pickle.loads(pickle.dumps(error, protocol))
    assert type(back) is Failure and back.args == ("why", 5) and back.note == "n"
print(len(values))

file = io.BytesIO()
pickle.dump({"first": 1}, file)
pickle.dump([2], file, protocol=2)
file.seek(0)
print(pickle.load(file), pickle.load(file))
try:
    pickle.load(file)
except EOFError as error:
    print(type(error).__name__, error)

# What CPython wrote.
print(pickle.loads(b"\x80\x04\x95\x1b\x00\x00\x00\x00\x00\x00\x00}\x94(\x8c\x01a\x94K\x01\x8c\x01b\x94]\x94(K\x02G?\xf8\x00\x00\x00\x00\x00\x00eu."))
print(pickle.loads(b"\x80\x04\x95*\x00\x00\x00\x00\x00\x00\x00\x8c\x08datetime\x94\x8c\x08datetime\x94\x93\x94C\n\x07\xe8\x02\x1d\x0c\x1e\x01\x00\x03\xe7\x94\x85\x94R\x94."))
print(pickle.loads(b"\x80\x02c__builtin__\nset\nq\x00]q\x01(K\x01K\x02e\x85q\x02Rq\x03."))

for refused in (lambda: 0, (i for i in ()), Plain(lambda: 0), print.__class__):
    try:
        pickle.dumps(refused)
        print("written")
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        print(type(error).__name__)
for data in (b"", b"\x80\x04K", b"\x80\x04.", b"\x80\x09N.", b"\xff", b"\x80\x04h\x05.", b"\x80\x04\x8c\x06nowhere\x8c\x01x\x93."):
    try:
        print(pickle.loads(data))
    except (pickle.UnpicklingError, EOFError, ValueError, ImportError) as error:
        print(type(error).__name__)


class Kept(pickle.Pickler):
    def persistent_id(self, obj):
        return "shared" if obj is shared else None


class Found(pickle.Unpickler):
    def persistent_load(self, pid):
        return shared if pid == "shared" else None

    def find_class(self, module, name):
        if name == "Plain":
            return Reduced
        return super().find_class(module, name)


file = io.BytesIO()
Kept(file).dump([shared, Plain])
file.seek(0)
back = Found(file).load()
print(back[0] is shared, back[1].__name__)
