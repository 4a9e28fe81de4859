"""The algorithm as in a textbook, limited to what occurs in a trace, and the lines that each step runs."""

from __future__ import annotations

import math
from typing import NamedTuple

from contienda.core.language import Figures, Text
from contienda.trace.model import Step, Trace, TraceNode, number_text, plain

__all__ = ["CodeLine", "Running", "code_of", "has_windows", "running", "variables_of"]


class CodeLine(NamedTuple):
    """One line; mathematics is the same in every language."""

    key: str
    indent: int
    text: str | Text


class Running(NamedTuple):
    """Where the algorithm is after a step."""

    keys: tuple[str, ...]
    """The lines that ran."""
    values: tuple[Figures, ...]
    """The values of the variables that `variables_of` names."""


def has_windows(trace: Trace) -> bool:
    """Return whether the search has alpha and beta."""
    return getattr(trace.nodes[0], "alpha", None) is not None


# --- The lines -------------------------------------------------------------------------------------------------------


def code_of(trace: Trace) -> list[CodeLine]:
    """Return the lines of the trace's algorithm."""
    if trace.family == "mcts":
        return list(_MCTS)
    done = {step.do for step in trace.steps}
    if trace.family == "path":
        lines = [*_PATH, _PRUNE, _UNDO] if not trace.deep else _ITERATED if "limit" in done else _BACKTRACKING
        return [line for line in lines if line.key not in _PATH_SOME or line.key in done]
    kinds, windows = {node.kind for node in trace.nodes}, has_windows(trace)
    lines = [CodeLine("head", 0, "value(s, α, β):" if windows else "value(s):"), _LEAF]
    lines += [_HIT] * bool(trace.counters.hits)
    lines += _side("max", windows) if "max" in kinds else []
    lines += _side("min", windows) if "min" in kinds else []
    return [*lines, *(_CHANCE if "chance" in kinds else [])]


_LEAF = CodeLine("leaf", 1, Text("if s is a leaf: return its value"))
_HIT = CodeLine("hit", 1, Text("if the table knows s: return that value"))


def _side(kind: str, windows: bool) -> list[CodeLine]:
    who, none, best, own = ("MAX", "−∞", "max", "α") if kind == "max" else ("MIN", "+∞", "min", "β")
    call = "value(s·m, α, β)" if windows else "value(s·m)"
    lines = [
        CodeLine(f"{kind}.enter", 1, Text("if {who} is to move:  v ← {none}", who=who, none=none)),
        CodeLine(f"{kind}.each", 2, Text("for each move m:")),
        CodeLine(f"{kind}.leave", 3, f"v ← {best}(v, {call})"),
    ]
    if windows:
        lines += [CodeLine(f"{kind}.own", 3, f"{own} ← {best}({own}, v)")]
        lines += [CodeLine(f"{kind}.cut", 3, Text("if α ≥ β: return v ✂"))]
    return [*lines, CodeLine(f"{kind}.return", 2, Text("return v"))]


_CHANCE = [
    CodeLine("chance.enter", 1, Text("if chance decides:  v ← 0")),
    CodeLine("chance.each", 2, Text("for each outcome m with probability p:")),
    CodeLine("chance.leave", 3, "v ← v + p · value(s·m)"),
    CodeLine("chance.return", 2, Text("return v")),
]

_MCTS = [
    CodeLine("each", 0, Text("while there is budget:")),
    CodeLine("select", 1, Text("1 select: go down by the largest UCB")),
    CodeLine("expand", 1, Text("2 expand: add a new child")),
    CodeLine("simulate", 1, Text("3 simulate: play on to a result")),
    CodeLine("backpropagate", 1, Text("4 backpropagate: pass the result up")),
    CodeLine("end", 0, Text("play the most visited move; a tie goes to the better mean")),
]

_KNOWN = [
    CodeLine("better", 2, Text("known, but now cheaper: change its path")),
    CodeLine("known", 2, Text("known and no cheaper: do nothing")),
]
_PATH = [
    CodeLine("start", 0, Text("open ← start state")),
    CodeLine("expand", 0, Text("take the best node n out of open")),
    CodeLine("goal", 1, Text("if n is the goal: done")),
    CodeLine("each", 1, Text("for each move m of n:")),
    CodeLine("make", 2, Text("new state: into open with f = g + h")),
    *_KNOWN,
]
_PRUNE = CodeLine("prune", 2, Text("cannot help: prune"))
_DEEP = [
    CodeLine("expand", 0, Text("search(n):")),
    CodeLine("goal", 1, Text("if n is the goal: done")),
    CodeLine("each", 1, Text("for each move m of n:")),
]
_UNDO = CodeLine("undo", 1, Text("no move left: undo n"))

_BACKTRACKING = [
    CodeLine("start", 0, Text("search(start state)")),
    *_DEEP,
    CodeLine("make", 2, Text("new state: onto the stack, search it next")),
    *_KNOWN,
    _PRUNE,
    _UNDO,
]
_ITERATED = [
    CodeLine("start", 0, Text("limit ← h(start state)")),
    CodeLine("limit", 0, Text("search(start state); then raise the limit to the smallest f beyond it, and again")),
    *_DEEP,
    CodeLine("make", 2, Text("f = g + h ≤ limit: onto the stack, search it next")),
    *_KNOWN,
    CodeLine("prune", 2, Text("f > limit: leave it for the next round")),
    _UNDO,
]

#: Lines that are shown only where a search runs them.
_PATH_SOME = ("better", "known", "prune", "undo")


# --- The place in it -------------------------------------------------------------------------------------------------


def variables_of(trace: Trace) -> tuple[str, ...]:
    """Return the variables whose values are shown."""
    if trace.family == "mcts":
        return ("n", "q", "k")
    if trace.family == "path":
        return ("g", "h", "f")
    return ("α", "β", "v") if has_windows(trace) else ("v",)


def running(trace: Trace, step: Step) -> Running:
    """Return the lines that a step ran, and the variables after it."""
    node = trace.nodes[step.node]
    if trace.family == "tree":
        return Running(_tree_lines(trace, step, node), _tree_values(trace, step, node))
    keys = ("start",) if step.do == "make" and step.node == 0 else (step.do,)
    return Running(keys, _mcts_values(step) if trace.family == "mcts" else _path_values(step, node))


def _tree_lines(trace: Trace, step: Step, node: TraceNode) -> tuple[str, ...]:
    if step.do == "enter":
        return ("leaf",) if node.kind == "leaf" else ("head", f"{node.kind}.enter")
    if step.do == "hit":
        return ("hit",)
    if step.do == "cut":
        return (f"{node.kind}.cut",)
    kind = trace.nodes[node.parent].kind
    return (f"{kind}.leave", f"{kind}.own") if has_windows(trace) and kind != "chance" else (f"{kind}.leave",)


def _tree_values(trace: Trace, step: Step, node: TraceNode) -> tuple[Figures, ...]:
    none = {"max": -math.inf, "min": math.inf, "chance": 0.0}.get(node.kind)
    if step.do == "leave":
        v = step.facts["best"]
    elif step.do == "enter" and none is not None:
        v = none
    else:
        v = step.facts.get("value", node.value)
    if not has_windows(trace):
        return (number_text(v),)
    alpha, beta = (step.facts.get(name, plain(getattr(node, name, None))) for name in ("alpha", "beta"))
    window = (-math.inf if alpha is None else alpha, math.inf if beta is None else beta)
    return (*map(number_text, window), number_text(v))


def _mcts_values(step: Step) -> tuple[Figures, ...]:
    facts = step.facts
    mean = number_text(facts["mean"]) if "mean" in facts else Figures("–")
    return (Figures(str(facts.get("visits", "–"))), mean, Figures(str(facts["simulation"])))


def _path_values(step: Step, node: TraceNode) -> tuple[Figures, ...]:
    known = {"g": getattr(node, "cost", None), "h": getattr(node, "h", None), "value": node.value} | step.facts
    return tuple(Figures("–") if known[name] is None else number_text(known[name]) for name in ("g", "h", "value"))
