"""Widgets for notebooks, over anywidget: a board to play on, the explorer of search trees, a running experiment.

They are the app's own browser modules, in a page that the package brings (`contienda.widgets.page`): Jupyter, VS Code,
Colab and marimo show them alike, and nothing is fetched from a network.
"""

from __future__ import annotations

from contienda.core.extras import MissingExtra

try:
    import anywidget  # noqa: F401
except ImportError:
    raise MissingExtra("widgets need anywidget: pip install 'contienda[notebook]'") from None

from contienda.widgets.board import BoardWidget
from contienda.widgets.running import RunWidget
from contienda.widgets.tree import TreeWidget

__all__ = ["BoardWidget", "RunWidget", "TreeWidget"]
