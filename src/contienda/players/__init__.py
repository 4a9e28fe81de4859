"""Players by spec: ``"alphabeta:depth=5,eval=uma1"`` -> something that plays and explains itself.

`PLAYERS` says what exists and is read without compiling anything; `make_player` builds one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from contienda.language import BadInput, Text
from contienda.specs import Spec, parse_spec

if TYPE_CHECKING:
    from contienda.core import Game
    from contienda.players.base import Player

__all__ = ["PLAYERS", "Parameter", "PlayerInfo", "make_player", "split_weights"]


class Parameter(NamedTuple):
    """A key that a spec may set."""

    default: str | Text
    meaning: Text


class PlayerInfo(NamedTuple):
    """What `contienda list players` tells of a player."""

    name: str
    about: Text
    parameters: dict[str, Parameter]
    weights: bool = False
    """Further keys are weights of the evaluator."""


_EVAL = Parameter(
    Text("the game's own", "el del juego"),
    Text(
        "evaluator: a name, FILE.py:FUNCTION or MODULE:FUNCTION",
        "evaluador: un nombre, ARCHIVO.py:FUNCIÓN o MÓDULO:FUNCIÓN",
    ),
)
_TIES = Parameter(
    Text("the game's order", "el orden del juego"),
    Text(
        "which of equal moves to prefer, as down-right-up-left",
        "qué jugada preferir entre iguales, como down-right-up-left",
    ),
)
_DEPTH = Parameter(
    Text("5; tictactoe, tree: all", "5; tictactoe, tree: todos"),
    Text("levels of the tree to look ahead, 1 to 100", "niveles del árbol que se miran, de 1 a 100"),
)
_MS = Parameter(
    Text("none", "ninguno"),
    Text("milliseconds a move: deepen until they are over", "milisegundos por jugada: profundiza hasta agotarlos"),
)
_NODES = Parameter(
    Text("none", "ninguno"),
    Text("nodes a move: deepen until they are spent", "nodos por jugada: profundiza hasta gastarlos"),
)
_OPPONENT = Parameter(
    "twos-and-fours",
    Text(
        "who places the tiles of 2048: twos (uc3m) or twos-and-fours (uma, ort)",
        "quién coloca las fichas de 2048: twos (uc3m) o twos-and-fours (uma, ort)",
    ),
)
_CUTOFFS = Parameter(
    "on", Text("off: visit what minimax visits, to compare", "off: visita lo que minimax, para comparar")
)
_SEARCH = {"depth": _DEPTH, "ms": _MS, "nodes": _NODES, "eval": _EVAL, "ties": _TIES}

PLAYERS: dict[str, PlayerInfo] = {
    info.name: info
    for info in [
        PlayerInfo("human", Text("you type the moves", "tú escribes las jugadas"), {}),
        PlayerInfo("random", Text("any legal move, all alike", "cualquier jugada legal, todas por igual"), {}),
        PlayerInfo(
            "greedy",
            Text("the move that looks best at once (depth 1)", "la jugada que mejor se ve ahora mismo (profundidad 1)"),
            {"eval": _EVAL, "ties": _TIES},
            weights=True,
        ),
        PlayerInfo(
            "minimax",
            Text("the best against an opponent who never errs", "lo mejor contra un adversario que nunca yerra"),
            _SEARCH | {"opponent": _OPPONENT},
            weights=True,
        ),
        PlayerInfo(
            "alphabeta",
            Text("minimax that skips what cannot matter", "minimax que se salta lo que no puede importar"),
            _SEARCH | {"opponent": _OPPONENT, "cutoffs": _CUTOFFS},
            weights=True,
        ),
        PlayerInfo(
            "expectimax",
            Text("the best average over what luck may bring", "la mejor media sobre lo que traiga el azar"),
            _SEARCH,
            weights=True,
        ),
        PlayerInfo(
            "expectiminimax",
            Text("MAX, MIN and CHANCE in one tree", "MAX, MIN y AZAR en un mismo árbol"),
            _SEARCH,
            weights=True,
        ),
    ]
}


def make_player(spec: str, game: Game) -> Player:
    """The player that a spec describes, for this game.

    >>> from contienda.games import make_game
    >>> game = make_game("2048")
    >>> make_player("expectimax:depth=3", game).analyse(game.parse("2 2 4 8/0 0 0 0/0 0 0 0/0 0 0 0")).best
    'right'
    """
    from contienda.players.simple import HumanPlayer, RandomPlayer

    parsed = parse_spec(spec)
    info = PLAYERS.get(parsed.name)
    if info is None:
        known = ", ".join(PLAYERS)
        raise BadInput(f"no player {parsed.name!r}: there are {known}", f"no hay jugador {parsed.name!r}: hay {known}")
    options = _Options(parsed, info)
    if info.name == "human":
        options.nothing_left()
        return HumanPlayer(parsed, game)
    if info.name == "random":
        options.nothing_left()
        return RandomPlayer(parsed, game)
    return _search_player(parsed, info, options, game)


def _search_player(spec: Spec, info: PlayerInfo, options: _Options, game: Game) -> Player:
    from contienda.core import Limit
    from contienda.evaluation.compiled import compile_evaluator
    from contienda.players.search import SearchPlayer

    ms = options.number("ms")
    nodes = options.whole_number("nodes")
    depth = options.whole_number("depth")
    if info.name == "greedy":
        depth = 1
    elif depth is None and ms is None and nodes is None:
        depth = 5 if game.longest is None else max(game.longest, 1)
    limit = Limit(depth, nodes, ms)
    opponent = options.text("opponent", "twos-and-fours")
    cutoffs = options.switch("cutoffs", True)
    ties = options.text("ties", "")
    evaluator = options.text(
        "eval", "uc3m-score" if info.name == "greedy" and game.name == "2048" else game.default_evaluator
    )
    return SearchPlayer(
        spec,
        game,
        algorithm=info.name,
        evaluator=compile_evaluator(evaluator, game, options.weights()),
        limit=limit,
        opponent=opponent,
        cutoffs=cutoffs,
        ties=_tie_order(ties, game),
    )


def split_weights(text: str) -> tuple[str, dict[str, float]]:
    """An evaluator with its weights, as ``eval=`` takes them.

    >>> split_weights("ort-simple-1,empty=3.0")
    ('ort-simple-1', {'empty': 3.0})
    """
    name, _, weights = text.partition(",")
    options = parse_spec(f"weights:{weights}").options if weights else {}
    return name, {key: _number(key, value) for key, value in options.items()}


def _tie_order(text: str, game: Game) -> list[int]:
    """The actions of a ``down-right-up-left``, as numbers; none for the game's own order."""
    if not text:
        return []
    from contienda.rng import generator

    start = game.start(generator(0))
    order = [game.action_number(start, name) for name in text.split("-")]
    if len(set(order)) != len(order):
        raise BadInput(f"ties={text} names a move twice", f"ties={text} nombra dos veces una jugada")
    return order


@dataclass
class _Options:
    """The options of a spec, taken one by one; what is left over is a mistake, or a weight."""

    spec: Spec
    info: PlayerInfo

    def __post_init__(self) -> None:
        self._left = dict(self.spec.options)

    def text(self, key: str, default: str) -> str:
        return self._left.pop(key, default) if key in self.info.parameters else default

    def number(self, key: str) -> float | None:
        value = self.text(key, "")
        return _number(key, value) if value else None

    def whole_number(self, key: str) -> int | None:
        value = self.text(key, "")
        if not value:
            return None
        if not (value.isascii() and value.removeprefix("-").isdigit() and len(value) < 19):
            raise BadInput(f"{key}={value} is not a whole number", f"{key}={value} no es un número entero")
        return int(value)

    def switch(self, key: str, default: bool) -> bool:
        value = self.text(key, "on" if default else "off")
        if value not in ("on", "off"):
            raise BadInput(f"{key}={value}: write on or off", f"{key}={value}: escribe on u off")
        return value == "on"

    def nothing_left(self) -> None:
        for key in self._left:
            self._unknown(key)

    def weights(self) -> dict[str, float]:
        """What is left over, as weights of the evaluator."""
        return {key: _number(key, value) for key, value in self._left.items()}

    def _unknown(self, key: str) -> None:
        known = ", ".join(self.info.parameters) or Text("none", "ninguno")
        name = self.info.name
        raise BadInput(
            f"{name} has no parameter {key!r}: it has {known}", f"{name} no tiene el parámetro {key!r}: tiene {known}"
        )


def _number(key: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise BadInput(f"{key}={value} is not a number", f"{key}={value} no es un número")
    return number
