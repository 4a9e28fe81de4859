"""Builds the tree of simulations from the logs of Monte Carlo tree search and plain Monte Carlo."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from contienda.core.game import CHANCE, MAX, Game, State
from contienda.core.language import Figures, Text, joined
from contienda.search.hooks import ENTER, recorded
from contienda.search.mcts_hooks import BACKPROPAGATE, EXPAND, SELECT, SIMULATE
from contienda.trace.model import Fact, Step, TraceNode, number_text, plain
from contienda.trace.names import move_name

__all__ = ["PlayoutsBuilder", "PlayoutsNode", "ucb_formula", "visited_row", "visits_note"]

_KIND = {MAX: "max", CHANCE: "chance"}


@dataclass
class PlayoutsNode(TraceNode):
    """A node visited by playouts; its value is the mean of their results."""

    seen: State = None
    visits: int = 0
    ucb: float | None = None
    """The upper confidence bound by which the next simulation would choose it; None at the root and after chance."""
    simulation: int = 0
    """The number of the simulation that made it; 0 for the root."""
    probability: float | None = None
    formula: Text | None = None

    @property
    def note(self) -> Figures:
        return visits_note(self.visits, self.ucb)

    @property
    def edge(self) -> Text | str:
        if self.probability is None:
            return move_name(self.move)
        return joined([move_name(self.move), Figures(f"{self.probability:.4g}")], " · ")

    @property
    def row(self) -> tuple[Figures, ...]:
        return (*visited_row(self.visits, self.value), Figures("–") if self.ucb is None else number_text(self.ucb))

    def facts(self) -> list[Fact]:
        said = [Fact(Text("visits n"), Text("{n:,}", n=self.visits), self.done)]
        if self.probability is not None:
            said.append(Fact(Text("probability"), Figures(f"{self.probability:.6g}"), self.born))
        if self.ucb is not None:
            said.append(Fact(Text("UCB"), number_text(self.ucb), self.done))
        if self.simulation:
            said.append(Fact(Text("made by simulation"), Text("{n:,}", n=self.simulation), self.born))
        return said

    def as_data(self) -> dict[str, Any]:
        data: dict[str, Any] = {"visits": self.visits, "ucb": plain(self.ucb), "simulation": self.simulation}
        return data if self.probability is None else data | {"probability": self.probability}


def ucb_formula(kind: str, c: float, visits: int) -> Text:
    """Return the bound of a child written out; ``{n}``, ``{q}`` and ``{u}`` stand for its own figures."""
    c_, n = number_text(float(f"{c:.4g}")), Text("{n:,}", n=visits)
    if kind == "min":
        return Text("−({{q}}) + {c} · √(ln {N} / {{n}}) = {{u}}", c=c_, N=n)
    return Text("{{q}} + {c} · √(ln {N} / {{n}}) = {{u}}", c=c_, N=n)


def visited_row(visits: int, mean: float | None) -> tuple[Figures, Figures, Figures]:
    """Return the visits n, the sum of the results w, and their mean q, for a table."""
    total, q = number_text((mean or 0.0) * visits), number_text(mean) if visits else Figures("–")
    return Figures(str(visits)), total, q


def visits_note(visits: int, ucb: float | None) -> Figures:
    """Return the note with the visits and the upper confidence bound."""
    return Figures(f"n {visits}" if ucb is None else f"n {visits} · U {ucb:.3g}".replace("-", "−"))


class PlayoutsBuilder:
    """Builds `nodes` and `steps` from a log. ``exploration`` is the search's c; None if it has none.

    With ``signs`` results are -1, 0 and 1; otherwise c is in units of half the range of the results so far.
    """

    def __init__(self, game: Game, state: State, *, exploration: float | None, signs: bool) -> None:
        self.game = game
        self.nodes: list[PlayoutsNode] = []
        self.steps: list[Step] = []
        self._exploration, self._signs = exploration, signs
        self._low, self._high = math.inf, -math.inf
        self.luck: dict[int, int] = {}  # the generator before a playout, by the index of its step
        self._simulation = 0
        self._add(-1, -1, state, game.rules.seen_by_mover(state))

    def read_tree_search(self, log: np.record) -> None:
        """Read the phases that `contienda.search.mcts` reported."""
        at = leaf = 0
        self._simulation = 1
        columns = ("event", "node", "parent", "number", "worth", "luck")
        for event, node, parent, count, worth, luck in recorded(log, columns):
            if event == SELECT:
                bounds = [self._seen(*bound) for bound in self._bounds(at)]
                more = {"c": self._c(), "n": self.nodes[at].visits} if bounds else {}
                self._step("select", node, ucb=bounds, **more)
                at = node
            elif event == EXPAND:
                self._child(parent, count)
                self._step("expand", node)
            elif event == SIMULATE:
                self._low, self._high = min(self._low, worth), max(self._high, worth)
                self.luck[len(self.steps)] = luck
                leaf = node
                self._step("simulate", node, result=worth, levels=count)
            elif event == BACKPROPAGATE:
                self.nodes[node].visits, self.nodes[node].value = count, worth
                self._step("backpropagate", node, visits=count, mean=worth, leaf=leaf)
                if node == 0:
                    self._simulation += 1
                    at = 0
        for above in self.nodes:
            for child, bound in self._bounds(above.id):
                self.nodes[child].ucb = bound
                above.formula = ucb_formula(above.kind, self._c(), above.visits)

    def read_rounds(self, log: np.record) -> None:
        """Read the playouts that `contienda.search.montecarlo` reported, one per move in turn."""
        by_action: dict[int, int] = {}
        node = 0
        for event, worth in recorded(log, ("event", "number")):
            if event == ENTER:
                self._simulation += 1
                action = int(worth)
                if action not in by_action:
                    by_action[action] = self._child(0, action).id
                node = by_action[action]
                self._step("select", node, ucb=[])
            else:
                here = self.nodes[node]
                here.visits += 1
                here.value = (here.value or 0.0) + (worth - (here.value or 0.0)) / here.visits
                self.nodes[0].visits += 1
                self._step("simulate", node, result=worth, visits=here.visits, mean=here.value)

    def finish(self, best: int, value: float) -> frozenset[int]:
        """Return the nodes of the most visited line, up to the first chance node."""
        if self.nodes[0].value is None:
            self.nodes[0].value = value
        for visited in self.nodes:
            visited.done = len(self.steps)
        line = [0]
        node = next((self.nodes[c] for c in self.nodes[0].children if self.nodes[c].action == best), None)
        while node is not None:
            line.append(node.id)
            below = [self.nodes[child] for child in node.children if self.nodes[child].visits]
            sign = -1.0 if node.kind == "min" else 1.0
            most = max(below, key=lambda c: (c.visits, sign * (c.value or 0.0), -c.action), default=None)
            node = None if node.kind == "chance" else most
        return frozenset(line)

    def _child(self, parent: int, action: int) -> PlayoutsNode:
        above, rules = self.nodes[parent], self.game.rules
        _, seen = rules.successor(above.seen, action)
        state = seen if above.seen == above.state else rules.successor(above.state, action)[1]
        node = self._add(parent, action, state, seen)
        if above.kind == "chance":
            node.probability = float(rules.probability(above.seen, action))
        return node

    def _add(self, parent: int, action: int, state: State, seen: State) -> PlayoutsNode:
        over = bool(self.game.rules.over(seen))
        node = PlayoutsNode(
            len(self.nodes),
            parent,
            "leaf" if over else _KIND.get(int(self.game.rules.turn(seen)), "min"),
            action,
            "" if parent < 0 else self.game.action_name(self.nodes[parent].state, action),
            state,
            0 if parent < 0 else self.nodes[parent].depth + 1,
            born=len(self.steps) + 1 if parent >= 0 else 0,
            seen=seen,
            simulation=self._simulation,
        )
        self.nodes.append(node)
        if parent >= 0:
            self.nodes[parent].children.append(node.id)
        return node

    def _seen(self, child: int, bound: float) -> list[Any]:
        """Return what a selection knows about a child: its number, bound, mean and visits."""
        return [child, plain(bound), plain(self.nodes[child].value), self.nodes[child].visits]

    def _bounds(self, node: int) -> list[tuple[int, float]]:
        """Return the upper confidence bound of each child, as in `contienda.search.mcts`; none at a chance node."""
        above = self.nodes[node]
        if self._exploration is None or above.kind == "chance" or above.visits == 0:
            return []
        sign = 1.0 if above.kind == "max" else -1.0
        explore = self._c() * math.sqrt(math.log(above.visits))
        children = (self.nodes[child] for child in above.children)
        return [(c.id, sign * (c.value or 0.0) + explore / math.sqrt(c.visits)) for c in children if c.visits]

    def _c(self) -> float:
        """Return c in the units of the results."""
        return (self._exploration or 0.0) * (1.0 if self._signs else (self._high - self._low) / 2)

    def _step(self, do: str, node: int, **facts: Any) -> None:
        self.steps.append(Step(do, node, {"simulation": self._simulation} | facts))
