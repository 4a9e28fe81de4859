"""Limits the size of traces. A longer search is truncated, or refused if hardly any of it would fit."""

from __future__ import annotations

import math

from contienda.compiled.stopping import Stop
from contienda.core.language import BadInput, Text
from contienda.search.hooks import CAPACITY

__all__ = [
    "MOST_EVENTS",
    "MOST_NODES",
    "TraceTooLarge",
    "capacity_of",
    "refuse_stopped",
    "refuse_too_large",
    "too_large",
]

#: The most events that you may ask for: a JSON of some 450 MB.
MOST_EVENTS = 1_000_000

#: The search is given up after this many nodes, about a second of work, and refused without knowing its size.
MOST_NODES = 5_000_000

#: A trace that would show less than this part of its search is refused: not even its first branch would be complete.
_LEAST_SHARE = 1 / 20


def capacity_of(events: int | None) -> int:
    """Return the number of events that a trace may have: what the user asks for, within bounds."""
    if events is None:
        return CAPACITY
    if not 1 <= events <= MOST_EVENTS:
        raise BadInput("events={events:,}: a trace has 1 to {most_events:,}", events=events, most_events=MOST_EVENTS)
    return events


def refuse_stopped(stop: Stop) -> None:
    """Refuse the trace of a search that was stopped."""
    if stop.stopped:
        raise BadInput("the search was stopped early")


def too_large(total: int, capacity: int) -> bool:
    """Return whether too small a part of this many events would fit."""
    return total * _LEAST_SHARE > capacity


class TraceTooLarge(BadInput):
    """The trace would show too small a part of the search."""

    def __init__(self, fits: str, message: str, /, **fields: object) -> None:
        super().__init__(message, **fields)
        self.fits = fits
        """The option with which the trace would fit, as a spec has it."""


def refuse_too_large(total: float, capacity: int, fits: str) -> TraceTooLarge:
    """Return the error to raise: the size of the trace (infinite if unknown), and what would fit."""
    size = (
        Text("more than {most_nodes:,} nodes", most_nodes=MOST_NODES)
        if math.isinf(total)
        else Text("{total:,} events", total=int(total))
    )
    return TraceTooLarge(
        fits,
        "this trace would have {size}; the limit is {capacity:,}: {fits} fits",
        size=size,
        capacity=capacity,
        fits=fits,
    )
