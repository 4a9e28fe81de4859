"""Players and searches that users write: ``--player ./mine.py:NAME``, recognised by the parameters of NAME.

| NAME | is |
|---|---|
| ``def NAME(game, state)`` | a player: it returns a move, or a dict with the value of each |
| ``def NAME(rules, evaluate, *, floor, hooks, jit)`` | a search like those of `contienda.search` |
| ``def NAME(game, options)`` | any function that returns a `Player`; ``options`` reads the spec |
| ``class NAME(Player)`` | a `Player`, made with ``(spec, game)`` |

Further keyword parameters are options: ``def mine(game, state, *, caution=0.5)`` is ``./mine.py:mine:caution=0.9``. A
search takes ``depth``, ``ms``, ``nodes``, ``eval`` and ``ties`` like the others. `takes` declares which kinds of nodes
it knows. A move is its name or its number.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np

from contienda.compiled.stopping import Stop
from contienda.core.analysis import MoveValue, new_tally
from contienda.core.extensions import blame, load, remember_author
from contienda.core.game import CHANCE, MAX, MIN, Game, State
from contienda.core.language import BadInput, Text
from contienda.core.specs import Spec, read_number
from contienda.evaluation.failing import position_text
from contienda.players import GROUP
from contienda.players.base import Player
from contienda.players.catalogue import PLAYERS, PlayerInfo, SpecOption
from contienda.players.making import built, evaluator_of, limit_of, tie_order, with_best_move
from contienda.players.options import Options
from contienda.players.search import Search, SearchPlayer

__all__ = ["FunctionPlayer", "make_own", "own_info", "takes"]

_WHAT = Text("player: a function of (game, state) or (rules, evaluate)")
#: Parameters that Contienda gives to a search: not options of the user.
_BUILDING = ("floor", "hooks", "jit")
#: The options of every search.
_SEARCHING = ("depth", "ms", "nodes", "eval", "ties")
_KINDS = frozenset({MAX, MIN, CHANCE})

Function = TypeVar("Function", bound=Callable[..., Any])


def takes(*kinds: int) -> Callable[[Function], Function]:
    """Declare which kinds of nodes a player or a search knows; without it, MAX, MIN and CHANCE.

    >>> from contienda.core.game import MAX, MIN
    >>> @takes(MAX, MIN)
    ... def build(rules, evaluate, *, floor, hooks, jit): ...
    """

    def declare(function: Function) -> Function:
        function.kinds = frozenset(kinds)  # type: ignore[attr-defined]
        return function

    return declare


# --- Kinds ------------------------------------------------------------------------------------------------------------


class _Shape(NamedTuple):
    """What a user wrote, by its parameters."""

    kind: str
    """The first two parameters, or "class"."""
    options: dict[str, Any]
    """Further keyword parameters, and their defaults."""


def _shape(found: Any) -> _Shape | None:
    if inspect.isclass(found):
        fits = (
            issubclass(found, Player)
            and not inspect.isabstract(found)
            and not found.__module__.startswith("contienda.")
        )
        return _Shape("class", {}) if fits else None
    if not inspect.isfunction(found):
        return None
    parameters = list(inspect.signature(found).parameters.values())
    first = ", ".join(each.name for each in parameters[:2])
    if first not in _MAKERS:
        return None
    return _Shape(first, {each.name: each.default for each in parameters[2:] if each.name not in _BUILDING})


def own_info(name: str) -> PlayerInfo:
    """Return the `PlayerInfo` of a user's player; `BadInput` if there is none."""
    found = load(name, GROUP, lambda each: _shape(each) is not None, _WHAT)
    shape = _shape(found)
    assert shape is not None
    for key, default in shape.options.items():
        if default is inspect.Parameter.empty:
            raise BadInput("{name}: {key} needs a default", name=name, key=key)
    parameters = {key: SpecOption(_written(default), Text("{key}", key=key)) for key, default in shape.options.items()}
    search = shape.kind == "rules, evaluate"
    about = (inspect.getdoc(found) or "").partition("\n")[0]
    return PlayerInfo(
        name,
        Text("{about}", about=about),
        f"{__name__}:make_own",
        ({key: PLAYERS["minimax"].parameters[key] for key in _SEARCHING} if search else {}) | parameters,
        weights=shape.kind in ("rules, evaluate", "game, options"),
        kinds=getattr(found, "kinds", _KINDS),
    )


def _written(default: Any) -> str:
    return ("on" if default else "off") if isinstance(default, bool) else str(default)


# --- Making it --------------------------------------------------------------------------------------------------------


def make_own(game: Game, options: Options) -> Player:
    """Return the player that a user wrote, for this game."""
    name = options.spec.name
    info = options.info
    if not info.takes(game):
        raise BadInput("{name} does not play {game_name}", name=name, game_name=game.name)
    found = load(name, GROUP, lambda each: _shape(each) is not None, _WHAT)
    remember_author(found)
    shape = _shape(found)
    assert shape is not None
    try:
        player = _MAKERS[shape.kind](found, game, options, shape.options)
    except Exception as error:
        raise (blame(error) or error) from None
    if not isinstance(player, Player):
        raise BadInput("{name} must return a Player; it returned {player!r:.40}", name=name, player=player)
    if not game.compiled:
        player.compiled = False
    return player


def _make_function(found: Callable[..., Any], game: Game, options: Options, own: dict[str, Any]) -> Player:
    return FunctionPlayer(options.spec, game, partial(found, **_read(options, own)))


def _make_search(found: Callable[..., Any], game: Game, options: Options, own: dict[str, Any]) -> Player:
    limit, ties = limit_of(options, game), tie_order(options, game)
    switches = _read(options, own)
    rules = game.rules
    if CHANCE in game.kinds and CHANCE not in options.info.kinds:
        rules = game.adversarial(game.opponents[0])
    evaluator = evaluator_of(options, game, game.default_evaluator)
    searched = with_best_move(rules, game, evaluator)
    build = partial(built, found, searched, evaluator.evaluate, floor=evaluator.floor, **switches)
    return SearchPlayer(options.spec, game, Search(rules, build, evaluator), limit, ties)


def _make_anything(found: Callable[..., Any], game: Game, options: Options, own: dict[str, Any]) -> Player:
    # The keys that it takes are its options; remaining keys are errors.
    parameters = {key: SpecOption("", Text("{key}", key=key)) for key in options.spec.options}
    open_options = Options(options.spec, options.info._replace(parameters=parameters))
    player: Player = found(game, open_options)
    open_options.refuse_rest()
    return player


def _make_class(found: type[Player], game: Game, options: Options, own: dict[str, Any]) -> Player:
    return found(options.spec, game)


_MAKERS: dict[str, Callable[..., Player]] = {
    "game, state": _make_function,
    "rules, evaluate": _make_search,
    "game, options": _make_anything,
    "class": _make_class,
}


def _read(options: Options, own: dict[str, Any]) -> dict[str, Any]:
    """Return the options, each with the type of its default."""
    read: dict[str, Any] = {}
    for key, default in own.items():
        if isinstance(default, bool):
            read[key] = options.switch(key, default)
        elif isinstance(default, int):
            number = options.whole_number(key)
            read[key] = default if number is None else number
        elif isinstance(default, float):
            text = options.text(key, "")
            read[key] = read_number(key, text) if text else default
        else:
            read[key] = options.text(key, str(default))
    return read


class FunctionSeat(NamedTuple):
    """What the player keeps at one board."""

    tally: np.record
    values: dict[int, float]
    """The function's last answer about the moves."""


class FunctionPlayer(Player):
    """A function that chooses moves."""

    compiled = False

    def __init__(self, spec: Spec, game: Game, function: Callable[..., Any]) -> None:
        super().__init__(spec, game)
        self._function = function
        self.choose = self._choose

    def seat(self, seed: int) -> FunctionSeat:
        return FunctionSeat(new_tally(), {})

    def _choose(self, state: State, seat: FunctionSeat) -> int:
        seat.tally.nodes = 1
        seat.values.clear()
        answer = self._function(self.game, state)
        if not isinstance(answer, Mapping):
            return self._number(state, answer)
        for move, value in answer.items():
            seat.values[self._number(state, move)] = float(value)
        if not seat.values:
            self._number(state, None)
        return max(seat.values, key=lambda action: seat.values[action])

    def _value_moves(self, state: State, best: int, seat: FunctionSeat, stop: Stop) -> list[MoveValue]:
        """Return the chosen move first. The values are the function's own, or 0 if it gives none."""
        actions, values = self.game.legal_actions(state), seat.values
        actions.sort(key=lambda action: (action != best, -values.get(action, 0.0)))
        return [MoveValue(self.game.action_name(state, action), values.get(action, 0.0)) for action in actions]

    def _number(self, state: State, move: Any) -> int:
        """Return a legal action by its name or number."""
        legal = self.game.legal_actions(state)
        names = [self.game.action_name(state, action) for action in legal]
        if isinstance(move, str) and move in names:
            return legal[names.index(move)]
        if isinstance(move, int | np.integer) and not isinstance(move, bool) and move in legal:
            return int(move)
        known, where = ", ".join(names), position_text(self.game, state)
        raise BadInput(
            "{spec}: its move {move!r:.40} is not legal at {where}: there are {known}",
            spec=self.spec,
            move=move,
            where=where,
            known=known,
        )
