import dpctl
import dpnp
import numpy

q1 = dpctl.SyclQueue()
q2 = dpctl.SyclQueue(q1.sycl_context, q1.sycl_device)


def attempt(label, function):
    try:
        print(label, function())
    except Exception as error:
        print(label, type(error).__name__, error)


def pointer(array):
    return array.data.ptr


a = dpnp.arange(6.0, sycl_queue=q1)
b = a.to_device(q2)
print(b is a, pointer(b) == pointer(a), b.sycl_queue == q2, a.sycl_queue == q1)
b[0] = 7
print(a)
same = a.to_device(a.device)
print(same is a, pointer(same) == pointer(a))
view = a[::2].to_device(q2)
print(view.strides, view, pointer(view) == pointer(a))
attempt("stream", lambda: a.to_device(q2, stream=1))
attempt("stream none", lambda: a.to_device(q2, stream=None))
attempt("stream queue", lambda: a.to_device(q2, stream=q1))

# asarray
print(dpnp.asarray(a) is a, dpnp.asarray(b).sycl_queue == q2, dpnp.asarray(b, device=None).sycl_queue == q2)
moved = dpnp.asarray(a, sycl_queue=q2)
print(moved.sycl_queue == q2, moved)
attempt("copy true", lambda: dpnp.asarray(a, copy=True) is a)
attempt("copy false", lambda: dpnp.asarray(a, copy=False) is a)
attempt("copy false numpy", lambda: dpnp.asarray(numpy.ones(2), copy=False))
attempt("copy false dtype", lambda: dpnp.asarray(a, dtype="f4", copy=False))
attempt("list of one queue", lambda: dpnp.asarray([b, b]).sycl_queue == q2)
attempt("with numpy", lambda: dpnp.asarray([b, numpy.ones(6)]).sycl_queue == q2)
attempt("nested", lambda: dpnp.asarray([[b, [1, 2, 3, 4, 5, 6]], [numpy.ones(6), b]]).shape)
attempt("two queues and one named", lambda: dpnp.asarray([a, b], sycl_queue=q1).sycl_queue == q1)
attempt("two queues and a device", lambda: dpnp.asarray([a, b], device=q2).sycl_queue == q2)
attempt("ragged", lambda: dpnp.asarray([[1, 2, 3], [1, 2]]))
attempt("bytes", lambda: dpnp.asarray([b"ab"]))
attempt("u8", lambda: dpnp.asarray(2**63).dtype)
attempt("empty", lambda: (dpnp.asarray([]).dtype, dpnp.asarray([]).shape))
attempt("bools", lambda: dpnp.asarray([True, False]).dtype)
attempt("mixed", lambda: dpnp.asarray([1, 2.5, True]).dtype)
attempt("complex", lambda: dpnp.asarray([1, 2j]).dtype)
attempt("both", lambda: dpnp.ones(2, device=q1, sycl_queue=q2))
attempt("both equal", lambda: dpnp.ones(2, device=q1, sycl_queue=q1))

# full
fill = dpnp.asarray(3, dtype="i4", usm_type="shared", sycl_queue=q2)
filled = dpnp.full(3, fill)
print(filled, filled.dtype, filled.usm_type, filled.sycl_queue == q2)
row = dpnp.full((2, 3), dpnp.asarray([1.0, 2, 3], sycl_queue=q2))
print(row, row.sycl_queue == q2)
print(dpnp.full(2, True).dtype, dpnp.full((), 4).shape)
attempt("bad shape", lambda: dpnp.full((2, 2), dpnp.asarray([1, 2, 3])))
attempt("full named queue", lambda: dpnp.full(2, fill, sycl_queue=q1).sycl_queue == q1)
attempt("full like", lambda: dpnp.full_like(dpnp.ones(3, dtype="f4"), 2))
attempt("arange", lambda: dpnp.arange(dpnp.asarray(3)))
