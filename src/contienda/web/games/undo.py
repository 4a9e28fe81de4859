"""Where undo and redo lead: from one turn of a person to another, however many other moves lie between.

Sides need not alternate: one may pass, or move twice. So the states themselves tell whose turn it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from contienda.core.game import State
from contienda.web.games.table import Table

__all__ = ["Ways", "undo_and_redo"]

#: States that are read at a time: usually the first or the second is a person's turn.
_AT_A_TIME = 4


class Stated(Protocol):
    """Where the states of a game are: the app's store, or a notebook's memory."""

    def states(self, game_id: str, plies: Sequence[int]) -> list[tuple[int, ...]]:
        """Return the states after these plies, in the same order."""


class Ways(NamedTuple):
    """The plies that undo and redo lead to; None if there is none."""

    undo: int | None
    redo: int | None


def undo_and_redo(table: Table, reader: Stated) -> Ways:
    """Return the plies of a person's last and next turns. With only people, or only machines, each ply counts."""
    cursor, length, players = table.row.cursor, table.row.length, set(table.row.players)
    if players == {"human"} or "human" not in players:
        return Ways(cursor - 1 if cursor else None, cursor + 1 if cursor < length else None)

    def first_of_person(plies: range) -> int | None:
        return next((ply for ply, state in _states(table, reader, plies) if table.mover_at(state) == "human"), None)

    redo = first_of_person(range(cursor + 1, length))
    return Ways(first_of_person(range(cursor - 1, -1, -1)), length if redo is None and cursor < length else redo)


def _states(table: Table, reader: Stated, plies: range) -> Iterator[tuple[int, State]]:
    """Yield the states after these plies, read a few at a time."""
    for first in range(0, len(plies), _AT_A_TIME):
        some = plies[first : first + _AT_A_TIME]
        found = iter(reader.states(table.row.id, [ply for ply in some if ply]))
        for ply in some:
            yield ply, table.as_state(next(found)) if ply else table.start
