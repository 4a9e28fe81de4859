"""``contienda tables``: makes, lists, checks and deletes endgame tables of 2048, and lets you practise with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bars
from rich.table import Table

from contienda.cli.arguments import JsonOption, SeedOption, ThreadsOption, print_json, within
from contienda.cli.typer_texts import Command, Group
from contienda.core.language import BadInput, number, say

if TYPE_CHECKING:
    from contienda.tables.making import TableLimits
    from contienda.tables.pattern import Pattern

__all__ = ["tables"]

tables = typer.Typer(cls=Group, no_args_is_help=True, help=say("Make and use endgame tables of 2048."))

#: Megabytes: a terabyte.
_MOST = 2**20

NamesArgument = Annotated[list[str], typer.Argument(metavar="TABLE…", help=say("as contienda tables list shows them"))]


@tables.command(cls=Command, help=say("Make tables. Shows the progress; Ctrl-C stops, and the same command resumes."))
def make(
    patterns: Annotated[
        str,
        typer.Option(
            "--patterns",
            metavar="NAME,…",
            help=say("442, 442-256 or your own FILE.txt; default: all that come with the package"),
        ),
    ] = "",
    memory: Annotated[
        int,
        typer.Option("--memory", metavar="MB", callback=within(1, _MOST), help=say("memory that it may use")),
    ] = 1000,
    disk: Annotated[
        int,
        typer.Option(
            "--disk",
            metavar="MB",
            callback=within(1, _MOST),
            help=say("disk that all tables may use, and what is made"),
        ),
    ] = 2000,
    threads: ThreadsOption = None,
) -> None:
    from contienda.cli.play import cores
    from contienda.tables.making import TableLimits
    from contienda.tables.pattern import patterns_named
    from contienda.tables.table_file import read_table_head, table_files, table_path

    console = Console()
    for pattern in patterns_named([name for name in patterns.split(",") if name]):
        path = table_path(pattern)
        if path.exists() and read_table_head(path).pattern == pattern:
            console.print(say("{name}: already there", name=pattern.name), style="dim", highlight=False)
            continue
        used = sum(file.stat().st_size for file in table_files()) >> 20
        if not _make(pattern, TableLimits(memory, max(disk - used, 0), threads or cores())):
            raise typer.Exit(130)
        head, size = read_table_head(path), path.stat().st_size / 1e6
        console.print(
            say(
                "{name}: {boards:,} boards, {size:,.1f} MB, {seconds:,.1f} s",
                name=pattern.name,
                boards=head.boards,
                size=size,
                seconds=head.seconds,
            ),
            highlight=False,
        )


def _make(pattern: Pattern, limits: TableLimits) -> bool:
    """Make a table with a progress bar; False if it was stopped."""
    from contienda.compiled.stopping import Stop
    from contienda.tables.making import TableProgress, make_table

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("<"),
        TimeRemainingColumn(),
    )
    console, stop = Console(stderr=True), Stop()
    with Bars(*columns, console=console, disable=not console.is_terminal) as bars:
        task: dict[bool, Any] = {}

        def show(how: TableProgress) -> None:
            told = say("value them") if how.solving else say("find all boards: {found:,}", found=how.boards)
            if how.solving not in task:
                task[how.solving] = bars.add_task("")
            bars.update(task[how.solving], description=f"{pattern.name}: {told}", completed=how.done, total=how.total)

        try:
            return make_table(pattern, limits, show, stop)
        except KeyboardInterrupt:
            bars.stop()
            console.print(say("stopped"), highlight=False)
            return False


@tables.command("list", cls=Command, help=say("List the tables that there are, and the patterns of the package."))
def list_(as_json: JsonOption = False) -> None:
    from contienda.tables.pattern import shipped_patterns
    from contienda.tables.table_file import read_table_head, table_files

    made: dict[Pattern, dict[str, Any]] = {}
    for file in table_files():
        head = read_table_head(file)
        made[head.pattern] = {"boards": head.boards, "bytes": file.stat().st_size, "file": str(file)}
    known = [*made, *(pattern for pattern in shipped_patterns() if pattern not in made)]
    data: list[dict[str, Any]] = [
        {"name": one.name, "picture": one.picture, "goal": one.goal, "spare": one.spare, "made": made.get(one)}
        for one in known
    ]
    if as_json:
        return print_json(data)
    table = Table(box=None, padding=(0, 2, 0, 0))
    for title in (say("table"), say("pattern"), say("boards"), "MB"):
        table.add_column(title)
    for row in data:
        picture = "/".join(row["picture"][i : i + 4] for i in range(0, 16, 4))
        there = row["made"]
        figures = (number(there["boards"]), number(there["bytes"] / 1e6, ",.1f")) if there else (say("not made"), "")
        table.add_row(row["name"], picture, *figures)
    Console().print(table)
    return None


@tables.command(cls=Command, help=say("Read the tables again, and report any damage."))
def check(names: NamesArgument = []) -> None:  # noqa: B006
    from contienda.tables.table_file import open_table

    damaged = 0
    for file in _chosen(names):
        try:
            open_table(file)
        except BadInput as error:
            print(f"contienda: {error}")
            damaged += 1
        else:
            print(say("{name}: whole", name=file.stem))
    if damaged:
        raise typer.Exit(2)


@tables.command(cls=Command, help=say("Delete tables, unfinished ones included."))
def remove(names: NamesArgument) -> None:
    import shutil

    for file in _chosen(names):
        file.unlink(missing_ok=True)
        shutil.rmtree(file.with_suffix(".making"), ignore_errors=True)
        print(say("{name}: deleted", name=file.stem))


def _chosen(names: list[str]) -> list[Any]:
    """Return the files of these tables, finished or not; all if none is named."""
    from contienda.tables.table_file import table_files, tables_folder

    begun = [folder.with_suffix(".table") for folder in sorted(tables_folder().glob("*.making"))]
    there = {file.stem: file for file in [*table_files(), *(begun if names else [])]}
    for name in names:
        if name not in there:
            raise BadInput("there is no table {name!r}: see `contienda tables list`", name=name)
    return [there[name] for name in names] if names else list(there.values())


@tables.command(cls=Command, help=say("Practise endgames: every move of yours is graded."))
def drill(
    table: Annotated[str | None, typer.Option("--table", metavar="TABLE", help=say("default: any"))] = None,
    seed: SeedOption = None,
) -> None:
    from contienda.cli.drill import run_drill

    run_drill(table, seed, Console())
