"""How a board looks and what happens on it, as data from which every screen draws.

A *picture* is a grid of cells, top row first. A cell is numbered ``row * columns + column``. What stands on a cell is a
*piece*: its role gives it a colour, its shape a form, its label a text, so that nothing depends on colour alone.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from contienda.core.language import Text

__all__ = ["FIRST", "SECOND", "Gesture", "Motion", "Picture", "Piece", "changes", "grid_text", "picture_fault"]

Role = Literal["first", "second", "neutral", "tile"]
PieceShape = Literal["disc", "mark", "tile"]
Colour = Literal["", "black", "white", "red", "blue"]
#: The look of the empty cells: squares, holes that stones fall into, a checkered board, or the table of sliding tiles.
Ground = Literal["plain", "holes", "checks", "slots"]


class Piece(NamedTuple):
    """The content of a cell."""

    role: Role
    """Whose it is, or ``tile``: then `rank` picks its colour on a scale."""
    label: str = ""
    """The text on it: ``2048``, ``X``, ``3``."""
    shape: PieceShape = "disc"
    rank: int = 0
    name: Text | None = None
    """What a screen reader says instead of the label."""
    colour: Colour = ""
    """Its own colour, such as Othello's black and white; by default the role's."""


class Picture(NamedTuple):
    """A board as a screen draws it."""

    rows: int
    columns: int
    pieces: tuple[Piece | None, ...]
    """The piece of every cell, row after row from the top; None for an empty cell."""
    ground: Ground = "plain"
    row_labels: tuple[str, ...] = ()
    column_labels: tuple[str, ...] = ()
    line: tuple[int, ...] = ()
    """The cells of the winning line."""
    marked: tuple[int, ...] = ()
    """Cells to point out, such as the stones that the die lets move."""
    caption: Text | None = None
    """What the board itself does not show: the die, the heaps of a game without a board."""

    def _repr_svg_(self) -> str:
        """The board, as a notebook shows it."""
        from contienda.core.drawn import picture_svg

        return picture_svg(self)


def picture_fault(picture: object) -> Text | None:
    """What is wrong with a picture that a user's game made."""
    if not isinstance(picture, Picture):
        return Text("{picture!r:.60} is not a Picture", picture=picture)
    cells = picture.rows * picture.columns
    if len(picture.pieces) != cells:
        return Text(
            "{rows} × {columns} cells and {count} pieces",
            rows=picture.rows,
            columns=picture.columns,
            count=len(picture.pieces),
        )
    if picture.ground not in get_args(Ground):
        return _unknown("ground", picture.ground, Ground)
    for piece in picture.pieces:
        if piece is not None and (fault := _piece_fault(piece)):
            return fault
    for labels, count in ((picture.row_labels, picture.rows), (picture.column_labels, picture.columns)):
        if labels and len(labels) != count:
            return Text("{count} labels for {count2}", count=len(labels), count2=count)
    for cell in (*picture.line, *picture.marked):
        if not 0 <= cell < cells:
            return Text("cell {cell} is not on the board of {cells} cells", cell=cell, cells=cells)
    return None


def _piece_fault(piece: object) -> Text | None:
    if not isinstance(piece, Piece):
        return Text("{piece!r:.40} is neither a Piece nor None", piece=piece)
    for field, known in (("role", Role), ("shape", PieceShape), ("colour", Colour)):
        if getattr(piece, field) not in get_args(known):
            return _unknown(field, getattr(piece, field), known)
    if not isinstance(piece.label, str):
        return Text("a piece's label must be a string, not {label!r:.40}", label=piece.label)
    return None


def _unknown(field: str, value: object, known: object) -> Text:
    named = ", ".join(repr(each) for each in get_args(known))
    return Text("{field} = {value!r:.40}: there are {known}", field=field, value=value, known=named)


class Gesture(NamedTuple):
    """How a person makes a move on the picture."""

    kind: Literal["direction", "column", "cell", "drag", "button"]
    at: int = -1
    """The column or the cell; of a drag, the cell where it ends."""
    start: int = -1
    """The cell where a drag begins."""
    direction: Literal["", "up", "right", "down", "left"] = ""
    label: Text | None = None
    """The text of a button."""


class Motion(NamedTuple):
    """What a move does to one piece: it goes from a cell to another, appears, vanishes, or becomes another."""

    start: int
    """The cell where the piece stood; -1: it appears."""
    end: int
    """The cell where it stands; -1: it is taken away. The cell where it stood: it becomes another piece."""
    merged: bool = False
    """It merges into the piece that appears where it ends."""


def changes(before: Picture, after: Picture) -> list[Motion]:
    """What moved between two pictures: the default for games that do not define `Game.motions`.

    One piece less on a cell and the same one more on another is a move; what is left over appears or vanishes.

    >>> stone = Piece("first", "X")
    >>> changes(Picture(1, 3, (stone, None, None)), Picture(1, 3, (None, None, stone)))
    [Motion(start=0, end=2, merged=False)]
    """
    differ = [c for c, (old, new) in enumerate(zip(before.pieces, after.pieces, strict=True)) if old != new]
    gone = [c for c in differ if before.pieces[c] is not None]
    come = [c for c in differ if after.pieces[c] is not None]
    motions: list[Motion] = []
    for start in list(gone):
        end = next((c for c in come if after.pieces[c] == before.pieces[start]), None)
        if end is not None:
            motions.append(Motion(start, end))
            gone.remove(start)
            come.remove(end)
    arrived = {motion.end for motion in motions}
    for cell in gone:
        if cell in come:
            motions.append(Motion(cell, cell))
            come.remove(cell)
        else:  # taken, by the piece that came here if one did
            motions.insert(0, Motion(cell, -1)) if cell in arrived else motions.append(Motion(cell, -1))
    return motions + [Motion(-1, cell) for cell in come]


def grid_text(picture: Picture, empty: str = ".") -> list[list[str]]:
    """The labels of the cells, row by row, for a terminal or a text."""
    cells = [empty if piece is None else piece.label for piece in picture.pieces]
    return [cells[i : i + picture.columns] for i in range(0, len(cells), max(picture.columns, 1))]


#: The stones of two players, which most boards have.
FIRST = Piece("first", "X", name=Text("first player"))
SECOND = Piece("second", "O", name=Text("second player"))
