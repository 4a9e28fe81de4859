"""Optimistic initialisation: a network that begins by thinking well of every board tries them all.

Reference: Guei, Chen and Wu, "Optimistic temporal difference learning for 2048", 2021. It pays on very long runs; on
short ones the network is still busy being disappointed.
"""

from __future__ import annotations

import numpy as np

from contienda.compiled.rows import rows
from contienda.evaluation.ntuple import Network

__all__ = ["begin_at"]


def begin_at(value: float, network: Network, weights: np.record) -> None:
    """Let every board be worth so much."""
    rows(weights)[:] = value / network.lookups
