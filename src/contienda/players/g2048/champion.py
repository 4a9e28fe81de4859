"""The champion of 2048: expectimax over a trained network, with the settings that suit it best.

- The network values boards after a move, at the leaves (`contienda.evaluation.g2048.afterstates`).
- A table stores the values of boards after a move (`contienda.search.expectimax_plus`).
- With a limit on time or nodes it deepens by two levels at a time, a move and the tile that follows, and stops at
  unlikely positions. With a given depth it visits everything.
- Endgame tables, if there are any, overrule it or value leaves (`contienda.players.g2048.tables`).
- Boards with tiles that the network has hardly seen are played as smaller ones (`downgrading`).
"""

from __future__ import annotations

from dataclasses import replace

from contienda.core.analysis import Limit
from contienda.core.game import Game
from contienda.core.language import BadInput
from contienda.evaluation.compiled import compile_evaluator
from contienda.evaluation.g2048.downgrading import build_downgraded
from contienda.players.expectimax import probability_of, remembering
from contienda.players.g2048.tables import MODES, TablesPlayer, with_tables_at_leaves
from contienda.players.making import limit_of, on_threads, threads_of
from contienda.players.options import Options
from contienda.players.search import SearchPlayer
from contienda.tables.shelf import NO_TABLES, open_shelf

__all__ = ["make_champion"]

#: Megabytes of each thread's table.
_MEMORY = 2

#: Under a limit, chance nodes less likely than this are leaves: at depth 7 the moves are as good, for 0.37 of the nodes
#: (python benchmarks/champion.py cut; 0.002 and 0.03 do no better with equal nodes).
_CPROB = 0.01

#: The tile from which on boards are downgraded.
_DOWNGRADE = 32768


def make_champion(game: Game, options: Options) -> SearchPlayer:
    """Return the champion, with the package's network or another."""
    limit = limit_of(options, game)
    threads = threads_of(options, limit.nodes)
    cprob = probability_of(options, 0.0 if limit.ms is None and limit.nodes is None else _CPROB)
    network = options.text("network", "")
    tables = options.choice("tables", MODES)
    shelf = open_shelf() if tables != "off" else NO_TABLES
    leaf = tables == "leaf" and bool(shelf.tables)
    # A table must see the true tiles.
    downgraded = build_downgraded(1 << 18 if leaf else _tile(options))
    evaluator = compile_evaluator(f"ntuple:{network}" if network else "ntuple", game, {})
    if leaf:
        evaluator = with_tables_at_leaves(evaluator, shelf)
    search = remembering(game, game.rules, evaluator, _MEMORY, cprob)
    # The search sees a board whose tiles the network knows.
    search = replace(search, rules=game.rules._replace(seen_by_mover=downgraded))
    if threads > 1:
        search = on_threads(search, threads)
    # An odd number of levels ends with a move.
    limit = replace(limit, depth=limit.depth or Limit.DEEPEST - 1)
    if leaf or not shelf.tables:
        return SearchPlayer(options.spec, game, search, limit, [])
    return TablesPlayer(options.spec, game, search, limit, shelf, alone=tables == "mover")


def _tile(options: Options) -> int:
    """Read the downgrading tile; one too large for any game switches downgrading off."""
    if options.is_word("downgrade", "off"):
        return 1 << 18
    tile = options.whole_number("downgrade") or _DOWNGRADE
    if tile not in (1 << rank for rank in range(3, 18)):
        raise BadInput("downgrade={tile}: write a tile from 8 to 131072, or off", tile=tile)
    return tile
