"""Stores weights in few bytes: as multiples of a step, without zeros, compressed.

A weight that is often used is wrong by at most half a step; a rarely used one may be rounded to 2, 4, 8 … steps. For a
given number of bytes the error of the values is smallest when the steps are proportional to 1 / √use: halving a step
costs one bit for any weight. In memory the weights stay 16-bit multiples of the step, which halves the memory traffic.
In a file

- a weight that no board of its stage looks up is 0: its tiles alone would reach the next stage,
- later stages store the difference from the stage before, which is 0 for a weight that has not changed since it was
  promoted,
- most weights belong to boards that never occur and are 0: one bit per weight says whether it is stored,
- the first cell of a tuple is lowest in the index, not the last as in memory,
- stored multiples are written as unsigned numbers (0, -1, 1, -2 … as 0, 1, 2, 3 …), first all lower bytes and then all
  upper bytes, because the upper ones are nearly all equal.
"""

from __future__ import annotations

import os
import zlib
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np

from contienda.evaluation.g2048.ntuple import Network

__all__ = ["COARSEST", "dequantise", "quantise"]

#: Multiples are kept in 16 bits.
_LARGEST = 32767
#: The most steps to which a rarely used weight is rounded.
COARSEST = 64
#: One weight in this many, the most used of a stage, is rounded to one step.
_OFTEN = 1000
#: Weights unpacked at a time: few enough for the processor's cache.
_AT_ONCE = 1 << 20
#: Weights looked at together before anything is added to them.
_PAGE = 1 << 14


def quantise(
    network: Network, table: np.ndarray, step: float, use: np.ndarray | None = None
) -> tuple[float, dict[str, np.ndarray]]:
    """Return the blocks of a file, and their step: larger than requested if the largest weight needs it.

    ``use`` is how much each weight was used, in any unit; without it all count the same.
    """
    step = max(step, float(np.abs(table).max(initial=0.0)) / (_LARGEST - COARSEST))
    multiples = np.empty(len(table), np.int16).reshape(-1, network.stage_size)
    for i, weights in enumerate(table.reshape(multiples.shape)):
        steps = np.float32(1) if use is None else _coarser(use.reshape(multiples.shape)[i])
        np.multiply(np.rint(weights / (np.float32(step) * steps)), steps, out=multiples[i], casting="unsafe")
    for stage, end in zip(multiples[:-1], network.stages[1:], strict=False):
        _leave_out_unused(network, stage, end)
    for i in range(len(multiples) - 1, 0, -1):
        multiples[i] -= multiples[i - 1]  # differences that overflow 16 bits wrap around, and back again when read
    for stage in multiples:
        _turn_round(network, stage)
    kept = multiples != 0
    codes = _fold(multiples[kept])
    return step, {
        "kept": _compressed(np.packbits(kept, bitorder="little")),
        "low": _compressed((codes & 255).astype(np.uint8)),
        "high": _compressed((codes >> 8).astype(np.uint8)),
    }


def _coarser(use: np.ndarray) -> np.ndarray:
    """Return the number of steps that each weight is rounded to: a power of 2 proportional to 1 / √use."""
    often = -(-len(use) // _OFTEN)
    most = max(np.partition(use, -often)[-often], np.float32(1e-30))
    wide = np.sqrt(most / np.maximum(use, most / COARSEST**2))
    exponents = np.floor(np.log2(np.maximum(wide, 1)))
    coarser: np.ndarray = np.exp2(exponents).astype(np.float32)
    return coarser


def dequantise(network: Network, blocks: dict[str, np.ndarray], multiples: np.ndarray) -> None:
    """Fill an array of zeros with the multiples in the blocks; ``ValueError`` or ``zlib.error`` if they do not match.

    This uses NumPy and no compiled code: a file is unpacked once (`contienda.compiled.unpacked`), often before anything
    else is compiled.
    """
    kept = _inflated(blocks["kept"], -(-multiples.size // 8))
    count = int(np.bitwise_count(kept).sum())
    with ThreadPoolExecutor(min(os.cpu_count() or 1, 4)) as threads:  # NumPy and zlib release the GIL
        low, high = threads.map(lambda name: _inflated(blocks[name], count), ("low", "high"))
        begin = at = 0
        filled = []
        while begin < multiples.size:
            for cells in network.tuples:
                end = begin + 16 ** len(cells)
                bits = kept[begin // 8 : end // 8]
                codes = slice(at, at + int(np.bitwise_count(bits).sum()))
                filled.append(threads.submit(_fill, len(cells), bits, low[codes], high[codes], multiples[begin:end]))
                begin, at = end, codes.stop
        for each in filled:
            each.result()
    for stage in range(network.stage_size, multiples.size, network.stage_size):
        _add_before(multiples[stage - network.stage_size : stage], multiples[stage : stage + network.stage_size])


def _fill(cells: int, kept: np.ndarray, low: np.ndarray, high: np.ndarray, multiples: np.ndarray) -> None:
    """Put the stored multiples of one tuple in their places."""
    at = 0
    for begin in range(0, len(multiples), _AT_ONCE):
        bits = np.unpackbits(kept[begin // 8 : (begin + _AT_ONCE) // 8], bitorder="little").view(np.bool_)
        places = np.flatnonzero(bits) + begin
        codes = low[at : at + len(places)] | (high[at : at + len(places)].astype(np.int32) << 8)
        multiples[_turned_round(places, cells)] = (codes >> 1) ^ -(codes & 1)
        at += len(places)


def _turned_round(places: np.ndarray, cells: int) -> np.ndarray:
    """Convert indices from first cell lowest to last cell lowest."""
    turned = np.zeros_like(places)
    for cell in range(cells):
        turned = turned << 4 | (places >> 4 * cell) & 15
    return turned


def _add_before(before: np.ndarray, now: np.ndarray) -> None:
    """Turn differences into weights. Pages that stay 0 are not written to, to save memory."""
    for begin in range(0, len(now), _PAGE):
        known = before[begin : begin + _PAGE]
        if known.any():
            now[begin : begin + _PAGE] += known


def _leave_out_unused(network: Network, stage: np.ndarray, end: int) -> None:
    """Set to 0 the weights whose tiles belong to the next stage, which begins at this sum."""
    begin = 0
    for cells in network.tuples:
        tiles = _tiles(len(cells))
        stage[begin : begin + len(tiles)][tiles >= end] = 0
        begin += len(tiles)


def _turn_round(network: Network, stage: np.ndarray) -> None:
    """Reverse the order of the cells in the indices of each tuple."""
    begin = 0
    for cells in network.tuples:
        weights = stage[begin : begin + 16 ** len(cells)].reshape([16] * len(cells))
        weights[:] = weights.T.copy()
        begin += weights.size


@cache
def _tiles(cells: int) -> np.ndarray:
    """Return the sum of the distinct tiles of every filling of ``cells`` cells: an OR, as tiles are powers of two."""
    tiles = np.zeros(1, np.uint16)
    bits = np.array([0, *(1 << rank for rank in range(1, 16))], np.uint16)
    for _ in range(cells):
        tiles = (tiles[:, None] | bits).ravel()
    return tiles


def _fold(numbers: np.ndarray) -> np.ndarray:
    folded: np.ndarray = ((numbers << 1) ^ (numbers >> 15)).view(np.uint16)
    return folded


def _compressed(numbers: np.ndarray) -> np.ndarray:
    return np.frombuffer(zlib.compress(numbers.tobytes(), 6), np.uint8)


def _inflated(block: np.ndarray, size: int) -> np.ndarray:
    """Decompress exactly this many bytes: a small file could expand to fill the memory."""
    decompressor = zlib.decompressobj()
    numbers = decompressor.decompress(block.tobytes(), size + 1)
    if len(numbers) != size or not decompressor.eof or decompressor.unused_data:
        raise ValueError
    return np.frombuffer(numbers, np.uint8)
