"""Ratings from games between many players: Bradley and Terry's model with draws, by maximum likelihood.

With x half the difference of two players' strengths, natural logarithms both, Davidson's model (1970) says

    P(win) = e^x / Z,   P(draw) = ν / Z,   P(loss) = e^-x / Z,   Z = e^x + ν + e^-x,

where ν is how easily games are drawn. Without draws it is Bradley and Terry's of 1952, and so the one behind Elo: 400
points stand for odds of ten to one. The log-likelihood is concave; SciPy finds its maximum by Newton's method.

**Anchor.** Only differences can be known. Either some players' ratings are given, and the others are measured from
them; or the mean of all is `CENTRE`.

**Intervals.** From the curvature of the log-likelihood, games taken as independent. The two games of an opening are
not: where it favours a side they cancel out, so that the intervals are rather too wide. Where one game is compared with
many, as the scores of all players on a seed, ``groups`` name what belongs together, and the intervals follow from how
much the groups differ (the sandwich of Huber 1967).

**No maximum.** A player who won, or lost, every game would be infinitely strong, or weak: the likelihood has a maximum
only if no set of players beat all the others in every game (Ford 1957). Then each gets one drawn game against a player
of mean strength, and `Ratings.bounded` is False.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from contienda.core.language import BadInput
from contienda.lab.statistics import Interval

__all__ = ["CENTRE", "Met", "Ratings", "rate"]

#: The mean rating where no player's is given.
CENTRE = 1500.0
#: Points for one unit of strength: 400 for odds of ten to one.
_POINTS = 400 / math.log(10)
_CONFIDENCE = 0.95

Array = npt.NDArray[np.float64]


class Met(NamedTuple):
    """A game between two players, by their numbers."""

    first: int
    second: int
    score: float
    """Of the first: 1, ½ or 0."""
    group: int = 0
    """The group that it belongs to, if ``rate`` uses groups."""


class Ratings(NamedTuple):
    """The ratings of all players."""

    players: list[Interval]
    """In the players' order."""
    draws: float
    """ν: 0 without draws."""
    bounded: bool
    """Whether the likelihood has a maximum; otherwise every player was given one drawn game."""


def rate(
    players: int, games: Sequence[Met], anchors: Mapping[int, float] | None = None, *, groups: bool = False
) -> Ratings:
    """Return the ratings of players who are numbered from 0.

    >>> games = [Met(0, 1, 1.0)] * 3 + [Met(0, 1, 0.0)]  # three to one: 400 log10 3 apart
    >>> first, second = rate(2, games).players
    >>> round(first.value - second.value, 2)
    190.85
    """
    anchors = dict(anchors or {})
    if not players:
        return Ratings([], 0.0, True)
    first = np.array([game.first for game in games], np.int64)
    second = np.array([game.second for game in games], np.int64)
    scores = np.array([game.score for game in games], float)
    if games and not np.isin(scores, (0.0, 0.5, 1.0)).all():
        raise BadInput("a game is won, drawn or lost: 1, 0.5 or 0 points")
    drawn = scores == 0.5
    bounded = _has_maximum(players, first, second, scores, anchors)
    model = _Model(players, first, second, 2 * scores - 1, drawn, anchors, 0.0 if bounded else 1.0)
    place = model.maximum()
    strengths, covariance = model.strengths(place), model.covariance(place, games if groups else None)
    widths = _POINTS * np.sqrt(np.clip(np.diag(covariance)[:players], 0.0, None)) * model.quantile(games, groups)
    values = CENTRE + _POINTS * strengths if not anchors else _POINTS * strengths
    found = [Interval(float(v), float(v - w), float(v + w)) for v, w in zip(values, widths, strict=True)]
    return Ratings(found, model.draws(place), bounded)


def _has_maximum(players: int, first: npt.NDArray[np.int64], second: npt.NDArray[np.int64], scores: Array,
                 anchors: Mapping[int, float]) -> bool:  # fmt: skip
    """Return whether everybody took points from everybody, directly or through others; anchored players count as one.

    At least one game must not be drawn: else ν has no maximum.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    if players == 1:
        return True
    number = np.arange(players)
    number[list(anchors)] = next(iter(anchors), 0)
    took = scores > 0
    gave = scores < 1
    rows = np.concatenate([number[first[took]], number[second[gave]]])
    columns = np.concatenate([number[second[took]], number[first[gave]]])
    graph = coo_array((np.ones(len(rows)), (rows, columns)), shape=(players, players))
    _, parts = connected_components(graph, directed=True, connection="strong")
    decided = bool((scores != 0.5).any())
    return len(set(parts[number].tolist())) == 1 and decided


class _Model:
    """The log-likelihood as a function of the free parameters: the strengths that are not given, then log ν."""

    def __init__(self, players: int, first, second, signs, drawn, anchors, prior: float) -> None:  # type: ignore[no-untyped-def]
        self._players = players
        self._first, self._second, self._signs, self._drawn = first, second, signs, drawn
        self._fixed = np.array([float(anchors.get(number, math.nan)) / _POINTS for number in range(players)])
        self._free = np.isnan(self._fixed)
        self._prior = prior
        self._with_draws = bool(drawn.any())
        self._anchored = bool(anchors)
        self._centre = 0.0 if not anchors else float(np.nanmean(self._fixed))

    def strengths(self, place: Array) -> Array:
        whole = self._fixed.copy()
        whole[self._free] = place[: int(self._free.sum())]
        if not self._anchored:
            whole -= whole.mean()
        return whole

    def draws(self, place: Array) -> float:
        return float(np.exp(place[-1])) if self._with_draws else 0.0

    def maximum(self) -> Array:
        from scipy.optimize import minimize

        size = int(self._free.sum()) + self._with_draws
        begin = np.zeros(size)
        begin[: int(self._free.sum())] = self._centre
        if not size:
            return begin
        found = minimize(
            lambda place: -self._value(place), begin, jac=lambda place: -self._slope(place),
            hess=lambda place: self._information(place) + 1e-9 * np.eye(size), method="trust-exact",
            options={"gtol": 1e-7, "maxiter": 500},
        )  # fmt: skip
        return np.asarray(found.x, float)

    def covariance(self, place: Array, games: Sequence[Met] | None) -> Array:
        """Return the covariance of all strengths; that of a given one is 0."""
        inverse: Array = np.asarray(np.linalg.pinv(self._information(place), hermitian=True), float)
        if games is not None:
            inverse = self._sandwich(place, inverse, games)
        free = int(self._free.sum())
        whole = np.zeros((self._players, self._players))
        whole[np.ix_(self._free, self._free)] = inverse[:free, :free]
        if not self._anchored:  # of the differences from the mean
            centred = np.eye(self._players) - 1 / self._players
            whole = centred @ whole @ centred
        return whole

    def quantile(self, games: Sequence[Met], groups: bool) -> float:
        from scipy.stats import norm, t

        tail = 0.5 + _CONFIDENCE / 2
        count = len({game.group for game in games}) if groups else 0
        return float(t.ppf(tail, max(count - 1, 1)) if groups else norm.ppf(tail))

    # --- The log-likelihood and its derivatives, game by game ---------------------------------------------------------

    def _parts(self, place: Array) -> tuple[Array, Array, Array, Array]:
        """Return for each game x, the logarithm of Z, the expected sign, and the chance of a draw."""
        whole = self._fixed.copy()
        whole[self._free] = place[: int(self._free.sum())]
        x = (whole[self._first] - whole[self._second]) / 2
        log_nu = place[-1] if self._with_draws else -math.inf
        log_z = np.logaddexp(np.logaddexp(x, -x), log_nu)
        return x, log_z, np.exp(x - log_z) - np.exp(-x - log_z), np.exp(log_nu - log_z)

    def _value(self, place: Array) -> float:
        x, log_z, _, _ = self._parts(place)
        log_nu = place[-1] if self._with_draws else 0.0
        virtual = self._prior * np.logaddexp(*self._virtual(place)).sum()
        return float((self._signs * x + self._drawn * log_nu - log_z).sum() - virtual - 0.5 * (0.1 * log_nu) ** 2)

    def _virtual(self, place: Array) -> tuple[Array, Array]:
        """Return both exponents of the drawn game given to each free player: half a win and half a loss."""
        x = (place[: int(self._free.sum())] - self._centre) / 2
        return x, -x

    def _slopes(self, place: Array) -> Array:
        """Return the gradient of each game, one row each."""
        _, _, expected, chance = self._parts(place)
        rows = np.zeros((len(self._first), self._players + 1))
        every = np.arange(len(self._first))
        half = (self._signs - expected) / 2
        np.add.at(rows, (every, self._first), half)
        np.add.at(rows, (every, self._second), -half)
        rows[:, -1] = self._drawn - chance
        return rows[:, self._columns]

    @property
    def _columns(self) -> npt.NDArray[np.int64]:
        free = np.flatnonzero(self._free)
        return np.append(free, self._players) if self._with_draws else free

    def _slope(self, place: Array) -> Array:
        slope = self._slopes(place).sum(axis=0)
        x, _ = self._virtual(place)
        slope[: len(x)] -= self._prior * np.tanh(x) / 2
        if self._with_draws:
            slope[-1] -= 0.01 * place[-1]
        return slope  # type: ignore[no-any-return]

    def _information(self, place: Array) -> Array:
        """Return the negative matrix of second derivatives."""
        _, _, expected, chance = self._parts(place)
        size = self._players + 1
        matrix = np.zeros((size, size))
        spread = (1 - chance - expected**2) / 4
        mixed = -expected * chance / 2
        for one, other, sign in ((self._first, self._first, 1), (self._second, self._second, 1),
                                 (self._first, self._second, -1), (self._second, self._first, -1)):  # fmt: skip
            np.add.at(matrix, (one, other), sign * spread)
        for own, sign in ((self._first, 1), (self._second, -1)):
            np.add.at(matrix, (own, size - 1), sign * mixed)
            np.add.at(matrix, (size - 1, own), sign * mixed)
        matrix[-1, -1] = (chance * (1 - chance)).sum() + 0.01
        columns = self._columns
        matrix = matrix[np.ix_(columns, columns)]
        x, _ = self._virtual(place)
        matrix[np.arange(len(x)), np.arange(len(x))] += self._prior / np.cosh(x) ** 2 / 4
        return matrix

    def _sandwich(self, place: Array, inverse: Array, games: Sequence[Met]) -> Array:
        slopes = self._slopes(place)
        groups, own = np.unique([game.group for game in games], return_inverse=True)
        sums = np.zeros((len(groups), slopes.shape[1]))
        np.add.at(sums, own, slopes)
        count = max(len(groups), 2)
        middle = sums.T @ sums * count / (count - 1)
        return inverse @ middle @ inverse
