"""*-minimax: cut-offs at chance nodes, from the best and worst possible values of the outcomes not yet searched.

References: Ballard, "The *-minimax search procedure for trees containing chance nodes", 1983 (Star1, Star2); Hauk, Buro
and Schaeffer, "Rediscovering *-minimax search", 2004.

Alpha-beta stops at a node when nothing left can matter. At a chance node everything left matters, so expectimax seems
to have no cut-offs. But if no value lies outside known bounds (low, high), an average lies between

    what was found so far + low × the probability left    and    what was found so far + high × the probability left,

and these bounds get closer with every outcome. As soon as the second is at most alpha, or the first at least beta, the
rest cannot matter. So an outcome of probability p gets the window outside which its value would decide that.

- *Star1* is this.
- *Star2* first searches one reply to each outcome. If MAX replies, the outcome is worth at least as much as this reply;
  if MIN replies, at most. Often these bounds alone decide. In a game without an opponent they never do: beta never
  drops, so MAX's replies prove nothing, and Star2 equals Star1.

Contract, v being the value returned and m that of plain expectiminimax at the same depth:

    alpha < v < beta    v == m, bit for bit: the same sums in the same order
    v <= alpha          m <= alpha, and m <= v up to rounding
    v >= beta           m >= beta, and m >= v up to rounding

Assumes that the evaluator and finished games stay within the bounds; otherwise the value is wrong, without warning.
Cost: Star1 never visits more nodes than expectimax; the tighter the bounds and the better the first moves, the fewer.
Star2 visits a probed node again if the probe did not decide.

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
    """Return room for the bounds that probes give to the outcomes of the node at each depth."""
    probes: np.record = np.zeros(1, _PROBES)[0]
    return probes


class Bounds(NamedTuple):
    """The bounds of the average at a chance node after probing; ``decided`` if they settle the window."""

    decided: bool
    value: float
    """If decided, what to return."""
    least: float
    most: float


def build_star(rules: Rules, evaluate, *, low, high, probing=False, floor=-np.inf, hooks: Hooks = SILENT, jit=njit):
    """Return the search for these rules and an evaluator with values from low to high; ``probing`` makes it Star2."""
    steps = build_steps(rules, evaluate, floor=floor, hooks=hooks, jit=jit)
    leaf_at, initial_value, cut_off = steps.leaf_at, steps.initial_value, steps.cut_off
    candidates, next_child, visit = rules.candidates, steps.next_child, steps.visit_within
    turn, probability, over = rules.turn, rules.probability, rules.over
    enter, leave = hooks.enter, hooks.leave
    slack = _SURE * max(abs(low), abs(high))

    @jit(expand=True)
    def worth_probing(child, p, alpha, beta):
        """Return whether a reply can prove anything: MAX's that it reaches beta, MIN's that it is at most alpha."""
        if p == 0 or over(child.state):
            return False
        replier = turn(child.state)
        return (replier == MAX and beta < np.inf) or (replier == MIN and alpha > -np.inf)

    @jit(expand=True)
    def visit_reply(child, reply, depth, a, b, run):
        """Return the value of one reply to an outcome."""
        run.tally.nodes += 1
        enter(run.log, child.action, a, b)
        enter(run.log, reply.action, a, b)
        v = value(reply.state, depth, a, b, run)
        leave(run.log, v, a, b)
        leave(run.log, v, a, b)
        return v

    @jit(expand=True)
    def probed(state, depth, alpha, beta, run):
        """Return the bounds after searching one reply to each outcome (Star2)."""
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
        """Return the average, with each outcome searched in the window that leaves it undecided (Star1)."""
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
        """Return the value of a MAX or MIN node, by alpha-beta."""
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
