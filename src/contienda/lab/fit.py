"""Fits the weights of an evaluator to saved games: those that best predict the final score.

By least squares, the weighted sum of the terms, on the board right after a move, approximates the final score of the
game: the method of Samuel and of Christensen and Korf to learn an evaluator from games ("A unified theory of heuristic
evaluation functions and its application to learning", 1986). An evaluator that predicts well need not play well: the
games show what the boards of those players were worth, and nothing about boards that they never reached. So the new
weights are always tested on new seeds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from contienda.core.game import CHANCE, Game, State
from contienda.core.language import BadInput
from contienda.evaluation.compiled import compile_evaluator
from contienda.games import DEFAULT_GAME, make_game
from contienda.lab.sensitivity import weights_of, with_weights
from contienda.match import Played
from contienda.players import make_player
from contienda.record import states_of

__all__ = ["Fitted", "fit_weights"]

#: The number of boards, drawn at random from all games.
_BOARDS = 5000
#: One game in this many is held out to measure the fit.
_HELD_OUT = 5

Array = np.ndarray[Any, Any]


class Fitted(NamedTuple):
    """The result of a fit."""

    player: str
    """The player with the learnt weights."""
    games: int
    before: float
    """Pearson's correlation between its values and the final scores, in games that it did not learn from."""
    after: float


class _Boards(NamedTuple):
    terms: Array
    """A row for each board: the terms of the evaluator."""
    final: Array
    """The score with which its game ended."""

    def correlation(self, weights: Array) -> float:
        """Return the correlation of the values and the final scores."""
        values = self.terms @ weights
        return float(np.corrcoef(values, self.final)[0, 1]) if values.std() > 0 and self.final.std() > 0 else 0.0


def fit_weights(player: str, games: Sequence[Played], seed: int = 1, game: str = DEFAULT_GAME) -> Fitted:
    """Return the player with the fitted weights; the games must have been played to the end."""
    start, spec = weights_of(player, game), make_game(game).spec
    whole = [played for played in games if played.ended == "over" and played.game.spec == spec]
    if len(whole) < _HELD_OUT:
        raise BadInput("at least {least} finished games of {game} are needed", least=_HELD_OUT, game=spec)
    terms_of = _build_terms(player, whole[0].game, start)
    lots = np.random.default_rng(seed)
    judged = _boards(whole[::_HELD_OUT], terms_of, lots)
    learnt = _boards([each for place, each in enumerate(whole) if place % _HELD_OUT], terms_of, lots)
    # The constant absorbs what all boards have in common; no choice depends on it.
    told = learnt.terms.std(axis=0) > 0
    columns = np.column_stack([learnt.terms[:, told], np.ones(len(learnt.final))])
    before = np.array(list(start.values()))
    after = before.copy()  # a constant term gives no information, and keeps its weight
    after[told] = np.linalg.lstsq(columns, learnt.final, rcond=None)[0][:-1]
    named = dict(zip(start, map(float, after), strict=True))
    return Fitted(with_weights(player, named), len(whole), judged.correlation(before), judged.correlation(after))


def _boards(games: Sequence[Played], terms_of: Callable[[State], Array], lots: np.random.Generator) -> _Boards:
    """Return random boards right after a move."""
    places = [
        (state, played.game.outcome(played.state)["score"])
        for played in games
        for state in states_of(played)
        if played.game.rules.turn(state) == CHANCE
    ]
    chosen = [places[i] for i in lots.permutation(len(places))[:_BOARDS]]
    return _Boards(np.array([terms_of(state) for state, _ in chosen]), np.array([float(final) for _, final in chosen]))


def _build_terms(player: str, game: Game, start: dict[str, float]) -> Callable[[State], Array]:
    """Return ``terms(state)``: the factor of each weight there. The evaluator must be their weighted sum."""
    evaluator = make_player(player, game).evaluator  # type: ignore[attr-defined]
    name = evaluator.name
    alone = [compile_evaluator(name, game, {each: float(each == own) for each in start}) for own in start]
    weights = np.array(list(start.values()))

    def terms(state: State) -> Array:
        found = np.array([float(each.evaluate(state, each.weights)) for each in alone])
        if not np.isclose(found @ weights, float(evaluator.evaluate(state, evaluator.weights)), rtol=1e-3, atol=1e-3):
            raise BadInput("{name} is not a weighted sum: tune it by playing games, without --from", name=name)
        return found

    return terms
