"""Weights in few bytes: whole multiples of a step, what is 0 left out, the rest compressed.

A weight is wrong by half a step at most, a value by half a step for each weight in it. In memory they stay multiples,
of 16 bits: half as much to wait for. Most weights belong to boards
that are never met and are 0: a bit says of each whether it is kept. Kept multiples are written as unsigned numbers (0,
-1, 1, -2 … as 0, 1, 2, 3 …), their lower and upper bytes apart, because the upper ones are nearly all alike.
"""

from __future__ import annotations

import zlib

import numpy as np

__all__ = ["dequantise", "quantise"]

#: Multiples are kept in 16 bits.
_LARGEST = 32767


def quantise(table: np.ndarray, step: float) -> tuple[float, dict[str, np.ndarray]]:
    """The blocks of a file, and their step: wider than asked for if the largest weight needs it."""
    step = max(step, float(np.abs(table).max(initial=0.0)) / _LARGEST)
    multiples = np.rint(table / np.float32(step)).astype(np.int16)
    kept = multiples != 0
    codes = _fold(multiples[kept])
    return step, {
        "kept": _compressed(np.packbits(kept)),
        "low": _compressed((codes & 255).astype(np.uint8)),
        "high": _compressed((codes >> 8).astype(np.uint8)),
    }


def dequantise(blocks: dict[str, np.ndarray], multiples: np.ndarray) -> None:
    """Fill zeros with the multiples of the blocks; ``ValueError`` or ``zlib.error`` if they do not fit."""
    low, high, kept = (
        np.frombuffer(zlib.decompress(blocks[name].tobytes()), np.uint8) for name in ("low", "high", "kept")
    )
    codes = low.astype(np.uint16) | high.astype(np.uint16) << 8
    multiples[np.unpackbits(kept, count=multiples.size).view(bool)] = _unfold(codes)


def _fold(numbers: np.ndarray) -> np.ndarray:
    folded: np.ndarray = ((numbers << 1) ^ (numbers >> 15)).view(np.uint16)
    return folded


def _unfold(codes: np.ndarray) -> np.ndarray:
    numbers: np.ndarray = (codes >> 1).view(np.int16) ^ -(codes & 1).view(np.int16)
    return numbers


def _compressed(numbers: np.ndarray) -> np.ndarray:
    return np.frombuffer(zlib.compress(numbers.tobytes(), 6), np.uint8)
