"""N-tuple networks for two players on a board of cells: the value of a position for the player to move, from −1 to 1.

    V(position) = tanh( Σ over the position and its mirror image, Σ over the tuples t:  weights_t[what stands in t] )

Reference: Thill, Koch and Konen, "Reinforcement learning with n-tuples on the game Connect-4", 2012: 70 tuples of 8
cells, found by random walks over the board, and four kinds of cells: an empty cell that can be filled now is a kind by
itself. A game declares what its cells contain, and its phase, with `contienda.core.game.Cells`; each phase has its own
weights. `contienda.learning.duel` learns them.
"""

# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from contienda.compiled.jit import njit, scratch
from contienda.compiled.memory import refuse_beyond_memory
from contienda.compiled.rows import new_record, rows
from contienda.core.drawn import cells_svg
from contienda.core.files import write_atomically
from contienda.core.game import MAX, Game
from contienda.core.language import BadInput, say
from contienda.games import make_game

__all__ = [
    "CELL_NETWORKS",
    "CellNetwork",
    "build_cell_evaluate",
    "build_cell_find",
    "build_cell_value",
    "cells_game",
    "is_cell_network",
    "network_size",
    "new_cell_weights",
    "pack_cells",
    "parse_cell_network",
    "read_cells",
    "shared_cells",
    "write_cells",
]

#: Networks by number and length of their tuples: small ones learn while a class watches, 70x8 is the reference's.
CELL_NETWORKS = ("40x5", "70x6", "70x7", "70x8")
#: The value of a certain win for a search, comparable to uja's hundreds and thousands.
_SCALE = 1000.0
_MAGIC = b"CONTIENDA-CELLS 1\n"
_LONGEST_HEAD = 1 << 24
#: Tuples that a notebook shows.
_SHOWN = 8
_MOST_TUPLES, _LONGEST_TUPLE = 200, 10


@dataclass(frozen=True)
class CellNetwork:
    """The layout of a network: random tuples of equal length, drawn from a seed."""

    game: str
    """Its spec."""
    count: int
    length: int
    seed: int = 0

    def __str__(self) -> str:
        return f"{self.count}x{self.length}"

    def _repr_html_(self) -> str:
        """The cells of the first tuples on the board, as a notebook shows them."""
        size = make_game(self.game).cells
        assert size is not None
        some = tuples_of(self, size.rows, size.columns)[:_SHOWN].tolist()
        boards = "".join(f"<td>{cells_svg(cells, size.rows, size.columns)}</td>" for cells in some)
        told = say("{tuples:,} tuples of {length} cells", tuples=self.count, length=self.length)
        return f"<table><tr>{boards}</tr></table><p><code>{escape(str(self))}</code>: {escape(told)}</p>"


def parse_cell_network(text: str, game: Game, seed: int) -> CellNetwork:
    """Return the network of this name: 70x8 is 70 tuples of 8 cells."""
    said = re.fullmatch(r"(\d{1,3})x(\d{1,2})", text.strip())
    count, length = (int(said[1]), int(said[2])) if said else (0, 0)
    assert game.cells is not None
    most = min(_LONGEST_TUPLE, game.cells.rows * game.cells.columns)
    if not (1 <= count <= _MOST_TUPLES and 1 <= length <= most):
        raise BadInput(
            "{text!r} is not a network for {game}: write {networks}, or TUPLESxCELLS, 1 to {count} x 1 to {length}",
            text=text,
            game=game.spec,
            networks=", ".join(CELL_NETWORKS),
            count=_MOST_TUPLES,
            length=most,
        )
    return CellNetwork(game.spec, count, length, seed)


def tuples_of(network: CellNetwork, rows_: int, columns: int) -> np.ndarray:
    """Return the cells of each tuple: a random walk between neighbouring cells that visits none twice."""
    luck = np.random.Generator(np.random.PCG64(network.seed))
    found = np.zeros((network.count, network.length), np.int64)
    for walk in found:
        cells = [int(luck.integers(rows_ * columns))]
        at = cells[0]
        while len(cells) < network.length:
            row, column = divmod(at, columns)
            near = [
                r * columns + c
                for r in range(max(row - 1, 0), min(row + 2, rows_))
                for c in range(max(column - 1, 0), min(column + 2, columns))
                if (r, c) != (row, column)
            ]
            at = near[int(luck.integers(len(near)))] if near else int(luck.integers(rows_ * columns))
            if at not in cells:
                cells.append(at)
        walk[:] = sorted(cells)
    return found


def network_size(network: CellNetwork, game: Game) -> int:
    """The number of weights."""
    assert game.cells is not None
    return int(game.cells.phases * network.count * game.cells.kinds**network.length)


def new_cell_weights(network: CellNetwork, game: Game) -> np.record:
    """Return the weights of a network, all 0: ``rows(weights)[i]``."""
    size = network_size(network, game)
    refuse_beyond_memory(str(network), 4 * size >> 20)
    return new_record({"nothing": np.int64}, np.float32, size)


# --- The value of a position -----------------------------------------------------------------------------------------


@cache
def build_cell_find(network: CellNetwork, game: Game) -> Callable[..., None]:
    """Return ``find(state, found)``: fills in the indices of the weights that the mover's value sums."""
    cells = game.cells
    assert cells is not None
    fill, phase, kinds = cells.fill, cells.phase, cells.kinds
    size, columns, count, length = cells.rows * cells.columns, cells.columns, network.count, network.length
    straight = tuples_of(network, cells.rows, cells.columns)
    turned = straight // columns * columns + (columns - 1 - straight % columns)
    each = kinds**length
    of_phase = count * each

    @njit
    def find(state, found):
        board = scratch(size)
        fill(state, board)
        first = phase(state) * of_phase
        for t in range(count):
            one = 0
            two = 0
            for i in range(length):
                one = one * kinds + int(board[straight[t, i]])
                two = two * kinds + int(board[turned[t, i]])
            found[2 * t] = first + t * each + one
            found[2 * t + 1] = first + t * each + two

    return find


@cache
def build_cell_value(network: CellNetwork, game: Game) -> Callable[..., float]:
    """Return ``value(state, weights)``: V of the formula, for the player to move, who is MAX in the state."""
    find, lookups = build_cell_find(network, game), 2 * network.count

    @njit
    def value(state, weights):
        found = scratch(lookups)
        find(state, found)
        w = rows(weights)
        total = np.float32(0.0)
        for i in range(lookups):
            total += w[np.int64(found[i])]
        return np.tanh(float(total))

    return value


@cache
def build_cell_evaluate(network: CellNetwork, game: Game) -> Callable[..., float]:
    """Return ``evaluate(state, weights)``: the value for MAX, no matter who moves, in thousandths."""
    value, seen_by_mover = build_cell_value(network, game), game.rules.seen_by_mover

    @njit
    def evaluate(state, weights):
        worth = _SCALE * value(seen_by_mover(state), weights)
        return worth if state.turn == MAX else -worth

    return evaluate


# --- Its file --------------------------------------------------------------------------------------------------------


def write_cells(path: Path, network: CellNetwork, about: dict[str, Any], blocks: dict[str, np.ndarray]) -> None:
    """Write a network, completely or not at all."""
    layout = {"game": network.game, "count": network.count, "length": network.length, "seed": network.seed}
    sizes = {name: block.size for name, block in blocks.items()}
    head = _MAGIC + json.dumps({"network": layout, "blocks": sizes} | about).encode() + b"\n"
    write_atomically(path, [head, *(block.reshape(-1).view(np.uint8).data for block in blocks.values())])


def is_cell_network(path: Path) -> bool:
    """Return whether a file starts like a network of this kind."""
    try:
        with path.open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def cells_game(path: Path) -> str:
    """Return the spec of the game that the network in a file was trained for."""
    try:
        with path.open("rb") as file:
            file.seek(len(_MAGIC))
            return str(json.loads(file.readline(_LONGEST_HEAD))["network"]["game"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise _damaged(path) from None


def read_cells(path: Path, game: Game, *, blocks: bool = True) -> tuple[CellNetwork, dict[str, Any], dict[str, Any]]:
    """Return the layout, head and blocks of a file; `BadInput` if it is damaged or for another game."""
    if not path.is_file():
        raise BadInput("cannot read {path}: {strerror}", path=path, strerror="no such file")
    try:
        with path.open("rb") as file:
            magic, line = file.read(len(_MAGIC)), file.readline(_LONGEST_HEAD)
            rest = file.read() if blocks else b""
    except OSError as error:
        raise BadInput("cannot read {path}: {strerror}", path=path, strerror=error.strerror) from None
    if magic != _MAGIC:
        raise BadInput("{path} is not a network for {game}", path=path, game=game.spec)
    try:
        head = json.loads(line)
        layout, sizes = head["network"], head["blocks"]
        network = CellNetwork(**layout)
        whole = [network.count, network.length, network.seed, *sizes.values()]
        if not all(type(number) is int for number in whole) or not isinstance(network.game, str):
            raise ValueError
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise _damaged(path) from None
    if network.game != game.spec:
        raise BadInput("{path} was trained for {other}, not {game}", path=path, other=network.game, game=game.spec)
    parse_cell_network(str(network), game, network.seed)
    size = network_size(network, game)
    if not blocks:
        return network, head, {}
    if head.get("packed"):
        rest = _unpacked(path, rest, size)
    expected = {"table": size, "sums": 2 * size}
    if any(sizes[name] != expected.get(name) for name in sizes) or "table" not in sizes:
        raise _damaged(path)
    if len(rest) != 4 * sum(sizes.values()):
        raise _damaged(path)
    numbers = np.frombuffer(rest, np.float32)
    if not np.isfinite(numbers).all() or np.abs(numbers).max(initial=0) > 1e30:
        raise _damaged(path)
    read, begin = {}, 0
    for name, count in sizes.items():
        read[name] = numbers[begin : begin + count]
        begin += count
    return network, head, read


def pack_cells(path: Path, out: Path, game: Game) -> None:
    """Write only the part needed for playing: the weights as 16-bit numbers, compressed."""
    network, head, blocks = read_cells(path, game)
    if head.get("packed"):
        raise BadInput("{file} is packed already", file=path)
    table = blocks["table"].astype(np.float16)
    about = {name: head[name] for name in ("plan", "games", "moves", "seconds")} | {"packed": True}
    layout = {"game": network.game, "count": network.count, "length": network.length, "seed": network.seed}
    line = json.dumps({"network": layout, "blocks": {"table": table.size}} | about).encode()
    write_atomically(out, [_MAGIC + line + b"\n", zlib.compress(table.tobytes(), 9)])


def _unpacked(path: Path, rest: bytes, size: int) -> bytes:
    try:
        plain = zlib.decompressobj().decompress(rest, 2 * size + 1)
    except zlib.error:
        raise _damaged(path) from None
    if len(plain) != 2 * size:
        raise _damaged(path)
    return np.frombuffer(plain, np.float16).astype(np.float32).tobytes()


def _damaged(path: Path) -> BadInput:
    return BadInput("{path} is incomplete or damaged{where}: use an earlier copy", path=path, where="")


class LoadedCells(NamedTuple):
    """A network, and its weights."""

    network: CellNetwork
    weights: np.record


def shared_cells(path: Path, game: Game) -> LoadedCells:
    """Return the network in a file, for playing; it is loaded again only if the file has changed."""
    try:
        about = path.stat()
    except OSError as error:
        raise BadInput("cannot read {path}: {strerror}", path=path, strerror=error.strerror) from None
    return _cached(path.resolve(), about.st_mtime_ns, about.st_size, game)


@lru_cache(maxsize=2)
def _cached(path: Path, changed: int, size: int, game: Game) -> LoadedCells:
    network, _, blocks = read_cells(path, game)
    weights = new_cell_weights(network, game)
    rows(weights)[:] = blocks["table"]
    return LoadedCells(network, weights)
