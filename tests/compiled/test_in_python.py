"""Compiled functions as plain Python: the same numbers, with nothing compiled."""

from __future__ import annotations

import numpy as np
import pytest

from contienda.compiled.in_python import Fields, NotInPython, as_ints, as_words, at_hand, in_python, like_compiled
from contienda.compiled.jit import njit
from contienda.compiled.rng import generator
from contienda.compiled.rows import new_record, rows
from contienda.core.evaluator import weights_record
from contienda.games import make_game
from contienda.games.g2048.board import rows_left, transpose

#: A 256 in the last cell makes the board a negative number; tiles beyond 32768 take another way through the rules.
BOARDS = {
    "2048": ["2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 256", "2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 65536"],
    "connect4": ["4453", ""],
    "tictactoe": ["X.O/.X./..."],
    "othello": [],
    "einstein": [],
}


@pytest.mark.parametrize("name", BOARDS)
def test_rules_are_the_same_interpreted(name):
    game = make_game(name)
    states = [game.parse(text) for text in BOARDS[name]] or [game.start(generator(seed)) for seed in range(2)]
    for state in states:
        assert game.legal_actions(state)
        for action in game.legal_actions(state):
            with like_compiled():
                plain = as_ints(in_python(game.rules.successor)(as_words(state), np.int64(action)))
            compiled = game.rules.successor
            compiled.compile(_types(state, action))
            assert plain == compiled(state, action)


def _types(*arguments):
    import numba

    return tuple(map(numba.typeof, arguments))


def test_integers_overflow_as_compiled_ones_do():
    high = 0x0123456789ABCDEF
    for function in (transpose, rows_left):
        function.compile(_types(high))
        for cells in (high, -high, -1, 1 << 62):
            assert at_hand(function)(cells) == function(cells)


def test_a_field_is_read_whatever_its_name():
    """NumPy's records take ``sum`` for their method."""
    record = weights_record({"sum": 2.5})

    @njit
    def read(weights):
        return 2 * weights.sum

    assert at_hand(read)(record) == read(record) == 5.0
    Fields(record).sum = 3.0
    assert record["sum"] == 3.0


def test_single_precision_stays_single():
    @njit
    def third(number):
        return float(np.float32(number) / np.float32(3)) * 0.1

    assert at_hand(third)(1.0) == third(1.0)


_SMALL = np.array([30_000, 30_000], np.int16)


def test_small_integers_of_arrays_are_added_with_64_bits():
    """As in a network whose weights have 16 bits: in NumPy 30000 + 30000 would be negative."""
    weights = new_record({"step": np.float32}, np.int16, 2)
    rows(weights)[:] = 30_000

    @njit
    def both(weights):
        w = rows(weights)
        return w[0] + w[1] + _SMALL[0] + _SMALL[1]

    assert at_hand(both)(weights) == both(weights) == 120_000


def test_what_rounds_otherwise_is_left_to_the_compiler():
    @njit
    def curve(number):
        return np.tanh(number)

    with pytest.raises(NotInPython):
        in_python(curve)


def test_functions_that_call_each_other():
    def build(jit):
        @jit
        def down(n):
            return 0 if n == 0 else 1 + down(n - 1)

        return down

    assert at_hand(build(njit))(5) == 5
