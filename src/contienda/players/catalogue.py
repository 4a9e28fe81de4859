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
    games: tuple[str, ...] = ("2048", "connect4", "tictactoe", "tree")
    """The games that it plays."""


_NONE = Text("none", "ninguno")
_EVAL = Parameter(
    Text("the game's own", "el del juego"),
    Text(
        "evaluator: a name, FILE.py:FUNCTION, MODULE:FUNCTION, ntuple or ntuple:NETWORK",
        "evaluador: un nombre, ARCHIVO.py:FUNCIÓN, MÓDULO:FUNCIÓN, ntuple o ntuple:RED",
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
_BY_EXPECTIMAX = "contienda.players.expectimax:"
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
_PRUNE = Parameter(
    "off",
    Text(
        "star1 or star2: cut off at chance nodes, by the evaluator's bounds",
        "star1 o star2: podar en los nodos de azar, por las cotas del evaluador",
    ),
)
_CPROB = Text(
    "look no further where luck is less likely than this, as 0.0001: an approximation",
    "no mirar más allá donde el azar sea menos probable que esto, como 0.0001: una aproximación",
)
_THREADS = Parameter("1", Text("threads that share the first moves", "hilos que se reparten las jugadas"))
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
        _SEARCH
        | {
            "opponent": _OPPONENT,
            "reuse": Parameter(
                "off", Text("keep the tree from move to move", "conservar el árbol de jugada en jugada")
            ),
            "memory": Parameter("1024", Text("megabytes of the kept tree", "megabytes del árbol conservado")),
        },
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
        _BY_EXPECTIMAX + "make_expectimax",
        _SEARCH
        | {
            "depth": Parameter(
                _DEPTH.default,
                Text(
                    "levels to look ahead, 1 to 100; auto: deeper on boards of 2048 with more distinct tiles",
                    "niveles que se miran, de 1 a 100; auto: más en tableros de 2048 con más fichas distintas",
                ),
            ),
            "table": Parameter("off", _TABLE),
            "memory": Parameter("16", Text("megabytes of each thread's table", "megabytes de la tabla de cada hilo")),
            "fold": Parameter(
                "off",
                Text("mirror images share their place in the table", "los reflejos comparten su sitio en la tabla"),
            ),
            "cprob": Parameter("0", _CPROB),
            "prune": _PRUNE,
            "threads": _THREADS,
        },
        weights=True,
        games=("2048", "tree"),
    ),
    PlayerInfo(
        "champion",
        Text(
            "the strongest at 2048: expectimax over a learned network",
            "el más fuerte al 2048: expectimax sobre una red entrenada",
        ),
        "contienda.players.champion:make_champion",
        {
            "depth": Parameter("5", Text("levels to look ahead, 1 to 100", "niveles que se miran, de 1 a 100")),
            "ms": _MS,
            "nodes": _NODES,
            "network": Parameter(
                Text("the one in the package", "la del paquete"),
                Text("file of contienda train or pack", "archivo de contienda train o pack"),
            ),
            "cprob": Parameter(
                Text("0; with ms or nodes 0.01", "0; con ms o nodes 0.01"),
                _CPROB,
            ),
            "downgrade": Parameter(
                "32768",
                Text(
                    "the tile from which on larger ones are played as smaller ones, or off",
                    "la ficha desde la que las mayores se juegan como menores, u off",
                ),
            ),
            "threads": _THREADS,
        },
        games=("2048",),
    ),
    PlayerInfo(
        "expectiminimax",
        Text("MAX, MIN and CHANCE in one tree", "MAX, MIN y AZAR en un mismo árbol"),
        _BY_EXPECTIMAX + "make_expectiminimax",
        _SEARCH | {"prune": _PRUNE},
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
            "c": Parameter("1.414", Text("exploration constant, 0 or more", "constante de exploración, 0 o más")),
            "policy": _POLICY,
            "eval": _EVAL,
        },
        weights=True,
    ),
    PlayerInfo(
        "solver",
        Text(
            "plays Connect 4 perfectly: the exact score of every column",
            "juega perfectamente a Conecta 4: la puntuación exacta de cada columna",
        ),
        "contienda.players.solver:make_solver",
        {
            "ms": Parameter(_NONE, Text("milliseconds a move: then what is known", "milisegundos por jugada")),
            "nodes": Parameter(_NONE, Text("nodes a move: then what is known", "nodos por jugada")),
            "memory": _MEMORY,
            "slip": Parameter(
                "0",
                Text(
                    "chance of a move at random instead, 0 to 1",
                    "probabilidad de jugar al azar en su lugar, de 0 a 1",
                ),
            ),
        },
        games=("connect4",),
    ),
    PlayerInfo(
        "astar",
        Text(
            "uc3m's A*, for 2048: some moves ahead by g + h, then the first of them",
            "el A* de uc3m, para 2048: unas jugadas por g + h, y hace la primera",
        ),
        "contienda.players.path:make_astar",
        {
            "h": Parameter(
                "uc3m-score-v2",
                Text(
                    "what seems left, smallest first: uc3m-score, uc3m-empty, uc3m-score-v2 = 20000 − score, "
                    "uc3m-empty-v2 = 16 − empty, unicen, or FILE.py:FUNCTION",
                    "lo que parece faltar, antes lo menor: uc3m-score, uc3m-empty, uc3m-score-v2 = 20000 − puntos, "
                    "uc3m-empty-v2 = 16 − vacías, unicen, o ARCHIVO.py:FUNCIÓN",
                ),
            ),
            "depth": Parameter(
                "5", Text("moves to look ahead, 1 to 100, each with a 2", "jugadas que se miran, de 1 a 100, con su 2")
            ),
            "spawn": Parameter(
                "one",
                Text(
                    "the 2 after each move: one by lot, or all its places (uc3m's future work)",
                    "el 2 tras cada jugada: one, uno al azar; all, todos sus sitios (trabajo futuro de uc3m)",
                ),
            ),
            "ms": Parameter(_NONE, Text("milliseconds a move", "milisegundos por jugada")),
            "nodes": Parameter(_NONE, Text("nodes a move", "nodos por jugada")),
            "memory": Parameter(
                "128",
                Text(
                    "MB for its nodes; when they are full it makes for the deepest",
                    "MB para sus nodos; llenos, va hacia el más hondo",
                ),
            ),
        },
        weights=True,
        games=("2048",),
    ),
    PlayerInfo(
        "backtracking",
        Text(
            "unicen's look ahead, for 2048: the largest sum of evaluations over the next moves",
            "el vistazo de unicen, para 2048: la mayor suma de evaluaciones en las próximas jugadas",
        ),
        "contienda.players.path:make_backtracking",
        {
            "eval": Parameter("unicen-a", _EVAL.meaning),
            "depth": Parameter("4", Text("moves to look ahead, 1 to 12", "jugadas que se miran, de 1 a 12")),
        },
        weights=True,
        games=("2048",),
    ),
]

PLAYERS: dict[str, PlayerInfo] = {info.name: info for info in _ALL}
