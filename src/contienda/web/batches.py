"""Games of a batch, for a process that does nothing else: its arguments are data, and so is its answer."""

from __future__ import annotations

import time
from functools import lru_cache
from typing import Any, NamedTuple

from contienda.match import Match
from contienda.players import make_player
from contienda.record import result_of
from contienda.specs import parse_spec
from contienda.stopping import Stop
from contienda.web.games import game_to_play
from contienda.web.players import changed

__all__ = ["Ended", "play_some"]

#: Seconds for which a batch plays on before others have their turn: handing over costs as much as a short game.
_TURN = 0.1
#: Matches that stay compiled.
_KEPT = 64


class Ended(NamedTuple):
    """A game that has ended."""

    seed: int
    result: dict[str, Any]
    moves: int
    seconds: float


def play_some(game: str, specs: tuple[str, ...], target: int | None, seeds: list[int], *, stop: Stop) -> list[Ended]:
    """The first of these games, as many as a turn has time for, and one at least."""
    match = _match(game, specs, target, tuple(changed(parse_spec(spec)) for spec in specs))
    begun, ended = time.monotonic(), list[Ended]()
    for seed in seeds:
        played = match.play(seed, stop=stop)
        ended.append(Ended(seed, result_of(played), played.moves, played.seconds))
        if stop.stopped or time.monotonic() - begun > _TURN:
            break
    return ended


@lru_cache(maxsize=_KEPT)
def _match(game_spec: str, specs: tuple[str, ...], target: int | None, versions: tuple[float, ...]) -> Match:
    """``versions``: when the files of heuristics and networks were written, for a new one is another player."""
    game = game_to_play(game_spec)
    match = Match(game, [make_player(spec, game) for spec in specs], target)
    match.compile()
    return match
