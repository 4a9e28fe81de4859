"""The contract of an evaluator: the estimated value for MAX of a position where a search stops.

Most are weighted sums of terms, and a game declares them as data (`Game.evaluators`):

    Evaluator("room", {"empty": Term(empty)}, weights={"empty": 2.7}, meaning="The number of empty cells.")

One that is more than such a sum brings a `build`. `contienda.evaluation.compiled` makes either into a
`CompiledEvaluator`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from contienda.core.language import BadInput, Text
from contienda.core.specs import read_number

if TYPE_CHECKING:
    from contienda.core.game import Game, State

__all__ = ["CompiledEvaluator", "Evaluator", "Term", "UnknownWeight", "changed_weights", "weights_record"]


_NOTHING = Text("")


class Term(NamedTuple):
    """A number that an evaluator computes from a state."""

    value: Callable[..., Any]
    """``value(state)``: a compiled function; of a plain game ``value(position)`` or ``value(position, mover)``."""
    range: tuple[float, float] | None = None
    """Its minimum and maximum, if known: searches can prune by them."""
    symmetric: bool = False
    """It gives a state and its mirror images (`SearchShortcuts.fold`) the same value."""
    counts_points: bool = True
    """It depends on the points made so far (`SearchShortcuts.without_points`)."""
    for_game: bool = False
    """``value(game)`` makes the function, for a game of several sizes; it gives the same one for the same size."""


@dataclass(frozen=True)
class Evaluator:
    """An estimate of a position's value for MAX, as a weighted sum of terms."""

    name: str
    """What a user types."""
    terms: Mapping[str, Term] = field(default_factory=dict)
    """Each term by the name of its weight. A bare function becomes a `Term`."""
    weights: Mapping[str, float] = field(default_factory=dict)
    """What a spec may change; a term without a weight has 1."""
    meaning: Text = _NOTHING
    """In a sentence; a plain string is shown in every language."""
    formula: Text | str = ""
    """By default the sum of its terms. A plain string is shown in every language; see `in_symbols`."""
    origin: Text = _NOTHING
    floor: float = -math.inf
    """The value of a lost board, if the evaluator defines one: the least that a MAX state can be worth."""
    build: Callable[[Evaluator, Any], CompiledEvaluator] | None = None
    """``build(evaluator, game)`` makes one that is more than a sum of terms, with the weights of this evaluator."""

    def __post_init__(self) -> None:
        terms = {name: term if isinstance(term, Term) else Term(term) for name, term in self.terms.items()}
        weights = dict.fromkeys(terms, 1.0) | {name: float(weight) for name, weight in self.weights.items()}
        for name in weights if self.build is None else ():
            if name not in terms:
                raise BadInput(
                    "evaluator {evaluator} has a weight {name!r} and no term of that name",
                    evaluator=self.name,
                    name=name,
                )
        words = {"meaning": self.meaning, "origin": self.origin}
        told = {key: text if isinstance(text, Text) else Text("{text}", text=text) for key, text in words.items()}
        formula = self.formula or " + ".join(terms)
        for key, value in {"terms": terms, "weights": weights, "formula": formula, **told}.items():
            object.__setattr__(self, key, value)

    @property
    def in_symbols(self) -> Text:
        """Its formula."""
        return self.formula if isinstance(self.formula, Text) else Text("{text}", text=self.formula)

    def with_weights(self, changes: Mapping[str, str | float]) -> Evaluator:
        """The same evaluator with some weights changed, as they were written."""
        return replace(self, weights=changed_weights(self.name, self.weights, changes))

    def functions(self, game: Game) -> dict[str, Callable[[State], float]]:
        """Each term as a function of the states of a game."""
        return {name: term.value(game) if term.for_game else term.value for name, term in self.terms.items()}

    @property
    def range(self) -> tuple[float, float] | None:
        """The sum of the ranges of its terms, if all of them have one."""
        low = high = 0.0
        for name, term in self.terms.items():
            if term.range is None:
                return None
            ends = [self.weights[name] * end for end in term.range]
            low, high = low + min(ends), high + max(ends)
        return low, high


@dataclass(frozen=True)
class CompiledEvaluator:
    """``evaluate(state, weights)``, ready to be built into a search."""

    name: str
    evaluate: Callable[..., float]
    weights: np.record
    terms: Callable[[State], dict[str, float]]
    """Each term's number for a state, before its weight."""
    weights_by_name: Mapping[str, float]
    floor: float = -math.inf
    bounds: tuple[float, float] | Callable[[], tuple[float, float]] | None = None
    """The minimum and maximum of its values, if known; a function, if finding them takes time."""
    symmetric: bool = False
    """It gives a state and its mirror images the same value."""
    counts_points: bool = True
    """It depends on the points made so far."""
    best_move: Callable[..., tuple[int, float]] | None = None
    """`Rules.best_move` for this evaluator, where it knows a faster one than the game does for any."""
    send_for: Callable[..., None] | None = None
    """`Rules.send_for` for this evaluator."""
    weighted: bool = False
    """Its terms include their weights already, as those that a user's function returns."""
    of_afterstates: bool = False
    """It values boards after a move, and a board before a move by its best move: an odd depth costs no more."""

    def contributions(self, state: State) -> dict[str, float]:
        """Return what each term adds to the value of a state: its number times its weight."""
        weights = {} if self.weighted else self.weights_by_name
        return {name: weights.get(name, 1.0) * number for name, number in self.terms(state).items()}


class UnknownWeight(BadInput):
    """A key that neither the evaluator nor its player knows."""


def changed_weights(
    evaluator: str, weights: Mapping[str, float], changes: Mapping[str, str | float]
) -> dict[str, float]:
    """The weights of an evaluator with the changes that a user wrote; `BadInput` for unknown names and non-numbers."""
    for name in changes:
        if name not in weights:
            known = ", ".join(weights) or "-"
            raise UnknownWeight(
                "evaluator {evaluator} has no weight {name!r}: it has {known}",
                evaluator=evaluator,
                name=name,
                known=known,
            )
    return {**weights, **{name: read_number(name, value) for name, value in changes.items()}}


def weights_record(weights: Mapping[str, float], **arrays: np.ndarray) -> np.record:
    """A record with a field for each weight, and for each array: ``weights.empty`` in compiled code.

    Records are passed by pointer and tuned without recompiling. Where one record begins with the fields of another,
    numba would run code that it compiled for the other: a gap in front, as wide as there are fields, keeps them apart.
    """
    formats: dict[str, np.dtype[Any]] = {name: np.dtype(np.float64) for name in weights or ["nothing"]}
    formats |= {name: np.dtype((array.dtype, array.shape)) for name, array in arrays.items()}
    gap = 8 * len(formats)
    offsets = np.cumsum([gap, *(kind.itemsize for kind in formats.values())]).tolist()
    layout: Any = {"names": list(formats), "formats": list(formats.values()), "offsets": offsets[:-1]}
    record: np.record = np.zeros(1, np.dtype((np.record, np.dtype(layout))))[0]
    for values in (weights, arrays):
        for name, value in values.items():
            record[name] = value
    return record
