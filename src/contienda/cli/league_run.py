"""A league in the terminal: its progress and its ladder."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import typer
from rich.console import Console
from rich.live import Live
from rich.table import Table

from contienda.cli.arguments import print_json
from contienda.cli.files import beside, file_to_write, folder_to_write
from contienda.cli.lab.run import interruptible
from contienda.cli.play import cores
from contienda.core.files import write_atomically
from contienda.core.game import Game
from contienda.core.language import BadInput, number, plural, say
from contienda.games import make_game
from contienda.league import (
    Competitor,
    HostLimits,
    Hosts,
    LeaguePlan,
    LeagueProgress,
    LeagueStore,
    Standing,
    competitors_of,
    run_league,
)
from contienda.league.gradescope import refused_results, results_of, submission_of, write_autograder
from contienda.league.marks import Marked, Rubric, check_rubric, marks_as_csv, read_rubric
from contienda.league.oracle import OracleGrade, grades_of
from contienda.league.page import league_page

__all__ = ["AUTOGRADER", "LeagueOrder", "autograder_of", "make_autograder", "play_league", "show_league"]

#: In the place of a game: the second form of the command.
AUTOGRADER = "autograder"


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
    gradescope: Path | None = None


def play_league(order: LeagueOrder, *, as_json: bool) -> None:
    """Play what is missing, and print the ladder."""
    if not order.players:
        raise BadInput("no players: give folders, files or specs, such as alphabeta:depth=2")
    if order.gradescope is not None and order.marks is None:
        raise BadInput("--gradescope needs a rubric: --marks rubric.toml")
    rubric = None if order.marks is None else read_rubric(order.marks)
    game, plan = make_game(order.game), _plan_of(order, rubric)
    for path in (order.out, order.page, order.gradescope):
        if path is not None:
            file_to_write(path)
    taking_part = _taking_part(order, game)
    if taking_part is None:
        return
    if rubric is not None:
        check_rubric(rubric, game, taking_part, alone=order.gradescope is not None)
    tables = order.threads or cores()
    grades: dict[str, OracleGrade] = {}
    with (
        closing(LeagueStore(order.out)) as store,
        closing(Hosts(game, plan.limits)) as hosts,
        interruptible() as stopped,
        Live(console=Console(stderr=True), transient=True, refresh_per_second=4) as live,
    ):
        progress = run_league(
            plan,
            taking_part,
            store,
            tables=tables,
            watch=lambda progress: live.update(_progress_line(progress)),
            stopped=stopped,
            hosts=hosts,
        )
        if rubric is not None and rubric.by_oracle and progress.complete:
            playing = [each for each in taking_part if not each.staff and each.name not in progress.disqualified]
            grades = grades_of(
                game,
                playing,
                hosts,
                seed=plan.seed,
                tables=tables,
                stopped=stopped,
                watch=lambda done, n: live.update(say("grading: {done} of {n} steps", done=done, n=n)),
            )
            progress.complete = not stopped()
    if order.page is not None:
        write_atomically(order.page, league_page(progress))
    data = progress.as_data()
    if rubric is not None and progress.complete:
        if not as_json and (told := Marked(rubric, progress.standing(), grades).why_no_marks()) is not None:
            show_league(progress, Console())
            raise BadInput(told)
        _mark(order, Marked(rubric, progress.standing(), grades), data)
    print_json(data) if as_json else show_league(progress, Console())
    if not progress.complete:
        print(say("stopped") if order.out is None else say("stopped; the same command resumes it"), file=sys.stderr)
        raise typer.Exit(130)


def autograder_of(given: list[str]) -> tuple[str, Path]:
    """Return the game and the folder of ``contienda league autograder GAME DIR``."""
    if len(given) != 2:
        raise BadInput("contienda league autograder takes a game and a folder: GAME DIR")
    return given[0], Path(given[1])


def make_autograder(order: LeagueOrder, folder: Path) -> None:
    """Write a folder that is an autograder for Gradescope, after checking all that it will be asked to do."""
    if order.marks is None:
        raise BadInput("an autograder needs a rubric: --marks rubric.toml")
    if order.out or order.page or order.gradescope or order.threads:
        raise BadInput("an autograder is only written here: leave out --out, --page, --gradescope and --threads")
    rubric = read_rubric(order.marks)
    plan = _plan_of(order, rubric)
    game = plan.made_game()
    check_rubric(rubric, game, competitors_of(game, [], order.staff) if order.staff else [], alone=True)
    folder_to_write(folder)
    given = {"--games": order.games, "--depth": order.depth, "--ms": order.ms, "--seconds": order.seconds}
    options = [f"{name}={value}" for name, value in given.items() if value is not None]
    write_autograder(folder, game, order.marks, order.staff, [*options, f"--seed={order.seed}"])
    print(say("{folder}: zip its files, not the folder, and upload them as the autograder", folder=folder))


def _plan_of(order: LeagueOrder, rubric: Rubric | None) -> LeaguePlan:
    if not 0.1 <= order.seconds <= 86400:
        raise BadInput("--seconds {seconds:g}: from 0.1 to 86400", seconds=order.seconds)
    limits = HostLimits(order.depth, order.ms, max(order.seconds, (order.ms or 0.0) / 1000 + 1.0))
    anchors = {} if rubric is None else rubric.anchors
    return LeaguePlan(order.game, order.games, order.format, limits, order.seed, anchors=anchors)


def _taking_part(order: LeagueOrder, game: Game) -> list[Competitor] | None:
    """Return the players; None if a submission to Gradescope has none, which its results then say."""
    if order.gradescope is None:
        return competitors_of(game, order.players, order.staff)
    if order.staff:
        competitors_of(game, [], order.staff)  # a fault of the teacher's is none of the submission's
    try:
        return submission_of(game, order.players, order.staff)
    except BadInput as error:
        write_atomically(order.gradescope, refused_results(error.text))
        print(error, file=sys.stderr)
        return None


def _mark(order: LeagueOrder, marked: Marked, data: dict[str, Any]) -> None:
    """Write the marks, and enter them in the data of ``--json``."""
    assert order.marks is not None
    for row in data["table"]:
        row["mark"] = marked.mark(marked.standing.row(row["name"]))
        if row["name"] in marked.grades:
            row["best_moves"] = marked.grades[row["name"]].percent / 100
    if order.gradescope is None:
        write_atomically(beside(order.marks, ".csv"), marks_as_csv(marked))
    else:
        write_atomically(order.gradescope, results_of(marked))


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
