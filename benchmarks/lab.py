"""The lab's figures: how throughput grows with threads, processes and Dask workers, and what the store costs.

    python benchmarks/lab.py throughput [--rounds 5] [--games 60]
    python benchmarks/lab.py store [--rows 1000000]

Throughput is measured in turns, with every pool open and every match compiled, as a ratio to one thread; the store with
rows that nobody played.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from statistics import median

import numpy as np

from contienda.lab.plan import Plan
from contienda.lab.report import write_report
from contienda.lab.results import Outcome, Results
from contienda.lab.run import batches_played
from contienda.lab.statistics import summarise
from contienda.lab.table import table_of
from contienda.lab.where import Pool, Where, open_pool

PLACES = {
    "1 thread": Where("threads", 1),
    "2 threads": Where("threads", 2),
    "2 processes": Where("processes", 2),
    "2 Dask workers": Where("cluster", 2),
}
PLAYER = "expectimax:depth=3,eval=combined"


def throughput(rounds: int, games: int) -> None:
    """Games a second in each place, the store included."""
    rates: dict[str, list[float]] = {name: [] for name in PLACES}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        pools = {name: stack.enter_context(open_pool(where)) for name, where in PLACES.items()}
        for number in range(rounds + 1):
            for name, pool in pools.items():
                rate = play(pool, folder / f"{name} {number}.sqlite", games, 1 + number * games)
                if number:  # in the first round everybody compiles
                    rates[name].append(rate)
    print(f"{PLAYER}: {games} games, {rounds} rounds in turn\n")
    print("| where | games/s | times one thread |\n|---|---|---|")
    for name, own in rates.items():
        ratios = [rate / one for rate, one in zip(own, rates["1 thread"], strict=True)]
        print(f"| {name} | {median(own):.1f} | {median(ratios):.2f} ({min(ratios):.2f}–{max(ratios):.2f}) |")


def play(pool: Pool, path: Path, games: int, seed: int) -> float:
    """Play a plan there: games a second."""
    results = Results(path, Plan("throughput", "2048", (PLAYER,), games=games, seed=seed))
    results.begin("benchmark", "0")
    begun = time.perf_counter()
    for outcomes in batches_played(pool, results.plan, results.missing(results.plan.units(results.plan.seeds(games)))):
        results.add(outcomes)
    seconds = time.perf_counter() - begun
    results.close()
    return games / seconds


def store(rows: int) -> None:
    """A million games that nobody played: written, counted, read, reported."""
    players = tuple(f"greedy:eval=combined,empty={i}" for i in range(10))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store.sqlite"
        plan = Plan("store", "2048", players, games=rows // len(players), target=2048)
        results = Results(path, plan)
        results.begin("benchmark", "0")
        luck = np.random.default_rng(1)
        took: dict[str, tuple[float, float]] = {}

        def timed(what: str, action: Callable[[], object]) -> None:
            begun, begun_cpu = time.perf_counter(), time.process_time()
            action()
            took[what] = time.perf_counter() - begun, time.process_time() - begun_cpu

        seeds = plan.seeds(rows // len(players))

        def insert() -> None:
            for first in range(0, len(seeds), 50):  # as a run does: batches of a second or so
                for entrant in range(len(players)):
                    ranks = luck.integers(6, 12, 50).tolist()
                    results.add(
                        [
                            Outcome(
                                entrant,
                                seed,
                                "over",
                                rank << rank,
                                1 << rank,
                                rank == 11,
                                None,
                                500,
                                5000,
                                0.01,
                                "host",
                            )
                            for seed, rank in zip(seeds[first : first + 50], ranks, strict=False)
                        ]
                    )

        timed(f"insert, {rows // 50:,} batches of 50", insert)
        timed("what is missing", lambda: results.missing(plan.units(seeds)))
        timed("how many are done", results.counts)
        timed("the table", lambda: table_of(results))
        table = table_of(results)
        timed("statistics of 10 players", lambda: summarise(table))
        timed("report with figures", lambda: write_report(results, path.with_suffix(".html")))
        size = sum(file.stat().st_size for file in Path(folder).glob("store.sqlite*"))
        print(f"{rows:,} games, {size / 1e6:.0f} MB, {size / rows:.0f} bytes each\n")
        print("| what | seconds | of the processor | µs a game |\n|---|---|---|---|")
        for what, (seconds, cpu) in took.items():
            print(f"| {what} | {seconds:.1f} | {cpu:.1f} | {1e6 * cpu / rows:.1f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["throughput", "store"])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--rows", type=int, default=1_000_000)
    given = parser.parse_args()
    if given.what == "throughput":
        throughput(given.rounds, given.games)
    else:
        store(given.rows)


if __name__ == "__main__":
    main()
