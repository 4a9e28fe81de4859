"""Compiled functions, kept on disk from one process to the next.

Numba's own cache identifies a function by its file's date: it misses an edit in another file, cannot keep closures,
which all searches are, and writes the types of all callers of a function into one file. Here a function is known by
its content (`contienda.compiled.code_content`), and each set of argument types has its own file
(`contienda.compiled.kept_files`). What cannot be kept, or read again, is compiled.
"""

from __future__ import annotations

import logging
import pickle
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import count
from typing import Any, NamedTuple

from contienda.compiled.code_content import Content, versions
from contienda.compiled.kept_files import Damaged, Kept, forget_old, kept_folder, read_kept, write_kept
from contienda.compiled.numba_internals import (
    Dispatcher,
    KeptCache,
    cache_of,
    compiling,
    put_cache,
    rebuild,
    reduce,
    settings,
)
from contienda.core.language import Text, say

__all__ = ["NotKept", "keep", "only_kept"]

_log = logging.getLogger(__name__)

#: A process tidies the folder up when it writes its first file, and after this many more.
_TIDY = 64
_written = count()


class _Miss(NamedTuple):
    """A function that has to be compiled."""

    name: str
    why: Text
    began: float
    keep: bool


_NOT_THERE = Text("no code was kept for it")
_DAMAGED = Text("the file kept for it was damaged")
_NO_FOLDER = Text("there is no folder that only you can write to")


class NotKept(Exception):
    """A function would have to be compiled where that was not wanted."""


#: Whether nothing may be compiled: in this context, which the compiler's thread shares.
_only_kept: ContextVar[bool] = ContextVar("only_kept", default=False)


@contextmanager
def only_kept() -> Iterator[None]:
    """Load code that was kept, and compile nothing: this thread's calls of other functions raise `NotKept`."""
    before = _only_kept.set(True)
    try:
        yield
    finally:
        _only_kept.reset(before)


def keep(function: Any, *, also_for_others: bool = False) -> None:
    """Keep the code of a function that Numba compiles.

    The code of a function that Python calls includes everything that it calls in turn. ``also_for_others`` also keeps
    this function by itself when it is compiled for a caller: the next caller then compiles faster. Do not use it for
    functions that recurse, whose code is complete only together, nor for functions that take functions.
    """
    if isinstance(function, Dispatcher) and not isinstance(cache_of(function), _KeptCode):
        put_cache(function, _KeptCode(function, also_for_others))


class _KeptCode(KeptCache):
    """The cache that Numba asks before it compiles a function, and fills afterwards. Numba holds its lock meanwhile."""

    def __init__(self, function: Any, also_for_others: bool) -> None:
        self._function = function
        self._also_for_others = also_for_others
        self._misses: dict[Any, _Miss] = {}
        self._first_whys: dict[Any, Text] = {}
        self._looked_at = False

    @property
    def cache_path(self) -> str:
        return str(kept_folder())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        alone = not compiling()
        if not alone and not self._also_for_others and self._looked_at:
            return None
        began = time.monotonic()
        # The first look records what the function is made of, even if its code is not kept by itself.
        content = Content(self._function, sig, settings(target_context.codegen()))
        self._looked_at = True
        for other in content.cached_by_numba:
            keep(other)
        if not alone and not self._also_for_others:
            return None
        folder = kept_folder()
        if content.unknown is None and folder is not None:
            try:
                found = rebuild(target_context, pickle.loads(read_kept(folder, content.name).code))
                if tuple(found.signature.args) != tuple(getattr(sig, "args", sig)):
                    raise ValueError(f"it is for {found.signature.args}")  # code must never run for other types
                return found
            except FileNotFoundError:
                why = _NOT_THERE
            except Damaged:
                why = _DAMAGED
            except Exception as error:  # whatever is wrong with the file, compiling still works
                problem = f"{type(error).__name__}: {error}"
                why = Text("the code kept for it cannot be used ({problem})", problem=problem)
        else:
            unkept = content.unknown or _NO_FOLDER
            why = Text("it is not kept, because {unkept}", unkept=unkept)
        if alone and _only_kept.get():
            self._first_whys.setdefault(sig, why)  # by the next look, a damaged file is gone
            raise NotKept
        why = self._first_whys.pop(sig, why)
        kept = content.unknown is None and folder is not None
        self._misses[sig] = _Miss(content.name, why, began, kept)
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        miss = self._misses.pop(sig, None)
        if miss is None:
            return
        seconds = time.monotonic() - miss.began
        function = self._function.py_func
        name = f"{function.__module__}.{function.__qualname__}"
        _log.info(say("compiled {name} in {seconds:,.2f} s: {why}", name=name, seconds=seconds, why=miss.why))
        folder = kept_folder()
        if not miss.keep or folder is None:
            return
        try:
            reduced = reduce(data)
            if reduced is None:
                _log.info(say("{name} is not kept: its code holds addresses of this process", name=name))
                return
            about = {"function": name, "types": str(sig), "seconds": round(seconds, 3), "versions": versions()}
            write_kept(folder, miss.name, Kept(about, pickle.dumps(reduced)))
            if next(_written) % _TIDY == 0:
                forget_old(folder)
        except Exception as error:  # a full disk, or something that cannot be pickled: compiled again next time
            problem = f"{type(error).__name__}: {error}"
            _log.info(say("{name} is not kept: {problem}", name=name, problem=problem))

    def enable(self) -> None: ...

    def disable(self) -> None: ...

    def flush(self) -> None: ...
