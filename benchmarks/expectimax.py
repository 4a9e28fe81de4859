"""What each member of expectimax's family saves on boards of 2048, and its speed beside nneonneo/2048-ai.

    python benchmarks/expectimax.py [--quick] [--nneonneo LIBRARY]

The boards of ``late_2048.txt`` were sampled from games that this search played, from the tile 4096 on. Nodes are exact
and the same everywhere; times are medians of interleaved rounds, by the processor's clock where one thread runs. What
must not change a value is held to that.

LIBRARY is nneonneo/2048-ai, built by its own makefile (``bin/2048.so``). It is called from here as its own scripts
call it: ``init_tables()`` once, then ``find_best_move(board)`` -> 0 up, 1 down, 2 left, 3 right; a board is 64 bits,
four for each tile's rank, the top left lowest, as ours.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from measuring import side_by_side
from rich.console import Console
from rich.table import Table

from contienda.core.game import Game, State
from contienda.games import make_game
from contienda.players import make_player
from contienda.players.base import Player

#: What is compared, and beside which its values must be equal to the bit, if any.
STEPS = (
    ("expectimax", "expectimax:depth={}", None),
    ("table", "expectimax:depth={},table=on", "expectimax"),
    ("table, folded", "expectimax:depth={},table=on,fold=on", None),
    ("cut-off at 0.001", "expectimax:depth={},cprob=0.001", None),
    ("cut-off, table", "expectimax:depth={},cprob=0.001,table=on", None),
    ("Star1", "expectimax:depth={},prune=star1", "expectimax"),
    ("uc3m-empty", "expectimax:depth={},eval=uc3m-empty", None),
    ("uc3m-empty, Star1", "expectimax:depth={},eval=uc3m-empty,prune=star1", "uc3m-empty"),
)
#: The first moves of a game.
EARLY = (
    "2 0 0 0/0 0 0 0/0 0 0 0/0 0 0 2",
    "0 0 0 0/0 2 2 0/0 0 0 0/0 0 0 0",
    "0 0 0 0/0 0 0 2/0 0 0 4/2 0 0 8",
    "4 2 0 0/0 0 0 0/0 0 0 0/2 0 0 4",
)
#: nneonneo's own: its depth, its threshold, its preference among equals.
BESIDE = "expectimax:depth=auto,cprob=0.0001,table=on,ties=up-down-left-right"
THEIR_ACTIONS = ("up", "down", "left", "right")


def main() -> int:
    """Measure the family, then beside the library, if one is given."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a tenth of the boards, one round")
    parser.add_argument("--nneonneo", metavar="LIBRARY", type=Path, help="bin/2048.so of nneonneo/2048-ai")
    options = parser.parse_args()
    console = Console(width=100)
    game = make_game("2048")
    texts = (Path(__file__).parent / "late_2048.txt").read_text().splitlines()
    states = [game.parse(text) for text in texts[:: 10 if options.quick else 1]]
    console.print(_family(game, [game.parse(text) for text in EARLY], "first moves", 5, 1 if options.quick else 3))
    console.print(_family(game, states, "late boards", 7, 1 if options.quick else 3))
    _threads(console, game, states[::4], 1 if options.quick else 5)
    if options.nneonneo is not None:
        _beside(console, game, states, options.nneonneo, 1 if options.quick else 5)
    return 0


def _family(game: Game, states: list[State], what: str, depth: int, rounds: int) -> Table:
    players = {step: make_player(spec.format(depth), game) for step, spec, _ in STEPS}
    nodes = dict.fromkeys(players, 0)
    for state in states:
        found = {step: player.analyse(state) for step, player in players.items()}
        for step, _, equal in STEPS:
            nodes[step] += found[step].counters.nodes
            if equal and sorted(found[step].moves) != sorted(found[equal].moves):
                raise AssertionError(f"{step} says otherwise than {equal} of {game.format(state)}")
    seconds: dict[str, list[float]] = {step: [] for step in players}
    for _ in range(rounds):
        for step, player in players.items():
            seconds[step].append(_decide(player, states)[0])
    table = Table(title=f"2048, depth {depth}: {len(states)} {what}")
    for header in ("", "nodes", "of plain", "seconds", "of plain"):
        table.add_column(header, justify="right")
    for step in players:
        plain = "uc3m-empty" if "uc3m" in step else "expectimax"
        took, slow = statistics.median(seconds[step]), statistics.median(seconds[plain])
        table.add_row(
            step, f"{nodes[step]:,}", f"1/{nodes[plain] / nodes[step]:.2f}", f"{took:.3f}", f"1/{slow / took:.2f}"
        )
    return table


def _decide(
    player: Player, states: list[State], clock: Callable[[], float] = time.process_time
) -> tuple[float, list[int]]:
    """Seconds and moves for all positions, by the search that plays."""
    seat = player.seat(0)
    player.choose(states[0], seat)
    begun = clock()
    moves = [player.choose(state, seat) for state in states]
    return clock() - begun, moves


def _threads(console: Console, game: Game, states: list[State], rounds: int) -> None:
    """Two threads beside one: with a cut-off they divide the moves, without one also what follows them."""
    for spec in (BESIDE, "expectimax:depth=9,table=on"):
        _two_beside_one(console, game, spec, states, rounds)


def _two_beside_one(console: Console, game: Game, spec: str, states: list[State], rounds: int) -> None:
    one, two = make_player(spec, game), make_player(f"{spec},threads=2", game)
    if _decide(one, states)[1] != _decide(two, states)[1]:
        raise AssertionError("two threads decide otherwise than one")
    found = side_by_side(
        "two threads",
        "one",
        "moves/s",
        lambda: len(states) / _decide(two, states, time.perf_counter)[0],
        lambda: len(states) / _decide(one, states, time.perf_counter)[0],
        rounds,
    )
    console.print(
        f"{spec}: threads=2 makes {found.ours:.1f} moves/s, one {found.theirs:.1f}; ratio {found.ratio:.2f} "
        f"({found.lowest:.2f} to {found.highest:.2f}); aim ≥ 1.8, {'reached' if found.ratio >= 1.8 else 'missed'}",
        highlight=False,
    )


def _beside(console: Console, game: Game, states: list[State], library: Path, rounds: int) -> None:
    player = make_player(BESIDE, game)
    theirs = _their_search(library)
    wanted = [game.action_number(states[0], THEIR_ACTIONS[theirs(state)]) for state in states]
    moves = _decide(player, states)[1]
    same = sum(move == want for move, want in zip(moves, wanted, strict=True))
    some = states[::4]

    def our_speed() -> float:
        return len(some) / _decide(player, some)[0]

    def their_speed() -> float:
        begun = time.process_time()
        for state in some:
            theirs(state)
        return len(some) / (time.process_time() - begun)

    found = side_by_side("expectimax", "nneonneo/2048-ai", "moves/s", our_speed, their_speed, rounds)
    console.print(
        f"{BESIDE}: {found.ours:.1f} moves/s; {library.name}: {found.theirs:.1f}; "
        f"ratio {found.ratio:.2f} ({found.lowest:.2f} to {found.highest:.2f}); "
        f"aim ≥ 3.0, {'reached' if found.ratio >= 3.0 else 'missed'}; the same move on {same} of {len(states)} boards",
        highlight=False,
    )


def _their_search(library: Path) -> Callable[[State], int]:
    loaded = ctypes.CDLL(str(library.resolve()))
    loaded.find_best_move.argtypes = [ctypes.c_uint64]
    loaded.init_tables()

    def find(state: State) -> int:
        with _silence():
            return int(loaded.find_best_move(state.cells & 0xFFFFFFFFFFFFFFFF))

    return find


@contextmanager
def _silence() -> Iterator[None]:
    """The library reports on standard output."""
    sys.stdout.flush()
    kept = os.dup(1)
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    try:
        yield
        ctypes.CDLL(None).fflush(None)
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nothing)


if __name__ == "__main__":
    sys.exit(main())
