"""What a game declares beyond its rules: each optional member of the contract, right and wrong, with errors in one
line."""

from __future__ import annotations

from copy import copy

import pytest
from drive import contienda

from contienda.compiled.jit import njit, popcount
from contienda.core.evaluator import Evaluator, Term
from contienda.core.examples import LabExample, TraceExample
from contienda.core.game import Cells, Game, Level, Parameter, SearchShortcuts
from contienda.core.language import BadInput, Text
from contienda.games.check import faults_of
from contienda.games.tictactoe import Marks, TicTacToe
from contienda.players.check import player_faults


@njit
def fill(state, board):
    for cell in range(9):
        board[cell] = (state.max >> cell & 1) + 2 * (state.min >> cell & 1)


@njit
def phase(state):
    return popcount(state.max | state.min) >> 2


@njit
def upright(state):
    return state


@njit
def always_four(state, cut):
    return 4


@njit
def centre(state):
    return (state.max >> 4 & 1) - (state.min >> 4 & 1)


class Everything(TicTacToe):
    """Tic-tac-toe that declares all that a game may declare; a target is a number of marks."""

    name = "everything"
    example = "X../.O./..."
    parameters = {"rows": Parameter(3, Text("rows"))}  # noqa: RUF012
    features = frozenset({"points", "network"})
    action_count = 9
    utility_bounds = (-1.0, 1.0)
    evaluators = (Evaluator("centre", {"centre": Term(centre, range=(-1, 1))}),)
    default_evaluator = points_evaluator = "centre"
    opponents = ("both",)
    targets = (5, 9)
    default_target = 9
    levels: tuple[Level, ...] = (Level(Text("Easy"), "alphabeta:depth=1"),)  # type: ignore[assignment]
    configurations = (Level(Text("Greedy"), "greedy"),)
    trace_examples = (TraceExample(Text("Two levels"), (("X../.O./...", "minimax:depth=2"),)),)
    lab_examples = (LabExample(Text("Who wins?"), ("minimax:depth=2",), 4, opponents=("random",)),)
    cells = Cells(3, 3, 3, fill, 3, phase)
    rows = 3

    @property
    def shortcuts(self):
        return SearchShortcuts(upright, upright, always_four)

    def adversarial(self, opponent):
        return self.rules

    def until(self, target):
        aimed = copy(self)
        aimed.target = target
        return aimed

    def reached(self, state, target):
        return (state.max | state.min).bit_count() >= target

    def outcome(self, state):
        return {"score": state.max.bit_count()}


def changed(**changes) -> Game:
    return type("Changed", (Everything,), changes)()


def refuse(self, *about):
    raise BadInput("never", es="nunca")


def test_all_of_it_conforms():
    game = Everything()
    assert [str(fault) for fault in faults_of(game, 2)] == []
    assert player_faults(game) == []


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"features": frozenset({"pionts"})}, "features: no feature 'pionts': there are points, network, exact"),
        ({"features": frozenset({"exact"})}, "features: the feature exact needs columns, connect"),
        ({"features": frozenset({"solved"}), "columns": 3}, "needs state.cells, state.high, state.bonus, state.walls"),
        ({"features": frozenset({"network"}), "cells": None}, "features: the feature network needs state.cells"),
        ({"parameters": {"breadth": Parameter(3, Text("breadth"))}}, "parameters: the game does not store its"),
        ({"action_count": 0}, "parameters: action_count is 0, not from 1 to 64"),
        ({"action_count": 8}, "moves: action 8 is not below action_count 8"),
        ({"utility_bounds": (0.0, 0.5)}, "is not within utility_bounds, 0 to 0.5"),
        ({"evaluators": Everything.evaluators * 2}, "evaluators: two evaluators have the same name: centre, centre"),
        ({"points_evaluator": "score"}, "evaluators: points_evaluator is 'score', which the game does not have"),
        ({"adversarial": lambda self, opponent: None}, "opponents: adversarial('both') does not return Rules"),
        ({"default_target": 7}, "targets: default_target 7 is not one of the targets"),
        ({"until": refuse}, "targets: until refuses the target 5: never"),
        ({"until": lambda self, target: self}, "targets: until(5) returns no game with that target"),
        ({"reached": lambda self, state, target: None}, "targets: reached must return True or False"),
        ({"levels": ("random",)}, "levels: 'random' is not a Level of a Text and a player"),
        ({"example": "X../"}, "example: parse refuses the example 'X../'"),
        ({"outcome": lambda self, state: {"score": 0.5}}, "outcome: a game of points needs an integer score"),
        ({"features": frozenset(), "outcome": lambda self, state: {"winner": 3}}, "outcome: outcome must have a score"),
        ({"cells": Cells(3, 3, 2, fill, 3, phase)}, "cells: fill must write 0 to 1 into every cell"),
        ({"cells": Cells(3, 3, 3, fill, 2, phase)}, "cells: phase is 2, not from 0 to 1"),
        ({"cells": 9}, "cells: 9 is not Cells"),
        ({"shortcuts": 9}, "shortcuts: 9 is not SearchShortcuts"),
        (
            {"shortcuts": SearchShortcuts(lambda state: Marks(state.max, 0, state.turn), upright, always_four)},
            "shortcuts: fold changes the number of moves",
        ),
        ({"shortcuts": SearchShortcuts(upright, upright, lambda state, cut: 0)}, "shortcuts: auto_depth must be"),
        ({"from_numbers": lambda self, numbers, like: like._replace(max=0)}, "numbers: from_numbers reads what"),
        ({"outcome": lambda self, state: self.nothing}, "AttributeError: 'Changed' object has no attribute 'nothing'"),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else "",
)
def test_each_wrong_member_is_told_in_one_line(changes, said):
    faults = [str(fault) for fault in faults_of(changed(**changes), 2)]
    assert any(said in fault for fault in faults), faults
    assert all("\n" not in fault for fault in faults)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"default_player": "alphabetta"}, "default_player: alphabetta: no player 'alphabetta'"),
        ({"levels": (Level(Text("Best"), "solver"),)}, "levels: solver: solver needs a game with exact values"),
        (
            {"configurations": (Level(Text("A*"), "astar"),)},
            "configurations: astar: astar needs a game with path searches",
        ),
        ({"trace_examples": (TraceExample(Text("One"), (("X", "minimax"),)),)}, "trace_examples: minimax: "),
        ({"lab_examples": (LabExample(Text("Who?"), ("minimax:dept=2",), 4),)}, "lab_examples: minimax:dept=2: "),
        ({"default_evaluator": "middle"}, "no evaluator 'middle'"),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else "",
)
def test_players_that_a_game_names_must_play_it(changes, said):
    faults = [str(fault) for fault in player_faults(changed(**changes))]
    assert any(said in fault for fault in faults), faults


OWN = """
from contienda.games.connect4 import Connect4
from contienda.games.tictactoe import TicTacToe


class Mine(Connect4):
    '''As ours: the book of its first moves fits too.'''


class Claims(TicTacToe):
    features = frozenset({"exact"})


class Levels(TicTacToe):
    default_player = "alphabetta"
"""


def test_a_feature_belongs_to_any_game_that_has_what_it_needs(tmp_path, monkeypatch):
    (tmp_path / "own.py").write_text(OWN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    hint = contienda("hint", "./own.py:Mine", "44", "--player", "solver", "--json").json
    assert (hint["best"], hint["moves"][0]["value"]) == ("4", 1.0)
    for command in (("hint", "./own.py:Claims", "--player", "solver"), ("check", "./own.py:Claims")):
        said = contienda(*command).complaint
        assert said == "./own.py:Claims: the feature exact needs rows, columns, connect"
    ran = contienda("check", "./own.py:Levels")
    assert ran.code == 1
    assert "./own.py:Levels: default_player: alphabetta: no player 'alphabetta'" in ran.out
