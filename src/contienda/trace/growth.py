"""How the visits of the root's moves grow with the simulations."""

from __future__ import annotations

from typing import Any

from contienda.core.language import Text
from contienda.trace.model import Trace

__all__ = ["LEGEND", "growth"]

LEGEND = Text(
    "UCB = q + c · √(ln N / n), for MIN with −q. n: visits of the move; w: sum of their results; q = w / n: their "
    "mean; N: visits of the node above; "
    "c: how much to explore. The largest UCB is selected."
)

#: Points of the curves: as many as a small chart shows.
_POINTS = 200


def growth(trace: Trace) -> dict[str, Any]:
    """Return ``moments``, at which simulations end, and ``visits`` of each child of the root then; of many, some."""
    children = trace.nodes[0].children
    visits = dict.fromkeys(children, 0)
    moments: list[int] = []
    found: list[list[int]] = []
    ends = "backpropagate" if any(step.do == "backpropagate" for step in trace.steps) else "simulate"
    for moment, step in enumerate(trace.steps, 1):
        if "visits" in step.facts and step.node in visits:
            visits[step.node] = step.facts["visits"]
        if step.do == ends and (ends == "simulate" or step.node == 0):
            moments.append(moment)
            found.append(list(visits.values()))
    every = max(1, -(-len(moments) // _POINTS))
    kept = [*range(every - 1, len(moments) - 1, every), len(moments) - 1] if moments else []
    return {
        "nodes": list(children),
        "simulations": [i + 1 for i in kept],
        "moments": [moments[i] for i in kept],
        "visits": [found[i] for i in kept],
    }
