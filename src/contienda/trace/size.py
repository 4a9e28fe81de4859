"""How large a trace may be: what does not fit is cut short, and what hardly begins to fit is refused."""

from __future__ import annotations

import math

from contienda.language import BadInput, Text
from contienda.search.hooks import CAPACITY
from contienda.stopping import Stop

__all__ = [
    "MOST_EVENTS",
    "MOST_NODES",
    "TraceTooLarge",
    "capacity_of",
    "refuse_stopped",
    "refuse_too_large",
    "too_large",
]

#: The most events that somebody may ask for: a JSON of some 100 MB.
MOST_EVENTS = 1_000_000

#: A search is followed so far, about a second of work; one that goes on is refused without knowing its size.
MOST_NODES = 5_000_000

#: A trace that would show less than this part of its search is refused: nobody would see the end of its first branch.
_LEAST_SHARE = 1 / 20


def capacity_of(events: int | None) -> int:
    """The events that a trace may have: as many as asked for, if that makes sense."""
    if events is None:
        return CAPACITY
    if not 1 <= events <= MOST_EVENTS:
        raise BadInput(
            f"events={events:,}: a trace has 1 to {MOST_EVENTS:,}",
            f"events={events:,}: una traza tiene de 1 a {MOST_EVENTS:,}",
        )
    return events


def refuse_stopped(stop: Stop) -> None:
    """Half a search is no trace."""
    if stop.stopped:
        raise BadInput("the search was stopped before its end", "la búsqueda se paró antes de su final")


def too_large(total: int, capacity: int) -> bool:
    """Whether so many events are not worth beginning with."""
    return total * _LEAST_SHARE > capacity


class TraceTooLarge(BadInput):
    """Hardly a part of the search could be shown."""

    def __init__(self, en: str, es: str, fits: str) -> None:
        super().__init__(en, es)
        self.fits = fits
        """The option with which the trace would fit, as a spec has it."""


def refuse_too_large(total: float, capacity: int, fits: str) -> TraceTooLarge:
    """One line: the size that the trace would have, and what would fit. An infinite size is not known."""
    size = (
        Text(f"more than {MOST_NODES:,} nodes", f"más de {MOST_NODES:,} nodos")
        if math.isinf(total)
        else Text(f"{int(total):,} events", f"{int(total):,} sucesos")
    )
    return TraceTooLarge(
        f"this trace would have {size.en}, and {capacity:,} are shown at most: {fits} fits",
        f"esta traza tendría {size.es}, y se muestran {capacity:,} como mucho: {fits} cabe",
        fits,
    )
