"""The exact values of a small board of 2048 as a file, made once by `contienda perfect` and memory-mapped.

        the file: a line of text, ``contienda exact 2048 ROWS COLUMNS CHECKSUM``, padded to 128 bytes with spaces,
        then the record of `contienda.perfect.layers_2048` as it is in memory

Several processes share the mapped pages. No value is used before the checksum of all rows has been verified, and the
index has been checked to point into them.
"""

from __future__ import annotations

import zlib
from functools import lru_cache
from pathlib import Path

import numpy as np

from contienda.compiled.rows import record_in, record_size, rows
from contienda.core.files import data_folder, write_atomically
from contienda.core.language import BadInput
from contienda.games.g2048 import G2048
from contienda.games.g2048.board import walls_around
from contienda.perfect.layers_2048 import HEAD, ROW, check_solvable, enumerate_layers, solve_layers

__all__ = ["load_values", "save_values", "values_file", "values_of"]

_TITLE = "contienda exact 2048"
_HEADER = 128
#: Boards of up to this many cells are solved whenever they are needed: 2 × 3 takes hundredths of a second.
_AT_ONCE = 6


def values_file(game: G2048) -> Path:
    """Return the file in which `contienda perfect` keeps the values of a board of this size."""
    return data_folder() / "exact" / f"2048-{game.rows}x{game.columns}.values"


def values_of(game: G2048) -> np.record:
    """Return the exact values of a board: solved now if it is tiny, else from the file of `contienda perfect`."""
    check_solvable(game)
    return _values_of(game.rows, game.columns, values_file(game))


@lru_cache(maxsize=4)
def _values_of(rows: int, columns: int, file: Path) -> np.record:
    game = G2048(rows=rows, columns=columns)
    if rows * columns <= _AT_ONCE:
        return solve_layers(game, list(enumerate_layers(game, 1)), 1)
    if not file.exists():
        raise BadInput("{spec} is not solved yet: run `contienda perfect {spec}` once", spec=game.spec)
    return load_values(file, game)


def save_values(file: Path, game: G2048, record: np.record) -> None:
    """Write the values, completely or not at all."""
    table = rows(record)
    head = np.zeros(record_size(ROW, 1), np.uint8)
    copied = record_in(head, HEAD, ROW)
    for name in ("length", *HEAD):
        copied[name] = record[name]
    title = f"{_TITLE} {game.rows} {game.columns} {_checksum(table)}"
    write_atomically(
        file,
        [title.ljust(_HEADER - 1).encode() + b"\n", head[: record_size(ROW, 0)].tobytes(), table.view(np.uint8).data],
    )


def load_values(file: Path, game: G2048) -> np.record:
    """Return the values in a file, memory-mapped; `BadInput` if the file is damaged or for another board."""
    try:
        if not file.is_file():
            raise BadInput("{file} is not a file", file=file)
        block = np.asarray(np.memmap(file, np.uint8, mode="c"))
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise BadInput("cannot read {file}: {why}", file=file, why=why) from None
    title = f"{_TITLE} {game.rows} {game.columns} "
    head = block[:_HEADER].tobytes().decode("ascii", "replace")
    if not head.startswith(title):
        raise BadInput("{file}: not the exact values of {spec}", file=file, spec=game.spec)
    damaged = BadInput(
        "{file} is damaged or incomplete: delete it and run `contienda perfect {spec}` again", file=file, spec=game.spec
    )
    if len(block) < _HEADER + record_size(ROW, 1):
        raise damaged
    record = record_in(block[_HEADER:], HEAD, ROW)
    length, layers = int(record.length), int(record.layers)
    if not 4 <= layers <= length or len(block) != _HEADER + record_size(ROW, length):
        raise damaged
    table = rows(record)
    begins = table["cells"][:layers]
    in_order = begins[0] >= layers and begins[-1] <= length and bool(np.all(np.diff(begins) >= 0))
    if not in_order or int(record.walls) != walls_around(game.rows, game.columns):
        raise damaged
    if head[len(title) :].split() != [str(_checksum(table))]:
        raise damaged
    return record


def _checksum(table: np.ndarray) -> int:
    return zlib.crc32(table.view(np.uint8).data)
