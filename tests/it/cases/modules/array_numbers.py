import array
import copy


def attempt(f, *a):
    try:
        print(repr(f(*a)))
    except Exception as e:
        print(type(e).__name__, e)


a = array.array("i", [1, 2, 3])
a.append(4)
a.extend([5, 6])
a.insert(0, -1)
print(a, len(a), a[0], a[-1], a[1:3], a[::-2], a.typecode, a.itemsize, 3 in a, list(a), a.tolist(), a.index(3), a.count(2))
a[0] = 10
a[1:3] = array.array("i", [7, 8, 9])
del a[-1]
a.remove(7)
a.reverse()
print(a, a.pop(), a.pop(0), a, a + a, a * 2, a == array.array("d", [4, 3, 9, 8]), a < array.array("i", [9]), copy.copy(a))
print(a.tobytes(), array.array("h", b"\1\0\2\0"), array.array("d", [1, 2.5]), array.array("f", [0.1]), array.array("u", "héllo"), array.array("b"), array.typecodes)
a.frombytes(b"\1\0\0\0")
a.byteswap()
print(a)
m = memoryview(a)
print(m.format, m.itemsize, m.shape, m.tolist(), m[0], m.nbytes)
m[0] = 5
attempt(a.append, 1)
m.release()
a.append(1)
print(a[0], len(a))
for code, value in [("z", 0), ("b", 200), ("b", -200), ("B", -1), ("B", 256), ("h", 40000), ("H", 70000), ("i", 2**40), ("I", -1), ("I", 2**40),
                    ("l", 2**70), ("L", -1), ("q", 2**63), ("Q", -1), ("Q", 2**64), ("i", 1.5), ("d", "x"), ("f", 1e300), ("i", "x"), ("Q", 2**64 - 1)]:
    attempt(array.array, code, [value])
attempt(array.array)
attempt(array.array, "i", "abc")
attempt(array.array, "i", 5)
attempt(array.array, 5)
attempt(lambda: a[50])
attempt(lambda: a["x"])
attempt(a.index, 99)
attempt(a.remove, 99)
attempt(a.pop, 99)
attempt(array.array("i").pop)
attempt(a.frombytes, b"abc")
attempt(lambda: a + [1])
attempt(a.extend, array.array("d"))
attempt(lambda: a.__setitem__(slice(0, 1), [1]))
