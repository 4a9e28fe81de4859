"""Checks the head of a network file, before anything else is read or allocated."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np

from contienda.core.language import BadInput
from contienda.evaluation.g2048.ntuple import Network, parse_network
from contienda.evaluation.g2048.stages import parse_stages

__all__ = ["WrongHead", "is_count", "is_number", "read_json"]

#: The blocks in a file of a training run, and how many numbers each has per weight.
_BLOCKS = {"table": 1, "sums": 2}
_FLOAT, _BYTE = np.dtype(np.float32).str, np.dtype(np.uint8).str
#: The blocks in a packed file, all of bytes.
_PACKED_BLOCKS = ("kept", "low", "high")
#: Steps, and so weights: sums of hundreds of them are still numbers of 32 bits.
_LARGEST = 1e30


class WrongHead(Exception):
    """A key of the head is missing or has an invalid value."""


def read_json(line: bytes, size: int) -> tuple[Network, dict[str, Any]]:
    """Return the network and the head, if this many bytes of blocks follow; otherwise raise `WrongHead`."""
    try:
        head = json.loads(line, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise WrongHead("JSON") from None
    if not isinstance(head, dict):
        raise WrongHead("JSON")
    network = _network(head.get("network"))
    if not (is_count(head.get("open")) and 1 <= head["open"] <= len(network.stages)):
        raise WrongHead("open")
    packed = "step" in head
    if packed and not (is_number(head["step"]) and 0 < head["step"] < _LARGEST and np.float32(head["step"]) > 0):
        raise WrongHead("step")
    blocks = head.get("blocks")
    if not isinstance(blocks, list) or not all(map(_is_block, blocks)):
        raise WrongHead("blocks")
    if packed:
        fits = [(name, kind) for name, kind, _ in blocks] == [(name, _BYTE) for name in _PACKED_BLOCKS]
    else:
        weights = head["open"] * network.stage_size
        expected = [[name, _FLOAT, each * weights] for name, each in _BLOCKS.items()]
        fits = blocks in (expected, expected[:1])
    if not fits or sum(np.dtype(kind).itemsize * count for _, kind, count in blocks) != size:
        raise WrongHead("blocks")
    for key in ("plan", "progress", "trained"):  # `contienda.learning.saved` checks the rest
        if not isinstance(head.get(key), dict | None):
            raise WrongHead(key)
    return network, head


def is_count(value: Any) -> bool:
    """Return whether a value is a whole number, 0 or more, that fits in a signed 64-bit integer."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 63


def is_number(value: Any) -> bool:
    """Return whether a value is a finite number."""
    return (
        isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300 and math.isfinite(value)
    )


def _network(layout: Any) -> Network:
    if not isinstance(layout, dict) or not _are(str, layout.get("tuples")) or not _are(int, layout.get("stages")):
        raise WrongHead("network")
    tuples, stages = tuple(layout["tuples"]), tuple(layout["stages"])
    try:
        network = parse_network(" ".join(tuples))
        if network.tuples != tuples or stages != (parse_stages(",".join(map(str, stages[1:]))) if stages[1:] else (0,)):
            raise WrongHead("network")
    except BadInput:
        raise WrongHead("network") from None
    return Network(tuples, stages)


def _are(kind: type, values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(v, kind) and not isinstance(v, bool) for v in values)


def _is_block(block: Any) -> bool:
    return (
        isinstance(block, list)
        and len(block) == 3
        and isinstance(block[0], str)
        and block[1] in (_FLOAT, _BYTE)
        and is_count(block[2])
    )


def _no_constant(name: str) -> None:
    """Refuse NaN and infinities, which Python reads but JSON does not allow."""
    raise ValueError(name)
