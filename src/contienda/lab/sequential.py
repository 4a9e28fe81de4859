"""Sequential tests: decide which player is better, with as few games as possible.

Checking results as they come and stopping when they look good finds differences that do not exist. A *sequential
probability ratio test* (Wald 1945) may be checked after every game: it keeps the log-likelihood ratio LLR of two
hypotheses and stops when it leaves (log β/(1-α), log (1-β)/α). Then at most about α of its tests accept H1 where H0 is
true, and at most about β the other way round.

**Two-player games.** H0: the first player is no better than elo0; H1: it is better by elo1 or more. Every opening is
played from both sides, and the pair is what counts: 0, ½, 1, 1½ or 2 points (the *pentanomial* model of fishtest). The
two games of a pair depend on each other; pairs do not. LLR is that of the *generalised* test: the most likely
distribution of pairs whose mean is the score of elo1, beside the most likely one of elo0 (Van den Bergh, "A practical
introduction to the GSPRT", 2018). With x the multiplier of the mean,

    p_i(s) = n_i / N / (1 + x (a_i - s)),   where x solves  Σ p_i(s) (a_i - s) = 0.

**One-player games.** Both play the same seeds, and the difference of the two scores is what counts, as a share of their
mean. H1: the first makes ``gain`` more. LLR is that of a normal distribution with the variance of the sample.

The test runs in both directions at once, each with half of α, because the better player is not known in advance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from contienda.core.language import BadInput
from contienda.core.specs import parse_spec, read_number
from contienda.lab.results import Results
from contienda.lab.statistics import Interval

__all__ = [
    "Hypotheses",
    "Sequential",
    "read_hypotheses",
    "score_of_elo",
    "sequence_margin",
    "weigh_differences",
    "weigh_pairs",
    "weigh_results",
]

#: What a pair of games is worth to the first player, as a share of its points.
_POINTS = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
#: Kinds of pairs that have not occurred count as this many: else the likelihood of a mean may not exist (fishtest's).
_UNSEEN = 1e-3
#: Pairs before the first check: the variance of fewer is unreliable.
_FEWEST = 16
#: 97.5 % of a normal distribution lie below this many standard deviations.
_Z = 1.959964


class Hypotheses(NamedTuple):
    """The hypotheses of a test and its error rates."""

    elo0: float = 0.0
    elo1: float = 20.0
    """In games for two: the differences in Elo that H0 and H1 assume."""
    gain: float = 0.05
    """In games for one: the gain that H1 assumes, as a share of the mean score."""
    alpha: float = 0.05
    """The probability of finding a difference between equal players."""
    beta: float = 0.05
    """How often a player that is better by ``elo1`` or ``gain`` may go unnoticed."""

    def bounds(self) -> tuple[float, float]:
        """Where the log-likelihood ratio of each of the two tests stops."""
        alpha = self.alpha / 2
        return math.log(self.beta / (1 - alpha)), math.log((1 - self.beta) / alpha)

    def __str__(self) -> str:
        return ",".join(f"{key}={value:g}" for key, value in self._asdict().items())


def read_hypotheses(text: str) -> Hypotheses:
    """Return the hypotheses of a plan's ``test``: ``elo1=20,alpha=0.01``.

    >>> read_hypotheses("elo1=10").elo1
    10.0
    """
    options = parse_spec(f"test:{text}" if text else "test").options
    for key in options:
        if key not in Hypotheses._fields:
            known = ", ".join(Hypotheses._fields)
            raise BadInput("a test has no {key!r}: it has {known}", key=key, known=known)
    found = Hypotheses(**{key: read_number(key, value) for key, value in options.items()})
    if not found.elo0 < found.elo1 or not found.elo0 >= 0 or not found.elo1 <= 1000:
        raise BadInput(
            "elo0 = {elo0:g}, elo1 = {elo1:g}: elo0 is 0 or more, and elo1 is larger, up to 1000",
            elo0=found.elo0,
            elo1=found.elo1,
        )
    if not 0 < found.gain < 1:
        raise BadInput("gain = {gain:g} is a share, such as 0.05", gain=found.gain)
    for key, value in (("alpha", found.alpha), ("beta", found.beta)):
        if not 0 < value < 0.5:
            raise BadInput("{key} = {value:g} is a chance below 0.5, such as 0.05", key=key, value=value)
    return found


class Sequential(NamedTuple):
    """The state of a sequential test."""

    verdict: Literal["first", "second", "none"]
    """The better player; ``none`` as long as the games do not show one."""
    decided: bool
    """The test has stopped. A verdict of ``none`` then means: no difference as large as the hypothesis."""
    pairs: int
    llr: float
    """For the first player being better, and below for the second."""
    llr_second: float
    bounds: tuple[float, float]
    difference: Interval
    """In Elo; in games for one as a share of the mean score. After an early stop it is a little too large."""
    normalised: Interval
    """Normalised Elo: the mean by the standard deviation of one game, 800 / ln 10 to the unit; in games for one the
    mean difference by its standard deviation."""
    los: float
    """Likelihood of superiority: the probability that the first is better, by the normal approximation."""
    counts: tuple[int, ...] = ()
    """Pairs that gave the first player 0, ½, 1, 1½ and 2 points."""
    repeated: int = 0
    """Pairs left out because they repeat an opening and both its games."""

    def as_data(self) -> dict[str, Any]:
        """What ``--json`` prints of it."""
        return {
            "verdict": self.verdict,
            "decided": self.decided,
            "pairs": self.pairs,
            "repeated": self.repeated,
            "llr": self.llr,
            "llr_second": self.llr_second,
            "bounds": list(self.bounds),
            "los": self.los,
        }


def weigh_results(results: Results, games: int) -> Sequential:
    """Return the test of a plan over its first seeds only: an interrupted run decides like any other."""
    plan = results.plan
    hypotheses = read_hypotheses(plan.test or "")
    rows = {(row["entrant"], int(row["seed"])): row for row in results.rows()}
    if not plan.opponents:
        both = [(rows.get((0, seed)), rows.get((1, seed))) for seed in plan.seeds(games)]
        played = [(float(one["score"]), float(other["score"])) for one, other in both if one and other]
        return weigh_differences([one for one, _ in played], [other for _, other in played], hypotheses)
    seeds = plan.seeds(games)
    found = [(rows.get((0, one)), rows.get((0, other))) for one, other in zip(seeds[::2], seeds[1::2], strict=False)]
    courses = results.courses()
    met: set[tuple[str | None, ...]] = set()
    points: list[float] = []
    repeated = 0
    for one, other in found:
        if one is None or other is None:
            continue
        course = tuple(courses.get((0, int(row["seed"]))) for row in (one, other))
        if None not in course and course in met:
            repeated += 1
            continue
        met.add(course)
        points.append(_points(one) + _points(other))
    return weigh_pairs(points, hypotheses)._replace(repeated=repeated)


def _points(row: dict[str, Any]) -> float:
    """Return the first player's points in a game."""
    return 0.5 if row["winner"] == 0 else float(row["winner"] == 1)


def weigh_pairs(points: Sequence[float], hypotheses: Hypotheses) -> Sequential:
    """Return the test of a two-player game, from the first player's points in each pair of games: 0 to 2."""
    counts = np.bincount((2 * np.asarray(points, float)).astype(int), minlength=5)[:5]
    pairs = int(counts.sum())
    scores = [score_of_elo(elo) for elo in (hypotheses.elo0, hypotheses.elo1)]
    first, second = (_llr_of_pairs(found, *scores) for found in (counts, counts[::-1]))
    weights = _seen(counts) / _seen(counts).sum()
    mean = float(weights @ _POINTS)
    sd = math.sqrt(float(weights @ (_POINTS - mean) ** 2))
    margin = _Z * sd / math.sqrt(max(pairs, 1))
    ends = [min(max(score, 1e-9), 1 - 1e-9) for score in (mean, mean - margin, mean + margin)]
    # The standard deviation of one game, were the two of a pair independent.
    unit = 800 / math.log(10) / (sd * math.sqrt(2))
    normalised = Interval(*(unit * (score - 0.5) for score in (mean, mean - margin, mean + margin)))
    verdict, decided = _decide(first, second, pairs, hypotheses)
    return Sequential(
        verdict, decided, pairs, first, second, hypotheses.bounds(), Interval(*map(_elo_of_score, ends)), normalised,
        _normal((mean - 0.5) / sd * math.sqrt(pairs)), tuple(counts.tolist()),
    )  # fmt: skip


def weigh_differences(
    first_scores: Sequence[float], second_scores: Sequence[float], hypotheses: Hypotheses
) -> Sequential:
    """Return the test of a one-player game, from the scores of both players on the same seeds."""
    first, second = np.asarray(first_scores, float), np.asarray(second_scores, float)
    pairs = len(first)
    size = float(np.mean([first, second])) if pairs else 0.0
    shares = (first - second) / size if size else np.zeros(pairs)
    mean, sd = (float(shares.mean()), float(shares.std(ddof=1))) if pairs > 1 else (0.0, 0.0)
    llr, llr_second = (_llr_of_mean(pairs, sign * mean, sd, hypotheses.gain) for sign in (1, -1))
    margin = _Z * sd / math.sqrt(max(pairs, 1))
    effect, half = (mean / sd, _Z / math.sqrt(pairs)) if sd else (0.0, 0.0)
    verdict, decided = _decide(llr, llr_second, pairs, hypotheses)
    return Sequential(
        verdict, decided, pairs, llr, llr_second, hypotheses.bounds(), Interval(mean, mean - margin, mean + margin),
        Interval(effect, effect - half, effect + half), _normal(effect * math.sqrt(pairs)),
    )  # fmt: skip


def _decide(
    first: float, second: float, pairs: int, hypotheses: Hypotheses
) -> tuple[Literal["first", "second", "none"], bool]:
    low, high = hypotheses.bounds()
    if pairs < _FEWEST:
        return "none", False
    if first >= high:
        return "first", True
    if second >= high:
        return "second", True
    return "none", first <= low and second <= low


def score_of_elo(elo: float) -> float:
    """Return the expected share of points for a difference in Elo: 0.5 for none.

    >>> round(score_of_elo(100), 4)
    0.6401
    """
    return 1 / (1 + 10 ** (-elo / 400))


def _elo_of_score(score: float) -> float:
    return -400 * math.log10(1 / score - 1)


def _normal(z: float) -> float:
    """Return the share of a normal distribution below this many standard deviations."""
    return 0.5 * (1 + math.erf(z / math.sqrt(2)))


def _seen(counts: np.ndarray) -> np.ndarray:
    return counts.clip(_UNSEEN)


def _llr_of_pairs(counts: np.ndarray, score0: float, score1: float) -> float:
    """Return the generalised log-likelihood ratio of two mean scores."""
    seen = _seen(counts)
    shares = seen / seen.sum()
    return float(seen @ np.log(_with_mean(shares, score1) / _with_mean(shares, score0)))


def _with_mean(shares: np.ndarray, mean: float) -> np.ndarray:
    """Return the most likely distribution of pairs with this mean."""
    from scipy.optimize import brentq

    off = _POINTS - mean
    low, high = -1 / off.max(), -1 / off.min()
    inside = 1e-9 * (high - low)
    multiplier: float = brentq(
        lambda x: float((shares * off / (1 + x * off)).sum()), low + inside, high - inside, xtol=1e-12
    )
    return shares / (1 + multiplier * off)


def _llr_of_mean(pairs: int, mean: float, sd: float, gain: float) -> float:
    """The log-likelihood ratio of a mean of ``gain`` and one of 0."""
    if sd == 0.0:
        return 0.0 if mean == 0.0 else math.copysign(math.inf, mean)
    return pairs * gain * (2 * mean - gain) / (2 * sd * sd)


# --- A mean that may be checked at any time --------------------------------------------------------------------------

#: The sample size at which a confidence sequence is narrowest beside a fixed interval.
_NARROWEST = 500


def sequence_margin(games: int, alpha: float = 0.05) -> float:
    """Return half the width of a mean's confidence sequence, in standard deviations.

    It is valid for all sample sizes at once, so you may stop as soon as it is narrow enough; a fixed interval, checked
    again and again, would miss the true mean far more often than it claims. This is the asymptotic confidence sequence
    of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory", 2021, eq. (8).

    >>> [round(sequence_margin(n) * n**0.5, 2) for n in (50, 500, 5000)]  # 1.96 at one fixed size
    [3.76, 3.04, 3.26]
    """
    log = -2 * math.log(alpha)
    rho2 = (log + math.log(log) + 1) / _NARROWEST
    n = games * rho2 + 1
    return math.sqrt(2 * n / (games * games * rho2) * math.log(math.sqrt(n) / alpha))
