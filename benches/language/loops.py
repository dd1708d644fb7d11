import time


def work(n):
    total = 0
    for i in range(n):
        if i % 3 == 0:
            total += i * 2
        else:
            total -= 1
    x = 0.5
    k = 0
    while k < n:
        x = x * 1.0000001 + 0.25
        k += 1
    return total, x


start = time.perf_counter()
work(2_000_000)
print(time.perf_counter() - start)
