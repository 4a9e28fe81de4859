"""The pairings of a league: round robin, gauntlet, Swiss and knock-out.

A format is a generator of rounds. Each round is a list of meetings of two players, known only after the rounds before:
it receives the points of every meeting so far. In a game for one there are no meetings: all players play the same
seeds.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Generator, Sequence

from contienda.core.language import BadInput
from contienda.league.competitors import Competitor

__all__ = ["FORMATS", "Meetings", "PointsSoFar", "rounds_of"]

#: Pairs of names.
Meetings = list[tuple[str, str]]
#: The first's and the second's points in each meeting of a round.
PointsSoFar = dict[tuple[str, str], tuple[float, float]]
#: Attempts to pair a round of a Swiss league without rematches.
_MOST_STEPS = 20_000
#: Players of a block of a round robin: two blocks have processes at a time (`contienda.league.hosts`).
_BLOCK = 12
Rounds = Generator[Meetings, PointsSoFar, None]


def rounds_of(format: str, players: Sequence[Competitor]) -> Rounds:
    """Return the rounds of a format: send each round's points to get the next."""
    if format not in FORMATS:
        raise BadInput("--format {format!r}: there are {known}", format=format, known=", ".join(FORMATS))
    return FORMATS[format](players)


def _round_robin(players: Sequence[Competitor]) -> Rounds:
    """Everybody meets everybody: block by block, so that few players need to be kept compiled at any time."""
    pairs = itertools.combinations(range(len(players)), 2)
    in_blocks = sorted(pairs, key=lambda pair: (pair[0] // _BLOCK, pair[1] // _BLOCK, pair))
    yield [(players[first].name, players[second].name) for first, second in in_blocks]


def _gauntlet(players: Sequence[Competitor]) -> Rounds:
    """Everybody meets each of the staff, who also meet each other; pupils do not meet."""
    staff = [player.name for player in players if player.staff]
    others = [player.name for player in players if not player.staff]
    yield [*itertools.combinations(staff, 2), *itertools.product(others, staff)]


def _swiss(players: Sequence[Competitor]) -> Rounds:
    """Each player meets a new opponent with about as many points: log2 n rounds, plus one."""
    names = [player.name for player in players]
    points = dict.fromkeys(names, 0.0)
    met: set[frozenset[str]] = set()
    rested: set[str] = set()
    for _ in range(min(math.ceil(math.log2(max(len(names), 2))) + 1, len(names) - 1)):
        waiting = sorted(names, key=lambda name: (-points[name], names.index(name)))
        if len(waiting) % 2:  # the lowest player that has not had a bye gets one, which counts as a win
            out = next((name for name in reversed(waiting) if name not in rested), waiting[-1])
            waiting.remove(out)
            rested.add(out)
            points[out] += 1.0
        meetings = _paired(waiting, met)
        met |= {frozenset(pair) for pair in meetings}
        told = yield meetings
        for (first, second), (own, other) in told.items():
            total = own + other or 1.0
            points[first] += own / total
            points[second] += other / total


def _paired(waiting: list[str], met: set[frozenset[str]]) -> Meetings:
    """Pair players who have not met, as close in the ranking as possible; if that is impossible, neighbours meet
    again."""
    steps = itertools.count()

    def pair(left: list[str]) -> Meetings | None:
        if not left:
            return []
        first, others = left[0], left[1:]
        for place, second in enumerate(others):
            if next(steps) > _MOST_STEPS:
                return None
            if frozenset((first, second)) not in met:
                rest = pair(others[:place] + others[place + 1 :])
                if rest is not None:
                    return [(first, second), *rest]
        return None

    return pair(waiting) or list(zip(waiting[::2], waiting[1::2], strict=True))


def _knock_out(players: Sequence[Competitor]) -> Rounds:
    """The loser of a meeting is out; after a tie, the one earlier in the list goes on."""
    left = [player.name for player in players]
    while len(left) > 1:
        free = 2 ** math.ceil(math.log2(len(left))) - len(left)
        playing = left[free:]
        half = len(playing) // 2
        meetings = list(zip(playing[:half], reversed(playing[half:]), strict=True))
        told = yield meetings
        winners = [second if told[first, second][1] > told[first, second][0] else first for first, second in meetings]
        left = left[:free] + winners


FORMATS: dict[str, Callable[[Sequence[Competitor]], Rounds]] = {
    "round-robin": _round_robin,
    "gauntlet": _gauntlet,
    "swiss": _swiss,
    "knock-out": _knock_out,
}
