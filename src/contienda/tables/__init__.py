"""Endgame tables of 2048: the probability of making a tile while the large tiles stay in place.

Late in a game the large tiles are locked along an edge, which leaves a small game on 8 to 11 free cells. A table lists
its boards, each with its *chance*: the exact probability of making one more tile.

`pattern` says which cells are locked and which tile is the goal. `layers` lists the boards and computes their chances;
`making` does that on all cores, and resumes. `table_file` reads and writes tables. `shelf` looks up a board in all
tables. `drill` picks endgames to practise.
"""
