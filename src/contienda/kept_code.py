"""Compiled searches, kept on disk from one process to the next.

Numba keeps what stands at the head of a module. A search is a function within a function, made of rules, an evaluator
and options: to Numba a new one in each process. Here it is known by what it is made of: its code, and all that its
variables hold, down to the functions that those call. Only what Python calls is kept; whatever it calls in turn lies
in the same machine code.

A file is named by the hash of all that, and appears in one step: processes may share a folder, and nothing that is
found can be another function's. What cannot be kept, or read again, is compiled.
"""

from __future__ import annotations

import dis
import hashlib
import itertools
import os
import pickle
import secrets
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numba.core import event
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.dispatcher import Dispatcher
from numba.core.types import Type

__all__ = ["KeptCode"]

#: Bytes to keep, of half a megabyte a search or less: whoever writes heuristics makes a new one at every change.
_KEPT = 512 << 20
#: Larger arrays are not looked through: no search of ours holds one.
_LARGEST_ARRAY = 1 << 24


def _count_from_anywhere() -> None:
    """Numba tells functions of the same name apart by a number that it counts from 1 in every process: code of another
    process would be taken for one's own. From a number of its own in every process, it never is."""
    FunctionIdentity._unique_ids = itertools.count(secrets.randbits(60))


_count_from_anywhere()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_count_from_anywhere)


class _Unknown(Exception):
    """Something whose content cannot be told."""


class _Depth(event.Listener, threading.local):
    """How many functions are being compiled, each for the sake of the one before."""

    depth = 0

    def on_start(self, event: object) -> None:
        self.depth += 1

    def on_end(self, event: object) -> None:
        self.depth -= 1


_compiling = _Depth()
event.register("numba:compile", _compiling)  # type: ignore[no-untyped-call]


class KeptCode(_Cache):
    """What Numba asks before it compiles a function, and tells after it has."""

    def __init__(self, function: FunctionType, folder: Path) -> None:
        self._function = function
        self._folder = folder

    @property
    def cache_path(self) -> str:
        return str(self._folder)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        if _compiling.depth:
            return None
        target_context.refresh()
        try:
            file = self._file(sig, target_context.codegen())
            kept = pickle.loads(file.read_bytes())
            found = CompileResult._rebuild(target_context, *kept)  # type: ignore[no-untyped-call]
            os.utime(file)  # the files used last are those that are kept
            return found
        except Exception:  # whatever is wrong with a file, there is another way
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        if _compiling.depth or data.library.has_dynamic_globals:
            return
        try:
            file = self._file(sig, data.codegen)
            content = pickle.dumps(data._reduce())
            beside = file.with_name(f"{secrets.token_hex(8)}.tmp")
            self._folder.mkdir(exist_ok=True)
            beside.write_bytes(content)
            beside.replace(file)
            self._forget_old()
        except Exception:  # a full disk, or something that Numba cannot write down: compiled again next time
            return

    def enable(self) -> None: ...

    def disable(self) -> None: ...

    def flush(self) -> None: ...

    def _file(self, sig: Any, codegen: Any) -> Path:
        digest = hashlib.sha256()
        for part in _parts((sig, codegen.magic_tuple(), self._function), {}):
            digest.update(b"%d:" % len(part) + part)  # with its length: two parts are never taken for another two
        return self._folder / f"{digest.hexdigest()[:40]}.code"

    def _forget_old(self) -> None:
        files: list[tuple[float, int, Path]] = []
        for file in self._folder.iterdir():
            with suppress(FileNotFoundError):  # another process's, which has just got its name
                about = file.stat()
                files.append((about.st_mtime, about.st_size, file))
        files.sort(reverse=True)
        sizes = itertools.accumulate(size for _, size, _ in files)
        for (_, _, file), size in zip(files, sizes, strict=True):
            if size > _KEPT:
                file.unlink(missing_ok=True)


def _parts(thing: object, seen: dict[int, int]) -> Iterator[bytes]:
    """All that a thing is made of, in a fixed order. Functions may hold each other: each is looked into once."""
    if isinstance(thing, Dispatcher):
        yield repr(sorted(thing.targetoptions.items())).encode()
        thing = thing.py_func
    yield type(thing).__name__.encode()
    if isinstance(thing, FunctionType):
        if id(thing) in seen:
            yield str(seen[id(thing)]).encode()
            return
        seen[id(thing)] = len(seen)
        yield from _parts(thing.__code__, seen)
        yield from _parts(thing.__defaults__, seen)
        for cell in thing.__closure__ or ():
            yield from _parts(cell.cell_contents, seen)
        yield from _globals_of(thing, seen)
    elif isinstance(thing, CodeType):
        yield thing.co_code
        yield from _parts((thing.co_qualname, thing.co_names, thing.co_varnames, thing.co_freevars), seen)
        yield from _parts(thing.co_consts, seen)
        if any(instruction.opname == "RAISE_VARARGS" for instruction in dis.get_instructions(thing)):
            # Where a raise stands lies in the machine code, which is thus not that of the same text elsewhere.
            yield from _parts((thing.co_filename, thing.co_firstlineno, thing.co_linetable), seen)
    elif isinstance(thing, np.ndarray) and not thing.dtype.hasobject and thing.nbytes <= _LARGEST_ARRAY:
        yield repr((thing.dtype.descr, thing.shape)).encode()
        yield thing.tobytes()
    elif isinstance(thing, tuple | list):
        yield str(len(thing)).encode()
        for item in thing:
            yield from _parts(item, seen)
    elif isinstance(thing, frozenset):
        yield repr(sorted(map(repr, thing))).encode()
    elif isinstance(thing, ModuleType):
        yield thing.__name__.encode()
    elif thing is None or isinstance(thing, bool | int | float | str | bytes | type | np.generic | np.dtype | Type):
        text = repr(thing)
        if " at 0x" in text:  # a function that is passed on as an argument
            raise _Unknown
        yield text.encode()
    else:
        raise _Unknown


def _globals_of(function: FunctionType, seen: dict[int, int]) -> Iterator[bytes]:
    """What its code names: of the modules of this package the sources say it, by which the folder goes."""
    module = sys.modules.get(function.__module__ or "")
    ours = function.__module__.split(".")[0] == __package__ if function.__module__ else False
    if ours and module is not None and function.__globals__ is vars(module):
        yield function.__module__.encode()
        return
    for name in _names(function.__code__):
        if name in function.__globals__:
            yield name.encode()
            yield from _parts(function.__globals__[name], seen)


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
