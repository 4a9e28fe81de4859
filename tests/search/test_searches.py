"""The searches: theorems that tie them to their definitions and to each other, and a yardstick in another language."""

from __future__ import annotations

import json
import threading
import time
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from twins import g2048 as twin
from twins import terms_2048 as naive
from twins.boards import any_grids, board_of, face, grids
from twins.search import TREES, Board, rules_2048, tree_text

from contienda import reference
from contienda.compiled.jit import njit
from contienda.compiled.stopping import GRACE, Stop, in_time
from contienda.core.analysis import FOREVER, new_tally
from contienda.core.evaluator import CompiledEvaluator
from contienda.core.game import CHANCE, MAX, MAX_ACTIONS, MIN, Rules
from contienda.core.language import BadInput
from contienda.evaluation.catalogue import find_evaluator
from contienda.evaluation.compiled import compile_evaluator
from contienda.games import make_game
from contienda.games.g2048.board import ACTIONS
from contienda.games.tree import EXAMPLES, Node
from contienda.players import make_player
from contienda.search import interpreted
from contienda.search.alphabeta import build_alphabeta
from contienda.search.expectimax import build_expectimax
from contienda.search.expectiminimax import build_expectiminimax
from contienda.search.hooks import CUT, ENTER, LEAVE, RECORDING, SILENT, Hooks, events, new_log
from contienda.search.minimax import build_minimax
from contienda.search.root import build_root
from contienda.search.steps import Run

GAME = make_game("2048")
BUILDERS = {
    "minimax": build_minimax,
    "alphabeta": build_alphabeta,
    "expectimax": build_expectimax,
    "expectiminimax": build_expectiminimax,
}
ORDER = np.arange(MAX_ACTIONS)


class Found(NamedTuple):
    """What a search said of a state."""

    best: int
    values: dict[int, float]
    nodes: int
    evaluations: int
    cutoffs: int


class Search(NamedTuple):
    """A search as it was built, and all that it was built from."""

    rules: Rules
    evaluator: CompiledEvaluator
    value: Any
    root: Any
    narrow: bool

    def __call__(self, state, depth, log=()) -> Found:
        tally, values = new_tally(), np.empty(MAX_ACTIONS)
        best = self.root(state, depth, ORDER, ORDER, self.narrow, values, Run(self.evaluator.weights, tally, log))
        found = {action: float(values[action]) for action in range(MAX_ACTIONS) if not np.isnan(values[action])}
        return Found(int(best), found, int(tally.nodes), int(tally.evaluations), int(tally.cutoffs))

    def bound(self, state, depth, alpha, beta) -> float:
        return self.value(state, depth, alpha, beta, Run(self.evaluator.weights, new_tally()))


@cache
def evaluator_of(name: str, game=GAME) -> CompiledEvaluator:
    return compile_evaluator(name, game, {})


@cache
def build(
    algorithm: str,
    evaluator="combined",
    opponent=None,
    game=GAME,
    cutoffs=True,
    hooks: Hooks = SILENT,
    jit=njit,
    root_jit=interpreted,
) -> Search:
    """A search, compiled once for all tests. Its root is left to the interpreter: it costs half of the compilation."""
    if opponent is None and game is GAME and algorithm in ("minimax", "alphabeta"):
        opponent = "twos-and-fours"
    rules = game.adversarial(opponent) if opponent else game.rules
    compiled = evaluator_of(evaluator, game)
    options = {"cutoffs": cutoffs} if algorithm == "alphabeta" else {}
    value = BUILDERS[algorithm](rules, compiled.evaluate, floor=compiled.floor, hooks=hooks, jit=jit, **options)
    root = build_root(rules, value, hooks=hooks, jit=root_jit)
    return Search(rules, compiled, value, root, algorithm == "alphabeta" and cutoffs)


@cache
def player(spec: str):
    return make_player(spec, GAME)


def by_definition(name: str):
    """A catalogue's evaluator as a naive function of a board of lists, and what a lost board is worth to it."""
    if name == "nneonneo":
        return lambda board: naive.nneonneo(board.grid), 0.0
    entry = evaluator_of(name)
    terms = find_evaluator(name, GAME).terms

    def evaluate(board):
        return sum(
            entry.weights_by_name[term] * naive.TERMS[function.value.__name__](board.grid, board.points)
            for term, function in terms.items()
        )

    return evaluate, -np.inf


#: Full boards with large tiles: a move or two, and they are lost.
full = st.lists(st.lists(st.integers(1, 11).map(face), min_size=4, max_size=4), min_size=4, max_size=4)
playable = st.one_of(any_grids, full).filter(lambda grid: not twin.lost(grid))
crowded = grids(6, 1).filter(lambda grid: len(twin.empty_cells(grid)) <= 5 and not twin.lost(grid))
points = st.integers(0, 30_000)

# --- Alpha-beta and minimax ------------------------------------------------------------------------------------------

#: uc3m-empty has many equal values, nneonneo a value for lost boards, uma1 neither.
PAIRS = [
    pytest.param("twos", "uma1", marks=pytest.mark.slow),
    ("twos-and-fours", "nneonneo"),
    ("twos", "uc3m-empty"),
]


@pytest.mark.parametrize(("opponent", "evaluator"), PAIRS)
def test_alphabeta_finds_what_minimax_finds(opponent, evaluator):
    """The same value and the same move, the first of equals, and never more nodes."""
    minimax = build("minimax", evaluator, opponent)
    alphabeta = build("alphabeta", evaluator, opponent)

    @given(playable, points, st.integers(1, 4))
    @example(DOOMED, 500, 4)
    def check(grid, points, depth):
        board = board_of(grid, points)
        all_of_it, pruned = minimax(board, depth), alphabeta(board, depth)
        assert pruned.best == all_of_it.best
        assert pruned.values[pruned.best] == all_of_it.values[all_of_it.best]
        assert all(pruned.values[move] >= value for move, value in all_of_it.values.items())  # bounds from above
        assert pruned.nodes <= all_of_it.nodes
        assert pruned.evaluations <= all_of_it.evaluations
        assert all_of_it.cutoffs == 0

    check()


@pytest.mark.parametrize(("opponent", "evaluator"), PAIRS[:1])
def test_alphabeta_without_cutoffs_visits_what_minimax_visits(opponent, evaluator):
    minimax = build("minimax", evaluator, opponent)
    uncut = build("alphabeta", evaluator, opponent, cutoffs=False)

    @given(playable, points, st.integers(1, 4))
    def check(grid, points, depth):
        assert uncut(board_of(grid, points), depth) == minimax(board_of(grid, points), depth)

    check()


def test_cutoffs_save_most_of_a_tree():
    """What alpha-beta is for: on a middle-game board at depth 5 it visits a small part of minimax's nodes."""
    board = GAME.parse_scored("64 8 4 2/16 4 0 0/4 0 0 0/0 0 0 2", 380)
    minimax, alphabeta = build("minimax", "uma1", "twos"), build("alphabeta", "uma1", "twos")
    assert alphabeta(board, 5).cutoffs > 0
    assert alphabeta(board, 5).nodes < minimax(board, 5).nodes / 5


#: Whatever luck places after either move, the game is lost.
DOOMED = [[2, 2, 8, 16], [32, 64, 128, 256], [512, 2, 4, 8], [16, 32, 64, 128]]

# --- Against the definitions -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("algorithm", "reply", "evaluator"),
    [
        pytest.param("expectimax", "chance", "uma1", marks=pytest.mark.slow),
        ("expectimax", "chance", "nneonneo"),
        ("minimax", "twos", "uma1"),
        ("minimax", "twos-and-fours", "nneonneo"),
    ],
)
def test_a_search_is_its_definition(algorithm, reply, evaluator):
    """Every move's value against plain recursion over lists of lists, on early boards and late ones."""
    search = build(algorithm, evaluator, None if reply == "chance" else reply)
    evaluate, floor = by_definition(evaluator)
    definition = {"expectimax": reference.expectimax, "minimax": reference.minimax}[algorithm]

    @settings(max_examples=25)
    @given(playable, points, st.integers(1, 3))
    @example(DOOMED, 500, 3)
    @example(DOOMED, 500, 4)
    def check(grid, points, depth):
        if len(twin.empty_cells(grid)) > 9:
            depth = min(depth, 2)
        how = rules_2048(reply), Board(grid, points), depth, evaluate, floor
        expected = reference.move_values(definition, *how)
        found = search(board_of(grid, points), depth)
        # nneonneo adds in single precision, and what it adds is of the size of 10^6.
        precision = {"rel": 1e-6, "abs": 1} if evaluator == "nneonneo" else {"rel": 1e-10, "abs": 1e-6}
        assert found.values == pytest.approx(expected, **precision)
        assert found.values[found.best] == max(found.values.values())
        value = search.bound(board_of(grid, points), depth, -np.inf, np.inf)
        assert value == pytest.approx(definition(*how), **precision)

    check()


def test_expectimax_summed_by_hand():
    """One empty cell after the move, so that a sum on paper is enough."""
    board = GAME.parse("2 2 4 8/4 8 16 32/8 16 32 64/16 32 64 128")
    search = build("expectimax", "uc3m-score")
    found = search(board, 3)
    # Left makes 4 points and the row 4 4 8 _. Whatever falls into its last cell, two 4s merge next, for 8 points.
    assert found.values[ACTIONS.index("left")] == pytest.approx(4 + 8)
    # Right makes 4 points and the row _ 4 4 8. With a 2 two 4s are left to merge, with a 4 three: one pair.
    assert found.values[ACTIONS.index("right")] == pytest.approx(0.9 * (4 + 8) + 0.1 * (4 + 8))
    assert set(found.values) == {ACTIONS.index("left"), ACTIONS.index("right")}
    assert found.nodes == 1 + 2 * (1 + 2) + found.evaluations


def test_a_lost_board_is_worth_the_floor_or_what_it_looks():
    lost = GAME.parse_scored("2 4 2 4/4 2 4 2/2 4 2 4/4 2 4 2", 50)
    assert build("expectimax", "nneonneo").bound(lost, 3, -np.inf, np.inf) == 0
    assert build("expectimax", "uc3m-score").bound(lost, 3, -np.inf, np.inf) == 50
    assert build("expectimax", "uc3m-score")(lost, 3) == Found(-1, {}, 1, 0, 0)


@given(playable, points, st.integers(1, 3))
@example(DOOMED, 500, 4)
@settings(max_examples=50)
def test_expectiminimax_is_expectimax_where_nobody_opposes(grid, points, depth):
    board = board_of(grid, points)
    assert build("expectiminimax")(board, depth) == build("expectimax")(board, depth)


TICTACTOE = make_game("tictactoe")
SMALL = make_game("connect4:rows=4,columns=4,connect=3")


def after_random_moves(game, choices):
    """A state some moves into a game, with MAX to move."""
    state = game.parse("") if game.name == "connect4" else game.parse(".../.../...")
    for choice in choices:
        legal = game.legal_actions(state)
        following = game.apply(state, legal[choice % len(legal)])
        if game.rules.over(following):
            break
        state = following
    return game.rules.seen_by_mover(state)


@pytest.mark.parametrize(("game", "evaluator"), [(TICTACTOE, "none"), (SMALL, "uja")], ids=["tictactoe", "connect4"])
def test_two_player_games(game, evaluator):
    """Expectiminimax is minimax where there is no luck; alpha-beta is both."""
    minimax, alphabeta, both = (
        build(name, evaluator, game=game) for name in ("minimax", "alphabeta", "expectiminimax")
    )

    @settings(max_examples=50)
    @given(st.lists(st.integers(0, 8), max_size=6), st.integers(1, 6))
    def check(choices, depth):
        state = after_random_moves(game, choices)
        assert game.rules.turn(state) == MAX
        found = minimax(state, depth)
        assert both(state, depth) == found
        pruned = alphabeta(state, depth)
        assert (pruned.best, pruned.values[pruned.best]) == (found.best, found.values[found.best])
        assert pruned.nodes <= found.nodes

    check()


def test_tictactoe_is_a_draw_and_a_blunder_loses():
    search = build("alphabeta", "none", game=TICTACTOE)
    start = TICTACTOE.parse(".../.../...")
    assert set(build("minimax", "none", game=TICTACTOE)(start, 9).values.values()) == {0.0}
    assert search(start, 9).values[0] == 0
    # O answered X's corner on an edge: X wins.
    won = TICTACTOE.rules.seen_by_mover(TICTACTOE.parse("XO./.../..."))
    assert search(won, 9).values[search(won, 9).best] == 1


# --- Symmetry --------------------------------------------------------------------------------------------------------


@given(playable, st.integers(1, 3))
@settings(max_examples=50)
def test_symmetric_boards_have_symmetric_values(grid, depth):
    search = build("expectimax", "nneonneo")
    found = [search(board_of(turned), depth) for turned in twin.symmetries(grid)]
    reference = sorted(found[0].values.values())
    for other in found[1:]:
        assert sorted(other.values.values()) == pytest.approx(reference, rel=1e-6, abs=1)
        assert (other.nodes, other.evaluations) == (found[0].nodes, found[0].evaluations)
    # A mirror swaps left and right; the transposed board swaps up with left and down with right.
    transposed = found[4].values
    swapped = {{0: 3, 3: 0, 1: 2, 2: 1}[action]: value for action, value in found[0].values.items()}
    assert transposed == pytest.approx(swapped, rel=1e-6, abs=1)


# --- One source: compiled, interpreted, recorded ---------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", BUILDERS)
def test_compiled_is_interpreted(algorithm):
    """The same lines give the same values, the same move and the same counts, to the last bit."""
    compiled, plain = build(algorithm, root_jit=njit), build(algorithm, jit=interpreted)
    for search, machine_code in ((compiled, True), (plain, False)):
        assert hasattr(search.value, "py_func") == hasattr(search.root, "py_func") == machine_code

    @settings(max_examples=8)
    @given(crowded, points, st.integers(1, 3))
    def check(grid, points, depth):
        assert plain(board_of(grid, points), depth) == compiled(board_of(grid, points), depth)

    check()


@pytest.mark.parametrize("algorithm", BUILDERS)
def test_a_recorded_search_is_the_search_that_plays(algorithm):
    """Silent and recording hooks give the same result, and the events tell the whole of it."""
    silent, recording = build(algorithm), build(algorithm, hooks=RECORDING)

    @settings(max_examples=15)
    @given(crowded, points, st.integers(1, 3))
    def check(grid, points, depth):
        board, log = board_of(grid, points), new_log()
        found = recording(board, depth, log)
        assert found == silent(board, depth)
        assert log.count <= log.capacity
        told = events(log)
        story = Story(told, recording)
        assert story.tell(board, depth, at_root=True) == max(found.values.values())
        assert story.place == len(told)
        assert sum(event.event == ENTER for event in told) + 1 == found.nodes
        assert sum(event.event == LEAVE for event in told) + 1 == found.nodes
        assert sum(event.event == CUT for event in told) == found.cutoffs

    check()


class Story:
    """Reads a log as the tree that it tells of, and works out every value from those below it."""

    def __init__(self, told, search):
        self.told, self.search, self.place = told, search, 0

    def next(self, kind):
        """The next event, if it is of this kind."""
        if self.place < len(self.told) and self.told[self.place].event == kind:
            self.place += 1
            return self.told[self.place - 1]
        return None

    def tell(self, state, depth, at_root=False):
        """The value of a state, from the events of its children alone."""
        rules, evaluator = self.search.rules, self.search.evaluator
        children = []
        cut = None
        while cut is None and (entered := self.next(ENTER)) is not None:
            assert depth > 0
            action = int(entered.number)
            legal, child = rules.successor(state, action)
            assert legal
            assert action not in [a for a, _ in children]
            value = self.tell(child, depth - 1)
            left = self.next(LEAVE)
            assert left is not None
            assert left.number == value
            assert (left.alpha, left.beta) == (entered.alpha, entered.beta)
            children.append((action, value))
            cut = self.next(CUT)
        kind = rules.turn(state)
        values = [value for _, value in children]
        if not children:
            return rules.utility(state) if rules.over(state) else evaluator.evaluate(state, evaluator.weights)
        result = {
            MAX: lambda: max(*values, evaluator.floor),
            MIN: lambda: min(values),
            CHANCE: lambda: sum_in_order(rules.probability(state, action) * value for action, value in children),
        }[kind]()
        if cut is not None:
            assert not at_root
            assert cut.number == result
            assert cut.alpha >= cut.beta
        elif not at_root and depth > 0:
            legal = [a for a in range(MAX_ACTIONS) if rules.candidates(state) >> a & 1 and rules.successor(state, a)[0]]
            assert [action for action, _ in children] == legal
        return result


def sum_in_order(numbers):
    """Left to right, with no compensation: as the search adds."""
    total = 0.0
    for number in numbers:
        total += number
    return total


def test_a_log_that_overflows_counts_on():
    """What does not fit is counted, nothing is overwritten, and the search does not notice."""
    recording, silent = build("alphabeta", hooks=RECORDING), build("alphabeta")
    board = GAME.parse_scored("64 8 4 2/16 4 0 0/4 0 0 0/0 0 0 2", 380)
    large, small = new_log(), new_log(capacity=10)
    assert recording(board, 3, small) == recording(board, 3, large) == silent(board, 3)
    assert small.count == large.count > small.capacity == 10
    assert events(small) == events(large)[:10]


# --- Drawn trees: the contract of alpha-beta's bounds ----------------------------------------------------------------

leaves = st.integers(-20, 20)
drawn = st.recursive(
    leaves,
    lambda children: st.builds(
        lambda kind, nodes: [kind, *nodes], st.sampled_from(["max", "min"]), st.lists(children, min_size=1, max_size=4)
    ),
    max_leaves=25,
).filter(lambda tree: isinstance(tree, list))


def looks(state, weights):
    """An evaluator that knows nothing of the tree, for searches that stop above its leaves."""
    return float(state.index * 7919 % 41 - 20)


def plain_tree(text):
    """A drawn tree whose rules run in the interpreter: nothing is compiled for each of a hundred trees."""
    game = make_game("tree", text)
    return game, Rules(*(getattr(rule, "py_func", rule) for rule in game.rules))


def check_bounds(minimax, alphabeta, state, depth, alpha, beta):
    """The contract in the head of alphabeta.py."""
    m = minimax(state, depth, -np.inf, np.inf, Run(None, new_tally()))
    v = alphabeta(state, depth, alpha, beta, Run(None, new_tally()))
    if v <= alpha:
        assert m <= v
    elif v >= beta:
        assert v <= m
    else:
        assert m == v
    return m


@given(drawn, st.integers(-25, 25), st.integers(1, 20), st.integers(1, 6))
@settings(max_examples=150)
def test_bounds_on_drawn_trees(tree, alpha, width, depth):
    _, rules = plain_tree(tree_text(tree))
    minimax = build_minimax(rules, looks, jit=interpreted)
    alphabeta = build_alphabeta(rules, looks, jit=interpreted)
    check_bounds(minimax, alphabeta, Node(0), depth, alpha, alpha + width)
    whole = check_bounds(minimax, alphabeta, Node(0), 100, alpha, alpha + width)
    assert whole == reference.minimax(TREES, tree, 100, looks) == reference.alphabeta(TREES, tree, 100, looks)
    assert check_bounds(minimax, alphabeta, Node(0), 100, -np.inf, np.inf) == whole


@given(playable, points, st.integers(1, 3), st.floats(-1, 1), st.floats(0, 1))
@settings(max_examples=60)
def test_bounds_on_2048(grid, points, depth, shift, width):
    """The same contract, compiled, with windows around the value and beside it."""
    board = board_of(grid, points)
    minimax, alphabeta = build("minimax", "uma1", "twos"), build("alphabeta", "uma1", "twos")
    m = minimax.bound(board, depth, -np.inf, np.inf)
    scale = max(abs(m), 1.0)
    alpha = m + shift * scale
    beta = alpha + width * scale
    assume(alpha < beta)
    v = alphabeta.bound(board, depth, alpha, beta)
    assert m <= v if v <= alpha else v <= m if v >= beta else m == v


def test_the_trees_of_the_practical():
    """The roots take 5, 3 and 3; alpha-beta cuts the second branch after its first leaf, 2."""
    _, rules = plain_tree(EXAMPLES["minimax"])
    assert build_minimax(rules, looks, jit=interpreted)(Node(0), 100, -np.inf, np.inf, Run(None, new_tally())) == 5

    game, rules = plain_tree(EXAMPLES["alphabeta"])
    log, tally = new_log(100), new_tally()
    search = build_alphabeta(rules, looks, jit=interpreted, hooks=RECORDING)
    assert search(Node(0), 100, -np.inf, np.inf, Run(None, tally, log)) == 3
    told = events(log)
    cut = next(i for i, event in enumerate(told) if event.event == CUT)
    assert (told[cut].number, told[cut].alpha, told[cut].beta) == (2, 3, 2)
    entered = [int(event.number) + 1 for event in told if event.event == ENTER]
    assert entered == [1, 1, 2, 3, 2, 1, 3, 1, 2, 3]
    assert tally.cutoffs == 1
    assert tally.nodes == 11
    assert game.legal_actions(Node(0)) == [0, 1, 2]

    _, rules = plain_tree(EXAMPLES["expectiminimax"])
    log = new_log(100)
    search = build_expectiminimax(rules, looks, jit=interpreted, hooks=RECORDING)
    assert search(Node(0), 100, -np.inf, np.inf, Run(None, new_tally(), log)) == 3
    left = [event.number for event in events(log) if event.event == LEAVE]
    assert left == [2, 4, 2, 7, 4, 4, 3, 6, 0, 0, 5, -2, -2, -1]


PRUNING = "alphabeta:depth=4,eval=uma1,opponent=twos"

# --- Limits ----------------------------------------------------------------------------------------------------------

OPEN = GAME.parse_scored("2 0 0 0/0 0 0 0/0 0 4 0/0 0 0 0", 0)


@pytest.mark.parametrize("budget", [0, 1, 2, 50, 1000, 12345])
def test_a_budget_stops_a_search(budget):
    """It is over soon after its last node: what is still open on the way back is not looked into."""
    search = build("expectimax", "nneonneo")
    tally, values = new_tally(budget), np.empty(MAX_ACTIONS)
    depth = 9
    assert search.root(OPEN, depth, ORDER, ORDER, False, values, Run(search.evaluator.weights, tally)) == -1
    assert budget <= tally.nodes <= budget + 32 * depth


def test_a_budget_that_is_not_reached_changes_nothing():
    search = build("expectimax", "nneonneo")
    free = search(OPEN, 5)
    tally, values = new_tally(free.nodes + 1), np.empty(MAX_ACTIONS)
    assert search.root(OPEN, 5, ORDER, ORDER, False, values, Run(search.evaluator.weights, tally)) == free.best
    assert (tally.nodes, {a: values[a] for a in free.values}) == (free.nodes, free.values)


def in_a_thread(search, tally, depth=15):
    """A search that would take years, running; its answer arrives in the list."""
    answers: list[int] = []
    values = np.empty(MAX_ACTIONS)
    search(OPEN, 1)  # compiled before the clock runs

    def work():
        answers.append(search.root(OPEN, depth, ORDER, ORDER, False, values, Run(search.evaluator.weights, tally)))

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    while tally.nodes < 1000:
        time.sleep(0.001)
    return thread, answers


def test_a_search_is_stopped_from_another_thread():
    search, stop, tally = build("expectimax", "nneonneo"), Stop(), new_tally()
    with stop.guard(tally, FOREVER):
        thread, answers = in_a_thread(search, tally)
        assert thread.is_alive()
        assert not stop.stopped
        stop.stop()
        thread.join(GRACE)
        assert not thread.is_alive()
    assert answers == [-1]
    assert stop.stopped
    # The button stays pressed: what begins under its guard ends at once.
    with stop.guard(tally, FOREVER):
        assert tally.budget == 0


def test_a_deadline_stops_a_search():
    search, tally = build("expectimax", "nneonneo"), new_tally()
    with Stop().guard(tally, FOREVER, ms=100):
        thread, answers = in_a_thread(search, tally)
        thread.join(0.1 + GRACE)
        assert not thread.is_alive()
    assert answers == [-1]


def test_a_deadline_that_was_met_does_not_strike_later():
    """The alarm of a guard that was left is off: the next search with the same tally is not stopped by it."""
    tally, stop = new_tally(), Stop()
    with stop.guard(tally, FOREVER, ms=20):
        pass
    with stop.guard(tally, FOREVER):
        time.sleep(0.1)
        assert tally.budget == FOREVER


def test_work_that_is_told_to_stop():
    search, stop = build("expectimax", "nneonneo"), Stop()
    tally, values = new_tally(), np.empty(MAX_ACTIONS)
    search(OPEN, 1)

    def work():
        with stop.guard(tally, FOREVER):
            return search.root(OPEN, 15, ORDER, ORDER, False, values, Run(search.evaluator.weights, tally))

    assert in_time(work, stop, seconds=0.05) == -1
    assert in_time(lambda: "done", Stop(), seconds=5) == "done"
    with pytest.raises(ZeroDivisionError):
        in_time(lambda: 1 // 0, Stop())


def test_deepening_under_a_number_of_nodes_returns_a_completed_depth():
    analysis = player("expectimax:nodes=30000").analyse(OPEN)
    depth = analysis.counters.depth
    assert depth > 1
    assert 0 < analysis.counters.nodes <= 30000 + 32 * (depth + 1)
    expected = build("expectimax", "nneonneo")
    at_depth = expected(OPEN, depth)
    assert {GAME.action_number(OPEN, m.move): m.value for m in analysis.moves} == at_depth.values
    assert GAME.action_number(OPEN, analysis.best) == at_depth.best
    # One level more would not have fitted.
    assert sum(expected(OPEN, level).nodes for level in range(1, depth + 2)) >= 30000


def test_deepening_under_a_time_returns_a_completed_depth():
    in_haste = player("expectimax:ms=30")
    analysis = in_haste.analyse(OPEN)
    depth = analysis.counters.depth
    assert depth >= 1
    at_depth = build("expectimax", "nneonneo")(OPEN, depth)
    assert {GAME.action_number(OPEN, m.move): m.value for m in analysis.moves} == at_depth.values
    stop = Stop()
    stop.stop()
    assert in_haste.analyse(OPEN, stop).counters.depth == 1  # the first level is always looked at


def test_deepening_goes_on_to_the_end_of_a_tree():
    """Here alpha-beta happens to visit as many nodes at depth 4 as at depth 3, with levels yet to come."""
    text = (
        "max[min[max[min[max[2 8 2]] min[3]] max[3 min[max[5] max[3] max[6]] 7]]"
        " min[2 max[-1] max[min[4 8] min[8 -3]]]]"
    )
    game = make_game("tree", text)
    assert make_player("alphabeta:nodes=100000", game).analyse(Node(0)).value == 7


def test_a_search_stopped_before_its_first_answer_says_so():
    stop = Stop()
    stop.stop()
    with pytest.raises(BadInput, match="stopped before its first answer"):
        player(PRUNING).analyse(OPEN, stop)


# --- What a player tells ---------------------------------------------------------------------------------------------


def test_an_analysis_has_every_move_its_value_and_the_line():
    """Alpha-beta's refuted moves get their true values afterwards; its counters are those of the pruned search."""
    board = GAME.parse_scored("64 8 4 2/16 4 0 0/4 0 0 0/0 0 0 2", 380)
    analysis = player(PRUNING).analyse(board)
    minimax, alphabeta = build("minimax", "uma1", "twos")(board, 4), build("alphabeta", "uma1", "twos")(board, 4)
    assert {GAME.action_number(board, m.move): m.value for m in analysis.moves} == minimax.values
    assert all(move.exact for move in analysis.moves)
    assert [m.value for m in analysis.moves] == sorted(minimax.values.values(), reverse=True)
    assert analysis.best == analysis.moves[0].move == ACTIONS[minimax.best]
    assert analysis.value == max(minimax.values.values())
    counted = (analysis.counters.nodes, analysis.counters.evaluations, analysis.counters.cutoffs)
    assert counted == (alphabeta.nodes, alphabeta.evaluations, alphabeta.cutoffs)
    assert analysis.counters.depth == 4
    # The line, played out, ends on a board worth the value.
    state = board
    assert len(analysis.pv) == 4
    assert analysis.pv[0] == analysis.best
    for name in analysis.pv:
        state = GAME.apply(state, GAME.action_number(state, name))
    evaluator = evaluator_of("uma1")
    assert evaluator.evaluate(state, evaluator.weights) == analysis.value


def test_what_has_no_move_is_not_searched():
    with pytest.raises(BadInput, match="the game is over in this position"):
        player("greedy").analyse(GAME.parse("2 4 2 4/4 2 4 2/2 4 2 4/4 2 4 2"))
    with pytest.raises(BadInput, match="a chance node"):
        player("greedy").analyse(OPEN._replace(turn=CHANCE))


def test_ties_choose_among_equals():
    board = GAME.parse("0 0 0 0/0 2 4 0/0 8 16 0/0 0 0 0")  # nothing merges: all four moves score 0
    assert player("greedy").analyse(board).best == "up"
    uc3m = player("greedy:ties=down-right-up-left").analyse(board)
    assert [move.move for move in uc3m.moves] == ["down", "right", "up", "left"]
    assert uc3m.best == "down"


# --- The yardstick ---------------------------------------------------------------------------------------------------

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "expectimax_nneonneo.json").read_text())


@pytest.mark.parametrize("depth", [3, 5])
def test_the_yardstick(depth):
    """The values that a C++ program, written apart, gives to each move of thirty boards; and its count of leaves."""
    search = build("expectimax", "nneonneo")
    evaluations = 0
    for entry in GOLDEN["boards"]:
        found = search(GAME.parse(entry["board"]), depth)
        expected = {action: value for action, value in enumerate(entry[f"depth {depth}"]) if value is not None}
        assert found.values == pytest.approx(expected, rel=1e-5), entry["board"]
        evaluations += found.evaluations
    assert evaluations == GOLDEN["evaluations"][f"depth {depth}"]
