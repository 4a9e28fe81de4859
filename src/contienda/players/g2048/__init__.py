"""Players of 2048: the champion, with endgame tables, and the perfect player of small boards.

They enter by the features of the game (`contienda.core.game.FEATURES`), like every player.
"""
