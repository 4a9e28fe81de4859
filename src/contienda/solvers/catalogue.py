"""Every solver by its name: what it does and what its spec may set. Data only: reading it compiles nothing."""

from __future__ import annotations

from contienda.language import Text
from contienda.players.catalogue import Parameter, PlayerInfo

__all__ = ["SOLVERS"]

_NONE = Text("none", "ninguno")
_H = Parameter(
    Text("2048: unicen; puzzle8: manhattan", "2048: unicen; puzzle8: manhattan"),
    Text(
        "what seems left. 2048: unicen = −(score + empty), unicen-formula = −(score ÷ steps + steps × empty), "
        "uc3m-score, uc3m-empty, uc3m-score-v2 = 20000 − score, uc3m-empty-v2 = 16 − empty, moves = moves needed at "
        "least, zero. puzzle8: manhattan, misplaced, zero. Or FILE.py:FUNCTION",
        "lo que parece faltar. 2048: unicen = −(puntos + vacías), unicen-formula = −(puntos ÷ pasos + pasos × vacías), "
        "uc3m-score, uc3m-empty, uc3m-score-v2 = 20000 − puntos, uc3m-empty-v2 = 16 − vacías, moves = jugadas que "
        "faltan como poco, zero. puzzle8: manhattan, misplaced, zero. O ARCHIVO.py:FUNCIÓN",
    ),
)
_LIMITS = {
    "nodes": Parameter(_NONE, Text("stop after so many states", "para tras tantos estados")),
    "ms": Parameter(_NONE, Text("stop after so many milliseconds", "para tras tantos milisegundos")),
    "memory": Parameter("512", Text("MB for its nodes, at most", "MB para sus nodos, como mucho")),
}
_BY_SEARCH = "contienda.solvers.search:make_search"

_ALL = [
    PlayerInfo(
        "backtracking",
        Text(
            "depth-first, undone where it is lost (unicen); with eval or depth, the moves that promise most first",
            "en profundidad, deshaciendo donde se pierde (unicen); con eval o depth, antes lo que más promete",
        ),
        "contienda.solvers.search:make_backtracking",
        {
            "eval": Parameter(
                Text("none; with depth, unicen-a", "ninguno; con depth, unicen-a"),
                Text("evaluator that moves are ordered by", "evaluador que ordena las jugadas"),
            ),
            "depth": Parameter(
                Text("none; with eval, 4", "ninguno; con eval, 4"),
                Text("moves to look ahead, 1 to 12", "jugadas que se miran, de 1 a 12"),
            ),
        }
        | _LIMITS,
        weights=True,
    ),
    PlayerInfo(
        "astar",
        Text(
            "smallest g + h first: the shortest path if h never says too much; with depth, uc3m's, move by move",
            "antes el menor g + h: el camino más corto si h nunca exagera; con depth, el de uc3m, jugada a jugada",
        ),
        "contienda.solvers.search:make_astar",
        {
            "h": _H,
            "depth": Parameter(
                _NONE,
                Text(
                    "2048: look so many moves ahead, make one, look again",
                    "2048: mira tantas jugadas, hace una y vuelve a mirar",
                ),
            ),
            "spawn": Parameter(
                "one",
                Text(
                    "with depth, the 2 after a move: one by lot, or all its places",
                    "con depth, el 2 tras la jugada: one, uno al azar; all, todos sus sitios",
                ),
            ),
        }
        | _LIMITS,
        weights=True,
    ),
    PlayerInfo(
        "branch-and-bound",
        Text(
            "lives while the bound reaches the target, the greatest bound first (unicen)",
            "vive mientras la cota alcanza el objetivo, antes la mayor cota (unicen)",
        ),
        _BY_SEARCH,
        {
            "bound": Parameter(
                Text("2048: v2; puzzle8: manhattan", "2048: v2; puzzle8: manhattan"),
                Text(
                    "v1 = largest + 2^empty, v2 = largest + 2^(empty + possible merges); puzzle8: manhattan",
                    "v1 = mayor + 2^vacías, v2 = mayor + 2^(vacías + uniones posibles); puzzle8: manhattan",
                ),
            )
        }
        | _LIMITS,
    ),
    PlayerInfo(
        "best-first",
        Text("smallest h first, whatever the way has cost", "antes el menor h, cueste lo que cueste el camino"),
        _BY_SEARCH,
        {"h": _H} | _LIMITS,
        weights=True,
    ),
    PlayerInfo(
        "ida-star",
        Text("A* in the memory of one path, by rising limits", "A* con memoria de un solo camino, por límites"),
        _BY_SEARCH,
        {"h": Parameter(Text("2048: moves; puzzle8: manhattan", "2048: moves; puzzle8: manhattan"), _H.meaning)}
        | _LIMITS,
        weights=True,
    ),
    PlayerInfo(
        "breadth-first",
        Text("level after level: the fewest steps", "nivel a nivel: los menos pasos"),
        _BY_SEARCH,
        dict(_LIMITS),
    ),
    PlayerInfo(
        "hill-climbing",
        Text("the best step while it improves on staying", "el mejor paso mientras mejore el quedarse"),
        _BY_SEARCH,
        {"h": _H} | _LIMITS,
        weights=True,
    ),
]

SOLVERS: dict[str, PlayerInfo] = {info.name: info for info in _ALL}
