"""The plan of an experiment: who plays what, how often, with which luck.

    name = "depths"
    game = "2048"
    games = 100
    seed = 1
    target = 2048
    players = ["random", "greedy:eval=ort-simple-1"]

    [[grid]]                       # every combination
    player = ["minimax", "alphabeta", "expectimax"]
    eval = ["uma1", "uma4"]
    depth = [1, 3, 5]

All players get the same seeds, so that they can be compared game by game. In a game for two every player meets every
one of ``opponents``, and moves first; ``sides = "both"`` lets each move first in every other game.

Instead of ``games``, ``interval = 0.05`` plays on until the mean of every player is known to 5 % either way (95 %
confidence), or ``most`` games are played.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, NamedTuple

from contienda.core import MIN, Game
from contienda.games import make_game
from contienda.language import BadInput
from contienda.players import PLAYERS, make_player
from contienda.specs import Spec, parse_spec

__all__ = ["EXAMPLE", "Entrant", "Plan", "Unit", "load_plan", "plan_from_toml"]

#: What ``contienda lab new`` writes.
EXAMPLE = """\
name = "{name}"
game = "2048"
games = 50
seed = 1
target = 2048        # games end at this tile; leave it out to play on
players = ["random", "greedy"]

[[grid]]             # every combination of these
player = ["alphabeta", "expectimax"]
eval = ["uma4", "nneonneo"]
depth = [1, 3]
"""

_KEYS = (
    "name",
    "game",
    "games",
    "interval",
    "most",
    "seed",
    "target",
    "players",
    "opponents",
    "sides",
    "grid",
    "turns",
)


class Entrant(NamedTuple):
    """Who is measured: a player, in a game for two against an opponent."""

    player: str
    opponent: str | None = None

    def __str__(self) -> str:
        return self.player if self.opponent is None else f"{self.player} – {self.opponent}"


class Unit(NamedTuple):
    """One game: the number of its entrant, and its seed."""

    entrant: int
    seed: int


@dataclass(frozen=True)
class Plan:
    """An experiment, checked: every player exists and plays the game."""

    name: str
    game: str
    players: tuple[str, ...]
    opponents: tuple[str, ...] = ()
    games: int | None = None
    interval: float | None = None
    most: int = 10_000
    seed: int = 1
    target: int | None = None
    sides: str = "first"
    turns: bool = False
    """Keep the milliseconds of every turn too."""

    def __post_init__(self) -> None:
        _check(self)

    @property
    def key(self) -> str:
        """The plan's fingerprint: results belong to one plan."""
        return hashlib.sha256(json.dumps(self.as_data(), sort_keys=True).encode()).hexdigest()[:16]

    def as_data(self) -> dict[str, Any]:
        """The plan as JSON has it."""
        return {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items()}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Plan:
        """The plan that `as_data` gave."""
        known = {field.name for field in fields(cls)}
        values: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in data.items() if key in known
        }
        return cls(**values)

    @property
    def entrants(self) -> list[Entrant]:
        """Who is measured, in the plan's order."""
        if not self.opponents:
            return [Entrant(player) for player in self.players]
        return [Entrant(*pair) for pair in itertools.product(self.players, self.opponents)]

    def first_moves(self, seed: int) -> bool:
        """Whether the player moves first in the game of this seed."""
        return self.sides == "first" or (seed - self.seed) % 2 == 0

    def seeds(self, count: int) -> list[int]:
        """The first seeds, the same for everybody."""
        return [(self.seed + i) % 2**64 for i in range(count)]

    def units(self, seeds: list[int]) -> Iterator[Unit]:
        """Seed after seed, everybody's game of each: what is done at any moment can be compared."""
        for seed in seeds:
            for entrant in range(len(self.entrants)):
                yield Unit(entrant, seed)


def _check(plan: Plan) -> None:
    game = make_game(plan.game)
    for key, least, number in (("games", 1, plan.games), ("most", 1, plan.most)):
        if number is not None and (isinstance(number, bool) or not isinstance(number, int) or number < least):
            raise BadInput(
                f"{key} = {number} must be a whole number from {least}",
                f"{key} = {number} debe ser un número entero desde {least}",
            )
    if (plan.games is None) == (plan.interval is None):
        raise BadInput("a plan gives either games or interval", "un plan da games o interval, una de las dos")
    if plan.interval is not None and not 0 < plan.interval < 1:
        raise BadInput(
            f"interval = {plan.interval} is a share, such as 0.05",
            f"interval = {plan.interval} es una proporción, como 0.05",
        )
    if plan.target is not None:
        game.until(plan.target)
    if not plan.players:
        raise BadInput("a plan needs players, or a [[grid]]", "un plan necesita players, o una [[grid]]")
    two = MIN in game.kinds
    if two != bool(plan.opponents):
        raise BadInput(
            f"{game.name} " + ("needs opponents" if two else "has no second player: leave out opponents"),
            f"{game.name} " + ("necesita opponents" if two else "no tiene segundo jugador: quita opponents"),
        )
    if plan.sides not in ("first", "both"):
        raise BadInput(f"sides = {plan.sides!r}: there are first, both", f"sides = {plan.sides!r}: hay first, both")
    twice = [spec for spec in plan.players if plan.players.count(spec) > 1]
    if twice:
        raise BadInput(f"{twice[0]} is there twice", f"{twice[0]} está dos veces")
    for spec in (*plan.players, *plan.opponents):
        _check_player(spec, game)


def _check_player(spec: str, game: Game) -> None:
    """A player that exists, plays this game, and needs nobody at a keyboard."""
    name = parse_spec(spec).name
    if name == "human":
        raise BadInput("human cannot be measured: it needs a person", "human no se puede medir: necesita una persona")
    if name in PLAYERS and game.name not in PLAYERS[name].games:
        raise BadInput(f"{name} does not play {game.name}", f"{name} no juega a {game.name}")
    make_player(spec, game)


# --- Reading ---------------------------------------------------------------------------------------------------------


def load_plan(path: Path) -> Plan:
    """A plan from its file; what is wrong is said with its line."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror}", f"no se puede leer {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path} is not text", f"{path} no es texto") from None
    try:
        return plan_from_toml(text, path.stem)
    except BadInput as error:
        raise BadInput(f"{path}: {error.text.en}", f"{path}: {error.text.es}") from None


def plan_from_toml(text: str, name: str) -> Plan:
    """A plan from the text of its file; ``name`` is for one that has none."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"it is not TOML: {error}", f"no es TOML: {error}") from None
    for key in data:
        if key not in _KEYS:
            known = ", ".join(_KEYS)
            raise _at(text, key, BadInput(f"no key {key!r}: there are {known}", f"no hay clave {key!r}: hay {known}"))
    for key, kind in _KINDS.items():
        if key in data and not (isinstance(data[key], kind) and not isinstance(data[key], bool) | (kind is bool)):
            raise _at(text, key, BadInput(f"{key} is not what it should be", f"{key} no es lo que debería"))
    data = {"name": name} | data
    grids = data.pop("grid", [])
    players = [*data.pop("players", ())]
    try:
        for grid in grids:
            players += _spread(grid)
        return Plan(**data | {"players": tuple(dict.fromkeys(players)), "opponents": tuple(data.get("opponents", ()))})
    except BadInput as error:
        raise _blamed(text, [*players, *data.get("opponents", ())], error) from None
    except TypeError:  # a key that a plan cannot do without
        raise BadInput("game is missing", "falta game") from None


_KINDS: dict[str, Any] = {
    "name": str, "game": str, "games": int, "interval": float, "most": int, "seed": int, "target": int,
    "players": list, "opponents": list, "sides": str, "grid": list,
}  # fmt: skip


def _spread(grid: Mapping[str, Any]) -> list[str]:
    """Every combination of a grid, as specs.

    >>> _spread({"player": "alphabeta", "depth": [1, 2], "eval": "uma1"})
    ['alphabeta:depth=1,eval=uma1', 'alphabeta:depth=2,eval=uma1']
    """
    if not isinstance(grid, Mapping) or "player" not in grid:
        raise BadInput("a [[grid]] needs a player", "una [[grid]] necesita player")
    lists = {key: value if isinstance(value, list) else [value] for key, value in grid.items()}
    names = lists.pop("player")
    specs = []
    for name in names:
        asked = parse_spec(str(name))
        for values in itertools.product(*lists.values()):
            options = {key: _written(value) for key, value in zip(lists, values, strict=True)}
            specs.append(str(Spec(asked.name, asked.options | options)))
    return specs


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _at(text: str, word: str, error: BadInput) -> BadInput:
    """The same complaint with the line on which the word stands."""
    line = next((n for n, line in enumerate(text.splitlines(), 1) if word in line), None)
    if line is None:
        return error
    return BadInput(f"line {line}: {error.text.en}", f"línea {line}: {error.text.es}")


def _blamed(text: str, specs: list[str], error: BadInput) -> BadInput:
    """The line of the player that a complaint is about, if it is about one."""
    for spec in specs:
        name = str(spec).partition(":")[0]
        if name and name in error.text.en and (name not in PLAYERS or f"{name} " in error.text.en):
            return _at(text, name, error)
    return error
