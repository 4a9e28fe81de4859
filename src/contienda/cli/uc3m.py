"""``contienda uc3m``: uc3m's program as its manual describes it. Codes for algorithm and heuristic, and a depth; manual
or automatic play; statistics in a file and their totals on the terminal."""

from __future__ import annotations

import secrets
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from rich.console import Console

from contienda.cli.arguments import print_json
from contienda.cli.by_hand import ending, play_by_keys
from contienda.cli.draw import draw_board, live_board
from contienda.cli.keys import ESC, ReadKey, at_a_terminal, single_keys
from contienda.cli.play import PlayOrder, keep_statistics
from contienda.compiled.rng import generator
from contienda.core.language import BadInput, Text, say
from contienda.games import make_game
from contienda.match import Match
from contienda.players import make_player
from contienda.record import totals

__all__ = ["Call", "run_uc3m"]

_HEURISTICS = ("uc3m-score", "uc3m-empty")
_TARGET = 2048


class Call(NamedTuple):
    """The user's arguments."""

    algorithm: int
    heuristic: int
    depth: int
    by_hand: bool | None
    """Whether a person plays; None if the program should ask."""
    seed: int | None
    stats: Path | None
    speed: float
    as_json: bool


def run_uc3m(call: Call) -> None:
    """Play a game up to 2048, by hand or by the machine."""
    player = _player(call)
    seed = secrets.randbits(32) if call.seed is None else call.seed
    console = Console(stderr=call.as_json)
    by_hand, watch = call.by_hand, at_a_terminal() and not call.as_json
    if watch:
        with single_keys() as read:
            by_hand = _ask_who(console, read) if by_hand is None else by_hand
            if by_hand:
                _play_by_hand(seed, console, read)
                return
            seed = _wait_to_start(seed, console, read)
    stats = call.stats or Path(f"uc3m-{datetime.now():%Y%m%d-%H%M%S}.txt")
    who = "human" if by_hand else player
    order = PlayOrder("2048", who, None, seed, 1, _TARGET, 1, None, stats, watch, call.speed)
    _play(order, console, call.as_json)


def _player(call: Call) -> str:
    """Return our player for uc3m's codes: it tries moves in their order, and expects only 2s when it looks ahead."""
    for name, code in ((Text("algorithm"), call.algorithm), (Text("heuristic"), call.heuristic)):
        if code not in (0, 1):
            raise BadInput("{name} must be 0 or 1, not {code}", name=name, code=code)
    evaluator = _HEURISTICS[call.heuristic]
    if call.algorithm == 0:
        return f"minimax:depth={call.depth},eval={evaluator},opponent=twos,ties=down-right-up-left"
    return f"astar:h={evaluator},depth={call.depth}"


def _ask_who(console: Console, read: ReadKey) -> bool:
    """Show its menu; return whether the person plays."""
    manual, automatic = say("M"), say("A")
    console.print(f"[bold]{manual}[/]  {say('play by hand')}\n[bold]{automatic}[/]  {say('let the machine play')}")
    while True:
        key = _key(read).upper()
        if key in (manual, automatic):
            return key == manual


def _play_by_hand(seed: int, console: Console, read: ReadKey) -> None:
    """Play game after game with the arrow keys, until the person leaves."""
    game = make_game("2048")
    match = Match(game, [make_player("human", game)], _TARGET)
    while play_by_keys(match, seed, console, read).ended != "stopped":
        console.print(say("Esc starts again; any other key leaves"), style="dim")
        if _key(read) != ESC:
            return
        seed = secrets.randbits(32)
    raise KeyboardInterrupt


def _wait_to_start(seed: int, console: Console, read: ReadKey) -> int:
    """Show the machine's first board, and return the seed of its game: Esc deals another, any other key starts."""
    game = make_game("2048")
    with live_board(console) as live:
        while True:
            live.update(draw_board(game, game.start(generator(seed))), refresh=True)
            console.print(say("Any key starts; Esc deals another board"), style="dim")
            if _key(read) != ESC:
                return seed
            seed = secrets.randbits(32)


def _key(read: ReadKey) -> str:
    try:
        return read()
    except EOFError:
        raise KeyboardInterrupt from None


def _play(order: PlayOrder, console: Console, as_json: bool) -> None:
    """Play the game, print its totals, and write the file with the time of each turn."""
    from contienda.cli.play import run_play

    report, (played,) = run_play(order, console)
    if as_json:
        print_json(report)
    else:
        console.print(ending(played), style="bold")
        for line in totals(played):
            console.print(line, highlight=False)
    keep_statistics(order, [played])  # after the totals: a full disk loses only the file
    if not as_json:
        console.print(say("the time of every turn is in {file}", file=order.stats), highlight=False, soft_wrap=True)
