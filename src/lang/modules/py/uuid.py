"""Universally unique identifiers."""

import os
import time


class UUID:
    """Instances of the UUID class represent UUIDs as specified in RFC 4122."""

    def __init__(self, hex=None, bytes=None, bytes_le=None, fields=None, int=None, version=None):
        if [hex, bytes, int].count(None) != 2:
            raise TypeError("one of the hex, bytes, bytes_le, fields, or int arguments must be given")
        if hex is not None:
            hex = hex.replace("urn:", "").replace("uuid:", "").strip("{}").replace("-", "")
            if len(hex) != 32:
                raise ValueError("badly formed hexadecimal UUID string")
            int = _whole(hex, 16)
        if bytes is not None:
            if len(bytes) != 16:
                raise ValueError("bytes is not a 16-char string")
            int = _whole.from_bytes(bytes, "big")
        if not 0 <= int < 1 << 128:
            raise ValueError("int is out of range (need a 128-bit value)")
        if version is not None:
            int = int & ~(0xC000 << 48) | 0x8000 << 48
            int = int & ~(0xF000 << 64) | version << 76
        object.__setattr__(self, "int", int)

    def __setattr__(self, name, value):
        raise TypeError("UUID objects are immutable")

    @property
    def hex(self):
        return "%032x" % self.int

    @property
    def bytes(self):
        return self.int.to_bytes(16, "big")

    @property
    def version(self):
        return (self.int >> 76) & 0xF if (self.int >> 62) & 3 == 2 else None

    @property
    def urn(self):
        return "urn:uuid:" + str(self)

    def __str__(self):
        hex = self.hex
        return f"{hex[:8]}-{hex[8:12]}-{hex[12:16]}-{hex[16:20]}-{hex[20:]}"

    def __repr__(self):
        return f"{self.__class__.__name__}({str(self)!r})"

    def __int__(self):
        return self.int

    def __eq__(self, other):
        return self.int == other.int if isinstance(other, UUID) else NotImplemented

    def __lt__(self, other):
        return self.int < other.int if isinstance(other, UUID) else NotImplemented

    def __hash__(self):
        return hash(self.int)


_whole = int


def uuid4():
    """Generate a random UUID."""
    return UUID(bytes=os.urandom(16), version=4)


def uuid1(node=None, clock_seq=None):
    """Generate a UUID from a host ID, sequence number, and the current time."""
    ticks = time.time_ns() // 100 + 0x01B21DD213814000
    random = _whole.from_bytes(os.urandom(8), "big")
    clock_seq = random & 0x3FFF if clock_seq is None else clock_seq
    node = random >> 16 | 1 << 40 if node is None else node
    value = (ticks & 0xFFFFFFFF) << 96 | (ticks >> 32 & 0xFFFF) << 80 | (ticks >> 48 & 0x0FFF) << 64
    return UUID(int=value | (clock_seq & 0x3FFF) << 48 | node, version=1)


def _named(namespace, name, algorithm, version):
    import hashlib
    name = name.encode() if isinstance(name, str) else name
    return UUID(bytes=hashlib.new(algorithm, namespace.bytes + name).digest()[:16], version=version)


def uuid3(namespace, name):
    """Generate a UUID from the MD5 hash of a namespace UUID and a name."""
    return _named(namespace, name, "md5", 3)


def uuid5(namespace, name):
    """Generate a UUID from the SHA-1 hash of a namespace UUID and a name."""
    return _named(namespace, name, "sha1", 5)


NAMESPACE_DNS = UUID("6ba7b810-9dad-11d1-80b4-00c04fd430c8")
NAMESPACE_URL = UUID("6ba7b811-9dad-11d1-80b4-00c04fd430c8")
NAMESPACE_OID = UUID("6ba7b812-9dad-11d1-80b4-00c04fd430c8")
NAMESPACE_X500 = UUID("6ba7b814-9dad-11d1-80b4-00c04fd430c8")
