"""All games, one module or package each; `make_game` loads one of them.

A game is any of these: a class in a module of this package, a class under the entry point ``contienda.games`` of
an installed package, or a user's own as ``FILE.py:CLASS`` or ``package.module:CLASS``.
"""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Callable
from functools import cache, lru_cache, wraps
from importlib import import_module
from typing import TYPE_CHECKING, Any

from contienda.core.extensions import blame, installed, is_place, load, loadable
from contienda.core.language import BadInput, Text
from contienda.core.specs import Spec, parse_spec

if TYPE_CHECKING:
    from contienda.core.game import Game

__all__ = ["DEFAULT_GAME", "GROUP", "find_game", "game_types", "games_with", "make_game", "takes_text"]

#: The entry points under which a package offers its games.
GROUP = "contienda.games"
#: The game that a command or a request means if it names none.
DEFAULT_GAME = "2048"
_CLASS = Text("game class")


@cache
def _own_types() -> dict[str, type[Game]]:
    """The games of this package, by name."""
    found: dict[str, type[Game]] = {}
    for module in pkgutil.iter_modules(__path__):
        found |= {game.name: game for game in _games_in(f"{__name__}.{module.name}")}
    return dict(sorted(found.items(), key=lambda item: (item[1].takes_text, item[0])))


def _games_in(module_name: str) -> list[type[Game]]:
    module = import_module(module_name)
    own = (v for v in vars(module).values() if _is_game(v) and v.__module__.startswith(module_name))
    return [game for game in own if isinstance(vars(game).get("name"), str) and not inspect.isabstract(game)]


def _is_game(found: Any) -> bool:
    from contienda.core.game import Game
    from contienda.games.plain import PlainGame

    return inspect.isclass(found) and issubclass(found, Game | PlainGame) and found not in (Game, PlainGame)


def game_types() -> dict[str, type[Game]]:
    """Every game by its name: those of this package, and those that installed packages offer."""
    own = _own_types()
    return own | {name: game for name, game in loadable(GROUP, find_game).items() if name not in own}


def games_with(feature: str) -> list[str]:
    """The names of the games that have a feature, as they are without parameters.

    >>> games_with("exact")
    ['connect4']
    """
    return [name for name, game in game_types().items() if not game.takes_text and feature in make_game(name).features]


def takes_text(spec: str) -> bool:
    """Whether a spec names a game that is created from its text. A user's own file is not run to find out."""
    name = parse_spec(spec).name
    return not is_place(name) and any(game.takes_text for known, game in game_types().items() if known == name)


def find_game(name: str) -> type[Game]:
    """The class of a game: by its name, or by its place, ``nim.py:Nim``.

    >>> find_game("connect4").title.into("en")
    'Connect 4'
    """
    found = None if is_place(name) else _by_module(name) or _own_types().get(name)
    if found is not None:
        return found
    if not (is_place(name) or installed(GROUP, name)):
        known = ", ".join(game_types())
        raise BadInput("no game {name!r}: there are {known}, or your own as FILE.py:CLASS", name=name, known=known)
    return _as_game(load(name, GROUP, _is_game, _CLASS), name)


def _by_module(name: str) -> type[Game] | None:
    """A game of this package whose module has its name, so that no other is loaded: 2048 is in ``g2048``."""
    module = f"g{name}" if name[:1].isdigit() else name
    return _first_game(module, name) if module in _modules() else None


@cache
def _modules() -> frozenset[str]:
    return frozenset(module.name for module in pkgutil.iter_modules(__path__))


@cache
def _first_game(module: str, name: str) -> type[Game] | None:
    return next((game for game in _games_in(f"{__name__}.{module}") if game.name == name), None)


@lru_cache(maxsize=64)
def _as_game(found: Any, name: str) -> type[Game]:
    """A user's class as a game; a plain one is wrapped, and both answer to the name that was typed.

    The class stays the same until its file changes, so all callers share its compiled code.
    """
    from contienda.games.plain import PlainGame
    from contienda.games.plain_wrapped import wrapped

    own: dict[str, Any] = {"name": name, "__module__": found.__module__, "__doc__": found.__doc__}
    if issubclass(found, PlainGame):
        return type(found.__name__, (wrapped(found),), own)
    _refuse_incomplete(found, name)
    return type(found.__name__, (found,), own | _as_texts(found) | _blamed_methods(found))


def _as_texts(found: type[Game]) -> dict[str, Text]:
    """The texts that a user wrote as plain strings, which are the same in all languages."""
    written = {name: getattr(found, name, None) for name in ("title", "about", "position_help")}
    return {name: Text("{text}", text=text) for name, text in written.items() if isinstance(text, str)}


def _blamed_methods(found: type[Game]) -> dict[str, Any]:
    """The methods that a user wrote; their exceptions become one line with file and line, whoever calls them."""
    from contienda.core.game import Game

    written = {name for each in found.__mro__ if each not in Game.__mro__ for name in vars(each)}
    methods = {name: getattr(found, name) for name in written if not name.startswith("_")}
    if "picture" in methods:
        methods["picture"] = _checked_picture(methods["picture"])
    return {name: _blamed(method) for name, method in methods.items() if inspect.isfunction(method)}


def _checked_picture(method: Callable[..., Any]) -> Callable[..., Any]:
    """A user's ``picture``, which refuses what no screen can draw."""
    from contienda.core.picture import picture_fault
    from contienda.games.plain_rules import complain

    @wraps(method)
    def picture(game: Game, state: Any) -> Any:
        drawn = method(game, state)
        fault = None if drawn is None else picture_fault(drawn)
        if fault is not None:
            complain(method, Text("picture: {fault}", fault=fault))
        return drawn

    return picture


def _blamed(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def call(*arguments: Any, **options: Any) -> Any:
        try:
            return method(*arguments, **options)
        except (Exception, SystemExit) as error:
            raise (blame(error) or error) from None

    return call


def _refuse_incomplete(found: type[Game], name: str) -> None:
    """Refuse a class that lacks a part of the contract, or whose rules are not compiled."""
    missing = sorted(found.__abstractmethods__)
    missing += [each for each in ("title", "kinds") if not hasattr(found, each)]
    if missing:
        raise BadInput("{name} lacks {missing}", name=name, missing=", ".join(missing))
    _refuse_uncompiled(getattr(found, "rules", None), name)  # some games make them later, for their size


def _refuse_uncompiled(rules: Any, name: str) -> None:
    for field in getattr(rules, "_fields", ()):
        rule = getattr(rules, field)
        if callable(rule) and not hasattr(rule, "py_func"):
            raise BadInput(
                "{name}: the rule {field} is not compiled: write @njit before it (from "
                "contienda.compiled.jit import njit), or write the game as a PlainGame",
                name=name,
                field=field,
            )


def make_game(spec: str, text: str | None = None) -> Game:
    """The game that a spec names; a drawn tree also needs its text, which the others leave to `Game.parse`.

    >>> make_game("connect4:rows=5,columns=6").spec
    'connect4:rows=5,columns=6'
    """
    asked = parse_spec(spec)
    game = find_game(asked.name)
    options = _numbers(game, asked)
    target = options.pop("target", None)
    if not game.takes_text:
        made = game(**options) if game.__module__.startswith(__name__) else _try(game, tuple(options.items()))
        return made if target is None else made.until(target)
    if text is None:
        raise BadInput("{name} needs the tree's text, such as 'max[min[3 12 8] min[2 4 6]]'", name=game.name)
    return game(text, **options)  # type: ignore[call-arg]


@lru_cache(maxsize=64)
def _try(game: type[Game], options: tuple[tuple[str, int], ...]) -> Game:
    """A user's game. One whose set of moves is not signed is refused here: inside a search it would lose moves."""
    from contienda.compiled.rng import generator
    from contienda.core.game import Parameter, Rules, feature_fault, members
    from contienda.games.checks import ConformanceError
    from contienda.games.checks.declared import check_listed

    for key, value in options:
        parameter = game.parameters[key]
        least, most = (parameter.least, parameter.most) if isinstance(parameter, Parameter) else (value, value)
        if not least <= value <= most:
            raise BadInput("{key}={value} must be from {least} to {most}", key=key, value=value, least=least, most=most)
    made = _blamed(game)(**dict(options))
    if not isinstance(getattr(made, "rules", None), Rules):
        raise BadInput("{name} lacks {missing}", name=game.name, missing="rules")
    try:
        check_listed(made)
    except ConformanceError as fault:
        raise BadInput("{name}: {fault}", name=game.name, fault=fault.text) from None
    if not made.compiled:
        return made
    _refuse_uncompiled(made.rules, game.name)
    try:
        state = made.start(generator(0))
        candidates = made.rules.candidates(state)
    except Exception:  # the first call reports what is wrong
        return made
    if not isinstance(candidates, int):
        raise BadInput(
            "{name}: candidates must return an integer, and it returns {candidates!r:.40}",
            name=game.name,
            candidates=candidates,
        )
    members(candidates)
    missing = feature_fault(made, state)
    if missing is not None:
        raise BadInput("{name}: {fault}", name=game.name, fault=missing)
    return made


def _numbers(game: type[Game], asked: Spec) -> dict[str, int]:
    return {key: _whole_number(game, key, value) for key, value in asked.options.items()}


def _whole_number(game: type[Game], key: str, value: str) -> int:
    if key not in game.parameters and key != "target":
        known = ", ".join(game.parameters)
        if not known:
            raise BadInput("{name} has no parameter {key!r}: it takes none", name=game.name, key=key)
        raise BadInput("{name} has no parameter {key!r}: it has {known}", name=game.name, key=key, known=known)
    # More than 9 digits is no board, and int() of very many is slow.
    if not (value.isascii() and value.isdigit() and len(value) <= 9):
        default = 2048 if key == "target" else game.parameters[key].default
        raise BadInput(
            "{key}={value} must be a whole number, such as {key}={default}", key=key, value=value, default=default
        )
    return int(value)
