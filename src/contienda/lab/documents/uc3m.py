"""uc3m: minimax and A* on 2048, with four heuristics each and every depth that it searched."""

from __future__ import annotations

from typing import Any

from contienda.core.language import Text
from contienda.lab.documents.description import (
    QUICK_DEPTH,
    Document,
    DocumentExperiment,
    PooledTable,
    Published,
    PublishedValue,
    Sample,
    experiment,
    rows_of,
)

__all__ = ["UC3M"]


#: uc3m tries moves in this order, and breaks ties in favour of the first.
_UC3M_ORDER = "down-right-up-left"


#: Its tables of pooled games, by number; tables 23, 26 and 29 have one player each.
_UC3M_POOLED = {
    21: Text("Table 21 and figure 12: minimax by depth, both heuristics"),
    22: Text("Table 22: minimax, won games only"),
    24: Text("Table 24 and figure 14: minimax, lost games only"),
    25: Text("Table 25 and figure 18: A* by depth, both heuristics"),
}


def _uc3m(quick: bool) -> list[DocumentExperiment]:
    lines: dict[int, list[Published]] = {}
    pooled: dict[int, list[Sample]] = {}
    for row in rows_of("uc3m_minimax_astar.csv"):
        algorithm, evaluator, depth = row["algorithm"], row["evaluator"], row["depth"]
        minimax = algorithm == "minimax"
        if quick and minimax and (depth is None or depth > QUICK_DEPTH):
            continue
        figures = _uc3m_figures(row)
        if depth is None:  # the deviations in the last column of tables 21 and 25 are means of three deviations
            figures = {metric: PublishedValue(figure.mean) for metric, figure in figures.items()}
        label = " ".join(str(part) for part in (algorithm, evaluator, depth) if part is not None)
        if row["table"] in _UC3M_POOLED:
            won = None if row["which"] == "all" else row["which"] == "won"
            sample = Sample(label, row["games"], figures, algorithm, evaluator, depth, won)
            pooled.setdefault(row["table"], []).append(sample)
            continue
        player = f"minimax:depth={depth},eval={evaluator},opponent=twos,ties={_UC3M_ORDER}"
        if not minimax:
            player = f"astar:depth={depth},h={evaluator}"
        lines.setdefault(row["games"], []).append(Published(player, label, row["games"], figures))
    tables = [PooledTable(_UC3M_POOLED[number], samples) for number, samples in sorted(pooled.items())]
    if not quick:
        tables.insert(0, _uc3m_tiles())
    usual, v2 = lines[15], lines[10]
    first = experiment("uc3m", Text("Tables 23 and 26, figures 13 and 19"), quick, 15, usual, turns=True)
    return [
        first._replace(pooled=tuple(tables)),
        experiment("uc3m-v2", Text("Table 29: the heuristics changed for A*"), quick, 10, v2, turns=True),
    ]


def _uc3m_figures(row: dict[str, Any]) -> dict[str, PublishedValue]:
    figures = {} if row["wins_percent"] is None else {"wins": PublishedValue(row["wins_percent"] / 100)}
    names = {
        "score": ("score", 1),
        "moves": ("moves", 1),
        "seconds": ("total_ms", 1000),
        "ms_per_move": ("ms_per_move", 1),
    }
    for metric, (name, unit) in names.items():
        sd = row[f"{name}_sd"]
        figures[metric] = PublishedValue(row[f"{name}_mean"] / unit, None if sd is None else sd / unit)
    return figures


def _uc3m_tiles() -> PooledTable:
    rows = list(rows_of("uc3m_largest_tiles.csv"))
    games = sum(row["games"] for row in rows)
    samples = [
        Sample(str(row["tile"]), games, {"share": PublishedValue(row["games"] / games)}, "minimax", tile=row["tile"])
        for row in rows
    ]
    return PooledTable(Text("Figure 11: minimax, games by their largest tile"), samples)


UC3M = Document(
    Text("uc3m: minimax and A* for 2048"),
    _uc3m,
    [
        Text(
            "Ambiguous: the tile that A* draws after each move of its plan. Here it is drawn at random for each "
            "node, and the game then draws another."
        ),
        Text(
            "Its minimax is reproduced in wins and tiles, and in points but for the empty cells at depth 7; so is "
            "A* with 20000 − score. Its other A* players are not: with the plain heuristics they make a third of "
            "the points that random moves make (about 1,100), and 16 − empty wins most games here and none there. "
            "The text does not say what else they did."
        ),
        Text(
            "Its minimax games have about a tenth more moves than ours: 1,072 in a won game (table 22), with "
            "20,815 points. This ratio of moves to points fits a game in which only 2s appear, where 2048 takes "
            "1,022 moves or more; its text says 2s and 4s, and that is what we play (about 970 moves)."
        ),
        Text(
            "It says 20 of 90 games won, and its tables 21 and 23 add up to 19. Twenty is right: taken from "
            "table 23, the lost games of table 24 leave the means of table 22 to the digit if the empty cells "
            "won five games at depth 7, 33.33 % and not 26.67 %."
        ),
        Text(
            "Six deviations of its table 24 are impossible (score, depths 7 and 9: total time, moves, time per "
            "turn): with the 7 lost games alone spread by 1,234,370 ms, all 15 would be spread by 808,085 ms at "
            "least, and table 23 has 480,219 ms. The deviation of the last column of tables 21 and 25 is the mean "
            "of three deviations."
        ),
        Text("Slip: its English summary gives 2814.9 points for the won games, and table 22 has 20,814.9."),
    ],
    {
        "largest-tiles": "11",
        "score-by-depth-pooled": "12, 18",
        "score-by-depth": "13, 19",
        "score-by-depth-lost": "14",
        "time-per-move-won": "15–17",
    },
)
