"""2048 on boards smaller than 4 × 4: the rules against their naive twin, exact values, evaluators, files, commands."""

from __future__ import annotations

import json
import math
from functools import cache, lru_cache

import pytest
from drive import contienda
from hypothesis import example, given, settings
from hypothesis import strategies as st
from twins import g2048 as twin
from twins import terms_2048 as naive
from twins.boards import SMALL_SIZES, board_of, face, grid_of, grids, small_grids

from contienda.compiled.rng import generator
from contienda.core.game import CHANCE, MAX
from contienda.core.language import BadInput
from contienda.evaluation.catalogue import evaluators_of, find_evaluator
from contienda.evaluation.compiled import compile_evaluator
from contienda.games import make_game
from contienda.games.g2048 import G2048, helpers
from contienda.games.g2048 import terms as terms_2048
from contienda.games.g2048.board import ACTIONS, SmallBoard, columns, empty_cells, largest_rank, rows, score, slides
from contienda.match import Match
from contienda.players import make_player
from contienda.record import load_game, save_game, states_of
from contienda.trace.making import make_trace

DIRECTIONS = range(4)
SIZES = [pytest.param(*size, id=f"{size[0]}x{size[1]}") for size in SMALL_SIZES]
NINE = "2048:rows=3,columns=3"


@lru_cache
def game_of(height: int, width: int) -> G2048:
    return G2048(rows=height, columns=width)


def game_for(grid: twin.Grid) -> G2048:
    return game_of(len(grid), len(grid[0]))


# --- Rules -----------------------------------------------------------------------------------------------------------


@given(small_grids, st.integers(0, 10**6))
@example([[2, 2], [2, 2]], 0)
@example([[0, 0, 0, 2], [0, 0, 0, 2]], 0)
@example([[8192, 4096, 2048], [256, 512, 1024], [128, 64, 32], [4, 8, 16]], 0)
def test_boards_move_as_the_twin_says(grid, points):
    game, board = game_for(grid), board_of(grid, points)
    for action in DIRECTIONS:
        legal, after = game.rules.successor(board, action)
        slid, made = twin.slide(grid, action)
        assert grid_of(after) == slid
        assert legal == (slid != grid)
        assert score(after) == points + made
        assert (after.turn, after.walls, after.high) == (CHANCE, board.walls, 0)
        assert after.cells & after.walls == 0  # nothing slid through a wall
    assert game.legal_actions(board) == twin.legal_moves(grid)
    assert (rows(board), columns(board)) == (game.rows, game.columns)
    assert face(largest_rank(board)) == max(map(max, grid))
    assert game.grid(board) == grid


@given(small_grids.filter(twin.empty_cells))
def test_outcomes_are_all_tiles_in_all_empty_cells(grid):
    game, after = game_for(grid), board_of(grid)._replace(turn=CHANCE)
    count = len(twin.empty_cells(grid))
    placed = {}
    for outcome in game.legal_actions(after):
        board, tile = game.apply(after, outcome), game.new_tile(outcome)
        assert (board.turn, score(board)) == (MAX, score(after))
        r, c = divmod(tile.cell, game.columns)
        assert grid_of(board) == twin.put(grid, r, c, tile.face)
        assert game.action_name(after, outcome) == f"{tile.face}@r{r + 1}c{c + 1}"
        placed[r, c, tile.face] = game.rules.probability(after, outcome)
    expected = {(r, c, t): p / count for r, c in twin.empty_cells(grid) for t, p in ((2, 0.9), (4, 0.1))}
    assert placed == pytest.approx(expected)
    assert bin(empty_cells(after)).count("1") == count


@given(small_grids, st.integers(0, 3))
def test_the_reported_slides_make_the_move(grid, action):
    """Cells are numbered as in `Game.grid`, row by row of the board."""
    width = len(grid[0])
    result = [[0] * width for _ in grid]
    for way in slides(board_of(grid), action):
        assert face(way.rank) == grid[way.start // width][way.start % width]
        result[way.end // width][way.end % width] += face(way.rank)
    assert result == twin.slide(grid, action)[0]


@given(small_grids, st.integers(0, 1000))
def test_images_fold_into_one_of_them(grid, points):
    """An oblong board has four images, a square one eight."""
    images = [board_of(g, points) for g in twin.symmetries(grid) if len(g) == len(grid) and len(g[0]) == len(grid[0])]
    assert len(images) == (8 if len(grid) == len(grid[0]) else 4)
    shortcuts = game_for(grid).shortcuts
    assert {shortcuts.fold(image) for image in images} <= set(images)
    assert len({shortcuts.fold(image) for image in images}) == 1
    assert score(shortcuts.without_points(images[0])) == score(board_of(grid)._replace(bonus=0))


@pytest.mark.parametrize(("height", "width"), SIZES)
def test_games_begin_with_two_tiles_anywhere(height, width):
    game = game_of(height, width)
    starts = [game.grid(game.start(generator(seed))) for seed in range(300)]
    assert all(sum(tile > 0 for row in grid for tile in row) == 2 for grid in starts)
    found = {(r, c) for grid in starts for r in range(height) for c in range(width) if grid[r][c]}
    assert found == {(r, c) for r in range(height) for c in range(width)}


@pytest.mark.parametrize(("height", "width"), SIZES)
def test_whole_games_and_their_files(height, width, tmp_path):
    """Random games, each played again on lists of lists, and once more from its file."""
    game = game_of(height, width)
    match = Match(game, [make_player("random", game)])
    for seed in range(5):
        played = match.play(seed)
        grid, made = game.grid(played.start), 0
        for number, action in enumerate(played.actions):
            if number % 2 == 0:
                assert action in twin.legal_moves(grid)
                grid, gain = twin.slide(grid, action)
                made += gain
            else:
                tile = game.new_tile(action)
                r, c = divmod(tile.cell, width)
                assert grid[r][c] == 0
                grid = twin.put(grid, r, c, tile.face)
        assert (game.grid(played.state), played.ended) == (grid, "over")
        assert twin.lost(grid)
        assert game.outcome(played.state) == {"score": made, "max_tile": max(map(max, grid))}
        save_game(played, tmp_path / "game.json")
        loaded = load_game(tmp_path / "game.json")
        assert (loaded.game.spec, loaded.actions) == (game.spec, played.actions)
        assert list(states_of(loaded)) == list(states_of(played))


def test_all_small_sizes_share_their_rules():
    """And so one compiled search; those of the 4 × 4 board know of no walls."""
    assert game_of(2, 3).rules == game_of(4, 2).rules == make_game(NINE).rules
    assert G2048(rows=4, columns=4).rules is G2048.rules
    assert not isinstance(G2048().start(generator(0)), SmallBoard)


# --- Texts -----------------------------------------------------------------------------------------------------------


def test_specs():
    assert make_game("2048:rows=4,columns=4").spec == "2048"
    assert make_game("2048:columns=3,rows=2").spec == "2048:rows=2,columns=3"
    assert make_game("2048:rows=3").spec == "2048:rows=3"  # of four columns


@given(small_grids, st.integers(0, 10**6))
def test_texts_read_back(grid, points):
    game, board = game_for(grid), board_of(grid, points)
    text = game.format(board)
    assert text == twin.text(grid)
    ranks = sorted((tile.bit_length() - 1 for row in grid for tile in row if tile), reverse=True)
    if any(rank > game.rows * game.columns + 1 - larger for larger, rank in enumerate(ranks)):
        with pytest.raises(BadInput, match="no game reaches this board"):
            game.parse(text)
    else:
        assert game.parse_scored(text, points) == board


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2 0 0 0/0 0 0 0/0 0 0 0/0 0 0 0", "a 2048 board is 3 rows of 2 tiles"),
        ("2 0 0/0 0 0", "this has rows of [3, 3]"),
        ("256 0/0 0/0 0", "256 is beyond the largest tile, 128"),
        ("3 0/0 0/0 0", "'3' is not a tile: tiles are 0 (empty), 2, 4, 8 … 128"),
        ("128 128/0 0/0 0", "no game reaches this board: 2 × 128 leave too few cells to make them"),
    ],
)
def test_boards_that_do_not_fit(text, message):
    with pytest.raises(BadInput) as refused:
        game_of(3, 2).parse(text)
    assert message in refused.value.text.into("en")


@pytest.mark.parametrize(("height", "width"), SIZES)
def test_the_largest_tile_of_each_size(height, width):
    """The fullest board, from 2^(cells + 1) down to a 4, can be a target of play and nothing beyond it."""
    game = game_of(height, width)
    faces = [1 << rank for rank in range(height * width + 1, 1, -1)]
    text = "/".join(" ".join(map(str, faces[r * width : (r + 1) * width])) for r in range(height))
    board = game.parse(text)
    assert game.outcome(board)["max_tile"] == 2 ** (height * width + 1)
    assert game.until(faces[0]).rules.over(board)
    with pytest.raises(BadInput, match=f"is not a tile: choose 8, 16 … {faces[0]}, or none"):
        game.until(2 * faces[0])


# --- Searches --------------------------------------------------------------------------------------------------------


@cache
def perfect_play(board: tuple[tuple[int, ...], ...]) -> float:
    """The points that perfect play still makes from here, on average: the definition, to the end of the game."""
    grid = [list(row) for row in board]
    best = 0.0
    for action in twin.legal_moves(grid):
        after, made = twin.slide(grid, action)
        empty = twin.empty_cells(after)
        to_come = sum(
            share / len(empty) * perfect_play(tuple(map(tuple, twin.put(after, r, c, tile))))
            for r, c in empty
            for tile, share in ((2, 0.9), (4, 0.1))
        )
        best = max(best, made + to_come)
    return best


def test_expectimax_to_the_end_plays_two_by_two_perfectly():
    """From every start: no game lasts longer than the 60 levels that the sum of the fullest board allows."""
    game = game_of(2, 2)
    player = make_player("expectimax:depth=60,table=on,eval=uc3m-score", game)
    starts = {}
    for cells in ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)):
        for first, p in ((2, 0.9), (4, 0.1)):
            for second, q in ((2, 0.9), (4, 0.1)):
                flat = [0] * 4
                flat[cells[0]], flat[cells[1]] = first, second
                starts[tuple(flat[:2]), tuple(flat[2:])] = p * q / 6
    assert sum(starts.values()) == pytest.approx(1)
    expected = 0.0
    for start, share in starts.items():
        exact = perfect_play(start)
        assert player.analyse(game.parse(twin.text(start))).value == pytest.approx(exact, rel=1e-12)
        expected += share * exact
    assert expected == pytest.approx(EXPECTED_SCORE, abs=5e-9)


#: What perfect play makes of 2 × 2, by `perfect_play`.
EXPECTED_SCORE = 66.964149457


@pytest.mark.parametrize("text", ["128 16 8/2 2 0", "128 16/0 8/2 4", "0 2/64 4/32 64"])
def test_expectimax_to_the_end_of_six_cells(text):
    """The fullest board sums to 252: from 152 on, and with 2s alone, 100 levels are the end."""
    rows_of_faces = [[int(tile) for tile in row.split()] for row in text.split("/")]
    game = game_for(rows_of_faces)
    player = make_player("expectimax:depth=100,table=on,fold=on,memory=64,eval=uc3m-score", game)
    exact = perfect_play(tuple(map(tuple, rows_of_faces)))
    assert player.analyse(game.parse(text)).value == pytest.approx(exact, rel=1e-12)


def naive_value(grid, depth, place, evaluate):
    """Depth-limited search where ``place`` says what becomes of the values of the new tiles: [(tile, value), …]."""
    if depth == 0:
        return evaluate(grid)
    values = []
    for action in twin.legal_moves(grid):
        after, _ = twin.slide(grid, action)
        if depth == 1:
            values.append(evaluate(after))
            continue
        tiles = [(tile, twin.put(after, r, c, tile)) for r, c in twin.empty_cells(after) for tile in (2, 4)]
        values.append(place([(tile, naive_value(b, depth - 2, place, evaluate)) for tile, b in tiles]))
    return max(values, default=evaluate(grid))


SEARCHES = {
    "expectimax:depth=3": lambda told: sum(v * (0.9 if t == 2 else 0.1) for t, v in told) / (len(told) / 2),
    "minimax:depth=3": lambda told: min(v for _, v in told),
    "alphabeta:depth=3,table=on": lambda told: min(v for _, v in told),
    "minimax:depth=3,opponent=twos": lambda told: min(v for t, v in told if t == 2),
}


@pytest.mark.parametrize("spec", SEARCHES)
def test_searches_are_what_their_definition_says(spec):
    """With all of ort's terms but the points."""
    entry = find_evaluator("ort-intermediate", make_game("2048"))
    terms = [(entry.weights[term], naive.TERMS[t.value.__name__]) for term, t in entry.terms.items() if term != "score"]

    @settings(max_examples=30)
    @given(small_grids.filter(twin.legal_moves))
    def check(grid):
        found = make_player(f"{spec},eval=ort-intermediate,score=0", game_for(grid)).analyse(board_of(grid)).value
        expected = naive_value(grid, 3, SEARCHES[spec], lambda g: sum(w * term(g, 0) for w, term in terms))
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-6)

    check()


@pytest.mark.parametrize(
    "spec",
    [
        "greedy",
        "mcts:sims=50",
        pytest.param("montecarlo:rollouts=20", marks=pytest.mark.slow),
        "expectiminimax:depth=3,prune=star1,eval=uc3m-empty",
        "expectiminimax:depth=3,prune=star2,eval=uc3m-empty",
        "expectimax:depth=auto,cprob=0.01,table=on",
        "expectimax:depth=4,table=on,fold=on",
        pytest.param("expectimax:depth=3,threads=2", marks=pytest.mark.slow),
        "mtdf:depth=3",
    ],
)
def test_every_search_plays_every_size(spec):
    for size in ((2, 2), (2, 3), (4, 3)):
        game = game_of(*size)
        state = game.start(generator(1))
        assert {move.move for move in make_player(spec, game).analyse(state).moves} == {
            game.action_name(state, action) for action in game.legal_actions(state)
        }


@pytest.mark.parametrize(
    ("spec", "switches"),
    [
        ("expectimax:depth=4,eval=uc3m-score", ("table=on", "table=on,fold=on")),  # compiled for perfect play above
        pytest.param("expectiminimax:depth=4,eval=uc3m-empty", ("prune=star1", "prune=star2"), marks=pytest.mark.slow),
    ],
)
def test_tables_folding_and_pruning_change_no_value(spec, switches):
    @settings(max_examples=25)
    @given(grids(6, 3, 2, 3).filter(twin.legal_moves))
    def check(grid):
        game, board = game_for(grid), board_of(grid)
        plain = make_player(spec, game).analyse(board).value
        for switch in switches:
            assert make_player(f"{spec},{switch}", game).analyse(board).value == pytest.approx(plain, rel=1e-6)

    check()


def test_a_trace_shows_the_search_that_plays():
    game = make_game(NINE)
    player = make_player("expectimax:depth=3", game)
    board = game.parse("2 4 8/0 0 2/0 0 0")
    trace, analysis = make_trace(player, board), player.analyse(board)
    assert (trace.best, trace.value) == (analysis.best, analysis.value)
    assert trace.board(trace.nodes[0].state) == "2 4 8/0 0 2/0 0 0"


# --- Evaluators ------------------------------------------------------------------------------------------------------


@given(small_grids, st.one_of(st.just(0), st.integers(1, 10**6)))
def test_every_term_is_what_its_twin_says(grid, points):
    board = board_of(grid, points)
    for name, expected in naive.TERMS.items():
        assert getattr(terms_2048, name)(board) == pytest.approx(expected(grid, points), rel=1e-13), name


@lru_cache
def nneonneo(height, width):
    return compile_evaluator("nneonneo", game_of(height, width), {})


@given(small_grids)
def test_nneonneo_is_the_sum_over_rows_and_columns(grid):
    evaluator, board = nneonneo(len(grid), len(grid[0])), board_of(grid)
    assert evaluator.terms(board) == pytest.approx(naive.nneonneo_terms(grid), rel=1e-12)
    value = evaluator.evaluate(board, evaluator.weights)
    assert value == pytest.approx(naive.nneonneo(grid), rel=1e-6, abs=1)
    low, high = evaluator.bounds()
    assert low - 1 <= value <= high + 1


def test_worked_examples_on_nine_cells():
    """By hand: 4 empty cells, the largest tile, 16, in the top left corner."""
    game = make_game(NINE)
    board = game.parse_scored("16 2 2/4 0 0/8 0 0", 28)
    expected = {
        "uc3m-empty": 4,
        "unicen-a": 28 + 4 * 16 + (16 * 10 + 2 * 2 + 2 * 10 + 4 * 2 + 8 * 10),
        # The gradient 5 4 3/4 3 2/3 2 1, and log2(16) = 4.
        "uma4": 28 + 4 * 4 + (16 * 5 + 2 * 4 + 2 * 3 + 4 * 4 + 8 * 3),
        # mono: 14 + 4 + 8; smooth: 3 + 0 + 2 + 1.
        "ort-simple-1": 28 + 2.7 * 4 + 26 - 0.1 * 6,
        # A pair of 2s; the 2 and the 4 are one step from a corner.
        "ort-intermediate": 28 + 2.7 * 4 + 26 - 0.1 * 6 + 5 * 16 + 1.5 * 2 - 0.5 * 6,
        # The snake 0 1 2/5 4 3/6 7 8.
        "snake": 16 + 2 / 2 + 2 / 4 + 4 / 32 + 8 / 64,
    }
    for name, value in expected.items():
        evaluator = compile_evaluator(name, game, {})
        assert evaluator.evaluate(board, evaluator.weights) == pytest.approx(value, rel=1e-14), name


@given(small_grids, st.integers(0, 10**6))
def test_helpers_for_heuristics_know_the_board(grid, points):
    board = board_of(grid, points)
    height, width = len(grid), len(grid[0])
    assert (helpers.rows(board), helpers.columns(board)) == (height, width)
    assert helpers.empty(board) == len(twin.empty_cells(grid))
    assert helpers.largest(board) == max(map(max, grid))
    padded = [row + [0] * (4 - width) for row in grid] + [[0] * 4] * (4 - height)
    for i in range(4):
        assert list(helpers.row(board, i)) == padded[i]
        assert list(helpers.column(board, i)) == [row[i] for row in padded]
        assert [helpers.tile(board, i, j) for j in range(4)] == padded[i]
    for r in range(height):
        for c in range(width):
            around = [(r - 1, c), (r, c + 1), (r + 1, c), (r, c - 1)]
            expected = [grid[i][j] if 0 <= i < height and 0 <= j < width else -1 for i, j in around]
            assert list(helpers.neighbours(board, r, c)) == expected


def test_one_s_own_heuristic_plays_every_size(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "from contienda.games.g2048.helpers import columns, empty, largest, rows, tile\n\n\n"
        "def mine(board, weights):\n"
        "    last = tile(board, rows(board) - 1, columns(board) - 1)\n"
        "    return 10 * empty(board) + (5 if last == largest(board) else 0)\n"
    )
    for text, value in (
        ("2 0/0 0", 35),
        ("2 0 0/0 0 0", 55),
        ("2 0 0/0 0 0/0 0 0", 85),
        ("/".join(["2 0 0 0"] + ["0 0 0 0"] * 3), 155),
    ):
        faces = [row.split() for row in text.split("/")]
        game = G2048(rows=len(faces), columns=len(faces[0]))
        evaluator = compile_evaluator(f"{file}:mine", game, {})
        down_right = game.apply(
            game.apply(game.parse(text), ACTIONS.index("right"))._replace(turn=MAX), ACTIONS.index("down")
        )
        assert evaluator.evaluate(down_right, evaluator.weights) == value


# --- Commands --------------------------------------------------------------------------------------------------------


def test_commands_take_every_size(tmp_path):
    board = "2 4 8/0 0 2/0 0 0"
    hint = contienda("hint", NINE, board, "--player", "expectimax:depth=3", "--json").json
    assert hint["game"] == NINE
    told = contienda("evaluate", NINE, board, "--eval", "uc3m-empty", "--json").json
    assert told["value"] == 5
    played = contienda("play", NINE, "--player", "greedy", "--seed", 1, "--json").json
    assert played["game"] == NINE
    assert contienda("trace", NINE, board, "--player", "expectimax:depth=2").code == 0
    assert contienda("play", "2048:rows=2", "--player", "greedy", "--seed", 1, "--save", tmp_path / "games").code == 0
    (saved,) = (tmp_path / "games").iterdir()
    assert json.loads(saved.read_text())["game"] == "2048:rows=2"
    assert contienda("replay", saved).code == 0
    plan = tmp_path / "plan.toml"
    plan.write_text(f'game = "{NINE}"\ngames = 4\ntarget = 128\nplayers = ["random"]\n')
    assert contienda("lab", "run", plan, "--out", tmp_path / "results.db").code == 0


@pytest.mark.parametrize(
    ("arguments", "english", "spanish"),
    [
        (("play", "2048:rows=5"), "rows=5: a 2048 board has 2 to 4 rows and columns", "de 2 a 4 filas y columnas"),
        (
            ("play", NINE, "--target", 2048),
            "target 2048 is not a tile: choose 8, 16 … 1024, or none",
            "8, 16 … 1024, o none",
        ),
        (
            ("play", NINE, "--player", "champion"),
            f"champion needs a game with learned networks; {NINE} is not one",
            "necesita un juego con redes",
        ),
        (
            ("play", NINE, "--player", "astar"),
            f"astar needs a game with path searches; {NINE} is not one",
            "necesita un juego con búsquedas de caminos",
        ),
        (
            ("play", NINE, "--player", "backtracking"),
            f"backtracking needs a game with path searches; {NINE} is not one",
            "necesita un juego con búsquedas",
        ),
        (
            ("play", NINE, "--player", "greedy:eval=ntuple"),
            f"{NINE} has no n-tuple networks; these games have: 2048, connect4",
            "no tiene redes de n-tuplas",
        ),
        (
            ("train", NINE, "--games", 5, "--out", "x.net"),
            f"{NINE} cannot be learned",
            "no se puede aprender",
        ),
        (("solve", NINE), "rows=3: paths are searched on the 4 × 4 board only", "solo en el tablero de 4 × 4"),
    ],
)
def test_what_needs_four_by_four_says_so(arguments, english, spanish, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert english in contienda(*arguments).complaint
    assert spanish in contienda("--lang", "es", *arguments).complaint


def test_all_other_evaluators_take_every_size():
    for evaluator in evaluators_of(make_game("2048")):
        if evaluator.name != "ntuple":
            for size in SMALL_SIZES:
                compiled = compile_evaluator(evaluator.name, game_of(*size), {})
                assert math.isfinite(compiled.evaluate(game_of(*size).start(generator(0)), compiled.weights))
