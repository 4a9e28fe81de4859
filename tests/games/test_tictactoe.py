"""Tic-tac-toe: every position, because the game is small enough."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from twins import tictactoe as twin

from contienda.compiled.jit import lowest, njit
from contienda.core.analysis import new_tally
from contienda.core.game import MAX, MIN
from contienda.core.language import BadInput
from contienda.games.tictactoe import Marks, TicTacToe
from contienda.search.minimax import build_minimax
from contienda.search.root import build_root
from contienda.search.steps import Run

GAME = TicTacToe()
EMPTY = "." * 9


def reachable() -> set[str]:
    """Every position of the naive twin, the empty one and the ended ones included."""
    found = {EMPTY}
    layer = [EMPTY]
    while layer:
        layer = list({twin.play(cells, cell) for cells in layer for cell in twin.moves(cells)} - found)
        found.update(layer)
    return found


def test_all_positions_agree_with_the_naive_twin():
    positions = reachable()
    assert len(positions) == 5478
    for cells in positions:
        state = GAME.parse(twin.rows(cells))
        assert GAME.format(state) == twin.rows(cells)
        assert GAME.legal_actions(state) == twin.moves(cells)
        assert GAME.rules.over(state) == (not twin.moves(cells))
        if GAME.rules.over(state):
            assert GAME.rules.utility(state) == {"X": 1, "O": -1, "": 0}[twin.winner(cells)]
        for cell in twin.moves(cells):
            assert GAME.format(GAME.apply(state, cell)) == twin.rows(twin.play(cells, cell))


def test_parse_accepts_just_the_positions_that_games_reach():
    accepted = set()
    for marks in product("XO.", repeat=9):
        cells = "".join(marks)
        try:
            GAME.parse(twin.rows(cells))
        except BadInput:
            continue
        accepted.add(cells)
    assert accepted == reachable()


def test_there_are_255168_games():
    _, candidates, successor, _, over, *_ = GAME.rules

    @njit
    def games(state):
        if over(state):
            return 1
        count = 0
        remaining = candidates(state)
        while remaining != 0:
            count += games(successor(state, lowest(remaining))[1])
            remaining &= remaining - 1
        return count

    assert games(Marks(0, 0, MAX)) == 255168


@njit
def nothing(state, weights):
    return 0.0


def analyse(state: Marks) -> tuple[int, list[float], int]:
    """The best action, every action's value and the nodes of a whole minimax search."""
    root = build_root(GAME.rules, build_minimax(GAME.rules, nothing))
    values, tally = np.zeros(64), new_tally()
    best = root(state, 9, np.arange(9), np.arange(9), False, values, Run(np.zeros(1), tally))
    return best, values[:9].tolist(), int(tally.nodes)


def test_minimax_draws_whatever_is_played_first():
    best, values, nodes = analyse(Marks(0, 0, MAX))
    assert values == [0.0] * 9
    assert best == 0
    assert nodes == 549946  # the whole tree: the known count of its positions, the empty board included


def test_minimax_takes_a_win():
    best, values, _ = analyse(GAME.parse("XX./OO./..."))
    assert best == 2
    assert values[2] == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("XXX", "'XXX' is not a board: write three rows of X, O and '.', such as X.O/.X./..."),
        ("XA./.../...", "'XA./.../...' is not a board: write three rows of X, O and '.', such as X.O/.X./..."),
        ("XX./.../...", "X moves first, so there are as many X as O or one more; here 2 X and 0 O"),
        ("O../.../...", "X moves first, so there are as many X as O or one more; here 0 X and 1 O"),
        ("XXX/OOO/...", "X and O cannot both have won"),
        ("XXX/OO./O..", "X has a line, but the game went on"),
        ("OOO/XX./X.X", "O has a line, but the game went on"),
    ],
)
def test_parse_says_what_is_wrong(text, message):
    with pytest.raises(BadInput) as error:
        GAME.parse(text)
    assert error.value.text.into("en") == message
    assert error.value.text.into("es") != message


def test_empty_cells_and_small_letters_may_be_written_in_other_ways():
    assert GAME.parse("x-O/_X./...") == GAME.parse("X.O/.X./...") == Marks(0b10001, 0b100, MIN)


def test_a_board_turned_round_keeps_its_text():
    state = GAME.parse("X../.../...")
    turned = GAME.rules.seen_by_mover(state)
    assert turned == Marks(0, 1, MAX)
    assert GAME.format(turned) == "X../.../..."


def test_cells_are_numbered_in_reading_order():
    start = Marks(0, 0, MAX)
    assert GAME.format(GAME.apply(start, GAME.action_number(start, "6"))) == ".../..X/..."
    assert [GAME.action_name(start, action) for action in range(9)] == list("123456789")
    for name in ("0", "10", "", "a1", "12"):
        with pytest.raises(BadInput, match="cells are 1"):
            GAME.action_number(start, name)
    with pytest.raises(BadInput, match="6 is not possible here"):
        GAME.apply(GAME.parse(".../..X/..."), 5)
