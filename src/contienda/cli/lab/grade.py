"""``contienda lab grade``: compares players with perfect play."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.table import Table

from contienda.cli.files import file_to_write
from contienda.compiled.stopping import Stop, in_time
from contienda.core.files import write_atomically
from contienda.core.language import BadInput, number, say
from contienda.games import make_game
from contienda.games.connect4 import Connect4
from contienda.lab.figures import svg_of
from contienda.lab.figures.grades import grades, regrets
from contienda.lab.grading import grade, grades_by, sample
from contienda.lab.grading_2048 import grade_2048, grades_2048_by, sample_2048
from contienda.players import make_player

__all__ = ["run_grading"]


def run_grading(players: list[str], game_spec: str, sample_size: int, seed: int, out: Path | None) -> None:
    """Grade the players, print the shares, and save every answer as CSV with the figure beside it."""
    game = make_game(game_spec)
    if isinstance(game, Connect4):
        grading = _Grading(sample, grade, grades_by, _connect4_table, grades)
    elif "solved" in game.features:
        grading = _Grading(sample_2048, grade_2048, grades_2048_by, _2048_table, regrets)
    else:
        raise BadInput(
            "{game_spec} is not solved: perfect play is known for Connect 4 and for 2048 up to 3 × 3",
            game_spec=game_spec,
        )
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
    Console().print(grading.table(found), highlight=False)
    if out is not None:  # after printing: a full disk loses only the files
        write_atomically(out, answers.write_csv())
        write_atomically(out.with_suffix(".svg"), svg_of(grading.figure(found)))
    if answers.height < len(players) * len(positions):
        raise typer.Exit(130)


class _Grading(NamedTuple):
    """How the players of a game are graded."""

    sample: Callable[..., list[Any]]
    grade: Callable[..., pl.DataFrame]
    summary: Callable[[pl.DataFrame], pl.DataFrame]
    table: Callable[[pl.DataFrame], Table]
    figure: Callable[[pl.DataFrame], Any]


def _connect4_table(found: pl.DataFrame) -> Table:
    table = _new_table(say("stones"), say("positions"), say("optimal"), say("keep the result"))
    for row in found.iter_rows(named=True):
        shares = [_interval(row, what, ",.1%") for what in ("optimal", "kept")]
        table.add_row(row["player"], row["plies"], str(row["positions"]), *shares)
    return table


def _2048_table(found: pl.DataFrame) -> Table:
    table = _new_table(say("largest tile"), say("positions"), say("perfect moves"), say("points lost a move"))
    for row in found.iter_rows(named=True):
        largest = str(row["largest"]) if row["largest"] else say("all")
        measures = (_interval(row, "perfect", ",.1%"), _interval(row, "regret", ",.2f"))
        table.add_row(row["player"], largest, str(row["positions"]), *measures)
    return table


def _new_table(*headers: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column(say("player"), overflow="fold")
    for header in headers:
        table.add_column(header, justify="right")
    return table


def _interval(row: dict[str, Any], what: str, how: str) -> str:
    return "{} \\[{}, {}]".format(*(number(row[what + end], how) for end in ("", "_low", "_high")))
