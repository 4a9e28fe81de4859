"""``contienda solve``, ``contienda trace`` and ``contienda perft``: commands that examine a search."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from contienda.cli.arguments import (
    SEED,
    AskOption,
    GameArgument,
    GoalOption,
    JsonOption,
    PlayerOption,
    PositionArgument,
    ScoreOption,
    print_json,
    read_target,
    read_tile,
    within,
)
from contienda.cli.typer_texts import Command
from contienda.core.language import BadInput, say

__all__ = ["searching"]

searching = typer.Typer()

#: The most events of a trace: as JSON they would take 2 GB.
_MOST_EVENTS = 10**7
#: The longest move sequences: as deep as a search may look (`contienda.core.analysis.Limit.DEEPEST`).
_DEEPEST = 100


@searching.command(
    cls=Command,
    help=say("Find a path to a tile of 2048, or solve the 8-puzzle."),
)
def solve(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help=say("2048, 2048:tiles=twos or puzzle8"),
        ),
    ],
    position: Annotated[
        str | None,
        typer.Argument(
            metavar="POSITION",
            help=say("start position: a board of 2048, or '8 6 7/2 5 4/3 0 1' (default: from the seed)"),
        ),
    ] = None,
    player: Annotated[
        str | None,
        typer.Option(
            "--player",
            metavar="SPEC",
            help=say("the path search, for example astar:h=unicen"),
        ),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option("--target", metavar="TILE", help=say("the tile to reach: 2048")),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option("--seed", metavar="N", callback=SEED, help=say("seed of the new tiles (default: random)")),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option("--save", metavar="FILE", help=say("save the path as a game")),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    from contienda.cli.solve import SolveOrder, keep_solution, run_solve, show_solution

    order = SolveOrder(game, position, player, None if target is None else read_tile(target), seed, save)
    solution = run_solve(order)
    print_json(solution.as_data()) if as_json else show_solution(solution, Console())
    keep_solution(order, solution)  # after printing: a full disk loses only the file
    if not solution.found:
        Console(stderr=True).print(solution.message, style="yellow", markup=False, highlight=False, soft_wrap=True)
    if solution.ended == "stopped":  # Ctrl-C
        raise typer.Exit(130)


@searching.command(
    cls=Command,
    help=say("Show the search of a position, step by step."),
)
def trace(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help=say("a game from `contienda list games`, or puzzle8"),
        ),
    ],
    position: PositionArgument = None,
    player: PlayerOption = None,
    score: ScoreOption = 0,
    target: GoalOption = "none",
    seed: Annotated[
        int,
        typer.Option("--seed", metavar="N", callback=SEED, help=say("seed of randomised players")),
    ] = 0,
    events: Annotated[
        int | None,
        typer.Option(
            "--events",
            metavar="N",
            callback=within(1, _MOST_EVENTS),
            help=say("maximum number of events (default: 50000)"),
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help=say("tree.html to step through, or .svg, .json, .txt (default: text on the terminal)"),
        ),
    ] = None,
    exercise: Annotated[
        bool, typer.Option("--exercise", help=say("make -o tree.html ask, and show no answers before they are given"))
    ] = False,
    ask: AskOption = None,
    title: Annotated[str, typer.Option("--title", metavar="TEXT", help=say("a title for the exercise"))] = "",
) -> None:
    if exercise:
        from contienda.cli.exercise import page_of_search

        page_of_search(game, position, player, ask or [], score, seed, title, output)
        return
    if ask or title:
        raise BadInput("--ask and --title belong to an exercise: add --exercise")
    from contienda.cli.trace import TraceOrder, find_trace, show_trace

    order = TraceOrder(game, position, player, score, read_target(target), seed, events, output)
    show_trace(find_trace(order), order)


@searching.command(
    cls=Command,
    help=say("Count the move sequences of each length (perft)."),
)
def perft(
    game: GameArgument,
    position: Annotated[
        str | None,
        typer.Argument(
            metavar="POSITION",
            help=say("start position (default: the start of the game)"),
        ),
    ] = None,
    depth: Annotated[
        int,
        typer.Option("--depth", metavar="N", callback=within(1, _DEEPEST), help=say("moves")),
    ] = 6,
    as_json: JsonOption = False,
) -> None:
    from contienda.cli.perft import begin_perft, show_counts

    counting = begin_perft(game, position)
    if as_json:
        print_json(counting.as_data(list(counting.up_to(depth))))
    else:
        show_counts(counting, depth, Console())
