import os
import pathlib
import shutil
import tempfile
from pathlib import Path, PurePath

folder = tempfile.mkdtemp()
os.chdir(folder)


def attempt(f, *a, **k):
    try:
        print(repr(f(*a, **k)))
    except Exception as e:
        print(type(e).__name__, str(e).replace(folder, "FOLDER"))


print(os.path.join("a", "b", "/c", "d"), os.path.join("a", ""), os.path.split("/x/y"), os.path.splitext("a.b.c"), os.path.basename("/p/q/"), os.path.dirname("/p/q"))
for p in ["", "a//b/./c/..", "/../a", "//a", "../..", "a/.."]:
    print(repr(os.path.normpath(p)), end=" ")
print(os.path.isabs("/a"), os.path.commonprefix(["abc", "abd"]), os.path.commonpath(["/a/b", "/a/c"]), os.path.relpath("/a/b", "/a/c"), os.sep, os.linesep, os.name, os.curdir)
os.makedirs("d1/d2/d3")
os.makedirs("d1/d2", exist_ok=True)
attempt(os.makedirs, "d1/d2")
attempt(os.mkdir, "d1")
attempt(os.mkdir, "x/y")
open("d1/f.txt", "w").write("hello")
open("d1/d2/g.py", "w").write("")
print(sorted(os.listdir("d1")), os.path.exists("d1/f.txt"), os.path.isfile("d1"), os.path.isdir("d1"), os.path.getsize("d1/f.txt"))
for top, dirs, files in os.walk("."):
    dirs.sort()
    print(top, dirs, files)
print([top for top, _, _ in os.walk("d1", topdown=False)])
print(sorted((e.name, e.is_dir(), e.path) for e in os.scandir("d1")))
st = os.stat("d1/f.txt")
print(st.st_size, st[6], oct(st.st_mode)[:4], type(st).__name__, st.st_mtime > 1e9, isinstance(st.st_mtime, float), isinstance(st[8], int))
os.rename("d1/f.txt", "d1/h.txt")
os.replace("d1/h.txt", "d1/i.txt")
attempt(os.remove, "nope")
attempt(os.remove, "d1")
attempt(os.rmdir, "d1")
attempt(os.rename, "nope", "nope2")
attempt(os.listdir, "nope")
attempt(os.stat, "nope")
attempt(os.chdir, "nope")
print(os.getcwd() == os.path.realpath(folder), os.path.abspath("q") == os.path.join(os.path.realpath(folder), "q"))
os.environ["CELLHOLD_TEST"] = "1"
print(os.environ["CELLHOLD_TEST"], os.getenv("CELLHOLD_TEST"), os.getenv("NOPE_X"), os.environ.get("NOPE_X", 5), "CELLHOLD_TEST" in os.environ)
del os.environ["CELLHOLD_TEST"]
attempt(lambda: os.environ["CELLHOLD_TEST"])
attempt(lambda: os.environ.__setitem__("a", 1))
print(os.path.expandvars("$HOME/x") == os.environ["HOME"] + "/x", os.path.expanduser("~") == os.environ["HOME"], os.fspath(Path("a/b")), len(os.urandom(5)), os.getpid() > 0, os.cpu_count() > 0)
attempt(os.fspath, 5)
p = Path("d1") / "d2" / "g.py"
print(p, repr(p), p.name, p.stem, p.suffix, p.parent, p.parts, p.exists(), p.is_file(), p.with_suffix(".txt"), p.with_name("z"), p.with_stem("q"), p.suffixes, list(p.parents))
print(Path("a.tar.gz").suffixes, Path("/").name == "", Path("."), Path("a/../b"), Path("/a") / "/b", Path("a//b/./c"), "x" / Path("y"), Path("a") == Path("a/"), Path("a") < Path("b"), hash(Path("a")) == hash(Path("a")))
q = Path("new/deep")
q.mkdir(parents=True)
attempt(q.mkdir)
q.mkdir(exist_ok=True)
(q / "t.txt").write_text("text\n€")
print((q / "t.txt").read_text(), (q / "t.txt").read_bytes(), (q / "b").write_bytes(b"12"), sorted(x.name for x in q.iterdir()), (q / "t.txt").stat().st_size)
print(sorted(str(x) for x in Path(".").glob("*/*")), sorted(str(x) for x in Path(".").rglob("*.py")), sorted(str(x) for x in Path("new").glob("**/*.txt")))
with (q / "t.txt").open() as f:
    print(f.readline())
print(Path("a/b/c").relative_to("a"), Path("a/b").is_relative_to("a"), Path("a/b").joinpath("c", "d"), Path("a/b").match("*/b"), Path("/a/b").is_absolute(), Path("/a/b").as_uri(), Path("x").resolve() == Path(os.path.realpath("x")))
attempt(lambda: Path("a").relative_to("b"))
attempt(lambda: Path("a").with_suffix("x"))
attempt(lambda: Path("a") / 5)
attempt(Path("nope").read_text)
attempt(Path("nope").unlink)
Path("nope").unlink(missing_ok=True)
(q / "t.txt").rename(q / "u.txt")
(q / "u.txt").unlink()
(q / "touched").touch()
print(sorted(x.name for x in q.iterdir()), isinstance(p, os.PathLike), isinstance("s", os.PathLike), type(p).__name__, type(PurePath("a")).__name__, isinstance(Path.cwd(), Path))
shutil.copy("d1/i.txt", "copied.txt")
shutil.copytree("d1", "d1copy")
print(open("copied.txt").read(), sorted(os.listdir("d1copy")), shutil.move("copied.txt", "moved.txt"), os.path.exists("copied.txt"))
import glob
print(sorted(glob.glob("*")), sorted(glob.glob("**/*.py", recursive=True)), sorted(glob.glob("d1/*")))
with tempfile.TemporaryDirectory() as t:
    print(os.path.isdir(t))
print(os.path.exists(t))
with tempfile.NamedTemporaryFile("w+", suffix=".x") as t:
    t.write("abc")
    t.seek(0)
    print(t.read(), t.name.endswith(".x"), os.path.exists(t.name))
print(os.path.exists(t.name))
os.chdir("/")
shutil.rmtree(folder)
print(os.path.exists(folder))
