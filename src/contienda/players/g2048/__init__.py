"""Players of 2048: the champion, with endgame tables, and the perfect player of small boards.

They are tied to features of the game (`contienda.core.game.FEATURES`), like all players.
"""
