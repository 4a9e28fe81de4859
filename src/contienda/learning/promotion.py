"""Weight promotion: a new stage of a network begins with what the stage before has learnt.

Reference: Jaśkowski, "Mastering 2048 with delayed temporal coherence learning …", 2018. There each weight is copied
when it is first needed; here all at once, when enough games have come so far: until then the boards of the new stage
are learnt with the weights of the one before, which so know something of them.
"""

from __future__ import annotations

import numpy as np

from contienda.evaluation.ntuple import Network

__all__ = ["ENOUGH", "promote"]

#: A stage is opened when so many games have reached it.
ENOUGH = 1000


def promote(network: Network, stage: int, table: np.ndarray) -> None:
    """Let a stage begin with the weights of the stage before; ``table`` has a row for each."""
    size = network.stage_size
    table[stage * size : (stage + 1) * size] = table[(stage - 1) * size : stage * size]
