def t(f, *a, **k):
    try:
        print(repr(f(*a, **k)))
    except Exception as e:
        print(type(e).__name__, e)


d = {"a": 1, "b": 2}
d["c"] = 3
d[1] = "one"
d[1.0] = "float one"
d[True] = "true"
print(d, len(d), d["a"], d.get("zz"), d.get("zz", 5), "a" in d, "zz" in d, 1 in d, list(d), list(d.keys()), list(d.values()), list(d.items()))
t(lambda: d["zz"])
t(lambda: d[[]])
t(d.pop, "zz")
print(d.pop("zz", 9), d.pop("a"), d.popitem(), d.setdefault("n", []), d.setdefault("b", 5), d)
t({}.popitem)
t(lambda: d.__delitem__("zz"))
del d["b"]
d.update({"x": 1}, y=2)
d.update([("z", 3), ["w", 4]])
print(d, d | {"x": 100}, {**d, "q": 0}, dict(d, k=1), dict([(1, 2)]), dict(a=1), dict.fromkeys("ab"), dict.fromkeys([1, 2], 0), dict(zip("ab", [1, 2])))
t(dict, 5)
t(dict, [1])
t(dict, [(1,)])
t(dict, ["abc"])
t(dict, 1, 2)
t(lambda: {} | [])
t(lambda: {} < {})
t(lambda: {}.update(5))
t(hash, {})
d |= {"x": -1}
d |= [("m", 1)]
print(d, d == dict(d), d != {}, {"a": 1, "b": 2} == {"b": 2, "a": 1}, {1: [2]} == {1: [2]}, {1: 2} == {1: 3})
k, v, i = d.keys(), d.values(), d.items()
print(k, v, i, len(k), "x" in k, -1 in v, ("x", -1) in i, ("x", 5) in i, k & {"x", "q"}, k - {"x"} == set(d) - {"x"}, sorted(map(str, k | {"q"})), k == set(d), k.isdisjoint(["q"]), k <= set(d))
d["new"] = 1
print(len(k), list(reversed(d)), list(reversed(d.items()))[:2], type(k), type(v), type(i))
e = {i: i for i in range(5)}


def grow():
    for key in e:
        e[key + 100] = 1


t(grow)


def shrink():
    for key in list(e):
        del e[key]


shrink()
print(e, not e)
f = {"r": None}
f["r"] = f
print(f)
for n in range(100):
    e[n] = n
for n in range(0, 100, 2):
    del e[n]
print(len(e), list(e)[:5], sum(e.values()), e.copy() == e, 51 in e, 50 in e)
e.clear()
print(e, {}.keys(), {}.values(), {}.items(), dict[str, int])


class D(dict):
    def __missing__(self, key):
        return key * 2


m = D(a=1)
print(m["a"], m["b"], m.get("b"), m, type(m), len(m), "a" in m, m == {"a": 1}, dict(m), {**m}, isinstance(m, dict))
m["z"] = 3
print(m, sorted(m), m.copy(), m | {"q": 1})


class Key:
    def __init__(self, v):
        self.v = v

    def __hash__(self):
        return 7

    def __eq__(self, other):
        return self.v == other.v

    def __repr__(self):
        return f"Key({self.v})"


g = {Key(1): "a", Key(2): "b"}
g[Key(1)] = "c"
print(g, g[Key(2)], Key(3) in g, g.pop(Key(1)), g, {Key(1), Key(1), Key(2)} == {Key(2), Key(1)})
print({1: "a"}.__getitem__(1), {}.__len__(), {1: 2}.__contains__(1), {1: 2}.__eq__({1: 2}), {1: 2}.items() == {(1, 2)}, {"a": 1}.items() | {("b", 2)} == {("a", 1), ("b", 2)})
print({k: v for k, v in sorted({"b": 1, "a": 2}.items())}, {None: 1, (): 2, "": 3, 0: 4, 0.0: 5, False: 6})
t(lambda: {[]: 1})
t(lambda: {{}: 1})

# sets
s = {3, 1, 2}
s.add(5)
s.add(1)
print(s, len(s), 3 in s, 9 in s, s | {9}, s & {1, 5, 7}, s - {1}, s ^ {1, 100}, {1, 2} <= {1, 2, 3}, {1, 2} < {1, 2}, {1, 2} >= {1}, {1} == {1.0}, {1} != {2})
s.discard(100)
s.remove(5)
t(s.remove, 100)
t(s.remove, [])
t(s.add, [])
t(set().pop)
t(lambda: {1} | [1])
t(lambda: {1} < [1])
t(lambda: {1} + {2})
t(hash, set())
t(set, 5)
print(set(), frozenset(), frozenset({1}), frozenset([2, 1, 2]), set("aaa"), set([1, 2]), {x % 3 for x in range(10)}, set(range(10)), set(range(0, 100, 7)))
print(s.union([7], (8,)), s.intersection([1, 2], {2}), s.difference([1]), s.symmetric_difference([1, 50]), s.isdisjoint([9]), s.issubset(range(10)), s.issuperset([1]), s.copy() == s)
s.update([4], (5,))
s.intersection_update([1, 2, 4, 5, 9])
s.difference_update([1])
s.symmetric_difference_update([2, 77])
print(s)
s |= {1}
s &= {1, 4, 77}
s -= {4}
s ^= {1, 2}
print(s, s.pop() in (2, 77), len(s))
s.clear()
print(s, frozenset([1, 2]) == {1, 2}, {frozenset([1]): "f"}[frozenset([1])], frozenset([1]) | {2}, {2} | frozenset([1]), hash(frozenset([1, 2])) == hash(frozenset([2, 1])), hash(frozenset([1, 2, 3])))
print({frozenset([1])} == {frozenset([1])}, {1} in {frozenset([1])}, {100, 50, 75, 25, 0, 200, 150}, {-1, -2, 3}, {2.5, 1.5, 1}, {(1, 2), (0, 1)} == {(0, 1), (1, 2)}, sorted({"b", "a"}))


def change():
    q = {1, 2, 3}
    for x in q:
        q.add(x + 10)


t(change)


class MySet(set):
    pass


z = MySet([1, 2])
z.add(3)
print(z, type(z), len(z), z | {9}, isinstance(z, set), z == {1, 2, 3}, set[int], MySet())
print({10, 20, 30, 40, 50}, {1, 2, 3} | {40, 50, 60}, {1000, 1, 17, 33}, {5, 3, 8} & {3, 5, 9}, {99, 3, 51} - {3}, {1, 9, 17, 25, 33, 41})
n = set()
for x in [64, 32, 96, 8, 40, 72, 1, 0]:
    n.add(x)
print(n, n | {5}, n & {0, 1, 8, 32}, n ^ {64, 7}, list(n), n.copy(), frozenset(n), set(list(n)), {x * 11 % 97 for x in range(20)})
n.discard(32)
n.add(128)
print(n, sorted(n), n.pop() in range(200), len(n), {(2, 1), (1, 2), (0, 0)}, {1.5, 2.5, 3.0, 10**20}, {-1, -2, -3, 0})
