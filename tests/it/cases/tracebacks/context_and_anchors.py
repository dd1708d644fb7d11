def f(x):
    return g(x,
             y=2)

def g(x, y):
    d = {"a": [1]}
    return d["a"][x] + (x / y) * h(x)

def h(x):
    raise ValueError(f"bad {x}")

class A:
    def m(self):
        return self.n.foo

try:
    f(0)
except ValueError:
    A().m()
