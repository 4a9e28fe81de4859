"""All 64 actions that a set of bits can hold: the last makes the set a negative integer."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from contienda.compiled.jit import bit, njit, without_lowest
from contienda.core.analysis import new_tally
from contienda.core.game import CHANCE, MAX, Game, Rules, members
from contienda.core.language import BadInput, Text
from contienda.players import make_player
from contienda.search import interpreted
from contienda.search.alphabeta import build_alphabeta
from contienda.search.alphabeta_plus import build_alphabeta_plus
from contienda.search.expectiminimax import build_expectiminimax
from contienda.search.minimax import build_minimax
from contienda.search.steps import Run


class Guess(NamedTuple):
    """Two numbers from 0 to 63 to be named."""

    turn: int
    total: int
    left: int


FIRST = Guess(MAX, 0, 2)


ALL = -1
_SOME = -1 << 63 | 0b101


@njit
def _turn(state):
    return state.turn


@njit
def _candidates(state):
    return _SOME if state.turn == MAX else ALL


@njit
def _successor(state, action):
    return True, Guess(state.turn, state.total + action, state.left - 1)


@njit
def _probability(state, action):
    return 1.0 / 64


@njit
def _over(state):
    return state.left == 0


@njit
def _utility(state):
    return float(state.total)


@njit
def _seen(state):
    return state


@njit
def _draw(state, rng):
    return 63


class Guessing(Game):
    """The higher their sum, the better."""

    name = "guessing"
    title = Text("Guessing", es="Adivinar")
    spec = "guessing"
    kinds = frozenset({MAX})
    default_evaluator = "none"
    longest = 2
    rules = Rules(_turn, _candidates, _successor, _probability, _over, _utility, _seen, _draw)

    def start(self, rng):
        return FIRST

    def parse(self, text):
        return FIRST

    def format(self, state):
        return str(state.total)

    def action_name(self, state, action):
        return str(action)

    def action_number(self, state, name):
        return int(name)


def test_legal_actions_have_action_63():
    game = Guessing()
    assert game.legal_actions(FIRST) == [0, 2, 63]
    assert game.legal_actions(Guess(CHANCE, 0, 2)) == list(range(64))
    assert game.apply(FIRST, 63).total == 63


@pytest.mark.parametrize(
    "spec",
    [
        "minimax:depth=2",
        "negamax:depth=2",
        "alphabeta:depth=2",
        "alphabeta:depth=2,order=static",
        "alphabeta:depth=2,order=history",
        "alphabeta:depth=2,table=on",
        "expectimax:depth=2",
        "mcts:sims=200",
        "montecarlo:rollouts=2",
        "minimax:depth=2,reuse=on",
    ],
)
def test_every_search_finds_action_63(spec):
    game = Guessing()
    found = make_player(spec, game).analyse(FIRST)
    assert found.best == "63"
    assert {move.move for move in found.moves} == {"0", "2", "63"}


@pytest.mark.parametrize("build", [build_minimax, build_alphabeta, build_alphabeta_plus, build_expectiminimax])
def test_the_interpreter_finds_it_too(build):
    rules = Guessing.rules
    evaluate = make_player("minimax:depth=2", Guessing()).evaluator.evaluate
    for jit in (njit, interpreted):
        tally = new_tally()
        value = build(rules, evaluate, jit=jit)
        assert value(FIRST, 2, -np.inf, np.inf, Run((), tally)) == 126
        assert tally.nodes == 1 + 3 + 9


def test_a_set_of_one_action_is_the_same_in_python_and_compiled():
    @njit
    def compiled(place):
        return bit(place)

    for place in range(64):
        assert bit(place) == compiled(place) == int(np.uint64(1 << place).astype(np.int64))
        assert members(bit(place)) == [place]
        assert without_lowest(bit(place)) == 0


@pytest.mark.parametrize("actions", [1 << 63, 1 << 64, (-1 << 63) - 1])
def test_more_actions_than_a_set_can_hold_are_refused(actions):
    with pytest.raises(BadInput, match="numbered 0 to 63"):
        members(actions)
