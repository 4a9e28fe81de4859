"""How a weight changes for a given error of a board's value.

``step(i, amount, weights, memory)`` changes weight i and returns the change. ``amount`` is the error of the board's
value, times the rate alpha, divided by the number of weights in the sum. Threads share the weights without locks: now
and then one step overwrites another, which costs only that step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from contienda.compiled.jit import njit, prefetch
from contienda.compiled.rows import new_record, rows
from contienda.core.language import BadInput
from contienda.evaluation.g2048.afterstates import ask_for_weight
from contienda.evaluation.g2048.ntuple import Network

__all__ = ["METHODS", "Method", "check_method", "new_memory"]


@njit(cache=True)
def _td_step(i, amount, weights, memory):
    """TD: add the whole amount. Sutton, "Learning to predict by the methods of temporal differences", 1988."""
    rows(weights)[i] += amount
    return amount


@njit(cache=True)
def _tc_step(i, amount, weights, memory):
    """TC: scale the amount by how much the steps so far agreed in direction, |Σ amounts| / Σ |amounts|.

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
    """A learning method."""

    step: Callable[..., float]
    ahead: Callable[..., float]
    """The same call, some boards ahead: it prefetches what the step will need."""
    memory: int
    """Numbers kept for each weight."""
    alpha: float
    """The default rate."""


#: The rates: for TD, TDL2048's default; TC lowers its rates itself and starts with 1.
METHODS = {"td": Method(_td_step, ask_for_weight, 0, 0.1), "tc": Method(_tc_step, _tc_ahead, 2, 1.0)}


def check_method(name: str, alpha: float, trace: float) -> None:
    """Raise `BadInput` unless these are a method, a rate and a decay of the trace."""
    if name not in METHODS:
        raise BadInput("no method {method!r}: there are {known}", method=name, known=", ".join(METHODS))
    if not 0 < alpha <= 1:
        raise BadInput("alpha {alpha:g} must be above 0, at most 1", alpha=alpha)
    if not 0 <= trace <= 1:
        raise BadInput("lambda {trace:g} must be from 0 to 1", trace=trace)


def new_memory(network: Network, method: Method) -> np.record:
    """Return a method's memory for each weight, all 0; `contienda.compiled.rows` returns the array.

    In pairs, so that one memory access brings both.
    """
    return new_record({}, (np.float32, (2,)), network.size if method.memory else 0)
