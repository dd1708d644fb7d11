# Weak references: what they know, when they are empty, what is called then.
import gc
import weakref


def attempt(call):
    try:
        print(call())
    except Exception as problem:
        print(type(problem).__name__, problem)


class Node:
    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f"Node({self.name})"

    def greet(self):
        return f"hello from {self.name}"


a = Node("a")
r = weakref.ref(a)
print(r() is a, type(r), weakref.ref(a) is r, r.__callback__, a.__weakref__ is r)
print(weakref.getweakrefcount(a), weakref.getweakrefs(a) == [r], repr(r).startswith("<weakref at 0x"), "to 'Node' at" in repr(r))
print(hash(r) == hash(a), r == weakref.ref(a), r != 3)
alias = a
del a
print(r())
del alias
print(r(), repr(r).endswith("; dead>"), r == r, isinstance(hash(r), int))
for value in (1, "text", [], {}, (), None, 1.5, b"", ValueError("x")):
    attempt(lambda: weakref.ref(value))
attempt(lambda: hash(weakref.ref(Node("brief"))))
attempt(lambda: weakref.ref())


class Slotted:
    __slots__ = ("x",)


class SlottedToo:
    __slots__ = ("x", "__weakref__")


attempt(lambda: weakref.ref(Slotted()))
s = SlottedToo()
print(weakref.ref(s)() is s)


def function():
    pass


print(weakref.ref(function)() is function, weakref.ref(Node)() is Node, weakref.ref(len)() is len, weakref.ref({1, 2}.copy())())
print("(function)" in repr(weakref.ref(function)))


class Values(list):
    pass


v = Values([1, 2])
print(weakref.ref(v)())

# Callbacks: once, the youngest first, not at all when the reference went before.
log = []
b = Node("b")
first = weakref.ref(b, lambda ref: log.append(("first", ref is first, ref())))
second = weakref.ref(b, lambda ref: log.append(("second", ref is second)))
third = weakref.ref(b, lambda ref: log.append("third"))
print(first is second, weakref.getweakrefcount(b), callable(first.__callback__))
del third
del b
print(log, first.__callback__)

# Cycles: the reference is empty when the collector has found them.
c, d = Node("c"), Node("d")
c.other, d.other = d, c
rc = weakref.ref(c, lambda ref: log.append("cycle"))
del c, d
print(rc() is None)
gc.collect()
print(rc(), log[-1])

# One inside its own cycle calls nobody.
e = Node("e")
e.ref = weakref.ref(e, lambda ref: log.append("own"))
e.me = e
del e
gc.collect()
print(log[-1])

# With a finalizer, which may still reach the object.


class Ending:
    def __del__(self):
        print("__del__", keep() is self)


x = Ending()
keep = weakref.ref(x, lambda ref: print("callback", ref()))
del x
print(keep())

# Proxies.
f = Node("f")
p = weakref.proxy(f)
print(p.name, p.greet(), isinstance(p, Node), type(p), weakref.proxy(function) is not function)
p.name = "changed"
print(f.name, p, bool(p))
numbers = Values([3, 1, 2])
pn = weakref.proxy(numbers)
print(len(pn), pn[0], sorted(pn), 2 in pn, pn == [3, 1, 2], pn + [4])
print(type(weakref.proxy(Node.greet)), weakref.proxy(Node.greet)(f))
del f
attempt(lambda: p.name)
attempt(lambda: str(p))
gone = Node("gone")
told = weakref.proxy(gone, lambda proxy: print("proxy told"))
del gone

# Bound methods live as long as their object when they are known by WeakMethod.
g = Node("g")
print(weakref.ref(g.greet)(), weakref.WeakMethod(g.greet)()(), weakref.WeakMethod(g.greet) == weakref.WeakMethod(g.greet))
m = weakref.WeakMethod(g.greet)
del g
print(m())
attempt(lambda: weakref.WeakMethod(function))


# Methods made by hand, and functions as descriptors.
import types

h = Node("h")
print(types.MethodType(Node.greet, h)(), Node.greet.__get__(h)(), Node.greet.__get__(None, Node) is Node.greet)
attempt(lambda: types.MethodType(3, h))
attempt(lambda: types.MethodType(Node.greet, None))


class Claiming:
    def __getattribute__(self, name):
        return Node if name == "__class__" else None


print(isinstance(Claiming(), Node), type(Claiming()) is Claiming, isinstance(Claiming(), Claiming))
