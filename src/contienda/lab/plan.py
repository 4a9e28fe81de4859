"""The plan of an experiment: who plays what, how often, with which luck.

All players get the same seeds, so that they can be compared game by game. In a game for two every player meets every
one of ``opponents``, and moves first; ``sides = "second"`` lets it move second, ``"both"`` first in every other game.
There ``opening = 4`` has the first four moves drawn by lot, so that players who always do the same play another game on
every seed; with ``"both"`` each opening is played twice, once from either side.

Instead of ``games``, ``interval = 0.05`` plays on until the mean of every player is known to 5 % either way (95 %
confidence), or ``most`` games are played.

With ``paths = true`` the players are those of ``contienda solve``: each looks for a path to the target in the world of
each seed; its states are counted as nodes, its steps as moves.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, NamedTuple, TypeVar

from contienda.core import MIN, Game
from contienda.games import make_game
from contienda.lab.openings import opened
from contienda.language import BadInput
from contienda.players import PLAYERS, make_player
from contienda.specs import parse_spec

__all__ = ["SIDES", "Entrant", "Plan", "Unit", "WrongPlan"]

T = TypeVar("T")

#: In a game for two, when the player moves.
SIDES = ("first", "second", "both")
#: Moves drawn by lot: more would decide the game.
_MOST_OPENING = 20


class WrongPlan(BadInput):
    """Something in a plan cannot be right; ``about`` is the key, or the player, that it is about."""

    def __init__(self, about: str, en: str, es: str) -> None:
        super().__init__(en, es)
        self.about = about


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


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 64


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(text, str) for text in value)


#: What each key of a plan takes, in a file that keeps it; a missing one is what the plan has by default.
_FITS: dict[str, Callable[[Any], bool]] = {
    "name": _is_text,
    "game": _is_text,
    "players": _are_texts,
    "opponents": _are_texts,
    "games": _is_whole,
    "interval": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "most": _is_whole,
    "seed": _is_whole,
    "target": _is_whole,
    "sides": _is_text,
    "opening": _is_whole,
    "turns": lambda value: isinstance(value, bool),
    "paths": lambda value: isinstance(value, bool),
}


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
    opening: int = 0
    turns: bool = False
    """Keep the milliseconds of every turn too."""
    paths: bool = False
    """The players are path searches."""

    def __post_init__(self) -> None:
        _check(self)

    def as_data(self) -> dict[str, Any]:
        """The plan as JSON has it."""
        return {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items()}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Plan:
        """The plan that `as_data` gave; ``TypeError`` or ``ValueError`` if it is none."""
        if not isinstance(data, Mapping):
            raise TypeError
        known = {field.name for field in fields(cls)}
        for key, fits in _FITS.items():
            if key in data and not (fits(data[key]) or (data[key] is None and key in ("games", "interval", "target"))):
                raise TypeError(key)
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
        return self.sides == "first" or (self.sides == "both" and (seed - self.seed) % 2 == 0)

    def opening_of(self, seed: int) -> int:
        """The number of the opening that the game of this seed begins with."""
        return (seed - self.seed) % 2**64 // (2 if self.sides == "both" else 1)

    def seeds(self, count: int) -> list[int]:
        """The first seeds, the same for everybody."""
        return [(self.seed + i) % 2**64 for i in range(count)]

    def units(self, seeds: list[int]) -> Iterator[Unit]:
        """Seed after seed, everybody's game of each: what is done at any moment can be compared."""
        for seed in seeds:
            for entrant in range(len(self.entrants)):
                yield Unit(entrant, seed)


def _check(plan: Plan) -> None:
    for key, number in (("games", plan.games), ("most", plan.most)):
        if number is not None and number < 1:
            raise WrongPlan(key, f"{key} = {number} must be at least 1", f"{key} = {number} debe ser al menos 1")
    if not 0 <= plan.seed < 2**64:
        raise WrongPlan("seed", "seed must lie between 0 and 2^64 − 1", "seed debe estar entre 0 y 2^64 − 1")
    if (plan.games is None) == (plan.interval is None):
        raise WrongPlan(
            "interval", "a plan gives either games or interval", "un plan da games o interval, una de las dos"
        )
    if plan.interval is not None and not 0 < plan.interval < 1:
        raise WrongPlan(
            "interval",
            f"interval = {plan.interval} is a share, such as 0.05",
            f"interval = {plan.interval} es una proporción, como 0.05",
        )
    if not 0 <= plan.opening <= _MOST_OPENING:
        raise WrongPlan(
            "opening",
            f"opening = {plan.opening}: from 0 to {_MOST_OPENING} moves",
            f"opening = {plan.opening}: de 0 a {_MOST_OPENING} jugadas",
        )
    if plan.sides not in SIDES:
        known = ", ".join(SIDES)
        raise WrongPlan("sides", f"sides = {plan.sides!r}: there are {known}", f"sides = {plan.sides!r}: hay {known}")
    if not plan.players:
        raise WrongPlan("players", "a plan needs players, or a [[grid]]", "un plan necesita players, o una [[grid]]")
    for spec in plan.players:
        if plan.players.count(spec) > 1:
            raise WrongPlan(spec, f"{spec} is there twice", f"{spec} está dos veces")
    if plan.paths:
        _check_paths(plan)
    else:
        _check_match(plan)


def _check_match(plan: Plan) -> None:
    """Players who play the game, and opponents where it is for two."""
    game = _about("game", lambda: make_game(plan.game))
    target = plan.target
    if target is not None:
        _about("target", lambda: game.until(target))
    two = MIN in game.kinds
    if two != bool(plan.opponents):
        raise WrongPlan(
            "opponents" if plan.opponents else "game",
            f"{game.name} " + ("needs opponents" if two else "has no second player: leave out opponents"),
            f"{game.name} " + ("necesita opponents" if two else "no tiene segundo jugador: quita opponents"),
        )
    if plan.opening and two:
        _about("opening", lambda: opened(game, plan.opening, number=0))
    elif plan.opening:
        raise WrongPlan(
            "opening",
            f"opening is for games for two, not {game.name}",
            f"opening es para juegos de dos, no {game.name}",
        )
    for spec in (*plan.players, *plan.opponents):
        _about(spec, lambda spec=spec: _check_player(spec, game))  # type: ignore[misc]


def _check_paths(plan: Plan) -> None:
    """Path searches, and a world for each seed."""
    from contienda.problems import make_problem
    from contienda.solvers import make_solver

    if plan.opponents or plan.opening:
        raise WrongPlan(
            "opponents" if plan.opponents else "opening",
            "a path search has no opponent: leave out opponents and opening",
            "no hay adversario: quita opponents y opening",
        )
    problem = _about("target", lambda: make_problem(plan.game, target=plan.target, seed=plan.seed))
    for spec in plan.players:
        _about(spec, lambda spec=spec: make_solver(spec, problem))  # type: ignore[misc]


def _about(about: str, attempt: Callable[[], T]) -> T:
    """What an attempt gives; what it complains of is about this key or player."""
    try:
        return attempt()
    except BadInput as error:
        raise WrongPlan(about, error.text.en, error.text.es) from None


def _check_player(spec: str, game: Game) -> None:
    """A player that exists, plays this game, and needs nobody at a keyboard."""
    name = parse_spec(spec).name
    if name == "human":
        raise BadInput("human cannot be measured: it needs a person", "human no se puede medir: necesita una persona")
    if name in PLAYERS and game.name not in PLAYERS[name].games:
        raise BadInput(f"{name} does not play {game.name}", f"{name} no juega a {game.name}")
    make_player(spec, game)
