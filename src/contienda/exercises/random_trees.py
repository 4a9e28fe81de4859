"""Exercises drawn at random: the same kind for every student, another tree for every seed."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from contienda.core.language import BadInput
from contienda.exercises.asking import asked
from contienda.exercises.exercise import Ask, Exercise, parse_ask
from contienda.trace.tree import TreeNode

__all__ = ["DIFFICULTIES", "KINDS_AT_RANDOM", "random_exercise"]

DIFFICULTIES = ("easy", "medium", "hard")

_DRAWS = 200  # a suitable tree is found in a few tries


class _Drawn(NamedTuple):
    """A search drawn at random."""

    game: str
    position: str
    player: str


class _Kind(NamedTuple):
    ask: tuple[str, ...]
    draw: Callable[[random.Random, int], _Drawn]
    """``draw(luck, difficulty)``"""


def random_exercise(kind: str, seed: int, difficulty: str, ask: tuple[Ask, ...] = ()) -> Exercise:
    """Return an exercise of a kind; the same seed gives the same one on any machine."""
    if kind not in KINDS_AT_RANDOM:
        raise BadInput(
            "no random exercise {kind!r}: choose one of {known}", kind=kind, known=", ".join(KINDS_AT_RANDOM)
        )
    if difficulty not in DIFFICULTIES:
        known = ", ".join(DIFFICULTIES)
        raise BadInput("no difficulty {difficulty!r}: choose one of {known}", difficulty=difficulty, known=known)
    level = DIFFICULTIES.index(difficulty)
    luck = random.Random(f"{kind} {difficulty} {seed}")
    chosen = KINDS_AT_RANDOM[kind]
    for _ in range(_DRAWS):
        drawn = chosen.draw(luck, level)
        exercise = Exercise(*drawn, tuple(map(parse_ask, chosen.ask)))
        if _worth_asking(exercise, level):
            return replace(exercise, ask=ask or exercise.ask)
    raise AssertionError("no such tree was drawn")


def _worth_asking(exercise: Exercise, level: int) -> bool:
    """Whether one move is the best, and alpha-beta cuts at as many places as the difficulty wants."""
    trace = asked(exercise).trace
    if trace.family != "tree":
        return trace.family == "mcts" or 3 <= len(trace.best_nodes) - 1 <= 4 + 2 * level
    nodes = [node for node in trace.nodes if isinstance(node, TreeNode)]
    values = [nodes[child].value for child in nodes[0].children]
    cuts = sum(node.cut is not None for node in nodes)
    return values.count(trace.value) == 1 and (nodes[0].alpha is None or cuts > level)


# --- Trees -----------------------------------------------------------------------------------------------------------


def _leaf(luck: random.Random) -> str:
    return str(luck.randint(-9, 20))


def _alternating(luck: random.Random, levels: int, most: int, kind: str = "max") -> str:
    """A tree of MAX and MIN; some branches end early."""
    below = "min" if kind == "max" else "max"
    count = luck.randint(2, most)
    children = [
        _leaf(luck) if levels == 1 or (levels > 1 and kind != "max" and luck.random() < 0.2)
        else _alternating(luck, levels - 1, most, below)
        for _ in range(count)
    ]  # fmt: skip
    return f"{kind}[{' '.join(children)}]"


def _tree(player: str) -> Callable[[random.Random, int], _Drawn]:
    def draw(luck: random.Random, level: int) -> _Drawn:
        if level == 0:
            branches = [f"min[{' '.join(_leaf(luck) for _ in range(3))}]" for _ in range(3)]
            return _Drawn("tree", f"max[{' '.join(branches)}]", player)
        return _Drawn("tree", _alternating(luck, 2 + level, 3), player)

    return draw


#: Probabilities that are easily multiplied by hand.
_CHANCES = (((0.5, 0.5),), ((0.5, 0.5), (0.2, 0.8), (0.9, 0.1)), ((0.2, 0.3, 0.5), (0.6, 0.4), (0.9, 0.1)))


def _with_chance(luck: random.Random, level: int) -> _Drawn:
    branches = []
    for _ in range(2 + (level > 1)):
        outcomes = []
        for chance in luck.choice(_CHANCES[level]):
            leaves = " ".join(str(luck.randint(-5, 10)) for _ in range(2 + (level > 0)))
            outcomes.append(f"{chance}:min[{leaves}]")
        branches.append(f"chance[{' '.join(outcomes)}]")
    return _Drawn("tree", f"max[{' '.join(branches)}]", "expectiminimax")


def _simulated(luck: random.Random, level: int) -> _Drawn:
    branches = [f"min[{' '.join(str(luck.randint(0, 9)) for _ in range(2))}]" for _ in range(2 + (level > 0))]
    return _Drawn("tree", f"max[{' '.join(branches)}]", f"mcts:sims={6 + 3 * level}")


def _puzzle(luck: random.Random, level: int) -> _Drawn:
    """A board of the 8-puzzle, some moves away from the goal."""
    cells, last = [1, 2, 3, 4, 5, 6, 7, 8, 0], -1
    for _ in range(3 + 2 * level):
        hole = cells.index(0)
        near = [p for p in range(9) if abs(p // 3 - hole // 3) + abs(p % 3 - hole % 3) == 1 and p != last]
        to = luck.choice(near)
        cells[hole], cells[to], last = cells[to], 0, hole
    rows = [" ".join(map(str, cells[row : row + 3])) for row in (0, 3, 6)]
    return _Drawn("puzzle8", "/".join(rows), "astar:h=manhattan")


KINDS_AT_RANDOM = {
    "minimax": _Kind(("values", "value", "best"), _tree("minimax")),
    "alphabeta": _Kind(("values", "value", "cuts", "window"), _tree("alphabeta")),
    "expectiminimax": _Kind(("values", "value", "best"), _with_chance),
    "astar": _Kind(("values", "next"), _puzzle),
    "mcts": _Kind(("next", "value", "best"), _simulated),
}
