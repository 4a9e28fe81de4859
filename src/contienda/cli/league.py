"""``contienda league``: who of many players is best; files that people wrote, or specs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from contienda.cli.arguments import SEED, THREADS, GameArgument, JsonOption
from contienda.cli.typer_texts import Command
from contienda.core.language import say

__all__ = ["leagues"]

leagues = typer.Typer()


@leagues.command(
    cls=Command,
    help=say(
        "Find out who plays best: every Python file of a folder with a function heuristic, a class Player or an "
        "engine takes part, and players by their specs. contienda league autograder GAME DIR plays nothing: it writes "
        "a folder that marks submissions like this on Gradescope."
    ),
)
def league(
    game: GameArgument,
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FOLDER|FILE|SPEC…", help=say("folders and files with players, and specs"), show_default=False
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            metavar="N",
            help=say(
                "games of each pair of players (default: 4); in a one-player game, games of each player (default: 20)"
            ),
        ),
    ] = None,
    depth: Annotated[
        int | None, typer.Option("--depth", metavar="D", help=say("levels to which heuristics are searched"))
    ] = None,
    ms: Annotated[
        float | None, typer.Option("--ms", metavar="M", help=say("milliseconds a move for heuristics and engines"))
    ] = None,
    seconds: Annotated[
        float, typer.Option("--seconds", metavar="S", help=say("processor time after which a move loses the game"))
    ] = 10.0,
    staff: Annotated[
        list[str] | None,
        typer.Option("--staff", metavar="FILE|SPEC", help=say("a player to measure the others by; may be repeated")),
    ] = None,
    format: Annotated[
        str,
        typer.Option(
            "--format", metavar="FORMAT", help=say("round-robin, gauntlet (against the staff), swiss or knock-out")
        ),
    ] = "round-robin",
    seed: Annotated[int, typer.Option("--seed", metavar="N", callback=SEED, help=say("seed of the first game"))] = 1,
    threads: Annotated[
        int | None,
        typer.Option("--threads", metavar="N", callback=THREADS, help=say("games at once (default: one per core)")),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE.sqlite", help=say("keep the games: only what changed is played again")),
    ] = None,
    marks: Annotated[
        Path | None,
        typer.Option("--marks", metavar="RUBRIC.toml", help=say("mark all players; the marks go to RUBRIC.csv")),
    ] = None,
    page: Annotated[
        Path | None,
        typer.Option("-o", "--page", metavar="FILE.html", help=say("write a page of results, with every game")),
    ] = None,
    gradescope: Annotated[
        Path | None,
        typer.Option(
            "--gradescope",
            metavar="results.json",
            help=say("write the marks of one submission as Gradescope reads them"),
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    from contienda.cli.league_run import AUTOGRADER, LeagueOrder, autograder_of, make_autograder, play_league

    folder = None
    if game == AUTOGRADER:
        game, folder = autograder_of(players or [])
        players = []
    order = LeagueOrder(
        game, players or [], staff or [], games, depth, ms, seconds, format, seed, threads, out, marks, page, gradescope
    )
    if folder is not None:
        make_autograder(order, folder)
    else:
        play_league(order, as_json=json)
