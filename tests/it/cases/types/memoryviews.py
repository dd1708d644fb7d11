def t(f, *a, **k):
    try:
        print(repr(f(*a, **k)))
    except Exception as e:
        print(type(e).__name__, e)


b = bytearray(b"hello world!")
m = memoryview(b)
print(m[0], m[-1], bytes(m[1:4]), m[::2].tobytes(), m.tolist()[:3], len(m), m.format, m.itemsize, m.nbytes, m.shape, m.strides, m.ndim, m.readonly, m.contiguous)
m[0] = 72
m[1:5] = b"ELLO"
print(b, m == b, m[:5] == b"HELLO", m.obj is b, m.hex()[:6])
t(lambda: m[100])
t(lambda: m["a"])
t(lambda: m.__setitem__(0, 300))
t(lambda: m.__setitem__(0, "a"))
t(lambda: m.__setitem__(slice(0, 2), b"abc"))
t(lambda: m.__delitem__(0))
t(b.append, 1)
t(b.clear)
r = memoryview(b"abc")
print(r.readonly, r[0], bytes(r), hash(r) == hash(b"abc"), list(r), 98 in r, r.tobytes())
t(lambda: r.__setitem__(0, 1))
t(hash, m)
t(memoryview, "abc")
t(memoryview, 5)
i = memoryview(bytearray(16)).cast("i")
i[0] = -5
i[3] = 7
print(i.tolist(), i.format, i.itemsize, len(i), i.nbytes, i.shape, i[1:].tolist(), i[::-1].tolist())
t(lambda: i.__setitem__(0, 2**40))
t(lambda: i.__setitem__(0, 1.5))
d = i.cast("B").cast("d")
d[0] = 2.5
print(d.tolist(), d.format)
g = memoryview(bytearray(range(12))).cast("B", [3, 4])
print(g.tolist(), g.shape, g.ndim, g[1, 2], len(g))
t(lambda: g[0])
t(lambda: m.cast("zz"))
t(lambda: memoryview(b"abc").cast("i"))
t(lambda: i.cast("d"))
m.release()
t(lambda: m[0])
t(lambda: m.tobytes())
t(lambda: len(m))
with memoryview(b) as w:
    print(w[0])
t(lambda: w[0])
b.append(33)
print(b, m.toreadonly if False else "done")

# Membership looks at the elements.
view = memoryview(b"abcd")
print(97 in view, 300 in view, "a" in view, b"a" in view, 99 in view[1:], 97 in view[1:])
