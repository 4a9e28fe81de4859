"""What was played: one SQLite file, a row for each game, written as games end.

The file is in WAL mode: kill -9 loses at most the games that were being played, and a game is there once, whoever
played it first: two runs of one plan share their work. Figures that depend on the clock have columns of their own.
"""

from __future__ import annotations

import json
import os
import platform
import sqlite3
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from contienda import __version__
from contienda.lab.plan import Plan, Unit
from contienda.lab.results_check import find_wrong
from contienda.language import BadInput
from contienda.record import make_folder

__all__ = ["CLOCK", "COLUMNS", "Outcome", "Results"]

_VERSION = 1
_SCHEMA = """
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
"""

#: The columns of a game, and those of them that depend on the clock and the machine.
COLUMNS = ("entrant", "seed", "ended", "score", "max_tile", "won", "winner", "moves", "nodes", "seconds", "host")
CLOCK = ("seconds", "host")


@dataclass(frozen=True)
class Outcome:
    """How a game of the plan came out."""

    entrant: int
    seed: int
    ended: str
    score: int | None
    max_tile: int | None
    won: bool | None
    winner: int | None
    """0 nobody, 1 the entrant, 2 its opponent."""
    moves: int
    nodes: int
    seconds: float
    host: str
    """The machine that played it."""
    turns: bytes | None = None
    """Milliseconds of each turn, as float32, where the plan asks for them."""


def _connect(place: str) -> sqlite3.Connection:
    # Every statement is its own transaction unless we begin one; two runs wait for each other's.
    database = sqlite3.connect(place, check_same_thread=False, timeout=30, isolation_level=None, uri=True)
    database.row_factory = sqlite3.Row
    # What SQLite advises for files that may come from anybody: look at every page before it is used.
    database.execute("PRAGMA trusted_schema = OFF")
    database.execute("PRAGMA cell_size_check = ON")
    return database


class Results:
    """The results of one plan, in one file."""

    def __init__(self, path: Path, plan: Plan | None = None) -> None:
        """Open a file, or with a plan make it; `BadInput` if it belongs to another plan."""
        self.path = path
        if plan is None and not path.is_file():
            raise BadInput(f"there are no results in {path}", f"no hay resultados en {path}")
        if plan is not None:
            make_folder(path.parent)
        try:
            self._db = _connect(path.resolve().as_uri())
            try:
                try:
                    self._db.execute("PRAGMA journal_mode = WAL")
                    self._db.execute("PRAGMA synchronous = NORMAL")
                except sqlite3.OperationalError:
                    if plan is not None:
                        raise
                    # A folder that we may only read: no log can be written there, and none is needed.
                    self._db.close()
                    self._db = _connect(f"{path.resolve().as_uri()}?immutable=1")
                self.plan = self._prepare(plan)
            except BaseException:
                self._db.close()  # a file that is refused is not held on to
                raise
        except UnicodeDecodeError:  # SQLite quotes what it stumbled over
            raise BadInput(f"{path} cannot be used: it is damaged", f"{path} no se puede usar: está dañado") from None
        except sqlite3.DatabaseError as error:
            raise BadInput(f"{path} cannot be used: {error}", f"{path} no se puede usar: {error}") from None
        self._run: int | None = None

    def _prepare(self, plan: Plan | None) -> Plan:
        found = self._db.execute("PRAGMA user_version").fetchone()[0]
        if found not in (0, _VERSION):
            raise sqlite3.DatabaseError(f"it is of version {found}; this Contienda knows version {_VERSION}")
        if found == 0:
            if plan is None:
                raise BadInput(
                    f"{self.path} holds no results of Contienda", f"{self.path} no tiene resultados de Contienda"
                )
            self._db.executescript(_SCHEMA)
            self._db.execute(f"PRAGMA user_version = {_VERSION}")
        if plan is not None:
            self._db.execute(
                "INSERT OR IGNORE INTO plan SELECT ?, ? WHERE NOT EXISTS (SELECT 1 FROM plan)",
                (plan.name, json.dumps(plan.as_data())),
            )
        kept = self._kept_plan()
        if plan is not None and kept != plan:
            raise BadInput(
                f"{self.path} holds the results of another plan: give another file with --out, or move it away",
                f"{self.path} tiene los resultados de otro plan: indica otro archivo con --out, o retíralo",
            )
        wrong = find_wrong(self._db, len(kept.entrants))
        if wrong is not None:
            raise sqlite3.DatabaseError(f"it is damaged ({wrong})")
        return kept

    def _kept_plan(self) -> Plan:
        row = self._db.execute("SELECT data FROM plan").fetchone()
        try:
            return Plan.from_data(json.loads(row["data"] if row is not None else ""))
        except (TypeError, ValueError, RecursionError):  # no text, no JSON, or none of a plan
            raise sqlite3.DatabaseError("it is damaged (plan)") from None

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    # Writing.

    def begin(self, place: str, code: str) -> int:
        """Note who plays from now on: the code and its hash, its compiler, the machine. Gives the run its number."""
        cursor = self._db.execute(
            "INSERT INTO runs (begun, place, contienda, code, python, numba, numpy, machine, cores) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                time.time(), place, __version__, code, platform.python_version(), version("numba"), version("numpy"),
                f"{platform.system()} {platform.machine()}", os.cpu_count() or 1,
            ),
        )  # fmt: skip
        self._run = cursor.lastrowid or 0
        return self._run

    def add(self, outcomes: Sequence[Outcome]) -> None:
        """Keep games; one that is there already stays as it is."""
        rows = [
            (
                o.entrant, str(o.seed), o.ended, o.score, o.max_tile, o.won, o.winner, o.moves, o.nodes, o.seconds,
                o.host, o.turns, self._run,
            )
            for o in outcomes
        ]  # fmt: skip
        try:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("INSERT OR IGNORE INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
            self._db.execute("COMMIT")
        except sqlite3.OperationalError as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise BadInput(
                f"cannot write {self.path}: {error}; what was finished before is kept, and resume goes on from there",
                f"no se puede escribir {self.path}: {error}; lo acabado antes está guardado, y resume sigue desde ahí",
            ) from None

    def end(self) -> None:
        """The run came to its end."""
        self._db.execute("UPDATE runs SET ended = ? WHERE run = ?", (time.time(), self._run))

    # Reading.

    def _ask(self, query: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        try:
            return self._db.execute(query, values).fetchall()
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # damaged since, or in a page not looked at
            raise BadInput(f"{self.path} cannot be read: {error}", f"{self.path} no se puede leer: {error}") from None

    def missing(self, units: Iterable[Unit]) -> list[Unit]:
        """Those games that are still to be played, in their order."""
        done = {(row["entrant"], int(row["seed"])) for row in self._ask("SELECT entrant, seed FROM results")}
        return [unit for unit in units if (unit.entrant, unit.seed) not in done]

    def still_missing(self, entrant: int, seeds: list[int]) -> list[int]:
        """Those of an entrant's games that are still to be played: another run may be at it too."""
        places = ", ".join("?" * len(seeds))
        query = f"SELECT seed FROM results WHERE entrant = ? AND seed IN ({places})"
        done = {int(row["seed"]) for row in self._ask(query, (entrant, *map(str, seeds)))}
        return [seed for seed in seeds if seed not in done]

    def rows(self) -> list[dict[str, Any]]:
        """Every game, in the order of the plan."""
        first = self.plan.seed
        found = [dict(zip(COLUMNS, row, strict=True)) for row in self.raw_rows()]
        found.sort(key=lambda row: (row["entrant"], (int(row["seed"]) - first) % 2**64))
        return found

    def raw_rows(self) -> list[tuple[Any, ...]]:
        """Every game, in any order."""
        return [tuple(row) for row in self._ask(f"SELECT {', '.join(COLUMNS)} FROM results")]

    def turns(self, entrant: int) -> list[bytes]:
        """The milliseconds of every turn of an entrant's games, if the plan asked for them."""
        found = self._ask("SELECT turns FROM results WHERE entrant = ? AND turns IS NOT NULL", (entrant,))
        return [row["turns"] for row in found]

    def runs(self) -> list[dict[str, Any]]:
        """Who played, when and with what."""
        return [dict(row) for row in self._ask("SELECT * FROM runs ORDER BY run")]

    def counts(self) -> dict[int, int]:
        """Games finished, for each entrant."""
        found = self._ask("SELECT entrant, COUNT(*) AS n FROM results GROUP BY entrant")
        return {row["entrant"]: row["n"] for row in found}

    def as_bytes(self) -> bytes:
        """The whole file as it stands, for a copy."""
        return self._db.serialize()

    def _repr_html_(self) -> str:
        """What a notebook shows: every player with its figures."""
        from contienda.lab.report import players_html
        from contienda.lab.statistics import summarise
        from contienda.lab.table import table_of

        return players_html(sorted(summarise(table_of(self)), key=lambda summary: -summary.quality))
