"""The live league of a class, which runs pupils' heuristics in confined processes. It needs the packages of the lab."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from contienda.league.hosts import HostLimits
from contienda.league.live import LeagueEntry, LiveLeague, LivePlan
from contienda.league.standing import LadderRow
from contienda.league.store import LeagueGame
from contienda.record import game_as_text
from contienda.web.classroom.league import NEWS_SECONDS, ClassLeagueOrder
from contienda.web.games.views import position_view

__all__ = ["LeagueTable"]

#: Seconds of processor time after which a move loses the game, and megabytes for a player.
_MOVE_SECONDS, _MEGABYTES = 5.0, 512


class LeagueTable:
    """The league in its own process: arguments and results are plain data."""

    def __init__(self, order: ClassLeagueOrder) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="contienda-league-")
        limits = HostLimits(order.depth, None, _MOVE_SECONDS, _MEGABYTES, order.confined)
        plan = LivePlan(order.game, limits, order.games, order.staff, order.tables)
        try:
            self._league = LiveLeague(plan, Path(self._folder.name))
        except BaseException:
            self._folder.cleanup()
            raise

    def check(self) -> None:
        """Do nothing: whoever calls this knows that the league could begin."""

    def submit(self, owner: str, name: str, text: str, function: str) -> None:
        """See `LiveLeague.submit`."""
        self._league.submit(owner, name, text, function)

    def withdraw(self, owner: str) -> None:
        """See `LiveLeague.withdraw`."""
        self._league.withdraw(owner)

    def pause(self, paused: bool) -> None:
        """See `LiveLeague.pause`."""
        self._league.pause(paused)

    def news(self, after: int) -> tuple[int, str]:
        """Return the version and what everybody sees of the league as JSON; wait for a while until it is newer."""
        league = self._league
        league.wait(after, NEWS_SECONDS)
        version = league.version
        standing, entries = league.standing()
        data = {
            "table": [_row(row, entries[row.name]) for row in standing.rows],
            "left": league.left(),
            "playing": [
                {
                    "players": [name for name in shown.pairing[:2] if name is not None],
                    "moves": shown.moves,
                    "position": position_view(league.game, shown.state).model_dump(),
                }
                for shown in league.shown()
            ],
            "recent": [_game(number, game) for number, game in league.recent()],
            "notes": [note.in_all_languages() for note in standing.notes],
        }
        return version, json.dumps(data, allow_nan=False)

    def game(self, number: int) -> str:
        """Return one of the last games as the text of a file."""
        return game_as_text(self._league.played(number))

    def close(self) -> None:
        """End the league, and delete what was handed in."""
        self._league.close()
        self._folder.cleanup()


def _row(row: LadderRow, entry: LeagueEntry) -> dict[str, Any]:
    words = None if row.disqualified is None else row.disqualified.in_all_languages()
    return row.as_data() | {"stage": entry.stage, "disqualified": words}


def _game(number: int, game: LeagueGame) -> dict[str, Any]:
    return {
        "number": number,
        "players": [name for name in game.pairing[:2] if name is not None],
        "winner": game.winner,
        "score": game.score,
        "moves": game.moves,
        "forfeit": game.fault is not None,
    }
