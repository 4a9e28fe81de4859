"""What it costs to time each move: games with the clock of the compiled loop, beside games with one that stands still.

python benchmarks/turn_times.py
"""

from __future__ import annotations

import time

from measuring import side_by_side

from contienda import match as matches
from contienda.compiled.jit import nanoseconds, njit
from contienda.games import make_game
from contienda.players import make_player

GAME = make_game("2048")
#: Players from fast to slow, and how many games of each make a tenth of a second or so.
PLAYERS = {
    "random": 300,
    "greedy:eval=uc3m-score": 200,
    "minimax:depth=3,eval=uc3m-score,opponent=twos,ties=down-right-up-left": 25,
    "minimax:depth=5,eval=uc3m-score,opponent=twos,ties=down-right-up-left": 2,
}


@njit
def _still():
    return 0


def _match(spec, clock):
    matches._build_play_on.cache_clear()
    matches.nanoseconds = clock
    match = matches.Match(GAME, [make_player(spec, GAME)])
    match.compile()
    matches.nanoseconds = nanoseconds
    return match


def _time_per_move(match, games):
    begun = time.perf_counter()
    moves = sum(match.play(seed).moves for seed in range(games))
    return 1e9 * (time.perf_counter() - begun) / moves


if __name__ == "__main__":
    for spec, games in PLAYERS.items():
        timed, untimed = _match(spec, nanoseconds), _match(spec, _still)
        _time_per_move(timed, games), _time_per_move(untimed, games)
        found = side_by_side(
            spec,
            "a clock that stands still",
            "ns/move",
            lambda: _time_per_move(timed, games),  # noqa: B023
            lambda: _time_per_move(untimed, games),  # noqa: B023
            15,
        )
        print(f"{spec}: {found.ratio:.3f} ({found.lowest:.2f}-{found.highest:.2f}), {found.ours:.0f} ns a move")
