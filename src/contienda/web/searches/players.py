"""Players for the app: the library's, within the server's limits, each compiled once."""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from contienda.compiled.rng import generator
from contienda.core.game import Game
from contienda.core.language import BadInput
from contienda.core.specs import Spec, parse_spec
from contienda.lab.sources import places_of, sources_of
from contienda.players import PLAYERS, PROGRAMS, make_player
from contienda.players.base import Player
from contienda.players.catalogue import PlayerInfo
from contienda.players.montecarlo import MOST_NODES, NODES_PER_MS
from contienda.players.options import Options
from contienda.players.paths import PATH_SEARCHES
from contienda.search.mcts import NODE_BYTES
from contienda.web.games.opened import opened
from contienda.web.searches.heuristics import PREFIX, Heuristics
from contienda.web.settings import Limits

__all__ = ["Players", "megabytes_of", "versions_of"]

#: Players that stay compiled; the one unused for longest is dropped.
_KEPT = 64


#: ``eval=ntuple:NAME`` names a network that this browser has trained.
_NETWORK = "ntuple:"


def no_networks(client: str, name: str) -> str:
    """Raise BadInput: the default if nothing can be trained here."""
    raise BadInput("no network {name!r} here", name=name[:40])


class _Key(NamedTuple):
    """The key of a cached player: everything that it depends on."""

    game: str
    drawing: str
    player: str
    versions: tuple[str, ...]


@dataclass
class _CachedPlayer:
    """A player in the cache."""

    player: Player
    compiled: bool = False


class Players:
    """Players by game and spec."""

    def __init__(
        self, limits: Limits, heuristics: Heuristics, network_file: Callable[[str, str], str] = no_networks
    ) -> None:
        """``network_file(client, name)`` returns the file of a network that this browser has trained."""
        self._limits = limits
        self._heuristics = heuristics
        self._network_file = network_file
        self._cache: OrderedDict[_Key, _CachedPlayer] = OrderedDict()
        self._lock = threading.Lock()
        self._making = threading.Lock()  # Numba compiles only one thing at a time anyway

    def get(self, client: str, game: Game, spec: str) -> Player:
        """Return the player that a spec describes."""
        return self._get(self._key(client, game, spec), game).player

    def get_ready(self, client: str, game: Game, spec: str) -> Player:
        """Return the player that a spec describes, compiled."""
        cached = self._get(self._key(client, game, spec), game)
        cached.player.compile()
        cached.compiled = True
        return cached.player

    def ready(self, game: Game, asked: str) -> Player | None:
        """Return the player of a checked spec if it is compiled already. This takes no time: no file is read."""
        if places_of(asked) or places_of(game.spec):
            return None
        cached = self._find(_Key(game.spec, _drawing(game), asked, ()))
        return cached.player if cached is not None and cached.compiled else None

    def _key(self, client: str, game: Game, spec: str) -> _Key:
        asked = str(self.algorithm(client, spec))
        return _Key(game.spec, _drawing(game), asked, (*versions_of(asked), *versions_of(game.spec)))

    def _find(self, key: _Key) -> _CachedPlayer | None:
        with self._lock:
            cached = self._cache.get(key)
            if cached is not None:
                self._cache.move_to_end(key)
            return cached

    def _get(self, key: _Key, game: Game) -> _CachedPlayer:
        cached = self._find(key)
        if cached is None:
            with self._making:
                cached = _CachedPlayer(make_player(key.player, game))
            with self._lock:
                self._cache[key] = cached
                while len(self._cache) > _KEPT:
                    self._cache.popitem(last=False)
        return cached

    def algorithm(self, client: str, spec: str) -> Spec:
        """Like `resolve`, but refuse a human player."""
        asked = self.resolve(client, spec)
        if asked.name == "human":
            raise BadInput("the player must be an algorithm, not a person")
        return asked

    def resolve(
        self,
        client: str,
        spec: str,
        among: Mapping[str, PlayerInfo] = PLAYERS,
        heuristic: Callable[[str, str], str] | None = None,
    ) -> Spec:
        """Return a checked spec in the library's form: within the limits, and without file names of this machine.

        An unknown player is refused at once; nothing is compiled. ``heuristic(client, name)`` returns the evaluator for
        the name of a user's heuristic.
        """
        heuristic = heuristic or self._heuristics.evaluator
        asked = parse_spec(spec)
        among = _with_opened(among)
        if asked.name not in among:
            known = ", ".join(among)
            raise BadInput("no player {name!r}: there are {known}", name=asked.name[:40], known=known)
        Options(asked, among[asked.name])  # raises BadInput for an unknown option
        options = dict(asked.options)
        if (program := opened.engines.get(asked.name)) is not None:
            self._within(options)
            return Spec(program.name, program.options | options)
        for key in ("eval", "h"):
            value = options.get(key, "")
            if value.startswith(PREFIX):
                if among is PATH_SEARCHES and self._heuristics.safe:
                    raise BadInput("path searches take no heuristic of your own here; use it as eval=, in a player")
                options[key] = heuristic(client, value.removeprefix(PREFIX))
            elif value.startswith(_NETWORK) and value != _NETWORK:
                options[key] = _NETWORK + self._network_file(client, value.removeprefix(_NETWORK))
            elif any(mark in value for mark in ":/\\"):
                raise BadInput(
                    "{key}={value}: file names are not allowed here; write the heuristic in the app",
                    key=key,
                    value=value[:60],
                )
        if "network" in options:
            options["network"] = self._network_file(client, options["network"])
        self._within(options)
        if options.get("reuse", "off") != "off":  # its tree would by default take more than is allowed here
            options.setdefault("memory", str(self._limits.memory))
        return Spec(asked.name, options)

    def megabytes(self, client: str, spec: str, among: Mapping[str, PlayerInfo] = PLAYERS) -> float:
        """Return the megabytes that a player's table or tree takes during a search."""
        return megabytes_of(self.resolve(client, spec, among), among)

    def _within(self, options: dict[str, str]) -> None:
        for key, most in (("depth", self._limits.depth), ("memory", self._limits.memory), ("ms", self._limits.path_ms)):
            value = options.get(key, "0")
            try:
                number = float(value)
            except ValueError:  # the player itself reports it
                continue
            if number > most:
                raise BadInput("{key}={value} exceeds the limit of {most}", key=key, value=value, most=most)


def megabytes_of(asked: Spec, among: Mapping[str, PlayerInfo] = PLAYERS) -> float:
    """Return the megabytes of a player's table or tree, from its options or their defaults."""
    if asked.name in PROGRAMS:  # it has a memory of its own
        return 0.0
    parameters, options = _with_opened(among)[asked.name].parameters, asked.options

    def option(key: str) -> str:
        return options[key] if key in options else str(parameters[key].default) if key in parameters else ""

    switches = [option(key) for key in ("table", "reuse") if key in parameters]
    if switches and "on" not in switches:
        return 0.0
    memory, threads = _number(option("memory")), _number(option("threads"))
    if asked.name == "mcts":  # a tree of as many nodes as there are simulations
        ms = _number(options.get("ms", ""))
        asked_for = _number(option("sims")) if "sims" in options or not ms else math.inf
        return min(asked_for, NODES_PER_MS * ms if ms else math.inf, MOST_NODES) * NODE_BYTES / (1 << 20)
    if asked.name == "solver":  # one table for all threads
        return memory
    return memory * max(threads, 1.0)


def _with_opened(among: Mapping[str, PlayerInfo]) -> Mapping[str, PlayerInfo]:
    """Return the players of the catalogue, with those that the local user has opened."""
    return {**among, **opened.player_infos()} if among is PLAYERS and opened.player_infos() else among


def _drawing(game: Game) -> str:
    """Return a drawn tree as text, since all of them have one spec; nothing for other games."""
    return game.format(game.start(generator(0))) if game.takes_text else ""


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        return 0.0
    return number if math.isfinite(number) and number > 0 else 0.0


def versions_of(spec: str) -> tuple[str, ...]:
    """Return hashes of the files that a spec names, as they are now: a network; a heuristic with its imports."""
    return tuple(source.hash for source in sources_of([spec]))
