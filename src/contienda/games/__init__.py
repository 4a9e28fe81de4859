"""The games that there are. Importing this loads none of them: `make_game` loads the one that is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from contienda.language import BadInput, Text
from contienda.specs import parse_spec

if TYPE_CHECKING:
    from contienda.core import Game

__all__ = ["GAMES", "GameInfo", "Parameter", "make_game"]


class Parameter(NamedTuple):
    """A whole number that a game takes."""

    default: int
    meaning: Text


class GameInfo(NamedTuple):
    """A game as a list shows it, and where it is to be found."""

    name: str
    title: Text
    about: Text
    path: str
    """``module:class``."""
    parameters: Mapping[str, Parameter] = MappingProxyType({})
    takes_text: bool = False
    """The game is made from its text: a drawn tree is a game of its own."""


_ALL = (
    GameInfo(
        "2048",
        Text("2048", "2048"),
        Text(
            "slide and merge tiles; after each move luck adds a 2 or a 4",
            "desliza y une fichas; tras cada jugada el azar añade un 2 o un 4",
        ),
        "contienda.games.g2048:G2048",
    ),
    GameInfo(
        "connect4",
        Text("Connect 4", "Conecta 4"),
        Text(
            "drop stones into columns; the first to connect four in a line wins",
            "echa fichas en columnas; gana quien primero conecta cuatro en línea",
        ),
        "contienda.games.connect4:Connect4",
        {
            "rows": Parameter(6, Text("rows of the board", "filas del tablero")),
            "columns": Parameter(7, Text("columns of the board", "columnas del tablero")),
            "connect": Parameter(4, Text("how many in a line win", "cuántas en línea ganan")),
        },
    ),
    GameInfo(
        "tictactoe",
        Text("Tic-tac-toe", "Tres en raya"),
        Text(
            "three in a line on nine cells: small enough to search whole",
            "tres en línea en nueve casillas: cabe entero en una búsqueda",
        ),
        "contienda.games.tictactoe:TicTacToe",
    ),
    GameInfo(
        "tree",
        Text("Drawn tree", "Árbol dibujado"),
        Text(
            "a textbook's tree of MAX, MIN and chance nodes, written as max[min[3 12 8] min[2 4 6]]",
            "un árbol de libro con nodos MAX, MIN y de azar, escrito max[min[3 12 8] min[2 4 6]]",
        ),
        "contienda.games.tree:Tree",
        takes_text=True,
    ),
)

GAMES: dict[str, GameInfo] = {info.name: info for info in _ALL}


def make_game(spec: str, text: str | None = None) -> Game:
    """The game that a spec names; a drawn tree also needs its text, which the others leave to `Game.parse`.

    >>> make_game("connect4:rows=5,columns=6").spec
    'connect4:rows=5,columns=6'
    """
    asked = parse_spec(spec)
    if asked.name not in GAMES:
        known = ", ".join(GAMES)
        raise BadInput(f"no game {asked.name!r}: there are {known}", f"no hay juego {asked.name!r}: hay {known}")
    info = GAMES[asked.name]
    options = {key: _whole_number(info, key, value) for key, value in asked.options.items()}
    if info.takes_text and text is None:
        raise BadInput(
            f"{info.name} needs the tree's text, such as 'max[min[3 12 8] min[2 4 6]]'",
            f"{info.name} necesita el texto del árbol, como 'max[min[3 12 8] min[2 4 6]]'",
        )
    module, _, name = info.path.partition(":")
    make = getattr(import_module(module), name)
    return make(text, **options) if info.takes_text else make(**options)


def _whole_number(info: GameInfo, key: str, value: str) -> int:
    if key not in info.parameters:
        known = ", ".join(info.parameters)
        raise BadInput(
            f"{info.name} has no parameter {key!r}: " + (f"it has {known}" if known else "it takes none"),
            f"{info.name} no tiene parámetro {key!r}: " + (f"tiene {known}" if known else "no lleva ninguno"),
        )
    # More than 9 digits is no board, and int() of very many is slow.
    if not (value.isascii() and value.isdigit() and len(value) <= 9):
        default = info.parameters[key].default
        raise BadInput(
            f"{key}={value} must be a whole number, such as {key}={default}",
            f"{key}={value} debe ser un número entero, como {key}={default}",
        )
    return int(value)
