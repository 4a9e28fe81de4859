"""A name means one thing, and no general code asks which game it plays (docs/en/architecture.md)."""

from __future__ import annotations

import ast
import importlib.util
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

import contienda
from contienda.games import game_types

PACKAGE = Path(contienda.__file__).parent

#: Rooms about particular games. A folder or a file with a game in its name is about that game, wherever it is.
_ABOUT_GAMES = {"games", "learning", "perfect", "problems", "tables"}
#: Files and folders outside that are about games by their subject.
_ABOUT_ONE = {
    "cli/uc3m.py": "uc3m's own program, which plays 2048",
    "envs/__init__.py": "registers the environments, some of which are 2048",
    "envs/kaggle.py": "Kaggle's ConnectX is Connect 4",
    "lab/documents": "the experiments of five documents about 2048 and Connect 4",
    "trace/algorithms.py": "the examples of the pages about algorithms are positions of small games",
}
#: Where general code finds by a feature what a room about a game offers: the only doors into those rooms.
_DOORS = {
    "cli/learning/pack.py": "packs the networks of 2048",
    "cli/learning/train.py": "trains them, and those of games for two",
    "cli/perfect.py": "the feature solved",
    "evaluation/board.py": "an old name that evaluators of users still import",
    "evaluation/catalogue.py": "the evaluators of network, exact and solved",
    "lab/grading.py": "grades by exact and solved",
    "players/catalogue.py": "the players of all features",
    "web/training/kinds.py": "trains as cli/learning",
}
#: Strings that are a game's name and mean it: the only ones in general code.
_NAMED = {
    "lab/tune.py": "files of an earlier version, which do not name their game",
}
#: Calls whose strings are words for people, or examples of what may be typed.
_WORDS = {"Text", "say", "Option", "Argument", "Field"}
#: All but the drawn tree, whose name means a search tree nearly everywhere.
_GAMES = sorted(name for name, game in game_types().items() if not game.takes_text)


def _modules() -> dict[str, ast.Module]:
    """The source by path."""
    files = sorted(PACKAGE.rglob("*.py"))
    return {file.relative_to(PACKAGE).as_posix(): ast.parse(file.read_bytes()) for file in files}


#: Types that are only short for something of Python's or NumPy's, wherever they are.
_SHORT = {"Array", "Function", "Result", "T"}


def _types(module: ast.Module) -> Iterator[str]:
    """Public classes, and names like theirs for other types: ``Verdict = Literal[…]``."""
    for node in module.body:
        if isinstance(node, ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign):
            yield from (each.id for each in node.targets if isinstance(each, ast.Name) and each.id.istitle())


def _repeated_types(modules: dict[str, ast.Module]) -> dict[str, list[str]]:
    found = defaultdict(list)
    for path, module in modules.items():
        for name in _types(module):
            if not name.startswith("_") and name not in _SHORT:
                found[name].append(path)
    return {name: paths for name, paths in found.items() if len(paths) > 1}


def _names_a_game(part: str) -> bool:
    """Whether a folder or a module is named after a game: ``g2048``, ``grading_connect4``."""
    return any(part in (name, f"g{name}") or part.endswith(f"_{name}") for name in _GAMES)


def _is_general(path: str) -> bool:
    parts = path.removesuffix(".py").split("/")
    by_subject = any(path == each or path.startswith(f"{each}/") for each in _ABOUT_ONE)
    return not (parts[0] in _ABOUT_GAMES or by_subject or any(map(_names_a_game, parts)))


def _is_about_a_game(module: str) -> bool:
    return any(map(_names_a_game, module.split(".")[1:]))


def _games_imported(path: str, module: ast.Module) -> Iterator[str]:
    """Imports of a module about a game, inside functions and as ``module:function`` too."""
    for node in ast.walk(module):
        if isinstance(node, ast.ImportFrom):
            imported = [node.module or "", *(f"{node.module}.{each.name}" for each in node.names)]
        elif isinstance(node, ast.Import):
            imported = [each.name for each in node.names]
        elif isinstance(node, ast.Constant) and str(node.value).startswith("contienda."):
            imported = [str(node.value).partition(":")[0]]
        else:
            continue
        if any(name.startswith("contienda.") and _is_about_a_game(name) for name in imported):
            yield f"{path}:{node.lineno} imports {imported[0]}"


def _games_named(path: str, module: ast.Module) -> Iterator[str]:
    """Strings that name a game, apart from texts for people and docstrings."""
    words = {
        id(each)
        for call in ast.walk(module)
        if isinstance(call, ast.Call) and getattr(call.func, "attr", getattr(call.func, "id", "")) in _WORDS
        for each in ast.walk(call)
    }
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in words:
            name = node.value.partition(":")[0]
            if name in _GAMES:
                yield f"{path}:{node.lineno} names {node.value}"


def _faults(modules: dict[str, ast.Module]) -> list[str]:
    found: list[str] = []
    for path, module in modules.items():
        if _is_general(path):
            found += _games_imported(path, module) if path not in _DOORS else ()
            found += _games_named(path, module) if path not in _NAMED else ()
    return found


def test_no_public_type_has_the_name_of_another():
    assert not _repeated_types(_modules())


def test_general_code_knows_no_game():
    assert not _faults(_modules())


def test_no_exception_outlives_its_reason():
    modules = _modules()
    assert all(_is_general(path) for path in (*_DOORS, *_NAMED))
    assert not [path for path in _DOORS if not list(_games_imported(path, modules[path]))]
    assert not [path for path in _NAMED if not list(_games_named(path, modules[path]))]
    for each in _ABOUT_ONE:
        own = {path: module for path, module in modules.items() if path == each or path.startswith(f"{each}/")}
        assert any([*_games_imported(path, module), *_games_named(path, module)] for path, module in own.items()), each


def test_the_checks_find_what_they_look_for():
    wrong = """def play(game, spec="2048:rows=3"):
    from contienda.games.connect4 import STONES
    build = "contienda.players.g2048.exact:make_exact"
    return game.name == 'tictactoe' or Text("2048")
"""
    paths = ("web/a.py", "perfect/b.py", "lab/grading_connect4.py", "players/g2048/c.py")
    assert sorted(_faults({path: ast.parse(wrong) for path in paths})) == [
        "web/a.py:1 names 2048:rows=3",
        "web/a.py:2 imports contienda.games.connect4",
        "web/a.py:3 imports contienda.players.g2048.exact",
        "web/a.py:4 names tictactoe",
    ]
    twice = {"web/a.py": ast.parse("class Line: ..."), "lab/b.py": ast.parse("Line = int\nclass _Line: ...")}
    assert _repeated_types(twice) == {"Line": ["web/a.py", "lab/b.py"]}


@pytest.mark.parametrize(("name", "language"), [("en/house.svg", "en"), ("es/casa.svg", "es")])
def test_the_drawing_of_the_house_has_the_rooms_of_the_import_linter(name, language):
    """After a change of rooms: ``python docs/house.py``."""
    docs = Path(__file__).parents[2] / "docs"
    spec = importlib.util.spec_from_file_location("house", docs / "house.py")
    house = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(house)
    drawn = house.draw(language)
    assert (docs / name).read_text(encoding="utf-8") == drawn
    rooms = {path.split("/")[0].removesuffix(".py") for path in _modules()} - {"__init__", "__main__"}
    assert {room for room in rooms if f">{room}</text>" in drawn} == rooms
