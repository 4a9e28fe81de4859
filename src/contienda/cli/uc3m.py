"""The call of uc3m's program, ``ALGORITHM HEURISTIC DEPTH`` with its codes, as an order for `contienda play`."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from contienda.cli.play import PlayOrder
from contienda.language import BadInput

__all__ = ["old_call"]

_HEURISTICS = ("uc3m-score", "uc3m-empty")


def old_call(
    algorithm: int, heuristic: int, depth: int, seed: int | None, stats: Path | None, watch: bool
) -> PlayOrder:
    """A game as uc3m played it: up to 2048, moves tried in its order, statistics written at the end."""
    for name, nombre, code in (("algorithm", "algoritmo", algorithm), ("heuristic", "heurística", heuristic)):
        if code not in (0, 1):
            raise BadInput(f"{name} {code}: there are 0 and 1", f"{nombre} {code}: hay 0 y 1")
    evaluator = _HEURISTICS[heuristic]
    player = (
        f"minimax:depth={depth},eval={evaluator},opponent=twos,ties=down-right-up-left"
        if algorithm == 0
        else f"astar:h={evaluator},depth={depth}"
    )
    stats = stats or Path(f"uc3m-{datetime.now():%Y%m%d-%H%M%S}.txt")
    return PlayOrder("2048", player, None, seed, 1, 2048, 1, None, stats, watch, speed=10.0)
