"""``contienda train`` and ``contienda pack``: networks that learn."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from contienda.cli.ranges import GAMES, SEED, THREADS
from contienda.cli.spanish import Command
from contienda.language import say

__all__ = ["learning"]

learning = typer.Typer()


@learning.command(
    cls=Command,
    help=say(
        "Train an n-tuple network for 2048, as the player expectimax:eval=ntuple:FILE uses it.",
        "Entrena una red de n-tuplas para 2048, como la usa el jugador expectimax:eval=ntuple:ARCHIVO.",
    ),
)
def train(
    game: Annotated[str, typer.Argument(metavar="GAME", help="2048")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help=say("where it is kept", "dónde se guarda"))],
    network: Annotated[
        str | None,
        typer.Option(
            "--network",
            metavar="NAME",
            help=say(
                "4x6, 5x6, 7x6, 8x6, 4x5, 2x4, or tuples: '0123 4567'",
                "4x6, 5x6, 7x6, 8x6, 4x5, 2x4, o tuplas: '0123 4567'",
            ),
        ),
    ] = None,
    method: Annotated[str | None, typer.Option("--method", metavar="NAME", help=say("tc or td", "tc o td"))] = None,
    games: Annotated[
        int | None,
        typer.Option("--games", metavar="N", callback=GAMES, help=say("until it has seen N", "hasta que haya visto N")),
    ] = None,
    hours: Annotated[
        float | None,
        typer.Option("--hours", metavar="H", help=say("until it has trained for H", "hasta que haya entrenado H")),
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(
            "--threads", metavar="N", callback=THREADS, help=say("else one for each core", "si no, uno por núcleo")
        ),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option("--resume", metavar="FILE", help=say("go on with this one", "continúa con esta")),
    ] = None,
    alpha: Annotated[
        float | None,
        typer.Option("--alpha", metavar="X", help=say("the rate: tc 1, td 0.1", "la tasa: tc 1, td 0.1")),
    ] = None,
    trace: Annotated[
        float | None,
        typer.Option("--lambda", metavar="X", help=say("0 for TD(0), to 1", "0 para TD(0), hasta 1")),
    ] = None,
    optimism: Annotated[
        float | None,
        typer.Option(
            "--optimism", metavar="V", help=say("what every board is worth at first", "lo que vale todo al principio")
        ),
    ] = None,
    stages: Annotated[
        str | None,
        typer.Option(
            "--stages", metavar="SUMS", help=say("other weights from 16384,24576 on", "otros pesos desde 16384,24576")
        ),
    ] = None,
    carousel: Annotated[
        bool | None,
        typer.Option(
            "--carousel/--no-carousel",
            help=say("games begin at each stage in turn", "las partidas empiezan por turno en cada etapa"),
        ),
    ] = None,
    restart: Annotated[
        bool | None,
        typer.Option(
            "--restart/--no-restart",
            help=say("games are played again from their middle", "las partidas se repiten desde su mitad"),
        ),
    ] = None,
    anneal: Annotated[
        bool | None,
        typer.Option(
            "--anneal/--no-anneal",
            help=say(
                "a tenth of the rate for the last 30 % of the run, a hundredth for the last 10 %",
                "la décima parte de la tasa en el último 30 %, la centésima en el último 10 %",
            ),
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option("--seed", metavar="N", callback=SEED, help=say("of the luck; else 0", "del azar; si no, 0")),
    ] = None,
) -> None:
    from contienda.cli.train import TrainOrder, run_train

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
    )
    run_train(order, Console())


@learning.command(
    cls=Command,
    help=say(
        "Pack a trained network into the few megabytes that playing needs.",
        "Empaqueta una red entrenada en los pocos megabytes que hacen falta para jugar.",
    ),
)
def pack(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=say("of contienda train", "de contienda train"))],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help=say("where it goes", "dónde va"))],
    step: Annotated[
        float,
        typer.Option(
            "--step", metavar="X", help=say("weights become multiples of it", "los pesos serán múltiplos suyos")
        ),
    ] = 4.0,
) -> None:
    from contienda.cli.pack import run_pack

    run_pack(file, out, step, Console())
