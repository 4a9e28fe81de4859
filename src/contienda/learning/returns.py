"""What the boards of a game should have been worth, learnt from its end backwards.

The value of an afterstate should be what the next move scored and what the board after it was worth. TD(0) believes the
network in that; λ mixes in what truly followed:

    target(t) = reward(t+1) + (1 - λ) V(t+1) + λ target(t+1),    target of the last board = 0

Of a game that was left before its end nobody knows what its last board was worth: there the network believes itself.

Reference: Sutton and Barto, "Reinforcement Learning", 2018, section 12.1 (the λ-return). Going backwards makes it one
line, and V(t+1) has already learnt when V(t) learns from it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from contienda.compiled.jit import njit
from contienda.evaluation.ntuple import Network, build_for_each, build_value
from contienda.learning.step import Method

__all__ = ["build_learn"]

#: Boards between asking the memory for weights and using them (1.25 times the speed; 2 to 8 do equally).
_AHEAD = 3


@cache
def build_learn(network: Network, method: Method) -> Callable[..., None]:
    """``learn(log, alpha, trace, weights, memory)``: the network learns from a game; ``trace`` is λ."""
    value = build_value(network)
    adjust = build_for_each(network, method.step)
    ask_ahead = build_for_each(network, method.ahead)
    lookups = network.lookups

    @njit
    def learn(log, alpha, trace, weights, memory):
        rate = alpha / lookups
        target = value(log.cells[log.moves - 1], weights) if log.unfinished else 0.0
        for t in range(log.moves - 1, -1, -1):
            if t >= _AHEAD:
                ask_ahead(log.cells[t - _AHEAD], np.float32(0), weights, memory)
            cells = log.cells[t]
            worth = value(cells, weights)
            worth += adjust(cells, np.float32(rate * (target - worth)), weights, memory)
            target = log.reward[t] + (1 - trace) * worth + trace * target

    return learn
