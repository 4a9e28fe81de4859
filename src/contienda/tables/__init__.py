"""Endgame tables of 2048: the chance of making a tile while the large tiles stay where they are.

Late in a game the large tiles stand locked along an edge, and what is left is a small game on 8 to 11 free cells. Its
boards can be listed, and the chance of making one more tile from each of them worked out exactly.

`pattern` says which cells are locked and what is to be made. `layers` lists the boards and works out their chances;
`making` does that on all cores, and resumes. `table_file` is what remains on disk. `shelf` finds a board of a game in
all tables that there are. `drill` picks endgames to practise.
"""
