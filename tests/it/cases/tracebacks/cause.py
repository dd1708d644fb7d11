import math
x = [1,2,3]
def k(a):
    return [a[i] / (i - 1) for i in range(3)]
try:
    k(x)
except ZeroDivisionError as e:
    raise RuntimeError("wrapped") from e
