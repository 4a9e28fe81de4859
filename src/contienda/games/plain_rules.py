"""The rules of a plain game as a search wants them, and one line for each mistake in a user's methods."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, wraps
from itertools import accumulate
from typing import Any, NamedTuple, NoReturn, TypeVar

import numpy as np

from contienda.compiled.rng import uniform
from contienda.core.extensions import blame, remember_author, where_it_fails
from contienda.core.game import CHANCE, MAX, MAX_ACTIONS, MIN, Rules
from contienda.core.language import BadInput, Text
from contienda.games.plain import FIRST, SECOND, PlainGame, PlainState

__all__ = ["PlainRules", "complain", "rules_of"]

T = TypeVar("T")

#: Positions whose moves are remembered: some 20 MB for a board of 50 cells.
_KEPT = 1 << 15
#: Rounding may make the probabilities of luck miss 1 by this much.
_TOLERANCE = 1e-9


def complain(where: Any, wrong: Text) -> NoReturn:
    """Say what is wrong with a user's class or method, and where it stands."""
    try:
        found = inspect.unwrap(where)
        line = inspect.getsourcelines(found)[1]
        told = BadInput("{file}:{line}: {wrong}", file=inspect.getsourcefile(found), line=line, wrong=wrong)
        told.line = line
    except (OSError, TypeError):  # typed into an interpreter
        told = BadInput(wrong)
    raise told


class _Seen(NamedTuple):
    """What there is to know of a position, asked of the user's methods once."""

    choices: tuple[Any, ...]
    """The moves, or what luck may bring; none where the game is over."""
    chances: tuple[float, ...]
    """The probability of each, where luck decides."""


class PlainRules:
    """A plain game with its parameters, and its rules."""

    def __init__(self, plain: PlainGame) -> None:
        self.plain = plain
        self.lucky = type(plain).luck is not PlainGame.luck
        self.tells_turn = type(plain).turn is not PlainGame.turn
        self._cached_look = lru_cache(maxsize=_KEPT)(self._look)
        self.rules = Rules(
            self.turn,
            self.candidates,
            self.successor,
            self.probability,
            self.over,
            self.utility,
            self.seen_by_mover,
            self.draw,
        )

    def seen(self, position: Any) -> _Seen:
        try:
            return self._cached_look(position)
        except TypeError:
            _refuse_unhashable(type(self.plain), position)
            raise

    def _look(self, position: Any) -> _Seen:
        if self.plain.over(position):
            return _Seen((), ())
        if self.lucky and (chances := self._chances(position)):
            return _Seen(tuple(chances), tuple(float(chance) for chance in chances.values()))
        moves = self.plain.moves(position)
        if isinstance(moves, str) or not isinstance(moves, Iterable):
            complain(
                self.plain.moves, Text("moves must return a list of moves; it returned {moves!r:.40}", moves=moves)
            )
        choices = tuple(moves)
        if len(choices) > MAX_ACTIONS:
            complain(
                self.plain.moves,
                Text(
                    "a position may have at most {max_actions} moves; {write:.60} has {count}",
                    max_actions=MAX_ACTIONS,
                    write=self.plain.write(position),
                    count=len(choices),
                ),
            )
        return _Seen(choices, ())

    def _chances(self, position: Any) -> Mapping[Any, float]:
        chances = self.plain.luck(position)
        if chances is None:
            return {}
        if not isinstance(chances, Mapping) or not all(isinstance(each, int | float) for each in chances.values()):
            complain(
                self.plain.luck,
                Text(
                    "luck must return None or a dict with each outcome's probability; it returned {chances!r:.40}",
                    chances=chances,
                ),
            )
        if len(chances) > MAX_ACTIONS:
            complain(
                self.plain.luck,
                Text(
                    "luck may have at most {max_actions} outcomes; {write:.60} has {count}",
                    max_actions=MAX_ACTIONS,
                    write=self.plain.write(position),
                    count=len(chances),
                ),
            )
        total = math.fsum(chances.values())
        if any(chance < 0 for chance in chances.values()):
            complain(
                self.plain.luck,
                Text("a probability of luck is negative at {write:.60}", write=self.plain.write(position)),
            )
        if chances and abs(total - 1) > _TOLERANCE:
            complain(
                self.plain.luck,
                Text(
                    "the probabilities of luck must add up to 1; at {write:.60} they add up to {total:g}",
                    write=self.plain.write(position),
                    total=total,
                ),
            )
        return chances

    def state(self, position: Any, mover: int, as_max: int = FIRST) -> PlainState:
        """A position with whose turn it is: as the game says, if it does."""
        if self.tells_turn:
            mover = self.plain.turn(position)  # type: ignore[assignment]
            if mover not in (FIRST, SECOND):
                complain(self.plain.turn, Text("turn must return 1 or 2; it returned {mover!r}", mover=mover))
        return PlainState(position, mover, as_max)

    # The rules; `contienda.core.game.Rules` says what each one is.

    def turn(self, state: PlainState) -> int:
        if self.lucky and self.seen(state.position).chances:
            return CHANCE
        return MAX if state.mover == state.as_max else MIN

    def candidates(self, state: PlainState) -> int:
        count = len(self.seen(state.position).choices)
        return (1 << count) - 1 if count < MAX_ACTIONS else -1  # all bits of a signed number

    def successor(self, state: PlainState, action: int) -> tuple[bool, PlainState]:
        position, mover, as_max = state
        choices, chances = self.seen(position)
        if not 0 <= action < len(choices):
            return False, state
        after = self.plain.play(position, choices[action])
        _refuse_unhashable(self.plain.play, after)
        # After luck, the same player moves.
        stays = chances or self.plain.players == 1
        return True, self.state(after, mover if stays else 3 - mover, as_max)

    def probability(self, state: PlainState, action: int) -> float:
        chances = self.seen(state.position).chances
        return chances[action] if chances else 1.0

    def over(self, state: PlainState) -> bool:
        return not self.seen(state.position).choices

    def utility(self, state: PlainState) -> float:
        return self.for_max(self.plain.worth, state)

    def for_max(self, value: Callable[..., Any], state: PlainState, *more: Any) -> float:
        """What one of the user's functions says a state is worth, as MAX sees it."""
        found = value(state.position, state.mover, *more)
        try:
            number = float(found)
        except (TypeError, ValueError, OverflowError):
            name = getattr(value, "__name__", "?")
            complain(value, Text("{name} must return a number; it returned {found!r:.40}", name=name, found=found))
        return number if state.as_max == FIRST else 0.0 - number  # no -0

    def seen_by_mover(self, state: PlainState) -> PlainState:
        return state._replace(as_max=state.mover)

    def draw(self, state: PlainState, rng: np.record) -> int:
        chances = self.seen(state.position).chances
        drawn = uniform(rng)
        possible = [action for action, chance in enumerate(chances) if chance > 0]
        bounds = accumulate(chances[action] for action in possible)
        return next((action for action, bound in zip(possible, bounds, strict=True) if drawn < bound), possible[-1])


@lru_cache(maxsize=64)
def rules_of(plain_type: type[PlainGame], parameters: tuple[tuple[str, int], ...]) -> PlainRules:
    """Return the rules; all players of the game share them, and what they cache."""
    remember_author(plain_type)
    try:
        plain = plain_type()
    except (Exception, SystemExit) as error:
        reason = f"{type(error).__name__}: {error}"
        complain(plain_type, Text("{name}() fails: {reason}", name=plain_type.__name__, reason=reason))
    for key, value in parameters:
        setattr(plain, key, value)
    for name in _METHODS:
        setattr(plain, name, _blamed(getattr(plain, name)))
    _refuse_unhashable(plain.start, plain.start())
    return PlainRules(plain)


_METHODS = [name for name, value in vars(PlainGame).items() if inspect.isfunction(value)]


def _blamed(method: Callable[..., T]) -> Callable[..., T]:
    """A user's method, whose exceptions name its file and line."""

    @wraps(method)
    def call(*given: Any) -> T:
        try:
            return method(*given)
        except (Exception, SystemExit) as error:
            raise (blame(error) or where_it_fails(_place(method), error)) from None

    return call


def _place(method: Callable[..., Any]) -> str:
    """Where a user's method stands: a call with the wrong number of arguments fails before its first line."""
    code = inspect.unwrap(method).__code__
    return f"{code.co_filename}:{code.co_firstlineno}: {method.__name__}"


def _refuse_unhashable(where: Any, position: Any) -> None:
    try:
        hash(position)
    except TypeError as error:
        kind = str(error).removeprefix("unhashable type: ").strip("'")
        complain(where, Text("a position must be hashable, and a {kind} is not: use a tuple or a string", kind=kind))
