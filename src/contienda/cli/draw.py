"""Boards in the terminal. A tile's colour repeats what its number says; nothing is told by colour alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich import box
from rich.align import Align
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text as Styled

from contienda.core import Game, State
from contienda.games.board_2048 import Board
from contienda.games.g2048 import G2048
from contienda.language import say

__all__ = ["draw_board", "live_board"]

#: A colour for each rank, from sand to night, each with ink that can be read on it.
_TILES = [
    ("#cdc1b4", "#cdc1b4"), ("#eee4da", "#5a524a"), ("#ede0c8", "#5a524a"), ("#f2b179", "#3a2a1a"),
    ("#f59563", "#3a1a0a"), ("#f67c5f", "#2a0a00"), ("#e8522f", "#ffffff"), ("#edcf72", "#3a2f10"),
    ("#edcc61", "#3a2f10"), ("#edc850", "#3a2f10"), ("#edc53f", "#3a2f10"), ("#edc22e", "#3a2f10"),
    ("#4b7f52", "#ffffff"), ("#2f6690", "#ffffff"), ("#1b4965", "#ffffff"), ("#5f0f40", "#ffffff"),
    ("#310e68", "#ffffff"), ("#111111", "#ffd700"),
]  # fmt: skip


@contextmanager
def live_board(console: Console) -> Iterator[Live]:
    """A place where one board takes that of another; in a file only the last stays, on lines of its own."""
    with Live(console=console, auto_refresh=False) as live:
        yield live
    if not console.is_terminal:
        console.line()


def draw_board(game: Game, state: State) -> RenderableType:
    """A board as a person wants to see it."""
    if isinstance(game, G2048):
        return _draw_2048(game, state)
    if game.name == "connect4":
        return _draw_grid(game.grid(state), numbered=True)
    return Styled(game.format(state).replace("/", "\n"))


def _draw_2048(game: G2048, board: Board) -> RenderableType:
    table = Table.grid(padding=0)
    for row in game.grid(board):
        cells: list[RenderableType] = []
        for face in row:
            paper, ink = _TILES[max(face.bit_length() - 1, 0)]
            shown = str(face or "·")
            cells.append(Styled(f"\n{shown:^8}\n", style=f"bold {ink if face else '#9e948a'} on {paper}"))
        table.add_row(*cells)
    outcome = game.outcome(board)
    line = say("score {score}   largest {max_tile}", "puntos {score}   mayor {max_tile}").format(**outcome)
    return Group(table, Styled(line, style="bold"))


def _draw_grid(rows: list[list[int]], numbered: bool) -> RenderableType:
    stones = [Styled("·", style="dim"), Styled("X", style="bold #e0a800"), Styled("O", style="bold #d1495b")]
    table = Table(box=box.ROUNDED, show_header=False, pad_edge=False)
    for row in rows:
        table.add_row(*(stones[cell] for cell in row))
    if numbered:
        table.add_section()
        table.add_row(*(Styled(str(i + 1), style="dim") for i in range(len(rows[0]))))
    return Align.left(table)
