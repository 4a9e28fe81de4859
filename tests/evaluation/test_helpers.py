"""Helpers for evaluators of every game: what they read, and how they and the evaluators that call them fail."""

from __future__ import annotations

import importlib
import logging
import re
import textwrap

import pytest

from contienda.compiled.rng import below, generator
from contienda.core.game import MAX, MIN
from contienda.core.language import BadInput
from contienda.evaluation.compiled import compile_evaluator
from contienda.evaluation.custom import blame_heuristic
from contienda.games import game_types, make_game
from contienda.games.helpers import connect4, einstein, othello, tictactoe
from contienda.players import make_player


def positions(name: str, games: int = 2) -> list:
    """States of a few random games in which a player is to move."""
    game = make_game(name)
    found = []
    for seed in range(games):
        luck = generator(seed)
        state = game.start(luck)
        while actions := game.legal_actions(state):
            state = game.apply(state, actions[below(luck, len(actions))])
            found.append(state)
    return found


@pytest.fixture
def write(tmp_path):
    """Put a file aside, and return the evaluator that it holds, `f`, as a spec names it."""

    def put(text: str) -> str:
        path = tmp_path / "mine.py"
        path.write_text(textwrap.dedent(text).lstrip(), encoding="utf-8")
        return f"{path}:f"

    return put


def refusal(name: str, game) -> str:
    with pytest.raises(BadInput) as refused:
        compile_evaluator(name, game, {})
    assert refused.value.text.into("es") != refused.value.text.into("en")
    return refused.value.text.into("en")


# --- What they read ---------------------------------------------------------------------------------------------------


def owners(game, state) -> list[list[int]]:
    """The board as rows of 1 for MAX, -1 for MIN, 0; MAX moves first in these states."""
    return [[{0: 0, 1: 1, 2: -1}[owner] for owner in row] for row in game.grid(state)]


def test_connect_4_by_hand():
    game = make_game("connect4")
    ways = [(0, 1), (1, 0), (1, 1), (1, -1)]
    for state in positions("connect4"):
        board = owners(game, state)
        assert [[connect4.stone(state, r, c) for c in range(7)] for r in range(6)] == board
        heights = [sum(row[c] != 0 for row in board) for c in range(7)]
        assert [connect4.height(state, c) for c in range(7)] == heights
        assert [connect4.landing(state, c) for c in range(7)] == [5 - height for height in heights]
        assert [connect4.playable(state, c) for c in range(7)] == [height < 6 for height in heights]
        lines = [
            [(r + down * i, c + right * i) for i in range(4)]
            for down, right in ways
            for r in range(6)
            for c in range(7)
            if r + 3 * down < 6 and 0 <= c + 3 * right < 7
        ]
        for player, sign in ((MAX, 1), (MIN, -1)):
            assert connect4.stones(state, player) == sum(row.count(sign) for row in board)
            held = [[sign * board[r][c] for r, c in line] for line in lines]
            for n in range(1, 4):
                expected = sum(line.count(1) == n and -1 not in line for line in held)
                assert connect4.windows(state, player, n) == expected
            open_cells = {
                cell
                for line, values in zip(lines, held, strict=True)
                if values.count(1) == 3 and -1 not in values
                for cell, value in zip(line, values, strict=True)
                if not value
            }
            assert connect4.threats(state, player) == len(open_cells)


def test_tic_tac_toe_by_hand():
    game = make_game("tictactoe")
    lines = [[3 * i + j for j in range(3)] for i in range(3)] + [[i + 3 * j for j in range(3)] for i in range(3)]
    lines += [[0, 4, 8], [2, 4, 6]]
    for state in positions("tictactoe"):
        cells = [{"X": 1, "O": -1}.get(mark, 0) for mark in game.format(state).replace("/", "")]
        assert [tictactoe.mark(state, i // 3, i % 3) for i in range(9)] == cells
        assert tictactoe.empty(state) == cells.count(0)
        for player, sign in ((MAX, 1), (MIN, -1)):
            assert tictactoe.marks(state, player) == cells.count(sign)
            held = [[sign * cells[i] for i in line] for line in lines]
            assert tictactoe.lines(state, player, 2) == sum(line.count(1) == 2 and -1 not in line for line in held)


def test_othello_by_hand():
    game = make_game("othello")
    for state in positions("othello", 1)[::6]:
        board = owners(game, state)
        assert [[othello.disc(state, r, c) for c in range(8)] for r in range(8)] == board
        assert othello.empty(state) == sum(row.count(0) for row in board)
        for player, sign in ((MAX, 1), (MIN, -1)):
            assert othello.discs(state, player) == sum(row.count(sign) for row in board)
            assert othello.corners(state, player) == sum(board[r][c] == sign for r in (0, 7) for c in (0, 7))
            turned = [othello.flips(state, player, r, c) for r in range(8) for c in range(8)]
            assert othello.moves(state, player) == sum(count > 0 for count in turned)
            beside = sum(
                board[r][c] == sign
                and any(
                    board[i][j] == 0
                    for i in range(max(r - 1, 0), min(r + 2, 8))
                    for j in range(max(c - 1, 0), min(c + 2, 8))
                )
                for r in range(8)
                for c in range(8)
            )
            assert othello.frontier(state, player) == beside
        assert othello.stable(state, MAX) - othello.stable(state, MIN) == game_types()["othello"].evaluators[3].terms[
            "stable"
        ].value(state)


def test_einstein_by_hand():
    game = make_game("einstein")
    for state in positions("einstein", 1):
        rows = [row.split() for row in " ".join(game.format(state).split(" ")[:-2]).split("/")]
        where = {cell: (r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell != "."}
        for player, colour in ((MAX, "r"), (MIN, "b")):
            own = [n for n in range(1, 7) if f"{colour}{n}" in where]
            assert [n for n in range(1, 7) if einstein.alive(state, player, n)] == own
            assert einstein.stones(state, player) == len(own)
            away = [max(4 - r, 4 - c) if colour == "r" else max(r, c) for r, c in (where[f"{colour}{n}"] for n in own)]
            assert [einstein.distance(state, player, n) for n in own] == away
            assert einstein.nearest(state, player) == min(away, default=4)
        assert einstein.die(state) == state.die


# --- In a search ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["2048", "connect4", "othello", "einstein", "tictactoe"])
def test_the_example_of_every_game_uses_its_helpers(name, write):
    game = make_game(name)
    assert importlib.import_module(game.helpers).__all__
    assert f"from {game.helpers} import" in game.example_evaluator
    made = compile_evaluator(write(game.example_evaluator.replace("def mine", "def f")), game, {})
    state = positions(name, 1)[3]
    assert made.evaluate(state, made.weights) == pytest.approx(sum(made.contributions(state).values()))


def test_the_helpers_of_connect_4_know_the_size_of_the_board(write):
    """Called by name, through their module, and from a function of the user's own."""
    place = write(
        """
        from contienda.games.helpers import connect4
        from contienda.games.helpers.connect4 import MAX, rows

        def size(board):
            return 10 * rows(board) + connect4.columns(board)

        def f(board, weights):
            return 100.0 * size(board) + connect4.windows(board, MAX, 1)
        """
    )
    for spec, expected in (("connect4", 6703), ("connect4:rows=3,columns=4,connect=3", 3403), ("connect4", 6703)):
        game = make_game(spec)
        made = compile_evaluator(place, game, {})
        assert made.evaluate(game.parse("1"), made.weights) == expected


# --- How they fail ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["connect4", "othello", "einstein", "tictactoe"])
def test_an_error_recommends_the_helpers_of_the_game(name, write):
    told = refusal(write("def f(board, weights):\n    return emty(board)\n"), make_game(name))
    assert told.endswith(f"use numbers, if, for, while and contienda.games.helpers.{name}")


@pytest.mark.parametrize(
    ("name", "helper", "call", "reason"),
    [
        ("2048", "tile", "tile(board, 4, 3)", "there is no cell in row 4, column 3: both count from 0"),
        ("2048", "rank", "rank(board, -1, 0)", "there is no cell in row -1, column 0: both count from 0"),
        ("connect4", "stone", "stone(board, 6, 0)", "there is no cell in row 6, column 0: both count from 0"),
        ("connect4", "playable", "playable(board, 7)", "there is no column 7: they count from 0"),
        ("tictactoe", "mark", "mark(board, 0, 3)", "there is no cell in row 0, column 3: both count from 0"),
        ("othello", "disc", "disc(board, 8, 8)", "there is no cell in row 8, column 8: both count from 0"),
        ("einstein", "alive", "alive(board, 0, 0)", "there is no stone 0: they count from 1"),
    ],
)
def test_what_is_beyond_the_board_is_refused(name, helper, call, reason, write):
    game = make_game(name)
    place = write(f"from {game.helpers} import {helper}\n\ndef f(board, weights):\n    return 1.0 * {call}\n")
    told = refusal(place, game)
    assert f"mine.py:4: `return 1.0 * {call}` fails on " in told
    assert told.endswith(f": {reason}")


def test_a_division_by_zero_in_a_compiled_search_names_the_line_and_the_position(write):
    """It happens only where three stones lie in the last column, deep in the tree, on a thread of its own or not."""
    game = make_game("connect4")
    place = write(
        """
        from contienda.games.helpers.connect4 import height

        def f(board, weights):
            rest = 4 - height(board, 6)
            return 1 / rest
        """
    )
    player = make_player(f"alphabeta:depth=4,eval={place}", game)
    player.compile()
    with pytest.raises(ZeroDivisionError) as raised:
        player.analyse(game.parse("777"))
    told = blame_heuristic(raised.value)
    assert told is not None
    found = re.fullmatch(
        r"(.*): `return 1 / rest` fails on (\d+): ZeroDivisionError: division by zero", told.text.into("en")
    )
    assert found, told
    assert found[1].endswith("mine.py:5")
    assert told.line == 5
    assert connect4.height(game.parse(found[2]), 6) == 4


def test_a_value_larger_than_a_win_is_told_once(write, caplog):
    game = make_game("tictactoe")
    place = write("def f(board, weights):\n    return 3.0 - board.turn\n")
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            compile_evaluator(place, game, {})
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == 1
    assert re.search(r"mine.py:f returns 3 on [XO./]+: more than a win, 1, ", told[0])
