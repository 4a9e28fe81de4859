"""The arguments and options that several commands of ``contienda lab`` share."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contienda.cli.arguments import THREADS
from contienda.core.language import BadInput, say

if TYPE_CHECKING:
    from contienda.lab.where import Where

__all__ = [
    "ClusterOption",
    "PlanArgument",
    "PlayerArgument",
    "ProcessesOption",
    "ResultsArgument",
    "ScoredGameOption",
    "where_to_play",
]

PlanArgument = Annotated[
    Path,
    typer.Argument(metavar="PLAN", help=say("a plan, such as contienda lab new writes")),
]
ResultsArgument = Annotated[Path, typer.Argument(metavar="RESULTS", help=say("a results file, .sqlite"))]
PlayerArgument = Annotated[
    str,
    typer.Argument(metavar="PLAYER", help=say("for example expectimax:depth=1,eval=combined")),
]
ScoredGameOption = Annotated[
    str, typer.Option("--game", metavar="SPEC", help=say("a one-player game: its score is the measure"))
]
ProcessesOption = Annotated[
    int | None,
    typer.Option(
        "--processes",
        metavar="N",
        callback=THREADS,
        help=say("use N processes instead of threads"),
    ),
]
ClusterOption = Annotated[
    str | None,
    typer.Option("--cluster", metavar="ADDRESS", help=say("a Dask scheduler: tcp://…, or local")),
]


def where_to_play(threads: int | None, processes: int | None, cluster: str | None) -> Where:
    """Return where the games are played, from the options of a command; by default on all cores."""
    from contienda.lab.where import Where

    if sum(option is not None for option in (threads, processes, cluster)) > 1 and not (processes and cluster):
        raise BadInput("choose only one of --threads, --processes and --cluster")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if cluster is not None:
        return Where("cluster", processes or cores, None if cluster == "local" else cluster)
    if processes is not None:
        return Where("processes", processes)
    return Where("threads", threads or cores)
