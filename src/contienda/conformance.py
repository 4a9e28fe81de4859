"""Does a game keep the contract of `contienda.core.Game`? Random games find out.

Whoever writes a new game adds one test:

    from contienda.conformance import check_game

    def test_my_game_conforms():
        check_game(MyGame())

What it cannot know is whether the rules are the right ones: for that, play the game also against a naive version of
itself and count its move sequences (perft).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from contienda.core import CHANCE, MAX, MAX_ACTIONS, MIN, Game, Rules, State
from contienda.jit import lowest, njit, numba
from contienda.language import BadInput
from contienda.rng import below, generator

__all__ = ["ConformanceError", "check_game"]

#: Rounding may make the probabilities of a chance state miss 1 by this much.
TOLERANCE = 1e-9

_INT64 = range(-(1 << 63), 1 << 63)


class ConformanceError(AssertionError):
    """A game breaks the contract: which property, in which state, and how."""


def check_game(game: Game, games: int = 20, seed: int = 0, patience: int = 10_000) -> None:
    """Play random games and raise `ConformanceError` at the first state where the game breaks its contract.

    Checked in every state:

    - *state*: a tuple of Python ints of 64 bits, signed; calling a rule twice gives the same;
    - *turn*: MAX, MIN or CHANCE, and one of ``game.kinds`` until the game is over;
    - *moves*: some action is legal until the game is over (but MAX may be stuck: that is an end too), and one that was
      a candidate for the same player in another state, and is none here, is not legal here;
    - *chance*: the probabilities sum to 1, and `draw` gives outcomes that are possible;
    - *end*: the utility of an ended game is finite, and games end within ``game.longest`` actions, or ``patience``;
    - *names*: the legal actions have different names, and `action_number` reads them back;
    - *text*: at a player's turn, `parse` reads what `format` wrote as a state with the same text, turn and moves;
    - *sides*: `seen_by_mover` puts MAX to move, does so once and for all, and keeps moves and end, the utility changing
      sign with the sides; a game with ``fixed_sides`` leaves all states as they are;
    - *compiled*: called one from another in compiled code, the rules say what they say when Python calls them.
    """
    seen: dict[int, set[int]] = {MAX: set(), MIN: set(), CHANCE: set()}
    probe = _build_probe(game.rules)
    most = patience if game.longest is None else game.longest
    for number in range(games):
        rng = generator(seed, number + 1)
        state = game.start(rng)
        if game.start(generator(seed, number + 1)) != state:
            _fail("state", state, "the same luck does not always give the same start")
        for _ in range(most + 1):
            actions = _check_state(game, state, seen, rng)
            if not actions:
                break
            action = actions[below(rng, len(actions))]
            if probe is not None:
                _check_compiled(game, state, action, probe)
            state = game.rules.successor(state, action)[1]
        else:
            _fail("end", state, f"game {number} is not over after {most} actions")


def _fail(what: str, state: State, how: str) -> NoReturn:
    raise ConformanceError(f"{what}: {how}, at {state!r}")


def _check_state(game: Game, state: State, seen: dict[int, set[int]], rng: np.record) -> list[int]:
    """Every property of one state; the legal actions from here."""
    _check_integers(state)
    if game.rules.over(state):
        _check_end(game, state)
        return []
    turn = _check_turn(game, state)
    actions = _check_moves(game, state, turn, seen[turn])
    if not actions:
        _check_utility(game, state)
        return []
    if turn == CHANCE:
        _check_chance(game, state, actions, rng)
    else:
        _check_text(game, state, turn, actions)
    _check_names(game, state, actions)
    _check_sides(game, state, actions)
    return actions


def _check_integers(state: State) -> None:
    if not hasattr(state, "_fields"):
        _fail("state", state, "a state is a NamedTuple")
    for name, value in zip(state._fields, state, strict=True):
        if type(value) is not int or value not in _INT64:
            _fail("state", state, f"{name} is {value!r}, not an int that fits in 64 bits with its sign")


def _check_turn(game: Game, state: State) -> int:
    turn = game.rules.turn(state)
    if turn not in game.kinds:
        _fail("turn", state, f"turn {turn!r} is not one of the game's kinds {sorted(game.kinds)}")
    return turn


def _check_moves(game: Game, state: State, turn: int, seen: set[int]) -> list[int]:
    candidates = game.rules.candidates(state)
    if type(candidates) is not int or candidates not in _INT64:
        _fail("moves", state, f"candidates gives {candidates!r}, not a set of bits")
    actions = game.legal_actions(state)
    if not actions and turn != MAX:
        _fail("moves", state, "no action is legal and yet the game is not over")
    if turn != CHANCE:  # of chance, the sum of the probabilities tells
        for action in sorted(seen):
            if not candidates >> action & 1 and game.rules.successor(state, action)[0]:
                _fail("moves", state, f"action {action} is legal but not a candidate")
    seen.update(action for action in range(MAX_ACTIONS) if candidates >> action & 1)
    for action in actions:
        after = game.rules.successor(state, action)[1]
        _check_integers(after)
        if type(after) is not type(state):
            _fail("state", state, f"action {action} gives another type of state, {after!r}")
        if game.rules.successor(state, action)[1] != after:
            _fail("state", state, f"action {action} does not always give the same state")
    return actions


def _check_chance(game: Game, state: State, actions: list[int], rng: np.record) -> None:
    probabilities = [game.rules.probability(state, action) for action in actions]
    if min(probabilities) < 0 or abs(math.fsum(probabilities) - 1) > TOLERANCE:
        _fail("chance", state, f"probabilities {probabilities} are not a distribution")
    drawn = game.rules.draw(state, rng)
    if drawn not in actions:
        _fail("chance", state, f"draw gives {drawn!r}, which is not possible")


def _check_end(game: Game, state: State) -> None:
    if game.rules.turn(state) not in (MAX, MIN, CHANCE):
        _fail("turn", state, "turn is neither MAX, MIN nor CHANCE")
    _check_utility(game, state)
    turned = game.rules.seen_by_mover(state)
    sign = -1 if turned != state else 1
    if not game.rules.over(turned) or game.rules.utility(turned) != sign * game.rules.utility(state):
        _fail("sides", state, f"seen by the player to move the end is another, {turned!r}")


def _check_utility(game: Game, state: State) -> None:
    if not math.isfinite(game.rules.utility(state)):
        _fail("end", state, f"the utility of an ended game is {game.rules.utility(state)!r}")


def _check_names(game: Game, state: State, actions: list[int]) -> None:
    names = [game.action_name(state, action) for action in actions]
    if len(set(names)) < len(names):
        _fail("names", state, f"two legal actions have one name, among {names}")
    for action, name in zip(actions, names, strict=True):
        if (number := game.action_number(state, name)) != action:
            _fail("names", state, f"action {action} is named {name!r}, which is read as {number}")


def _check_text(game: Game, state: State, turn: int, actions: list[int]) -> None:
    """A text may leave something out (2048's has no score), but what it tells must come back."""
    text = game.format(state)
    try:
        again = game.parse(text)
    except BadInput as error:
        _fail("text", state, f"parse refuses what format wrote, {text!r}: {error.text.en}")
    _check_integers(again)
    if game.format(again) != text or game.rules.turn(again) != turn or game.legal_actions(again) != actions:
        _fail("text", state, f"parse reads {text!r} as another state, {again!r}")


def _check_sides(game: Game, state: State, actions: list[int]) -> None:
    turned = game.rules.seen_by_mover(state)
    if game.fixed_sides:
        if turned != state:
            _fail("sides", state, f"the game has fixed sides and yet seen_by_mover gives {turned!r}")
        return
    turn = game.rules.turn(state)
    expected = CHANCE if turn == CHANCE else MAX
    if game.rules.turn(turned) != expected:
        _fail("sides", state, f"seen_by_mover does not put MAX to move, {turned!r}")
    if turn == MAX and turned != state:
        _fail("sides", state, f"MAX is to move already and yet seen_by_mover gives {turned!r}")
    if game.rules.seen_by_mover(turned) != turned:
        _fail("sides", state, f"seen_by_mover turns {turned!r} round again")
    if game.rules.over(turned) or game.legal_actions(turned) != actions:
        _fail("sides", state, f"seen by the player to move other actions are legal, {turned!r}")


def _build_probe(rules: Rules) -> Any:
    """All rules called one from another in compiled code, where the types of a state are what a rule made them.

    In Python every integer is alike, and is handed to compiled code as a signed one: a rule that makes an unsigned one
    (``>>`` then shifts in zeros) works when Python calls it and fails inside a search, or the other way round.
    """
    if not all(hasattr(rule, "py_func") for rule in rules):
        return None  # plain Python: there is nothing to compare
    turn, candidates, successor, _, over, utility, seen_by_mover, _ = rules

    @njit
    def probe(state, action):  # type: ignore[no-untyped-def]
        after = successor(state, action)[1]
        moves = candidates(after)
        reply = successor(after, lowest(moves) if moves != 0 else 0)
        turned = seen_by_mover(after)
        return after, turn(after), moves, reply, turned, candidates(turned), over(after), utility(after)

    return probe


def _check_compiled(game: Game, state: State, action: int, probe: Callable[..., Any]) -> None:
    turn, candidates, successor, _, over, utility, seen_by_mover, _ = game.rules
    after = successor(state, action)[1]
    moves = candidates(after)
    reply = successor(after, lowest(moves) if moves != 0 else 0)
    turned = seen_by_mover(after)
    outside = (after, turn(after), moves, reply, turned, candidates(turned), over(after), utility(after))
    try:
        inside = probe(state, action)
    except numba.core.errors.NumbaError as error:
        _fail(
            "compiled", state, f"the rules do not compile when one calls another: {str(error).strip().splitlines()[0]}"
        )
    # What a game that goes on would be worth is nobody's question: a utility counts at the end.
    told = len(outside) if over(after) else len(outside) - 1
    if inside[:told] != outside[:told]:
        _fail("compiled", state, f"after action {action} Python hears {outside[:told]}, compiled code {inside[:told]}")
