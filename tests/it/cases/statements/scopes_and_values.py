x = 5
def shadow():
    global x
    x = x + 1
    return [x for x in range(3)], x
print(shadow(), x)
print([lambda: i for i in range(3)][0]())
def clos():
    fs = []
    for i in range(3):
        def h(j=i): return i, j
        fs.append(h)
    return [h() for h in fs]
print(clos())
print(*(i for i in range(3)), sep="-")
print(max([1, 5, 2], key=lambda v: -v), sorted([3, 1, 2], reverse=True), sum(x for x in range(4)))
a = [1, 2, 3]; a[1:2] = [7, 8]; print(a); del a[0]; a += [9]; print(a)
d = dict(a=1, **{"b": 2}); d |= {"c": 3}; print(d, {**d, "z": 0}, [*d, *a])
s = "x"; s += "y"; s *= 2; print(s)
t = 1,; print(t, (), (1,) + t)
print("%s %d %.2f" % ("a", 3, 2.5), "{} {x}".format(1, x=2))
class O:
    @property
    def val(self): return self._v
    @val.setter
    def val(self, v): self._v = v
    @val.deleter
    def val(self): print("deleted")
o = O(); o.val = 3; print(o.val); del o.val
print(o.__dict__, hasattr(o, "zzz"), getattr(o, "zzz", 9), vars(o))
print(list(map(lambda x, y: x + y, [1, 2], [3, 4])), list(zip("ab", [1, 2])), list(enumerate("xy", 1)))
async_ok = True
print(eval("1 + x"), callable(print), abs(-3), divmod(7, 3), pow(2, 5, 7), round(2.567, 2))
exec("y9 = 5"); print(y9)
print(type(o).__name__, o.__class__, O.__qualname__)
