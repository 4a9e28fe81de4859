"""Reads the options of path searches: heuristics, evaluators, the depth of a look-ahead."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from contienda.core.evaluator import UnknownWeight
from contienda.core.language import BadInput
from contienda.core.problem import Heuristic, Problem
from contienda.players.options import Options
from contienda.players.paths.heuristics import evaluator_named, heuristic_named
from contienda.search.path.look_ahead import PRINTED_HORIZON

__all__ = ["evaluator_for", "heuristic_for", "horizon_of", "look_ahead_depth"]

#: 3^12 states for one plan: about as long as a user will wait.
_FURTHEST = 12


def heuristic_for(problem: Problem, options: Options, default: str) -> Heuristic:
    """Return the heuristic that the options name; all remaining keys are its weights."""
    try:
        return heuristic_named(problem, options.text("h", default), options.weights())
    except UnknownWeight as error:
        raise _neither(options, error) from None


def evaluator_for(problem: Problem, options: Options, default: str) -> tuple[Callable[..., float], np.record]:
    """Return the evaluator that the options name; all remaining keys are its weights."""
    try:
        return evaluator_named(problem, options.text("eval", default), options.weights())
    except UnknownWeight as error:
        raise _neither(options, error) from None


def _neither(options: Options, error: UnknownWeight) -> BadInput:
    """Return the error for a key that is neither a weight nor a parameter; it lists both."""
    name, known = options.info.name, ", ".join(options.info.parameters)
    return BadInput("{error}; {name} takes {known}", error=error, name=name, known=known)


def look_ahead_depth(depth: int | None) -> int:
    """Return how many moves to look ahead: four by default."""
    if depth is None:
        return 4
    if not 1 <= depth <= _FURTHEST:
        raise BadInput(
            "depth={depth} is out of range: from 1 to {furthest} moves",
            depth=depth,
            furthest=_FURTHEST,
        )
    return depth


def horizon_of(options: Options) -> float:
    """Return the value of the end of a look-ahead: 0, or unicen's number."""
    return 0.0 if options.choice("horizon", ("0", "printed")) == "0" else PRINTED_HORIZON
