"""Limits which files a process may read, for good: Linux's Landlock (man 7 landlock), through ``ctypes``.

A confined process keeps what Python, Contienda and the C library need, and the folders that it is given; all else, such
as the user's own files, it can neither open nor list. Linux has that from 5.13 on, where it is not switched off.
"""

from __future__ import annotations

import ctypes
import os
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

__all__ = ["can_limit_reading", "read_only_from"]

#: System calls, which have the same numbers on all machines.
_CREATE, _ADD_RULE, _RESTRICT = 444, 445, 446
#: The kernel's rights on files and folders, by the version of its interface that brought them: all of them are handled,
#: and so forbidden, unless a rule gives them back.
_RIGHTS = {1: (1 << 13) - 1, 2: 1 << 13, 3: 1 << 14, 5: 1 << 15}
_READ_FILE, _READ_FOLDER = 1 << 2, 1 << 3
_VERSION, _BENEATH, _NO_NEW_PRIVILEGES = 1, 1, 38
#: What the C library, time zones and the count of cores are read from; not /proc of other processes.
_SYSTEM = ("/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/localtime", "/dev/null", "/dev/urandom",
           "/sys/devices/system/cpu", "/proc/self", "/proc/meminfo", "/proc/cpuinfo")  # fmt: skip


class _Ruleset(ctypes.Structure):
    """The kernel's ``struct landlock_ruleset_attr``, as far as it is about files."""

    _fields_ = (("handled", ctypes.c_uint64),)


class _Beneath(ctypes.Structure):
    """The kernel's ``struct landlock_path_beneath_attr``."""

    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


def can_limit_reading() -> bool:
    """Return whether this system can limit what a process reads."""
    return _version() >= 1


def read_only_from(folders: Iterable[Path]) -> bool:
    """Let this thread, and those that it starts, read from these folders and from Python's own only.

    Return whether the system could do so. It cannot be undone.
    """
    version = _version()
    if version < 1:
        return False
    library = ctypes.CDLL(None, use_errno=True)
    handled = sum(rights for since, rights in _RIGHTS.items() if since <= version)
    asked = _Ruleset(handled)
    rules = library.syscall(_CREATE, ctypes.byref(asked), ctypes.sizeof(asked), 0)
    if rules < 0:
        return False
    try:
        for path in {*_own(), *map(Path, folders)}:
            _allow(library, rules, path)
        library.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
        return bool(library.syscall(_RESTRICT, rules, 0) == 0)
    finally:
        os.close(rules)


def _version() -> int:
    """Return the version of the kernel's interface; -1 if there is none."""
    if sys.platform != "linux":
        return -1
    return int(ctypes.CDLL(None).syscall(_CREATE, None, 0, _VERSION))


def _own() -> Iterator[Path]:
    """Yield what Python and Contienda are made of."""
    yield from map(Path, _SYSTEM)
    yield Path(__file__).resolve().parents[1]
    paths = sysconfig.get_paths()
    yield from (Path(paths[name]) for name in ("stdlib", "platstdlib", "purelib", "platlib"))
    yield from (Path(place) for place in sys.path if Path(place).name in ("site-packages", "dist-packages"))
    yield Path(sys.base_prefix) / "lib"
    yield from (Path(place) for place in sys.path if place.endswith(".zip"))


def _allow(library: ctypes.CDLL, rules: int, path: Path) -> None:
    with suppress(OSError):  # it is not there
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            rights = _READ_FILE | _READ_FOLDER if path.is_dir() else _READ_FILE
            library.syscall(_ADD_RULE, rules, _BENEATH, ctypes.byref(_Beneath(rights, place)), 0)
        finally:
            os.close(place)
