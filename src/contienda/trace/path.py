"""Builds the tree of a path search from the log of its hooks (`contienda.search.path.hooks`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from contienda.core.game import State
from contienda.core.language import Figures, Text
from contienda.search.path.hooks import (
    BETTER,
    EXPANDED,
    GOAL,
    KNOWN,
    LIMIT,
    MADE,
    PRUNED,
    UNDONE,
    PathEvent,
    path_events,
)
from contienda.trace.model import NOTHING, Fact, Step, TraceNode, figures, number_text, plain
from contienda.trace.names import STATUS_NAMES

__all__ = ["KEYS", "PathBuilder", "PathNode"]

#: The key that guides a search: ``f`` = g + h, ``h`` alone, or a ``bound``; "" where there is none.
KEYS = ("f", "h", "bound", "")


@dataclass
class PathNode(TraceNode):
    """A state of a path search. Its value is the search's key: f, h or the bound; None if there is none."""

    cost: float = 0.0
    """g: the cost of the path from the root."""
    h: float | None = None
    status: str = "open"
    order: int | None = None
    """The place in the order in which nodes were expanded, from 1."""
    limit: float | None = None
    """In IDA*: the limit under which it was generated."""
    key: str = ""
    learned: list[Fact] = field(default_factory=list)

    @property
    def verdict(self) -> Text:
        return STATUS_NAMES[self.status]

    @property
    def label(self) -> Figures:
        star = " ★" if self.status == "goal" else ""
        return figures("g {}" + star, self.cost) if self.value is None else figures("{}" + star, self.value)

    @property
    def note(self) -> Figures:
        if self.value is None or self.key != "f":
            return NOTHING
        return figures("{} + {}", self.cost, self.h)

    @property
    def marks(self) -> list[str]:
        return [*super().marks, self.status]

    def learn(self, moment: int) -> None:
        """Record a fact about the node, known from this moment on."""
        facts = [Fact(Text("g"), number_text(self.cost), moment)]
        if self.h is not None and self.key == "f":
            facts.append(Fact(Text("h"), number_text(self.h), moment))
            facts.append(Fact(Text("f = g + h"), figures("{} + {} = {}", self.cost, self.h, self.value), moment))
        facts.append(Fact(Text("status"), STATUS_NAMES[self.status], moment))
        if self.order is not None:
            facts.append(Fact(Text("order of expansion"), str(self.order), moment))
        known = {fact.name.message: fact.value for fact in self.learned}
        self.learned += [fact for fact in facts if known.get(fact.name.message) != fact.value]

    def facts(self) -> list[Fact]:
        return self.learned

    def as_data(self) -> dict[str, Any]:
        data: dict[str, Any] = {"g": plain(self.cost), "h": plain(self.h), "status": self.status, "order": self.order}
        return data if self.limit is None else data | {"limit": plain(self.limit)}


class PathBuilder:
    """Builds `nodes` and `steps` from a log."""

    def __init__(
        self,
        state: State,
        result: Callable[..., tuple[bool, State]],
        name: Callable[[int], str],
        key: str,
        bound: Callable[..., float] | None = None,
    ) -> None:
        """``result`` comes from the rules; ``key`` is one of `KEYS`; "bound" needs ``bound(state, steps)``."""
        self.nodes: list[PathNode] = []
        self.steps: list[Step] = []
        self._initial, self._result, self._name = state, result, name
        self._key, self._bound = key, bound
        self._of: dict[int, int] = {}  # the number in the search's store -> the number here
        self._limit: float | None = None
        self._open = self._expanded = 0

    def read(self, log: np.record) -> None:
        """Read the whole log."""
        take = {
            MADE: self._made,
            EXPANDED: self._take_out,
            BETTER: self._better,
            KNOWN: self._known,
            PRUNED: self._pruned,
            UNDONE: self._undone,
            LIMIT: self._new_limit,
            GOAL: self._goal,
        }
        for event in path_events(log):
            take[event.event](event)
        waiting = [0]  # again from the root: a better path may have been found after a node had children
        while waiting:
            node = self.nodes[waiting.pop()]
            node.depth = 0 if node.parent < 0 else self.nodes[node.parent].depth + 1
            waiting.extend(node.children)

    def line(self, node: int) -> frozenset[int]:
        """Return the nodes on the path to a node."""
        line = []
        while node >= 0:
            line.append(node)
            node = self.nodes[node].parent
        return frozenset(line)

    @property
    def goal(self) -> int | None:
        """The goal that was found."""
        last = self.steps[-1] if self.steps else None
        return last.node if last is not None and last.do == "goal" else None

    def _values(self, cost: float, key: float) -> tuple[float | None, float | None]:
        """Return (the value shown for the node, h)."""
        if self._key == "" or key != key:
            return None, None
        return key, key - cost if self._key == "f" else key

    def _add(self, event: PathEvent, kind: str) -> PathNode:
        parent = self._of[event.parent] if event.parent >= 0 else -1
        cost = 0.0 if event.cost != event.cost else event.cost
        value, h = self._values(cost, event.key)
        state = self._initial if parent < 0 else self._result(self.nodes[parent].state, event.action)[1]
        depth = 0 if parent < 0 else self.nodes[parent].depth + 1
        if self._bound is not None:  # for a pruned node the search reports nothing else
            value, h = float(self._bound(state, depth)), None
        node = PathNode(
            len(self.nodes),
            parent,
            kind,
            event.action,
            self._name(event.action) if parent >= 0 else "",
            state,
            depth,
            value,
            born=len(self.steps) + 1 if parent >= 0 else 0,
            cost=cost,
            h=h,
            limit=self._limit,
            key=self._key,
        )
        self.nodes.append(node)
        if parent >= 0:
            self.nodes[parent].children.append(node.id)
        return node

    def _made(self, event: PathEvent) -> None:
        node = self._seen_before(event) or self._add(event, "state")
        node.kind, node.status = "state", "open"
        self._of[event.node] = node.id
        self._open += 1
        self._step("make", node.id, g=plain(node.cost), h=plain(node.h), value=plain(node.value))

    def _seen_before(self, event: PathEvent) -> PathNode | None:
        """Return the node if hill climbing, which looks at all steps before it takes one, has already made it."""
        below = self.nodes[self._of[event.parent]].children if event.parent >= 0 else []
        last = (self.nodes[child] for child in reversed(below))
        return next((n for n in last if n.kind == "cut" and (n.action, n.limit) == (event.action, self._limit)), None)

    def _take_out(self, event: PathEvent) -> None:
        node = self.nodes[self._of[event.node]]
        self._expanded += 1
        self._open -= 1
        node.status, node.order = "closed", node.order or self._expanded
        self._step("expand", node.id, order=self._expanded, open=self._open, closed=self._expanded)

    def _better(self, event: PathEvent) -> None:
        node, parent = self.nodes[self._of[event.node]], self._of[event.parent]
        self._open += node.status == "closed"
        self.nodes[node.parent].children.remove(node.id)
        self.nodes[parent].children.append(node.id)
        old, node.parent = node.parent, parent
        node.action, node.move = event.action, self._name(event.action)
        node.cost, node.status = event.cost, "open"
        if self._bound is None:
            node.value, node.h = self._values(event.cost, event.key)
        facts = {"parent": parent, "old": old, "move": node.move}
        self._step("better", node.id, **facts, g=plain(node.cost), h=plain(node.h), value=plain(node.value))

    def _known(self, event: PathEvent) -> None:
        self._step("known", self._of[event.node], parent=self._of[event.parent], move=self._name(event.action))

    def _pruned(self, event: PathEvent) -> None:
        node = self._add(event, "cut")
        node.status = "pruned"
        self._step("prune", node.id, g=plain(node.cost), h=plain(node.h), value=plain(node.value))

    def _undone(self, event: PathEvent) -> None:
        node = self.nodes[self._of[event.node]]
        node.status = "undone"
        self._step("undo", node.id)

    def _new_limit(self, event: PathEvent) -> None:
        self._limit = event.key
        self._step("limit", 0, limit=plain(event.key))

    def _goal(self, event: PathEvent) -> None:
        node = self.nodes[self._of[event.node]]
        node.status = "goal"
        self._step("goal", node.id, g=plain(node.cost))

    def _step(self, do: str, node: int, **facts: Any) -> None:
        self.steps.append(Step(do, node, facts))
        self.nodes[node].learn(len(self.steps))
