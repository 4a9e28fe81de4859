"""An evaluator of the catalogue, made into one compiled function and the record of its weights."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from contienda.core import Game, State
from contienda.evaluation.catalogue import (
    CATALOGUE,
    LOPSIDED,
    OF_POINTS,
    RANGES,
    Evaluator,
    changed_weights,
    find_evaluator,
)
from contienda.games import make_game
from contienda.jit import njit
from contienda.language import BadInput

__all__ = ["CompiledEvaluator", "compile_evaluator", "weights_record"]


@dataclass(frozen=True)
class CompiledEvaluator:
    """``evaluate(state, weights)``, ready to be built into a search."""

    name: str
    evaluate: Callable[..., float]
    weights: np.record
    terms: Callable[[State], dict[str, float]]
    """Each term's number for a state, before its weight."""
    weights_by_name: dict[str, float]
    floor: float = -math.inf
    bounds: tuple[float, float] | None = None
    """The least and the most that it can say of any state, where that is known."""
    symmetric: bool = False
    """A state and its mirror images look alike to it."""
    counts_points: bool = True
    """It looks at the points made so far, too."""
    best_move: Callable[..., tuple[int, float]] | None = None
    """``best_move(state, weights)``: what `contienda.search.expectimax_plus` says of it."""
    of_afterstates: bool = False
    """It values boards after a move, and one before a move by its best: a level more than an even number is free."""


def compile_evaluator(name: str, game: Game, weights: Mapping[str, str | float]) -> CompiledEvaluator:
    """The evaluator that a spec names, with the weights it gives: one of the catalogue, or the user's own."""
    if name.partition(":")[0] == "ntuple":
        return _network(name, game, weights)
    if name not in CATALOGUE:
        from contienda.evaluation.custom import installed, load_custom, registered

        if ":" in name or registered(name) or installed(name):
            return load_custom(name, game, weights)
    evaluator = find_evaluator(name, game.name).with_weights(weights)
    if evaluator.name == "nneonneo":
        return _lines(evaluator)
    if evaluator.name == "solver":
        return _solved(evaluator, game)
    evaluate, functions = _sum_of_terms(evaluator.name, game.spec) if evaluator.terms else (_no_terms, {})
    return CompiledEvaluator(
        evaluator.name,
        evaluate,
        weights_record(evaluator.weights),
        lambda state: {term: float(function(state)) for term, function in functions.items()},
        evaluator.weights,
        evaluator.floor,
        _bounds(evaluator),
        symmetric=LOPSIDED.isdisjoint(evaluator.terms.values()),
        counts_points=not OF_POINTS.isdisjoint(evaluator.terms.values()),
    )


def _bounds(evaluator: Evaluator) -> tuple[float, float] | None:
    """The sum of the ranges of its terms, if all of them have one."""
    low = high = 0.0
    for term, function in evaluator.terms.items():
        if function not in RANGES:
            return None
        ends = [evaluator.weights[term] * end for end in RANGES[function]]
        low, high = low + min(ends), high + max(ends)
    return low, high


def weights_record(weights: dict[str, float], **arrays: np.ndarray) -> np.record:
    """A record with a field for each weight, and for each array: ``weights.empty`` in compiled code.

    Records are passed by pointer, and tuned without compiling anew. Where one record begins with the fields of another,
    numba would run code that it compiled for the other: a gap in front, as wide as there are fields, keeps them apart.
    """
    formats: dict[str, np.dtype[Any]] = {name: np.dtype(np.float64) for name in weights or ["nothing"]}
    formats |= {name: np.dtype((array.dtype, array.shape)) for name, array in arrays.items()}
    gap = 8 * len(formats)
    offsets = np.cumsum([gap, *(kind.itemsize for kind in formats.values())]).tolist()
    layout: Any = {"names": list(formats), "formats": list(formats.values()), "offsets": offsets[:-1]}
    record = np.zeros(1, np.dtype((np.record, np.dtype(layout))))[0]
    for name, value in (weights | arrays).items():
        record[name] = value
    return record


@cache
def _sum_of_terms(name: str, game_spec: str) -> tuple[Callable[..., float], dict[str, Callable[..., float]]]:
    """The weighted sum, and each term: made once for all players that use it, whatever their weights."""
    game = make_game(game_spec)
    functions = {term: _term(game, function) for term, function in CATALOGUE[name].terms.items()}
    evaluate = _no_terms
    for term, function in functions.items():
        evaluate = _first(term, function) if evaluate is _no_terms else _plus(evaluate, term, function)
    return evaluate, functions


@njit(cache=True)
def _no_terms(state, weights):
    return 0.0


def _first(term: str, function: Callable[..., float]) -> Callable[..., float]:
    """One weighted term: the sum starts afresh, so that no two evaluators share a function and its record type."""

    @njit
    def weighted_term(state, weights):
        return weights[term] * function(state)

    return weighted_term


def _plus(evaluate: Callable[..., float], term: str, function: Callable[..., float]) -> Callable[..., float]:
    """The sum so far and one more weighted term."""

    @njit
    def sum_of_terms(state, weights):
        return evaluate(state, weights) + weights[term] * function(state)

    return sum_of_terms


def _term(game: Game, function: str) -> Callable[..., float]:
    """The function of a term: a plain one for 2048, one made for the board's size for Connect 4."""
    if game.name == "connect4":
        from contienda.evaluation import terms_connect4

        return getattr(terms_connect4, function)(game)
    from contienda.evaluation import terms_2048

    return getattr(terms_2048, function)


def _network(name: str, game: Game, weights: Mapping[str, str | float]) -> CompiledEvaluator:
    """A learned network: that of the file which follows the name, or the one that comes with the package."""
    from contienda.evaluation.afterstates import build_best_move, build_evaluate
    from contienda.evaluation.network_file import shared_network, shipped_network
    from contienda.games.board_2048 import score

    file = name.partition(":")[2]
    if game.name != "2048":
        raise BadInput(
            f"n-tuple networks are for 2048, not {game.name}", f"las redes de n-tuplas son para 2048, no {game.name}"
        )
    changed_weights("ntuple", {}, weights)
    network, record = shared_network(Path(file) if file else shipped_network())
    evaluate = build_evaluate(network)

    def terms(state: State) -> dict[str, float]:
        points = float(score(state))
        return {"score": points, "network": evaluate(state, record) - points}

    return CompiledEvaluator(
        name, evaluate, record, terms, {}, symmetric=True, best_move=build_best_move(network), of_afterstates=True
    )


def _lines(evaluator: Evaluator) -> CompiledEvaluator:
    from contienda.evaluation.lines_2048 import TERMS, line_bounds, line_table, line_terms, nneonneo
    from contienda.evaluation.moves_2048 import best_move

    record = weights_record(evaluator.weights, table=np.zeros(65536, np.float32))
    line_table(record, record.table)
    return CompiledEvaluator(
        evaluator.name,
        nneonneo,
        record,
        lambda state: dict(zip(TERMS, line_terms(state).tolist(), strict=True)),
        evaluator.weights,
        evaluator.floor,
        line_bounds(record),
        symmetric=True,
        counts_points=False,
        best_move=best_move,
    )


def _solved(evaluator: Evaluator, game: Game) -> CompiledEvaluator:
    from contienda.games.connect4 import Connect4
    from contienda.perfect.evaluate import build_evaluate

    assert isinstance(game, Connect4)  # the catalogue has it for no other
    evaluate, record = build_evaluate(game.rows, game.columns, game.connect), weights_record(evaluator.weights)
    most = float((game.rows * game.columns + 1) // 2)
    return CompiledEvaluator(
        evaluator.name,
        evaluate,
        record,
        lambda state: {"score": float(evaluate(state, record))},
        evaluator.weights,
        bounds=(-most, most),
    )
