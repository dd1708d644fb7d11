import numpy as np

a = np.arange(12).reshape(3, 4)
print(repr(a), a.shape, a.dtype, repr(a[1, 2]), repr(a.sum()), repr(a.mean()), repr(a.max(axis=0)))
print(repr(np.float64(1) / 3), repr(np.int32(7)), repr(np.float32(0.1)), np.float32(0.1), repr(np.bool_(True)), repr(np.complex128(1 + 2j)))
print(repr(np.int64(3) + 1), repr(np.int64(3) * 1.5), repr(np.float64(2) ** 0.5), np.int64(7) // 2, repr(np.int64(7) % 4), -np.int64(7), abs(np.int64(-7)))
print(repr(a + [1, 2, 3, 4]), repr(a > 5), repr(a[a > 5]), repr(a[[0, 2]]), repr(a[[0, 1], [1, 2]]))
print(repr(np.where(a > 5)), repr(np.nonzero(a[0])), repr(np.linspace(0, 1, 3)), repr(np.zeros((2, 2), int)))
print(repr(np.sin(0.5)), repr(np.sin([0.0, 1.0])), repr(np.add(1, 2)), repr(np.sqrt(4)), repr(np.maximum([1, 5], 3)))
print(repr(np.concatenate([[1, 2], [3]])), repr(np.array([1, 2, 3]) @ np.array([4, 5, 6])), repr(np.dot([[1, 2]], [[3], [4]])))
print(isinstance(np.float64(1), float), isinstance(a[0, 0], np.integer), np.issubdtype(a.dtype, np.integer), a.dtype == "int64", a.dtype == int)
print(a.tolist(), a[0].item(2), a.T.flags["C_CONTIGUOUS"] if hasattr(a.T, "flags") else False, np.array_equal(a, a.copy()), np.allclose(a, a + 1e-9))
print(repr(np.random.RandomState(3).randint(0, 10, 5)), repr(np.random.RandomState(3).rand(2)), repr(np.random.default_rng(5).integers(0, 9, 4)))
print(repr(np.array([1.5, np.nan, np.inf])), np.isnan(np.nan), np.pi, repr(np.array([1e10, 1e-10])), repr(np.array(3.0)), repr(np.array([[]])))
print(repr(np.arange(3, dtype=np.float32)), repr(np.arange(0, 1, 0.25)), repr(np.arange(2000)), repr(np.ones((2, 3), dtype=bool)))
b = a.astype(float)
b[b > 5] = np.nan
print(repr(b), repr(np.nansum(b)), repr(np.cumsum([1, 2, 3])), repr(np.diff([1, 4, 9])), repr(np.argsort([3, 1, 2])), repr(np.unique([2, 1, 2], return_counts=True)))
print(round(np.float64(2.567), 2), f"{np.float64(2.5):.3f}", int(np.float64(3.7)), float(np.int64(2)), str(np.float64(0.1)), np.float64(1e300) * 1e10 if False else "")
print(np.mean([1, 2, 3, 4]), np.median([3, 1, 2]), np.std([1, 2, 3]), np.var([1, 2, 3]), np.percentile([1, 2, 3, 4], 50), np.histogram([1, 2, 1], bins=2))
print(repr(np.split(np.arange(6), 3)), repr(np.stack([[1], [2]])), repr(np.tile([1, 2], 2)), repr(np.repeat([1, 2], 2)), repr(np.flip([1, 2, 3])), repr(np.roll([1, 2, 3], 1)))
print(repr(np.outer([1, 2], [3, 4])), repr(np.cross([1, 0, 0], [0, 1, 0])), repr(np.trace(a)), repr(round(float(np.linalg.det([[1.0, 2.0], [3.0, 4.0]])), 9)), repr(np.linalg.solve([[2.0, 0.0], [0.0, 4.0]], [2.0, 4.0])))
for row in a:
    print(row, end=" ")
print()

# Memory is shared where a byte is, not where ranges meet.
line = np.arange(120)
block = line.reshape(10, 12)
print(np.shares_memory(line[::2], line[1::2]), np.shares_memory(line[::3], line[1:3]), np.shares_memory(line[::3], line[2:4]))
print(np.shares_memory(block[:, :4], block[:, 4:]), np.shares_memory(block[:, :5], block[::-1, 4:]), np.shares_memory(line, block.T))
print(np.shares_memory(line.view(np.int32)[::2], line.view(np.int32)[1::2]), np.shares_memory(line.view(np.int8)[3::8], line[5:]))
print(np.shares_memory(np.broadcast_to(line[7:8], (10**6, 10**6)), line[::7]), np.shares_memory(line[:0], line))
