"""The process in which one player of a league runs: it can be killed, and its memory is limited.

It runs code that anybody may have written. So the output of that code is discarded, the answers are JSON that the
league checks, and the process ends by itself as soon as the league does.
"""

from __future__ import annotations

import gc
import json
import os
import pickle
import queue
import signal
import sys
import tempfile
import threading
from contextlib import suppress
from importlib import import_module
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from contienda.compiled.kept_files import kept_folder
from contienda.compiled.stopping import Stop
from contienda.core.confinement import confine
from contienda.core.extensions import blame, load
from contienda.core.game import Game
from contienda.core.language import BadInput, Text
from contienda.core.specs import Spec
from contienda.evaluation.custom import blame_heuristic
from contienda.games import make_game
from contienda.lab.sources import places_of
from contienda.league.competitors import Competitor, search_of
from contienda.players import GROUP, make_player, making, player_info  # noqa: F401 (making: loaded before forking)
from contienda.players.base import Player
from contienda.players.options import Options
from contienda.players.own import FunctionPlayer, FunctionSeat

__all__ = ["Order", "serve"]

#: Bytes that a player may write to one file.
_LARGEST_FILE = 64 * 2**20


class Order(NamedTuple):
    """The arguments with which a worker is started."""

    competitor: Competitor
    game: str
    depth: int | None
    ms: float | None
    seconds: float
    megabytes: int
    """Memory in addition to what Contienda itself takes."""
    confined: bool = False


def prepare(game_spec: str, limits: Any) -> None:
    """Load and compile what all players of a game share, in the process from which theirs are forked."""
    kept_folder()
    game = make_game(game_spec)
    if not game.compiled or places_of(game_spec):
        return
    with tempfile.TemporaryDirectory(prefix="contienda-") as folder:
        path = Path(folder) / "usual.py"
        path.write_text(_USUAL, encoding="utf-8")
        usual = Competitor("usual", "heuristic", str(path))
        _made(Order(usual, game_spec, *limits), game).compile()
    gc.collect()
    gc.freeze()  # the collector of a child would copy all pages that it looks at


#: A heuristic that leads the compiler through the search of the game.
_USUAL = "def heuristic(board, weights):\n    return 0.5\n"


def serve(pipe: Connection, order: Order) -> None:
    """Make the player, then answer each position with a move, until the league closes the pipe."""
    _shut_in()
    asked: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def listen() -> None:
        while True:
            try:
                asked.put(pickle.loads(pipe.recv_bytes()))  # a message of the league itself
            except (EOFError, OSError):
                os._exit(0)

    _limit_memory(order.megabytes)
    if order.confined:
        kept = kept_folder()
        confine(reading=[Path(order.competitor.place).parent, *([] if kept is None else [kept.parent])])
    threading.Thread(target=listen, name="contienda-listen", daemon=True).start()
    player: Player | None = None
    try:
        player = _made(order, make_game(order.game))
        player.compile()
        _tell(pipe, {"ready": True})
    except BaseException as error:
        _tell(pipe, _fault(error, order.competitor.place))
    table, seat = -1, None  # type: int, Any
    while player is not None:
        number, seed, state = asked.get()
        try:
            if number != table:
                table, seat = number, player.seat(seed)
            action = _choose(player, state, seat)
            tally = seat.tally
            _tell(pipe, {"action": int(action), "nodes": int(tally.nodes), "depth": int(tally.depth)})
        except BaseException as error:
            _tell(pipe, _fault(error, order.competitor.place))
    asked.get()


def _choose(player: Player, state: Any, seat: Any) -> int:
    with Stop().guard(seat.tally, player.budget, player.ms):
        action = (player.choose_once or player.choose)(state, seat)
    if isinstance(action, bool) or not hasattr(action, "__index__"):
        raise BadInput("its move {shown} is not a whole number", shown=repr(action)[:40])
    return int(action)


# --- The player -----------------------------------------------------------------------------------------------------


class _PerGame(FunctionPlayer):
    """An object of a user's class ``Player``, created for each game."""

    def __init__(self, spec: Spec, game: Game, made: type[Any]) -> None:
        self._made = made
        super().__init__(spec, game, made().choose)

    def seat(self, seed: int) -> FunctionSeat:
        self._function = self._made().choose
        return super().seat(seed)


def _made(order: Order, game: Game) -> Player:
    competitor = order.competitor
    if competitor.kind == "spec":
        return make_player(competitor.place, game)
    if competitor.kind == "heuristic":
        limits = {"depth": order.depth, "ms": order.ms}
        given = {key: f"{value:g}" for key, value in limits.items() if value is not None}
        info = player_info(search_of(game))
        spec = Spec(info.name, given | {"eval": f"{competitor.place}:{competitor.function}"})
        module, _, function = info.made_by.partition(":")
        made: Player = getattr(import_module(module), function)(game, Options(spec, info))
        return made
    found = load(f"{competitor.place}:Player", GROUP, lambda each: isinstance(each, type), Text("class"))
    spec = Spec(competitor.name, {})
    if issubclass(found, Player):
        own: Player = found(spec, game)
        return own
    if not callable(getattr(found, "choose", None)):
        raise BadInput("the class Player has no method choose(self, game, state)")
    return _PerGame(spec, game, found)


# --- Limits ---------------------------------------------------------------------------------------------------------


def _shut_in() -> None:
    """Leave the league's terminal and process group, so that neither Ctrl-C nor output passes between them."""
    if hasattr(os, "setsid"):
        with suppress(OSError):
            os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (*range(3), *_lines_of_python()):
        os.dup2(nothing, number)
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def _lines_of_python() -> list[int]:
    """Return the pipe to `multiprocessing`'s tracker, which every process inherits and a player could write to."""
    tracker = getattr(resource_tracker, "_resource_tracker", None)
    line = getattr(tracker, "_fd", None)
    return [line] if isinstance(line, int) else []


def _limit_memory(megabytes: int) -> None:
    """Limit what the process takes from now on: memory on Linux only, files on every POSIX system."""
    try:
        import resource
    except ImportError:
        return
    limits = [(resource.RLIMIT_FSIZE, _LARGEST_FILE), (resource.RLIMIT_CORE, 0)]
    with suppress(OSError, ValueError), open("/proc/self/statm", encoding="ascii") as pages:
        taken = int(pages.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        limits.append((resource.RLIMIT_AS, taken + megabytes * 2**20))
    for kind, most in limits:
        with suppress(OSError, ValueError):
            resource.setrlimit(kind, (most, most))
    if hasattr(signal, "SIGXFSZ"):
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # writing too large a file raises an error


# --- Answers --------------------------------------------------------------------------------------------------------


def _tell(pipe: Connection, answer: dict[str, Any]) -> None:
    try:
        pipe.send_bytes(json.dumps(answer).encode())
    except (OSError, ValueError):
        os._exit(1)


def _fault(error: BaseException, place: str) -> dict[str, Any]:
    """Return why the player did not answer, in each language; its files are named without their folder."""
    if isinstance(error, SystemExit):
        text = Text("it exits")
    elif isinstance(error, MemoryError):
        text = Text("it needs too much memory")
    elif isinstance(error, BadInput):
        text = error.text
    else:
        told = (blame_heuristic(error) or blame(error)) if isinstance(error, Exception) else None
        text = (
            told.text if told is not None else Text("it fails: {what}", what=f"{type(error).__name__}: {error}"[:300])
        )
    folder = f"{Path(place).parent}{os.sep}"
    return {"fault": {key: told.replace(folder, "")[:500] for key, told in text.in_all_languages().items()}}
