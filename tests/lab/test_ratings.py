"""Ratings: known results, likelihoods without a maximum, and intervals with the stated coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest

from contienda.core.language import BadInput
from contienda.lab.ratings import Met, rate


def _simulated(rng: np.random.Generator, players: int, games: int) -> tuple[np.ndarray, list[Met]]:
    """Return ratings with mean 0, and games by Davidson's model with ν = ½."""
    true = rng.normal(0, 150, players)
    true -= true.mean()
    met = []
    for first in range(players):
        for second in range(first + 1, players):
            x = (true[first] - true[second]) / 400 * math.log(10) / 2
            chances = np.array([math.exp(x), 0.5, math.exp(-x)])
            scores = rng.choice([1.0, 0.5, 0.0], games, p=chances / chances.sum())
            met += [Met(first, second, float(score)) for score in scores]
    return true, met


def test_two_players_have_the_odds_of_their_games():
    first, second = rate(2, [Met(0, 1, 1.0)] * 10 + [Met(1, 0, 1.0)]).players
    assert first.value - second.value == pytest.approx(400)
    assert first.value + second.value == pytest.approx(3000)


def test_an_anchor_stays_where_it_is():
    found = rate(3, [Met(0, 1, 1.0), Met(1, 0, 1.0), Met(1, 2, 1.0), Met(2, 1, 1.0), Met(2, 1, 1.0)], {1: 1200.0})
    assert (found.players[1].low, found.players[1].value, found.players[1].high) == pytest.approx((1200,) * 3)
    assert found.players[0].value == pytest.approx(1200)
    assert found.players[2].value == pytest.approx(1200 + 400 * math.log10(2))


def test_draws_are_estimated():
    games = [Met(0, 1, 1.0)] * 4 + [Met(0, 1, 0.0)] * 4 + [Met(0, 1, 0.5)] * 2
    assert rate(2, games).draws == pytest.approx(0.5, rel=0.02)


@pytest.mark.parametrize("games", [[Met(0, 1, 1.0)] * 5, [Met(0, 1, 0.5)] * 5, []])
def test_without_a_maximum_it_says_so_and_stays_finite(games):
    found = rate(2, games)
    assert not found.bounded
    assert all(math.isfinite(each.low) and math.isfinite(each.high) for each in found.players)


def test_half_a_point_is_the_only_fraction():
    with pytest.raises(BadInput):
        rate(2, [Met(0, 1, 0.7)])


@pytest.mark.slow
def test_intervals_hold_as_often_as_they_say():
    rng = np.random.default_rng(1)
    inside = []
    for _ in range(300):
        true, games = _simulated(rng, 6, 20)
        found = rate(6, games).players
        inside += [each.low <= own + 1500 <= each.high for own, each in zip(true, found, strict=True)]
    assert 0.935 < np.mean(inside) < 0.975  # 1,800 intervals of 95 %, players of a league depend on each other
