"""``contienda lab reproduce``: the published tables beside ours, in the terminal and as an HTML page."""

from __future__ import annotations

import math
from pathlib import Path

import typer
from rich.console import Console
from rich.table import Table

from contienda.cli.lab.run import watched
from contienda.core.files import write_atomically
from contienda.core.language import bounds, number, say
from contienda.lab.documents import DOCUMENTS, TIMED
from contienda.lab.published_figures import (
    METRICS,
    Change,
    ComparedLine,
    Comparison,
    changes_of,
    compare_pooled,
    times,
    verdict,
)
from contienda.lab.reproduce import document_names, reproduce
from contienda.lab.reproduction_page import change_row, reproduction_html
from contienda.lab.where import Where

__all__ = ["run_reproduction"]


def run_reproduction(name: str, folder: Path, where: Where, *, quick: bool, again: bool) -> None:
    """Play, compare, and write the page; Ctrl-C keeps finished games, and the same command continues."""
    names = document_names(name)
    with watched() as (watch, stopped):
        found = reproduce(names, folder, where, quick=quick, again=again, watch=watch, stopped=stopped)
        interrupted = stopped()
    console = Console()
    for document, experiments in found.items():
        console.print(f"\n{DOCUMENTS[document].title}", style="bold", highlight=False)
        for note in DOCUMENTS[document].notes:
            console.print(str(note), style="dim", highlight=False)
        for each in experiments:
            if lines := each.lines():
                console.print(f"\n{each.heading}", style="bold", highlight=False)
                console.print(_table(lines), highlight=False)
                console.print(f"{verdict(lines)}.", highlight=False)
            for improvement in each.experiment.improvements:
                if told := changes_of(improvement, lines):
                    console.print(f"\n{improvement.title}", style="bold", highlight=False)
                    console.print(_improvement(told), highlight=False)
            for pooled, own in compare_pooled(each.experiment, each.games):
                if own:
                    console.print(f"\n{pooled.title}", style="bold", highlight=False)
                    console.print(_table(own), highlight=False)
    page = folder / f"{name}{'-quick' if quick else ''}.html"
    write_atomically(page, reproduction_html(found))
    console.print(f"\n{page}", highlight=False, soft_wrap=True)
    if interrupted:
        raise typer.Exit(130)


def _improvement(told: list[Change]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for header in ("", say("published"), say("ours")):
        table.add_column(header, justify="right" if header else "left")
    for change in told:
        table.add_row(*change_row(change))
    return table


def _table(lines: list[ComparedLine]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("", overflow="fold")
    shown = [c.metric for c in lines[0].comparisons if c.metric != "seconds"]
    for metric in shown:
        table.add_column(str(METRICS[metric][0]), justify="right", overflow="fold")
    if any(line.faster for line in lines):
        table.add_column(say("faster"), justify="right")
    for line in lines:
        cells = [_cell(c, line) for c in line.comparisons if c.metric != "seconds"]
        table.add_row(line.label, *cells, *([f"× {times(line.faster)}"] if line.faster else []))
    return table


def _cell(c: Comparison, line: ComparedLine) -> str:
    spec = METRICS[c.metric][1]
    published = "–" if math.isnan(c.published.mean) else number(c.published.mean, spec)
    if c.ours is None:
        return published
    mark = "" if c.metric in TIMED or math.isnan(c.published.mean) else "✓" if c.inside else "✗"
    if c.metric == "score" and line.impossible:
        mark = say("impossible")
    if c.metric in TIMED and c.published.sd is not None:
        mark = f"± {number(c.published.sd, spec)} "
    return f"{published} {mark} {number(c.ours.value, spec)} \\{bounds(c.ours.low, c.ours.high, spec)}"
