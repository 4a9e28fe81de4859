"""Records with a variable number of rows: tables and weights, of a few bytes or of many gigabytes.

    length   the number of rows
    …        other fields
    first    the first row; the others follow it

Compiled code is passed one pointer. An array would be seven words, and its references would be counted at every call,
for all threads together (measured: half of the time of an evaluation). Since the type describes only the first row,
code compiled for one record serves every length; NumPy has no type of more than 2 GB. `rows` returns the array of all
rows, in Python and in compiled code, so that a run with NUMBA_BOUNDSCHECK=1 detects every index out of bounds.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from contienda.compiled.jit import jitable, stretched

__all__ = ["new_record", "record_in", "record_size", "rows"]

#: Bytes of a cache line: the rows begin at one.
_LINE = 64


def new_record(head: dict[str, Any], row: Any, length: int) -> np.record:
    """Return a record of ``length`` rows, all 0, with these fields in its head. Memory is used as the rows fill.

    Raises ``MemoryError`` or ``ValueError`` if there is not enough memory.
    """
    block = np.zeros(record_size(row, length) + _LINE, np.uint8)
    begin = -block.ctypes.data % _LINE
    record = record_in(block[begin:], head, row)
    record.length = length
    return record


def record_size(row: Any, length: int) -> int:
    """Return the size in bytes of a record of ``length`` rows."""
    return _LINE + length * int(np.dtype(row).itemsize)


def record_in(block: np.ndarray, head: dict[str, Any], row: Any) -> np.record:
    """Return the record in these bytes, which must begin at a cache line: for example a memory-mapped file.

    The caller must check its length.
    """
    heads = [np.dtype(kind) for kind in head.values()]
    kind, shape = np.dtype(row), (1,)
    if kind.subdtype:
        kind, shape = kind.subdtype[0], (1, *kind.subdtype[1])
    layout = np.dtype(
        {
            "names": ["length", *head, "first"],
            "formats": [np.dtype(np.int64), *heads, np.dtype((kind, shape))],
            "offsets": [*(8 * i for i in range(1 + len(heads))), _LINE],
        }
    )
    # A view of the first bytes; it keeps the whole block alive.
    record: np.record = block[: layout.itemsize].view(np.dtype((np.record, layout)))[0]
    return record


@jitable
def rows(record):  # type: ignore[no-untyped-def]
    """Return all rows of a record, in compiled code or in Python: the same memory."""
    return stretched(record.first, record.length)  # type: ignore[no-untyped-call]
