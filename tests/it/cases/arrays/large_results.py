# Results larger than the processor's caches are written around them, by loops of their own: they are those of the parts.
import dpnp
import numpy

for np, dtype in ((numpy, "float64"), (numpy, "float32"), (dpnp, "float64"), (dpnp, "float32")):
    n = 5_000_003 if dtype == "float64" else 10_000_006
    a = (np.arange(n) % 1013 - 500).astype(dtype) / 7
    b = (np.arange(n) % 997 - 300).astype(dtype) / 3
    c = (np.arange(n) % 991 - 100).astype(dtype) / 11
    ways = [
        lambda x, y, z: x * y + z,
        lambda x, y, z: z + x * y,
        lambda x, y, z: x * y - z,
        lambda x, y, z: z - x * y,
        lambda x, y, z: x * y + x * y,
        lambda x, y, z: x * x + z * 2,
        lambda x, y, z: 3 - x * y,
        lambda x, y, z: np.sqrt(x * x + y * y) - z,
    ]
    for way in ways:
        whole = way(a, b, c)
        shifted = way(a[1:], b[:-1], c[1:])
        row = way(a[:2], b[:2], np.ones((2, 1), dtype=dtype))
        same = [
            (whole[at : at + 100_000] == way(a[at : at + 100_000], b[at : at + 100_000], c[at : at + 100_000])).all()
            for at in (0, 1_234_567, n - 99_999)
        ]
        same.append((shifted[-1000:] == way(a[-1000:], b[-1001:-1], c[-1000:])).all())
        print(np.__name__, dtype, all(bool(x) for x in same), row.shape, float(whole[12345]), float(shifted[54321]))
