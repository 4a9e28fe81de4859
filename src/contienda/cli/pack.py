"""``contienda pack``: a trained network in the few megabytes that playing needs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from contienda.cli.places import file_to_read, file_to_write
from contienda.evaluation.network_file import load_network, read_blocks, read_head, write_file
from contienda.evaluation.quantised import COARSEST, quantise
from contienda.language import BadInput, say
from contienda.rows import rows

__all__ = ["run_pack"]


def run_pack(file: Path, out: Path, step: float, console: Console) -> None:
    """Write the packed network, and say what it costs: megabytes and exactness."""
    if not 0 < step < 1000:
        raise BadInput(f"--step {step:g}: points, above 0 and below 1000", f"--step {step:g}: puntos, entre 0 y 1000")
    file_to_read(file)
    file_to_write(out)
    network, head = read_head(file)
    if "step" in head:
        raise BadInput(f"{file} is packed already", f"{file} ya está empaquetada")
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
            f"{out}: {out.stat().st_size / 2**20:.1f} MB; a weight is wrong by {step / 2:g} at most if it is used "
            f"often, by {widest / 2:g} if hardly ever",
            f"{out}: {out.stat().st_size / 2**20:.1f} MB; un peso se desvía {step / 2:g} como mucho si se usa a "
            f"menudo, {widest / 2:g} si casi nunca",
        ),
        highlight=False,
        soft_wrap=True,
    )


def _use(file: Path, head: dict[str, Any]) -> np.ndarray | None:
    """How much each weight was used: the way it has come in all, which temporal coherence remembers."""
    counts = {name: count for name, _, count in head["blocks"]}
    if "sums" not in counts:
        return None
    sums = np.empty((counts["sums"] // 2, 2), np.float32)
    read_blocks(file, head, {"sums": sums})
    return sums[:, 1]
