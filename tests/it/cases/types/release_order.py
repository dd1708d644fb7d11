"""When an argument dies that the function deletes: at the `del` where nothing else holds it, else after the call; and in which
order the items of a list or tuple go with it."""
import functools
import itertools


class Thing:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        print("    gone", self.name)


def things(*names):
    for name in names:
        yield Thing(name)


def drops(x, *rest):
    print("  in", x.name)
    del x
    print("  deleted")
    return True


def show(what, make):
    print(what)
    result = make()
    print("  result", type(result).__name__)
    del result


def key(x):
    name = x.name
    print("  in", name)
    del x
    print("  deleted")
    return name


show("call", lambda: drops(Thing("a")))
show("filter", lambda: len(list(filter(drops, things("a", "b")))))
show("filterfalse", lambda: list(itertools.filterfalse(drops, things("a", "b"))))
show("takewhile", lambda: len(list(itertools.takewhile(drops, things("a", "b")))))
show("dropwhile", lambda: len(list(itertools.dropwhile(drops, things("a", "b")))))
show("starmap", lambda: list(itertools.starmap(drops, ((Thing("a"),), (Thing("b"), 1)))))
show("sorted", lambda: len(sorted(things("b", "a"), key=key)))
show("min", lambda: min(things("b", "a"), key=key).name)
show("max", lambda: max(things("b", "a"), key=key).name)
show("groupby", lambda: [k for k, group in itertools.groupby(things("a", "b"), key)])
show("reduce", lambda: functools.reduce(lambda a, b: drops(b) and 1, things("a", "b", "c")))
show("accumulate", lambda: list(itertools.accumulate(things("a", "b"), lambda a, b: drops(b))))
show("partial kept", lambda: functools.partial(drops, Thing("a"))())
show("method", lambda: (lambda f: f(Thing("a")))(drops))
show("keyword", lambda: (lambda *, x: drops(x))(x=Thing("a")))


class Callable:
    def method(self, x):
        name = x.name
        del x
        print("  deleted", name)


show("bound", lambda: Callable().method(Thing("a")))


class Holder:
    def __setitem__(self, key, value):
        del value
        print("  deleted item")

    def __setattr__(self, name, value):
        del value
        print("  deleted attribute")

    def __add__(self, other):
        del other
        print("  deleted operand")
        return 1

    def __iadd__(self, other):
        del other
        print("  deleted in place")
        return self

    def __getitem__(self, key):
        del key
        print("  deleted key")
        return 1

    def __contains__(self, item):
        del item
        print("  deleted member")
        return True

    def __eq__(self, other):
        del other
        print("  deleted other")
        return True


def setitem():
    Holder()[0] = Thing("a")


def setattribute():
    Holder().x = Thing("a")


def inplace():
    h = Holder()
    h += Thing("a")


show("setitem", setitem)
show("setattr", setattribute)
show("add", lambda: Holder() + Thing("a"))
show("iadd", inplace)
show("getitem", lambda: Holder()[Thing("a")])
show("contains", lambda: Thing("a") in Holder())
show("eq", lambda: Holder() == Thing("a"))


def order():
    kept = [Thing("first"), (Thing("a"), Thing("b")), Thing("last")]
    kept.append(kept[0])
    print("  list of", len(kept))
    del kept
    print("  cleared")
    kept = [Thing(1), Thing(2)]
    kept.clear()
    left, right = (Thing("l"), Thing("r"))
    del left
    pair = (Thing("p"), Thing("q"))
    one, two = pair
    del pair
    print("  unpacked")


show("order", order)
