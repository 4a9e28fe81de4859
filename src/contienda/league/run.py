"""Plays a league: tries out the players, then plays the missing games, a few at a time."""

from __future__ import annotations

import hashlib
import json
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from contienda.compiled.stopping import Stop
from contienda.core.analysis import Limit
from contienda.core.game import MIN, Game
from contienda.core.language import BadInput, Text
from contienda.games import make_game
from contienda.lab.openings import default_opening
from contienda.lab.played_by import code_version
from contienda.league.competitors import Competitor
from contienda.league.hosts import HostLimits, Hosts
from contienda.league.pairings import Meetings, PointsSoFar, rounds_of
from contienda.league.playing import play_pairing, trial_states, try_out
from contienda.league.standing import Standing, standing_of
from contienda.league.store import LeagueGame, LeagueStore, Pairing
from contienda.match import Played

__all__ = ["LeaguePlan", "LeagueProgress", "run_league"]

#: Games lost by rule after which a player is out.
_FORFEITS = 3
#: Games of each pair of players, and seeds in a game for one, unless the plan says otherwise.
_GAMES, _SEEDS = 4, 20


@dataclass(frozen=True)
class LeaguePlan:
    """The plan of a league."""

    game: str
    games: int | None = None
    """Of each pair of players, rounded up to an even number; in a game for one of each player."""
    format: str = "round-robin"
    limits: HostLimits = field(default_factory=HostLimits)
    seed: int = 1
    opening: int | None = None
    """Random moves at the start of each game, played from both sides; None for as many as suit the game."""
    anchors: Mapping[str, float] = field(default_factory=dict)
    """Ratings that are known, by name: the others are measured from them."""

    def made_game(self) -> Game:
        """Return the game, after checking the plan."""
        game = make_game(self.game)
        if self.games is not None and not 1 <= self.games <= 1_000_000:
            raise BadInput("--games {games}: from 1 to 1,000,000", games=self.games)
        depth, ms = self.limits.depth, self.limits.ms
        if depth is not None and not 1 <= depth <= Limit.DEEPEST:
            raise BadInput("--depth {depth}: from 1 to {most}", depth=depth, most=Limit.DEEPEST)
        if ms is not None and not 1 <= ms <= 3_600_000:
            raise BadInput("--ms {ms:g}: from 1 to 3,600,000", ms=ms)
        if depth is not None and ms is not None:
            raise BadInput("choose only one of --depth and --ms")
        if MIN not in game.kinds and "points" not in game.features:
            raise BadInput("{name} has neither a second player nor points", name=game.name)
        return game

    def opening_of(self, game: Game) -> int:
        """Return how many random moves begin each game."""
        if MIN not in game.kinds:
            return 0
        return default_opening(game) if self.opening is None else self.opening

    def setting(self, game: Game) -> str:
        """Return a hash of everything except the players that decides a game."""
        parts = [game.spec, self.opening_of(game), *self.limits, code_version()]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


@dataclass
class LeagueProgress:
    """How far a league has come; `run_league` gives the same object to each call of ``watch``."""

    plan: LeaguePlan
    game: Game
    players: list[Competitor]
    disqualified: dict[str, Text] = field(default_factory=dict)
    """Players that are out, with the reason."""
    games: list[LeagueGame] = field(default_factory=list)
    """Every game so far, as they ended; those of earlier runs too."""
    total: int = 0
    """Games of the rounds so far."""
    tried: int = 0
    """Players that have been tried out."""
    new: int = 0
    """Games that this run has played."""
    begun: float = field(default_factory=time.monotonic)
    complete: bool = False
    rounds: list[Meetings] = field(default_factory=list)
    """The meetings so far, for formats with several rounds."""

    @property
    def reused(self) -> int:
        """Games taken from earlier runs."""
        return len(self.games) - self.new

    @property
    def seconds(self) -> float:
        """Since the run began."""
        return time.monotonic() - self.begun

    def standing(self) -> Standing:
        """Return the ladder after the games so far."""
        return standing_of(self.players, self.games, self.disqualified, self.plan.anchors)

    def as_data(self) -> dict[str, Any]:
        """Return what ``contienda league --json`` prints."""
        plan, limits = self.plan, self.plan.limits
        head = {
            "game": self.game.spec,
            **self.standing().as_data(),
            "format": plan.format,
            "opening": plan.opening_of(self.game),
            "depth": limits.depth,
            "ms": limits.ms,
            "seed": plan.seed,
            "played": len(self.games),
            "new": self.new,
            "complete": self.complete,
        }
        return head | ({"rounds": [[list(pair) for pair in each] for each in self.rounds]} if self.rounds[1:] else {})


class _Task(NamedTuple):
    pairing: Pairing
    players: tuple[Competitor, ...]


def run_league(
    plan: LeaguePlan,
    players: Sequence[Competitor],
    store: LeagueStore | None = None,
    *,
    tables: int = 1,
    watch: Callable[[LeagueProgress], None] = lambda progress: None,
    follow: Callable[[Pairing, Played], None] | None = None,
    stopped: Callable[[], bool] = lambda: False,
    hosts: Hosts | None = None,
) -> LeagueProgress:
    """Play the missing games, ``tables`` at once, until none is missing or ``stopped()``.

    ``watch(progress)`` is called in this thread after each trial and each game; ``follow(pairing, played)`` after each
    move, in the thread of the game, to watch a game. Games that the store has are not played again. With ``hosts`` the
    players' processes are kept for the next call; otherwise they end with this one.
    """
    game = plan.made_game()
    _check_format(plan, players, game)
    progress = LeagueProgress(plan, game, list(players))
    runner = _Runner(progress, store or LeagueStore(), tables, watch, follow, stopped, hosts)
    try:
        runner.run()
    finally:
        runner.close()
    watch(progress)
    return progress


def _check_format(plan: LeaguePlan, players: Sequence[Competitor], game: Game) -> None:
    rounds_of(plan.format, players)
    if plan.format == "gauntlet" and not any(player.staff for player in players):
        raise BadInput("a gauntlet needs staff players: --staff alphabeta:depth=4")
    if plan.format != "round-robin" and MIN not in game.kinds:
        raise BadInput("--format is for games for two: in {name} all play the same seeds", name=game.name)


class _Runner:
    """A run of a league."""

    def __init__(
        self,
        progress: LeagueProgress,
        store: LeagueStore,
        tables: int,
        watch: Callable[[LeagueProgress], None],
        follow: Callable[[Pairing, Played], None] | None,
        stopped: Callable[[], bool],
        hosts: Hosts | None,
    ) -> None:
        self._progress, self._store, self._tables = progress, store, tables
        self._watch, self._follow, self._stopped = watch, follow, stopped
        self._game, self._plan = progress.game, progress.plan
        self._setting = self._plan.setting(self._game)
        self._stop = Stop()
        self._own_hosts = hosts is None
        self._hosts = hosts or Hosts(self._game, self._plan.limits)
        self._forfeits: Counter[str] = Counter()
        self._by_name = {player.name: player for player in progress.players}

    def close(self) -> None:
        """End the players' processes, unless the caller keeps them."""
        self._stop.stop()
        if self._own_hosts:
            self._hosts.close()

    def run(self) -> None:
        progress = self._progress
        with ThreadPoolExecutor(self._tables, thread_name_prefix="contienda-table") as pool:
            try:
                self._try_out(pool)
                if not self._stopped():
                    self._play_rounds(pool)
            finally:
                if not progress.complete:
                    self._stop.stop()

    # --- Trials -------------------------------------------------------------------------------------------------------

    def _try_out(self, pool: ThreadPoolExecutor) -> None:
        """Let every player load, compile and choose a few moves; those that fail are out."""
        progress = self._progress
        waiting = []
        for player in progress.players:
            if player.reason is not None:
                progress.disqualified[player.name] = player.reason
            elif not self._store.passed(player.content, self._setting):
                waiting.append(player)
        progress.tried = len(progress.players) - len(waiting)
        states = trial_states(self._game, self._plan.opening_of(self._game))
        tried = self._each(pool, waiting, lambda player: try_out(player, states, self._hosts, self._stop))
        for player, reason in tried:
            progress.tried += 1
            if reason is not None:
                progress.disqualified[player.name] = reason
            elif not self._stopped():
                self._store.keep_trial(player.content, self._setting)
            self._watch(progress)

    # --- Games --------------------------------------------------------------------------------------------------------

    def _play_rounds(self, pool: ThreadPoolExecutor) -> None:
        progress = self._progress
        able = [player for player in progress.players if player.name not in progress.disqualified]
        if MIN not in self._game.kinds:
            seeds = [(self._plan.seed + number) % 2**64 for number in range(self._plan.games or _SEEDS)]
            self._play(pool, [Pairing(player.name, None, seed) for seed in seeds for player in able])
            progress.complete = not self._stopped()
            return
        rounds = rounds_of(self._plan.format, able)
        try:
            meetings = next(rounds)
            while True:
                progress.rounds.append(meetings)
                begun = len(progress.games)
                self._play(pool, [pairing for meeting in meetings for pairing in self._pairings(*meeting)])
                if self._stopped():
                    return
                meetings = rounds.send(self._points(meetings, progress.games[begun:]))
        except StopIteration:
            progress.complete = True

    def _pairings(self, first: str, second: str) -> Iterator[Pairing]:
        """Yield the games of a meeting: each opening from both sides."""
        for number in range(((self._plan.games or _GAMES) + 1) // 2):
            seed = (self._plan.seed + number) % 2**64
            yield Pairing(first, second, seed)
            yield Pairing(second, first, seed)

    def _points(self, meetings: Meetings, games: list[LeagueGame]) -> PointsSoFar:
        """Return the points of each meeting; players that are out by now have none."""
        points = {meeting: [0.0, 0.0] for meeting in meetings}
        for played in games:
            first, second = played.pairing.first, played.pairing.second or ""
            own = {1: 1.0, 0: 0.5, 2: 0.0}[played.winner or 0]
            if (first, second) in points:
                points[first, second][0] += own
                points[first, second][1] += 1 - own
            elif (second, first) in points:
                points[second, first][0] += 1 - own
                points[second, first][1] += own
        for meeting, found in points.items():
            for side, name in enumerate(meeting):
                if name in self._progress.disqualified:
                    found[side], found[1 - side] = 0.0, max(found[1 - side], 1.0)
        return {meeting: (found[0], found[1]) for meeting, found in points.items()}

    def _play(self, pool: ThreadPoolExecutor, pairings: list[Pairing]) -> None:
        progress = self._progress
        progress.total += len(pairings)
        missing: list[_Task] = []
        for pairing in pairings:
            task = _Task(pairing, self._seated(pairing))
            known = self._store.find(self._setting, [player.content for player in task.players], pairing)
            if known is None:
                missing.append(task)
            else:
                self._enter(known)
        self._watch(progress)
        for task, game in self._each(pool, missing, self._one_game):
            if game is None or game.ended == "stopped":
                continue
            self._store.add(self._setting, [player.content for player in task.players], game)
            progress.new += 1
            self._enter(game)
            self._watch(progress)

    def _seated(self, pairing: Pairing) -> tuple[Competitor, ...]:
        return tuple(self._by_name[name] for name in pairing[:2] if name is not None)

    def _enter(self, game: LeagueGame) -> None:
        self._progress.games.append(game)
        if game.fault is None:
            return
        name = str(game.pairing[game.fault])
        self._forfeits[name] += 1
        if self._forfeits[name] >= _FORFEITS and name not in self._progress.disqualified:
            self._progress.disqualified[name] = Text(
                "it lost {n} games by rule; the last: {reason}", n=_FORFEITS, reason=game.reason
            )

    def _one_game(self, task: _Task) -> LeagueGame | None:
        """Play a game; None if a player is out by now."""
        if any(player.name in self._progress.disqualified for player in task.players):
            return None
        return play_pairing(
            self._game,
            task.pairing,
            task.players,
            self._hosts,
            opening=self._plan.opening_of(self._game),
            stop=self._stop,
            follow=self._follow,
        )

    def _each(
        self, pool: ThreadPoolExecutor, tasks: Sequence[Any], work: Callable[[Any], Any]
    ) -> Iterator[tuple[Any, Any]]:
        """Yield each task with its result as it ends; a few are under way at any time."""
        waiting = deque(tasks)
        running: dict[Future[Any], Any] = {}
        while waiting or running:
            while waiting and len(running) < self._tables and not self._stopped():
                task = waiting.popleft()
                running[pool.submit(work, task)] = task
            if self._stopped():
                self._stop.stop()
                waiting.clear()
            done, _ = wait(running, timeout=0.1, return_when=FIRST_COMPLETED)
            for future in done:
                task = running.pop(future)
                yield task, future.result()
