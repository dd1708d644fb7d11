# Counters, chains and the containers to derive from: operations between them, in place and with what is none of them.
from collections import ChainMap, Counter, OrderedDict, UserDict, UserList, namedtuple


def attempt(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__, e)


a, b = Counter(x=3, y=1, z=-2), Counter({"x": 1, "w": 5, "z": 1})
for result in (a + b, b + a, a - b, b - a, a | b, a & b, +a, -a, a.copy()):
    print(type(result).__name__, list(result.items()))
print(a == b, a != b, a <= b, a < b, a >= a, a > a, Counter(x=0) == Counter(), Counter(x=1) < Counter(x=1, y=1), Counter(x=2) > Counter(x=1))
print(a == {"x": 3}, a != {"x": 3}, Counter(x=1) == 1)
attempt(lambda: a < {"x": 1})
attempt(lambda: a + {"x": 1})
attempt(lambda: Counter.fromkeys("ab"))
c = Counter("aab")
same = c
c += Counter("bc")
c -= Counter("a")
c |= Counter(d=4)
c &= Counter(a=9, b=1, d=9)
print(c, same is c)
c.subtract("aab", a=1)
c.subtract({"d": 10})
c.subtract()
c.update(None, q=2)
c.update(iter("qq"))
c.update({"q": 1})
c.update(Counter(q=1))
print(c, sorted(c.elements()), c.total(), c["none"], "none" in c, c.most_common(1), c.most_common(0), c.most_common(-1))
del c["q"], c["never there"]
print(c, Counter({"a": 1.5, "b": "text"}), Counter(ChainMap({"k": 2})), Counter(UserDict(k=3)))
attempt(lambda: Counter(5))
attempt(lambda: Counter(["a", []]))


class Tally(Counter):
    def __missing__(self, key):
        return 10


print(Tally(a=1), type(Tally(a=1).copy()).__name__, Tally()["x"], type(Tally(a=1) + Tally(a=2)).__name__)

o = OrderedDict(a=1, b=2)
print(o | {"c": 3, "a": 0}, {"z": 0} | o, o == OrderedDict(b=2, a=1), o != OrderedDict(a=1, b=2), o == {"b": 2, "a": 1}, o == 5, o != 5)
o |= {"d": 4}
o.move_to_end("a", last=False)
o.move_to_end("b")
print(o, list(reversed(o)), o.popitem(False), o.popitem(), o)
attempt(lambda: o.move_to_end("nope"))


class Ordered(OrderedDict):
    pass


print(Ordered(a=1), Ordered.fromkeys("ab"), Ordered(a=1).copy(), Ordered(a=1) | {"b": 2}, Ordered())

chain = ChainMap({"a": 1}, {"b": 2, "a": 0}, {"c": 3})
print(list(chain), list(chain.keys()), list(chain.values()), list(chain.items()), len(chain), bool(chain), bool(ChainMap()), ChainMap())
print(chain.get("c"), chain.get("d"), chain.get("d", 4), chain == {"a": 1, "b": 2, "c": 3}, chain != {"a": 1})
print(chain.new_child(), chain.new_child({"x": 1}, y=2), chain.new_child(z=3).maps[0], chain.parents, ChainMap.fromkeys("ab", 0))
chain["b"] = 20
chain.setdefault("c", 30)
chain.setdefault("d", 40)
chain.update({"e": 5}, f=6)
copied = chain.copy()
del chain["b"]
print(chain, chain.pop("e"), chain.pop("e", None), chain.pop("nope", "default"), copied.maps[0], copied.maps[1] is chain.maps[1])
attempt(lambda: chain["nope"])
attempt(lambda: chain.pop("c"))
attempt(lambda: chain.__delitem__("c"))
chain.clear()
attempt(lambda: chain.popitem())


class Lower(UserDict):
    def __setitem__(self, key, value):
        super().__setitem__(key.lower(), value)


low = Lower({"A": 1}, B=2)
low.update({"C": 3}, D=4)
low.update([("E", 5)])
print(low, len(low), list(low), "a" in low, "A" in low, low.get("A"), low.get("a"), low.pop("a"), low.pop("a", None), low.setdefault("f", 6), sorted(low.items()))
print(low == {"b": 2}, low == Lower(low), type(low.copy()).__name__, list(low.keys()), list(low.values()))
attempt(lambda: low["nope"])
attempt(lambda: low.pop("nope"))


class Zero(UserDict):
    def __missing__(self, key):
        return 0


print(Zero()["x"], Zero().get("x"), Zero(), UserDict(None))

u = UserList([3, 1, 2])
u.append(0)
u.insert(1, 9)
u.extend(UserList([7]))
u += [8]
print(u, u[0], u[1:3], type(u[1:3]).__name__, u + [1], [1] + u, u * 2, 2 * u, 9 in u, u.index(9), u.count(1), list(reversed(u)))
u.sort(reverse=True)
del u[0]
u[0] = "first"
u.remove(0)
print(u, u.pop(), u.pop(0), u == [3, 2, 1], u == UserList([7]), UserList([1]) < [2], UserList([1]) >= UserList([2]), len(u), u.copy() is u, bool(UserList()))
u.reverse()
u.clear()
print(u)
attempt(lambda: u[0])
attempt(lambda: UserList([1]).remove(5))

attempt(lambda: namedtuple("N", "a b", rename=True)(1, 2))
attempt(lambda: namedtuple("N", "a class _b a 1", rename=True)(*range(5)))
attempt(lambda: namedtuple("N", ["a", "b"], defaults=[1, 2, 3]))
attempt(lambda: namedtuple("N", "a, b", defaults=(2,), module="here")(1))
attempt(lambda: namedtuple("1N", "a"))
attempt(lambda: namedtuple("N", ["a-b"]))
attempt(lambda: namedtuple("N", "")())
attempt(lambda: namedtuple("N", "a b")._make([1]))
