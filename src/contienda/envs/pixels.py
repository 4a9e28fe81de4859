"""A picture as pixels, for videos and for agents that learn from images: drawn with NumPy, with built-in digits."""

from __future__ import annotations

import numpy as np

from contienda.core.drawn import GROUNDS, colours_of
from contienda.core.picture import Picture, Piece

__all__ = ["picture_pixels"]

_CELL = 64
_GAP = 4

#: Three columns and five rows of dots for each sign, as the bits of a row, the leftmost highest. Others have none.
_SIGNS = {
    "0": (7, 5, 5, 5, 7), "1": (2, 6, 2, 2, 7), "2": (7, 1, 7, 4, 7), "3": (7, 1, 7, 1, 7), "4": (5, 5, 7, 1, 1),
    "5": (7, 4, 7, 1, 7), "6": (7, 4, 7, 5, 7), "7": (7, 1, 1, 1, 1), "8": (7, 5, 7, 5, 7), "9": (7, 5, 7, 1, 7),
    "X": (5, 5, 2, 5, 5), "O": (7, 5, 5, 5, 7),
}  # fmt: skip


def picture_pixels(picture: Picture | None) -> np.ndarray:
    """Return the board as an array of rows × columns × 3 bytes."""
    if picture is None:
        return np.zeros((_CELL, _CELL, 3), np.uint8)
    ground, empty = (_rgb(colour) for colour in GROUNDS[picture.ground])
    pixels = np.empty((picture.rows * _CELL, picture.columns * _CELL, 3), np.uint8)
    pixels[:] = ground
    for cell, piece in enumerate(picture.pieces):
        y, x = (place * _CELL for place in divmod(cell, picture.columns))
        _draw(pixels[y : y + _CELL, x : x + _CELL], picture, empty, piece)
    return pixels


def _draw(cell: np.ndarray, picture: Picture, empty: np.ndarray, piece: Piece | None) -> None:
    """Draw one cell and its piece."""
    if picture.ground == "holes":
        cell[_DISC] = empty
    else:
        cell[_GAP // 2 : -_GAP // 2, _GAP // 2 : -_GAP // 2] = empty
    if piece is None:
        return
    colour, ink = (_rgb(each) for each in colours_of(piece))
    if piece.shape == "tile":
        cell[_GAP // 2 : -_GAP // 2, _GAP // 2 : -_GAP // 2] = colour
    elif piece.shape == "mark":
        ink = colour
    else:
        cell[_DISC] = colour
    _write(cell, piece.label, ink)


def _write(cell: np.ndarray, label: str, ink: np.ndarray) -> None:
    """Write a label in the middle, as large as fits."""
    if not label or any(sign not in _SIGNS for sign in label):
        return
    dots = np.zeros((5, 4 * len(label) - 1), np.bool_)
    for place, sign in enumerate(label):
        for row, bits in enumerate(_SIGNS[sign]):
            dots[row, 4 * place : 4 * place + 3] = [bits >> 2 & 1, bits >> 1 & 1, bits & 1]
    size = min(5, (_CELL - 12) // dots.shape[1])
    large = dots.repeat(size, axis=0).repeat(size, axis=1)
    top, left = (_CELL - large.shape[0]) // 2, (_CELL - large.shape[1]) // 2
    cell[top : top + large.shape[0], left : left + large.shape[1]][large] = ink


def _rgb(colour: str) -> np.ndarray:
    return np.frombuffer(bytes.fromhex(colour[1:]), np.uint8)


_place = np.arange(_CELL) - (_CELL - 1) / 2
_DISC = _place[:, None] ** 2 + _place**2 < (_CELL / 2 - 2 * _GAP) ** 2
