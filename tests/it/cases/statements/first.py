print("hello", 1 + 2)
total = 0
for i in range(10):
    if i % 2:
        continue
    total += i
else:
    print("done", total)
def f(x, y=2, *args, z=3, **kwargs):
    return x, y, args, z, kwargs
print(f(1), f(1, 5, 6, 7, z=0, q=1))
