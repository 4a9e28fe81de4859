"""Traces: the tree is that of the search that plays, and what is written of it can be read, drawn and stepped through.

The texts in ``golden/traces`` are written anew, to be read before they are kept, with ``CONTIENDA_GOLDEN=write``.
"""

from __future__ import annotations

import json
import math
import os
import re
import xml.etree.ElementTree as xml
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from chromium import find_chromium
from drive import contienda
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import sync_playwright
from twins.boards import board_of, grids

from contienda.compiled.jit import numba
from contienda.compiled.rng import generator
from contienda.compiled.stopping import Stop
from contienda.core.language import BadInput, Text, use_language
from contienda.games import make_game
from contienda.games.tree import EXAMPLES
from contienda.players import make_player
from contienda.players.paths import make_path_search
from contienda.problems import make_problem
from contienda.trace import Trace
from contienda.trace.drawing import blocks
from contienda.trace.layout import tidy
from contienda.trace.making import make_trace
from contienda.trace.model import Fact, TraceNode, number_text
from contienda.trace.refuting import after_move, refutation
from contienda.trace.telling import tell
from contienda.trace.tree import TreeNode, board_text
from contienda.trace.why import why

GOLDEN = Path(__file__).parents[1] / "golden" / "traces"
GAME, CONNECT4, TICTACTOE = make_game("2048"), make_game("connect4"), make_game("tictactoe")
MIDDLE = "64 8 4 2/16 4 0 0/4 0 0 0/0 0 0 2"


@cache
def player(spec: str, game=GAME):
    return make_player(spec, game)


@cache
def drawn(name: str, spec: str) -> Trace:
    """A tree of the practical, searched."""
    return make_trace(make_player(spec, make_game("tree", EXAMPLES[name])), EXAMPLES[name])


def with_decimals() -> Trace:
    tree = "max[min[3.5 12] min[2.25 4]]"
    return make_trace(make_player("alphabeta", make_game("tree", tree)), tree)


@cache
def solved(spec: str, board="0 2 3/1 4 6/7 5 8") -> Trace:
    return make_trace(make_path_search(spec, make_problem("puzzle8", board)))


def same_as_golden(name: str, text: str) -> None:
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("CONTIENDA_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


# --- The tree is the search ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["minimax", "alphabeta", "expectiminimax"])
def test_the_trees_of_the_practical(name):
    trace = drawn(name, name)
    assert trace.value == {"minimax": 5, "alphabeta": 3, "expectiminimax": 3}[name]
    same_as_golden(f"tree_{name}", trace.text())
    reasons = (f"{trace.title.into(language)}\n\n" + explained(trace, language) for language in ("en", "es"))
    same_as_golden(f"why_{name}", "\n".join(reasons))


def explained(trace: Trace, language: str) -> str:
    """Each node's moves from the root, and why it has its value."""

    def line(node: TraceNode) -> str:
        way, at = [node.move], node.parent
        while at > 0:
            way.insert(0, trace.nodes[at].move)
            at = trace.nodes[at].parent
        reason = why(trace, node)
        assert reason is not None
        assert isinstance(reason.text, Text)
        return f"{' '.join(way) or '–'}: {reason.text.into(language)}\n"

    return "".join(line(node) for node in trace.nodes)


def test_the_second_branch_is_cut_after_2():
    trace = drawn("alphabeta", "alphabeta")
    second = trace.nodes[trace.nodes[0].children[1]]
    assert (second.kind, second.value, second.alpha, second.alpha_out, second.beta_out) == ("min", 2, 3, 3, 2)
    children = [trace.nodes[c] for c in second.children]
    assert [(child.kind, str(child.label), child.skipped) for child in children] == [
        ("leaf", "2", 0),
        ("leaf", "4", 12),
        ("leaf", "6", 12),
    ]
    cut = second.cut
    assert (cut.bound, cut.value, cut.limit, cut.skipped) == ("alpha", 2, 3, 2)
    assert trace.nodes[cut.refuter].value == 2
    assert trace.nodes[cut.holder].move == "1"
    assert "MAX already has 3 with 1 at the root" in cut.reason.into("en")
    assert "MAX ya tiene 3 con 1 en la raíz" in cut.reason.into("es")


def test_a_drawn_tree_is_whole_before_the_first_step():
    """What will be skipped stands there too, down to its leaves and their values, and is not counted as visited."""
    text = "max[min[3 max[5 6]] min[2 max[7 min[9 1]]]]"
    trace = make_trace(make_player("alphabeta", make_game("tree", text)), text)
    data = trace.as_data()["nodes"]
    assert [node["given"] for node in data if "given" in node] == ["3", "5", "6", "2", "7", "9", "1"]
    cut = next(i for i, step in enumerate(trace.steps, 1) if step.do == "cut" and step.node == 6)
    assert [(node["kind"], node["skipped"]) for node in data if "skipped" in node] == [
        ("leaf", 7), ("max", cut), ("leaf", cut), ("min", cut), ("leaf", cut), ("leaf", cut),
    ]  # fmt: skip
    assert trace.counters.nodes == sum(not node.crossed for node in trace.nodes) == 7
    assert "✗ 1 leaf, 9 (not searched)" in trace.text()


def test_chance_is_written_out():
    trace = drawn("expectiminimax", "expectiminimax")
    chances = [node for node in trace.nodes if node.kind == "chance"]
    assert [(node.value, str(node.sum)) for node in chances] == [(3, "0.5 · 2 + 0.5 · 4"), (-1, "0.5 · 0 + 0.5 · −2")]
    assert [trace.nodes[c].probability for c in chances[0].children] == [0.5, 0.5]
    assert chances[0].sum.into("es") == "0,5 · 2 + 0,5 · 4"
    assert trace.as_data()["nodes"][chances[0].id]["sum"] == "0.5 · 2 + 0.5 · 4", "JSON is the same in every language"


def same_as_the_search(trace: Trace, spec: str, state, game) -> None:
    """The trace's value, move and counters are those of the player, and its tree has as many nodes as were visited."""
    analysis = player(spec, game).analyse(state)
    assert trace.value == analysis.value
    assert trace.best == analysis.best
    assert trace.counters.nodes == analysis.counters.nodes
    for name in ("evaluations", "cutoffs", "hits", "depth"):
        assert getattr(trace.counters, name) == getattr(analysis.counters, name)
    assert not trace.truncated
    # A node that is looked at through several windows is visited once for each, and not by itself.
    windows = {node.parent for node in trace.nodes if node.move == "" and node.parent >= 0}
    visited = [node for node in trace.nodes if not node.crossed and node.id not in windows]
    assert len(visited) == trace.counters.nodes
    assert sum(node.cut is not None for node in trace.nodes) == trace.counters.cutoffs
    assert sum(node.hit for node in trace.nodes) == trace.counters.hits


def check_tree(trace: Trace, floor: float = -math.inf) -> None:
    """The value of every node follows from those of its children; a lost board counts ``floor``, and none less."""
    for node in trace.nodes[1:]:
        below = [trace.nodes[c] for c in node.children if trace.nodes[c].value is not None]
        if node.kind == "chance" and below:
            assert node.value == pytest.approx(sum(c.probability * c.value for c in below))
        elif below and all(c.move for c in below):
            values = [c.value for c in below]
            assert node.value == (max(floor, *values) if node.kind == "max" else min(values))


FAMILY = [
    "minimax",
    "alphabeta",
    pytest.param("alphabeta:cutoffs=off", marks=pytest.mark.slow),
    pytest.param("alphabeta:table=on,memory=1,pvs=on,order=history", marks=pytest.mark.slow),
    pytest.param("alphabeta:table=on,memory=1,aspiration=on", marks=pytest.mark.slow),
    pytest.param("negamax", marks=pytest.mark.slow),
    "mtdf:memory=1",
    "expectiminimax",
    "greedy",
]


@pytest.mark.parametrize("spec", FAMILY)
def test_trace_and_fast_search_are_equal(spec):
    """Also when the second player moves, whose board is turned round for the search and must not be for the reader."""

    @settings(max_examples=12)
    @given(st.permutations(range(9)), st.integers(3, 6))
    def check(cells, marks):
        state = TICTACTOE.start(generator(0))
        for cell in cells[:marks]:
            if cell in TICTACTOE.legal_actions(state):
                state = TICTACTOE.apply(state, cell)
        if TICTACTOE.legal_actions(state):
            trace = make_trace(player(spec, TICTACTOE), state)
            same_as_the_search(trace, spec, state, TICTACTOE)
            check_tree(trace)
            marked = Counter(trace.position)
            for node in trace.nodes:
                owners = Counter(trace.board(node.state))
                assert owners["X"] + owners["O"] == marked["X"] + marked["O"] + node.depth
                assert owners["X"] - owners["O"] in (0, 1), "X began"

    check()


SLOW = [
    "greedy",
    "minimax:depth=3,opponent=twos",
    "alphabeta:depth=3,table=on,pvs=on,order=history",
    "alphabeta:depth=3,table=on,aspiration=on",
    "negamax:depth=3",
    "mtdf:depth=3,order=static",
    "expectiminimax:depth=2",
]


@pytest.mark.parametrize(
    "spec",
    [
        "alphabeta:depth=3",
        "expectimax:depth=3,eval=uma1",
        *(pytest.param(spec, marks=pytest.mark.slow) for spec in SLOW),
    ],
)
def test_trace_and_fast_search_are_equal_on_2048(spec):
    @settings(max_examples=8)
    @given(grids(11, 0), st.integers(0, 3000))
    def check(grid, points):
        state = board_of(grid, points)
        if GAME.legal_actions(state):
            trace = make_trace(player(spec), state)
            same_as_the_search(trace, spec, state, GAME)
            check_tree(trace, player(spec).evaluator.floor)

    check()


def test_connect4_as_the_reader_sees_it():
    state = CONNECT4.parse("445")
    trace = make_trace(player("alphabeta:depth=3", CONNECT4), state)
    same_as_the_search(trace, "alphabeta:depth=3", state, CONNECT4)
    assert trace.position == "......./......./......./......./...O.../...XX.."
    assert trace.board(trace.nodes[1].state) == "......./......./......./......./...O.../O..XX.."


def test_a_board_whose_labels_do_not_tell_its_pieces_apart_is_written_as_the_game_writes_it():
    """The stones of both sides of EinStein bear the same numbers."""
    einstein = make_game("einstein")
    start = einstein.start(generator(0))
    assert board_text(einstein, start) == einstein.format(start)
    assert einstein.format(start).startswith("r4 r1 r5 . ./")


@settings(max_examples=10)
@given(grids(9, 1))
def test_why_a_branch_was_cut(grid):
    """The child that refutes has passed the bound, and the bound is what the other side already has elsewhere."""
    state = board_of(grid)
    if not GAME.legal_actions(state):
        return
    searcher = player("alphabeta:depth=3")
    trace, floor = make_trace(searcher, state), searcher.evaluator.floor
    for node in trace.nodes:
        if node.cut is None:
            continue
        refuter = trace.nodes[node.cut.refuter]
        assert refuter.parent == node.id
        value = max(refuter.value, floor) if node.kind == "max" else refuter.value  # MAX always has the floor
        assert value == node.cut.value == node.value
        passed = value >= node.cut.limit if node.kind == "max" else value <= node.cut.limit
        assert passed
        assert node.cut.skipped == sum(trace.nodes[c].crossed for c in node.children)
        if node.cut.holder is not None:
            holder = trace.nodes[node.cut.holder]
            assert holder.value == pytest.approx(node.cut.limit, rel=1e-15)
            assert trace.nodes[holder.parent].kind != node.kind


def test_a_search_that_deepens_is_traced_as_deep_as_it_came():
    spec = "alphabeta:nodes=2000"
    trace, analysis = make_trace(player(spec), MIDDLE), player(spec).analyse(GAME.parse(MIDDLE))
    assert (trace.best, trace.value, trace.counters.depth) == (analysis.best, analysis.value, analysis.counters.depth)
    assert max(node.depth for node in trace.nodes) == trace.counters.depth > 1


def test_evaluator_terms_at_the_leaves():
    trace = make_trace(player("expectimax:depth=3,eval=uma1"), GAME.parse_scored(MIDDLE, 380))
    leaves = [node for node in trace.nodes if node.kind == "leaf"]
    assert leaves
    for leaf in leaves:
        terms = leaf.terms
        assert set(terms) == {"score", "mono", "sim", "room"}
        assert leaf.value == pytest.approx(terms["score"] + terms["mono"] - terms["sim"] + terms["room"])


# --- Simulations -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "position"), [(TICTACTOE, "X.O/.X./..O"), pytest.param(GAME, MIDDLE, marks=pytest.mark.slow)]
)
def test_mcts_phase_by_phase(game, position):
    """The counts of the tree that plays, and every selection by the largest bound of its moment."""
    trace = make_trace(player("mcts:sims=60", game), position, seed=3)
    analysis = player("mcts:sims=60", game).analyse(game.parse(position), seed=3)
    assert (trace.best, trace.value, trace.counters.nodes) == (
        analysis.best,
        analysis.value,
        analysis.counters.nodes,
    )
    assert len(trace.nodes) == trace.counters.nodes
    assert [step.do for step in trace.steps].count("simulate") == 60
    for node in trace.nodes:
        if node.children:
            assert node.visits == sum(trace.nodes[c].visits for c in node.children) + (node.parent >= 0)
    selections = [step for step in trace.steps if step.do == "select" and step.facts["ucb"]]
    assert selections
    for step in selections:
        bounds = {child: bound for child, bound, _, _ in step.facts["ucb"]}
        assert bounds[step.node] == max(bounds.values())
    if game is TICTACTOE:
        root = trace.nodes[0]
        for child in map(trace.nodes.__getitem__, root.children):
            spread = math.sqrt(2) * math.sqrt(math.log(root.visits) / child.visits)
            assert child.ucb == pytest.approx(child.value + spread)


def test_as_many_simulations_as_asked_and_ties_to_the_better_mean():
    game = make_game("connect4")
    trace = make_trace(player("mcts:sims=3", game), "4453")
    assert [step.do for step in trace.steps].count("simulate") == 3
    assert len(trace.moves) == 7  # four of them without a value
    assert trace.as_data()["moves"][-1]["value"] is None
    trace = make_trace(player("mcts:sims=7", game), "4453")
    assert trace.value == max(node.value for node in trace.nodes[1:]) == 1.0
    assert trace.best == player("mcts:sims=7", game).analyse(game.parse("4453")).best
    assert [trace.nodes[n].move for n in sorted(trace.best_nodes)] == ["", trace.best]


def test_mcts_with_its_numbers():
    """The bound written out with the figures of its moment, the playout that was played, and how the visits grow."""
    data = make_trace(player("mcts:sims=40", TICTACTOE), "X.O/.X./..O", seed=3).as_data()
    select = next(step for step in data["steps"] if "formula" in step)
    _, bound, mean, visits = select["ucb"][0]
    template, c, n = select["formula"]
    assert data["texts"]["en"][template] == "{q} + {0} · √(ln {1} / {n}) = {u}"
    assert (words(data, c, "en"), words(data, c, "es"), n) == ("1.414", "1,414", str(select["n"]))
    assert bound == pytest.approx(mean + select["c"] * math.sqrt(math.log(select["n"]) / visits))
    for step in data["steps"]:
        if step["do"] == "simulate":
            boards = step["playout"]
            assert boards[0] == data["nodes"][step["node"]]["board"]
            assert len(boards) == step["levels"] + 1
            end = TICTACTOE.parse(boards[-1])
            assert TICTACTOE.rules.over(end)
            assert math.copysign(bool(TICTACTOE.rules.utility(end)), TICTACTOE.rules.utility(end)) == step["result"]
        if step["do"] == "backpropagate":
            assert step["way"] == step["leaf"], "the line is lit from the root to the new node"
    growth = data["growth"]
    assert growth["simulations"] == list(range(1, 41))
    assert [sum(row) for row in growth["visits"]] == growth["simulations"]
    final = [data["nodes"][node]["visits"] for node in growth["nodes"]]
    assert growth["visits"][-1] == final


def test_why_not_another_move_is_told_with_the_line_that_refutes_it():
    searcher = player("alphabeta:depth=9", TICTACTOE)
    state = TICTACTOE.parse("XX./OO./...")
    found, answer = searcher.analyse(state), searcher.analyse(after_move(TICTACTOE, state, "7"))
    told = refutation(TICTACTOE, state, "7", found, answer)
    assert "cell 3, the best move" in told[0].text.into("en")
    assert [(one.text.into("en"), one.board) for one in told[1:]] == [
        ("You play cell 7.", "XX./OO./X.."),
        ("The opponent answers with cell 6.", "XX./OOO/X.."),
        ("The opponent wins.", None),
    ]
    assert told[2].text.into("es") == "El rival responde con la casilla 6."
    with pytest.raises(BadInput, match="is not a legal move here"):
        after_move(TICTACTOE, state, "1")


def test_montecarlo_means():
    trace = make_trace(player("montecarlo:rollouts=9", TICTACTOE), "X.O/.X./..O", seed=2)
    analysis = player("montecarlo:rollouts=9", TICTACTOE).analyse(TICTACTOE.parse("X.O/.X./..O"), seed=2)
    means = {node.move: node.value for node in trace.nodes[1:]}
    assert means == pytest.approx({move.move: move.value for move in analysis.moves})
    assert all(node.visits == 9 for node in trace.nodes[1:])


# --- Paths -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec",
    [
        "astar",
        "ida-star",
        "backtracking:nodes=90",
        "hill-climbing",
        *(pytest.param(s, marks=pytest.mark.slow) for s in ("best-first", "branch-and-bound", "breadth-first")),
    ],
)
def test_the_trace_of_a_solver_is_its_search(spec):
    board = "0 2 3/1 4 6/7 5 8"
    trace, solution = solved(spec), make_path_search(spec, make_problem("puzzle8", board)).solve()
    assert trace.counters.nodes == solution.states
    assert trace.best == (" ".join(solution.moves) if solution.found else "")
    if solution.found:
        line = sorted((trace.nodes[n] for n in trace.best_nodes), key=lambda node: node.depth)
        assert [node.move for node in line[1:]] == solution.moves
        assert line[-1].status == "goal"
        assert trace.board(line[-1].state) == "1 2 3/4 5 6/7 8 0"


@pytest.mark.parametrize(
    ("spec", "lists", "line"),
    [
        ("astar", ["Open, best first", "Closed, last first"], "take the best node n out of open"),
        ("ida-star", ["Stack, top first", "Beyond the limit, best first"], "f > limit: leave it for the next round"),
        ("backtracking:nodes=90", ["Stack, top first"], "new state: onto the stack, search it next"),
    ],
)
def test_each_path_search_has_its_own_lists_and_lines(spec, lists, line):
    data = make_trace(make_path_search(spec, make_problem("puzzle8", "0 2 3/1 4 6/7 5 8"))).as_data()
    assert [words(data, one["title"], "en") for one in data["lists"]] == lists
    assert line in [words(data, text, "en") for _, text in data["code"]]
    if spec != "backtracking:nodes=90":
        node = data["nodes"][1]
        facts = {words(data, name, "en"): value for name, value, *_ in node["facts"]}
        assert facts["f = g + h"] == f"{node['g']:g} + {node['h']:g} = {node['value']:g}"


def test_astar_open_and_closed():
    trace = solved("astar", "1 5 2/4 0 3/7 8 6")
    expanded = [node for node in trace.nodes if node.order is not None]
    in_order = sorted(expanded, key=lambda node: node.order)
    assert [node.order for node in in_order] == list(range(1, len(expanded) + 1))
    assert all(node.value == node.cost + node.h for node in trace.nodes)
    # With a consistent h, f never falls from one expansion to the next.
    assert [node.value for node in in_order] == sorted(node.value for node in in_order)
    status = Counter(node.status for node in trace.nodes)
    assert status["closed"] == len(expanded)
    last = [step for step in trace.steps if step.do == "expand"][-1]
    made_after = trace.steps[trace.steps.index(last) :]
    assert last.facts["open"] + sum(step.do == "make" for step in made_after) == status["open"] + status["goal"]


@pytest.mark.parametrize(
    "spec",
    [
        "astar:depth=3",
        *(pytest.param(s, marks=pytest.mark.slow) for s in ("backtracking:depth=3", "astar:depth=2,spawn=all")),
    ],
)
def test_players_that_search_a_path(spec):
    trace, analysis = make_trace(player(spec), MIDDLE, seed=4), player(spec).analyse(GAME.parse(MIDDLE), seed=4)
    assert (trace.best, trace.counters.nodes) == (analysis.best, analysis.counters.nodes)
    assert trace.value == analysis.value


# --- How large -------------------------------------------------------------------------------------------------------


def test_a_trace_that_does_not_fit_says_so():
    whole, short = (
        make_trace(player("alphabeta:depth=4"), MIDDLE),
        make_trace(player("alphabeta:depth=4"), MIDDLE, events=100),
    )
    assert short.truncated
    assert len(short.steps) == 100
    assert short.total == len(whole.steps) > 1000
    assert short.message.into("en") == f"truncated: the first 100 of {short.total:,} events"
    assert (short.value, short.best, short.counters.nodes) == (whole.value, whole.best, whole.counters.nodes)
    for brief, full in zip(short.nodes, whole.nodes, strict=False):
        assert (brief.move, brief.state, brief.parent) == (full.move, full.state, full.parent)
        assert brief.value in (None, full.value)
    assert short.svg()
    assert str(short.message) in short.text()


@pytest.mark.parametrize(
    ("spec", "game", "position"),
    [
        ("alphabeta:depth=6", GAME, MIDDLE),
        ("mcts:sims=3000", TICTACTOE, "X.O/.X./..O"),
        ("montecarlo:rollouts=1000", TICTACTOE, "X.O/.X./..O"),
        pytest.param("backtracking:depth=8", GAME, MIDDLE, marks=pytest.mark.slow),
    ],
)
def test_a_trace_too_large_is_refused_with_what_would_fit(spec, game, position):
    with pytest.raises(BadInput, match=r"would have [\d,]+ events; the limit is 200: \w+=\d+ fits") as refused:
        make_trace(player(spec, game), position, events=200)
    fits = re.search(r"(\w+)=(\d+) fits", str(refused.value))
    smaller = make_trace(make_player(f"{spec.partition(':')[0]}:{fits[1]}={fits[2]}", game), position, events=200)
    assert smaller.total <= 210, "a playout more at most"


def test_a_solver_too_large_is_refused():
    puzzle = make_problem("puzzle8", "8 6 7/2 5 4/3 0 1")
    with pytest.raises(BadInput, match=r"events; the limit is 100: nodes=(\d+) fits") as refused:
        make_trace(make_path_search("astar", puzzle), events=100)
    fits = re.search(r"nodes=\d+", str(refused.value))[0]
    assert not make_trace(make_path_search(f"astar:{fits}", puzzle), events=100).truncated


def test_what_cannot_be_traced():
    with pytest.raises(BadInput, match="does not search"):
        make_trace(player("random"), MIDDLE)
    with pytest.raises(BadInput, match="trace minimax:depth=2,"):
        make_trace(player("minimax:depth=2,reuse=on", TICTACTOE), "X.O/.X./..O")
    with pytest.raises(BadInput, match="the game is over in this position"):
        make_trace(player("alphabeta", TICTACTOE), "XXX/OO./...")
    with pytest.raises(BadInput, match="1 to 1,000,000"):
        make_trace(player("alphabeta:depth=2"), MIDDLE, events=0)
    stopped = Stop()
    stopped.stop()
    with pytest.raises(BadInput, match="stopped"):
        make_trace(player("alphabeta:depth=2"), MIDDLE, stop=stopped)


# --- What is written of it -------------------------------------------------------------------------------------------

ALL = [
    pytest.param(lambda: drawn("alphabeta", "alphabeta"), id="alphabeta"),
    pytest.param(lambda: drawn("expectiminimax", "expectiminimax"), id="expectiminimax"),
    pytest.param(
        lambda: make_trace(player("alphabeta:table=on,memory=1,pvs=on,order=history", TICTACTOE), "X.O/.../..."),
        id="pvs",
    ),
    pytest.param(lambda: make_trace(player("mtdf:memory=1", TICTACTOE), "X.O/.X./..."), id="mtdf"),
    pytest.param(lambda: make_trace(player("expectimax:depth=3,eval=uma1"), MIDDLE), id="expectimax"),
    pytest.param(lambda: make_trace(player("mcts:sims=60", TICTACTOE), "X.O/.X./..O"), id="mcts"),
    pytest.param(lambda: make_trace(player("montecarlo:rollouts=9", TICTACTOE), "X.O/.X./..O"), id="montecarlo"),
    pytest.param(lambda: solved("astar", "1 5 2/4 0 3/7 8 6"), id="astar"),
    pytest.param(lambda: solved("ida-star", "1 5 2/4 0 3/7 8 6"), id="ida-star"),
    pytest.param(lambda: solved("hill-climbing"), id="hill-climbing"),
    pytest.param(lambda: make_trace(player("backtracking:depth=3"), MIDDLE), id="look-ahead"),
]


@pytest.mark.parametrize("make", ALL)
def test_json_text_svg_and_html(make, tmp_path):
    trace = make()
    for ending in ("json", "txt", "svg", "html"):
        trace.save(tmp_path / f"tree.{ending}")
    data = json.loads((tmp_path / "tree.json").read_text(encoding="utf-8"), parse_constant=pytest.fail)
    assert (data["format"], data["version"], data["family"]) == ("contienda trace", 1, trace.family)
    assert [node["id"] for node in data["nodes"]] == list(range(len(data["nodes"])))
    assert data["nodes"][0]["parent"] is None
    assert all(0 <= step["node"] < len(data["nodes"]) for step in data["steps"])
    assert data["events"] == {"recorded": len(data["steps"]), "total": len(data["steps"])}
    for step in trace.steps:  # every step has its words, in both languages, and speaks of nodes that there are
        told = tell(trace, step)
        assert told.sentence.into("en")
        assert told.sentence.into("es")
        assert all(0 <= show.node < len(trace.nodes) for show in told.shows)
    assert all(0 < node.born <= len(trace.steps) for node in trace.nodes[1:])
    check_words(data, trace)
    lines = (tmp_path / "tree.txt").read_text(encoding="utf-8").splitlines()
    assert sum(line.lstrip("│ ").startswith(("├", "└")) for line in lines) == len(trace.nodes) - 1
    root = xml.parse(tmp_path / "tree.svg").getroot()
    assert root.get("viewBox")
    assert root.get("role") == "img"
    page = (tmp_path / "tree.html").read_text(encoding="utf-8")
    assert "{{" not in page
    assert not re.search(r"(src|href)=", page), "nothing is loaded from anywhere"


def words(data: dict, text, language: str) -> str:
    """A text of the JSON, as docs/en/formats.md tells how to read it."""
    if isinstance(text, str):
        return text
    template, *fields = text
    return data["texts"][language][template].format(*(words(data, field, language) for field in fields))


def check_words(data: dict, trace: Trace) -> None:
    """The JSON says in both languages what Python says: steps, nodes, facts, the lines of the algorithm."""
    for language in ("en", "es"):
        for step, written in zip(trace.steps, data["steps"], strict=True):
            assert words(data, written["says"], language) == tell(trace, step).sentence.into(language)
            assert all(0 <= line < len(data["code"]) for line in written["lit"])
            assert len(written["values"]) == len(data["variables"])
        for node, written in zip(trace.nodes, data["nodes"], strict=True):
            in_the_end = {
                words(data, name, language): words(data, value, language)
                for name, value, *_ in written.get("facts", [])
            }
            said = [(fact.name, fact.value) for fact in node.last_facts()]
            assert in_the_end == {
                name.into(language): value if isinstance(value, str) else value.into(language) for name, value in said
            }


def test_the_drawing_tells_without_colours():
    namespace = "{http://www.w3.org/2000/svg}"
    root = xml.fromstring(drawn("alphabeta", "alphabeta").svg())
    groups = {group.get("id"): group for group in root.iter(f"{namespace}g")}
    assert "crossed" in groups["e7"].get("class")
    assert [part.get("class") for part in groups["e7"].iter(f"{namespace}path")] == ["branch leaf crossed", "cross"]
    assert "stroke-dasharray" in root.find(f"{namespace}style").text
    texts = [text.text for text in groups["n5"].iter(f"{namespace}text")]
    assert texts == ["2", "[3, 2]"]
    assert "best" in groups["e1"].get("class")
    assert "α cut" in groups["n5"].find(f"{namespace}title").text


def test_a_drawing_of_a_large_tree_folds_what_is_below():
    trace = make_trace(player("alphabeta:depth=5"), MIDDLE)
    root = xml.fromstring(trace.svg(nodes=100))
    shown = [group for group in root.iter("{http://www.w3.org/2000/svg}g") if group.get("id", "").startswith("n")]
    assert 1 < len(shown) <= 100
    folded = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text") if text.get("class") == "folded"]
    below = sum(int(text.lstrip("+").replace(",", "")) for text in folded)
    crosses = [
        text.text for text in root.iter("{http://www.w3.org/2000/svg}text") if (text.text or "").startswith("× ")
    ]
    assert len(shown) + below + sum(int(text[2:]) - 1 for text in crosses) == len(trace.nodes)


@given(st.lists(st.tuples(st.integers(0, 1000), st.integers(5, 60)), max_size=60))
def test_tidy_trees(shape):
    """No two nodes of a level touch, and parents stand in the middle of their children."""
    children: list[list[int]] = [[]]
    widths = [20.0]
    depth = [0]
    for above, width in shape:
        parent = above % len(children)
        children[parent].append(len(children))
        children.append([])
        widths.append(float(width))
        depth.append(depth[parent] + 1)
    places = tidy(children, widths, gap=7)
    levels: dict[int, list[int]] = {}
    waiting = [0]
    while waiting:
        node = waiting.pop()
        levels.setdefault(depth[node], []).append(node)
        waiting.extend(reversed(children[node]))
        if children[node]:
            first, last = children[node][0], children[node][-1]
            assert places[node] == pytest.approx((places[first] + places[last]) / 2)
    for level in levels.values():
        for left, right in pairwise(level):
            assert places[right] - places[left] >= (widths[left] + widths[right]) / 2 + 7 - 1e-6
    assert min(place - width / 2 for place, width in zip(places, widths, strict=True)) == pytest.approx(0)


def test_one_more_drawn_tree_compiles_nothing():
    """A class draws hundreds of them: each is searched in Python, by the lines that are compiled for a game."""
    specs = ("minimax", "alphabeta", "alphabeta:table=on,order=history,pvs=on", "mtdf", "mcts:sims=20")

    def traced(text, spec):
        return make_trace(make_player(spec, make_game("tree", text)), text)

    for spec in specs:
        traced("max[min[3 12] min[2 4]]", spec)
    with numba.core.event.install_recorder("numba:compile") as compiled:
        values = [traced(f"max[min[3 {n}] min[2 7]]", spec).value for spec in specs for n in (4, 1)]
    assert compiled.buffer == []
    assert values[:8] == [3, 2] * 4


def test_in_a_notebook():
    shown = drawn("alphabeta", "alphabeta")._repr_html_()
    assert shown.startswith("<iframe")
    assert "srcdoc=" in shown
    assert "<script" not in shown.replace("&lt;script", "")


# --- On the command line ---------------------------------------------------------------------------------------------


def test_the_command(tmp_path):
    ran = contienda("trace", "tree", EXAMPLES["alphabeta"], "--player", "alphabeta")
    assert ran.code == 0
    assert ran.out == (GOLDEN / "tree_alphabeta.txt").read_text(encoding="utf-8")
    for name in EXAMPLES:  # each is traced by the search that it is named after
        assert contienda("trace", "tree", name).out.startswith(f"{name} · tree · ")
    spanish = contienda("trace", "tree", EXAMPLES["alphabeta"], "--player", "alphabeta", "--lang", "es").out
    assert "poda α: con 1 MIN deja esto en 2 como mucho, y MAX ya tiene 3 con 1 en la raíz" in spanish
    file = tmp_path / "tree.json"
    assert str(file) in contienda("trace", "puzzle8", "0 2 3/1 4 6/7 5 8", "--player", "astar", "-o", file).out
    assert json.loads(file.read_text(encoding="utf-8"))["best"] == "down right down right"
    ran = contienda("trace", "2048", MIDDLE, "--player", "branch-and-bound:bound=v2", "--lang", "es")
    assert "✗ izquierda 192 (podado)" in ran.out, "64 + 2^(empty + merges) is less than 2048"
    ran = contienda("trace", "2048", MIDDLE, "--player", "alphabeta:depth=4", "--events", 100, "-o", tmp_path / "a.svg")
    assert "truncated: the first 100 of" in ran.out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["tree", "max[min[3 12] min[2"], "] is missing"),
        (["tree", "max[chance[0.5:1 0.4:2] 3]"], "sum to 0.9, not 1"),
        (["connect4", "", "--player", "minimax:depth=9"], r"more than 5,000,000 nodes.*depth=\d fits"),
        (["2048", MIDDLE, "--player", "random"], "does not search"),
        (["2048", MIDDLE, "--player", "greedy", "-o", "tree.png"], "json, svg, html, txt"),
        (["2048", MIDDLE, "--player", "greedy", "--events", "-3"], "--events -3 must be at least 1"),
    ],
)
def test_bad_input(arguments, complaint):
    assert re.search(complaint, contienda("trace", *arguments).complaint)


# --- In a browser, from a file, with no network ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        options = ["--no-sandbox", "--disable-dev-shm-usage"]
        opened = playwright.chromium.launch(executable_path=find_chromium(), args=options)
        yield opened
        opened.close()


@pytest.fixture
def open_page(browser, tmp_path):
    """Open the page of a trace from a file, offline; whatever it asks for or complains about fails the test."""
    wrong: list[str] = []
    contexts = []

    def open_it(trace: Trace, locale: str = "en-GB"):
        file = tmp_path / "tree.html"
        trace.save(file)
        context = browser.new_context(offline=True, locale=locale)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
        page.on("request", lambda request: wrong.append(request.url) if request.url != file.as_uri() else None)
        page.goto(file.as_uri())
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert wrong == []


def test_stepping(open_page):
    trace = drawn("alphabeta", "alphabeta")
    page = open_page(trace)
    shown = page.locator(".node:not(.later)")
    says = page.locator("aside .says")
    label = page.locator("[data-node='1'] .label")
    assert shown.count() == 13  # the whole tree first
    page.keyboard.press("Home")
    assert shown.count() == 1
    assert says.inner_text().startswith("Before the first step.")
    page.keyboard.press("ArrowRight")
    assert shown.count() == 2
    assert says.inner_text() == "Enter branch 1: MIN, window [−∞, +∞]"
    page.get_by_role("button", name="One step forward").click()
    page.get_by_role("button", name="One step forward").click()
    assert label.text_content() == "3"
    assert page.locator("[data-node='1'] .note").text_content() == "[−∞, 3]"
    page.keyboard.press("ArrowLeft")
    assert label.text_content() == ""
    cut = next(i for i, step in enumerate(trace.steps) if step.do == "cut") + 1
    page.get_by_role("slider").fill(str(cut))
    assert says.inner_text().startswith("α cut: with 1 MIN makes this 2 at most")
    assert page.locator(".pseudo .lit").inner_text() == "if α ≥ β: return v ✂"
    proving = page.locator(".node.proves").evaluate_all("nodes => nodes.map(node => node.dataset.node)")
    assert sorted(proving) == ["1", "6"], "MAX has the first branch; the 2 refutes"
    page.get_by_label("Speed").select_option("40")
    page.get_by_role("button", name="Play").click()
    page.get_by_text("step 21 of 21").wait_for()
    assert shown.count() == 13


def test_the_page_speaks_the_readers_language(open_page):
    page = open_page(with_decimals(), locale="es-ES")
    assert page.locator("html").get_attribute("lang") == "es"
    shown = page.locator(".label, .note, .node-card, .tree-list, .code-card dd")
    written = " ".join(shown.all_text_contents())
    assert all(part in written for part in ("3,5", "2,25", "[3,5; 2,25]", "[−∞; +∞]"))
    assert re.findall(r"\d\.\d", written) == []
    page.keyboard.press("Home")
    assert page.locator("aside .says").inner_text().startswith("Antes del primer paso.")
    page.get_by_role("button", name="English").click()
    assert page.locator("aside .says").inner_text().startswith("Before the first step.")
    assert page.get_by_role("button", name="One step back").count() == 1
    page.keyboard.press("End")
    assert page.locator("[data-node='4'] .note").text_content() == "[3.5, 2.25]"


def test_bounds_stand_in_the_table_while_a_selection_looks_at_them(open_page):
    trace = make_trace(player("mcts:sims=20", TICTACTOE), "X.O/.X./..O", seed=3)
    at, step = next((i, s) for i, s in enumerate(trace.steps, 1) if s.do == "select" and s.facts["ucb"])
    page = open_page(trace)
    bounds = page.locator(".figures tbody td:last-child")
    assert "–" not in bounds.all_inner_texts(), "in the end every child of the root has its bound"
    page.get_by_role("slider", name="Place in the search").fill(str(at))
    assert bounds.all_inner_texts() == [str(number_text(bound)) for _, bound, _, _ in step.facts["ucb"]]
    assert page.locator(".figures tr.lit").count() == 1
    picked = page.locator(".formulas .lit span").inner_text()
    largest = max(bound for _, bound, _, _ in step.facts["ucb"])
    assert re.fullmatch(r"\S+ \+ 1\.414 · √\(ln \d+ / \d+\) = " + str(number_text(largest)), picked)
    way = page.locator(".node.way").evaluate_all("nodes => nodes.map(node => Number(node.dataset.node))")
    assert sorted(way) == [0, step.node]
    page.get_by_role("slider", name="Simulation").fill("9")
    assert page.locator(".growth .help").inner_text() == "simulation 9 of 20"
    shares = page.locator(".shares .number").all_inner_texts()
    assert sum(int(share.split()[0]) for share in shares) == 9
    played = next(i for i, s in enumerate(trace.steps, 1) if s.do == "simulate" and i > at)
    page.get_by_role("slider", name="Place in the search").fill(str(played))
    boards = trace.playouts[played - 1]
    page.locator("tree-playout").get_by_text(f"of {len(boards) - 1}").wait_for()
    page.get_by_role("slider", name="Place in the search").fill(str(at))
    page.locator("body").press("ArrowRight")
    assert set(bounds.all_inner_texts()) <= {"–"}


def test_the_list_for_screen_readers(open_page):
    page = open_page(drawn("alphabeta", "alphabeta"))
    items = page.get_by_role("tree").get_by_role("treeitem")
    assert items.count() == 4
    items.nth(0).focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert "α cut: with 1 MIN makes this 2 at most" in items.nth(2).inner_text()
    assert items.nth(2).get_attribute("aria-expanded") == "false"
    page.keyboard.press("Enter")
    assert items.nth(2).get_attribute("aria-expanded") == "true"
    assert items.count() == 7
    assert page.locator(".node.picked").get_attribute("data-node") == "5"


def test_the_page_unfolds_up_to_the_whole_trace(open_page):
    """Steps go into what is folded, and open it; or they go by as one, and it is said how many."""
    trace = make_trace(player("alphabeta:depth=5"), MIDDLE)
    page = open_page(trace)
    drawn_at_first = page.locator(".node").count()
    assert drawn_at_first < len(trace.nodes)
    deep = next(step.node for step in trace.steps if trace.nodes[step.node].depth == 5)
    at = next(i for i, step in enumerate(trace.steps) if step.node == deep) + 1
    page.get_by_role("slider").fill(str(at))
    assert page.locator(f"[data-node='{deep}'].now").count() == 1
    page.get_by_label("Into folded parts").uncheck()
    assert page.locator(f"[data-node='{deep}']").count() == 0
    page.locator("body").press("Home")
    went_by = []
    for _ in range(12):
        page.keyboard.press("ArrowRight")
        went_by += re.findall(r"\d+ folded steps? skipped", page.locator(".moment").inner_text())
    assert went_by
    assert page.locator(".fold").count() > 0
    page.get_by_role("button", name="Unfold all").click()
    assert page.locator(".fold").count() == 0


def test_one_more_fact_takes_one_file_and_its_translation(open_page, monkeypatch):
    """What the nodes of a family know is shown in the text, the drawing, the JSON and the page, in each language."""
    known = TreeNode.facts

    def facts(node: TreeNode) -> list[Fact]:
        return [*known(node), Fact(Text("branches", es="ramas"), str(len(node.children)), node.done)]

    monkeypatch.setattr(TreeNode, "facts", facts)
    trace = drawn("alphabeta", "alphabeta")
    assert "MIN, 2, window [3, +∞] → [3, 2], branches 3" in trace.text()
    assert "branches 3" in trace.svg()
    check_words(trace.as_data(), trace)
    page = open_page(trace, locale="es-ES")
    second = page.get_by_role("tree").get_by_role("treeitem").nth(2)
    assert "ramas 3" in second.inner_text()
    page.get_by_role("slider").fill("12")  # the cut: the node is not done yet
    assert "ramas" not in second.inner_text()


def test_blocks_hold_every_node_that_is_drawn_once():
    """A folded node stands in one block and is the root of the next; whole levels fill a block."""
    trace = make_trace(player("alphabeta:depth=5"), MIDDLE)
    parts = list(blocks(trace))
    assert len(parts) > 10
    assert {block[0].node.id for block in parts[1:]} == {p.node.id for block in parts for p in block if p.folded}
    places = [place for block in parts for place in block[1:]]
    assert len({place.node.id for place in places}) == len(places)
    assert 1 + len(places) + sum(place.more for place in places) == len(trace.nodes)
    for block in parts:
        below = [place for place in block if place.folded]
        assert len({place.level for place in below}) <= 1
        for level in {place.level for place in block}:
            row = sorted((place for place in block if place.level == level), key=lambda place: place.x)
            assert all(b.x - a.x >= (a.width + b.width) / 2 for a, b in pairwise(row))
    data = trace.as_data()
    assert [node["id"] for node in data["nodes"] if "x" not in node] == [
        node.id for node in trace.nodes if node.id and node.id not in {place.node.id for place in places}
    ]


def test_spanish_text():
    use_language("es")
    text = solved("astar").text()
    assert "orden de expansión 1" in text
    assert "estado cerrado" in text
    trace = with_decimals()
    tree, drawing = trace.text().split("\n", 1)[1], re.sub("<title>.*?</title>", "", trace.svg().split("</style>")[1])
    assert "ventana [3,5; +∞] → [3,5; 2,25]" in tree
    assert ">[3,5; 2,25]<" in drawing
    assert re.findall(r"\d\.\d", tree + re.sub("<[^>]*>", "\n", drawing)) == []
