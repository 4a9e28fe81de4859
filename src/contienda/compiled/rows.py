"""Records that end in rows, as many as each says: tables and weights, of a few bytes or of many gigabytes.

    length   how many rows there are
    …        what else the record says of them
    first    the first row; the others follow it

Compiled code is passed one pointer, where an array is seven words whose holders it counts at every call, for all
threads together (measured: half of the time of an evaluation). And since the type speaks of the first row alone, code
compiled for one record serves every length; NumPy knows no type of more than 2 GB. `rows` gives the array of them all,
in Python and in compiled code, so that a run with NUMBA_BOUNDSCHECK=1 sees every index that is out of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from contienda.compiled.jit import jitable, stretched

__all__ = ["new_record", "record_in", "record_size", "rows"]

#: Bytes that the memory gives at once: the rows begin such a line.
_LINE = 64


def new_record(head: dict[str, Any], row: Any, length: int) -> np.record:
    """A record of ``length`` rows of a type, all 0, with these fields in its head. Memory is used as the rows fill.

    ``MemoryError`` or ``ValueError`` where there is no such memory.
    """
    block = np.zeros(record_size(row, length) + _LINE, np.uint8)
    begin = -block.ctypes.data % _LINE
    record = record_in(block[begin:], head, row)
    record.length = length
    return record


def record_size(row: Any, length: int) -> int:
    """The size in bytes of a record of ``length`` rows."""
    return _LINE + length * int(np.dtype(row).itemsize)


def record_in(block: np.ndarray, head: dict[str, Any], row: Any) -> np.record:
    """The record that these bytes are, which begin a line of the memory: such as a file's, mapped into it.

    What it says of its length is the caller's to check.
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
    """All rows of a record, for compiled code and, the same memory, for Python."""
    return stretched(record.first, record.length)  # type: ignore[no-untyped-call]
