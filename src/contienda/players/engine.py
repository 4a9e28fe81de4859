"""``engine:cmd=./theirs``: a program in any language as a player, over a line protocol (`docs/en/engines.md`).

An illegal move, silence or a crash is an `EngineFault`: in a match the engine loses the game.
"""

from __future__ import annotations

import math
import threading
import weakref
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from contienda.compiled.stopping import Stop
from contienda.core.analysis import MoveValue, new_tally
from contienda.core.game import Game, State
from contienda.core.language import BadInput
from contienda.evaluation.failing import position_text
from contienda.players.base import Player
from contienda.players.engine_process import EngineFault, EngineProcess, check_command
from contienda.players.options import Options

__all__ = ["EnginePlayer", "make_engine"]

#: Milliseconds for a move without another limit, and milliseconds that an engine may be late.
_MS = 1000
_LATE = 1.0
#: Seconds for a move that has another limit, and for an engine to start: it may have to compile first.
_TIMEOUT = 60.0
_START = 60.0


class EngineSeat(NamedTuple):
    """What the player keeps at one board."""

    tally: np.record
    info: dict[str, Any]
    """The engine's information about its last move."""


def make_engine(game: Game, options: Options) -> EnginePlayer:
    """Return a player that runs another program."""
    command = options.text("cmd", "")
    if not command:
        raise BadInput("engine needs a program: engine:cmd=./theirs")
    check_command(command)
    asked = {key: options.whole_number(key) for key in ("depth", "nodes", "ms")}
    given = {key: number for key, number in asked.items() if number is not None}
    for key, number in given.items():
        if number < 1:
            raise BadInput("{key}={number} must be at least 1", key=key, number=number)
    timeout = options.number("timeout")
    if timeout is not None and not 0 < timeout <= 86400:
        raise BadInput("timeout={timeout:g}: seconds, more than 0", timeout=timeout)
    return EnginePlayer(options, game, command, given or {"ms": _MS}, timeout)


class EnginePlayer(Player):
    """A program that returns moves. It gets the whole position each time, so any idle process will do."""

    compiled = False

    def __init__(
        self, options: Options, game: Game, command: str, limit: dict[str, int], timeout: float | None
    ) -> None:
        super().__init__(options.spec, game)
        self._command = command
        self._limit = " ".join(f"{key} {number}" for key, number in limit.items())
        ms = limit.get("ms")
        self._seconds = timeout or (_TIMEOUT if ms is None else ms / 1000 + _LATE)
        self._free: list[EngineProcess] = []
        self._lock = threading.Lock()
        weakref.finalize(self, _close_all, self._free)  # at the end of the program at the latest

    def seat(self, seed: int) -> EngineSeat:
        return EngineSeat(new_tally(), {})

    def _rehearse(self) -> None:
        """Start the program: a failure here is a wrong command, not a lost game."""
        try:
            self._release(self._take())
        except EngineFault as fault:
            raise BadInput("{spec}: {fault}", spec=self.spec, fault=fault.text) from None

    def choose(self, state: State, seat: EngineSeat) -> int:
        """Return the program's move; raise `EngineFault` if it loses the game."""
        seat.info.clear()
        engine = self._take()
        try:
            position = self._position(state)
            answer = engine.ask(position, self._limit, self._seconds, lambda: int(seat.tally.budget) == 0)
            action = -1 if answer.move is None else self._number(state, answer.move)
        except BaseException:
            engine.close()
            raise
        self._release(engine) if answer.move is not None else engine.close()
        seat.info.update(_read_info(answer.info))
        seat.tally.nodes, seat.tally.depth = seat.info.get("nodes", 1), seat.info.get("depth", 0)
        return action

    def _position(self, state: State) -> str:
        score = self.game.outcome(state).get("score") if "points" in self.game.features else None
        return self.game.format(state) + (f" score {score}" if score else "")

    def _number(self, state: State, move: str) -> int:
        names = {self.game.action_name(state, action): action for action in self.game.legal_actions(state)}
        if move not in names:
            raise EngineFault(
                "its move {move!r:.40} is not legal at {where}: there are {known}",
                move=move,
                where=position_text(self.game, state),
                known=", ".join(names),
            )
        return names[move]

    def _value_moves(self, state: State, best: int, seat: EngineSeat, stop: Stop) -> list[MoveValue]:
        """Return the chosen move with the value that the program reports; nothing is known about the others."""
        chosen = self.game.action_name(state, best)
        value = float(seat.info.get("value", math.nan))
        names = [self.game.action_name(state, action) for action in self.game.legal_actions(state)]
        others = [MoveValue(name, math.nan) for name in names if name != chosen]
        return [MoveValue(chosen, value), *others]

    def _line(self, state: State, best: int, seat: EngineSeat, stop: Stop) -> list[str]:
        pv: list[str] = seat.info.get("pv", [])
        chosen = self.game.action_name(state, best)
        return pv if pv[:1] == [chosen] else [chosen]

    def _take(self) -> EngineProcess:
        with self._lock:
            if self._free:
                return self._free.pop()
        return EngineProcess(self._command, self.game.spec, _START)

    def _release(self, engine: EngineProcess) -> None:
        with self._lock:
            self._free.append(engine)


def _close_all(engines: list[EngineProcess]) -> None:
    while engines:
        engines.pop().close()


def _read_info(words: list[str]) -> dict[str, Any]:
    """Return ``depth 9 value 18 nodes 1234 pv 4 4 2`` as a dict, without what cannot be read."""
    found: dict[str, Any] = {}
    for place, (key, word) in enumerate(pairwise(words)):
        if key == "pv":
            found["pv"] = words[place + 1 :]
            break
        if key in ("depth", "nodes") and word.isascii() and word.isdigit() and len(word) < 18:
            found[key] = int(word)
        if key == "value":
            try:
                value = float(word)
            except ValueError:
                continue
            if math.isfinite(value):
                found[key] = value
    return found
