"""``contienda play``: plays many games, or shows one move by move."""

from __future__ import annotations

import os
import secrets
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from contienda.cli.by_hand import play_by_keys, takes_arrows
from contienda.cli.draw import draw_board, live_board
from contienda.cli.files import file_to_write, folder_to_write
from contienda.cli.keys import single_keys
from contienda.cli.report import in_a_line, make_report, running_mean
from contienda.compiled.stopping import Stop, in_time
from contienda.core.files import write_atomically
from contienda.core.game import MIN, Game, State
from contienda.core.language import BadInput, plural, say
from contienda.games import make_game
from contienda.lab.openings import PairedMatch
from contienda.match import Match, Played, play_games
from contienda.players import make_player
from contienda.players.base import Player, Seat
from contienda.players.simple import HumanPlayer
from contienda.record import save_game, statistics

__all__ = ["PlayOrder", "cores", "keep_statistics", "run_play", "tell_plain"]


@dataclass
class PlayOrder:
    """The user's options."""

    game: str
    player: str | None
    opponent: str | None
    seed: int | None
    games: int
    target: int | None
    threads: int | None
    save: Path | None
    stats: Path | None
    watch: bool
    speed: float
    opening: int | None = None
    """Random moves at the start of each game, which is then played from both sides; None: if games would repeat."""


class Finished(NamedTuple):
    """The report and the games of an order."""

    report: dict[str, Any]
    """See `contienda.cli.report`."""
    games: list[Played]


def run_play(order: PlayOrder, console: Console) -> Finished:
    """Play, show and save the games."""
    if order.save is not None:
        file_to_write(order.save) if order.save.suffix == ".json" else folder_to_write(order.save)
    if order.stats is not None:
        file_to_write(order.stats)
    game = make_game(order.game)
    players = _players(order, game if order.target is None else game.until(order.target))
    if not console.stderr:  # not beside JSON output
        tell_plain(game)
    stop = Stop()
    human = any(isinstance(player, HumanPlayer) for player in players)
    if human:
        _seat_people(players, console, stop)
    seed = secrets.randbits(32) if order.seed is None else order.seed
    opening = 0 if order.watch or human or (order.games == 1 and order.opening is None) else order.opening
    match = PairedMatch(game, players, order.target, opening, seed)
    if order.stats is not None or order.games > 1:  # times are measured
        match.compile()
    finished: list[Played] = []
    begun = time.perf_counter()
    try:
        if order.watch or human:
            _one_by_one(order, match, seed, console, finished, stop, human)
        else:
            _in_bulk(order, match, seed, console, finished, stop)
    except KeyboardInterrupt:
        console.print(
            say("stopped: {count} of {games} games finished", count=len(finished), games=order.games),
            style="yellow",
        )
        if not finished:
            raise
    wall = time.perf_counter() - begun
    finished.sort(key=lambda played: (played.seed - seed) % 2**64)
    return Finished(make_report(match, finished, wall), finished)


def keep_statistics(order: PlayOrder, finished: list[Played]) -> None:
    """Write the file of ``--stats``, if there is one."""
    if order.stats is not None:
        write_atomically(order.stats, "\n".join(statistics(played) for played in finished))


def _players(order: PlayOrder, game: Game) -> list[Player]:
    specs = [game.default_player if spec is None else spec for spec in (order.player, order.opponent)]
    if MIN not in game.kinds:
        if order.opponent is not None:
            raise BadInput("{name} has no second player", name=game.name)
        specs.pop()
    return [make_player(spec, game) for spec in specs]


def tell_plain(game: Game) -> None:
    """Print how a game in plain Python can be made faster, if a person reads it."""
    if not game.compiled:
        from contienda.games.plain_wrapped import FASTER

        print(str(FASTER).format(game=game.name), file=sys.stderr)


def _in_bulk(
    order: PlayOrder, match: PairedMatch, seed: int, console: Console, finished: list[Played], stop: Stop
) -> None:
    """Play many games on all cores, printing each as it ends, with a bar for the progress and the time left."""
    threads = min(order.threads or cores(), order.games)
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[mean]}"),
    )
    aside = Console(stderr=True)
    unseen = order.games == 1 or not aside.is_terminal
    with Progress(*columns, console=aside, transient=True, disable=unseen) as progress:
        task = progress.add_task(match.players[0].spec, total=order.games, mean="")
        seeds = ((seed + i) % 2**64 for i in range(order.games))

        def play_all() -> None:
            try:
                for played in play_games(match, seeds, threads=threads, stop=stop):
                    if played.ended != "stopped":
                        _keep(order, played, finished)
                        finished.append(played)
                        progress.update(task, advance=1, mean=running_mean(finished, match))
                        if order.games > 1 and not console.stderr:
                            line = in_a_line(played, len(finished), order.games, match)
                            console.print(line, highlight=False)
            finally:
                stop.stop()  # the other games too, if this one could not be saved

        in_time(play_all, stop)  # in its own thread: Ctrl-C cannot interrupt the saving of a finished game


def _one_by_one(
    order: PlayOrder, match: PairedMatch, seed: int, console: Console, finished: list[Played], stop: Stop, human: bool
) -> None:
    """Play games with people, or for people to watch."""
    for i in range(order.games):
        game_seed = (seed + i) % 2**64
        if human:
            played = _by_hand(match, game_seed, console, stop)
            if played.ended == "stopped":
                _keep(order, played, finished)
                raise KeyboardInterrupt
        else:
            with live_board(console) as live:
                show = _at_speed(order.speed, match.game, live)
                played = in_time(partial(match.play, game_seed, stop=stop, watch=show), stop)
        _keep(order, played, finished)
        finished.append(played)
        if order.games > 1 and not console.stderr:
            console.print(in_a_line(played, len(finished), order.games, match), highlight=False)


def _by_hand(match: Match, seed: int, console: Console, stop: Stop) -> Played:
    """Play a game with a person: by keys if possible, otherwise by typed moves."""
    if takes_arrows(match, console):
        with single_keys() as read:
            return play_by_keys(match, seed, console, read)
    played = match.play(seed, stop=stop)
    console.print(draw_board(match.game, played.state))
    return played


def _at_speed(speed: float, game: Game, live: Live) -> Callable[[Played], None]:
    """Return a function that shows each position, at most ``speed`` of them per second."""
    due = time.monotonic()

    def show(played: Played) -> None:
        nonlocal due
        live.update(draw_board(game, played.state), refresh=True)
        due = max(due + 1 / speed, time.monotonic())
        time.sleep(max(0.0, due - time.monotonic()))

    return show


def _seat_people(players: list[Player], console: Console, stop: Stop) -> None:
    """Ask people for their moves, and let other players search in a thread, so that Ctrl-C always works."""
    for player in players:
        if isinstance(player, HumanPlayer):
            player.ask = partial(_ask, console, stop)
        else:
            player.choose = partial(_choose_in_time, player.choose, stop)


def _choose_in_time(choose: Callable[[State, Seat], int], stop: Stop, state: State, seat: Seat) -> int:
    return in_time(partial(choose, state, seat), stop)


def _ask(console: Console, stop: Stop, game: Game, state: State) -> int:
    """Ask a person for a move, again if it is not valid. Ctrl-C, or the end of the input, ends the game."""
    legal = game.legal_actions(state)
    if not legal:
        return -1
    console.print(draw_board(game, state))
    names = " ".join(game.action_name(state, action) for action in legal)
    while True:
        try:
            typed = console.input(f"{say('your move')} [dim]({names})[/]: ").strip()
        except (EOFError, KeyboardInterrupt):
            stop.stop()
            return -1
        try:
            action = game.action_number(state, typed)
        except BadInput as error:
            console.print(str(error), style="red", markup=False)
            continue
        if action in legal:
            return action
        console.print(say("{typed} is not possible here", typed=typed), style="red", markup=False)


def _keep(order: PlayOrder, played: Played, finished: list[Played]) -> None:
    if order.save is None:
        return
    try:
        save_game(played, _file_of(order.save, order.games, played))
    except BadInput as error:
        count = len(finished)
        told = plural(
            "{error}; this game is lost, and {n} finished before it is in {save}",
            "{error}; this game is lost, and {n:,} finished before it are in {save}",
            count,
            error=error,
            save=order.save,
        )
        raise BadInput(told) from None


def _file_of(save: Path, games: int, played: Played) -> Path:
    """Return the file for a game: the user's FILE.json, with the seed if there are several; or one in the folder."""
    if save.suffix == ".json":
        return save if games == 1 else save.with_name(f"{save.stem}-{played.seed}.json")
    name = played.game.name.rpartition(":")[2]  # the class name of ./nim.py:Nim
    return save / f"{name}-{played.seed}.json"


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
