"""``contienda lab sweep`` and ``lab tune``: what weights do, and better ones."""

from __future__ import annotations

from pathlib import Path

import typer
from rich.console import Console
from rich.table import Table

from contienda.cli.lab_run import interruptible, watched
from contienda.lab.figures import svg_of
from contienda.lab.figures.curves import sensitivity
from contienda.lab.plan import Plan
from contienda.lab.results import Results
from contienda.lab.run import run
from contienda.lab.sensitivity import sweep_table
from contienda.lab.table import table_of
from contienda.lab.tune import Trial, Tuning, gain, tune
from contienda.lab.where import Where
from contienda.language import say
from contienda.record import write_atomically

__all__ = ["run_sweep", "run_tuning"]


def run_sweep(plan: Plan, path: Path, where: Where) -> None:
    """Play a sweep, show what each weight does, and draw it beside the results."""
    results = Results(path, plan)
    with watched() as (watch, stopped):
        progress = run(results, where, watch=watch, stopped=stopped)
    if not progress.complete:
        raise typer.Exit(130)
    rows = sweep_table(table_of(results))
    table = Table(title=plan.name, box=None, padding=(0, 2, 0, 0))
    for header in (say("weight", "peso"), say("times", "veces"), say("value", "valor"), say("mean score", "media")):
        table.add_column(header, justify="right", overflow="fold")
    for row in rows.iter_rows(named=True):
        low, high = row["quality_low"], row["quality_high"]
        score = f"{row['quality']:,.0f} \\[{low:,.0f}, {high:,.0f}]"
        table.add_row(row["weight"], f"{row['factor']:g}", f"{row['value']:g}", score)
    console = Console()
    console.print(table, highlight=False)
    drawing = path.with_suffix(".svg")
    write_atomically(drawing, svg_of(sensitivity(rows)))
    console.print(str(drawing), highlight=False, soft_wrap=True)


def run_tuning(tuning: Tuning, path: Path, check: int, where: Where) -> None:
    """Tune, then play the tuned player beside the one before, on new seeds."""
    console, progress = Console(), Console(stderr=True)

    def watch(trials: list[Trial]) -> None:
        last = [trial for trial in trials if trial.generation == trials[-1].generation]
        best = max(last, key=lambda trial: trial.score)
        mean = sum(trial.score for trial in last) / len(last)
        of = f"{best.generation + 1}/{tuning.generations}"
        progress.print(f"{of}: {mean:,.0f}, {best.score:,.0f}  {best.player}", highlight=False, soft_wrap=True)

    with interruptible() as stopped:
        tuned = tune(tuning, path, where, watch=watch, stopped=stopped)
    if tuned is None:
        console.print(say("stopped: the same command goes on", "parado: la misma orden sigue"), style="yellow")
        raise typer.Exit(130)
    console.print(tuned, highlight=False, soft_wrap=True)
    found = gain(tuning, tuned, path.with_suffix(".check.sqlite"), where, games=check)
    before, after, more = found.before, found.after, found.difference.difference
    console.print(
        say(
            f"mean score before {before.value:,.0f} [{before.low:,.0f}, {before.high:,.0f}], after {after.value:,.0f} "
            f"[{after.low:,.0f}, {after.high:,.0f}]; gain {more.value:,.0f} [{more.low:,.0f}, {more.high:,.0f}], "
            f"p = {found.difference.p:.2g}, {check} games on new seeds",
            f"puntuación media antes {before.value:,.0f} [{before.low:,.0f}, {before.high:,.0f}], después "
            f"{after.value:,.0f} [{after.low:,.0f}, {after.high:,.0f}]; ganancia {more.value:,.0f} [{more.low:,.0f}, "
            f"{more.high:,.0f}], p = {found.difference.p:.2g}, {check} partidas con semillas nuevas",
        ),
        highlight=False,
        markup=False,
        soft_wrap=True,
    )
