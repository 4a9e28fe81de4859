"""Annealing: the rate falls in steps towards the end of a run, so that the weights settle.

A high rate keeps exploring and never settles; a low one settles but stops exploring. So most of a run learns at full
rate and its last part at a fraction of it. Measured on 5x6 to 7x6 networks: a tenth of the rate gives about ten percent
more points within a few thousand games and little after that, so the steps may come late.
"""

from __future__ import annotations

__all__ = ["STEPS", "factor"]

#: From each share of a run on, the factor of the rate.
STEPS = ((0.0, 1.0), (0.7, 0.1), (0.9, 0.01))


def factor(share: float) -> float:
    """Return the factor of the rate when this share of the run is done.

    >>> factor(0.5), factor(0.7), factor(0.95)
    (1.0, 0.1, 0.01)
    """
    return next(times for begin, times in reversed(STEPS) if share >= begin or begin == 0.0)
