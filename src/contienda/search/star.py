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
  a chance: beta never comes down, so MAX's replies can prove nothing, and Star2 is Star1.

Contract, v being the value returned and m that of plain expectiminimax at the same depth:

    alpha < v < beta    v == m, bit for bit: the same sums in the same order
    v <= alpha          m <= alpha, and m <= v up to rounding
    v >= beta           m >= beta, and m >= v up to rounding

Assumes that evaluator and ended games stay within the bounds: if they do not, the value is wrong, and nothing tells.
Cost: Star1 never visits more than expectimax; the tighter the bounds, and the better the first moves, the less. Star2
visits what it has probed a second time where the probe did not decide.

Star2 keeps the bounds that it found in ``run.memory.probes`` (`new_probes`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from contienda.compiled.jit import njit
from contienda.core.analysis import Limit
from contienda.core.game import CHANCE, MAX, MAX_ACTIONS, MIN, Rules
from contienda.search.hooks import SILENT, Hooks
from contienda.search.steps import build_steps

__all__ = ["Bounds", "build_star", "new_probes"]

#: A cut-off must be sure by this share of the bounds. It is more than all rounding, and than probabilities that were
#: written with ten decimals: so rounding never turns a value that matters into one that does not.
_SURE = 1e-6

_SLOTS = (Limit.DEEPEST + 1) * MAX_ACTIONS
_PROBES = np.dtype((np.record, [("least", np.float64, (_SLOTS,)), ("most", np.float64, (_SLOTS,))]))


def new_probes() -> np.record:
    """Room for the bounds that probes give to the outcomes of the node at each depth."""
    probes: np.record = np.zeros(1, _PROBES)[0]
    return probes


class Bounds(NamedTuple):
    """What the average at a chance node lies between, after probing; decided: the window learns no more from it."""

    decided: bool
    value: float
    """If decided, what to return."""
    least: float
    most: float


def build_star(rules: Rules, evaluate, *, low, high, probing=False, floor=-np.inf, hooks: Hooks = SILENT, jit=njit):
    """The search for these rules and this evaluator, whose values lie from low to high; ``probing`` makes it Star2."""
    steps = build_steps(rules, evaluate, floor=floor, hooks=hooks, jit=jit)
    leaf_at, initial_value, cut_off = steps.leaf_at, steps.initial_value, steps.cut_off
    candidates, next_child, visit = rules.candidates, steps.next_child, steps.visit_within
    turn, probability, over = rules.turn, rules.probability, rules.over
    enter, leave = hooks.enter, hooks.leave
    slack = _SURE * max(abs(low), abs(high))

    @jit(expand=True)
    def worth_probing(child, p, alpha, beta):
        """Whether a reply to this outcome can prove anything: MAX's that it is worth beta, MIN's no more than alpha."""
        if p == 0 or over(child.state):
            return False
        replier = turn(child.state)
        return (replier == MAX and beta < np.inf) or (replier == MIN and alpha > -np.inf)

    @jit(expand=True)
    def visit_reply(child, reply, depth, a, b, run):
        """The value of one reply to an outcome."""
        run.tally.nodes += 1
        enter(run.log, child.action, a, b)
        enter(run.log, reply.action, a, b)
        v = value(reply.state, depth, a, b, run)
        leave(run.log, v, a, b)
        leave(run.log, v, a, b)
        return v

    @jit(expand=True)
    def probed(state, depth, alpha, beta, run):
        """Star2: one reply to each outcome narrows what it can be worth."""
        least, most, probes = low, high, run.memory.probes
        child = next_child(state, candidates(state))
        while child.exists:
            slot = MAX_ACTIONS * depth + child.action
            probes.least[slot] = low
            probes.most[slot] = high
            p = probability(state, child.action)
            if worth_probing(child, p, alpha, beta):
                reply = next_child(child.state, candidates(child.state))
                if reply.exists:
                    # A window open to one side: its value is a bound to the other, whatever comes.
                    by_max = turn(child.state) == MAX
                    a = -np.inf if by_max else (alpha - slack - (most - p * high)) / p
                    b = (beta + slack - (least - p * low)) / p if by_max else np.inf
                    v = visit_reply(child, reply, depth - 2, a, b, run)
                    if run.tally.nodes >= run.tally.budget:
                        return Bounds(True, 0.0, least, most)
                    if by_max:
                        probes.least[slot] = v
                        least += p * (v - low)
                    else:
                        probes.most[slot] = v
                        most += p * (v - high)
                    if least >= beta + slack or most <= alpha - slack:
                        cut_off(v, alpha, beta, run)
                        return Bounds(True, least if least >= beta + slack else most, least, most)
            child = next_child(state, child.left)
        return Bounds(False, 0.0, least, most)

    @jit(expand=True)
    def chance_value(state, depth, alpha, beta, bounds, by_probes, run):
        """Star1: every outcome with the window in which it leaves the average undecided."""
        # The outcomes not searched yet add at least and at most this to the mean.
        least, most = bounds.least, bounds.most
        mean = 0.0
        child = next_child(state, candidates(state))
        while child.exists:
            p = probability(state, child.action)
            if p != 0:
                if probing and by_probes:
                    slot = MAX_ACTIONS * depth + child.action
                    least -= p * run.memory.probes.least[slot]
                    most -= p * run.memory.probes.most[slot]
                else:
                    least -= p * low
                    most -= p * high
                a = (alpha - slack - mean - most) / p
                b = (beta + slack - mean - least) / p
                v = visit(value, child, depth - 1, a, b, run)
                mean += p * v
                if v <= a or v >= b:
                    if child.left != 0:
                        cut_off(v, a, b, run)
                    return mean + most if v <= a else mean + least
            child = next_child(state, child.left)
        return mean

    @jit(expand=True)
    def move_value(state, depth, alpha, beta, run):
        """MAX and MIN: alpha-beta."""
        mover, child = turn(state), next_child(state, candidates(state))
        best = initial_value(state, mover, child, run)
        while child.exists:
            v = visit(value, child, depth - 1, alpha, beta, run)
            if mover == MAX:
                best = max(best, v)
                alpha = max(alpha, best)
            else:
                best = min(best, v)
                beta = min(beta, best)
            if alpha >= beta and child.left != 0:
                return cut_off(best, alpha, beta, run)
            child = next_child(state, child.left)
        return best

    @jit
    def value(state, depth, alpha, beta, run):
        leaf = leaf_at(state, depth, run)
        if leaf.reached:
            return leaf.value
        if turn(state) != CHANCE:
            return move_value(state, depth, alpha, beta, run)
        bounds = Bounds(False, 0.0, low, high)
        by_probes = depth > 1 and (alpha > -np.inf or beta < np.inf)
        if probing and by_probes:
            bounds = probed(state, depth, alpha, beta, run)
            if bounds.decided:
                return bounds.value
        return chance_value(state, depth, alpha, beta, bounds, by_probes, run)

    return value
