"""Writes cases.txt: what the real NumPy prints, for the tests of this directory. Run it with NumPy 2.4 to renew the file.

One case a line, tab-separated: dtype, shape, options, values, repr, str. Complex values are two numbers each. Line ends inside texts are `\\n`.
"""

import numpy as np
from pathlib import Path

rng = np.random.default_rng(7)
lines = []


def case(array, **options):
    array = np.asarray(array)
    flat = array.ravel()
    if array.dtype.kind == "c":
        flat = flat.view("f4" if array.dtype == np.complex64 else "f8")
    if array.dtype.kind in "fc":
        values = " ".join(repr(float(value)) for value in flat)
    else:
        values = " ".join(str(int(value)) for value in flat)
    if array.dtype.kind in "i" and flat.size > 20 and (np.diff(flat) == 1).all():
        values = f"range {flat[0]} {flat.size}"
    with np.printoptions(**options):
        texts = [repr(array), str(array)]
    shape = " ".join(map(str, array.shape))
    settings = " ".join(f"{key}={value}" for key, value in options.items() if not (key == "sign" and value == " "))
    if options.get("sign") == " ":
        settings += " sign=space"
    lines.append("\t".join([array.dtype.name, shape, settings.strip(), values, *[text.replace("\n", "\\n") for text in texts]]))


specials = [0.0, -0.0, 1.0, -1.0, 1.5, 0.1, 1e-5, 1e-4, 9.9e-5, 123456.0, 1e7, 99999999.0, 1e8, 1e15, 1e16, 1e22, 1e-300, 5e-324,
            1.7976931348623157e308, np.pi, 1 / 3, 2 / 3, np.nan, np.inf, -np.inf, 2.0**-44, 2.0**-24, 2.0**-14, 6e-8, 65504.0, 2048.0, 0.001,
            1234.5678, 16777216.0, 3.4028234663852886e38, 1e-45, 0.30000000000000004]
with np.errstate(all="ignore"):
    for dtype in ["f8", "f4", "f2"]:
        for value in specials:
            case(np.array(value).astype(dtype))
            case(np.array([value]).astype(dtype))
        for size in [2, 3, 5, 8, 17]:
            for scale in [1, 1e-3, 1e3, 1e6, 1e-6]:
                case((rng.standard_normal(size) * scale).astype(dtype))
        for _ in range(40):
            case(rng.choice(specials, size=rng.integers(2, 6)).astype(dtype))
        case(rng.standard_normal((3, 4)).astype(dtype))
        case(rng.standard_normal((2, 3, 4)).astype(dtype))
        case(np.zeros((0,), dtype))
        case(np.zeros((2, 0), dtype))
        case(np.ones((2, 2, 2, 2), dtype))
        case(np.arange(40, dtype=dtype))
        case(np.linspace(0, 1, 11).astype(dtype))
    for dtype in ["c16", "c8"]:
        for value in specials:
            case(np.array(complex(value, -1.5)).astype(dtype))
            case(np.array([complex(1, value)]).astype(dtype))
            case(np.array(complex(0, value)).astype(dtype))
        for _ in range(25):
            size = rng.integers(2, 6)
            case((rng.choice(specials, size=size) + 1j * rng.choice(specials, size=size)).astype(dtype))
        case((rng.standard_normal((3, 3)) + 1j).astype(dtype))
for dtype in ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]:
    info = np.iinfo(dtype)
    case(np.array([info.min, 0, info.max], dtype))
    case(np.array(info.max, dtype))
    case(np.zeros((0, 3), dtype))
    case(np.arange(30, dtype=dtype).reshape(5, 6))
case(np.array(True))
case(np.array([True, False]))
case(np.eye(3, dtype=bool))
case(np.zeros((1, 0, 2), bool))
for shape in [(1001,), (1000,), (40, 30), (7, 300), (5, 6, 50), (3, 4, 5, 30), (1200, 1), (1, 1200), (2000,)]:
    case(np.arange(np.prod(shape)).reshape(shape))
    case(np.arange(np.prod(shape), dtype="i4").reshape(shape))
case(np.arange(1500.0) / 8)
case(np.arange(30.0).reshape(5, 6) / 7, precision=3)
case(np.arange(30.0).reshape(5, 6) / 7, precision=0)
case(np.arange(6.0) / 7, precision=20)
case(np.arange(30.0).reshape(5, 6) / 7, threshold=10, edgeitems=2)
case(np.arange(30).reshape(5, 6), threshold=5, edgeitems=1)
case(np.arange(30).reshape(5, 6), linewidth=20)
case(np.arange(60), linewidth=40)
case(np.array([1e-10, 1.0, 1e4]), suppress=True)
case(np.array([1e-10, 1.0, 1e9]), suppress=True)
case(np.array([1e-10, 1.0]), suppress=True, precision=4)
for mode in ["fixed", "unique", "maxprec", "maxprec_equal"]:
    case(np.array([1.0, 0.5, 1 / 3]), floatmode=mode)
    case(np.array([1.0, 0.5, 1e-7]), floatmode=mode)
    case(np.array([0.1, 100.0], "f4"), floatmode=mode, precision=4)
for sign in ["+", " ", "-"]:
    case(np.array([1.0, np.nan, np.inf]), sign=sign)
    case(np.array([1.0, -np.nan, -np.inf]), sign=sign)
    case(np.array([1, 20, 3]), sign=sign)
    case(np.array([1, -20, 3]), sign=sign)
    case(np.array([1 + 2j]), sign=sign)
Path(__file__).with_name("cases.txt").write_text("\n".join(lines) + "\n")
halves = np.arange(2**16, dtype=np.uint16).view(np.float16)
halves = halves[np.isfinite(halves)]
total = sum(int.from_bytes(str(half).encode(), "big") % 1_000_003 * (index % 97 + 1) for index, half in enumerate(halves))
print(len(lines), "cases; checksum of all float16 texts:", total)
