"""What several commands take and print alike."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from contienda.cli.ranges import SEED, SPEED
from contienda.language import BadInput, say

__all__ = [
    "FileArgument",
    "GameArgument",
    "JsonOption",
    "PlayedGameArgument",
    "PlayerOption",
    "PositionArgument",
    "ScoreOption",
    "SeedOption",
    "SpeedOption",
    "print_json",
    "read_target",
    "read_tile",
]

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
        "--seed",
        metavar="N",
        callback=SEED,
        help=say("of the first game; else drawn by lot", "de la primera partida; si no, al azar"),
    ),
]
JsonOption = Annotated[
    bool, typer.Option("--json", help=say("one JSON object and nothing else", "un objeto JSON y nada más"))
]
SpeedOption = Annotated[
    float,
    typer.Option(
        "--speed", metavar="X", callback=SPEED, help=say("moves shown per second", "jugadas mostradas por segundo")
    ),
]
FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help=say("a saved game", "una partida guardada"))]


def read_target(text: str) -> int | None:
    """The tile of a ``--target``, or None where it says none."""
    if text in ("none", "ninguno"):
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 9):
        raise BadInput(
            f"--target {text}: a tile such as 2048, or none", f"--target {text}: una ficha como 2048, o none"
        )
    return int(text)


def read_tile(text: str) -> int:
    """The tile of a ``--target`` that must be one."""
    tile = read_target(text)
    if tile is None:
        raise BadInput("--target: a tile such as 2048", "--target: una ficha como 2048")
    return tile


def print_json(data: dict[str, Any] | list[Any]) -> None:
    """One JSON object and nothing else."""
    utf_8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    print(json.dumps(data, ensure_ascii=not utf_8))
