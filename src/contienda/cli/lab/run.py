"""An experiment in the terminal: its progress and its results."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import typer
from rich.console import Console
from rich.live import Live
from rich.table import Table

from contienda.cli.play import tell_plain
from contienda.core.language import BadInput, Text, bounds, number, plural, say
from contienda.games import make_game
from contienda.lab.frames import pl
from contienda.lab.remarks import remarks_on
from contienda.lab.results import Failure, Results
from contienda.lab.run import Progress, run
from contienda.lab.sequential import weigh_results
from contienda.lab.sources import places_of, refuse_others, state_of
from contienda.lab.statistics import Interval, Summary, compare_all, frontier, recommend, summarise
from contienda.lab.table import table_of
from contienda.lab.where import Where

__all__ = ["about_lines", "go_on", "interruptible", "show_results", "source_notes", "watched"]


def go_on(results: Results, where: Where) -> None:
    """Play the missing games, showing the progress; Ctrl-C keeps finished ones."""
    for note in source_notes(results):
        Console(stderr=True).print(str(note), style="yellow", soft_wrap=True, highlight=False, markup=False)
    refuse_others(results.sources())
    if not results.plan.paths:
        with suppress(BadInput):  # a game whose file is gone is played from its stored copy
            tell_plain(make_game(results.plan.game))
    with watched() as (watch, stopped):
        progress = run(results, where, watch=watch, stopped=stopped)
    show_results(results, Console())
    if not progress.complete:
        again = f"contienda lab resume {results.path}"
        message = say("stopped; {again} resumes it", again=again)
        Console(stderr=True).print(message, style="yellow", soft_wrap=True, highlight=False)
        raise typer.Exit(130)
    if progress.failed:
        raise typer.Exit(2)


def source_notes(results: Results) -> list[Text]:
    """Return notes about users' own heuristics, to show before games are played."""
    kept = {source.place: source for source in results.sources()}
    gone = [source for source in kept.values() if source.files and state_of(source) == "gone"]
    notes = [
        Text(
            "{place} no longer exists: using the copy in {path} ({hash})",
            place=source.place,
            path=results.path,
            hash=source.hash[:8],
        )
        for source in gone
    ]
    named = dict.fromkeys(place for spec in (results.plan.game, *results.plan.specs) for place in places_of(spec))
    unknown = [place for place in named if place not in kept] if results.counts() else []
    notes += [
        Text(
            "{path} does not record which version of {place} played its first games: make sure that it has not changed",
            path=results.path,
            place=place,
        )
        for place in unknown
    ]
    return notes


@contextmanager
def watched() -> Iterator[tuple[Callable[[Progress], None], Callable[[], bool]]]:
    """Yield ``watch`` and ``stopped`` for `run`: a live table, and whether Ctrl-C was pressed."""
    console = Console(stderr=True)
    with interruptible() as stopped, Live(console=console, transient=True, refresh_per_second=4) as live:
        yield lambda progress: live.update(_progress_table(progress)), stopped


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Yield a function that tells whether Ctrl-C was pressed, for work that then ends by itself.

    A script's background job never sees it: the shell makes such jobs ignore SIGINT.
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
    rest = "" if left is None else say(", {time} left", time=_time(left))
    table = Table(
        title=f"{progress.plan.name}: {number(progress.rate, ',.3g')} {say('games/s')}{rest}",
        box=None,
        padding=(0, 2, 0, 0),
    )
    for header in (say("player"), say("done"), say("mean so far")):
        table.add_column(header, overflow="fold")
    for place, entrant in enumerate(progress.plan.entrants):
        mean = progress.mean(place)
        shown = "" if mean is None else number(mean, ",.4g")
        table.add_row(str(entrant), f"{progress.done[place]}/{progress.planned(place)}", shown)
    return table


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def show_results(results: Results, console: Console) -> None:
    """Print every player's figures, the best first, and recommendations."""
    plan, rows = results.plan, table_of(results)
    summaries = sorted(summarise(rows), key=lambda s: -s.quality)
    line = {summary.entrant for summary in frontier(summaries)}
    scored = any(summary.score is not None for summary in summaries)
    table = Table(title=f"{plan.name}: {plan.game}", box=None, padding=(0, 2, 0, 0))
    table.add_column(say("player"), overflow="fold")
    headers = [say("games")]
    headers += [say("mean score"), say("median")] if scored else []
    headers += [
        say("won"),
        say("moves"),
        say("nodes/move"),
        say("ms/move"),
    ]
    for header in headers:
        table.add_column(header, justify="right", overflow="fold")
    table.add_column("")
    for s in summaries:
        scores = [_interval(s.score, ",.0f"), number(s.score_median or 0, ",.0f")] if s.score is not None else []
        table.add_row(
            s.name,
            str(s.games),
            *scores,
            _interval(s.wins, ",.1%"),
            number(s.moves.value, ",.0f"),
            number(s.nodes_per_move, ",.0f"),
            number(s.ms_per_move, ",.3g"),
            "◆" if s.entrant in line else "",
        )
    console.print(table, highlight=False)
    console.print(say("◆ no player is better in less time"), style="dim")
    if plan.test is not None:
        from contienda.cli.lab.sequential import show_test

        show_test(plan, weigh_results(results, len(rows)), console)
    _show_differences(rows, summaries, console)
    for found in recommend(summaries, rows):
        console.print(f"{found.scenario}: {found}", highlight=False, markup=False)
    for about in about_lines(results):
        console.print(about, highlight=False, markup=False, soft_wrap=True)


def about_lines(results: Results) -> list[str]:
    """Return remarks on the figures: which sources played, and which games could not be played."""
    lines = [] if results.plan.test is not None else [str(remark) for remark in remarks_on(results)]
    lines += [
        say("{place}: {hash}, {lines} lines kept", place=source.place, hash=source.hash[:8], lines=source.lines)
        if source.files
        else f"{source.place}: {source.hash[:8]}"
        for source in results.sources()
    ]
    for (_, reason), seeds in _by_reason(results.forfeits()).items():
        lines.append(
            str(
                plural(
                    "ended by forfeit: {n} game, first seed {seed}: {reason}",
                    "ended by forfeit: {n:,} games, first seed {seed}: {reason}",
                    len(seeds),
                    seed=seeds[0],
                    reason=reason,
                )
            )
        )
    for (_, reason), seeds in _by_reason(results.failures()).items():
        lines.append(
            str(
                plural(
                    "not played: {n} game, first seed {seed}: {reason}",
                    "not played: {n:,} games, first seed {seed}: {reason}",
                    len(seeds),
                    seed=seeds[0],
                    reason=reason,
                )
            )
        )
    return lines


def _by_reason(failures: list[Failure]) -> dict[tuple[int, Text], list[int]]:
    """The seeds of games that went wrong for the same reason."""
    reasons: dict[tuple[int, Text], list[int]] = {}
    for failure in failures:
        reasons.setdefault((failure.entrant, failure.reason), []).append(failure.seed)
    return reasons


def _show_differences(rows: pl.DataFrame, summaries: list[Summary], console: Console) -> None:
    """Print the differences between the best player and each other one, game by game."""
    if len(summaries) < 2:
        return
    best = summaries[0]
    table = Table(
        title=say("the best player minus each other one, on the same seeds"),
        box=None,
        padding=(0, 2, 0, 0),
    )
    table.add_column("", overflow="fold")
    for header in (say("difference"), "d", "p"):
        table.add_column(header, justify="right", overflow="fold")
    names = {summary.entrant: summary.name for summary in summaries[1:]}
    for found in compare_all(rows, best.entrant, list(names)):
        spec = ",.0f" if best.score is not None else ",.1%"
        effect, p = number(found.effect, ",.2f"), number(found.p, ",.2g")
        table.add_row(names[found.second], _interval(found.difference, spec), effect, p)
    console.print(table, highlight=False)


def _interval(interval: Interval, spec: str) -> str:
    return f"{number(interval.value, spec)} {bounds(interval.low, interval.high, spec)}"
