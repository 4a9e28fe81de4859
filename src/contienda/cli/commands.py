"""The commands and their options; each hands over to the module that does the work."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from contienda import __version__
from contienda.cli.arguments import (
    FileArgument,
    GameArgument,
    JsonOption,
    PlayedGameArgument,
    PlayerOption,
    PositionArgument,
    ScoreOption,
    SeedOption,
    SpeedOption,
    print_json,
    read_target,
)
from contienda.cli.book import books
from contienda.cli.cache import cache
from contienda.cli.lab import lab
from contienda.cli.learning import learning
from contienda.cli.places import folder_to_write
from contienda.cli.ranges import PLAYED_GAMES, THREADS, within
from contienda.cli.searching import searching
from contienda.cli.spanish import Command, Group
from contienda.language import say

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
        "A laboratory of game search: play, watch, dissect and measure. Without a command it opens the app in the "
        "browser. [dim]--lang es|en[/] sets the language; [dim]--verbose[/] tells what is compiled, and why.",
        "Un laboratorio de búsqueda en juegos: juega, mira, disecciona y mide. Sin orden abre la app en el navegador. "
        "[dim]--lang es|en[/] fija el idioma; [dim]--verbose[/] dice qué se compila y por qué.",
    ),
)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"contienda {__version__}")
        raise typer.Exit


@app.callback()
def common(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help=say("Show the version.", "Muestra la versión.")
        ),
    ] = False,
) -> None:
    """Options that stand before the command."""
    if context.invoked_subcommand is None:
        web()


@app.command(cls=Command, help=say("Play games and report on them.", "Juega partidas e informa de ellas."))
def play(
    game: PlayedGameArgument,
    player: PlayerOption = None,
    opponent: Annotated[
        str | None,
        typer.Option("--opponent", metavar="SPEC", help=say("who plays second", "quién juega segundo")),
    ] = None,
    seed: SeedOption = None,
    games: Annotated[
        int, typer.Option("--games", metavar="N", callback=PLAYED_GAMES, help=say("how many", "cuántas"))
    ] = 1,
    target: Annotated[
        str,
        typer.Option("--target", metavar="TILE", help=say("end at this tile, or none", "acaba en esta ficha, o none")),
    ] = "none",
    threads: Annotated[
        int | None,
        typer.Option(
            "--threads", metavar="N", callback=THREADS, help=say("else one for each core", "si no, uno por núcleo")
        ),
    ] = None,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="DIR", help=say("keep every game here", "guarda aquí cada partida"))
    ] = None,
    stats: Annotated[
        Path | None,
        typer.Option(
            "--stats",
            metavar="FILE",
            help=say("write the time of every turn, as uc3m does", "escribe el tiempo de cada turno, como uc3m"),
        ),
    ] = None,
    as_json: JsonOption = False,
    watch: Annotated[bool, typer.Option("--watch", help=say("show every move", "muestra cada jugada"))] = False,
    speed: SpeedOption = 10.0,
) -> None:
    from contienda.cli.play import PlayOrder

    order = PlayOrder(game, player, opponent, seed, games, read_target(target), threads, save, stats, watch, speed)
    _play(order, as_json)


def _play(order: PlayOrder, as_json: bool) -> None:
    from contienda.cli.play import keep_statistics, run_play
    from contienda.cli.report import show_report

    report, finished = run_play(order, Console(stderr=as_json))
    print_json(report) if as_json else show_report(report, Console())
    keep_statistics(order, finished)  # after the report: a full disk costs the file alone
    if len(report["games"]) < order.games:  # Ctrl-C
        raise typer.Exit(130)


@app.command(cls=Command, help=say("Value every move of a position.", "Valora cada jugada de una posición."))
def hint(
    game: GameArgument,
    position: PositionArgument,
    player: PlayerOption = None,
    score: ScoreOption = 0,
    as_json: JsonOption = False,
) -> None:
    from contienda.cli.hint import find_hint, show_hint

    data = find_hint(game, position, player, score)
    print_json(data) if as_json else show_hint(data, score, Console())


@app.command(cls=Command, help=say("Value a position without search.", "Valora una posición sin búsqueda."))
def evaluate(
    game: GameArgument,
    position: PositionArgument,
    evaluator: Annotated[
        str | None,
        typer.Option(
            "--eval",
            metavar="NAME",
            help=say(
                "an evaluator, as uma1 or ort-simple-1,empty=3 or mine.py:corner",
                "un evaluador, como uma1, ort-simple-1,empty=3 o mio.py:esquina",
            ),
        ),
    ] = None,
    score: ScoreOption = 0,
    as_json: JsonOption = False,
) -> None:
    from contienda.cli.hint import find_evaluation, show_evaluation

    data = find_evaluation(game, position, evaluator, score)
    print_json(data) if as_json else show_evaluation(data, Console())


@app.command(
    cls=Command, help=say("Show a saved game, move by move.", "Muestra una partida guardada, jugada a jugada.")
)
def replay(
    file: FileArgument,
    step: Annotated[
        bool, typer.Option("--step", help=say("wait for Enter at each move", "espera Intro en cada jugada"))
    ] = False,
    speed: SpeedOption = 4.0,
    end: Annotated[bool, typer.Option("--end", help=say("straight to the end", "directo al final"))] = False,
) -> None:
    from contienda.cli.replay import run_replay

    run_replay(file, Console(), step=step, speed=speed, end=end)


@app.command(
    cls=Command, help=say("Check a saved game, move by move.", "Comprueba una partida guardada, jugada a jugada.")
)
def check(file: FileArgument) -> None:
    from contienda.record import load_game, result_of

    played = load_game(file)
    result = ", ".join(f"{key} {value}" for key, value in result_of(played).items())
    print(
        say(
            f"{file}: a sound game of {played.game.spec}: {result}",
            f"{file}: partida correcta de {played.game.spec}: {result}",
        )
    )


@app.command(cls=Command, help=say("Open the app in the browser.", "Abre la app en el navegador."))
def web(
    host: Annotated[
        str,
        typer.Option(
            "--host", metavar="ADDRESS", help=say("0.0.0.0 lets the network in", "0.0.0.0 deja entrar a la red")
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(
            "--port",
            metavar="N",
            callback=within(0, 65535),
            help=say("else 2048, or the next free one", "si no, 2048 o el siguiente libre"),
        ),
    ] = None,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help=say("open the browser", "abre el navegador"))
    ] = True,
    data: Annotated[
        Path | None,
        typer.Option("--data", metavar="DIR", help=say("where games are kept", "dónde se guardan las partidas")),
    ] = None,
    limits: Annotated[
        str,
        typer.Option(
            "--limits",
            metavar="KEY=N,…",
            help=say(
                "what a request may ask for, as ms=2000,depth=9", "lo que admite una petición, como ms=2000,depth=9"
            ),
        ),
    ] = "",
) -> None:
    from contienda.web.serve import serve
    from contienda.web.settings import Settings, data_folder, read_limits

    settings = Settings(host, 2048 if port is None else port, data or data_folder(), read_limits(limits))
    folder_to_write(settings.data)
    serve(settings, browser=browser, any_port=port is None, console=Console())


@app.command(
    "list",
    cls=Command,
    help=say(
        "What there is: games, players, solvers, evaluators.", "Lo que hay: juegos, jugadores, buscadores, evaluadores."
    ),
)
def list_(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="WHAT", help=say("games, players, solvers or evaluators", "games, players, solvers o evaluators")
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    from contienda.cli.listing import KINDS, as_data, show

    kinds = [what] if what else list(KINDS)
    if as_json:
        print_json({kind: as_data(kind) for kind in kinds})
        return
    for kind in kinds:
        show(kind, Console())


@app.command(
    cls=Command,
    help=say(
        "uc3m's old call: algorithm (0 minimax, 1 A*), heuristic (0 score, 1 empty cells), depth.",
        "La llamada de uc3m: algoritmo (0 minimax, 1 A*), heurística (0 puntos, 1 celdas vacías), profundidad.",
    ),
)
def uc3m(
    algorithm: Annotated[int, typer.Argument(metavar="ALGORITHM")] = 0,
    heuristic: Annotated[int, typer.Argument(metavar="HEURISTIC")] = 0,
    depth: Annotated[int, typer.Argument(metavar="DEPTH")] = 5,
    seed: SeedOption = None,
    stats: Annotated[
        Path | None,
        typer.Option("--stats", metavar="FILE", help=say("where the statistics go", "dónde van las estadísticas")),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    from contienda.cli.uc3m import old_call

    order = old_call(algorithm, heuristic, depth, seed, stats, watch=sys.stdout.isatty() and not as_json)
    _play(order, as_json)


app.add_typer(searching)
app.add_typer(learning)
app.add_typer(books)
app.add_typer(lab, name="lab")
app.add_typer(cache, name="cache")
