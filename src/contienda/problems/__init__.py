"""The problems of search that there are. Importing this compiles nothing."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from contienda.core.examples import TraceExample
from contienda.core.language import BadInput, Text
from contienda.core.specs import parse_spec

if TYPE_CHECKING:
    from contienda.core.problem import Problem

__all__ = ["PROBLEMS", "Choice", "make_problem"]


class Choice(NamedTuple):
    """Something that the spec of a problem may set: its title, and what there is to choose, the usual one first."""

    title: Text
    values: dict[str, Text]


class _Entry(NamedTuple):
    about: Text
    path: str
    """``module:function``; it takes the spec's options, a position or None, a target or None, and a seed."""
    choices: dict[str, Choice] = {}  # noqa: RUF012  # nobody writes to it
    trace_examples: tuple[TraceExample, ...] = ()
    """Searches that the explorer offers."""
    targets: tuple[int, ...] = ()
    """Targets that the app offers, if the problem has any."""


PROBLEMS: dict[str, _Entry] = {
    "2048": _Entry(
        Text("a path to a tile, in the world of a seed"),
        "contienda.problems.g2048:make",
        {
            "tiles": Choice(
                Text("New tiles"),
                {"twos-and-fours": Text("2s, and a 4 in ten"), "twos": Text("Only 2s (as unicen's seem to be)")},
            )
        },
        # A smaller tile needs no search, and nobody has reached a larger one by play.
        targets=tuple(1 << exponent for exponent in range(9, 17)),
    ),
    "puzzle8": _Entry(
        Text("the sliding 8-puzzle, to 1 2 3/4 5 6/7 8 0"),
        "contienda.problems.puzzle8:make",
        trace_examples=(
            TraceExample(Text("A* on the 8-puzzle: open and closed"), (("1 2 3/5 0 6/4 7 8", "astar:h=manhattan"),)),
        ),
    ),
}


def make_problem(spec: str, position: str | None = None, *, target: int | None = None, seed: int = 0) -> Problem:
    """The problem that a spec names.

    >>> make_problem("puzzle8", "1 2 3/4 5 6/7 0 8").title.into("en")
    '8-puzzle'
    """
    asked = parse_spec(spec)
    if asked.name not in PROBLEMS:
        known = ", ".join(PROBLEMS)
        raise BadInput("no problem {name!r} to solve: there are {known}", name=asked.name, known=known)
    module, _, function = PROBLEMS[asked.name].path.partition(":")
    problem: Problem = getattr(import_module(module), function)(asked.options, position, target, seed)
    return problem
