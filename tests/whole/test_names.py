"""A name means one thing, and no general code asks which game it plays (docs/en/architecture.md)."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import contienda
from contienda.games import game_types

PACKAGE = Path(contienda.__file__).parent

#: Rooms about particular games, and files about one: these may use its class. A file may also have a game in its name.
_ABOUT_GAMES = {"games", "learning", "perfect", "problems", "tables"}
_ABOUT_ONE = {"envs/kaggle.py"}  # Kaggle's ConnectX is Connect 4
#: Attributes that are "tree" and mean no game: the family of a trace.
_OTHER_TREES = {"family"}


def _modules() -> dict[str, ast.Module]:
    """The source by path."""
    files = sorted(PACKAGE.rglob("*.py"))
    return {file.relative_to(PACKAGE).as_posix(): ast.parse(file.read_bytes()) for file in files}


def _repeated_classes(modules: dict[str, ast.Module]) -> dict[str, list[str]]:
    found = defaultdict(list)
    for path, module in modules.items():
        for node in module.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(path)
    return {name: paths for name, paths in found.items() if len(paths) > 1}


def _games_named(modules: dict[str, ast.Module]) -> list[str]:
    """Imports of a game's class by general code, inside functions too, and comparisons with a game's name."""
    games = game_types()
    classes = {game.__name__ for game in games.values()}
    found = []
    for path, module in modules.items():
        if path.split("/")[0] in _ABOUT_GAMES or path in _ABOUT_ONE or any(name in path for name in games):
            continue
        for node in ast.walk(module):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("contienda.games."):
                found += [f"{path}:{node.lineno} imports {each.name}" for each in node.names if each.name in classes]
            elif isinstance(node, ast.Compare) and getattr(node.left, "attr", "") not in _OTHER_TREES:
                asked = [each.value for each in ast.walk(node) if isinstance(each, ast.Constant)]
                found += [f"{path}:{node.lineno} asks for {each}" for each in asked if each in games]
    return found


def test_no_public_class_has_the_name_of_another():
    assert not _repeated_classes(_modules())


def test_general_code_asks_for_no_game_by_class_or_name():
    assert not _games_named(_modules())


def test_the_checks_find_what_they_look_for():
    wrong = "def play(game):\n    from contienda.games.connect4 import Connect4\n    return game.name == 'tictactoe'\n"
    modules = {
        "web/a.py": ast.parse(wrong),
        "perfect/b.py": ast.parse(wrong),
        "lab/grading_connect4.py": ast.parse(wrong),
    }
    assert _games_named(modules) == ["web/a.py:2 imports Connect4", "web/a.py:3 asks for tictactoe"]
    twice = {"web/a.py": ast.parse("class Line: ..."), "lab/b.py": ast.parse("class Line: ...\nclass _Line: ...")}
    assert _repeated_classes(twice) == {"Line": ["web/a.py", "lab/b.py"]}
