"""The games of a league in an SQLite file: finished games are kept, whichever process is killed.

A game belongs to its players' contents, not to their names: an edited file is a different player, whose games are
played again; a renamed one keeps its games, and so does a version that is restored.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from contienda.core.game import Game, State
from contienda.core.language import BadInput, Text

__all__ = ["LeagueGame", "LeagueStore", "Pairing"]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS league (version INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS trials (content TEXT, setting TEXT, PRIMARY KEY (content, setting)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS games (
    setting TEXT NOT NULL, first TEXT NOT NULL, second TEXT NOT NULL, seed TEXT NOT NULL, ended TEXT NOT NULL,
    winner INTEGER, score INTEGER, moves INTEGER NOT NULL, nodes INTEGER NOT NULL, seconds REAL NOT NULL,
    start TEXT NOT NULL, actions TEXT NOT NULL, fault TEXT, en TEXT, es TEXT,
    PRIMARY KEY (setting, first, second, seed)
) WITHOUT ROWID;
"""
_VERSION = 1


class Pairing(NamedTuple):
    """A game to be played."""

    first: str
    """Who moves first, by name."""
    second: str | None
    """None in a game for one."""
    seed: int
    """The seed of chance, of the players' random numbers and of the opening; the two games of an opening share it."""


class LeagueGame(NamedTuple):
    """A game that was played."""

    pairing: Pairing
    ended: str
    """As `contienda.match.Played.ended`."""
    winner: int | None
    """1, 2, or 0 for a draw; None in a game for one."""
    score: int | None
    moves: int
    nodes: int
    seconds: float
    start: tuple[int, ...]
    """The first position, as `Game.as_numbers` gives it."""
    actions: tuple[int, ...]
    fault: int | None = None
    """The player that lost by rule: 0 the first, 1 the second."""
    reason: Text | None = None

    def states(self, game: Game) -> Iterator[State]:
        """Yield every position from the start to the end."""
        from contienda.compiled.rng import generator

        state = game.from_numbers(self.start, game.start(generator(0)))
        yield state
        for action in self.actions:
            state = game.apply(state, action)
            yield state

    @property
    def course(self) -> tuple[object, ...]:
        """The course of the game, equal for two games that are the same move for move."""
        return (self.start, self.actions, self.ended, self.winner)


class LeagueStore:
    """The games of leagues, by the contents of their players and the setting."""

    def __init__(self, path: Path | None = None) -> None:
        """Open or create a file; without one, the games last as long as the object."""
        self.path = path
        self._lock = threading.Lock()
        try:
            self._db = sqlite3.connect(path or ":memory:", check_same_thread=False, isolation_level=None, timeout=60)
            if path is not None:
                self._db.execute("PRAGMA journal_mode = WAL")
                self._db.execute("PRAGMA synchronous = NORMAL")
            known = {row[0] for row in self._db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if known and "league" not in known:
                raise BadInput("{path} holds no league of Contienda", path=path)
            self._db.executescript(_SCHEMA)
            if not self._db.execute("SELECT version FROM league").fetchall():
                self._db.execute("INSERT INTO league VALUES (?)", (_VERSION,))
        except sqlite3.Error as error:
            raise BadInput("{path} cannot be used: {error}", path=path, error=error) from None

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    # --- Games --------------------------------------------------------------------------------------------------------

    def add(self, setting: str, contents: Sequence[str], game: LeagueGame) -> None:
        """Store a game; one that is already stored does not change."""
        texts = (None, None) if game.reason is None else (game.reason.into("en"), game.reason.into("es"))
        row = (
            setting, contents[0], contents[1] if len(contents) > 1 else "", str(game.pairing.seed), game.ended,
            game.winner, game.score, game.moves, game.nodes, game.seconds, json.dumps([*map(str, game.start)]),
            json.dumps(game.actions), game.fault, *texts,
        )  # fmt: skip
        with self._writing():
            self._db.execute(f"INSERT OR IGNORE INTO games VALUES ({', '.join('?' * len(row))})", row)

    def find(self, setting: str, contents: Sequence[str], pairing: Pairing) -> LeagueGame | None:
        """Return the game if it was played before."""
        second = contents[1] if len(contents) > 1 else ""
        with self._reading():
            row = self._db.execute(
                "SELECT ended, winner, score, moves, nodes, seconds, start, actions, fault, en, es FROM games "
                "WHERE setting = ? AND first = ? AND second = ? AND seed = ?",
                (setting, contents[0], second, str(pairing.seed)),
            ).fetchone()
        if row is None:
            return None
        try:
            reason = None if row[9] is None else Text.rendered({"en": str(row[9]), "es": str(row[10])})
            fault = None if row[8] is None else int(row[8])
            ended, winner, score, moves, nodes, seconds = row[:6]
            start, actions = (tuple(map(int, json.loads(text))) for text in row[6:8])
            return LeagueGame(pairing, ended, winner, score, moves, nodes, seconds, start, actions, fault, reason)
        except (TypeError, ValueError):
            raise BadInput("{path} is damaged: use a copy", path=self.path) from None

    # --- Trials -------------------------------------------------------------------------------------------------------

    def passed(self, content: str, setting: str) -> bool:
        """Return whether this player has passed its trial."""
        with self._reading():
            found = self._db.execute("SELECT 1 FROM trials WHERE content = ? AND setting = ?", (content, setting))
            return found.fetchone() is not None

    def keep_trial(self, content: str, setting: str) -> None:
        """Remember that this player has passed its trial."""
        with self._writing():
            self._db.execute("INSERT OR IGNORE INTO trials VALUES (?, ?)", (content, setting))

    @contextmanager
    def _reading(self) -> Iterator[None]:
        with self._lock:
            try:
                yield
            except sqlite3.Error as error:
                raise BadInput("{path} cannot be used: {error}", path=self.path, error=error) from None

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self._lock:
            try:
                yield
            except sqlite3.Error as error:
                raise BadInput(
                    "cannot write {path}: {error}; the games before are kept", path=self.path, error=error
                ) from None
