"""A trace as one HTML page: the app's explorer with the trace in it. The page loads nothing."""

from __future__ import annotations

import json
from html import escape

from contienda.trace.bundle import script, styles
from contienda.trace.json import trace_data
from contienda.trace.model import Trace

__all__ = ["trace_page"]

_STYLES = (
    "tokens",
    "base",
    "controls",
    "layout",
    "stage",
    "tiles",
    "board-2048",
    "board-connect4",
    "machine",
    "panels",
)
_TREE_STYLES = ("tree", "tree-drawing", "tree-page")

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
<main><tree-page></tree-page></main>
<div id="live" class="unseen" role="status" aria-live="polite"></div>
<script type="application/json" id="data">{data}</script>
<script>
{script}</script>
</body>
</html>
"""


def trace_page(trace: Trace) -> str:
    """The page."""
    # In a script element only "</" could end it; JSON may write the slash with a backslash.
    written = json.dumps(trace_data(trace), ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    return _PAGE.format(
        title=escape(trace.title.into("en")),
        style=styles(*_STYLES, *_TREE_STYLES),
        data=written,
        script=script("elements/tree-page.js"),
    )
