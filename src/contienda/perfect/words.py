"""A score in words: who wins, and in how many moves of his own."""

from __future__ import annotations

from contienda.core import InWords
from contienda.language import Text
from contienda.perfect.oracle import Score, moves_left

__all__ = ["in_words"]


def in_words(score: Score, stones: int, cells: int) -> InWords:
    """What a score says to the side to move, before its move; with a mark that is short enough for a column.

    >>> in_words(Score(18, 18), 6, 42)
    InWords(words=Text(en='wins in 1', es='gana en 1'), mark='+1')
    >>> in_words(Score(0, 12), 6, 42).words.en
    'at least a draw'
    """
    least, most = score
    if least == most == 0:
        return InWords(Text("draw", "empate"), "=")
    if least == most:
        n = moves_left(least, stones, cells)
        if least > 0:
            return InWords(Text(f"wins in {n}", f"gana en {n}"), f"+{n}")
        return InWords(Text(f"loses in {n}", f"pierde en {n}"), f"−{n}")
    if least > 0:
        return InWords(Text("wins", "gana"), "+")
    if most < 0:
        return InWords(Text("loses", "pierde"), "−")
    if least == 0:
        return InWords(Text("at least a draw", "al menos empata"), "≥")
    if most == 0:
        return InWords(Text("at most a draw", "a lo sumo empata"), "≤")
    return InWords(Text("not known yet", "aún no se sabe"), "?")
