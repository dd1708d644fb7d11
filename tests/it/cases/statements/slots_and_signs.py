# Private slots carry the class's name; slots that are no names or clash are refused.
class Base:
    __slots__ = ("__hidden", "open")

    def __init__(self):
        self.__hidden = 1

    def get(self):
        return self.__hidden


class Derived(Base):
    __slots__ = ["__hidden", "_own"]

    def set(self, value):
        self.__hidden = value
        return self.__hidden, self.get()


d = Derived()
d.open = 2
d._own = 3
print(d.get(), d.set(5), d.open, d._own, d._Base__hidden, d._Derived__hidden)
for name in ("_Other__hidden", "__hidden", "closed"):
    try:
        setattr(d, name, 1)
    except AttributeError as error:
        print(error)


def refused(body):
    try:
        exec(body)
    except Exception as error:
        print(type(error).__name__, error)
    else:
        print("made")


refused("class A:\n    __slots__ = ('a', 'b')\n    b = 1")
refused("class A:\n    __slots__ = ('__b',)\n    __b = 1")
refused("class A:\n    __slots__ = ('1a',)")
refused("class A:\n    __slots__ = (1,)")
refused("class A:\n    __slots__ = 5")
refused("class A:\n    __slots__ = {'a': 'what it is'}")

# Zeros keep their signs.
print(complex(-0.0, -0.0), complex(1, -0.0), complex(-0.0), complex(-1j, -0.0), complex(1 - 0.0j, 2 + 3j), complex(2, 3j))

# Whole numbers of any width.
import math

wide, wider = 3**4001, 7**9003
print(wider // wide % 10**20, wider % wide % 10**20, -wider // wide % 10**20, -wider % wide % 10**20)
print(math.gcd(wide * 10**50, wider * 10**60) == 10**50, math.lcm(*range(1, 60)), math.isqrt(wide) % 10**20)
print(pow(3, -1, 10**40 + 1), pow(-7, -1, 2**89 - 1))
