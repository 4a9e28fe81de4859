"""Compares each figure that a document published with ours and its interval."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from contienda.core.language import Text
from contienda.lab.documents import TIMED
from contienda.lab.documents.description import (
    DocumentExperiment,
    Improvement,
    PooledTable,
    Published,
    PublishedValue,
    Sample,
)
from contienda.lab.frames import pl
from contienda.lab.plan import Entrant
from contienda.lab.statistics import Interval, mean_interval, share_interval

__all__ = [
    "METRICS",
    "Change",
    "ComparedLine",
    "Comparison",
    "changes_of",
    "compare_pooled",
    "compare_with_published",
    "impossible_score",
    "of_player",
    "per_move",
    "times",
    "verdict",
]

#: The figures that are compared, with their names and formats. Seconds depend on the machine, so they give a factor
#: instead.
METRICS: dict[str, tuple[Text, str]] = {
    "wins": (Text("won"), ",.0%"),
    "score": (Text("score"), ",.0f"),
    "max_tile": (Text("largest tile"), ",.0f"),
    "moves": (Text("moves"), ",.0f"),
    "nodes": (Text("nodes"), ",.0f"),
    "nodes_per_move": (Text("nodes/move"), ",.0f"),
    "share": (Text("share of games"), ",.0%"),
    "seconds": (Text("seconds"), ",.3g"),
    "ms_per_move": (Text("ms/move"), ",.3g"),
}
#: The costs of a player, which are sampled if a stand-in plays its games.
_COST = ("seconds", "ms_per_move", "nodes", "nodes_per_move")

#: Differences less likely than this are not attributed to luck.
_DOUBT = 0.05


@dataclass(frozen=True)
class Comparison:
    """A published figure and ours."""

    metric: str
    published: PublishedValue
    ours: Interval | None
    """None until the moves that give the times have been searched."""
    inside: bool
    """The published figure lies within our interval."""
    p: float | None
    """The p-value of the difference: Welch's test, or Fisher's for shares; none without a deviation."""
    sd: float | None = None
    """Our standard deviation, where one was published."""


class ComparedLine(NamedTuple):
    """One player: the document's games and ours."""

    label: str
    name: str
    """The document's player, and its opponent if there is one."""
    games: int
    comparisons: list[Comparison]
    faster: float | None
    """How many times faster a game is."""
    impossible: bool
    """The published score is too low for the published tile."""


def compare_with_published(
    experiment: DocumentExperiment, games: pl.DataFrame, times: pl.DataFrame | None = None
) -> list[ComparedLine]:
    """Compare every published player that has played; in a two-player game, against each opponent.

    ``times`` has the sampled moves of players whose games stand-ins played.
    """
    return [
        _line(published, own, own if published.stand_in is None else of_player(times, published.player))
        for published in experiment.published
        for own in games.filter(pl.col("player") == published.played_by).partition_by("entrant", maintain_order=True)
    ]


def of_player(times: pl.DataFrame | None, player: str) -> pl.DataFrame | None:
    """Return the games of a player; None if there are none."""
    own = None if times is None else times.filter(pl.col("player") == player)
    return None if own is None or own.is_empty() else own


def per_move(sampled: pl.DataFrame | None, column: str) -> float | None:
    """Return the mean of a figure over all moves of some games."""
    return None if sampled is None else float(sampled[column].sum()) / max(int(sampled["moves"].sum()), 1)


def compare_pooled(experiment: DocumentExperiment, table: pl.DataFrame) -> list[tuple[PooledTable, list[ComparedLine]]]:
    """Return the document's tables of pooled games, each with our corresponding games."""
    return [
        (pooled, [_pooled_line(sample, own) for sample in pooled.samples if len(own := _games_of(sample, table))])
        for pooled in experiment.pooled
    ]


def _games_of(sample: Sample, table: pl.DataFrame) -> pl.DataFrame:
    wanted = {"algorithm": sample.algorithm, "eval": sample.evaluator, "depth": sample.depth, "won": sample.won}
    return table.filter(*(pl.col(name) == value for name, value in wanted.items() if value is not None))


def _pooled_line(sample: Sample, own: pl.DataFrame) -> ComparedLine:
    comparisons = [
        _comparison(metric, figure, sample.games, own, sample.tile) for metric, figure in sample.figures.items()
    ]
    return ComparedLine(sample.label, "", len(own), comparisons, _faster(sample.figures, own), impossible=False)


def _faster(figures: dict[str, PublishedValue], timed: pl.DataFrame | None) -> float | None:
    ours = 0.0 if timed is None else float(timed["seconds"].to_numpy().mean())
    return figures["seconds"].mean / ours if "seconds" in figures and ours > 0 else None


def _line(published: Published, own: pl.DataFrame, timed: pl.DataFrame | None) -> ComparedLine:
    comparisons = [
        _comparison(metric, figure, published.games, timed if metric in _COST else own)
        for metric, figure in published.figures.items()
    ]
    opponent = own["opponent"][0]
    return ComparedLine(
        published.label if opponent is None else f"{published.label} – {opponent}",
        str(Entrant(published.player, opponent)),
        len(own),
        comparisons,
        _faster(published.figures, timed),
        impossible_score(published.figures),
    )


def _comparison(
    metric: str, published: PublishedValue, games: int, own: pl.DataFrame | None, tile: int | None = None
) -> Comparison:
    if own is None:
        return Comparison(metric, published, None, inside=False, p=None)
    if metric in ("wins", "share"):
        sd = None
        won = int((own["won"] if metric == "wins" else own["max_tile"] == tile).sum())
        ours = share_interval(won, len(own))
        known = not math.isnan(published.mean)
        p: float | None = _fisher(round(published.mean * games), games, won, len(own)) if known else None
    else:
        values = _values(metric, own)
        ours = mean_interval(values)
        sd = None if published.sd is None or len(values) < 2 else float(values.std(ddof=1))
        p = None if published.sd is None else _welch(published.mean, published.sd, games, values)
    # A share published with two decimals is as precise as ours.
    inside = ours.low - 5e-5 <= published.mean <= ours.high + 5e-5
    return Comparison(metric, published, ours, inside, p, sd)


def _values(metric: str, own: pl.DataFrame) -> np.ndarray[Any, Any]:
    """A figure of each game."""
    if metric == "ms_per_move":
        return np.asarray(1000 * own["seconds"] / _own_moves(own))
    if metric == "nodes_per_move":
        return np.asarray(own["nodes"] / _own_moves(own))
    return own[metric].to_numpy().astype(float)


def _own_moves(own: pl.DataFrame) -> pl.Series:
    """The number of moves that the player itself made: in all documents' games for two it moves second."""
    return (own["moves"] if own["opponent"][0] is None else own["moves"] // 2).clip(1)


def _fisher(won: int, games: int, our_won: int, our_games: int) -> float:
    from scipy.stats import fisher_exact

    return float(fisher_exact([[won, games - won], [our_won, our_games - our_won]]).pvalue)


def _welch(mean: float, sd: float, games: int, values: np.ndarray[Any, Any]) -> float | None:
    from scipy.stats import ttest_ind_from_stats

    if len(values) < 2 or (sd == 0 and values.std() == 0):
        return None
    ours = (values.mean(), values.std(ddof=1), len(values))
    return float(ttest_ind_from_stats(mean, sd, games, *ours, equal_var=False).pvalue)


def impossible_score(figures: dict[str, PublishedValue]) -> bool:
    """Return whether a mean score is too low for the mean largest tile.

    A tile 2^k made of 4s only takes merges worth (k − 2) × 2^k. That grows faster than the tile, so its mean over games
    is at least its value at the mean tile (Jensen's inequality).
    """
    if "score" not in figures or "max_tile" not in figures:
        return False
    tile = figures["max_tile"].mean
    return figures["score"].mean < tile * (math.log2(tile) - 2)


def verdict(lines: list[ComparedLine]) -> Text:
    """Return how many figures agree, and how many times faster games are."""
    compared = [
        c
        for line in lines
        for c in line.comparisons
        if c.metric not in TIMED and c.ours is not None and not math.isnan(c.published.mean)
    ]
    if not compared and any(math.isnan(c.published.mean) for line in lines for c in line.comparisons):
        return Text("no figures were published of this")
    inside = sum(c.inside for c in compared)
    tested = [c.p for c in compared if c.p is not None]
    alike = sum(p > _DOUBT for p in tested)
    faster = [line.faster for line in lines if line.faster is not None]
    agree = Text(
        "{inside:,} of {compared:,} published figures lie within our intervals; {alike:,} of {tested:,} "
        "differ by no more than luck would make them (p > {doubt:,})",
        inside=inside,
        compared=len(compared),
        alike=alike,
        tested=len(tested),
        doubt=_DOUBT,
    )
    if not faster:
        return agree
    return Text(
        "{agree}; a game is {low} to {high} times faster, median {middle}",
        agree=agree,
        low=times(min(faster)),
        high=times(max(faster)),
        middle=times(median(faster)),
    )


def times(factor: float) -> Text:
    """A factor, to two digits at least."""
    return Text("{factor:,.0f}", factor=factor) if factor >= 10 else Text("{factor:,.2g}", factor=factor)


class Change(NamedTuple):
    """The change of a figure from one player to another, absolute and relative; published and ours."""

    metric: str
    published: float
    published_share: float | None
    ours: float | None
    ours_share: float | None


def changes_of(improvement: Improvement, lines: list[ComparedLine]) -> list[Change]:
    """A document's comparison of two of its players, beside ours; nothing until both have played."""
    found = [next((line for line in lines if line.label.startswith(f"{each} ")), None) for each in improvement[1:]]
    if found[0] is None or found[1] is None:
        return []
    before, after = found[0].comparisons, found[1].comparisons
    return [
        Change(
            b.metric,
            a.published.mean - b.published.mean,
            _share(b.published.mean, a.published.mean),
            None if a.ours is None or b.ours is None else a.ours.value - b.ours.value,
            None if a.ours is None or b.ours is None else _share(b.ours.value, a.ours.value),
        )
        for b, a in zip(before, after, strict=True)
    ]


def _share(before: float, after: float) -> float | None:
    return after / before - 1 if before else None
