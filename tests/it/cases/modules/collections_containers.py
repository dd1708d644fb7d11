import collections
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque, namedtuple
import collections.abc as abc


def attempt(f, *a, **k):
    try:
        print(repr(f(*a, **k)))
    except Exception as e:
        print(type(e).__name__, e)


d = deque([1, 2, 3], maxlen=4)
d.append(4)
d.append(5)
d.appendleft(0)
print(d, len(d), d[0], d[-1], d.maxlen, 3 in d, list(d), list(reversed(d)), bool(deque()))
d.rotate(1)
print(d, d.pop(), d.popleft(), d)
d.extend([7, 8, 9])
d.extendleft("ab")
print(d, d.count(7), d.index(7), d.copy(), d == deque(["b", "a", 2, 7]))
d.remove("a")
d.insert(1, "x")
d[0] = "first"
del d[1]
d.reverse()
print(d, deque("ab") + deque("c"), deque("ab") * 2, deque([1, 2]) < deque([1, 3]))
attempt(deque().pop)
attempt(deque().popleft)
attempt(deque([1]).remove, 5)
attempt(deque([1]).index, 5)
attempt(lambda: deque([1])[3])
attempt(deque, 5)
attempt(deque, [1], -1)
attempt(lambda: [d.append(1) for x in d])
loop = deque([1])
loop.append(loop)
print(loop)


class Stack(deque):
    def top(self):
        return self[-1]


s = Stack([1, 2])
s.append(9)
print(s.top(), s, len(s), [x for x in s])

dd = defaultdict(list)
for k, v in [("a", 1), ("b", 2), ("a", 3)]:
    dd[k].append(v)
print(dd, dict(dd), dd["zzz"], len(dd), dd.get("nope"), "nope" in dd, dd.default_factory)
n = defaultdict(int, {"x": 1}, y=2)
n["x"] += 5
n["w"] += 1
print(n, n.copy(), sorted(n.items()), isinstance(n, dict))
attempt(lambda: defaultdict()["missing"])
attempt(defaultdict, 5)
nested = defaultdict(lambda: defaultdict(int))
nested["a"]["b"] += 1
print(nested["a"]["b"], list(nested))

c = Counter("mississippi")
print(c, c.most_common(2), c["s"], c["zz"], sum(c.values()), c.total(), sorted(c.elements())[:4])
c.update("sss")
c.subtract({"i": 10})
print(c, c + Counter("ab"), c - Counter("s"), c & Counter("pps"), c | Counter("z"), +c)
print(Counter(a=3, b=1) == Counter("aaab"), Counter(a=1) <= Counter(a=2), Counter(), Counter([1, 1, 2]))
del c["nothing"]

od = OrderedDict([("a", 1), ("b", 2), ("c", 3)])
od.move_to_end("a")
print(od, od.popitem(), od.popitem(last=False), od)
od["z"] = 0
od.move_to_end("z", last=False)
print(list(od), od == {"b": 2, "z": 0} if False else list(od.items()), OrderedDict(a=1, b=2) == OrderedDict(b=2, a=1), OrderedDict(a=1) == {"a": 1})
attempt(OrderedDict().popitem)
print(OrderedDict(), reversed(od) is not None, OrderedDict.fromkeys("ab", 0))

Point = namedtuple("Point", "x y")
p = Point(1, y=2)
print(p, p.x, p[1], p._asdict(), p._replace(x=5), Point._fields, Point._make([3, 4]), p == (1, 2), len(p), tuple(p), hash(p) == hash((1, 2)))
x, y = p
print(x, y, isinstance(p, tuple), Point.__name__, Point.__doc__, p + (3,))
attempt(Point, 1)
attempt(Point)
attempt(Point, 1, 2, 3)
attempt(Point, 1, z=2)
attempt(Point, 1, x=2)
attempt(namedtuple, "Bad", "a a")
attempt(namedtuple, "Bad", "class")
attempt(namedtuple, "Bad", "_a")
attempt(lambda: setattr(p, "x", 5))
attempt(lambda: p._replace(q=1))
P3 = namedtuple("P3", ["a", "b", "c"], defaults=[0, 1])
print(P3(5), P3._field_defaults, P3(1, 2, 3))


class Named(namedtuple("Base", "a b")):
    def total(self):
        return self.a + self.b


print(Named(1, 2), Named(3, 4).total())
match p:
    case Point(x=1, y=z):
        print("matched", z)

cm = ChainMap({"a": 1}, {"a": 2, "b": 3})
cm["c"] = 9
print(cm["a"], cm["b"], dict(cm), len(cm), cm, "b" in cm, cm.parents, cm.new_child({"z": 1})["z"], sorted(cm))
attempt(lambda: cm["nope"])

for value in ([], (), {}, set(), "s", b"b", 5, iter([]), range(3), (x for x in []), len, deque(), Counter()):
    print(type(value).__name__, [name for name in ("Iterable", "Iterator", "Sized", "Container", "Collection", "Sequence", "MutableSequence",
          "Mapping", "MutableMapping", "Set", "MutableSet", "Hashable", "Callable", "Generator", "Reversible") if isinstance(value, getattr(abc, name))])


class Vector(abc.Sequence):
    def __init__(self, items):
        self.items = items

    def __getitem__(self, i):
        return self.items[i]

    def __len__(self):
        return len(self.items)


v = Vector([3, 1, 2])
print(list(v), 1 in v, v.index(2), v.count(3), list(reversed(v)), isinstance(v, abc.Sequence), issubclass(Vector, abc.Sized), isinstance([], Vector))


class Store(abc.MutableMapping):
    def __init__(self):
        self.d = {}

    def __getitem__(self, k):
        return self.d[k]

    def __setitem__(self, k, v):
        self.d[k] = v

    def __delitem__(self, k):
        del self.d[k]

    def __iter__(self):
        return iter(self.d)

    def __len__(self):
        return len(self.d)


st = Store()
st.update(a=1, b=2)
print(st.pop("a"), st.get("q"), list(st.items()), "b" in st, st.setdefault("c", 3), len(st))
