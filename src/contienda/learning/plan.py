"""The plan of a training run: all its options, kept in its file."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from contienda.core.language import BadInput
from contienda.evaluation.g2048.ntuple import Network
from contienda.learning.step import METHODS, check_method

__all__ = ["TrainingPlan"]

#: The highest initial value, in points: no game makes 4 million, and float32 is exact for integers up to 16 million.
_MOST_OPTIMISM = 10**7


@dataclass(frozen=True)
class TrainingPlan:
    """A network and the methods it is trained with."""

    network: Network
    method: str
    alpha: float
    trace: float = 0.0
    """λ, see `contienda.learning.returns`."""
    optimism: float = 0.0
    """The initial value of every board, see `contienda.learning.optimistic`."""
    carousel: bool = False
    """Games start at each stage in turn, see `contienda.learning.carousel`."""
    restart: bool = False
    """Games are played again from their middle, see `contienda.learning.restart`."""
    anneal: bool = False
    """The rate falls towards the end of the run, see `contienda.learning.annealing`."""
    seed: int = 0
    point: int = 1000
    """Games per point of the learning curve, which is their mean."""

    def __post_init__(self) -> None:
        check_method(self.method, self.alpha, self.trace)
        if not 0 <= self.optimism <= _MOST_OPTIMISM:
            raise BadInput(
                "optimism {optimism:g} must be from 0 to {most_optimism}: points",
                optimism=self.optimism,
                most_optimism=_MOST_OPTIMISM,
            )
        if self.carousel and len(self.network.stages) == 1:
            raise BadInput("a carousel needs stages")

    def as_data(self) -> dict[str, Any]:
        """Return everything but the network, for a file; `from_data` reads it back."""
        return {field.name: getattr(self, field.name) for field in fields(self) if field.name != "network"}

    @classmethod
    def from_data(cls, network: Network, data: dict[str, Any]) -> TrainingPlan:
        """Return the plan from a file's data."""
        return cls(network, **data)

    @property
    def megabytes(self) -> int:
        """The megabytes that training takes."""
        return 4 * self.network.size * (1 + METHODS[self.method].memory) // 2**20
