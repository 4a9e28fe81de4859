"""Solvers by spec: ``"astar:h=manhattan"`` -> something that finds a path from a problem's beginning to its goal.

`contienda.solvers.catalogue` says what exists.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from contienda.language import BadInput
from contienda.solvers.catalogue import SOLVERS
from contienda.specs import parse_spec

if TYPE_CHECKING:
    from contienda.problems import Problem
    from contienda.solvers.base import Solver

__all__ = ["SOLVERS", "default_solver", "make_solver"]


def make_solver(spec: str, problem: Problem) -> Solver:
    """The solver that a spec describes, for this problem.

    >>> from contienda.problems import make_problem
    >>> make_solver("astar", make_problem("puzzle8", "8 6 7/2 5 4/3 0 1")).solve().steps
    31
    """
    from contienda.players.options import Options

    parsed = parse_spec(spec)
    info = SOLVERS.get(parsed.name)
    if info is None:
        known = ", ".join(SOLVERS)
        raise BadInput(f"no solver {parsed.name!r}: there are {known}", f"no hay buscador {parsed.name!r}: hay {known}")
    module, _, function = info.made_by.partition(":")
    solver: Solver = getattr(import_module(module), function)(problem, Options(parsed, info))
    return solver


def default_solver(problem: Problem) -> str:
    """A solver that finds a path soon: the shortest one where states come back, some path where they never do."""
    return "astar" if problem.repeats else "backtracking"
