"""Loads what users add: games, players, evaluators, by ``FILE.py:NAME``, ``package.module:NAME`` or an entry point.

An edit takes effect at once: a file is run again when its text, or that of a module which it imports from its folder,
has changed. Until then every caller gets the same objects and shares their compiled code.
"""

from __future__ import annotations

import importlib
import inspect
import logging
import os
import re
import sys
import sysconfig
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, lru_cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, TypeVar

from contienda.core.language import BadInput, Text

__all__ = [
    "blame",
    "installed",
    "is_place",
    "load",
    "loadable",
    "offered",
    "remember_author",
    "remember_text",
    "users_own",
    "where_it_fails",
]

T = TypeVar("T")


def installed(group: str, name: str) -> EntryPoint | None:
    """The entry point of an installed package with this name, if any."""
    return offered(group).get(name)


def offered(group: str) -> Mapping[str, EntryPoint]:
    """What installed packages offer in a group, by name.

    The search reads a file of every installed package, so its result is cached until a folder on the path changes, as
    it does when a package is installed.
    """
    return _offered(group, tuple((place, _changed(place)) for place in sys.path))


def loadable(group: str, find: Callable[[str], T]) -> dict[str, T]:
    """What installed packages offer in a group, each as ``find`` returns it; logs once what cannot be loaded."""
    found = {}
    for name in offered(group):
        try:
            found[name] = find(name)
        except BadInput as error:
            _warn(f"{group}: {name}: {error}")
    return found


@cache
def _warn(message: str) -> None:
    logging.getLogger(__name__).warning("%s", message)


@lru_cache(maxsize=16)
def _offered(group: str, path: tuple[tuple[str, tuple[int, int] | None], ...]) -> Mapping[str, EntryPoint]:
    return {
        entry.name: entry for entry in reversed(list(entry_points(group=group)))
    }  # of equal names the first on the path wins


def _changed(place: str) -> tuple[int, int] | None:
    """Identify a folder and the time of its last change; None if it does not exist."""
    try:
        about = os.stat(place or os.curdir)
    except (OSError, ValueError):
        return None
    return about.st_ino, about.st_mtime_ns


def is_place(name: str) -> bool:
    """Whether a name is a place: ``nim.py:Nim``."""
    place, colon, member = name.rpartition(":")
    return bool(place and colon and member.isidentifier())


def load(name: str, group: str, fits: Callable[[Any], bool], what: Text) -> Any:
    """The object that a user named; `BadInput` lists the names that would fit if this one does not.

    ``what`` is its kind in words, such as ``Text("function")``.
    """
    entry = installed(group, name)
    place, _, member = (name if entry is None else entry.value).rpartition(":")
    module = _load_file(place) if place.endswith(".py") else _load_module(place, member)
    remember_author(module)
    found = getattr(module, member, None)
    if found is None or not fits(found):
        own = (n for n, v in vars(module).items() if fits(v) and getattr(v, "__module__", None) == module.__name__)
        known = ", ".join(own)
        if not known:
            raise BadInput("{place} has no {what} {member!r}: it has none", place=place, what=what, member=member)
        raise BadInput(
            "{place} has no {what} {member!r}: it has {known}", place=place, what=what, member=member, known=known
        )
    return found


class _Loaded(NamedTuple):
    """A file that was run, with its text and those of the modules that it imported."""

    module: ModuleType
    texts: dict[Path, bytes]

    @property
    def unchanged(self) -> bool:
        return all(_bytes(path) == text for path, text in self.texts.items())


#: The users' files that this process has run, by path.
_loaded: dict[Path, _Loaded] = {}


def _load_file(place: str) -> ModuleType:
    path = Path(place).expanduser().absolute()
    with _importing:
        known = _loaded.get(path)
        if known is None or not known.unchanged:
            known = _loaded[path] = _run_file(place, path)
        sys.modules[known.module.__name__] = known.module  # inspect, and so Numba, looks functions up there
        return known.module


def _run_file(place: str, path: Path) -> _Loaded:
    text = _bytes(path)
    if text is None:
        raise BadInput("there is no file {place}", place=place)
    module = ModuleType(f"contienda_user_{path.stem}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module
    _texts[module.__file__] = text.splitlines()
    try:
        with _imports_anew(path.parent):
            exec(compile(text, module.__file__, "exec", dont_inherit=True), vars(module))
    except SyntaxError as error:
        told = BadInput(
            "{place}:{line}: syntax error, {told}: {code}",
            place=place,
            line=error.lineno,
            told=error.msg,
            code=(error.text or "").strip(),
        )
        told.line = error.lineno
        raise told from None
    except (Exception, SystemExit) as error:
        frames = traceback.extract_tb(error.__traceback__)
        line = next((f.lineno for f in reversed(frames) if Path(f.filename).name == path.name), None)
        where = place if line is None else f"{place}:{line}"
        told = BadInput("{where}: {kind}: {error}", where=where, kind=type(error).__name__, error=str(error))
        told.line = line
        raise told from None
    beside = (Path(str(sys.modules[name].__file__)) for name in _imported)
    return _Loaded(module, {path: text} | {each: content for each in beside if (content := _bytes(each)) is not None})


def _bytes(path: Path) -> bytes | None:
    try:
        return path.read_bytes() if path.is_file() else None
    except (OSError, ValueError):  # ValueError: no path has a zero byte
        return None


# --- Errors in users' code --------------------------------------------------------------------------------------------

#: The lines of users' files, as they were when they ran.
_texts: dict[str, list[bytes]] = {}


def remember_author(written_by_user: Any) -> None:
    """Report errors raised in the file of this function or class as the user's."""
    try:
        file = inspect.getsourcefile(written_by_user)
    except TypeError:
        return
    if file is not None and file not in _texts:
        _texts[file] = (_bytes(Path(file)) or b"").splitlines()  # empty if it was typed into an interpreter


def remember_text(file: str, text: str) -> None:
    """Report errors raised in this file as the user's, with the lines of this text."""
    _texts[file] = text.encode().splitlines()


def blame(error: BaseException, *, position: str | Text = "", reason: Text | None = None) -> BadInput | None:
    """The error as one line with file and line, if it was raised in a user's game, player or evaluator.

    ``position`` is where in the game it was raised, if that is known; ``reason`` says what went wrong in other words.
    """
    if isinstance(error, BadInput):
        return error
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        known = frame.filename in _texts
        if known or _is_beside(Path(frame.filename)):
            line = _line(frame.filename, frame.lineno) if known else ""
            where = f"{frame.filename}:{frame.lineno}: `{line or frame.line}`"
            return where_it_fails(where, error, frame.lineno, position=position, reason=reason)
    return _blame_uncompiled(error) if type(error).__module__.startswith("numba.") else None


def _is_beside(file: Path) -> bool:
    """Whether a file lies beside one that a user named, and is theirs too."""
    return any(file.parent == path.parent for path in _loaded) and users_own(file)


#: How Numba writes the place of what it cannot compile, and lines that do not say why.
_NUMBA_PLACE = re.compile(r'File "([^"]+)", line (\d+)')
_NUMBA_NOISE = ("Failed in nopython", "During", "File", "<source", "Enable logging", "[1] During", "- Resolution")


def _blame_uncompiled(error: BaseException) -> BadInput | None:
    """The line of a user's file that Numba could not compile, and why; None if the line is in no such file."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    places = [(str(Path(file).resolve()), int(line)) for file, line in _NUMBA_PLACE.findall(text)]
    files = {str(Path(file).resolve()): file for file in _texts}
    place = next(((files[file], line) for file, line in reversed(places) if file in files), _being_compiled(error))
    if place is None:
        return None
    told = [line.strip() for line in text.splitlines() if line.strip()]
    reason = next((line for line in told if not line.startswith(_NUMBA_NOISE)), type(error).__name__)
    if "CALL_FUNCTION_EX" in text:  # how Python 3.11 calls a function with more than 30 arguments
        reason = str(
            Text("more than 30 arguments in one call; write fields = (…), with no condition in it, then State(*fields)")
        )
    where = f"{place[0]}:{place[1]}: `{_line(*place)}`"
    refused = BadInput("{where} does not compile: {reason}", where=where, reason=reason)
    refused.line = place[1]
    return refused


def _being_compiled(error: BaseException) -> tuple[str, int] | None:
    """The user's function that Numba was compiling, for messages that do not name a line."""
    found = None
    for frame, _ in traceback.walk_tb(error.__traceback__):
        code = getattr(getattr(frame.f_locals.get("self"), "py_func", None), "__code__", None)
        if code is not None and code.co_filename in _texts:
            found = code.co_filename, code.co_firstlineno + 1  # the line after the decorator
    return found


def _line(file: str, number: int | None) -> str:
    lines = _texts[file]
    return lines[number - 1].decode(errors="replace").strip() if number and number <= len(lines) else ""


def where_it_fails(
    where: str,
    error: BaseException,
    line: int | None = None,
    *,
    position: str | Text = "",
    reason: Text | None = None,
) -> BadInput:
    """One line: the place, the position, and what went wrong there."""
    told_reason = reason or f"{type(error).__name__}: {error}".removesuffix(": ")
    if position:
        told = BadInput("{where} fails on {position}: {reason}", where=where, position=position, reason=told_reason)
    else:
        told = BadInput("{where} fails: {reason}", where=where, reason=told_reason)
    told.line = line
    return told


#: Modules of users that their files have imported.
_imported: set[str] = set()
_importing = threading.RLock()


@contextmanager
def _imports_anew(folder: Path) -> Iterator[None]:
    """Let a user's file import the modules beside it, as ``python FILE`` does, and as they are now.

    Python's cache of compiled files is bypassed: it misses the second of two edits within a second.
    """
    with _importing:
        for name in _imported:
            sys.modules.pop(name, None)
        _imported.clear()
        before, writes_none = set(sys.modules), sys.dont_write_bytecode
        sys.dont_write_bytecode = True
        importlib.invalidate_caches()
        sys.path.insert(0, str(folder))
        try:
            yield
        finally:
            with suppress(ValueError):  # the file may have changed the path itself
                sys.path.remove(str(folder))
            sys.dont_write_bytecode = writes_none
            new = ((name, getattr(sys.modules.get(name), "__file__", None)) for name in set(sys.modules) - before)
            _imported.update(name for name, file in new if file is not None and users_own(Path(file)))


def users_own(path: Path) -> bool:
    """Whether a module's file is the user's: neither Python's, nor ours, nor installed."""
    resolved = path.resolve()
    return _others().isdisjoint({resolved, *resolved.parents}) and {"site-packages", "dist-packages"}.isdisjoint(
        resolved.parts
    )


@cache
def _others() -> frozenset[Path]:
    """Folders of modules that are not the user's."""
    places = [sysconfig.get_path(kind) for kind in ("stdlib", "platstdlib", "purelib", "platlib")]
    return frozenset(Path(place).resolve() for place in places) | {Path(__file__).resolve().parents[1]}


def _load_module(place: str, name: str) -> ModuleType:
    try:
        return importlib.import_module(place)
    except (Exception, SystemExit) as error:
        reason = f"{type(error).__name__}: {error}"
        if not Path(f"{place}.py").is_file():
            raise BadInput("cannot import {place!r}: {reason}", place=place, reason=reason) from None
        raise BadInput(
            "cannot import {place!r}: {reason}; for the file here write {meant}",
            place=place,
            reason=reason,
            meant=f"./{place}.py:{name}",
        ) from None
