"""Searching with a guess: aspiration windows and MTD(f), both by calls of alpha-beta with narrower windows.

References: Kaindl, Shams and Horacek, "Minimax search algorithms with and without aspiration windows", 1991; Plaat,
Schaeffer, Pijls and de Bruin, "Best-first fixed-depth minimax algorithms", 1996 (MTD(f), fig. 4).
Contract: as alpha-beta's. Cost: with a table and a good guess fewer nodes than one full window; with a bad guess more.
The guess is what the table remembers of the position from a shallower search, or else what it looks like.
Each call is told to the hooks as a child that is the same position (`contienda.search.hooks.AGAIN`).
"""

from __future__ import annotations

import numpy as np

from contienda.jit import njit
from contienda.search.hooks import AGAIN, SILENT, Hooks
from contienda.search.transposition import key, probe

__all__ = ["build_aspiration", "build_mtdf"]

#: Half the width of the first window, as a share of the guess and in the evaluator's own units.
_SHARE, _LEAST = 0.05, 1.0


def _build_guess(evaluate, jit):
    @jit
    def guess(state, weights):
        own_weights, _, entries = weights
        found, _, _, known, _ = probe(entries, key(state))
        return known if found else evaluate(state, own_weights)

    return guess


def _build_look(value, hooks, jit):
    enter, leave = hooks.enter, hooks.leave

    @jit
    def look(state, depth, alpha, beta, weights, tally, log):
        """The value through this window."""
        enter(log, AGAIN, alpha, beta)
        v = value(state, depth, alpha, beta, weights, tally, log)
        leave(log, v, alpha, beta)
        return v

    return look


def build_aspiration(value, evaluate, *, hooks: Hooks = SILENT, jit=njit):
    """Look first through a narrow window around the guess; only if the value lies outside, through the whole one."""
    guess = _build_guess(evaluate, jit)
    look = _build_look(value, hooks, jit)

    @jit
    def aspiration(state, depth, alpha, beta, weights, tally, log):
        middle = guess(state, weights)
        half = _LEAST + _SHARE * abs(middle)
        low, high = max(alpha, middle - half), min(beta, middle + half)
        if low < high:
            v = look(state, depth, low, high, weights, tally, log)
            inside = (low < v or low == alpha) and (v < high or high == beta)
            if inside or tally.nodes >= tally.budget:
                return v
        return look(state, depth, alpha, beta, weights, tally, log)

    return aspiration


def build_mtdf(value, evaluate, *, hooks: Hooks = SILENT, jit=njit):
    """Close in on the value by windows of no width: each call proves it to be above or below a bound."""
    guess = _build_guess(evaluate, jit)
    look = _build_look(value, hooks, jit)

    @jit
    def mtdf(state, depth, alpha, beta, weights, tally, log):
        lower, upper = alpha, beta
        v = min(max(guess(state, weights), lower), upper)
        while lower < upper:
            bound = np.nextafter(v, np.inf) if v == lower else v
            v = look(state, depth, np.nextafter(bound, -np.inf), bound, weights, tally, log)
            if tally.nodes >= tally.budget:
                return v
            if v < bound:
                upper = v
            else:
                lower = v
        return v

    return mtdf
