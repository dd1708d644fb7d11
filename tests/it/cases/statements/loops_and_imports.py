import math
from math import sqrt as sq, pi
print(math.floor(2.5), sq(4), pi)
try: import nope_mod
except ImportError as e: print(type(e).__name__, e)
print(-5 // 2, -5 % 3, 2**100, 7 / 2, 1e3, 3j * 2, "a" * 3, "%d" % 3 if False else "", b"x" + b"y")
def many():
    a = b = c = 0
    for a in range(2):
        for b in range(2):
            if b: break
        else:
            c += 100
        c += 1
    return a, b, c
print(many())
