"""The commands and their options; each calls the module that does the work."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from contienda import __version__
from contienda.cli.arguments import (
    PLAYED_GAMES,
    FileArgument,
    GameArgument,
    GoalOption,
    JsonOption,
    PlayerOption,
    PositionArgument,
    ScoreOption,
    SeedOption,
    SpeedOption,
    TargetOption,
    ThreadsOption,
    print_json,
    read_target,
    within,
)
from contienda.cli.book import books
from contienda.cli.cache import cache
from contienda.cli.exercise import exercises
from contienda.cli.files import folder_to_write
from contienda.cli.lab.commands import lab
from contienda.cli.league import leagues
from contienda.cli.learning.commands import learning
from contienda.cli.perfect import exact
from contienda.cli.review import reviews
from contienda.cli.searching import searching
from contienda.cli.tables import tables
from contienda.cli.typer_texts import Command, Group
from contienda.cli.warm import compile_behind, warming
from contienda.core.language import say

if TYPE_CHECKING:
    from contienda.cli.play import PlayOrder

__all__ = ["app"]

app = typer.Typer(
    cls=Group,
    add_completion=True,
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    help=say(
        "A laboratory of game search: play, watch, dissect and measure. Without a command, "
        "Contienda opens the app in the browser. [dim]--lang es|en[/] sets the language; "
        "[dim]--verbose[/] reports what is compiled, and why."
    ),
)

PortOption = Annotated[
    int | None,
    typer.Option("--port", metavar="N", callback=within(0, 65535), help=say("default: 2048, or the next free port")),
]
BrowserOption = Annotated[bool, typer.Option("--browser/--no-browser", help=say("open the browser"))]
DataOption = Annotated[Path | None, typer.Option("--data", metavar="DIR", help=say("the folder for games and results"))]
LimitsOption = Annotated[
    str, typer.Option("--limits", metavar="KEY=N,…", help=say("limits on requests, for example ms=2000,depth=9"))
]
WhitelistOption = Annotated[
    bool,
    typer.Option(
        "--whitelist-only",
        help=say("accept heuristics from the network even where the system cannot confine them"),
    ),
]


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"contienda {__version__}")
        raise typer.Exit


@app.callback()
def common(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help=say("Show the version and exit.")),
    ] = False,
) -> None:
    """Options that stand before the command."""
    if context.invoked_subcommand is None:
        web()


@app.command(cls=Command, help=say("Play games and report the results."))
def play(
    game: GameArgument,
    player: PlayerOption = None,
    opponent: Annotated[
        str | None,
        typer.Option("--opponent", metavar="SPEC", help=say("the second player")),
    ] = None,
    seed: SeedOption = None,
    games: Annotated[int, typer.Option("--games", metavar="N", callback=PLAYED_GAMES, help=say("number of games"))] = 1,
    target: TargetOption = "none",
    threads: ThreadsOption = None,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="PATH", help=say("save every game: in a folder, or as FILE.json"))
    ] = None,
    stats: Annotated[
        Path | None,
        typer.Option(
            "--stats",
            metavar="FILE",
            help=say("write the time of every turn in uc3m's format"),
        ),
    ] = None,
    as_json: JsonOption = False,
    watch: Annotated[bool, typer.Option("--watch", help=say("show every move"))] = False,
    speed: SpeedOption = 10.0,
    opening: Annotated[
        int | None,
        typer.Option(
            "--opening",
            metavar="N",
            callback=within(0, 20),
            help=say("random moves at the start of each game (default: some where games would repeat)"),
        ),
    ] = None,
) -> None:
    from contienda.cli.play import PlayOrder

    order = PlayOrder(
        game, player, opponent, seed, games, read_target(target), threads, save, stats, watch, speed, opening
    )
    _play(order, as_json)


def _play(order: PlayOrder, as_json: bool) -> None:
    from contienda.cli.play import keep_statistics, run_play
    from contienda.cli.report import show_report

    report, finished = run_play(order, Console(stderr=as_json))
    print_json(report) if as_json else show_report(report, Console())
    keep_statistics(order, finished)  # after the report: a full disk loses only the file
    if len(report["games"]) < order.games:  # Ctrl-C
        raise typer.Exit(130)


@app.command(cls=Command, help=say("Show the value of every move in a position."))
def hint(
    game: GameArgument,
    position: PositionArgument = None,
    player: PlayerOption = None,
    score: ScoreOption = 0,
    target: GoalOption = "none",
    as_json: JsonOption = False,
) -> None:
    from contienda.cli.hint import find_hint, show_hint

    found = find_hint(game, position, player, score, read_target(target))
    print_json(found.data) if as_json else show_hint(found, Console())
    if found.data["counters"]["compile_seconds"] == 0:  # the interpreter has answered
        compile_behind(found.data["game"], found.data["player"])


@app.command(cls=Command, help=say("Evaluate a position without searching."))
def evaluate(
    game: GameArgument,
    position: PositionArgument = None,
    evaluator: Annotated[
        str | None,
        typer.Option(
            "--eval",
            metavar="NAME",
            help=say("an evaluator, for example uma1, ort-simple-1,empty=3 or mine.py:corner"),
        ),
    ] = None,
    score: ScoreOption = 0,
    view: Annotated[
        str,
        typer.Option(
            "--view",
            metavar="SIDE",
            help=say("for whom: mover, max (the player who moves first) or min"),
        ),
    ] = "mover",
    as_json: JsonOption = False,
) -> None:
    from contienda.cli.hint import find_evaluation, show_evaluation

    data = find_evaluation(game, position, evaluator, score, view)
    print_json(data) if as_json else show_evaluation(data, Console())


@app.command(cls=Command, help=say("Replay a saved game, move by move."))
def replay(
    file: FileArgument,
    step: Annotated[bool, typer.Option("--step", help=say("wait for Enter after each move"))] = False,
    speed: SpeedOption = 4.0,
    end: Annotated[bool, typer.Option("--end", help=say("show only the end"))] = False,
) -> None:
    from contienda.cli.replay import run_replay

    run_replay(file, Console(), step=step, speed=speed, end=end)


@app.command(
    cls=Command,
    help=say("Check a saved game, the rules of your own game, or your own heuristic on a thousand positions."),
)
def check(
    what: Annotated[
        str,
        typer.Argument(
            metavar="FILE|GAME|HEURISTIC",
            help=say("a saved game, a game such as nim.py:Nim, or with GAME a heuristic such as mine.py:corner"),
        ),
    ],
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help=say("the game of the heuristic")),
    ] = None,
) -> None:
    from contienda.cli.checking import check_heuristic, check_played, check_rules, names_a_game

    if game is not None:
        check_heuristic(what, game)
    elif names_a_game(what):
        check_rules(what)
    else:
        check_played(Path(what))


@app.command(cls=Command, help=say("Open the app in the browser."))
def web(
    host: Annotated[
        str,
        typer.Option("--host", metavar="ADDRESS", help=say("0.0.0.0 makes the app available on your network")),
    ] = "127.0.0.1",
    port: PortOption = None,
    browser: BrowserOption = True,
    data: DataOption = None,
    limits: LimitsOption = "",
    game: Annotated[
        list[str] | None,
        typer.Option("--game", metavar="FILE.py:CLASS", help=say("open your own game")),
    ] = None,
    player: Annotated[
        list[str] | None,
        typer.Option("--player", metavar="FILE.py:NAME", help=say("open your own player")),
    ] = None,
    whitelist_only: WhitelistOption = False,
) -> None:
    from contienda.core.files import data_folder
    from contienda.web.serve import serve
    from contienda.web.settings import Settings, read_limits

    where = (host, Settings.port if port is None else port, data or data_folder())
    settings = Settings(*where, read_limits(limits), tuple(game or ()), tuple(player or ()), None, whitelist_only)
    folder_to_write(settings.data)
    serve(settings, browser=browser, any_port=port is None, console=Console())


@app.command("class", cls=Command, help=say("Open the app to a class: a code to join, and a teacher's page."))
def class_(
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help=say("the address that pupils use; default: all of them"))
    ] = "0.0.0.0",
    port: PortOption = None,
    browser: BrowserOption = True,
    data: DataOption = None,
    code: Annotated[str, typer.Option("--code", metavar="CODE", help=say("the code to join; default: a new one"))] = "",
    password: Annotated[
        str,
        typer.Option(
            "--password",
            metavar="WORD",
            envvar="CONTIENDA_PASSWORD",
            help=say("the password of the teacher's page; default: a new one"),
        ),
    ] = "",
    forget: Annotated[
        bool, typer.Option("--forget", help=say("delete all games and heuristics when the class ends"))
    ] = False,
    https: Annotated[
        bool, typer.Option("--https", help=say("encrypt, with a certificate made on the spot: browsers warn of it"))
    ] = False,
    limits: LimitsOption = "",
    whitelist_only: WhitelistOption = False,
) -> None:
    from contienda.cli.classroom import run_class
    from contienda.web.settings import Settings, read_limits

    where = (host, Settings.port if port is None else port, data or Path())
    settings = Settings(*where, read_limits(limits), whitelist_only=whitelist_only)
    run_class(settings, code, password, data=data, forget=forget, https=https, browser=browser, any_port=port is None)


@app.command(cls=Command, help=say("Answer other programs: a player behind a line protocol, see docs/en/engines.md."))
def engine(player: PlayerOption = None) -> None:
    from contienda.cli.engine import run_engine

    run_engine(player)


@app.command(
    "list",
    cls=Command,
    help=say("List the games, players, solvers and evaluators."),
)
def list_(
    what: Annotated[
        str | None,
        typer.Argument(metavar="WHAT", help=say("games, players, solvers or evaluators")),
    ] = None,
    game: Annotated[str | None, typer.Option("--game", metavar="GAME", help=say("only those for this game"))] = None,
    as_json: JsonOption = False,
) -> None:
    from contienda.cli.listing import KINDS, as_data, show

    kinds = [what] if what else list(KINDS)
    if as_json:
        print_json({kind: as_data(kind, game) for kind in kinds})
        return
    for kind in kinds:
        show(kind, Console(), game)


@app.command(
    cls=Command,
    help=say(
        "uc3m's program: play by hand or let the machine play. Algorithm (0 minimax, 1 A*), heuristic (0 score, "
        "1 empty cells), depth."
    ),
)
def uc3m(
    algorithm: Annotated[int, typer.Argument(metavar="ALGORITHM")] = 0,
    heuristic: Annotated[int, typer.Argument(metavar="HEURISTIC")] = 0,
    depth: Annotated[int, typer.Argument(metavar="DEPTH")] = 5,
    by_hand: Annotated[
        bool | None,
        typer.Option("--manual/--auto", help=say("do not ask who plays; without a terminal the machine plays")),
    ] = None,
    seed: SeedOption = None,
    stats: Annotated[
        Path | None,
        typer.Option("--stats", metavar="FILE", help=say("the file for the statistics")),
    ] = None,
    speed: SpeedOption = 60.0,
    as_json: JsonOption = False,
) -> None:
    from contienda.cli.uc3m import Call, run_uc3m

    run_uc3m(Call(algorithm, heuristic, depth, by_hand, seed, stats, speed, as_json))


app.add_typer(searching)
app.add_typer(warming)
app.add_typer(learning)
app.add_typer(books)
app.add_typer(leagues)
app.add_typer(reviews)
app.add_typer(exact)
app.add_typer(lab, name="lab")
app.add_typer(cache, name="cache")
app.add_typer(tables, name="tables")
app.add_typer(exercises, name="exercise")
