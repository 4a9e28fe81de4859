"""Who plays when nobody is named: a strong player that answers at once."""

from __future__ import annotations

from contienda.core import CHANCE, MIN, Game

__all__ = ["default_player"]


def default_player(game: Game) -> str:
    """A good player for the kind of game."""
    if CHANCE in game.kinds:
        return "expectiminimax" if MIN in game.kinds else "expectimax:depth=5"
    return "alphabeta" if game.default_depth is None else "alphabeta:depth=8"
