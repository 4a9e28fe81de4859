"""A plan as a TOML file; errors come with their line.

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
import json
import math
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

from contienda.core.language import BadInput, Text
from contienda.core.specs import Spec, parse_spec
from contienda.lab.plan import Plan, WrongPlan

__all__ = ["EXAMPLE", "MOST_PLAYERS", "WrongLine", "load_plan", "plan_as_toml", "plan_from_toml"]

#: Players in one plan: a grid of many lists is soon larger than intended.
MOST_PLAYERS = 10_000

#: Bytes of a plan: 10,000 players take less.
_LONGEST = 10_000_000

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


class WrongLine(BadInput):
    """An error in a plan, with the line of its text."""

    def __init__(self, line: int, text: Text) -> None:
        super().__init__("line {line}: {text}", line=line, text=text)
        self.line = line


class _Kind(NamedTuple):
    """What a key takes."""

    type: type | tuple[type, ...]
    name: Text


_TEXT = _Kind(str, Text("a text in quotes"))
_WHOLE = _Kind(int, Text("a whole number"))
_SHARE = _Kind((int, float), Text("a share, such as 0.05"))
_LIST = _Kind(list, Text("a list of specs in quotes"))
_SWITCH = _Kind(bool, Text("true or false"))
_TABLES = _Kind(list, Text("written with two brackets, [[grid]]"))

_KEYS = {
    "name": _TEXT, "game": _TEXT, "games": _WHOLE, "interval": _SHARE, "test": _TEXT, "most": _WHOLE, "seed": _WHOLE,
    "target": _WHOLE, "players": _LIST, "opponents": _LIST, "sides": _TEXT, "opening": _WHOLE, "turns": _SWITCH,
    "paths": _SWITCH, "grid": _TABLES,
}  # fmt: skip


def load_plan(path: Path) -> Plan:
    """Return the plan in a file."""
    try:
        if path.exists() and path.stat().st_size > _LONGEST:
            raise BadInput("{path} is too large for a plan", path=path)
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadInput("cannot read {path}: {strerror}", path=path, strerror=error.strerror) from None
    except UnicodeDecodeError:
        raise BadInput("{path} is not text", path=path) from None
    try:
        return plan_from_toml(text, path.stem)
    except BadInput as error:
        raise BadInput("{path}: {error}", path=path, error=error) from None


def plan_from_toml(
    text: str,
    name: str,
    resolve: Callable[[Mapping[str, Any], str], str] | None = None,
    check: Callable[[Plan], None] = lambda plan: None,
) -> Plan:
    """Return the plan in a text; ``name`` is used if it has none.

    Every player is created once, to check that it can play. ``resolve(data, spec)`` returns the spec to play instead,
    before any player is created. It may refuse a player, and ``check(plan)`` the whole plan, with a `WrongPlan`, which
    gets its line here.
    """
    data = _parse(text)
    grids: dict[str, int] = {}
    written: dict[str, str] = {}
    try:
        _check_keys(data)
        players: list[str] = list(data.pop("players", ()))
        for number, grid in enumerate(data.pop("grid", ())):
            grids |= dict.fromkeys(_spread(grid, MOST_PLAYERS - len(grids)), number)
        players += [spec for spec in grids if spec not in players]
        for key, specs in (("players", players), ("opponents", data.get("opponents", ()))):
            data[key] = tuple(_resolved(data, spec, resolve, written) for spec in specs)
        plan = Plan(**{"name": name} | data)
        check(plan)
        plan = plan.with_usual_opening(data)
        plan.check()
        return plan
    except WrongPlan as error:
        error.about = written.get(error.about, error.about)
        line = _line_of(text, error, grids.get(error.about))
        if line is None:
            raise
        raise WrongLine(line, error.text) from None


def _parse(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise BadInput("it is not TOML: brackets within brackets") from None
    except ValueError as error:  # of TOML, or of a number with thousands of digits
        told = Text("it is not TOML: {error}", error=error)
        place = re.search(r"at line (\d+)", str(error))
        raise WrongLine(int(place[1]), told) if place else BadInput(told) from None


def _resolved(
    data: Mapping[str, Any],
    spec: str,
    resolve: Callable[[Mapping[str, Any], str], str] | None,
    written: dict[str, str],
) -> str:
    """Return the spec to play; ``written`` remembers how the file wrote it."""
    if resolve is None:
        return spec
    try:
        found = resolve(data, spec)
    except WrongPlan:
        raise
    except BadInput as error:
        raise WrongPlan(spec, error.text) from None
    written[found] = spec
    return found


def plan_as_toml(plan: Plan) -> str:
    """Return the text of a file that describes the plan."""
    written = {"seed", "sides", "opening"} if plan.opponents else {"seed"}  # whatever their values
    lines = []
    for key, usual in ((field.name, field.default) for field in fields(Plan)):
        value = getattr(plan, key)
        if value == usual and key not in written:
            continue
        if isinstance(value, tuple):
            lines.append(f"{key} = [" + "".join(f"\n    {_quoted(spec)}," for spec in value) + "\n]")
        elif isinstance(value, bool):
            lines.append(f"{key} = {str(value).lower()}")
        else:
            lines.append(f"{key} = {_quoted(value) if isinstance(value, str) else value}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _check_keys(data: Mapping[str, Any]) -> None:
    """Check that a plan has only known keys, with values of the right kind."""
    for key, value in data.items():
        kind = _KEYS.get(key)
        if kind is None:
            known = ", ".join(_KEYS)
            raise WrongPlan(key, "no key {key!r}: there are {known}", key=key, known=known)
        fits = isinstance(value, kind.type) and (isinstance(value, bool) <= (kind is _SWITCH))
        if kind is _LIST:
            fits = fits and all(isinstance(spec, str) for spec in value)
        if not fits:
            raise WrongPlan(key, "{key} must be {name}", key=key, name=kind.name)
    if "game" not in data:
        raise BadInput("game is missing")


def _spread(grid: Any, most: int) -> list[str]:
    """Return every combination of a grid as specs, at most ``most``.

    >>> _spread({"player": "alphabeta", "depth": [1, 2], "eval": "uma1"}, 10)
    ['alphabeta:depth=1,eval=uma1', 'alphabeta:depth=2,eval=uma1']
    """
    if not isinstance(grid, Mapping) or "player" not in grid:
        raise WrongPlan("[[grid]]", "a [[grid]] needs a player")
    lists = {key: value if isinstance(value, list) else [value] for key, value in grid.items()}
    if math.prod(map(len, lists.values())) > most:
        raise WrongPlan("[[grid]]", "a plan has {most_players:,} players at most", most_players=MOST_PLAYERS)
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
    """Return the line of an error: that of a key, of a player, or of a value in a grid."""
    lines = list(enumerate(text.splitlines(), 1))
    if grid is None:
        return _first(lines, error.about)
    heads = [at for at, (_, line) in enumerate(lines) if line.replace(" ", "").startswith("[[grid]]")]
    section = lines[heads[grid] : heads[grid + 1] if grid + 1 < len(heads) else None]
    spec = parse_spec(error.about)
    for key, value in spec.options.items():
        if any(key in (name, quoted) for name, quoted in error.text.all_fields()):
            return _first(section, key)
        if any(quoted == value for _, quoted in error.text.all_fields()):
            return _first(section, value)
    return _first(section, spec.name)


def _first(lines: list[tuple[int, str]], word: str) -> int | None:
    """Return the first line with a word outside comments."""
    whole = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])")
    return next((number for number, line in lines if whole.search(line.partition("#")[0])), None)
