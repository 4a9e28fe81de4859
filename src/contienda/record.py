"""The saved game: one readable JSON file with the game, its players, its luck and every move.

    {"format": "contienda game", "version": 1, "game": "2048", "players": ["greedy"], "seed": 7, "target": null,
     "saved": "2026-01-31T12:00:00+00:00", "start": "0 0 2 0/…", "score": 0, "ended": "over",
     "result": {"score": 1012, "max_tile": 128, "moves": 104, "won": false},
     "ms": [0.02, …],
     "moves": ["left 2@r1c2", "up 4@r3c3", …]}

A move is written with what chance made of it. Reading a file plays it through again and says at which move it is wrong.
"""

from __future__ import annotations

import errno
import json
import os
import secrets
import stat
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from contienda.core import CHANCE, MIN, Game, State
from contienda.games import make_game
from contienda.language import BadInput
from contienda.match import Played

__all__ = [
    "WINNING_TILE",
    "check_writable",
    "game_as_text",
    "game_from_text",
    "load_game",
    "make_folder",
    "result_of",
    "save_game",
    "states_of",
    "statistics",
    "write_atomically",
]

FORMAT = "contienda game"
VERSION = 1

#: A tile that counts as won when no target says otherwise.
WINNING_TILE = 2048

#: The longest 2048 game that can be has some 130,000 moves; a larger file is not a game.
_LARGEST_FILE = 64 * 1024 * 1024


def result_of(played: Played) -> dict[str, Any]:
    """How a game ended, for files and reports: its score or winner, its moves, whether it was won."""
    outcome = played.game.outcome(played.state)
    if "max_tile" in outcome:
        won = outcome["max_tile"] >= (played.target or WINNING_TILE)
        return outcome | {"moves": played.moves, "won": won}
    return outcome | {"moves": played.moves}


def states_of(played: Played) -> Iterator[State]:
    """Every state from the start to the end, before and after each action."""
    state = played.start
    yield state
    for action in played.actions:
        state = played.game.apply(state, action)
        yield state


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


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a whole file or none: first beside it, then in its place."""
    data = content.encode() if isinstance(content, str) else content
    make_folder(path.parent)
    try:
        _refuse_no_file(path)
        place = path.resolve()  # what a link points to, not the link
        beside = place.with_name(f".{place.name}-{secrets.token_hex(4)}")
        try:
            with beside.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(place)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise _cannot_write(path, error) from None


def make_folder(folder: Path) -> None:
    """Make a folder for files to come, if it can be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise _cannot_write(folder, error) from None


def check_writable(path: Path) -> None:
    """Say now, and not after an hour of play, that a file cannot be written."""
    make_folder(path.parent)
    try:
        _refuse_no_file(path)
    except OSError as error:
        raise _cannot_write(path, error) from None


def _refuse_no_file(path: Path) -> None:
    """Devices, pipes and sockets keep nothing, and putting a file in their place would be the end of them."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISREG(mode):
        raise BadInput(f"cannot write {path}: it is not a file", f"no se puede escribir {path}: no es un archivo")


def _cannot_write(path: Path, error: OSError) -> BadInput:
    return BadInput(f"cannot write {path}: {error.strerror}", f"no se puede escribir {path}: {error.strerror}")


def statistics(played: Played) -> str:
    """The statistics file of uc3m: the milliseconds of each turn, then the totals, one to a line."""
    result = result_of(played)
    milliseconds = [seconds * 1000 for seconds in played.move_seconds]
    mean = sum(milliseconds) / len(milliseconds) if milliseconds else 0.0
    lines = [f"turn {turn} {ms:.4f}" for turn, ms in enumerate(milliseconds, start=1)]
    lines += [f"total_ms {sum(milliseconds):.4f}", f"moves {played.moves}", f"mean_ms {mean:.4f}"]
    lines += [
        f"score {result.get('score', 0)}",
        f"won {'yes' if result.get('won', result.get('winner') == 1) else 'no'}",
    ]
    return "\n".join(lines) + "\n"


# --- Reading ---------------------------------------------------------------------------------------------------------


def load_game(path: Path) -> Played:
    """Read a saved game and play it through; `BadInput` says what is wrong and at which move."""
    return game_from_text(_read(path), str(path))


def game_from_text(text: str, path: str) -> Played:
    """The game in the text of a file, whose name is for messages."""
    data = _data(text, path)
    try:
        game = make_game(data["game"], data["start"])
        if data["target"] is not None:
            game.until(data["target"])
        sides = 2 if MIN in game.kinds else 1
        if len(data["players"]) != sides:
            raise BadInput(f"it must name {sides} of 'players'", f"debe nombrar {sides} en 'players'")
        start = game.parse_scored(data["start"], data["score"])
        played = Played(game, data["players"], data["seed"], data["target"], start, start, ended=data["ended"])
        played = _replay(played, data["moves"], data["ms"])
        _check_end(played, data["result"])
    except BadInput as error:
        raise BadInput(f"{path}: {error.text.en}", f"{path}: {error.text.es}") from None
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
                    raise BadInput("the game had ended before it", "la partida había acabado antes")
                made += game.rules.turn(state) != CHANCE
                action = game.action_number(state, word)
                state = game.apply(state, action)
                actions.append(action)
            if made != 1 and len(moves) > 1:  # a game may be luck alone
                raise BadInput(f"{move!r} is not one move", f"{move!r} no es una jugada")
        except BadInput as error:
            raise BadInput(f"move {number}: {error.text.en}", f"jugada {number}: {error.text.es}") from None
        total += made
    if len(ms) != total:
        raise BadInput(f"{total} moves and {len(ms)} times", f"{total} jugadas y {len(ms)} tiempos")
    return replace(played, state=state, actions=actions, move_seconds=[value / 1000 for value in ms])


def _check_end(played: Played, result: dict[str, Any]) -> None:
    """What a file says of the end must be what its moves lead to."""
    found = result_of(played)
    if result != found:
        raise BadInput(
            f"its moves lead to {found}, and it says {result}", f"sus jugadas llevan a {found}, y dice {result}"
        )
    ending = _ending(played.game, played.state, played.target)
    if played.ended != ending:
        raise BadInput(
            f"its moves lead to 'ended': '{ending}', and it says '{played.ended}'",
            f"sus jugadas llevan a 'ended': '{ending}', y dice '{played.ended}'",
        )


def _ending(game: Game, state: State, target: int | None) -> str:
    """Why a game ends at a state, as `Played.ended` says it."""
    if _reached(game, state, target):
        return "target"
    return "stopped" if game.legal_actions(state) else "over"


def _reached(game: Game, state: State, target: int | None) -> bool:
    return target is not None and game.outcome(state)["max_tile"] >= target


def _read(path: Path) -> str:
    """The text of a file that may be a saved game."""
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):  # a device may have no end
            raise BadInput(f"{path} is not a file", f"{path} no es un archivo")
        if path.stat().st_size > _LARGEST_FILE:
            raise BadInput(
                f"{path} is too large for a saved game", f"{path} es demasiado grande para una partida guardada"
            )
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror}", f"no se puede leer {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise _no_text(str(path)) from None


def _no_text(path: str) -> BadInput:
    return BadInput(
        f"{path} is not a saved game: it is not text that makes sense",
        f"{path} no es una partida guardada: no es texto con sentido",
    )


def _data(text: str, path: str) -> dict[str, Any]:
    """The JSON object in a file, with every key there and of its kind."""
    try:
        data = json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise BadInput(
            f"{path} is not a whole saved game: line {error.lineno}, column {error.colno}: {error.msg}",
            f"{path} no es una partida guardada completa: línea {error.lineno}, columna {error.colno}",
        ) from None
    except (ValueError, RecursionError):  # numbers of thousands of digits, brackets without end
        raise _no_text(path) from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise BadInput(f"{path} is not a saved game of Contienda", f"{path} no es una partida guardada de Contienda")
    version = data.get("version")
    if not (_is_int(version) and version == VERSION):
        raise BadInput(
            f"{path} is of version {json.dumps(version):.20}; this Contienda reads version {VERSION}",
            f"{path} es de la versión {json.dumps(version):.20}; este Contienda lee la versión {VERSION}",
        )
    for key, fits in _SHAPE.items():
        if key not in data or not fits(data[key]):
            raise BadInput(
                f"{path}: {key!r} is missing or not what it should be", f"{path}: {key!r} falta o no es lo que debería"
            )
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
    "ended": lambda value: value in ("over", "target", "stopped"),
    "result": lambda value: isinstance(value, dict),
    "ms": _is_list_of(_is_ms),
    "moves": _is_list_of(_is_text),
}
