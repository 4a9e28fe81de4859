"""The rules of 2048 against their naive twin: every row, thousands of games, high tiles, and the texts."""

from __future__ import annotations

import contextvars
import math
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from twins import g2048 as twin
from twins.boards import any_grids, board_of, face, grid_of, grids

from contienda.compiled.jit import njit
from contienda.compiled.rng import generator
from contienda.core.game import CHANCE, MAX
from contienda.core.language import BadInput, use_language
from contienda.games import make_game
from contienda.games.g2048.board import (
    ACTIONS,
    Board,
    empty_cells,
    largest_rank,
    potential,
    rank_at,
    score,
    slides,
    transpose,
)
from contienda.match import Match
from contienda.players import make_player

GAME = make_game("2048")
DIRECTIONS = range(4)


def check_move(grid: twin.Grid, action: int, points: int = 0) -> None:
    """One move of the rules against the twin's: legality, tiles, points, whose turn it is."""
    board = board_of(grid, points)
    legal, after = GAME.rules.successor(board, action)
    slid, made = twin.slide(grid, action)
    assert grid_of(after) == slid
    assert legal == (slid != grid)
    assert score(after) == points + made
    assert after.turn == CHANCE


# --- Moves -----------------------------------------------------------------------------------------------------------


def test_all_rows_in_all_directions():
    """Every one of the 65,536 lines of four-bit ranks, in the four lines of a board, sliding to each of the walls."""
    lines = np.array(list(product(range(16), repeat=4)))
    slid = [twin.slide_row([face(rank) for rank in line]) for line in lines.tolist()]
    expected = np.array([[tile.bit_length() - 1 if tile else 0 for tile in row] for row, _ in slid])
    expected_points = np.array([made for _, made in slid])
    successor = GAME.rules.successor

    @njit
    def slide_all(lines, cells, action):
        """What becomes of every line, placed in these cells of an otherwise empty board."""
        after, elsewhere = np.empty_like(lines), np.zeros(len(lines), np.int64)
        legal, points = np.empty(len(lines), np.bool_), np.empty(len(lines), np.int64)
        for i in range(len(lines)):
            packed = 0
            for place in range(4):
                packed |= lines[i, place] << 4 * cells[place]
            board = Board(packed, 0, 0, MAX)
            legal[i], slid = successor(board, action)
            points[i] = score(slid) - score(board)
            for cell in range(16):
                elsewhere[i] += rank_at(slid, cell)
            for place in range(4):
                after[i, place] = rank_at(slid, cells[place])
                elsewhere[i] -= after[i, place]
        return after, elsewhere, legal, points

    for line, action in product(range(4), DIRECTIONS):
        # The cells of the line, from the wall that the action slides to.
        cells = [(line + 4 * i, 4 * line + 3 - i, line + 12 - 4 * i, 4 * line + i)[action] for i in range(4)]
        after, elsewhere, legal, points = slide_all(lines, np.array(cells), action)
        assert (after == expected).all()
        assert not elsewhere.any()
        assert (legal == (expected != lines).any(axis=1)).all()
        assert (points == expected_points).all()


@given(any_grids, st.integers(0, 10**6))
@example([[2, 2, 2, 2]] * 4, 0)
@example([[0] * 4] * 4, 0)
@example([[32768] * 4] * 4, 0)
def test_whole_boards_move_as_the_twin_says(grid, points):
    for action in DIRECTIONS:
        check_move(grid, action, points)
    board = board_of(grid, points)
    assert GAME.legal_actions(board) == twin.legal_moves(grid)
    assert (not GAME.legal_actions(board)) == twin.lost(grid)
    assert largest_rank(board) == max(tile.bit_length() - 1 if tile else 0 for row in grid for tile in row)
    assert grid_of(Board(transpose(board.cells), transpose(board.high))) == twin.transposed(grid)


@pytest.mark.parametrize(
    ("row", "expected", "made"),
    [
        ([2, 2, 2, 2], [4, 4, 0, 0], 8),
        ([4, 2, 2, 0], [4, 4, 0, 0], 4),
        ([0, 2, 0, 2], [4, 0, 0, 0], 4),
        ([2, 2, 2, 0], [4, 2, 0, 0], 4),
        ([2, 4, 8, 16], [2, 4, 8, 16], 0),
        ([8, 8, 16, 0], [16, 16, 0, 0], 16),
    ],
)
def test_rows_that_a_person_can_check(row, expected, made):
    """The twin too must be right: once per move, nearest to the wall first."""
    assert twin.slide_row(row) == (expected, made)
    legal, after = GAME.rules.successor(board_of([row, [0] * 4, [0] * 4, [0] * 4]), ACTIONS.index("left"))
    assert grid_of(after)[0] == expected
    assert score(after) == made
    assert legal == (row != expected)


def test_a_lost_board_and_one_that_only_looks_lost():
    lost = GAME.parse("2 4 2 4/4 2 4 2/2 4 2 4/4 2 4 2")
    assert GAME.legal_actions(lost) == [] == twin.legal_moves(grid_of(lost))
    saved = GAME.parse("2 4 2 4/4 2 4 2/2 4 2 4/4 2 4 4")
    assert [ACTIONS[a] for a in GAME.legal_actions(saved)] == ["up", "right", "down", "left"]


def test_an_illegal_move_is_refused():
    board = GAME.parse("2 4 0 0/0 0 0 0/0 0 0 0/0 0 0 0")
    with pytest.raises(BadInput, match="up is not possible here"):
        GAME.apply(board, ACTIONS.index("up"))
    assert GAME.format(GAME.apply(board, ACTIONS.index("right"))) == "0 0 2 4/0 0 0 0/0 0 0 0/0 0 0 0"


# --- High tiles ------------------------------------------------------------------------------------------------------

NEIGHBOURS = [[], [2], [2, 2], [32768], [2, 4], [65536]]


@pytest.mark.parametrize(("tile", "doubled"), [(32768, 65536), (65536, 131072)])
@pytest.mark.parametrize("beside", NEIGHBOURS, ids=str)
def test_the_largest_tiles_merge_in_every_direction(tile, doubled, beside):
    """32768 + 32768 -> 65536 and on to 131072, next to other tiles and between empty cells, on all four lines."""
    for line, padding in product(range(4), range(3 - len(beside))):
        row = ([0] * padding + [tile, tile] + beside + [0] * 4)[:4]
        grid = [[0] * 4 for _ in range(4)]
        grid[line] = row
        for turned in twin.symmetries(grid):
            for action in DIRECTIONS:
                check_move(turned, action, points=1000)
        legal, after = GAME.rules.successor(board_of(grid), ACTIONS.index("left"))
        assert legal
        assert grid_of(after)[line][0] == doubled
        assert score(after) == doubled + sum(4 for _ in [0] if beside == [2, 2])


@given(grids(17, 3).filter(lambda grid: max(map(max, grid)) >= 32768), st.integers(0, 3))
def test_high_boards_are_symmetric(grid, action):
    """Turning the board and the direction alike changes nothing but the orientation."""
    after, made = twin.slide(grid, action)
    turned = twin.transposed(grid)
    swapped = {0: 3, 3: 0, 1: 2, 2: 1}[action]
    legal, slid = GAME.rules.successor(board_of(turned), swapped)
    assert grid_of(slid) == twin.transposed(after)
    assert score(slid) == made
    assert legal == (after != grid)


@given(any_grids)
def test_opposite_moves_merge_the_same_tiles(grid):
    """What learning and search rely on: of four moves two scores are worked out."""
    up, right, down, left = (score(GAME.rules.successor(board_of(grid), action)[1]) for action in DIRECTIONS)
    assert (up, right) == (down, left)


@given(grids(17, 3))
def test_potential_counts_every_tile(grid):
    expected = sum(tile * (tile.bit_length() - 2) for row in grid for tile in row if tile)
    assert potential(board_of(grid)) == expected


def test_a_new_tile_keeps_the_high_ones():
    after = GAME.apply(GAME.parse("65536 32768 0 0/0 0 0 0/0 0 0 0/0 0 0 0"), ACTIONS.index("right"))
    four = GAME.apply(after, GAME.action_number(after, "4@r1c1"))
    assert GAME.format(four) == "4 0 65536 32768/0 0 0 0/0 0 0 0/0 0 0 0"
    assert score(four) == score(after) == 0


# --- Whole games -----------------------------------------------------------------------------------------------------

GAMES = 10_000
REPLAYED_PLAINLY = 100


def _replay(successor):
    @njit
    def replay(state, actions, cells, points, legal):
        """Board, points and legal moves before every action of a game, and the last board."""
        for i in range(len(actions) + 1):
            for cell in range(16):
                rank = rank_at(state, cell)
                cells[i, cell] = 1 << rank if rank else 0
            points[i] = score(state)
            if state.turn == MAX:
                for action in range(4):
                    legal[i, action] = successor(state, action)[0]
            if i < len(actions):
                state = successor(state, actions[i])[1]
        return state

    return replay


@pytest.fixture(scope="module")
def random_games():
    """Ten thousand games of the random player."""
    match = Match(GAME, [make_player("random", GAME)])
    return [match.play(seed) for seed in range(GAMES)]


@pytest.fixture(scope="module")
def steps():
    """A function that plays a log again: boards, points and legal moves before every action, and at the end."""
    replay = _replay(GAME.rules.successor)

    def steps_of(played):
        count = len(played.actions) + 1
        boards, points = np.zeros((count, 16), np.int32), np.zeros(count, np.int64)
        legal = np.zeros((count, 4), np.bool_)
        last = replay(played.start, np.array(played.actions), boards, points, legal)
        assert last == played.state
        assert played.ended == "over"
        return boards.reshape(count, 4, 4), points, legal

    return steps_of


def test_games_are_those_of_the_plain_twin(random_games, steps):
    """Each action log played again on lists of lists, move by move and tile by tile."""
    for played in random_games[:REPLAYED_PLAINLY]:
        boards, points, legal = steps(played)
        grid, made = grid_of(played.start), 0
        assert sum(tile > 0 for row in grid for tile in row) == 2
        for i, action in enumerate(played.actions):
            assert boards[i].tolist() == grid
            assert points[i] == made
            if i % 2 == 0:
                moves = twin.legal_moves(grid)
                assert np.flatnonzero(legal[i]).tolist() == moves
                assert action in moves
                grid, gain = twin.slide(grid, action)
                made += gain
            else:
                cell = action // 4
                assert action % 4 in (0, 1)
                assert grid[cell // 4][cell % 4] == 0
                grid = twin.put(grid, cell // 4, cell % 4, (2, 4)[action % 4])
        assert boards[-1].tolist() == grid == grid_of(played.state)
        assert points[-1] == made == score(played.state)
        assert twin.lost(grid)


@pytest.mark.slow
def test_all_ten_thousand_games(random_games, steps):
    """The same for every game, all boards of some hundred games at once."""
    assert len(random_games) == GAMES
    for begin in range(0, GAMES, 250):
        some = random_games[begin : begin + 250]
        replayed = [steps(played) for played in some]
        boards, points, legal = (np.concatenate(column) for column in zip(*replayed, strict=True))
        actions = np.concatenate([[*played.actions, -1] for played in some])
        step = np.concatenate([np.arange(len(played.actions) + 1) for played in some])
        check_games(boards, points, legal, actions, step)


def check_games(boards, points, legal, actions, step):
    """Games one after another; -1 for an action marks the end of each."""
    assert (points[step == 0] == 0).all()
    to_move = np.flatnonzero(step % 2 == 0)
    for action in DIRECTIONS:
        after, made = twin.slide_many(boards[to_move], action)
        possible = (after != boards[to_move]).any(axis=(1, 2))
        assert (legal[to_move, action] == possible).all()
        chosen = actions[to_move] == action
        assert possible[chosen].all()
        assert (boards[to_move[chosen] + 1] == after[chosen]).all()
        assert (points[to_move[chosen] + 1] == points[to_move[chosen]] + made[chosen]).all()

    placed = np.flatnonzero((step % 2 == 1) & (actions >= 0))
    cell, kind = np.divmod(actions[placed], 4)
    expected = boards[placed].reshape(-1, 16)
    assert (expected[np.arange(len(placed)), cell] == 0).all()
    assert np.isin(kind, (0, 1)).all()
    expected[np.arange(len(placed)), cell] = np.where(kind == 0, 2, 4)
    assert (boards[placed + 1].reshape(-1, 16) == expected).all()
    assert (points[placed + 1] == points[placed]).all()

    ends = actions == -1
    assert (step[ends] % 2 == 0).all()
    assert not legal[ends].any()


@given(st.lists(any_grids, min_size=1, max_size=5), st.integers(0, 3))
def test_the_fast_twin_is_the_plain_twin(many, action):
    after, made = twin.slide_many(np.array(many), action)
    expected = [twin.slide(grid, action) for grid in many]
    assert after.tolist() == [grid for grid, _ in expected]
    assert made.tolist() == [gain for _, gain in expected]


# --- What a move did -------------------------------------------------------------------------------------------------


@given(any_grids, st.integers(0, 3))
def test_the_reported_slides_make_the_move(grid, action):
    """Tiles carried along the reported ways give the board after the move; pairs that merge arrive together."""
    board = board_of(grid)
    after = grid_of(GAME.rules.successor(board, action)[1])
    ways = slides(board, action)
    assert sorted(way.start for way in ways) == [c for c in range(16) if grid[c // 4][c % 4]]
    arrived: dict[int, list] = {}
    for way in ways:
        assert face(way.rank) == grid[way.start // 4][way.start % 4]
        same_line = way.start // 4 == way.end // 4 if action in (1, 3) else way.start % 4 == way.end % 4
        assert same_line
        arrived.setdefault(way.end, []).append(way)
    result = [[0] * 4 for _ in range(4)]
    for end, came in arrived.items():
        assert len(came) == (2 if came[0].merged else 1)
        assert len({(way.rank, way.merged) for way in came}) == 1
        result[end // 4][end % 4] = sum(face(way.rank) for way in came)
    assert result == after


# --- Chance ----------------------------------------------------------------------------------------------------------


@given(any_grids.filter(lambda grid: twin.empty_cells(grid)))
def test_outcomes_are_all_tiles_in_all_empty_cells(grid):
    after = board_of(grid)._replace(turn=CHANCE)
    outcomes = GAME.legal_actions(after)
    probabilities = [GAME.rules.probability(after, outcome) for outcome in outcomes]
    assert math.isclose(sum(probabilities), 1, rel_tol=1e-12)
    count = len(twin.empty_cells(grid))
    placed = {}
    for outcome, probability in zip(outcomes, probabilities, strict=True):
        board = GAME.apply(after, outcome)
        assert board.turn == MAX
        assert score(board) == score(after)
        placed[twin.text(grid_of(board))] = probability
    expected = {
        twin.text(twin.put(grid, r, c, tile)): share / count
        for r, c in twin.empty_cells(grid)
        for tile, share in ((2, 0.9), (4, 0.1))
    }
    assert placed == pytest.approx(expected)
    assert bin(empty_cells(after)).count("1") == count


def test_drawn_outcomes_have_their_probabilities():
    """Chi-square of 200,000 draws over 7 cells and two tiles: of 13 degrees of freedom, 1 in 1000 pass 34.5."""
    after = GAME.parse("2 0 4 0/0 8 16 0/32 64 2 0/0 4 0 2")._replace(turn=CHANCE)
    draw = GAME.rules.draw

    @njit
    def count(rng, times):
        counts = np.zeros(64, np.int64)
        for _ in range(times):
            counts[draw(after, rng)] += 1
        return counts

    times = 200_000
    counts = count(generator(2048), times)
    outcomes = GAME.legal_actions(after)
    assert counts.sum() == times == counts[outcomes].sum()
    expected = np.array([times * GAME.rules.probability(after, outcome) for outcome in outcomes])
    assert len(outcomes) == 14
    assert ((counts[outcomes] - expected) ** 2 / expected).sum() < 34.5


def test_games_start_with_two_tiles_anywhere():
    starts = [GAME.start(generator(seed)) for seed in range(2000)]
    assert all(bin(empty_cells(board)).count("1") == 14 and board.turn == MAX and score(board) == 0 for board in starts)
    tiles = [rank_at(board, cell) for board in starts for cell in range(16)]
    assert set(tiles) == {0, 1, 2}
    assert 0.08 < tiles.count(2) / 4000 < 0.12
    assert {cell for board in starts for cell in range(16) if rank_at(board, cell)} == set(range(16))
    assert GAME.start(generator(5)) == GAME.start(generator(5))


# --- Texts -----------------------------------------------------------------------------------------------------------


@given(any_grids, st.integers(0, 10**7))
def test_texts_read_back(grid, points):
    board = board_of(grid, points)
    written = GAME.format(board)
    assert written == twin.text(grid)
    ranks = sorted((tile.bit_length() - 1 for row in grid for tile in row if tile), reverse=True)
    if any(rank > 17 - larger for larger, rank in enumerate(ranks)):
        with pytest.raises(BadInput, match="no game reaches this board"):
            GAME.parse_scored(written, points)
    else:
        assert GAME.parse_scored(written, points) == board
        assert score(GAME.parse_scored(written, points)) == points
        assert score(GAME.parse(written)) == 0


def test_actions_have_names():
    board = GAME.parse("2 0 0 0/0 0 0 0/0 0 0 0/0 0 0 2")
    assert [GAME.action_name(board, a) for a in DIRECTIONS] == ["up", "right", "down", "left"]
    assert [GAME.action_number(board, name) for name in ACTIONS] == [0, 1, 2, 3]
    after = GAME.apply(board, 3)
    for outcome in GAME.legal_actions(after):
        assert GAME.action_number(after, GAME.action_name(after, outcome)) == outcome
    with pytest.raises(BadInput, match="up, right, down, left"):
        GAME.action_number(board, "sideways")
    with pytest.raises(BadInput, match="2@r1c2"):
        GAME.action_number(after, "2@r1c1")


EMPTY_ROWS = "/0 0 0 0/0 0 0 0/0 0 0 0"


@pytest.mark.parametrize(
    ("text", "english", "spanish"),
    [
        ("3 0 0 0" + EMPTY_ROWS, "'3' is not a tile: tiles are 0 (empty), 2, 4, 8", "'3' no es una ficha"),
        ("0 6 0 0" + EMPTY_ROWS, "'6' is not a tile", "'6' no es una ficha"),
        ("1 0 0 0" + EMPTY_ROWS, "'1' is not a tile", "'1' no es una ficha"),
        ("-2 0 0 0" + EMPTY_ROWS, "'-2' is not a tile", "'-2' no es una ficha"),
        ("2.0 0 0 0" + EMPTY_ROWS, "'2.0' is not a tile", "'2.0' no es una ficha"),
        ("2 0 0 0 0" + EMPTY_ROWS, "4 rows of 4 tiles", "4 filas de 4 fichas"),
        ("2 0 0" + EMPTY_ROWS, "4 rows of 4 tiles", "4 filas de 4 fichas"),
        ("2 0 0 0" + EMPTY_ROWS + "/0 0 0 0", "4 rows of 4 tiles", "4 filas de 4 fichas"),
        ("131072 131072 0 0" + EMPTY_ROWS, "no game reaches this board: 2", "ninguna partida llega"),
        ("two four 0 0" + EMPTY_ROWS, "'two' is not a tile", "'two' no es una ficha"),
        ("nonsense", "4 rows of 4 tiles", "4 filas de 4 fichas"),
        ("262144 0 0 0" + EMPTY_ROWS, "262144 is beyond the largest tile, 131072", "262144 pasa de la ficha mayor"),
        ("4" + "0" * 5000 + " 0 0 0" + EMPTY_ROWS, "is not a tile", "no es una ficha"),
        ("²  0 0 0" + EMPTY_ROWS, "'²' is not a tile", "'²' no es una ficha"),
        ("2 0\n0 0" + EMPTY_ROWS + "\n3", "4 rows of 4 tiles", "4 filas de 4 fichas"),
        ("", "4 rows of 4 tiles", "4 filas de 4 fichas"),
        ("   ", "4 rows of 4 tiles", "4 filas de 4 fichas"),
        ("/".join(["4096 4096 4096 4096"] * 4), "no game reaches this board: 16", "ninguna partida llega"),
    ],
)
def test_bad_boards_are_refused_in_one_line(text, english, spanish):
    for language, expected in (("en", english), ("es", spanish)):

        def refuse(language=language):
            use_language(language)
            with pytest.raises(BadInput) as refused:
                GAME.parse(text)
            return str(refused.value)

        message = contextvars.copy_context().run(refuse)
        assert expected in message
        assert "\n" not in message


def test_bad_points_are_refused():
    with pytest.raises(BadInput, match="-4 points are not possible"):
        GAME.parse_scored("2 0 0 0" + EMPTY_ROWS, -4)


@pytest.mark.parametrize("text", ["131072 65536 32768 16384/8192 4096 2048 1024/512 256 128 64/32 16 8 4"])
def test_the_fullest_board_is_accepted(text):
    assert GAME.format(GAME.parse(text)) == text
