"""What the specs of path searches name: heuristics, evaluators, how far to look ahead."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from contienda.evaluation.catalogue import UnknownWeight
from contienda.language import BadInput
from contienda.players.options import Options
from contienda.problems import Heuristic, Problem

__all__ = ["evaluator_for", "heuristic_for", "look_ahead_depth"]

#: 3^12 states for one plan: about the most that somebody waits for.
_FURTHEST = 12


def heuristic_for(problem: Problem, options: Options, default: str) -> Heuristic:
    """The heuristic that the options name, and all keys not taken yet as its weights."""
    try:
        return problem.heuristic(options.text("h", default), options.weights())
    except UnknownWeight as error:
        raise _neither(options, error) from None


def evaluator_for(problem: Problem, options: Options, default: str) -> tuple[Callable[..., float], np.record]:
    """The evaluator that the options name, and all keys not taken yet as its weights."""
    try:
        return problem.evaluator(options.text("eval", default), options.weights())
    except UnknownWeight as error:
        raise _neither(options, error) from None


def _neither(options: Options, error: UnknownWeight) -> BadInput:
    """A key that is neither a weight nor a parameter: both are named."""
    name, known = options.info.name, ", ".join(options.info.parameters)
    return BadInput(f"{error.text.en}; {name} takes {known}", f"{error.text.es}; {name} admite {known}")


def look_ahead_depth(depth: int | None) -> int:
    """The moves that a look ahead takes in: four unless told otherwise."""
    if depth is None:
        return 4
    if not 1 <= depth <= _FURTHEST:
        raise BadInput(
            f"depth={depth} is out of range: a look ahead takes in 1 to {_FURTHEST} moves",
            f"depth={depth} está fuera de rango: se miran de 1 a {_FURTHEST} jugadas",
        )
    return depth
