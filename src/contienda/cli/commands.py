"""The commands and their options; each hands over to the module that does the work."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from contienda import __version__
from contienda.cli.lab import lab
from contienda.cli.spanish import Command, Group
from contienda.language import BadInput, say

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
        "browser. [dim]--lang es|en[/] sets the language.",
        "Un laboratorio de búsqueda en juegos: juega, mira, disecciona y mide. Sin orden abre la app en el navegador. "
        "[dim]--lang es|en[/] fija el idioma.",
    ),
)


app.add_typer(lab, name="lab")


def _print_json(data: dict[str, Any] | list[Any]) -> None:
    utf_8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    print(json.dumps(data, ensure_ascii=not utf_8))


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


GameArgument = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help=say(
            "2048, connect4, tictactoe or tree; with parameters, connect4:rows=5,columns=6",
            "2048, connect4, tictactoe o tree; con parámetros, connect4:rows=5,columns=6",
        ),
    ),
]
PlayedGameArgument = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help=say(
            "2048, connect4 or tictactoe; with parameters, connect4:rows=5,columns=6",
            "2048, connect4 o tictactoe; con parámetros, connect4:rows=5,columns=6",
        ),
    ),
]
PositionArgument = Annotated[
    str,
    typer.Argument(
        metavar="POSITION",
        help=say(
            "2048: '2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 0'; connect4: columns played, 4453; tree: 'max[min[3 9] min[2 4]]'",
            "2048: '2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 0'; connect4: columnas, 4453; tree: 'max[min[3 9] min[2 4]]'",
        ),
    ),
]
PlayerOption = Annotated[
    str | None,
    typer.Option(
        "--player",
        metavar="SPEC",
        help=say("who plays, as alphabeta:depth=5,eval=uma1", "quién juega, como alphabeta:depth=5,eval=uma1"),
    ),
]
ScoreOption = Annotated[
    int, typer.Option("--score", metavar="N", help=say("points made so far", "puntos conseguidos hasta ahora"))
]
SeedOption = Annotated[
    int | None,
    typer.Option(
        "--seed", metavar="N", help=say("of the first game; else drawn by lot", "de la primera partida; si no, al azar")
    ),
]
JsonOption = Annotated[
    bool, typer.Option("--json", help=say("one JSON object and nothing else", "un objeto JSON y nada más"))
]
SpeedOption = Annotated[
    float, typer.Option("--speed", metavar="X", help=say("moves shown per second", "jugadas mostradas por segundo"))
]
FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help=say("a saved game", "una partida guardada"))]


@app.command(cls=Command, help=say("Play games and report on them.", "Juega partidas e informa de ellas."))
def play(
    game: PlayedGameArgument,
    player: PlayerOption = None,
    opponent: Annotated[
        str | None,
        typer.Option("--opponent", metavar="SPEC", help=say("who plays second", "quién juega segundo")),
    ] = None,
    seed: SeedOption = None,
    games: Annotated[int, typer.Option("--games", metavar="N", help=say("how many", "cuántas"))] = 1,
    target: Annotated[
        str,
        typer.Option("--target", metavar="TILE", help=say("end at this tile, or none", "acaba en esta ficha, o none")),
    ] = "none",
    threads: Annotated[
        int | None,
        typer.Option("--threads", metavar="N", help=say("else one for each core", "si no, uno por núcleo")),
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

    order = PlayOrder(game, player, opponent, seed, games, _target(target), threads, save, stats, watch, speed)
    _play(order, as_json)


def _play(order: PlayOrder, as_json: bool) -> None:
    from contienda.cli.play import run_play
    from contienda.cli.report import show_report

    report = run_play(order, Console(stderr=as_json))
    _print_json(report) if as_json else show_report(report, Console())
    if len(report["games"]) < order.games:  # Ctrl-C
        raise typer.Exit(130)


def _target(text: str) -> int | None:
    if text in ("none", "ninguno"):
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 9):
        raise BadInput(
            f"--target {text}: a tile such as 2048, or none", f"--target {text}: una ficha como 2048, o none"
        )
    return int(text)


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
    _print_json(data) if as_json else show_hint(data, score, Console())


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
    _print_json(data) if as_json else show_evaluation(data, Console())


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
            "--port", metavar="N", help=say("else 2048, or the next free one", "si no, 2048 o el siguiente libre")
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
        _print_json({kind: as_data(kind) for kind in kinds})
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


@app.command(
    cls=Command,
    help=say(
        "Find a path: to a tile of 2048, or through the 8-puzzle.",
        "Busca un camino: hasta una ficha de 2048, o en el 8-puzle.",
    ),
)
def solve(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help=say("2048, 2048:tiles=twos or puzzle8", "2048, 2048:tiles=twos o puzzle8"),
        ),
    ],
    position: Annotated[
        str | None,
        typer.Argument(
            metavar="POSITION",
            help=say(
                "where to start: a board of 2048, or '8 6 7/2 5 4/3 0 1'; else by the seed",
                "dónde empezar: un tablero de 2048, o '8 6 7/2 5 4/3 0 1'; si no, según la semilla",
            ),
        ),
    ] = None,
    player: Annotated[
        str | None,
        typer.Option(
            "--player",
            metavar="SPEC",
            help=say("who searches, as astar:h=unicen", "quién busca, como astar:h=unicen"),
        ),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option("--target", metavar="TILE", help=say("the tile to reach: 2048", "la ficha que alcanzar: 2048")),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option("--seed", metavar="N", help=say("of the luck; else by lot", "del azar; si no, a suertes")),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option("--save", metavar="FILE", help=say("keep the path as a game", "guarda el camino como partida")),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    from contienda.cli.solve import SolveOrder, run_solve, show_solution

    solution = run_solve(SolveOrder(game, position, player, None if target is None else _tile(target), seed, save))
    _print_json(solution.as_data()) if as_json else show_solution(solution, Console())
    if not solution.found:
        Console(stderr=True).print(solution.message, style="yellow", markup=False, highlight=False, soft_wrap=True)
    if solution.ended == "stopped":  # Ctrl-C
        raise typer.Exit(130)


@app.command(
    cls=Command,
    help=say("Show the search of a position, step by step.", "Muestra la búsqueda de una posición, paso a paso."),
)
def trace(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help=say("2048, connect4, tictactoe, tree or puzzle8", "2048, connect4, tictactoe, tree o puzzle8"),
        ),
    ],
    position: PositionArgument,
    player: PlayerOption = None,
    score: ScoreOption = 0,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", help=say("of players that draw lots", "de quienes echan suertes"))
    ] = 0,
    events: Annotated[
        int | None,
        typer.Option("--events", metavar="N", help=say("at most so many: 50000", "como mucho tantos: 50000")),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help=say(
                "tree.html to step through, or .svg, .json, .txt; else text here",
                "tree.html para ir paso a paso, o .svg, .json, .txt; si no, texto aquí",
            ),
        ),
    ] = None,
) -> None:
    from contienda.cli.trace import TraceOrder, find_trace, show_trace

    order = TraceOrder(game, position, player, score, seed, events, output)
    show_trace(find_trace(order), order)


def _tile(text: str) -> int:
    tile = _target(text)
    if tile is None:
        raise BadInput("--target: a tile such as 2048", "--target: una ficha como 2048")
    return tile


@app.command(
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
                "4x6, 5x6, 8x6, 4x5, 2x4, or tuples: '0123 4567'", "4x6, 5x6, 8x6, 4x5, 2x4, o tuplas: '0123 4567'"
            ),
        ),
    ] = None,
    method: Annotated[str | None, typer.Option("--method", metavar="NAME", help=say("tc or td", "tc o td"))] = None,
    games: Annotated[
        int | None, typer.Option("--games", metavar="N", help=say("until it has seen N", "hasta que haya visto N"))
    ] = None,
    hours: Annotated[
        float | None,
        typer.Option("--hours", metavar="H", help=say("until it has trained for H", "hasta que haya entrenado H")),
    ] = None,
    threads: Annotated[
        int | None, typer.Option("--threads", metavar="N", help=say("else one for each core", "si no, uno por núcleo"))
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
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", help=say("of the luck; else 0", "del azar; si no, 0"))
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
        seed,
    )
    run_train(order, Console())


@app.command(
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
