"""``contienda play``: games by the dozen, or one before one's eyes."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from contienda.cli.draw import draw_board, live_board
from contienda.cli.places import file_to_write, folder_to_write
from contienda.cli.report import make_report, running_mean
from contienda.core import MIN, Game, State
from contienda.games import make_game
from contienda.language import BadInput, say
from contienda.match import Match, Played, play_games
from contienda.players import make_player
from contienda.players.base import Player, Seat
from contienda.players.defaults import default_player
from contienda.players.simple import HumanPlayer
from contienda.record import save_game, statistics, write_atomically
from contienda.stopping import Stop, in_time

__all__ = ["PlayOrder", "cores", "keep_statistics", "run_play"]


@dataclass
class PlayOrder:
    """What the user asked for."""

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


class Finished(NamedTuple):
    """What came of an order."""

    report: dict[str, Any]
    """See `contienda.cli.report`."""
    games: list[Played]


def run_play(order: PlayOrder, console: Console) -> Finished:
    """Play, show and keep the games."""
    if order.save is not None:
        folder_to_write(order.save)
    if order.stats is not None:
        file_to_write(order.stats)
    game = make_game(order.game)
    players = _players(order, game)
    stop = Stop()
    human = any(isinstance(player, HumanPlayer) for player in players)
    if human:
        _seat_people(players, console, stop)
    match = Match(game, players, order.target)
    seed = secrets.randbits(32) if order.seed is None else order.seed
    finished: list[Played] = []
    begun = time.perf_counter()
    try:
        if order.watch or human:
            _one_by_one(order, match, seed, console, finished, stop, human)
        else:
            _in_bulk(order, match, seed, finished, stop)
    except KeyboardInterrupt:
        console.print(
            say(
                f"stopped: {len(finished)} of {order.games} games finished",
                f"parado: {len(finished)} de {order.games} partidas terminadas",
            ),
            style="yellow",
        )
        if not finished:
            raise
    wall = time.perf_counter() - begun
    finished.sort(key=lambda played: (played.seed - seed) % 2**64)
    return Finished(make_report(game, players, finished, wall), finished)


def keep_statistics(order: PlayOrder, finished: list[Played]) -> None:
    """Write the file of ``--stats``, if there is to be one."""
    if order.stats is not None:
        write_atomically(order.stats, "\n".join(statistics(played) for played in finished))


def _players(order: PlayOrder, game: Game) -> list[Player]:
    specs = [default_player(game) if spec is None else spec for spec in (order.player, order.opponent)]
    if MIN not in game.kinds:
        if order.opponent is not None:
            raise BadInput(f"{game.name} has no second player", f"{game.name} no tiene segundo jugador")
        specs.pop()
    return [make_player(spec, game) for spec in specs]


def _in_bulk(order: PlayOrder, match: Match, seed: int, finished: list[Played], stop: Stop) -> None:
    """Many games on all cores, with a bar that says how far and how long still."""
    threads = min(order.threads or cores(), order.games)
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[mean]}"),
    )
    console = Console(stderr=True)
    unseen = order.games == 1 or not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=unseen) as progress:
        task = progress.add_task(match.players[0].spec, total=order.games, mean="")
        seeds = ((seed + i) % 2**64 for i in range(order.games))

        def play_all() -> None:
            try:
                for played in play_games(match, seeds, threads=threads, stop=stop):
                    if played.ended != "stopped":
                        _keep(order, played, finished)
                        finished.append(played)
                        progress.update(task, advance=1, mean=running_mean(finished))
            finally:
                stop.stop()  # the other games, if this one could not be saved

        in_time(play_all, stop)  # in a thread of its own: Ctrl-C never falls between the end of a game and its saving


def _one_by_one(
    order: PlayOrder, match: Match, seed: int, console: Console, finished: list[Played], stop: Stop, human: bool
) -> None:
    """Games that somebody looks at, or plays."""
    match.compile()
    for i in range(order.games):
        game_seed = (seed + i) % 2**64
        if human:
            played = match.play(game_seed, stop=stop)
            console.print(draw_board(match.game, played.state))
            if stop.stopped:
                _keep(order, played, finished)
                raise KeyboardInterrupt
        else:
            with live_board(console) as live:
                show = _at_speed(order.speed, match.game, live)
                played = in_time(partial(match.play, game_seed, stop=stop, watch=show), stop)
        _keep(order, played, finished)
        finished.append(played)


def _at_speed(speed: float, game: Game, live: Live) -> Callable[[Played], None]:
    """Show each position, and not more of them in a second than a person asked for."""
    due = time.monotonic()

    def show(played: Played) -> None:
        nonlocal due
        live.update(draw_board(game, played.state), refresh=True)
        due = max(due + 1 / speed, time.monotonic())
        time.sleep(max(0.0, due - time.monotonic()))

    return show


def _seat_people(players: list[Player], console: Console, stop: Stop) -> None:
    """People are asked for their moves; whoever searches does so in time, so that a person can leave with Ctrl-C."""
    for player in players:
        if isinstance(player, HumanPlayer):
            player.ask = partial(_ask, console, stop)
        else:
            player.choose = partial(_choose_in_time, player.choose, stop)


def _choose_in_time(choose: Callable[[State, Seat], int], stop: Stop, state: State, seat: Seat) -> int:
    return in_time(partial(choose, state, seat), stop)


def _ask(console: Console, stop: Stop, game: Game, state: State) -> int:
    """A person's move; nonsense is explained and asked for again. Ctrl-C, or an end of the input, ends the game."""
    legal = game.legal_actions(state)
    if not legal:
        return -1
    console.print(draw_board(game, state))
    names = " ".join(game.action_name(state, action) for action in legal)
    while True:
        try:
            typed = console.input(f"{say('your move', 'tu jugada')} [dim]({names})[/]: ").strip()
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
        console.print(say(f"{typed} is not possible here", f"{typed} no es posible aquí"), style="red", markup=False)


def _keep(order: PlayOrder, played: Played, finished: list[Played]) -> None:
    if order.save is None:
        return
    try:
        save_game(played, order.save / f"{played.game.name}-{played.seed}.json")
    except BadInput as error:
        count = len(finished)
        raise BadInput(
            f"{error.text.en}; this game is lost, and {count} finished before it {'is' if count == 1 else 'are'} in "
            f"{order.save}",
            f"{error.text.es}; esta partida se ha perdido, y {count} acabadas antes están en {order.save}",
        ) from None


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
