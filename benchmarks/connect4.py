"""How fast Connect 4 is solved, beside Pons' solver and bitbully: one thread, no book.

    python benchmarks/connect4.py [--pons c4solver] [--bitbully PYTHON] [--rounds 5] [--sets careful-ply10 …]
    python benchmarks/connect4.py --empty [--threads 2] [--c4 PROGRAM] [--rounds 5]
    python benchmarks/connect4.py --columns N [--threads 2]

``--pons`` is the program of https://github.com/PascalPons/connect4, built by its makefile; ``--bitbully`` a Python that
has the package bitbully, in an environment of its own. All solve the positions of `tests/positions` one
after the other, keeping their tables, and the scores must be the given ones. Milliseconds a position, interleaved,
medians. ``--empty`` solves the empty board without the book; with ``--c4``, beside the program of
https://github.com/ChristopheSteininger/c4, built with 1 GB of table and as many NUM_THREADS, in seconds of the
processor, those of all threads together: all are busy to the end.
``--columns`` asks for the value of every
column with the book, as the app does, and as the median and the worst are judged: so many positions of each ply up to
20, from random play, and as many from play in which nobody overlooks a win in one. Times are the
processor's on one thread, and the clock's on several.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import time
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import numpy as np
from measuring import Finding, side_by_side
from rich.console import Console
from rich.table import Table

from contienda.compiled.jit import njit
from contienda.compiled.rows import rows
from contienda.core.game import MAX
from contienda.games.connect4 import Connect4, Stones
from contienda.lab.grading_connect4 import sample_connect4
from contienda.lab.openings import opened
from contienda.perfect.bounds import new_bounds
from contienda.perfect.oracle import Oracle
from contienda.perfect.solve import build_exact_search, new_work
from contienda.perfect.team import Team

POSITIONS = Path(__file__).parent.parent / "tests" / "positions"
SETS = [
    f"{kind}-ply{plies}"
    for kind, all_plies in (
        ("careful", ("28", "20-22", "14-16", "10", "6")),
        ("random", ("28", "20-22", "14-16", "10")),
    )
    for plies in all_plies
]
#: Megabytes of the table, about as many as Pons' (2^23 + 9 entries of 5 bytes, in its newer versions 2^24).
MEMORY = 64

BITBULLY = """
import sys, time
from bitbully import BitBully, Board
agent = BitBully(opening_book=None)
for line in sys.stdin:
    board = Board([int(c) - 1 for c in line.strip()])
    begin = time.perf_counter()
    score = agent.mtdf(board)
    print(score, time.perf_counter() - begin)
"""


def read(name: str) -> list[tuple[str, int]]:
    """The positions of a set, with their scores."""
    lines = (POSITIONS / f"{name}.txt").read_text().splitlines()
    return [(columns, int(score)) for columns, score in map(str.split, lines)]


settle = build_exact_search(6, 7, 4).settle


@njit
def solve_all(own, everybody, scores, nodes, table, work):  # type: ignore[no-untyped-def]
    """The positions in turn; as the others', the loop is not the interpreter's."""
    for i in range(len(own)):
        work.nodes = 0
        settle(own[i], everybody[i], -99, 99, table, work)
        scores[i], nodes[i] = work.low, work.nodes


class Ours:
    """Our solver, compiled."""

    def __init__(self, megabytes: int) -> None:
        self.game = Connect4()
        self.table = new_bounds(megabytes)
        self.work = new_work()
        self.nodes = 0.0
        # Take the memory now, as the others do when they start.
        rows(self.table)[:] = 0
        self.scores(["2532415147131117532445633637"])

    def bits(self, columns: str) -> tuple[int, int]:
        state = self.game.parse(columns)
        return (state.max if state.turn == MAX else state.min), state.max | state.min

    def scores(self, positions: list[str]) -> tuple[list[int], float]:
        """Of the positions, one after the other as theirs are, and the seconds they took."""
        own, everybody = np.array([self.bits(columns) for columns in positions], np.int64).T.copy()
        scores, nodes = np.zeros(len(own), np.int64), np.zeros(len(own), np.int64)
        begin = time.perf_counter()
        solve_all(own, everybody, scores, nodes, self.table, self.work)
        seconds = time.perf_counter() - begin
        self.nodes = float(np.mean(nodes))
        return scores.tolist(), seconds

    def milliseconds(self, positions: list[tuple[str, int]]) -> float:
        """The mean time of a position; the scores must be right."""
        scores, seconds = self.scores([columns for columns, _ in positions])
        assert scores == [score for _, score in positions]
        return 1000 * seconds / len(positions)


def by_pons(program: str, positions: list[tuple[str, int]]) -> float:
    """Pons' program starts with an empty table; starting it is not counted: an empty run is taken off.

    Where that is most of the time the shortest of many runs is taken, of both.
    """
    text = "".join(f"{columns}\n" for columns, _ in positions)

    def seconds(text: str) -> float:
        begin = time.perf_counter()
        done = subprocess.run([program, "-b", "none"], input=text, capture_output=True, text=True, check=True)
        took = time.perf_counter() - begin
        scores = [int(line.split()[1]) for line in done.stdout.splitlines() if line]
        assert scores == [score for _, score in positions][: len(scores)]
        return took

    took = seconds(text)
    repeats = 1 if took > 1 else 20
    took = min([took, *(seconds(text) for _ in range(repeats - 1))])
    return 1000 * (took - min(seconds("") for _ in range(repeats))) / len(positions)


def by_bitbully(python: str, positions: list[tuple[str, int]]) -> float:
    text = "".join(f"{columns}\n" for columns, _ in positions)
    done = subprocess.run([python, "-c", BITBULLY], input=text, capture_output=True, text=True, check=True)
    answers = [line.split() for line in done.stdout.splitlines()]
    assert [int(score) for score, _ in answers] == [score for _, score in positions]
    return 1000 * sum(float(seconds) for _, seconds in answers) / len(positions)


def by_us(threads: int) -> float:
    """Solve the empty board; the processor's seconds."""
    ours = Ours(1024)
    searches = settle if threads == 1 else Team(build_exact_search(6, 7, 4), threads).settle
    begin, clock = time.process_time(), time.perf_counter()
    searches(0, 0, -99, 99, ours.table, ours.work)
    seconds, clock = time.process_time() - begin, time.perf_counter() - clock
    print(
        f"empty board, threads: {threads}, score {ours.work.low}, {seconds:.1f} s of the processor, {clock:.1f} s by "
        f"the clock, {ours.work.nodes:,} nodes"
    )
    return seconds


def by_c4(program: str) -> float:
    """The processor's seconds of the program."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([program], stdin=subprocess.DEVNULL, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def columns(each: int, threads: int) -> None:
    """How long it takes to value every column of a position, by ply, after random and after careful moves."""
    game = Connect4()
    oracle = Oracle(game, new_bounds(MEMORY), threads)
    oracle.columns(game.parse("2532415147131117532445633637"))
    random = [(ply, opened(game, ply, number=1000 * ply + number)) for ply in range(21) for number in range(each)]
    careful = [(ply, state) for ply, state in sample_connect4(game, each) if ply <= 20]
    everything = []
    for kind, positions in (("random", random), ("careful", careful)):
        for ply, some in groupby(positions, key=itemgetter(0)):
            took = [_milliseconds(oracle, state, threads) for _, state in some]
            everything += took
            print(f"{kind}, {ply:2} stones: median {np.median(took):7.1f} ms, worst {max(took):7.1f} ms", flush=True)
    middle, worst = np.median(everything), max(everything)
    long = sum(ms > 200 for ms in everything)
    print(f"all {len(everything)}: median {middle:.1f} ms, worst {worst:.1f} ms, {long} over 200 ms")
    print(f"aim: median at most 10 ms, {'reached' if middle <= 10 else 'missed'}")
    print(f"aim: worst at most 200 ms, {'reached' if worst <= 200 else 'missed'}")


def _milliseconds(oracle: Oracle, state: Stones, threads: int) -> float:
    clock = time.thread_time if threads == 1 else time.perf_counter
    begin = clock()
    oracle.columns(state)
    return 1000 * (clock() - begin)


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pons", help="the program c4solver")
    parser.add_argument("--bitbully", help="a Python that has bitbully")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sets", nargs="*", default=SETS, choices=SETS)
    parser.add_argument("--empty", action="store_true")
    parser.add_argument("--c4", help="the program c4, which solves the empty board")
    parser.add_argument("--columns", type=int, metavar="N")
    parser.add_argument("--threads", type=int, default=1)
    asked = parser.parse_args()
    if asked.empty and asked.c4:
        what, mine = f"empty board, threads: {asked.threads}", partial(by_us, asked.threads)
        finding = side_by_side(what, "c4", "s", mine, lambda: by_c4(asked.c4), asked.rounds)
        show([finding.judged("at most 0.5", finding.ratio is not None and finding.ratio <= 0.5)])
        return
    if asked.empty:
        by_us(asked.threads)
        return
    if asked.columns:
        columns(asked.columns, asked.threads)
        return
    findings = []
    for name in asked.sets:
        positions = read(name)
        for beside, peer, theirs in (("Pons", asked.pons, by_pons), ("bitbully", asked.bitbully, by_bitbully)):
            if peer is None:
                continue
            solvers: list[Ours] = []

            def ours_once(positions: list[tuple[str, int]] = positions, solvers: list[Ours] = solvers) -> float:
                solvers.append(Ours(MEMORY))  # an empty table, as theirs
                return solvers[-1].milliseconds(positions)

            finding = side_by_side(
                name,
                beside,
                "ms",
                ours_once,
                lambda peer=peer, theirs=theirs, positions=positions: theirs(peer, positions),
                asked.rounds,
            )
            assert finding.ratio is not None
            finding.note = f"{solvers[-1].nodes:,.0f} nodes"
            findings.append(finding.judged("at most 1.0", finding.ratio <= 1.0))
    show(findings)


def show(findings: list[Finding]) -> None:
    table = Table(title="Connect 4 solved: milliseconds a position")
    for header in ("set", "beside", "ours", "theirs", "ratio", "lowest-highest", "nodes", ""):
        table.add_column(header, justify="right" if header in ("ours", "theirs", "ratio", "nodes") else "left")
    for f in findings:
        table.add_row(
            f.what,
            f.beside,
            f"{f.ours:.3f}",
            f"{f.theirs:.3f}",
            f"{f.ratio:.2f}",
            f"{f.lowest:.2f}-{f.highest:.2f}",
            f.note.removesuffix(" nodes"),
            "reached" if f.reached else "missed",
        )
    Console().print(table)
    print(json.dumps([f.as_json() for f in findings]))


if __name__ == "__main__":
    main()
