"""Every public name of dpnp, dpctl and NumPy, and every public member of their objects: recorded from the real libraries, asked here.

`names.py` under a Python that has the libraries (and a device for dpnp) records `names.txt`; `names.py ask` runs under `cellhold run`
and prints a line of JSON for each recorded name that is not there.
"""

import json
import pathlib
import sys

import dpctl
import dpctl.memory
import dpctl.program
import dpctl.utils
import dpnp
import dpnp.memory
import dpnp.scipy.linalg
import dpnp.scipy.special
import dpnp.tensor
import numpy
import numpy.exceptions
import numpy.testing

RECORDED = pathlib.Path(__file__).parent / "names.txt"

# Expressions whose members are public interface.
OWNERS = """
dpnp dpnp.linalg dpnp.fft dpnp.random dpnp.exceptions dpnp.memory dpnp.tensor dpnp.scipy.linalg dpnp.scipy.special
dpctl dpctl.memory dpctl.utils dpctl.program
dpnp.ones((2,2)) dpnp.ones(2).flags dpnp.ones(2).flat dpnp.add dpnp.sin dpnp.modf dpnp.random.RandomState() dpnp.__array_namespace_info__()
dpnp.tensor.ones((2,2)) dpnp.tensor.ones(2).flags dpnp.tensor.ones(2).device dpnp.tensor.add dpnp.tensor.sin
dpnp.tensor.finfo('f4') dpnp.tensor.iinfo('i4')
dpctl.SyclDevice() dpctl.SyclQueue() dpctl.SyclContext() dpctl.SyclEvent() dpctl.SyclPlatform() dpctl.SyclTimer()
dpctl.memory.MemoryUSMDevice(8) dpctl.memory.MemoryUSMHost(8) dpctl.memory.MemoryUSMShared(8)
dpctl.device_type dpctl.backend_type dpctl.event_status_type dpctl.global_mem_cache_type
dpctl.utils.SequentialOrderManager dpctl.utils.SequentialOrderManager[dpctl.SyclQueue()]
numpy numpy.linalg numpy.fft numpy.random numpy.exceptions numpy.testing
numpy.ones((2,2)) numpy.ones(2).flags numpy.ones(2).flat numpy.add numpy.dtype('f4') numpy.finfo('f4') numpy.iinfo('i4')
numpy.float64(1) numpy.int32(1) numpy.complex64(1) numpy.bool_(1) numpy.random.RandomState(1) numpy.random.default_rng(1)
""".split()

# Protocols that programs name, among the names that begin with an underscore.
PROTOCOLS = """
__sycl_usm_array_interface__ __dlpack__ __dlpack_device__ __array_namespace__ __array_namespace_info__ __array_interface__ __array__
__array_ufunc__ __usm_ndarray__ __version__
""".split()


def value(owner):
    """What an owner's expression gives."""
    return eval(owner, {"dpnp": dpnp, "dpctl": dpctl, "numpy": numpy})


def record():
    """Writes down the names that the installed libraries have."""
    lines = []
    for owner in OWNERS:
        names = [name for name in dir(value(owner)) if name in PROTOCOLS or not name.startswith("_")]
        if owner == "numpy.testing":
            # The rest serves NumPy's own tests.
            names = [name for name in names if name.startswith("assert_")]
        lines.append(" ".join([owner, *names]))
    RECORDED.write_text("\n".join(lines) + "\n")


def ask():
    """Prints what is missing: owner, name, class of the error and its message."""
    for line in RECORDED.read_text().splitlines():
        owner, *names = line.split(" ")
        own = value(owner)
        for name in names:
            try:
                getattr(own, name)
            except Exception as problem:
                print(json.dumps([owner, name, type(problem).__name__, str(problem)]))


if __name__ == "__main__":
    ask() if sys.argv[1:] == ["ask"] else record()
