"""The file of an experiment's results: made, opened and checked, with errors that say what is wrong with it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self

from contienda.core.files import check_writable
from contienda.core.language import BadInput, Text
from contienda.lab.plan import Plan
from contienda.lab.results_check import find_misfit
from contienda.lab.shards import Shard
from contienda.lab.sources import Source, sources_of

__all__ = ["SCHEMA", "TROUBLE", "ResultsFile"]

_VERSION = 1
#: The tables.
SCHEMA = """
CREATE TABLE IF NOT EXISTS plan (key TEXT PRIMARY KEY, data TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS runs (
    run INTEGER PRIMARY KEY, begun REAL NOT NULL, ended REAL, place TEXT NOT NULL, contienda TEXT NOT NULL,
    code TEXT NOT NULL, python TEXT NOT NULL, numba TEXT NOT NULL, numpy TEXT NOT NULL,
    machine TEXT NOT NULL, cores INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS results (
    entrant INTEGER NOT NULL, seed TEXT NOT NULL, ended TEXT NOT NULL, score INTEGER, max_tile INTEGER, won INTEGER,
    winner INTEGER, moves INTEGER NOT NULL, nodes INTEGER NOT NULL, seconds REAL NOT NULL, host TEXT NOT NULL,
    turns BLOB, run INTEGER NOT NULL, PRIMARY KEY (entrant, seed)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sources (place TEXT PRIMARY KEY, hash TEXT NOT NULL, files TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS failures (
    entrant INTEGER NOT NULL, seed TEXT NOT NULL, en TEXT NOT NULL, es TEXT NOT NULL, run INTEGER NOT NULL,
    PRIMARY KEY (entrant, seed)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS courses (
    entrant INTEGER NOT NULL, seed TEXT NOT NULL, course TEXT NOT NULL, run INTEGER NOT NULL,
    PRIMARY KEY (entrant, seed)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS shard (number INTEGER NOT NULL, count INTEGER NOT NULL);
"""

#: What SQLite raises for a damaged file; the second, if its message quotes bytes that are not text.
TROUBLE = (sqlite3.DatabaseError, UnicodeDecodeError)


class _Connection(sqlite3.Connection):
    """Closes when nobody holds it any more, as results in a notebook: from Python 3.13 on it would warn instead."""

    def __del__(self) -> None:
        with suppress(sqlite3.ProgrammingError):  # it was never opened
            self.close()


def _connect(place: str) -> sqlite3.Connection:
    # Every statement is a transaction unless we begin one; two runs wait for each other.
    database = sqlite3.connect(
        place, check_same_thread=False, timeout=30, isolation_level=None, uri=True, factory=_Connection
    )
    database.row_factory = sqlite3.Row
    database.text_factory = lambda text: text.decode("utf-8", "replace")  # damage shows in the values
    # SQLite's advice for untrusted files: check every page before use.
    database.execute("PRAGMA trusted_schema = OFF")
    database.execute("PRAGMA cell_size_check = ON")
    return database


class ResultsFile:
    """The file of one plan's results, opened and checked; `contienda.lab.results.Results` knows the games in it."""

    shard: Shard | None = None
    """The part of the plan that is played here; None: all of it."""

    def __init__(self, path: Path, plan: Plan | None = None, shard: Shard | None = None) -> None:
        """Open a file, or with a plan make it; `BadInput` if it belongs to another plan, or to another shard of it."""
        self.path = path
        if plan is None and not path.is_file():
            raise BadInput("there are no results in {path}", path=path)
        if plan is not None:
            check_writable(path)
        self._run: int | None = None
        try:
            self._db = _connect(path.resolve().as_uri())
        except sqlite3.DatabaseError as error:
            raise self._unusable(error) from None
        try:
            self.plan = self._read() if plan is None else self._make(plan, shard)
            self.shard = self._kept_shard()
            if plan is not None and self.shard != shard:
                raise BadInput(
                    "{path} holds {kept} of this plan: give another file with --out",
                    path=path,
                    kept=Text("all") if self.shard is None else Text("shard {shard}", shard=self.shard),
                )
            if (wrong := find_misfit(self._db, len(self.plan.entrants))) is not None:
                raise sqlite3.DatabaseError(f"it is damaged ({wrong})")
        except TROUBLE as error:
            self._db.close()
            raise self._unusable(error) from None
        except BaseException:
            self._db.close()
            raise

    @classmethod
    def from_bytes(cls, data: bytes, name: Path) -> Self:
        """Results in memory, to read only, from the bytes that `compact` returned."""
        results = cls.__new__(cls)
        results.path, results._run = name, None
        results._db = _connect("file::memory:")
        try:
            results._db.deserialize(data)
            results.plan = results._kept_plan()
            if (wrong := find_misfit(results._db, len(results.plan.entrants))) is not None:
                raise sqlite3.DatabaseError(f"it is damaged ({wrong})")
        except TROUBLE as error:
            results.close()
            raise results._unusable(error) from None
        return results

    def _read(self) -> Plan:
        """Return the plan of an existing file, and change nothing in it."""
        try:
            return self._kept_plan()
        except sqlite3.OperationalError:
            # A read-only folder or a full disk: no log can be written, and none is needed.
            log = self.path.with_name(self.path.name + "-wal")
            if log.is_file() and log.stat().st_size:
                raise
            self._db.close()
            self._db = _connect(f"{self.path.resolve().as_uri()}?immutable=1")
            return self._kept_plan()

    def _make(self, plan: Plan, shard: Shard | None) -> Plan:
        """Return the plan of this file, creating the file if necessary; it must be the plan given."""
        if self._version() == 0:
            if self._tables() - {"plan", "runs", "results", "sources", "failures", "courses", "shard"}:
                raise self._foreign()
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.executescript(SCHEMA)
            self._db.execute(f"PRAGMA user_version = {_VERSION}")
        self._db.execute("PRAGMA synchronous = NORMAL")
        fresh = self._db.execute("SELECT 1 FROM plan").fetchone() is None
        if fresh:
            sources = sources_of((plan.game, *plan.specs))
            with self._writing():
                self._db.execute(
                    "INSERT INTO plan SELECT ?, ? WHERE NOT EXISTS (SELECT 1 FROM plan)",
                    (plan.name, json.dumps(plan.as_data())),
                )
                self._keep(sources)
                if shard is not None:
                    self._db.execute("INSERT INTO shard SELECT ?, ? WHERE NOT EXISTS (SELECT 1 FROM shard)", shard)
        kept = self._kept_plan()
        if kept != plan:
            raise BadInput(
                "{path} has the results of another plan: choose another file with --out, or move this one",
                path=self.path,
            )
        return kept

    def _version(self) -> int:
        found = int(self._db.execute("PRAGMA user_version").fetchone()[0])
        if found not in (0, _VERSION):
            if not {"plan", "results"} <= self._tables():  # a database of another program
                raise self._foreign()
            raise sqlite3.DatabaseError(f"it is of version {found}; this Contienda knows version {_VERSION}")
        return found

    def _tables(self) -> set[str]:
        try:
            return {row["name"] for row in self._db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        except UnicodeDecodeError:
            raise self.damaged() from None

    def _kept_plan(self) -> Plan:
        if self._version() == 0 or not {"plan", "results", "runs"} <= self._tables():
            raise self._foreign()
        found = self._db.execute("SELECT data FROM plan").fetchone()
        if found is None:
            raise BadInput("{path} holds no plan yet", path=self.path)
        try:
            data = json.loads(found["data"])
            return Plan.from_data(data if isinstance(data, dict) else {})
        except (BadInput, ValueError, TypeError, RecursionError) as error:
            told = error.text if isinstance(error, BadInput) else Text("it is not JSON")
            raise BadInput("{path}: its plan is damaged: {told}", path=self.path, told=told) from None

    def _kept_shard(self) -> Shard | None:
        """The part of the plan that the file is for; files of earlier versions have no such table."""
        found = self._rows("SELECT number, count FROM shard") if "shard" in self._tables() else []
        if not found:
            return None
        number, count = found[0]
        if len(found) > 1 or not (isinstance(number, int) and isinstance(count, int) and 1 <= number <= count):
            raise self.damaged()
        return Shard(number, count)

    def _unusable(self, error: Exception) -> BadInput:
        if isinstance(error, UnicodeDecodeError):
            return self.damaged()
        return BadInput("{path} cannot be used: {error}", path=self.path, error=error)

    def _foreign(self) -> BadInput:
        return BadInput("{path} holds no results of Contienda", path=self.path)

    # Errors.

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """A transaction. A full or read-only disk raises `BadInput`."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
        except sqlite3.DatabaseError as error:
            raise BadInput(
                "cannot write {path}: {error}; the finished games are saved, and resume continues from there",
                path=self.path,
                error=error,
            ) from None

    def _rows(self, query: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        """All rows of a query; a damaged file raises `BadInput`."""
        try:
            return self._db.execute(query, values).fetchall()
        except TROUBLE as error:
            raise self._unusable(error) from None

    def _seed(self, row: sqlite3.Row) -> int:
        try:
            return int(row["seed"])
        except (TypeError, ValueError):
            raise self.damaged() from None

    def damaged(self) -> BadInput:
        """Return the error for a damaged file."""
        return BadInput("{path} is damaged: use a copy", path=self.path)

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def _keep(self, sources: Iterable[Source]) -> None:
        """Store the text of heuristics; texts stored earlier stay."""
        self._db.executemany(
            "INSERT OR IGNORE INTO sources VALUES (?, ?, ?)",
            [(source.place, source.hash, json.dumps(source.files)) for source in sources],
        )
