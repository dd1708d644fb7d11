"""Values as C lays them out: packing into bytes and reading back."""

import _struct

__all__ = ["calcsize", "pack", "pack_into", "unpack", "unpack_from", "iter_unpack", "Struct", "error"]


class error(Exception):
    pass


def _format(format):
    if isinstance(format, bytes):
        return format.decode("latin-1")
    if isinstance(format, str):
        return format
    raise TypeError("Struct() argument 1 must be a str or bytes object, not %s" % type(format).__name__)


def _asked(function, *args):
    try:
        return function(*args)
    except ValueError as e:
        raise error(*e.args) from None


def calcsize(format, /):
    """Return size in bytes of the struct described by the format string."""
    return _asked(_struct.calcsize, _format(format))


def pack(format, /, *v):
    """Return a bytes object containing the values packed according to the format string."""
    return _asked(_struct.pack, _format(format), v)


def pack_into(format, buffer, offset, /, *v):
    """Pack the values and write the bytes into the buffer starting at offset."""
    packed = pack(format, *v)
    length = len(buffer)
    if offset < 0:
        if offset + length < 0:
            raise error("offset %d out of range for %d-byte buffer" % (offset, length))
        offset += length
    if length - offset < len(packed):
        raise error("pack_into requires a buffer of at least %d bytes for packing %d bytes at offset %d "
                    "(actual buffer size is %d)" % (offset + len(packed), len(packed), offset, length))
    buffer[offset:offset + len(packed)] = packed


def unpack(format, buffer, /):
    """Return a tuple containing values unpacked according to the format string."""
    wanted = calcsize(format)
    if len(buffer) != wanted:
        raise error("unpack requires a buffer of %d bytes" % wanted)
    return _asked(_struct.unpack, _format(format), bytes(buffer), 0)


def unpack_from(format, /, buffer, offset=0):
    """Return a tuple of values from the buffer, starting at offset."""
    wanted, length = calcsize(format), len(buffer)
    if offset < 0:
        if offset + length < 0:
            raise error("offset %d out of range for %d-byte buffer" % (offset, length))
        offset += length
    if length - offset < wanted:
        raise error("unpack_from requires a buffer of at least %d bytes for unpacking %d bytes at offset %d "
                    "(actual buffer size is %d)" % (offset + wanted, wanted, offset, length))
    return _asked(_struct.unpack, _format(format), bytes(buffer[offset:offset + wanted]), 0)


def iter_unpack(format, buffer, /):
    """Return an iterator yielding tuples unpacked from equal pieces of the buffer."""
    wanted = calcsize(format)
    if wanted == 0:
        raise error("cannot iteratively unpack with a struct of length 0")
    if len(buffer) % wanted:
        raise error("iterative unpacking requires a buffer of a multiple of %d bytes" % wanted)
    return iter([unpack_from(format, buffer, at) for at in range(0, len(buffer), wanted)])


class Struct:
    """A format with its functions as methods."""

    def __init__(self, format):
        self.format = _format(format)
        self.size = calcsize(format)

    def pack(self, *v):
        return pack(self.format, *v)

    def pack_into(self, buffer, offset, *v):
        return pack_into(self.format, buffer, offset, *v)

    def unpack(self, buffer):
        return unpack(self.format, buffer)

    def unpack_from(self, buffer, offset=0):
        return unpack_from(self.format, buffer, offset)

    def iter_unpack(self, buffer):
        return iter_unpack(self.format, buffer)
