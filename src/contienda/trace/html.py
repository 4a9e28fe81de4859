"""A trace as one HTML page: the app's explorer with the trace in it. The page loads nothing."""

from __future__ import annotations

import json
from html import escape

from contienda.games import game_types
from contienda.trace.bundle import script, style_names, styles
from contienda.trace.json import trace_data
from contienda.trace.model import Trace

__all__ = ["trace_page", "tree_page"]

_STYLES = (
    "tokens",
    "base",
    "controls",
    "layout",
    "stage",
    "tiles",
)
#: After the styles of the games' own drawings.
_TREE_STYLES = ("machine", "panels", "tree", "tree-drawing", "tree-page")

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<main><{element}></{element}></main>
<div id="live" class="unseen" role="status" aria-live="polite"></div>
<script type="application/json" id="data">{data}</script>
<script>
{script}</script>
</body>
</html>
"""


def _drawings() -> list[str]:
    """Return the games' own drawings (`Game.drawing`), each with a style of its name."""
    return sorted({game.drawing for game in game_types().values()} & style_names())


def trace_page(trace: Trace) -> str:
    """Return the page of a trace."""
    written = json.dumps(trace_data(trace), ensure_ascii=False, separators=(",", ":"))
    return tree_page(escape(trace.title.into("en")), "tree-page", written)


def tree_page(title: str, element: str, data: str, *styles_too: str) -> str:
    """Return a page that shows one element of the app, ``elements/ELEMENT.js``, with its data as JSON."""
    return _PAGE.format(
        title=title,
        element=element,
        style=styles(*_STYLES, *_drawings(), *_TREE_STYLES, *styles_too),
        # In a script element only "</" could end it; JSON may write the slash with a backslash.
        data=data.replace("</", "<\\/"),
        script=script(f"elements/{element}.js"),
    )
