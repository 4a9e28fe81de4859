"""Perfect play of Connect 4 (the exact score of any position) and of small boards of 2048.

For Connect 4, read in this order: `lines` (cells that complete a line), `claimeven` (what is sure without a search),
`bounds` (the table), `solve` (the search), `book` (the first moves, solved beforehand), `oracle` (every column's score,
from the book or by search).

The **score** of a position says how soon the side to move wins or loses under perfect play: 1 for a win with its last
stone, 2 with the one before, and so on; negative if it loses, 0 for a draw. On the usual board, with 21 stones each, a
win with the n-th stone of the winner scores 22 - n.
"""
