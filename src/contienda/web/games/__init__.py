"""The games that people play in the app.

opened  games and players from the user's own files
table   one game: its rules and its current position
games   new games, moves, undo, copies, lists
undo    where undo and redo lead
store   games in SQLite: a move is on disk before it is answered
files   saved games, read and written
charts  a game as curves
views   positions, moves and analyses as the screens need them
routes  their part of the API
"""
