"""Othello in its most obvious form: a list of lists, and every direction walked cell by cell."""

from __future__ import annotations

DIRECTIONS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]
AXES = [((0, 1), (0, -1)), ((1, 0), (-1, 0)), ((1, 1), (-1, -1)), ((1, -1), (-1, 1))]
CORNERS = {(0, 0): (1, 1), (0, 7): (1, 6), (7, 0): (6, 1), (7, 7): (6, 6)}
CELLS = [(row, column) for row in range(8) for column in range(8)]


class NaiveOthello:
    """A game in progress; 0 empty, 1 black, 2 white; row 1 first."""

    def __init__(self) -> None:
        self.board = [[0] * 8 for _ in range(8)]
        self.board[3][3] = self.board[4][4] = 2
        self.board[3][4] = self.board[4][3] = 1
        self.mover = 1

    def at(self, row: int, column: int) -> int | None:
        """What stands on a cell; None beyond the edge."""
        return self.board[row][column] if row in range(8) and column in range(8) else None

    def flips(self, row: int, column: int, player: int) -> list[tuple[int, int]]:
        """The discs that a disc of a player placed here would turn over."""
        turned = []
        for down, right in DIRECTIONS:
            line = []
            r, c = row + down, column + right
            while self.at(r, c) == 3 - player:
                line.append((r, c))
                r, c = r + down, c + right
            if self.at(r, c) == player:
                turned += line
        return turned if self.board[row][column] == 0 else []

    def places(self, player: int) -> list[tuple[int, int]]:
        return [cell for cell in CELLS if self.flips(*cell, player)]

    def over(self) -> bool:
        return not self.places(1) and not self.places(2)

    def names(self) -> list[str]:
        """The legal moves by their names."""
        if self.over():
            return []
        return [f"{'abcdefgh'[column]}{row + 1}" for row, column in self.places(self.mover)] or ["pass"]

    def play(self, name: str) -> None:
        if name != "pass":
            row, column = int(name[1]) - 1, "abcdefgh".index(name[0])
            for r, c in [*self.flips(row, column, self.mover), (row, column)]:
                self.board[r][c] = self.mover
        self.mover = 3 - self.mover

    def count(self, player: int) -> int:
        return sum(row.count(player) for row in self.board)

    def difference(self) -> int:
        """Black's final discs less white's; empty cells go to the winner."""
        black, white = self.count(1), self.count(2)
        empty = 64 - black - white
        return black - white + (empty if black > white else -empty if white > black else 0)

    # What the evaluators look at, for one player.

    def corners(self, player: int) -> int:
        return sum(self.at(*corner) == player for corner in CORNERS)

    def x_squares(self, player: int) -> int:
        return sum(self.at(*corner) == 0 and self.at(*beside) == player for corner, beside in CORNERS.items())

    def mobility(self, player: int) -> int:
        return len(self.places(player))

    def frontier(self, player: int) -> int:
        own = [cell for cell in CELLS if self.at(*cell) == player]
        return sum(any(self.at(r + down, c + right) == 0 for down, right in DIRECTIONS) for r, c in own)

    def stable(self, player: int) -> set[tuple[int, int]]:
        """Discs safe along all four lines through them: at an end, in a full line, or beside a safe one."""
        found: set[tuple[int, int]] = set()
        while True:
            more = {
                (r, c)
                for r, c in CELLS
                if self.at(r, c) == player and all(self._safe(r, c, axis, found) for axis in AXES)
            }
            if more == found:
                return found
            found = more

    def _safe(self, row: int, column: int, axis: tuple[tuple[int, int], tuple[int, int]], stable: set) -> bool:
        full = True
        for down, right in axis:
            r, c = row + down, column + right
            if self.at(r, c) is None or (r, c) in stable:
                return True
            while self.at(r, c) is not None:
                full = full and self.at(r, c) != 0
                r, c = r + down, c + right
        return full
