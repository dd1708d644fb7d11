# What restricts a reduction: where=, initial=, mean=, correction=; and folding with any universal function.
import warnings

import numpy as np

warnings.simplefilter("ignore")
a = np.arange(6.0).reshape(2, 3)
i = np.arange(5)


def answer(f):
    try:
        print(repr(f()))
    except (TypeError, ValueError, OverflowError) as problem:
        print(type(problem).__name__, problem)


for name in ("max", "min", "nanmax", "nanmin", "amax"):
    function = getattr(np, name)
    answer(lambda: function(a, axis=1, where=a > 1, initial=1.5))
    answer(lambda: function(a, where=a > 1))
    answer(lambda: function(i, initial=2.5))
    answer(lambda: function(i, initial=np.float64(7.5)))
    answer(lambda: function(a, initial=np.nan))
    answer(lambda: function(np.zeros((0, 3)), axis=0, initial=-1))
    answer(lambda: function(np.array([]), initial=1000))
answer(lambda: np.max(i.astype("i1"), initial=1000))
answer(lambda: np.min(i.astype("u1"), initial=-1))
answer(lambda: np.max(i, initial=[3]))
answer(lambda: np.max(i > 2, initial=0))
for name in ("sum", "prod", "nansum", "nanprod"):
    function = getattr(np, name)
    answer(lambda: function(i, initial=2.5))
    answer(lambda: function(i > 2, initial=2.5))
    answer(lambda: function(a, axis=0, where=a > 1, initial=3))
    answer(lambda: function(a, where=[True, False, True]))
    answer(lambda: function(a, where=np.array([1, 0, 1])))
    answer(lambda: function(np.ones(3), where=np.ones((2, 3), bool)))
for name in ("mean", "nanmean", "var", "nanvar", "std", "nanstd"):
    function = getattr(np, name)
    answer(lambda: function(a, where=a > 1))
    answer(lambda: function(a, axis=0, where=a > 1))
    answer(lambda: function(a, axis=1, where=a > 9))
    answer(lambda: function(a, where=a > 1, keepdims=True))
    answer(lambda: function(a.astype("f2"), where=a > 1))
    answer(lambda: function(i, where=i > 2, dtype="f4"))
    answer(lambda: function(a > 1, where=a > 2))
    answer(lambda: function(a * 1j, where=a > 1, axis=1))
for name in ("var", "nanvar", "std", "nanstd"):
    function = getattr(np, name)
    answer(lambda: function(a, correction=1))
    answer(lambda: function(a, ddof=1, correction=1))
    answer(lambda: function(a, axis=1, where=a > 1, ddof=1))
    answer(lambda: function(a, axis=1, mean=np.array([[1.0], [2.0]])))
    answer(lambda: function(a, mean=np.float64(3)))
for name in ("any", "all"):
    answer(lambda: getattr(np, name)(a, where=a > 7))
    answer(lambda: getattr(np, name)(a, axis=0, where=a > 1))
for function in (np.add, np.maximum, np.multiply, np.hypot, np.fmax, np.logical_and):
    answer(lambda: function.reduce(a, where=a > 1))
    answer(lambda: function.reduce(a, axis=1, where=a > 1, initial=2))
out = np.zeros(2)
print(np.mean(a, axis=1, where=a > 1, out=out), out, np.max(a, axis=1, where=a > 1, initial=0, out=out), out)
print(a.mean(where=a > 1), a.var(where=a > 1), a.min(where=a > 1, initial=9, axis=1), a.any(where=a > 7))
