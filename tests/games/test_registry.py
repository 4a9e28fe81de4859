"""The registry of games: its list is complete and correct."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

from contienda.core.language import BadInput
from contienda.games import game_types, make_game
from contienda.games.connect4 import Connect4
from contienda.games.tree import EXAMPLES


def test_one_game_is_loaded_without_the_others():
    code = (
        "import sys; from contienda.games import make_game; make_game('connect4');"
        "print(*(name for name in sys.modules if name.startswith('contienda.games')))"
    )
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    plain = {"contienda.games.plain", "contienda.games.plain_notation"}
    assert set(told.split()) <= {"contienda.games", "contienda.games.connect4", *plain}


@pytest.mark.parametrize("name", game_types())
def test_what_is_listed_is_what_is_made(name):
    info = game_types()[name]
    game = make_game(name, EXAMPLES["alphabeta"] if info.takes_text else None)
    assert (game.name, game.title, game.spec) == (name, info.title, name)
    assert game.about.into("en") != game.about.into("es")
    taken = {key: parameter.default for key, parameter in inspect.signature(type(game)).parameters.items()}
    taken.pop("text", None)
    assert taken == {key: parameter.default for key, parameter in info.parameters.items()}


def test_parameters_reach_the_game():
    game = make_game("connect4:columns=6,rows=5")
    assert isinstance(game, Connect4)
    assert (game.rows, game.columns, game.connect) == (5, 6, 4)
    assert make_game(game.spec).spec == game.spec == "connect4:rows=5,columns=6"


def test_a_tree_is_made_from_its_text():
    assert make_game("tree", "max[3 4]").format(make_game("tree", "max[3 4]").parse("")) == "max[3 4]"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            "chess",
            "no game 'chess': there are 2048, connect4, einstein, othello, tictactoe, tree, "
            "or your own as FILE.py:CLASS",
        ),
        ("connect4:row=5", "connect4 has no parameter 'row': it has rows, columns, connect"),
        ("2048:size=5", "2048 has no parameter 'size': it has rows, columns"),
        ("tictactoe:size=5", "tictactoe has no parameter 'size': it takes none"),
        ("2048:rows=5", "rows=5: a 2048 board has 2 to 4 rows and columns"),
        ("2048:rows=3,columns=1", "columns=1: a 2048 board has 2 to 4 rows and columns"),
        ("connect4:rows=five", "rows=five must be a whole number, such as rows=6"),
        ("connect4:rows=-5", "rows=-5 must be a whole number, such as rows=6"),
        ("connect4:rows=5.0", "rows=5.0 must be a whole number, such as rows=6"),
        ("connect4:rows=9", "9 rows and 7 columns are too many: (rows + 1) * columns is 70, at most 64 fit"),
        ("tree", "tree needs the tree's text, such as 'max[min[3 12 8] min[2 4 6]]'"),
    ],
)
def test_what_cannot_be_made_is_explained(spec, message):
    with pytest.raises(BadInput) as error:
        make_game(spec)
    assert error.value.text.into("en") == message
    assert error.value.text.into("es") != message


@pytest.mark.parametrize(
    "spec", ["", ":rows=5", "connect4:rows", "connect4:=5", "connect4:rows=5,rows=6", "connect4:,"]
)
def test_what_is_no_spec_is_refused(spec):
    with pytest.raises(BadInput):
        make_game(spec)
