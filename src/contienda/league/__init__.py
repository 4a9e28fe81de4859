"""Leagues: find the best of many players. Players are files that people wrote, or specs; each runs in its own process.

The interface, for the command line, the app and notebooks:

    from contienda.games import make_game
    from contienda.league import HostLimits, Hosts, LeaguePlan, LeagueStore, competitors_of, run_league

    plan = LeaguePlan("connect4", games=4, limits=HostLimits(depth=4))
    players = competitors_of(make_game(plan.game), ["submissions/"], staff=["alphabeta:depth=2"])
    progress = run_league(plan, players, LeagueStore(Path("league.sqlite")), tables=2, watch=show)
    progress.as_data()          # {"game": …, "table": [{"name": …, "rating": …, …}, …], …}
    progress.standing().rows    # the same as objects

- `run_league` plays what the store lacks and returns. When a submission changes, call it again with the new list of
  players: it plays only the games of that player, because games belong to the players' contents
  (`Competitor.content`). It may be stopped (``stopped=``) or killed at any time; the next call continues.
- ``watch(progress)`` is called in the caller's thread after each trial and each game: ``progress.standing()`` gives
  the current ladder. ``follow(pairing, played)`` is called after each move, in the thread of the game: the board
  is ``played.state``.
- A player that cannot be loaded, does not compile or does not pass its trial is in ``progress.disqualified``; so is
  one that lost three games by rule. The others continue.
- Players that are not in a folder: `competitor_of_file` (a path and a name), `competitor_of_spec`.
- Marks: `contienda.league.marks`; by exact values `contienda.league.oracle`; Gradescope `contienda.league.gradescope`.
- A live league keeps its processes between calls: make ``hosts = Hosts(game, limits)`` once, pass it to each call, and
  `Hosts.close` it at the end. A subclass with another ``player(competitor, stop)``, a context manager that gives a
  `contienda.players.base.Player`, runs players in another sandbox: a `Forfeit` raised there or by ``choose`` loses the
  game.

`Competitor`, `LeagueProgress`, `LeagueGame` and `Standing` document their fields.
"""

from __future__ import annotations

from contienda.league.competitors import Competitor, competitor_of_file, competitor_of_spec, competitors_of
from contienda.league.hosts import HostLimits, Hosts
from contienda.league.run import LeaguePlan, LeagueProgress, run_league
from contienda.league.standing import LadderRow, Standing
from contienda.league.store import LeagueGame, LeagueStore, Pairing

__all__ = [
    "Competitor",
    "HostLimits",
    "Hosts",
    "LadderRow",
    "LeagueGame",
    "LeaguePlan",
    "LeagueProgress",
    "LeagueStore",
    "Pairing",
    "Standing",
    "competitor_of_file",
    "competitor_of_spec",
    "competitors_of",
    "run_league",
]
