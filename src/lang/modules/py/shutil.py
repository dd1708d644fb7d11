"""High-level file operations."""

import os
from collections import namedtuple

__all__ = ["copyfile", "copy", "copy2", "copytree", "move", "rmtree", "disk_usage", "which", "get_terminal_size",
           "copyfileobj", "Error", "SameFileError"]


class Error(OSError):
    pass


class SameFileError(Error):
    """Raised when source and destination are the same file."""


class SpecialFileError(OSError):
    pass


_usage = namedtuple("usage", "total used free", module="shutil")


def copyfileobj(fsrc, fdst, length=64 * 1024):
    """copy data from file-like object fsrc to file-like object fdst"""
    while buf := fsrc.read(length):
        fdst.write(buf)


def copyfile(src, dst, *, follow_symlinks=True):
    """Copy data from src to dst in the most efficient way possible."""
    if os.path.exists(dst) and os.path.samefile(src, dst):
        raise SameFileError(f"{src!r} and {dst!r} are the same file")
    if not follow_symlinks and os.path.islink(src):
        os.symlink(os.readlink(src), dst)
        return dst
    with open(src, "rb") as fsrc, open(dst, "wb") as fdst:
        copyfileobj(fsrc, fdst)
    return dst


def copymode(src, dst, *, follow_symlinks=True):
    """Copy mode bits from src to dst."""
    os.chmod(dst, os.stat(src).st_mode & 0o7777)


def copystat(src, dst, *, follow_symlinks=True):
    """Copy mode and times from src to dst."""
    found = os.stat(src)
    os.utime(dst, ns=(found.st_atime_ns, found.st_mtime_ns))
    os.chmod(dst, found.st_mode & 0o7777)


def copy(src, dst, *, follow_symlinks=True):
    """Copy data and mode bits. Return the file's destination."""
    if os.path.isdir(dst):
        dst = os.path.join(dst, os.path.basename(src))
    copyfile(src, dst, follow_symlinks=follow_symlinks)
    copymode(src, dst)
    return dst


def copy2(src, dst, *, follow_symlinks=True):
    """Copy data and metadata. Return the file's destination."""
    if os.path.isdir(dst):
        dst = os.path.join(dst, os.path.basename(src))
    copyfile(src, dst, follow_symlinks=follow_symlinks)
    copystat(src, dst)
    return dst


def ignore_patterns(*patterns):
    """Function that can be used as copytree() ignore parameter."""
    from fnmatch import filter

    def _ignore_patterns(path, names):
        ignored = []
        for pattern in patterns:
            ignored.extend(filter(names, pattern))
        return set(ignored)

    return _ignore_patterns


def copytree(src, dst, symlinks=False, ignore=None, copy_function=copy2, ignore_dangling_symlinks=False,
             dirs_exist_ok=False):
    """Recursively copy a directory tree and return the destination directory."""
    names = os.listdir(src)
    ignored = ignore(os.fspath(src), names) if ignore is not None else ()
    os.makedirs(dst, exist_ok=dirs_exist_ok)
    for name in names:
        if name in ignored:
            continue
        source, target = os.path.join(src, name), os.path.join(dst, name)
        if symlinks and os.path.islink(source):
            os.symlink(os.readlink(source), target)
        elif os.path.isdir(source):
            copytree(source, target, symlinks, ignore, copy_function, ignore_dangling_symlinks, dirs_exist_ok)
        else:
            copy_function(source, target)
    return dst


def rmtree(path, ignore_errors=False, onerror=None, *, dir_fd=None):
    """Recursively delete a directory tree."""
    try:
        if os.path.islink(path):
            raise OSError("Cannot call rmtree on a symbolic link")
        for name in os.listdir(path):
            child = os.path.join(path, name)
            if os.path.isdir(child) and not os.path.islink(child):
                rmtree(child, ignore_errors, onerror)
            else:
                os.unlink(child)
        os.rmdir(path)
    except OSError as error:
        if onerror is not None:
            onerror(rmtree, path, (type(error), error, None))
        elif not ignore_errors:
            raise


def move(src, dst, copy_function=copy2):
    """Recursively move a file or directory to another location."""
    target = dst
    if os.path.isdir(dst):
        target = os.path.join(dst, os.path.basename(os.fspath(src).rstrip("/")))
        if os.path.exists(target):
            raise Error(f"Destination path '{target}' already exists")
    try:
        os.rename(src, target)
    except OSError:
        if os.path.isdir(src):
            copytree(src, target, copy_function=copy_function, symlinks=True)
            rmtree(src)
        else:
            copy_function(src, target)
            os.unlink(src)
    return target


def disk_usage(path):
    """Return disk usage statistics about the given path."""
    return _usage(*os._disk_usage(path))


def which(cmd, mode=os.F_OK | os.X_OK, path=None):
    """Given a command, return the path which conforms to the given mode on the PATH."""
    if os.path.dirname(cmd):
        return cmd if os.access(cmd, mode) and not os.path.isdir(cmd) else None
    for folder in (path or os.environ.get("PATH", os.defpath)).split(os.pathsep):
        name = os.path.join(folder, cmd)
        if os.path.exists(name) and os.access(name, mode) and not os.path.isdir(name):
            return name
    return None


def get_terminal_size(fallback=(80, 24)):
    """Get the size of the terminal window."""
    def number(name):
        try:
            return int(os.environ[name])
        except (KeyError, ValueError):
            return 0

    return os.terminal_size((number("COLUMNS") or fallback[0], number("LINES") or fallback[1]))
