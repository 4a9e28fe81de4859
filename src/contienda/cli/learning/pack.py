"""``contienda pack``: a trained network in the few megabytes that playing needs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from contienda.cli.files import file_to_read, file_to_write
from contienda.compiled.rows import rows
from contienda.core.language import BadInput, say
from contienda.evaluation.cell_network import cells_game, is_cell_network, pack_cells
from contienda.evaluation.g2048.network_file import load_network, read_blocks, read_head, write_file
from contienda.evaluation.g2048.quantised import COARSEST, quantise
from contienda.games import make_game

__all__ = ["run_pack"]


def run_pack(file: Path, out: Path, step: float, console: Console) -> None:
    """Write the packed network, and print its size and its precision."""
    if not 0 < step < 1000:
        raise BadInput("--step {step:g}: points, above 0 and below 1000", step=step)
    file_to_read(file)
    file_to_write(out)
    if is_cell_network(file):
        pack_cells(file, out, make_game(cells_game(file)))
        size = out.stat().st_size / 2**20
        console.print(say("{out}: {size:,.1f} MB; weights of 16 bits", out=out, size=size), highlight=False)
        return
    network, head = read_head(file)
    if "step" in head:
        raise BadInput("{file} is packed already", file=file)
    _, weights = load_network(file)
    opened = int(weights.open)
    use = _use(file, head)
    step, blocks = quantise(network, rows(weights)[: opened * network.stage_size], step, use)
    widest = step if use is None else step * COARSEST
    trained = {
        key: value
        for key, value in (head.get("progress") or {}).items()
        if key in ("games", "moves", "seconds", "curve")
    }
    write_file(out, network, {"open": opened, "step": step, "plan": head.get("plan"), "trained": trained}, blocks)
    console.print(
        say(
            "{out}: {st_size:,.1f} MB; rounding error at most {step:g} for weights that are used often, "
            "{widest:g} for rare ones",
            out=out,
            st_size=out.stat().st_size / 2**20,
            step=step / 2,
            widest=widest / 2,
        ),
        highlight=False,
        soft_wrap=True,
    )


def _use(file: Path, head: dict[str, Any]) -> np.ndarray | None:
    """Return how much each weight was used: the sum of its absolute steps, which temporal coherence keeps, or None."""
    counts = {name: count for name, _, count in head["blocks"]}
    if "sums" not in counts:
        return None
    sums = np.empty((counts["sums"] // 2, 2), np.float32)
    read_blocks(file, head, {"sums": sums})
    return sums[:, 1]
