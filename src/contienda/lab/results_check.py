"""Checks the content of a results file: SQLite accepts any value in any column.

Called when a file is opened, before anything else is read.
"""

from __future__ import annotations

import sqlite3

__all__ = ["find_misfit"]

_COUNT = "typeof({0}) = 'integer' AND {0} >= 0"
_COUNT_OR_NULL = "typeof({0}) IN ('integer', 'null')"
_TEXT = "typeof({0}) = 'text'"
_NUMBER = "typeof({0}) IN ('real', 'integer') AND abs({0}) < 1e300"
_FITS = {
    "results": {
        "entrant": _COUNT + " AND {0} < :entrants",
        # Checked as bytes too, because for SQLite a text ends at its first zero byte.
        "seed": _TEXT
        + " AND {0} <> '' AND length(CAST({0} AS BLOB)) = length({0}) AND {0} NOT GLOB '*[^0-9]*' AND (length({0}) < 20"
        " OR (length({0}) = 20 AND {0} <= '18446744073709551615'))",
        "ended": _TEXT,
        "score": _COUNT_OR_NULL,
        "max_tile": _COUNT_OR_NULL,
        "won": _COUNT_OR_NULL,
        "winner": _COUNT_OR_NULL,
        "moves": _COUNT,
        "nodes": _COUNT,
        "seconds": _NUMBER,
        "host": _TEXT,
        "turns": "{0} IS NULL OR (typeof({0}) = 'blob' AND length({0}) % 4 = 0)",
    },
    "runs": {
        "run": _COUNT,
        "begun": _NUMBER,
        "ended": "{0} IS NULL OR " + _NUMBER,
        "place": _TEXT,
        "contienda": _TEXT,
        "code": _TEXT,
        "python": _TEXT,
        "numba": _TEXT,
        "numpy": _TEXT,
        "machine": _TEXT,
        "cores": _COUNT,
    },
}


def find_misfit(database: sqlite3.Connection, entrants: int) -> str | None:
    """Return the first ``table.column`` with an invalid value; None if everything is valid."""
    for table, columns in _FITS.items():
        # One query checks the whole table; only if it fails, others find the column.
        whole = " AND ".join(f"({fits.format(name)})" for name, fits in columns.items())
        if _any_but(database, table, whole, entrants):
            return next(
                f"{table}.{name}"
                for name, fits in columns.items()
                if _any_but(database, table, fits.format(name), entrants)
            )
    return None


def _any_but(database: sqlite3.Connection, table: str, fits: str, entrants: int) -> bool:
    query = f"SELECT 1 FROM {table} WHERE ({fits}) IS NOT TRUE LIMIT 1"
    return database.execute(query, {"entrants": entrants}).fetchone() is not None
