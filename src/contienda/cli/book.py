"""``contienda book``: the first moves of Connect 4, solved beforehand."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console

from contienda.cli.arguments import OutOption, SolvedGameOption, ThreadsOption, within
from contienda.cli.files import file_to_write
from contienda.cli.typer_texts import Command
from contienda.core.language import say

__all__ = ["books"]

books = typer.Typer()

#: Deeper plies have too many positions for the memory.
_DEEPEST = 12
#: Megabytes: a terabyte, larger than any table.
_MOST_MEMORY = 2**20


@books.command(
    cls=Command,
    help=say("Solve every Connect 4 position after N moves. This takes hours; run it again to resume."),
)
def book(
    out: OutOption,
    game: SolvedGameOption = None,
    plies: Annotated[
        int,
        typer.Option("--plies", metavar="N", callback=within(1, _DEEPEST), help=say("positions after N moves")),
    ] = 9,
    threads: ThreadsOption = None,
    memory: Annotated[
        int,
        typer.Option(
            "--memory",
            metavar="MB",
            callback=within(1, _MOST_MEMORY),
            help=say("size of the table in megabytes"),
        ),
    ] = 1024,
) -> None:
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    from contienda.cli.play import cores
    from contienda.compiled.stopping import Stop
    from contienda.games import games_with, make_game
    from contienda.perfect.generate import make_book
    from contienda.perfect.positions import size_of

    board = make_game(game or games_with("exact")[0])
    size = size_of(board)
    file_to_write(out)
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("<"), TimeRemainingColumn())
    console, stop = Console(stderr=True), Stop()
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("")
        whole = make_book(
            out,
            size,
            plies,
            threads=threads or cores(),
            megabytes=memory,
            progress=lambda solved, total: bar.update(task, completed=solved, total=total),
            stop=stop,
        )
    if whole:
        Console().print(say("{out}: complete", out=out), highlight=False)
