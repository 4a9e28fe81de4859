"""The plan of an experiment: the game, the players, the number of games and their seeds.

All players get the same seeds, so that they can be compared game by game. In a two-player game every player meets every
one of ``opponents`` and moves first; with ``sides = "second"`` it moves second, with ``"both"`` first in every other
game. ``opening = 4`` makes the first four moves random, so that deterministic players play a different game on every
seed; with ``"both"`` each opening is played from both sides. A plan that people write has both, unless it says
otherwise (`Plan.with_usual_opening`). Games that still repeat others, move for move, count once.

Instead of ``games``, ``interval = 0.05`` plays until the mean of every player is known to within 5 %, by a confidence
sequence, which may be checked after every game. ``test = "elo1=20"`` plays until a sequential test knows which of two
players is better (`contienda.lab.sequential`). Both stop after ``most`` games.

With ``stand_ins``, other players that must make the same moves play the games, one for each player; the players
themselves search ``sample`` moves of each game, which gives their times and nodes (`contienda.lab.sampling`).

With ``paths = true`` the players are those of ``contienda solve``: each looks for a path to the target with each seed;
its states count as nodes, its steps as moves.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from contienda.core.language import BadInput, Text
from contienda.core.specs import parse_spec

if TYPE_CHECKING:
    from contienda.core.game import Game

__all__ = ["MOST_GAMES", "SIDES", "Entrant", "Plan", "Unit", "WrongPlan"]

T = TypeVar("T")

#: In a game for two, when the player moves.
SIDES = ("first", "second", "both")
#: Random opening moves: more would decide the game.
_MOST_OPENING = 20
#: Games of one player: their results alone would take 45 GB (450 bytes each).
MOST_GAMES = 10**8


class WrongPlan(BadInput):
    """An error in a plan; ``about`` is the key or the player concerned."""

    def __init__(self, about: str, message: str | Text, /, **fields: object) -> None:
        super().__init__(message, **fields)
        self.about = about


class Entrant(NamedTuple):
    """A measured player; in a two-player game, with its opponent."""

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
    """An experiment, as data: reading it creates no players. `check` tells whether all of them can play."""

    name: str
    game: str
    players: tuple[str, ...]
    opponents: tuple[str, ...] = ()
    games: int | None = None
    interval: float | None = None
    test: str | None = None
    most: int = 10_000
    seed: int = 1
    target: int | None = None
    sides: str = "first"
    opening: int = 0
    turns: bool = False
    """Keep the milliseconds of every turn too."""
    paths: bool = False
    """The players are path searches."""
    stand_ins: tuple[str, ...] = ()
    """Who plays the games of each player."""
    sample: int = 0
    """How many moves of such a game the player itself searches."""

    def __post_init__(self) -> None:
        _check(self)

    def check(self, placed: Callable[[str], str] = str) -> None:
        """Raise `WrongPlan` if the plan cannot be played: creates the game and every player.

        ``placed(spec)`` returns the spec from which a player is made (`contienda.lab.sources.playing_from`).
        """
        if self.paths:
            _check_paths(self, placed)
        else:
            _check_match(self, placed)

    def with_usual_opening(self, written: Collection[str]) -> Plan:
        """Return the plan with openings that suit its game, each from both sides, unless ``written`` has these keys."""
        from contienda.core.game import MIN
        from contienda.games import make_game
        from contienda.lab.openings import default_opening

        if self.paths or "opening" in written:
            return self
        game = _about("game", lambda: make_game(self.game))
        moves = default_opening(game) if MIN in game.kinds else 0
        if not moves:
            return self
        return replace(self, opening=moves, sides=self.sides if "sides" in written else "both")

    def as_data(self) -> dict[str, Any]:
        """Return the plan as data for JSON."""
        return {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items()}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Plan:
        """Return the plan from the data of `as_data`; anything else is refused."""
        values: dict[str, Any] = {}
        for field in fields(cls):
            value = data.get(field.name, field.default)
            if isinstance(value, list):
                value = tuple(value)
            if not _is_kind(value, str(field.type)):
                raise WrongPlan(field.name, "{name} is not valid", name=field.name)
            values[field.name] = value
        return cls(**values)

    def _repr_html_(self) -> str:
        """The plan as the text of its file, as a notebook shows it."""
        from contienda.lab.plan_file import plan_as_toml

        return f"<pre>{escape(plan_as_toml(self))}</pre>"

    @property
    def entrants(self) -> list[Entrant]:
        """Return the measured players, in the plan's order."""
        if not self.opponents:
            return [Entrant(player) for player in self.players]
        return [Entrant(*pair) for pair in itertools.product(self.players, self.opponents)]

    @property
    def specs(self) -> tuple[str, ...]:
        """Return the specs of all players."""
        return (*self.players, *self.opponents, *self.stand_ins)

    def first_moves(self, seed: int) -> bool:
        """Return whether the player moves first in the game of this seed."""
        return self.sides == "first" or (self.sides == "both" and (seed - self.seed) % 2 == 0)

    def opening_of(self, seed: int) -> int:
        """Return the number of the opening of this seed's game."""
        return (seed - self.seed) % 2**64 // (2 if self.sides == "both" else 1)

    def seeds(self, count: int) -> list[int]:
        """Return the first seeds, the same for all players."""
        return [(self.seed + i) % 2**64 for i in range(count)]

    def units(self, seeds: list[int]) -> Iterator[Unit]:
        """Yield the games seed by seed, so that at any moment the finished games can be compared."""
        entrants = range(len(self.entrants))
        for seed in seeds:
            for entrant in entrants:
                yield Unit(entrant, seed)


def _is_kind(value: object, kind: str) -> bool:
    """Return whether a value has a field's type, as declared in the class above."""
    kinds: dict[str, Callable[[object], bool]] = {
        "None": lambda value: value is None,
        "str": lambda value: isinstance(value, str),
        "int": lambda value: isinstance(value, int) and not isinstance(value, bool),
        "float": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
        "bool": lambda value: isinstance(value, bool),
        "tuple[str, ...]": lambda value: isinstance(value, tuple) and all(isinstance(each, str) for each in value),
    }
    return any(kinds[part](value) for part in kind.split(" | "))


def _check(plan: Plan) -> None:
    for key, number in (("games", plan.games), ("most", plan.most)):
        if number is not None and number < 1:
            raise WrongPlan(key, "{key} = {number} must be at least 1", key=key, number=number)
        if number is not None and number > MOST_GAMES:
            raise WrongPlan(
                key, "{key} = {number} must be at most {most_games}", key=key, number=number, most_games=MOST_GAMES
            )
    if not 0 <= plan.seed < 2**64:
        raise WrongPlan("seed", "seed must lie between 0 and 2^64 − 1")
    if [plan.games, plan.interval, plan.test].count(None) != 2:
        raise WrongPlan("interval", "a plan has one of games, interval and test")
    if plan.test is not None:
        _check_test(plan, plan.test)
    if plan.interval is not None and not 0 < plan.interval < 1:
        raise WrongPlan("interval", "interval = {interval} is a share, such as 0.05", interval=plan.interval)
    if not 0 <= plan.opening <= _MOST_OPENING:
        raise WrongPlan(
            "opening",
            "opening = {opening}: from 0 to {most_opening} moves",
            opening=plan.opening,
            most_opening=_MOST_OPENING,
        )
    if plan.sides not in SIDES:
        known = ", ".join(SIDES)
        raise WrongPlan("sides", "sides = {sides!r}: there are {known}", sides=plan.sides, known=known)
    if len(plan.stand_ins) not in (0, len(plan.players)) or bool(plan.stand_ins) != (plan.sample > 0):
        raise WrongPlan(
            "stand_ins", "there must be as many stand_ins as players, and sample must say how many moves to search"
        )
    if not plan.players:
        raise WrongPlan("players", "a plan needs players, or a [[grid]]")
    for spec in plan.players:
        if plan.players.count(spec) > 1:
            raise WrongPlan(spec, "{spec} is there twice", spec=spec)


def _check_test(plan: Plan, test: str) -> None:
    """Check that a test has two players: against each other from both sides, or on the same seeds."""
    from contienda.lab.sequential import read_hypotheses

    _about("test", lambda: read_hypotheses(test))
    if plan.paths:
        raise WrongPlan("test", "a test is of players, not of path searches")
    if plan.opponents and not (len(plan.players) == len(plan.opponents) == 1 and plan.sides == "both"):
        raise WrongPlan("test", 'a test in a game for two has one player, one opponent and sides = "both"')
    if not plan.opponents and len(plan.players) != 2:
        raise WrongPlan("test", "a test is of two players")


def _check_match(plan: Plan, placed: Callable[[str], str]) -> None:
    """Check that the players can play the game, and that a two-player game has opponents."""
    from contienda.core.game import MIN
    from contienda.games import make_game
    from contienda.lab.openings import opened

    game = _about("game", lambda: make_game(placed(plan.game)))
    target = plan.target
    if target is not None:
        _about("target", lambda: game.until(target))
    two = MIN in game.kinds
    if two != bool(plan.opponents):
        if two:
            raise WrongPlan("game", '{name} is for two: add opponents = ["random"]', name=game.name)
        raise WrongPlan("opponents", "{name} has no second player: leave out opponents", name=game.name)
    if plan.opening and two:
        _about("opening", lambda: opened(game, plan.opening, number=0))
    elif plan.opening:
        raise WrongPlan("opening", "opening is for games for two, not {name}", name=game.name)
    for spec in plan.specs:
        _about(spec, lambda spec=spec: _check_player(placed(spec), game))  # type: ignore[misc]


def _check_paths(plan: Plan, placed: Callable[[str], str]) -> None:
    """Check that the players are path searches, and that the problem takes seeds."""
    from contienda.players.paths import make_path_search
    from contienda.problems import make_problem

    if plan.opponents or plan.opening:
        raise WrongPlan(
            "opponents" if plan.opponents else "opening",
            "a path search has no opponent: leave out opponents and opening",
        )
    problem = _about("target", lambda: make_problem(plan.game, target=plan.target, seed=plan.seed))
    for spec in plan.players:
        _about(spec, lambda spec=spec: make_path_search(placed(spec), problem))  # type: ignore[misc]


def _about(about: str, attempt: Callable[[], T]) -> T:
    """Return what a call returns; its errors are about this key or player."""
    try:
        return attempt()
    except BadInput as error:
        raise WrongPlan(about, error.text) from None


def _check_player(spec: str, game: Game) -> None:
    """Check that a player exists, plays this game, and needs no keyboard."""
    from contienda.players import make_player, player_info

    name = parse_spec(spec).name
    if name == "human":
        raise BadInput("human cannot be measured: it needs a person")
    if not player_info(name).takes(game):
        raise BadInput("{name} does not play {game_name}", name=name, game_name=game.name)
    make_player(spec, game)
