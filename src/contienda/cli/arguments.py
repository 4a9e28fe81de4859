"""Arguments and options that several commands share, and the numbers that options take."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from contienda.core.language import BadInput, say

if TYPE_CHECKING:
    from contienda.core.game import Game, State

__all__ = [
    "GAMES",
    "PLAYED_GAMES",
    "SEED",
    "SPEED",
    "THREADS",
    "AskOption",
    "FileArgument",
    "GameArgument",
    "JsonOption",
    "OutOption",
    "PlayerOption",
    "PositionArgument",
    "ScoreOption",
    "SeedOption",
    "SolvedGameOption",
    "SpeedOption",
    "TargetOption",
    "ThreadsOption",
    "print_json",
    "read_position",
    "read_target",
    "read_tile",
    "within",
]


def within(least: float, most: float) -> Callable[..., Any]:
    """Return a callback for an option whose number must lie between these; NaN is refused."""

    def check(parameter: typer.CallbackParam, value: Any) -> Any:
        if value is None:
            return None
        name = max(parameter.opts, key=len)
        shown = f"{value:g}" if isinstance(value, float) else str(value)
        if not value >= least:
            raise BadInput("{name} {shown} must be at least {least}", name=name, shown=shown, least=least)
        if not value <= most:
            raise BadInput("{name} {shown} must be at most {most}", name=name, shown=shown, most=most)
        return value

    return check


#: Seeds are 64 bits.
SEED = within(0, 2**64 - 1)
#: More threads than cores of any machine.
THREADS = within(1, 1024)
#: Games to play and report: as many as a plan may have (`contienda.lab.plan.MOST_GAMES`).
PLAYED_GAMES = within(1, 10**8)
#: Games that a network learns from: at a million moves a second and a thousand moves a game, four months.
GAMES = within(1, 10**10)
#: Moves shown per second: from one in 100 s to a million, faster than any terminal.
SPEED = within(0.01, 1_000_000)

GameArgument = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help=say("a game from `contienda list games`, with parameters if you like: connect4:rows=5,columns=6"),
    ),
]
PositionArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="POSITION",
        help=say(
            "2048: '2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 0'; connect4: columns played, 4453; tree: 'max[min[3 9] min[2 4]]' "
            "(default: the start of a game)"
        ),
    ),
]
PlayerOption = Annotated[
    str | None,
    typer.Option(
        "--player",
        metavar="SPEC",
        help=say("the player, for example alphabeta:depth=5,eval=uma1"),
    ),
]
ScoreOption = Annotated[int, typer.Option("--score", metavar="N", help=say("the score so far"))]
SeedOption = Annotated[
    int | None,
    typer.Option(
        "--seed",
        metavar="N",
        callback=SEED,
        help=say("seed of the first game (default: random)"),
    ),
]
GoalOption = Annotated[
    str,
    typer.Option("--target", metavar="TILE", help=say("a board that has this tile ends the search, as 2048; or none")),
]
TargetOption = Annotated[str, typer.Option("--target", metavar="TILE", help=say("end the game at this tile, or none"))]
ThreadsOption = Annotated[
    int | None, typer.Option("--threads", metavar="N", callback=THREADS, help=say("default: one per core"))
]
SolvedGameOption = Annotated[
    str | None, typer.Option("--game", metavar="SPEC", help=say("default: the first game with a solver"))
]
OutOption = Annotated[Path, typer.Option("--out", metavar="FILE", help=say("the file to write"))]
AskOption = Annotated[
    list[str] | None,
    typer.Option(
        "--ask", metavar="WHAT", help=say("value, values, cuts, window, next or best; window=2/1 names a node")
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help=say("print one JSON object only"))]
SpeedOption = Annotated[
    float,
    typer.Option("--speed", metavar="X", callback=SPEED, help=say("moves shown per second")),
]
FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help=say("a saved game"))]


def read_position(game: Game, position: str | None, score: int = 0) -> State:
    """Return the state that a POSITION describes; without one, the start of a game with seed 0."""
    if position is not None:
        return game.parse_scored(position, score)
    from contienda.compiled.rng import generator

    return game.start(generator(0))


def read_target(text: str) -> int | None:
    """Return the tile of a ``--target``, or None if it is none."""
    if text in ("none", "ninguno"):
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 9):
        raise BadInput("--target {text} must be a tile such as 2048, or none", text=text)
    return int(text)


def read_tile(text: str) -> int:
    """Return the tile of a ``--target`` that must be a tile."""
    tile = read_target(text)
    if tile is None:
        raise BadInput("--target must be a tile such as 2048")
    return tile


def print_json(data: dict[str, Any] | list[Any]) -> None:
    """Print one line of JSON and nothing else."""
    utf_8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    print(json.dumps(data, ensure_ascii=not utf_8))
