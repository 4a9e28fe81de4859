"""Games and players that the local user has opened from their own files: ``contienda web --game ./nim.py:Nim``.

Loading a file runs it. So this works only if nobody but the local user can reach the server, and only from the app's
own page (`contienda.web.access.guard` checks the Origin). Everything else that a request names must be in the
catalogue.
"""

from __future__ import annotations

import os
import re

from contienda.core.extensions import is_place, offered
from contienda.core.language import BadInput, Text
from contienda.core.specs import Spec, parse_spec
from contienda.games import make_game
from contienda.lab.sources import sources_of
from contienda.players import GROUP, player_info
from contienda.players.catalogue import PROGRAMS, PlayerInfo
from contienda.players.engine_process import check_command
from contienda.web.errors import Forbidden

__all__ = ["Opened", "opened"]


_NOT_HERE = Text("your own games and players can be opened only when the server is not open to the network")


class Opened:
    """The opened games and players, by name: ``/home/ana/nim.py:Nim``."""

    def __init__(self) -> None:
        self.allowed = False
        self.games: list[str] = []
        self.players: list[str] = []
        self.engines: dict[str, Spec] = {}
        """Other programs that play, by the name under which they can be chosen; only the command line opens them."""

    def begin(self, allowed: bool) -> None:
        """Reset for a new server, with nothing opened."""
        self.allowed, self.games, self.players, self.engines = allowed, [], [], {}

    def open_game(self, place: str) -> str:
        """Open a game so that it can be played here; return its name."""
        name = self._allowed(place)
        make_game(name)  # raises BadInput if something is wrong with it
        self.games += [name] * (name not in self.games)
        return name

    def close_game(self, name: str) -> None:
        """Forget a game that was opened."""
        self.games.remove(name)

    def open_player(self, place: str) -> str:
        """Open a player or a search so that it can be chosen here; return its name."""
        name = self._allowed(place)
        player_info(name)
        self.players += [name] * (name not in self.players)
        return name

    def check(self, *specs: str) -> None:
        """Refuse specs of files and programs where they may not run: an experiment may have been planned elsewhere."""
        names = [parse_spec(spec).name for spec in specs]
        if not self.allowed and any(is_place(name) or name in PROGRAMS for name in names):
            raise Forbidden(_NOT_HERE)

    def open_engine(self, spec: str) -> str:
        """Open a program as a player, ``engine:cmd=./theirs``; return the name under which it can be chosen."""
        if not self.allowed:
            raise Forbidden(_NOT_HERE)
        asked = parse_spec(spec)
        check_command(asked.options.get("cmd", ""))
        name = f"engine-{len(self.engines) + 1}"
        self.engines[name] = asked
        return name

    def shown(self, text: str) -> str:
        """Return a text with the name of each opened engine in place of its command, which only the command line
        knows."""
        for name, asked in self.engines.items():
            own = re.escape(str(asked))
            text = re.sub(own, name, re.sub(f"{own},", f"{name}:", text))
        return text

    def player_infos(self) -> dict[str, PlayerInfo]:
        """Return the opened players whose files still work."""
        found = {}
        for name, asked in self.engines.items():
            info = PROGRAMS[asked.name]
            keys = {key: each for key, each in info.parameters.items() if key not in ("cmd", "timeout")}
            about = Text("another program: {command}", command=asked.options["cmd"])
            found[name] = info._replace(name=name, about=about, parameters=keys)
        for name in (*self.players, *self._installed()):
            try:
                found[name] = player_info(name)
            except BadInput:  # its file was edited, or is gone: a request that names it gets the error
                continue
        return found

    def _installed(self) -> list[str]:
        """Return the players of installed packages; like files, they run code of their own without limits."""
        return list(offered(GROUP)) if self.allowed else []

    def version(self) -> tuple[str, ...]:
        """Return a key for everything opened, which changes when a file changes."""
        names = (*self.games, *self.players, *self.engines)
        return (*names, *(source.hash for source in sources_of(names)))

    def name_of(self, game: str) -> str:
        """Return the name of an opened game for its place as a command or a link has it, ``./nim.py:Nim``."""
        return found if is_place(game) and (found := _absolute(game)) in self.games else game

    def _allowed(self, place: str) -> str:
        """Return the name of a place, if places may be opened."""
        if not self.allowed:
            raise Forbidden(_NOT_HERE)
        if not is_place(place):
            raise BadInput("{place!r}: write FILE.py:NAME or package.module:NAME", place=place[:60])
        return _absolute(place)


def _absolute(place: str) -> str:
    """Return a place with an absolute path, so that it does not depend on the server's working directory.

    `pathlib` would raise an error on ``~NOBODY``, which a request may hold.
    """
    file, _, name = place.rpartition(":")
    return f"{os.path.abspath(os.path.expanduser(file))}:{name}" if file.endswith(".py") else place


#: What this process's server has opened. Its worker processes only get names that it has checked.
opened = Opened()
