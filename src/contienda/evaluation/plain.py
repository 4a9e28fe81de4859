"""Evaluators of plain games (`contienda.games.plain`), interpreted: the game's `guess`, its own, or a user's function.

All of them estimate the value of a position for player 1, like `PlainGame.worth`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import wraps
from types import MappingProxyType
from typing import Any

from contienda.compiled.rng import generator
from contienda.core.evaluator import CompiledEvaluator, Evaluator, weights_record
from contienda.core.extensions import blame, where_it_fails
from contienda.core.game import Game, State
from contienda.core.language import BadInput
from contienda.evaluation.failing import failure_on, position_text
from contienda.games.plain_wrapped import with_mover

__all__ = ["guess_of", "interpret", "sum_of_terms"]


def guess_of(evaluator: Evaluator, game: Game) -> CompiledEvaluator:
    """Return the game's own estimate as an evaluator."""
    for_max, guess = game.plain_rules.for_max, game.plain.guess  # type: ignore[attr-defined]
    bounds = game.utility_bounds if math.isfinite(game.utility_bounds[1]) else None
    return _tried(evaluator.name, game, lambda state, weights: for_max(guess, state), bounds=bounds)


def sum_of_terms(evaluator: Evaluator, game: Game) -> CompiledEvaluator:
    """Return an evaluator that the game declares."""
    functions = evaluator.functions(game)

    def evaluate(state: State, weights: Any) -> float:
        return sum((float(weights[name]) * function(state) for name, function in functions.items()), 0.0)

    return _tried(
        evaluator.name,
        game,
        evaluate,
        evaluator.weights,
        terms=lambda state: {name: function(state) for name, function in functions.items()},
        floor=evaluator.floor,
        bounds=evaluator.range,
    )


def interpret(
    name: str, game: Game, function: Callable[..., Any], weights: dict[str, float], **known: Any
) -> CompiledEvaluator:
    """Return the evaluator of a user's function of a position, and of ``mover``, ``weights`` or both.

    It returns a number, or a named tuple of numbers, whose sum is the value.
    """
    for_max = game.plain_rules.for_max  # type: ignore[attr-defined]
    value = with_mover(getattr(function, "py_func", function), 3)
    record = weights_record(weights)

    @wraps(value)
    def total(*of: Any) -> Any:
        found = value(*of)
        return sum(found) if hasattr(found, "_fields") else found

    def terms(state: State) -> dict[str, float]:
        names = getattr(value(state.position, state.mover, record), "_fields", ())
        if not names:
            return {"value": for_max(total, state, record)}
        return {name: for_max(lambda *of, name=name: getattr(value(*of), name), state, record) for name in names}

    def evaluate(state: State, weights: Any) -> float:
        try:
            return for_max(total, state, weights)
        except BadInput:
            raise
        except Exception as error:
            raise failure_on(name, error, position_text(game, state)) from None

    return replace(_tried(name, game, evaluate, weights, terms, **known), weighted=True)


def _tried(
    name: str,
    game: Game,
    evaluate: Callable[..., float],
    weights: Mapping[str, float] = MappingProxyType({}),
    terms: Callable[[State], dict[str, float]] | None = None,
    **known: Any,
) -> CompiledEvaluator:
    """Return the evaluator after checking that it returns a number for a starting position."""
    record = weights_record(weights)
    try:
        value = evaluate(game.start(generator(0)), record)
    except BadInput:
        raise
    except Exception as error:
        raise (blame(error) or where_it_fails(name, error)) from None
    if math.isnan(value):
        raise BadInput("{name} returns NaN on a starting position", name=name)
    shown = terms or (lambda state: {"value": float(evaluate(state, record))})
    return CompiledEvaluator(name, evaluate, record, shown, dict(weights), **known)
