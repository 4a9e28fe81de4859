"""How fast networks are trained, and how well they play.

    python benchmarks/champion.py speed [--tdl TDL2048/2048] [--quick]
    python benchmarks/champion.py strength FILE [--games 1000] [--settings depth=1 depth=3 ms=1]

``speed`` trains 4x6 networks from nothing, beside TDL2048 (https://github.com/moporgic/TDL2048, built by its makefile)
where its program is given, and on two threads beside one: moves a second, interleaved, medians. ``strength`` plays
games with a network of `contienda train` or `contienda pack`: mean scores and rates of tiles with 95 % intervals.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import subprocess
import sys
import time
from pathlib import Path
from statistics import NormalDist, fmean, stdev

from measuring import Finding, side_by_side
from rich.console import Console
from rich.progress import track
from rich.table import Table

from contienda.evaluation.ntuple import parse_network
from contienda.games import make_game
from contienda.learning.plan import Plan
from contienda.learning.step import METHODS
from contienda.learning.training import Training
from contienda.match import Match, play_games
from contienda.players import make_player

TILES = (2048, 4096, 8192, 16384, 32768, 65536)
#: Half the width of a 95 % interval, in standard errors.
Z = NormalDist().inv_cdf(0.975)


def main() -> int:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    subjects = parser.add_subparsers(dest="subject", required=True)
    speed = subjects.add_parser("speed")
    speed.add_argument("--tdl", type=Path, help="the program of TDL2048")
    speed.add_argument("--quick", action="store_true", help="fewer games and rounds")
    strength = subjects.add_parser("strength")
    strength.add_argument("file", type=Path)
    strength.add_argument("--games", type=int, default=1000)
    strength.add_argument("--settings", nargs="+", default=["depth=1"])
    strength.add_argument("--player", default="expectimax")
    strength.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    if given.subject == "speed":
        findings = measure_speed(given.tdl, *((4000, 3) if given.quick else (10_000, 5)))
    else:
        return measure_strength(given.file, given.player, given.settings, given.games, given.threads)
    Console(width=None if sys.stdout.isatty() else 160).print(_table(findings))
    print(json.dumps([finding.as_json() for finding in findings]))
    return 0


# --- Speed -----------------------------------------------------------------------------------------------------------


def measure_speed(tdl: Path | None, games: int, rounds: int) -> list[Finding]:
    """Training from nothing: moves a second over the first games."""
    findings = []
    for method in METHODS:
        what = f"4x6 {method}, first {games:,} games"
        if tdl is None:
            findings.append(Finding(what, "TDL2048", note="no --tdl"))
            continue
        pair = side_by_side(
            what, "TDL2048", "moves/s", lambda m=method: _ours(m, games), lambda m=method: _tdl(tdl, m, games), rounds
        )
        findings.append(pair.judged("at least 1.0", (pair.ratio or 0) >= 1.0))
    pair = side_by_side(
        "4x6 tc, two threads",
        "one thread",
        "moves/s",
        lambda: _ours("tc", games, 2),
        lambda: _ours("tc", games),
        rounds,
    )
    return [*findings, pair.judged("at least 1.8", (pair.ratio or 0) >= 1.8)]


def _ours(method: str, games: int, threads: int = 1) -> float:
    training = Training(Plan(parse_network("4x6"), method, METHODS[method].alpha), threads)
    training.compile()
    training.weights.table[:] = 0  # the memory is taken before the clock runs, as TDL2048 does
    training.memory.sums[:] = 0
    begun = time.perf_counter()
    while training.games < games:
        training.play_on(games, math.inf)
    return training.moves / (time.perf_counter() - begun)


def _tdl(program: Path, method: str, games: int) -> float:
    """TDL2048 tells of each thousand games how long it took, and its moves a second."""
    alpha = ["0.1", "fixed"] if method == "td" else ["1.0", "coherence"]
    command = [str(program), "-n", "4x6patt", "-t", f"{games // 1000}x1000", "-a", *alpha, "-s"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    blocks = [(float(ms), float(speed)) for ms, speed in re.findall(r"(\d+)ms ([\d.]+)ops", told)]
    return sum(ms * speed for ms, speed in blocks) / sum(ms for ms, _ in blocks)


def _table(findings: list[Finding]) -> Table:
    table = Table(title="Training: medians of interleaved rounds")
    for title in ("what", "beside", "ours", "theirs", "ratio", "lowest-highest", "aim", ""):
        table.add_column(title)
    for found in findings:
        if found.ratio is None:
            table.add_row(found.what, found.beside, "", "", "", "", "", found.note)
            continue
        table.add_row(
            found.what,
            found.beside,
            f"{found.ours:,.0f}",
            f"{found.theirs:,.0f}",
            f"{found.ratio:.2f}",
            f"{found.lowest:.2f}-{found.highest:.2f}",
            found.aim,
            "reached" if found.reached else "missed",
        )
    return table


# --- Strength --------------------------------------------------------------------------------------------------------


def measure_strength(file: Path, player: str, settings: list[str], games: int, threads: int) -> int:
    """Play, and say how sure the means are."""
    game = make_game("2048")
    table = Table(title=f"{file.name}: {games} games each, seeds 0 … {games - 1}; 95 % intervals")
    for title in ("player", "mean score", "moves/s", *(str(tile) for tile in TILES)):
        table.add_column(title, justify="right")
    rows = []
    for setting in settings:
        spec = f"{player}:{setting},eval=ntuple:{file}"
        match = Match(game, [make_player(spec, game)])
        scores, tiles, moves, seconds = [], [], 0, 0.0
        for played in track(
            play_games(match, range(games), threads=threads), setting, games, console=Console(stderr=True)
        ):
            outcome = game.outcome(played.state)
            scores.append(outcome["score"])
            tiles.append(outcome["max_tile"])
            moves += played.moves
            seconds += played.seconds
        mean, error = fmean(scores), Z * stdev(scores) / math.sqrt(games)
        rates = {tile: wilson(sum(largest >= tile for largest in tiles), games) for tile in TILES}
        table.add_row(
            f"{player}:{setting}",
            f"{mean:,.0f} ± {error:,.0f}",
            f"{moves / seconds:,.0f}",
            *(f"{low:.1%}-{high:.1%}" for low, high in rates.values()),
        )
        rows.append(
            {"player": spec, "games": games, "mean": mean, "error": error, "rates": rates, "moves/s": moves / seconds}
        )
    Console(width=None if sys.stdout.isatty() else 160).print(table)
    print(json.dumps(rows))
    return 0


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a rate."""
    rate = successes / trials
    middle = (rate + Z**2 / (2 * trials)) / (1 + Z**2 / trials)
    half = Z / (1 + Z**2 / trials) * math.sqrt(rate * (1 - rate) / trials + Z**2 / (4 * trials**2))
    return max(0.0, middle - half), min(1.0, middle + half)


if __name__ == "__main__":
    sys.exit(main())
