import io
import os
import shutil
import tempfile

folder = tempfile.mkdtemp()
os.chdir(folder)


def attempt(f, *a, **k):
    try:
        print(repr(f(*a, **k)))
    except Exception as e:
        print(type(e).__name__, e)


with open("a.txt", "w") as f:
    print(f.write("line1\nline2\nlíne3 €\n"), f.writable(), f.readable(), f.name, f.mode, f.encoding, f)
    print("printed", 1, file=f)
    f.writelines(["x\n", "y"])
print(f.closed)
with open("a.txt") as f:
    print(f.readline(), f.readline(3), f.read(4), f.tell(), f.read())
    f.seek(0)
    print(f.readlines(), f.read(), f.readline())
    f.seek(0)
    print([line.strip() for line in f], next(f, "end"))
print(list(open("a.txt", encoding="utf-8")))
with open("a.txt", "rb") as f:
    print(f, f.read(5), f.readline(), f.tell(), f.seek(-3, 2), f.read(), f.seek(2), f.peek(1)[:3], f.readlines()[:1])
with open("a.txt", "a") as f:
    print(f.tell(), f.write("appended"))
with open("a.txt", "r+") as f:
    print(f.read(3))
    f.seek(0)
    f.write("LINE")
    f.seek(0)
    print(f.readline())
with open("b.bin", "wb") as f:
    print(f.write(bytes(range(10))), f.write(bytearray(b"xy")), f.writelines([b"1", b"2"]))
with open("b.bin", "r+b") as f:
    f.seek(3)
    f.write(b"ZZ")
    f.seek(0)
    print(f.read(), f.truncate(4), f.seek(0), f.read())
    buffer = bytearray(3)
    f.seek(0)
    print(f.readinto(buffer), buffer)
with open("nl.txt", "wb") as f:
    f.write(b"a\r\nb\rc\n")
print(open("nl.txt").read().encode(), open("nl.txt", newline="").read().encode(), open("nl.txt", newline="\n").readlines(), open("nl.txt").readlines())
with open("nl2.txt", "w", newline="\r\n") as f:
    f.write("a\nb\n")
print(open("nl2.txt", "rb").read())
with open("latin.txt", "w", encoding="latin-1") as f:
    f.write("é")
print(open("latin.txt", "rb").read(), open("latin.txt", encoding="latin-1").read())
attempt(lambda: open("latin.txt", encoding="utf-8").read())
attempt(lambda: open("latin.txt", encoding="utf-8", errors="replace").read())
attempt(lambda: open("e.txt", "w", encoding="ascii").write("é"))
attempt(open, "missing.txt")
attempt(open, ".")
attempt(open, "a.txt", "x")
attempt(open, "a.txt", "z")
attempt(open, "a.txt", "rw")
attempt(open, "a.txt", "rb", encoding="utf-8")
attempt(open, "a.txt", "w", 0)
attempt(open, "a.txt", newline="q")
attempt(open, "a.txt", encoding="nonsense")
attempt(open, "no/such/dir", "w")
attempt(open, 1.5)
attempt(lambda: open("a.txt").write("x"))
attempt(lambda: open("a2.txt", "w").read())
attempt(lambda: open("a.txt", "rb").write(b"x"))
attempt(lambda: open("a2.txt", "wb").write("x"))
attempt(lambda: open("a2.txt", "w").write(5))
attempt(lambda: f.read())
attempt(lambda: f.write("x"))
attempt(lambda: open("a.txt").seek(1, 1))
s = io.StringIO("one\ntwo\n")
print(s.read(2), s.readline(), s.tell(), s.read(), s.seek(0), list(s), s.seek(0, 2), s.write("three"), s.getvalue(), s.truncate(3), s.getvalue())
s.close()
attempt(s.read)
attempt(io.StringIO, 5)
attempt(io.StringIO().write, 5)
b = io.BytesIO(b"abc")
print(b.read(1), b.write(b"ZZZ"), b.getvalue(), b.seek(0), b.readline(), b.seek(10), b.write(b"!"), b.getvalue())
with io.StringIO() as s:
    print("into", file=s)
    print(repr(s.getvalue()))
print(isinstance(open("a.txt"), io.TextIOWrapper), isinstance(open("a.txt", "rb"), io.BufferedReader), isinstance(s, io.IOBase), io.SEEK_END, issubclass(io.UnsupportedOperation, OSError))
try:
    open("missing.txt")
except OSError as e:
    print(e.errno, e.strerror, e.filename, e.args, str(e))
os.chdir("/")
shutil.rmtree(folder)
