"""The experiment that compares an evaluator with others: the same search with each, on the same games."""

from __future__ import annotations

from collections.abc import Sequence

from contienda.core.game import CHANCE, MIN, Game
from contienda.core.language import BadInput
from contienda.lab.plan import Plan

__all__ = ["comparison_plan"]

#: Levels that each search looks ahead, unless a depth is given: with and without an opponent.
_DEPTHS = {True: 3, False: 1}
#: Random moves at the start of a game for two, so that games differ.
_OPENING = 2


def comparison_plan(
    evaluator: str, game: Game, others: Sequence[str] = (), games: int = 100, depth: int | None = None
) -> Plan:
    """Return the plan of an evaluator against others, by default all that the game declares.

    In a game for two it meets each of them, from both sides of every opening; alone, all play the same seeds.
    """
    against = list(others) or [each.name for each in game.evaluators if each.name != evaluator]
    if not against:
        raise BadInput("{game} has no evaluators to compare with: name some with --with", game=game.spec)
    two = MIN in game.kinds
    search = "alphabeta" if CHANCE not in game.kinds else "expectiminimax" if two else "expectimax"
    levels = _DEPTHS[two] if depth is None else depth
    own, *rest = (f"{search}:depth={levels},eval={name}" for name in (evaluator, *against))
    name = evaluator.partition(",")[0].rpartition(":")[2]
    if two:
        return Plan(name, game.spec, (own,), tuple(rest), games=games, sides="both", opening=_OPENING)
    return Plan(name, game.spec, (own, *rest), games=games)
