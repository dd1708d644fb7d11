# Memory objects and the dictionaries that describe memory, well and badly formed.
import dpctl
import dpctl.memory as dpmem
import dpnp

queue = dpctl.SyclQueue()
memory = dpmem.MemoryUSMShared(32, queue=queue)


class Described:
    def __init__(self, **changes):
        given = dict(memory.__sycl_usm_array_interface__)
        for key, value in changes.items():
            if value is Ellipsis:
                given.pop(key, None)
            else:
                given[key] = value
        self.__sycl_usm_array_interface__ = given


def attempt(label, function):
    try:
        print(label, function())
    except Exception as error:
        print(label, type(error).__name__)


def length(**changes):
    def ask():
        try:
            return len(dpmem.as_usm_memory(Described(**changes)))
        except (TypeError, ValueError):
            return "refused"

    return ask


pointer = memory.__sycl_usm_array_interface__["data"][0]
attempt("as it is", length())
attempt("eight", length(shape=(4,), typestr="|f8"))
attempt("strided", length(shape=(2,), strides=(2,), typestr="|f8"))
attempt("two dimensions", length(shape=(2, 2), strides=None, typestr="|f8"))
attempt("offset", length(shape=(2,), offset=2, typestr="|f8"))
attempt("version", length(version=2))
attempt("no version", length(version=...))
attempt("no data", length(data=...))
attempt("data is a number", length(data=pointer))
attempt("data is short", length(data=(pointer,)))
attempt("data is none", length(data=None))
attempt("data is text", length(data=("a", False)))
attempt("foreign pointer", length(data=(12345, False)))
attempt("no shape", length(shape=...))
attempt("negative shape", length(shape=(-4,)))
attempt("shape is a number", length(shape=4))
attempt("shape is text", length(shape=("a",)))
attempt("bad typestr", length(typestr="<f3"))
attempt("typestr is a number", length(typestr=8))
attempt("strides are text", length(strides=("a",)))
attempt("strides are too many", length(strides=(1, 1)))
attempt("no syclobj", length(syclobj=...))
attempt("syclobj none", length(syclobj=None))
attempt("syclobj number", length(syclobj=7))
attempt("syclobj device", length(syclobj=queue.sycl_device))
attempt("syclobj queue", length(syclobj=queue))
attempt("syclobj context", length(syclobj=queue.sycl_context))
attempt("syclobj absent", length(syclobj="gpu:7"))


class Plain:
    pass


class NotADict:
    __sycl_usm_array_interface__ = 3


attempt("nothing", lambda: dpmem.as_usm_memory(Plain()))
attempt("no dict", lambda: dpmem.as_usm_memory(NotADict()))
attempt("a number", lambda: dpmem.as_usm_memory(3))
attempt("from array", lambda: len(dpmem.as_usm_memory(dpnp.ones(3, usm_type="host"))))

# Constructors
for kind in [dpmem.MemoryUSMDevice, dpmem.MemoryUSMShared, dpmem.MemoryUSMHost]:
    name = kind.__name__
    for nbytes in [16, True, 0, -1, 1.5, "a", None, b"abc"]:
        attempt(f"{name} {nbytes!r}", lambda: kind(nbytes).nbytes)
    attempt(f"{name} alignment", lambda: kind(16, alignment=64).nbytes)
    attempt(f"{name} alignment ignored", lambda: kind(16, alignment=-4).nbytes)
    attempt(f"{name} bad alignment", lambda: kind(16, alignment=3).nbytes)
    attempt(f"{name} bad queue", lambda: kind(16, queue="cpu").nbytes)
    attempt(f"{name} of shared", lambda: kind(memory).nbytes)
    attempt(f"{name} of shared copied", lambda: kind(memory, copy=True).nbytes)
    attempt(f"{name} strided", lambda: kind(dpnp.ones(6, usm_type=name[9:].lower())[::2]).nbytes)
    attempt(f"{name} reversed", lambda: kind(dpnp.ones(6, usm_type=name[9:].lower())[::-1]).nbytes)
    one = kind(16)
    attempt(f"{name} too much", lambda: one.copy_from_host(bytearray(17)))
    attempt(f"{name} prefix", lambda: one.copy_from_host(bytearray(b"abcd")))
    attempt(f"{name} read", lambda: bytes(one.copy_to_host()[:4]))
    attempt(f"{name} into too little", lambda: one.copy_to_host(bytearray(3)))
    attempt(f"{name} into bytes", lambda: one.copy_to_host(bytes(16)))
    attempt(f"{name} from device", lambda: one.copy_from_device(dpmem.MemoryUSMShared(17)))
    attempt(f"{name} from nothing", lambda: one.copy_from_device(bytearray(3)))
    attempt(f"{name} memset", lambda: (one.memset(7), one.tobytes()[:3]))
    attempt(f"{name} memset too large", lambda: one.memset(-1))
    attempt(f"{name} index", lambda: one[0])
    attempt(f"{name} kind", lambda: (one.get_usm_type(), len(one), one.size, one.reference_obj))
    attempt(f"{name} kind of", lambda: one.get_usm_type(1))
    attempt(f"{name} view", lambda: memoryview(one).nbytes)
