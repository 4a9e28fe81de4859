"""``contienda lab``: plan, run, resume and read experiments."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from contienda.cli.arguments import ThreadsOption
from contienda.cli.files import beside, file_to_read, file_to_write, folder_to_write
from contienda.cli.lab.options import (
    ClusterOption,
    PlanArgument,
    ProcessesOption,
    ResultsArgument,
    where_to_play,
)
from contienda.cli.lab.studies import studies
from contienda.cli.typer_texts import Command, Group
from contienda.core.language import BadInput, say

__all__ = ["lab"]

lab = typer.Typer(
    cls=Group,
    no_args_is_help=True,
    help=say("Plan, run, resume and compare experiments."),
)


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

    where = where_to_play(threads, processes, cluster)
    file_to_read(file)
    plan = load_plan(file)
    part = None if shard is None else read_shard(shard, plan)
    out = out or beside(file, ".sqlite" if part is None else f".{part.number}-of-{part.parts}.sqlite")
    file_to_write(out)
    with closing(Results(out, plan, part)) as results:
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

    where = where_to_play(threads, processes, cluster)
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


lab.add_typer(studies)
