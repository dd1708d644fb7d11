import dataclasses
from dataclasses import asdict, astuple, dataclass, field, fields, replace
from enum import Enum, Flag, IntEnum, auto, unique
from typing import Any, Dict, List, NamedTuple, Optional, Union
import abc
import copy


def attempt(f, *a, **k):
    try:
        print(repr(f(*a, **k)))
    except Exception as e:
        print(type(e).__name__, e)


@dataclass
class Point:
    x: int
    y: int = 0
    tags: List[str] = field(default_factory=list)

    def norm(self):
        return (self.x ** 2 + self.y ** 2) ** 0.5


p = Point(3, 4)
print(p, p.norm(), p == Point(3, 4), p != Point(1), Point(1, tags=["a"]), p.tags is not Point(1).tags)
print(asdict(Point(1, 2, ["t"])), astuple(p), [f.name for f in fields(p)], replace(p, x=10), dataclasses.is_dataclass(p))
attempt(Point)
attempt(Point, 1, 2, 3, 4)
attempt(Point, 1, z=2)
attempt(hash, p)


@dataclass(frozen=True, order=True)
class Key:
    a: int
    b: str = "b"


k = Key(1)
print(k, hash(k) == hash(Key(1)), Key(1) < Key(2), sorted([Key(3), Key(1, "z"), Key(1, "a")]), {k: 1}[Key(1)])
attempt(setattr, k, "a", 5)
attempt(delattr, k, "a")


@dataclass
class Base:
    name: str
    kind: str = field(default="base", repr=False)
    size: int = field(init=False, default=7)


@dataclass
class Derived(Base):
    extra: Optional[int] = None
    total: int = field(init=False)

    def __post_init__(self):
        self.total = len(self.name)


print(Derived("abc", extra=5), Derived("q").total, Derived.__mro__[1].__name__, Base("n"))


@dataclass(kw_only=True)
class Options:
    a: int
    b: int = 2


print(Options(a=1))
attempt(Options, 1)


def bad():
    @dataclass
    class Bad:
        a: int = 0
        b: int


def mutable():
    @dataclass
    class Bad:
        a: list = []


attempt(bad)
attempt(mutable)
match p:
    case Point(x, y):
        print("match", x, y)


class Color(Enum):
    RED = 1
    GREEN = 2
    BLUE = 3
    CRIMSON = 1

    def lower(self):
        return self.name.lower()


print(Color.RED, repr(Color.GREEN), Color.RED.name, Color.RED.value, Color(2), Color["BLUE"], Color.CRIMSON is Color.RED, Color.RED.lower())
print(list(Color), len(Color), [c.value for c in Color], Color.RED in Color, Color.RED == Color.RED, Color.RED == 1, {Color.RED: "r"}[Color.RED], Color.__members__["CRIMSON"])
print(isinstance(Color.RED, Color), type(Color.RED) is Color, f"{Color.RED}", str(Color.BLUE), hash(Color.RED) == hash(Color.CRIMSON), Color)
attempt(Color, 9)
attempt(lambda: Color["NOPE"])
attempt(setattr, Color.RED, "value", 5)


class Auto(Enum):
    A = auto()
    B = auto()
    C = "c"


print(list(Auto), Auto.B.value, copy.deepcopy(Auto.A) is Auto.A)


class Level(IntEnum):
    LOW = 1
    HIGH = 10


print(Level.LOW < Level.HIGH, Level.HIGH + 1, repr(Level.LOW), str(Level.LOW), Level(10), sorted([Level.HIGH, Level.LOW]), f"{Level.LOW}", int(Level.HIGH), Level.LOW == 1, [10, 20][Level.LOW])


class Perm(Flag):
    R = auto()
    W = auto()
    X = auto()
    RW = R | W


print(Perm.R | Perm.W, Perm.RW, (Perm.R | Perm.X).value, Perm.R in Perm.RW, Perm.RW & Perm.W, bool(Perm.R & Perm.W), ~Perm.R, list(Perm.RW), Perm(3))


class Planet(Enum):
    EARTH = (5.97e24, 6.37e6)
    MARS = (6.4e23, 3.39e6)

    def __init__(self, mass, radius):
        self.mass = mass
        self.radius = radius

    @property
    def ratio(self):
        return round(self.mass / self.radius)


print(Planet.EARTH.ratio, Planet.MARS.mass, Planet((5.97e24, 6.37e6)), Planet.EARTH.value)
Animal = Enum("Animal", "CAT DOG")
print(list(Animal), Animal.CAT)


def duplicate():
    @unique
    class Twice(Enum):
        A = 1
        B = 1


attempt(duplicate)


class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self):
        ...

    @property
    @abc.abstractmethod
    def name(self):
        ...


class Square(Shape):
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side ** 2

    name = "square"


attempt(Shape)
print(Square(3).area(), isinstance(Square(1), Shape), issubclass(Square, Shape))


class Half(Shape):
    def area(self):
        return 1


attempt(Half)


def annotated(a: Dict[str, int], b: Optional[List[int]] = None, *c: Any) -> Union[int, str]:
    return 1


print(annotated.__annotations__, Optional[int], Union[int, None, str], List[int], Dict[str, List[int]], Any)
print(copy.copy([1, [2]]), copy.deepcopy({"a": [1, (2, [3])]}))
original = [[1, 2], {"k": Point(1)}]
clone = copy.deepcopy(original)
clone[1]["k"].tags.append("new")
print(original, clone, clone[0] is not original[0])
cycle = [1]
cycle.append(cycle)
c2 = copy.deepcopy(cycle)
print(c2[1] is c2, c2 is not cycle)
