"""``contienda train`` and ``contienda pack``: networks that learn."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from contienda.cli.arguments import GAMES, SEED, OutOption, ThreadsOption
from contienda.cli.typer_texts import Command
from contienda.core.language import say

__all__ = ["learning"]

learning = typer.Typer()


@learning.command(
    cls=Command,
    help=say("Train an n-tuple network for 2048 or Connect 4, to use as eval=ntuple:FILE."),
)
def train(
    game: Annotated[str, typer.Argument(metavar="GAME", help=say("2048 or connect4"))],
    out: OutOption,
    network: Annotated[
        str | None,
        typer.Option(
            "--network",
            metavar="NAME",
            help=say(
                "2048: 4x6, 5x6, 7x6, 8x6, 4x5, 2x4, or tuples: '0123 4567'; connect4: 40x5 to 70x8, tuples x cells"
            ),
        ),
    ] = None,
    method: Annotated[str | None, typer.Option("--method", metavar="NAME", help=say("tc or td"))] = None,
    games: Annotated[
        int | None,
        typer.Option("--games", metavar="N", callback=GAMES, help=say("train until N games have been played")),
    ] = None,
    hours: Annotated[
        float | None,
        typer.Option("--hours", metavar="H", help=say("train for H hours")),
    ] = None,
    threads: ThreadsOption = None,
    resume: Annotated[
        Path | None,
        typer.Option("--resume", metavar="FILE", help=say("resume this training")),
    ] = None,
    alpha: Annotated[
        float | None,
        typer.Option("--alpha", metavar="X", help=say("learning rate (default: tc 1, td 0.1)")),
    ] = None,
    trace: Annotated[
        float | None,
        typer.Option("--lambda", metavar="X", help=say("trace decay, from 0 (TD(0)) to 1")),
    ] = None,
    optimism: Annotated[
        float | None,
        typer.Option("--optimism", metavar="V", help=say("initial value of every board")),
    ] = None,
    stages: Annotated[
        str | None,
        typer.Option(
            "--stages", metavar="SUMS", help=say("separate weights from these tile sums on, for example 16384,24576")
        ),
    ] = None,
    carousel: Annotated[
        bool | None,
        typer.Option(
            "--carousel/--no-carousel",
            help=say("start games at each stage in turn"),
        ),
    ] = None,
    restart: Annotated[
        bool | None,
        typer.Option(
            "--restart/--no-restart",
            help=say("replay games from the middle"),
        ),
    ] = None,
    anneal: Annotated[
        bool | None,
        typer.Option(
            "--anneal/--no-anneal",
            help=say("a tenth of the rate for the last 30 % of the run, a hundredth for the last 10 %"),
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option("--seed", metavar="N", callback=SEED, help=say("seed (default: 0)")),
    ] = None,
    source: Annotated[
        Path | None,
        typer.Option("--from", metavar="DIR", help=say("learn from the saved games in this folder instead of its own")),
    ] = None,
) -> None:
    from contienda.cli.learning.train import TrainOrder, run_train

    order = TrainOrder(
        game,
        out,
        resume,
        games,
        hours,
        threads,
        network,
        method,
        alpha,
        trace,
        optimism,
        stages,
        carousel,
        restart,
        anneal,
        seed,
        source,
    )
    run_train(order, Console())


@learning.command(
    cls=Command,
    help=say("Pack a trained network into the few megabytes that playing needs."),
)
def pack(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=say("a network from contienda train"))],
    out: OutOption,
    step: Annotated[
        float,
        typer.Option("--step", metavar="X", help=say("round weights to multiples of X")),
    ] = 4.0,
) -> None:
    from contienda.cli.learning.pack import run_pack

    run_pack(file, out, step, Console())
