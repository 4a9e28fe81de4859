"""The file of a network: written whole or not at all, so that the last good one survives whatever happens.

    CONTIENDA-NETWORK 1⏎
    {"plan": …, "blocks": [["table", 67108864], …], …}⏎        one line of JSON
    the blocks, one behind the other: numbers of 32 bits, lowest byte first

It is written beside its place, brought to the disk, and then put into its place: that last step cannot be half done.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from contienda.language import BadInput

__all__ = ["read_blocks", "read_head", "write_file"]

_MAGIC = b"CONTIENDA-NETWORK 1\n"
#: Bytes of one call to the system: Linux takes at most 2 GB.
_CHUNK = 1 << 26
#: The line of JSON is never longer; a file without one is no network.
_LONGEST_HEAD = 1 << 26


def write_file(path: Path, head: dict[str, Any], blocks: dict[str, np.ndarray]) -> None:
    """Put a network into its place, or leave there what there was."""
    place = path.resolve()
    beside = place.with_name(f".{place.name}.part")  # the same every time: one that a kill leaves is overwritten
    line = json.dumps(head | {"blocks": [[name, block.size] for name, block in blocks.items()]})
    try:
        with beside.open("wb", buffering=0) as file:
            file.write(_MAGIC + line.encode() + b"\n")
            for block in blocks.values():
                _by_chunks(block, file.write)
            os.fsync(file.fileno())
        beside.replace(place)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise BadInput(
            f"cannot write {path}: {error.strerror}", f"no se puede escribir {path}: {error.strerror}"
        ) from None


def read_head(path: Path) -> dict[str, Any]:
    """What a file says of its network; one of another kind, or cut short, is refused."""
    try:
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
            line = file.readline(_LONGEST_HEAD) if magic == _MAGIC else b""
            begin = file.tell()
            size = os.fstat(file.fileno()).st_size
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror}", f"no se puede leer {path}: {error.strerror}") from None
    if magic != _MAGIC:
        raise BadInput(f"{path} is no network file", f"{path} no es un archivo de red")
    try:
        head: dict[str, Any] = json.loads(line)
        whole = begin + 4 * sum(count for _, count in head["blocks"])
    except (ValueError, KeyError, TypeError):
        whole = -1
    if size != whole:
        raise BadInput(
            f"{path} is cut short or damaged: take an earlier copy", f"{path} está cortado o dañado: usa una copia anterior"
        )
    return head | {"begin": begin}


def read_blocks(path: Path, head: dict[str, Any], blocks: dict[str, np.ndarray]) -> None:
    """Fill arrays with the blocks of their names; an array may be longer than its block."""
    with path.open("rb", buffering=0) as file:
        file.seek(head["begin"])
        for name, count in head["blocks"]:
            if name in blocks:
                _by_chunks(blocks[name].reshape(-1)[:count], file.readinto)
            else:
                file.seek(4 * count, os.SEEK_CUR)


def _by_chunks(block: np.ndarray, transfer: Callable[[memoryview], int | None]) -> None:
    view = memoryview(block.reshape(-1)).cast("B")
    done = 0
    while done < len(view):
        done += transfer(view[done : done + _CHUNK]) or 0
