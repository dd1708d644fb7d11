"""Temporary files and directories."""

import os
import random as _random
import shutil as _shutil

__all__ = ["NamedTemporaryFile", "TemporaryFile", "TemporaryDirectory", "SpooledTemporaryFile", "mkdtemp", "mktemp",
           "gettempdir", "gettempprefix", "tempdir"]

tempdir = None
_names = _random.Random()


def gettempprefix():
    return "tmp"


def gettempdir():
    """The directory used for temporary files."""
    global tempdir
    if tempdir is None:
        for folder in (os.getenv("TMPDIR"), os.getenv("TEMP"), os.getenv("TMP"), "/tmp", "/var/tmp", "/usr/tmp"):
            if folder and os.path.isdir(folder) and os.access(folder, os.W_OK):
                tempdir = os.path.abspath(folder)
                break
        else:
            tempdir = os.getcwd()
    return tempdir


def _candidates(suffix, prefix, dir):
    folder = gettempdir() if dir is None else os.fspath(dir)
    for _ in range(10000):
        name = "".join(_names.choices("abcdefghijklmnopqrstuvwxyz0123456789_", k=8))
        yield os.path.abspath(os.path.join(folder, ("tmp" if prefix is None else prefix) + name + (suffix or "")))
    raise FileExistsError(17, "No usable temporary file name found")


def mkdtemp(suffix=None, prefix=None, dir=None):
    """User-callable function to create and return a unique temporary directory."""
    for path in _candidates(suffix, prefix, dir):
        try:
            os.mkdir(path, 0o700)
            return path
        except FileExistsError:
            continue


def mktemp(suffix="", prefix="tmp", dir=None):
    """A temporary file name that is not there yet."""
    for path in _candidates(suffix, prefix, dir):
        if not os.path.lexists(path):
            return path


def mkstemp(suffix=None, prefix=None, dir=None, text=False):
    raise NotImplementedError("tempfile.mkstemp() is not here: it answers a file descriptor; use NamedTemporaryFile()")


class _TemporaryFileWrapper:
    """A file that is deleted when it is closed."""

    def __init__(self, file, name, delete=True):
        self.file = file
        self.name = name
        self.delete = delete
        self._closed = False

    def __getattr__(self, name):
        return getattr(self.__dict__["file"], name)

    def __enter__(self):
        self.file.__enter__()
        return self

    def __exit__(self, *exc):
        self.close()

    def __iter__(self):
        for line in self.file:
            yield line

    def __repr__(self):
        return f"<tempfile._TemporaryFileWrapper object at {id(self):#x}>"

    def close(self):
        if not self._closed:
            self._closed = True
            self.file.close()
            if self.delete:
                try:
                    os.unlink(self.name)
                except FileNotFoundError:
                    pass

    def __del__(self):
        self.close()


def NamedTemporaryFile(mode="w+b", buffering=-1, encoding=None, newline=None, suffix=None, prefix=None, dir=None,
                       delete=True, *, errors=None):
    """Create and return a temporary file."""
    for path in _candidates(suffix, prefix, dir):
        try:
            open(path, "xb").close()
        except FileExistsError:
            continue
        os.chmod(path, 0o600)
        opened = open(path, mode.replace("x", "w"), buffering, encoding, errors, newline)
        return _TemporaryFileWrapper(opened, path, delete)


def TemporaryFile(mode="w+b", buffering=-1, encoding=None, newline=None, suffix=None, prefix=None, dir=None, *,
                  errors=None):
    """Create and return a temporary file without a name."""
    for path in _candidates(suffix, prefix, dir):
        try:
            open(path, "xb").close()
        except FileExistsError:
            continue
        opened = open(path, mode.replace("x", "w"), buffering, encoding, errors, newline)
        os.unlink(path)
        return opened


def SpooledTemporaryFile(max_size=0, mode="w+b", buffering=-1, encoding=None, newline=None, suffix=None, prefix=None,
                         dir=None, *, errors=None):
    """A temporary file, on disk from the start."""
    return TemporaryFile(mode, buffering, encoding, newline, suffix, prefix, dir, errors=errors)


class TemporaryDirectory:
    """Create and return a temporary directory, deleted at the end of the context."""

    def __init__(self, suffix=None, prefix=None, dir=None, ignore_cleanup_errors=False):
        self._ignore = ignore_cleanup_errors
        self.name = mkdtemp(suffix, prefix, dir)
        self._alive = True

    def __repr__(self):
        return f"<{self.__class__.__name__} {self.name!r}>"

    def __enter__(self):
        return self.name

    def __exit__(self, exc, value, tb):
        self.cleanup()

    def cleanup(self):
        if self._alive:
            self._alive = False
            _shutil.rmtree(self.name, ignore_errors=self._ignore or not os.path.exists(self.name))

    def __del__(self):
        self.cleanup()
