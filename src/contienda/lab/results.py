"""Results: one SQLite file with a row for each game, written as games end.

The file is in WAL mode: kill -9 loses at most the games in progress. Each game is stored once, so two runs of one plan
share the work. Figures that depend on the clock have separate columns.

Reading results needs only the file. It also stores the source of users' heuristics (see `contienda.lab.sources`) and
the reason why a game could not be played.
"""

from __future__ import annotations

import os
import platform
import sqlite3
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from contienda import __version__
from contienda.core.language import BadInput, Text
from contienda.lab.plan import Unit
from contienda.lab.results_file import SCHEMA, TROUBLE, ResultsFile
from contienda.lab.sources import Source, source_from_row, sources_of

__all__ = ["COLUMNS", "Failure", "Outcome", "Results", "remove_results"]

#: The columns of a game.
COLUMNS = ("entrant", "seed", "ended", "score", "max_tile", "won", "winner", "moves", "nodes", "seconds", "host")
#: The columns that change when the same game is played again.
_CLOCK = ("seconds", "host")


@dataclass(frozen=True)
class Outcome:
    """The outcome of a game of the plan."""

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
    """The machine on which it was played."""
    turns: bytes | None = None
    """Milliseconds of each turn, as float32, where the plan asks for them."""
    forfeit: Text | None = None
    """Why it was lost by rule, or won: a game that ``ended`` by "forfeit"."""
    course: str | None = None
    """A hash of its moves, where a game could repeat another (`contienda.lab.openings.course_of`)."""


class Failure(NamedTuple):
    """A game that could not be played, and why."""

    entrant: int
    seed: int
    reason: Text


class Results(ResultsFile):
    """The games of one plan, in one file."""

    # Writing.

    def begin(self, place: str, code: str) -> int:
        """Record a run: the code and its hash, the compiler, the machine. Return its number."""
        self._db.execute("PRAGMA synchronous = NORMAL")
        with self._writing():
            for statement in SCHEMA.split(";"):  # adds what a file of an earlier version lacks
                self._db.execute(statement)
            cursor = self._db.execute(
                "INSERT INTO runs (begun, place, contienda, code, python, numba, numpy, machine, cores) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    time.time(), place, __version__, code, platform.python_version(), version("numba"),
                    version("numpy"), f"{platform.system()} {platform.machine()}", os.cpu_count() or 1,
                ),
            )  # fmt: skip
            self._keep(sources_of((self.plan.game, *self.plan.specs)))
        self._run = cursor.lastrowid or 0
        return self._run

    def add(self, outcomes: Sequence[Outcome], failures: Sequence[Failure] = ()) -> None:
        """Store games; one that is already there stays unchanged."""
        rows = [
            (
                o.entrant, str(o.seed), o.ended, o.score, o.max_tile, o.won, o.winner, o.moves, o.nodes, o.seconds,
                o.host, o.turns, self._run,
            )
            for o in outcomes
        ]  # fmt: skip
        failed = [
            (each.entrant, str(each.seed), each.reason.into("en"), each.reason.into("es"), self._run)
            for each in (*failures, *(Failure(o.entrant, o.seed, o.forfeit) for o in outcomes if o.forfeit is not None))
        ]
        courses = [(o.entrant, str(o.seed), o.course, self._run) for o in outcomes if o.course is not None]
        with self._writing():
            self._db.executemany("INSERT OR IGNORE INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
            self._db.executemany("INSERT OR IGNORE INTO courses VALUES (?, ?, ?, ?)", courses)
            self._db.executemany("INSERT OR REPLACE INTO failures VALUES (?, ?, ?, ?, ?)", failed)

    def take_in(self, other: Results) -> None:
        """Copy the games, runs and failures of another file of this plan; a game that is in both must be the same."""
        known = {(row["entrant"], row["seed"]): row for row in self.rows()}
        for row in other.rows():
            mine = known.get((row["entrant"], row["seed"]))
            if mine is not None and any(mine[key] != row[key] for key in row if key not in _CLOCK):
                raise BadInput(
                    "{other} and {path} tell different games of player {player}, seed {seed}",
                    other=other.path,
                    path=self.path.name,
                    player=self.plan.entrants[row["entrant"]],
                    seed=row["seed"],
                )
        with self._writing():
            for old, new in self._take_runs(other).items():
                for table in [each for each in ("results", "failures", "courses") if each in other._tables()]:
                    rows = [
                        tuple((dict(row) | {"run": new}).values())
                        for row in other._rows(f"SELECT * FROM {table} WHERE run = ?", (old,))
                    ]
                    if rows:
                        places = ", ".join("?" * len(rows[0]))
                        self._db.executemany(f"INSERT OR IGNORE INTO {table} VALUES ({places})", rows)
            self._keep(other.sources())

    def take_times(self, other: Results) -> None:
        """Take over the times of games that were played again in another file, possibly by only some of the players.

        Their last run and machine are taken over too. `BadInput` if a game differs from the earlier one.
        """
        entrants = {entrant: number for number, entrant in enumerate(self.plan.entrants)}
        mine = {(row["entrant"], row["seed"]): row for row in self.rows()}
        rows = other._rows(f"SELECT {', '.join(COLUMNS)}, turns, run FROM results")
        times = []
        for row in rows:
            entrant = other.plan.entrants[row["entrant"]]
            own = mine.get((entrants[entrant], row["seed"]))
            if own is None or any(own[key] != row[key] for key in COLUMNS[1:] if key not in _CLOCK):
                raise BadInput(
                    "{path}: with seed {seed}, {player} plays another game than before: delete the file to play again",
                    path=self.path,
                    player=entrant,
                    seed=row["seed"],
                )
            times.append((row["seconds"], row["host"], row["turns"], row["run"], entrants[entrant], row["seed"]))
        with self._writing():
            runs = self._take_runs(other)
            self._db.executemany(
                "UPDATE results SET seconds = ?, host = ?, turns = ?, run = ? WHERE entrant = ? AND seed = ?",
                [(*row[:3], runs[row[3]], *row[4:]) for row in times],
            )

    def _take_runs(self, other: Results) -> dict[int, int]:
        """Copy the runs of another file; return their numbers here by their numbers there."""
        numbers = {}
        last = int(self._db.execute("SELECT COALESCE(MAX(run), 0) FROM runs").fetchone()[0])
        for number, run in enumerate(other.runs(), start=last + 1):
            values = tuple((run | {"run": number}).values())
            self._db.execute(f"INSERT INTO runs VALUES ({', '.join('?' * len(values))})", values)
            numbers[run["run"]] = number
        return numbers

    def end(self) -> None:
        """Record the end of a run."""
        with self._writing():
            self._db.execute("UPDATE runs SET ended = ? WHERE run = ?", (time.time(), self._run))

    # Reading.

    def sources(self) -> list[Source]:
        """The text of every heuristic at the time of the first games; files of old versions have none."""
        if "sources" not in self._tables():
            return []
        found = self._rows("SELECT place, hash, files FROM sources ORDER BY place")
        try:
            return [source_from_row(row["place"], row["hash"], row["files"]) for row in found]
        except BadInput as error:
            raise BadInput("{path}: {error}", path=self.path, error=error) from None

    def failures(self) -> list[Failure]:
        """Return the games that could not be played, in the order of the plan."""
        if "failures" not in self._tables():
            return []
        found = self._rows(
            "SELECT entrant, seed, en, es FROM failures AS f WHERE NOT EXISTS "
            "(SELECT 1 FROM results AS r WHERE r.entrant = f.entrant AND r.seed = f.seed)"
        )
        failed = [Failure(row["entrant"], self._seed(row), _said(row)) for row in found]
        return sorted(failed, key=lambda each: (each.entrant, (each.seed - self.plan.seed) % 2**64))

    def forfeits(self) -> list[Failure]:
        """Return the games lost by rule, with the reason, in the order of the plan."""
        if "failures" not in self._tables():
            return []
        found = self._rows(
            "SELECT f.entrant, f.seed, en, es FROM failures AS f JOIN results AS r "
            "ON r.entrant = f.entrant AND r.seed = f.seed WHERE r.ended = 'forfeit'"
        )
        lost = [Failure(row["entrant"], self._seed(row), _said(row)) for row in found]
        return sorted(lost, key=lambda each: (each.entrant, (each.seed - self.plan.seed) % 2**64))

    def courses(self) -> dict[tuple[int, int], str]:
        """Return the course of each game that could repeat another, by entrant and seed, in the order of the plan."""
        if "courses" not in self._tables():  # a file of an earlier version
            return {}
        found = [(row["entrant"], self._seed(row), row["course"]) for row in self._rows("SELECT * FROM courses")]
        if not all(isinstance(value, kind) for row in found for value, kind in zip(row, (int, int, str), strict=True)):
            raise self.damaged()
        found.sort(key=lambda row: (row[0], (row[1] - self.plan.seed) % 2**64))
        return {(entrant, seed): course for entrant, seed, course in found}

    def repeated(self) -> set[tuple[int, int]]:
        """Return the entrant and seed of each game that repeats an earlier one of its entrant, move for move."""
        met: set[tuple[int, str]] = set()
        repeats = set()
        for (entrant, seed), course in self.courses().items():
            if (entrant, course) in met:
                repeats.add((entrant, seed))
            met.add((entrant, course))
        return repeats

    def missing(self, units: Iterable[Unit]) -> list[Unit]:
        """Return the games still to play, in order; games that failed in this run are not tried again."""
        done = {(row["entrant"], self._seed(row)) for row in self._rows("SELECT entrant, seed FROM results")}
        if self._run is not None:
            tried = self._rows("SELECT entrant, seed FROM failures WHERE run = ?", (self._run,))
            done |= {(row["entrant"], self._seed(row)) for row in tried}
        return [unit for unit in units if (unit.entrant, unit.seed) not in done]

    def still_missing(self, entrant: int, seeds: list[int]) -> list[int]:
        """Return the games of an entrant that are missing: another run may have played some."""
        places = ", ".join("?" * len(seeds))
        query = f"SELECT seed FROM results WHERE entrant = ? AND seed IN ({places})"
        done = {self._seed(row) for row in self._rows(query, (entrant, *map(str, seeds)))}
        return [seed for seed in seeds if seed not in done]

    def rows(self) -> list[dict[str, Any]]:
        """Every game, in the order of the plan."""
        first = self.plan.seed
        found = [dict(zip(COLUMNS, row, strict=True)) for row in self.raw_rows()]
        try:
            found.sort(key=lambda row: (row["entrant"], (int(row["seed"]) - first) % 2**64))
        except (TypeError, ValueError):
            raise self.damaged() from None
        return found

    def raw_rows(self) -> list[tuple[Any, ...]]:
        """Every game, in any order."""
        cursor = self._db.cursor()
        cursor.row_factory = None
        try:
            return cursor.execute(f"SELECT {', '.join(COLUMNS)} FROM results").fetchall()
        except TROUBLE as error:
            raise self._unusable(error) from None

    def turns(self, entrant: int) -> dict[int, bytes]:
        """Return the milliseconds of every turn of an entrant's games, by seed, if the plan asked for them."""
        found = self._rows("SELECT seed, turns FROM results WHERE entrant = ? AND turns IS NOT NULL", (entrant,))
        turns = {self._seed(row): row["turns"] for row in found}
        if not all(isinstance(each, bytes) and len(each) % 4 == 0 for each in turns.values()):
            raise self.damaged()
        return turns

    def runs(self) -> list[dict[str, Any]]:
        """Return the runs: who played, when and with what."""
        return [dict(row) for row in self._rows("SELECT * FROM runs ORDER BY run")]

    def runs_of_games(self) -> list[dict[str, Any]]:
        """Return the runs whose games are kept; those of games that were measured again are the later runs."""
        return [
            dict(row) for row in self._rows("SELECT * FROM runs WHERE run IN (SELECT run FROM results) ORDER BY run")
        ]

    def counts(self) -> dict[int, int]:
        """Return the number of finished games of each entrant."""
        found = self._rows("SELECT entrant, COUNT(*) AS n FROM results GROUP BY entrant")
        return {row["entrant"]: row["n"] for row in found}

    def as_bytes(self) -> bytes:
        """Return the whole file as bytes."""
        return self._db.serialize()

    def compact(self) -> bytes:
        """Return the file as bytes, without its log and unused space."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "compact.sqlite"
            self._db.execute("VACUUM INTO ?", (str(path),))
            copy = sqlite3.connect(path)
            copy.execute("PRAGMA journal_mode = DELETE")
            copy.close()
            return path.read_bytes()

    def charts(self) -> dict[str, Any]:
        """Return the Altair charts that these games can fill, by name: a notebook shows each."""
        from contienda.lab.figures import figures_of
        from contienda.lab.table import table_of, turns_of

        return figures_of(table_of(self), turns_of(self))

    def _repr_html_(self) -> str:
        """Return the table of players and figures that a notebook shows."""
        from contienda.lab.report import players_html
        from contienda.lab.statistics import summarise
        from contienda.lab.table import table_of

        return players_html(sorted(summarise(table_of(self)), key=lambda summary: -summary.quality))


def _said(row: sqlite3.Row) -> Text:
    """A stored reason: files have it in two languages, and readers of other languages get the English one."""
    return Text.rendered({"en": str(row["en"]), "es": str(row["es"])})


def remove_results(path: Path) -> None:
    """Delete a file of results, and SQLite's files beside it."""
    for ending in ("", "-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
