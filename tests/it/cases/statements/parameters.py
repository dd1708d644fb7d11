def f(a, b=2, *args, c, d=4, **kw):
    return (a, b, args, c, d, kw)
print(f(1, c=3), f(1, 2, 3, 4, c=5, e=6))
def g(a, /, b, *, c): return a, b, c
print(g(1, 2, c=3), g(1, b=2, c=3))
for call in [lambda: f(), lambda: f(1), lambda: g(1, 2), lambda: g(1,2,3,c=4), lambda: g(a=1,b=2,c=3), lambda: g(1, 2, c=3, d=4), lambda: f(1, a=2, c=3), lambda: g(*[1,2,3])]:
    try: print(call())
    except TypeError as e: print(e)
print(*[1, 2], *(3,), sep=" ") if False else None
