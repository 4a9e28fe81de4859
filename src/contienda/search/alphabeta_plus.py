"""Alpha-beta with what chess programs taught it: a transposition table, move ordering, principal variation search.

References: Marsland, "A review of game-tree pruning", ICCA Journal, 1986; Plaat, "Research, re: search and re-search",
1996.
Each is a switch, so that one can see what it saves. None changes the value at the root.
Contract: as alpha-beta's, fail-soft (`contienda.search.alphabeta`). A value from the table is used only if it was
searched to this very depth: a deeper one would be better, and not the minimax value.
Cost: with good order near b^(depth/2), less what the table saves.

``weights`` is here the triple (the evaluator's weights, `contienda.search.ordering.new_notes`, a table or nothing).
"""

from __future__ import annotations

import numpy as np

from contienda.core import MAX, MAX_ACTIONS, Rules
from contienda.jit import bit, lowest, njit, without_lowest
from contienda.search.hooks import SILENT, Hooks
from contienda.search.ordering import next_by_notes, next_by_score, note_cutoff
from contienda.search.transposition import EXACT, LOWER, UPPER, key, probe, store

__all__ = ["build_alphabeta_plus"]


def build_alphabeta_plus(
    rules: Rules, evaluate, *, floor=-np.inf, table=False, order="none", pvs=False, hooks: Hooks = SILENT, jit=njit
):
    """The search for these rules and this evaluator, with these helpers switched on."""
    turn, candidates, successor, over, utility = (
        rules.turn,
        rules.candidates,
        rules.successor,
        rules.over,
        rules.utility,
    )
    enter, leave, cut, hit = hooks
    by_score = order == "static"
    by_notes = order in ("killers", "history")
    with_history = order == "history"

    @jit
    def value(state, depth, alpha, beta, weights, tally, log):
        own_weights, notes, entries = weights
        # 1. Leaves.
        tally.nodes += 1
        if over(state):
            tally.evaluations += 1
            return utility(state)
        if depth == 0:
            tally.evaluations += 1
            return evaluate(state, own_weights)
        if tally.nodes >= tally.budget:
            return 0.0

        # 2. What the table knows: the value, or at least a move to begin with.
        hash_move = -1
        state_key = 0
        if table:
            state_key = key(state)
            found, known_depth, bound, known, hash_move = probe(entries, state_key)
            enough = bound == EXACT or (bound == LOWER and known >= beta) or (bound == UPPER and known <= alpha)
            if found and known_depth == depth and enough:
                tally.hits += 1
                hit(log, known, alpha, beta)
                return known

        # 3. The moves, best first.
        maximising = turn(state) == MAX
        side = 0 if maximising else 1
        remaining = candidates(state)
        if by_score and depth > 1:
            unscored = remaining
            while unscored != 0:
                action = lowest(unscored)
                unscored = without_lowest(unscored)
                legal, child = successor(state, action)
                if not legal:
                    remaining &= ~bit(action)
                elif over(child):
                    notes.scores[MAX_ACTIONS * depth + action] = utility(child)
                else:
                    notes.scores[MAX_ACTIONS * depth + action] = evaluate(child, own_weights)

        lower, upper = alpha, beta
        best = floor if maximising else np.inf
        best_action = -1
        first = True
        while remaining != 0:
            if hash_move >= 0 and (remaining >> hash_move) & 1:
                action = hash_move
            elif by_score and depth > 1:
                action = next_by_score(remaining, maximising, depth, notes)
            elif by_notes:
                action = next_by_notes(remaining, side, depth, notes, with_history)
            else:
                action = lowest(remaining)
            remaining &= ~bit(action)
            legal, child = successor(state, action)
            if not legal:
                continue

            # 4. The first move with the whole window; the others need only prove that they are no better.
            if pvs and not first:
                low, high = (
                    (lower, np.nextafter(lower, np.inf)) if maximising else (np.nextafter(upper, -np.inf), upper)
                )
                enter(log, action, low, high)
                v = value(child, depth - 1, low, high, weights, tally, log)
                leave(log, v, low, high)
                if lower < v < upper:
                    enter(log, action, lower, upper)
                    v = value(child, depth - 1, lower, upper, weights, tally, log)
                    leave(log, v, lower, upper)
            else:
                enter(log, action, lower, upper)
                v = value(child, depth - 1, lower, upper, weights, tally, log)
                leave(log, v, lower, upper)
            if tally.nodes >= tally.budget:
                return 0.0
            first = False

            # 5. Better? Good enough to stop?
            if maximising:
                if v > best or best_action < 0:
                    best_action = action
                if v > best:
                    best = v
                if best > lower:
                    lower = best
            else:
                if v < best or best_action < 0:
                    best_action = action
                if v < best:
                    best = v
                if best < upper:
                    upper = best
            if lower >= upper:
                if by_notes:
                    note_cutoff(action, side, depth, notes)
                if remaining != 0:
                    tally.cutoffs += 1
                    cut(log, best, lower, upper)
                    break

        if first and best == -np.inf:
            tally.evaluations += 1
            best = evaluate(state, own_weights)

        # 6. Remember.
        if table:
            bound = UPPER if best <= alpha else LOWER if best >= beta else EXACT
            store(entries, state_key, depth, bound, best, best_action)
        return best

    return value
