"""What describes a source document: its experiments, the figures it published, and our notes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from importlib.resources import files
from io import StringIO
from typing import Any, NamedTuple

from contienda.core.language import Text
from contienda.lab.frames import pl
from contienda.lab.plan import Plan

__all__ = [
    "QUICK_DEPTH",
    "SAMPLED_GAMES",
    "SAMPLED_MOVES",
    "UNPUBLISHED",
    "Document",
    "DocumentExperiment",
    "Improvement",
    "PooledTable",
    "Published",
    "PublishedValue",
    "Sample",
    "experiment",
    "mean_of",
    "rows_of",
]

#: All documents end their games at this tile.
_TARGET = 2048
#: The greatest depth of a quick reproduction.
QUICK_DEPTH = 5
#: When a stand-in plays the games: the number of games, and of moves in each, that are also searched as the document
#: did.
SAMPLED_GAMES, SAMPLED_MOVES = 10, 10


class PublishedValue(NamedTuple):
    """A published mean; its standard deviation where it was given."""

    mean: float
    sd: float | None = None


#: For a figure that the document lacks, measured here beside the others.
UNPUBLISHED = PublishedValue(math.nan)


class Published(NamedTuple):
    """What a document says about one player."""

    player: str
    label: str
    games: int
    figures: dict[str, PublishedValue]
    """By metric: wins (a share), score, max_tile, moves, nodes, nodes_per_move, ms_per_move, seconds."""
    stand_in: str | None = None
    """The stand-in for a player that would take hours: a faster search that makes exactly the same moves.

    The player's times then come from a sample of the moves (`contienda.lab.sampling`).
    """

    @property
    def played_by(self) -> str:
        """The players of these games."""
        return self.stand_in or self.player


class Sample(NamedTuple):
    """What a document says about pooled games: of an algorithm, an evaluator, a depth, won or lost."""

    label: str
    games: int
    figures: dict[str, PublishedValue]
    """By metric, as in `Published`; ``share`` is the share of games that ended with ``tile``."""
    algorithm: str
    evaluator: str | None = None
    depth: int | None = None
    won: bool | None = None
    tile: int | None = None


class PooledTable(NamedTuple):
    """A published table or chart about pooled games of several players."""

    title: Text
    samples: list[Sample]


class Improvement(NamedTuple):
    """Two players that a document compares: the change from one to the other."""

    title: Text
    before: str
    """The prefix of a line's label."""
    after: str


class DocumentExperiment(NamedTuple):
    """Games to play, and the figures published about them."""

    plan: Plan
    published: list[Published]
    pooled: tuple[PooledTable, ...] = ()
    improvements: tuple[Improvement, ...] = ()
    times: Plan | None = None
    """The sampled moves of players that have a stand-in (`Published.stand_in`)."""
    title: Text | None = None
    """The part of the document that this covers, by the numbers of its tables."""

    @property
    def plans(self) -> list[Plan]:
        """All plans to play."""
        return [self.plan] if self.times is None else [self.plan, self.times]


class Document(NamedTuple):
    """A source document: its experiments, and notes on the comparison."""

    title: Text
    experiments: Callable[[bool], list[DocumentExperiment]]
    """``experiments(quick)``"""
    notes: list[Text]
    figures: dict[str, str]
    """By the name of our figure (`contienda.lab.figures`): the numbers of the document's figures that correspond to
    it."""

    def in_order(self, figures: Iterable[str]) -> list[str]:
        """Return names of figures, those of the document first, by their numbers."""
        order = list(self.figures)
        return sorted(figures, key=lambda name: order.index(name) if name in order else len(order))


def rows_of(file: str) -> Iterator[dict[str, Any]]:
    """Return the lines of a published table: a file in ``published/``."""
    text = (files("contienda.lab") / "published" / file).read_text(encoding="utf-8")
    return pl.read_csv(StringIO(text)).iter_rows(named=True)


def experiment(
    name: str, title: Text, quick: bool, games: int, published: Iterable[Published], **more: Any
) -> DocumentExperiment:
    """Return the plan with every player that has published figures."""
    published = list(published)
    values: dict[str, Any] = {"game": "2048", "target": _TARGET, "games": games} | more
    players = tuple(dict.fromkeys(line.played_by for line in published))
    plan = Plan(name=f"{name}-quick" if quick else name, players=players, **values)
    away = {line.player: line.stand_in for line in published if line.stand_in is not None}
    if not away:
        return DocumentExperiment(plan, published, title=title)
    timed = values | {"games": SAMPLED_GAMES, "sample": SAMPLED_MOVES, "turns": False}
    times = Plan(name=f"{plan.name}-times", players=tuple(away), stand_ins=tuple(away.values()), **timed)
    return DocumentExperiment(plan, published, times=times, title=title)


def mean_of(values: pl.Series) -> PublishedValue:
    """Return the mean and the standard deviation of published values."""
    numbers = values.to_numpy().astype(float)
    return PublishedValue(float(numbers.mean()), float(numbers.std(ddof=1)))
