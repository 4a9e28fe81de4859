"""Growth: a trained network gets more tuples. What they see is corrected from then on; what is known is not forgotten.

The weights of a new tuple begin at 0, and nothing is remembered of them: every board is worth what it was, and where
the old tuples cannot tell boards apart, the new ones learn the difference at full rate.
"""

from __future__ import annotations

from itertools import accumulate

import numpy as np

from contienda.evaluation.ntuple import Network

__all__ = ["grow"]


def grow(old: Network, new: Network, before: np.ndarray, after: np.ndarray) -> None:
    """Put the rows of all stages of the old network where the new one has the same tuples."""
    places = _places(new)
    stages = before.reshape(-1, old.stage_size, *before.shape[1:])
    grown = after.reshape(-1, new.stage_size, *after.shape[1:])
    for cells, begin in _places(old).items():
        size = 16 ** len(cells)
        grown[:, places[cells] : places[cells] + size] = stages[:, begin : begin + size]


def _places(network: Network) -> dict[str, int]:
    """Where the weights of each tuple begin."""
    sizes = [16 ** len(cells) for cells in network.tuples]
    return dict(zip(network.tuples, accumulate(sizes, initial=0), strict=False))
