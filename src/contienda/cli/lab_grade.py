"""``contienda lab grade``: players of Connect 4 beside perfect play."""

from __future__ import annotations

from pathlib import Path

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.table import Table

from contienda.cli.places import file_to_write
from contienda.games import make_game
from contienda.games.connect4 import Connect4
from contienda.lab.figures import svg_of
from contienda.lab.figures.grades import grades
from contienda.lab.grading import grade, grades_by, sample
from contienda.language import BadInput, say
from contienda.players import make_player
from contienda.record import write_atomically
from contienda.stopping import Stop, in_time

__all__ = ["run_grading"]


def run_grading(players: list[str], game_spec: str, per_ply: int, seed: int, out: Path | None) -> None:
    """Grade, show the shares, and keep every answer as CSV with the figure beside it."""
    game = make_game(game_spec)
    if not isinstance(game, Connect4):
        raise BadInput(f"only Connect 4 is solved, not {game_spec}", f"solo está resuelto Conecta 4, no {game_spec}")
    if out is not None:
        file_to_write(out)
        file_to_write(out.with_suffix(".svg"))
    for spec in players:
        make_player(spec, game)  # one who cannot play is refused before anything is solved
    positions, stop = sample(game, per_ply, seed), Stop()
    console = Console(stderr=True)
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=len(positions))
        answers = in_time(
            lambda: grade(game, players, positions, stop=stop, progress=lambda done: bar.update(task, completed=done)),
            stop,
        )
    found = grades_by(answers)
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column(say("player", "jugador"), overflow="fold")
    for header in (
        say("stones", "fichas"),
        say("positions", "posiciones"),
        say("optimal", "óptimas"),
        say("keep the result", "conservan"),
    ):
        table.add_column(header, justify="right")
    for row in found.iter_rows(named=True):
        shares = [
            f"{row[what]:.1%} \\[{row[f'{what}_low']:.1%}, {row[f'{what}_high']:.1%}]" for what in ("optimal", "kept")
        ]
        table.add_row(row["player"], row["plies"], str(row["positions"]), *shares)
    Console().print(table, highlight=False)
    if out is not None:  # after it was shown: a full disk costs the files alone
        write_atomically(out, answers.write_csv())
        write_atomically(out.with_suffix(".svg"), svg_of(grades(found)))
    if answers.height < len(players) * len(positions):
        raise typer.Exit(130)
