"""Solving Connect 4: a search that knows the game.

1. *Complete a line if you can; never let the other complete one.* Moves that lose at once are left out. Two threats at
   once cannot both be met, nor can a threat on top of another: whoever makes such a pair has won, and nothing is
   searched.
2. *Ask for less than the score.* "Is it more than s?" takes a null window, in which nearly every node is cut.
   A handful of such questions settles a score, and each leaves something known: won, or at least a draw.
3. *Bounds without search.* Nobody wins before he has stones enough: limits that draw together as the board fills. And
   who will fill the last cell can answer each move in its own column, above it, and so get every upper cell of what is
   left: if the other cannot make a line without those, he cannot win, and loses if they make one (Allis's
   *claimeven*).
4. *Try first what threatens most cells*, then the columns in the middle.
5. *Remember* what was learnt of each position (`bounds`), and before searching the moves of a position look whether
   one of them leads to what is known to be good enough.

References: Allis, "A knowledge-based approach of Connect-Four", 1988 (threats, claimeven); Tromp, "John's Connect Four
Playground", 1995-2010 (the key of a position); Plaat et al., "Exploiting graph properties of game trees", 1996 (5);
Pons, "Solving Connect 4: how to build a perfect AI", 2015 (1, 2 and 4 much as here).

Contract of ``bound(own, all, alpha, beta, …)``, s being the exact score and v the value returned, where the side to
move cannot complete a line at once and alpha < beta:

    v <= alpha           s <= v
    alpha < v < beta     s == v
    v >= beta            s >= v

When ``work.nodes`` reaches ``work.budget`` it returns at once, its value means nothing, and nothing is remembered.

Cost: on the usual board some 2 million nodes after ten stones, 80 thousand after fifteen, 4 thousand after twenty-one
(`benchmarks/connect4.py`); memory is the table's.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from contienda.compiled.jit import njit, popcount
from contienda.core.analysis import FOREVER, TALLY_FIELDS
from contienda.perfect.bounds import Score, hashed, look_up, remember, send_for
from contienda.perfect.lines import build_lines

__all__ = ["ExactSearch", "build_exact_search", "new_work", "new_work_here"]

#: Moves of one position at most: columns of a board that fits 64 bits.
_WIDEST = 32
_LONGEST = 64

#: With this few cells left, a position is searched as fast as it is looked up (ply 10, careful: 5 to 8 differ by 3 %).
_NOT_KEPT = 6
#: With this few left, the moves are not looked up first: the look-ups cost more than they save (16 to 20 are alike).
_NOT_PROBED = 18
#: With more cells left than this a position and its mirror image are looked up as one; later they seldom both occur.
_MIRRORED = 27
#: Moves that the compiler looks at in one instruction: 64-bit words of a vector.
_ABREAST = 4

_WORK = np.dtype(
    (
        np.record,
        [
            *TALLY_FIELDS,
            ("low", np.int64),  # the score lies from here
            ("high", np.int64),  # to here
            ("threats", np.int64, (_WIDEST,)),  # how many cells the move in each column, from the middle, threatens
            ("moves", np.int64, (_LONGEST, _WIDEST)),  # of the position at each number of stones, best first
            ("worth", np.int64, (_LONGEST, _WIDEST)),
        ],
    )
)


def new_work(budget: int = FOREVER) -> np.record:
    """Counters, the flag that stops a search (as in `new_tally`), its result, and room for its moves."""
    work: np.record = np.zeros(1, _WORK)[0]
    work.budget = budget
    return work


@njit(cache=True)
def new_work_here(budget):
    """The same, in compiled code."""
    work = np.zeros(1, _WORK)[0]
    work.budget = budget
    return work


class ExactSearch(NamedTuple):
    """The solver for one size of board."""

    settle: Callable[..., bool]
    """``settle(own, all, low, high, table, work)``: the score, or of low and high the one that it lies beyond, in
    work.low = work.high -> True. When stopped, the score lies between the two for all that is known -> False.
    Nobody has connected; the board may be full."""
    limits: Callable[..., Score]
    """``limits(own, all)`` -> what the score can be at first sight."""
    known: Callable[..., Score]
    """``known(own, all, table)`` -> what it can be by what the table remembers."""


@cache
def build_exact_search(rows: int, columns: int, connect: int) -> ExactSearch:
    """The solver for a board of this size, compiled once."""
    lines = build_lines(rows, columns, connect)
    board, connected, completing, playable, key, mirrored = lines
    height, cells = rows + 1, rows * columns
    from_the_middle = sorted(range(columns), key=lambda c: (abs(2 * c - columns + 1), c))
    # Columns without cells fill the last vector.
    abreast = -(-columns // _ABREAST) * _ABREAST
    column_masks = np.zeros(abreast, np.int64)
    column_masks[:columns] = [((1 << rows) - 1) << height * c for c in from_the_middle]
    # The cells of a column in pairs from its top: the lower of each pair.
    lower = sum(1 << height * c + r for c in range(columns) for r in range(rows) if (rows - 1 - r) % 2 == 1)

    @njit
    def cannot_win(stones, all_stones):
        """Whether the owner of these stones makes no line if the other, who will fill the last cell, claims all he can.

        The owner is left with the lower cells; and of the columns with an odd number of empty cells, where the pairs
        begin one cell up, with the first cells (some, really, but which is not looked into).
        """
        return not connected(stones | (~all_stones & board & (lower | playable(all_stones))))

    @njit
    def will_win(stones, all_stones):
        """Whether the owner of these stones, who will fill the last cell, makes a line of all he can claim."""
        return connected(stones | (~all_stones & board & ~(lower | playable(all_stones))))

    @njit
    def code_of(own, all_stones):
        """What a position is remembered under."""
        its_key = key(own, all_stones)
        return hashed(min(its_key, mirrored(its_key)) if cells - popcount(all_stones) > _MIRRORED else its_key)

    @njit
    def bound(own, all_stones, alpha, beta, table, work):
        work.nodes += 1
        if work.nodes >= work.budget:
            return 0
        stones = popcount(all_stones)
        left = cells - stones
        other = own ^ all_stones

        # 1. Moves that do not lose at once.
        threats = completing(other) & ~all_stones
        moves = playable(all_stones)
        forced = moves & threats
        if forced != 0:
            moves = forced if forced & (forced - 1) == 0 else 0
        moves &= ~(threats >> 1)
        if moves == 0:
            return -(left >> 1)
        if left <= 2:
            return 0

        # 2. What follows from the number of stones, and from who fills the last cell.
        least, most = -((left - 2) >> 1), (left - 1) >> 1
        alpha, beta = max(alpha, least), min(beta, most)
        if alpha >= beta:
            return least if beta <= least else most
        if moves & (moves - 1) == 0:
            return -bound(other, all_stones | moves, -beta, -alpha, table, work)
        if left & 1 == 0:
            if alpha >= -1 and cannot_win(own, all_stones):
                if alpha >= 0:
                    return 0
                if will_win(other, all_stones):
                    return -1
        elif beta <= 1 and cannot_win(other, all_stones):
            if beta <= 0:
                return 0
            if will_win(own, all_stones):
                return 1

        # 3. What is remembered.
        code = code_of(own, all_stones)
        kept = left > _NOT_KEPT
        if kept:
            score = look_up(table, code, left, Score(least, most))
            least, most = score.least, score.most
            if least >= beta:
                work.hits += 1
                return least
            if most <= alpha:
                work.hits += 1
                return most
            alpha, beta = max(alpha, least), min(beta, most)

        # 4. The moves: unless one of them decides at once, those first that threaten most.
        probed = left > _NOT_PROBED
        if probed:
            for i in range(columns):
                move = moves & column_masks[i]
                if move != 0:
                    send_for(table, code_of(other, all_stones | move), left - 1)
        two_at_once = one_on_another = 0
        for i in range(abreast):
            move = moves & column_masks[i]
            after = all_stones | move
            threatened = completing(own | move) & ~after
            now = threatened & playable(after)
            two_at_once |= now & (now - 1) if move != 0 else 0
            one_on_another |= (now << 1) & threatened if move != 0 else 0
            work.threats[i] = popcount(threatened)
        if two_at_once != 0:
            return (left - 1) >> 1
        if one_on_another != 0 and (left - 3) >> 1 >= beta:
            return (left - 3) >> 1
        count = 0
        for i in range(columns):
            move = moves & column_masks[i]
            if move == 0:
                continue
            if probed:
                reply = look_up(table, code_of(other, all_stones | move), left - 1, Score(-cells, cells))
                if -reply.most >= beta:
                    return -reply.most
            at, worth = count, work.threats[i]
            while at > 0 and work.worth[stones, at - 1] < worth:
                work.worth[stones, at] = work.worth[stones, at - 1]
                work.moves[stones, at] = work.moves[stones, at - 1]
                at -= 1
            work.worth[stones, at] = worth
            work.moves[stones, at] = move
            count += 1

        # 5. The best of them.
        best = -cells
        for i in range(count):
            after = all_stones | work.moves[stones, i]
            send_for(table, code_of(other, after), left - 1)
            v = -bound(other, after, -beta, -alpha, table, work)
            if work.nodes >= work.budget:
                return 0
            best = max(best, v)
            alpha = max(alpha, v)
            if alpha >= beta:
                work.cutoffs += 1
                break
        if kept:
            if best >= beta:
                remember(table, code, left, best, most)
            else:
                remember(table, code, left, least, best)
        return best

    @njit
    def limits(own, all_stones):
        stones = popcount(all_stones)
        most = (cells + 1 - stones) >> 1
        if completing(own) & playable(all_stones) != 0:
            return Score(most, most)
        return Score(-((cells - stones) >> 1), max(most - 1, 0))

    @njit
    def known(own, all_stones, table):
        return look_up(table, code_of(own, all_stones), cells - popcount(all_stones), limits(own, all_stones))

    @njit
    def settle(own, all_stones, low, high, table, work):
        score = limits(own, all_stones)
        work.low, work.high = min(max(low, score.least), high), max(min(high, score.most), low)
        while work.low < work.high:
            ask = _next_question(work.low, work.high)
            v = bound(own, all_stones, ask, ask + 1, table, work)
            if work.nodes >= work.budget:
                return False
            if v > ask:
                work.low = min(v, work.high)
            else:
                work.high = max(v, work.low)
        return True

    return ExactSearch(settle, limits, known)


@njit(cache=True)
def _next_question(low, high):
    """Is it more than …? First whether it is won, then whether it is lost; then nearer to a draw than to the middle."""
    if low < 0 < high:
        return 0
    if high == 0:
        return -1
    quarter = (high - low) >> 2
    return low + quarter if low >= 0 else high - 1 - quarter
