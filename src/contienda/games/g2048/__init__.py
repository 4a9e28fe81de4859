"""2048.

`board` is a board in 64 bits, `rules` what may happen to it, `game` the rest of the contract. `evaluators` declares
what `terms` and `lines` compute. `shortcuts` and `moves` make searches faster. `helpers` are for users' own heuristics.
"""

from contienda.games.g2048.game import G2048

__all__ = ["G2048"]
