"""A league that never ends: players come, hand in again and leave while it plays, and the ladder follows.

Each owner has one player in it, the one handed in last. Whose turn it is, at the next free table, is decided by how
much time the owners have had so far: a player that is handed in again and again, or that thinks slowly, waits for the
others, who never wait for it.
"""

from __future__ import annotations

import hashlib
import logging
import threading
import time
from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, count
from pathlib import Path
from typing import Literal, NamedTuple

from contienda.compiled.stopping import Stop
from contienda.core.files import write_atomically
from contienda.core.game import MIN, Game, State
from contienda.core.language import BadInput, Text
from contienda.games import make_game
from contienda.lab.openings import default_opening
from contienda.lab.played_by import code_version
from contienda.league.competitors import Competitor, competitor_of_spec
from contienda.league.hosts import HostLimits, Hosts
from contienda.league.playing import play_pairing, trial_states, try_out
from contienda.league.standing import Standing, standing_of
from contienda.league.store import LeagueGame, Pairing
from contienda.match import Played

__all__ = ["LeagueEntry", "LiveLeague", "LivePlan", "ShownGame"]

_log = logging.getLogger(__name__)

#: Games lost by rule after which a player is out, until its owner hands in again.
_FORFEITS = 3
#: Finished games that are listed, and that are kept in all.
_RECENT, _KEPT = 30, 20_000
#: Games of each pair, and seeds in a game for one, unless the plan says otherwise.
_GAMES, _SEEDS = 6, 20
#: Seconds between two looks for something to do, if nobody says that there is.
_NAP = 1.0


class LivePlan(NamedTuple):
    """The plan of a live league."""

    game: str
    limits: HostLimits = HostLimits()
    games: int | None = None
    """Of each pair of players; in a game for one of each player."""
    staff: tuple[str, ...] = ()
    """Specs of players that are always in it."""
    tables: int = 1
    """Games at once."""


@dataclass
class LeagueEntry:
    """A player in the league."""

    owner: str
    """Who handed it in; the staff have owners of their own, which begin with a space."""
    player: Competitor
    stage: Literal["waiting", "trying", "playing", "out"] = "waiting"
    """Handed in; being tried out; taking part; disqualified."""
    reason: Text | None = None
    forfeits: int = 0


class ShownGame(NamedTuple):
    """A game that is being played."""

    pairing: Pairing
    state: State
    moves: int


class _Task(NamedTuple):
    """What a table does next: a trial, if it is about one player and has no pairing, or a game."""

    entries: tuple[LeagueEntry, ...]
    pairing: Pairing | None = None

    @property
    def owners(self) -> set[str]:
        return {entry.owner for entry in self.entries}


@dataclass
class LiveLeague:
    """The league; its methods may be called from any thread."""

    plan: LivePlan
    folder: Path
    """Where what is handed in is kept while it plays."""
    entries: dict[str, LeagueEntry] = field(default_factory=dict)
    """By owner."""
    spent: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    """Seconds at the tables, by owner."""
    finished: dict[tuple[str, str, int], LeagueGame] = field(default_factory=dict)
    """Games by the contents of their players, and the seed."""
    running: dict[int, ShownGame] = field(default_factory=dict)
    """Games that are being played, by table."""
    paused: bool = False
    version: int = 0
    """Increases with everything that can be seen."""

    def __post_init__(self) -> None:
        self.game: Game = make_game(self.plan.game)
        self._alone = MIN not in self.game.kinds
        if self._alone and "points" not in self.game.features:
            raise BadInput("{name} has neither a second player nor points", name=self.game.name)
        self._opening = 0 if self._alone else default_opening(self.game)
        self._states = trial_states(self.game, self._opening)
        self._changed = threading.Condition()
        self._stop = Stop()
        self._busy: list[_Task] = []
        self._recent: deque[tuple[int, LeagueGame]] = deque(maxlen=_RECENT)
        self._numbers = count(1)
        for spec in self.plan.staff:
            player = competitor_of_spec(spec, self.game)._replace(staff=True)
            self.entries[f" {spec}"] = LeagueEntry(f" {spec}", player)
        self._hosts = Hosts(self.game, self.plan.limits)
        self._threads = [
            threading.Thread(target=self._sit, args=(table,), name="contienda-table", daemon=True)
            for table in range(self.plan.tables)
        ]
        for thread in self._threads:
            thread.start()

    # --- Handing in ---------------------------------------------------------------------------------------------------

    def submit(self, owner: str, name: str, text: str, function: str) -> None:
        """Hand in a heuristic in the safe subset; it takes the place of the one that the owner has in the league."""
        content = hashlib.sha256(f"{code_version()} {self.game.spec} {function} {text}".encode()).hexdigest()[:32]
        path = self.folder / f"{content}.safe.py"
        write_atomically(path, text)
        player = Competitor(name, "heuristic", str(path), content, function=function)
        with self._changed:
            others = {entry.player.name for other, entry in self.entries.items() if other != owner}
            if name in others:
                raise BadInput("somebody plays as {name} already", name=name)
            before = self.entries.get(owner)
            if before is not None and before.player == player and before.stage != "out":
                return
            self.entries[owner] = LeagueEntry(owner, player)
            self._tell()

    def withdraw(self, owner: str) -> None:
        """Take a player out."""
        with self._changed:
            self.entries.pop(owner, None)
            self._tell()

    def pause(self, paused: bool) -> None:
        """Start no more games, or go on."""
        with self._changed:
            self.paused = paused
            self._tell()

    def close(self) -> None:
        """End everything."""
        with self._changed:
            self._stop.stop()
            self._changed.notify_all()
        for thread in self._threads:
            thread.join(5.0)
        self._hosts.close()

    def _tell(self) -> None:
        self.version += 1
        self._changed.notify_all()

    # --- What is seen -------------------------------------------------------------------------------------------------

    def wait(self, after: int, seconds: float) -> None:
        """Wait, for so long at most, until the version is a later one."""
        with self._changed:
            self._changed.wait_for(lambda: self.version > after or self._stop.stopped, seconds)

    def standing(self) -> tuple[Standing, dict[str, LeagueEntry]]:
        """Return the ladder, and the players in it by name."""
        with self._changed:
            entries = list(self.entries.values())
            games = [game for task in self._pairings() if (game := self._known(task)) is not None]
        out = {each.player.name: each.reason for each in entries if each.reason is not None}
        players = [each.player for each in entries]
        return standing_of(players, games, out), {each.player.name: each for each in entries}

    def left(self) -> int:
        """Return how many games are to be played."""
        with self._changed:
            return sum(self._known(task) is None for task in self._pairings())

    def shown(self) -> list[ShownGame]:
        """Return the games that are being played."""
        with self._changed:
            return [self.running[table] for table in sorted(self.running)]

    def recent(self) -> list[tuple[int, LeagueGame]]:
        """Return the last games with their numbers, the latest first."""
        with self._changed:
            return list(self._recent)[::-1]

    def played(self, number: int) -> Played:
        """Return one of the last games; `BadInput` if there is no such game."""
        with self._changed:
            found = next((game for one, game in self._recent if one == number), None)
        if found is None:
            raise BadInput("this game is no longer kept")
        return _as_played(self.game, found)

    # --- What is played next ------------------------------------------------------------------------------------------

    def _pairings(self) -> Iterator[_Task]:
        """Yield every game of those who take part."""
        able = [entry for entry in self.entries.values() if entry.stage == "playing"]
        if self._alone:
            for seed in range(1, (self.plan.games or _SEEDS) + 1):
                yield from (_Task((entry,), Pairing(entry.player.name, None, seed)) for entry in able)
            return
        for seed in range(1, ((self.plan.games or _GAMES) + 1) // 2 + 1):
            for first, second in combinations(able, 2):
                yield _Task((first, second), Pairing(first.player.name, second.player.name, seed))
                yield _Task((second, first), Pairing(second.player.name, first.player.name, seed))

    def _known(self, task: _Task) -> LeagueGame | None:
        assert task.pairing is not None
        found = self.finished.get(_key(task))
        return None if found is None else found._replace(pairing=task.pairing)

    def _next(self) -> _Task | None:
        """Return what the owners who have had the least time wait for, if it can be done now."""
        if self.paused:
            return None
        taken = {owner for task in self._busy for owner in task.owners}
        waiting = [_Task((entry,)) for entry in self.entries.values() if entry.stage == "waiting"]
        waiting += [task for task in self._pairings() if self._known(task) is None]
        free = [task for task in waiting if not task.owners & taken]
        return min(free, key=self._had, default=None)

    def _had(self, task: _Task) -> float:
        """Return the mean time that the owners of a task have had; the staff's is not counted."""
        own = [self.spent[owner] for owner in task.owners if not owner.startswith(" ")]
        return sum(own) / len(own) if own else 0.0

    def _sit(self, table: int) -> None:
        """Do one thing after another at a table."""
        while not self._stop.stopped:
            with self._changed:
                task = self._next()
                if task is None:
                    self._changed.wait(_NAP)
                    continue
                self._busy.append(task)
                if task.pairing is None:
                    task.entries[0].stage = "trying"
                    self._tell()
            begun = time.monotonic()
            try:
                self._try(task.entries[0]) if task.pairing is None else self._play(table, task, task.pairing)
            except Exception:
                _log.exception("a game of the league failed")
                time.sleep(_NAP)
            with self._changed:
                self._busy.remove(task)
                self.running.pop(table, None)
                for owner in task.owners:
                    self.spent[owner] += time.monotonic() - begun
                self._tell()

    def _try(self, entry: LeagueEntry) -> None:
        reason = try_out(entry.player, self._states, self._hosts, self._stop)
        with self._changed:
            if not self._stop.stopped:
                entry.stage, entry.reason = ("playing", None) if reason is None else ("out", reason)

    def _play(self, table: int, task: _Task, pairing: Pairing) -> None:
        def follow(pairing: Pairing, played: Played) -> None:
            self.running[table] = ShownGame(pairing, played.state, played.moves)

        players = [entry.player for entry in task.entries]
        game = play_pairing(
            self.game, pairing, players, self._hosts, opening=self._opening, stop=self._stop, follow=follow
        )
        if game.ended == "stopped":
            return
        with self._changed:
            self.finished[_key(task)] = game
            while len(self.finished) > _KEPT:
                del self.finished[next(iter(self.finished))]
            self._recent.append((next(self._numbers), game))
            if game.fault is not None:
                self._count_forfeit(task.entries[game.fault], game)

    def _count_forfeit(self, entry: LeagueEntry, game: LeagueGame) -> None:
        entry.forfeits += 1
        if entry.forfeits >= _FORFEITS:
            entry.stage = "out"
            entry.reason = Text("it lost {n} games by rule; the last: {reason}", n=_FORFEITS, reason=game.reason)


def _key(task: _Task) -> tuple[str, str, int]:
    assert task.pairing is not None
    contents = [entry.player.content for entry in task.entries]
    return contents[0], contents[1] if len(contents) > 1 else "", task.pairing.seed


def _as_played(game: Game, kept: LeagueGame) -> Played:
    """Return a game of the league as one that was just played."""
    from contienda.match import Fault

    *_, last = states = list(kept.states(game))
    names = [name for name in kept.pairing[:2] if name is not None]
    fault = None if kept.fault is None or kept.reason is None else Fault(kept.fault, kept.reason)
    seconds = [kept.seconds / max(kept.moves, 1)] * kept.moves
    return Played(
        game,
        names,
        kept.pairing.seed,
        None,
        states[0],
        last,
        list(kept.actions),
        seconds,
        kept.nodes,
        kept.ended,
        fault,
    )
