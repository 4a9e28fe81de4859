"""Makes a table, layer by layer, on all cores. An interrupted run resumes.

Each layer has a file in a folder beside the table, written completely or not at all: first its boards, later its
chances. However a run ended, the next one continues after the last complete file. The folder is deleted when the table
is complete.
"""

from __future__ import annotations

import shutil
import time
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np

from contienda.compiled.stopping import Stop
from contienda.core.files import make_folder, write_atomically
from contienda.core.language import BadInput
from contienda.tables.layers import Layer, grown_layer, new_set, solve_part, sorted_layer
from contienda.tables.pattern import Pattern
from contienda.tables.table_file import CERTAIN, table_path, write_table

__all__ = ["TableLimits", "TableProgress", "make_table"]

#: Bytes of a board on disk: its key and its chance, twice over while the table is put together.
_BYTES = 14

#: Layers with fewer boards are not shared among threads.
_WORTH_SHARING = 4000


class TableLimits(NamedTuple):
    """The memory and disk space that making a table may take."""

    memory: int
    """Megabytes."""
    disk: int
    """Megabytes, of the files that it needs while it is made."""
    threads: int


class TableProgress(NamedTuple):
    """How far the making of a table has come."""

    solving: bool
    """False while the boards are being listed."""
    done: int
    """Layers listed, or boards solved."""
    total: int
    boards: int
    """Boards found."""


def make_table(
    pattern: Pattern,
    limits: TableLimits,
    progress: Callable[[TableProgress], None] = lambda how: None,
    stop: Stop | None = None,
) -> bool:
    """Make the table of a pattern, or continue it; return False if it was stopped."""
    path = table_path(pattern)
    folder = path.with_suffix(".making")
    begun = time.perf_counter()
    make_folder(folder)
    _keep_apart(folder, pattern)
    stop = stop or Stop()
    with ThreadPoolExecutor(limits.threads) as pool:
        work = _Work(pattern, limits, folder, pool, progress, stop)
        if not (work.list_boards() and work.solve()):
            return False
    # Read anew for each part of the file: so only one layer is in memory.
    keys = (layer.keys for layer in work.rounded())
    chances = (layer.chances for layer in work.rounded())
    write_table(path, pattern, work.begins(), keys, chances, time.perf_counter() - begun)
    shutil.rmtree(folder)
    return True


def _keep_apart(folder: Path, pattern: Pattern) -> None:
    """Start again if the folder belongs to another pattern of the same name."""
    marker, told = folder / "pattern", repr(pattern)
    if not marker.exists() or marker.read_text() != told:
        for file in folder.iterdir():
            file.unlink()
        write_atomically(marker, told)


class _Work:
    """The layers of one table in progress."""

    def __init__(
        self,
        pattern: Pattern,
        limits: TableLimits,
        folder: Path,
        pool: ThreadPoolExecutor,
        progress: Callable[[TableProgress], None],
        stop: Stop,
    ) -> None:
        self.pattern, self.limits, self.folder = pattern, limits, folder
        self.pool, self.progress, self.stop = pool, progress, stop
        self.shape = pattern.shape()
        self.sums = range(0, pattern.most + 1, 2)
        self.sizes: dict[int, int] = {}

    # --- List ---------------------------------------------------------------------------------------------------------

    def list_boards(self) -> bool:
        """Write the boards of every sum that has no file yet; return False if stopped."""
        before, last = self._nothing(), self._nothing()
        for tiles in self.sums:
            if self.stop.stopped:
                return False
            layer = self._read_boards(tiles)
            if layer is None:
                layer = self._next_layer(tiles, before, last)
                self._write(tiles, "boards", layer.begins, layer.keys)
            self.sizes[tiles] = len(layer.keys)
            before, last = last, layer
            found = sum(self.sizes.values())
            self.progress(TableProgress(False, tiles // 2 + 1, len(self.sums), found))
            self._refuse_too_large(found, len(layer.keys))
        return True

    def _next_layer(self, tiles: int, before: Layer, last: Layer) -> Layer:
        if tiles == 0:
            return sorted_layer([np.zeros(1, np.int64)], self.pattern.tops)
        shared = len(last.keys) + len(before.keys) >= _WORTH_SHARING
        parts = self.limits.threads if shared else 1

        def grow(part: int) -> np.ndarray:
            known, count = new_set(), 0
            for layer, rank in ((last, 1), (before, 2)):
                first, end = (len(layer.keys) * i // parts for i in (part, part + 1))
                known, count = grown_layer(known, count, layer.begins, layer.keys, first, end, rank, self.shape)
            return known

        return sorted_layer(list(self.pool.map(grow, range(parts))), self.pattern.tops)

    def _refuse_too_large(self, found: int, layer: int) -> None:
        """Refuse a layer that needs too much disk or memory: three layers, and a set for each thread."""
        memory = layer * (self.limits.threads * 32 + 60) >> 20
        disk = found * _BYTES >> 20
        for key, needed, limit in (("memory", memory, self.limits.memory), ("disk", disk, self.limits.disk)):
            if needed > limit:
                shutil.rmtree(self.folder)
                raise BadInput(
                    "{name} takes more than {limit:,} MB: raise --{key}, or lower the goal",
                    name=self.pattern.name,
                    limit=limit,
                    key=key,
                )

    # --- Solve --------------------------------------------------------------------------------------------------------

    def solve(self) -> bool:
        """Write the chances of every sum that has none yet, from the last one; return False if stopped."""
        total, solved = sum(self.sizes.values()), 0
        after_four, after_two = self._nothing(), self._nothing()
        for tiles in reversed(self.sums):
            if self.stop.stopped:
                return False
            layer = self._read_solved(tiles)
            if layer is None:
                layer = self._solved(tiles, after_two, after_four)
                self._write(tiles, "chances", layer.begins, layer.keys, layer.chances)
                self._file(tiles, "boards").unlink(missing_ok=True)
            after_four, after_two = after_two, layer
            solved += self.sizes[tiles]
            self.progress(TableProgress(True, solved, total, total))
        return True

    def _solved(self, tiles: int, after_two: Layer, after_four: Layer) -> Layer:
        boards = self._read_boards(tiles)
        if boards is None:
            raise self._lost(tiles)
        layer = boards._replace(chances=np.zeros(len(boards.keys), np.float32))
        size = len(layer.keys)
        # Many small parts: some boards have more empty cells than others.
        parts = 8 * self.limits.threads if size >= _WORTH_SHARING else 1
        cuts = [size * i // parts for i in range(parts + 1)]
        list(
            self.pool.map(
                lambda first, end: solve_part(layer, after_two, after_four, first, end, self.shape), cuts[:-1], cuts[1:]
            )
        )
        return layer

    def rounded(self) -> Iterator[Layer]:
        """Yield every layer with its chances rounded to 16 bits, without boards whose chance is 0."""
        for tiles in self.sums:
            layer = self._read_solved(tiles)
            if layer is None:
                raise self._lost(tiles)
            chances = np.rint(layer.chances * CERTAIN).astype(np.uint16)
            some = chances > 0
            counted = np.concatenate([[0], np.cumsum(some)])
            yield Layer(counted[layer.begins], layer.keys[some], chances[some])

    def begins(self) -> np.ndarray:
        """Return where the boards of each layer and of each top begin in the table."""
        begins = [np.zeros(1, np.int64)]
        for layer in self.rounded():
            begins.append(begins[-1][-1] + layer.begins[1:])
        return np.concatenate(begins).astype(np.int64)

    # --- The files of layers ------------------------------------------------------------------------------------------

    def _nothing(self) -> Layer:
        return Layer(np.zeros(self.pattern.tops + 1, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32))

    def _file(self, tiles: int, kind: str) -> Path:
        return self.folder / f"{tiles:06}.{kind}"

    def _write(self, tiles: int, kind: str, *arrays: np.ndarray) -> None:
        content = b"".join(array.tobytes() for array in arrays)
        write_atomically(self._file(tiles, kind), [zlib.crc32(content).to_bytes(8, "little"), content])

    def _read(self, tiles: int, kind: str) -> bytes | None:
        """Return the content of a layer's file; None if it is missing or damaged."""
        try:
            content = self._file(tiles, kind).read_bytes()
        except FileNotFoundError:
            return None
        return content[8:] if content[:8] == zlib.crc32(content[8:]).to_bytes(8, "little") else None

    def _read_boards(self, tiles: int) -> Layer | None:
        content = self._read(tiles, "boards")
        if content is None:
            return self._read_solved(tiles)
        head = 8 * (self.pattern.tops + 1)
        return Layer(_array(content[:head], np.int64), _array(content[head:], np.uint32), np.zeros(0, np.float32))

    def _read_solved(self, tiles: int) -> Layer | None:
        content = self._read(tiles, "chances")
        if content is None:
            return None
        head = 8 * (self.pattern.tops + 1)
        begins = _array(content[:head], np.int64)
        middle = head + 4 * int(begins[-1])
        return Layer(begins, _array(content[head:middle], np.uint32), _array(content[middle:], np.float32))

    def _lost(self, tiles: int) -> BadInput:
        return BadInput(
            "{file}: damaged: remove the folder, and make the table again", file=self._file(tiles, "chances")
        )


def _array(content: bytes, kind: type) -> np.ndarray:
    """Return bytes as a writable array, the only kind that the compiled code takes."""
    return np.frombuffer(content, kind).copy()
