# Generators of NumPy's modern family: their sources, seed sequences and independent children; draws without putting back.
import numpy as np


def answer(f):
    try:
        print(repr(f()))
    except (TypeError, ValueError) as problem:
        print(type(problem).__name__, problem)


rng = np.random.default_rng(7)
for good, bad, sample in ((15, 15, 5), (15, 15, 15), (100, 300, 60), (1000, 2000, 2500), (3, 4, 7), (0, 5, 2), (5, 0, 2), (20, 30, 40),
                          (9, 9, 0), (500000, 300000, 200), (40, 2000, 130)):
    print(rng.hypergeometric(good, bad, sample, size=8))
print(rng.hypergeometric(15, 15, 5), rng.random())
answer(lambda: rng.hypergeometric(-1, 2, 1))
answer(lambda: rng.hypergeometric(1, 2, 4))
answer(lambda: rng.hypergeometric(10**9, 2, 4))
print(np.random.RandomState(3).hypergeometric(15, 15, 15, size=6), np.random.RandomState(3).tomaxint(size=3))

a = np.arange(12).reshape(3, 4)
for axis in (None, 0, 1, -1):
    print(np.random.default_rng(1).permuted(a, axis=axis), np.random.default_rng(1).permuted(a.T, axis=axis))
print(np.random.default_rng(1).permuted(a.reshape(2, 2, 3), axis=1), np.random.default_rng(2).permuted([3, 4, 5]))
out = np.zeros_like(a)
print(np.random.default_rng(1).permuted(a, axis=1, out=out) is out, out)
answer(lambda: rng.permuted(a, axis=3))

children = np.random.default_rng(12345).spawn(3)
print([child.integers(0, 1000, 3).tolist() for child in children])
parent = np.random.default_rng([1, 2, 3, 4, 5])
print([child.random() for child in parent.spawn(2) + parent.spawn(1)], [one.random() for one in children[1].spawn(2)])

ss = np.random.SeedSequence(12345)
print(ss, ss.entropy, ss.spawn_key, ss.generate_state(5), ss.generate_state(3, np.uint64), ss.pool)
kids = ss.spawn(2)
print(kids, ss.n_children_spawned, [np.random.default_rng(kid).random() for kid in kids], kids[1].spawn(1)[0].generate_state(2))
print(np.random.SeedSequence([1, 2**70, 3], spawn_key=(4,)).generate_state(4), np.random.default_rng(ss).random())
print(np.random.Generator(np.random.PCG64(np.random.SeedSequence(5))).random(2), np.random.SeedSequence(1, pool_size=8).generate_state(9))
answer(lambda: np.random.SeedSequence(-1))
answer(lambda: np.random.SeedSequence(1.5))

rng = np.random.default_rng(42)
rng.integers(0, 10, dtype="uint8")
state = rng.bit_generator.state
print(state["bit_generator"], state["state"], state["has_uint32"])
first = rng.random(3)
rng.bit_generator.state = state
print(first, rng.random(3), rng.bit_generator.random_raw(), rng.bit_generator.random_raw(2))
source = np.random.PCG64(9)
print(np.random.Generator(source).random(), source.seed_seq.entropy, [np.random.Generator(one).random() for one in source.spawn(2)])
