"""``contienda warm``: compiles and unpacks in advance what people ask for first."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import suppress
from typing import Annotated

import typer
from rich.console import Console

from contienda.cli.typer_texts import Command
from contienda.core.language import BadInput, say
from contienda.core.language import number as number_text

__all__ = ["compile_behind", "warming"]

warming = typer.Typer()

#: Besides a game's own player, those that take longest to compile or to load, for the games that they play.
_SLOW_TO_START = ("champion", "solver")
#: Low priority: other programs must not slow down.
_NICE = 10


@warming.command(
    cls=Command,
    help=say("Compile the usual players in advance, so that their first answer comes at once."),
)
def warm(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME", help=say("the games (default: all)")),
    ] = None,
    player: Annotated[
        list[str] | None,
        typer.Option("--player", metavar="SPEC", help=say("the players (default: the usual ones)")),
    ] = None,
    background: Annotated[
        bool, typer.Option("--background", help=say("with low priority, and only if no other process does the same"))
    ] = False,
) -> None:
    from contienda.games import game_types, make_game
    from contienda.players import make_player

    if background and not _alone():
        return
    console = Console(quiet=background)
    named = games or [name for name, game in game_types().items() if not game.takes_text]
    tasks = [
        (game, spec)
        for game in map(make_game, named)
        for spec in player or dict.fromkeys((game.default_player, *_SLOW_TO_START))
    ]
    begun = time.perf_counter()
    done = 0
    for number, (game, spec) in enumerate(tasks, 1):
        try:
            made = make_player(spec, game)
        except BadInput:
            if player:
                raise
            continue  # the player does not support this game
        place = f"{number}/{len(tasks)}  {game.spec}  {spec}"
        console.print(f"{place} …", end="\r" if console.is_terminal else "\n", highlight=False, markup=False)
        seconds = made.compile()
        done += 1
        console.print(f"{place}: {number_text(seconds, ',.1f')} s", highlight=False, markup=False)
    seconds = time.perf_counter() - begun
    console.print(say("{done} players ready in {seconds:,.1f} s", done=done, seconds=seconds), highlight=False)


def _alone() -> bool:
    """Lower this process's priority; return whether no other process compiles in the background."""
    from contienda.compiled.kept_files import kept_folder

    folder = kept_folder()
    if folder is None or not hasattr(os, "nice"):
        return False
    os.nice(_NICE)
    import fcntl

    lock = (folder.parent / "warming.lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    _held.append(lock)  # held until the process ends
    return True


_held: list[object] = []


def compile_behind(game: str, player: str) -> None:
    """Compile a player in a process of its own, of low priority, in the background: its next answer is faster.

    Only for a person at a terminal: a script leaves no process behind.
    """
    if not sys.stdout.isatty():
        return
    command = [sys.executable, "-m", "contienda", "warm", game, "--player", player, "--background"]
    nowhere = subprocess.DEVNULL
    with suppress(OSError):
        subprocess.Popen(command, stdin=nowhere, stdout=nowhere, stderr=nowhere, start_new_session=True, close_fds=True)
