"""Object-oriented filesystem paths."""

import io
import os
from fnmatch import fnmatchcase

__all__ = ["PurePath", "PurePosixPath", "Path", "PosixPath"]


class _Parents:
    """The ancestors of a path, nearest first."""

    def __init__(self, path):
        self._make = path._from_parts
        self._root = path._root
        self._tail = path._tail

    def __len__(self):
        return len(self._tail)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(len(self))))
        if index >= len(self) or index < -len(self):
            raise IndexError(index)
        if index < 0:
            index += len(self)
        return self._make(self._root, self._tail[: len(self._tail) - index - 1])

    def __iter__(self):
        for i in range(len(self)):
            yield self[i]

    def __repr__(self):
        return "<PosixPath.parents>"


class PurePath:
    """Base class for manipulating paths without I/O."""

    def __new__(cls, *args):
        if cls is PurePath:
            cls = PurePosixPath
        elif cls is Path:
            cls = PosixPath
        self = object.__new__(cls)
        root, tail = "", []
        for arg in args:
            if isinstance(arg, PurePath):
                text = str(arg)
            else:
                text = os.fspath(arg)
                if not isinstance(text, str):
                    raise TypeError("argument should be a str or an os.PathLike object where __fspath__ returns a str, "
                                    f"not {type(text).__name__!r}")
            if text.startswith("/"):
                root = "//" if text.startswith("//") and not text.startswith("///") else "/"
                tail = []
            tail.extend(part for part in text.split("/") if part and part != ".")
        self._root = root
        self._tail = tail
        return self

    def __init__(self, *args):
        pass

    @classmethod
    def _make_class(cls):
        return {PurePath: PurePosixPath, Path: PosixPath}.get(cls, cls)

    def _from_parts(self, root, tail):
        other = object.__new__(type(self))
        other._root = root
        other._tail = list(tail)
        return other

    def __str__(self):
        return self._root + "/".join(self._tail) or "."

    def __fspath__(self):
        return str(self)

    def as_posix(self):
        return str(self)

    def __bytes__(self):
        return os.fsencode(self)

    def __repr__(self):
        return f"{self.__class__.__name__}({str(self)!r})"

    def as_uri(self):
        if not self.is_absolute():
            raise ValueError("relative path can't be expressed as a file URI")
        safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-~/"
        return "file://" + "".join(chr(b) if chr(b) in safe else f"%{b:02X}" for b in bytes(self))

    def _key(self):
        return (self._root, self._tail)

    def __eq__(self, other):
        if not isinstance(other, PurePath):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self):
        return hash((self._root, tuple(self._tail)))

    def __lt__(self, other):
        if not isinstance(other, PurePath):
            return NotImplemented
        return list(self.parts) < list(other.parts)

    def __le__(self, other):
        if not isinstance(other, PurePath):
            return NotImplemented
        return list(self.parts) <= list(other.parts)

    def __gt__(self, other):
        if not isinstance(other, PurePath):
            return NotImplemented
        return list(self.parts) > list(other.parts)

    def __ge__(self, other):
        if not isinstance(other, PurePath):
            return NotImplemented
        return list(self.parts) >= list(other.parts)

    def __truediv__(self, key):
        try:
            return type(self)(self, key)
        except TypeError:
            return NotImplemented

    def __rtruediv__(self, key):
        try:
            return type(self)(key, self)
        except TypeError:
            return NotImplemented

    @property
    def parts(self):
        return ((self._root,) if self._root else ()) + tuple(self._tail)

    @property
    def drive(self):
        return ""

    @property
    def root(self):
        return self._root

    @property
    def anchor(self):
        return self._root

    @property
    def name(self):
        return self._tail[-1] if self._tail else ""

    @property
    def suffix(self):
        name = self.name
        i = name.rfind(".")
        return name[i:] if 0 < i < len(name) - 1 else ""

    @property
    def suffixes(self):
        name = self.name
        if name.endswith("."):
            return []
        return ["." + suffix for suffix in name.lstrip(".").split(".")[1:]]

    @property
    def stem(self):
        name = self.name
        i = name.rfind(".")
        return name[:i] if 0 < i < len(name) - 1 else name

    @property
    def parent(self):
        return self._from_parts(self._root, self._tail[:-1]) if self._tail else self

    @property
    def parents(self):
        return _Parents(self)

    def with_name(self, name):
        if not self.name:
            raise ValueError(f"{self!r} has an empty name")
        if not name or "/" in name or name == ".":
            raise ValueError(f"Invalid name {name!r}")
        return self._from_parts(self._root, self._tail[:-1] + [name])

    def with_stem(self, stem):
        return self.with_name(stem + self.suffix)

    def with_suffix(self, suffix):
        if "/" in suffix or suffix and not suffix.startswith(".") or suffix == ".":
            raise ValueError(f"Invalid suffix {suffix!r}")
        name = self.name
        if not name:
            raise ValueError(f"{self!r} has an empty name")
        old = self.suffix
        name = name + suffix if not old else name[: -len(old)] + suffix
        return self._from_parts(self._root, self._tail[:-1] + [name])

    def relative_to(self, *other):
        if not other:
            raise TypeError("need at least one argument")
        other = type(self)(*other)
        count = len(other._tail)
        if self._root != other._root or self._tail[:count] != other._tail:
            raise ValueError(f"{str(self)!r} is not in the subpath of {str(other)!r}"
                             " OR one path is relative and the other is absolute.")
        return self._from_parts("", self._tail[count:])

    def is_relative_to(self, *other):
        try:
            self.relative_to(*other)
            return True
        except ValueError:
            return False

    def is_absolute(self):
        return bool(self._root)

    def is_reserved(self):
        return False

    def joinpath(self, *args):
        return type(self)(self, *args)

    def match(self, path_pattern):
        pattern = PurePosixPath(path_pattern)
        if not pattern.parts:
            raise ValueError("empty pattern")
        wanted, own = pattern.parts, self.parts
        if pattern._root:
            if len(wanted) != len(own):
                return False
        elif len(wanted) > len(own):
            return False
        return all(fnmatchcase(a, b) for a, b in zip(reversed(own), reversed(wanted)))


class PurePosixPath(PurePath):
    """PurePath subclass for non-Windows systems."""


class Path(PurePath):
    """PurePath subclass that can make system calls."""

    @classmethod
    def cwd(cls):
        return cls(os.getcwd())

    @classmethod
    def home(cls):
        return cls("~").expanduser()

    def samefile(self, other_path):
        return os.path.samefile(self, other_path)

    def stat(self, *, follow_symlinks=True):
        return os.stat(self, follow_symlinks=follow_symlinks)

    def lstat(self):
        return os.lstat(self)

    def owner(self):
        raise NotImplementedError("Path.owner() is not here: this kernel reads no user database")

    def exists(self):
        return os.path.exists(self)

    def is_file(self):
        return os.path.isfile(self)

    def is_dir(self):
        return os.path.isdir(self)

    def is_symlink(self):
        return os.path.islink(self)

    def is_mount(self):
        return os.path.ismount(self)

    def iterdir(self):
        for name in os.listdir(self):
            yield self._from_parts(self._root, self._tail + [name])

    def _walk_dirs(self):
        """This directory and all below it, links not followed."""
        yield self
        try:
            names = os.listdir(self)
        except PermissionError:
            return
        for name in names:
            child = self._from_parts(self._root, self._tail + [name])
            if child.is_dir() and not child.is_symlink():
                yield from child._walk_dirs()

    def _select(self, parts):
        part, rest = parts[0], parts[1:]
        if part == "**":
            seen = set()
            for folder in self._walk_dirs():
                for found in (folder._select(rest) if rest else (folder,)):
                    if found not in seen:
                        seen.add(found)
                        yield found
            return
        if not self.is_dir():
            return
        if any(c in part for c in "*?["):
            try:
                names = os.listdir(self)
            except PermissionError:
                return
            for name in names:
                if fnmatchcase(name, part):
                    child = self._from_parts(self._root, self._tail + [name])
                    if not rest:
                        yield child
                    elif child.is_dir():
                        yield from child._select(rest)
        else:
            child = self._from_parts(self._root, self._tail + [part])
            if rest:
                if child.is_dir():
                    yield from child._select(rest)
            elif child.exists():
                yield child

    def glob(self, pattern):
        parsed = PurePosixPath(pattern)
        if not pattern:
            raise ValueError(f"Unacceptable pattern: {pattern!r}")
        if parsed._root:
            raise NotImplementedError("Non-relative patterns are unsupported")
        for part in parsed._tail:
            if "**" in part and part != "**":
                raise ValueError("Invalid pattern: '**' can only be an entire path component")
        return self._select(parsed._tail)

    def rglob(self, pattern):
        parsed = PurePosixPath(pattern)
        if parsed._root:
            raise NotImplementedError("Non-relative patterns are unsupported")
        return self._select(["**"] + parsed._tail)

    def absolute(self):
        return self if self.is_absolute() else type(self)(os.getcwd(), self)

    def resolve(self, strict=False):
        return type(self)(os.path.realpath(self, strict=strict))

    def expanduser(self):
        if not self._root and self._tail and self._tail[0][:1] == "~":
            expanded = os.path.expanduser(self._tail[0])
            if expanded[:1] == "~":
                raise RuntimeError("Could not determine home directory.")
            return type(self)(expanded, *self._tail[1:])
        return self

    def readlink(self):
        return type(self)(os.readlink(self))

    def open(self, mode="r", buffering=-1, encoding=None, errors=None, newline=None):
        return io.open(self, mode, buffering, encoding, errors, newline)

    def read_bytes(self):
        with self.open(mode="rb") as f:
            return f.read()

    def read_text(self, encoding=None, errors=None):
        with self.open(mode="r", encoding=encoding, errors=errors) as f:
            return f.read()

    def write_bytes(self, data):
        with self.open(mode="wb") as f:
            return f.write(data)

    def write_text(self, data, encoding=None, errors=None, newline=None):
        if not isinstance(data, str):
            raise TypeError("data must be str, not %s" % data.__class__.__name__)
        with self.open(mode="w", encoding=encoding, errors=errors, newline=newline) as f:
            return f.write(data)

    def touch(self, mode=0o666, exist_ok=True):
        if os.path.exists(self):
            if not exist_ok:
                raise FileExistsError(17, "File exists", str(self))
            os.utime(self)
        else:
            self.open("a").close()

    def mkdir(self, mode=0o777, parents=False, exist_ok=False):
        try:
            os.mkdir(str(self), mode)
        except FileNotFoundError:
            if not parents or self.parent == self:
                raise
            self.parent.mkdir(parents=True, exist_ok=True)
            self.mkdir(mode, parents=False, exist_ok=exist_ok)
        except OSError:
            if not exist_ok or not self.is_dir():
                raise

    def chmod(self, mode, *, follow_symlinks=True):
        os.chmod(self, mode)

    def unlink(self, missing_ok=False):
        try:
            os.unlink(str(self))
        except FileNotFoundError:
            if not missing_ok:
                raise

    def rmdir(self):
        os.rmdir(str(self))

    def rename(self, target):
        os.rename(str(self), target)
        return type(self)(target)

    def replace(self, target):
        os.replace(str(self), target)
        return type(self)(target)

    def symlink_to(self, target, target_is_directory=False):
        os.symlink(target, str(self))

    def hardlink_to(self, target):
        os.link(target, str(self))

    def __enter__(self):
        return self

    def __exit__(self, t, v, tb):
        pass


class PosixPath(Path, PurePosixPath):
    """Path subclass for non-Windows systems."""
