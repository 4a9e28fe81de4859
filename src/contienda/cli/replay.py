"""``contienda replay``: shows a saved game."""

from __future__ import annotations

import time
from pathlib import Path

from rich.console import Console

from contienda.cli.draw import draw_board, live_board
from contienda.core.game import CHANCE
from contienda.core.language import say
from contienda.record import load_game, result_of, states_of

__all__ = ["run_replay"]


def run_replay(file: Path, console: Console, *, step: bool, speed: float, end: bool) -> None:
    """Show every position after the chance events: at a given speed, at each Enter, or only the last."""
    played = load_game(file)
    *earlier, last = states_of(played)  # always the last: reaching a target ends the game before chance moves
    states = [state for state in earlier if played.game.rules.turn(state) != CHANCE] + [last]
    if end:
        console.print(draw_board(played.game, states[-1]))
    elif step:
        for number, state in enumerate(states):
            console.print(draw_board(played.game, state))
            if number < len(states) - 1:
                try:
                    console.input(f"{number}/{len(states) - 1} [dim]{say('Enter: next')}[/] ")
                except EOFError:
                    return
    else:
        with live_board(console) as live:
            for number, state in enumerate(states):
                live.update(draw_board(played.game, state), refresh=True)
                if number < len(states) - 1:
                    time.sleep(1 / speed)
    result = ", ".join(f"{key} {value}" for key, value in result_of(played).items())
    console.print(f"{played.game.spec}  {' – '.join(played.players)}  {result}", highlight=False, markup=False)
