"""The numbers that options take: each from a least to a most, refused in one line before any work begins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import typer

from contienda.language import BadInput

__all__ = ["GAMES", "PLAYED_GAMES", "SEED", "SPEED", "THREADS", "within"]


def within(least: float, most: float) -> Callable[..., Any]:
    """A callback for an option whose number must lie between these; NaN lies nowhere."""

    def check(parameter: typer.CallbackParam, value: Any) -> Any:
        if value is None:
            return None
        name = max(parameter.opts, key=len)
        shown = f"{value:g}" if isinstance(value, float) else str(value)
        if not value >= least:
            raise BadInput(f"{name} {shown} must be at least {least}", f"{name} {shown} debe ser al menos {least}")
        if not value <= most:
            raise BadInput(f"{name} {shown} must be at most {most}", f"{name} {shown} debe ser como mucho {most}")
        return value

    return check


#: Seeds are 64 bits.
SEED = within(0, 2**64 - 1)
#: More threads than any machine has cores.
THREADS = within(1, 1024)
#: Games that are played and told: as many as a plan may ask for (`contienda.lab.plan.MOST_GAMES`).
PLAYED_GAMES = within(1, 10**8)
#: Games that a network learns from: at a million moves a second, a thousand of which are a game, four months.
GAMES = within(1, 10**10)
#: Moves shown per second: slower than one in 100 s nobody waits for, and a million is as fast as it goes.
SPEED = within(0.01, 1_000_000)
