"""Perft: the published numbers of move sequences, to the digit, for every game."""

from __future__ import annotations

import signal
import subprocess
import time

import forked
import pytest
from drive import command, contienda

from contienda.compiled.rng import generator
from contienda.core.analysis import new_tally
from contienda.games import game_types, make_game
from contienda.search import interpreted
from contienda.search.perft import Counted, build_perft, count_leaves

CONNECT4 = [7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572]
TICTACTOE = [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
OTHELLO = [4, 12, 56, 244, 1396, 8200, 55092, 390216]
TREE = "max[chance[0.5:min[2 7] 0.5:min[4 6]] 3.5]"


def counts(spec: str, text: str | None = None, depth: int = 3, jit=None) -> list[Counted]:
    """What perft says of each length up to this."""
    game = make_game(spec, text)
    state = game.start(generator(0)) if text is None else game.parse(text)
    perft = build_perft(game.rules, **({} if jit is None else {"jit": jit}))
    return [count_leaves(perft, state, length, new_tally()) for length in range(1, depth + 1)]


@pytest.mark.parametrize(("spec", "known"), [("connect4", CONNECT4), ("tictactoe", TICTACTOE), ("othello", OTHELLO)])
def test_published_numbers(spec, known):
    assert [counted.leaves for counted in counts(spec, depth=len(known))] == known


@pytest.mark.slow
def test_othello_deeper():
    """The published table counts a game that has ended as a leaf at every greater depth: 228 ended after nine moves."""
    found = counts("othello", depth=11)
    assert [counted.leaves + counted.ended for counted in found[8:]] == [3005288, 24571284, 212258800]
    assert found[9].ended == 228


def test_games_that_ended_before_are_counted_apart():
    """All games of tic-tac-toe: 255,168, of which 127,872 fill the board."""
    last = counts("tictactoe", depth=9)[-1]
    assert (last.leaves, last.ended) == (127872, 255168 - 127872)
    assert counts("tictactoe", "XXX/OO./...") == [Counted(0, 1)] * 3
    assert counts("2048", "2 4 2 4/4 2 4 2/2 4 2 4/4 2 4 2") == [Counted(0, 1)] * 3  # stuck


def test_outcomes_of_chance_are_actions():
    assert counts("tree", TREE) == [Counted(2, 0), Counted(2, 1), Counted(4, 1)]
    # Two tiles in a row: left and right merge nothing or slide, up and down move both; then a 2 or a 4 in 14 cells.
    assert counts("2048", "2 4 0 0/0 0 0 0/0 0 0 0/0 0 0 0", 2) == [Counted(2, 0), Counted(2 * 14 * 2, 0)]
    # A stone in the corner of the start has three moves, whatever the roll, and then there are six rolls.
    found = counts("einstein", "r1 r2 r3 . ./r4 r5 . . ./r6 . . . b6/. . . b5 b4/. . b3 b2 b1 r -")
    assert [counted.leaves for counted in found] == [6, 18, 108]


def test_compiled_and_interpreted_count_alike():
    for name, info in game_types().items():
        text = TREE if info.takes_text else None
        assert counts(name, text) == counts(name, text, jit=interpreted), name


# --- The command -----------------------------------------------------------------------------------------------------


def test_json():
    data = contienda("perft", "othello", "--depth", 5, "--json").json
    assert data.pop("seconds") >= 0
    assert data == {
        "game": "othello",
        "position": "......../......../......../...OX.../...XO.../......../......../........ X",
        "depth": 5,
        "leaves": 1396,
        "ended": 0,
        "leaves_by_depth": [4, 12, 56, 244, 1396],
    }


def test_text():
    told = contienda("perft", "tictactoe", "XX./OO./...", "--depth", 2)
    assert [line.split() for line in told.out.splitlines()[:-1]] == [
        ["tictactoe", "XX./OO./..."],
        ["depth", "leaves", "ended", "before"],
        ["1", "5", "0"],
        ["2", "16", "1"],
    ]
    assert "profundidad" in contienda("perft", "tictactoe", "--depth", 1, "--lang", "es").out


def test_boards_that_begin_with_a_minus_are_not_options():
    board = "--------/--------/--------/---ox---/---xo---/--------/--------/-------- x"
    assert contienda("perft", "othello", board, "--depth", 1, "--json").json["leaves"] == 4


@pytest.mark.parametrize(
    ("order", "message"),
    [
        (["chess"], "no game 'chess': there are"),
        (["othello", "f5f5"], "move 2, f5, is not possible there"),
        (["tree"], "tree needs the tree's text"),
        (["connect4", "--depth", 0], "--depth 0 must be at least 1"),
        (["connect4", "--depth", 101], "--depth 101 must be at most 100"),
        (["connect4", "--depth", "x"], "'--depth'"),
    ],
)
def test_bad_input_takes_one_line(order, message):
    assert message in contienda("perft", *order).complaint


def test_ctrl_c_stops_it():
    running = forked.Popen(
        command("perft", "connect4", "--depth", 30), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert running.stdout is not None
    for line in running.stdout:  # the count has begun
        if line.split()[0] == "1":
            break
    time.sleep(0.2)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "Traceback" not in err
