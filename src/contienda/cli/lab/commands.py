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

from contienda.cli.arguments import PLAYED_GAMES, SEED, THREADS, GameArgument, JsonOption, read_target, within
from contienda.cli.files import beside, file_to_read, file_to_write, folder_to_write
from contienda.cli.typer_texts import Command, Group
from contienda.core.language import BadInput, say
from contienda.games import DEFAULT_GAME

if TYPE_CHECKING:
    from contienda.lab.where import Where

__all__ = ["lab"]

lab = typer.Typer(
    cls=Group,
    no_args_is_help=True,
    help=say("Plan, run, resume and compare experiments."),
)

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
ThreadsOption = Annotated[
    int | None,
    typer.Option("--threads", metavar="N", callback=THREADS, help=say("default: one per core")),
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


@lab.command(cls=Command, help=say("Write an example plan to start from."))
def new(file: PlanArgument) -> None:
    from contienda.core.files import write_atomically
    from contienda.lab.plan_file import EXAMPLE

    file_to_write(file)
    if file.exists():
        raise BadInput("{file} already exists", file=file)
    write_atomically(file, EXAMPLE.format(name=file.stem))
    print(say("{file}: edit it, then run contienda lab run {file}", file=file))


@lab.command("run", cls=Command, help=say("Play the games of a plan."))
def run_(
    file: PlanArgument,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="RESULTS", help=say("default: next to the plan")),
    ] = None,
    shard: Annotated[
        str | None,
        typer.Option("--shard", metavar="K/N", help=say("play only part K of N, into its own file; see lab merge")),
    ] = None,
    threads: ThreadsOption = None,
    processes: ProcessesOption = None,
    cluster: ClusterOption = None,
) -> None:
    from contienda.cli.lab.run import go_on
    from contienda.lab.plan_file import load_plan
    from contienda.lab.results import Results
    from contienda.lab.shards import read_shard

    where = _where(threads, processes, cluster)
    file_to_read(file)
    plan = load_plan(file)
    part = None if shard is None else read_shard(shard, plan)
    out = out or beside(file, ".sqlite" if part is None else f".{part.number}-of-{part.parts}.sqlite")
    file_to_write(out)
    with closing(Results(out, plan, part)) as results:
        go_on(results, where)


@lab.command("heuristic", cls=Command, help=say("Play your own heuristic against the evaluators of a game."))
def heuristic_(
    heuristic: Annotated[
        str, typer.Argument(metavar="HEURISTIC", help=say("for example mine.py:corner, with its weights if you like"))
    ],
    game: GameArgument,
    against: Annotated[
        list[str] | None,
        typer.Option("--with", metavar="NAME", help=say("an evaluator to compare with (default: all of the game)")),
    ] = None,
    games: Annotated[
        int, typer.Option("--games", metavar="N", callback=PLAYED_GAMES, help=say("games against each"))
    ] = 100,
    depth: Annotated[
        int | None,
        typer.Option(
            "--depth",
            metavar="N",
            callback=within(1, 100),
            help=say("levels that each looks ahead (default: 3, alone 1)"),
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="RESULTS", help=say("default: a file named after the heuristic")),
    ] = None,
    threads: ThreadsOption = None,
    processes: ProcessesOption = None,
) -> None:
    from contienda.cli.lab.run import go_on
    from contienda.games import make_game
    from contienda.lab.comparing import comparison_plan
    from contienda.lab.results import Results

    where = _where(threads, processes, None)
    plan = comparison_plan(heuristic, make_game(game), against or (), games, depth)
    out = out or Path(f"{plan.name}.sqlite")
    file_to_write(out)
    with closing(Results(out, plan)) as results:
        go_on(results, where)


@lab.command("merge", cls=Command, help=say("Join the shards of a plan in one file."))
def merge_(
    files: Annotated[list[Path], typer.Argument(metavar="RESULTS...", help=say("results files of one plan"))],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="RESULTS", help=say("the file to write"))],
) -> None:
    from contienda.lab.shards import merge, missing_words

    file_to_write(out)
    merged = merge(files, out)
    print(say("{out}: {games:,} games from {files} files", out=out, games=merged.games, files=len(files)))
    warn = Console(stderr=True)
    if merged.versions > 1:
        warn.print(say("they were played by different versions of Contienda"), style="yellow", soft_wrap=True)
    if merged.missing:
        warn.print(str(missing_words(merged, out)), style="yellow", soft_wrap=True, highlight=False, markup=False)
        raise typer.Exit(2)


@lab.command(cls=Command, help=say("Play the games that are still missing."))
def resume(
    file: ResultsArgument,
    threads: ThreadsOption = None,
    processes: ProcessesOption = None,
    cluster: ClusterOption = None,
) -> None:
    from contienda.cli.lab.run import go_on
    from contienda.lab.results import Results

    where = _where(threads, processes, cluster)
    with closing(Results(file)) as results:
        go_on(results, where)


@lab.command(cls=Command, help=say("Show the progress and the results of an experiment."))
def status(file: ResultsArgument) -> None:
    from contienda.cli.lab.run import show_results
    from contienda.lab.results import Results

    with closing(Results(file)) as results:
        show_results(results, Console())


@lab.command(cls=Command, help=say("Write tables and figures as one HTML page."))
def report(
    file: ResultsArgument,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help=say("default: next to the results")),
    ] = None,
    figures: Annotated[
        Path | None,
        typer.Option("--figures", metavar="DIR", help=say("also write each figure as SVG, PDF and PNG")),
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


@lab.command(cls=Command, help=say("Export every game as CSV or Parquet, or the table of players for LaTeX."))
def export(
    file: ResultsArgument,
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            "-o",
            metavar="PATH",
            help=say(
                "FILE.csv or FILE.parquet; FILE.tex: the table of players; or a folder: one CSV for each experiment"
            ),
        ),
    ],
) -> None:
    from contienda.lab.report import export as export_results
    from contienda.lab.report import export_each
    from contienda.lab.results import Results

    with closing(Results(file)) as results:
        if out.suffix or out.is_file():
            file_to_write(out)
            export_results(results, out)
            return
        folder_to_write(out)
        for path in export_each(results, out):
            print(path)


@lab.command(cls=Command, help=say("Measure the effect of each weight of a player."))
def sweep(
    player: PlayerArgument,
    game: ScoredGameOption = DEFAULT_GAME,
    out: Annotated[
        Path,
        typer.Option("--out", "-o", metavar="RESULTS", help=say("a results file, .sqlite")),
    ] = Path("sweep.sqlite"),
    games: Annotated[int, typer.Option("--games", callback=PLAYED_GAMES, help=say("games per value"))] = 100,
    weight: Annotated[
        list[str] | None, typer.Option("--weight", metavar="NAME", help=say("vary only this weight"))
    ] = None,
    seed: Annotated[int, typer.Option("--seed", callback=SEED, help=say("the first seed"))] = 1,
    threads: ThreadsOption = None,
    processes: ProcessesOption = None,
    cluster: ClusterOption = None,
) -> None:
    from contienda.cli.lab.tune import run_sweep
    from contienda.lab.sensitivity import sweep_plan

    where = _where(threads, processes, cluster)
    file_to_write(out)
    file_to_write(out.with_suffix(".svg"))
    run_sweep(sweep_plan(player, game, games=games, names=weight or (), seed=seed), out, where)


@lab.command(cls=Command, help=say("Tune the weights of a player: by playing games (CMA-ES), or from saved games."))
def tune(
    player: PlayerArgument,
    game: ScoredGameOption = DEFAULT_GAME,
    out: Annotated[
        Path,
        typer.Option("--out", "-o", metavar="FILE", help=say("a log of what was tried, to resume from")),
    ] = Path("tune.jsonl"),
    games: Annotated[int, typer.Option("--games", callback=PLAYED_GAMES, help=say("games per candidate"))] = 50,
    budget: Annotated[int, typer.Option("--budget", callback=PLAYED_GAMES, help=say("games in total"))] = 5000,
    population: Annotated[
        int,
        typer.Option(
            "--population",
            callback=within(4, 10_000),
            help=say("candidates per generation"),
        ),
    ] = 10,
    seed: Annotated[int, typer.Option("--seed", callback=SEED, help=say("the first seed"))] = 1,
    check: Annotated[
        int,
        typer.Option(
            "--check",
            callback=PLAYED_GAMES,
            help=say("games for the final comparison, on new seeds"),
        ),
    ] = 500,
    source: Annotated[
        Path | None,
        typer.Option("--from", metavar="DIR", help=say("learn from the saved games in this folder (least squares)")),
    ] = None,
    threads: ThreadsOption = None,
    processes: ProcessesOption = None,
    cluster: ClusterOption = None,
) -> None:
    from contienda.cli.lab.tune import run_learning, run_tuning
    from contienda.lab.tune import Tuning

    where = _where(threads, processes, cluster)
    file_to_write(out)
    file_to_write(out.with_suffix(".check.sqlite"))
    tuning = Tuning(player, games, budget, population, seed, game)
    if source is None:
        run_tuning(tuning, out, check, where)
    else:
        run_learning(tuning, source, out, check, where)


@lab.command(
    "test",
    cls=Command,
    help=say("Find out which of two players is better, with a sequential test."),
)
def compare(
    game: GameArgument,
    first: PlayerArgument,
    second: PlayerArgument,
    elo0: Annotated[float, typer.Option("--elo0", metavar="X", help=say("null hypothesis, in Elo"))] = 0.0,
    elo1: Annotated[
        float, typer.Option("--elo1", metavar="X", help=say("alternative, in Elo: two-player games"))
    ] = 20.0,
    gain: Annotated[
        float,
        typer.Option("--gain", metavar="X", help=say("alternative, as a share of the mean score: one-player games")),
    ] = 0.05,
    alpha: Annotated[
        float, typer.Option("--alpha", metavar="X", help=say("false positive rate: equal players judged different"))
    ] = 0.05,
    beta: Annotated[
        float, typer.Option("--beta", metavar="X", help=say("false negative rate: a better player not recognised"))
    ] = 0.05,
    most: Annotated[
        int, typer.Option("--most", metavar="N", callback=PLAYED_GAMES, help=say("maximum number of games"))
    ] = 10_000,
    opening: Annotated[
        int | None,
        typer.Option(
            "--opening",
            metavar="N",
            callback=within(0, 20),
            help=say("random opening moves (default: 4, or fewer in short games)"),
        ),
    ] = None,
    target: Annotated[
        str, typer.Option("--target", metavar="TILE", help=say("end the game at this tile, or none"))
    ] = "none",
    seed: Annotated[int, typer.Option("--seed", callback=SEED, help=say("seed of the first game"))] = 1,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="RESULTS", help=say("save the games, so that a stopped test can resume")),
    ] = None,
    threads: ThreadsOption = None,
    processes: ProcessesOption = None,
    cluster: ClusterOption = None,
    as_json: JsonOption = False,
) -> None:
    from contienda.cli.lab.sequential import Question, run_test
    from contienda.lab.sequential import Hypotheses, read_hypotheses

    hypotheses = read_hypotheses(str(Hypotheses(elo0, elo1, gain, alpha, beta)))
    if out is not None:
        file_to_write(out)
    question = Question(game, first, second, hypotheses, most, seed, opening, read_target(target))
    run_test(question, _where(threads, processes, cluster), out, as_json)


@lab.command(
    cls=Command,
    help=say("Grade players by how often they make the best move."),
)
def grade(
    players: Annotated[list[str], typer.Argument(metavar="PLAYER...", help="alphabeta:depth=4 mcts:sims=1000 …")],
    game: Annotated[
        str | None,
        typer.Option("--game", metavar="SPEC", help=say("default: the first game with a solver")),
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(
            "--judge",
            metavar="SPEC",
            help=say("the player that values the moves (default: exact values, else the game's default player)"),
        ),
    ] = None,
    positions: Annotated[
        int,
        typer.Option(
            "--positions",
            metavar="N",
            callback=within(1, 1000),
            help=say("positions in all; with exact values, for each stage of the game"),
        ),
    ] = 20,
    seed: Annotated[int, typer.Option("--seed", callback=SEED, help=say("seed of the sample"))] = 1,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE.csv", help=say("save every answer, and a figure")),
    ] = None,
) -> None:
    from contienda.cli.lab.grade import run_grading
    from contienda.games import games_with

    run_grading(players, game or games_with("exact")[0], judge, positions, seed, out)


@lab.command(
    cls=Command,
    help=say("Reproduce the experiments of a document: uc3m, unicen, uja, uma, ort or all."),
)
def reproduce(
    document: Annotated[str, typer.Argument(metavar="DOCUMENT", help="uc3m, unicen, uja, uma, ort, all")],
    quick: Annotated[bool, typer.Option("--quick", help=say("fewer games, depths up to 5"))] = False,
    times: Annotated[
        bool, typer.Option("--times", help=say("measure the times again; the games must be the same as before"))
    ] = False,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help=say("the folder for the results"))] = Path(
        "reproduction"
    ),
    threads: ThreadsOption = None,
    processes: ProcessesOption = None,
    cluster: ClusterOption = None,
) -> None:
    from contienda.cli.lab.reproduce import run_reproduction
    from contienda.lab.reproduce import document_names

    where = _where(threads, processes, cluster)
    document_names(document)
    folder_to_write(out)
    run_reproduction(document, out, where, quick=quick, again=times)


@lab.command("list", cls=Command, help=say("List the results in a folder."))
def list_(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help=say("default: the current folder"))] = Path(),
) -> None:
    from contienda.lab.results import Results

    if not folder.is_dir():
        raise BadInput("the folder {folder} does not exist", folder=folder)
    files = sorted(folder.glob("*.sqlite"))
    if not files:
        print(say("there are no results in {folder}", folder=folder.resolve()))
        return
    table = Table(box=None, padding=(0, 2, 0, 0))
    for header in (say("file"), say("plan"), say("game"), say("games")):
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
        games = f"{done}/{total}" + (say(", {failed} not played", failed=failed) if failed else "")
        table.add_row(escape(str(path)), escape(plan.name), plan.game, games)
        results.close()
    console = Console()
    if table.row_count:
        console.print(table, highlight=False)
    for reason in unread:
        console.print(say("cannot read: {reason}", reason=reason), highlight=False, markup=False, soft_wrap=True)


def _where(threads: int | None, processes: int | None, cluster: str | None) -> Where:
    from contienda.lab.where import Where

    if sum(option is not None for option in (threads, processes, cluster)) > 1 and not (processes and cluster):
        raise BadInput("choose only one of --threads, --processes and --cluster")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if cluster is not None:
        return Where("cluster", processes or cores, None if cluster == "local" else cluster)
    if processes is not None:
        return Where("processes", processes)
    return Where("threads", threads or cores)
