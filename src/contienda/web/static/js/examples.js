// A heuristic that works, for each game: where a user starts from.

export const EXAMPLES = {
  2048: `from contienda.evaluation.board import empty, largest, score, tile


def mine(board, weights):
    """Points, room, and the largest tile in the top left corner."""
    value = score(board) + 200 * empty(board)
    if tile(board, 0, 0) == largest(board):
        value += 2000
    return value
`,
  connect4: `def mine(board, weights):
    """More stones in the middle column than the opponent (bits 21 to 26 of a 6 x 7 board)."""
    value = 0
    for bit in range(21, 27):
        value += (board.max >> bit) & 1
        value -= (board.min >> bit) & 1
    return float(value)
`,
};
