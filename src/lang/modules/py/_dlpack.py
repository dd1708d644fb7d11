"""DLPack between the arrays of this engine: device numbers, capsules, and what a capsule gives. No foreign memory is read."""

import enum

import dpctl


class DLDeviceType(enum.IntEnum):
    """Kinds of devices, by DLPack's numbers."""

    kDLCPU = 1
    kDLCUDA = 2
    kDLCUDAHost = 3
    kDLCUDAManaged = 13
    kDLROCM = 10
    kDLROCMHost = 11
    kDLOpenCL = 4
    kDLVulkan = 7
    kDLMetal = 8
    kDLVPI = 9
    kDLOneAPI = 14
    kDLWebGPU = 15
    kDLHexagon = 16
    kDLMAIA = 17
    kDLTrn = 18


class DLPackCreationError(Exception):
    """An array that DLPack cannot describe."""


DLPackCreationError.__module__ = "dpnp.tensor._dlpack"


class PyCapsule:
    """What `x.__dlpack__()` gives: one array, taken once. It holds the array's memory until then."""

    def __init__(self, array, name):
        self._array, self._name = array, name

    def __repr__(self):
        return f'<capsule object "{self._name}" at {hex(id(self))}>'

    def take(self):
        """The array; a second consumer finds none."""
        array, self._array = self._array, None
        if array is None:
            raise ValueError("the capsule was consumed already; call __dlpack__() again")
        self._name = f"used_{self._name}"
        return array


PyCapsule.__module__ = "builtins"


def sycl_device_to_dldevice(dev, /):
    """DLPack's pair of numbers for a device: `(DLDeviceType.kDLOneAPI, place among all devices)`."""
    if not isinstance(dev, dpctl.SyclDevice):
        raise TypeError(f"dev is expected to be dpctl.SyclDevice, got {type(dev)}")
    known = dpctl.get_devices()
    while dev not in known and dev.parent_device is not None:
        dev = dev.parent_device
    return DLDeviceType.kDLOneAPI, known.index(dev)


def dldevice_to_sycl_device(dl_dev, /):
    """The device of DLPack's pair of numbers."""
    if not isinstance(dl_dev, tuple):
        raise TypeError(f"dl_dev is expected to be a 2-tuple, got {type(dl_dev)}")
    if len(dl_dev) != 2:
        raise ValueError("dl_dev is expected to be a 2-tuple")
    kind, place = dl_dev
    if kind != DLDeviceType.kDLOneAPI:
        raise ValueError("dldevice type must be kDLOneAPI")
    known = dpctl.get_devices()
    if not 0 <= place < len(known):
        raise dpctl.SyclDeviceCreationError(f"Could not create a SyclDevice with the selector string '{place}'")
    return known[place]


def device_of(x):
    """`x.__dlpack_device__()`"""
    if hasattr(x, "sycl_device"):
        return sycl_device_to_dldevice(x.sycl_device)
    return 1, 0


def capsule_of(x, stream=None, max_version=None, dl_device=None, copy=None):
    """`x.__dlpack__()`"""
    if max_version is not None and not (isinstance(max_version, tuple) and len(max_version) == 2):
        raise TypeError(
            f"`__dlpack__` expects `max_version` to be a 2-tuple of integers `(major, minor)`, instead got {max_version}"
        )
    on_device = hasattr(x, "sycl_queue")
    if stream is not None and on_device:
        if not isinstance(stream, dpctl.SyclQueue):
            raise TypeError(f"stream argument type was expected to be dpctl.SyclQueue, got {type(stream)} instead")
        x.sycl_queue.wait()
    target = x
    if dl_device is not None and tuple(dl_device) != device_of(x):
        if copy is False:
            raise ValueError("the array lies on another device: copy=None or copy=True copies it")
        if dl_device[0] == DLDeviceType.kDLCPU:
            target = x.asnumpy() if on_device else x
        elif on_device:
            target = x.to_device(dldevice_to_sycl_device(tuple(dl_device)))
        else:
            raise BufferError("a NumPy array goes to a device by dpnp.asarray(x, device=...)")
    if copy and target is x:
        target = x.__copy__()
    versioned = max_version is not None and max_version[0] >= 1
    return PyCapsule(target, "dltensor_versioned" if versioned else "dltensor")


def source_of(x):
    """The array that an object offers through DLPack."""
    if not (hasattr(x, "__dlpack__") and hasattr(x, "__dlpack_device__")):
        raise TypeError(f"The argument of type {type(x)} does not implement `__dlpack__` and `__dlpack_device__` methods.")
    capsule = x.__dlpack__()
    if not isinstance(capsule, PyCapsule):
        raise TypeError(f"DLPack of other libraries is not read here: {type(x)}.__dlpack__() gave {type(capsule)}")
    return capsule.take()


def taken(library, x, device, copy):
    """`library.from_dlpack(x)`: an array of this engine as it is; what lies elsewhere is copied."""
    import dpnp
    import numpy

    if not isinstance(x, (numpy.ndarray, dpnp.ndarray, dpnp.tensor.usm_ndarray)):
        x = source_of(x)
    from_host = isinstance(x, numpy.ndarray)
    if library is numpy:
        if from_host:
            return x.copy() if copy else x.view()
        if device != "cpu":
            raise RuntimeError("Unsupported device in DLTensor. device='cpu' or x.asnumpy() copies the array to the host")
        if copy is False:
            raise BufferError("the memory is not of this device; copy=None or copy=True copies it")
        return x.asnumpy()
    place = {} if device is None else {"device": device}
    if from_host:
        if copy is False:
            raise BufferError("the memory is not of this device; copy=None or copy=True copies it")
        return library.asarray(x, **place)
    if library is not dpnp and isinstance(x, dpnp.ndarray):
        x = x.get_array()
    if library is dpnp and isinstance(x, dpnp.ndarray) and not copy and not place:
        return x.view()
    return library.asarray(x, copy=copy, **place)
