"""Every path search by name: what it does, and what its spec may set. Data only: importing it compiles nothing."""

from __future__ import annotations

from contienda.core.language import Text
from contienda.players.catalogue import HORIZON, PlayerInfo, SpecOption

__all__ = ["PATH_SEARCHES"]

_NONE = Text("none")
_H = SpecOption(
    Text("2048: unicen; puzzle8: manhattan"),
    Text(
        "the heuristic. 2048: unicen = −(score + empty), unicen-formula = −(score ÷ steps + steps × "
        "empty), unicen-text = the same without the minus, uc3m-score, uc3m-empty, uc3m-score-v2 = "
        "20000 − score, uc3m-empty-v2 = 16 − empty, moves = the least number of moves, zero. "
        "puzzle8: manhattan, misplaced, zero. Or FILE.py:FUNCTION"
    ),
)
_LIMITS = {
    "nodes": SpecOption(_NONE, Text("stop after this many states")),
    "ms": SpecOption(_NONE, Text("stop after this many milliseconds")),
    "memory": SpecOption("512", Text("MB for its nodes, at most")),
}
_BY_SEARCH = "contienda.players.paths.search:make_guided_search"

_ALL = [
    PlayerInfo(
        "backtracking",
        Text(
            "depth-first search that backtracks from lost positions (unicen); with eval or depth, the best moves first"
        ),
        "contienda.players.paths.search:make_backtracking",
        {
            "eval": SpecOption(
                Text("none; with depth, unicen-a"),
                Text("evaluator that orders the moves"),
            ),
            "depth": SpecOption(
                Text("none; with eval, 4"),
                Text("moves to look ahead, 1 to 12"),
            ),
            "horizon": HORIZON,
        }
        | _LIMITS,
        weights=True,
    ),
    PlayerInfo(
        "astar",
        Text("smallest g + h first: the shortest path if h is admissible; with depth, uc3m's version, move by move"),
        "contienda.players.paths.search:make_astar",
        {
            "h": _H,
            "g": SpecOption(
                "steps",
                Text(
                    "the cost so far: steps, or siblings = unicen's padre.g++, by which the children of a "
                    "node cost 0, 1, 2 and 3 more than it"
                ),
            ),
            "depth": SpecOption(
                _NONE,
                Text("2048: look this many moves ahead, make one, look again"),
            ),
            "spawn": SpecOption(
                "one",
                Text("with depth, the 2 after a move: one = on a random cell, all = on every cell"),
            ),
        }
        | _LIMITS,
        weights=True,
    ),
    PlayerInfo(
        "branch-and-bound",
        Text(
            "expands the node with the greatest bound first; nodes whose bound is below the target "
            "are pruned (unicen). With the bounds that unicen printed, v1 and v2, it reaches 64 from "
            "a fresh board of 2048; with sum, 8192"
        ),
        _BY_SEARCH,
        {
            "bound": SpecOption(
                Text("2048: sum; puzzle8: manhattan"),
                Text(
                    "2048: sum = all tiles together + 131072 while a move is left (ours, admissible); unicen's v1 = "
                    "largest + 2^empty and v2 = largest + 2^(empty + possible merges). puzzle8: manhattan"
                ),
            )
        }
        | _LIMITS,
    ),
    PlayerInfo(
        "best-first",
        Text("smallest h first, regardless of the cost so far"),
        _BY_SEARCH,
        {"h": _H} | _LIMITS,
        weights=True,
    ),
    PlayerInfo(
        "ida-star",
        Text("A* by iterative deepening, in the memory of one path"),
        _BY_SEARCH,
        {"h": SpecOption(Text("2048: moves; puzzle8: manhattan"), _H.meaning)} | _LIMITS,
        weights=True,
    ),
    PlayerInfo(
        "breadth-first",
        Text("level by level: the fewest steps"),
        _BY_SEARCH,
        dict(_LIMITS),
    ),
    PlayerInfo(
        "hill-climbing",
        Text("the best step, as long as it improves"),
        _BY_SEARCH,
        {"h": _H} | _LIMITS,
        weights=True,
    ),
]

PATH_SEARCHES: dict[str, PlayerInfo] = {info.name: info for info in _ALL}
