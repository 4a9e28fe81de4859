"""Connect 4: published counts, a naive twin, and the texts."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins.connect4 import NaiveConnect4

from contienda.compiled.jit import lowest, njit, popcount
from contienda.core.game import MAX, MIN
from contienda.core.language import BadInput
from contienda.games.connect4 import WIN, Connect4, Stones, windows

USUAL = Connect4()
#: Usual, small, all 64 bits, lines longer than the rows, one row, one column, a single stone wins.
SIZES = [(6, 7, 4), (4, 5, 3), (7, 8, 4), (3, 16, 5), (1, 32, 3), (63, 1, 4), (3, 3, 1)]


# --- Counts ----------------------------------------------------------------------------------------------------------


def test_move_sequences_by_depth():
    _, candidates, successor, _, over, *_ = USUAL.rules

    @njit
    def perft(state, depth):
        if depth == 0:
            return 1
        if over(state):
            return 0
        count = 0
        remaining = candidates(state)
        while remaining != 0:
            legal, child = successor(state, lowest(remaining))
            remaining &= remaining - 1
            if legal:
                count += perft(child, depth - 1)
        return count

    counts = [perft(Stones(0, 0), depth) for depth in range(1, 10)]
    assert counts == [7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572]


def test_distinct_positions_by_ply():
    _, candidates, successor, _, over, *_ = USUAL.rules

    @njit
    def expand(layer):
        """All children, one a row, of the positions in a layer; as many rows as were filled."""
        children = np.empty((7 * len(layer), 3), np.int64)
        count = 0
        for i in range(len(layer)):
            state = Stones(layer[i, 0], layer[i, 1], layer[i, 2])
            if over(state):
                continue
            for action in range(7):
                if (candidates(state) >> action) & 1:
                    after = successor(state, action)[1]
                    children[count, 0], children[count, 1], children[count, 2] = after.max, after.min, after.turn
                    count += 1
        return children[:count]

    bottom = sum(USUAL.cell_bit(5, column) for column in range(7))
    layer = np.array([[0, 0, MAX]])
    sizes = []
    for _ in range(9):
        sizes.append(len(layer))
        children = expand(layer)
        # The occupied cells and one player's stones tell a position: the sum is one number for each (Tromp's key).
        keys = 2 * children[:, 0] + children[:, 1] + bottom
        layer = children[np.unique(keys, return_index=True)[1]]
    assert sizes == [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275]


# --- The naive twin --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rows", "columns", "connect"), SIZES)
def test_random_games_agree_with_the_naive_twin(rows, columns, connect):
    game = Connect4(rows=rows, columns=columns, connect=connect)
    rng = random.Random(rows * 100 + columns)
    for _ in range(1 if columns == 1 else 1000 if (rows, columns) == (6, 7) else 150):
        state, twin = Stones(0, 0), NaiveConnect4(rows, columns, connect)
        while True:
            winner = twin.winner()
            assert game.rules.over(state) == (winner != 0 or not twin.legal())
            if game.rules.over(state):
                break
            assert state.turn == (MAX if twin.mover == 1 else MIN)
            assert game.legal_actions(state) == twin.legal()
            column = rng.choice(twin.legal())
            state = game.apply(state, column)
            twin.play(column)
        assert game.grid(state) == twin.board
        sign = {0: 0, 1: 1, 2: -1}[winner]
        assert game.rules.utility(state) == sign * (WIN - twin.stones())
        assert (game.winning_line(state) is not None) == (winner != 0)


@pytest.mark.parametrize(("rows", "columns", "connect"), [(6, 7, 4), (7, 8, 4), (3, 16, 5)])
def test_lines_on_any_board_agree_with_the_naive_twin(rows, columns, connect):
    """Not only boards that are reached in play: any set of stones, floating or not."""
    game = Connect4(rows=rows, columns=columns, connect=connect)
    rng = random.Random(7)
    found = 0
    for _ in range(1000):
        twin = NaiveConnect4(rows, columns, connect)
        density = rng.choice((0.3, 0.5, 0.7))
        twin.board = [[int(rng.random() < density) for _ in range(columns)] for _ in range(rows)]
        cells = [(row, column) for row in range(rows) for column in range(columns) if twin.board[row][column]]
        stones = sum(game.cell_bit(row, column) for row, column in cells)
        expected = twin.winner() == 1
        found += expected
        assert (game.rules.utility(Stones(stones, 0, MIN)) > 0) == expected
        assert (game.rules.utility(Stones(0, stones, MAX)) < 0) == expected
        assert any(window & ~stones == 0 for window in windows(rows, columns, connect).tolist()) == expected
    assert 100 < found < 900  # the boards were a test of both answers


# --- Parts of the rules ----------------------------------------------------------------------------------------------


def test_sooner_wins_are_worth_more_and_losses_less():
    win_for_first = USUAL.parse("1122334")
    win_for_second = USUAL.parse("71122334")
    assert USUAL.rules.utility(win_for_first) == WIN - 7
    assert USUAL.rules.utility(win_for_second) == -(WIN - 8)


def test_a_full_board_without_a_line_is_a_draw():
    game = Connect4(rows=2, columns=2, connect=2)
    with_line = game.parse("112")
    assert game.rules.utility(with_line) == WIN - 3
    pair = Connect4(rows=1, columns=2, connect=2)
    full = pair.parse("12")
    assert pair.rules.over(full)
    assert pair.rules.utility(full) == 0
    assert pair.legal_actions(full) == []


def test_seen_by_mover_swaps_the_stones_of_min():
    state = USUAL.parse("445")
    assert state.turn == MIN
    assert USUAL.rules.seen_by_mover(state) == Stones(state.min, state.max, MAX)
    assert USUAL.rules.seen_by_mover(USUAL.parse("44")) == USUAL.parse("44")


def test_a_full_column_is_refused():
    state = USUAL.parse("111111")
    assert USUAL.legal_actions(state) == [1, 2, 3, 4, 5, 6]
    with pytest.raises(BadInput, match="1 is not possible here"):
        USUAL.apply(state, 0)


@pytest.mark.parametrize(
    ("size", "count"),
    [((6, 7, 4), 69), ((4, 4, 4), 10), ((3, 3, 1), 9), ((1, 5, 3), 3), ((7, 8, 4), 32 + 35 + 40), ((5, 2, 4), 4)],
)
def test_windows_are_counted_once_and_hold_connect_cells(size, count):
    masks = windows(*size)
    assert masks.dtype == np.int64
    assert len(set(masks.tolist())) == len(masks) == count
    assert {popcount(int(mask)) for mask in masks} == {size[2]}


# --- Texts -----------------------------------------------------------------------------------------------------------


def test_parse_stacks_stones_and_alternates():
    grid = USUAL.grid(USUAL.parse("4453"))
    assert grid == [[0] * 7] * 4 + [[0, 0, 0, 2, 0, 0, 0], [0, 0, 2, 1, 1, 0, 0]]
    assert USUAL.parse("") == Stones(0, 0, MAX)
    assert USUAL.parse(" 44 ") == USUAL.parse("44")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("448", "move 3 is '8', and the columns are 1 to 7"),
        ("40", "move 2 is '0', and the columns are 1 to 7"),
        ("4 5", "move 2 is ' ', and the columns are 1 to 7"),
        ("4,5", "move 2 is ',', and the columns are 1 to 7"),
        ("4²", "move 2 is '²', and the columns are 1 to 7"),
        ("51111111", "move 8 does not fit: column 1 is full"),
        ("11223345", "the game was won at move 7: no move can follow"),
    ],
)
def test_parse_says_what_is_wrong(text, message):
    with pytest.raises(BadInput) as error:
        USUAL.parse(text)
    assert error.value.text.into("en") == message
    assert error.value.text.into("es") != message


def test_more_than_nine_columns_are_written_with_commas():
    wide = Connect4(rows=3, columns=16, connect=5)
    state = wide.parse("10, 4,5")
    assert wide.grid(state)[-1] == [0, 0, 0, 2, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    assert wide.parse(wide.format(state)) == state
    assert wide.parse("") == Stones(0, 0, MAX)
    for text in ("1,17", "1,,2", "1,-2", "123"):
        with pytest.raises(BadInput, match="the columns are 1 to 16"):
            wide.parse(text)


@pytest.mark.parametrize(("rows", "columns", "connect"), SIZES)
def test_format_finds_an_order_of_play(rows, columns, connect):
    game = Connect4(rows=rows, columns=columns, connect=connect)
    rng = random.Random(11)
    for _ in range(1 if columns == 1 else 15):
        state = Stones(0, 0)
        while True:
            assert game.parse(game.format(state)) == state
            turned = game.rules.seen_by_mover(state)
            assert game.parse(game.format(turned)) == state
            if game.rules.over(state):
                break
            state = game.apply(state, rng.choice(game.legal_actions(state)))


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(0, 6), max_size=60))
def test_format_gives_back_what_was_played(columns):
    state = Stones(0, 0)
    for column in columns:
        if column in USUAL.legal_actions(state):
            state = USUAL.apply(state, column)
    assert USUAL.parse(USUAL.format(state)) == state


@pytest.mark.parametrize(
    "state",
    [
        Stones(0b11, 0, MAX),  # two stones of one player
        Stones(0b11_0011, 0b00_1100, MAX),  # no order alternates in one column: 1 1 2 2 1 1
        Stones(0b1111, 0b111 << 7, MAX),  # MAX connected with the last stone, and yet it is MAX's turn
    ],
)
def test_format_refuses_what_no_game_reaches(state):
    with pytest.raises(BadInput, match="no game reaches this position"):
        USUAL.format(state)


def test_format_finds_an_order_that_a_greedy_player_misses():
    """The hardest of 60,000 random boards of this size: 2,776 heights lead nowhere."""
    game = Connect4(rows=15, columns=4, connect=15)
    piles = ("122222222222222", "222211111111122", "11212121212", "111112111111122")
    stones = [0, 0]
    for column, pile in enumerate(piles):
        for height, owner in enumerate(pile):
            stones[int(owner) - 1] |= game.cell_bit(14 - height, column)
    state = Stones(*stones, MAX)
    assert game.parse(game.format(state)) == state


def test_format_knows_who_began_by_the_number_of_stones():
    assert USUAL.format(Stones(0b1, 0b1 << 7, MAX)) == "12"
    assert USUAL.format(Stones(0b1, 0b1 << 7, MIN)) == "21"


def test_actions_are_named_by_their_column():
    assert [USUAL.action_name(Stones(0, 0), action) for action in range(7)] == list("1234567")
    assert USUAL.action_number(Stones(0, 0), "7") == 6
    for name in ("0", "8", "", "a", "-1", "1.0", "004"):
        with pytest.raises(BadInput, match="columns are 1 to 7"):
            USUAL.action_number(Stones(0, 0), name)


def test_winning_line_gives_the_cells_of_the_grid():
    assert USUAL.winning_line(USUAL.parse("112233")) is None
    assert USUAL.winning_line(USUAL.parse("1122334")) == [35, 36, 37, 38]
    rising = USUAL.parse("12233434464")
    assert USUAL.winning_line(rising) == [17, 23, 29, 35]
    assert [USUAL.grid(rising)[cell // 7][cell % 7] for cell in (17, 23, 29, 35)] == [1, 1, 1, 1]


# --- Sizes -----------------------------------------------------------------------------------------------------------


def test_spec_lists_what_is_not_usual():
    assert Connect4().spec == "connect4"
    assert Connect4(rows=5, columns=6, connect=4).spec == "connect4:rows=5,columns=6"
    assert Connect4(connect=5).spec == "connect4:connect=5"


@pytest.mark.parametrize(
    ("size", "message"),
    [
        ({"rows": 0}, "rows=0 must be at least 1"),
        ({"columns": -3}, "columns=-3 must be at least 1"),
        ({"rows": 8, "columns": 8}, "(rows + 1) * columns is 72, at most 64 fit"),
        ({"rows": 64, "columns": 1}, "(rows + 1) * columns is 65, at most 64 fit"),
        ({"connect": 0}, "connect=0 must be from 1 to 7"),
        ({"connect": 8}, "connect=8 must be from 1 to 7"),
    ],
)
def test_boards_that_cannot_be_are_refused(size, message):
    with pytest.raises(BadInput) as error:
        Connect4(**size)
    assert message in error.value.text.into("en")


def test_games_of_one_size_share_their_compiled_rules():
    assert Connect4().rules is USUAL.rules
    assert Connect4(connect=3).rules is not USUAL.rules


def test_a_decided_value_tells_how_far_the_end_is():
    won = USUAL.parse("112233")  # the seventh stone makes the line
    assert USUAL.ends_in(won, WIN - 7) == 1
    assert USUAL.ends_in(won, WIN - 9) == 2
    assert USUAL.ends_in(won, 8 - WIN) == -1
    assert USUAL.ends_in(won, 1000.0) is None
