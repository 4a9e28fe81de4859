"""Path searches by spec: ``"astar:h=manhattan"`` finds a path from a problem's initial state to its goal.

`contienda.players.paths.catalogue` lists them all.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from contienda.core.language import BadInput
from contienda.core.specs import parse_spec
from contienda.players.paths.catalogue import PATH_SEARCHES

if TYPE_CHECKING:
    from contienda.core.problem import Problem
    from contienda.players.paths.base import PathSearch

__all__ = ["PATH_SEARCHES", "default_path_search", "make_path_search"]


def make_path_search(spec: str, problem: Problem) -> PathSearch:
    """Return the path search that a spec describes, for this problem.

    >>> from contienda.problems import make_problem
    >>> make_path_search("astar", make_problem("puzzle8", "8 6 7/2 5 4/3 0 1")).solve().steps
    31
    """
    from contienda.players.options import Options

    parsed = parse_spec(spec)
    info = PATH_SEARCHES.get(parsed.name)
    if info is None:
        known = ", ".join(PATH_SEARCHES)
        raise BadInput("no solver {name!r}: there are {known}", name=parsed.name, known=known)
    module, _, function = info.made_by.partition(":")
    solver: PathSearch = getattr(import_module(module), function)(problem, Options(parsed, info))
    return solver


def default_path_search(problem: Problem) -> str:
    """Return the spec of a fast path search: A* if states repeat, backtracking if they never do."""
    return "astar" if problem.repeats else "backtracking"
