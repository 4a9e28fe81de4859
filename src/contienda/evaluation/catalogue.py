"""Every evaluator by its name: formula, weights, origin. Data only: reading it compiles nothing.

An evaluator is a weighted sum of terms. `Evaluator.terms` names the terms and, for each, the function that computes it
(in `contienda.evaluation.terms_2048` and its like); `Evaluator.weights` are the defaults that a spec may override:
``eval=ort-simple-1,empty=3.0``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from contienda.language import BadInput, Text
from contienda.specs import read_number

__all__ = [
    "CATALOGUE",
    "LOPSIDED",
    "OF_POINTS",
    "RANGES",
    "Evaluator",
    "UnknownWeight",
    "changed_weights",
    "evaluators_of",
    "find_evaluator",
]


@dataclass(frozen=True)
class Evaluator:
    """What a position looks worth to MAX, as a weighted sum of terms."""

    name: str
    game: str
    """The game it is for, or "any"."""
    formula: str
    meaning: Text
    origin: Text
    weights: dict[str, float]
    terms: dict[str, str]
    """Term -> the function that computes it."""
    floor: float = -math.inf
    """The least that a MAX state can be worth, where the evaluator says what a lost board counts."""

    def with_weights(self, changes: Mapping[str, str | float]) -> Evaluator:
        """The same evaluator with some weights changed, as they were written."""
        return replace(self, weights=changed_weights(self.name, self.weights, changes))


#: The least and the most that a term can be, where the board sets a limit that is worth knowing: 16 cells; 24 pairs of
#: neighbours, 16 ranks apart; 16 cells and rank 17.
RANGES = {"empty": (0.0, 16.0), "smooth": (-384.0, 0.0), "room_rank": (0.0, 272.0)}

#: Terms for which a board and its mirror images are not alike, and terms that look at the points made so far.
LOPSIDED = frozenset({"gradient", "falls", "snake"})
OF_POINTS = frozenset({"score", "room_score"})


class UnknownWeight(BadInput):
    """A key that an evaluator does not know, and that was meant for it or for its player."""


def changed_weights(evaluator: str, weights: dict[str, float], changes: Mapping[str, str | float]) -> dict[str, float]:
    """The weights of an evaluator with changes that a user wrote: of names that it has, and numbers."""
    for name in changes:
        if name not in weights:
            known = ", ".join(weights) or "-"
            raise UnknownWeight(
                f"evaluator {evaluator} has no weight {name!r}: it has {known}",
                f"el evaluador {evaluator} no tiene el peso {name!r}: tiene {known}",
            )
    return weights | {name: read_number(name, value) for name, value in changes.items()}


_UC3M = Text("uc3m: minimax and A* for 2048", "uc3m: minimax y A* para 2048")
_UNICEN = Text("unicen: backtracking, A*, branch and bound", "unicen: backtracking, A*, ramificación y poda")
_UJA = Text("uja: Connect 4 with minimax", "uja: Conecta 4 con minimax")
_UMA = Text("uma: a course practical on 2048", "uma: una práctica docente sobre 2048")
_ORT = Text("ort: minimax and expectimax for 2048", "ort: minimax y expectimax para 2048")
_OWN = Text("Contienda", "Contienda")

#: ort's seven weights; `simple` uses the first four.
_ORT_TERMS = {"score": "score", "empty": "empty", "mono": "falls", "smooth": "smooth"}
_ORT_MORE = {"corner": "corner", "merge": "merge", "dispersion": "dispersion"}
_ORT_SIMPLE = "score·s + empty·e + mono·m + smooth·sm"

_ALL = [
    Evaluator(
        "none",
        "any",
        "0",
        Text("Knows nothing: only finished games count.", "No sabe nada: solo cuentan las partidas acabadas."),
        _OWN,
        {},
        {},
    ),
    Evaluator(
        "uc3m-score",
        "2048",
        "score",
        Text("The points made so far.", "Los puntos conseguidos."),
        _UC3M,
        {"score": 1.0},
        {"score": "score"},
    ),
    Evaluator(
        "uc3m-empty",
        "2048",
        "empty",
        Text("The number of empty cells.", "El número de celdas vacías."),
        _UC3M,
        {"empty": 1.0},
        {"empty": "empty"},
    ),
    Evaluator(
        "unicen-a",
        "2048",
        "score + empty × largest + Σ tile × [10 2 2 10/2 1 1 2/2 1 1 2/10 2 2 10]",
        Text(
            "Points, room for large tiles, tiles in the corners.",
            "Puntos, sitio para fichas grandes y fichas en las esquinas.",
        ),
        _UNICEN,
        {"score": 1.0, "room": 1.0, "corners": 1.0},
        {"score": "score", "room": "room_largest", "corners": "corners"},
    ),
    Evaluator(
        "uma1",
        "2048",
        "score + Mono − Sim + ln(score) × empty",
        Text(
            "Points, large tiles towards the top left, like next to like, room.",
            "Puntos, fichas grandes hacia arriba a la izquierda, iguales juntas, sitio libre.",
        ),
        _UMA,
        {"score": 1.0, "mono": 1.0, "sim": -1.0, "room": 1.0},
        {"score": "score", "mono": "gradient", "sim": "sim", "room": "room_score"},
    ),
    Evaluator(
        "uma2",
        "2048",
        "Mono − Sim + ln(score) × empty",
        Text("uma1 without the points.", "uma1 sin los puntos."),
        _UMA,
        {"mono": 1.0, "sim": -1.0, "room": 1.0},
        {"mono": "gradient", "sim": "sim", "room": "room_score"},
    ),
    Evaluator(
        "uma3",
        "2048",
        "score − Sim + ln(score) × empty",
        Text("uma1 without the gradient.", "uma1 sin el gradiente."),
        _UMA,
        {"score": 1.0, "sim": -1.0, "room": 1.0},
        {"score": "score", "sim": "sim", "room": "room_score"},
    ),
    Evaluator(
        "uma4",
        "2048",
        "score + empty × log2(largest) + Mono",
        Text(
            "Points, room, large tiles towards the top left.",
            "Puntos, sitio libre, fichas grandes hacia arriba a la izquierda.",
        ),
        _UMA,
        {"score": 1.0, "room": 1.0, "mono": 1.0},
        {"score": "score", "room": "room_rank", "mono": "gradient"},
    ),
    Evaluator(
        "ort-simple-1",
        "2048",
        _ORT_SIMPLE,
        Text(
            "Points, room, rows that fall from left to right, smoothness.",
            "Puntos, sitio, filas que bajan de izquierda a derecha, suavidad.",
        ),
        _ORT,
        {"score": 1.0, "empty": 2.7, "mono": 1.0, "smooth": 0.1},
        _ORT_TERMS,
    ),
    Evaluator(
        "ort-simple-2",
        "2048",
        _ORT_SIMPLE,
        Text("ort-simple-1 with its second set of weights.", "ort-simple-1 con su segundo juego de pesos."),
        _ORT,
        {"score": 1.0, "empty": 3.0, "mono": 1.5, "smooth": 0.1},
        _ORT_TERMS,
    ),
    Evaluator(
        "ort-intermediate",
        "2048",
        _ORT_SIMPLE + " + corner·c + merge·p + dispersion·d",
        Text(
            "ort-simple-1, the largest tile in a corner, pairs that can merge, large tiles near corners.",
            "ort-simple-1, la ficha mayor en una esquina, parejas que se pueden unir, fichas grandes cerca de ellas.",
        ),
        _ORT,
        {"score": 1.0, "empty": 2.7, "mono": 1.0, "smooth": 0.1, "corner": 5.0, "merge": 1.5, "dispersion": 0.5},
        _ORT_TERMS | _ORT_MORE,
    ),
    Evaluator(
        "nneonneo",
        "2048",
        "Σ over rows and columns: 200000 + 270 empty + 700 merges − 47 min(mono left, mono right) − 11 Σ rank^3.5",
        Text(
            "Each row and column by itself: room, merges at hand, order, few tiles. A lost board counts 0.",
            "Cada fila y columna por sí sola: sitio, uniones posibles, orden, pocas fichas. Un tablero perdido vale 0.",
        ),
        Text(
            "the weights published by nneonneo/2048-ai, found by CMA-ES",
            "los pesos que publica nneonneo/2048-ai, hallados con CMA-ES",
        ),
        {"lines": 200000.0, "empty": 270.0, "merges": 700.0, "monotonicity": -47.0, "sum": -11.0},
        {},
        floor=0.0,
    ),
    Evaluator(
        "combined",
        "2048",
        "score + 256 empty + largest tile if in a corner",
        Text(
            "uc3m's two evaluators in one, and its wish to keep the largest tile in a corner.",
            "Los dos evaluadores de uc3m en uno, y su deseo de guardar la ficha mayor en una esquina.",
        ),
        Text("uc3m's future work; weights by Contienda", "trabajo futuro de uc3m; pesos de Contienda"),
        {"score": 1.0, "empty": 256.0, "corner": 1.0},
        {"score": "score", "empty": "empty", "corner": "corner"},
    ),
    Evaluator(
        "snake",
        "2048",
        "Σ tile / 2^k, k along the snake 0 1 2 3/7 6 5 4/8 9 10 11/15 14 13 12",
        Text(
            "Tiles in falling order along a snake from a corner.",
            "Fichas en orden decreciente a lo largo de una serpiente desde una esquina.",
        ),
        _OWN,
        {"snake": 1.0},
        {"snake": "snake"},
    ),
    Evaluator(
        "ntuple",
        "2048",
        "score + Σ weights of what stands on each tuple of cells, in all eight symmetric images",
        Text(
            "A learned network: the points made so far and those it expects to come.",
            "Una red aprendida: los puntos hechos y los que espera hacer.",
        ),
        Text("Szubert and Jaśkowski 2014; trained by Contienda", "Szubert y Jaśkowski 2014; entrenada por Contienda"),
        {},
        {},
    ),
    Evaluator(
        "uja",
        "connect4",
        "Σ over windows of `connect` cells with stones of one side only: ±10^stones",
        Text(
            "Lines still open, ten times more for each stone in them.",
            "Líneas aún abiertas, diez veces más por cada ficha en ellas.",
        ),
        _UJA,
        {"windows": 1.0},
        {"windows": "windows"},
    ),
    Evaluator(
        "solver",
        "connect4",
        "the score under perfect play; after `nodes` nodes the middle of what it can be",
        Text(
            "How soon MAX wins or loses if both play their best.",
            "Lo pronto que MAX gana o pierde si ambos juegan lo mejor posible.",
        ),
        _OWN,
        {"nodes": 100_000.0},
        {},
    ),
]

CATALOGUE: dict[str, Evaluator] = {evaluator.name: evaluator for evaluator in _ALL}


def evaluators_of(game: str) -> list[Evaluator]:
    """The evaluators that fit a game."""
    return [e for e in CATALOGUE.values() if e.game in (game, "any")]


def find_evaluator(name: str, game: str) -> Evaluator:
    """The evaluator of this name, if it fits the game."""
    evaluator = CATALOGUE.get(name)
    if evaluator is None or evaluator.game not in (game, "any"):
        known = ", ".join(e.name for e in evaluators_of(game))
        raise BadInput(
            f"no evaluator {name!r} for {game}: there are {known}, or your own as FILE.py:FUNCTION",
            f"no hay evaluador {name!r} para {game}: hay {known}, o el tuyo como ARCHIVO.py:FUNCIÓN",
        )
    return evaluator
