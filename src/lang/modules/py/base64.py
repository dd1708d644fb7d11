"""Bytes as text in sixty-four, thirty-two and sixteen letters."""

import binascii
import _binary

__all__ = ["b64encode", "b64decode", "standard_b64encode", "standard_b64decode", "urlsafe_b64encode",
           "urlsafe_b64decode", "b32encode", "b32decode", "b16encode", "b16decode", "encodebytes", "decodebytes"]

_B32 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


def _input(s):
    if isinstance(s, str):
        if not s.isascii():
            raise ValueError("string argument should contain only ASCII characters")
        return s.encode("ascii")
    if isinstance(s, (bytes, bytearray, memoryview)):
        return bytes(s)
    raise TypeError("argument should be a bytes-like object or ASCII string, not %r" % type(s).__name__)


def _data(s):
    if isinstance(s, (bytes, bytearray, memoryview)):
        return bytes(s)
    raise TypeError("a bytes-like object is required, not '%s'" % type(s).__name__)


def b64encode(s, altchars=None):
    """Encode the bytes-like object s using Base64 and return a bytes object."""
    encoded = _binary.encode64(_data(s), False)
    if altchars is not None:
        assert len(altchars) == 2, repr(altchars)
        return encoded.translate(bytes.maketrans(b"+/", altchars))
    return encoded


def b64decode(s, altchars=None, validate=False):
    """Decode the Base64 encoded bytes-like object or ASCII string s."""
    s = _input(s)
    if altchars is not None:
        altchars = _input(altchars)
        assert len(altchars) == 2, repr(altchars)
        s = s.translate(bytes.maketrans(altchars, b"+/"))
    return binascii.a2b_base64(s, strict_mode=validate)


def standard_b64encode(s):
    return b64encode(s)


def standard_b64decode(s):
    return b64decode(s)


def urlsafe_b64encode(s):
    """Base64 with - and _ in place of + and /."""
    return _binary.encode64(_data(s), True)


def urlsafe_b64decode(s):
    return b64decode(_input(s).translate(bytes.maketrans(b"-_", b"+/")))


def b32encode(s):
    """Encode the bytes-like objects using base32 and return a bytes object."""
    s = _data(s)
    out = []
    for at in range(0, len(s), 5):
        part = s[at:at + 5]
        number = int.from_bytes(part + bytes(5 - len(part)), "big")
        letters = bytes([_B32[number >> shift & 31] for shift in range(35, -1, -5)])
        used = {1: 2, 2: 4, 3: 5, 4: 7, 5: 8}[len(part)]
        out.append(letters[:used] + b"=" * (8 - used))
    return b"".join(out)


def b32decode(s, casefold=False, map01=None):
    """Decode the base32 encoded bytes-like object or ASCII string s."""
    s = _input(s)
    if len(s) % 8:
        raise binascii.Error("Incorrect padding")
    if map01 is not None:
        s = s.translate(bytes.maketrans(b"01", b"O" + _input(map01)))
    if casefold:
        s = s.upper()
    body = s.rstrip(b"=")
    padding = len(s) - len(body)
    if padding not in (0, 1, 3, 4, 6):
        raise binascii.Error("Incorrect padding")
    out = []
    for at in range(0, len(body), 8):
        number = 0
        part = body[at:at + 8]
        for c in part:
            digit = _B32.find(bytes([c]))
            if digit < 0:
                raise binascii.Error("Non-base32 digit found")
            number = number << 5 | digit
        number <<= 5 * (8 - len(part))
        out.append(number.to_bytes(5, "big"))
    decoded = b"".join(out)
    return decoded[:len(decoded) - {0: 0, 1: 1, 3: 2, 4: 3, 6: 4}[padding]] if padding else decoded


def b16encode(s):
    """Encode the bytes-like object s using Base16 and return a bytes object."""
    return _data(s).hex().upper().encode("ascii")


def b16decode(s, casefold=False):
    """Decode the Base16 encoded bytes-like object or ASCII string s."""
    s = _input(s)
    if casefold:
        s = s.upper()
    for c in s:
        if c not in b"0123456789ABCDEF":
            raise binascii.Error("Non-base16 digit found")
    return binascii.unhexlify(s)


def encodebytes(s):
    """Base64 in lines of 76 letters."""
    s = _data(s)
    return b"".join([binascii.b2a_base64(s[at:at + 57]) for at in range(0, len(s), 57)])


def decodebytes(s):
    return binascii.a2b_base64(_data(s))
