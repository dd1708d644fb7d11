# Bins by the name of a rule, folds of every function of two numbers, positions that are truths, and what out= takes.
import warnings

import numpy as np

warnings.simplefilter("ignore")


def answer(f):
    try:
        print(repr(f()))
    except (TypeError, ValueError, OverflowError) as problem:
        print("TypeError" if isinstance(problem, TypeError) else type(problem).__name__)


x = np.random.default_rng(3).normal(size=300)
n = np.arange(50) % 7
for rule in ("auto", "fd", "doane", "scott", "stone", "rice", "sturges", "sqrt"):
    print(rule, len(np.histogram_bin_edges(x, rule)), len(np.histogram_bin_edges(n, rule)), np.histogram(x, bins=rule, range=(-1, 1))[0].sum(),
          np.histogram(np.ones(4), bins=rule)[0], np.histogram_bin_edges([1.0, 5.0], rule))
answer(lambda: np.histogram(x, bins="none"))
answer(lambda: np.histogram(x, bins="auto", weights=x))

a = np.arange(1, 7).reshape(2, 3)
for function in (np.subtract, np.divide, np.floor_divide, np.power, np.gcd, np.lcm, np.remainder, np.copysign, np.logical_xor, np.left_shift):
    answer(lambda: function.reduce(a))
    answer(lambda: function.reduce(a, axis=1, keepdims=True))
    answer(lambda: function.reduce(a[:1]))
    answer(lambda: function.reduce(a[:0]))
    answer(lambda: function.reduce(a, axis=None))
    answer(lambda: function.reduce(a, initial=2))
    answer(lambda: function.accumulate(a[:1]))
for function in (np.greater, np.equal):
    answer(lambda: function.reduce(a))
    answer(lambda: function.reduce(a > 2))
    answer(lambda: function.accumulate(a))
answer(lambda: np.logaddexp.reduce(a * 1j))
answer(lambda: np.bitwise_and.reduce(a * 1.0))
answer(lambda: np.add.accumulate(a, axis=None))
answer(lambda: np.logical_and.accumulate(a - 2, axis=1))

print(np.choose(a > 3, [a, -a]), np.ravel_multi_index((np.array([True, False]), np.array([False, True])), (4, 5)))
small = np.zeros(3, dtype="u1")
answer(lambda: np.place(small, small == 0, np.array([1, 2])))
np.place(small, small == 0, [1, 2])
print(small)
answer(lambda: np.copyto(small, -1))
answer(lambda: np.clip(np.array([1.5, 2.5, 3.5]), 2, 3, out=small))
answer(lambda: np.round(np.array([1.5, 2.5, 3.5]), out=small))
print(np.clip(small, 1, 1, out=small), np.round(np.array([1.25, 2.5]), 1, out=np.zeros(2, dtype="f4")))
