"""Searches around a guess: aspiration windows and MTD(f), both by calls of alpha-beta with narrower windows.

References: Kaindl, Shams and Horacek, "Minimax search algorithms with and without aspiration windows", 1991; Plaat,
Schaeffer, Pijls and de Bruin, "Best-first fixed-depth minimax algorithms", 1996 (MTD(f), fig. 4).
Contract: as alpha-beta's.
Cost: with a table and a good guess fewer nodes than one full window; with a bad guess more. The guess is the table's
value from a shallower search, or else the static evaluation. The hooks see each call as a child with the same position
(`contienda.search.hooks.AGAIN`).
"""

from __future__ import annotations

import numpy as np

from contienda.compiled.jit import njit
from contienda.search.hooks import AGAIN, SILENT, Hooks
from contienda.search.transposition import key, probe

__all__ = ["build_aspiration", "build_mtdf"]

#: Half the width of the first window, as a share of the guess and in the evaluator's own units.
_SHARE, _LEAST = 0.05, 1.0


def _build_guess(evaluate, jit):
    @jit(expand=True)
    def guess(state, run):
        entry = probe(run.memory.table, key(state))
        return entry.value if entry.found else 1.0 * evaluate(state, run.weights)

    return guess


def _build_look(value, hooks, jit):
    enter, leave = hooks.enter, hooks.leave

    @jit(expand=True)
    def look(state, depth, alpha, beta, run):
        """Return the value found with this window."""
        enter(run.log, AGAIN, alpha, beta)
        v = value(state, depth, alpha, beta, run)
        leave(run.log, v, alpha, beta)
        return v

    return look


def build_aspiration(value, evaluate, *, hooks: Hooks = SILENT, jit=njit):
    """Return a search that first tries a narrow window around the guess, and the whole one if the value is outside."""
    guess = _build_guess(evaluate, jit)
    look = _build_look(value, hooks, jit)

    @jit
    def aspiration(state, depth, alpha, beta, run):
        middle = guess(state, run)
        half = _LEAST + _SHARE * abs(middle)
        low, high = max(alpha, middle - half), min(beta, middle + half)
        if low < high:
            v = look(state, depth, low, high, run)
            inside = (low < v or low == alpha) and (v < high or high == beta)
            if inside or run.tally.nodes >= run.tally.budget:
                return v
        return look(state, depth, alpha, beta, run)

    return aspiration


def build_mtdf(value, evaluate, *, hooks: Hooks = SILENT, jit=njit):
    """Return a search by null windows: each call proves that the value is above or below a bound."""
    guess = _build_guess(evaluate, jit)
    look = _build_look(value, hooks, jit)

    @jit
    def mtdf(state, depth, alpha, beta, run):
        lower, upper = alpha, beta
        v = min(max(guess(state, run), lower), upper)
        while lower < upper:
            bound = np.nextafter(v, np.inf) if v == lower else v
            v = look(state, depth, np.nextafter(bound, -np.inf), bound, run)
            if run.tally.nodes >= run.tally.budget:
                return v
            if v < bound:
                upper = v
            else:
                lower = v
        return v

    return mtdf
