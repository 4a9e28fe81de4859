"""The evaluators of 2048: formula, weights, origin. Data only: importing it compiles nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from contienda.core.evaluator import CompiledEvaluator, Evaluator, Term, weights_record
from contienda.core.language import Text
from contienda.games.g2048 import terms

if TYPE_CHECKING:
    from contienda.games.g2048.game import G2048

__all__ = ["EVALUATORS"]


def _term(value, range=None, symmetric=True, counts_points=False):
    """Most terms see a board and its mirror images alike, and no points."""
    return Term(value, range, symmetric, counts_points)


# Ranges where the board sets a limit that is worth knowing: 16 cells; 24 pairs of neighbours, 16 ranks apart; 16 cells
# and rank 17; on a smaller board they are less.
_SCORE = _term(terms.score, counts_points=True)
_EMPTY = _term(terms.empty, (0.0, 16.0))
_SMOOTH = _term(terms.smooth, (-384.0, 0.0))
_GRADIENT = _term(terms.gradient, symmetric=False)
_SIM = _term(terms.sim)
_CORNER = _term(terms.corner)
_ROOM_BY_SCORE = _term(terms.room_score, counts_points=True)
_ROOM_BY_RANK = _term(terms.room_rank, (0.0, 272.0))

_UC3M = Text("uc3m: minimax and A* for 2048")
_UNICEN = Text("unicen: backtracking, A*, branch and bound")
_UMA = Text("uma: a course practical on 2048")
_ORT = Text("ort: minimax and expectimax for 2048")

#: ort's seven weights; `simple` uses the first four.
_ORT_TERMS = {"score": _SCORE, "empty": _EMPTY, "mono": _term(terms.falls, symmetric=False), "smooth": _SMOOTH}
_ORT_MORE = {"corner": _CORNER, "merge": _term(terms.merge), "dispersion": _term(terms.dispersion)}
_ORT_SIMPLE = "score·s + empty·e + mono·m + smooth·sm"


def _lines(evaluator: Evaluator, game: G2048) -> CompiledEvaluator:
    """Each line's value stands in a table, worked out for these weights."""
    from contienda.games.g2048.lines import TERMS, line_bounds, line_table, line_terms, nneonneo, nneonneo_small
    from contienda.games.g2048.moves import best_move_by_lines

    lengths = {"row_table": game.columns, "column_table": game.rows} if game.small else {"table": 4}
    record = weights_record(evaluator.weights, **{name: np.zeros(65536, np.float32) for name in lengths})
    for name, length in lengths.items():
        line_table(record, length, getattr(record, name))

    def bounds() -> tuple[float, float]:
        of_row, of_column = line_bounds(record, game.columns), line_bounds(record, game.rows)
        low, high = (game.rows * of_row[end] + game.columns * of_column[end] for end in (0, 1))
        return low, high

    return CompiledEvaluator(
        evaluator.name,
        nneonneo_small if game.small else nneonneo,
        record,
        lambda state: dict(zip(TERMS, line_terms(state).tolist(), strict=True)),
        evaluator.weights,
        evaluator.floor,
        bounds,
        symmetric=True,
        counts_points=False,
        best_move=None if game.small else best_move_by_lines,
    )


EVALUATORS = (
    Evaluator(
        "uc3m-score",
        {"score": _SCORE},
        meaning=Text("The points made so far."),
        origin=_UC3M,
    ),
    Evaluator(
        "uc3m-empty",
        {"empty": _EMPTY},
        meaning=Text("The number of empty cells."),
        origin=_UC3M,
    ),
    Evaluator(
        "uc3m-score-v2",
        {"missing": _term(terms.missing, counts_points=True)},
        formula="20000 − score",
        meaning=Text("The points missing to 20000: the smaller the better, as A* takes it (astar:h=uc3m-score-v2)."),
        origin=_UC3M,
    ),
    Evaluator(
        "uc3m-empty-v2",
        {"filled": _term(terms.filled, (0.0, 16.0))},
        formula="16 − empty",
        meaning=Text("The number of tiles: the smaller the better, as A* takes it (astar:h=uc3m-empty-v2)."),
        origin=_UC3M,
    ),
    Evaluator(
        "unicen-a",
        {"score": _SCORE, "room": _term(terms.room_largest), "corners": _term(terms.corners)},
        formula="score + empty × largest + Σ tile × [10 2 2 10/2 1 1 2/2 1 1 2/10 2 2 10]",
        meaning=Text("Points, room for large tiles, tiles in the corners."),
        origin=_UNICEN,
    ),
    Evaluator(
        "uma1",
        {"score": _SCORE, "mono": _GRADIENT, "sim": _SIM, "room": _ROOM_BY_SCORE},
        {"sim": -1.0},
        formula="score + Mono − Sim + ln(score) × empty",
        meaning=Text("Points, large tiles towards the top left, like next to like, room."),
        origin=_UMA,
    ),
    Evaluator(
        "uma2",
        {"mono": _GRADIENT, "sim": _SIM, "room": _ROOM_BY_SCORE},
        {"sim": -1.0},
        formula="Mono − Sim + ln(score) × empty",
        meaning=Text("uma1 without the points."),
        origin=_UMA,
    ),
    Evaluator(
        "uma3",
        {"score": _SCORE, "sim": _SIM, "room": _ROOM_BY_SCORE},
        {"sim": -1.0},
        formula="score − Sim + ln(score) × empty",
        meaning=Text("uma1 without the gradient."),
        origin=_UMA,
    ),
    Evaluator(
        "uma4",
        {"score": _SCORE, "room": _ROOM_BY_RANK, "mono": _GRADIENT},
        formula="score + empty × log2(largest) + Mono",
        meaning=Text("Points, room, large tiles towards the top left."),
        origin=_UMA,
    ),
    Evaluator(
        "ort-simple-1",
        _ORT_TERMS,
        {"score": 1.0, "empty": 2.7, "mono": 1.0, "smooth": 0.1},
        formula=_ORT_SIMPLE,
        meaning=Text("Points, room, rows that fall from left to right, smoothness."),
        origin=_ORT,
    ),
    Evaluator(
        "ort-simple-2",
        _ORT_TERMS,
        {"score": 1.0, "empty": 3.0, "mono": 1.5, "smooth": 0.1},
        formula=_ORT_SIMPLE,
        meaning=Text("ort-simple-1 with its second set of weights."),
        origin=_ORT,
    ),
    Evaluator(
        "ort-intermediate",
        _ORT_TERMS | _ORT_MORE,
        {"score": 1.0, "empty": 2.7, "mono": 1.0, "smooth": 0.1, "corner": 5.0, "merge": 1.5, "dispersion": 0.5},
        formula=_ORT_SIMPLE + " + corner·c + merge·p + dispersion·d",
        meaning=Text("ort-simple-1, the largest tile in a corner, pairs that can merge, large tiles near corners."),
        origin=_ORT,
    ),
    Evaluator(
        "nneonneo",
        weights={"lines": 200000.0, "empty": 270.0, "merges": 700.0, "monotonicity": -47.0, "sum": -11.0},
        formula=Text(
            "Σ over rows and columns: 200000 + 270 empty + 700 merges − 47 min(mono left, mono right) − 11 Σ rank^3.5"
        ),
        meaning=Text("Each row and column by itself: room, merges at hand, order, few tiles. A lost board counts 0."),
        origin=Text("the weights published by nneonneo/2048-ai, found by CMA-ES"),
        floor=0.0,
        build=_lines,
    ),
    Evaluator(
        "combined",
        {"score": _SCORE, "empty": _EMPTY, "corner": _CORNER},
        {"empty": 256.0},
        formula=Text("score + 256 empty + largest tile if in a corner"),
        meaning=Text("uc3m's two evaluators in one, and its wish to keep the largest tile in a corner."),
        origin=Text("uc3m's future work; weights by Contienda"),
    ),
    Evaluator(
        "snake",
        {"snake": _term(terms.snake, symmetric=False)},
        formula=Text("Σ tile / 2^k, k along the snake 0 1 2 3/7 6 5 4/8 9 10 11/15 14 13 12"),
        meaning=Text("Tiles in falling order along a snake from a corner."),
        origin=Text("Contienda"),
    ),
)
