"""Writes the case files of this directory with the real NumPy 2.4: one call a line, `name`, arguments and the expected text.

Fields are tab-separated. An argument is `A dtype shape values`, `R shape` (counting from 0), `I 3`, `L 1 2`, `F 1.5`, `S text` or `N` (None). The expected text is the repr,
several results joined by ` & `, or `! message` where NumPy raises. Line ends are `\\n`.
"""

import random
import warnings
from pathlib import Path

import numpy as np

warnings.simplefilter("ignore")
np.seterr(all="ignore")
HERE = Path(__file__).parent
rng = np.random.default_rng(3)


def encode(value):
    if value is None:
        return "N"
    if isinstance(value, np.inexact):
        value = np.asarray(value)
    if isinstance(value, bool):
        return f"I {int(value)}"
    if isinstance(value, (int, np.integer)):
        return f"I {value}"
    if isinstance(value, float):
        return f"F {value!r}"
    if isinstance(value, str):
        return f"S {value}"
    if isinstance(value, (list, tuple)):
        return "L " + " ".join(map(str, value))
    flat = value.ravel()
    if value.dtype == np.int64 and value.size > 3 and (flat == np.arange(value.size)).all():
        return f"R {','.join(map(str, value.shape))}"
    if flat.dtype.kind == "c":
        flat = flat.view("f4" if flat.dtype == np.complex64 else "f8")
    numbers = [repr(float(x)) for x in flat] if flat.dtype.kind == "f" else [str(int(x)) for x in flat]
    return f"A {value.dtype.name} {','.join(map(str, value.shape))} {' '.join(numbers)}"


def text(result):
    if isinstance(result, (tuple, list)):
        return " & ".join(text(part) for part in result)
    if isinstance(result, (np.ndarray, np.generic)):
        return repr(np.asarray(result))
    return repr(result)


class Table:
    def __init__(self, name, **options):
        global rng
        self.name, self.lines, self.options = name, [], options
        # A stream per table: adding a case to one changes no other.
        rng = np.random.default_rng(sum(name.encode()))

    def case(self, name, function, *args, inplace=False):
        args = [arg.copy() if isinstance(arg, np.ndarray) else arg for arg in args]
        fields = [name, *map(encode, args)]
        try:
            result = function(*args)
            with np.printoptions(**self.options):
                expected = text(args[0] if inplace else result)
        except Exception as error:
            expected = "! " + str(error)
        self.lines.append("\t".join([*fields, expected.replace("\n", "\\n")]))

    def write(self):
        (HERE / f"{self.name}.txt").write_text("\n".join(self.lines) + "\n")
        print(self.name, len(self.lines))


def ints(*shape):
    return np.arange(int(np.prod(shape))).reshape(shape)


def noise(*shape, dtype="f8"):
    return np.round(rng.standard_normal(shape) * 4, 2).astype(dtype)


def shapes():
    t = Table("shapes")
    a, b, c = ints(6), ints(2, 3), ints(2, 3, 4)
    for shape in [(4,), (4, -1), (-1, -1), (3, 2), (-1,), (3, -1), (1, 6, 1), (2, 1, 3), (0, -1), ()]:
        t.case("reshape", lambda x, s, o: x.reshape(s, order=o), b, list(shape), "C")
        t.case("reshape", lambda x, s, o: x.reshape(s, order=o), b, list(shape), "F")
    t.case("reshape", lambda x, s, o: x.reshape(s, order=o), np.zeros((0, 3)), [3, -1], "C")
    for order in "CFAK":
        t.case("ravel", lambda x, o: x.ravel(o), c, order)
        t.case("ravel_t", lambda x, o: x.T.ravel(o), c, order)
    for axes in [None, (0, 2, 1), (2, 0, 1), (-1, 0, 1), (0, 0, 1), (0, 1), (0, 1, 5)]:
        t.case("transpose", lambda x, axes: x.transpose(axes), c, list(axes) if axes else None)
    for i, j in [(0, 1), (0, -1), (2, 0), (0, 5), (-4, 0)]:
        t.case("swapaxes", np.swapaxes, c, i, j)
        t.case("moveaxis", np.moveaxis, c, [i], [j])
        t.case("rollaxis", np.rollaxis, c, i, j)
    t.case("moveaxis", np.moveaxis, c, [0, 1], [-1, -2])
    t.case("moveaxis", np.moveaxis, c, [0, 1], [0])
    t.case("moveaxis", np.moveaxis, c, [0, 0], [0, 1])
    for axes in [None, [0], [-1], [0, 2], [1], [5], [0, 0]]:
        t.case("squeeze", lambda x, axes: np.squeeze(x, axes if axes is None else tuple(axes)), ints(1, 3, 1), axes)
    for axes in [[0], [-1], [0, 2], [1, -1], [5], [0, 0]]:
        t.case("expand_dims", lambda x, axes: np.expand_dims(x, tuple(axes)), b, axes)
    for shape in [[2, 3], [4, 2, 3], [4, 3], [3], [2, 2, 1, 3]]:
        t.case("broadcast_to", lambda x, s: np.broadcast_to(x, tuple(s)), b, shape)
    for x, y in [(ints(3), ints(2, 1)), (ints(3), ints(2)), (ints(2, 3), ints(4, 1, 1)), (ints(6), b)]:
        t.case("broadcast_arrays", lambda *xs: np.broadcast_arrays(*xs), x, y)
    for x in [np.array(5), a, b, c]:
        for name in ["atleast_1d", "atleast_2d", "atleast_3d", "flipud", "fliplr"]:
            t.case(name, getattr(np, name), x)
        t.case("flip", np.flip, x, None)
        t.case("diagonal", lambda x, k, i, j: np.diagonal(x, k, i, j), x, 0, 0, 1)
    for k in [-3, -1, 1, 2, 9]:
        t.case("diagonal", lambda x, k, i, j: np.diagonal(x, k, i, j), b, k, 0, 1)
        t.case("diagonal", lambda x, k, i, j: np.diagonal(x, k, i, j), c, k, 2, 0)
        t.case("rot90", lambda x, k, axes: np.rot90(x, k, tuple(axes)), b, k, [0, 1])
        t.case("rot90", lambda x, k, axes: np.rot90(x, k, tuple(axes)), c, k, [1, -1])
    t.case("rot90", lambda x, k, axes: np.rot90(x, k, tuple(axes)), c, 1, [1, 1])
    t.case("rot90", lambda x, k, axes: np.rot90(x, k, tuple(axes)), c, 1, [1, 5])
    for shifts, axes in [([1], None), ([-2], None), ([1], [0]), ([1], [1]), ([1, 2], [0, 1]), ([5], [0, 1]), ([1], [5]), ([1, 2, 3], [0, 1])]:
        t.case("roll", lambda x, s, a: np.roll(x, s if len(s) > 1 or a else s[0], axis=tuple(a) if a else None), b, shifts, axes)
    for reps in [[2], [2, 1], [1, 2], [2, 3, 1], [0], [2, 0], [-1], [1, 1, 2, 2]]:
        t.case("tile", np.tile, b, reps)
        t.case("tile", np.tile, np.array(3.5), reps)
    for repeats, axis in [([2], None), ([2], 0), ([2], 1), ([1, 2], 0), ([0, 1, 2], 1), ([1, 2], None), ([-1], 0), ([1, -1], 0), ([2], 5)]:
        t.case("repeat", lambda x, r, axis: np.repeat(x, r if len(r) > 1 else r[0], axis), b, repeats, axis)
    for shape in [[3, 4], [2], [0], [7], [-1, 2]]:
        t.case("resize", np.resize, b, shape)
        t.case("resize", np.resize, np.zeros(0), shape)
    for mode in ["fb", "f", "b"]:
        t.case("trim_zeros", np.trim_zeros, np.array([0, 0, 1, 0, 2, 0]), mode)
        t.case("trim_zeros", np.trim_zeros, np.zeros(3), mode)
    t.write()


def creation():
    t = Table("creation")
    for start, stop, step in [(0, 5, 1), (5, 0, -2), (0, 0, 1), (2, 9, 3), (0, -5, 1), (0, 1, 0)]:
        t.case("arange", lambda a, b, c, d: np.arange(a, b, c, dtype=d), start, stop, step, None)
    for dtype in ["f4", "f2", "i1", "u8", "c8", "?"]:
        t.case("arange", lambda a, b, c, d: np.arange(a, b, c, dtype=d), 0, 3, 1, dtype)
        t.case("arange", lambda a, b, c, d: np.arange(a, b, c, dtype=d), 0, 2, 1, dtype)
    for start, stop, step in [(0.0, 1.0, 0.1), (1.0, 0.0, -0.3), (0.5, 3.0, 1.0), (0.0, float("nan"), 1.0), (0.0, 1e-300, 1e-301)]:
        t.case("arange", lambda a, b, c, d: np.arange(a, b, c, dtype=d), start, stop, step, None)
        t.case("arange", lambda a, b, c, d: np.arange(a, b, c, dtype=d), start, stop, step, "f4")
    for num in [0, 1, 2, 5, 7, -1]:
        for end in [True, False]:
            for dtype in [None, "i4", "f4"]:
                t.case("linspace", lambda a, b, n, e, d: np.linspace(a, b, n, endpoint=bool(e), dtype=d), 0.1, 3.0, num, end, dtype)
    t.case("linspace", lambda a, b, n, e, d: np.linspace(a, b, n, endpoint=bool(e), dtype=d), 1.0, 1.0, 4, True, None)
    t.case("linspace", lambda a, b, n, e, d: np.linspace(a, b, n, endpoint=bool(e), dtype=d), -5.0, 5.0, 11, True, "i8")
    t.case("linspace_arrays", lambda a, b, n, axis: np.linspace(a, b, n, axis=axis), noise(2), noise(3, 1), 4, 0)
    t.case("linspace_arrays", lambda a, b, n, axis: np.linspace(a, b, n, axis=axis), noise(2), noise(3, 1), 4, -1)
    for num in [0, 1, 4]:
        for end in [True, False]:
            t.case("logspace", lambda a, b, n, e, base: np.logspace(a, b, n, endpoint=bool(e), base=base), 0.0, 2.5, num, end, 10.0)
            t.case("logspace", lambda a, b, n, e, base: np.logspace(a, b, n, endpoint=bool(e), base=base), -1.0, 3.0, num, end, 2.0)
            t.case("geomspace", lambda a, b, n, e: np.geomspace(a, b, n, endpoint=bool(e)), 1.0, 1000.0, num, end)
            t.case("geomspace", lambda a, b, n, e: np.geomspace(a, b, n, endpoint=bool(e)), -8.0, -0.5, num, end)
    t.case("geomspace", lambda a, b, n, e: np.geomspace(a, b, n, endpoint=bool(e)), 0.0, 1.0, 3, True)
    for k in [-2, 0, 1, 7]:
        t.case("eye", lambda n, m, k: np.eye(n, m, k), 3, 4, k)
        t.case("tri", lambda n, m, k: np.tri(n, m, k), 3, 4, k)
        t.case("diag", np.diag, ints(3), k)
        t.case("diag", np.diag, ints(3, 4), k)
        t.case("diagflat", np.diagflat, ints(2, 2), k)
        for x in [ints(3), ints(3, 4), ints(2, 2, 2)]:
            t.case("tril", np.tril, x, k)
            t.case("triu", np.triu, x, k)
    t.case("diag", np.diag, ints(2, 2, 2), 0)
    for ij in [True, False]:
        for sparse in [True, False]:
            t.case("meshgrid", lambda a, b, ij, s: np.meshgrid(a, b, indexing="ij" if ij else "xy", sparse=bool(s)), ints(2), ints(3), ij, sparse)
    t.case("indices", lambda s: np.indices(s), [2, 3])
    t.case("indices", lambda s: np.indices(s), [0, 3])
    for n in [None, 0, 2]:
        t.case("vander", lambda x, n, i: np.vander(x, n, increasing=bool(i)), ints(4), n, False)
        t.case("vander", lambda x, n, i: np.vander(x, n, increasing=bool(i)), noise(3), n, True)
    t.case("vander", lambda x, n, i: np.vander(x, n, increasing=bool(i)), ints(2, 2), 2, True)
    t.write()


def sorting():
    t = Table("sorting")
    arrays = [noise(9), noise(3, 4), noise(2, 3, 2), np.array([3.0, np.nan, -np.inf, 0.0, -0.0, np.nan, 1.0]), rng.integers(0, 5, (3, 5)),
              np.array([True, False, True]), noise(6) + 1j * noise(6), np.array([1 + 1j, complex(np.nan, 0), 1, complex(0, np.nan)]),
              noise(5, dtype="f2"), np.zeros((0, 3)), rng.integers(0, 250, 12).astype("u1")]
    for x in arrays:
        for axis in [None, *range(-1, x.ndim), 5]:
            t.case("sort", lambda x, axis: np.sort(x, axis, kind="stable"), x, axis)
            t.case("argsort", lambda x, axis: np.argsort(x, axis, kind="stable"), x, axis)
    keys = [rng.integers(0, 3, 8), rng.integers(0, 3, 8), rng.integers(0, 3, 8)]
    t.case("lexsort", lambda *keys: np.lexsort(keys), *keys)
    t.case("lexsort", lambda *keys: np.lexsort(keys), keys[0].reshape(2, 4), keys[1].reshape(2, 4))
    for right in [False, True]:
        side = "right" if right else "left"
        sorted_, values = np.sort(rng.integers(0, 9, 8)), rng.integers(-1, 11, (3, 4))
        t.case("searchsorted", lambda a, v, r: np.searchsorted(a, v, side="right" if r else "left"), sorted_, values, right)
        t.case("searchsorted", lambda a, v, r: np.searchsorted(a, v, side="right" if r else "left"), sorted_.astype(float), np.array([np.nan, 3.5]), right)
        t.case("digitize", lambda x, b, r: np.digitize(x, b, bool(r)), values, np.array([0, 3, 6]), right)
        t.case("digitize", lambda x, b, r: np.digitize(x, b, bool(r)), values, np.array([6, 3, 0]), right)
        t.case("digitize", lambda x, b, r: np.digitize(x, b, bool(r)), values, np.array([6, 3, 5]), right)
    t.write()


def picking():
    t = Table("picking")
    a, b = ints(6), noise(3, 4)
    for x in [a, b, np.array([[0, 1], [2, 0]]), np.array([True, False, True]), np.array(3), np.zeros((2, 0))]:
        t.case("argwhere", np.argwhere, x)
        t.case("flatnonzero", np.flatnonzero, x)
        if x.ndim:
            t.case("nonzero", np.nonzero, x)
    for axis in [None, 0, 1, -1, 5]:
        for mode in ["raise", "wrap", "clip"]:
            t.case("take", lambda x, i, axis, mode: np.take(x, i, axis, mode=mode), b, np.array([[0, 2], [-1, 1]]), axis, mode)
            t.case("take", lambda x, i, axis, mode: np.take(x, i, axis, mode=mode), b, np.array([0, 12, -3]), axis, mode)
    t.case("take", lambda x, i, axis, mode: np.take(x, i, axis, mode=mode), b, np.array([0.5]), 0, "raise")
    order = np.argsort(b, axis=1)
    for axis in [0, 1]:
        t.case("take_along_axis", np.take_along_axis, b, np.argsort(b, axis=axis), axis)
    t.case("take_along_axis", np.take_along_axis, b, order[:, :2], 1)
    t.case("take_along_axis", np.take_along_axis, b, order[:1, :2], 1)
    t.case("take_along_axis", np.take_along_axis, b, np.array([1, 5]), None)
    t.case("take_along_axis", np.take_along_axis, b, np.array([1, 5]), 1)
    t.case("take_along_axis", np.take_along_axis, b, order + 9, 1)
    t.case("put", lambda x, i, v, mode: np.put(x, i, v, mode=mode), b, np.array([0, -1, 5]), np.array([9.0, 8.0]), "raise", inplace=True)
    t.case("put", lambda x, i, v, mode: np.put(x, i, v, mode=mode), b, np.array([0, 99]), np.array([9.0, 8.0]), "clip", inplace=True)
    t.case("put", lambda x, i, v, mode: np.put(x, i, v, mode=mode), b, np.array([0, 99]), np.array([9.0, 8.0]), "raise", inplace=True)
    t.case("put_along_axis", np.put_along_axis, b, order[:, :1], np.array([[7.0]]), 1, inplace=True)
    t.case("choose", lambda s, x, y, mode: np.choose(s, [x, y], mode=mode), np.array([0, 1, 1]), ints(3), ints(3) * 10, "raise")
    t.case("choose", lambda s, x, y, mode: np.choose(s, [x, y], mode=mode), np.array([0, 3, -1]), ints(3), ints(3) * 10, "wrap")
    t.case("choose", lambda s, x, y, mode: np.choose(s, [x, y], mode=mode), np.array([0, 3, -1]), ints(3), ints(2, 3) * 10.5, "clip")
    t.case("choose", lambda s, x, y, mode: np.choose(s, [x, y], mode=mode), np.array([0, 3, -1]), ints(3), ints(3), "raise")
    t.case("select", lambda c, d, x, y: np.select([c, d], [x, y], 7), b > 0, b > -2, b, b * 0)
    t.case("compress", lambda c, x, axis: np.compress(c, x, axis), np.array([True, False, True]), b, 0)
    t.case("compress", lambda c, x, axis: np.compress(c, x, axis), np.array([1, 0]), b, 1)
    t.case("compress", lambda c, x, axis: np.compress(c, x, axis), np.array([0, 0, 1, 1]), b, None)
    t.case("extract", np.extract, b > 0, b)
    t.case("place", np.place, b, b > 0, np.array([1.0, 2.0]), inplace=True)
    t.case("putmask", np.putmask, b, b > 0, np.array([1.0, 2.0, 3.0]), inplace=True)
    t.case("copyto", lambda x, y, m: np.copyto(x, y, where=m), b, np.array([5.0, 6.0, 7.0, 8.0]), b > 0, inplace=True)
    for wrap in [False, True]:
        t.case("fill_diagonal", lambda x, v, w: np.fill_diagonal(x, v, bool(w)), np.zeros((7, 3), int), np.array([4, 5]), wrap, inplace=True)
        t.case("fill_diagonal", lambda x, v, w: np.fill_diagonal(x, v, bool(w)), np.zeros((2, 4), int), np.array([4]), wrap, inplace=True)
        t.case("fill_diagonal", lambda x, v, w: np.fill_diagonal(x, v, bool(w)), np.zeros((2, 2, 2), int), np.array([4]), wrap, inplace=True)
    for order in "CF":
        t.case("unravel_index", lambda i, s, o: np.unravel_index(i, s, order=o), np.array([0, 5, 11]), [3, 4], order)
        t.case("unravel_index", lambda i, s, o: np.unravel_index(i, s, order=o), np.array([12]), [3, 4], order)
        for mode in ["raise", "wrap", "clip"]:
            t.case("ravel_multi_index", lambda i, j, s, m, o: np.ravel_multi_index((i, j), s, m, o), np.array([0, 2]), np.array([3, 1]), [3, 4], mode, order)
            t.case("ravel_multi_index", lambda i, j, s, m, o: np.ravel_multi_index((i, j), s, m, o), np.array([0, 7]), np.array([-3, 1]), [3, 4], mode, order)
    t.write()


def subscripts():
    """Random subscripts of random arrays: `S` fields hold the items, then what is assigned to them."""
    t = Table("subscripts")
    random.seed(11)

    def slice_text():
        parts = [random.choice([None, random.randint(-4, 4)]) for _ in range(2)] + [random.choice([None, None, 1, 2, -1, -2])]
        return slice(*parts), ":".join("" if part is None else str(part) for part in parts)

    for number in range(420):
        rank = random.randint(1, 4)
        shape = tuple(random.choice([1, 2, 3, 4, 3, 0 if number % 20 == 0 else 2]) for _ in range(rank))
        items, texts = [], []
        axis = 0
        common = random.choice([(2,), (3,), (2, 2), (1,), (2, 1)])
        used_ellipsis = False
        advanced = number % 3 != 0
        while axis < rank + (random.random() < 0.05):
            kind = random.choice("asiine" if advanced else "ssiine")
            if random.random() < 0.15:
                break
            length = shape[axis] if axis < rank else 2
            if kind == "s":
                item, word = slice_text()
            elif kind == "i":
                bound = length + (random.random() < 0.05)
                item = random.randint(-bound, bound - 1) if bound else 0
                word = f"i{item}"
            elif kind == "n":
                item, word = None, "n"
                axis -= 1
            elif kind == "e":
                if used_ellipsis or random.random() < 0.5:
                    continue
                used_ellipsis = True
                item, word = Ellipsis, "e"
                axis += random.randint(0, rank - axis if axis < rank else 0) - 1
            elif random.random() < 0.3 and axis < rank:
                span = random.randint(1, min(2, rank - axis))
                part = shape[axis:axis + span]
                item = np.array([random.random() < 0.5 for _ in range(int(np.prod(part)))], bool).reshape(part)
                word = "m" + ",".join(map(str, part)) + ";" + ",".join(str(int(x)) for x in item.ravel())
                axis += span - 1
            else:
                here = random.choice([common, common[-1:], (1,), common])
                bound = max(length, 1) + (random.random() < 0.04)
                item = np.array([random.randint(-bound, bound - 1) for _ in range(int(np.prod(here)))], int).reshape(here)
                word = "a" + ",".join(map(str, here)) + ";" + ",".join(map(str, item.ravel()))
            items.append(item)
            texts.append(word)
            axis += 1
        base = np.arange(int(np.prod(shape))).reshape(shape)
        key = tuple(items)
        t.case("get", lambda x, _: x[key], base, " ".join(texts))

        def assign(x, _, value):
            x[key] = value

        try:
            target = base[key].shape
        except IndexError:
            continue
        cut = random.randint(0, len(target))
        value_shape = tuple(1 if random.random() < 0.2 else n for n in target[cut:])
        if random.random() < 0.1:
            value_shape += (2,)
        value = np.arange(int(np.prod(value_shape))).reshape(value_shape) + 100
        repeated = any(isinstance(item, np.ndarray) and item.dtype != bool for item in items)
        if repeated:
            value = np.full(value_shape, 100)
        t.case("set", assign, base, " ".join(texts), value, inplace=True)
    t.write()


def joining():
    t = Table("joining")
    a, b, c, d = ints(6), ints(2, 3), noise(2, 3), ints(2, 3).astype("i2")
    sets = [(a, a), (b, c), (b, d), (a, b), (b, ints(2, 2)), (np.array(1), np.array(2)), (b, b.T.copy()), (ints(2, 3, 1), ints(2, 3, 1)), (a,), ()]
    for arrays in sets:
        for axis in [None, 0, 1, -1, 5]:
            t.case("concatenate", lambda axis, *xs: np.concatenate(xs, axis), axis, *arrays)
            if axis is not None:
                t.case("stack", lambda axis, *xs: np.stack(xs, axis), axis, *arrays)
        for name in ["vstack", "hstack", "dstack", "column_stack"]:
            if arrays:
                t.case(name, lambda *xs: getattr(np, name)(xs), *arrays)
    for x, y in [(a, a), (b, ints(2, 3)), (b, a)]:
        for axis in [None, 0, 1]:
            t.case("append", np.append, x, y, axis)
    t.case("block", lambda p, q, r, s: np.block([[p, q], [r, s]]), np.eye(2), np.zeros((2, 3)), np.ones((3, 2)), np.eye(3))
    t.case("block", lambda p, q, r, s: np.block([[p, q], [r, s]]), ints(2), ints(3), ints(1), ints(4))
    for x in [a, ints(4, 6), ints(4, 4, 4)]:
        for axis in range(x.ndim):
            for sections in [2, 3, 0, 4]:
                t.case("split", np.split, x, sections, axis)
                t.case("array_split", np.array_split, x, sections, axis)
            for indices in [[1, 3], [2], [-1], [5, 2], [0, 99], []]:
                t.case("split", np.split, x, indices, axis)
        for name in ["hsplit", "vsplit", "dsplit"]:
            t.case(name, getattr(np, name), x, 2)
    for axis in [None, 0, 1]:
        for place in [0, 1, -1, 2, 9]:
            t.case("delete", np.delete, b, place, axis)
            t.case("insert", np.insert, b, place, np.array([7]), axis)
        for places in [np.array([0, 1]), np.array([1, 1]), np.array([0, -1])]:
            t.case("delete", np.delete, b, places, axis)
            t.case("insert", np.insert, b, places, np.array([[7], [8]]) if axis == 0 else np.array([7, 8]), axis)
    t.case("delete", np.delete, a, np.array([True, False, True, False, False, True]), None)
    t.case("insert", np.insert, b, 1, np.array([7, 8]), 1)
    t.case("insert", np.insert, b, 1, np.array([7, 8, 9]), 0)
    t.case("insert", np.insert, b, 1, np.array([7.9, 8, 9]), 0)
    t.case("insert", np.insert, a, 2, np.array([7, 8, 9]), None)
    t.case("insert", np.insert, a, np.array([1]), np.array([7, 8, 9]), None)
    t.case("insert", np.insert, a, np.array([3, 1, 3]), np.array([7, 8, 9]), None)
    s1, s2 = np.array([3, 1, 4, 1, 5, 9, 2, 6]), np.array([5, 3, 5, 8, 9])
    for x, y in [(s1, s2), (s1.astype(float), s2), (np.array([1.0, np.nan, 3, np.nan]), np.array([np.nan, 3])), (ints(2, 3), ints(3)), (np.zeros(0), s2)]:
        for invert in [False, True]:
            t.case("isin", lambda x, y, i: np.isin(x, y, invert=bool(i)), x, y, invert)
        for name in ["union1d", "setxor1d", "setdiff1d"]:
            t.case(name, getattr(np, name), x, y)
        t.case("intersect1d", lambda x, y: np.intersect1d(x, y, return_indices=True), x, y)
        for nan in [True, False]:
            t.case("unique", lambda x, nan: np.unique(x, True, True, True, equal_nan=bool(nan)), x, nan)
    rows = np.array([[1, 2, 1], [0, 5, 0], [1, 2, 1], [0, 4, 0]])
    for axis in [0, 1, -1]:
        t.case("unique_axis", lambda x, axis: np.unique(x, True, True, True, axis=axis), rows, axis)
    t.write()


def randoms():
    """Streams: `legacy` or `modern`, the seed, then the method and its arguments; the texts have all digits."""
    t = Table("randoms", floatmode="unique", threshold=10**6)
    size = 12
    reals = {"normal": (1.5, 2.0), "uniform": (-1.0, 3.0), "exponential": (2.0,), "gamma": (2.5, 1.5), "beta": (2.0, 3.0), "chisquare": (3.0,),
             "noncentral_chisquare": (3.0, 1.0), "f": (3.0, 4.0), "noncentral_f": (3.0, 4.0, 1.0), "standard_t": (3.0,), "laplace": (0.5, 2.0),
             "logistic": (0.5, 2.0), "gumbel": (0.5, 2.0), "weibull": (1.5,), "pareto": (2.0,), "power": (2.0,), "rayleigh": (2.0,),
             "triangular": (0.0, 1.0, 3.0), "wald": (1.0, 2.0), "vonmises": (0.5, 2.0), "lognormal": (0.5, 0.7), "standard_cauchy": (),
             "standard_normal": (), "standard_exponential": (), "random": ()}
    more = [("gamma", (0.5, 1.0)), ("gamma", (1.0, 1.0)), ("beta", (0.5, 0.5)), ("noncentral_chisquare", (0.5, 1.0)), ("vonmises", (0.0, 1e-6)),
            ("normal", (0.0, -1.0)), ("beta", (0.0, 1.0)), ("triangular", (0.0, 5.0, 3.0)), ("weibull", (0.0,))]
    wholes = [("poisson", (3.0,)), ("poisson", (30.0,)), ("binomial", (10, 0.3)), ("binomial", (1000, 0.4)), ("binomial", (100, 0.9)),
              ("binomial", (5000, 0.7)), ("negative_binomial", (3.0, 0.4)), ("geometric", (0.5,)), ("geometric", (0.1,)), ("zipf", (2.5,)),
              ("logseries", (0.6,)), ("poisson", (-1.0,)), ("geometric", (0.0,)), ("binomial", (5, 1.5))]
    for kind, make in [("legacy", np.random.RandomState), ("modern", np.random.default_rng)]:
        for seed in [0, 42, 123456789]:
            for name, args in [*reals.items(), *more, *wholes]:
                method = f"{name}"
                t.case("draw", lambda kind, seed, name, n, *a: getattr(make(seed), name)(*a, size=n), kind, seed, method, size, *args)
            for low, high in [(0, 10), (-5, 5), (0, 2**31), (0, 2**32), (0, 2**33), (-(2**63), 2**63), (5, 5), (0, 0)]:
                draw = lambda kind, seed, low, high, dtype: (make(seed).randint if kind == "legacy" else make(seed).integers)(low, high, size=size, dtype=dtype)
                t.case("integers", draw, kind, seed, low, high, "i8")
            for dtype, high in [("i4", 100), ("u1", 7), ("u1", 256), ("i2", 1000), ("?", 2), ("u4", 2**32), ("u2", 2**16), ("i1", 200)]:
                t.case("integers", draw, kind, seed, 0, high, dtype)
            t.case("permutation", lambda kind, seed, n: make(seed).permutation(n), kind, seed, 15)
            t.case("permutation_of", lambda kind, seed, x: make(seed).permutation(x), kind, seed, ints(5, 2))

            def shuffled(x, kind, seed):
                make(seed).shuffle(x)

            t.case("shuffle", shuffled, ints(9), kind, seed, inplace=True)
            for population, count, replace in [(10, 6, True), (10, 6, False), (20000, 8, False), (20000, 500, False), (3, 5, False), (0, 1, True)]:
                t.case("choice", lambda kind, seed, a, n, r: make(seed).choice(a, n, bool(r))[:60], kind, seed, population, count, replace)
            t.case("choice_p", lambda kind, seed, n, r, p: make(seed).choice(len(p), n, bool(r), p), kind, seed, 4, True, np.array([0.1, 0.2, 0.3, 0.4]))
            t.case("choice_p", lambda kind, seed, n, r, p: make(seed).choice(len(p), n, bool(r), p), kind, seed, 3, False, np.array([0.1, 0.2, 0.3, 0.4]))
            t.case("choice_p", lambda kind, seed, n, r, p: make(seed).choice(len(p), n, bool(r), p), kind, seed, 3, False, np.array([0.1, 0.2, 0.3, 0.5]))
            for good, bad, sample in [(5, 7, 4), (50, 70, 30), (70, 20, 80), (3, 3, 9), (-1, 2, 1)]:
                if kind == "legacy":
                    t.case("hypergeometric", lambda kind, seed, g, b, n: make(seed).hypergeometric(g, b, n, size), kind, seed, good, bad, sample)
            for alpha in [np.array([1.0, 2.0, 0.5]), np.array([0.05, 0.02, 0.01]), np.array([1.0, -1.0])]:
                t.case("dirichlet", lambda kind, seed, a: make(seed).dirichlet(a, 4), kind, seed, alpha)
            t.case("multinomial", lambda kind, seed, n, p: make(seed).multinomial(n, p, size=3), kind, seed, 20, np.array([0.2, 0.3, 0.5]))
        t.case("draw_each", lambda kind, seed, mean, scale: make(seed).normal(mean, scale), kind, 7, np.array([0.0, 10.0, 20.0]), np.array([[1.0], [2.0]]))
        big = 2**64 + 12345
    t.case("big_seed", lambda seed: np.random.default_rng(int(seed)).random(3), str(2**70 + 12345))
    t.write()


def calculus():
    t = Table("calculus")
    a, b, c = rng.integers(-5, 9, 6), noise(3, 4), rng.integers(0, 5, (2, 3, 4)).astype("i2")
    holes = np.array([[1.0, np.nan, 3.0], [np.nan, 5.0, 6.0]])
    for x in [a, b, c, holes, np.array([True, False, True]), np.zeros((2, 0)), b.astype("f4"), b[:, :2] + 1j, np.array(3.0), c.astype("u1")]:
        for axis in [None, 0, -1, 5]:
            for name in ["cumsum", "cumprod", "nancumsum", "nancumprod"]:
                t.case(name, getattr(np, name), x, axis)
        t.case("cumulative_sum", lambda x: np.cumulative_sum(x, axis=0, include_initial=True), x)
        for n in [0, 1, 2, 9, -1]:
            t.case("diff", lambda x, n, axis: np.diff(x, n, axis), x, n, -1)
            t.case("diff", lambda x, n, axis: np.diff(x, n, axis), x, n, 0)
        t.case("ediff1d", np.ediff1d, x)
    t.case("diff_ends", lambda x, p, q: np.diff(x, prepend=p, append=q), a, np.array(7), np.array([1, 2]))
    t.case("ediff1d_ends", lambda x, p, q: np.ediff1d(x, to_begin=p, to_end=q), a, np.array([7]), np.array([1, 2]))
    for x in [a, b, noise(5, 4), noise(2), noise(4, dtype="f4"), a + 1j]:
        for order in [1, 2, 3]:
            for axis in range(x.ndim):
                t.case("gradient", lambda x, d, axis, o: np.gradient(x, d, axis=axis, edge_order=o), x, 0.5, axis, order)
                places = np.cumsum(rng.integers(1, 4, x.shape[axis])).astype(float)
                t.case("gradient_at", lambda x, d, axis, o: np.gradient(x, d, axis=axis, edge_order=o), x, places, axis, order)
                t.case("gradient_at", lambda x, d, axis, o: np.gradient(x, d, axis=axis, edge_order=o), x, np.arange(x.shape[axis]) * 2.0, axis, order)
        for axis in range(x.ndim):
            t.case("trapezoid", lambda x, d, axis: np.trapezoid(x, dx=d, axis=axis), x, 0.5, axis)
            t.case("trapezoid_at", lambda x, p, axis: np.trapezoid(x, p, axis=axis), x, np.sort(noise(x.shape[axis])), axis)
    for x, y in [(a, ints(3)), (ints(3), a), (noise(4), noise(4)), (a, ints(2)), (ints(2), a), (a + 1j, ints(3) - 2j), (ints(4), a), (ints(1), ints(1)), (np.zeros(0), a)]:
        for mode in ["full", "same", "valid"]:
            t.case("convolve", np.convolve, x, y, mode)
            t.case("correlate", np.correlate, x, y, mode)
    xp, fp = np.array([1.0, 2.0, 4.0, 7.0]), np.array([3.0, -1.0, 2.0, 8.0])
    x = np.array([0.0, 1.0, 1.5, 2.0, 3.3, 7.0, 9.0, np.nan])
    t.case("interp", lambda x, xp, fp, l, r, p: np.interp(x, xp, fp, l, r, p), x, xp, fp, None, None, None)
    t.case("interp", lambda x, xp, fp, l, r, p: np.interp(x, xp, fp, l, r, p), x, xp, fp, -9.0, 9.0, None)
    t.case("interp", lambda x, xp, fp, l, r, p: np.interp(x, xp, fp, l, r, p), x, xp, fp, None, None, 5.0)
    t.case("interp", lambda x, xp, fp, l, r, p: np.interp(x, xp, fp, l, r, p), x, xp, fp * (1 + 2j), None, None, None)
    t.case("interp", lambda x, xp, fp, l, r, p: np.interp(x, xp, fp, l, r, p), x, xp, fp[:2], None, None, None)
    t.write()


def products():
    t = Table("products")
    v, w, m, n = ints(3), ints(3) * 2 - 1, ints(2, 3), ints(3, 4)
    pairs = [(v, w), (m, v), (v, n), (m, n), (ints(2, 3, 4), ints(4, 2)), (ints(2, 3, 4), ints(2, 4, 3)), (np.array(3), m), (m, m), (v, ints(2)),
             (noise(2, 3), noise(3, 2)), (m.astype("i1") * 50, n.astype("i1") * 50), (m > 2, n > 5), (m + 1j, n - 2j), (noise(2, 3, dtype="f4"), noise(3, 2, dtype="f4"))]
    for x, y in pairs:
        for name in ["dot", "inner", "outer", "kron", "vdot", "vecdot"]:
            t.case(name, getattr(np, name), x, y)
        for axes in [0, 1, 2, 9]:
            t.case("tensordot", lambda x, y, k: np.tensordot(x, y, k), x, y, axes)
    t.case("tensordot_pairs", lambda x, y, p, q: np.tensordot(x, y, (p, q)), m, ints(3, 2), [0, 1], [1, 0])
    t.case("tensordot_pairs", lambda x, y, p, q: np.tensordot(x, y, (p, q)), ints(2, 3, 4), ints(4, 3, 5), [1, 2], [1, 0])
    t.case("tensordot_pairs", lambda x, y, p, q: np.tensordot(x, y, (p, q)), m, n, [0], [0])
    for x, y in [(v, w), (ints(2), ints(2) + 5), (ints(2), v), (v, ints(2)), (ints(4, 3), v), (ints(4, 2), ints(4, 2) + 1), (ints(4), ints(4)), (noise(5, 3), noise(5, 3))]:
        t.case("cross", lambda x, y: np.cross(x, y), x, y)
    for k in [-1, 0, 1, 5]:
        t.case("trace", np.trace, m, k, 0, 1)
        t.case("trace", np.trace, ints(2, 3, 4).astype("i2"), k, 2, 0)
    operands = {"ij,jk": (m, n), "ij,jk->ik": (m, n), "ij,jk->ki": (m, n), "ii": (ints(3, 3),), "ii->i": (ints(3, 3),), "ij->ji": (m,), "ij->": (m,),
                "i,i": (v, w), "i,i->i": (v, w), "i,j": (v, w), "i,j->ji": (v, w), "ij->j": (m,), "i,i,i->": (v, v, v), "ij,jk,kl->il": (m, n, ints(4, 2)),
                "...ij->...ji": (ints(2, 3, 4),), "b...,b...->...": (m, m), "...i,...i": (m, m), "bij,bjk->bik": (ints(2, 2, 3), ints(2, 3, 2)),
                "ij,ij->i": (m, m), "ij,kj->ik": (m, ints(4, 3)), "i...->...": (ints(2, 3, 4),), "iij->j": (ints(2, 2, 3),), "ij, jk -> ik": (m, n),
                "ij,j": (m, v), "i,ij->j": (ints(2), m), "abc,cd,bd->a": (ints(2, 3, 4), ints(4, 2), ints(3, 2)), "ba": (m,), "ij,jk->iq": (m, n), "i1": (m,),
                "ijk": (m,), "i": (m,), "ij->ii": (m,), "ij,k": (m,), "..j,jk": (m, n), "ij,jk->ijk": (m, n), "xyz->zyx": (ints(2, 3, 4),), "i,->i": (v, np.array(2))}
    for subscripts, arrays in operands.items():
        t.case("einsum", lambda s, *xs: np.einsum(s, *xs), subscripts, *arrays)
        t.case("einsum", lambda s, *xs: np.einsum(s, *xs), subscripts, *[x * 0.5 + 1 for x in arrays])
    t.case("einsum", lambda s, *xs: np.einsum(s, *xs), "i,i", np.array([True, False]), np.array([True, True]))
    for order in [None, 1.0, 2.0, 0.0, 3.0, -1.0, -2.0, 0.5, float("inf"), float("-inf"), "fro", "nuc", "foo"]:
        for x in [v, noise(3, 4), noise(2, 3, 4), noise(3) + 2j, noise(3, 2) * (1 + 1j)]:
            t.case("norm", lambda x, o, axis, k: np.linalg.norm(x, o, axis, bool(k)), x, order, None, False)
            t.case("norm", lambda x, o, axis, k: np.linalg.norm(x, o, axis[0], bool(k)), x, order, [0], True)
            if x.ndim > 1:
                t.case("norm", lambda x, o, axis, k: np.linalg.norm(x, o, tuple(axis), bool(k)), x, order, [-1, 0], True)
    square = noise(3, 3) + np.eye(3) * 9
    for x in [square, square + 1j, noise(2, 3, 3) + np.eye(3) * 9, ints(2, 2), square.astype("f4"), np.zeros((2, 2)), m, v]:
        for name in ["det", "inv", "slogdet"]:
            t.case(name, lambda x: tuple(getattr(np.linalg, name)(x)) if name == "slogdet" else getattr(np.linalg, name)(x), x)
        if x.ndim > 1:
            t.case("matrix_rank", np.linalg.matrix_rank, x)
        if x.dtype != np.float32:
            for power in [0, 1, 3, -2]:
                t.case("matrix_power", np.linalg.matrix_power, x, power)
        t.case("solve", np.linalg.solve, x, np.arange(float(x.shape[-1])))
        t.case("solve", np.linalg.solve, x, noise(x.shape[-1], 2))
        t.case("cond", np.linalg.cond, x)
        t.case("svdvals", np.linalg.svdvals, x)
        if x.any():
            t.case("qr", lambda x: tuple(np.linalg.qr(x)), x)
    positive = square @ square.T
    t.case("cholesky", np.linalg.cholesky, positive)
    t.case("cholesky", np.linalg.cholesky, -positive)
    t.case("eigvalsh", np.linalg.eigvalsh, positive)
    t.case("eigvalsh", np.linalg.eigvalsh, (square + 1j) @ (square + 1j).conj().T)
    t.case("pinv", np.linalg.pinv, noise(4, 2))
    t.case("pinv", np.linalg.pinv, noise(2, 4) + 1j)
    t.case("lstsq", lambda a, b: tuple(np.linalg.lstsq(a, b)[:2]), noise(5, 2), noise(5))
    t.case("multi_dot", lambda *xs: np.linalg.multi_dot(xs), ints(2, 3), ints(3, 4), ints(4, 1), ints(1, 5))
    t.case("multi_dot", lambda *xs: np.linalg.multi_dot(xs), ints(3), ints(3, 4), ints(4))
    t.write()


def statistics():
    t = Table("statistics")
    holes = np.array([[1.0, np.nan, 3.0, 7.0], [np.nan, 5.0, 6.0, np.nan], [np.nan] * 4])
    a, b, c = rng.integers(-5, 9, 7), noise(3, 4), rng.integers(0, 9, (2, 3, 4)).astype("i2")
    methods = ["inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf", "hazen", "weibull", "linear",
               "median_unbiased", "normal_unbiased", "lower", "higher", "midpoint", "nearest"]
    for x in [a, b, c, holes, b.astype("f4"), np.array([2.0, 1.0])]:
        for axis in [None, [0], [-1], [5]] + ([[0, 1]] if x.ndim > 1 else []):
            for keep in [False, True]:
                named = lambda axis: axis if axis is None else tuple(axis)
                t.case("median", lambda x, axis, k: np.median(x, named(axis), keepdims=bool(k)), x, axis, keep)
                t.case("nanmedian", lambda x, axis, k: np.nanmedian(x, named(axis), keepdims=bool(k)), x, axis, keep)
                t.case("ptp", lambda x, axis, k: np.ptp(x, named(axis), keepdims=bool(k)), x, axis, keep)
                for q in [np.array(0.3), np.array([0.0, 0.25, 0.5, 1.0])]:
                    t.case("quantile", lambda x, q, axis, m, k: np.quantile(x, q, named(axis), method=m, keepdims=bool(k)), x, q, axis, "linear", keep)
                    t.case("nanquantile", lambda x, q, axis, m, k: np.nanquantile(x, q, named(axis), method=m, keepdims=bool(k)), x, q, axis, "linear", keep)
        for m in methods:
            t.case("quantile", lambda x, q, axis, m, k: np.quantile(x, q, axis, method=m), x, np.array([0.0, 0.1, 0.33, 0.5, 0.75, 1.0]), None, m, False)
    t.case("quantile", lambda x, q, axis, m, k: np.quantile(x, q), a, np.array(1.5), None, "linear", False)
    for x, w, axis in [(a, np.arange(7), None), (b, noise(4), [1]), (b, noise(3, 4), None), (b, noise(3), None), (c, np.arange(3), [1]), (b, np.zeros(4), [1])]:
        t.case("average", lambda x, w, axis: np.average(x, axis if axis is None else tuple(axis), w, returned=True), x, w, axis)
    for x in [a, b, b + 1j * noise(3, 4), ints(2, 2)]:
        for row in [True, False]:
            for ddof in [0.0, 1.0]:
                t.case("cov", lambda x, r, d: np.cov(x, rowvar=bool(r), ddof=int(d)), x, row, ddof)
            t.case("corrcoef", lambda x, r: np.corrcoef(x, rowvar=bool(r)), x, row)
    t.case("cov_y", np.cov, a, a * 2.5 + 1)
    t.case("cov_weights", lambda x, f, w: np.cov(x, fweights=f, aweights=w), b, np.array([1, 2, 1, 3]), np.array([0.5, 1.0, 0.2, 2.0]))
    t.case("cov_weights", lambda x, f, w: np.cov(x, fweights=f, aweights=w), b, np.array([1, 2, 1, 3]), None)
    for x in [a, b, np.zeros(0), np.array([2.0, 2.0]), np.array([1.0, np.nan])]:
        for bins in [1, 5, 10, 0]:
            for density in [False, True]:
                t.case("histogram", lambda x, b, w, d: np.histogram(x, b, weights=w, density=bool(d)), x, bins, None, density)
        t.case("histogram", lambda x, b, w, d: np.histogram(x, b), x, np.array([-2, 0, 1, 5]), None, False)
        t.case("histogram_range", lambda x, b, r: np.histogram(x, b, tuple(r)), x, 4, [-1, 3])
    t.case("histogram", lambda x, b, w, d: np.histogram(x, b, weights=w), a, 4, noise(7), False)
    t.case("histogram", lambda x, b, w, d: np.histogram(x, b), a, np.array([3, 1, 5]), None, False)
    t.case("histogram", lambda x, b, w, d: np.histogram(x, b), rng.random(500), 37, None, False)
    t.case("histogram2d", lambda x, y, i, j: np.histogram2d(x, y, [i, j]), noise(30), noise(30), 3, 4)
    for x in [np.array([0, 1, 1, 3]), np.zeros(0, int), np.array([-1, 2]), np.array([1.5]), ints(2, 2)]:
        for n in [0, 6, -1]:
            t.case("bincount", lambda x, w, n: np.bincount(x, w, n), x, None, n)
    t.case("bincount", lambda x, w, n: np.bincount(x, w, n), np.array([0, 1, 1, 3]), np.array([0.5, 1.0, 2.0, 0.25]), 0)
    t.case("bincount", lambda x, w, n: np.bincount(x, w, n), np.array([0, 1, 1, 3]), np.array([0.5, 1.0]), 0)
    x, y = np.array([1.0, 1.0 + 1e-9, np.nan, np.inf, 0.0, 5.0]), np.array([1.0, 1.0, np.nan, np.inf, 1e-9, 6.0])
    for nan in [False, True]:
        t.case("isclose", lambda x, y, n: np.isclose(x, y, equal_nan=bool(n)), x, y, nan)
        t.case("isclose", lambda x, y, n: np.isclose(x, y, equal_nan=bool(n)), ints(3), ints(3), nan)
        t.case("allclose", lambda x, y, n: np.asarray(np.allclose(x, y, equal_nan=bool(n))), x[:5], y[:5], nan)
        t.case("array_equal", lambda x, y, n: np.asarray(np.array_equal(x, y, equal_nan=bool(n))), x[2:4], y[2:4], nan)
        t.case("array_equal", lambda x, y, n: np.asarray(np.array_equal(x, y, equal_nan=bool(n))), x, y[:2], nan)
    t.case("array_equiv", lambda x, y: np.asarray(np.array_equiv(x, y)), np.ones((2, 3)), np.ones(3))
    for x in [ints(4), ints(2, 3), noise(3, 2), ints(1), np.zeros((0, 2))]:
        for mode in ["constant", "edge", "linear_ramp", "maximum", "mean", "median", "minimum", "reflect", "symmetric", "wrap", "reflect_odd", "symmetric_odd"]:
            for widths in [[1, 2], [0, 3], [5, 0], [-1, 1]]:
                kind, options = mode.split("_odd")[0], {}
                if mode.endswith("_odd"):
                    options["reflect_type"] = "odd"
                if mode == "constant":
                    options["constant_values"] = (7, -7)
                if mode == "linear_ramp":
                    options["end_values"] = (7, -7)
                t.case("pad", lambda x, w, m: np.pad(x, [tuple(w)] * x.ndim, kind, **options), x, widths, mode)
    t.write()


def transforms():
    """Results are rounded to four places and free of negative zeros: the last digits of a transform are its own."""
    t = Table("transforms")

    def rounded(name):
        def run(*args):
            result = getattr(np.fft, name)(*args) if hasattr(np.fft, name) else getattr(np, name)(*args)
            return np.round(result, 4).astype(result.dtype) + 0
        return run

    for x in [noise(8), noise(7), noise(3, 5), noise(4) + 1j * noise(4), ints(6), noise(6, dtype="f4"), noise(1), np.zeros(0), noise(37)]:
        for n in [None, 4, 9, 0]:
            for norm in ["backward", "ortho", "forward"]:
                for name in ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]:
                    if name in ("rfft", "ihfft") and x.dtype.kind == "c":
                        continue
                    t.case(name, lambda x, n, norm: rounded(name)(x, n, -1, norm), x, n, norm)
        t.case("fft_axis", lambda x, axis: rounded("fft")(x, None, axis), x, 0)
        t.case("fft_axis", lambda x, axis: rounded("fft")(x, None, axis), x, 3)
        for inverse in [False, True]:
            t.case("fftshift", lambda x, i: (np.fft.ifftshift if i else np.fft.fftshift)(x), x, inverse)
    for x in [noise(3, 4), noise(2, 3, 4), noise(3, 4) * (1 + 1j)]:
        for s, axes in [(None, None), ([2, 5], None), (None, [0]), ([2, 2], [0, 1]), ([2], [0, 1])]:
            for name in ["fftn", "ifftn", "rfftn", "irfftn"]:
                if name == "rfftn" and x.dtype.kind == "c":
                    continue
                t.case(name, lambda x, s, axes: rounded(name)(x, s, tuple(axes) if axes else (tuple(range(-len(s), 0)) if s else None)), x, s, axes)
    for n in [1, 4, 5]:
        t.case("fftfreq", np.fft.fftfreq, n, 0.1)
        t.case("rfftfreq", np.fft.rfftfreq, n, 0.1)
    for n in [0, 1, 2, 5, 8]:
        for name in ["bartlett", "blackman", "hamming", "hanning"]:
            t.case(name, rounded(name), n)
        t.case("kaiser", rounded("kaiser"), n, 3.5)
    for x in [np.array([0, 3.0, 7.0, 1.0, -4.0]), noise(3, 4) * 2, np.array([0, np.pi, 0, -np.pi])]:
        for axis in [0, -1]:
            t.case("unwrap", lambda x, axis, p: rounded("unwrap")(x, None, axis) if p is None else rounded("unwrap")(x, None, axis), x, axis, None)
    t.case("unwrap_int", lambda x, p: np.unwrap(x, period=p), np.array([0, 1, 2, -1, 0, 2]), 4)
    t.case("unwrap_int", lambda x, p: np.unwrap(x, period=p), np.array([0, 1, 2, -1, 0, 2]), 3)
    t.case("sort_complex", np.sort_complex, np.array([3, 1, 2]))
    t.case("sort_complex", np.sort_complex, np.array([3, 1 - 1j, 1, 2]))
    t.write()


shapes()
transforms()
joining()
calculus()
products()
statistics()
randoms()
creation()
sorting()
picking()
subscripts()
