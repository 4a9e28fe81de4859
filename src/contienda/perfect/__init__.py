"""Connect 4 played perfectly: the exact score of any position, and what can be done with it.

Read in this order: `lines` (what a stone completes), `bounds` (what is remembered), `solve` (the search), `book` (the
first moves, solved beforehand), `oracle` (every column's score, from the book or by search).

The **score** of a position says how soon the side to move wins or loses under perfect play: 1 for a win with its last
stone, 2 with the one before, and so on; negative if it loses, 0 for a draw. On the usual board, with 21 stones each, a
win with the n-th stone of the winner scores 22 - n.
"""
