"""Optimistic initialisation: a network that starts with a high value for every board tries them all.

Reference: Guei, Chen and Wu, "Optimistic temporal difference learning for 2048", 2021. It pays on very long runs; in
short ones the network is still correcting its optimism.
"""

from __future__ import annotations

import numpy as np

from contienda.compiled.rows import rows
from contienda.evaluation.g2048.ntuple import Network

__all__ = ["begin_at"]


def begin_at(value: float, network: Network, weights: np.record) -> None:
    """Set the weights so that every board has this value."""
    rows(weights)[:] = value / network.lookups
