"""A trace as one page of its own: nothing is loaded from anywhere, in both languages, with keys and a list to read."""

from __future__ import annotations

import json
from html import escape
from importlib.resources import files
from typing import Any

from contienda.language import Text
from contienda.trace.model import Trace, number
from contienda.trace.path import STATUS
from contienda.trace.svg import STYLE, Picture, Place, body, in_language, picture, sentence
from contienda.trace.words import KIND_NAMES, tell

__all__ = ["page"]

#: Shapes for the legend: a drawing, the classes of its node, and what it means. Those that occur are listed.
_SQUARE = '<rect class="shape" x="2" y="2" width="16" height="16" rx="4"/>'
_SHAPES = {
    "max": '<path class="shape" d="M10 2L18 18H2Z"/>',
    "min": '<path class="shape" d="M10 18L18 2H2Z"/>',
    "chance": '<circle class="shape" cx="10" cy="10" r="8"/>',
    "leaf": _SQUARE,
    "open": _SQUARE,
    "closed": _SQUARE,
    "undone": _SQUARE,
    "goal": _SQUARE,
    "cut": '<path class="branch crossed" d="M10 1V12"/><path class="cross" d="M5 9l10 -4M6 13l8 6m0 -6l-8 6"/>',
}


#: What the small texts below the shapes mean.
_SIGNS = {
    "tree": {"[α, β]": Text("window when left", "ventana al salir"), "TT": Text("from the table", "de la tabla")},
    "mcts": {"n": Text("visits", "visitas"), "U": Text("upper bound (UCB)", "cota superior (UCB)")},
    "path": {"g + h": Text("cost so far + what seems left", "coste hasta aquí + lo que parece faltar")},
}


def page(trace: Trace) -> str:
    """The page."""
    seen = picture(trace)
    title = trace.title
    drawing = (
        f'<svg viewBox="0 0 {seen.width:.0f} {seen.height:.0f}" width="{seen.width:.0f}" height="{seen.height:.0f}" '
        f'class="trace" aria-hidden="true">{body(trace, seen)}</svg>'
    )
    # In a script element only "</" could end it; JSON may write the slash with a backslash.
    data = json.dumps(_data(trace, seen), ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    parts = {
        "title": escape(title.en),
        "style": STYLE + _asset("page.css"),
        "svg": drawing,
        "data": data,
        "script": _asset("page.js"),
    }
    text = _asset("page.html")
    for name, part in parts.items():
        before, _, after = text.partition("{{" + name + "}}")
        text = before + part + after
    return text


def _asset(name: str) -> str:
    return files("contienda.trace").joinpath("page", name).read_text(encoding="utf-8")


def _data(trace: Trace, seen: Picture) -> dict[str, Any]:
    marks = {mark for place in seen.places for mark in place.node.marks}
    meaning = KIND_NAMES | STATUS
    return {
        "title": list(trace.title),
        "message": None if trace.message is None else list(trace.message),
        "legend": [
            [f'<svg class="trace" width="20" height="20"><g class="{mark}">{shape}</g></svg>', list(meaning[mark])]
            for mark, shape in _SHAPES.items()
            if mark in marks
        ]
        + [[f"<b>{sign}</b> ", list(text)] for sign, text in _SIGNS[trace.family].items()],
        "nodes": [_node(trace, place) for place in seen.places],
        "steps": _steps(trace, {place.node.id for place in seen.places}),
    }


def _node(trace: Trace, place: Place) -> dict[str, Any]:
    node = place.node
    cut = getattr(node, "cut", None)
    facts = [[list(fact.name), [in_language(fact.value, en) for en in (True, False)]] for fact in node.facts()]
    if node.crossed:
        facts.append([["cut", "poda"], list(node.verdict)])
    if cut is not None:
        facts.append([["cut", "poda"], list(cut.reason)])
    return {
        "id": node.id,
        "parent": node.parent if node.parent >= 0 else None,
        "depth": node.depth,
        "kind": list(KIND_NAMES[node.kind]),
        "edge": node.edge,
        "value": "" if node.value is None else number(node.value),
        "label": place.label,
        "note": node.note,
        "crossed": node.crossed,
        "best": node.id in trace.best_nodes,
        "facts": facts,
        "board": trace.board(node.state),
        "sentence": list(sentence(trace, node, place.more)),
        "hidden": place.hidden,
    }


def _steps(trace: Trace, drawn: set[int]) -> list[dict[str, Any]]:
    """The steps at nodes that are drawn; those below them are told together, at the last one above that is."""
    steps: list[dict[str, Any]] = []
    folded = 0
    for step in trace.steps:
        told = tell(trace, step)
        shows = [[node, *texts] for node, texts in told.shows.items() if node in drawn]
        if step.node in drawn:
            folded = 0
            born = [node for node in told.born if node in drawn]
            steps.append({"node": step.node, "says": list(told.says), "born": born, "shows": shows})
            continue
        if folded == 0:
            above = step.node
            while above not in drawn:
                above = trace.nodes[above].parent
            steps.append({"node": above, "says": [], "born": [], "shows": []})
        folded += 1
        last = steps[-1]
        last["shows"] += shows
        last["says"] = list(Text(f"… {folded:,} steps below, not drawn", f"… {folded:,} pasos debajo, sin dibujar"))
    return steps
