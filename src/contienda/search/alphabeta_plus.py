"""Alpha-beta with the techniques of chess programs: transposition table, move ordering, principal variation search.

References: Marsland, "A review of game-tree pruning", ICCA Journal, 1986; Plaat, "Research, re: search and re-search",
1996.
Each can be switched off, so that you can measure what it saves. None changes the value at the root.
Contract: that of alpha-beta, fail-soft (`contienda.search.alphabeta`). A table value is used only if it was searched to
exactly this depth: a deeper one would be better, but not the minimax value.
Cost: with good order near b^(depth/2), less what the table saves.

The search uses ``run.memory.table`` if it has a table, and ``run.memory.notes`` if it orders moves.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from contienda.compiled.jit import bit, lowest, njit, without_lowest
from contienda.core.game import MAX, MAX_ACTIONS, MIN, Rules
from contienda.search.hooks import SILENT, Hooks
from contienda.search.ordering import next_by_notes, next_by_score, note_cutoff
from contienda.search.steps import Child, build_steps
from contienda.search.transposition import EXACT, LOWER, UPPER, key, probe, store

__all__ = ["Best", "Known", "build_alphabeta_plus"]


class Known(NamedTuple):
    """What the table knows about a state: its value, or at least a move to try first."""

    enough: bool
    """The value is as good as searched."""
    value: float
    move: int
    """The best move of an earlier search; -1 for none."""
    key: int


class Best(NamedTuple):
    """The best move so far, and its value."""

    value: float
    move: int


def build_alphabeta_plus(
    rules: Rules, evaluate, *, floor=-np.inf, table=False, order="none", pvs=False, hooks: Hooks = SILENT, jit=njit
):
    """Return the search for these rules and this evaluator, with these options."""
    turn, candidates, successor, over, utility = (
        rules.turn,
        rules.candidates,
        rules.successor,
        rules.over,
        rules.utility,
    )
    steps = build_steps(rules, evaluate, floor=floor, hooks=hooks, jit=jit)
    leaf_at, initial_value, visit, cut_off = steps.leaf_at, steps.initial_value, steps.visit_within, steps.cut_off
    hit = hooks.hit
    ends_by_evaluator = rules.ends_by_evaluator
    by_score = order == "static"
    by_notes = order in ("killers", "history")
    with_history = order == "history"

    @jit(expand=True)
    def look_up(state, depth, alpha, beta, run):
        """Return what the table knows about this state at this depth, for this window."""
        if table:
            state_key = key(state)
            entry = probe(run.memory.table, state_key)
            above = entry.bound == LOWER and entry.value >= beta
            below = entry.bound == UPPER and entry.value <= alpha
            if entry.found and entry.depth == depth and (entry.bound == EXACT or above or below):
                run.tally.hits += 1
                hit(run.log, entry.value, alpha, beta)
                return Known(True, entry.value, entry.move, state_key)
            return Known(False, 0.0, entry.move, state_key)
        return Known(False, 0.0, -1, 0)

    @jit(expand=True)
    def moves_of(state, depth, run):
        """The set of candidates; if they are ordered by looks, the legal ones, and their scores in the notes."""
        left = candidates(state)
        if by_score and depth > 1:
            unscored = left
            while unscored != 0:
                action = lowest(unscored)
                unscored = without_lowest(unscored)
                legal, after = successor(state, action)
                if not legal:
                    left &= ~bit(action)
                else:
                    by_rules = over(after) and not ends_by_evaluator
                    looks = utility(after) if by_rules else evaluate(after, run.weights)
                    run.memory.notes.scores[MAX_ACTIONS * depth + action] = looks
        return left

    @jit(inline=True)
    def next_child(state, left, known, mover, depth, run):
        """Return the child of the most promising legal action among those left."""
        while left != 0:
            if known.move >= 0 and (left >> known.move) & 1:
                action = known.move
            elif by_score and depth > 1:
                action = next_by_score(left, mover == MAX, depth, run.memory.notes)
            elif by_notes:
                action = next_by_notes(left, mover, depth, run.memory.notes, with_history)
            else:
                action = lowest(left)
            left &= ~bit(action)
            legal, after = successor(state, action)
            if legal:
                return Child(True, action, after, left)
        return Child(False, -1, state, 0)

    @jit(expand=True)
    def visit_in_turn(child, is_first, depth, alpha, beta, mover, run):
        """Return the value of a child; with PVS, of a later one by a null window, and again in full if it is better."""
        low, high = alpha, beta
        if pvs and not is_first:
            low = alpha if mover == MAX else np.nextafter(beta, -np.inf)
            high = np.nextafter(alpha, np.inf) if mover == MAX else beta
        v = visit(value, child, depth, low, high, run)
        if pvs and not is_first and alpha < v < beta:
            v = visit(value, child, depth, alpha, beta, run)
        return v

    @jit(expand=True)
    def better(best, v, child, mover):
        """Return the best move so far, given that this child is worth v."""
        if v > best.value if mover == MAX else v < best.value:
            return Best(v, child.action)
        return best

    @jit(expand=True)
    def refute(child, best, depth, alpha, beta, mover, run):
        """Remember the move that cut off. It is a cut-off only if it skips something."""
        if by_notes:
            note_cutoff(child.action, mover, depth, run.memory.notes)
        if child.left != 0:
            cut_off(best.value, alpha, beta, run)

    @jit(expand=True)
    def remember(known, depth, alpha, beta, best, run):
        """Store the value in the table, and whether it is exact or a bound."""
        if table:
            bound = UPPER if best.value <= alpha else LOWER if best.value >= beta else EXACT
            store(run.memory.table, known.key, depth, bound, best.value, best.move)

    @jit
    def value(state, depth, alpha, beta, run):
        leaf = leaf_at(state, depth, run)
        if leaf.reached:
            return leaf.value
        known = look_up(state, depth, alpha, beta, run)
        if known.enough:
            return known.value
        mover, lower, upper = turn(state), alpha, beta
        first = child = next_child(state, moves_of(state, depth, run), known, mover, depth, run)
        best = Best(initial_value(state, mover, first, run), first.action)
        while child.exists:
            v = visit_in_turn(child, child.action == first.action, depth - 1, lower, upper, mover, run)
            if run.tally.nodes >= run.tally.budget:
                return 0.0  # stopped: the value means nothing
            best = better(best, v, child, mover)
            lower = max(lower, best.value) if mover == MAX else lower
            upper = min(upper, best.value) if mover == MIN else upper
            if lower >= upper:
                refute(child, best, depth, lower, upper, mover, run)
                break
            child = next_child(state, child.left, known, mover, depth, run)
        remember(known, depth, alpha, beta, best, run)
        return best.value

    return value
