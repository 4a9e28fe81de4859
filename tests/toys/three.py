"""Three in a line, in plain Python, with a board to click on."""

from contienda import PlainGame
from contienda.core.picture import FIRST, SECOND, Picture

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class Three(PlainGame):
    """Three marks in a line win."""

    def start(self):
        return "........."

    def moves(self, board):
        return [cell for cell in range(9) if board[cell] == "."]

    def play(self, board, cell):
        mark = "X" if board.count(".") % 2 else "O"
        return board[:cell] + mark + board[cell + 1 :]

    def over(self, board):
        return self.line(board) is not None

    def worth(self, board, mover):
        line = self.line(board)
        return 0 if line is None else 1 if board[line[0]] == "X" else -1

    def line(self, board):
        return next((line for line in LINES if board[line[0]] != "." and len({board[c] for c in line}) == 1), None)

    def name(self, board, cell):
        return str(cell + 1)

    def draw(self, board):
        pieces = {"X": FIRST, "O": SECOND}
        return Picture(3, 3, tuple(pieces.get(mark) for mark in board), line=self.line(board) or ())

    def click(self, board, cell):
        return cell
