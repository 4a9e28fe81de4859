"""Patterns: which cells of the board are locked, and which tile to make on the others.

A pattern is a text file with a picture of the board:

    ; Four large tiles in the first row, two below.
    goal: 256 512
    # # # #
    # # . .
    . . . .
    . . . .

``#`` is a locked cell: it holds a tile at least as large as the goal, which no move may touch. ``.`` is a free cell. If
there are any ``*``, the goal must be made on one of them; otherwise it may be made anywhere. Each goal gets its own
table, such as ``442-512``. ``spare: 128`` limits the sum of the free tiles to 128 more than the goal: a game that
exceeds it counts as lost. A line that begins with ``;`` is a comment.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import numpy as np

from contienda.core.language import BadInput

__all__ = ["MOST_FREE", "Pattern", "PatternShape", "parse_patterns", "patterns_named", "shipped_patterns"]

#: More free cells would take hundreds of gigabytes; fewer than these leave nothing to play.
MOST_FREE, FEWEST_FREE = 11, 4

#: The largest goal: locked cells stand as 14 and 15 on the boards of `layers`.
MOST_GOAL = 12

#: How far the sum of the free tiles may exceed the goal.
SPARE = 128


class PatternShape(NamedTuple):
    """A pattern as compiled code uses it; a board is 64 bits, as in `contienda.games.g2048.board`."""

    locked: int
    """All four bits of each locked cell."""
    locks: int
    """Their values on a board of the table: neighbours differ, so that no move merges them."""
    goal: int
    """The rank of the goal."""
    goal_cells: int
    """The lowest bit of each cell that the goal may be made on."""
    shifts: np.ndarray
    """Where the bits of each free cell begin."""


class Pattern(NamedTuple):
    """A pattern with one goal: it describes one table."""

    name: str
    picture: str
    """Sixteen characters, row by row."""
    goal: int
    """The face value of the tile to be made."""
    spare: int

    @property
    def free(self) -> list[int]:
        """The free cells."""
        return [cell for cell in range(16) if self.picture[cell] != "#"]

    @property
    def most(self) -> int:
        """The largest sum of the free tiles."""
        return self.goal + self.spare

    @property
    def tops(self) -> int:
        """The number of values of a key's bits above the lowest 32."""
        return int(16 ** max(len(self.free) - 8, 0))

    def shape(self) -> PatternShape:
        """The pattern for compiled code."""
        locked = [cell for cell in range(16) if self.picture[cell] == "#"]
        goals = [cell for cell in self.free if self.picture[cell] == "*"] or self.free
        return PatternShape(
            _signed(sum(15 << 4 * cell for cell in locked)),
            _signed(sum(15 - (cell // 4 + cell) % 2 << 4 * cell for cell in locked)),
            self.goal.bit_length() - 1,
            sum(1 << 4 * cell for cell in goals),
            np.array([4 * cell for cell in self.free], np.int64),
        )


def _signed(bits: int) -> int:
    return bits - (1 << 64) if bits >> 63 else bits


def parse_patterns(text: str, name: str) -> list[Pattern]:
    """Return the patterns of a picture, one for each goal.

    >>> [one.name for one in parse_patterns("goal: 64 128\\n####\\n##..\\n....\\n....", "442")]
    ['442-64', '442-128']
    """
    keys: dict[str, list[int]] = {"spare": [SPARE]}
    rows: list[str] = []
    for line in text.splitlines():
        line = line.strip()
        key, colon, words = line.partition(":")
        if colon and not line.startswith(";"):
            if key not in ("goal", "spare"):
                raise BadInput("pattern {name}: there is goal and spare, not {key!r}", name=name, key=key)
            keys[key] = [int(word) if word.isascii() and word.isdigit() else -1 for word in words.split()[:64]]
        elif line and not line.startswith(";"):
            rows.append(line.replace(" ", ""))
    if len(rows) != 4 or any(len(row) != 4 or set(row) - set("#.*") for row in rows):
        raise BadInput("pattern {name}: draw four rows of four cells: # locked, . free, * the goal's", name=name)
    goals, picture = keys.get("goal", []), "".join(rows)
    if not goals or any(goal not in (1 << rank for rank in range(3, MOST_GOAL + 1)) for goal in goals):
        raise BadInput("pattern {name}: write goal: and tiles from 8 to {most}", name=name, most=1 << MOST_GOAL)
    spare = keys["spare"][0] if len(keys["spare"]) == 1 else -1
    if not 4 <= spare <= 1 << 16 or spare % 2:
        raise BadInput("pattern {name}: spare: takes an even number from 4 on", name=name)
    free = 16 - picture.count("#")
    if not FEWEST_FREE <= free <= MOST_FREE:
        raise BadInput(
            "pattern {name}: {free} free cells; there may be {fewest} to {most}",
            name=name,
            free=free,
            fewest=FEWEST_FREE,
            most=MOST_FREE,
        )
    return [Pattern(f"{name}-{goal}", picture, goal, spare) for goal in goals]


def shipped_patterns() -> list[Pattern]:
    """Return the package's patterns, in the order in which they are made."""
    folder = files(__package__) / "patterns"
    found = {
        file.name.removesuffix(".txt"): file.read_text() for file in folder.iterdir() if file.name.endswith(".txt")
    }
    patterns = [pattern for name in sorted(found) for pattern in parse_patterns(found[name], name)]
    return sorted(patterns, key=lambda pattern: (len(pattern.free), pattern.goal))


def patterns_named(names: list[str]) -> list[Pattern]:
    """Return the patterns of these tables (442-512), pictures (442) or text files; by default all shipped ones."""
    shipped = shipped_patterns()
    found: list[Pattern] = []
    for name in names:
        some = [one for one in shipped if name in (one.name, one.name.rpartition("-")[0])]
        file = Path(name)
        if not some and file.is_file():
            try:
                some = parse_patterns(file.read_text(encoding="utf-8"), _plain(file.stem))
            except (OSError, UnicodeDecodeError) as error:
                raise BadInput("cannot read {file}: {why}", file=file, why=str(error)) from None
        if not some:
            known = ", ".join(sorted({one.name.rpartition("-")[0] for one in shipped}))
            raise BadInput("no pattern {name!r}: there is {known}, or write a file", name=name, known=known)
        found += [one for one in some if one not in found]
    return found if names else shipped


def _plain(name: str) -> str:
    """Return the name if it is safe as a file name, else raise `BadInput`."""
    if not name or not all(letter.isascii() and (letter.isalnum() or letter in "_-") for letter in name):
        raise BadInput("name the file of a pattern with letters, digits, - and _, not {name!r}", name=name)
    return name
