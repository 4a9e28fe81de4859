"""The glossary of the app's help is that of the docs, and the pages about algorithms are in both languages."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

from contienda.games import make_game, takes_text
from contienda.players import make_player
from contienda.players.paths import make_path_search
from contienda.problems import PROBLEMS, make_problem
from contienda.trace.algorithms import ALGORITHMS

ROOT = Path(__file__).parents[2]


def test_the_app_s_glossary_is_that_of_the_docs():
    """If it is not: python docs/glossary.py."""
    spec = importlib.util.spec_from_file_location("glossary", ROOT / "docs" / "glossary.py")
    assert spec is not None
    assert spec.loader is not None
    glossary = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(glossary)
    assert glossary.GLOSSARY.read_text(encoding="utf-8") == glossary.written()
    entries = json.loads(glossary.written())
    names = [entry["name"] for entry in entries]
    assert len(names) == len(set(names)) > 60
    assert {"alpha-beta window", "cut-off", "ply", "principal variation", "UCB"} <= set(names)
    for entry in entries:
        for text in (*entry["word"].values(), *entry["meaning"].values()):
            assert text
            assert "\\" not in text


def test_each_algorithm_is_explained_in_every_language_with_a_search_that_exists():
    for algorithm in ALGORITHMS:
        for texts in (algorithm.title, algorithm.idea, algorithm.cost):
            assert all(texts.in_all_languages().values())
        name, position, player = algorithm.example
        if name in PROBLEMS:
            assert make_path_search(player, make_problem(name, position)) is not None
        else:
            game = make_game(name, position if takes_text(name) else None)
            assert game.parse(position) is not None
            assert make_player(player, game).spec.partition(":")[0] == player.partition(":")[0]
