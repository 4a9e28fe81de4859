"""`contienda.reference`: the definitions agree with each other, and the searches with them."""

from __future__ import annotations

import ast
import inspect
import math
from pathlib import Path
from random import Random
from textwrap import indent

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins.paths import GOAL, neighbours
from twins.search import TREES
from twins.trees import numbers

from contienda import reference
from contienda.core.analysis import new_tally
from contienda.core.game import MAX, MIN
from contienda.games import make_game
from contienda.problems import make_problem
from contienda.search import interpreted
from contienda.search.alphabeta import build_alphabeta
from contienda.search.expectimax import build_expectimax
from contienda.search.expectiminimax import build_expectiminimax
from contienda.search.minimax import build_minimax
from contienda.search.negamax import build_negamax
from contienda.search.steps import Run

TICTACTOE = make_game("tictactoe")
DOCS = Path(__file__).parents[2] / "docs"


def nothing(state):
    return 0.0


def value(build, rules, state, depth, evaluate):
    search = build(rules, lambda state, weights: evaluate(state), jit=interpreted)
    return search(state, depth, -np.inf, np.inf, Run((), new_tally()))


def taking_turns(kind, other, levels):
    """Trees in which the two sides take turns."""
    if levels == 0:
        return numbers
    below = numbers | taking_turns(other, kind, levels - 1)
    return st.lists(below, min_size=1, max_size=3).map(lambda children: [kind, *children])


@settings(max_examples=60)
@given(taking_turns("max", "min", 5), st.integers(-9, 9), st.integers(1, 9))
def test_the_definitions_agree_on_trees(tree, alpha, width):
    worth = reference.minimax(TREES, tree, 9, nothing)
    assert worth == reference.expectiminimax(TREES, tree, 9, nothing) == reference.alphabeta(TREES, tree, 9, nothing)
    assert worth == reference.negamax(TREES, tree, 9, nothing)
    bound = reference.alphabeta(TREES, tree, 9, nothing, -math.inf, alpha, alpha + width)
    assert worth <= bound if bound <= alpha else bound <= worth if bound >= alpha + width else bound == worth


def looks(state):
    """Something to tell positions apart, within a game that is not over."""
    return float((state.max * 7 + state.min * 13) % 11 - 5)


@pytest.mark.parametrize("depth", [0, 1, 3, 9])
@pytest.mark.parametrize("text", ["X.O/.../...", "XO./.X./..O", "XOX/.O./..."])
def test_the_searches_agree_with_the_definitions(text, depth):
    rules, state = TICTACTOE.rules, TICTACTOE.parse(text)
    worth = reference.minimax(rules, state, depth, looks)
    for build in (build_minimax, build_alphabeta, build_negamax, build_expectiminimax):
        assert value(build, rules, state, depth, looks) == worth
    sign = {MAX: 1, MIN: -1}[rules.turn(state)]
    assert sign * reference.negamax(rules, state, depth, looks) == worth


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_expectimax_agrees_with_its_definition(depth):
    game = make_game("2048")
    state = game.parse("2 4 8 16/4 8 16 32/8 16 32 0/16 32 64 2")

    def looks(board):
        return float(board.cells % 1009)

    found = value(build_expectimax, game.rules, state, depth, looks)
    assert found == pytest.approx(reference.expectimax(game.rules, state, depth, looks), rel=1e-12)


def test_mcts_comes_to_the_best_move():
    found = reference.mcts(TICTACTOE.rules, TICTACTOE.parse("XX./OO./..."), 300, Random(3))
    assert sum(action.visits for action in found.values()) == 299  # the first one is the root's own
    assert max(found, key=lambda action: found[action].visits) == 2
    assert found[2].mean > 0


def test_paths_are_as_long_as_the_distances_say():
    away = reference.distances(neighbours, GOAL)
    assert len(away) == 181_440
    for tiles in [tiles for tiles, steps in away.items() if steps == 7][:5]:
        puzzle = make_problem("puzzle8", "/".join(" ".join(map(str, tiles[i : i + 3])) for i in (0, 3, 6)))
        assert len(reference.breadth_first(puzzle.rules, puzzle.initial, puzzle.aim)) == 7
        manhattan = puzzle.heuristics["manhattan"].function
        path = reference.astar(puzzle.rules, puzzle.initial, lambda s, h=manhattan: h(s, 0, ()), puzzle.aim)
        assert len(path) == 7


# --- The searches read like a textbook -------------------------------------------------------------------------------


def body_of(function, name):
    """The lines of a function, or of one that it defines, without its head and its docstring."""
    source = inspect.getsource(function)
    found = next(n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.FunctionDef) and n.name == name)
    first = found.body[ast.get_docstring(found) is not None]
    lines = source.splitlines()[first.lineno - 1 : found.end_lineno]
    return inspect.cleandoc("\n".join(lines)).splitlines()


@pytest.mark.parametrize(
    ("build", "name", "limit"),
    [
        (build_minimax, "minimax", 15),
        (build_alphabeta, "value", 20),
        (build_negamax, "negamax", 15),
        (build_expectimax, "expectimax", 15),
        (build_expectiminimax, "expectiminimax", 15),
    ],
)
def test_a_search_is_as_short_as_its_pseudocode(build, name, limit):
    assert len(body_of(build, name)) < limit


@pytest.mark.parametrize("page", ["en/searches.md", "es/busquedas.md"])
def test_the_documents_show_the_code_that_runs(page):
    text = (DOCS / page).read_text(encoding="utf-8")
    for function in (build_minimax, reference.minimax):
        assert indent("\n".join(body_of(function, "minimax")), "    ") in text
