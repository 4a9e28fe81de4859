"""Compiled functions that read a position, for evaluators of your own: a module for each game, named after it.

Those of 2048 are `contienda.games.g2048.helpers`. In all of them rows and columns count from 0 at the top left, as the
board is drawn, and ``player`` is `MAX`, the player to move at the root of the search, or `MIN`. What is beyond the
board is refused.
"""

from __future__ import annotations

__all__ = ["NO_CELL", "NO_STONE"]

#: Compiled code raises constant texts only; `contienda.evaluation.failing` translates these.
NO_CELL = "no such cell: rows and columns count from 0"
NO_STONE = "no such stone: they count from 1"
