"""How fast networks are trained, and how well they play.

    python benchmarks/champion.py speed [--tdl TDL2048/2048] [--quick]
    python benchmarks/champion.py search [--network FILE] [--tdl TDL2048/2048 --weights FILE.w]
    python benchmarks/champion.py downgrading [--network FILE] [--boards 60] [--depth 3]
    python benchmarks/champion.py cut [--network FILE] [--boards 250]
    python benchmarks/champion.py strength champion:depth=1 champion:ms=1 … [--games 1000] [--out games.jsonl]

``speed`` trains 4x6 networks from nothing, beside TDL2048 (https://github.com/moporgic/TDL2048, built by its makefile)
where its program is given, and on two threads beside one at three points of a training, and with a network for each:
moves a second, interleaved, medians. ``search`` measures the champion's moves a second at depths 1, 3 and 5, beside
TDL2048 at 1, 2 and 3 ply with weights of its own.
``downgrading`` takes boards at which a game first has a 16384, makes a 32768 of it, and plays on from there.
``cut`` measures the cut-off by probability: by how much the moves of depth 7 fall short of those of depth 9, and what
they cost. ``strength`` plays games: mean scores and rates of tiles with 95 % intervals, and milliseconds a move. It
tells how it goes; with ``--out`` every game is kept as it ends, and the same command goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import re
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import NormalDist, fmean, stdev
from typing import NamedTuple

from measuring import Finding, side_by_side
from rich.console import Console
from rich.table import Table

from contienda.compiled.rows import rows
from contienda.core.game import MAX
from contienda.evaluation.g2048.ntuple import parse_network
from contienda.games import make_game
from contienda.games.g2048.board import Board, board_from_ranks, largest_rank, rank_at, score
from contienda.learning.plan import TrainingPlan
from contienda.learning.step import METHODS
from contienda.learning.training import Training
from contienda.match import Match, Played, play_games
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
    search = subjects.add_parser("search")
    search.add_argument("--network", type=Path, help="of contienda train or pack; else the shipped one")
    search.add_argument("--tdl", type=Path, help="the program of TDL2048")
    search.add_argument("--weights", type=Path, help="of a 4x6patt network that it has trained")
    search.add_argument("--rounds", type=int, default=5)
    downgrading = subjects.add_parser("downgrading")
    downgrading.add_argument("--network", type=Path, help="of contienda train or pack; else the shipped one")
    downgrading.add_argument("--boards", type=int, default=60)
    downgrading.add_argument("--depth", type=int, default=3)
    cut = subjects.add_parser("cut")
    cut.add_argument("--network", type=Path, help="of contienda train or pack; else the shipped one")
    cut.add_argument("--boards", type=int, default=250)
    strength = subjects.add_parser("strength")
    strength.add_argument("players", nargs="+")
    strength.add_argument("--games", type=int, default=1000)
    strength.add_argument("--threads", type=int, default=1, help="games at once")
    strength.add_argument("--out", type=Path, help="where the games are kept")
    given = parser.parse_args()
    if given.subject == "strength":
        return measure_strength(given.players, given.games, given.threads, given.out)
    if given.subject == "downgrading":
        return measure_downgrading(given.network, given.boards, given.depth)
    if given.subject == "cut":
        return measure_cut(given.network, given.boards)
    if given.subject == "search":
        findings = measure_search(given.network, given.tdl, given.weights, given.rounds)
    else:
        findings = measure_speed(given.tdl, *((4000, 3) if given.quick else (10_000, 5)))
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
    return [*findings, *(_two_threads(first, 4 * rounds) for first in (0, games, 3 * games)), _apart(games, 4 * rounds)]


def _ours(method: str, games: int) -> float:
    return _train(_new_training(method, threads=1), games)


def _new_training(method: str, threads: int) -> Training:
    training = Training(TrainingPlan(parse_network("4x6"), method, METHODS[method].alpha), threads)
    training.compile()
    rows(training.weights)[:] = 0  # the memory is taken before the clock runs, as TDL2048 does
    rows(training.memory)[:] = 0
    return training


def _train(training: Training, games: int) -> float:
    """Some games more: moves a second."""
    until, moves, begun = training.games + games, training.moves, time.perf_counter()
    while training.games < until:
        training.play_on(until, math.inf)
    return (training.moves - moves) / (time.perf_counter() - begun)


def _two_threads(first: int, rounds: int) -> Finding:
    """Beside one: in turns, 500 games each, in one training from this game on."""
    training = _new_training("tc", threads=2)
    seats = training.seats
    _train(training, first)

    def with_seats(threads: int) -> float:
        training.seats = seats[:threads]
        return _train(training, 500)

    what = f"4x6 tc, two threads, after {first:,} games"
    pair = side_by_side(what, "one thread", "moves/s", lambda: with_seats(2), lambda: with_seats(1), rounds)
    return pair.judged("at least 1.8", (pair.ratio or 0) >= 1.8)


def _apart(first: int, rounds: int) -> Finding:
    """Two networks that share nothing, at once beside one after the other: the most that two threads could gain."""
    trainings = [_new_training("tc", threads=1) for _ in range(2)]

    def both(workers: int) -> float:
        moves, begun = sum(training.moves for training in trainings), time.perf_counter()
        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(lambda training: _train(training, 250), trainings))
        return (sum(training.moves for training in trainings) - moves) / (time.perf_counter() - begun)

    for training in trainings:
        _train(training, first // 2)
    what = f"4x6 tc, two networks apart, after {first:,} games"
    return side_by_side(what, "in turn", "moves/s", lambda: both(2), lambda: both(1), rounds)


def _tdl(program: Path, method: str, games: int) -> float:
    """TDL2048 tells of each thousand games how long it took, and its moves a second."""
    alpha = ["0.1", "fixed"] if method == "td" else ["1.0", "coherence"]
    command = [str(program), "-n", "4x6patt", "-t", f"{games // 1000}x1000", "-a", *alpha, "-s"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    blocks = [(float(ms), float(speed)) for ms, speed in re.findall(r"(\d+)ms ([\d.]+)ops", told)]
    return sum(ms * speed for ms, speed in blocks) / sum(ms for ms, _ in blocks)


def _table(findings: list[Finding]) -> Table:
    table = Table(title="Moves a second: medians of interleaved rounds")
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
            {None: "", True: "reached", False: "missed"}[found.reached],
        )
    return table


# --- The search ------------------------------------------------------------------------------------------------------


def measure_search(network: Path | None, tdl: Path | None, weights: Path | None, rounds: int) -> list[Finding]:
    """Moves in whole games by second of the processor, without what it takes to start."""
    findings = []
    for ply, games in enumerate((100, 5, 1), start=1):
        depth = 2 * ply - 1
        match = Match(make_game("2048"), [make_player(_champion(f"depth={depth}", network), make_game("2048"))])
        match.compile()

        def ours(match: Match = match, games: int = games) -> float:
            begun = time.process_time()
            moves = sum(played.moves for played in play_games(match, range(games)))
            return moves / (time.process_time() - begun)

        def theirs(ply: int = ply, games: int = 10 * games) -> float:
            command = [str(tdl), "-n", "4x6patt", "-i", str(weights), "-s"]
            _, load = _told([*command, "-e", "1x1", "-d", "1p"])  # to load the weights; a game at 1 ply is nothing
            told, seconds = _told([*command, "-e", f"1x{games}", "-d", f"{ply}p"])
            ms, speed = re.findall(r"(\d+)ms ([\d.]+)ops", told)[0]
            return float(ms) / 1000 * float(speed) / (seconds - load)

        what = f"champion:depth={depth}"
        if tdl is None or weights is None:
            findings.append(Finding(what, "TDL2048", note=f"{ours():,.0f} moves/s; no --tdl and --weights"))
            continue
        pair = side_by_side(what, f"TDL2048, {ply} ply", "moves/s", ours, theirs, rounds)
        findings.append(pair.judged("at least 1.0", (pair.ratio or 0) >= 1.0))
    return findings


def _told(command: list[str]) -> tuple[str, float]:
    """What a program prints, and the processor's seconds that it takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return told, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


# --- Tile downgrading ------------------------------------------------------------------------------------------------


def measure_downgrading(network: Path | None, boards: int, depth: int) -> int:
    """What is scored from boards with a tile that the network has hardly seen, downgraded or not."""
    game = make_game("2048")
    seeds = itertools.count()
    starts: list[Board] = []
    early = Match(game, [make_player(_champion("depth=1,downgrade=off", network), game)])
    while len(starts) < boards:
        played = early.play(next(seeds))
        ranks = _first_with(14, played)
        if ranks is not None:
            starts.append(board_from_ranks([15 if rank == 14 else rank for rank in ranks], 0))
    for tile in ("off", "32768", "16384"):
        match = Match(game, [make_player(_champion(f"depth={depth},downgrade={tile}", network), game)])
        played_on = [match.play(number, start=start) for number, start in enumerate(starts)]
        gains = [score(played.state) - score(played.start) for played in played_on]
        error = Z * stdev(gains) / math.sqrt(boards)
        print(f"depth={depth},downgrade={tile}: {fmean(gains):,.0f} ± {error:,.0f} points more", flush=True)
    return 0


def _first_with(rank: int, played: Played) -> list[int] | None:
    """The ranks of the first board of a game, before a move, whose largest tile is of this rank."""
    state, successor = played.start, played.game.rules.successor
    for action in played.actions if largest_rank(played.state) >= rank else []:
        state = successor(state, action)[1]
        if state.turn == MAX and largest_rank(state) == rank:
            return [rank_at(state, cell) for cell in range(16)]
    return None


# --- The cut-off by probability --------------------------------------------------------------------------------------

#: Moves between two boards that are looked at: each game gives some, and no two are alike.
_APART = 97


def measure_cut(network: Path | None, boards: int) -> int:
    """How many points each search's moves are worth less than the best, by the values of depth 9."""
    game = make_game("2048")
    match = Match(game, [make_player(_champion("depth=1", network), game)])
    states = itertools.chain.from_iterable(_every(_APART, match.play(seed)) for seed in itertools.count())
    starts = list(itertools.islice(states, boards))
    deep = make_player(_champion("depth=9,cprob=0.0005", network), game)
    worth = [{move.move: move.value for move in deep.analyse(start).moves} for start in starts]
    for options in ("depth=5", "depth=7", "depth=7,cprob=0.01"):
        player = make_player(_champion(options, network), game)
        found = [player.analyse(start) for start in starts]
        short = [max(values.values()) - values[one.best] for values, one in zip(worth, found, strict=True)]
        nodes = fmean(one.counters.nodes for one in found)
        error = Z * stdev(short) / math.sqrt(boards)
        print(f"{options}: {fmean(short):.1f} ± {error:.1f} points short, {nodes:,.0f} nodes", flush=True)
    return 0


def _every(moves: int, played: Played) -> Iterator[Board]:
    """Every so many moves, the board before one."""
    state, successor = played.start, played.game.rules.successor
    for number, action in enumerate(played.actions, start=1):
        state = successor(state, action)[1]
        if state.turn == MAX and number % (2 * moves) == 0 and played.game.legal_actions(state):
            yield state


def _champion(options: str, network: Path | None) -> str:
    return f"champion:{options}" + (f",network={network}" if network else "")


# --- Strength --------------------------------------------------------------------------------------------------------


class Result(NamedTuple):
    """What is kept of a game."""

    player: str
    seed: int
    score: int
    tile: int
    moves: int
    seconds: float


def measure_strength(players: list[str], games: int, threads: int, out: Path | None) -> int:
    """Play, and say how sure the means are; games that the file has already are not played again."""
    known = [Result(*json.loads(line)) for line in out.read_text().splitlines()] if out and out.exists() else []
    table = Table(title=f"{games} games each, seeds 0 … {games - 1}; 95 % intervals")
    for title in ("player", "mean score", "ms/move", *(str(tile) for tile in TILES)):
        table.add_column(title, justify="right")
    for player in players:
        results = [result for result in known if result.player == player and result.seed < games]
        missing = sorted(set(range(games)) - {result.seed for result in results})
        for result in _games(player, missing, threads):
            results.append(result)
            if out:
                with out.open("a") as file:
                    file.write(json.dumps(result) + "\n")
            if len(results) % max(games // 20, 1) == 0:
                print(f"{player}: {len(results)} games, {_mean(results)}", file=sys.stderr, flush=True)
        rates = (wilson(sum(result.tile >= tile for result in results), len(results)) for tile in TILES)
        ms = 1000 * sum(result.seconds for result in results) / sum(result.moves for result in results)
        table.add_row(player, _mean(results), f"{ms:.3g}", *(f"{low:.1%}-{high:.1%}" for low, high in rates))
    Console(width=None if sys.stdout.isatty() else 160).print(table)
    return 0


def _games(player: str, seeds: list[int], threads: int) -> Iterator[Result]:
    game = make_game("2048")
    match = Match(game, [make_player(player, game)])
    for played in play_games(match, seeds, threads=threads):
        outcome = game.outcome(played.state)
        yield Result(player, played.seed, outcome["score"], outcome["max_tile"], played.moves, played.seconds)


def _mean(results: list[Result]) -> str:
    scores = [result.score for result in results]
    error = Z * stdev(scores) / math.sqrt(len(scores)) if len(scores) > 1 else math.inf
    return f"{fmean(scores):,.0f} ± {error:,.0f}"


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a rate."""
    rate = successes / trials
    middle = (rate + Z**2 / (2 * trials)) / (1 + Z**2 / trials)
    half = Z / (1 + Z**2 / trials) * math.sqrt(rate * (1 - rate) / trials + Z**2 / (4 * trials**2))
    return max(0.0, middle - half), min(1.0, middle + half)


if __name__ == "__main__":
    sys.exit(main())
