import time


class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def move(self, dx):
        self.x += dx
        return self.y


def work(n):
    p = Point(1, 2)
    total = 0
    for i in range(n):
        total += p.move(1) + p.x
    return total


start = time.perf_counter()
work(700_000)
print(time.perf_counter() - start)
