"""repr() that stays short."""

import builtins
from itertools import islice


def recursive_repr(fillvalue="..."):
    """Decorator to make a repr function return fillvalue for a recursive call"""

    def decorating_function(user_function):
        running = set()

        def wrapper(self):
            key = id(self)
            if key in running:
                return fillvalue
            running.add(key)
            try:
                return user_function(self)
            finally:
                running.discard(key)

        for name in ("__module__", "__doc__", "__name__", "__qualname__"):
            setattr(wrapper, name, getattr(user_function, name))
        return wrapper

    return decorating_function


class Repr:
    """How much of each kind of object is shown."""

    def __init__(self):
        self.fillvalue = "..."
        self.maxlevel = self.maxtuple = self.maxlist = self.maxset = self.maxfrozenset = self.maxdeque = 6
        self.maxarray, self.maxdict, self.maxlevel = 5, 4, 6
        self.maxstring = self.maxother = 30
        self.maxlong = 40

    def repr(self, x):
        """The short text of an object."""
        return self.repr1(x, self.maxlevel)

    def repr1(self, x, level):
        method = getattr(self, "repr_" + type(x).__name__.replace(" ", "_"), None)
        return method(x, level) if method is not None else self.repr_instance(x, level)

    def _items(self, x, level, left, right, maximum, trail=""):
        if level <= 0 and x:
            return left + self.fillvalue + right
        shown = [self.repr1(item, level - 1) for item in islice(x, maximum)]
        if len(x) > maximum:
            shown.append(self.fillvalue)
        if len(x) == 1 and trail:
            right = trail + right
        return left + ", ".join(shown) + right

    def repr_tuple(self, x, level):
        return self._items(x, level, "(", ")", self.maxtuple, ",")

    def repr_list(self, x, level):
        return self._items(x, level, "[", "]", self.maxlist)

    def repr_set(self, x, level):
        return self._items(_sorted(x), level, "{", "}", self.maxset) if x else "set()"

    def repr_frozenset(self, x, level):
        return self._items(_sorted(x), level, "frozenset({", "})", self.maxfrozenset) if x else "frozenset()"

    def repr_deque(self, x, level):
        return self._items(x, level, "deque([", "])", self.maxdeque)

    def repr_array(self, x, level):
        if not x:
            return f"array('{x.typecode}')"
        return self._items(x, level, f"array('{x.typecode}', [", "])", self.maxarray)

    def repr_dict(self, x, level):
        if not x:
            return "{}"
        if level <= 0:
            return "{" + self.fillvalue + "}"
        shown = [f"{self.repr1(key, level - 1)}: {self.repr1(x[key], level - 1)}" for key in _sorted(x)[:self.maxdict]]
        if len(x) > self.maxdict:
            shown.append(self.fillvalue)
        return "{" + ", ".join(shown) + "}"

    def _cut(self, text, maximum):
        if len(text) <= maximum:
            return text
        head = max(0, (maximum - 3) // 2)
        tail = max(0, maximum - 3 - head)
        return text[:head] + self.fillvalue + text[len(text) - tail:]

    def repr_str(self, x, level):
        text = builtins.repr(x[:self.maxstring])
        if len(text) <= self.maxstring:
            return text
        head = max(0, (self.maxstring - 3) // 2)
        tail = max(0, self.maxstring - 3 - head)
        text = builtins.repr(x[:head] + x[len(x) - tail:])
        return text[:head] + self.fillvalue + text[len(text) - tail:]

    def repr_int(self, x, level):
        return self._cut(builtins.repr(x), self.maxlong)

    def repr_instance(self, x, level):
        try:
            text = builtins.repr(x)
        except Exception:
            return f"<{type(x).__name__} instance at {id(x):#x}>"
        return self._cut(text, self.maxother)


def _sorted(x):
    try:
        return sorted(x)
    except Exception:
        return list(x)


aRepr = Repr()
repr = aRepr.repr
