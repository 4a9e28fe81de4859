"""Playing games: one compiled loop, for one player and luck or for two players, watched or not, on many threads.

The same seed gives the same game, bit for bit, whatever the number of threads: each game draws its luck from its own
generator, and each player its lots from another.

The loop is compiled with the players' searches in it, which takes 1 to 8 s. So the first moves of a match are played by
the same loop in the interpreter, with the searches that hints use; `Match.compile` leaves that out.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from html import escape
from itertools import islice
from typing import NamedTuple

import numpy as np

from contienda.compiled.jit import CLOCK, NotKept, nanoseconds, njit, only_kept
from contienda.compiled.rng import generator
from contienda.compiled.stopping import Stop
from contienda.core.drawn import picture_svg
from contienda.core.extensions import blame
from contienda.core.game import CHANCE, MAX, MIN, Game, Rules, State
from contienda.core.language import BadInput, Text, plural
from contienda.evaluation.failing import position_text
from contienda.players.base import Forfeit, Player, Seat
from contienda.search import interpreted

__all__ = ["Fault", "Match", "Played", "PlayerFault", "play_games"]

#: Moves that a match makes in the interpreter, at 0.2 to 1 ms each, before its loop is compiled.
AT_ONCE = 2000

#: The most moves in one call of the compiled loop, and the seconds that a call may take: to call it from Python costs
#: as much as some fifty of the fastest moves. The loop reads the clock itself, once for each move.
_GROUP = 4096
_CALL = 5e-3

_TOTALS = np.dtype((np.record, [("moves", np.int64), ("nodes", np.int64)]))


class Fault(NamedTuple):
    """Why a player lost by rule."""

    side: int
    """0 the first player, 1 the second."""
    reason: Text


@dataclass
class Played:
    """A game as it was played: enough to play it again."""

    game: Game
    players: list[str]
    seed: int
    target: int | None
    start: State
    state: State
    """The last state reached."""
    actions: list[int] = field(default_factory=list)
    """Every move and every outcome of chance, in order."""
    move_seconds: list[float] = field(default_factory=list)
    """The time of each move."""
    nodes: int = 0
    ended: str = "stopped"
    """Why it ended: "over", "target", "forfeit" by a `fault`, or "stopped" in the middle."""
    fault: Fault | None = None

    @property
    def moves(self) -> int:
        """How many moves the players made."""
        return len(self.move_seconds)

    @property
    def seconds(self) -> float:
        """The time that the players took."""
        return sum(self.move_seconds)

    def _repr_html_(self) -> str:
        """The last board and how the game ended, as a notebook shows it."""
        told = ", ".join(f"{key} {value}" for key, value in self.game.outcome(self.state).items())
        fault = "" if self.fault is None else f": {self.fault.reason}"
        line = f"{self.game.spec}, {' – '.join(self.players)}, seed {self.seed}: {told}, {self.ended}{fault}"
        return f"{picture_svg(self.game.picture(self.state))}<p>{escape(line)}</p>"


class Match:
    """A game and its players, compiled once; `play` plays one game for a seed."""

    def __init__(self, game: Game, players: Sequence[Player], target: int | None = None) -> None:
        sides = 2 if MIN in game.kinds else 1
        if len(players) != sides:
            raise BadInput(
                plural(
                    "{name} takes {n} player, not {count}",
                    "{name} takes {n} players, not {count}",
                    sides,
                    name=game.name,
                    count=len(players),
                )
            )
        self.game = game
        self.players = list(players)
        self.target = target
        self._rules = game.rules if target is None else game.until(target).rules
        self._compiled = game.compiled and all(player.compiled for player in players)
        self._ready = False
        jit = njit if self._compiled else interpreted
        choose = [
            player.choose if player.compiled else _checked(game, player, side) for side, player in enumerate(players)
        ]
        # Compiled loops are cached for later matches; plain ones last as long as their players.
        build = _build_play_on if self._compiled else _build_play_on.__wrapped__
        self._play_on: Callable[..., tuple[State, int]] = build(self._rules, choose[0], choose[-1], jit)
        self._at_once: Callable[..., tuple[State, int]] | None = None
        self._left_at_once = AT_ONCE
        if self._compiled and all(player.choose_once is not None for player in players):
            once = [_unless_stopped(player) for player in players]
            self._at_once = _build_play_on.__wrapped__(self._rules, once[0], once[-1], interpreted)

    @cached_property
    def lucky(self) -> bool:
        """Whether a player draws lots; then a game that repeats another does so by chance."""
        return any(hasattr(player.seat(0), "rng") for player in self.players)

    def compile(self) -> None:
        """Compile the loop, by a game of no moves: before threads share it, and before times are measured."""
        if not self._compiled:
            for player in self.players:
                player.compile()
        elif not self._ready:
            seats = [player.seat(0) for player in self.players]
            totals = np.zeros(1, _TOTALS)[0]
            log, times = np.empty(2, np.int64), np.empty(1, np.int64)
            self._play_on(self.game.start(generator(0)), seats[0], seats[-1], generator(0), log, times, totals, 0)
            self._ready = True

    def play(
        self,
        seed: int,
        *,
        start: State | None = None,
        stop: Stop | None = None,
        watch: Callable[[Played], None] | None = None,
    ) -> Played:
        """Play one game to its end, or until it is stopped; call ``watch`` after every move."""
        stop = stop or Stop()
        luck = generator(seed)
        begin = self.game.start(luck) if start is None else start
        played = Played(self.game, [player.spec for player in self.players], seed, self.target, begin, begin)
        seats = [player.seat(_lots(seed, side)) for side, player in enumerate(self.players)]
        log, times = np.empty(2 * _GROUP, np.int64), np.empty(_GROUP, np.int64)
        totals = np.zeros(1, _TOTALS)[0]
        # A deadline is for one move, and so is a look at the board, or a person's turn.
        limited = any(player.ms is not None for player in self.players)
        one_by_one = watch is not None or limited or not self._compiled or not CLOCK
        group = 1
        while played.ended == "stopped" and not stop.stopped:
            before = int(totals.moves)
            loop = self._loop()
            begun = time.perf_counter()
            try:
                played.state, logged = self._some_moves(
                    loop, played.state, seats, luck, log, times, totals, group, stop
                )
            except _Forfeited as forfeited:
                played.ended, played.fault = "forfeit", forfeited.fault
                break
            seconds = time.perf_counter() - begun
            moves = int(totals.moves) - before  # none, if it was stopped
            played.actions += log[:logged].tolist()
            played.move_seconds += (times[:moves] / 1e9).tolist() if CLOCK else [seconds] * moves
            played.nodes = int(totals.nodes)
            if moves < group or one_by_one:  # otherwise the next call finds out
                played.ended = self._ending(played.state)
            if not logged and played.ended == "stopped" and not stop.stopped:  # it would give none the next time either
                raise self._no_move(played.state)
            if watch is not None and moves:
                watch(played)
            if loop is self._play_on and not one_by_one:
                group = max(1, min(8 * group, int(group * _CALL / seconds), _GROUP))
        return played

    def _loop(self) -> Callable[..., tuple[State, int]]:
        """Return the loop that makes the next move: in the interpreter if it is one of the first, and none is kept."""
        if self._at_once is not None and not self._ready and self._left_at_once > 0:
            self._left_at_once -= 1
            if self._left_at_once < AT_ONCE - 1:
                return self._at_once
            if not self._loaded():
                for player in self.players:  # not within the time of its first move
                    player.compile()
                return self._at_once
        self.compile()
        return self._play_on

    def _loaded(self) -> bool:
        """Return whether the compiled loop was kept on disk; it is loaded then."""
        try:
            with only_kept():
                self.compile()
        except NotKept:
            return False
        return True

    def _some_moves(
        self,
        loop: Callable[..., tuple[State, int]],
        state: State,
        seats: list[Seat],
        luck: np.record,
        log: np.ndarray,
        times: np.ndarray,
        totals: np.record,
        moves: int,
        stop: Stop,
    ) -> tuple[State, int]:
        """A call of the loop, with every player's limits watched over."""
        with ExitStack() as guards:
            for player, seat in zip(self.players, seats, strict=True):
                guards.enter_context(stop.guard(player.tally(seat), player.budget, player.ms))
            return loop(state, seats[0], seats[-1], luck, log, times, totals, moves)

    def _ending(self, state: State) -> str:
        if self.target is not None and self._rules.over(state):
            return "target"
        return "stopped" if self.game.legal_actions(state) else "over"

    def _no_move(self, state: State) -> PlayerFault:
        player = self.players[0 if self._rules.turn(state) == MAX else -1]
        return PlayerFault(player, "it returned no move, although there are legal ones")


class PlayerFault(BadInput):
    """A mistake that a player made during a game; the game does not count."""

    def __init__(self, player: Player, message: str | Text, /, **fields: object) -> None:
        fault = message if isinstance(message, Text) else Text(message, **fields)
        super().__init__("{spec}: {fault}", spec=player.spec, fault=fault)


class _Forfeited(Exception):
    """A player lost by rule."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault


def _checked(game: Game, player: Player, side: int) -> Callable[[State, Seat], int]:
    """``choose`` of a player in plain Python, with a check that each move is legal: users write such players."""
    choose = player.choose

    def checked(state: State, seat: Seat) -> int:
        try:
            action = choose(state, seat)
        except Forfeit as forfeit:
            raise _Forfeited(Fault(side, forfeit.text)) from None
        except (BadInput, MemoryError):
            raise
        except Exception as error:
            told = blame(error)  # with the line, if it is in a user's file
            if told is not None:
                raise PlayerFault(player, told.text) from error
            what = f"{type(error).__name__}: {error}".rstrip(": ")
            raise PlayerFault(player, "it fails: {what}", what=what) from error
        if isinstance(action, bool | np.bool_) or not isinstance(action, int | np.integer):
            shown = repr(action)[:40]
            raise PlayerFault(
                player, "its move {shown} is not a whole number: a move is the number of an action", shown=shown
            )
        if action != -1:
            legal = game.legal_actions(state)
            if action not in legal:
                names = ", ".join(f"{each} ({game.action_name(state, each)})" for each in legal)
                where = position_text(game, state)
                raise PlayerFault(
                    player,
                    "its move {action} is not legal at {where}: there are {names}",
                    action=action,
                    where=where,
                    names=names,
                )
        return int(action)

    return checked


def _unless_stopped(player: Player) -> Callable[[State, Seat], int]:
    """`Player.choose_once`, which may give a move when it is stopped; a match wants none then."""
    choose = player.choose_once
    assert choose is not None
    if player.ms is not None:
        return choose

    def choose_or_stop(state: State, seat: Seat) -> int:
        action = choose(state, seat)
        return action if player.tally(seat).budget else -1

    return choose_or_stop


def _lots(seed: int, side: int) -> int:
    """The seed of one player, independent of the game's luck, of the other player and of other games."""
    return int(generator(seed, stream=1 + side).state)


@lru_cache(maxsize=256)
def _build_play_on(rules: Rules, first, second, jit):  # type: ignore[no-untyped-def]
    """The loop of a game, for these players; players who differ in depth or weights only share it."""
    turn, successor, over, draw = rules.turn, rules.successor, rules.over, rules.draw
    clock = nanoseconds if jit is njit else time.monotonic_ns

    @jit
    def play_on(state, first_seat, second_seat, luck, log, times, totals, moves):  # type: ignore[no-untyped-def]
        """Play at most ``moves`` moves, each with its outcome of chance; the state then, and how many actions it took.

        ``times`` gets the nanoseconds of each move, from the move before it: to apply a move and to draw a tile is part
        of the next one's, and takes some 20 ns.
        """
        logged = made = 0
        before = clock()
        while not over(state) and logged < len(log):
            kind = turn(state)
            if kind == CHANCE:
                action = draw(state, luck)
            elif moves == 0:
                break
            else:
                action = first(state, first_seat) if kind == MAX else second(state, second_seat)
                if action < 0:
                    break
                now = clock()
                times[made], before = now - before, now
                made += 1
                moves -= 1
                totals.moves += 1
                totals.nodes += first_seat.tally.nodes if kind == MAX else second_seat.tally.nodes
            log[logged] = action
            logged += 1
            state = successor(state, action)[1]
        return state, logged

    return play_on


def play_games(match: Match, seeds: Iterable[int], *, threads: int = 1, stop: Stop | None = None) -> Iterator[Played]:
    """Play a game for each seed on ``threads`` threads; yield each game as soon as it ends.

    Several threads share a compiled loop, made before they start. A game that `Stop` ends early is yielded too, with
    ``ended == "stopped"``.
    """
    stop = stop or Stop()
    if threads > 1:
        match.compile()
    waiting = iter(seeds)
    with ThreadPoolExecutor(threads, thread_name_prefix="contienda-game") as pool:

        def begin(count: int) -> set[Future[Played]]:
            return {pool.submit(match.play, seed, stop=stop) for seed in islice(waiting, count)}

        running = begin(threads)
        try:
            while running:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                if not stop.stopped:
                    running |= begin(len(done))
                for future in done:
                    yield future.result()
        finally:
            if running:  # the caller has had enough
                stop.stop()
