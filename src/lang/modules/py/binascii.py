"""Bytes as hexadecimal digits and as Base64."""

import _binary

__all__ = ["a2b_base64", "a2b_hex", "b2a_base64", "b2a_hex", "crc32", "hexlify", "unhexlify", "Error", "Incomplete"]

_BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


class Error(ValueError):
    pass


class Incomplete(Exception):
    pass


def _ascii(data):
    if isinstance(data, str):
        if not data.isascii():
            raise ValueError("string argument should contain only ASCII characters")
        return data.encode("ascii")
    if isinstance(data, (bytes, bytearray, memoryview)):
        return bytes(data)
    raise TypeError("argument should be bytes, buffer or ASCII string, not %r" % type(data).__name__)


def hexlify(data, sep=None, bytes_per_sep=1):
    """Hexadecimal representation of binary data."""
    data = bytes(data)
    text = data.hex() if sep is None else data.hex(sep, bytes_per_sep)
    return text.encode("ascii")


b2a_hex = hexlify


def unhexlify(hexstr, /):
    """Binary data of hexadecimal representation."""
    text = _ascii(hexstr)
    if len(text) % 2:
        raise Error("Odd-length string")
    for c in text:
        if c not in b"0123456789abcdefABCDEF":
            raise Error("Non-hexadecimal digit found")
    return bytes.fromhex(text.decode("ascii"))


a2b_hex = unhexlify


def b2a_base64(data, /, *, newline=True):
    """Base64-code line of data."""
    return _binary.encode64(bytes(data), False) + (b"\n" if newline else b"")


def a2b_base64(data, /, *, strict_mode=False):
    """Decode a line of base64 data; what is no digit is passed over unless strict."""
    text = _ascii(data)
    digits = bytes([c for c in text if c in _BASE64])
    if strict_mode:
        body = text.rstrip(b"=")
        if body != digits:
            if text[:1] == b"=":
                raise Error("Leading padding not allowed")
            raise Error("Only base64 data is allowed" if b"=" not in body else "Discontinuous padding not allowed")
    else:
        # Digits behind the padding that ends a group of four do not count.
        kept, at = [], 0
        for c in text:
            if c == 61:
                if at % 4 >= 2 and (at % 4 == 3 or text.count(b"=") >= 2):
                    break
            elif c in _BASE64:
                kept.append(c)
                at += 1
        digits = bytes(kept)
    padding = text.count(b"=")
    left = len(digits) % 4
    if left == 1:
        raise Error("Invalid base64-encoded string: number of data characters (%d) cannot be 1 more than a multiple of 4"
                    % len(digits))
    if left and padding < 4 - left:
        raise Error("Incorrect padding")
    return _binary.decode64(digits + b"=" * (-len(digits) % 4), False)


def crc32(data, crc=0, /):
    """The CRC-32 of data."""
    return _binary.crc32(bytes(data), crc & 0xFFFFFFFF)
