"""Games in ordinary Python: a few methods over positions of any hashable kind.

    from contienda import PlainGame

    class Nim(PlainGame):
        def start(self):
            return (3, 4, 5)

        def moves(self, heaps):
            return [(heap, take) for heap, left in enumerate(heaps) for take in range(1, left + 1)]

        def play(self, heaps, move):
            heap, take = move
            return tuple(left - take if number == heap else left for number, left in enumerate(heaps))

        def worth(self, heaps, mover):
            return -1 if mover == 1 else 1  # the player who cannot move has lost

The searches that play every other game play this one too, from the same source, in the interpreter. They visit hundreds
of times fewer nodes a second than with compiled rules (`contienda.core.game.Game`), and need no compilation.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import cache, lru_cache, wraps
from itertools import accumulate
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, NoReturn, TypeVar

import numpy as np

from contienda.compiled.rng import uniform
from contienda.core.evaluator import Evaluator, Term
from contienda.core.extensions import blame, remember_author, where_it_fails
from contienda.core.game import CHANCE, MAX, MAX_ACTIONS, MIN, Game, Level, Parameter, Rules
from contienda.core.language import BadInput, Text
from contienda.core.picture import Gesture, Picture
from contienda.core.syntax import parse_expression

__all__ = ["FASTER", "PlainGame", "PlainState", "with_mover", "wrapped"]

FIRST, SECOND = 1, 2
T = TypeVar("T")

#: What the interpreter may keep of the positions that it has seen: some 20 MB for a board of 50 cells.
_KEPT = 1 << 15
#: Rounding may make the probabilities of luck miss 1 by this much.
_TOLERANCE = 1e-9

FASTER = Text(
    "{game} is written in plain Python and runs in the interpreter; with compiled rules the searches are "
    "hundreds of times faster: see docs/en/write-a-game.md"
)


class PlainGame:
    """A game for two players who take turns, or for one. A position is anything hashable.

    Player 1 moves first and wants `worth` to be high; player 2 wants it to be low. Only the first four methods are
    needed.
    """

    title: ClassVar[str | Text] = ""
    """The name that people see; by default that of the class."""
    about: ClassVar[str | Text] = ""
    """The rules in a sentence; by default the first line of the docstring."""
    players: ClassVar[int] = 2
    """1 or 2."""
    parameters: ClassVar[Mapping[str, int]] = MappingProxyType({})
    """Integers that a spec may set, with their defaults; each becomes an attribute: ``Nim:heaps=4``."""

    evaluators: ClassVar[tuple[Evaluator, ...]] = ()
    """Estimates of a position's worth to player 1, named in a spec as ``eval=NAME``.

    Their terms are functions of ``(position)`` or ``(position, mover)``.
    """
    default_evaluator: ClassVar[str] = "guess"
    """The default evaluator of players."""
    bounds: ClassVar[tuple[float, float] | None] = None
    """The minimum and maximum of `worth` and `guess`, if known: ``prune=star1`` needs them."""

    def start(self) -> Hashable:
        """The first position."""
        raise NotImplementedError

    def moves(self, position: Any) -> Iterable[Hashable]:
        """The legal moves, in the order in which searches try them. The game is over where there are none."""
        raise NotImplementedError

    def play(self, position: Any, move: Any) -> Hashable:
        """The position after a move, or after something that luck brought. It must not change ``position``."""
        raise NotImplementedError

    def worth(self, position: Any, mover: int) -> float:
        """What an ended game is worth to player 1. ``mover`` is whose turn it would be."""
        raise NotImplementedError

    def over(self, position: Any) -> bool:
        """Whether the game ends here although there are moves left."""
        return False

    def luck(self, position: Any) -> Mapping[Hashable, float] | None:
        """The outcomes of luck with their probabilities, or None where a player moves. `play` applies an outcome."""
        return {}

    def turn(self, position: Any) -> int | None:
        """Who moves, 1 or 2, if the players do not simply alternate."""
        return None

    def guess(self, position: Any, mover: int) -> float:
        """The estimated worth of a position to player 1, where a search stops."""
        return 0.0

    def name(self, position: Any, move: Any) -> str:
        """A move as a person types it."""
        return "-".join(map(str, move)) if isinstance(move, tuple) else str(move)

    def draw(self, position: Any) -> Picture | None:
        """The board, if there is one."""
        return None

    def click(self, position: Any, move: Any) -> int | tuple[int, int] | None:
        """The cell that a person clicks to make a move, or the cells of a drag (from, to). None: a button."""
        return None

    def write(self, position: Any) -> str:
        """A position as text; by default as Python writes it, and a text as it is."""
        bare = isinstance(position, str) and position and position == position.strip() and position[0] not in "'\""
        return position if bare else repr(position)

    def read(self, text: str) -> Hashable:
        """The position that `write` wrote."""
        if isinstance(self.start(), str) and text[:1] not in ("'", '"'):
            return text
        position: Hashable = _evaluated(parse_expression(text), type(self).play.__globals__)
        return position


class PlainState(NamedTuple):
    """A position with whose turn it is, and which player is MAX."""

    position: Any
    mover: int = FIRST
    as_max: int = FIRST


@cache
def wrapped(plain: type[PlainGame]) -> type[Game]:
    """A plain game as a `Game`, which is what everything else takes."""
    _refuse_missing(plain)
    _refuse_wrong(plain)
    kinds = {MAX} | ({MIN} if plain.players == 2 else set()) | ({CHANCE} if plain.luck is not PlainGame.luck else set())
    parameters = {
        key: Parameter(default, Text("{key}", key=key), least=0, most=10**9)
        for key, default in plain.parameters.items()
    }
    bounds = _for_max(plain.bounds or (-math.inf, math.inf), plain.players)
    own_doc = "" if plain.__doc__ == PlainGame.__doc__ else plain.__doc__ or ""
    about = plain.about or own_doc.strip().partition("\n")[0]
    return type(
        plain.__name__,
        (_Wrapped,),
        {
            "plain_type": plain,
            "title": _text(plain.title or plain.__name__),
            "about": _text(about.rstrip(".") if isinstance(about, str) else about),
            "kinds": frozenset(kinds),
            "parameters": parameters,
            "utility_bounds": bounds,
            "evaluators": tuple(_of_states(evaluator, plain.players) for evaluator in plain.evaluators),
            "default_evaluator": plain.default_evaluator,
            "__module__": plain.__module__,
            "__doc__": plain.__doc__,
        },
    )


def _for_max(bounds: tuple[float, float], players: int) -> tuple[float, float]:
    """The bounds of what is worth so much to player 1, where either of two players may be MAX."""
    return bounds if players == 1 else (min(bounds[0], -bounds[1]), max(bounds[1], -bounds[0]))


def _of_states(evaluator: Evaluator, players: int) -> Evaluator:
    """An evaluator whose terms are functions of positions, for a game whose states are `PlainState`s."""
    return dataclasses.replace(
        evaluator, terms={name: _term_of_states(term, players) for name, term in evaluator.terms.items()}
    )


def _term_of_states(term: Term, players: int) -> Term:
    def make(game: _Wrapped) -> Callable[[PlainState], float]:
        function = with_mover(term.value(game.plain) if term.for_game else term.value, 2)
        return lambda state: game._inside.for_max(function, state)

    limits = None if term.range is None else _for_max(term.range, players)
    return term._replace(value=make, range=limits, for_game=True)


def with_mover(function: Callable[..., Any], parameters: int) -> Callable[..., Any]:
    """A user's function with ``mover`` as its second parameter, though it may take one fewer and leave that out."""
    if len(inspect.signature(function).parameters) == parameters:
        return function

    def without_mover(position: Any, mover: int, *more: Any) -> Any:
        return function(position, *more)

    return without_mover


def _text(text: str | Text) -> Text:
    return text if isinstance(text, Text) else Text("{text}", text=text)


def _refuse_missing(plain: type[PlainGame]) -> None:
    for method in ("start", "moves", "play", "worth"):
        if getattr(plain, method) is getattr(PlainGame, method):
            _complain(plain, Text("{plain_type} lacks the method {method}", plain_type=plain.__name__, method=method))


def _refuse_wrong(plain: type[PlainGame]) -> None:
    """Refuse attributes of a kind that nothing could use."""
    bounds = (0, 0) if plain.bounds is None else plain.bounds
    fits = {
        "players": plain.players in (1, 2),
        "title": isinstance(plain.title, str | Text),
        "about": isinstance(plain.about, str | Text),
        "parameters": isinstance(plain.parameters, Mapping)
        and all(isinstance(default, int) for default in plain.parameters.values()),
        "evaluators": isinstance(plain.evaluators, tuple | list)
        and all(isinstance(evaluator, Evaluator) for evaluator in plain.evaluators),
        "bounds": isinstance(bounds, tuple) and len(bounds) == 2 and bounds[0] <= bounds[1],
    }
    for attribute in (attribute for attribute, fit in fits.items() if not fit):
        wrong = Text(
            "{attribute} = {found:.40} must be {wanted}",
            attribute=attribute,
            found=repr(getattr(plain, attribute)),
            wanted=_ATTRIBUTES[attribute],
        )
        _complain(plain, wrong)


_ATTRIBUTES = {
    "players": Text("1 or 2"),
    "title": Text("a string"),
    "about": Text("a string"),
    "parameters": Text("a dict of integers"),
    "evaluators": Text("a tuple of Evaluators"),
    "bounds": Text("a pair (low, high)"),
}


def _complain(where: Any, wrong: Text) -> NoReturn:
    """Say what is wrong with a user's class or method, and where it stands."""
    try:
        found = inspect.unwrap(where)
        line = inspect.getsourcelines(found)[1]
        told = BadInput("{file}:{line}: {wrong}", file=inspect.getsourcefile(found), line=line, wrong=wrong)
        told.line = line
    except (OSError, TypeError):  # typed into an interpreter
        told = BadInput(wrong)
    raise told


class _Wrapped(Game):
    compiled = False
    default_depth = 4
    plain_type: ClassVar[type[PlainGame]]

    def __init__(self, **parameters: int) -> None:
        settings = {key: p.default for key, p in self.parameters.items()} | parameters
        for key, value in settings.items():
            setattr(self, key, value)
        self._inside: _Inside = _inside(self.plain_type, tuple(sorted(settings.items())))  # type: ignore[arg-type]
        self.plain = self._inside.plain
        self.rules = self._inside.rules

    @property
    def default_player(self) -> str:
        if CHANCE in self.kinds:
            return "expectiminimax:depth=3" if MIN in self.kinds else "expectimax:depth=3"
        return "alphabeta:depth=4"

    @property
    def levels(self) -> tuple[Level, ...]:  # type: ignore[override]
        """Opponents that answer soon on any game."""
        if self.sides == 1:
            return ()
        search = "expectiminimax" if CHANCE in self.kinds else "alphabeta"
        return (
            Level(Text("Random"), "random"),
            Level(Text("Beginner"), f"{search}:depth=2"),
            Level(Text("Advanced"), self.default_player),
        )

    def start(self, rng: np.record) -> PlainState:
        state = self._inside.state(self.plain.start(), FIRST)
        while not self.rules.over(state) and self.rules.turn(state) == CHANCE:
            state = self.rules.successor(state, self.rules.draw(state, rng))[1]
        return state

    def parse(self, text: str) -> PlainState:
        """The position that `format` wrote: ``(3, 4, 5)``, or ``(3, 4, 4) second`` where player 2 moves."""
        written, _, mover = text.strip().rpartition(" ")
        second = mover == "second" and not self._inside.tells_turn
        try:
            position = self.plain.read(written.strip() if second else text.strip())
            state = self._inside.state(position, SECOND if second else FIRST)
            self.rules.candidates(state)
        except Exception as error:
            reason = error.args[0] if isinstance(error, SyntaxError) else f"{type(error).__name__}: {error}"
            example = self.plain.write(self.plain.start())
            raise BadInput(
                "{text!r} is not a position of {name}: {reason}; write one as {example}",
                text=text[:60],
                name=self.name,
                reason=reason,
                example=example,
            ) from None
        return state

    def format(self, state: PlainState) -> str:
        second = state.mover == SECOND and not self._inside.tells_turn
        text = self.plain.write(state.position)
        if not isinstance(text, str):
            _complain(self.plain.write, Text("write must return a string; it returned {text!r:.40}", text=text))
        return text + (" second" if second else "")

    def as_numbers(self, state: PlainState) -> tuple[int, ...]:
        """The bytes of the position's text, eight to a number."""
        data = self.format(state).encode()
        return tuple(np.frombuffer(data + b"\0" * (-len(data) % 8), "<i8").tolist())

    def from_numbers(self, numbers: tuple[int, ...], like: PlainState) -> PlainState:
        return self.parse(np.array(numbers, "<i8").tobytes().rstrip(b"\0").decode())

    def action_name(self, state: PlainState, action: int) -> str:
        choice = self._inside.seen(state.position).choices[action]
        name = self.plain.name(state.position, choice)
        if not isinstance(name, str) or not name.strip():
            _complain(self.plain.name, Text("name must return a string; it returned {name!r:.40}", name=name))
        return "-".join(name.split())  # files tell moves apart by spaces

    def action_number(self, state: PlainState, name: str) -> int:
        names = [self.action_name(state, action) for action in range(len(self._inside.seen(state.position).choices))]
        if name not in names:
            known = ", ".join(names) or "-"
            raise BadInput("no move {name!r} here: there are {known}", name=name, known=known)
        return names.index(name)

    def picture(self, state: PlainState) -> Picture:
        drawn = self.plain.draw(state.position)
        if drawn is not None and not isinstance(drawn, Picture):
            _complain(
                self.plain.draw, Text("draw must return a Picture or None; it returned {drawn!r:.40}", drawn=drawn)
            )
        text = self.plain.write(state.position)
        return Picture(0, 0, (), caption=Text("{text}", text=text)) if drawn is None else drawn

    def gesture(self, state: PlainState, action: int) -> Gesture:
        cells = self.plain.click(state.position, self._inside.seen(state.position).choices[action])
        if cells is None:
            return super().gesture(state, action)
        return Gesture("cell", cells) if isinstance(cells, int) else Gesture("drag", cells[1], cells[0])

    def outcome(self, state: PlainState) -> dict[str, Any]:
        if self.sides == 1:
            return {"score": round(self.rules.utility(state)) if self.rules.over(state) else 0}
        return super().outcome(state)


# --- The rules as a search wants them ---------------------------------------------------------------------------------


class _Seen(NamedTuple):
    """What there is to know of a position, asked of the user's methods once."""

    choices: tuple[Any, ...]
    """The moves, or what luck may bring; none where the game is over."""
    chances: tuple[float, ...]
    """The probability of each, where luck decides."""


class _Inside:
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
            _refuse_unhashable(self.plain, position)
            raise

    def _look(self, position: Any) -> _Seen:
        if self.plain.over(position):
            return _Seen((), ())
        if self.lucky and (chances := self._chances(position)):
            return _Seen(tuple(chances), tuple(float(chance) for chance in chances.values()))
        moves = self.plain.moves(position)
        if isinstance(moves, str) or not isinstance(moves, Iterable):
            _complain(
                self.plain.moves, Text("moves must return a list of moves; it returned {moves!r:.40}", moves=moves)
            )
        choices = tuple(moves)
        if len(choices) > MAX_ACTIONS:
            _complain(
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
            _complain(
                self.plain.luck,
                Text(
                    "luck must return None or a dict with each outcome's probability; it returned {chances!r:.40}",
                    chances=chances,
                ),
            )
        if len(chances) > MAX_ACTIONS:
            _complain(
                self.plain.luck,
                Text(
                    "luck may have at most {max_actions} outcomes; {write:.60} has {count}",
                    max_actions=MAX_ACTIONS,
                    write=self.plain.write(position),
                    count=len(chances),
                ),
            )
        total = math.fsum(chances.values())
        if chances and (abs(total - 1) > _TOLERANCE or min(chances.values()) < 0):
            _complain(
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
                _complain(self.plain.turn, Text("turn must return 1 or 2; it returned {mover!r}", mover=mover))
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
        # What luck brings is for the player who moves next.
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
            _complain(value, Text("{name} must return a number; it returned {found!r:.40}", name=name, found=found))
        return number if state.as_max == FIRST else -number

    def seen_by_mover(self, state: PlainState) -> PlainState:
        return state._replace(as_max=state.mover)

    def draw(self, state: PlainState, rng: np.record) -> int:
        chances = self.seen(state.position).chances
        drawn = uniform(rng)
        possible = [action for action, chance in enumerate(chances) if chance > 0]
        bounds = accumulate(chances[action] for action in possible)
        return next((action for action, bound in zip(possible, bounds, strict=True) if drawn < bound), possible[-1])


@lru_cache(maxsize=64)
def _inside(plain_type: type[PlainGame], parameters: tuple[tuple[str, int], ...]) -> _Inside:
    """One for all who play the game: what is remembered of it, and of its searches, is shared."""
    remember_author(plain_type)
    try:
        plain = plain_type()
    except (Exception, SystemExit) as error:
        reason = f"{type(error).__name__}: {error}"
        _complain(plain_type, Text("{name}() fails: {reason}", name=plain_type.__name__, reason=reason))
    for key, value in parameters:
        setattr(plain, key, value)
    for name in _METHODS:
        setattr(plain, name, _blamed(getattr(plain, name)))
    _refuse_unhashable(plain, plain.start())
    return _Inside(plain)


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


def _refuse_unhashable(plain: PlainGame, position: Any) -> None:
    try:
        hash(position)
    except TypeError as error:
        kind = str(error).removeprefix("unhashable type: ").strip("'")
        _complain(
            type(plain), Text("a position must be hashable, and a {kind} is not: use a tuple or a string", kind=kind)
        )


# --- Positions as text -----------------------------------------------------------------------------------------------


def _evaluated(node: ast.expr, names: dict[str, Any]) -> Any:
    """A literal, which may hold frozensets and the game's own dataclasses and named tuples; nothing else is run."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        made: Any = frozenset if node.func.id == "frozenset" else names.get(node.func.id)
        if made is frozenset or dataclasses.is_dataclass(made) or hasattr(made, "_fields"):
            named = {each.arg: _evaluated(each.value, names) for each in node.keywords if each.arg is not None}
            return made(*(_evaluated(each, names) for each in node.args), **named)
    if isinstance(node, ast.Tuple):
        return tuple(_evaluated(each, names) for each in node.elts)
    if isinstance(node, ast.Set):
        return {_evaluated(each, names) for each in node.elts}
    return ast.literal_eval(node)
