"""The explorer of search trees, as a widget."""

from __future__ import annotations

from typing import Any

import traitlets

from contienda.trace import Trace
from contienda.trace.json import trace_data
from contienda.trace.making import trace_position
from contienda.widgets.page import FrameWidget, widget_module

__all__ = ["TreeWidget"]


class TreeWidget(FrameWidget):
    """The tree of a search, to step through: of a trace, or of what `contienda.trace` takes.

    ``node`` is the number of the node that is looked at, ``moment`` how many steps have been made.
    """

    _esm = widget_module("tree", "tree-page", ("tree", "tree-drawing", "tree-page"))
    height = traitlets.Int(640).tag(sync=True)

    def __init__(self, game: Trace | str, position: str | None = None, player: str | None = None) -> None:
        super().__init__("")
        self.trace = game if isinstance(game, Trace) else trace_position(game, position, player)
        self.node = 0
        self.moment = len(self.trace.steps)

    @property
    def trace(self) -> Trace:
        """The trace that is shown; set it to show another."""
        return self._trace

    @trace.setter
    def trace(self, trace: Trace) -> None:
        self._trace = trace
        self.label = str(trace.title)
        self._number = getattr(self, "_number", 0) + 1
        self._show(name=self._number, data=trace_data(trace))

    def _heard(self, wish: dict[str, Any]) -> None:
        if wish.get("do") == "look" and wish.get("name") == self._number:
            self.node, self.moment = int(wish["node"]), int(wish["moment"])
