"""Carousel shaping: games start at each stage in turn, so that the late game is seen as often as the early one.

Reference: Jaśkowski, "Mastering 2048 with delayed temporal coherence learning, multistage weight promotion, redundant
encoding and carousel shaping", 2018. When a game enters a stage, its board is kept; games that start at a stage start
from one of these boards.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from contienda.compiled.jit import njit
from contienda.compiled.rng import below
from contienda.core.game import CHANCE
from contienda.evaluation.g2048.ntuple import Network
from contienda.evaluation.g2048.stages import build_stage
from contienda.games.g2048.board import Board
from contienda.learning.selfplay import first_board

__all__ = ["build_carousel", "build_no_carousel", "new_starts"]

#: Boards kept for each stage; the newest replace the oldest.
KEPT = 1000


def new_starts(stages: int) -> np.record:
    """Return an empty record of start boards by stage and of the next stage; ``reached`` counts games by stage."""
    layout = [
        ("next", np.int64),
        ("reached", np.int64, (stages,)),
        ("cells", np.int64, (stages, KEPT)),
    ]
    starts: np.record = np.zeros(1, np.dtype((np.record, layout)))[0]
    return starts


def build_carousel(network: Network) -> tuple[Callable[..., Board], Callable[..., None]]:
    """Return ``begin(rng, starts)``, the board to start a game from, and ``remember(log, starts)``, for after it."""
    stages = len(network.stages)

    @njit
    def begin(rng, starts):
        stage = starts.next
        starts.next = (stage + 1) % stages
        there = min(starts.reached[stage], KEPT)
        if stage == 0 or there == 0:
            starts.next = 1 % stages
            return first_board(rng)
        return Board(starts.cells[stage, below(rng, there)], 0, 0, CHANCE)

    return begin, _build_remember(network)


def build_no_carousel(network: Network) -> tuple[Callable[..., Board], Callable[..., None]]:
    """Return the same two functions for games that all start from the beginning."""

    @njit
    def begin(rng, starts):
        return first_board(rng)

    return begin, _remember_nothing if len(network.stages) == 1 else _build_remember(network)


@njit(cache=True)
def _remember_nothing(log, starts):
    pass


def _build_remember(network: Network) -> Callable[..., None]:
    stage_of = build_stage(network.stages)

    @njit
    def remember(log, starts):
        highest = stage_of(log.cells[0])
        for t in range(1, log.moves):
            stage = stage_of(log.cells[t])
            while highest < stage:
                highest += 1
                starts.cells[highest, starts.reached[highest] % KEPT] = log.cells[t]
                starts.reached[highest] += 1

    return remember
