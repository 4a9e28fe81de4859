"""The words of each step and its changes to the drawing: the only source for terminal, pages, notebook and app."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from contienda.core.language import Figures, Text, plural
from contienda.trace.model import NOTHING, Step, Trace, TraceNode, figures, number_text
from contienda.trace.names import KIND_NAMES, move_name
from contienda.trace.playouts import ucb_formula, visited_row, visits_note
from contienda.trace.pseudocode import Running, running
from contienda.trace.tree import TreeNode

__all__ = ["COLUMNS", "START", "NodeList", "Show", "Telling", "lists_of", "tell"]

START = Text("Before the first step. Go on with →, or play.")

#: What a table of a node's children shows beside each move; none for families that are not named.
COLUMNS = {"mcts": (Text("visits n"), Text("sum w"), Text("mean q"), Text("UCB"))}


class NodeList(NamedTuple):
    """A list beside the drawing: the nodes with a status, sorted by one of their numbers."""

    title: Text
    statuses: tuple[str, ...]
    by: str
    """A key of the node's data; the smallest first, unless ``largest``."""
    largest: bool
    most: int
    """How many are shown."""
    way: bool = False
    """Whether it lists the nodes from the step's node up to the root."""


_OPEN = NodeList(Text("Open, best first"), ("open",), "value", False, 12)
_CLOSED = NodeList(Text("Closed, last first"), ("closed", "goal"), "order", True, 8)
_STACK = NodeList(Text("Stack, top first"), (), "depth", True, 30, way=True)
_BEYOND = NodeList(Text("Beyond the limit, best first"), ("pruned",), "value", False, 12)


def lists_of(trace: Trace) -> tuple[NodeList, ...]:
    """Return the lists beside the drawing: a frontier, or the stack of a search that goes deep and comes back."""
    if trace.family != "path":
        return ()
    if not trace.deep:
        return (_OPEN, _CLOSED)
    return (_STACK, _BEYOND) if any(step.do == "limit" for step in trace.steps) else (_STACK,)


class Show(NamedTuple):
    """What a node shows from a step on; None leaves a part unchanged."""

    node: int
    label: Figures | None = None
    note: Figures | None = None
    status: str | None = None
    """In a path search: one of `contienda.trace.names.STATUS_NAMES`."""
    row: tuple[Figures, ...] = ()
    """Its cells under the first of `COLUMNS`."""


class Telling(NamedTuple):
    """A step as a viewer sees it."""

    sentence: Text
    shows: list[Show]
    code: Running
    proof: list[int]
    """The nodes that prove a cut-off."""
    cells: list[tuple[int, Figures]]
    """By node, the cell under the last of `COLUMNS` at this step only: the bound by which one is selected."""
    formula: Text | None
    """The derivation of those bounds; ``{n}``, ``{q}`` and ``{u}`` stand for the cells of a row."""
    way: int | None
    """The path from the root to this node is highlighted."""


class _Wording(NamedTuple):
    sentence: Text
    shows: tuple[Show, ...] = ()
    proof: tuple[int | None, ...] = ()
    cells: tuple[tuple[int, Figures], ...] = ()
    formula: Text | None = None
    way: int | None = None


def tell(trace: Trace, step: Step) -> Telling:
    """Return what a step of a trace says and shows."""
    told = _FAMILY[trace.family][step.do](trace, step)
    proof = [node for node in told.proof if node is not None]
    code, cells = running(trace, step), list(told.cells)
    return Telling(told.sentence, list(told.shows), code, proof, cells, told.formula, told.way)


# --- Looking ahead ---------------------------------------------------------------------------------------------------


def _enter(trace: Trace, step: Step) -> _Wording:
    node = trace.nodes[step.node]
    name, kind, window = trace.name(node), KIND_NAMES[node.kind], _window(node, step)
    if window:
        sentence = Text("Enter {name}: {kind}, window {window}", name=name, kind=kind, window=window)
    else:
        sentence = Text("Enter {name}: {kind}", name=name, kind=kind)
    return _Wording(sentence, (Show(node.id, node.given, NOTHING if node.kind == "leaf" else window),))


def _leave(trace: Trace, step: Step) -> _Wording:
    node, facts = trace.nodes[step.node], step.facts
    above = trace.nodes[node.parent]
    name, value, best = trace.name(node), number_text(facts["value"]), number_text(facts["best"])
    kind, window = KIND_NAMES[above.kind], _window(above, step)
    if above.kind == "chance":
        sentence = Text("Back from {name} with {value}; the sum is {best} so far", name=name, value=value, best=best)
    elif window:
        sentence = Text(
            "Back from {name} with {value}; {kind} has {best} so far, window {window}",
            name=name,
            value=value,
            kind=kind,
            best=best,
            window=window,
        )
    else:
        sentence = Text(
            "Back from {name} with {value}; {kind} has {best} so far", name=name, value=value, kind=kind, best=best
        )
    return _Wording(sentence, (Show(node.id, node.label, node.note), Show(above.id, best, window)))


def _cut(trace: Trace, step: Step) -> _Wording:
    node = trace.nodes[step.node]
    assert isinstance(node, TreeNode)
    assert node.cut is not None
    return _Wording(node.cut.reason, (), (node.cut.refuter, node.cut.holder))


def _hit(trace: Trace, step: Step) -> _Wording:
    value = number_text(step.facts["value"])
    return _Wording(Text("The table knows this position: {value}", value=value), (Show(step.node, value, NOTHING),))


def _window(node: TraceNode, step: Step) -> Figures:
    """Return the window of a step at a node, if its search has windows; None means no bound."""
    if getattr(node, "alpha", None) is None:
        return NOTHING
    alpha, beta = step.facts["alpha"], step.facts["beta"]
    return figures("[{}, {}]", -math.inf if alpha is None else alpha, math.inf if beta is None else beta)


# --- Simulations -----------------------------------------------------------------------------------------------------


def _select(trace: Trace, step: Step) -> _Wording:
    node, facts = trace.nodes[step.node], step.facts
    bounds = {child: bound for child, bound, _, _ in facts["ucb"]}
    why: Text | str = ""
    if trace.nodes[node.parent].kind == "chance":
        why = Text(", drawn at random")
    elif bounds.get(node.id) is not None:
        why = Text(", the largest UCB, {bound}", bound=number_text(bounds[node.id]))
    sentence = Text("Simulation {k:,}, selection: {name}{why}", k=facts["simulation"], name=trace.name(node), why=why)
    cells = tuple((child, number_text(bound)) for child, bound in bounds.items())
    formula = ucb_formula(trace.nodes[node.parent].kind, facts["c"], facts["n"]) if cells else None
    return _Wording(sentence, cells=cells, formula=formula, way=node.id)


def _expand_child(trace: Trace, step: Step) -> _Wording:
    name, k = trace.name(trace.nodes[step.node]), step.facts["simulation"]
    sentence = Text("Simulation {k:,}, expansion: {name} is new", k=k, name=name)
    return _Wording(sentence, (Show(step.node, NOTHING, NOTHING, row=visited_row(0, None)),), way=step.node)


def _simulate(trace: Trace, step: Step) -> _Wording:
    facts, result = step.facts, number_text(step.facts["result"])
    k = facts["simulation"]
    sentence = Text("Simulation {k:,}, playout: the result is {result}", k=k, result=result)
    if "mean" not in facts:
        return _Wording(sentence, (Show(step.node, figures("({})", facts["result"]), NOTHING),), way=step.node)
    shows = (_visited(step.node, facts["visits"], facts["mean"]), Show(0, NOTHING, visits_note(k, None)))
    return _Wording(sentence, shows, way=step.node)


def _backpropagate(trace: Trace, step: Step) -> _Wording:
    name, facts = trace.name(trace.nodes[step.node]), step.facts
    sentence = plural(
        "Simulation {k:,}, backpropagation: {name} has 1 visit, mean {mean}",
        "Simulation {k:,}, backpropagation: {name} has {n:,} visits, mean {mean}",
        facts["visits"],
        k=facts["simulation"],
        name=name,
        mean=number_text(facts["mean"]),
    )
    return _Wording(sentence, (_visited(step.node, facts["visits"], facts["mean"]),), way=facts["leaf"])


def _visited(node: int, visits: int, mean: float | None) -> Show:
    """Return a node's change: its visits and its mean."""
    return Show(node, number_text(mean), visits_note(visits, None), row=visited_row(visits, mean))


# --- Paths -----------------------------------------------------------------------------------------------------------


def _make(trace: Trace, step: Step) -> _Wording:
    sentence = Text("Generate {name}: {cost}", name=trace.name(trace.nodes[step.node]), cost=_cost_words(step))
    return _Wording(sentence, (_standing(trace, step, "open"),))


def _expand(trace: Trace, step: Step) -> _Wording:
    facts = step.facts
    sentence = Text(
        "Expansion {k:,}: {name}; {open:,} open, {closed:,} closed",
        k=facts["order"],
        name=trace.name(trace.nodes[step.node]),
        open=facts["open"],
        closed=facts["closed"],
    )
    return _Wording(sentence, (Show(step.node, status="closed"),))


def _better(trace: Trace, step: Step) -> _Wording:
    move = move_name(step.facts["move"])
    sentence = Text(
        "A cheaper path to state {node}, by {move}: {cost}", node=step.node, move=move, cost=_cost_words(step)
    )
    return _Wording(sentence, (_standing(trace, step, "open"),))


def _known(trace: Trace, step: Step) -> _Wording:
    move = move_name(step.facts["move"])
    return _Wording(Text("State {node} again, by {move}: nothing new", move=move, node=step.node))


def _prune(trace: Trace, step: Step) -> _Wording:
    name, value = trace.name(trace.nodes[step.node]), number_text(step.facts["value"])
    return _Wording(Text("Prune {name}: {value}", name=name, value=value), (_standing(trace, step, "pruned"),))


def _undo(trace: Trace, step: Step) -> _Wording:
    sentence = Text("Dead end: undo {name}", name=trace.name(trace.nodes[step.node]))
    return _Wording(sentence, (Show(step.node, status="undone"),))


def _limit(trace: Trace, step: Step) -> _Wording:
    return _Wording(
        Text("Start again from the root, with the limit f ≤ {limit}", limit=number_text(step.facts["limit"]))
    )


def _goal(trace: Trace, step: Step) -> _Wording:
    sentence = Text("Goal: state {node}, cost {cost}", node=step.node, cost=number_text(step.facts["g"]))
    return _Wording(sentence, (Show(step.node, status="goal"),))


def _cost_words(step: Step) -> Figures:
    facts = step.facts
    if facts["value"] is None:
        return figures("g {}", facts["g"])
    return figures("g {}, h {}", facts["g"], facts["h"]) if facts["h"] is not None else number_text(facts["value"])


def _standing(trace: Trace, step: Step, status: str) -> Show:
    """Return a state's change, with its current figures: a cheaper path may change them later."""
    node, facts = trace.nodes[step.node], step.facts
    label = figures("g {}", facts["g"]) if facts["value"] is None else number_text(facts["value"])
    by_sum = getattr(node, "key", "") == "f" and facts["value"] is not None
    return Show(node.id, label, figures("{} + {}", facts["g"], facts["h"]) if by_sum else NOTHING, status)


_FAMILY: dict[str, dict[str, Callable[[Trace, Step], Any]]] = {
    "tree": {"enter": _enter, "leave": _leave, "cut": _cut, "hit": _hit},
    "mcts": {
        "select": _select,
        "expand": _expand_child,
        "simulate": _simulate,
        "backpropagate": _backpropagate,
    },
    "path": {
        "make": _make,
        "expand": _expand,
        "better": _better,
        "known": _known,
        "prune": _prune,
        "undo": _undo,
        "limit": _limit,
        "goal": _goal,
    },
}
