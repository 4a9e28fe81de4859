"""A step in words, and what it changes in a drawing of the tree."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from contienda.language import Text
from contienda.trace.model import Node, Step, Trace, number
from contienda.trace.playouts import visits_note

__all__ = ["KIND_NAMES", "Told", "tell"]

KIND_NAMES = {
    "max": Text("MAX", "MAX"),
    "min": Text("MIN", "MIN"),
    "chance": Text("chance", "azar"),
    "leaf": Text("leaf", "hoja"),
    "cut": Text("cut", "podado"),
    "state": Text("state", "estado"),
}


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


def _name(node: Node) -> Text:
    """A node in a sentence: by its move, or as the root."""
    return Text("the root", "la raíz") if node.parent < 0 else Text(node.move or "↻", node.move or "↻")


def _window(alpha: float | None, beta: float | None) -> str:
    """Bounds as a step has them: None is none."""
    low, high = "−∞" if alpha is None else number(alpha), "+∞" if beta is None else number(beta)
    return f"[{low}, {high}]"


# --- Looking ahead ---------------------------------------------------------------------------------------------------


def _enter(trace: Trace, step: Step) -> Told:
    node = trace.nodes[step.node]
    windowed = getattr(node, "alpha", None) is not None
    window = _window(step.facts["alpha"], step.facts["beta"]) if windowed else ""
    kind, name = KIND_NAMES[node.kind], _name(node)
    en, es = f"down to {name.en}: {kind.en}", f"baja a {name.es}: {kind.es}"
    if window:
        en, es = f"{en}, window {window}", f"{es}, ventana {window}"
    return Told(Text(en, es), [node.id], {node.id: ("", "" if node.kind == "leaf" else window)})


def _leave(trace: Trace, step: Step) -> Told:
    node, facts = trace.nodes[step.node], step.facts
    above = trace.nodes[node.parent]
    value, best = number(facts["value"]), number(facts["best"])
    windowed = getattr(above, "alpha", None) is not None
    window = _window(facts["alpha"], facts["beta"]) if windowed else ""
    name, kind = _name(node), KIND_NAMES[above.kind]
    en, es = f"back from {name.en} with {value}", f"vuelve de {name.es} con {value}"
    if above.kind == "chance":
        en, es = f"{en}; the sum is {best} so far", f"{es}; la suma va por {best}"
    else:
        en, es = f"{en}; {kind.en} has {best} so far", f"{es}; {kind.es} lleva {best}"
    if window:
        en, es = f"{en}, window {window}", f"{es}, ventana {window}"
    return Told(Text(en, es), [], {node.id: (node.label, node.note), above.id: (best, window)})


def _cut(trace: Trace, step: Step) -> Told:
    node = trace.nodes[step.node]
    skipped = [child for child in node.children if trace.nodes[child].kind == "cut"]
    reason: Text = node.cut.reason  # type: ignore[attr-defined]
    return Told(reason, skipped, {})


def _hit(trace: Trace, step: Step) -> Told:
    value = number(step.facts["value"])
    says = Text(f"the table knows this position: {value}", f"la tabla conoce esta posición: {value}")
    return Told(says, [], {step.node: (value, "")})


# --- Simulations -----------------------------------------------------------------------------------------------------


def _select(trace: Trace, step: Step) -> Told:
    node, k = trace.nodes[step.node], step.facts["simulation"]
    seen = {child: (bound, mean, visits) for child, bound, mean, visits in step.facts["ucb"]}
    bound = seen[node.id][0] if seen else None
    why = (
        Text("", "")
        if bound is None
        else Text(f", the largest UCB, {number(bound)}", f", el mayor UCB, {number(bound)}")
    )
    if trace.nodes[node.parent].kind == "chance":
        why = Text(", as luck has it", ", según el azar")
    says = Text(f"simulation {k}, selection: {node.move}{why.en}", f"simulación {k}, selección: {node.move}{why.es}")
    shows = {child: (number(mean), visits_note(visits, bound)) for child, (bound, mean, visits) in seen.items()}
    # Plain Monte Carlo expands nothing: a move is drawn when its first playout begins.
    return Told(says, [node.id] if not seen and node.depth == 1 else [], shows)


def _expand_child(trace: Trace, step: Step) -> Told:
    node, k = trace.nodes[step.node], step.facts["simulation"]
    says = Text(f"simulation {k}, expansion: {node.move} is new", f"simulación {k}, expansión: {node.move} es nuevo")
    return Told(says, [node.id], {node.id: ("", "")})


def _simulate(trace: Trace, step: Step) -> Told:
    facts, result = step.facts, number(step.facts["result"])
    k = facts["simulation"]
    says = Text(f"simulation {k}: the playout comes to {result}", f"simulación {k}: la partida acaba en {result}")
    if "mean" not in facts:
        return Told(says, [], {step.node: (f"({result})", "")})
    return Told(says, [], {step.node: (number(facts["mean"]), f"n {facts['visits']}"), 0: ("", f"n {k}")})


def _backpropagate(trace: Trace, step: Step) -> Told:
    name, mean = _name(trace.nodes[step.node]), number(step.facts["mean"])
    visits, k = step.facts["visits"], step.facts["simulation"]
    one = "" if visits == 1 else "s"
    says = Text(
        f"simulation {k}, backpropagation: {name.en} has {visits} visit{one}, mean {mean}",
        f"simulación {k}, retropropagación: {name.es} tiene {visits} visita{one}, media {mean}",
    )
    return Told(says, [], {step.node: (mean, f"n {visits}")})


# --- Paths -----------------------------------------------------------------------------------------------------------


def _cost_words(step: Step) -> str:
    facts = step.facts
    if facts["value"] is None:
        return f"g {number(facts['g'])}"
    return f"g {number(facts['g'])}, h {number(facts['h'])}" if facts["h"] is not None else number(facts["value"])


def _make(trace: Trace, step: Step) -> Told:
    node, cost = trace.nodes[step.node], _cost_words(step)
    name = _name(node)
    says = Text(f"made {name.en}: {cost}", f"crea {name.es}: {cost}")
    value = step.facts["value"]
    label = f"g {number(step.facts['g'])}" if value is None else number(value)
    return Told(says, [node.id], {node.id: (label, node.note)})


def _expand(trace: Trace, step: Step) -> Told:
    name, facts = _name(trace.nodes[step.node]), step.facts
    says = Text(
        f"expansion {facts['order']}: {name.en}; {facts['open']} open, {facts['closed']} closed",
        f"expansión {facts['order']}: {name.es}; {facts['open']} abiertos, {facts['closed']} cerrados",
    )
    return Told(says)


def _better(trace: Trace, step: Step) -> Told:
    node, cost = trace.nodes[step.node], _cost_words(step)
    says = Text(
        f"a better way to node {node.id}, by {step.facts['move']}: {cost}",
        f"un camino mejor al nodo {node.id}, por {step.facts['move']}: {cost}",
    )
    return Told(says, [], {node.id: (node.label, node.note)})


def _known(trace: Trace, step: Step) -> Told:
    move = step.facts["move"]
    return Told(
        Text(f"{move} leads back to node {step.node}: nothing new", f"{move} lleva al nodo {step.node}: nada nuevo")
    )


def _prune(trace: Trace, step: Step) -> Told:
    node = trace.nodes[step.node]
    said = number(step.facts["value"])
    return Told(Text(f"pruned {node.move}: {said}", f"poda {node.move}: {said}"), [node.id])


def _undo(trace: Trace, step: Step) -> Told:
    name = _name(trace.nodes[step.node])
    return Told(Text(f"nothing left to try: undo {name.en}", f"nada más que probar: deshace {name.es}"))


def _limit(trace: Trace, step: Step) -> Told:
    limit = number(step.facts["limit"])
    return Told(Text(f"again from the root, up to f = {limit}", f"otra vez desde la raíz, hasta f = {limit}"))


def _goal(trace: Trace, step: Step) -> Told:
    cost = number(step.facts["g"])
    return Told(Text(f"the goal: node {step.node}, cost {cost}", f"la meta: nodo {step.node}, coste {cost}"))


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
