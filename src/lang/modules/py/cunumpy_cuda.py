"""Devices of `cunumpy`: count, choice, memory, synchronisation."""

import cellhold as _cellhold
import dpctl as _dpctl
import dpnp as _dpnp
import warnings as _warnings

_warned = False


def cupy_available():
    """Whether CuPy is there: no, arrays run on the current device of this engine."""
    return False


def device_count():
    """How many devices there are."""
    return _dpctl.get_num_devices()


def set_device(i):
    """Make the i-th device of `dpctl.get_devices()` the default."""
    devices = _dpctl.get_devices()
    if not 0 <= i < len(devices):
        raise ValueError(f"device {i} does not exist: there are {len(devices)}, numbered from 0")
    _cellhold.set_default_device(devices[i])


def memory_info():
    """`(free, total)` of the current device in bytes; NaN, with one warning, for a figure that the system does not give."""
    global _warned
    free, total, live, cached = _cellhold.memory_reading()
    if (free is None or total is None) and not _warned:
        _warned = True
        _warnings.warn("the current device does not say how much memory is free; NaN means unknown", stacklevel=2)
    return (float("nan") if free is None else free, float("nan") if total is None else total)


def free_memory():
    """Free bytes of the current device; NaN when the system does not say."""
    return memory_info()[0]


def synchronize():
    """Wait until all queued work has ended."""
    _cellhold.synchronize()


class stream:
    """A block whose arrays go to a queue of their own; leaving it waits for the queue."""

    def __init__(self):
        self.queue = _dpctl.SyclQueue(_cellhold.default_device().sycl_device)

    def __enter__(self):
        self._scope = _cellhold.device(self.queue)
        self._scope.__enter__()
        return self

    def __exit__(self, *args):
        self.queue.wait()
        return self._scope.__exit__(*args)

    def synchronize(self):
        """Wait until the queue's work has ended."""
        self.queue.wait()


def pin_memory(a):
    """A copy of an array in host memory that the device can reach without staging (USM kind host)."""
    return _dpnp.asarray(a, usm_type="host", copy=True)
