"""Short names for notebooks and scripts: `play` and `hint` take what a user types; what they return shows itself.

    >>> from contienda import hint
    >>> hint("tree", "max[min[3 12 8] min[2 4 6] min[14 5 2]]", "alphabeta").best
    '1'

The third is ``from contienda import trace``: the package of traces, which can be called in the same way.
"""

from __future__ import annotations

from contienda.compiled.rng import generator
from contienda.core.analysis import Analysis
from contienda.core.game import Game
from contienda.games import make_game
from contienda.match import Match, Played
from contienda.players import make_player

__all__ = ["hint", "play"]


def hint(game: str | Game, position: str | None = None, player: str | None = None) -> Analysis:
    """Return the value of every move in a position, best first.

    The position is the game's start unless you give one, the player the game's usual one.
    """
    played = game if isinstance(game, Game) else make_game(game, position)
    searcher = make_player(player or played.default_player, played)
    state = played.start(generator(0)) if position is None else searcher.read(position)
    return searcher.analyse(state)


def play(
    game: str | Game,
    player: str | None = None,
    opponent: str | None = None,
    *,
    seed: int = 0,
    target: int | None = None,
) -> Played:
    """Play one game and return it: the same game for the same seed.

    Players are the game's usual ones unless you name them. ``target`` ends a game such as 2048 at a tile.

    >>> play("tictactoe", "random", "random", seed=1).ended
    'over'
    """
    played = game if isinstance(game, Game) else make_game(game)
    specs = [player, opponent][: played.sides]
    players = [make_player(spec or played.default_player, played) for spec in specs]
    return Match(played, players, target).play(seed)
