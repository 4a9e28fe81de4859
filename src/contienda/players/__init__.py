"""Players by spec: ``"alphabeta:depth=5,eval=uma1"`` gives a player that chooses moves and analyses positions.

`contienda.players.catalogue` lists them all; a new player needs one file and one entry there. Users add their own as
``FILE.py:NAME``, ``package.module:NAME`` or under the entry point ``contienda.players``: see `contienda.players.own`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from contienda.core.extensions import installed, is_place, loadable
from contienda.core.language import BadInput
from contienda.core.specs import parse_spec
from contienda.players.catalogue import PLAYERS, PROGRAMS, PlayerInfo

if TYPE_CHECKING:
    from contienda.core.game import Game
    from contienda.players.base import Player

__all__ = ["GROUP", "PLAYERS", "PROGRAMS", "all_players", "make_player", "player_info"]

#: The entry points under which a package offers its players and searches.
GROUP = "contienda.players"


def make_player(spec: str, game: Game) -> Player:
    """Return the player that a spec describes, for this game.

    >>> from contienda.games import make_game
    >>> game = make_game("2048")
    >>> make_player("expectimax:depth=3", game).analyse(game.parse("2 2 4 8/0 0 0 0/0 0 0 0/0 0 0 0")).best
    'right'
    """
    from contienda.players.options import Options

    parsed = parse_spec(spec)
    info = player_info(parsed.name)
    info.check_features(game)
    options = Options(parsed, info)
    module, _, function = info.made_by.partition(":")
    player: Player = getattr(import_module(module), function)(game, options)
    return player


def all_players() -> list[PlayerInfo]:
    """Return every player: those of the catalogue and those of installed packages."""
    return [*PLAYERS.values(), *PROGRAMS.values(), *loadable(GROUP, player_info).values()]


def player_info(name: str) -> PlayerInfo:
    """Return the `PlayerInfo` of a name in the catalogue, or of a user's file or module."""
    if found := PLAYERS.get(name) or PROGRAMS.get(name):
        return found
    if is_place(name) or installed(GROUP, name):
        from contienda.players.own import own_info

        return own_info(name)
    known = ", ".join(PLAYERS)
    raise BadInput("no player {name!r}: there are {known}, or your own as FILE.py:FUNCTION", name=name, known=known)
