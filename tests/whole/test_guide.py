"""The guide "Write a game in 40 lines": every listing is a file, every command runs, in both languages alike."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from drive import contienda

import contienda as library
from contienda import make_game, make_player

DOCS = Path(__file__).parents[2] / "docs"
GUIDES = {"en": DOCS / "en" / "write-a-game.md", "es": DOCS / "es" / "escribir-un-juego.md"}


def blocks(language: str, kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```", GUIDES[language].read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def listings() -> dict[str, str]:
    """The files of the guide, by the name in their first line."""
    return {text.partition("\n")[0].removeprefix("# "): text for text in blocks("en", "python")}


COMMANDS = [line for block in blocks("en", "sh") for line in block.splitlines()]


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    for name, text in listings().items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_runs(command):
    program, *arguments = shlex.split(command)
    assert program == "contienda"
    ran = contienda(*arguments)
    assert ran.code == 0, ran.err + ran.out


def test_both_languages_show_the_same_code():
    for kind in ("python", "sh", "toml"):
        assert blocks("es", kind) == blocks("en", kind)


def test_a_game_takes_40_lines():
    assert len(listings()["nim.py"].splitlines()) < 40
    assert len(listings()["three.py"].splitlines()) <= 40


@pytest.mark.parametrize("position", ["(1, 3, 5)", "(0, 2, 2) second", "(1, 2, 4)"])
def test_nim_is_the_same_plain_and_compiled(position):
    found = []
    for place in ("./nim.py:Nim", "./fastnim.py:FastNim"):
        game = make_game(place)
        analysis = make_player("minimax:depth=4,eval=none", game).analyse(game.parse(position))
        found.append(({move.move: move.value for move in analysis.moves}, analysis.counters.nodes))
    assert found[0] == found[1]


@pytest.mark.parametrize("name", library.__all__)
def test_the_names_of_the_library_are_there(name):
    assert getattr(library, name) is not None
