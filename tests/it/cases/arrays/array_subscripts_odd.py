# Sequences without elements, numbers and other things as positions; comparisons with what no array holds.
import numpy as np

a = np.arange(6.0).reshape(2, 3)
b = np.arange(6)


def answer(f):
    try:
        print(repr(f()))
    except (TypeError, ValueError, IndexError) as problem:
        print(type(problem).__name__, problem)


for positions in ([], (), [1, 2], 1, np.int32(2), [1.0], [True], [[0, 1]], range(2)):
    answer(lambda: np.take(a, positions))
    answer(lambda: a.take(positions, axis=1))
for positions in ([], [1, 2], 1, np.int32(2), [[0, 1]], range(2)):
    answer(lambda: np.delete(b, positions))
answer(lambda: np.take(a, np.array([1.5])))
answer(lambda: np.insert(a, [], [], axis=1))
answer(lambda: np.insert(b, [], 3))
answer(lambda: np.bincount([]))
answer(lambda: a[[]])
answer(lambda: a[:, []])
answer(lambda: a[(0, 1),])
answer(lambda: a[range(2), 0])
answer(lambda: a[[], []])
np.put(a, [], 3)
np.put(a, 2, 7)
print(a)
for value in ([1], [[1]], [], [1, 2], (5,), np.array([7]), np.array(8.0), np.array([[9]]), range(1)):
    for key in ((0, 0), ([0], 0), (0, slice(0, 1)), 0, (0, ..., 0), slice(None)):

        def written(target):
            target[key] = value
            return target

        answer(lambda: written(a.copy()))
    answer(lambda: b.copy().__setitem__(0, value))
for other in (None, {}, print, int):
    answer(lambda: np.equal(b, other))
for other in (None, "a", b"a", object(), {}, print, int):
    answer(lambda: a == other)
    answer(lambda: other != a)
    answer(lambda: other in b)
answer(lambda: np.array_equal(a, None))
print([n for n in (np.arange(3), None) if n is None], np.float64(1) == None, np.arange(0) == None)
