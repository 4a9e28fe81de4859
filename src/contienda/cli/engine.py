"""``contienda engine``: a player that other programs ask for moves, by lines on standard input and output.

`docs/en/engines.md` has the protocol. Searches run in a thread, so that ``stop`` and ``quit`` are heard at once.
"""

from __future__ import annotations

import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import copy_context

from contienda import __version__
from contienda.compiled.stopping import GRACE, Stop
from contienda.core.analysis import Analysis
from contienda.core.game import Game, State
from contienda.core.language import BadInput
from contienda.core.specs import Spec, parse_spec
from contienda.games import make_game
from contienda.players import make_player, player_info
from contienda.players.base import Player
from contienda.players.engine_process import VERSION

__all__ = ["run_engine"]

_LIMITS = ("depth", "ms", "nodes")
#: Characters of a line that is still read, and seconds that a search may go on after the end of the input.
_LONGEST_LINE = 1 << 20
_AFTER_THE_END = 10.0
#: Seconds between two looks at the depth of a search.
_LOOK = 0.05
_POSITION = re.compile(r"(?P<text>.*?)(?:\s+score\s+(?P<score>[0-9]{1,9}))?\s*", re.DOTALL)


def run_engine(spec: str | None) -> None:
    """Answer the lines of standard input until ``quit`` or its end."""
    engine = _Engine(spec)
    while line := sys.stdin.readline(_LONGEST_LINE):
        if not engine.obey(line.strip()):
            engine.quit()
            return
    engine.finish(_AFTER_THE_END)


class _Engine:
    """The agreed settings, and the running search."""

    def __init__(self, spec: str | None) -> None:
        self._asked = spec
        self._game: Game | None = None
        self._state: State | None = None
        self._players: dict[str, Player] = {}
        self._stop = Stop()
        self._quitting = False
        self._search: threading.Thread | None = None
        self._writing = threading.Lock()

    def obey(self, line: str) -> bool:
        """Do what a line asks for; False after ``quit``."""
        command, _, rest = line.partition(" ")
        known: dict[str, Callable[[str], None]] = {
            "contienda": self._agree,
            "game": self._set_game,
            "position": self._set_position,
            "go": self._go,
            "stop": lambda rest: self.stop(),
        }
        try:
            if command in known:
                known[command](rest.strip())
            elif command and command != "quit":
                raise BadInput(
                    "no command {command!r:.40}: there are {known}", command=command, known=", ".join([*known, "quit"])
                )
        except BadInput as error:
            self._say(f"error {' '.join(str(error).split())}")
        return command != "quit"

    def stop(self) -> None:
        """Stop the search; it answers with the best move so far."""
        self._stop.stop()
        self.finish(GRACE)

    def quit(self) -> None:
        """Stop the search without an answer: a search that has hardly begun would still give a move."""
        self._quitting = True
        self.stop()

    def finish(self, seconds: float) -> None:
        """Let the search end by itself, within this time, in seconds."""
        if self._search is not None:
            self._search.join(seconds)
            self._stop.stop()
            self._search.join(GRACE)

    # --- The commands -------------------------------------------------------------------------------------------------

    def _agree(self, rest: str) -> None:
        version = rest.partition(" ")[0]
        if version != str(VERSION):
            raise BadInput("this engine speaks version {version} of the protocol", version=VERSION)
        self._say(f"contienda {VERSION} Contienda {__version__}")

    def _set_game(self, rest: str) -> None:
        self._not_searching()
        game = make_game(rest)
        self._players.clear()
        self._player(game, {}).compile()
        self._game, self._state = game, None
        self._say("ready")

    def _set_position(self, rest: str) -> None:
        self._not_searching()
        found = _POSITION.fullmatch(rest)
        assert found is not None
        self._state = self._playing().parse_scored(found["text"], int(found["score"] or 0))

    def _go(self, rest: str) -> None:
        self._not_searching()
        game, state = self._playing(), self._state
        if state is None:
            raise BadInput("position comes before go")
        player = self._player(game, _read_limits(rest))
        player.read(state)  # refuses a position without a move
        self._stop = Stop()
        work = copy_context()
        self._search = threading.Thread(target=work.run, args=(self._answer, player, state), daemon=True)
        self._search.start()

    def _answer(self, player: Player, state: State) -> None:
        game = player.game
        try:
            with self._telling_depths(self._stop):
                analysis = player.analyse(state, self._stop)
        except BadInput as error:
            if not self._stop.stopped:
                self._say(f"error {error}")
                return
            analysis = Analysis([], game.action_name(state, game.legal_actions(state)[0]))
        if not self._quitting:
            self._say(_info(analysis), f"bestmove {analysis.best}")

    @contextmanager
    def _telling_depths(self, stop: Stop) -> Iterator[None]:
        """Say ``info`` whenever a level is completed, until the end of the block: searches deepen in compiled code."""
        done, begun = threading.Event(), time.monotonic()

        def watch() -> None:
            told = 0
            while not done.wait(_LOOK):
                if (depth := stop.depth) > told and not stop.stopped:
                    told = depth
                    self._say(f"info depth {depth} nodes {stop.visited} ms {(time.monotonic() - begun) * 1000:.0f}")

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            done.set()
            watcher.join()

    # --- Helpers ------------------------------------------------------------------------------------------------------

    def _playing(self) -> Game:
        if self._game is None:
            raise BadInput("game comes before position and go")
        return self._game

    def _not_searching(self) -> None:
        if self._search is not None and self._search.is_alive():
            raise BadInput("a search is running: stop it first")

    def _player(self, game: Game, limits: dict[str, str]) -> Player:
        """The player with these limits instead of its own, except those that it does not support."""
        asked = parse_spec(game.default_player if self._asked is None else self._asked)
        if limits:
            keys = player_info(asked.name).parameters
            own = {key: value for key, value in asked.options.items() if key not in _LIMITS}
            asked = Spec(asked.name, own | {key: value for key, value in limits.items() if key in keys})
        if str(asked) not in self._players:
            self._players[str(asked)] = make_player(str(asked), game)
        return self._players[str(asked)]

    def _say(self, *lines: str) -> None:
        with self._writing:
            print(*lines, sep="\n", flush=True)


def _read_limits(text: str) -> dict[str, str]:
    """``depth 5 ms 1000`` as a dict."""
    words = text.split()
    limits = dict(zip(words[::2], words[1::2], strict=False))
    if len(words) % 2 or len(limits) * 2 != len(words) or not limits.keys() <= set(_LIMITS):
        raise BadInput("go takes {limits}, each with a number", limits=", ".join(_LIMITS))
    for key, number in limits.items():
        if not (number.isascii() and number.isdigit() and len(number) < 16 and int(number) > 0):
            raise BadInput("{key} {number:.40} is not a whole number, 1 or more", key=key, number=number)
    return limits


def _info(analysis: Analysis) -> str:
    counters = analysis.counters
    words = ["info", f"depth {counters.depth}", f"nodes {counters.nodes}", f"ms {counters.seconds * 1000:.0f}"]
    if analysis.moves:
        words.append(f"value {analysis.moves[0].value:g}")
    if analysis.pv:
        words.append(f"pv {' '.join(analysis.pv)}")
    return " ".join(words)
