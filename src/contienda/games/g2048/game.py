"""2048: its boards as text and as pictures, its parameters, and who plays it."""

from __future__ import annotations

import math
from copy import copy
from functools import cache
from typing import Any, ClassVar, NamedTuple

import numpy as np

from contienda.compiled.jit import njit
from contienda.compiled.rng import generator
from contienda.core.examples import LabExample, TraceExample
from contienda.core.game import CHANCE, MAX, Game, Level, Parameter, Rules, SearchShortcuts, State
from contienda.core.language import BadInput, Text
from contienda.core.picture import Gesture, Motion, Picture, Piece
from contienda.games.g2048.board import (
    ACTIONS,
    Board,
    SmallBoard,
    board_from_ranks,
    largest_rank,
    rank_at,
    score,
    slides,
    walls_around,
)
from contienda.games.g2048.evaluators import EVALUATORS
from contienda.games.g2048.rules import OPPONENTS, RULES, draw, successor_small

__all__ = ["G2048", "MOST_POINTS", "NewTile"]

#: More points than a game can make (3,932,156), and few enough to count with.
MOST_POINTS = 10**9

_LOWER_HALVES, _CARRIES = 0x0F0F0F0F0F0F0F0F, 0x1010101010101010

#: Rows and columns. On a single row two of the four moves would never be legal; the look-up tables of `board` are
#: for lines of four cells at most, which rules out 2 × 8 and 3 × 5.
_SMALLEST, _LARGEST = 2, 4


class NewTile(NamedTuple):
    """What luck does after a move."""

    cell: int
    """``row * columns + column``, as in `G2048.grid`."""
    face: int


#: uc3m's minimax: its order of moves, and 2s only where it looks ahead.
_UC3M = "minimax:depth=5,eval={},opponent=twos,ties=down-right-up-left"
CONFIGURATIONS = (
    Level(Text("uc3m: minimax, score"), _UC3M.format("uc3m-score")),
    Level(Text("uc3m: minimax, empty cells"), _UC3M.format("uc3m-empty")),
    Level(Text("uc3m: A*, score"), "astar:h=uc3m-score,depth=5"),
    Level(Text("uc3m: A*, empty cells"), "astar:h=uc3m-empty,depth=5"),
    Level(Text("uc3m: A*, 20000 − score"), "astar:h=uc3m-score-v2,depth=10"),
    Level(Text("uc3m: A*, 16 − empty"), "astar:h=uc3m-empty-v2,depth=10"),
)

LAB_EXAMPLES = (
    LabExample(
        Text("Does a deeper search help?"),
        ("random", "expectimax:depth=1", "expectimax:depth=2", "expectimax:depth=3"),
        games=50,
        target=2048,
    ),
    LabExample(
        Text("Chance nodes, or an adversary?"),
        ("greedy", "minimax:depth=3", "alphabeta:depth=3", "expectimax:depth=3"),
        games=50,
        target=2048,
    ),
    LabExample(
        Text("Which evaluator plays best?"),
        tuple(f"expectimax:depth=1,eval={name}" for name in ("uma1", "uma4", "combined", "nneonneo")),
        games=50,
        target=2048,
    ),
)


class G2048(Game):
    """2048, on its 4 × 4 board or on a smaller one."""

    name = "2048"
    title = Text("2048")
    about = Text("slide and merge tiles; after each move a random 2 or 4 appears")
    drawing = "board-2048"
    position_help = Text("Rows of tiles with / between them; 0 is an empty cell.")
    example = "2 4 16 2/8 32 64 4/0 4 128 16/0 0 2 256"
    example_evaluator = '''from contienda.games.g2048.helpers import empty, largest, score, tile


def mine(board, weights):
    """Points, room, and the largest tile in the top left corner."""
    value = score(board) + 200 * empty(board)
    if tile(board, 0, 0) == largest(board):
        value += 2000
    return value
'''
    helpers = "contienda.games.g2048.helpers"
    trace_examples = (
        TraceExample(
            Text("2048: minimax and expectimax"),
            ((example, "minimax:depth=3"), (example, "expectimax:depth=3")),
            "two",
        ),
    )
    lab_examples = LAB_EXAMPLES
    parameters: ClassVar = {
        "rows": Parameter(4, Text("rows of the board, 2 to 4"), 2, 4),
        "columns": Parameter(4, Text("columns of the board, 2 to 4"), 2, 4),
    }
    rules = RULES
    problem = "2048"
    move_notes = "contienda.players.g2048.chances:with_chances"
    kinds = frozenset({MAX, CHANCE})
    action_count = len(ACTIONS)
    opponents = tuple(OPPONENTS)
    evaluators = EVALUATORS
    configurations: tuple[Level, ...] = CONFIGURATIONS
    default_evaluator = "nneonneo"
    points_evaluator = "uc3m-score"
    utility_bounds = (math.inf, -math.inf)

    def __init__(self, *, rows: int = 4, columns: int = 4) -> None:
        for key, number in (("rows", rows), ("columns", columns)):
            if not _SMALLEST <= number <= _LARGEST:
                raise BadInput(
                    "{key}={number}: a 2048 board has {smallest} to {largest} rows and columns",
                    key=key,
                    number=number,
                    smallest=_SMALLEST,
                    largest=_LARGEST,
                )
        self.rows, self.columns = rows, columns
        self._walls = walls_around(rows, columns)
        self.targets = tuple(1 << rank for rank in range(3, self.largest_rank + 1))
        self.default_target = 2048 if 2048 in self.targets else None
        # Networks, endgame tables and path searches are made for the board of 4 × 4.
        self.features = frozenset({"points"} if self.small else {"points", "network", "paths", "tables"})
        if rows * columns <= 9:  # `contienda.perfect.layers_2048`
            self.features |= {"solved"}
        if self.small:
            self.rules = RULES._replace(successor=successor_small)
            self.configurations = tuple(each for each in CONFIGURATIONS if not each.player.startswith("astar"))

    @property
    def small(self) -> bool:
        """The board is smaller than 4 × 4, and its states are `SmallBoard`s."""
        return self._walls != 0

    @property
    def largest_rank(self) -> int:
        """The rank of the largest tile: 4s in all the right places make 2^(cells + 1), and no cell is left for more."""
        return self.rows * self.columns + 1

    @property
    def shortcuts(self) -> SearchShortcuts:
        from contienda.games.g2048.shortcuts import SHORTCUTS, SHORTCUTS_SMALL

        return SHORTCUTS_SMALL if self.small else SHORTCUTS

    def start(self, rng: np.record) -> State:
        """An empty board with two random tiles."""
        board = self._of_size(Board(0))
        for _ in range(2):
            board = board._replace(turn=CHANCE)
            _, board = self.rules.successor(board, draw(board, rng))
        return board

    def _of_size(self, board: Board) -> Board | SmallBoard:
        """A board as a state of this game: with its walls, if it has any."""
        return SmallBoard(*board, self._walls) if self.small else board

    def parse(self, text: str) -> State:
        """A board from its rows of face values; its score is 0.

        >>> G2048().format(G2048().parse("2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 0"))
        '2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 0'
        """
        return self.parse_scored(text, 0)

    def parse_scored(self, text: str, points: int) -> State:
        """A board from its text, with the points made so far."""
        lines = [line.split() for line in text.strip().split("/")]
        shape = [len(line) for line in lines[:9]]
        if shape != [self.columns] * self.rows:
            example = self.format(self.start(generator(0)))
            raise BadInput(
                "a 2048 board is {rows} rows of {columns} tiles, '{example}'; this has rows of {shape}",
                rows=self.rows,
                columns=self.columns,
                example=example,
                shape=shape,
            )
        ranks = [0] * 16
        for row, line in enumerate(lines):
            ranks[4 * row : 4 * row + self.columns] = [self._rank_of(face) for face in line]
        self._check_reachable(ranks)
        if not 0 <= points <= MOST_POINTS:
            raise BadInput(
                "{points} points are not possible: a score is from 0 to {most_points}",
                points=points,
                most_points=MOST_POINTS,
            )
        return self._of_size(board_from_ranks(ranks, points))

    def _rank_of(self, face: str) -> int:
        """The rank of a tile's face value, 0 for an empty cell."""
        if face in ("0", "."):
            return 0
        largest = 1 << self.largest_rank
        value = int(face) if face.isascii() and face.isdigit() and len(face) <= 6 else 0
        rank = value.bit_length() - 1
        if value < 2 or value != 1 << rank:
            raise BadInput(
                "{face!r} is not a tile: tiles are 0 (empty), 2, 4, 8 … {largest}", face=face[:20], largest=largest
            )
        if rank > self.largest_rank:
            raise BadInput("{face} is beyond the largest tile, {largest}", face=face, largest=largest)
        return rank

    def _check_reachable(self, ranks: list[int]) -> None:
        """Refuse boards that no game reaches: while a tile of rank k+1 is made, the larger ones take up cells.

        With n cells to work in, the largest tile is 2^(n+1). Sorted downwards, the i-th tile was made while the i
        before it stood there, so its rank is at most n + 1 - i.
        """
        for larger, rank in enumerate(sorted(ranks, reverse=True)):
            if rank > max(self.largest_rank - larger, 0):
                face = 1 << rank
                count = ranks.count(rank)
                raise BadInput(
                    "no game reaches this board: {count} × {face} leave too few cells to make them",
                    count=count,
                    face=face,
                )

    def format(self, state: Board | SmallBoard) -> str:
        return "/".join(" ".join(map(str, row)) for row in self.grid(state))

    def grid(self, state: Board | SmallBoard) -> list[list[int]]:
        faces = [1 << rank if (rank := rank_at(state, cell)) else 0 for cell in range(16)]
        return [faces[4 * row : 4 * row + self.columns] for row in range(self.rows)]

    def picture(self, state: Board | SmallBoard) -> Picture:
        faces = [face for row in self.grid(state) for face in row]
        pieces = (Piece("tile", str(face), "tile", face.bit_length() - 1) if face else None for face in faces)
        return Picture(self.rows, self.columns, tuple(pieces), "slots")

    def mirrors(self, state: Board | SmallBoard) -> list[State]:
        """The board from right to left, and upside down."""
        ranks = [[rank_at(state, 4 * row + column) for column in range(self.columns)] for row in range(self.rows)]
        images = []
        for rows in ([row[::-1] for row in ranks], ranks[::-1]):
            cells = [0] * 16
            for number, row in enumerate(rows):
                cells[4 * number : 4 * number + self.columns] = row
            images.append(self._of_size(board_from_ranks(cells, int(score(state)), state.turn)))
        return images

    def gesture(self, state: Board | SmallBoard, action: int) -> Gesture:
        return Gesture("direction", direction=ACTIONS[action])  # type: ignore[arg-type]

    def motions(self, before: Board | SmallBoard, action: int, after: Board | SmallBoard) -> list[Motion]:
        """How the tiles slide; two that merge go up in the tile that they make. Or the tile that luck adds."""
        if before.turn == CHANCE:
            return [Motion(-1, self.new_tile(action).cell)]
        return [Motion(slide.start, slide.end, slide.merged) for slide in slides(before, action)]

    def new_tile(self, action: int) -> NewTile:
        """The tile that an outcome of chance puts on the board."""
        row, column = divmod(action >> 2, 4)
        return NewTile(self.columns * row + column, 4 if action & 1 else 2)

    def action_name(self, state: Board | SmallBoard, action: int) -> str:
        if state.turn == MAX:
            return ACTIONS[action]
        tile = self.new_tile(action)
        return f"{tile.face}@r{tile.cell // self.columns + 1}c{tile.cell % self.columns + 1}"

    def action_number(self, state: Board | SmallBoard, name: str) -> int:
        if state.turn == MAX:
            names = {action: number for number, action in enumerate(ACTIONS)}
        else:
            names = {self.action_name(state, a): a for a in self.legal_actions(state)}
        try:
            return names[name]
        except KeyError:
            known = ", ".join(names)
            raise BadInput("no move {name!r} here: there are {known}", name=name, known=known) from None

    def adversarial(self, opponent: str) -> Rules:
        try:
            own = self.rules
            return OPPONENTS[opponent]._replace(
                successor=own.successor, over=own.over, ends_by_evaluator=own.ends_by_evaluator
            )
        except KeyError:
            known = ", ".join(OPPONENTS)
            raise BadInput("no opponent {opponent!r}: there are {known}", opponent=opponent, known=known) from None

    def until(self, target: int) -> G2048:
        rank = max(target.bit_length() - 1, 0)
        if target != 1 << rank or not 3 <= rank <= self.largest_rank:
            largest = 1 << self.largest_rank
            raise BadInput(
                "target {target} is not a tile: choose 8, 16 … {largest}, or none", target=target, largest=largest
            )
        aimed = copy(self)
        aimed.target = target
        # The points alone would be less than any evaluator says of the boards before.
        aimed.rules = self.rules._replace(over=_reached(rank), ends_by_evaluator=True)
        return aimed

    def reached(self, state: Board | SmallBoard, target: int) -> bool:
        return 1 << largest_rank(state) >= target

    def outcome(self, state: Board | SmallBoard) -> dict[str, Any]:
        rank = largest_rank(state)
        return {"score": int(score(state)), "max_tile": 1 << rank if rank else 0}


@cache
def _reached(rank: int):
    """``over`` for a game that ends at a tile: compiled once for all players."""
    if rank > 15:

        @njit
        def reached(board):
            return largest_rank(board) >= rank

        return reached

    # Every node asks this. Every second cell at once, each in a byte of its own: a rank that is large enough carries
    # into the byte's upper half.
    rest = (16 - rank) * 0x0101010101010101

    @njit
    def carried(board):
        even, odd = board.cells & _LOWER_HALVES, (board.cells >> 4) & _LOWER_HALVES
        return ((even + rest) | (odd + rest)) & _CARRIES != 0

    return carried
