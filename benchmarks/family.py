"""What each member of alpha-beta's family saves on the way to the same decision.

    python benchmarks/family.py [--quick]

For a fixed set of positions: nodes and seconds of minimax, then with cut-offs, an order of moves, a table, principal
variation search, and MTD(f). Nodes are exact and the same everywhere; seconds are medians of interleaved rounds. Every
search must give minimax's move.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time

from rich.console import Console
from rich.table import Table

from contienda.core.game import Game, State
from contienda.games import make_game
from contienda.players import make_player
from contienda.players.base import Player

#: Openings and middle games: from the empty board to half a board of stones.
CONNECT4 = ("", "44", "4453", "435443", "3333442", "44444522335", "2213")
#: Early, middle and late boards of one player's games.
BOARDS = (
    "0 0 0 0/0 0 0 2/0 0 0 4/2 0 8 16",
    "2 2 0 0/2 4 2 0/4 8 4 8/8 16 32 128",
    "0 2 0 8/0 2 16 4/4 16 32 128/8 32 512 1024",
    "4 2 2 8/2 8 4 4/4 0 2 512/0 0 0 4096",
)
STEPS = (
    ("minimax", "minimax:{}"),
    ("+ cut-offs", "alphabeta:{}"),
    ("+ order", "alphabeta:{},order={order}"),
    ("+ table", "alphabeta:{},order={order},table=on"),
    ("+ PVS", "alphabeta:{},order={order},table=on,pvs=on"),
    ("MTD(f)", "mtdf:{},order={order}"),
)
#: Sequences of 9 moves of Connect 4, and how their number grows from 8 to 9: what minimax visits is beyond reach at 12.
SEQUENCES_9, GROWTH = 39_394_572, 39_394_572 / 5_673_234


def main() -> int:
    """Measure both games, then the claim for depth 12."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="two levels less, one round")
    quick = parser.parse_args().quick
    console = Console()
    less, rounds = (2, 1) if quick else (0, 3)
    for name, texts, limit, order in (
        ("connect4", CONNECT4, f"depth={8 - less}", "static"),
        ("2048", BOARDS, f"depth={6 - less},eval=ort-simple-1", "killers"),
    ):
        game = make_game(name)
        states = [game.parse(text) for text in texts]
        console.print(_compare(game, states, limit, order, rounds))
    _depth_twelve(console)
    return 0


def _compare(game: Game, states: list[State], limit: str, order: str, rounds: int) -> Table:
    players = {step: make_player(spec.format(limit, order=order), game) for step, spec in STEPS}
    nodes: dict[str, int] = {}
    decisions: dict[str, list[int]] = {}
    for step, player in players.items():
        nodes[step], _, decisions[step] = _decide(player, states)
        if decisions[step] != decisions["minimax"]:
            raise AssertionError(f"{step} decides otherwise than minimax on {game.name}")
    seconds: dict[str, list[float]] = {step: [] for step in players}
    for _ in range(rounds):
        for step, player in players.items():
            seconds[step].append(_decide(player, states)[1])
    table = Table(title=f"{game.name}, {limit}, order={order}: {len(states)} positions")
    for header in ("", "nodes", "of the step before", "of minimax", "seconds", "of minimax"):
        table.add_column(header, justify="right")
    before = nodes["minimax"]
    slowest = statistics.median(seconds["minimax"])
    for step in players:
        took = statistics.median(seconds[step])
        table.add_row(
            step,
            f"{nodes[step]:,}",
            f"1/{before / nodes[step]:.2f}",
            f"1/{nodes['minimax'] / nodes[step]:,.1f}",
            f"{took:.3f}",
            f"1/{slowest / took:,.1f}",
        )
        before = nodes[step]
    return table


def _decide(player: Player, states: list[State]) -> tuple[int, float, list[int]]:
    """Nodes, seconds and moves for all positions, by the compiled search that plays."""
    seat = player.seat(0)
    player.choose(states[0], seat)
    nodes, seconds, moves = 0, 0.0, []
    for state in states:
        begun = time.perf_counter()
        moves.append(player.choose(state, seat))
        seconds += time.perf_counter() - begun
        nodes += int(player.tally(seat).nodes)
    return nodes, seconds, moves


def _depth_twelve(console: Console) -> None:
    """From the empty board of Connect 4, level by level to depth 12 with everything on."""
    game = make_game("connect4")
    player = make_player("alphabeta:depth=12,nodes=1000000000,order=history,table=on,pvs=on", game)
    counters = player.analyse(game.parse("")).counters
    minimax = SEQUENCES_9 * GROWTH**3
    console.print(
        f"connect4 from the empty board to depth {counters.depth}: {counters.nodes:,} nodes, all levels; "
        f"minimax, extrapolated, {minimax:.3g} leaves: 1/{minimax / counters.nodes:,.0f}",
        highlight=False,
    )


if __name__ == "__main__":
    sys.exit(main())
