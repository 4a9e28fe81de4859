"""Every player by its name: what it does and what its spec may set. Data only: reading it compiles nothing."""

from __future__ import annotations

from typing import NamedTuple

from contienda.language import Text

__all__ = ["PLAYERS", "Parameter", "PlayerInfo"]


class Parameter(NamedTuple):
    """A key that a spec may set."""

    default: str | Text
    meaning: Text


class PlayerInfo(NamedTuple):
    """What `contienda list players` tells of a player, and where it is made."""

    name: str
    about: Text
    made_by: str
    """``module:function``; the function takes the game and the options of the spec."""
    parameters: dict[str, Parameter]
    weights: bool = False
    """Further keys are weights of the evaluator."""


_NONE = Text("none", "ninguno")
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
    _NONE,
    Text("milliseconds a move: deepen until they are over", "milisegundos por jugada: profundiza hasta agotarlos"),
)
_NODES = Parameter(
    _NONE,
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
    "on",
    Text("off: visit what minimax visits, to compare", "off: visita lo que minimax, para comparar"),
)
_SEARCH = {"depth": _DEPTH, "ms": _MS, "nodes": _NODES, "eval": _EVAL, "ties": _TIES}
_BY_SEARCH = "contienda.players.making:make_search"
_BY_ALPHABETA = "contienda.players.making:make_alphabeta"
_TABLE = Text("remember positions: on or off", "recordar posiciones: on u off")
_MEMORY = Parameter("64", Text("megabytes of the table", "megabytes de la tabla"))
_ORDER = Parameter(
    "none",
    Text(
        "which moves to try first: none, killers, history or static",
        "qué jugadas probar antes: none, killers, history o static",
    ),
)
_PVS = Parameter(
    "off",
    Text(
        "principal variation search: prove the other moves no better",
        "variante principal: probar que las demás no mejoran",
    ),
)
_ASPIRATION = Parameter("off", Text("a narrow window around a guess", "una ventana estrecha en torno a una conjetura"))

_MS_PLAYOUTS = Parameter(
    _NONE,
    Text("milliseconds a move: play on until they are over", "milisegundos por jugada: simula hasta agotarlos"),
)
_POLICY = Parameter(
    "random",
    Text(
        "who moves in the playouts: random, or greedy by the evaluator",
        "quién mueve en las simulaciones: random, o greedy según el evaluador",
    ),
)
_BY_PLAYOUTS = "contienda.players.montecarlo:"

_ALL = [
    PlayerInfo(
        "human",
        Text("you type the moves", "tú escribes las jugadas"),
        "contienda.players.simple:make_human",
        {},
    ),
    PlayerInfo(
        "random",
        Text("any legal move, all alike", "cualquier jugada legal, todas por igual"),
        "contienda.players.simple:make_random",
        {},
    ),
    PlayerInfo(
        "greedy",
        Text("the move that looks best at once (depth 1)", "la jugada que mejor se ve ahora mismo (profundidad 1)"),
        _BY_SEARCH,
        {"eval": _EVAL, "ties": _TIES},
        weights=True,
    ),
    PlayerInfo(
        "minimax",
        Text("the best against an opponent who never errs", "lo mejor contra un adversario que nunca yerra"),
        _BY_SEARCH,
        _SEARCH | {"opponent": _OPPONENT},
        weights=True,
    ),
    PlayerInfo(
        "alphabeta",
        Text("minimax that skips what cannot matter", "minimax que se salta lo que no puede importar"),
        _BY_ALPHABETA,
        _SEARCH
        | {
            "opponent": _OPPONENT,
            "cutoffs": _CUTOFFS,
            "table": Parameter("off", _TABLE),
            "memory": _MEMORY,
            "order": _ORDER,
            "pvs": _PVS,
            "aspiration": _ASPIRATION,
        },
        weights=True,
    ),
    PlayerInfo(
        "negamax",
        Text("alpha-beta with both sides maximising", "alfa-beta con los dos bandos maximizando"),
        _BY_SEARCH,
        _SEARCH | {"opponent": _OPPONENT},
        weights=True,
    ),
    PlayerInfo(
        "mtdf",
        Text(
            "closes in on the minimax value by windows of no width",
            "se acerca al valor minimax con ventanas sin anchura",
        ),
        _BY_ALPHABETA,
        _SEARCH | {"opponent": _OPPONENT, "table": Parameter("on", _TABLE), "memory": _MEMORY, "order": _ORDER},
        weights=True,
    ),
    PlayerInfo(
        "expectimax",
        Text("the best average over what luck may bring", "la mejor media sobre lo que traiga el azar"),
        _BY_SEARCH,
        _SEARCH,
        weights=True,
    ),
    PlayerInfo(
        "expectiminimax",
        Text("MAX, MIN and CHANCE in one tree", "MAX, MIN y AZAR en un mismo árbol"),
        _BY_SEARCH,
        _SEARCH,
        weights=True,
    ),
    PlayerInfo(
        "montecarlo",
        Text("the best average over random games", "la mejor media de partidas al azar"),
        _BY_PLAYOUTS + "make_montecarlo",
        {
            "rollouts": Parameter("100", Text("playouts for each move", "partidas simuladas por cada jugada")),
            "ms": _MS_PLAYOUTS,
            "policy": _POLICY,
            "eval": _EVAL,
        },
        weights=True,
    ),
    PlayerInfo(
        "mcts",
        Text(
            "Monte Carlo tree search (UCT): random games that grow a tree",
            "búsqueda Monte Carlo en árbol (UCT): partidas al azar que hacen crecer un árbol",
        ),
        _BY_PLAYOUTS + "make_mcts",
        {
            "sims": Parameter("1000", Text("simulations a move", "simulaciones por jugada")),
            "ms": _MS_PLAYOUTS,
            "c": Parameter(
                Text("1.414; 2048, tree: 0.5", "1.414; 2048, tree: 0.5"),
                Text("exploration constant, 0 or more", "constante de exploración, 0 o más"),
            ),
            "policy": _POLICY,
            "eval": _EVAL,
        },
        weights=True,
    ),
]

PLAYERS: dict[str, PlayerInfo] = {info.name: info for info in _ALL}
