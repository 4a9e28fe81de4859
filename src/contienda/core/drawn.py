"""A picture as plain text and as SVG, for files, notebooks and other programs."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import NamedTuple

from contienda.core.picture import Picture, Piece, grid_text

__all__ = ["COLOURS", "GROUNDS", "TILES", "Colours", "cells_svg", "colours_of", "picture_svg", "picture_text"]

#: For each rank a colour, from sand to night, and one for the text that is readable on it.
TILES = [
    ("#cdc1b4", "#cdc1b4"), ("#eee4da", "#5a524a"), ("#ede0c8", "#5a524a"), ("#f2b179", "#3a2a1a"),
    ("#f59563", "#3a1a0a"), ("#f67c5f", "#2a0a00"), ("#e8522f", "#ffffff"), ("#edcf72", "#3a2f10"),
    ("#edcc61", "#3a2f10"), ("#edc850", "#3a2f10"), ("#edc53f", "#3a2f10"), ("#edc22e", "#3a2f10"),
    ("#4b7f52", "#ffffff"), ("#2f6690", "#ffffff"), ("#1b4965", "#ffffff"), ("#5f0f40", "#ffffff"),
    ("#310e68", "#ffffff"), ("#111111", "#ffd700"),
]  # fmt: skip

#: The colour of a piece and of its label, by its own colour or by its role.
COLOURS = {
    "black": ("#1a1a1a", "#ffffff"),
    "white": ("#fafafa", "#1a1a1a"),
    "red": ("#d1495b", "#ffffff"),
    "blue": ("#2f6690", "#ffffff"),
    "first": ("#e0a800", "#1a1a1a"),
    "second": ("#d1495b", "#ffffff"),
    "neutral": ("#8a8a8a", "#ffffff"),
}
#: The board between the cells, and an empty cell.
GROUNDS = {
    "plain": ("#8a8a8a", "#f4f4f0"),
    "holes": ("#2456b8", "#f4f4f0"),
    "checks": ("#14532d", "#1f7a45"),
    "slots": ("#a39689", "#cdc1b4"),
}

_CELL = 64
_GAP = 4


class Colours(NamedTuple):
    """The colours of a piece and of the label on it."""

    piece: str
    label: str


def colours_of(piece: Piece) -> Colours:
    """Return the colours of a piece."""
    known = TILES[min(piece.rank, len(TILES) - 1)] if piece.role == "tile" else COLOURS[piece.colour or piece.role]
    return Colours(*known)


def picture_text(picture: Picture | None) -> str:
    """The board in rows, and its caption; nothing if there is no picture.

    >>> print(picture_text(Picture(1, 3, (Piece("tile", "16", "tile"), None, Piece("tile", "2", "tile")))))
    16  .  2
    """
    if picture is None:
        return ""
    rows = grid_text(picture)
    width = max((len(cell) for row in rows for cell in row), default=0)
    lines = [" ".join(cell.rjust(width) for cell in row) for row in rows]
    return "\n".join(lines if picture.caption is None else [*lines, str(picture.caption)])


def cells_svg(cells: Iterable[int], rows: int, columns: int) -> str:
    """Return a small board as SVG with these cells filled, numbered row by row."""
    filled = set(cells)
    squares = "".join(
        f'<rect x="{cell % columns}.1" y="{cell // columns}.1" width=".8" height=".8" '
        f'fill="{"#0f6b62" if cell in filled else "#d8d2c6"}"/>'
        for cell in range(rows * columns)
    )
    return f'<svg viewBox="0 0 {columns} {rows}" width="{12 * columns}" role="img" aria-hidden="true">{squares}</svg>'


def picture_svg(picture: Picture | None) -> str:
    """The board as SVG, with a title that says what is on it."""
    if picture is None:
        return '<svg xmlns="http://www.w3.org/2000/svg"/>'
    ground, empty = GROUNDS[picture.ground]
    width, height = picture.columns * _CELL, picture.rows * _CELL
    parts = [f'<rect width="{width}" height="{height}" fill="{ground}"/>']
    for cell, piece in enumerate(picture.pieces):
        x, y = cell % picture.columns * _CELL, cell // picture.columns * _CELL
        parts.append(_cell(x, y, picture, empty, piece, cell in picture.line))
    caption = "" if picture.caption is None else f"<desc>{escape(str(picture.caption))}</desc>"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img"><title>{escape(picture_text(picture))}</title>{caption}{"".join(parts)}</svg>\n'
    )


def _cell(x: int, y: int, picture: Picture, empty: str, piece: Piece | None, in_line: bool) -> str:
    """A cell and its piece; the cells of the winning line have a rim."""
    middle, radius = _CELL // 2, _CELL // 2 - 2 * _GAP
    side, rim = _CELL - _GAP, ' stroke="#111111" stroke-width="4"' if in_line else ""
    fill, ink = (empty, empty) if piece is None else colours_of(piece)
    square = f'<rect x="{x + _GAP // 2}" y="{y + _GAP // 2}" width="{side}" height="{side}" rx="4" fill="{{}}"{{}}/>'
    circle = f'<circle cx="{x + middle}" cy="{y + middle}" r="{radius}" fill="{{}}"{{}}/>'
    if picture.ground == "holes":
        shown = circle.format(fill, rim)
    elif piece is None or piece.shape == "tile":
        shown = square.format(fill, rim)
    elif piece.shape == "mark":
        shown, ink = square.format(empty, rim), fill
    else:
        shown = square.format(empty, "") + circle.format(fill, rim)
    if piece is None or not piece.label:
        return shown
    size = 30 if len(piece.label) < 3 else 90 // len(piece.label)
    return shown + (
        f'<text x="{x + middle}" y="{y + middle}" fill="{ink}" font-family="sans-serif" font-weight="700" '
        f'font-size="{size}" text-anchor="middle" dominant-baseline="central">{escape(piece.label)}</text>'
    )
