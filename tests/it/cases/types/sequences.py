def t(f, *a, **k):
    try:
        print(repr(f(*a, **k)))
    except Exception as e:
        print(type(e).__name__, e)


# list
a = [3, 1, 2]
a.append(4)
a.extend("xy")
a.insert(1, "i")
a.insert(-100, "first")
a.insert(100, "last")
print(a, len(a), a.index(2), a.count(1), a[-1], a[1:3], a[::-2], a[5:2], a[-3:])
print(a.pop(), a.pop(0), a.pop(-2), a)
a.remove("i")
t(a.remove, "zzz")
t(a.pop, 100)
t([].pop)
t(a.index, "zzz")
t(a.index, 3, 1)
t(lambda: a[100])
t(lambda: a["x"])
t(lambda: a[1.5])
t(lambda: a.__setitem__(100, 1))
t(lambda: a + (1,))
t(lambda: a * "x")
t(lambda: a * 1.5)
t(lambda: [1] < ["a"])
t(lambda: [1] < 5)
t(a.extend, 5)
t(a.insert, "x", 1)
t(a.append)
t(a.append, 1, 2)
t(a.sort, 5)
t(a.sort, key=5)
t([3, "a", 1].sort)
b = [1, 2, 3, 4, 5, 6]
b[1:3] = [20, 30, 40]
print(b)
b[::2] = "abcd"
print(b)
t(lambda: b.__setitem__(slice(None, None, 2), [1]))
t(lambda: b.__setitem__(slice(0, 1), 5))
b[2:2] = (7, 8)
b[5:2] = ["in"]
print(b)
del b[0], b[1:3], b[::3]
print(b)
del b[:]
print(b)
c = [1, 2]
c += (3,)
c += "ab"
c *= 2
print(c, c == [1, 2, 3, "a", "b"] * 2, [1, 2] < [1, 3], [1] < [1, 0], [] < [1], [2] > [1, 9], [1, 2] != [1, 2])
c.reverse()
print(c, c.copy() is c, c.copy() == c)
c.clear()
print(c, list(), list("ab"), list(range(3)), list({1: 2}), [[]] * 2, [1] * 0, [0] * 3, 3 * [1])
words = ["banana", "Apple", "cherry", "apple", "Banana"]
print(sorted(words), sorted(words, key=str.lower), sorted(words, key=len, reverse=True), sorted([3, 1.5, True, -2]), sorted({"b": 1, "a": 2}))
pairs = [(2, "b"), (1, "b"), (2, "a"), (1, "a")]
pairs.sort(key=lambda p: p[0])
print(pairs, sorted(pairs), sorted(pairs, reverse=True), sorted(pairs, key=lambda p: p[1], reverse=True))
big = [(i * 7919) % 1000 for i in range(1000)]
print(sorted(big) == list(range(1000)), sorted(big, reverse=True)[:5], sorted(big, key=lambda v: -v)[:5], sorted(map(str, big))[:5], sorted(map(float, big))[:3])


class K:
    def __init__(self, v):
        self.v = v

    def __lt__(self, other):
        return self.v < other.v

    def __repr__(self):
        return f"K{self.v}"

    def __eq__(self, other):
        return isinstance(other, K) and self.v == other.v


print(sorted([K(i * 37 % 50) for i in range(50)])[:10], min([K(3), K(1)]), K(1) in [K(2), K(1)], [K(1), K(2)].index(K(2)), [K(1)] == [K(1)])
d = [3, 1, 2]


def evil(x):
    d.append(5)
    return x


t(lambda: d.sort(key=evil))
print(d)
r = [1]
r.append(r)
print(r, (r,), {"r": r})
print([1, 2, 3] == [1, 2, 3], [1, [2, [3]]] == [1, [2, [3]]], [nan := float("nan")] == [nan])
x = [1, 2, 3]
for i in x:
    if i < 3:
        x.append(i + 10)
print(x)
it = iter([1, 2, 3])
print(next(it), list(it), list(it), it.__length_hint__(), type(iter([])), type(reversed([1])), list(reversed([1, 2, 3])))
t(hash, [])
print([1, 2, 3].__len__(), [1].__contains__(1), [1].__add__([2]), [4, 5].__getitem__(1), hasattr([], "__iter__"), list[int], list[int, str])


class L(list):
    def total(self):
        return sum(self)


m = L([1, 2, 3])
m.append(4)
print(m, type(m), m.total(), m[0], m[1:], type(m[1:]), len(m), 2 in m, m + [5], type(m + [5]), m == [1, 2, 3, 4], sorted(m), isinstance(m, list), bool(L()), repr(L("ab")))
m[0] = 9
m.x = 5
for v in m:
    print(v, end=" ")
print(m.x)

# tuple
p = (1, 2, 3, 2)
print(p, p[0], p[-1], p[1:], p[::-1], p.index(2), p.count(2), p + (4,), p * 2, (), (1,), tuple("ab"), tuple([1, 2]), len(p), 2 in p, 9 in p)
t(p.index, 9)
t(lambda: p[9])
t(lambda: p["a"])
t(lambda: p.__setitem__)
t(lambda: p + [1])
t(lambda: hash((1, [])))
print((1, 2) < (1, 3), (1,) < (1, 2), (1, "a") == (1, "a"), hash((1, 2, 3)), hash(()), {(1, 2): "x"}[1, 2], (1, 2) != (1, 2), max((1, 5), (2, 0)))
e = (1, (2, (3, [4])))
print(e, tuple(), tuple(tuple((1,))), type(p), p.__len__())


def assign():
    p[0] = 1


t(assign)


class T(tuple):
    def __new__(cls, *a):
        return super().__new__(cls, a)


q = T(1, 2)
print(q, type(q), q[0], len(q), q == (1, 2), hash(q) == hash((1, 2)), q + (3,), list(q))

# range
for r in [range(5), range(2, 10, 3), range(10, 0, -3), range(0), range(5, 5), range(-5, 5, 4), range(10**20, 10**20 + 3), range(0, 10**25, 10**24)]:
    print(r, len(r), list(r), r[0] if r else None, r[-1] if r else None, r[1:], r[::-1], list(reversed(r)), 4 in r, r.start, r.stop, r.step, bool(r))
print(range(3) == range(0, 3, 1), range(0, 3, 2) == range(0, 4, 2), range(0) == range(2, 1), hash(range(3)) == hash(range(0, 3)), range(10).index(5), range(10).count(5), 5.0 in range(10), 5.5 in range(10), "a" in range(3))
t(range, 1, 2, 0)
t(range, 1.5)
t(range)
t(range, 1, 2, 3, 4)
t(lambda: range(3)[3])
t(lambda: range(3)["a"])
t(range(3).index, 7)
t(lambda: len(range(10**30)))
print(sum(range(10**6)), max(range(5)), sorted(range(3), reverse=True), range(10)[2:8:2], range(10)[-3:][0])

# slice
s = slice(1, 10, 2)
print(s, s.start, s.stop, s.step, s.indices(5), slice(3), slice(None, None, -1).indices(4), s == slice(1, 10, 2), slice(1, 2) < slice(1, 3))
t(slice)
t(hash, s)
t(s.indices, -1)
t(slice(1, 2, 0).indices, 5)
