"""Connect 4 solved: given scores, plain searches and mirrors agree; bounds hold."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contienda.compiled.stopping import Stop
from contienda.core.analysis import FOREVER
from contienda.core.game import MAX
from contienda.core.language import BadInput
from contienda.evaluation.compiled import compile_evaluator
from contienda.games import make_game
from contienda.games.connect4 import WIN, Connect4, Stones
from contienda.match import Match
from contienda.perfect.bounds import Score, look_up, new_bounds, store_bounds
from contienda.perfect.oracle import Oracle, moves_left, shared_bounds
from contienda.perfect.positions import Size
from contienda.perfect.solve import build_exact_search, new_work
from contienda.perfect.team import Team
from contienda.players import make_player

POSITIONS = Path(__file__).parents[1] / "positions"
USUAL = Connect4()
SMALL = Connect4(rows=4, columns=5)
BEYOND_THE_BOOK = "65772514442"


def oracle(game: Connect4) -> Oracle:
    return Oracle(game, shared_bounds(Size(game.rows, game.columns, game.connect), 64))


def given_scores(name: str) -> list[tuple[str, int]]:
    lines = (POSITIONS / f"{name}.txt").read_text().splitlines()
    return [(columns, int(score)) for columns, score in map(str.split, lines)]


def by_alphabeta(game: Connect4, state: Stones) -> int:
    """The score of a position, by a search that knows nothing of Connect 4 but its rules."""
    value = make_player("alphabeta:depth=42,table=on", game).analyse(state).value
    cells = game.rows * game.columns
    return 0 if value == 0 else int(np.sign(value)) * int((cells + 2 - (WIN - abs(value))) // 2)


@st.composite
def positions(draw: st.DrawFn, game: Connect4, least: int = 0) -> str:
    """Columns played at random, in which the game goes on."""
    state, columns = game.parse(""), ""
    for _ in range(draw(st.integers(least, game.rows * game.columns - 1))):
        going_on = [
            column
            for column in game.legal_actions(state)
            if not game.rules.over(game.rules.successor(state, column)[1])
        ]
        if not going_on:
            break
        column = draw(st.sampled_from(going_on))
        state, columns = game.rules.successor(state, column)[1], columns + str(column + 1)
    return columns


@pytest.mark.parametrize(
    "name",
    [f"{kind}-ply{plies}" for kind in ("careful", "random") for plies in ("28", "20-22", "14-16", "10")],
)
def test_given_scores(name: str) -> None:
    exact = oracle(USUAL)
    for columns, score in given_scores(name):
        assert exact.score(USUAL.parse(columns)) == Score(score, score), columns


@pytest.mark.slow
def test_given_scores_after_six_moves() -> None:
    for columns, score in given_scores("careful-ply6"):
        assert oracle(USUAL).score(USUAL.parse(columns)) == Score(score, score)


def test_the_best_column_has_the_score_of_the_position() -> None:
    for columns, score in given_scores("careful-ply20-22")[:30]:
        analysis = make_player("solver", USUAL).analyse(USUAL.parse(columns))
        assert analysis.value == score
        assert analysis.best == analysis.moves[0].move == analysis.pv[0]


def small_boards() -> list[Connect4]:
    sizes = [(4, 4, 3), (4, 5, 4), (5, 4, 4), (1, 6, 2), (6, 1, 3), (5, 5, 4), (2, 7, 4)]
    return [Connect4(rows=rows, columns=columns, connect=connect) for rows, columns, connect in sizes]


@pytest.mark.slow
@pytest.mark.parametrize("game", small_boards(), ids=lambda game: game.spec)
def test_small_boards_whole(game: Connect4) -> None:
    empty = game.parse("")
    exact = by_alphabeta(game, empty)
    assert oracle(game).score(empty) == Score(exact, exact)


@given(positions(SMALL))
@settings(max_examples=30)
def test_as_plain_alphabeta(columns: str) -> None:
    state = SMALL.parse(columns)
    exact = by_alphabeta(SMALL, state)
    assert oracle(SMALL).score(state) == Score(exact, exact)


@given(positions(USUAL, least=18))
@settings(max_examples=40)
def test_a_mirror_changes_nothing(columns: str) -> None:
    image = "".join(str(8 - int(column)) for column in columns)
    ours = oracle(USUAL).columns(USUAL.parse(columns))
    theirs = Oracle(USUAL, shared_bounds(Size(6, 7, 4), 16)).columns(USUAL.parse(image))
    assert ours == {6 - column: score for column, score in theirs.items()}


@given(positions(USUAL, least=12), st.integers(1, 3000))
@settings(max_examples=30)
def test_bounds_hold_when_nodes_run_out(columns: str, nodes: int) -> None:
    state = USUAL.parse(columns)
    own, everybody = (state.max if state.turn == MAX else state.min), state.max | state.min
    work = new_work(nodes)
    settled = build_exact_search(6, 7, 4).settle(own, everybody, -FOREVER, FOREVER, new_bounds(1), work)
    exact = oracle(USUAL).score(state)
    assert work.low <= exact.least == exact.most <= work.high
    assert settled == (work.low == work.high)


@pytest.mark.parametrize("left", [30, 25, 21, 10])
def test_no_position_is_taken_for_another(left: int) -> None:
    """Codes that differ in one bit, whichever it is: what the bucket does not tell apart, the entry must."""
    table = new_bounds(1)
    store_bounds(table, np.uint64(0x5555555555555555), left, -3, 4)
    assert look_up(table, np.uint64(0x5555555555555555), left, Score(-9, 9)) == (-3, 4)
    for bit in range(64):
        assert look_up(table, np.uint64(0x5555555555555555 ^ (1 << bit)), left, Score(-9, 9)) == (-9, 9), bit


def test_a_time_limit_gives_what_is_known() -> None:
    analysis = make_player("solver:ms=20,memory=1", USUAL).analyse(USUAL.parse(BEYOND_THE_BOOK))
    for move in analysis.moves:
        assert move.exact or (move.at_least is not None and move.at_least < move.value)


def test_a_node_limit_gives_what_is_known() -> None:
    analysis = make_player("solver:nodes=3000,memory=1", USUAL).analyse(USUAL.parse(BEYOND_THE_BOOK))
    assert analysis.counters.nodes <= 3000
    assert not all(move.exact for move in analysis.moves)


def test_slips_are_slips_for_a_person_too() -> None:
    state = USUAL.parse(given_scores("careful-ply28")[0][0])
    always, never = make_player("solver:slip=1", USUAL), make_player("solver", USUAL)
    assert len({never.analyse(state, seed=seed).best for seed in range(20)}) == 1
    assert len({always.analyse(state, seed=seed).best for seed in range(20)}) > 1


def test_a_stopped_search_answers() -> None:
    stop = Stop()
    stop.stop()
    moves = make_player("solver:memory=2", USUAL).analyse(USUAL.parse(BEYOND_THE_BOOK), stop).moves
    assert {move.at_least for move in moves} == {-14.0}  # what the number of stones says


@pytest.mark.parametrize("threads", [2, 5])
def test_threads_find_the_same_scores(threads: int) -> None:
    team = Oracle(USUAL, new_bounds(4), threads)
    for columns, score in given_scores("careful-ply14-16")[:12]:
        assert team.score(USUAL.parse(columns)) == Score(score, score)
    alone = oracle(USUAL).columns(USUAL.parse(BEYOND_THE_BOOK))
    assert team.columns(USUAL.parse(BEYOND_THE_BOOK)) == alone


def test_a_player_on_two_threads() -> None:
    state = USUAL.parse(BEYOND_THE_BOOK)
    one, two = (make_player(f"solver:memory=8,threads={threads}", USUAL) for threads in (1, 2))
    assert two.analyse(state).moves == one.analyse(state).moves
    assert two.choose(state, two.seat(0)) == one.choose(state, one.seat(0))
    with pytest.raises(BadInput, match="nodes are counted on one thread"):
        make_player("solver:threads=2,nodes=1000", USUAL)


@pytest.mark.slow
def test_players_on_two_threads_play_a_match() -> None:
    two = make_player("solver:memory=8,threads=2", USUAL)
    ended = Match(USUAL, [two, two]).play(0, start=USUAL.parse(BEYOND_THE_BOOK))
    assert ended.ended == "over"


def test_threads_stop_when_told() -> None:
    """On the empty board, which takes them half a minute; what they know by then is right."""
    stop = Stop()
    team, work = Team(build_exact_search(6, 7, 4), 2), new_work()
    timer = threading.Timer(0.3, stop.stop)
    timer.start()
    with stop.guard(work, FOREVER):
        assert not team.settle(0, 0, -FOREVER, FOREVER, new_bounds(16), work)
    assert work.low <= 1 <= work.high
    assert work.nodes > 20_000


def test_how_many_moves_are_left() -> None:
    # White completes a line with the next stone, or black does whatever white plays.
    state = USUAL.parse("121212")
    assert oracle(USUAL).score(state) == Score(18, 18)
    assert moves_left(18, 6, 42) == 1
    assert moves_left(-17, 7, 42) == 1
    assert moves_left(1, 0, 42) == 21


def test_a_threat_that_zugzwang_wins_needs_little_search() -> None:
    """White keeps a threat in the third row, and wins with it when the rest of the board is full."""
    columns, nodes = "13153551615523727451", 500  # without the proof 2,120 nodes, with it 182
    work, state = new_work(nodes), USUAL.parse(columns)
    settled = build_exact_search(6, 7, 4).settle(state.max, state.max | state.min, -42, 42, new_bounds(1), work)
    assert settled
    assert work.low == 2


def test_an_evaluator_for_any_search() -> None:
    columns, score = given_scores("careful-ply28")[0]
    state = USUAL.parse(columns)
    solver = compile_evaluator("solver", USUAL, {})
    assert solver.evaluate(state, solver.weights) == score
    other = Stones(state.min, state.max, 1 - state.turn)
    assert solver.evaluate(other, solver.weights) == -score
    assert make_player("alphabeta:depth=2,eval=solver", USUAL).analyse(state).value == score


def test_an_evaluation_is_bounded_and_always_the_same() -> None:
    short = compile_evaluator("solver", USUAL, {"nodes": "500"})
    state = USUAL.parse("")
    assert short.evaluate(state, short.weights) == short.evaluate(state, short.weights)


def hold(first: str, second: str, *, solver: int) -> None:
    """Positions that are not lost for whoever moves, played on from there by the solver, as first or second player."""
    match = Match(USUAL, [make_player(first, USUAL), make_player(second, USUAL)])
    given = [(columns, score) for columns, score in given_scores("careful-ply14-16") if len(columns) % 2 == solver]
    for seed, (columns, score) in enumerate([one for one in given if one[1] >= 0][:12]):
        result = USUAL.rules.utility(match.play(seed, start=USUAL.parse(columns)).state) * (-1 if solver else 1)
        assert result > 0 if score > 0 else result >= 0, (columns, score)


OPPONENTS = [
    "solver:slip=0.5",
    *(pytest.param(spec, marks=pytest.mark.slow) for spec in ("random", "mcts:sims=200", "alphabeta:depth=4")),
]


@pytest.mark.parametrize("opponent", OPPONENTS)
def test_never_loses_what_is_not_lost(opponent: str) -> None:
    hold("solver", opponent, solver=0)


@pytest.mark.slow
@pytest.mark.parametrize("opponent", OPPONENTS)
def test_nor_as_the_second_to_move(opponent: str) -> None:
    hold(opponent, "solver", solver=1)


@pytest.mark.parametrize(
    ("game", "spec"),
    [
        ("2048", "solver"),
        ("connect4", "solver:slip=2"),
        ("connect4", "solver:ms=0"),
        ("connect4", "solver:memory=0"),
        ("connect4", "solver:depth=3"),
    ],
)
def test_bad_specs(game: str, spec: str) -> None:
    with pytest.raises(BadInput):
        make_player(spec, make_game(game))
