"""The players of a league: files that people wrote, found in a folder without running them, and specs.

The top-level definitions of a Python file decide how it takes part:

| it defines | it plays as |
|---|---|
| ``engine = "COMMAND"`` | another program (`docs/en/engines.md`), started in the folder of the file |
| ``class Player`` | itself: ``choose(self, game, state)`` returns a move by its name or number; new for each game |
| ``def heuristic(board, weights)`` | the search of the game with this evaluator |

Only the worker process of a player runs its file (`contienda.league.worker`).
"""

from __future__ import annotations

import ast
import hashlib
import json
import stat
import tokenize
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Literal, NamedTuple

from contienda.core.game import CHANCE, MIN, Game
from contienda.core.language import BadInput, Text
from contienda.core.specs import parse_spec
from contienda.core.syntax import parse_python
from contienda.lab.played_by import code_version
from contienda.lab.sources import read_source, sources_of
from contienda.players import make_player, player_info

__all__ = ["LARGEST_FILE", "Competitor", "competitor_of_file", "competitor_of_spec", "competitors_of", "search_of"]

#: Bytes of a player's file. Even the longest heuristics handed in have only some thousands of lines.
LARGEST_FILE = 1_000_000
#: The names that make a file a player; if there are several, the first counts.
_ENTRIES: tuple[Literal["engine", "player", "heuristic"], ...] = ("engine", "player", "heuristic")
_NAMES = {"engine": "engine", "Player": "player", "heuristic": "heuristic"}
#: Files that are not meant as players.
_ASIDE = ("_", ".", "test_", "conftest")


class Competitor(NamedTuple):
    """A player of a league."""

    name: str
    """Unique in its league."""
    kind: Literal["heuristic", "player", "engine", "spec"]
    place: str
    """The file's path; the spec of a player of Contienda; the command of an engine."""
    content: str = ""
    """A hash of everything that decides its moves: its games are played again when it changes."""
    reason: Text | None = None
    """Why it cannot take part, if its file already shows that."""
    staff: bool = False
    """One of the teacher's, against whom the others are measured."""
    folder: str = ""
    """The folder in which an engine is started."""
    function: str = "heuristic"
    """The name of a heuristic in its file."""


def search_of(game: Game) -> str:
    """Return the search that plays with a user's heuristic."""
    if CHANCE not in game.kinds:
        return "alphabeta"
    return "expectiminimax" if MIN in game.kinds else "expectimax"


# --- Finding ---------------------------------------------------------------------------------------------------------


def competitors_of(game: Game, places: Iterable[str], staff: Iterable[str] = ()) -> list[Competitor]:
    """Return the players in folders, files and specs; `BadInput` if there are none, or two with the same name."""
    found: list[Competitor] = []
    for of_staff, given in ((False, places), (True, staff)):
        for place in given:
            path = Path(place).expanduser()
            if path.is_dir():
                players = list(_of_folder(path))
            elif path.is_file() and path.suffix == ".py":
                players = [competitor_of_file(path, _stem(path.name))]
            else:
                players = [_of_spec(place, game)]
            found += [player._replace(staff=of_staff) for player in players]
    _refuse_twins(found)
    if not found:
        raise BadInput(
            "no players in {places}: a player is a Python file with a function heuristic, a class Player or an engine",
            places=", ".join(places),
        )
    return found


def _of_spec(place: str, game: Game) -> Competitor:
    looks_like_a_path = "/" in place or place.endswith(".py")
    if looks_like_a_path and ":" not in place:
        raise BadInput("there is no folder or file {place}", place=place)
    return competitor_of_spec(place, game)


def competitor_of_spec(spec: str, game: Game) -> Competitor:
    """Return a player of Contienda, or one named ``FILE.py:NAME``; `BadInput` if no such player plays the game."""
    name = parse_spec(spec).name
    if name == "human":
        raise BadInput("human cannot play in a league: it needs a person")
    if not player_info(name).takes(game):
        raise BadInput("{name} does not play {game_name}", name=name, game_name=game.name)
    make_player(spec, game)
    hashes = [source.hash for source in sources_of([spec])]
    return Competitor(spec, "spec", spec, _content("spec", spec, hashes))


def _of_folder(folder: Path) -> Iterator[Competitor]:
    """Yield the players in a folder, and in the folders in it: one for each pupil, as course sites hand them out."""
    files = sorted(path for path in (*folder.glob("*.py"), *folder.glob("*/*.py")) if _may_play(path, folder))
    helpers = {path for own in _by_folder(files) for path in _imported(own)}
    for path in files:
        if path in helpers:
            continue
        inside = path.relative_to(folder)
        alone = len(inside.parts) > 1 and sum(other.parent == path.parent for other in files) == 1
        name = inside.parts[0] if alone else _stem(inside.as_posix())
        yield competitor_of_file(path, name)


def _stem(name: str) -> str:
    """Return a file's name as a player's: without ``.py``, or ``.safe.py``."""
    return name.removesuffix(".py").removesuffix(".safe")


def _may_play(path: Path, folder: Path) -> bool:
    return not path.is_dir() and not any(part.startswith(_ASIDE) for part in path.relative_to(folder).parts)


def _by_folder(files: list[Path]) -> list[list[Path]]:
    folders = dict.fromkeys(path.parent for path in files)
    return [[path for path in files if path.parent == folder] for folder in folders]


def _imported(files: list[Path]) -> set[Path]:
    """Return the files that others in the folder import and that are not players themselves."""
    by_name = {path.stem: path for path in files}
    used: set[Path] = set()
    for path in files:
        tree = _tree(path)
        for node in ast.walk(tree) if tree is not None else ():
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            used |= {by_name[name] for name in names if name in by_name and by_name[name] != path}
    return {path for path in used if (tree := _tree(path)) is not None and _entry(tree) is None}


def competitor_of_file(path: Path, name: str) -> Competitor:
    """Return the player in a file; if there is none, `Competitor.reason` says why."""
    place = str(path.absolute())
    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode):  # a pipe would never end
            return _bad(name, place, Text("it is not a file"))
        if about.st_size > LARGEST_FILE:
            return _bad(name, place, Text("the file is larger than {n:,} bytes", n=LARGEST_FILE))
        data = path.read_bytes()
    except OSError as error:
        return _bad(name, place, Text("the file cannot be read: {reason}", reason=error.strerror))
    if not data.strip():
        return _bad(name, place, Text("the file is empty"))
    try:
        encoding, _ = tokenize.detect_encoding(BytesIO(data).readline)
        data.decode(encoding)
        if b"\0" in data:
            raise UnicodeError
    except (SyntaxError, UnicodeError, LookupError):
        return _bad(name, place, Text("the file is not UTF-8 text: save it as UTF-8"))
    try:
        tree = parse_python(data)
    except SyntaxError as error:
        return _bad(name, place, Text("line {line}: syntax error, {told}", line=error.lineno or 1, told=error.msg))
    except (ValueError, RecursionError, MemoryError):
        return _bad(name, place, Text("the file is not Python"))
    entry = _entry(tree)
    if entry is None:
        return _bad(name, place, Text("the file has no function heuristic, no class Player and no engine"))
    if entry == "engine":
        command = _command(tree)
        if command is None:
            return _bad(name, place, Text('engine must be a command in quotes, such as engine = "./mine"'))
        source = read_source(place)
        hashes = [] if source is None else [source.hash]
        return Competitor(name, "engine", command, _content("engine", command, hashes), folder=str(path.parent))
    source = read_source(place)
    return Competitor(name, entry, place, _content(entry, "", [] if source is None else [source.hash]))


def _bad(name: str, place: str, reason: Text) -> Competitor:
    return Competitor(name, "player", place, reason=reason)


def _tree(path: Path) -> ast.Module | None:
    try:
        about = path.stat()
        usual = stat.S_ISREG(about.st_mode) and about.st_size <= LARGEST_FILE
        return parse_python(path.read_bytes()) if usual else None
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _entry(tree: ast.Module) -> Literal["engine", "player", "heuristic"] | None:
    """Return what makes a file a player: by the names that it defines, assigns or imports at its top level."""
    bound: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            bound.add(node.name)
        elif isinstance(node, ast.Assign):
            bound |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            bound.add(node.target.id)
        elif isinstance(node, ast.ImportFrom):
            bound |= {alias.asname or alias.name for alias in node.names}
    entries = {_NAMES[name] for name in bound if name in _NAMES}
    return next((entry for entry in _ENTRIES if entry in entries), None)


def _command(tree: ast.Module) -> str | None:
    """Return the text of ``engine = "…"``."""
    for node in tree.body:
        if (
            isinstance(node, ast.Assign)
            and any(isinstance(target, ast.Name) and target.id == "engine" for target in node.targets)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            return node.value.value
    return None


def _content(*parts: object) -> str:
    return hashlib.sha256(json.dumps([code_version(), *parts]).encode()).hexdigest()[:32]


def _refuse_twins(players: list[Competitor]) -> None:
    met: dict[str, Competitor] = {}
    for player in players:
        twin = met.setdefault(player.name, player)
        if twin is not player:
            raise BadInput(
                "two players are called {name}: {first} and {second}; rename one",
                name=player.name,
                first=twin.place,
                second=player.place,
            )
