"""The system's name and version."""

import os
import sys
from collections import namedtuple

uname_result = namedtuple("uname_result", "system node release version machine", module="platform")


def uname():
    return uname_result(*os.uname())


def system():
    return os.uname().sysname


def node():
    return os.uname().nodename


def release():
    return os.uname().release


def version():
    return os.uname().version


def machine():
    return os.uname().machine


def processor():
    return ""


def architecture(executable=None, bits="", linkage=""):
    return "64bit", "ELF"


def libc_ver(executable=None, lib="", version=""):
    return "glibc", ""


def platform(aliased=False, terse=False):
    name = os.uname()
    return f"{name.sysname}-{name.release}-{name.machine}"


def python_version():
    return "%d.%d.%d" % sys.version_info[:3]


def python_version_tuple():
    return tuple(map(str, sys.version_info[:3]))


def python_implementation():
    return "Cellhold"


def python_compiler():
    return "rustc"


def python_build():
    return "main", ""
