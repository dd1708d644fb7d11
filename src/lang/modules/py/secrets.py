"""Random numbers and tokens from the system, for what must not be guessed."""

import base64
import binascii
import os

__all__ = ["choice", "randbelow", "randbits", "token_bytes", "token_hex", "token_urlsafe", "compare_digest"]

DEFAULT_ENTROPY = 32


def randbits(k):
    """A number of so many random bits."""
    if k < 0:
        raise ValueError("number of bits must be non-negative")
    return int.from_bytes(os.urandom((k + 7) // 8), "big") >> (-k % 8)


def randbelow(exclusive_upper_bound):
    """Return a random int in the range [0, n)."""
    if exclusive_upper_bound <= 0:
        raise ValueError("Upper bound must be positive.")
    bits = exclusive_upper_bound.bit_length()
    while (number := randbits(bits)) >= exclusive_upper_bound:
        pass
    return number


def choice(seq):
    """A random item of a sequence."""
    if not len(seq):
        raise IndexError("Cannot choose from an empty sequence")
    return seq[randbelow(len(seq))]


def token_bytes(nbytes=None):
    """Return a random byte string containing nbytes bytes."""
    return os.urandom(DEFAULT_ENTROPY if nbytes is None else nbytes)


def token_hex(nbytes=None):
    """Return a random text string, in hexadecimal."""
    return binascii.hexlify(token_bytes(nbytes)).decode("ascii")


def token_urlsafe(nbytes=None):
    """Return a random URL-safe text string, in Base64 encoding."""
    return base64.urlsafe_b64encode(token_bytes(nbytes)).rstrip(b"=").decode("ascii")


def compare_digest(a, b):
    """Whether two texts or bytes are equal, in a time that does not tell where they differ."""
    a, b = (x.encode("ascii") if isinstance(x, str) else bytes(x) for x in (a, b))
    differs = len(a) ^ len(b)
    for x, y in zip(a, b):
        differs |= x ^ y
    return differs == 0
