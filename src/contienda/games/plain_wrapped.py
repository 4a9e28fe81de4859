"""A plain game as a `Game`, which is what everything else takes."""

from __future__ import annotations

import dataclasses
import inspect
import math
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, ClassVar

import numpy as np

from contienda.core.evaluator import Evaluator, Term
from contienda.core.game import CHANCE, MAX, MIN, Game, Level, Parameter
from contienda.core.language import BadInput, Text
from contienda.core.picture import Gesture, Picture, picture_fault
from contienda.games.plain import FIRST, SECOND, PlainGame, PlainState
from contienda.games.plain_notation import unreadable_type
from contienda.games.plain_rules import PlainRules, complain, rules_of

__all__ = ["FASTER", "with_mover", "wrapped"]

FASTER = Text(
    "{game} is written in plain Python and runs in the interpreter; with compiled rules the searches are "
    "hundreds of times faster: see docs/en/write-a-game.md"
)


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
            "default_evaluator": _default_evaluator(plain),
            "__module__": plain.__module__,
            "__doc__": plain.__doc__,
        },
    )


def _default_evaluator(plain: type[PlainGame]) -> str:
    """The evaluator that the game names; else its own guess, or the first of its evaluators."""
    guesses = plain.guess is not PlainGame.guess or not plain.evaluators
    return plain.default_evaluator or ("guess" if guesses else plain.evaluators[0].name)


def _for_max(bounds: tuple[float, float], players: int) -> tuple[float, float]:
    """Bounds for MAX from bounds for player 1: either of two players may be MAX."""
    return bounds if players == 1 else (min(bounds[0], -bounds[1]), max(bounds[1], -bounds[0]))


def _of_states(evaluator: Evaluator, players: int) -> Evaluator:
    """An evaluator whose terms are functions of positions, for a game whose states are `PlainState`s."""
    return dataclasses.replace(
        evaluator, terms={name: _term_of_states(term, players) for name, term in evaluator.terms.items()}
    )


def _term_of_states(term: Term, players: int) -> Term:
    def make(game: _Wrapped) -> Callable[[PlainState], float]:
        function = with_mover(term.value(game.plain) if term.for_game else term.value, 2)
        return lambda state: game.plain_rules.for_max(function, state)

    limits = None if term.range is None else _for_max(term.range, players)
    return term._replace(value=make, range=limits, for_game=True)


def with_mover(function: Callable[..., Any], parameters: int) -> Callable[..., Any]:
    """A user's function with ``mover`` as its second parameter; its own may leave out the mover, or what follows it."""
    names = list(inspect.signature(function).parameters)
    if len(names) == parameters:
        return function
    only_mover = names[1:] == ["mover"]

    def with_fewer(position: Any, mover: int, *more: Any) -> Any:
        return function(position, mover) if only_mover else function(position, *more)

    return with_fewer


def _text(text: str | Text) -> Text:
    return text if isinstance(text, Text) else Text("{text}", text=text)


def _refuse_missing(plain: type[PlainGame]) -> None:
    for method in ("start", "moves", "play", "worth"):
        if getattr(plain, method) is getattr(PlainGame, method):
            complain(plain, Text("{plain_type} lacks the method {method}", plain_type=plain.__name__, method=method))


def _refuse_wrong(plain: type[PlainGame]) -> None:
    """Refuse attributes of a wrong type."""
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
        complain(plain, wrong)


_ATTRIBUTES = {
    "players": Text("1 or 2"),
    "title": Text("a string"),
    "about": Text("a string"),
    "parameters": Text("a dict of integers"),
    "evaluators": Text("a tuple of Evaluators"),
    "bounds": Text("a pair (low, high)"),
}


class _Wrapped(Game):
    compiled = False
    default_depth = 4
    example_evaluator = '''def mine(position, weights):
    """The estimated worth of a position to player 1."""
    return 0.0
'''
    plain_type: ClassVar[type[PlainGame]]

    def __init__(self, **parameters: int) -> None:
        settings = {key: p.default for key, p in self.parameters.items()} | parameters
        for key, value in settings.items():
            setattr(self, key, value)
        self.plain_rules: PlainRules = rules_of(self.plain_type, tuple(sorted(settings.items())))  # type: ignore[arg-type]
        self.plain = self.plain_rules.plain
        self.rules = self.plain_rules.rules

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
        state = self.plain_rules.state(self.plain.start(), FIRST)
        while not self.rules.over(state) and self.rules.turn(state) == CHANCE:
            state = self.rules.successor(state, self.rules.draw(state, rng))[1]
        return state

    def parse(self, text: str) -> PlainState:
        """The position that `format` wrote: ``(3, 4, 5)``, or ``(3, 4, 4) second`` where player 2 moves."""
        written, _, mover = text.strip().rpartition(" ")
        second = mover == "second" and not self.plain_rules.tells_turn
        own_reader = self.plain_type.read is not PlainGame.read
        try:
            position = self.plain.read(written.strip() if second else text.strip())
        except Exception as error:
            raise self._no_position(text, error if own_reader else None) from None
        try:
            state = self.plain_rules.state(position, SECOND if second else FIRST)
            self.rules.candidates(state)
        except Exception as error:
            raise self._no_position(text, error) from None
        return state

    def _no_position(self, text: str, error: Exception | None) -> BadInput:
        """The refusal of a text, with the exception that a method of the user raised on it."""
        start = self.plain.start()
        own_notation = self.plain_type.write is not PlainGame.write
        if not own_notation and (kind := unreadable_type(start)):
            return BadInput(
                "positions of {name} hold {kind}, which cannot be read from text: define write and read",
                name=self.name,
                kind=kind,
            )
        example = self.plain.write(start)
        if error is None:
            return BadInput(
                "{text!r} is not a position of {name}; write one as {example}",
                text=text[:60],
                name=self.name,
                example=example,
            )
        return BadInput(
            "{text!r} is not a position of {name}: {reason}; write one as {example}",
            text=text[:60],
            name=self.name,
            reason=str(error) if isinstance(error, BadInput) else f"{type(error).__name__}: {error}",
            example=example,
        )

    def format(self, state: PlainState) -> str:
        second = state.mover == SECOND and not self.plain_rules.tells_turn
        text = self.plain.write(state.position)
        if not isinstance(text, str):
            complain(self.plain.write, Text("write must return a string; it returned {text!r:.40}", text=text))
        return text + (" second" if second else "")

    def as_numbers(self, state: PlainState) -> tuple[int, ...]:
        """The bytes of the position's text, eight to a number."""
        data = self.format(state).encode()
        return tuple(np.frombuffer(data + b"\0" * (-len(data) % 8), "<i8").tolist())

    def from_numbers(self, numbers: tuple[int, ...], like: PlainState) -> PlainState:
        return self.parse(np.array(numbers, "<i8").tobytes().rstrip(b"\0").decode())

    def action_name(self, state: PlainState, action: int) -> str:
        choice = self.plain_rules.seen(state.position).choices[action]
        name = self.plain.name(state.position, choice)
        if not isinstance(name, str) or not name.strip():
            complain(self.plain.name, Text("name must return a string; it returned {name!r:.40}", name=name))
        return "-".join(name.split())  # files tell moves apart by spaces

    def action_number(self, state: PlainState, name: str) -> int:
        names = [
            self.action_name(state, action) for action in range(len(self.plain_rules.seen(state.position).choices))
        ]
        if name not in names:
            known = ", ".join(names) or "-"
            raise BadInput("no move {name!r} here: there are {known}", name=name, known=known)
        return names.index(name)

    def picture(self, state: PlainState) -> Picture:
        drawn = self.plain.draw(state.position)
        if drawn is None:
            return Picture(0, 0, (), caption=Text("{text}", text=self.plain.write(state.position)))
        if not isinstance(drawn, Picture):
            complain(
                self.plain.draw, Text("draw must return a Picture or None; it returned {drawn!r:.40}", drawn=drawn)
            )
        if (fault := picture_fault(drawn)) is not None:
            complain(self.plain.draw, Text("picture: {fault}", fault=fault))
        return drawn

    def gesture(self, state: PlainState, action: int) -> Gesture:
        cells = self.plain.click(state.position, self.plain_rules.seen(state.position).choices[action])
        if cells is None:
            return super().gesture(state, action)
        return Gesture("cell", cells) if isinstance(cells, int) else Gesture("drag", cells[1], cells[0])

    def outcome(self, state: PlainState) -> dict[str, Any]:
        if self.sides == 1:
            return {"score": round(self.rules.utility(state)) if self.rules.over(state) else 0}
        return super().outcome(state)
