"""Players by spec: ``"alphabeta:depth=5,eval=uma1"`` -> something that plays and explains itself.

`contienda.players.catalogue` says what exists; a new player is one file, and one entry there.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from contienda.language import BadInput
from contienda.players.catalogue import PLAYERS
from contienda.specs import parse_spec

if TYPE_CHECKING:
    from contienda.core import Game
    from contienda.players.base import Player

__all__ = ["PLAYERS", "make_player"]


def make_player(spec: str, game: Game) -> Player:
    """The player that a spec describes, for this game.

    >>> from contienda.games import make_game
    >>> game = make_game("2048")
    >>> make_player("expectimax:depth=3", game).analyse(game.parse("2 2 4 8/0 0 0 0/0 0 0 0/0 0 0 0")).best
    'right'
    """
    from contienda.players.options import Options

    parsed = parse_spec(spec)
    info = PLAYERS.get(parsed.name)
    if info is None:
        known = ", ".join(PLAYERS)
        raise BadInput(f"no player {parsed.name!r}: there are {known}", f"no hay jugador {parsed.name!r}: hay {known}")
    options = Options(parsed, info)
    module, _, function = info.made_by.partition(":")
    player: Player = getattr(import_module(module), function)(game, options)
    return player
