"""Plain Python against compiled rules: nodes a second of the same search on the same game, interleaved, medians.

    python benchmarks/plain_games.py

Tic-tac-toe is played as the guide writes it in plain Python, and by the package's compiled rules; both visit the same
nodes.
"""

from __future__ import annotations

import statistics
from pathlib import Path

from contienda import make_game, make_player

PLAIN = f"{Path(__file__).parents[1] / 'tests' / 'toys' / 'three.py'}:Three"
ROUNDS = 5


def rate(spec: str, game: str, depth: int, start: str) -> tuple[int, float]:
    """The nodes that a search visits, and how many a second."""
    made = make_game(game)
    counters = make_player(f"{spec}:depth={depth}", made).analyse(made.parse(start)).counters
    return counters.nodes, counters.nodes / counters.seconds


def main() -> None:
    """Print a line for each search."""
    for spec, depth in (("minimax", 6), ("alphabeta", 9)):
        plain, compiled = [], []
        for _ in range(ROUNDS):
            nodes, found = rate(spec, PLAIN, depth, ".........")
            same, other = rate(spec, "tictactoe", depth, ".../.../...")
            assert nodes == same
            plain.append(found)
            compiled.append(other)
        slow, fast = statistics.median(plain), statistics.median(compiled)
        print(
            f"{spec}:depth={depth}: {nodes:,} nodes, plain {slow:,.0f}/s, compiled {fast:,.0f}/s, × {fast / slow:,.0f}"
        )


if __name__ == "__main__":
    main()
