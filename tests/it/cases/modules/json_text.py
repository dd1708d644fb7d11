import json


def attempt(f, *args, **kw):
    try:
        print(repr(f(*args, **kw)))
    except Exception as e:
        print(type(e).__name__, e)


data = {"a": [1, 2.5, None, True, False], "b": {"c": "d\u20ac\n\"\\"}, "e": [], "f": {}, "g": (1, 2), 1: 2, None: 3, True: 4, 2.5: 5}
print(json.dumps(data))
print(json.dumps(data, indent=2))
print(json.dumps(data, indent="\t", separators=(",", ":"), ensure_ascii=False))
print(json.dumps({"b": 1, "a": {"d": 1, "c": 2}}, sort_keys=True))
print(json.dumps([1e100, 1.0, -0.0, 1e-7, float("nan"), float("inf"), -float("inf"), 10**30]))
attempt(json.dumps, float("nan"), allow_nan=False)
attempt(json.dumps, [float("inf")], allow_nan=False, indent=1)
attempt(json.dumps, {1, 2})
attempt(json.dumps, {(1, 2): 3})
attempt(json.dumps, {(1, 2): 3, "a": 1}, skipkeys=True)
attempt(json.dumps, {1: 2, "a": 3}, sort_keys=True)
attempt(json.dumps, {1, 2}, default=sorted)
loop = []
loop.append(loop)
attempt(json.dumps, loop)
deep = []
for _ in range(100000):
    deep = [deep]
attempt(json.dumps, deep)
attempt(json.loads, "[" * 100000)
for text in ['"\\x"', '"\\u12"', '"\\u12zz"', '"abc', '"a\nb"', '{"a":1,}', "[1,]", "[", "{", '{"a"}', '{"a":}', "1 2", "", "nul", "-",
             "01", "[1 2]", "{1:2}", " ", '"\\', '"\\u1234', "\ufeff1", "1.", "[1,2", '{"a":1', '{"a":1 "b"', "[1,\n 2,\n x]", "tru", "1e", "-Infinity",
             "NaN", "Infinity", "1.5e3", "-0", "-0.0", "123456789012345678901234567890", '"\\ud83d\\ude00\\u20ac"', ' [1, {"a" : null}] ', '{"a":1,"a":2}']:
    attempt(json.loads, text)
attempt(json.loads, b'{"a": [1]}')
attempt(json.loads, 5)
attempt(json.loads, '[1.5, 2]', parse_float=str, parse_int=lambda s: "i" + s)
attempt(json.loads, '{"a": {"b": 1}}', object_hook=lambda d: sorted(d.items()))
attempt(json.loads, '{"a": 1, "b": 2}', object_pairs_hook=list)
try:
    json.loads("[1,\n  2 3]")
except json.JSONDecodeError as e:
    print(e.msg, e.pos, e.lineno, e.colno, repr(e.doc), isinstance(e, ValueError))


class Point:
    def __init__(self, x):
        self.x = x


class Encoder(json.JSONEncoder):
    def default(self, o):
        if isinstance(o, Point):
            return {"x": o.x}
        return super().default(o)


print(json.dumps([Point(1), Point([2])], cls=Encoder))
attempt(json.dumps, object, cls=Encoder)
print(json.JSONEncoder(indent=1).encode([1]), json.JSONDecoder().raw_decode("[1] x"))
import io
f = io.StringIO()
json.dump({"k": [1, 2]}, f, indent=1)
print(f.getvalue())
f.seek(0)
print(json.load(f))
print(json.dumps("\x7f\u20ac\U0001F600\"\\\n\x00\x1f"))
