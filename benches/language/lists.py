import time


def work(n):
    items = []
    for i in range(n):
        items.append(i * i)
    total = 0
    for j in range(len(items)):
        total += items[j]
    squares = [v + 1 for v in items if v % 2]
    squares.sort(key=lambda v: -v)
    return total + sum(squares) + len(sorted(items))


start = time.perf_counter()
work(500_000)
print(time.perf_counter() - start)
