# How arrays offer themselves to other libraries, and what universal functions tell of themselves.
import dpctl
import dpctl.utils
import dpnp
import dpnp.tensor as dpt
import numpy


def attempt(call):
    try:
        print(call())
    except Exception as problem:
        print(type(problem).__name__, problem)


x = dpnp.arange(4)
t = x.get_array()
print(x.__array_namespace__().__name__, t.__array_namespace__(api_version="2024.12").__name__, x.__array_ufunc__)
attempt(lambda: x.__array_namespace__(api_version="1.1"))
attempt(lambda: x.__array_namespace__(api_version=3))
print(x.__dlpack_device__()[0] == dpnp.DLDeviceType.kDLOneAPI, int(dpt.DLDeviceType.kDLCPU), dpnp.DLDeviceType(14).name)
print(type(x.__dlpack__()).__name__, "dltensor_versioned" in repr(x.__dlpack__(max_version=(1, 0))))
attempt(lambda: x.__dlpack__(max_version=3))
attempt(lambda: x.__dlpack__(stream=3))
y = dpnp.from_dlpack(x)
y[0] = 9
print(x, type(dpt.from_dlpack(x)).__name__, type(dpnp.from_dlpack(t)) is dpnp.ndarray, numpy.from_dlpack(x, device="cpu"))
attempt(lambda: dpt.from_dlpack(3))


class Offers:
    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


print(dpnp.from_dlpack(Offers(x)))
print(type(x.__usm_ndarray__) is dpt.usm_ndarray, t.usm_data.nbytes, x.flags.flags, x.reshape(2, 2).T.flags.flags)
print(dpt.dldevice_to_sycl_device(dpt.sycl_device_to_dldevice(x.sycl_device)) == x.sycl_device)
attempt(lambda: dpt.dldevice_to_sycl_device((1, 0)))
attempt(lambda: dpt.dldevice_to_sycl_device(3))

manager = dpctl.utils.SequentialOrderManager[x.sycl_queue]
event = x.sycl_queue.submit_barrier()
manager.add_event_pair(event, event)
manager.wait()
print(manager.num_host_task_events, manager.num_submitted_events, manager is dpctl.utils.SequentialOrderManager[x.sycl_queue])
attempt(lambda: dpctl.utils.SequentialOrderManager[3])

print(dpnp.add.types, dpnp.isnan.types, dpnp.modf.types)
print(dpt.iinfo("i4").key, dpt.iinfo("i4").kind)
print(numpy.multiply.identity, numpy.logical_and.identity, numpy.maximum.identity, numpy.add.signature)
print(numpy.add.resolve_dtypes((numpy.dtype("i4"), numpy.dtype("f4"), None)))
print(numpy.add.accumulate([1, 2, 3]), numpy.maximum.accumulate(numpy.array([[1, 5, 2], [4, 0, 9]]), axis=1))
print(numpy.subtract.accumulate(numpy.array([9.0, 1, 2])), numpy.add.reduceat(numpy.arange(8), [0, 4, 1, 5]))
counts = numpy.zeros(4)
numpy.add.at(counts, [0, 2, 2, 0, 3], [1, 2, 3, 4, 5])
print(counts)
numpy.negative.at(counts, [0, 0, 3])
print(counts)

state = numpy.random.RandomState(7)
first = state.normal(size=3)
kept = state.get_state()
again = state.normal(size=4)
state.set_state(kept)
print(kept[0], kept[1].dtype, len(kept[1]), kept[2:4], bool((state.normal(size=4) == again).all()))
numpy.random.seed(3)
print(numpy.random.get_state()[1][:3], numpy.random.get_state()[2], numpy.random.get_state(legacy=False)["state"]["pos"])
numpy.random.seed(5)
print(numpy.random.multinomial(20, [0.2, 0.3, 0.5], size=2), numpy.random.dirichlet([1.0, 2.0, 3.0]))
print(numpy.random.hypergeometric(10, 5, 6, size=4), numpy.random.RandomState(2).noncentral_f(3, 5, 1.0))
print(numpy.random.Generator(numpy.random.PCG64(4)).random(2), numpy.random.default_rng(4).random(2))
print(numpy.random.default_rng(1).dirichlet([0.5, 0.5], size=2), numpy.random.default_rng(1).multinomial(9, [0.5, 0.5]))

print(numpy.median(numpy.array([3 + 1j, 1 - 1j, 1 + 2j])), numpy.median(numpy.array([[1j, 2], [3, 4]]), axis=0))
print(numpy.r_[1:4, 0, 4], numpy.c_[numpy.array([1, 2]), numpy.array([3, 4])], numpy.s_[1:3, ...])
print(list(numpy.ndenumerate(numpy.array([[1, 2]]))), numpy.base_repr(-10, 3), numpy.min_scalar_type(300))
print(numpy.packbits([1, 0, 1, 1, 0, 0, 0, 0, 1]), numpy.unpackbits(numpy.array([176], dtype="u1")))
print(numpy.float64(2.5).sum(), numpy.int32(7).reshape(1, 1), numpy.int16(-6).bit_count(), numpy.float32(3).clip(0, 1))
numpy.testing.assert_allclose([1.0, 2], [1.0, 2 + 1e-9])
attempt(lambda: numpy.testing.assert_equal({"a": [1]}, {"a": [1]}))

z = dpnp.array([1, 2, 3], dtype="u1")
z[0] = 300
z[1:] = -1
print(z, dpnp.full_like(z, 257))
z[:] = 3 + 2j
print(z)
attempt(lambda: z.fill(300))
attempt(lambda: float(dpnp.ones(1)))
attempt(lambda: complex(dpnp.ones(3)))
print(numpy.sum(numpy.array(5), axis=0), numpy.all(numpy.array(0), axis=-1), numpy.nanvar(numpy.array([numpy.inf, 1.0])))
print(numpy.ones((2, 3)).flags["ALIGNED"], numpy.ones(2).flags.behaved, numpy.dtype("f4").descr, numpy.finfo("f4").maxexp)
