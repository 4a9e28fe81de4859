"""``contienda check``: checks a saved game move by move, the rules of a game by random play, or an evaluator."""

from __future__ import annotations

from pathlib import Path

import typer

from contienda.compiled.stopping import Stop, in_time
from contienda.core.extensions import is_place
from contienda.core.language import BadInput, say
from contienda.core.specs import parse_spec
from contienda.games import game_types, make_game
from contienda.games.check import faults_of
from contienda.players.check import player_faults
from contienda.players.options import split_weights
from contienda.record import load_game, result_of

__all__ = ["check_heuristic", "check_played", "check_rules", "names_a_game"]

#: Random games, and the seconds that they may take, compilation included: more means an endless loop.
_GAMES, _SECONDS = 20, 60.0


def names_a_game(text: str) -> bool:
    """Whether the text names a game, not a saved file."""
    if Path(text).exists():
        return False
    try:
        name = parse_spec(text).name
    except BadInput:
        return False
    return is_place(name) or name in game_types()


def check_played(file: Path) -> None:
    """Check all moves of a saved game, and print how it ended."""
    played = load_game(file)
    result = ", ".join(f"{key} {value}" for key, value in result_of(played).items())
    print(say("{file}: a valid game of {spec}: {result}", file=file, spec=played.game.spec, result=result))


def check_heuristic(spec: str, game_spec: str) -> None:
    """Print the faults of an evaluator, and possible ones; the exit code is 1 if there is a fault."""
    from contienda.evaluation.checking import check_evaluator

    name, weights = split_weights(spec)
    game = make_game(game_spec)
    try:
        report = in_time(lambda: check_evaluator(name, game, weights), Stop(), _SECONDS)
    except BadInput as error:
        print(error)
        raise typer.Exit(1) from None
    for text in (*report.faults, *report.remarks):
        print(text)
    if report.faults:
        raise typer.Exit(1)
    print(
        say(
            "{name}: no faults on {positions:,} positions of {game}",
            name=spec,
            positions=report.positions,
            game=game.spec,
        )
    )


def check_rules(spec: str) -> None:
    """Print the faults of a game's rules, one per line; the exit code is then 1."""
    game = make_game(spec)
    try:
        faults = in_time(lambda: [fault.text for fault in faults_of(game, _GAMES)], Stop(), _SECONDS)
    except BadInput:
        raise BadInput(
            "{spec}: {games} random games did not end within {seconds:,g} s. Does one of its methods loop forever?",
            spec=spec,
            games=_GAMES,
            seconds=_SECONDS,
        ) from None
    faults += player_faults(game, faults)
    for fault in faults:
        print(f"{spec}: {' '.join(str(fault).split())}")
    if faults:
        raise typer.Exit(1)
    print(say("{spec}: no faults in {games} random games", spec=spec, games=_GAMES))
