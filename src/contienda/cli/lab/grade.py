"""``contienda lab grade``: compares players with perfect play, or with a stronger player."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.table import Table

from contienda.cli.files import file_to_write
from contienda.compiled.stopping import Stop, in_time
from contienda.core.files import write_atomically
from contienda.core.language import bounds, number, say
from contienda.games import make_game
from contienda.lab.figures import svg_of
from contienda.lab.frames import pl
from contienda.lab.grading import Column, grading_of
from contienda.players import make_player

__all__ = ["run_grading"]


def run_grading(
    players: list[str], game_spec: str, judge: str | None, sample_size: int, seed: int, out: Path | None
) -> None:
    """Grade the players, print the shares, and save every answer as CSV with the figure beside it."""
    game = make_game(game_spec)
    grading = grading_of(game, judge)
    if out is not None:
        file_to_write(out)
        file_to_write(out.with_suffix(".svg"))
    for spec in players:
        make_player(spec, game)  # a player that cannot play is refused before anything is solved
    positions, stop = grading.sample(game, sample_size, seed), Stop()
    console = Console(stderr=True)
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=len(positions))
        answers = in_time(
            lambda: grading.grade(
                game, players, positions, stop=stop, progress=lambda done: bar.update(task, completed=done)
            ),
            stop,
        )
    found = grading.summary(answers)
    Console().print(_table(found, grading.columns), highlight=False)
    if out is not None:  # after printing: a full disk loses only the files
        write_atomically(out, answers.write_csv())
        write_atomically(out.with_suffix(".svg"), svg_of(grading.figure(found)))
    if answers.height < len(players) * len(positions):
        raise typer.Exit(130)


def _table(found: pl.DataFrame, columns: tuple[Column, ...]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column(say("player"), overflow="fold")
    for column in columns:
        table.add_column(str(column.title), justify="right")
    for row in found.iter_rows(named=True):
        table.add_row(row["player"], *(_cell(row, column) for column in columns))
    return table


def _cell(row: dict[str, Any], column: Column) -> str:
    if not column.format:
        return str(row[column.key] or say("all"))
    return _interval(row, column.key, column.format)


def _interval(row: dict[str, Any], what: str, how: str) -> str:
    return f"{number(row[what], how)} \\{bounds(row[f'{what}_low'], row[f'{what}_high'], how)}"
