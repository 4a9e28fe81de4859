"""Solves Connect 4: a search that knows the game.

1. *Complete a line if you can; never let the opponent complete one.* Moves that lose at once are left out. Two threats
   at once cannot both be met, nor can a threat right above another: making such a pair wins, and nothing is searched.
2. *Search with null windows.* "Is the score more than s?" takes a null window, in which nearly every node is cut.
   A handful of such questions settles a score, and each answer is useful by itself: won, or at least a draw.
3. *Bounds without search.* Nobody wins before having enough stones: these bounds tighten as the board fills. The player
   who will fill the last cell is sure of some cells and threats (`claimeven`; zugzwang, measured: about a quarter fewer
   nodes after ten and more stones). If that is the player to move, claimeven is tried after each move before any of
   them is searched (7 to 24 % fewer nodes).
4. *Order the moves* by the number of cells that they threaten, then from the middle outwards. A threat right above one
   of the opponent's counts for nothing: who fills the cell below wins there, or lets the other fill this one. A
   threat that can be filled at once counts half: the opponent fills it (measured: 9 to 19 % fewer nodes for both).
   One in a row where zugzwang favours its owner counts half as much again (1 to 5 % fewer).
5. *Remember* the bounds of each position (`bounds`); before searching a position's moves, check whether one of them
   leads to a position already known to be good enough.
6. *Share the work.* Threads that ask the same question with the same table (`contienda.perfect.team`) put off moves
   that another thread is searching; later they find the answers in the table. The scores are the same.

References: Allis, "A knowledge-based approach of Connect-Four", 1988 (threats, claimeven); Tromp, "John's Connect Four
Playground", 1995-2010 (the key of a position); Plaat et al., "Exploiting graph properties of game trees", 1996 (5);
Pons, "Solving Connect 4: how to build a perfect AI", 2015 (1, 2 and 4 much as here); Kerrigan, "Simplified ABDADA",
2016 (6).

Contract of ``bound(own, all, alpha, beta, …)``, with s the exact score and v the value returned, if the side to move
cannot complete a line at once and alpha < beta:

    v <= alpha           s <= v
    alpha < v < beta     s == v
    v >= beta            s >= v

When ``work.nodes`` reaches ``work.budget`` it returns at once, its value is meaningless, and nothing is stored.

Cost: on the usual board about 1.3 million nodes after ten careful stones, 48 thousand after fifteen, 146 million from
the empty board (`benchmarks/connect4.py`); memory is the table's.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from contienda.compiled.jit import njit, popcount
from contienda.core.analysis import FOREVER, TALLY_FIELDS
from contienda.perfect.bounds import (
    Score,
    begin_search,
    being_searched,
    end_search,
    hashed,
    look_up,
    send_for,
    store_bounds,
)
from contienda.perfect.claimeven import build_claims
from contienda.perfect.lines import build_lines

__all__ = ["ExactSearch", "build_exact_search", "new_work", "new_work_here"]

#: The most moves of a position: the columns of a board that fits 64 bits.
_WIDEST = 32
_LONGEST = 64

#: With so few cells left, searching a position is as fast as looking it up (ply 10, careful: 5 to 8 differ by 3 %).
_NOT_KEPT = 6
#: With so few left, the moves are not looked up first: that costs more than it saves (16 to 20 perform alike).
_NOT_PROBED = 18
#: With more cells left than this, a position and its mirror image share an entry; later both seldom occur.
_MIRRORED = 27
#: With so few left, a thread does not look what the others are searching.
_NOT_MARKED = 20
#: Moves that one vector instruction handles: its 64-bit words.
_ABREAST = 4

_WORK = np.dtype(
    (
        np.record,
        [
            *TALLY_FIELDS,
            ("shared", np.int64),  # 1 if other threads search the same position, with the same table
            ("low", np.int64),  # the lower bound of the score
            ("high", np.int64),  # its upper bound
            ("threats", np.int64, (_WIDEST,)),  # for each column, from the middle: what the threats of its move count
            ("moves", np.int64, (_LONGEST, _WIDEST)),  # for each number of stones: the position's moves, best first
            ("worth", np.int64, (_LONGEST, _WIDEST)),
        ],
    )
)


def new_work(budget: int = FOREVER) -> np.record:
    """Return a search's working memory: its counters, stop flag (as in `new_tally`), result, and lists of moves."""
    work: np.record = np.zeros(1, _WORK)[0]
    work.budget = budget
    return work


@njit(cache=True)
def new_work_here(budget):
    """Like `new_work`, in compiled code."""
    work = np.zeros(1, _WORK)[0]
    work.budget = budget
    return work


class ExactSearch(NamedTuple):
    """The solver for one size of board."""

    settle: Callable[..., bool]
    """``settle(own, all, low, high, table, work)`` -> True with work.low = work.high: the score, or the nearer of low
    and high if it lies outside them. False if stopped: the score is then between work.low and work.high. Neither side
    may have connected; the board may be full. If ``work.shared`` is set, it asks only one question."""
    limits: Callable[..., Score]
    """``limits(own, all)`` -> the bounds of the score without search."""
    known: Callable[..., Score]
    """``known(own, all, table)`` -> its bounds from the table."""


@cache
def build_exact_search(rows: int, columns: int, connect: int) -> ExactSearch:
    """Return the solver for a board of this size, compiled once."""
    lines, claims = build_lines(rows, columns, connect), build_claims(rows, columns, connect)
    in_rows, completing, playable = lines.in_rows, lines.completing, lines.playable
    key, mirrored = lines.key, lines.mirrored
    cannot_win, may_not_win = claims.cannot_win, claims.may_not_win
    will_win, by_zugzwang = claims.will_win, claims.by_zugzwang
    height, cells = rows + 1, rows * columns
    from_the_middle = sorted(range(columns), key=lambda c: (abs(2 * c - columns + 1), c))
    # Empty masks pad the last vector.
    abreast = -(-columns // _ABREAST) * _ABREAST
    column_masks = np.zeros(abreast, np.int64)
    column_masks[:columns] = [((1 << rows) - 1) << height * c for c in from_the_middle]
    # The best score of a threat kept to the end: one in the second row.
    farthest = rows >> 1

    @njit
    def code_of(own, all_stones):
        """Return the hash under which a position is stored."""
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

        # 2. Bounds from the number of stones, from who fills the last cell, and from zugzwang.
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

        if alpha >= -farthest:
            sure = by_zugzwang(other, threats, all_stones)
            if sure > 0 and -sure <= alpha:
                return -sure

        # 3. Bounds from the table.
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

        # 4. The moves, unless one of them decides at once: those with the most threats first.
        probed = left > _NOT_PROBED
        if probed:
            for i in range(columns):
                move = moves & column_masks[i]
                if move != 0:
                    send_for(table, code_of(other, all_stones | move), left - 1)
        if left & 1 == 1 and beta <= 1 and may_not_win(other, all_stones):
            rest = moves
            while rest != 0:
                move = rest & -rest
                rest ^= move
                if cannot_win(other, all_stones | move):
                    if beta <= 0:
                        return 0
                    if will_win(own | move, all_stones | move):
                        return 1
        two_at_once = one_on_another = 0
        useful_rows = in_rows[(left + rows) & 1]
        for i in range(abreast):
            move = moves & column_masks[i]
            after = all_stones | move
            threatened = completing(own | move) & ~after
            now = threatened & playable(after)
            two_at_once |= now & (now - 1) if move != 0 else 0
            one_on_another |= (now << 1) & threatened if move != 0 else 0
            useful = threatened & ~(threats << 1)
            work.threats[i] = 2 * popcount(useful) + popcount(useful & useful_rows) - popcount(now)
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

        # 5. The best of them. A move that another thread is searching is put off once.
        shared = work.shared != 0 and left > _NOT_MARKED
        new = count
        best = -cells
        i = 0
        while i < count:
            move = work.moves[stones, i]
            after = all_stones | move
            reply_code = code_of(other, after)
            new -= 1
            if shared and i > 0 and new >= 0 and being_searched(table, reply_code):
                for j in range(i + 1, count):
                    work.moves[stones, j - 1] = work.moves[stones, j]
                work.moves[stones, count - 1] = move
                continue
            i += 1
            send_for(table, reply_code, left - 1)
            if shared:
                begin_search(table, reply_code)
            v = -bound(other, after, -beta, -alpha, table, work)
            if shared:
                end_search(table, reply_code)
            if work.nodes >= work.budget:
                return 0
            best = max(best, v)
            alpha = max(alpha, v)
            if alpha >= beta:
                work.cutoffs += 1
                break
        if kept:
            if best >= beta:
                store_bounds(table, code, left, best, most)
            else:
                store_bounds(table, code, left, least, best)
        return best

    @njit(small=True)
    def limits(own, all_stones):
        stones = popcount(all_stones)
        most = (cells + 1 - stones) >> 1
        if completing(own) & playable(all_stones) != 0:
            return Score(most, most)
        return Score(-((cells - stones) >> 1), max(most - 1, 0))

    @njit(small=True)
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
            if work.shared != 0:  # the other threads come along
                return work.low == work.high
        return True

    return ExactSearch(settle, limits, known)


@njit(cache=True)
def _next_question(low, high):
    """Return s of the next question "more than s?": first "won?", then "lost?", then values closer to a draw than to
    the middle."""
    if low < 0 < high:
        return 0
    if high == 0:
        return -1
    eighth = (high - low) >> 3
    return low + eighth if low >= 0 else high - 1 - eighth
