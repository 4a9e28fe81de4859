"""A plan as a TOML file; what is wrong with it is said with its line.

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
"""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from contienda.lab.plan import Plan, WrongPlan
from contienda.language import BadInput, Text
from contienda.specs import Spec, parse_spec

__all__ = ["EXAMPLE", "load_plan", "plan_from_toml"]

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


class _Kind(NamedTuple):
    """What a key takes."""

    type: type | tuple[type, ...]
    name: Text


_TEXT = _Kind(str, Text("a text in quotes", "un texto entre comillas"))
_WHOLE = _Kind(int, Text("a whole number", "un número entero"))
_SHARE = _Kind((int, float), Text("a share, such as 0.05", "una proporción, como 0.05"))
_LIST = _Kind(list, Text("a list of specs in quotes", "una lista de especificaciones entre comillas"))
_SWITCH = _Kind(bool, Text("true or false", "true o false"))
_TABLES = _Kind(list, Text("written with two brackets, [[grid]]", "con dos corchetes, [[grid]]"))

_KEYS = {
    "name": _TEXT, "game": _TEXT, "games": _WHOLE, "interval": _SHARE, "most": _WHOLE, "seed": _WHOLE,
    "target": _WHOLE, "players": _LIST, "opponents": _LIST, "sides": _TEXT, "turns": _SWITCH, "paths": _SWITCH,
    "grid": _TABLES,
}  # fmt: skip


def load_plan(path: Path) -> Plan:
    """A plan from its file."""
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
    grids: dict[str, int] = {}
    try:
        _check_keys(data)
        players: list[str] = list(data.pop("players", ()))
        for number, grid in enumerate(data.pop("grid", ())):
            grids |= dict.fromkeys(_spread(grid), number)
        data |= {"players": (*players, *(spec for spec in grids if spec not in players))}
        data |= {"opponents": tuple(data.get("opponents", ()))}
        return Plan(**{"name": name} | data)
    except WrongPlan as error:
        line = _line_of(text, error, grids.get(error.about))
        if line is None:
            raise
        raise BadInput(f"line {line}: {error.text.en}", f"línea {line}: {error.text.es}") from None


def _check_keys(data: Mapping[str, Any]) -> None:
    """Keys that a plan has, each with what it takes."""
    for key, value in data.items():
        kind = _KEYS.get(key)
        if kind is None:
            known = ", ".join(_KEYS)
            raise WrongPlan(key, f"no key {key!r}: there are {known}", f"no hay clave {key!r}: hay {known}")
        fits = isinstance(value, kind.type) and (isinstance(value, bool) <= (kind is _SWITCH))
        if kind is _LIST:
            fits = fits and all(isinstance(spec, str) for spec in value)
        if not fits:
            raise WrongPlan(key, f"{key} must be {kind.name.en}", f"{key} debe ser {kind.name.es}")
    if "game" not in data:
        raise BadInput("game is missing", "falta game")


def _spread(grid: Any) -> list[str]:
    """Every combination of a grid, as specs.

    >>> _spread({"player": "alphabeta", "depth": [1, 2], "eval": "uma1"})
    ['alphabeta:depth=1,eval=uma1', 'alphabeta:depth=2,eval=uma1']
    """
    if not isinstance(grid, Mapping) or "player" not in grid:
        raise WrongPlan("[[grid]]", "a [[grid]] needs a player", "una [[grid]] necesita player")
    lists = {key: value if isinstance(value, list) else [value] for key, value in grid.items()}
    specs = []
    for name in lists.pop("player"):
        asked = parse_spec(str(name))
        for values in itertools.product(*lists.values()):
            options = {key: _written(value) for key, value in zip(lists, values, strict=True)}
            specs.append(str(Spec(asked.name, asked.options | options)))
    return specs


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:g}" if isinstance(value, float) else str(value)


# --- Which line ------------------------------------------------------------------------------------------------------


def _line_of(text: str, error: WrongPlan, grid: int | None) -> int | None:
    """The line that a complaint is about: a key's, a player's, or in a grid that of the value it names."""
    lines = list(enumerate(text.splitlines(), 1))
    if grid is None:
        return _first(lines, error.about)
    heads = [at for at, (_, line) in enumerate(lines) if line.replace(" ", "").startswith("[[grid]]")]
    section = lines[heads[grid] : heads[grid + 1] if grid + 1 < len(heads) else None]
    spec = parse_spec(error.about)
    for key, value in spec.options.items():
        if f"{key!r}" in error.text.en or f"{key}=" in error.text.en:
            return _first(section, key)
        if f"{value!r}" in error.text.en:
            return _first(section, value)
    return _first(section, spec.name)


def _first(lines: list[tuple[int, str]], word: str) -> int | None:
    """The first line with a word, outside of comments."""
    whole = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])")
    return next((number for number, line in lines if whole.search(line.partition("#")[0])), None)
