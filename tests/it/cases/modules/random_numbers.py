import random

random.seed(42)
print([random.random() for _ in range(3)])
print([random.randint(1, 100) for _ in range(10)], [random.randrange(0, 1000, 7) for _ in range(5)], random.randrange(10**25))
print([random.getrandbits(k) for k in (1, 8, 32, 33, 64, 100)], random.getrandbits(0))
print(random.uniform(1, 10), random.gauss(0, 1), random.gauss(0, 1), random.gauss(5, 2), random.normalvariate(0, 1))
print(random.expovariate(1.5), random.betavariate(2, 3), random.gammavariate(0.5, 1), random.gammavariate(1, 2), random.gammavariate(3, 2))
print(random.triangular(0, 10, 3), random.triangular(), random.lognormvariate(0, 1), random.vonmisesvariate(1, 2), random.paretovariate(3), random.weibullvariate(1, 2))
print(random.choice("abcdef"), random.choices([1, 2, 3], k=5), random.choices("ab", weights=[1, 9], k=6), random.choices("ab", cum_weights=[1, 10], k=3))
x = list(range(10))
random.shuffle(x)
print(x, random.sample(range(100), 5), random.sample(range(10), 8), random.sample([1, 2], counts=[3, 2], k=4), random.sample(range(10**6), 3))
for seed in (0, -5, 10**40, "text", b"bytes", bytearray(b"x"), 1.5, True, 2**32):
    random.seed(seed)
    print(repr(seed), random.random(), random.getrandbits(16))
r = random.Random(7)
state = r.getstate()
a = [r.random() for _ in range(3)] + [r.gauss(0, 1)]
r.setstate(state)
print(a == [r.random() for _ in range(3)] + [r.gauss(0, 1)], len(state), state[0], len(state[1]), state[2])
print(random.Random(7).random() == random.Random(7).random(), r.randbytes(5))


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


attempt(lambda: random.choice([]))
attempt(lambda: random.randint(5, 1))
attempt(lambda: random.randrange(0))
attempt(lambda: random.randrange(1, 10, 0))
attempt(lambda: random.sample([1], 2))
attempt(lambda: random.sample({1, 2}, 1))
attempt(lambda: random.choices([1, 2], weights=[1]))
attempt(lambda: random.seed([1]))
attempt(lambda: random.getrandbits(-1))


class Mine(random.Random):
    def twice(self):
        return self.random() * 2


m = Mine(3)
print(m.twice(), m.randint(1, 6))
