# Arrays of one device and context on different queues do not mix; which error says so differs here and there, so a case
# prints whether one of the two classes of dpnp does.
import dpctl
import dpnp.tensor
import dpnp

q1, q2 = dpctl.SyclQueue(), dpctl.SyclQueue()
a = dpnp.arange(4.0, sycl_queue=q1)
b = dpnp.arange(4.0, sycl_queue=q2)
m = dpnp.ones((2, 2), sycl_queue=q1)
n = dpnp.ones((2, 2), sycl_queue=q2)
out = dpnp.zeros(4, sycl_queue=q2)
index = dpnp.asarray([0, 1], sycl_queue=q2)
mask = dpnp.asarray([True, False, True, False], sycl_queue=q2)
zero_d = dpnp.asarray(2.0, sycl_queue=q2)


def refused(label, function):
    try:
        result = function()
        print(label, "done", result)
    except Exception as error:
        name = type(error).__name__
        print(label, "refused", name in ("ExecutionPlacementError", "ValueError"))


def in_place(x, y):
    x += y
    return x


def set_all(x, y):
    x[:] = y


def set_one(x, y):
    x[0] = y[1]


refused("add", lambda: a + b)
refused("subtract", lambda: a - b)
refused("in place", lambda: in_place(a.copy(), b))
refused("ufunc", lambda: dpnp.add(a, b))
refused("maximum", lambda: dpnp.maximum(a, b))
refused("equal", lambda: a == b)
refused("power", lambda: a**b)
refused("where", lambda: dpnp.where(a > 1, a, b))
refused("clip", lambda: dpnp.clip(a, 0, b))
refused("out", lambda: dpnp.add(a, a, out=out))
refused("sum out", lambda: dpnp.sum(m, axis=0, out=dpnp.zeros(2, sycl_queue=q2)))
refused("index", lambda: a[index])
refused("mask", lambda: a[mask])
refused("asarray", lambda: dpnp.asarray([a, b]))
refused("asarray nested", lambda: dpnp.asarray([[a], [b]]))
refused("matmul", lambda: m @ n)
refused("dot", lambda: dpnp.dot(a, b))
refused("vdot", lambda: dpnp.vdot(a, b))
refused("take", lambda: dpnp.take(a, index))
refused("allclose", lambda: dpnp.allclose(a, b))
refused("array_equal", lambda: dpnp.array_equal(a, b))
refused("interp", lambda: dpnp.interp(a, b, b))
refused("einsum", lambda: dpnp.einsum("i,i->", a, b))
refused("meshgrid", lambda: dpnp.meshgrid(a, b))
refused("solve", lambda: dpnp.linalg.solve(m + dpnp.eye(2, sycl_queue=q1), dpnp.ones(2, sycl_queue=q2)))
refused("concatenate", lambda: dpnp.concatenate([a, b]))
refused("stack", lambda: dpnp.stack([a, b]))
refused("hstack", lambda: dpnp.hstack([a, b]))
refused("set all", lambda: set_all(a, b))
refused("set one", lambda: set_one(a, b))
refused("copyto", lambda: dpnp.copyto(a, b))
refused("full_like", lambda: dpnp.full_like(a, zero_d))
refused("linspace", lambda: dpnp.linspace(zero_d, dpnp.asarray(5.0, sycl_queue=q1), 3))
refused("cross", lambda: dpnp.cross(a[:3], b[:3]))
refused("outer", lambda: dpnp.outer(a, b))
refused("kron", lambda: dpnp.kron(a, b))
refused("searchsorted", lambda: dpnp.searchsorted(a, b))
refused("isclose", lambda: dpnp.isclose(a, b))
refused("put", lambda: dpnp.put(a, index, 1))
refused("choose", lambda: dpnp.choose(index, [a[:2], a[2:]]))
refused("scalar mixes", lambda: (a + 1).sycl_queue == q1)
print(a, b, (a * 2).sycl_queue == q1, a[1:].sycl_queue == q1, a.astype("f4").sycl_queue == q1, a.sum().sycl_queue == q1)
print(dpnp.tensor.get_execution_queue([q1, q1]) == q1, dpnp.tensor.get_execution_queue([q1, q2]), dpnp.tensor.get_execution_queue([]))
c = b.to_device(a.device)
print((a + c), c.sycl_queue == q1)
