import time


def numbers(n):
    for i in range(n):
        yield i


def work(n):
    total = 0
    for v in numbers(n):
        total += v
    total += sum(v * 2 for v in numbers(n))
    for a, b in zip(range(n), numbers(n)):
        total += a - b
    return total


start = time.perf_counter()
work(500_000)
print(time.perf_counter() - start)
