"""The evaluators: the documents' worked examples to the digit, and every term against its naive twin."""

from __future__ import annotations

import math
from functools import lru_cache

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from twins import g2048 as twin
from twins import terms_2048 as naive
from twins.boards import any_grids, board_of, grid_of, grids

from contienda.core.evaluator import weights_record
from contienda.core.game import CHANCE
from contienda.core.language import BadInput
from contienda.evaluation.catalogue import evaluators_of, find_evaluator
from contienda.evaluation.compiled import compile_evaluator
from contienda.games import make_game
from contienda.games.g2048 import terms as terms_2048
from contienda.games.g2048.board import ACTIONS
from contienda.players import make_player

GAME = make_game("2048")
#: The evaluators of 2048 by name, but for the network: see tests/learning.
CATALOGUE = {e.name: e for e in evaluators_of(GAME) if e.name != "ntuple"}
OF_2048 = list(CATALOGUE)
scores = st.one_of(st.just(0), st.integers(1, 10**6))


@lru_cache
def compiled(name, game=GAME, **weights):
    return compile_evaluator(name, game, weights)


def value(name, board, **weights):
    evaluator = compiled(name, **weights)
    return evaluator.evaluate(board, evaluator.weights)


# --- The worked examples ---------------------------------------------------------------------------------------------

EARLY = ("4 2 2 0/4 0 0 0/0 0 0 0/0 0 0 0", 8)
MIDDLE = ("64 8 4 2/16 4 0 0/4 0 0 0/0 0 0 2", 380)
LATE = ("1024 32 4 2/16 4 0 0/8 0 0 0/2 0 4 0", 9228)


@pytest.mark.parametrize(
    ("board", "name", "expected"),
    [
        (EARLY, "uma1", 104.6199651668247),
        (EARLY, "uma2", 96.6199651668247),
        (EARLY, "uma3", 30.6199651668247),
        (EARLY, "uma4", 106),
        (MIDDLE, "uma1", 998.9547033550967),
        (MIDDLE, "uma2", 618.9547033550967),
        (MIDDLE, "uma3", 336.9547033550968),
        (MIDDLE, "uma4", 1090),
        (LATE, "uma1", 15481.976650001723),
        (LATE, "uma2", 6253.976650001722),
        (LATE, "uma3", 7921.976650001722),
        (LATE, "uma4", 16858),
    ],
)
def test_uma_to_the_digit(board, name, expected):
    assert value(name, GAME.parse_scored(*board)) == pytest.approx(expected, rel=1e-14, abs=0)


@pytest.mark.parametrize(
    ("board", "sim", "mono"), [(EARLY, 2.3333333, 74), (MIDDLE, 90.5666667, 662), (LATE, 1369.9333333, 7560)]
)
def test_sim_and_mono_of_uma(board, sim, mono):
    terms = compiled("uma1").terms(GAME.parse_scored(*board))
    assert round(terms["sim"], 7) == sim
    assert terms["mono"] == mono


def test_the_window_evaluator_of_uja():
    game = make_game("connect4")
    uja = compile_evaluator("uja", game, {})
    state = game.parse("1111112224")
    # 1 is the player who began, MAX.
    assert game.grid(state) == [
        [2, 0, 0, 0, 0, 0, 0],
        [1, 0, 0, 0, 0, 0, 0],
        [2, 0, 0, 0, 0, 0, 0],
        [1, 1, 0, 0, 0, 0, 0],
        [2, 2, 0, 0, 0, 0, 0],
        [1, 1, 0, 2, 0, 0, 0],
    ]
    assert uja.evaluate(state, uja.weights) == -20


# Worked out on paper: 28 points, 11 empty cells, the largest tile 16 in the top right corner.
PAPER = ("2 2 8 16/0 0 0 4/0 0 0 0/0 0 0 0", 28)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("none", 0),
        ("uc3m-score", 28),
        ("uc3m-empty", 11),
        ("unicen-a", 28 + 11 * 16 + (2 * 10 + 2 * 2 + 8 * 2 + 16 * 10 + 4 * 2)),
        # mono: no tile has a smaller one, or an empty cell, to its right;
        # smooth: |1-1| + |1-3| + |3-4| + |4-2| = 5.
        ("ort-simple-1", 28 + 2.7 * 11 + 1 * 0 - 0.1 * 5),
        ("ort-simple-2", 28 + 3 * 11 + 1.5 * 0 - 0.1 * 5),
        # dispersion: 2 * 1 + 8 * 1 + 4 * 1, the others stand in corners.
        ("ort-intermediate", 28 + 2.7 * 11 - 0.1 * 5 + 5 * 16 + 1.5 * 2 - 0.5 * 14),
        ("combined", 28 + 256 * 11 + 16),
        ("snake", 2 + 2 / 2 + 8 / 4 + 16 / 8 + 4 / 16),
    ],
)
def test_examples_on_paper(name, expected):
    assert value(name, GAME.parse_scored(*PAPER)) == pytest.approx(expected, rel=1e-14)


def test_the_board_that_unicen_looks_at():
    """Its heuristic A on the board of its chapter on branch and bound."""
    board = GAME.parse_scored("1024 128 0 0/1024 256 0 0/128 2 0 0/2 2 0 0", 20000)
    corners = 1024 * 10 + 128 * 2 + 1024 * 2 + 256 * 1 + 128 * 2 + 2 * 1 + 2 * 10 + 2 * 2
    assert value("unicen-a", board) == 20000 + 8 * 1024 + corners


# --- Terms and sums --------------------------------------------------------------------------------------------------


@given(any_grids, scores)
@example([[0] * 4] * 4, 0)
def test_every_term_is_what_its_twin_says(grid, points):
    board = board_of(grid, points)
    for state in (board, board._replace(turn=CHANCE)):
        for name, expected in naive.TERMS.items():
            assert getattr(terms_2048, name)(state) == pytest.approx(expected(grid, points), rel=1e-13), name


def test_every_term_has_a_twin():
    used = {term.value.__name__ for name in OF_2048 for term in CATALOGUE[name].terms.values()}
    assert used <= set(naive.TERMS) == set(terms_2048.__all__) - {"face"}


@pytest.mark.parametrize("name", OF_2048)
def test_an_evaluator_is_the_sum_of_its_weighted_terms(name):
    evaluator, entry = compiled(name), CATALOGUE[name]

    @given(any_grids, scores)
    def check(grid, points):
        board = board_of(grid, points)
        terms = evaluator.terms(board)
        assert set(terms) == set(entry.weights)
        # nneonneo adds in single precision.
        precision = 1e-6 if name == "nneonneo" else 1e-13
        total = sum(entry.weights[term] * number for term, number in terms.items())
        largest = max((abs(entry.weights[term] * number) for term, number in terms.items()), default=0)
        assert evaluator.evaluate(board, evaluator.weights) == pytest.approx(total, abs=precision * largest)
        for key, term in entry.terms.items():
            assert terms[key] == pytest.approx(naive.TERMS[term.value.__name__](grid, points), rel=1e-13)

    check()


@pytest.mark.parametrize("name", ["uja"])
def test_the_same_for_connect4(name):
    game = make_game("connect4:rows=4,columns=5,connect=3")
    evaluator = compile_evaluator(name, game, {"windows": -2.5})
    state = game.parse("32233")
    assert evaluator.evaluate(state, evaluator.weights) == -2.5 * evaluator.terms(state)["windows"] != 0


@given(any_grids, scores)
def test_symmetric_terms_do_not_see_how_the_board_is_turned(grid, points):
    turned = [board_of(other, points) for other in twin.symmetries(grid)]
    for name in set(naive.TERMS) - {"gradient", "falls", "snake"}:
        numbers = [getattr(terms_2048, name)(board) for board in turned]
        assert numbers == pytest.approx([numbers[0]] * 8, rel=1e-13), name
    transposed = board_of(twin.transposed(grid), points)
    assert terms_2048.gradient(turned[0]) == terms_2048.gradient(transposed)
    assert terms_2048.falls(turned[0]) == terms_2048.falls(board_of(grid[::-1], points))


# --- nneonneo --------------------------------------------------------------------------------------------------------


@given(grids(15, 3))
def test_nneonneo_is_the_sum_over_rows_and_columns(grid):
    board = board_of(grid)
    assert compiled("nneonneo").terms(board) == pytest.approx(naive.nneonneo_terms(grid), rel=1e-12)
    assert value("nneonneo", board) == pytest.approx(naive.nneonneo(grid), rel=1e-6, abs=1)


@given(grids(17, 3))
@example([[131072, 65536, 0, 0], [0] * 4, [0] * 4, [0] * 4])
@example([[65536, 65536, 0, 0], [0] * 4, [0] * 4, [0] * 4])
def test_nneonneo_on_the_largest_tiles(grid):
    """A tile beyond 32768 has no place in the table of lines: such boards are summed tile by tile."""
    assume(max(map(max, grid)) > 32768)
    assert value("nneonneo", board_of(grid)) == pytest.approx(naive.nneonneo(grid), rel=1e-12)


@given(grids(15, 3))
def test_the_table_of_lines_is_the_slow_path(grid):
    from contienda.games.g2048.lines import _with_high_tiles

    board = board_of(grid)
    evaluator = compiled("nneonneo")
    slow = _with_high_tiles(board, evaluator.weights)
    assert evaluator.evaluate(board, evaluator.weights) == pytest.approx(slow, rel=1e-6, abs=1)


@given(grids(17, 3))
def test_nneonneo_is_symmetric(grid):
    numbers = [value("nneonneo", board_of(turned)) for turned in twin.symmetries(grid)]
    assert numbers == pytest.approx([numbers[0]] * 8, rel=1e-6, abs=1)


def test_a_lost_board_counts_nothing_to_nneonneo():
    assert CATALOGUE["nneonneo"].floor == 0
    assert all(evaluator.floor == -math.inf for name, evaluator in CATALOGUE.items() if name != "nneonneo")


# --- Weights ---------------------------------------------------------------------------------------------------------


def test_weights_of_a_spec_reach_the_evaluator():
    board = GAME.parse("2 2 8 16/0 0 0 4/0 0 0 0/0 0 0 0")
    contrary = make_player("greedy:eval=uc3m-empty,empty=-3", GAME).analyse(board)
    afterwards = {ACTIONS[a]: grid_of(GAME.apply(board, a)) for a in GAME.legal_actions(board)}
    expected = {name: -3.0 * len(twin.empty_cells(grid)) for name, grid in afterwards.items()}
    assert {move.move: move.value for move in contrary.moves} == expected
    assert contrary.best in ("up", "down")
    assert contrary.value == -33


@given(any_grids, scores, st.floats(-10, 10), st.floats(-10, 10))
def test_weights_are_changed_without_compiling_anew(grid, points, empty, mono):
    """The record is all that changes: `evaluate` is the same function."""
    evaluator = compiled("ort-simple-1")
    record = evaluator.weights.copy()
    record.empty, record.mono = empty, mono
    terms = evaluator.terms(board_of(grid, points))
    expected = terms["score"] + empty * terms["empty"] + mono * terms["mono"] + 0.1 * terms["smooth"]
    assert evaluator.evaluate(board_of(grid, points), record) == pytest.approx(expected, rel=1e-12, abs=1e-6)
    assert len(evaluator.evaluate.signatures) <= 1


def test_weights_of_nneonneo_are_worked_into_its_table():
    board = GAME.parse("2 2 8 16/0 0 0 4/0 0 0 0/0 0 0 0")
    terms = compiled("nneonneo").terms(board)
    assert value("nneonneo", board, lines=0.0, merges=0.0, monotonicity=0.0, sum=0.0) == 270 * terms["empty"]
    high = GAME.parse("65536 2 8 16/0 0 0 4/0 0 0 0/0 0 0 0")
    assert value("nneonneo", high, lines=0.0, empty=0.0, monotonicity=0.0, sum=0.0) == 0


def test_the_defaults_are_those_of_the_documents():
    assert CATALOGUE["ort-simple-1"].weights == {"score": 1, "empty": 2.7, "mono": 1, "smooth": 0.1}
    assert CATALOGUE["ort-simple-2"].weights == {"score": 1, "empty": 3, "mono": 1.5, "smooth": 0.1}
    more = {"corner": 5, "merge": 1.5, "dispersion": 0.5}
    assert CATALOGUE["ort-intermediate"].weights == CATALOGUE["ort-simple-1"].weights | more
    assert CATALOGUE["nneonneo"].weights == naive.NNEONNEO


def test_what_does_not_exist_is_refused():
    with pytest.raises(BadInput, match="ort-simple-1 has no weight 'emtpy': it has score, empty, mono, smooth"):
        compile_evaluator("ort-simple-1", GAME, {"emtpy": 3.0})
    with pytest.raises(BadInput, match="no evaluator 'uma5' for 2048: there are none, uc3m-score"):
        compile_evaluator("uma5", GAME, {})
    with pytest.raises(BadInput, match="no evaluator 'uja' for 2048"):
        find_evaluator("uja", GAME)
    assert find_evaluator("none", make_game("connect4")).name == "none"


def test_boards_come_back_from_their_grids():
    """The helper of these tests is right."""
    board = GAME.parse_scored("131072 0 2 4/0 8 16 32/64 128 256 512/1024 2048 4096 8192", 7)
    assert board_of(grid_of(board), 7) == board


def test_no_weights_are_taken_for_others():
    """A record is no subtype of a shorter one with the same first field: numba would run the other's code."""
    from numba import typeof

    short, long = weights_record({"score": 1.0}), weights_record({"score": 1.0, "empty": 2.0})
    assert typeof(long).can_convert_to(None, typeof(short)) is None
    assert (long.score, long.empty) == (1.0, 2.0)
