"""Recording hooks: what is recorded is the search that plays, and the documents' drawn searches to the letter.

The stories in ``golden/traces`` are written anew, to be read before they are kept, with ``CONTIENDA_GOLDEN=write``.
"""

from __future__ import annotations

import math
import os
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins.boards import board_of, grids

from contienda.compiled.rng import generator
from contienda.core.analysis import new_tally
from contienda.core.evaluator import weights_record
from contienda.core.game import MAX_ACTIONS
from contienda.core.problem import Problem
from contienda.evaluation.compiled import compile_evaluator
from contienda.games import make_game
from contienda.games.tree import EXAMPLES, Node
from contienda.problems import make_problem
from contienda.problems.g2048 import ORDER, TWOS_AND_FOURS, World
from contienda.search import hooks as tree_hooks
from contienda.search import mcts_hooks
from contienda.search.alphabeta import build_alphabeta
from contienda.search.alphabeta_plus import build_alphabeta_plus
from contienda.search.expectiminimax import build_expectiminimax
from contienda.search.hooks import AGAIN, CUT, ENTER, HIT, LEAVE, events, new_log, recorded
from contienda.search.mcts import build_mcts, new_search_tree
from contienda.search.mcts_hooks import EXPAND, SELECT, SIMULATE, new_mcts_log
from contienda.search.minimax import build_minimax
from contienda.search.montecarlo import build_montecarlo, build_playout, build_random_policy
from contienda.search.negamax import build_negamax
from contienda.search.ordering import new_notes
from contienda.search.path import hooks as path_hooks
from contienda.search.path.astar import build_astar
from contienda.search.path.backtracking import build_backtracking, fixed_plan
from contienda.search.path.best_first import build_greedy
from contienda.search.path.branch_and_bound import build_branch_and_bound
from contienda.search.path.breadth_first import build_breadth_first
from contienda.search.path.hill_climbing import build_hill_climbing
from contienda.search.path.hooks import KNOWN, MADE, PRUNED, new_path_log, path_events
from contienda.search.path.ida_star import build_ida_star
from contienda.search.path.look_ahead import build_look_ahead
from contienda.search.path.nodes import new_nodes, path_to
from contienda.search.steps import Memory, Run
from contienda.search.transposition import new_table
from contienda.search.windows import build_aspiration, build_mtdf

GOLDEN = Path(__file__).parents[1] / "golden" / "traces"
GAME, TICTACTOE = make_game("2048"), make_game("tictactoe")
EVALUATOR = compile_evaluator("combined", GAME, {})
crowded = grids(11, 1)
RULES = GAME.adversarial("twos-and-fours")


def same_as_golden(name: str, lines: list[str]) -> None:
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("CONTIENDA_GOLDEN") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert path.read_text(encoding="utf-8").splitlines() == lines


# --- Alpha-beta's further family: helpers, negamax, windows ----------------------------------------------------------


@cache
def family(name: str, hooks: tree_hooks.Hooks):
    """A search of 2048 that the plain family's own test does not have."""
    build = partial(build_alphabeta_plus, RULES, EVALUATOR.evaluate, floor=EVALUATOR.floor)
    if name == "negamax":
        return build_negamax(RULES, EVALUATOR.evaluate, floor=EVALUATOR.floor, hooks=hooks)
    if name == "pvs":
        return build(table=True, pvs=True, order="history", hooks=hooks)
    value = build(table=True, hooks=hooks)
    if name == "table":
        return value
    return {"mtdf": build_mtdf, "aspiration": build_aspiration}[name](value, EVALUATOR.evaluate, hooks=hooks)


# (Quick for "table", and for all of them on a small game in test_trace.)
@pytest.mark.parametrize(
    "name", ["table", *(pytest.param(n, marks=pytest.mark.slow) for n in ("negamax", "pvs", "mtdf", "aspiration"))]
)
def test_what_is_recorded_is_the_search_that_plays(name):
    """The same value, nodes and counts; every node entered is left, and the events add up to the counters."""

    def look(hooks, board, depth, log):
        tally = new_tally()
        run = Run(EVALUATOR.weights, tally, log, Memory(new_table(1), new_notes()))
        value = family(name, hooks)(board, depth, -np.inf, np.inf, run)
        return value, int(tally.nodes), int(tally.evaluations), int(tally.cutoffs), int(tally.hits)

    @settings(max_examples=10)
    @given(crowded, st.integers(0, 5000), st.integers(1, 3))
    def check(grid, points, depth):
        board, log = board_of(grid, points), new_log(400_000)
        silent = look(tree_hooks.SILENT, board, depth, ())
        assert look(tree_hooks.RECORDING, board, depth, log) == silent
        told = [event.event for event in events(log)]
        passes = sum(e.event == ENTER and e.number == AGAIN for e in events(log))
        # Beneath the window that is looked through there is no node of its own: every pass is one.
        assert told.count(ENTER) + (1 if passes == 0 else 0) == silent[1]
        assert told.count(LEAVE) == told.count(ENTER)
        assert told.count(CUT) == silent[3]
        assert told.count(HIT) == silent[4]

    check()


def test_negamax_is_told_as_max_sees_it():
    """The same story as alpha-beta's, event for event: signs change inside of the search and nowhere else."""
    stories = []
    for build in (build_alphabeta, build_negamax):
        log = new_log()
        value = build(TICTACTOE.rules, lambda_nothing(), hooks=tree_hooks.RECORDING)
        value(TICTACTOE.parse("X.O/.X./..O"), 9, -np.inf, np.inf, Run(weights_record({}), new_tally(), log))
        stories.append([(e.event, e.number, e.alpha, e.beta) for e in events(log)])
    assert stories[0] == stories[1]


@cache
def lambda_nothing():
    return compile_evaluator("none", TICTACTOE, {}).evaluate


def test_a_value_from_the_table_is_told():
    """A hit stands where the children would: the node is entered, and left with what the table knew."""
    value, log, tally = family("table", tree_hooks.RECORDING), new_log(400_000), new_tally()
    board = GAME.parse_scored("64 8 4 2/16 4 0 0/4 0 0 0/0 0 0 2", 380)
    value(board, 4, -np.inf, np.inf, Run(EVALUATOR.weights, tally, log, Memory(new_table(1), new_notes())))
    told = events(log)
    hits = [i for i, event in enumerate(told) if event.event == HIT]
    assert len(hits) == tally.hits > 0
    for i in hits:
        assert (told[i - 1].event, told[i + 1].event) == (ENTER, LEAVE)
        assert told[i + 1].number == told[i].number


# --- The documents' trees --------------------------------------------------------------------------------------------


def tree_story(text: str, build) -> list[str]:
    game, log, tally = make_game("tree", text), new_log(), new_tally()
    nothing = compile_evaluator("none", game, {})
    value = build(game.rules, nothing.evaluate, hooks=tree_hooks.RECORDING)
    worth = value(Node(0), 100, -np.inf, np.inf, Run(nothing.weights, tally, log))
    lines, level = [text], 0
    for event, number, alpha, beta in events(log):
        level -= event == LEAVE
        what = f"enter {number + 1:g}" if event == ENTER else f"{'leave' if event == LEAVE else 'cut'} {number:g}"
        lines.append(f"{'  ' * level}{what}  ({alpha:g}, {beta:g})")
        level += event == ENTER
    return [*lines, f"value {worth:g}, {tally.nodes} nodes, {tally.evaluations} leaves, {tally.cutoffs} cut-offs"]


@pytest.mark.parametrize(
    ("name", "build", "root"),
    [
        ("minimax", build_minimax, "value 5"),
        ("alphabeta", build_alphabeta, "value 3"),
        ("expectiminimax", build_expectiminimax, "value 3"),
    ],
)
def test_the_drawn_trees_of_the_practical(name, build, root):
    story = tree_story(EXAMPLES[name], build)
    assert story[-1].startswith(root)
    same_as_golden(name, story)


# --- Monte Carlo -----------------------------------------------------------------------------------------------------


@cache
def mcts(hooks):
    playout = build_playout(TICTACTOE.rules, build_random_policy(TICTACTOE.rules), signs=True)
    return build_mcts(TICTACTOE.rules, playout, signs=True, hooks=hooks)


def grow(hooks, state, simulations, seed, log):
    tree, values, tally = new_search_tree(simulations + 1), np.empty(MAX_ACTIONS), new_tally()
    best, done = mcts(hooks)(state, simulations, math.sqrt(2), tree, values, (), generator(seed), tally, log)
    return tree.nodes[: tree.extent.used].tobytes(), int(best), int(done), values.tobytes(), int(tally.nodes)


@settings(max_examples=20)
@given(st.lists(st.integers(0, 8), max_size=6), st.integers(1, 300), st.integers(0, 99))
def test_recorded_mcts_grows_the_same_tree(actions, simulations, seed):
    state = TICTACTOE.start(generator(0))
    for action in actions:
        if action in TICTACTOE.legal_actions(state):
            state = TICTACTOE.apply(state, action)
    state, log = TICTACTOE.rules.seen_by_mover(state), new_mcts_log()
    silent = grow(mcts_hooks.SILENT, state, simulations, seed, ())
    assert grow(mcts_hooks.RECORDING, state, simulations, seed, log) == silent
    told = [event for (event,) in recorded(log, ["event"])]
    assert told.count(EXPAND) + 1 == silent[4]
    assert told.count(SIMULATE) == silent[2]


def test_mcts_phase_by_phase():
    log = new_mcts_log()
    state = TICTACTOE.parse("X.O/.X./..O")
    grow(mcts_hooks.RECORDING, TICTACTOE.rules.seen_by_mover(state), 12, 5, log)
    lines = ["12 simulations of X.O/.X./..O, seed 5"]
    for event, node, parent, number, worth in recorded(log, ["event", "node", "parent", "number", "worth"]):
        if event == SELECT:
            lines.append(f"  select node {node} by {number}")
        elif event == EXPAND:
            lines.append(f"  expand node {parent}: node {node} by {number}")
        elif event == SIMULATE:
            lines.append(f"  simulate from node {node}: {worth:g} after {number} moves")
        else:
            lines.append(f"  back to node {node}: {number} visits, mean {worth:.6g}")
    same_as_golden("mcts", lines)


def test_recorded_playouts_are_those_of_the_search():
    playout = build_playout(TICTACTOE.rules, build_random_policy(TICTACTOE.rules), signs=True)

    def look(hooks, log):
        values, tally = np.empty(MAX_ACTIONS), new_tally()
        search = build_montecarlo(TICTACTOE.rules, playout, hooks=hooks)
        best, done = search(TICTACTOE.parse("X.O/.X./..O"), 30, values, (), generator(2), tally, log)
        return int(best), int(done), values.tobytes(), int(tally.nodes), int(tally.evaluations)

    log = new_log()
    silent = look(tree_hooks.SILENT, ())
    assert look(tree_hooks.RECORDING, log) == silent
    assert sum(event.event == ENTER for event in events(log)) == silent[4]


# --- Paths -----------------------------------------------------------------------------------------------------------

PUZZLE = make_problem("puzzle8", "1 2 3/4 5 6/0 7 8")


@cache
def path_search(name: str, hooks) -> Any:
    rules, order = PUZZLE.rules, PUZZLE.order
    manhattan, bound = PUZZLE.heuristics["manhattan"].function, PUZZLE.bounds["manhattan"]
    return {
        "astar": lambda: build_astar(rules, order, manhattan, early=False, graph=True, hooks=hooks),
        "greedy": lambda: build_greedy(rules, order, manhattan, graph=True, hooks=hooks),
        "bound": lambda: build_branch_and_bound(rules, order, bound.function, graph=True, hooks=hooks),
        "breadth": lambda: build_breadth_first(rules, order, graph=True, hooks=hooks),
        "climb": lambda: build_hill_climbing(rules, order, manhattan, hooks=hooks),
        "ida": lambda: build_ida_star(rules, fixed_plan(order), manhattan, graph=True, hooks=hooks),
        "backtracking": lambda: build_backtracking(rules, fixed_plan(order), graph=True, hooks=hooks),
    }[name]()


def walk(name: str, hooks, problem: Problem, log, budget=20_000):
    nodes, tally = new_nodes(problem.initial, 4, heap=True, table=True, line=True, aim=problem.aim), new_tally(budget)
    weights = weights_record({"quota": problem.bounds["manhattan"].quota})
    node = path_search(name, hooks)(problem.initial, weights, nodes, tally, log)
    path = path_to(nodes, node) if node >= 0 else None
    return node, path, int(tally.nodes), int(tally.evaluations), int(tally.cutoffs), int(tally.hits)


@pytest.mark.parametrize(
    "name",
    [
        "astar",
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("greedy", "bound", "breadth", "climb", "ida")),
        "backtracking",
    ],
)
def test_a_recorded_path_search_is_the_search_that_solves(name):
    """The same node, path and counters; and every state generated is told of."""

    @settings(max_examples=15)
    @given(st.integers(0, 10_000))
    def check(seed):
        problem, log = make_problem("puzzle8", seed=seed), new_path_log(400_000)
        silent = walk(name, path_hooks.SILENT, problem, ())
        assert walk(name, path_hooks.RECORDING, problem, log) == silent
        told = [event.event for event in path_events(log)]
        made = told.count(MADE) - 1 + told.count(KNOWN) + told.count(PRUNED) + told.count(path_hooks.BETTER)
        if name == "climb":  # it looks at all steps before it makes one
            made = told.count(PRUNED)
        assert made == silent[2]
        assert told.count(path_hooks.GOAL) == (silent[0] >= 0)

    check()


WORDS = {
    MADE: "made {node} from {parent} by {move}, g {cost:g}, key {key:g}",
    path_hooks.EXPANDED: "expanded {node}, key {key:g}",
    path_hooks.BETTER: "better way to {node} from {parent} by {move}, g {cost:g}",
    KNOWN: "known: {node} from {parent} by {move}",
    PRUNED: "pruned from {parent} by {move}, key {key:g}",
    path_hooks.UNDONE: "undone {node}",
    path_hooks.LIMIT: "limit {key:g}",
    path_hooks.GOAL: "goal {node}",
}


@pytest.mark.parametrize(
    ("name", "board"),
    [("astar", "0 2 3/1 4 6/7 5 8"), ("backtracking", "1 2 3/4 0 6/7 5 8"), ("ida", "1 3 5/4 2 6/7 8 0")],
)
def test_the_story_of_an_easy_puzzle(name, board):
    problem, log = make_problem("puzzle8", board), new_path_log()
    _, path, made, *_ = walk(name, path_hooks.RECORDING, problem, log, budget=60)
    lines = [board]
    for event in path_events(log):
        move = problem.action_name(event.action) if event.action >= 0 else "-"
        lines.append(WORDS[event.event].format(**event._asdict(), move=move))
    found = "stopped" if path is None else " ".join(problem.action_name(action) for action in path)
    same_as_golden(name, [*lines, f"{made} states: {found}"])


@settings(max_examples=15)
@given(crowded, st.integers(0, 1000), st.integers(1, 3))
def test_a_recorded_look_ahead_is_the_one_that_plays(grid, luck, depth):
    board, evaluator = board_of(grid, 0), compile_evaluator("unicen-a", GAME, {})

    def look(hooks, log):
        value_of, tally = look_ahead(hooks), new_tally()
        world = World(board.cells, board.high, board.bonus, luck)
        worth = [value_of(world, action, depth, evaluator.weights, tally, log) for action in ORDER]
        return np.array(worth).tobytes(), int(tally.nodes)

    log = new_log(400_000)
    silent = look(tree_hooks.SILENT, ())
    assert look(tree_hooks.RECORDING, log) == silent
    assert sum(event.event == ENTER for event in events(log)) == silent[1]


@cache
def look_ahead(hooks):
    evaluator = compile_evaluator("unicen-a", GAME, {})
    return build_look_ahead(TWOS_AND_FOURS, ORDER, ORDER[-1], evaluator.evaluate, hooks=hooks)


def test_a_log_of_another_capacity_compiles_nothing_anew():
    """Code is compiled for the type of a log: small ones share one."""
    assert new_log(10).dtype == new_log().dtype
    assert new_log(50_001).dtype != new_log().dtype
