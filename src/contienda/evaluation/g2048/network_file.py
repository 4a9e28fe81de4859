"""Network files. They are written completely or not at all, so the last good one always survives.

    CONTIENDA-NETWORK 2⏎
    {"network": …, "blocks": [["table", "<f4", 67108864], …], …}⏎        one line of JSON
    the blocks, one after another, each with the type and the number of elements that the head says

In version 1 the first cell of a tuple was lowest in the index, as it still is in a packed file (`quantised`).

A file is written under a temporary name, flushed to disk and then renamed, which is atomic.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from contienda.compiled.memory import refuse_beyond_memory
from contienda.compiled.rows import record_in, record_size, rows
from contienda.compiled.unpacked import unpacked
from contienda.core.language import BadInput
from contienda.evaluation.g2048.network_head import WrongHead, read_json
from contienda.evaluation.g2048.ntuple import HEAD, Network, new_weights
from contienda.evaluation.g2048.quantised import dequantise

__all__ = ["is_packed", "load_network", "read_blocks", "read_head", "shared_network", "shipped_network", "write_file"]

#: The network of `champion` and of a plain ``eval=ntuple``.
_SHIPPED = Path(__file__).parents[1] / "networks" / "2048.packed"

_MAGIC, _MAGIC_1 = b"CONTIENDA-NETWORK 2\n", b"CONTIENDA-NETWORK 1\n"
#: Bytes of one call to the system: Linux takes at most 2 GB.
_CHUNK = 1 << 26
#: Weights are smaller by far; a sum of hundreds of such is still a number of 32 bits.
_LARGEST = np.float32(1e30)
#: The line of JSON is never longer; a file without one is no network.
_LONGEST_HEAD = 1 << 26


def write_file(path: Path, network: Network, about: dict[str, Any], blocks: dict[str, np.ndarray]) -> None:
    """Write a network, completely or not at all."""
    place = path.resolve()
    beside = place.with_name(f".{place.name}.part")  # always the same name: a file left by a kill is overwritten
    head = {
        "network": {"tuples": network.tuples, "stages": network.stages},
        **about,
        "blocks": [[name, block.dtype.str, block.size] for name, block in blocks.items()],
    }
    try:
        with beside.open("wb", buffering=0) as file:
            file.write(_MAGIC + json.dumps(head).encode() + b"\n")
            for block in blocks.values():
                _by_chunks(block, file.write, path)
            os.fsync(file.fileno())
        beside.replace(place)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise BadInput("cannot write {path}: {strerror}", path=path, strerror=error.strerror) from None


def read_head(path: Path) -> tuple[Network, dict[str, Any]]:
    """Return a network's layout and the head of its file; `BadInput` if it is another kind of file or incomplete."""
    if path.exists() and not path.is_file():  # a device may have no end
        raise BadInput("{path} is not a network file", path=path)
    try:
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
            line = file.readline(_LONGEST_HEAD) if magic in (_MAGIC, _MAGIC_1) else b""
            begin = file.tell()
            size = os.fstat(file.fileno()).st_size
    except OSError as error:
        raise BadInput("cannot read {path}: {strerror}", path=path, strerror=error.strerror) from None
    if magic not in (_MAGIC, _MAGIC_1):
        raise BadInput("{path} is not a network file", path=path)
    try:
        network, head = read_json(line, size - begin)
    except WrongHead as wrong:
        raise _damaged(path, f" ({wrong})") from None
    if magic == _MAGIC_1 and "step" not in head:
        raise BadInput(
            "{path} was written by an earlier version with another order of weights: train it again", path=path
        )
    return network, head | {"begin": begin}


def is_packed(head: dict[str, Any]) -> bool:
    """Return whether a file is packed: rounded weights for playing, without what training needs."""
    return "step" in head


def read_blocks(path: Path, head: dict[str, Any], blocks: dict[str, np.ndarray]) -> None:
    """Fill arrays with the blocks of the same names; arrays without a block stay unchanged."""
    with path.open("rb", buffering=0) as file:
        file.seek(head["begin"])
        for name, kind, count in head["blocks"]:
            if name not in blocks:
                file.seek(np.dtype(kind).itemsize * count, os.SEEK_CUR)
            elif blocks[name].size == count and blocks[name].dtype == np.dtype(kind):
                _by_chunks(blocks[name], file.readinto, path)
                if kind == np.dtype(np.float32).str and not _are_numbers(blocks[name].reshape(-1)):
                    raise _damaged(path, f" ({name})")
            else:
                raise _damaged(path, f" ({name})")


def _are_numbers(block: np.ndarray) -> bool:
    """Return whether all weights are finite, and sums of hundreds of them are too."""
    parts = (block[i : i + _CHUNK] for i in range(0, len(block), _CHUNK))
    return all(part.min() > -_LARGEST and part.max() < _LARGEST for part in parts)


class LoadedNetwork(NamedTuple):
    """A network, and its weights."""

    network: Network
    weights: np.record


def load_network(path: Path) -> LoadedNetwork:
    """Return the network in a file, packed or from a training run, for playing."""
    network, head = read_head(path)
    kind = np.int16 if "step" in head else np.float32
    refuse_beyond_memory(str(path), np.dtype(kind).itemsize * network.size >> 20)
    try:
        weights = new_weights(network, kind, head.get("step", 1.0))
        weights.open = head["open"]
        used = rows(weights)[: head["open"] * network.stage_size]
        if "step" in head:
            packed = {name: np.empty(count, kind) for name, kind, count in head["blocks"]}
            read_blocks(path, head, packed)
            dequantise(network, packed, used)
        else:
            read_blocks(path, head, {"table": used})
    except BadInput:  # its message is already complete
        raise
    except (ValueError, zlib.error):
        raise _damaged(path) from None
    return LoadedNetwork(network, weights)


def shared_network(path: Path) -> LoadedNetwork:
    """Return the network in a file, shared by all players; it is loaded again only if the file has changed.

    A packed network is unpacked once per machine (`contienda.compiled.unpacked`).
    """
    try:
        about = path.stat()
    except OSError as error:
        raise BadInput("cannot read {path}: {strerror}", path=path, strerror=error.strerror) from None
    with _loading:
        return _cached(path.resolve(), about.st_mtime_ns, about.st_size)


@lru_cache(maxsize=2)  # each may be hundreds of megabytes
def _cached(path: Path, changed: int, size: int) -> LoadedNetwork:
    network, head = read_head(path)
    if not is_packed(head):
        return load_network(path)
    loaded: list[np.record] = []

    def unpack() -> list[np.ndarray]:
        loaded.append(load_network(path).weights)
        return [np.frombuffer(loaded[0].tobytes()[: record_size(np.int16, 0)], np.uint8), rows(loaded[0])]

    content = unpacked(path, "network of 2048", unpack)
    if content is not None and len(content) == record_size(np.int16, network.size):
        weights = record_in(content, HEAD, np.int16)
        if weights.length == network.size and weights.open == head["open"] and weights.step == np.float32(head["step"]):
            return LoadedNetwork(network, weights)
    return LoadedNetwork(network, loaded[0]) if loaded else load_network(path)


_loading = Lock()  # others wait while it is loaded, instead of loading it again


def shipped_network() -> Path:
    """Return the path of the package's network."""
    if not _SHIPPED.is_file():
        raise BadInput(
            "this copy of Contienda has no network: train one with contienda train 2048 --hours 8 --out "
            "my.net and use it as champion:network=my.net or eval=ntuple:my.net"
        )
    return _SHIPPED


def _damaged(path: Path, where: str = "") -> BadInput:
    return BadInput("{path} is incomplete or damaged{where}: use an earlier copy", path=path, where=where)


def _by_chunks(block: np.ndarray, transfer: Callable[[memoryview], int | None], path: Path) -> None:
    view = block.reshape(-1).view(np.uint8).data
    done = 0
    while done < len(view):
        moved = transfer(view[done : done + _CHUNK])
        if not moved:  # the file was truncated while it was read
            raise _damaged(path)
        done += moved
