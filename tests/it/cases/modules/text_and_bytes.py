"""csv, fractions, struct, base64, binascii, hashlib, logging, traceback."""
import base64
import binascii
import csv
import fractions
import hashlib
import io
import logging
import os
import re
import struct
import sys
import traceback
from fractions import Fraction as F

text = 'name,score,note\nAnn,1.5,"says ""hi"", twice"\nBob,2,\n"multi\nline",3,x\n'
for row in csv.reader(io.StringIO(text)):
    print(row)
rows = list(csv.DictReader(io.StringIO(text)))
print(rows[0], rows[2]["name"], len(rows))
out = io.StringIO()
w = csv.writer(out)
print(w.writerow(["a", 1, 2.5, None, 'q"q', "x,y", "line\nend"]), w.writerow([""]), w.writerow([]))
csv.DictWriter(out, ["b", "a"], restval="-").writeheader()
csv.DictWriter(out, ["b", "a"], restval="-").writerows([{"a": 1}, {"b": 2, "a": 3}])
csv.writer(out, delimiter=";", quoting=csv.QUOTE_ALL, lineterminator="\n").writerow(["a", 1])
csv.writer(out, quoting=csv.QUOTE_NONE, escapechar="\\").writerow(["a,b", 'c"d'])
csv.writer(out, quoting=csv.QUOTE_NONNUMERIC).writerow(["a", 1, 2.0])
print(repr(out.getvalue()))
print(list(csv.reader(["a;b;'c;d'"], delimiter=";", quotechar="'")), list(csv.reader(["1, 2,\"3\""], quoting=csv.QUOTE_NONNUMERIC, skipinitialspace=True)), list(csv.reader(["a\tb"], dialect="excel-tab")), list(csv.reader(["", "a"])), csv.list_dialects())
for bad in [lambda: csv.writer(out).writerow(3), lambda: csv.DictWriter(out, ["a"]).writerow({"z": 1}), lambda: list(csv.reader(["a"], delimiter="ab")), lambda: csv.get_dialect("none"), lambda: csv.writer(3)]:
    try:
        bad()
    except Exception as e:
        print(type(e).__name__, e)

print(F(3, 6), repr(F(3, -6)), F("0.75"), F(" -1/3 "), F("1e-2"), F(0.5), F(7), F(F(1, 2), 3))
print(F(1, 3) + F(1, 6), F(1, 3) - 1, 2 * F(1, 3), 1 / F(2, 3), F(1, 2) ** 3, F(1, 2) ** -2, 2 ** F(2), F(4) ** F(1, 2), F(1, 2) + 0.25, F(7, 2) // 1, F(-7, 2) % 1, divmod(F(7, 2), F(3, 4)), -F(1, 2), abs(F(-1, 2)))
print(F(1, 2) == 0.5, F(1, 2) < 1, F(1, 3) > 0.3, F(2) == 2, hash(F(2)) == hash(2), hash(F(1, 2)) == hash(0.5), {F(1, 2): 1}[0.5], bool(F(0)), int(F(-7, 2)), round(F(5, 2)), round(F(7, 2)), round(F(355, 113), 3), float(F(1, 3)), sorted([F(1, 2), 0.25, 1]), sum([F(1, 3)] * 3), F("3.1415926535897932").limit_denominator(1000), F(1, 3).as_integer_ratio())
for bad in [lambda: F(1, 0), lambda: F("x"), lambda: F(1.5, 2), lambda: F(1) / 0, lambda: F(0) ** -1]:
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)

print(struct.pack("<ihq?d", 1, -2, 3, True, 0.5), struct.unpack(">HbB", b"\x01\x02\xff\xff"), struct.calcsize("bhlq"), struct.calcsize("<bhlq"), struct.pack("3s5pxc", b"ab", b"xyz", b"c"), struct.unpack("3s5pxc", struct.pack("3s5pxc", b"ab", b"xyz", b"c")))
print(struct.pack("!e f".replace(" ", ""), 1.5, -0.25), list(struct.iter_unpack("<2h", bytes(range(8)))), struct.unpack_from("<I", b"xx\x01\0\0\0", 2), struct.unpack("<Q", b"\xff" * 8), struct.Struct(">I").pack(7), struct.Struct(">I").size)
buffer = bytearray(8)
struct.pack_into("<H", buffer, 3, 513)
print(buffer)
for bad in [lambda: struct.pack("b", 200), lambda: struct.pack("h", 1 << 20), lambda: struct.pack("I", -1), lambda: struct.pack("i", "a"), lambda: struct.pack("ii", 1), lambda: struct.unpack("i", b"abc"), lambda: struct.pack("y", 1), lambda: struct.pack("d", "x"), lambda: struct.pack("c", b"ab"), lambda: struct.pack("q", 1 << 70)]:
    try:
        print(bad())
    except struct.error as e:
        print("struct.error", e)

print(base64.b64encode(b"any carnal pleas"), base64.b64decode("YW55IGNhcm5hbCBwbGVhcw=="), base64.b64decode(b"YW5\n5"), base64.urlsafe_b64encode(b"\xfb\xff"), base64.urlsafe_b64decode("-_8="), base64.b32encode(b"hello"), base64.b32decode("NBSWY3DP"), base64.b16encode(b"\x01\xab"), base64.b16decode("01AB"), base64.b64encode(b"\xfb\xff", b"-_"))
print(binascii.hexlify(b"\x01\xff"), binascii.unhexlify("01ff"), binascii.crc32(b"hello"), binascii.crc32(b"lo", binascii.crc32(b"hel")), binascii.b2a_base64(b"x"), base64.encodebytes(b"a" * 60))
for bad in [lambda: base64.b64decode("abc"), lambda: base64.b64decode("a"), lambda: binascii.unhexlify("abc"), lambda: binascii.unhexlify("zz"), lambda: base64.b64encode("s")]:
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
print(hashlib.md5(b"a").hexdigest(), hashlib.sha1(b"a").hexdigest(), hashlib.sha256(b"a").hexdigest(), hashlib.new("sha512", b"a").hexdigest()[:16], hashlib.sha224().digest_size, hashlib.sha384().block_size)
h = hashlib.sha256()
h.update(b"a")
h.update(b"b")
print(h.hexdigest() == hashlib.sha256(b"ab").hexdigest(), h.name)

stream = io.StringIO()
logging.basicConfig(stream=stream, level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
log = logging.getLogger("app.part")
log.debug("hidden")
log.info("x = %d, y = %s", 1, "two")
log.warning("%(a)s", {"a": 5})
try:
    1 / 0
except ZeroDivisionError:
    log.exception("failed")
logging.getLogger("app").setLevel("ERROR")
log.warning("now hidden")
log.error("shown")
handler = logging.StreamHandler(stream)
handler.setFormatter(logging.Formatter("{levelname:>8}|{message}", style="{"))
log.addHandler(handler)
log.propagate = False
log.critical("own")
print(re.sub(r"File .*, line", "File, line", stream.getvalue()))
print(log, logging.getLogger() is logging.root, logging.getLevelName(20), logging.getLevelName("INFO"), log.isEnabledFor(10), logging.getLogger("app") is log.parent)


def inner():
    raise ValueError("deep")


try:
    try:
        inner()
    except ValueError as e:
        raise KeyError("outer") from e
except KeyError as e:
    lines = traceback.format_exc().splitlines()
    print(lines[0], len(lines), lines[-1])
    print(traceback.format_exception_only(e), traceback.format_exception_only(type(e), e))
    print([(frame.lineno, frame.name, frame.line) for frame in traceback.extract_tb(e.__cause__.__traceback__)])
    print("".join(traceback.format_exception(e)) == traceback.format_exc(), len(traceback.format_tb(e.__traceback__)))
    out = io.StringIO()
    traceback.print_exc(file=out)
    print(out.getvalue() == traceback.format_exc())
print(traceback.format_exc(), os.path.isabs(__file__), os.path.basename(__file__))
