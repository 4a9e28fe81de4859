"""Connect 4 in its most obvious form: a list of lists, and every line looked at cell by cell."""

from __future__ import annotations


class NaiveConnect4:
    """A game in progress; 0 empty, 1 the player who began, 2 the other; top row first."""

    def __init__(self, rows: int, columns: int, connect: int) -> None:
        self.rows, self.columns, self.connect = rows, columns, connect
        self.board = [[0] * columns for _ in range(rows)]
        self.mover = 1

    def legal(self) -> list[int]:
        return [column for column in range(self.columns) if self.board[0][column] == 0]

    def play(self, column: int) -> None:
        row = max(row for row in range(self.rows) if self.board[row][column] == 0)
        self.board[row][column] = self.mover
        self.mover = 3 - self.mover

    def stones(self) -> int:
        return sum(cell != 0 for row in self.board for cell in row)

    def winner(self) -> int:
        """The player who has a line, or 0."""
        for row in range(self.rows):
            for column in range(self.columns):
                owner = self.board[row][column]
                if owner and any(self._line_from(row, column, *step) for step in ((0, 1), (1, 0), (1, 1), (1, -1))):
                    return owner
        return 0

    def _line_from(self, row: int, column: int, down: int, right: int) -> bool:
        for i in range(self.connect):
            r, c = row + i * down, column + i * right
            if not (r < self.rows and 0 <= c < self.columns and self.board[r][c] == self.board[row][column]):
                return False
        return True
