"""``contienda solve`` and ``contienda trace``: searches looked at for their own sake."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from contienda.cli.arguments import JsonOption, PlayerOption, PositionArgument, ScoreOption, print_json, read_tile
from contienda.cli.ranges import SEED, within
from contienda.cli.spanish import Command
from contienda.language import say

__all__ = ["searching"]

searching = typer.Typer()

#: Events of a trace: as JSON they would take 2 GB.
_MOST_EVENTS = 10**7


@searching.command(
    cls=Command,
    help=say(
        "Find a path: to a tile of 2048, or through the 8-puzzle.",
        "Busca un camino: hasta una ficha de 2048, o en el 8-puzle.",
    ),
)
def solve(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help=say("2048, 2048:tiles=twos or puzzle8", "2048, 2048:tiles=twos o puzzle8"),
        ),
    ],
    position: Annotated[
        str | None,
        typer.Argument(
            metavar="POSITION",
            help=say(
                "where to start: a board of 2048, or '8 6 7/2 5 4/3 0 1'; else by the seed",
                "dónde empezar: un tablero de 2048, o '8 6 7/2 5 4/3 0 1'; si no, según la semilla",
            ),
        ),
    ] = None,
    player: Annotated[
        str | None,
        typer.Option(
            "--player",
            metavar="SPEC",
            help=say("who searches, as astar:h=unicen", "quién busca, como astar:h=unicen"),
        ),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option("--target", metavar="TILE", help=say("the tile to reach: 2048", "la ficha que alcanzar: 2048")),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed", metavar="N", callback=SEED, help=say("of the luck; else by lot", "del azar; si no, a suertes")
        ),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option("--save", metavar="FILE", help=say("keep the path as a game", "guarda el camino como partida")),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    from contienda.cli.solve import SolveOrder, keep_solution, run_solve, show_solution

    order = SolveOrder(game, position, player, None if target is None else read_tile(target), seed, save)
    solution = run_solve(order)
    print_json(solution.as_data()) if as_json else show_solution(solution, Console())
    keep_solution(order, solution)  # after it was shown: a full disk costs the file alone
    if not solution.found:
        Console(stderr=True).print(solution.message, style="yellow", markup=False, highlight=False, soft_wrap=True)
    if solution.ended == "stopped":  # Ctrl-C
        raise typer.Exit(130)


@searching.command(
    cls=Command,
    help=say("Show the search of a position, step by step.", "Muestra la búsqueda de una posición, paso a paso."),
)
def trace(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help=say("2048, connect4, tictactoe, tree or puzzle8", "2048, connect4, tictactoe, tree o puzzle8"),
        ),
    ],
    position: PositionArgument,
    player: PlayerOption = None,
    score: ScoreOption = 0,
    seed: Annotated[
        int,
        typer.Option(
            "--seed", metavar="N", callback=SEED, help=say("of players that draw lots", "de quienes echan suertes")
        ),
    ] = 0,
    events: Annotated[
        int | None,
        typer.Option(
            "--events",
            metavar="N",
            callback=within(1, _MOST_EVENTS),
            help=say("at most so many: 50000", "como mucho tantos: 50000"),
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help=say(
                "tree.html to step through, or .svg, .json, .txt; else text here",
                "tree.html para ir paso a paso, o .svg, .json, .txt; si no, texto aquí",
            ),
        ),
    ] = None,
) -> None:
    from contienda.cli.trace import TraceOrder, find_trace, show_trace

    order = TraceOrder(game, position, player, score, seed, events, output)
    show_trace(find_trace(order), order)
