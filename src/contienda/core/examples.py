"""Examples that a game brings along, for the app to offer: searches to look at, and experiments to begin from."""

from __future__ import annotations

from typing import Literal, NamedTuple

from contienda.core.language import Text

__all__ = ["LabExample", "TraceExample"]


class TraceExample(NamedTuple):
    """A search to look at in the explorer, or two to compare."""

    title: Text
    searches: tuple[tuple[str, str], ...]
    """Each is a position and the player that searches it."""
    mode: Literal["one", "two", "guess"] = "one"
    """``guess``: the user says which branches are cut."""


class LabExample(NamedTuple):
    """An experiment to begin from in the lab; the fields are those of a plan."""

    question: Text
    players: tuple[str, ...]
    games: int
    target: int | None = None
    opponents: tuple[str, ...] = ()
    sides: Literal["first", "second", "both"] = "first"
    opening: int = 0
