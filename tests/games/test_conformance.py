"""Every game keeps the contract, and the check notices games that do not."""

from __future__ import annotations

import math
from itertools import count
from typing import NamedTuple

import numpy as np
import pytest

from contienda.compiled.jit import njit
from contienda.core.game import CHANCE, MAX, MIN, Game, Rules
from contienda.core.language import BadInput, Text
from contienda.games import make_game
from contienda.games.check import ConformanceError, check_game
from contienda.games.g2048 import G2048
from contienda.games.tictactoe import Marks, TicTacToe
from contienda.games.tree import EXAMPLES, Tree
from contienda.players import make_player


@pytest.mark.parametrize(
    ("spec", "games"),
    [
        ("2048", 3),
        ("2048:rows=2,columns=2", 20),
        ("2048:rows=2,columns=3", 5),
        ("2048:rows=3,columns=3", 5),
        ("2048:rows=3", 3),
        ("2048:columns=2", 3),
        ("tictactoe", 50),
        ("connect4", 10),
        ("connect4:rows=7,columns=8", 4),
        ("connect4:rows=3,columns=16,connect=5", 4),
        ("connect4:rows=63,columns=1,connect=63", 1),
        ("connect4:rows=1,columns=1,connect=1", 1),
    ],
)
def test_games_conform(spec, games):
    check_game(make_game(spec), games)


@pytest.mark.parametrize("text", [*EXAMPLES.values(), "min[1 chance[1/3:2 2/3:max[3]] min[4]]"])
def test_drawn_trees_conform(text):
    check_game(Tree(text))


# --- Broken games ----------------------------------------------------------------------------------------------------

RIGHT = TicTacToe.rules
LUCKY = G2048.rules


def broken(game: type[Game], **changes) -> Game:
    """A game with something replaced: rules by their name, methods and attributes by theirs."""
    rules = {name: change for name, change in changes.items() if name in Rules._fields}
    others = {name: change for name, change in changes.items() if name not in rules}
    return type("Broken", (game,), {**others, "rules": game.rules._replace(**rules)})()


def fickle(state, action, calls=count()):  # noqa: B008
    """Another mark now and then."""
    legal, after = RIGHT.successor(state, action)
    return legal, after._replace(max=after.max ^ (next(calls) % 7 == 0))


def refuse(self, text):
    raise BadInput("never", es="nunca")


def keep_turn(state):
    return Marks(state.min, state.max, state.turn) if state.turn == MIN else state


def lose_marks(state):
    return Marks(state.min, 0, MAX) if state.turn == MIN else state


def swap_always(state):
    return Marks(state.min, state.max, MAX)


def fuller_side_first(state):
    return Marks(max(state.max, state.min), min(state.max, state.min), MAX)


def drop_lowest(state):
    """Forget the lowest of many empty cells."""
    empty = RIGHT.candidates(state)
    return empty & (empty - 1) if empty.bit_count() in (3, 4, 5) else empty


@pytest.mark.parametrize(
    ("game", "property_"),
    [
        (broken(TicTacToe, kinds=frozenset({MAX})), "turn: turn 1"),
        (broken(TicTacToe, turn=lambda state: 7), "turn: turn 7"),
        (broken(TicTacToe, candidates=drop_lowest), "moves: action . is legal but not a candidate"),
        (broken(TicTacToe, candidates=lambda state: 0.5), "moves: candidates returns 0.5"),
        (broken(TicTacToe, over=lambda state: False), "moves: no action is legal"),
        (broken(TicTacToe, successor=fickle), "state: action . does not always give the same"),
        (
            broken(TicTacToe, successor=lambda s, a: (True, RIGHT.successor(s, a)[1]._replace(max=np.int64(1)))),
            "state: max is",
        ),
        (broken(TicTacToe, successor=lambda s, a: (True, Marks(1 << 63, 0, MAX))), "state: max is 9223372036854775808"),
        (broken(TicTacToe, successor=lambda s, a: (True, (0, 0, 0))), "state: a state is a NamedTuple"),
        (broken(TicTacToe, start=lambda self, rng: (0, 0, 0)), "state: a state is a NamedTuple"),
        (broken(TicTacToe, start=lambda self, rng, n=count(): Marks(0, next(n))), "state: the same seed"),  # noqa: B008
        (broken(TicTacToe, utility=lambda state: math.nan), "end: the utility of an ended game is nan"),
        (broken(G2048, utility=lambda state: math.inf), "end: the utility of an ended game is inf"),
        (broken(TicTacToe, utility=lambda state: 1.0), "sides: seen_by_mover changes the end"),
        (broken(G2048, probability=lambda board, a: LUCKY.probability(board, a) * 0.999), "chance: probabilities"),
        (broken(G2048, draw=lambda board, rng: 2), "chance: draw returns 2"),
        (broken(TicTacToe, action_name=lambda self, state, action: "x"), "names: two legal actions"),
        (
            broken(TicTacToe, action_number=lambda self, state, name: 0),
            "names: action 1 is named '2', which is read as 0",
        ),
        (broken(TicTacToe, parse=refuse), "text: parse refuses what format wrote"),
        (broken(TicTacToe, parse=lambda self, text: Marks(0, 0)), "text: parse reads"),
        (broken(TicTacToe, seen_by_mover=lambda state: state), "sides: seen_by_mover must make MAX the player to move"),
        (broken(TicTacToe, seen_by_mover=keep_turn), "sides: seen_by_mover must make MAX the player to move"),
        (broken(TicTacToe, seen_by_mover=swap_always), "sides: seen_by_mover applied twice changes"),
        (broken(TicTacToe, seen_by_mover=fuller_side_first), "sides: MAX is already to move"),
        (broken(TicTacToe, seen_by_mover=lose_marks), "sides: seen_by_mover changes the legal actions"),
        (broken(TicTacToe, longest=4), "end: game 0 is not over after 4 actions"),
        (broken(TicTacToe, fixed_sides=True), "sides: the game has fixed sides"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_broken_games_are_noticed(game, property_):
    with pytest.raises(ConformanceError, match=f"^{property_}"):
        check_game(game)


def test_the_message_names_the_property_and_the_state():
    with pytest.raises(ConformanceError) as error:
        check_game(broken(TicTacToe, kinds=frozenset({MIN})))
    assert str(error.value) == "turn: turn 0 is not one of the game's kinds [1], at Marks(max=0, min=0, turn=0)"


# --- Games that only compiled code gets wrong, or that never end -----------------------------------------------------


class Count(NamedTuple):
    """A walk of numbered steps."""

    steps: int


@njit
def _turn(state):
    return MAX


@njit
def _one_candidate(state):
    return 1


@njit
def _signed_step(state, action):
    return True, Count(state.steps + 1)


@njit
def _unsigned_step(state, action):
    return True, Count(np.uint64(state.steps) + np.uint64(1))


@njit
def _sign_of_complement(state):
    """All bits turned over, a small signed number is negative; an unsigned one never is."""
    return 1 if ~state.steps < 0 else 2


@njit
def _after_ten(state):
    return state.steps >= 10


@njit
def _zero(state):
    return 0.0


@njit
def _same(state):
    return state


@njit
def _same_or_signed(state):
    """Two types, if the number came unsigned."""
    return state if state.steps > 5 else Count(np.int64(state.steps))


@njit
def _certain(state, action):
    return 1.0


@njit
def _first(state, rng):
    return 0


class Walk(Game):
    """Count to ten."""

    name = spec = "walk"
    title = Text("walk", es="paseo")
    kinds = frozenset({MAX})
    default_evaluator = "none"
    rules = Rules(_turn, _one_candidate, _signed_step, _certain, _after_ten, _zero, _same, _first)

    def start(self, rng):
        return Count(0)

    def parse(self, text):
        return Count(int(text))

    def format(self, state):
        return str(state.steps)

    def action_name(self, state, action):
        return str(action)

    def action_number(self, state, name):
        return int(name)


def test_a_walk_conforms():
    check_game(Walk())


def test_unsigned_numbers_are_noticed_where_only_compiled_code_meets_them():
    with pytest.raises(ConformanceError, match=r"^compiled: after action 0 the rules return"):
        check_game(broken(Walk, successor=_unsigned_step, candidates=_sign_of_complement))


def test_rules_that_do_not_compile_together_are_noticed():
    with pytest.raises(ConformanceError, match=r"^compiled: the rules do not compile when one calls another"):
        check_game(broken(Walk, successor=_unsigned_step, seen_by_mover=_same_or_signed))


def test_games_without_end_are_noticed():
    with pytest.raises(ConformanceError, match=r"^end: game 0 is not over after 100 actions"):
        check_game(broken(Walk, over=lambda state: False), patience=100)


def test_a_stuck_chance_state_is_noticed():
    stuck = broken(Walk, turn=lambda state: CHANCE, kinds=frozenset({CHANCE}), candidates=lambda state: 0)
    with pytest.raises(ConformanceError, match=r"^moves: no action is legal, but the game is not over"):
        check_game(stuck)


def test_a_game_that_counts_too_few_actions_loses_none_of_its_moves():
    own = type("Own", (TicTacToe,), {"action_count": 2, "__module__": "own"})()
    found = make_player("alphabeta:depth=1", own).analyse(own.parse("X.O/.X./O.."))
    assert sorted(move.move for move in found.moves) == ["2", "4", "6", "8", "9"]
