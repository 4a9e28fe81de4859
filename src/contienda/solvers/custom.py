"""Heuristics that users write for path searches: plain Python, compiled into the search."""

# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from contienda.core import Game
from contienda.evaluation.custom import load_custom
from contienda.jit import njit
from contienda.problems import Heuristic, Problem

__all__ = ["own_heuristic"]


def own_heuristic(name: str, problem: Problem, weights: Mapping[str, str | float]) -> Heuristic:
    """``FILE.py:FUNCTION`` of ``(state, weights)``, what seems left to the goal; tried once, as an evaluator is."""
    # What is tried out is a few states around the start, which a problem gives by the same names as a game.
    compiled = load_custom(name, cast(Game, problem), weights)
    evaluate = compiled.evaluate

    @njit
    def heuristic(state, steps, weights):
        return evaluate(state, weights)

    return Heuristic(heuristic, weights=compiled.weights)
