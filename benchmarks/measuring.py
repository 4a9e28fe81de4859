"""Two things measured side by side: in turns, several rounds, medians.

A machine is noisy and slows down and speeds up as it likes; what is measured in the same second shares the noise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import median

__all__ = ["Finding", "side_by_side"]


@dataclass
class Finding:
    """A row of the table. Without a ratio, the note says why there is none."""

    what: str
    beside: str
    unit: str = ""
    ours: float | None = None
    theirs: float | None = None
    ratio: float | None = None
    """The median over the rounds of ours / theirs."""
    lowest: float | None = None
    highest: float | None = None
    aim: str = ""
    reached: bool | None = None
    note: str = ""

    def judged(self, aim: str, reached: bool) -> Finding:
        """The same with what it should have been."""
        self.aim, self.reached = aim, reached
        return self

    def as_json(self) -> dict[str, object]:
        """The row for a machine."""
        return {key: round(value, 6) if isinstance(value, float) else value for key, value in asdict(self).items()}


def side_by_side(
    what: str, beside: str, unit: str, ours: Callable[[], float], theirs: Callable[[], float], rounds: int
) -> Finding:
    """Measure both in every round, taking turns at being first; each call gives a figure in the unit."""
    pairs = []
    for number in range(rounds):
        if number % 2:
            other = theirs()
            pairs.append((ours(), other))
        else:
            pairs.append((ours(), theirs()))
    ratios = [our / their for our, their in pairs]
    return Finding(
        what,
        beside,
        unit,
        median(our for our, _ in pairs),
        median(their for _, their in pairs),
        median(ratios),
        min(ratios),
        max(ratios),
    )
