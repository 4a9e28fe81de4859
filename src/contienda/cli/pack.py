"""``contienda pack``: a trained network in the few megabytes that playing needs."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from contienda.evaluation.network_file import load_network, read_head, write_file
from contienda.evaluation.quantised import quantise
from contienda.language import BadInput, say
from contienda.record import check_writable

__all__ = ["run_pack"]


def run_pack(file: Path, out: Path, step: float, console: Console) -> None:
    """Write the packed network, and say what it costs: megabytes and exactness."""
    if not 0 < step < 1000:
        raise BadInput(f"--step {step:g}: points, above 0 and below 1000", f"--step {step:g}: puntos, entre 0 y 1000")
    check_writable(out)
    network, head = read_head(file)
    if "step" in head:
        raise BadInput(f"{file} is packed already", f"{file} ya está empaquetada")
    _, weights = load_network(file)
    opened = int(weights.open)
    step, blocks = quantise(network, weights.table[: opened * network.stage_size], step)
    trained = {
        key: value for key, value in head.get("progress", {}).items() if key in ("games", "moves", "seconds", "curve")
    }
    write_file(out, network, {"open": opened, "step": step, "plan": head.get("plan"), "trained": trained}, blocks)
    console.print(
        say(
            f"{out}: {out.stat().st_size / 2**20:.1f} MB; steps of {step:g}, so a value is wrong by "
            f"{network.lookups * step / 2:g} at most",
            f"{out}: {out.stat().st_size / 2**20:.1f} MB; pasos de {step:g}, así que un valor se desvía "
            f"{network.lookups * step / 2:g} como mucho",
        ),
        highlight=False,
        soft_wrap=True,
    )
