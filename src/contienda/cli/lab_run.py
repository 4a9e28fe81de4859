"""An experiment in the terminal: how it goes, and what came of it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import polars as pl
import typer
from rich.console import Console
from rich.live import Live
from rich.table import Table

from contienda.lab.results import Results
from contienda.lab.run import Progress, run
from contienda.lab.sources import places_of, state_of
from contienda.lab.statistics import Interval, Summary, compare, frontier, recommend, summarise
from contienda.lab.table import table_of
from contienda.lab.where import Where
from contienda.language import Text, say

__all__ = ["about_lines", "go_on", "interruptible", "show_results", "source_notes", "watched"]


def go_on(results: Results, where: Where) -> None:
    """Play what is missing, before one's eyes; Ctrl-C keeps what is finished."""
    for note in source_notes(results):
        Console(stderr=True).print(str(note), style="yellow", soft_wrap=True, highlight=False, markup=False)
    with watched() as (watch, stopped):
        progress = run(results, where, watch=watch, stopped=stopped)
    show_results(results, Console())
    if not progress.complete:
        again = f"contienda lab resume {results.path}"
        message = say(f"stopped: {again} goes on", f"parado: {again} sigue")
        Console(stderr=True).print(message, style="yellow", soft_wrap=True, highlight=False)
        raise typer.Exit(130)
    if progress.failed:
        raise typer.Exit(2)


def source_notes(results: Results) -> list[Text]:
    """What to know, before games are played, of the heuristics that were written by hand."""
    kept = {source.place: source for source in results.sources()}
    gone = [source for source in kept.values() if source.files and state_of(source) == "gone"]
    notes = [
        Text(
            f"{source.place} is gone: playing by the text that {results.path} keeps ({source.hash[:8]})",
            f"{source.place} no está: se juega con el texto que guarda {results.path} ({source.hash[:8]})",
        )
        for source in gone
    ]
    named = dict.fromkeys(place for spec in results.plan.specs for place in places_of(spec))
    unknown = [place for place in named if place not in kept] if results.counts() else []
    notes += [
        Text(
            f"{results.path} does not say what {place} was when its first games were played: make sure that it is the "
            "same",
            f"{results.path} no dice cómo era {place} en sus primeras partidas: asegúrate de que es igual",
        )
        for place in unknown
    ]
    return notes


@contextmanager
def watched() -> Iterator[tuple[Callable[[Progress], None], Callable[[], bool]]]:
    """What `run` takes as ``watch`` and ``stopped``: a live table, and Ctrl-C, which keeps what is finished."""
    console = Console(stderr=True)
    with interruptible() as stopped, Live(console=console, transient=True, refresh_per_second=4) as live:
        yield lambda progress: live.update(_progress_table(progress)), stopped


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Whether Ctrl-C was pressed, for work that ends by itself when it was.

    A script's background job does not hear it: the shell has told it to ignore what is meant for the foreground.
    """
    stop = threading.Event()
    usual = signal.getsignal(signal.SIGINT)
    if usual is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, lambda number, frame: stop.set())
    try:
        yield stop.is_set
    finally:
        signal.signal(signal.SIGINT, usual)


def _progress_table(progress: Progress) -> Table:
    left = progress.seconds_left
    rest = "" if left is None else say(f", {_time(left)} left", f", quedan {_time(left)}")
    table = Table(
        title=f"{progress.plan.name}: {progress.rate:.3g} {say('games/s', 'partidas/s')}{rest}",
        box=None,
        padding=(0, 2, 0, 0),
    )
    for header in (say("player", "jugador"), say("done", "hechas"), say("mean so far", "media hasta ahora")):
        table.add_column(header, overflow="fold")
    for number, entrant in enumerate(progress.plan.entrants):
        mean = progress.mean(number)
        table.add_row(str(entrant), f"{progress.done[number]}/{progress.total}", "" if mean is None else f"{mean:,.4g}")
    return table


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def show_results(results: Results, console: Console) -> None:
    """Every player with its figures, the best first, and whom to take for what."""
    plan, rows = results.plan, table_of(results)
    summaries = sorted(summarise(rows), key=lambda s: -s.quality)
    line = {summary.entrant for summary in frontier(summaries)}
    scored = any(summary.score is not None for summary in summaries)
    table = Table(title=f"{plan.name}: {plan.game}", box=None, padding=(0, 2, 0, 0))
    table.add_column(say("player", "jugador"), overflow="fold")
    headers = [say("games", "partidas")]
    headers += [say("mean score", "puntuación media"), say("median", "mediana")] if scored else []
    headers += [
        say("won", "ganadas"),
        say("moves", "jugadas"),
        say("nodes/move", "nodos/jugada"),
        say("ms/move", "ms/jugada"),
    ]
    for header in headers:
        table.add_column(header, justify="right", overflow="fold")
    table.add_column("")
    for s in summaries:
        scores = [_interval(s.score, ",.0f"), f"{s.score_median:,.0f}"] if s.score is not None else []
        table.add_row(
            s.name,
            str(s.games),
            *scores,
            _interval(s.wins, ".1%"),
            f"{s.moves.value:,.0f}",
            f"{s.nodes_per_move:,.0f}",
            f"{s.ms_per_move:.3g}",
            "◆" if s.entrant in line else "",
        )
    console.print(table, highlight=False)
    console.print(say("◆ nobody is better in less time", "◆ nadie es mejor en menos tiempo"), style="dim")
    _show_differences(rows, summaries, console)
    for scenario, summary in recommend(summaries):
        console.print(f"{scenario}: {summary.name}", highlight=False)
    for about in about_lines(results):
        console.print(about, highlight=False, markup=False, soft_wrap=True)


def about_lines(results: Results) -> list[str]:
    """What the figures do not say: which texts played, and which games could not be played."""
    lines = [
        say(
            f"{source.place}: {source.hash[:8]}, {source.lines} lines kept",
            f"{source.place}: {source.hash[:8]}, {source.lines} líneas guardadas",
        )
        if source.files
        else f"{source.place}: {source.hash[:8]}"
        for source in results.sources()
    ]
    reasons: dict[tuple[int, Text], list[int]] = {}
    for failure in results.failures():
        reasons.setdefault((failure.entrant, failure.reason), []).append(failure.seed)
    for (_, reason), seeds in reasons.items():
        lines.append(
            say(
                f"not played: {len(seeds)} {'game' if len(seeds) == 1 else 'games'}, first seed {seeds[0]}: {reason}",
                f"sin jugar: {len(seeds)} {'partida' if len(seeds) == 1 else 'partidas'}, primera semilla {seeds[0]}: "
                f"{reason}",
            )
        )
    return lines


def _show_differences(rows: pl.DataFrame, summaries: list[Summary], console: Console) -> None:
    """The best beside each of the others, game by game."""
    if len(summaries) < 2:
        return
    best = summaries[0]
    table = Table(
        title=say("the best less the others, on the same seeds", "el mejor menos los demás, con las mismas semillas"),
        box=None,
        padding=(0, 2, 0, 0),
    )
    table.add_column("", overflow="fold")
    for header in (say("difference", "diferencia"), "d", "p"):
        table.add_column(header, justify="right", overflow="fold")
    for other in summaries[1:]:
        found = compare(rows, best.entrant, other.entrant)
        if found is not None:
            spec = ",.0f" if best.score is not None else ".1%"
            table.add_row(other.name, _interval(found.difference, spec), f"{found.effect:.2f}", f"{found.p:.2g}")
    console.print(table, highlight=False)


def _interval(interval: Interval, spec: str) -> str:
    return f"{interval.value:{spec}} [{interval.low:{spec}}, {interval.high:{spec}}]"
