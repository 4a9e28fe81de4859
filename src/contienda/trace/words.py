"""A step in words, and what it changes in a drawing of the tree."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from contienda.language import Text
from contienda.trace.model import Node, Step, Trace, number
from contienda.trace.phrases import KIND_NAMES, PHRASES, move_name, phrase
from contienda.trace.playouts import visits_note

__all__ = ["Told", "tell"]


class Told(NamedTuple):
    """What a step is to somebody who watches."""

    says: Text
    born: list[int] = []  # noqa: RUF012 - never changed
    """The nodes that are drawn from now on."""
    shows: dict[int, tuple[str, str]] = {}  # noqa: RUF012
    """The label and the note that nodes have from now on."""


def tell(trace: Trace, step: Step) -> Told:
    """What a step of a trace is."""
    return _FAMILY[trace.family][step.do](trace, step)


def _name(trace: Trace, node: Node) -> Text:
    """A node in a sentence: by its move, or as the root."""
    if node.parent < 0:
        return phrase("root")
    own = f"{trace.game.partition(':')[0]}.move"
    return phrase(own, n=node.move) if node.move and own in PHRASES else move_name(node.move or "↻")


def _window(node: Node, step: Step) -> str:
    """The bounds of a step at a node, if its search has them; None is none."""
    if getattr(node, "alpha", None) is None:
        return ""
    alpha, beta = step.facts["alpha"], step.facts["beta"]
    return f"[{'−∞' if alpha is None else number(alpha)}, {'+∞' if beta is None else number(beta)}]"


def _with(said: Text, window: str) -> Text:
    """What is said, and the window, if there is one."""
    added = phrase("window", window=window)
    return Text(said.en + added.en, said.es + added.es) if window else said


# --- Looking ahead ---------------------------------------------------------------------------------------------------


def _enter(trace: Trace, step: Step) -> Told:
    node = trace.nodes[step.node]
    window = _window(node, step)
    says = phrase("enter", name=_name(trace, node), kind=KIND_NAMES[node.kind])
    return Told(_with(says, window), [node.id], {node.id: ("", "" if node.kind == "leaf" else window)})


def _leave(trace: Trace, step: Step) -> Told:
    node, facts = trace.nodes[step.node], step.facts
    above = trace.nodes[node.parent]
    value, best, window = number(facts["value"]), number(facts["best"]), _window(above, step)
    key = "leave.chance" if above.kind == "chance" else "leave"
    says = phrase(key, name=_name(trace, node), value=value, best=best, kind=KIND_NAMES[above.kind])
    return Told(_with(says, window), [], {node.id: (node.label, node.note), above.id: (best, window)})


def _cut(trace: Trace, step: Step) -> Told:
    node = trace.nodes[step.node]
    skipped = [child for child in node.children if trace.nodes[child].kind == "cut"]
    reason: Text = node.cut.reason  # type: ignore[attr-defined]
    return Told(reason, skipped, {})


def _hit(trace: Trace, step: Step) -> Told:
    value = number(step.facts["value"])
    return Told(phrase("hit", value=value), [], {step.node: (value, "")})


# --- Simulations -----------------------------------------------------------------------------------------------------


def _select(trace: Trace, step: Step) -> Told:
    node = trace.nodes[step.node]
    seen = {child: (bound, mean, visits) for child, bound, mean, visits in step.facts["ucb"]}
    bound = seen[node.id][0] if seen else None
    why: Text | str = ""
    if trace.nodes[node.parent].kind == "chance":
        why = phrase("select.luck")
    elif bound is not None:
        why = phrase("select.ucb", bound=number(bound))
    says = phrase("select", k=step.facts["simulation"], name=_name(trace, node), why=why)
    shows = {child: (number(mean), visits_note(visits, bound)) for child, (bound, mean, visits) in seen.items()}
    # Plain Monte Carlo expands nothing: a move is drawn when its first playout begins.
    return Told(says, [node.id] if not seen and node.depth == 1 else [], shows)


def _expand_child(trace: Trace, step: Step) -> Told:
    node = trace.nodes[step.node]
    says = phrase("expand", k=step.facts["simulation"], name=_name(trace, node))
    return Told(says, [node.id], {node.id: ("", "")})


def _simulate(trace: Trace, step: Step) -> Told:
    facts, result = step.facts, number(step.facts["result"])
    k = facts["simulation"]
    says = phrase("simulate", k=k, result=result)
    if "mean" not in facts:
        return Told(says, [], {step.node: (f"({result})", "")})
    return Told(says, [], {step.node: (number(facts["mean"]), f"n {facts['visits']}"), 0: ("", f"n {k}")})


def _backpropagate(trace: Trace, step: Step) -> Told:
    name, mean = _name(trace, trace.nodes[step.node]), number(step.facts["mean"])
    visits, k = step.facts["visits"], step.facts["simulation"]
    says = phrase("backpropagate.one" if visits == 1 else "backpropagate", k=k, name=name, n=visits, mean=mean)
    return Told(says, [], {step.node: (mean, f"n {visits}")})


# --- Paths -----------------------------------------------------------------------------------------------------------


def _cost_words(step: Step) -> str:
    facts = step.facts
    if facts["value"] is None:
        return f"g {number(facts['g'])}"
    return f"g {number(facts['g'])}, h {number(facts['h'])}" if facts["h"] is not None else number(facts["value"])


def _make(trace: Trace, step: Step) -> Told:
    node, value = trace.nodes[step.node], step.facts["value"]
    says = phrase("make", name=_name(trace, node), cost=_cost_words(step))
    label = f"g {number(step.facts['g'])}" if value is None else number(value)
    return Told(says, [node.id], {node.id: (label, node.note)})


def _expand(trace: Trace, step: Step) -> Told:
    name, facts = _name(trace, trace.nodes[step.node]), step.facts
    return Told(phrase("take", k=facts["order"], name=name, open=facts["open"], closed=facts["closed"]))


def _better(trace: Trace, step: Step) -> Told:
    node = trace.nodes[step.node]
    says = phrase("better", node=node.id, move=move_name(step.facts["move"]), cost=_cost_words(step))
    return Told(says, [], {node.id: (node.label, node.note)})


def _known(trace: Trace, step: Step) -> Told:
    return Told(phrase("known", move=move_name(step.facts["move"]), node=step.node))


def _prune(trace: Trace, step: Step) -> Told:
    node = trace.nodes[step.node]
    return Told(phrase("prune", name=_name(trace, node), value=number(step.facts["value"])), [node.id])


def _undo(trace: Trace, step: Step) -> Told:
    return Told(phrase("undo", name=_name(trace, trace.nodes[step.node])))


def _limit(trace: Trace, step: Step) -> Told:
    return Told(phrase("limit", limit=number(step.facts["limit"])))


def _goal(trace: Trace, step: Step) -> Told:
    return Told(phrase("goal", node=step.node, cost=number(step.facts["g"])))


_FAMILY: dict[str, dict[str, Callable[[Trace, Step], Told]]] = {
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
