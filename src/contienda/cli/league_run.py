"""A league in the terminal: its progress and its ladder."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import typer
from rich.console import Console
from rich.live import Live
from rich.table import Table

from contienda.cli.arguments import print_json
from contienda.cli.files import beside, file_to_write
from contienda.cli.lab.run import interruptible
from contienda.cli.play import cores
from contienda.core.files import write_atomically
from contienda.core.language import BadInput, number, plural, say
from contienda.games import make_game
from contienda.league import (
    HostLimits,
    LeaguePlan,
    LeagueProgress,
    LeagueStore,
    Standing,
    competitors_of,
    run_league,
)
from contienda.league.marks import mark_of, marks_as_csv, read_rubric
from contienda.league.page import league_page

__all__ = ["LeagueOrder", "play_league", "show_league"]


class LeagueOrder(NamedTuple):
    """The arguments of ``contienda league``."""

    game: str
    players: list[str]
    staff: list[str]
    games: int | None
    depth: int | None
    ms: float | None
    seconds: float
    format: str
    seed: int
    threads: int | None
    out: Path | None
    marks: Path | None = None
    page: Path | None = None


def play_league(order: LeagueOrder, *, as_json: bool) -> None:
    """Play what is missing, and print the ladder."""
    if not 0.1 <= order.seconds <= 86400:
        raise BadInput("--seconds {seconds:g}: from 0.1 to 86400", seconds=order.seconds)
    limits = HostLimits(order.depth, order.ms, max(order.seconds, (order.ms or 0.0) / 1000 + 1.0))
    plan = LeaguePlan(order.game, order.games, order.format, limits, order.seed)
    taking_part = competitors_of(make_game(order.game), order.players, order.staff)
    rubric = None if order.marks is None else read_rubric(order.marks)
    for path in (order.out, order.page):
        if path is not None:
            file_to_write(path)
    with (
        closing(LeagueStore(order.out)) as store,
        interruptible() as stopped,
        Live(console=Console(stderr=True), transient=True, refresh_per_second=4) as live,
    ):
        progress = run_league(
            plan,
            taking_part,
            store,
            tables=order.threads or cores(),
            watch=lambda progress: live.update(_progress_line(progress)),
            stopped=stopped,
        )
    if order.page is not None:
        write_atomically(order.page, league_page(progress))
    data = progress.as_data()
    if rubric is not None and order.marks is not None:
        standing = progress.standing()
        write_atomically(beside(order.marks, ".csv"), marks_as_csv(rubric, standing))
        for row in data["table"]:
            row["mark"] = mark_of(rubric, standing, standing.row(row["name"]))
    print_json(data) if as_json else show_league(progress, Console())
    if not progress.complete:
        print(say("stopped") if order.out is None else say("stopped; the same command goes on"), file=sys.stderr)
        raise typer.Exit(130)


def _progress_line(progress: LeagueProgress) -> str:
    if not progress.total:
        return say("trying out: {tried} of {n} players", tried=progress.tried, n=len(progress.players))
    return say("{count:,} of {games:,} games", count=len(progress.games), games=progress.total)


def show_league(progress: LeagueProgress, console: Console) -> None:
    """Print the ladder, and remarks on it."""
    standing = progress.standing()
    console.print(_ladder(standing))
    for row in standing.rows:
        if row.disqualified is not None:
            told = say("{name} is disqualified: {reason}", name=row.name, reason=row.disqualified)
            console.print(told, style="yellow", highlight=False, markup=False, soft_wrap=True)
    lines = [str(plural("{n} game", "{n:,} games", len(progress.games))) + _reused(progress)]
    opening = progress.plan.opening_of(progress.game)
    if opening:
        lines.append(say("every opening of {n} random moves, from both sides", n=opening))
    lines += map(str, standing.notes)
    for line in lines:
        console.print(str(line), highlight=False, markup=False, soft_wrap=True)


def _reused(progress: LeagueProgress) -> str:
    return ", " + say("{n:,} of them played before", n=progress.reused) if progress.reused else ""


def _ladder(standing: Standing) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    scored = any(row.score is not None for row in standing.rows)
    headers = [
        say("player"),
        say("rating"),
        say("95 %"),
        say("games"),
        say("won"),
        say("drawn"),
        say("lost"),
        say("points"),
    ]
    for place, header in enumerate([*headers, *([say("mean score")] if scored else [])]):
        table.add_column(
            header, justify="left" if place == 0 else "right", overflow="fold" if place == 0 else "ellipsis"
        )
    for row in standing.rows:
        if row.disqualified is not None:
            continue
        rating, between = "–", "–"
        if row.rating is not None and row.low is not None and row.high is not None:
            rating, between = number(row.rating, ",.0f"), f"{number(row.low, ',.0f')} – {number(row.high, ',.0f')}"
        cells = [
            row.name + (" *" if row.staff else ""),
            rating,
            between,
            *(number(count, ",") for count in (row.games, row.won, row.drawn, row.lost)),
            number(row.points, ",.1f"),
        ]
        if row.score is not None:
            cells.append(number(row.score.value, ",.0f"))
        table.add_row(*cells)
    return table
