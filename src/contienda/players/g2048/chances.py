"""Adds to the moves that a player has valued their chances: by endgame tables, or by what the network expects."""

from __future__ import annotations

import math

import numpy as np

from contienda.core.analysis import InWords, MoveValue
from contienda.core.game import Game, State
from contienda.core.language import Text
from contienda.games.g2048.board import largest_rank, potential, score
from contienda.tables.table_file import table_files

__all__ = ["TILES", "points_of", "with_chances"]

#: The chance to make a tile from the final score v that the network expects, and `points_of` the tile, s:
#: 1 / (1 + exp(-(a + b ln(v / s)))). From 1,500 games of the network alone, whose largest tile was half of it, or less
#: than 2048 (python benchmarks/chances.py 1500). On games that were not fitted, groups of equal chance were off by 0.03
#: at most; by 0.13 for 32768, which few games make. Nothing was seen of 65536.
TILES = {2048: (-9.82, 6.82), 4096: (-5.55, 6.30), 8192: (-3.17, 6.70), 16384: (-0.43, 6.91), 32768: (-0.38, 4.65)}

#: The evaluator whose values these are: the shipped network.
_NETWORK = "ntuple"


def points_of(tile: int) -> int:
    """Return the points of making a tile from twos.

    >>> points_of(8)
    16
    """
    return (tile.bit_length() - 2) * tile


def with_chances(game: Game, state: State, moves: list[MoveValue], evaluator: str) -> list[MoveValue]:
    """Return the moves with their chances: by a table, instead of the value; by the network, beside it."""
    if "tables" not in game.features:
        return moves
    if evaluator == _NETWORK:
        moves = [move._replace(remark=_expected(state, move.value)) for move in moves]
    if not table_files():
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


def _expected(state: State, value: float) -> Text | None:
    """Return the chance of the next large tile, twice the largest, where the network expects this final score."""
    tile = max(2 << int(largest_rank(state)), min(TILES))
    if tile not in TILES or not math.isfinite(value):
        return None
    # A position may be given without the points that led to it; fours that appeared take a fiftieth of them at most.
    lacking = max(0.98 * int(potential(state)) - int(score(state)), 0.0)
    a, b = TILES[tile]
    exponent = a + b * math.log(max(value + lacking, 1.0) / points_of(tile))
    percent = min(max(round(100 / (1 + math.exp(-exponent))), 1), 99)
    return Text("about {percent} % to make the {tile}", percent=percent, tile=tile)


def _meaning(chance: float, tile: int) -> InWords:
    if chance == 0:
        return InWords(Text("gives up the {tile} for now", tile=tile), "0 %")
    told = Text("{percent:,.1f} % to make the {tile}", percent=100 * chance, tile=tile)
    return InWords(told, f"{100 * chance:.1f} %")
