import dpnp
import numpy


def attempt(label, function):
    try:
        print(label, repr(function()))
    except Exception as error:
        print(label, type(error).__name__, error)


x = dpnp.ones(3)
attempt("list", lambda: dpnp.sin([1]))
attempt("index", lambda: x[5])
attempt("many", lambda: x[0, 0])
attempt("broadcast", lambda: x + dpnp.ones(2))
attempt("truth", lambda: bool(x))
attempt("float", lambda: float(x))
attempt("attribute", lambda: x.foo)
attempt("module", lambda: dpnp.foo)
attempt("matmul", lambda: x @ dpnp.ones(4))
attempt("axis", lambda: dpnp.flip(x, axis=3))
attempt("hash", lambda: hash(x))
attempt("item", lambda: x.item())
attempt("dtype", lambda: dpnp.ones(3, dtype="foo"))
attempt("shape", lambda: dpnp.zeros("a"))
attempt("negative", lambda: dpnp.zeros((2, -1)))
attempt("missing", lambda: dpnp.add(x))
attempt("none", lambda: dpnp.sin())
attempt("scalars", lambda: dpnp.add(1, 2))
attempt("scalar", lambda: dpnp.sin(1.0))
attempt("out type", lambda: dpnp.add(x, x, out=dpnp.ones(3, dtype="f4")))
attempt("out shape", lambda: dpnp.add(x, x, out=dpnp.ones(4)))
attempt("len", lambda: len(dpnp.array(3)))
attempt("iter", lambda: iter(dpnp.array(3)))
attempt("usm", lambda: dpnp.ones(2, usm_type="managed"))
attempt("stream", lambda: x.to_device(x.device, stream=1))
attempt("ragged", lambda: dpnp.asarray([[1, 2, 3], [1, 2]]))
attempt("copy", lambda: dpnp.asarray(numpy.ones(2), copy=False))
attempt("order", lambda: dpnp.zeros(3, order="Z"))
attempt("arange", lambda: dpnp.arange(dpnp.array(3)))
attempt("overflow", lambda: dpnp.ones(2, dtype="u1") + 300)
attempt("int", lambda: int(dpnp.array([3])))
attempt("zero", lambda: dpnp.asarray([1, 2]) / 0)
attempt("bool sub", lambda: dpnp.array([True]) - dpnp.array([True]))
attempt("index type", lambda: x["a"])
attempt("float index", lambda: x[1.0])
