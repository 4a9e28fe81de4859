"""The guides of path searches: the problem's heuristics, its game's evaluators, and the user's own."""

# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import cast

import numpy as np

from contienda.compiled.jit import njit
from contienda.core.evaluator import CompiledEvaluator, UnknownWeight, weights_record
from contienda.core.game import Game
from contienda.core.language import BadInput
from contienda.core.problem import Heuristic, Problem
from contienda.evaluation.catalogue import evaluators_of
from contienda.evaluation.compiled import compile_evaluator
from contienda.evaluation.custom import load_custom
from contienda.games import make_game

__all__ = ["evaluator_named", "heuristic_named"]

Weights = Mapping[str, str | float]


def heuristic_named(problem: Problem, name: str, weights: Weights) -> Heuristic:
    """Return the problem's heuristic of this name, or the user's own as ``FILE.py:FUNCTION``."""
    if name not in problem.heuristics and ":" in name:
        return _own_heuristic(name, problem, weights)
    if name not in problem.heuristics:
        known = ", ".join(problem.heuristics)
        raise BadInput(
            "no heuristic {name!r} for {problem_name}: there are {known}, or your own as FILE.py:FUNCTION",
            name=name,
            problem_name=problem.name,
            known=known,
        )
    for key in weights:
        raise UnknownWeight("heuristic {name} has no weight {key!r}: it has none", name=name, key=key)
    return problem.heuristics[name]


def _own_heuristic(name: str, problem: Problem, weights: Weights) -> Heuristic:
    """Return a user's function of ``(state, weights)``, the estimated cost to the goal, after calling it once."""
    # It is tried on a few states around the start, which a problem provides by the same names as a game.
    compiled = load_custom(name, cast(Game, problem), weights)
    evaluate = compiled.evaluate

    @njit
    def heuristic(state, steps, weights):
        return evaluate(state, weights)

    return Heuristic(heuristic, weights=compiled.weights)


def evaluator_named(problem: Problem, name: str, weights: Weights) -> tuple[Callable[..., float], np.record]:
    """Return ``evaluate(state, weights)``, where larger is better, and its weights.

    It is an evaluator of the problem's game; if the problem is not a game, minus a heuristic.
    """
    if problem.game is None:
        heuristic = heuristic_named(problem, name, weights)
        return _nearness(heuristic.function), weights_record({}) if heuristic.weights is None else heuristic.weights
    if any(name == evaluator.name for evaluator in evaluators_of(problem.game)):
        compiled = _known(name, problem.game.spec, tuple(weights.items()))
    else:
        compiled = compile_evaluator(name, problem.game, weights)
    return problem.seen(compiled.evaluate, compiled.of_afterstates), compiled.weights


@cache
def _known(name: str, game: str, weights: tuple[tuple[str, str | float], ...]) -> CompiledEvaluator:
    """Return a named evaluator, compiled once for all problems; a user's own file may have changed in between."""
    return compile_evaluator(name, make_game(game), dict(weights))


@cache
def _nearness(heuristic: Callable[..., float]):
    @njit
    def nearness(state, weights):
        return -heuristic(state, 0, weights)

    return nearness
