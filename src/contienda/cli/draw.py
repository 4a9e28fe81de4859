"""Boards in the terminal. A tile's colour only repeats its number; nothing is shown by colour alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich import box
from rich.align import Align
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text as Styled

from contienda.core.drawn import TILES
from contienda.core.game import Game, State
from contienda.core.language import say
from contienda.core.picture import Picture, Piece

__all__ = ["draw_board", "live_board"]

#: By the role of a piece; its label also tells the two sides apart.
_ROLES = {"first": "#e0a800", "second": "#d1495b", "neutral": "", "tile": ""}


@contextmanager
def live_board(console: Console) -> Iterator[Live]:
    """Yield a display in which each board replaces the last; in a file only the last board remains."""
    with Live(console=console, auto_refresh=False) as live:
        yield live
    if not console.is_terminal:
        console.line()


def draw_board(game: Game, state: State) -> RenderableType:
    """Draw a board for people to read."""
    picture = game.picture(state)
    if picture is None:
        return Styled(game.format(state).replace("/", "\n"))
    parts: list[RenderableType] = []
    if picture.pieces:
        parts.append(_draw_tiles(picture) if picture.ground == "slots" else _draw_pieces(picture))
    if picture.caption is not None:
        parts.append(Styled(str(picture.caption)))
    if "points" in game.features:
        parts.append(Styled(_figures(game.outcome(state)), style="bold"))
    return parts[0] if len(parts) == 1 else Group(*parts)


def _figures(outcome: dict[str, Any]) -> str:
    """Return the score, and the largest tile if the game has tiles."""
    told = [f"{say('score')} {outcome['score']}"]
    if "max_tile" in outcome:
        told.append(f"{say('largest')} {outcome['max_tile']}")
    return "   ".join(told)


def _draw_tiles(picture: Picture) -> RenderableType:
    table = Table.grid(padding=0)
    for row in _rows(picture):
        cells: list[RenderableType] = []
        for piece in row:
            paper, ink = TILES[min(piece.rank if piece else 0, len(TILES) - 1)]
            shown = piece.label if piece else "·"
            cells.append(Styled(f"\n{shown:^8}\n", style=f"bold {ink if piece else '#9e948a'} on {paper}"))
        table.add_row(*cells)
    return table


def _draw_pieces(picture: Picture) -> RenderableType:
    table = Table(box=box.ROUNDED, show_header=False, pad_edge=False)
    for number, row in enumerate(_rows(picture)):
        label = [Styled(picture.row_labels[number], style="dim")] if picture.row_labels else []
        table.add_row(*label, *(_piece(piece) for piece in row))
    if picture.column_labels:
        table.add_section()
        corner = [Styled("")] if picture.row_labels else []
        table.add_row(*corner, *(Styled(label, style="dim") for label in picture.column_labels))
    return Align.left(table)


def _piece(piece: Piece | None) -> Styled:
    if piece is None:
        return Styled("·", style="dim")
    return Styled(piece.label, style=f"bold {_ROLES[piece.role]}")


def _rows(picture: Picture) -> list[tuple[Piece | None, ...]]:
    return [picture.pieces[i : i + picture.columns] for i in range(0, len(picture.pieces), picture.columns)]
