"""Growth: a trained network gets more tuples, which correct it from then on; nothing already learnt is lost.

The weights of a new tuple start at 0, without any method's memory: every board keeps its value, and where the old
tuples cannot tell boards apart, the new ones learn the difference at full rate.
"""

from __future__ import annotations

from itertools import accumulate

import numpy as np

from contienda.evaluation.g2048.ntuple import Network

__all__ = ["grow"]


def grow(old: Network, new: Network, before: np.ndarray, after: np.ndarray) -> None:
    """Copy the rows of all stages of the old network to the same tuples of the new one."""
    places = _places(new)
    stages = before.reshape(-1, old.stage_size, *before.shape[1:])
    grown = after.reshape(-1, new.stage_size, *after.shape[1:])
    for cells, begin in _places(old).items():
        size = 16 ** len(cells)
        grown[:, places[cells] : places[cells] + size] = stages[:, begin : begin + size]


def _places(network: Network) -> dict[str, int]:
    """Return where the weights of each tuple begin."""
    sizes = [16 ** len(cells) for cells in network.tuples]
    return dict(zip(network.tuples, accumulate(sizes, initial=0), strict=False))
