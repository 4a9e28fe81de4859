"""How long the first answer takes: a command in a process of its own, beside ``import numba``.

    python benchmarks/first_answer.py [--rounds 5] [--cpu] [--json]
    python benchmarks/first_answer.py --line

Every round runs ``python -c 'import numba'`` and each command in turn. *Warm* is a cache folder that ``contienda warm``
and an earlier run of the same command have filled, *again* one that only the earlier run has filled, and *cold* an
empty one, in which nothing is compiled or unpacked. All are temporary folders. With ``--cpu`` seconds of a core are
counted instead of the clock's: for a busy machine.

``--line`` shows where the line between the two tiers lies: what a search takes in the interpreter, and what it takes to
compile and run it, by depth. A search is answered by the interpreter if that is expected to take less than
`contienda.players.at_once.SECONDS`.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

from measuring import Finding

BOARD = "2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 0"
TREE = "max[chance[0.5:min[2 7] 0.5:min[4 6]] chance[0.5:min[0 5] 0.5:min[-2 1]]]"
NUMBA = [sys.executable, "-c", "import numba"]


class Row(NamedTuple):
    what: str
    arguments: list[str]
    cache: str
    times: float | None = None
    """The aim: less than so many times ``import numba``."""
    seconds: float | None = None
    """The aim: less than so many seconds."""


ROWS = [
    Row("hint by champion, warm", ["hint", "2048", BOARD, "--player", "champion"], "warm", times=3),
    Row("hint by champion, again", ["hint", "2048", BOARD, "--player", "champion"], "again", times=3),
    Row("hint by champion, cold", ["hint", "2048", BOARD, "--player", "champion"], "cold", seconds=5),
    Row("hint by solver, warm", ["hint", "connect4", "4453", "--player", "solver"], "warm", times=3),
    Row("hint by solver, cold", ["hint", "connect4", "4453", "--player", "solver"], "cold", seconds=3),
    Row("hint by expectimax:depth=3, cold", ["hint", "2048", BOARD, "--player", "expectimax:depth=3"], "cold", times=5),
    Row(
        "hint by alphabeta:depth=3, cold",
        ["hint", "connect4", "4453", "--player", "alphabeta:depth=3"],
        "cold",
        times=5,
    ),
    Row("hint by expectimax:depth=3, warm", ["hint", "2048", BOARD, "--player", "expectimax:depth=3"], "warm", times=5),
    Row("trace of a drawn tree, warm", ["trace", "tree", TREE, "--player", "expectiminimax"], "warm", times=3),
]


def seconds_of(command: list[str], cache: Path, cpu: bool) -> float:
    """How long a command takes, by the clock or in seconds of a core."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=os.environ | {"XDG_CACHE_HOME": str(cache)})
    if not cpu:
        return time.perf_counter() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(rounds: int, cpu: bool) -> Iterator[Finding]:
    contienda = [sys.executable, "-m", "contienda"]
    with tempfile.TemporaryDirectory() as folder:
        filled = {"warm": Path(folder) / "warm", "again": Path(folder) / "again"}
        for row in ROWS:
            if row.cache in filled:
                command, game, _, option, player = row.arguments
                if command == "hint" and row.cache == "warm":
                    seconds_of([*contienda, "warm", game, option, player], filled["warm"], cpu)
                seconds_of([*contienda, *row.arguments], filled[row.cache], cpu)
        numba: list[float] = []
        found: dict[str, list[float]] = {row.what: [] for row in ROWS}
        for number in range(rounds):
            numba.append(seconds_of(NUMBA, filled["warm"], cpu))
            for row in ROWS:
                with tempfile.TemporaryDirectory(dir=folder) as empty:
                    cache = filled.get(row.cache, Path(empty))
                    found[row.what].append(seconds_of([*contienda, *row.arguments], cache, cpu))
            print(f"round {number + 1} of {rounds}", file=sys.stderr)
    for row in ROWS:
        took = found[row.what]
        ratios = [ours / theirs for ours, theirs in zip(took, numba, strict=True)]
        finding = Finding(
            row.what, "import numba", "s", median(took), median(numba), median(ratios), min(ratios), max(ratios)
        )
        if row.times is not None:
            yield finding.judged(f"< {row.times:g} ×", median(ratios) < row.times)
        else:
            assert row.seconds is not None
            yield finding.judged(f"< {row.seconds:g} s", median(took) < row.seconds)


#: Searches for `--line`, and the depths to which they go.
LINE = [
    ("2048", BOARD, "expectimax", range(1, 7)),
    ("connect4", "4453", "alphabeta", range(1, 8)),
    ("othello", None, "alphabeta", range(1, 7)),
]


def show_line() -> None:
    """In one process, so with the registries of the compiler loaded; each compiles in a cache folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        from contienda.compiled.rng import generator
        from contienda.compiled.stopping import Stop
        from contienda.games import make_game
        from contienda.players import at_once, make_player
        from contienda.players.base import Player

        chosen, at_once.SECONDS = at_once.SECONDS, 20.0
        for name, position, algorithm, depths in LINE:
            game = make_game(name)
            state = game.start(generator(0)) if position is None else game.parse(position)
            slow: list[tuple[int, float | None]] = []
            for depth in depths:
                begun = time.thread_time()
                answer = at_once.answer_at_once(make_player(f"{algorithm}:depth={depth}", game), state, Stop())
                slow.append((depth, None if answer is None else time.thread_time() - begun))
            begun = time.thread_time()
            make_player(f"{algorithm}:depth=1", game).compile()
            compiling = time.thread_time() - begun
            print(f"{name} {algorithm}: {compiling:.2f} s to compile")
            for depth, seconds in slow:
                fast = Player.analyse(make_player(f"{algorithm}:depth={depth}", game), state)
                told = "too long" if seconds is None else f"{seconds:.3f} s in the interpreter"
                chose = "interpreted" if seconds is not None and seconds < chosen else "compiled"
                print(f"  depth {depth}: {fast.counters.nodes:>9,} nodes, {told}; {chose}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cpu", action="store_true", help="seconds of a core instead of the clock's")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--line", action="store_true", help="where the line between the two tiers lies")
    asked = parser.parse_args()
    if asked.line:
        return show_line()
    findings = list(measure(asked.rounds, asked.cpu))
    if asked.json:
        print(json.dumps([finding.as_json() for finding in findings], indent=1))
        return None
    print(f"import numba: {findings[0].theirs:.2f} s of {'a core' if asked.cpu else 'the clock'}")
    for f in findings:
        print(
            f"{f.what:34} {f.ours:6.2f} s  {f.ratio:5.2f} × ({f.lowest:.2f}–{f.highest:.2f})  "
            f"aim {f.aim:6} {'reached' if f.reached else 'MISSED'}"
        )
    return None


if __name__ == "__main__":
    main()
