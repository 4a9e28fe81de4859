"""Adds to the moves that a player has valued their chances by endgame tables (`contienda.tables`)."""

from __future__ import annotations

import numpy as np

from contienda.core.analysis import InWords, MoveValue
from contienda.core.game import Game, State
from contienda.core.language import Text
from contienda.tables.table_file import table_files

__all__ = ["with_chances"]


def with_chances(game: Game, state: State, moves: list[MoveValue]) -> list[MoveValue]:
    """Return the moves with their chances by a table: "97.3 % to make the 16384"."""
    if "tables" not in game.features or not table_files():
        return moves
    from contienda.tables.shelf import open_shelf, table_chances  # imports compiled code that few users need

    shelf = open_shelf()
    chances = np.zeros(4)
    fit = table_chances(state, shelf.record, chances, True)
    if fit.table < 0:
        return moves
    by_name = {game.action_name(state, action): chances[action] for action in game.legal_actions(state)}
    told = {name: _meaning(float(chance), 1 << fit.made) for name, chance in by_name.items() if not np.isnan(chance)}
    return [move._replace(meaning=told.get(move.move, move.meaning)) for move in moves]


def _meaning(chance: float, tile: int) -> InWords:
    if chance == 0:
        return InWords(Text("gives up the {tile} for now", tile=tile), "0 %")
    told = Text("{percent:.1f} % to make the {tile}", percent=100 * chance, tile=tile)
    return InWords(told, f"{100 * chance:.1f} %")
