"""By how much a weight changes when the value of a board was wrong by so much.

``step(i, amount, weights, memory)`` changes weight i and returns by how much. ``amount`` is the error of the board's
value, times the rate alpha, divided among the weights that made it up. Threads share the weights without locks: now and
then one's step overwrites another's, which costs nothing but that step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from contienda.compiled.jit import njit, prefetch
from contienda.compiled.rows import new_record, rows
from contienda.evaluation.afterstates import ask_for_weight
from contienda.evaluation.ntuple import Network

__all__ = ["METHODS", "Method", "new_memory"]


@njit(cache=True)
def _td_step(i, amount, weights, memory):
    """TD: the whole amount. Sutton, "Learning to predict by the methods of temporal differences", 1988."""
    rows(weights)[i] += amount
    return amount


@njit(cache=True)
def _tc_step(i, amount, weights, memory):
    """TC: as much of the amount as the steps so far agreed in their direction, |Σ amounts| / Σ |amounts|.

    Temporal coherence: Beal and Smith, "Temporal coherence and prediction decay in TD learning", 1999; for 2048
    Jaśkowski, "Mastering 2048 with delayed temporal coherence learning …", 2018.
    """
    sums = rows(memory)
    total = sums[i, 0]
    length = sums[i, 1]
    change = amount * abs(total) / length if length > np.float32(0) else amount
    rows(weights)[i] += change
    sums[i, 0] = total + amount
    sums[i, 1] = length + abs(amount)
    return change


@njit(cache=True)
def _tc_ahead(i, amount, weights, memory):
    prefetch(rows(weights), i)
    prefetch(rows(memory), i + i)
    return amount


class Method(NamedTuple):
    """A way to learn."""

    step: Callable[..., float]
    ahead: Callable[..., float]
    """The same call, some boards before: it asks the memory for what the step will need."""
    memory: int
    """Numbers that it remembers for each weight."""
    alpha: float
    """The rate that it is usually run with."""


#: The rates: TD as TDL2048 has it by default; TC lowers its rates by itself and begins with all.
METHODS = {"td": Method(_td_step, ask_for_weight, 0, 0.1), "tc": Method(_tc_step, _tc_ahead, 2, 1.0)}


def new_memory(network: Network, method: Method) -> np.record:
    """What a method remembers of each weight, all 0; `contienda.compiled.rows` gives the array.

    Pairs, so that one look at the memory brings both.
    """
    return new_record({}, (np.float32, (2,)), network.size if method.memory else 0)
