"""Statistics of games: means with intervals, paired differences, the frontier of quality and time.

SciPy does the statistics; the resampling of the bootstrap has a fixed seed, so that a report is the same each time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from contienda.core.language import Text
from contienda.core.specs import parse_spec
from contienda.lab.frames import pl
from contienda.lab.table import counted

__all__ = [
    "Difference",
    "Interval",
    "Recommended",
    "Summary",
    "compare",
    "compare_all",
    "frontier",
    "mean_interval",
    "recommend",
    "share_interval",
    "summarise",
]

_CONFIDENCE = 0.95
#: Resamples of the bootstrap (Efron and Tibshirani 1993 ask for 1,000 at least for intervals).
_RESAMPLES = 2000
#: From this many games on, the bootstrap gives the normal interval to a hundredth of its width, and is slow.
_MANY = 2_000

Samples = npt.NDArray[Any]


@dataclass(frozen=True)
class Interval:
    """A figure and its 95 % confidence interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Summary:
    """One entrant's games."""

    entrant: int
    name: str
    games: int
    score: Interval | None
    """The mean score; None in a game without scores."""
    score_sd: float | None
    score_median: float | None
    wins: Interval
    """The share of games won."""
    draws: int
    moves: Interval
    moves_sd: float
    max_tile: Interval | None
    max_tile_sd: float | None
    tiles: dict[int, int]
    """How many games ended with each largest tile."""
    nodes_per_move: float
    seconds: Interval
    """Of a game."""
    seconds_sd: float
    ms_per_move: float

    @property
    def quality(self) -> float:
        """The measure for comparisons: the mean score, or the share of wins."""
        return self.wins.value if self.score is None else self.score.value


@dataclass(frozen=True)
class Difference:
    """Two entrants on the same seeds: the first minus the second."""

    first: int
    second: int
    games: int
    difference: Interval
    effect: float
    """Cohen's d of paired differences: their mean by their standard deviation."""
    p: float
    """The p-value of Wilcoxon's signed-rank test, corrected if there are several comparisons (`compare_all`)."""


def summarise(table: pl.DataFrame) -> list[Summary]:
    """Return a summary of every entrant that has games; those that repeat others count once."""
    return [_summary(own) for own in counted(table).partition_by("entrant", maintain_order=True)]


def _summary(own: pl.DataFrame) -> Summary:
    scored, tiled = own["score"][0] is not None, own["max_tile"][0] is not None
    scores, tiles, moves, seconds = (own[name].to_numpy() for name in ("score", "max_tile", "moves", "seconds"))
    total = max(int(moves.sum()), 1)
    return Summary(
        own["entrant"][0],
        own["name"][0],
        len(own),
        mean_interval(scores) if scored else None,
        _sd(scores) if scored else None,
        float(np.median(scores)) if scored else None,
        share_interval(int(own["won"].sum()), len(own)),
        int((own["winner"] == 0).sum()),
        mean_interval(moves),
        _sd(moves),
        mean_interval(tiles) if tiled else None,
        _sd(tiles) if tiled else None,
        {int(tile): int(n) for tile, n in zip(*np.unique(tiles, return_counts=True), strict=True)} if tiled else {},
        int(own["nodes"].sum()) / total,
        mean_interval(seconds),
        _sd(seconds),
        1000 * float(seconds.sum()) / total,
    )


def _sd(values: Samples) -> float:
    return float(np.std(values, ddof=1)) if len(values) > 1 else 0.0


def mean_interval(values: Samples) -> Interval:
    """Return the mean and its bootstrap interval (percentiles); NaN if a value is unknown."""
    from scipy.stats import bootstrap, norm

    values = np.asarray(values, float)
    mean = float(values.mean())
    if len(values) < 2 or math.isnan(mean) or values.min() == values.max():
        return Interval(mean, mean, mean)
    if len(values) > _MANY:
        margin = float(norm.ppf(0.5 + _CONFIDENCE / 2)) * _sd(values) / math.sqrt(len(values))
        return Interval(mean, mean - margin, mean + margin)
    found = bootstrap(
        (values,),
        np.mean,
        confidence_level=_CONFIDENCE,
        n_resamples=_RESAMPLES,
        method="percentile",
        batch=max(1, 2_000_000 // len(values)),
        rng=np.random.default_rng(0),
    ).confidence_interval
    return Interval(mean, float(found.low), float(found.high))


def share_interval(count: int, total: int) -> Interval:
    """Return a share and its Wilson interval.

    >>> interval = share_interval(8, 10)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.4902, 0.9433)
    """
    from scipy.stats import binomtest

    found = binomtest(count, total).proportion_ci(_CONFIDENCE, method="wilson")
    return Interval(count / total, float(found.low), float(found.high))


def compare(table: pl.DataFrame, first: int, second: int) -> Difference | None:
    """Compare two entrants, game by game, on the seeds that both have played."""
    from scipy.stats import wilcoxon

    table = counted(table)
    if table.is_empty():
        return None
    quality = pl.col("score" if table["score"][0] is not None else "won").cast(pl.Float64).alias("quality")
    ours, theirs = (table.filter(pl.col("entrant") == e).select("seed", quality) for e in (first, second))
    both = ours.join(theirs, on="seed", how="inner", maintain_order="left")
    differences = (both["quality"] - both["quality_right"]).to_numpy()
    if not len(differences):
        return None
    sd, mean = _sd(differences), float(differences.mean())
    p = float(wilcoxon(differences).pvalue) if differences.any() else 1.0
    return Difference(
        first, second, len(differences), mean_interval(differences),
        mean / sd if sd else math.copysign(math.inf, mean) if mean else 0.0, p,
    )  # fmt: skip


def compare_all(table: pl.DataFrame, base: int, others: Sequence[int]) -> list[Difference]:
    """Compare one entrant with each of the others, on the seeds that both have played.

    Many comparisons find differences by luck alone, so each p is corrected after Holm (1979): of n comparisons the
    smallest p is multiplied by n, the next by n - 1, and so on, and none is less than the one before.
    """
    found = [difference for other in others if (difference := compare(table, base, other)) is not None]
    corrected = 0.0
    held: dict[int, float] = {}
    for rank, each in enumerate(sorted(found, key=lambda difference: difference.p)):
        corrected = max(corrected, min(1.0, (len(found) - rank) * each.p))
        held[each.second] = corrected
    return [replace(each, p=held[each.second]) for each in found]


def frontier(summaries: list[Summary]) -> list[Summary]:
    """Return the Pareto frontier, fastest first: no other player is better in less time per move."""
    best = -math.inf
    found = []
    for summary in sorted(summaries, key=lambda s: (s.ms_per_move, -s.quality)):
        if summary.quality > best:
            best = summary.quality
            found.append(summary)
    return found


#: ort's scenarios, with what each requires.
_SCENARIOS = {
    "best play": Text("best play, at any cost"),
    "balance": Text("balance of quality and time"),
    "speed": Text("speed first"),
    "research": Text("research: the best that models chance"),
}


@dataclass(frozen=True)
class Recommended:
    """The recommended player for a scenario."""

    scenario: Text
    summary: Summary
    equals: tuple[str, ...] = ()
    """Others that are not shown to be worse by these games."""

    @property
    def note(self) -> Text | None:
        """What takes the place of the recommendation where these games show no best player."""
        if not self.equals:
            return None
        return Text("no difference shown between {players}", players=", ".join((self.summary.name, *self.equals)))

    def __str__(self) -> str:
        return self.summary.name if self.note is None else str(self.note)


def recommend(summaries: list[Summary], table: pl.DataFrame) -> list[Recommended]:
    """Recommend a player for each scenario of ort, from these games.

    Best play: the highest quality, with those that are not shown to be worse. Balance: on the frontier, the most
    quality for each doubling of the time over the fastest. Speed: the fastest that reaches half of the best quality.
    Research: the best expectimax.
    """
    if not summaries:
        return []
    top = max(summaries, key=lambda s: s.quality)
    line = frontier(summaries)
    fastest = line[0]

    def gain(s: Summary) -> float:
        return (s.quality - fastest.quality) / (1 + math.log2(max(s.ms_per_move / max(fastest.ms_per_move, 1e-9), 1)))

    found = {"best play": top, "balance": max(line, key=gain)}
    fast = [s for s in line if s.quality >= top.quality / 2]
    if fast:
        found["speed"] = fast[0]
    average = [s for s in summaries if s.name.startswith("expecti")]
    if average:
        found["research"] = max(average, key=lambda s: s.quality)
    others = [summary.entrant for summary in summaries if summary is not top]
    unproved = {each.second for each in compare_all(table, top.entrant, others) if each.p > 1 - _CONFIDENCE}
    equals = tuple(summary.name for summary in summaries if summary.entrant in unproved)
    return [
        Recommended(_SCENARIOS[name], summary, equals if name == "best play" else ()) for name, summary in found.items()
    ]


# --- As a table ------------------------------------------------------------------------------------------------------

#: Keys in a player's spec that are not weights.
_NO_CONFIGURATION = ("depth", "ms", "nodes", "eval", "h", "ties", "opponent")


def means_of(table: pl.DataFrame) -> pl.DataFrame:
    """Return a row for each entrant with the results of `summarise`, for figures.

    ``quality`` is the mean score, or the share of wins; ``config`` the evaluator with what else the spec sets. Times
    that are not known yet are null.
    """
    rows = []
    summaries = summarise(table)
    timed = [summary for summary in summaries if not math.isnan(summary.ms_per_move)]
    line = {summary.entrant for summary in frontier(timed)}
    for summary, own in zip(summaries, table.partition_by("entrant", maintain_order=True), strict=True):
        quality = summary.wins if summary.score is None else summary.score
        options = parse_spec(own["player"][0]).options
        more = [f"{key}={value}" for key, value in options.items() if key not in _NO_CONFIGURATION]
        row = {key: own[key][0] for key in ("name", "algorithm", "eval", "depth")}
        row |= {"config": ",".join([own["eval"][0] or "", *more]), "games": summary.games}
        row["frontier"] = summary.entrant in line
        row |= _spread("quality", quality) | _spread("wins", summary.wins)
        row |= _spread("max_tile", summary.max_tile) | _spread("seconds", summary.seconds)
        rows.append(row | {"nodes_per_move": summary.nodes_per_move, "ms_per_move": summary.ms_per_move})
    kinds = {"max_tile": pl.Float64, "max_tile_low": pl.Float64, "max_tile_high": pl.Float64, "depth": pl.Int64}
    return pl.DataFrame(rows, schema_overrides=kinds).fill_nan(None)


def _spread(name: str, interval: Interval | None) -> dict[str, float | None]:
    if interval is None:
        return {name: None, f"{name}_low": None, f"{name}_high": None}
    return {name: interval.value, f"{name}_low": interval.low, f"{name}_high": interval.high}
