"""The saved game: one readable JSON file with the game, its players, its luck and every move.

    {"format": "contienda game", "version": 1, "game": "2048", "players": ["greedy"], "seed": 7, "target": null,
     "saved": "2026-01-31T12:00:00+00:00", "start": "0 0 2 0/…", "score": 0, "ended": "over",
     "result": {"score": 1012, "max_tile": 128, "moves": 104, "won": false},
     "ms": [0.02, …],
     "moves": ["left 2@r1c2", "up 4@r3c3", …]}

A game that a player lost by rule has "ended": "forfeit", and says who and why:
"fault": {"player": 2, "en": "no bestmove within 2 s", "es": …}.

A move is written with what chance made of it. Reading a file plays it through again and says at which move it is wrong.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from contienda.core.files import write_atomically
from contienda.core.game import CHANCE, MIN, Game, State
from contienda.core.language import BadInput, Text, say
from contienda.games import make_game
from contienda.match import Fault, Played
from contienda.players.paths.base import Solution

__all__ = [
    "game_as_text",
    "game_from_text",
    "load_game",
    "load_games",
    "path_as_game",
    "result_of",
    "save_game",
    "states_of",
    "statistics",
    "totals",
]

FORMAT = "contienda game"
VERSION = 1

#: The longest 2048 game that can be has some 130,000 moves; a larger file is not a game.
_LARGEST_FILE = 64 * 1024 * 1024


def result_of(played: Played) -> dict[str, Any]:
    """How a game ended, for files and reports: its score or winner, its moves, whether it was won."""
    outcome = played.game.outcome(played.state)
    if played.fault is not None and "winner" in outcome:  # the player who broke a rule has lost
        outcome |= {"winner": 2 - played.fault.side}
    target = played.target or played.game.default_target
    reached = target is not None and played.game.reached(played.state, target)
    won = {"won": reached} if played.game.targets else {}
    return outcome | {"moves": played.moves} | won


def states_of(played: Played) -> Iterator[State]:
    """Every state from the start to the end, before and after each action."""
    state = played.start
    yield state
    for action in played.actions:
        state = played.game.apply(state, action)
        yield state


def path_as_game(solution: Solution) -> Played:
    """A path that was found, as the game in which its moves were made."""
    problem = solution.problem
    actions, state = problem.as_game(solution.path)
    assert problem.game is not None  # `as_game` refuses a problem that is no game
    ended = "target" if solution.found else _ending(problem.game, state, None)
    seconds = [solution.seconds / max(solution.steps, 1)] * solution.steps
    start, seed = problem.begin, problem.seed or 0
    return Played(
        problem.game, [solution.solver], seed, problem.target, start, state, actions, seconds, solution.states, ended
    )


# --- Writing ---------------------------------------------------------------------------------------------------------


def save_game(played: Played, path: Path) -> None:
    """Write a game down, from any moment of it; a crash leaves the old file or the new one, never half of one."""
    write_atomically(path, game_as_text(played))


def game_as_text(played: Played) -> str:
    """A saved game, as its file has it."""
    head = {
        "format": FORMAT,
        "version": VERSION,
        "game": played.game.spec,
        "players": played.players,
        "seed": played.seed,
        "target": played.target,
        "saved": datetime.now(UTC).isoformat(timespec="seconds"),
        "start": played.game.format(played.start),
        "score": played.game.outcome(played.start).get("score", 0),
        "ended": played.ended,
        "result": result_of(played),
        "ms": [round(seconds * 1000, 4) for seconds in played.move_seconds],
    }
    if played.fault is not None:
        reason = {language: played.fault.reason.into(language) for language in ("en", "es")}
        head["fault"] = {"player": played.fault.side + 1} | reason
    lines = [f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in head.items()]
    moves = ",\n  ".join(json.dumps(move) for move in _moves_as_text(played))
    return "{" + ",\n ".join(lines) + ',\n "moves": [\n  ' + moves + "]}\n"


def _moves_as_text(played: Played) -> list[str]:
    """Each move with what chance made of it; what chance did before the first move stands before that."""
    moves: list[str] = []
    moved = False
    for state, action in zip(states_of(played), played.actions, strict=False):
        name = played.game.action_name(state, action)
        chance = played.game.rules.turn(state) == CHANCE
        if moves and (chance or not moved):
            moves[-1] += f" {name}"
        else:
            moves.append(name)
        moved = moved or not chance
    return moves


def statistics(played: Played) -> str:
    """The statistics file of uc3m: the milliseconds of each turn, then the totals, one to a line."""
    turns = [f"{say('turn')} {turn} {seconds * 1000:.4f}" for turn, seconds in enumerate(played.move_seconds, start=1)]
    return "\n".join([*turns, *totals(played)]) + "\n"


def totals(played: Played) -> list[str]:
    """The report of uc3m on a game: total time, moves, time per move, score, won or not."""
    result = result_of(played)
    won = result.get("won", result.get("winner") == 1)
    return [
        f"{say('total_ms')} {played.seconds * 1000:.4f}",
        f"{say('moves')} {played.moves}",
        f"{say('mean_ms')} {played.seconds * 1000 / max(played.moves, 1):.4f}",
        f"{say('score')} {result.get('score', 0)}",
        f"{say('won?')} {say('yes') if won else say('no')}",
    ]


# --- Reading ---------------------------------------------------------------------------------------------------------


def load_game(path: Path) -> Played:
    """Read a saved game and play it through; `BadInput` says what is wrong and at which move."""
    return game_from_text(_read(path), str(path))


def load_games(folder: Path) -> list[Played]:
    """Every saved game in a folder, by name; `BadInput` says which file is none, or that there are none."""
    if not folder.is_dir():
        raise BadInput("{folder} is not a folder", folder=folder)
    files = sorted(folder.glob("*.json"))
    if not files:
        raise BadInput("there are no saved games in {folder}: contienda play --save writes them", folder=folder)
    return [load_game(file) for file in files]


def game_from_text(text: str, path: str, make: Callable[[str, str], Game] = make_game) -> Played:
    """The game in the text of a file, whose name is for messages.

    ``make(spec, start)`` gives its rules. A program that reads untrusted files must not run a file that they name.
    """
    data = _data(text, path)
    try:
        game = make(data["game"], data["start"])
        if data["target"] is not None:
            game.until(data["target"])
        sides = 2 if MIN in game.kinds else 1
        if len(data["players"]) != sides:
            raise BadInput("it must name {sides} of 'players'", sides=sides)
        start = game.parse_scored(data["start"], data["score"])
        played = Played(game, data["players"], data["seed"], data["target"], start, start, ended=data["ended"])
        played.fault = _read_fault(data, sides)
        played = _replay(played, data["moves"], data["ms"])
        _check_end(played, data["result"])
    except BadInput as error:
        raise BadInput("{path}: {error}", path=path, error=error) from None
    return played


def _replay(played: Played, moves: list[str], ms: list[float]) -> Played:
    """Play the moves of a file, each checked."""
    game, state, actions = played.game, played.start, []
    total = 0
    for number, move in enumerate(moves, start=1):
        made = 0
        try:
            for word in move.split():
                if game.rules.over(state) or _reached(game, state, played.target):
                    raise BadInput("the game had ended before it")
                made += game.rules.turn(state) != CHANCE
                action = game.action_number(state, word)
                state = game.apply(state, action)
                actions.append(action)
            if made != 1 and len(moves) > 1:  # a game may be luck alone
                raise BadInput("{move!r} is not one move", move=move)
        except BadInput as error:
            raise BadInput("move {number}: {error}", number=number, error=error) from None
        total += made
    if len(ms) != total:
        raise BadInput("{total} moves and {count} times", total=total, count=len(ms))
    return replace(played, state=state, actions=actions, move_seconds=[value / 1000 for value in ms])


def _check_end(played: Played, result: dict[str, Any]) -> None:
    """What a file says of the end must be what its moves lead to."""
    found = result_of(played)
    if result != found:
        raise BadInput("its moves lead to {found}, but it says {result}", found=found, result=result)
    ending = _ending(played.game, played.state, played.target)
    if played.fault is not None and ending == "stopped":
        ending = "forfeit"
    if played.ended != ending:
        raise BadInput(
            "its moves lead to 'ended': '{ending}', but it says '{ended}'", ending=ending, ended=played.ended
        )


def _read_fault(data: dict[str, Any], sides: int) -> Fault | None:
    """Who lost by rule, and why, if the file says so."""
    fault = data.get("fault")
    if fault is None and data["ended"] != "forfeit":
        return None
    if (
        not isinstance(fault, dict)
        or data["ended"] != "forfeit"
        or not (_is_int(fault.get("player")) and 1 <= fault["player"] <= sides)
        or not all(_is_text(fault.get(language)) for language in ("en", "es"))
    ):
        raise BadInput("{key!r} is missing or not what it should be", key="fault")
    return Fault(fault["player"] - 1, Text.rendered({key: fault[key] for key in ("en", "es")}))


def _ending(game: Game, state: State, target: int | None) -> str:
    """Why a game ends at a state, as `Played.ended` says it."""
    if _reached(game, state, target):
        return "target"
    return "stopped" if game.legal_actions(state) else "over"


def _reached(game: Game, state: State, target: int | None) -> bool:
    return target is not None and game.reached(state, target)


def _read(path: Path) -> str:
    """The text of a file that may be a saved game."""
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):  # a device may have no end
            raise BadInput("{path} is not a file", path=path)
        if path.stat().st_size > _LARGEST_FILE:
            raise BadInput("{path} is too large for a saved game", path=path)
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise BadInput("cannot read {path}: {strerror}", path=path, strerror=error.strerror) from None
    except UnicodeDecodeError:
        raise _no_text(str(path)) from None


def _no_text(path: str) -> BadInput:
    return BadInput("{path} is not a saved game: it is not valid text", path=path)


def _data(text: str, path: str) -> dict[str, Any]:
    """The JSON object in a file, with every key there and of its kind."""
    try:
        data = json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise BadInput(
            "{path} is not a whole saved game: line {lineno}, column {colno}: {msg}",
            path=path,
            lineno=error.lineno,
            colno=error.colno,
            msg=error.msg,
        ) from None
    except (ValueError, RecursionError):  # numbers of thousands of digits, brackets without end
        raise _no_text(path) from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise BadInput("{path} is not a saved game of Contienda", path=path)
    version = data.get("version")
    if not (_is_int(version) and version == VERSION):
        raise BadInput(
            "{path} has format version {dumps:.20}; this Contienda reads version {version}",
            path=path,
            dumps=json.dumps(version),
            version=VERSION,
        )
    for key, fits in _SHAPE.items():
        if key not in data or not fits(data[key]):
            raise BadInput("{path}: {key!r} is missing or not valid", path=path, key=key)
    return data


def _no_constant(name: str) -> None:
    """NaN and infinities, which Python reads and JSON does not know."""
    raise ValueError(name)


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_text(value: Any) -> bool:
    # Half a pair of UTF-16, which JSON can write as \ud800, is no character: no file and no screen takes it.
    return isinstance(value, str) and not any("\ud800" <= character <= "\udfff" for character in value)


def _is_ms(value: Any) -> bool:
    return (_is_int(value) or isinstance(value, float)) and 0 <= value < 1e15


def _is_list_of(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(fits, value))


_SHAPE: dict[str, Callable[[Any], bool]] = {
    "game": _is_text,
    "players": _is_list_of(_is_text),
    "seed": _is_int,
    "target": lambda value: value is None or _is_int(value),
    "start": _is_text,
    "score": _is_int,
    "ended": lambda value: value in ("over", "target", "stopped", "forfeit"),
    "result": lambda value: isinstance(value, dict),
    "ms": _is_list_of(_is_ms),
    "moves": _is_list_of(_is_text),
}
