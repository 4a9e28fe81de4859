"""Contienda's players as agents for Kaggle's ConnectX: functions of (observation, configuration)."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from contienda.core.game import MAX, MIN
from contienda.core.language import BadInput
from contienda.games.connect4 import Connect4, Stones
from contienda.players import make_player
from contienda.players.base import Player

__all__ = ["agent"]


def agent(spec: str) -> Callable[[Any, Any], int]:
    """Return an agent that plays like this player: it takes Kaggle's arguments and returns a column, 0 the leftmost.

    The player is compiled here, for the standard board, so that the first move does not wait for it.

    >>> from types import SimpleNamespace
    >>> play = agent("alphabeta:depth=2")
    >>> board = SimpleNamespace(board=[0] * 35 + [1, 1, 1, 0, 2, 2, 2], mark=1)
    >>> play(board, SimpleNamespace(rows=6, columns=7, inarow=4))
    3
    """
    _seated(spec, 6, 7, 4).player.compile()

    def play(observation: Any, configuration: Any) -> int:
        rows, columns, connect = (_read(configuration, key) for key in ("rows", "columns", "inarow"))
        game, player = _seated(spec, rows, columns, connect)
        state = _state(game, _read(observation, "board"))
        return game.action_number(state, player.analyse(state).best)

    return play


class _Seated(NamedTuple):
    """A player and its game."""

    game: Connect4
    player: Player


@lru_cache(maxsize=8)
def _seated(spec: str, rows: int, columns: int, connect: int) -> _Seated:
    game = Connect4(rows=rows, columns=columns, connect=connect)
    return _Seated(game, make_player(spec, game))


def _read(source: Any, key: str) -> Any:
    """Return a value of Kaggle's records, which may be dicts or objects with attributes."""
    try:
        return source[key] if isinstance(source, dict) else getattr(source, key)
    except (KeyError, AttributeError):
        raise BadInput("{key} is missing: this is no position of ConnectX", key=key) from None


def _state(game: Connect4, board: Any) -> Stones:
    """Return the position of Kaggle's list of cells, row by row from the top; 1 marks the first player."""
    cells = list(board)
    if len(cells) != game.rows * game.columns or any(cell not in (0, 1, 2) for cell in cells):
        raise BadInput("the board must have {count} cells of 0, 1 and 2", count=game.rows * game.columns)
    first, second = (
        sum(game.cell_bit(*divmod(i, game.columns)) for i, cell in enumerate(cells) if cell == owner)
        for owner in (1, 2)
    )
    state = Stones(first, second, MAX if first.bit_count() == second.bit_count() else MIN)
    game.format(state)  # raises BadInput if no game reaches it
    return state
