"""Checks of the rules: states, turns, moves, chance, ends, sides, and the same in compiled code."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from contienda.compiled.jit import lowest, njit, numba
from contienda.core.game import CHANCE, MAX, MAX_ACTIONS, MIN, Game, Rules, State
from contienda.core.language import Text
from contienda.games.checks import fail

__all__ = [
    "build_probe",
    "check_begins",
    "check_chance",
    "check_compiled",
    "check_kind",
    "check_sides",
    "check_start",
    "check_state",
    "fail_endless",
]

#: Rounding may make the probabilities of a chance state miss 1 by this much.
TOLERANCE = 1e-9

_INT64 = range(-(1 << 63), 1 << 63)


def check_start(game: Game, rng: np.record, again: np.record) -> State:
    state = game.start(rng)
    if game.start(again) != state:
        fail("state", state, Text("the same seed does not always give the same start"))
    return state


def check_begins(game: Game, state: State, actions: list[int]) -> None:
    if not game.takes_text and not actions:
        fail("state", state, Text("the game is over before the first move"))


def check_state(game: Game, state: State, seen: dict[int, set[int]]) -> list[int]:
    """What every state must be; the legal actions from here."""
    check_kind(game, state)
    if game.rules.over(state):
        check_end(game, state)
        return []
    turn = _check_turn(game, state)
    actions = _check_moves(game, state, turn, seen[turn])
    if not actions:
        _check_utility(game, state)
    return actions


def check_kind(game: Game, state: State) -> None:
    if game.compiled:
        _check_integers(state)
    elif hash(state) != hash(state):
        fail("state", state, Text("its hash is not always the same"))


def _check_integers(state: State) -> None:
    if not hasattr(state, "_fields"):
        fail("state", state, Text("a state is a NamedTuple"))
    for name, value in zip(state._fields, state, strict=True):
        if type(value) is not int or value not in _INT64:
            fail(
                "state",
                state,
                Text("{name} is {value!r}, not a signed 64-bit integer", name=name, value=value),
            )


def _check_turn(game: Game, state: State) -> int:
    turn = game.rules.turn(state)
    if turn not in game.kinds:
        fail(
            "turn",
            state,
            Text("turn {turn!r} is not one of the game's kinds {kinds}", turn=turn, kinds=sorted(game.kinds)),
        )
    return turn


def _check_moves(game: Game, state: State, turn: int, seen: set[int]) -> list[int]:
    candidates = game.rules.candidates(state)
    if type(candidates) is not int or candidates not in _INT64:
        fail(
            "moves",
            state,
            Text("candidates returns {candidates!r}, which is not an integer of 64 bits", candidates=candidates),
        )
    actions = game.legal_actions(state)
    if not actions and turn != MAX:
        fail("moves", state, Text("no action is legal, but the game is not over"))
    if turn != CHANCE:  # for chance, the sum of the probabilities shows it
        for action in sorted(seen):
            if not candidates >> action & 1 and game.rules.successor(state, action)[0]:
                fail("moves", state, Text("action {action} is legal but not a candidate", action=action))
    seen.update(action for action in range(MAX_ACTIONS) if candidates >> action & 1)
    if turn != CHANCE and actions and actions[-1] >= game.action_count:
        fault = Text("action {action} is not below action_count {count}", action=actions[-1], count=game.action_count)
        fail("moves", state, fault)
    for action in actions:
        after = game.rules.successor(state, action)[1]
        check_kind(game, after)
        if type(after) is not type(state):
            fail(
                "state",
                state,
                Text("action {action} gives another type of state, {after!r}", action=action, after=after),
            )
        if game.rules.successor(state, action)[1] != after:
            fail("state", state, Text("action {action} does not always give the same state", action=action))
    return actions


def check_chance(game: Game, state: State, actions: list[int], rng: np.record) -> None:
    probabilities = [game.rules.probability(state, action) for action in actions]
    if min(probabilities) < 0 or abs(math.fsum(probabilities) - 1) > TOLERANCE:
        fail("chance", state, Text("probabilities {probabilities} are not a distribution", probabilities=probabilities))
    drawn = game.rules.draw(state, rng)
    if drawn not in actions:
        fail("chance", state, Text("draw returns {drawn!r}, which is not possible", drawn=drawn))


def check_end(game: Game, state: State) -> None:
    if game.rules.turn(state) not in (MAX, MIN, CHANCE):
        fail("turn", state, Text("turn is neither MAX, MIN nor CHANCE"))
    _check_utility(game, state)
    turned = game.rules.seen_by_mover(state)
    sign = -1 if turned != state else 1
    if not game.rules.over(turned) or game.rules.utility(turned) != sign * game.rules.utility(state):
        fail("sides", state, Text("seen_by_mover changes the end of the game: {turned!r}", turned=turned))


def _check_utility(game: Game, state: State) -> None:
    utility = game.rules.utility(state)
    if not isinstance(utility, int | float) or not math.isfinite(utility):
        fail("end", state, Text("the utility of an ended game is {utility!r}", utility=utility))
    low, high = game.utility_bounds
    if low <= high and not low <= utility <= high:
        fault = Text(
            "the utility {utility:g} is not within utility_bounds, {low:g} to {high:g}",
            utility=utility,
            low=low,
            high=high,
        )
        fail("end", state, fault)


def fail_endless(game: Game, state: State, number: int, most: int) -> NoReturn:
    fail("end", state, Text("game {number} is not over after {most} actions", number=number, most=most))


def check_sides(game: Game, state: State, actions: list[int]) -> None:
    turned = game.rules.seen_by_mover(state)
    if game.fixed_sides:
        if turned != state:
            fail("sides", state, Text("the game has fixed sides, but seen_by_mover returns {turned!r}", turned=turned))
        return
    turn = game.rules.turn(state)
    expected = CHANCE if turn == CHANCE else MAX
    if game.rules.turn(turned) != expected:
        fail("sides", state, Text("seen_by_mover must make MAX the player to move: {turned!r}", turned=turned))
    if turn == MAX and turned != state:
        fail("sides", state, Text("MAX is already to move, but seen_by_mover returns {turned!r}", turned=turned))
    if game.rules.seen_by_mover(turned) != turned:
        fail("sides", state, Text("seen_by_mover applied twice changes {turned!r}", turned=turned))
    if game.rules.over(turned) or game.legal_actions(turned) != actions:
        fail("sides", state, Text("seen_by_mover changes the legal actions: {turned!r}", turned=turned))


def build_probe(rules: Rules) -> Any:
    """Return a function that calls the rules from compiled code, where a state keeps the types that a rule gave it.

    In Python every integer is alike, and is handed to compiled code as a signed one: a rule that makes an unsigned one
    (``>>`` then shifts in zeros) works when Python calls it and fails inside a search, or the other way round.
    """
    if not all(hasattr(rule, "py_func") for rule in rules if callable(rule)):
        return None  # plain Python: there is nothing to compare
    turn, candidates, successor, _, over, utility, seen_by_mover, *_ = rules

    @njit(small=False)  # it must compile at its first call
    def probe(state, action):
        after = successor(state, action)[1]
        moves = candidates(after)
        reply = successor(after, lowest(moves) if moves != 0 else 0)
        turned = seen_by_mover(after)
        return after, turn(after), moves, reply, turned, candidates(turned), over(after), utility(after)

    return probe


def check_compiled(game: Game, state: State, action: int, probe: Callable[..., Any]) -> None:
    turn, candidates, successor, _, over, utility, seen_by_mover, *_ = game.rules
    after = successor(state, action)[1]
    moves = candidates(after)
    reply = successor(after, lowest(moves) if moves != 0 else 0)
    turned = seen_by_mover(after)
    outside = (after, turn(after), moves, reply, turned, candidates(turned), over(after), utility(after))
    try:
        inside = probe(state, action)
    except numba.core.errors.NumbaError as error:
        reason = str(error).strip().splitlines()[0]
        fail("compiled", state, Text("the rules do not compile when one calls another: {reason}", reason=reason))
    # The utility means something only at the end of a game.
    compared = len(outside) if over(after) else len(outside) - 1
    if inside[:compared] != outside[:compared]:
        fail(
            "compiled",
            state,
            Text(
                "after action {action} the rules return {outside} in Python and {inside} in compiled code",
                action=action,
                outside=outside[:compared],
                inside=inside[:compared],
            ),
        )
