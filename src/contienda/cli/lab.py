"""``contienda lab``: plan, run, resume and read experiments."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from contienda.cli.places import beside, file_to_read, file_to_write, folder_to_write
from contienda.cli.ranges import PLAYED_GAMES, SEED, THREADS, within
from contienda.cli.spanish import Command, Group
from contienda.language import BadInput, say

if TYPE_CHECKING:
    from contienda.lab.where import Where

__all__ = ["lab"]

lab = typer.Typer(
    cls=Group,
    no_args_is_help=True,
    help=say("Experiments: plan, run, resume, compare.", "Experimentos: planear, ejecutar, reanudar, comparar."),
)

PlanArgument = Annotated[
    Path,
    typer.Argument(metavar="PLAN", help=say("a plan, as lab new writes one", "un plan, como el que escribe lab new")),
]
ResultsArgument = Annotated[
    Path, typer.Argument(metavar="RESULTS", help=say("a file of results, .sqlite", "un archivo de resultados, .sqlite"))
]
PlayerArgument = Annotated[
    str,
    typer.Argument(
        metavar="PLAYER", help=say("as expectimax:depth=1,eval=combined", "como expectimax:depth=1,eval=combined")
    ),
]
ThreadsOption = Annotated[
    int | None,
    typer.Option(
        "--threads", metavar="N", callback=THREADS, help=say("else one for each core", "si no, uno por núcleo")
    ),
]
ProcessesOption = Annotated[
    int | None,
    typer.Option(
        "--processes",
        metavar="N",
        callback=THREADS,
        help=say("processes instead of threads", "procesos en vez de hilos"),
    ),
]
ClusterOption = Annotated[
    str | None,
    typer.Option("--cluster", metavar="ADDRESS", help=say("Dask: tcp://…, or local", "Dask: tcp://…, o local")),
]


@lab.command(cls=Command, help=say("Write a plan to begin with.", "Escribe un plan para empezar."))
def new(file: PlanArgument) -> None:
    from contienda.lab.plan_file import EXAMPLE
    from contienda.record import write_atomically

    file_to_write(file)
    if file.exists():
        raise BadInput(f"{file} is there already", f"{file} ya existe")
    write_atomically(file, EXAMPLE.format(name=file.stem))
    print(say(f"{file}: edit it, then contienda lab run {file}", f"{file}: edítalo, y luego contienda lab run {file}"))


@lab.command("run", cls=Command, help=say("Play the games of a plan.", "Juega las partidas de un plan."))
def run_(
    file: PlanArgument,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="RESULTS", help=say("else beside the plan", "si no, junto al plan")),
    ] = None,
    threads: ThreadsOption = None,
    processes: ProcessesOption = None,
    cluster: ClusterOption = None,
) -> None:
    from contienda.cli.lab_run import go_on
    from contienda.lab.plan_file import load_plan
    from contienda.lab.results import Results

    where, out = _where(threads, processes, cluster), out or beside(file, ".sqlite")
    file_to_read(file)
    file_to_write(out)
    plan = load_plan(file)
    with closing(Results(out, plan)) as results:
        go_on(results, where)


@lab.command(cls=Command, help=say("Go on with the games that are missing.", "Sigue con las partidas que faltan."))
def resume(
    file: ResultsArgument,
    threads: ThreadsOption = None,
    processes: ProcessesOption = None,
    cluster: ClusterOption = None,
) -> None:
    from contienda.cli.lab_run import go_on
    from contienda.lab.results import Results

    where = _where(threads, processes, cluster)
    with closing(Results(file)) as results:
        go_on(results, where)


@lab.command(cls=Command, help=say("How far an experiment has come.", "Hasta dónde ha llegado un experimento."))
def status(file: ResultsArgument) -> None:
    from contienda.cli.lab_run import show_results
    from contienda.lab.results import Results

    with closing(Results(file)) as results:
        show_results(results, Console())


@lab.command(cls=Command, help=say("Tables and figures as one HTML page.", "Tablas y figuras en una página HTML."))
def report(
    file: ResultsArgument,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="FILE", help=say("else beside the results", "si no, junto a los resultados")
        ),
    ] = None,
    figures: Annotated[
        Path | None,
        typer.Option("--figures", metavar="DIR", help=say("each figure as SVG and PNG", "cada figura en SVG y PNG")),
    ] = None,
) -> None:
    from contienda.lab.report import write_report
    from contienda.lab.results import Results

    path = out or beside(file, ".html")
    with closing(Results(file)) as results:
        file_to_write(path)
        if figures is not None:
            folder_to_write(figures)
        write_report(results, path, figures)
    print(path)


@lab.command(cls=Command, help=say("Every game as CSV or Parquet.", "Todas las partidas en CSV o Parquet."))
def export(
    file: ResultsArgument,
    out: Annotated[
        Path,
        typer.Option("--out", "-o", metavar="FILE", help=say("FILE.csv or FILE.parquet", "FILE.csv o FILE.parquet")),
    ],
) -> None:
    from contienda.lab.report import export as export_results
    from contienda.lab.results import Results

    with closing(Results(file)) as results:
        file_to_write(out)
        export_results(results, out)


@lab.command(cls=Command, help=say("What each weight of a player does.", "Qué hace cada peso de un jugador."))
def sweep(
    player: PlayerArgument,
    out: Annotated[
        Path,
        typer.Option("--out", "-o", metavar="RESULTS", help=say("a file of results, .sqlite", "resultados, .sqlite")),
    ] = Path("sweep.sqlite"),
    games: Annotated[
        int, typer.Option("--games", callback=PLAYED_GAMES, help=say("for each value", "por cada valor"))
    ] = 100,
    weight: Annotated[
        list[str] | None, typer.Option("--weight", metavar="NAME", help=say("only this one", "solo este"))
    ] = None,
    seed: Annotated[int, typer.Option("--seed", callback=SEED, help=say("the first seed", "la primera semilla"))] = 1,
    threads: ThreadsOption = None,
    processes: ProcessesOption = None,
    cluster: ClusterOption = None,
) -> None:
    from contienda.cli.lab_tune import run_sweep
    from contienda.lab.sensitivity import sweep_plan

    where = _where(threads, processes, cluster)
    file_to_write(out)
    file_to_write(out.with_suffix(".svg"))
    run_sweep(sweep_plan(player, games=games, names=weight or (), seed=seed), out, where)


@lab.command(cls=Command, help=say("Look for better weights (CMA-ES).", "Busca mejores pesos (CMA-ES)."))
def tune(
    player: PlayerArgument,
    out: Annotated[
        Path,
        typer.Option("--out", "-o", metavar="FILE", help=say("what was tried; it resumes", "lo probado; se reanuda")),
    ] = Path("tune.jsonl"),
    games: Annotated[
        int, typer.Option("--games", callback=PLAYED_GAMES, help=say("for each candidate", "por candidato"))
    ] = 50,
    budget: Annotated[
        int, typer.Option("--budget", callback=PLAYED_GAMES, help=say("games in all", "partidas en total"))
    ] = 5000,
    population: Annotated[
        int,
        typer.Option(
            "--population",
            callback=within(4, 10_000),
            help=say("candidates of a generation", "candidatos por generación"),
        ),
    ] = 10,
    seed: Annotated[int, typer.Option("--seed", callback=SEED, help=say("the first seed", "la primera semilla"))] = 1,
    check: Annotated[
        int,
        typer.Option(
            "--check",
            callback=PLAYED_GAMES,
            help=say("games to compare with, on new seeds", "partidas para comparar al final"),
        ),
    ] = 500,
    threads: ThreadsOption = None,
    processes: ProcessesOption = None,
    cluster: ClusterOption = None,
) -> None:
    from contienda.cli.lab_tune import run_tuning
    from contienda.lab.tune import Tuning

    where = _where(threads, processes, cluster)
    file_to_write(out)
    file_to_write(out.with_suffix(".check.sqlite"))
    run_tuning(Tuning(player, games, budget, population, seed), out, check, where)


@lab.command(
    cls=Command,
    help=say(
        "How often players of Connect 4 do what is best, by perfect play.",
        "Con qué frecuencia juegan lo mejor en Conecta 4, según el juego perfecto.",
    ),
)
def grade(
    players: Annotated[list[str], typer.Argument(metavar="PLAYER...", help="alphabeta:depth=4 mcts:sims=1000 …")],
    game: Annotated[str, typer.Option("--game", metavar="SPEC", help="connect4:rows=5,columns=6")] = "connect4",
    positions: Annotated[
        int,
        typer.Option(
            "--positions",
            metavar="N",
            callback=within(1, 1000),
            help=say("for each number of stones", "por número de fichas"),
        ),
    ] = 20,
    seed: Annotated[int, typer.Option("--seed", callback=SEED, help=say("of the sample", "de la muestra"))] = 1,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE.csv", help=say("every answer, and a figure", "y una figura")),
    ] = None,
) -> None:
    from contienda.cli.lab_grade import run_grading

    run_grading(players, game, positions, seed, out)


@lab.command(
    cls=Command,
    help=say(
        "Play the documents' experiments again: uc3m, unicen, uja, uma, ort or all.",
        "Repite los experimentos de los documentos: uc3m, unicen, uja, uma, ort o all.",
    ),
)
def reproduce(
    document: Annotated[str, typer.Argument(metavar="DOCUMENT", help="uc3m, unicen, uja, uma, ort, all")],
    quick: Annotated[
        bool, typer.Option("--quick", help=say("fewer games, depths up to 5", "menos partidas, profundidad hasta 5"))
    ] = False,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", help=say("where results are kept", "dónde se guardan"))
    ] = Path("reproduction"),
    threads: ThreadsOption = None,
    processes: ProcessesOption = None,
    cluster: ClusterOption = None,
) -> None:
    from contienda.cli.lab_reproduce import run_reproduction
    from contienda.lab.reproduce import document_names

    where = _where(threads, processes, cluster)
    document_names(document)
    folder_to_write(out)
    run_reproduction(document, out, where, quick)


@lab.command("list", cls=Command, help=say("The results in a folder.", "Los resultados de una carpeta."))
def list_(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help=say("else this one", "si no, esta"))] = Path(),
) -> None:
    from contienda.lab.results import Results

    if not folder.is_dir():
        raise BadInput(f"there is no folder {folder}", f"no existe la carpeta {folder}")
    files = sorted(folder.glob("*.sqlite"))
    if not files:
        print(say(f"there are no results in {folder.resolve()}", f"no hay resultados en {folder.resolve()}"))
        return
    table = Table(box=None, padding=(0, 2, 0, 0))
    for header in (say("file", "archivo"), say("plan", "plan"), say("game", "juego"), say("games", "partidas")):
        table.add_column(header, overflow="fold")
    unread = []
    for path in files:
        try:
            results = Results(path)
            plan, done, failed = results.plan, sum(results.counts().values()), len(results.failures())
        except BadInput as error:
            unread.append(error)
            continue
        total = plan.games * len(plan.entrants) if plan.games else "…"
        games = f"{done}/{total}" + (say(f", {failed} not played", f", {failed} sin jugar") if failed else "")
        table.add_row(escape(str(path)), escape(plan.name), plan.game, games)
        results.close()
    console = Console()
    if table.row_count:
        console.print(table, highlight=False)
    for reason in unread:
        console.print(say(f"not read: {reason}", f"sin leer: {reason}"), highlight=False, markup=False, soft_wrap=True)


def _where(threads: int | None, processes: int | None, cluster: str | None) -> Where:
    from contienda.lab.where import Where

    if sum(option is not None for option in (threads, processes, cluster)) > 1 and not (processes and cluster):
        raise BadInput("choose one of --threads, --processes, --cluster", "elige --threads, --processes o --cluster")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if cluster is not None:
        return Where("cluster", processes or cores, None if cluster == "local" else cluster)
    if processes is not None:
        return Where("processes", processes)
    return Where("threads", threads or cores)
