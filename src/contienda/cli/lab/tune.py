"""``contienda lab sweep`` and ``lab tune``: the effects of weights, and better weights."""

from __future__ import annotations

from pathlib import Path

import typer
from rich.console import Console
from rich.table import Table

from contienda.cli.lab.run import interruptible, watched
from contienda.core.files import write_atomically
from contienda.core.language import bounds, number, say
from contienda.lab.figures import svg_of
from contienda.lab.figures.curves import sensitivity
from contienda.lab.fit import fit_weights
from contienda.lab.plan import Plan
from contienda.lab.results import Results
from contienda.lab.run import run
from contienda.lab.sensitivity import sweep_table
from contienda.lab.table import table_of
from contienda.lab.tune import Trial, Tuning, gain, tune
from contienda.lab.where import Where
from contienda.record import load_games

__all__ = ["run_learning", "run_sweep", "run_tuning"]


def run_sweep(plan: Plan, path: Path, where: Where) -> None:
    """Play a sweep, print the effect of each weight, and draw it beside the results."""
    results = Results(path, plan)
    with watched() as (watch, stopped):
        progress = run(results, where, watch=watch, stopped=stopped)
    if not progress.complete:
        raise typer.Exit(130)
    rows = sweep_table(table_of(results), plan.game)
    table = Table(title=plan.name, box=None, padding=(0, 2, 0, 0))
    for header in (say("weight"), say("times"), say("value"), say("mean score")):
        table.add_column(header, justify="right", overflow="fold")
    for row in rows.iter_rows(named=True):
        low, high = row["quality_low"], row["quality_high"]
        score = f"{number(row['quality'], ',.0f')} \\{bounds(low, high, ',.0f')}"
        table.add_row(row["weight"], f"{row['factor']:g}", f"{row['value']:g}", score)
    console = Console()
    console.print(table, highlight=False)
    drawing = path.with_suffix(".svg")
    write_atomically(drawing, svg_of(sensitivity(rows)))
    console.print(str(drawing), highlight=False, soft_wrap=True)


def run_tuning(tuning: Tuning, path: Path, check: int, where: Where) -> None:
    """Tune, then compare the tuned player with the original, on new seeds."""
    console, progress = Console(), Console(stderr=True)

    def watch(trials: list[Trial]) -> None:
        last = [trial for trial in trials if trial.generation == trials[-1].generation]
        best = max(last, key=lambda trial: trial.score)
        mean = sum(trial.score for trial in last) / len(last)
        of = f"{best.generation + 1}/{tuning.generations}"
        progress.print(
            f"{of}: {number(mean, ',.0f')}, {number(best.score, ',.0f')}  {best.player}",
            highlight=False,
            soft_wrap=True,
        )

    with interruptible() as stopped:
        tuned = tune(tuning, path, where, watch=watch, stopped=stopped)
    if tuned is None:
        console.print(say("stopped; the same command resumes it"), style="yellow")
        raise typer.Exit(130)
    console.print(tuned, highlight=False, soft_wrap=True)
    _show_gain(tuning, tuned, path, check, where, console)


def run_learning(tuning: Tuning, folder: Path, path: Path, check: int, where: Where) -> None:
    """Learn weights from saved games, then compare the new player with the original, on new seeds."""
    console = Console()
    fitted = fit_weights(tuning.player, load_games(folder), tuning.seed, tuning.game)
    console.print(fitted.player, highlight=False, soft_wrap=True)
    console.print(
        say(
            "fitted to {games:,} games; correlation with the final scores of other games: {before:,.2f} "
            "before, {after:,.2f} after (Pearson)",
            games=fitted.games,
            before=fitted.before,
            after=fitted.after,
        ),
        highlight=False,
        soft_wrap=True,
    )
    _show_gain(tuning, fitted.player, path, check, where, console)


def _show_gain(tuning: Tuning, tuned: str, path: Path, check: int, where: Where, console: Console) -> None:
    found = gain(tuning, tuned, path.with_suffix(".check.sqlite"), where, games=check)
    before, after, more = found.before, found.after, found.difference.difference
    console.print(
        say(
            "mean score before {value:,.0f} [{low:,.0f}, {high:,.0f}], after {after_value:,.0f} "
            "[{after_low:,.0f}, {after_high:,.0f}]; gain {more_value:,.0f} [{more_low:,.0f}, "
            "{more_high:,.0f}], p = {p:,.2g}, {check} games on new seeds",
            value=before.value,
            low=before.low,
            high=before.high,
            after_value=after.value,
            after_low=after.low,
            after_high=after.high,
            more_value=more.value,
            more_low=more.low,
            more_high=more.high,
            p=found.difference.p,
            check=check,
        ),
        highlight=False,
        markup=False,
        soft_wrap=True,
    )
