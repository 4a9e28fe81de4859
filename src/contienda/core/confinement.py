"""Confines a process for good: limits on memory and time, and a list of the system calls that it may still make.

The second fence around pupils' heuristics; the first is `contienda.evaluation.whitelist`. A confined process can
compute, answer through the pipes that it has, and read what Python needs (`contienda.core.reading`). It can write no
file, start no program or process, open no connection and signal nobody else. Linux's seccomp does that (man 2 seccomp),
through ``ctypes``: other systems have no such thing.
"""

from __future__ import annotations

import ctypes
import platform
import struct
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from contienda.core.language import BadInput, Text
from contienda.core.reading import read_only_from

__all__ = ["confine", "why_not_confined"]

#: Megabytes of memory that a process may write to, seconds of a core, and open files.
_MEMORY, _SECONDS, _FILES = 2048, 1200, 256

#: System calls by name, with their numbers on x86-64 and on AArch64 (None where there is no such call): what the
#: interpreter, threads and a compiler in memory need.
_ALLOWED: dict[str, tuple[int | None, int | None]] = {
    "read": (0, 63), "write": (1, 64), "close": (3, 57), "stat": (4, None), "fstat": (5, 80), "lstat": (6, None),
    "poll": (7, None), "lseek": (8, 62), "mmap": (9, 222), "mprotect": (10, 226), "munmap": (11, 215),
    "brk": (12, 214), "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139),
    "pread64": (17, 67), "readv": (19, 65), "writev": (20, 66), "access": (21, None), "select": (23, None),
    "sched_yield": (24, 124), "mremap": (25, 216), "madvise": (28, 233), "dup": (32, 23), "nanosleep": (35, 101),
    "getpid": (39, 172), "exit": (60, 93), "uname": (63, 160), "getcwd": (79, 17), "readlink": (89, None),
    "getrusage": (98, 165), "sysinfo": (99, 179), "getuid": (102, 174), "getgid": (104, 176), "geteuid": (107, 175),
    "getegid": (108, 177), "sigaltstack": (131, 132), "gettid": (186, 178), "futex": (202, 98),
    "sched_getaffinity": (204, 123), "getdents64": (217, 61), "restart_syscall": (219, 128),
    "clock_gettime": (228, 113), "clock_getres": (229, 114), "clock_nanosleep": (230, 115), "exit_group": (231, 94),
    "newfstatat": (262, 79), "readlinkat": (267, 78), "faccessat": (269, 48), "pselect6": (270, 72),
    "ppoll": (271, 73), "set_robust_list": (273, 99), "getrandom": (318, 278), "membarrier": (324, 283),
    "statx": (332, 291), "rseq": (334, 293), "faccessat2": (439, 439),
}  # fmt: skip
#: Calls that are allowed with some arguments only: the argument's place, its bits that count, and what these must be.
#: ``openat`` without O_WRONLY, O_RDWR, O_CREAT or O_TRUNC; ``open`` too; ``clone`` with CLONE_THREAD; ``prlimit64``
#: without new limits, by the lower half of their address; ``prctl`` with PR_SET_NAME; ``fcntl`` with F_GETFD, F_SETFD,
#: F_GETFL or 0, which are 0 to 3; ``ioctl`` with TCGETS, by which Python asks whether a file is a terminal.
_WITH: dict[str, tuple[tuple[int | None, int | None], int, int, int]] = {
    "openat": ((257, 56), 2, 0o1103, 0), "open": ((2, None), 1, 0o1103, 0), "clone": ((56, 220), 0, 0x10000, 0x10000),
    "prlimit64": ((302, 261), 2, 0xFFFFFFFF, 0), "prctl": ((157, 167), 0, 0xFFFFFFFF, 15),
    "fcntl": ((72, 25), 1, 0xFFFFFFFC, 0), "ioctl": ((16, 29), 1, 0xFFFFFFFF, 0x5401),
}  # fmt: skip
#: ``clone3`` takes its flags in memory, where no filter can look: the C library then uses ``clone``.
_CLONE3, _ENOSYS, _EPERM = 435, 38, 1

#: By machine: its place in the pairs above, its number for audits, and the number of ``seccomp`` itself.
_MACHINES = {"x86_64": (0, 0xC000003E, 317), "aarch64": (1, 0xC00000B7, 277)}

# Instructions of the filter: load a word of the call, jump if equal, mask, return (linux/filter.h).
_LOAD, _EQUAL, _AND, _RETURN = 0x20, 0x15, 0x54, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_ALLOW, _ERROR, _KILL = 0x7FFF0000, 0x00050000, 0x80000000


def why_not_confined() -> Text | None:
    """Return why this system cannot confine a process; None if it can."""
    if sys.platform != "linux":
        return Text("only Linux can confine a process so that it writes and sends nothing")
    if platform.machine() not in _MACHINES:
        return Text("processes cannot be confined on {machine}", machine=platform.machine())
    try:
        available = "Seccomp_filters" in Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        available = False
    return None if available else Text("this Linux has no seccomp")


def confine(*, reading: Iterable[Path] = (), whitelist_only: bool = False) -> None:
    """Confine this process and all its threads; `BadInput` if the system cannot.

    ``reading``: folders from which it may read, besides those of Python. Threads that have begun before may read on.
    ``whitelist_only``: where the system cannot, go on with limits on memory and time, as far as it has them.
    """
    _limit()
    why = why_not_confined()
    if why is None:
        read_only_from(reading)
        _install(_filter())
    elif not whitelist_only:
        raise BadInput(why)


def _limit() -> None:
    """Limit what the process may use. A file that it writes to could not grow."""
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return
    limits = {"DATA": _MEMORY << 20, "CPU": _SECONDS, "NOFILE": _FILES, "FSIZE": 0, "CORE": 0}
    for name, most in limits.items():
        kind = getattr(resource, f"RLIMIT_{name}", None)
        if kind is not None:
            with suppress(ValueError, OSError):  # less is allowed already
                resource.setrlimit(kind, (most, most))


def _filter() -> bytes:
    """Return the filter that the kernel runs before every system call."""
    column, architecture, _ = _MACHINES[platform.machine()]
    code = [(_LOAD, 0, 0, _ARCHITECTURE), (_EQUAL, 1, 0, architecture), (_RETURN, 0, 0, _KILL), (_LOAD, 0, 0, _NUMBER)]
    for numbers in _ALLOWED.values():
        if (number := numbers[column]) is not None:
            code += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ALLOW)]
    for numbers, place, bits, wanted in _WITH.values():
        if (number := numbers[column]) is not None:
            code += [
                (_EQUAL, 0, 5, number), (_LOAD, 0, 0, _ARGUMENTS + 8 * place), (_AND, 0, 0, bits),
                (_EQUAL, 0, 1, wanted), (_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _ERROR | _EPERM),
            ]  # fmt: skip
    code += [(_EQUAL, 0, 1, _CLONE3), (_RETURN, 0, 0, _ERROR | _ENOSYS), (_RETURN, 0, 0, _ERROR | _EPERM)]
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in code)


class _Program(ctypes.Structure):
    """The kernel's ``struct sock_fprog``."""

    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_void_p))


def _install(code: bytes) -> None:
    """Put the filter before all threads of this process: it cannot be taken away again."""
    library = ctypes.CDLL(None, use_errno=True)
    no_new_privileges, set_filter, all_threads = 38, 1, 1
    held = ctypes.create_string_buffer(code, len(code))
    program = _Program(len(code) // 8, ctypes.cast(held, ctypes.c_void_p))
    if library.prctl(no_new_privileges, 1, 0, 0, 0) or library.syscall(
        _MACHINES[platform.machine()][2], set_filter, all_threads, ctypes.byref(program)
    ):
        raise BadInput("the system refuses to confine a process: error {number}", number=ctypes.get_errno())
