def t(f, *a, **k):
    try:
        print(repr(f(*a, **k)))
    except Exception as e:
        print(type(e).__name__, e)


t(int, "")
t(int, "x")
t(int, "12", 2)
t(int, "z", 37)
t(int, 5, 2)
t(int, None)
t(int, [])
t(int, b"12")
t(int, b"x")
t(int, bytearray(b" 7 "))
t(int, float("nan"))
t(int, float("inf"))
t(int, "0x1f", 0)
t(int, "1_0")
t(int, 1j)
t(int, "1" * 5000)
t(int, "12", base=2.0)
t(int, base=2)
t(int, "é")
t(int, " 5 ")
t(int, "5\n6")
t(int, "a" * 300)
t(int, -7.9)
t(int, 1e30)
t(float, "")
t(float, "x")
t(float, None)
t(float, [])
t(float, "1_0.5")
t(float, b"1.5")
t(float, 1j)
t(float, 10**400)
t(float, "nan")
t(float, " inf ")
t(complex, "")
t(complex, "x")
t(complex, "1+2j")
t(complex, 1, 2)
t(complex, "1", 2)
t(complex, 1, "2")
t(complex, None)
t(complex, 1j, 1j)
t(complex, [])
t(complex, real=1, imag=3)
t(complex, 1, None)
t(bool, 1, 2)
t(bool)
t((5).to_bytes, 2, "big")
t((500).to_bytes, 1, "big")
t((-1).to_bytes, 1, "big")
t((-1).to_bytes, 2, "little", signed=True)
t((5).to_bytes)
t((5).to_bytes, 1, "x")
t((5).to_bytes, -1, "big")
t((200).to_bytes, 1, "big", signed=True)
t((0).to_bytes, 0, "big")
t(int.from_bytes, b"\x01\x00", "big")
t(int.from_bytes, b"\xff", "big", signed=True)
t(int.from_bytes, [1, 2], "little")
t(int.from_bytes, "a", "big")
t((5).as_integer_ratio)
t((0.75).as_integer_ratio)
t((-0.1).as_integer_ratio)
t(float("inf").as_integer_ratio)
t(float("nan").as_integer_ratio)
t((1e300).is_integer)
for x in (0.1, 1.0, 0.0, -5e-324, float("inf"), -1.5, 1e308):
    t(x.hex)
for x in ("0x1.8p1", "-0x.8p-3", "inf", "1.8", "x", "0x1p2000", "0x1.fffffffffffff8p0", " 0xA ", "nan", "0x1p-1080"):
    t(float.fromhex, x)
t((1.5).__trunc__)
t((1.5).__floor__)
t((-1.5).__ceil__)
t((1.5).conjugate)
print((3).real, (3).imag, (3).numerator, (3).denominator, (1 + 2j).conjugate(), (1j).imag, (1.5).real, (1.5).imag, True.real)
for args in [(1.5,), (2.5,), (-0.5,), (2.675, 2), (1234, -2), (1250, -2), (1350, -2), ("a",), (1.5, "a"), (1e308, -308), (float("nan"),),
             (float("inf"),), (1e16 + 2.5,), (1.25, 1), (0.5, 0), (1e-10, 5), (123.456, -1), (10**20 + 5, -1), (5, -3), (float("nan"), 2), (-0.0, 1), (1, None)]:
    t(round, *args)
t(abs, "a")
t(abs, -5)
t(abs, -5.5)
t(abs, 3 + 4j)
t(abs, -(2**70))
t(divmod, 1, "a")
t(divmod, 7, -2)
t(divmod, -7, 2)
t(divmod, 7.5, -2)
t(divmod, 10**30, 7)
t(divmod, 1.0, 0)
t(divmod, 1, 0)
t(pow, 2, 3, 0)
t(pow, 2, -1, 7)
t(pow, 2, -1, 4)
t(pow, 2.0, 3, 5)
t(pow, "a", 2)
t(pow, 0, -1)
t(pow, 3, 100, 7)
t(pow, -3, 5, 7)
t(pow, 2, 5, -7)
t(pow, base=2, exp=5)
for f in [lambda: 1 / 0, lambda: 1 // 0, lambda: 1 % 0, lambda: 1.0 / 0, lambda: 1.0 // 0, lambda: 1.0 % 0, lambda: 1j / 0, lambda: 0.0**-1,
          lambda: 2.0**10000, lambda: 0j**-1, lambda: 1 << -1, lambda: 1 >> -1, lambda: 1j // 1, lambda: (-8) ** (1 / 3), lambda: 10**400 / 1,
          lambda: 10**400 * 1.0, lambda: 1j < 2, lambda: 1 < "a", lambda: 5 .bit_count(), lambda: (-5).bit_length(), lambda: 1 + None,
          lambda: -"a", lambda: ~1.5, lambda: +[], lambda: 1 @ 2, lambda: 1 & 1.0, lambda: True + True, lambda: True & False, lambda: True | 2,
          lambda: ~True, lambda: 7 // 2, lambda: -7 // 2, lambda: 7 % -3, lambda: -7 % 3, lambda: 7.5 // 2, lambda: -7.5 % 2, lambda: 5.0 % -3,
          lambda: 2**-1, lambda: 2**0.5, lambda: 2**100, lambda: (-2) ** 3, lambda: 0**0, lambda: 1 << 100, lambda: -1 >> 100, lambda: 2**64 >> 60,
          lambda: 10**25 // 10**5, lambda: -(10**25) % 7, lambda: 10**25 / 10**20, lambda: 3 / 7, lambda: 2**63, lambda: -(2**63), lambda: 2**63 - 1 + 1,
          lambda: (2**62) * 4, lambda: -(2**63) // -1, lambda: 123456789**5, lambda: 10**30 & 0xFFFF, lambda: -5 & 0xFF, lambda: 5 ^ -3, lambda: 10**30 | 1,
          lambda: (1 + 2j) * (3 - 1j), lambda: (1 + 2j) / (3 - 1j), lambda: (1 + 2j) ** 2, lambda: 1j**1j, lambda: 2j**0.5, lambda: -1j, lambda: 1j + 1,
          lambda: 1 - 1j, lambda: complex(0, -1), lambda: 5 == 5.0, lambda: 2**53 + 1 == float(2**53), lambda: 10**30 == 1e30, lambda: 1 == 1 + 0j,
          lambda: float("nan") == float("nan"), lambda: 1 != "a", lambda: 2**70 > 1e20, lambda: 2**70 < float("inf"), lambda: 0.1 + 0.2]:
    t(f)
print(hash(1) == hash(1.0) == hash(True) == hash(1 + 0j), hash(0.5), hash(2**61 - 1), hash(2**61), hash(-1), hash(-2), hash(1e300), hash(float("inf")), hash(1 + 2j), hash(2**100) == hash(2.0**100))
for x in [0.1, 1e16, 1e15, 123456789012345678.0, 1e-4, 1e-5, -0.0, 1.5e300, 5e-324, 1.7976931348623157e308, 100.0, 1e22, 1e21, 0.30000000000000004, 2.0**0.5, float("-inf")]:
    print(x, repr(x), str(x))
for x in [1j, -1j, 1 + 0j, 0j, -0j, complex(-0.0, 1), 1.5 - 2.25j, 1e20 + 1j, complex(float("nan"), float("inf"))]:
    print(x, repr(x))
print(0xFF, 0o17, 0b101, 1_000, 1e3, 10**20, -(10**20), 2**200, int("9" * 30), int("-0b11", 0), int("0o17", 8), int("ff", 16))
t(str, 10**5000)
t(lambda: int("7" * 4300) % 10)
t(chr, -1)
t(chr, 0x110000)
t(chr, "a")
t(chr, 128512)
t(ord, "ab")
t(ord, 1)
t(ord, b"a")
t(ord, b"ab")
t(ord, "é")
t(hex, 1.5)
t(hex, -255)
t(oct, 8)
t(bin, -5)
t(bin, 2**65)
t(sum, ["a"])
t(sum, [[1], [2]], [])
t(sum, ["a"], "")
t(sum, [0.1] * 10)
t(sum, [1, 2.5, True, 3j])
t(sum, range(100))
t(sum, [2**62, 2**62])
t(sum, [], start=5)


class I(int):
    def __add__(self, other):
        return I(int(self) + int(other) * 10)


a = I(5)
print(a, repr(a), a + 1, type(a + 1), a * 2, type(a * 2), a == 5, hash(a), {a: 1}[5], isinstance(a, int), 1 + a, f"{a:03d}", range(10)[a], [0] * a, int(a), -a, abs(a), float(a))


class X:
    def __index__(self):
        return 3

    def __float__(self):
        return 2.5

    def __complex__(self):
        return 1j

    def __int__(self):
        return 7

    def __round__(self, n=None):
        return "r" + str(n)


x = X()
print(int(x), float(x), complex(x), [1, 2, 3, 4][x], hex(x), range(x), "a" * x, bytes(x), round(x), round(x, 2), "%d" % x, chr(x), 1 << 2, [0, 1, 2, 3, 4][:x])
print(bool(0.0), bool(-0.0), bool(0j), bool(float("nan")), bool(2**70), bool(""), bool(" "), bool(()), bool([0]), bool(None), bool(range(0)), bool(b""))
print(True, False, repr(True), str(False), int(True), True == 1, {True: "a"}[1], [10, 20][True], isinstance(True, int), bool("x"), True.__class__, bool.__mro__)
print(None, repr(None), None == 0, None is None, type(None), type(None)() is None, NotImplemented, Ellipsis, ..., type(...))
