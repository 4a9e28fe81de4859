"""Weight promotion: a new stage of a network begins with what the stage before has learnt.

Reference: Jaśkowski, "Mastering 2048 with delayed temporal coherence learning …", 2018. There each weight is copied
when it is first needed; here all at once, when enough games have reached the stage: until then its boards are learnt
with the weights of the stage before, which therefore already know something of them.

The memory of temporal coherence is promoted too. A stage whose rates started again at 1 lost what had been
copied: on a
4x6 network of 259 k games the mean fell from 203,000 to 111,000 within a few thousand games.
"""

from __future__ import annotations

import numpy as np

from contienda.evaluation.g2048.ntuple import Network

__all__ = ["ENOUGH", "promote"]

#: Games that must reach a stage before it is opened.
ENOUGH = 1000


def promote(network: Network, stage: int, *tables: np.ndarray) -> None:
    """Start a stage with what the stage before has learnt; ``tables`` have a row for each weight."""
    size = network.stage_size
    for table in tables:
        table[stage * size : (stage + 1) * size] = table[(stage - 1) * size : stage * size]
