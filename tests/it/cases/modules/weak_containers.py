# Dictionaries and sets that keep nothing alive, and functions called at an object's end.
import weakref


class Thing:
    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f"Thing({self.name})"


one, two, three = Thing(1), Thing(2), Thing(3)
values = weakref.WeakValueDictionary(one=one, two=two)
values["three"] = three
print(sorted(values), len(values), values["two"], "two" in values, values.get("none", 5))
print(sorted(values.keys()), [v.name for v in values.values()], [(k, v.name) for k, v in values.items()])
del two
print(sorted(values), len(values), "two" in values, values.get("two"))
try:
    values["two"]
except KeyError as problem:
    print("KeyError", problem)
values["one"] = three
del one
print(sorted(values), values["one"] is values["three"], values.pop("one"), values.setdefault("new", three), len(values))
print(values.pop("absent", "default"), type(values.copy()), len(values.copy()), len(values.valuerefs()))
values.clear()
print(len(values), dict(values))

keys = weakref.WeakKeyDictionary()
a, b = Thing("a"), Thing("b")
keys[a], keys[b] = "first", "second"
print(len(keys), keys[a], b in keys, 5 in keys, sorted(keys.values()), sorted(k.name for k in keys))
keys[a] = "changed"
print(keys.get(a), keys.get(three), keys.setdefault(three, "third"), len(keys.keyrefs()))
del a
print(len(keys), sorted(keys.values()))
print(keys.pop(b), len(keys), keys.copy()[three])
try:
    keys[b]
except KeyError:
    print("KeyError")
try:
    keys["text"] = 1
except TypeError as problem:
    print(problem)

things = weakref.WeakSet([b, three])
c = Thing("c")
things.add(c)
things.add(c)
print(len(things), c in things, 7 in things, sorted(str(t) for t in things))
del c
print(len(things), sorted(t.name for t in things | weakref.WeakSet([b]) if t is b))
things.discard(b)
print(len(things), b in things, things == weakref.WeakSet([three]))
things.remove(three)
try:
    things.remove(three)
except KeyError:
    print("KeyError")
try:
    things.pop()
except KeyError as problem:
    print(problem)


def ended(*args, **options):
    print("ended", args, options)
    return "result"


t = Thing("t")
f = weakref.finalize(t, ended, 1, 2, key=3)
print(f.alive, f.peek()[0] is t, f.peek()[2:], f.atexit)
del t
print(f.alive, f.peek(), f())
u = Thing("u")
g = weakref.finalize(u, ended, "early")
print(g(), g.alive, g())
del u
w = Thing("w")
h = weakref.finalize(w, ended, "never")
print(h.detach()[2:], h.alive)
del w


class Cache:
    """Objects that are shared as long as someone has them."""

    _known = weakref.WeakValueDictionary()

    def __new__(cls, key):
        found = cls._known.get(key)
        if found is None:
            found = super().__new__(cls)
            cls._known[key] = found
        return found


x = Cache("k")
print(Cache("k") is x, len(Cache._known))
del x
print(len(Cache._known))
last = Thing("last")
weakref.finalize(last, ended, "at the end")
print("end of the file")
