"""``contienda perft``: counts the move sequences of a game by their length."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from rich.console import Console

from contienda.cli.arguments import read_position
from contienda.compiled.jit import njit
from contienda.compiled.stopping import Stop, in_time
from contienda.core.analysis import FOREVER, new_tally
from contienda.core.game import Game, State
from contienda.core.language import number, say
from contienda.games import make_game
from contienda.search import interpreted
from contienda.search.perft import Counted, build_perft, count_leaves

__all__ = ["Counting", "begin_perft", "show_counts"]


@dataclass
class Counting:
    """A position whose move sequences are counted, and the seconds taken so far."""

    game: Game
    state: State
    perft: Callable[..., tuple[int, int]]
    seconds: float = 0.0

    def up_to(self, depth: int) -> Iterator[Counted]:
        """Yield the count for each length from 1 to ``depth``, as soon as it is known. Ctrl-C stops it."""
        stop = Stop()
        for length in range(1, depth + 1):
            tally = new_tally()
            with stop.guard(tally, FOREVER):
                begun = time.perf_counter()
                counted = in_time(lambda: count_leaves(self.perft, self.state, length, tally), stop)  # noqa: B023
                self.seconds += time.perf_counter() - begun
            if counted is None:
                raise KeyboardInterrupt
            yield counted

    def as_data(self, counts: list[Counted]) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        return {
            "game": self.game.spec,
            "position": self.game.format(self.state),
            "depth": len(counts),
            "leaves": counts[-1].leaves,
            "ended": counts[-1].ended,
            "leaves_by_depth": [counted.leaves for counted in counts],
            "seconds": self.seconds,
        }


def begin_perft(game_spec: str, position: str | None) -> Counting:
    """Read the position, or take the start of a game with seed 0, and compile the count."""
    game = make_game(game_spec, position)
    state = read_position(game, position)
    perft = build_perft(game.rules, jit=njit if game.compiled and not game.drawn else interpreted)
    perft(state, 1, new_tally())
    return Counting(game, state, perft)


def show_counts(counting: Counting, depth: int, console: Console) -> None:
    """Print a line for each length, without grouping digits, so that they are easy to compare with published tables."""
    game, state = counting.game, counting.state
    console.print(f"{game.spec} {game.format(state)}".rstrip(), highlight=False, markup=False, soft_wrap=True)
    depth_title, leaves_title = say("depth"), say("leaves")
    ended_title = say("ended before")
    console.print(f"{depth_title}  {leaves_title:>15}  {ended_title:>15}", style="bold")
    for length, counted in enumerate(counting.up_to(depth), start=1):
        console.print(f"{length:>{len(depth_title)}}  {counted.leaves:>15}  {counted.ended:>15}", highlight=False)
    console.print(f"{number(counting.seconds, ',.4g')} s", style="dim", highlight=False)
