"""Carousel shaping: games begin at each stage in turn, so that the late game is seen as often as the early one.

Reference: Jaśkowski, "Mastering 2048 with delayed temporal coherence learning, multistage weight promotion, redundant
encoding and carousel shaping", 2018. A game that comes into a stage leaves the board with which it did; a game that
begins there begins with one of those.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from contienda.compiled.jit import njit
from contienda.compiled.rng import below
from contienda.core.game import CHANCE
from contienda.evaluation.ntuple import Network
from contienda.evaluation.stages import build_stage
from contienda.games.g2048.board import Board
from contienda.learning.selfplay import first_board

__all__ = ["build_carousel", "build_no_carousel", "new_starts"]

#: Boards kept for each stage; the newest take the place of the oldest.
KEPT = 1000


def new_starts(stages: int) -> np.record:
    """Where games of each stage begin, and which stage is next; ``reached`` counts the games that came so far."""
    layout = [
        ("next", np.int64),
        ("reached", np.int64, (stages,)),
        ("cells", np.int64, (stages, KEPT)),
    ]
    starts: np.record = np.zeros(1, np.dtype((np.record, layout)))[0]
    return starts


def build_carousel(network: Network) -> tuple[Callable[..., Board], Callable[..., None]]:
    """``begin(rng, starts)``: the board that the next game begins with. ``remember(log, starts)``: after it."""
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
    """The same two for games that all begin at the beginning."""

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
