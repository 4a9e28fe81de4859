"""The standing of a league: ladder, cross table, and remarks on them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from contienda.core.language import Text, plural
from contienda.lab.ratings import Met, Ratings, rate
from contienda.lab.statistics import Interval, mean_interval
from contienda.league.competitors import Competitor
from contienda.league.store import LeagueGame

__all__ = ["HeadToHead", "LadderRow", "Standing", "standing_of"]


class HeadToHead(NamedTuple):
    """A player's games against another."""

    won: int
    drawn: int
    lost: int


class _Comparison(NamedTuple):
    """A game of two players, or their scores on the same seed in a game for one."""

    first: str
    second: str
    points: float
    """The first player's: 1, 0.5 or 0."""
    group: int
    """The seed, in a game for one: comparisons on one seed are not independent."""


@dataclass
class LadderRow:
    """A player in the table."""

    name: str
    rating: float | None = None
    low: float | None = None
    high: float | None = None
    """The ends of the rating's 95 % interval."""
    games: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    points: float = 0.0
    """A point for each game won, half a point for each drawn."""
    disqualified: Text | None = None
    """Why the player is out; its games do not count."""
    staff: bool = False
    forfeits: int = 0
    """Games lost by rule: out of time, an illegal move, a crash."""
    score: Interval | None = None
    """The mean score, in a game for one."""

    def as_data(self) -> dict[str, Any]:
        """The row as ``--json`` prints it."""
        data: dict[str, Any] = {
            "name": self.name, "rating": self.rating, "low": self.low, "high": self.high, "games": self.games,
            "won": self.won, "drawn": self.drawn, "lost": self.lost, "points": self.points,
            "disqualified": None if self.disqualified is None else str(self.disqualified),
            "staff": self.staff, "forfeits": self.forfeits,
        }  # fmt: skip
        if self.score is not None:
            data["score"] = {"value": self.score.value, "low": self.score.low, "high": self.score.high}
        return data


@dataclass
class Standing:
    """The ladder and the cross table."""

    rows: list[LadderRow]
    """The best first; disqualified players last."""
    cross: dict[str, dict[str, HeadToHead]] = field(default_factory=dict)
    """By player and opponent."""
    repeated: int = 0
    """Games that repeated another, move for move; they do not count."""
    bounded: bool = True
    """See `contienda.lab.ratings.Ratings.bounded`."""
    anchored: bool = False

    def row(self, name: str) -> LadderRow:
        """Return a player's row."""
        return next(row for row in self.rows if row.name == name)

    @property
    def notes(self) -> list[Text]:
        """Remarks for the reader of the table."""
        notes = []
        if self.repeated:
            n = self.repeated
            notes.append(
                plural("{n} game repeated another and counts once", "{n:,} games repeated others and count once", n)
            )
        if not self.bounded:
            notes.append(
                Text(
                    "some players won or lost every game: ratings were estimated with one extra drawn game "
                    "for each player"
                )
            )
        return notes

    def as_data(self) -> dict[str, Any]:
        """The standing as ``--json`` prints it."""
        return {
            "table": [row.as_data() for row in self.rows],
            "cross": {
                name: {other: counts._asdict() for other, counts in met.items()} for name, met in self.cross.items()
            },
            "repeated": self.repeated,
            "notes": [str(note) for note in self.notes],
        }


def standing_of(
    players: Sequence[Competitor],
    games: Iterable[LeagueGame],
    disqualified: Mapping[str, Text],
    anchors: Mapping[str, float] | None = None,
) -> Standing:
    """Return the standing after these games."""
    rows = {player.name: LadderRow(player.name, staff=player.staff) for player in players}
    for name, reason in disqualified.items():
        rows[name].disqualified = reason
    playing = [player.name for player in players if player.name not in disqualified]
    number = {name: place for place, name in enumerate(playing)}
    counted, repeated = _without_repeats(game for game in games if _counts(game, number))
    alone = bool(counted) and counted[0].pairing.second is None
    met = _compared(counted, rows) if alone else _met(counted, rows)
    cross: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0, 0]))
    for first, second, score, _ in met:
        for own, other, points in ((first, second, score), (second, first, 1 - score)):
            row = rows[own]
            place = {1.0: 0, 0.5: 1, 0.0: 2}[points]
            cross[own][other][place] += 1
            row.won, row.drawn, row.lost = row.won + (place == 0), row.drawn + (place == 1), row.lost + (place == 2)
            row.points += points
            if not alone:
                row.games += 1
    known = {number[name]: rating for name, rating in (anchors or {}).items() if name in number}
    found = Ratings([], 0.0, True)
    if met:
        numbered = [Met(number[first], number[second], score, group) for first, second, score, group in met]
        found = rate(len(playing), numbered, known, groups=alone)
        for name, interval in zip(playing, found.players, strict=True):
            rows[name].rating, rows[name].low, rows[name].high = interval.value, interval.low, interval.high
    ladder = sorted(
        rows.values(),
        key=lambda row: (row.disqualified is not None, -(row.rating or 0.0), -row.points, row.name),
    )
    return Standing(
        ladder,
        {name: {other: HeadToHead(*counts) for other, counts in own.items()} for name, own in cross.items()},
        repeated,
        found.bounded,
        bool(known),
    )


def _counts(game: LeagueGame, number: Mapping[str, int]) -> bool:
    names = [name for name in game.pairing[:2] if name is not None]
    return game.ended != "stopped" and all(name in number for name in names)


def _without_repeats(games: Iterable[LeagueGame]) -> tuple[list[LeagueGame], int]:
    """Return the games without those that repeat another of the same two players, move for move, and the number of
    repetitions.

    In a game for one, chance makes games differ, and all games on the same seeds must count.
    """
    kept: dict[tuple[object, ...], LeagueGame] = {}
    repeated = 0
    for game in games:
        alone = game.pairing.second is None
        key = (game.pairing.first, game.pairing.seed) if alone else (*game.pairing[:2], *game.course)
        if game.ended == "forfeit" and not alone:  # every breach of a rule counts
            key = (*key, game.pairing.seed)
        if key in kept:
            repeated += 1
        kept.setdefault(key, game)
    return list(kept.values()), repeated


def _met(games: list[LeagueGame], rows: Mapping[str, LadderRow]) -> list[_Comparison]:
    met = []
    for game in games:
        first, second = game.pairing.first, game.pairing.second
        assert second is not None
        met.append(_Comparison(first, second, {1: 1.0, 0: 0.5, 2: 0.0}[game.winner or 0], 0))
        if game.fault is not None:
            rows[(first, second)[game.fault]].forfeits += 1
    return met


def _compared(games: list[LeagueGame], rows: Mapping[str, LadderRow]) -> list[_Comparison]:
    """Compare the scores of all players on each seed: the higher one wins. A player that breaks a rule gets no
    points."""
    scores: dict[int, dict[str, int]] = defaultdict(dict)
    own: dict[str, list[int]] = defaultdict(list)
    for game in games:
        name = game.pairing.first
        worth = 0 if game.fault is not None else int(game.score or 0)
        scores[game.pairing.seed][name] = worth
        own[name].append(worth)
        rows[name].games += 1
        rows[name].forfeits += game.fault is not None
    for name, found in own.items():
        rows[name].score = mean_interval(found)  # type: ignore[arg-type]
    met = []
    for seed, by_name in scores.items():
        names = list(by_name)
        for place, first in enumerate(names):
            for second in names[place + 1 :]:
                difference = by_name[first] - by_name[second]
                met.append(_Comparison(first, second, 0.5 if difference == 0 else float(difference > 0), seed))
    return met
