"""A score in words: who wins, and in how many moves."""

from __future__ import annotations

from contienda.core.analysis import InWords
from contienda.core.language import Text
from contienda.perfect.bounds import Score
from contienda.perfect.oracle import moves_left

__all__ = ["in_words"]


def in_words(score: Score, stones: int, cells: int) -> InWords:
    """Return what a score means for the side to move, in words and as a mark short enough for a column.

    >>> in_words(Score(18, 18), 6, 42)
    InWords(words=Text('wins in {n}', n=1), mark='+1')
    >>> in_words(Score(0, 12), 6, 42).words.into("en")
    'at least a draw'
    """
    least, most = score
    if least == most == 0:
        return InWords(Text("draw"), "=")
    if least == most:
        n = moves_left(least, stones, cells)
        if least > 0:
            return InWords(Text("wins in {n}", n=n), f"+{n}")
        return InWords(Text("loses in {n}", n=n), f"−{n}")
    if least > 0:
        return InWords(Text("wins"), "+")
    if most < 0:
        return InWords(Text("loses"), "−")
    if least == 0:
        return InWords(Text("at least a draw"), "≥")
    if most == 0:
        return InWords(Text("at most a draw"), "≤")
    return InWords(Text("not known yet"), "?")
