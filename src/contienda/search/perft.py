"""Perft: counts the sequences of moves of a game, by length. A wrong rule shows in the number.

Reference: the "performance test" of chess move generators; Chess Programming Wiki, "Perft". For most games the numbers
are published.
Contract: counts the sequences of exactly ``depth`` actions, moves and outcomes of chance alike. Games that ended
earlier are counted separately, because published tables differ on this.
Cost: visits every node above the last level.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from contienda.compiled.jit import lowest, njit, without_lowest
from contienda.core.game import Rules, State

__all__ = ["Counted", "build_perft", "count_leaves"]


class Counted(NamedTuple):
    """The sequences of one length."""

    leaves: int
    ended: int
    """Games that ended before they were as long as that."""


def build_perft(rules: Rules, *, jit=njit):
    """Return ``perft(state, depth, tally)`` -> (leaves, games that ended earlier), for a depth of 1 or more."""
    candidates, successor, over = rules.candidates, rules.successor, rules.over

    @jit
    def perft(state, depth, tally):
        tally.nodes += 1
        if over(state):
            return 0, 1
        leaves = ended = children = 0
        remaining = candidates(state)
        while remaining != 0 and tally.nodes < tally.budget:
            action = lowest(remaining)
            remaining = without_lowest(remaining)
            legal, child = successor(state, action)
            if not legal:
                continue
            children += 1
            if depth > 1:
                more, finished = perft(child, depth - 1, tally)
                leaves += more
                ended += finished
        if children == 0:
            return 0, 1
        return (leaves, ended) if depth > 1 else (children, 0)

    return perft


def count_leaves(perft, state: State, depth: int, tally: np.record) -> Counted | None:
    """Return the number of sequences, by a function of `build_perft`; None if it was stopped."""
    leaves, ended = perft(state, depth, tally)
    return None if tally.nodes >= tally.budget else Counted(int(leaves), int(ended))
