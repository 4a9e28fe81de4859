"""The work on pupils' heuristics in confined processes: arguments and results are plain data."""

from __future__ import annotations

import threading
import time
from functools import lru_cache
from pathlib import Path

from contienda.compiled.stopping import Stop
from contienda.core.analysis import Analysis
from contienda.core.game import State
from contienda.core.language import BadInput
from contienda.core.specs import Spec
from contienda.evaluation.compiled import compile_evaluator
from contienda.evaluation.safe import check_for, is_safe
from contienda.evaluation.safe_words import Refused
from contienda.games import make_game
from contienda.players import make_player
from contienda.players.base import Player
from contienda.web.searches.players import versions_of

__all__ = ["analyse_confined", "load", "try_heuristic", "uses_safe"]

#: Seconds between two looks at the clock.
_GLANCE = 0.05
#: Players that stay compiled in a process.
_KEPT = 32


def uses_safe(spec: Spec) -> bool:
    """Return whether a player judges by a heuristic in the safe subset: it must run in a confined process."""
    return any(is_safe(value) for value in spec.options.values())


def load(*, stop: Stop) -> None:
    """Do nothing: a process that runs this has loaded what the rest of this module needs."""


def try_heuristic(path: str, game_spec: str, *, stop: Stop) -> str:
    """Check the heuristic in a file, compile it and call it on a few boards; return its function's name."""
    game = make_game(game_spec)
    try:
        name = check_for(Path(path).read_text(encoding="utf-8"), game).name
    except Refused as error:
        told = BadInput(error.reason)
        told.line = error.line
        raise told from None
    compile_evaluator(f"{path}:{name}", game, {})
    return name


def analyse_confined(game_spec: str, spec: str, state: State, seed: int, seconds: float, *, stop: Stop) -> Analysis:
    """Return what a player finds within ``seconds``; compiling does not count."""
    player = _player(game_spec, spec, versions_of(spec))
    watch = _Watch(stop, seconds)
    try:
        return player.analyse(state, stop, seed=seed)
    except BadInput:
        if not watch.over:
            raise
        raise BadInput(
            "no answer within {seconds:,g} s; use a smaller depth, or a time limit such as ms=1000", seconds=seconds
        ) from None
    finally:
        watch.end()


@lru_cache(maxsize=_KEPT)
def _player(game_spec: str, spec: str, versions: tuple[str, ...]) -> Player:
    return make_player(spec, make_game(game_spec))


class _Watch:
    """Stops a search after some seconds; the clock starts when it searches, and again after it has compiled."""

    def __init__(self, stop: Stop, seconds: float) -> None:
        self.over = False
        self._stop, self._seconds, self._ended = stop, seconds, threading.Event()
        threading.Thread(target=self._wait, name="contienda-watch", daemon=True).start()

    def end(self) -> None:
        """Stop watching."""
        self._ended.set()

    def _wait(self) -> None:
        begun: float | None = None
        while not self._ended.wait(_GLANCE):
            begun = (begun or time.monotonic()) if self._stop.searching else None
            if begun is not None and time.monotonic() - begun > self._seconds:
                self.over = True
                self._stop.stop()
                return
