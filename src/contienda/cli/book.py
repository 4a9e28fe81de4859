"""``contienda book``: the first moves of Connect 4, solved beforehand."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from contienda.cli.places import file_to_write
from contienda.cli.ranges import THREADS, within
from contienda.cli.spanish import Command
from contienda.language import BadInput, say

__all__ = ["books"]

books = typer.Typer()

#: Positions of deeper plies are so many that they would not fit in memory.
_DEEPEST = 12
#: Megabytes: a terabyte, which no table fills.
_MOST_MEMORY = 2**20


@books.command(
    cls=Command,
    help=say(
        "Solve every position of a ply of Connect 4. It takes hours, and goes on where it stopped.",
        "Resuelve todas las posiciones de Conecta 4 tras unas jugadas. Tarda horas, y sigue donde se paró.",
    ),
)
def book(
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help=say("where it is kept", "dónde se guarda"))],
    game: Annotated[str, typer.Option("--game", metavar="SPEC", help="connect4:rows=5,columns=6")] = "connect4",
    plies: Annotated[
        int,
        typer.Option("--plies", metavar="N", callback=within(1, _DEEPEST), help=say("after N moves", "tras N jugadas")),
    ] = 9,
    threads: Annotated[
        int | None,
        typer.Option(
            "--threads", metavar="N", callback=THREADS, help=say("else one for each core", "si no, uno por núcleo")
        ),
    ] = None,
    memory: Annotated[
        int,
        typer.Option(
            "--memory",
            metavar="MB",
            callback=within(1, _MOST_MEMORY),
            help=say("megabytes of the table", "megabytes de la tabla"),
        ),
    ] = 1024,
) -> None:
    from contienda.cli.play import cores
    from contienda.games import make_game
    from contienda.games.connect4 import Connect4
    from contienda.perfect.generate import make_book
    from contienda.perfect.positions import Size
    from contienda.stopping import Stop

    board = make_game(game)
    if not isinstance(board, Connect4):
        raise BadInput(f"books are for Connect 4, not {game}", f"los libros son para Conecta 4, no {game}")
    file_to_write(out)
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("<"), TimeRemainingColumn())
    console, stop = Console(stderr=True), Stop()
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("")
        whole = make_book(
            out,
            Size(board.rows, board.columns, board.connect),
            plies,
            threads=threads or cores(),
            megabytes=memory,
            progress=lambda solved, total: bar.update(task, completed=solved, total=total),
            stop=stop,
        )
    if whole:
        Console().print(say(f"{out}: whole", f"{out}: completo"), highlight=False)
