"""The module that a notebook loads for a widget: a frame and its page, built once from the package's files."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import anywidget
import traitlets

from contienda.core.language import language, say
from contienda.games import game_types
from contienda.trace.bundle import script, style_names, styles

__all__ = ["FrameWidget", "widget_module"]

_BEFORE = ("tokens", "base", "controls", "layout", "stage", "tiles", "board-picture")
_AFTER = ("machine", "panels")

_PAGE = """<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<style>
{style}</style>
</head>
<body class="widget-page">
<main>{element}</main>
<div id="live" class="unseen" role="status" aria-live="polite"></div>
<script>
{script}</script>
</body>
</html>
"""


def widget_module(name: str, element: str, more: tuple[str, ...] = ("widget",)) -> str:
    """Return ``static/js/widgets/NAME.js`` and all that it imports, with styles, as one module for anywidget.

    ``element`` is the tag that draws it, ``more`` the style sheets that it needs besides those of boards.
    """
    drawings = sorted({game.drawing for game in game_types().values()} & style_names())
    page = _PAGE.format(
        style=styles(*_BEFORE, *drawings, *_AFTER, *more),
        element=f"<{element}></{element}>",
        script=script(f"widgets/{name}.js").replace("</script", "<\\/script"),
    )
    outside = files("contienda").joinpath("web", "static", "js", "widgets", "outside.js").read_text(encoding="utf-8")
    return f"const PAGE = {json.dumps(page, ensure_ascii=False)};\n{outside}"


class FrameWidget(anywidget.AnyWidget):
    """A widget whose page shows ``shown``, and tells its wishes to `_heard`."""

    shown = traitlets.Dict().tag(sync=True)
    label = traitlets.Unicode().tag(sync=True)
    height = traitlets.Int(380).tag(sync=True)
    """Pixels, until the page says how high it is."""

    def __init__(self, label: str) -> None:
        super().__init__(label=label)
        self.on_msg(lambda widget, wish, buffers: self._heard(wish))

    def _heard(self, wish: dict[str, Any]) -> None:
        """Do what somebody asked for in the page."""

    def _show(self, **what: Any) -> None:
        self.shown = {"language": language(), **what}

    def __repr__(self) -> str:
        """One line for where there is no display, such as a terminal."""
        return say("{label}: a notebook shows it as a widget; without one, run: contienda", label=self.label)
