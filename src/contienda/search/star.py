"""*-minimax: cut-offs at chance nodes, by what the outcomes not yet looked at can be worth at the best or the worst.

References: Ballard, "The *-minimax search procedure for trees containing chance nodes", 1983 (Star1, Star2); Hauk, Buro
and Schaeffer, "Rediscovering *-minimax search", 2004.

Alpha-beta stops at a node when nothing left can matter. At a chance node everything left matters, so expectimax seems
to have no cut-offs. But if no value lies outside known bounds (low, high), an average lies between

    what was found so far + low × the probability left    and    what was found so far + high × the probability left,

and these close in on each other with every outcome. As soon as the second is no more than alpha, or the first no less
than beta, the rest cannot matter. So an outcome of probability p gets the window outside of which it would decide that.

- *Star1* is this.
- *Star2* looks beforehand at one reply to each outcome. Where MAX replies, the outcome is worth at least what this
  reply is worth; where MIN does, at most. Often these bounds alone decide. A game without an opponent never gives them
  a chance: nobody brings beta down, so there is nothing that MAX's replies could prove, and Star2 is Star1.

Contract, v being the value returned and m that of plain expectiminimax at the same depth:

    alpha < v < beta    v == m, bit for bit: the same sums in the same order
    v <= alpha          m <= alpha, and m <= v but for rounding
    v >= beta           m >= beta, and m >= v but for rounding

Assumes that evaluator and ended games stay within the bounds: if they do not, the value is wrong, and nothing tells.
Cost: Star1 never visits more than expectimax; the tighter the bounds, and the better the first moves, the less. Star2
visits what it has probed a second time where the probe did not decide.

``weights`` is here the pair (the evaluator's weights, `new_probes` for Star2 or nothing).
"""

from __future__ import annotations

import numpy as np

from contienda.core import CHANCE, MAX, MAX_ACTIONS, MIN, Limit, Rules
from contienda.jit import lowest, njit, without_lowest
from contienda.search.hooks import SILENT, Hooks

__all__ = ["build_star", "new_probes"]

#: A cut-off must be sure by this share of the bounds. It is more than all rounding, and than probabilities that were
#: written with ten decimals: so rounding never turns a value that matters into one that does not.
_SURE = 1e-6

_SLOTS = (Limit.DEEPEST + 1) * MAX_ACTIONS
_PROBES = np.dtype((np.record, [("least", np.float64, (_SLOTS,)), ("most", np.float64, (_SLOTS,))]))


def new_probes() -> np.record:
    """Room for the bounds that probes give to the outcomes of the node at each depth."""
    probes: np.record = np.zeros(1, _PROBES)[0]
    return probes


def build_star(rules: Rules, evaluate, *, low, high, probing=False, floor=-np.inf, hooks: Hooks = SILENT, jit=njit):
    """The search for these rules and this evaluator, whose values lie from low to high; ``probing`` makes it Star2."""
    turn, candidates, successor, probability = rules.turn, rules.candidates, rules.successor, rules.probability
    over, utility = rules.over, rules.utility
    enter, leave, cut, _ = hooks
    slack = _SURE * max(abs(low), abs(high))

    @jit
    def first_reply(state):
        """The first legal action of a state, -1 if there is none, and the state after it."""
        remaining = candidates(state)
        while remaining != 0:
            action = lowest(remaining)
            remaining = without_lowest(remaining)
            legal, after = successor(state, action)
            if legal:
                return action, after
        return -1, state

    @jit
    def value(state, depth, alpha, beta, weights, tally, log):
        own_weights, probes = weights
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

        kind = turn(state)
        if kind == CHANCE:
            # The outcomes not searched yet add at least and at most this to the average.
            least, most = low, high

            # 2. Star2: one reply to each outcome narrows what it can be worth.
            probed = False
            if probing:
                probed = depth > 1 and (alpha > -np.inf or beta < np.inf)
                remaining = candidates(state) if probed else 0
                while remaining != 0:
                    action = lowest(remaining)
                    remaining = without_lowest(remaining)
                    slot = MAX_ACTIONS * depth + action
                    probes.least[slot] = low
                    probes.most[slot] = high
                    legal, child = successor(state, action)
                    p = probability(state, action)
                    if not legal or p == 0 or over(child):
                        continue
                    replier = turn(child)
                    if not ((replier == MAX and beta < np.inf) or (replier == MIN and alpha > -np.inf)):
                        continue
                    reply, after = first_reply(child)
                    if reply < 0:
                        continue
                    tally.nodes += 1
                    # A window open to one side: its value is a bound to the other, whatever comes.
                    a, b = -np.inf, np.inf
                    if replier == MAX:
                        b = (beta + slack - (least - p * low)) / p
                    else:
                        a = (alpha - slack - (most - p * high)) / p
                    enter(log, action, a, b)
                    enter(log, reply, a, b)
                    v = value(after, depth - 2, a, b, weights, tally, log)
                    leave(log, v, a, b)
                    leave(log, v, a, b)
                    if tally.nodes >= tally.budget:
                        return 0.0
                    if replier == MAX:
                        probes.least[slot] = v
                        least += p * (v - low)
                    else:
                        probes.most[slot] = v
                        most += p * (v - high)
                    if least >= beta + slack or most <= alpha - slack:
                        tally.cutoffs += 1
                        cut(log, v, alpha, beta)
                        return least if least >= beta + slack else most

            # 3. Star1: every outcome with the window in which it leaves the average undecided.
            mean = 0.0
            remaining = candidates(state)
            while remaining != 0:
                action = lowest(remaining)
                remaining = without_lowest(remaining)
                legal, child = successor(state, action)
                p = probability(state, action)
                if not legal or p == 0:
                    continue
                if probing and probed:
                    slot = MAX_ACTIONS * depth + action
                    least -= p * probes.least[slot]
                    most -= p * probes.most[slot]
                else:
                    least -= p * low
                    most -= p * high
                a = (alpha - slack - mean - most) / p
                b = (beta + slack - mean - least) / p
                enter(log, action, a, b)
                v = value(child, depth - 1, a, b, weights, tally, log)
                leave(log, v, a, b)
                mean += p * v
                if v <= a or v >= b:
                    if remaining != 0:
                        tally.cutoffs += 1
                        cut(log, v, a, b)
                    return mean + most if v <= a else mean + least
            return mean

        # 4. MAX and MIN: alpha-beta.
        maximising = kind == MAX
        best = floor if maximising else np.inf
        stuck = True
        remaining = candidates(state)
        while remaining != 0:
            action = lowest(remaining)
            remaining = without_lowest(remaining)
            legal, child = successor(state, action)
            if not legal:
                continue
            stuck = False
            enter(log, action, alpha, beta)
            v = value(child, depth - 1, alpha, beta, weights, tally, log)
            leave(log, v, alpha, beta)
            if maximising:
                best = max(best, v)
                alpha = max(alpha, best)
            else:
                best = min(best, v)
                beta = min(beta, best)
            if alpha >= beta and remaining != 0:
                tally.cutoffs += 1
                cut(log, best, alpha, beta)
                break
        if stuck and best == -np.inf:
            tally.evaluations += 1
            return evaluate(state, own_weights)
        return best

    return value
