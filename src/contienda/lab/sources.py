"""The source of users' code, stored with the results: to read it, to detect changes, and to play again.

A spec names a game, a player or a heuristic by its file or module, and files are edited, moved and lost. So the results
store the text itself, the text of the user's own modules that it imports, and a hash of both. For a network, which may
have gigabytes, they store only the hash.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import inspect
import json
import os
import stat
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from importlib.machinery import PathFinder
from pathlib import Path, PurePosixPath
from types import ModuleType
from typing import NamedTuple

from contienda.core.extensions import installed, is_place, users_own
from contienda.core.files import write_atomically
from contienda.core.language import BadInput
from contienda.core.specs import Spec, parse_spec
from contienda.core.syntax import parse_python
from contienda.evaluation.safe import SUFFIX
from contienda.games import GROUP as GAMES
from contienda.players import GROUP as PLAYERS

__all__ = [
    "Source",
    "places_of",
    "playing_from",
    "read_source",
    "refuse_others",
    "source_from_row",
    "sources_of",
    "state_of",
]

#: Options whose value may name a heuristic, and the one that names a network.
_HEURISTICS = ("eval", "h")
_NETWORK = "network"
_NTUPLE = "ntuple:"


class Source(NamedTuple):
    """The text of a file or module that a spec names."""

    place: str
    """As specs name it: ``./mine.py``, ``package.module``, ``my.net``."""
    hash: str
    files: tuple[tuple[str, str], ...]
    """(name, text): first the heuristic, then the user's own modules that it imports. None for a network."""

    @property
    def lines(self) -> int:
        """Its length."""
        return sum(text.count("\n") + 1 for _, text in self.files)


# --- The places that a spec names ------------------------------------------------------------------------------------


def places_of(spec: str) -> list[str]:
    """Return the files and modules that the spec of a player or a game names.

    >>> places_of("expectimax:depth=3,eval=./mine.py:corner")
    ['./mine.py']
    >>> places_of("./nim.py:Nim:heaps=4")
    ['./nim.py']
    >>> places_of("greedy:eval=uma1")
    []
    """
    name, options = parse_spec(spec)
    found = [name.rpartition(":")[0] if is_place(name) else _offered(name, (GAMES, PLAYERS))]
    for key, value in options.items():
        if key == _NETWORK:
            found.append(value)
        elif key in _HEURISTICS and value.startswith(_NTUPLE):
            found.append(value.removeprefix(_NTUPLE))
        elif key in _HEURISTICS:
            found.append(value.rpartition(":")[0] or _offered_evaluator(value))
    return [place for place in found if place]


def _offered(name: str, groups: tuple[str, ...]) -> str:
    """Return the name if it is an installed package's game or player; else an empty string."""
    return name if any(installed(group, name) for group in groups) else ""


def _offered_evaluator(name: str) -> str:
    """Return the name if it is an evaluator of an installed package or of this process; else an empty string."""
    from contienda.evaluation.custom import GROUP, registered

    return name if registered(name) else _offered(name, (GROUP,))


def sources_of(specs: Iterable[str]) -> list[Source]:
    """Return the current source of everything that these specs name, without what is missing."""
    places = dict.fromkeys(place for spec in specs for place in places_of(spec))
    return [source for place in places if (source := read_source(place)) is not None]


# --- Reading ---------------------------------------------------------------------------------------------------------


def read_source(place: str) -> Source | None:
    """Return the current source at a place; None if there is none."""
    try:
        if place.endswith(".py"):
            path = Path(place).expanduser()
            if place.endswith(SUFFIX):  # it imports nothing
                return _source(place, ((path.name, _text(path)),)) if path.is_file() else None
            return _with_modules(place, path.name, path) if path.is_file() else None
        path = Path(place)
        if path.is_file():  # a network
            about = path.stat()
            return Source(place, _digest(path.resolve(), about.st_mtime_ns, about.st_size), ())
        return _module(place)
    except OSError:
        return None


@lru_cache(maxsize=64)
def _digest(path: Path, changed: int, size: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _module(place: str) -> Source | None:
    """The module of a dotted name, or the one that offers something under this name."""
    from contienda.evaluation.custom import GROUP, _registered

    if place in _registered:
        return _typed_in(place, _registered[place])
    entry = installed(GROUP, place) or installed(PLAYERS, place) or installed(GAMES, place)
    name = place if entry is None else entry.value.partition(":")[0]
    importlib.invalidate_caches()
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError, AttributeError):
        return None
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        return None
    path = Path(spec.origin)
    within = "/".join(name.split("."))
    return _with_modules(place, f"{within}/__init__.py" if path.name == "__init__.py" else f"{within}.py", path)


def _typed_in(name: str, function: Callable[..., object]) -> Source | None:
    """A function of this process, which may have been typed into a notebook."""
    try:
        return _source(name, ((f"{name}.py", inspect.getsource(getattr(function, "py_func", function))),))
    except (OSError, TypeError):
        return None


def _with_modules(place: str, name: str, path: Path) -> Source:
    """A file, and the user's own modules that it imports, directly or by way of others."""

    files = {name: _text(path)}
    top = PurePosixPath(name).parts[0]
    seen = {top.removesuffix(".py")}
    if users_own(path) and top != name:  # a module of a package: the package comes with it
        files |= _package(top, path.parents[len(PurePosixPath(name).parts) - 2])
    importlib.invalidate_caches()
    waiting = list(files.values())
    while waiting:
        for imported in _imports(waiting.pop()):
            if imported in seen:
                continue
            seen.add(imported)
            new = {key: text for key, text in _own_files(imported, path.parent).items() if key not in files}
            files |= new
            waiting += new.values()
    first, *others = files.items()
    return _source(place, (first, *sorted(others)))


def _source(place: str, files: tuple[tuple[str, str], ...]) -> Source:
    return Source(place, hashlib.sha256(json.dumps(files).encode()).hexdigest(), files)


def _text(path: Path) -> str:
    # Byte for byte, in any encoding: JSON in ASCII can express bytes that are not characters.
    return path.read_bytes().decode("utf-8", "surrogateescape")


def _imports(text: str) -> set[str]:
    """Return the top-level names that a source imports; none if it is not Python."""
    try:
        tree = parse_python(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found


def _own_files(name: str, folder: Path) -> dict[str, str]:
    """Return the files of a user's own module or package; none if it is installed or missing."""

    if name in sys.stdlib_module_names:
        return {}
    try:
        spec = PathFinder.find_spec(name, [str(folder), *sys.path])
    except (ImportError, ValueError):
        return {}
    if spec is None:
        return {}
    if spec.submodule_search_locations:
        where = Path(next(iter(spec.submodule_search_locations)))
        return _package(name, where) if users_own(where) else {}
    if spec.origin is None or not spec.origin.endswith(".py") or not users_own(Path(spec.origin)):
        return {}
    return {f"{name}.py": _text(Path(spec.origin))}


def _package(name: str, folder: Path) -> dict[str, str]:
    """Return every source of a package: we cannot know what it imports, and when."""
    return {f"{name}/{path.relative_to(folder).as_posix()}": _text(path) for path in sorted(folder.rglob("*.py"))}


def source_from_row(place: str, found: str, files: str) -> Source:
    """A source as a file of results has it; `BadInput` if it is damaged, or would be written where it does not belong.

    Such a file may come from anywhere.
    """
    try:
        read = tuple((str(name), str(text)) for name, text in json.loads(files))
    except (ValueError, TypeError):
        read = (("", ""),)
    sound = all(_is_name(name) for name, _ in read) and (not read or _source(place, read).hash == found)
    if not sound:
        raise BadInput("the source of {place} is damaged", place=place)
    return Source(place, found, read)


def _is_name(name: str) -> bool:
    parts = name.split("/")
    return name.endswith(".py") and all(part not in ("", ".", "..") and not set(part) & set("\\:\0") for part in parts)


# --- Stored and current sources --------------------------------------------------------------------------------------


def state_of(source: Source) -> str:
    """Return how a place compares with its stored source: "same", "other" or "gone"."""
    now = read_source(source.place)
    if now is None:
        return "gone"
    return "same" if now.hash == source.hash else "other"


def refuse_others(sources: Iterable[Source]) -> None:
    """Refuse to continue if a file has changed: it would be another player."""
    for source in sources:
        if state_of(source) == "other":
            changed = _changed(source)
            raise BadInput(
                "{changed} has changed since the first games were played: restore the old text, or move the "
                "file to continue with the copy in the results, or start a new results file",
                changed=changed,
            )


def _changed(source: Source) -> str:
    """The file that was edited: the one that the spec names, or a module that it imports."""
    now = read_source(source.place)
    before, after = dict(source.files), dict(now.files if now is not None else ())
    names = [name for name in before | after if before.get(name) != after.get(name)]
    if not names or names[0] == source.files[0][0]:  # or a network
        return source.place
    return f"{names[0]} ({source.place})"


@contextmanager
def playing_from(sources: Iterable[Source]) -> Iterator[Callable[[str], str]]:
    """Within this context, players use the stored source; gives ``placed(spec)``, the spec that does so.

    An unchanged file is used where it is, so that errors name it.
    """
    changed = {source.place: source for source in sources if state_of(source) != "same"}
    refuse_others(source for source in changed.values() if not source.files)
    moved = {place: source for place, source in changed.items() if source.files}
    if not moved:
        yield str
        return
    with _placing, _imported_from(moved.values()):
        yield lambda spec: _placed(spec, moved)


#: Modules are Python's own, one of each name for the whole process.
_placing = threading.RLock()


@contextmanager
def _imported_from(sources: Iterable[Source]) -> Iterator[None]:
    """Import modules from the stored text inside this context."""
    moved = list(sources)
    folders = [str(_written(source)) for source in moved]
    names = {PurePosixPath(name).parts[0].removesuffix(".py") for each in moved for name, _ in each.files}
    before = _taken_out(names)
    sys.path[:0] = folders
    importlib.invalidate_caches()
    try:
        yield
    finally:
        for folder in folders:
            with suppress(ValueError):
                sys.path.remove(folder)
        _taken_out(names)
        sys.modules.update(before)


def _taken_out(names: set[str]) -> dict[str, ModuleType]:
    """Remove modules and their submodules from those that Python has imported."""
    own = [name for name in sys.modules if name.partition(".")[0] in names]
    return {name: sys.modules.pop(name) for name in own}


def _placed(spec: str, moved: dict[str, Source]) -> str:
    parsed = parse_spec(spec)
    options = {key: _moved(value, moved) if key in _HEURISTICS else value for key, value in parsed.options.items()}
    return str(Spec(_moved(parsed.name, moved), options))


def _moved(name: str, moved: dict[str, Source]) -> str:
    """Return ``FILE.py:NAME`` with the path of the stored text."""
    place, _, member = name.rpartition(":")
    source = moved.get(place)
    return name if source is None or not place.endswith(".py") else f"{_folder(source) / source.files[0][0]}:{member}"


def _written(source: Source) -> Path:
    """Write the stored files into a folder, as they were."""
    folder = _folder(source)
    for name, text in source.files:
        path, data = folder / name, text.encode("utf-8", "surrogateescape")
        if not path.is_file() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, data)
    return folder


def _folder(source: Source) -> Path:
    return _shelf() / source.hash[:32]


@lru_cache(maxsize=1)
def _shelf() -> Path:
    """Return a folder that only this user can write to, because its files are run.

    A text's hash always gives it the same path, so that its compiled code is found again.
    """
    user = os.getuid() if hasattr(os, "getuid") else 0
    shelf = Path(tempfile.gettempdir()) / f"contienda-sources-{user}"
    with suppress(OSError):
        shelf.mkdir(mode=0o700, exist_ok=True)
        about = shelf.lstat()
        if stat.S_ISDIR(about.st_mode) and about.st_uid == user and not about.st_mode & 0o022:
            return shelf
    return Path(tempfile.mkdtemp(prefix="contienda-sources-"))
