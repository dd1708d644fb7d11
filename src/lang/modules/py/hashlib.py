"""Digests: MD5, SHA-1 and the SHA-2 family."""

import _binary

__all__ = ["md5", "sha1", "sha224", "sha256", "sha384", "sha512", "new", "algorithms_guaranteed", "algorithms_available",
           "file_digest"]

_SIZES = {"md5": (16, 64), "sha1": (20, 64), "sha224": (28, 64), "sha256": (32, 64), "sha384": (48, 128),
          "sha512": (64, 128)}
algorithms_guaranteed = set(_SIZES)
algorithms_available = set(_SIZES)


class _Hash:
    """Data so far, and its digest."""

    def __init__(self, name, data=b""):
        self.name = name
        self.digest_size, self.block_size = _SIZES[name]
        self._data = bytearray()
        self.update(data)

    def update(self, data, /):
        """Adds data."""
        if isinstance(data, str):
            raise TypeError("Strings must be encoded before hashing")
        self._data += bytes(data) if isinstance(data, memoryview) else data

    def digest(self):
        """The digest as bytes."""
        return _binary.digest(self.name, self._data)

    def hexdigest(self):
        """The digest in hexadecimal digits."""
        return self.digest().hex()

    def copy(self):
        return _Hash(self.name, self._data)

    def __repr__(self):
        return "<%s _hashlib.HASH object>" % self.name


def new(name, data=b"", *, usedforsecurity=True):
    """A digest by name."""
    if name.lower() not in _SIZES:
        raise ValueError("unsupported hash type " + name)
    return _Hash(name.lower(), data)


def md5(string=b"", *, usedforsecurity=True):
    return _Hash("md5", string)


def sha1(string=b"", *, usedforsecurity=True):
    return _Hash("sha1", string)


def sha224(string=b"", *, usedforsecurity=True):
    return _Hash("sha224", string)


def sha256(string=b"", *, usedforsecurity=True):
    return _Hash("sha256", string)


def sha384(string=b"", *, usedforsecurity=True):
    return _Hash("sha384", string)


def sha512(string=b"", *, usedforsecurity=True):
    return _Hash("sha512", string)


def file_digest(fileobj, digest, /):
    """The digest of a file opened for reading bytes."""
    made = new(digest) if isinstance(digest, str) else digest()
    while chunk := fileobj.read(1 << 18):
        made.update(chunk)
    return made
