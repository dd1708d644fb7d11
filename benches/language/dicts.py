import time


def work(n):
    counts = {}
    for i in range(n):
        key = i % 1000
        counts[key] = counts.get(key, 0) + 1
    names = {}
    for i in range(n // 4):
        names["k" + str(i % 500)] = i
    return sum(counts.values()) + len(names) + sum(1 for k in names if k in names)


start = time.perf_counter()
work(600_000)
print(time.perf_counter() - start)
