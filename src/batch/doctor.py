"""What `cellhold doctor` runs: facts about a device, its memory figures, every family of programs against the native result, and
bandwidth. The report is for people and for mail; the exit status is 0 when everything agrees."""

import sys
import time

import cellhold
import dpctl
import dpnp

wanted = sys.argv[1]
try:
    device = dpctl.SyclDevice(wanted)
except (ValueError, RuntimeError, dpctl.SyclDeviceCreationError):
    there = ", ".join(device.filter_string for device in dpctl.get_devices())
    print(f"cellhold doctor: there is no device {wanted} here. There is {there}: name it with --device.\n"
          "`cellhold devices` says why others are absent and what helps.", file=sys.stderr)
    sys.exit(2)
queue = dpctl.SyclQueue(device)
native = dpctl.SyclQueue("native:cpu:0")
has_fp64 = device.has_aspect_fp64


def amount(value):
    return "unknown" if value is None else f"{value / 2**20:,.1f} MiB"


def readings(title):
    free, total, live, cached = cellhold.memory_reading(queue)
    print(f"  {title:<28} free {amount(free)} of {amount(total)}   live {amount(live)}   cached {amount(cached)}")
    return live


print(f"cellhold {cellhold.__version__}   {device.filter_string}   {device.name}")
print(f"  driver {device.driver_version}   vendor {device.vendor}   compute units {device.max_compute_units}"
      f"   float64 {'yes' if has_fp64 else 'no'}   float16 {'yes' if device.has_aspect_fp16 else 'no'}")

print("\nMemory")
before = readings("at the start")
probe = dpnp.zeros(2**23, dtype="int64", sycl_queue=queue)
cellhold.synchronize()
during = readings("with 64 MiB allocated")
del probe
after = readings("after it was let go of")
problems = []
if during - before != 2**26 or after != before:
    problems.append("the ledger does not balance")

SEED = 20260
REAL = ["float32"] + (["float64"] if has_fp64 else [])
COMPLEX = ["complex64"] + (["complex128"] if has_fp64 else [])
WHOLE = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
LENGTH = 4_001


def values(dtype, count=LENGTH):
    """Seeded values on the native device: real ones in (0.1, 2.1), whole ones in 1..=100."""
    dpnp.random.seed(SEED + count)
    with cellhold.device(native):
        if dtype == "bool":
            return dpnp.random.rand(count) > 0.5
        if dtype in WHOLE:
            return (dpnp.random.rand(count) * 100 + 1).astype(dtype)
        if dtype in COMPLEX:
            return (dpnp.random.rand(count) + 0.1 + 1j * (dpnp.random.rand(count) - 0.5)).astype(dtype)
        return (dpnp.random.rand(count) * 2 + 0.1).astype(dtype)


def grid(x):
    return x[:3_600].reshape(60, 60)


FAMILIES = [
    ("arithmetic", REAL + COMPLEX, lambda x: x * x + x / (x + 1) - x),
    ("whole numbers", WHOLE, lambda x: (x * 3 + 7) // 2 % 5),
    ("bits", WHOLE, lambda x: (x & 12 | x ^ 5) << 1 >> 2),
    ("comparison", REAL + WHOLE, lambda x: (x > x[::-1]) | (x == 1)),
    ("truth", ["bool"], lambda x: ~x & x[::-1] ^ x),
    ("choice", REAL, lambda x: dpnp.where(x > 1, x, -x) + dpnp.maximum(x, 1) + dpnp.clip(x, 0.5, 1.5)),
    ("rounding", REAL, lambda x: dpnp.floor(x * 3) + dpnp.ceil(x) + dpnp.rint(x * 7) + dpnp.trunc(x * 5)),
    ("roots and powers", REAL, lambda x: dpnp.sqrt(x) + x**1.7 + dpnp.cbrt(x)),
    ("exponential", REAL, lambda x: dpnp.exp(-x) + dpnp.log(x) + dpnp.expm1(x) + dpnp.log1p(x) + dpnp.log2(x)),
    ("trigonometric", REAL, lambda x: dpnp.sin(2 * x) + dpnp.cos(x) + dpnp.tan(x / 3) + dpnp.arctan(x)),
    ("hyperbolic", REAL, lambda x: dpnp.sinh(x) + dpnp.cosh(x) + dpnp.tanh(x) + dpnp.arcsinh(x)),
    ("complex functions", COMPLEX, lambda x: dpnp.exp(x) + dpnp.sqrt(x) + dpnp.conj(x) * dpnp.abs(x)),
    ("casts", REAL, lambda x: (x * 50).astype("int32").astype("float32")),
    ("strided and broadcast", REAL, lambda x: grid(x).T[::2] * grid(x)[0] + grid(x)[::-2]),
    ("sum", REAL + ["int32", "int64"], lambda x: dpnp.sum(x)),
    ("sums along axes", REAL, lambda x: dpnp.sum(grid(x), axis=0) + dpnp.sum(grid(x), axis=1)),
    ("extremes", REAL + ["int32"], lambda x: dpnp.max(grid(x), axis=0) - dpnp.min(grid(x), axis=1)),
    ("positions of extremes", REAL, lambda x: dpnp.argmax(grid(x), axis=1) + dpnp.argmin(grid(x), axis=0)),
    ("mean and variance", REAL, lambda x: dpnp.mean(grid(x), axis=0) + dpnp.var(grid(x), axis=1)),
    ("running sums", REAL + ["int64"], lambda x: dpnp.cumsum(x)),
    ("matrix product", REAL, lambda x: grid(x) @ grid(x)),
    ("gather", REAL, lambda x: x[(x * 1000).astype("int64")]),
    ("mask", REAL, lambda x: x[x > 1]),
    ("store", REAL, lambda x: stored(x)),
    ("sort", REAL + ["int32"], lambda x: dpnp.sort(x)),
    ("order", REAL, lambda x: dpnp.argsort(x)),
    ("join", REAL, lambda x: dpnp.concatenate([x[:100], x[50:10:-1]])),
]


def stored(x):
    y = dpnp.zeros_like(x)
    y[::3] = x[::3]
    y[5:9] += 1
    return y


def tolerance(dtype):
    return {"float32": 2e-5, "complex64": 2e-5, "float64": 1e-11, "complex128": 1e-11}.get(str(dtype), 0)


def timed(work, x):
    started = time.perf_counter()
    result = work(x)
    cellhold.synchronize()
    return result, (time.perf_counter() - started) * 1000


def difference(ours, theirs):
    """The largest difference, relative to the largest value; infinity where shapes or dtypes differ."""
    if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
        return float("inf")
    ours, theirs = ours.to_device(native).reshape(-1), theirs.reshape(-1)
    if ours.dtype == bool or ours.dtype.kind in "iu":
        return 0.0 if bool((ours == theirs).all()) else float("inf")
    if bool((dpnp.isfinite(ours) != dpnp.isfinite(theirs)).any()):
        return float("inf")
    largest = float(abs(theirs).max())
    return float(abs(ours - theirs).max()) / (largest or 1.0)


print("\nPrograms against native:cpu:0, over", LENGTH, "elements")
print(f"  {'family':<24} {'dtype':<11} {'first, ms':>10} {'again, ms':>10} {'difference':>11}   where")
on_host = agreed = 0
for name, dtypes, work in FAMILIES:
    for dtype in dtypes:
        x = values(dtype)
        expected = work(x)
        moved = x.to_device(queue)
        fallbacks = len(cellhold.host_fallbacks())
        try:
            result, first = timed(work, moved)
            result, again = timed(work, moved)
            apart = difference(result, expected)
        except Exception as error:
            print(f"  {name:<24} {dtype:<11} failed: {type(error).__name__}: {error}")
            problems.append(f"{name} of {dtype} failed")
            continue
        ops = sorted(set(cellhold.host_fallbacks()[fallbacks:]))
        on_host += bool(ops)
        where = "device" if not ops else "host: " + ", ".join(ops)
        verdict = "" if apart <= tolerance(dtype) else "   WRONG"
        if verdict:
            problems.append(f"{name} of {dtype} differs by {apart:.1e}")
        else:
            agreed += 1
        print(f"  {name:<24} {dtype:<11} {first:>10.2f} {again:>10.2f} {apart:>11.1e}   {where}{verdict}")

print("\nBandwidth, the best of ten")
count = 10**7
total = cellhold.memory_reading(queue)[1]
if total is not None and total < count * 4 * 8:
    count = total // 64
width = 8 if has_fp64 else 4
x, y, z = (dpnp.full(count, value, dtype=REAL[-1], sycl_queue=queue) for value in (1.5, 2.5, 3.5))
best = min(timed(lambda _: x * y + z, None)[1] for _ in range(10))
print(f"  x * y + z                    {4 * width * count / best / 1e6:8.2f} GB/s over {count:,} elements of {REAL[-1]}")
best = min(timed(lambda _: dpnp.asnumpy(x), None)[1] for _ in range(10))
print(f"  device to host               {width * count / best / 1e6:8.2f} GB/s")
host = dpnp.asnumpy(x)
best = min(timed(lambda _: dpnp.asarray(host, sycl_queue=queue), None)[1] for _ in range(10))
print(f"  host to device               {width * count / best / 1e6:8.2f} GB/s")

print(f"\n{agreed} of {agreed + len([p for p in problems if 'ledger' not in p])} agree, {on_host} of them with help of the host.")
for problem in problems:
    print("PROBLEM:", problem)
if device.filter_string.startswith("sim"):
    print("This device is simulated: the report says nothing about a real one.")
sys.exit(1 if problems else 0)
