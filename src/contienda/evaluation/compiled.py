"""Compiles an evaluator that a game declares into one function and a record of its weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from contienda.compiled.jit import njit
from contienda.core.evaluator import CompiledEvaluator, Evaluator, changed_weights, weights_record
from contienda.core.extensions import installed
from contienda.core.game import Game
from contienda.evaluation.catalogue import NETWORK, evaluators_of, find_evaluator, network_evaluator

__all__ = ["compile_evaluator"]


def compile_evaluator(name: str, game: Game, weights: Mapping[str, str | float]) -> CompiledEvaluator:
    """Return the evaluator that a spec names, with its weights: the game's, a general one, or the user's own."""
    if name.partition(":")[0] == NETWORK:
        changed_weights(NETWORK, {}, weights)
        return network_evaluator(name, game)
    if all(name != evaluator.name for evaluator in evaluators_of(game)):
        from contienda.evaluation.custom import GROUP, load_custom, registered

        if ":" in name or registered(name) or installed(GROUP, name):
            return load_custom(name, game, weights)
    evaluator = find_evaluator(name, game).with_weights(weights)
    if evaluator.build is not None:
        return evaluator.build(evaluator, game)
    return _sum_of_terms(evaluator, game) if game.compiled else _interpreted(evaluator, game)


def _interpreted(evaluator: Evaluator, game: Game) -> CompiledEvaluator:
    from contienda.evaluation.plain import sum_of_terms

    return sum_of_terms(evaluator, game)


def _sum_of_terms(evaluator: Evaluator, game: Game) -> CompiledEvaluator:
    functions = evaluator.functions(game)
    return CompiledEvaluator(
        evaluator.name,
        _summed(evaluator.name, tuple(functions.items())),
        weights_record(evaluator.weights),
        lambda state: {name: float(function(state)) for name, function in functions.items()},
        evaluator.weights,
        evaluator.floor,
        evaluator.range,
        symmetric=all(term.symmetric for term in evaluator.terms.values()),
        counts_points=any(term.counts_points for term in evaluator.terms.values()),
    )


@lru_cache(maxsize=256)
def _summed(name: str, functions: tuple[tuple[str, Callable[..., float]], ...]) -> Callable[..., float]:
    """Return the weighted sum of an evaluator's terms, built once for all players and weights."""
    evaluate = _no_terms
    for term, function in functions:
        evaluate = _first(term, function) if evaluate is _no_terms else _plus(evaluate, term, function)
    return evaluate


@njit(cache=True)
def _no_terms(state, weights):
    return 0.0


def _first(term: str, function: Callable[..., float]) -> Callable[..., float]:
    """Return the first weighted term of a sum; each evaluator gets its own function, with its own record type."""

    @njit
    def weighted_term(state, weights):
        return weights[term] * function(state)

    return weighted_term


def _plus(evaluate: Callable[..., float], term: str, function: Callable[..., float]) -> Callable[..., float]:
    """Return the sum so far plus one more weighted term."""

    @njit
    def sum_of_terms(state, weights):
        return evaluate(state, weights) + weights[term] * function(state)

    return sum_of_terms
