a, *b, c = [1, 2, 3, 4]
print(a, b, c)
(x, y), z = (1, 2), 3
print(x, y, z)
x = y = []
x.append(1); print(y)
print([(i, j) for i in range(3) if i for j in range(i)], {k: v for k, v in [(1, 2)]}, {1, 2} == {2, 1})
print((lambda *a, **k: (a, k))(1, z=2))
print(1 < 2 < 3, 1 < 3 < 2, not 1, 1 and 0 or 5, None is None, 1 in [1], 2 not in [1])
if (n := 10) > 5: print(n)
print([y := 1, y**2], f"{n=} {n!r:>5} {n:.2f} {'x':{n}}|")
x: int = 5
print(__annotations__)
del x
try: x
except NameError as e: print(e)
