"""How fast Contienda searches and plays, as ratios measured side by side in this run.

    python benchmarks/search.py [--quick] [--yardstick EXPECTIMAX.cpp] [--boards FILE]

Prints a table, then one line of JSON. Values and counts are checked, times never are: an aim that was missed is shown,
and the exit code is 1 only if a value was wrong.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import numpy as np
from measuring import Finding, side_by_side
from others import OTHERS, missing
from rich.console import Console
from rich.table import Table
from yardstick import compile_yardstick, run_yardstick

from contienda.core import MAX_ACTIONS, Analysis, new_tally
from contienda.games import make_game
from contienda.games.g2048 import ACTIONS, Board
from contienda.match import Match, play_games
from contienda.players import make_player
from contienda.search import interpreted
from contienda.search.expectimax import build_expectimax
from contienda.search.root import build_root
from contienda.stopping import Stop

ROOT = Path(__file__).resolve().parent.parent
YARDSTICK = Path("../shared/yardstick/expectimax.cpp")  # beside the repository, seen from its root
HEURISTICS = "benchmarks/heuristics.py"

#: Boards for when there is no file of them: early, middle and late in a game.
BOARDS = (
    "0 0 0 0/0 0 0 0/0 0 0 0/2 0 0 2",
    "2 2 0 0/2 4 2 0/4 8 4 8/8 16 32 128",
    "0 2 0 8/0 2 16 4/4 16 32 128/8 32 512 1024",
    "0 0 2 16/2 0 4 32/2 4 64 2048/4 8 128 4096",
)


class WrongValue(Exception):
    """Two searches that must agree do not."""


@dataclass(frozen=True)
class Settings:
    """How much to measure."""

    rounds: int
    yardstick: Path
    boards: Path
    yardstick_depth: int
    seconds: float
    """How long one side of a round lasts, where that can be chosen."""

    def board_texts(self) -> list[str]:
        """The boards of the file, or a few of our own."""
        return self.boards.read_text().splitlines() if self.boards.is_file() else list(BOARDS)


GAME = make_game("2048")


def main() -> int:
    """Measure everything, print it, and tell whether all values were right."""
    os.chdir(ROOT)  # a heuristic is named by its path
    settings = _settings()
    console = Console(stderr=True)
    findings: list[Finding] = []
    for subject in (
        against_the_yardstick,
        users_heuristics,
        compiled_and_interpreted,
        random_play,
        two_threads,
        start_up,
    ):
        console.print(f"[dim]{(subject.__doc__ or '').splitlines()[0]}")
        try:
            findings += subject(settings)
        except WrongValue as error:
            findings.append(Finding(subject.__name__.replace("_", " "), "", reached=False, note=f"WRONG: {error}"))
    Console(width=None if sys.stdout.isatty() else 160).print(_table(findings))
    print(json.dumps([finding.as_json() for finding in findings]))
    return int(any(finding.note.startswith("WRONG") for finding in findings))


def _settings() -> Settings:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer and shorter rounds")
    parser.add_argument("--yardstick", type=Path, default=YARDSTICK, help="source of the C++ yardstick")
    parser.add_argument("--boards", type=Path, help="boards to search; boards.txt beside the yardstick by default")
    given = parser.parse_args()
    boards = given.boards or given.yardstick.parent / "boards.txt"
    if given.quick:
        return Settings(rounds=5, yardstick=given.yardstick, boards=boards, yardstick_depth=5, seconds=0.1)
    return Settings(rounds=9, yardstick=given.yardstick, boards=boards, yardstick_depth=7, seconds=0.4)


def _table(findings: list[Finding]) -> Table:
    table = Table(title="Contienda beside others: medians of interleaved rounds")
    table.add_column("what")
    table.add_column("beside")
    for title in ("ours", "theirs", "ratio", "lowest-highest", "aim"):
        table.add_column(title, justify="right")
    for f in findings:
        if f.ratio is None:
            table.add_row(f.what, f.beside, f.note)
            continue
        colour = {True: "green", False: "red", None: "default"}[f.reached]
        table.add_row(
            f.what,
            f.beside,
            _figure(f.ours, f.unit),
            _figure(f.theirs, f.unit),
            f"[{colour}]{f.ratio:.2f}",
            f"{f.lowest:.2f}-{f.highest:.2f}",
            f.aim,
        )
    return table


def _figure(number: float, unit: str) -> str:
    return f"{number:,.0f} {unit}" if number >= 100 else f"{number:.3g} {unit}"


# --- The search ------------------------------------------------------------------------------------------------------


def against_the_yardstick(settings: Settings) -> Iterator[Finding]:
    """Expectimax against its C++ twin: the same values, and evaluations a second."""
    what, beside = f"expectimax depth {settings.yardstick_depth}, nneonneo", "C++ -O3 -march=native"
    if not settings.boards.is_file():
        yield Finding(what, beside, note=f"no boards at {settings.boards}")
        return
    with tempfile.TemporaryDirectory() as folder:
        program = compile_yardstick(settings.yardstick, Path(folder))
        if isinstance(program, str):
            yield Finding(what, beside, note=program)
            return
        ours = _Search(f"expectimax:depth={settings.yardstick_depth},eval=nneonneo", settings.board_texts())
        theirs = run_yardstick(program, settings.boards, settings.yardstick_depth)
        ours.run()
        for board, mine, twin in zip(ours.texts, ours.values(), theirs.values, strict=True):
            _agree(mine, twin, 1e-5, board)
        if ours.evaluations != theirs.evaluations:
            raise WrongValue(f"{ours.evaluations} evaluations, the yardstick makes {theirs.evaluations}")

        def yardstick_speed() -> float:
            measured = run_yardstick(program, settings.boards, settings.yardstick_depth)
            return measured.evaluations / measured.seconds / 1e6

        yield side_by_side(
            what, beside, "M evaluations/s", lambda: ours.speed(settings.seconds), yardstick_speed, settings.rounds
        )


def users_heuristics(settings: Settings) -> Iterator[Finding]:
    """A heuristic of a user's file against the built-in one of the same formula, in the same search."""
    for name in ("combined", "snake"):
        mine = _Search(f"expectimax:depth=5,eval={HEURISTICS}:{name}", settings.board_texts())
        built_in = _Search(f"expectimax:depth=5,eval={name}", settings.board_texts())
        mine.run()
        built_in.run()
        for board, ours, theirs in zip(mine.texts, mine.values(), built_in.values(), strict=True):
            _agree(ours, theirs, 1e-12, board)
        finding = side_by_side(
            f"expectimax depth 5, {HEURISTICS}:{name}",
            f"eval={name}",
            "M evaluations/s",
            lambda mine=mine: mine.speed(settings.seconds),
            lambda built_in=built_in: built_in.speed(settings.seconds),
            settings.rounds,
        )
        yield finding.judged("≥ 0.95", finding.ratio >= 0.95)


class _Search:
    """A player and the boards that it searches; the time is that of its searches alone."""

    def __init__(self, spec: str, texts: list[str]) -> None:
        self.player = make_player(spec, GAME)
        self.texts = texts
        self.boards: list[Board] = [GAME.parse(text) for text in texts]
        self.analyses: list[Analysis] = []

    def run(self) -> None:
        """Search every board once."""
        self.analyses = [self.player.analyse(board) for board in self.boards]

    @property
    def evaluations(self) -> int:
        return sum(analysis.counters.evaluations for analysis in self.analyses)

    def values(self) -> list[list[float]]:
        """For each board the value of each action, NaN where there is none."""
        found = [{move.move: move.value for move in analysis.moves} for analysis in self.analyses]
        return [[values.get(action, math.nan) for action in ACTIONS] for values in found]

    def speed(self, at_least: float) -> float:
        """Millions of evaluations a second, over searches that take so many seconds together."""
        evaluations, seconds = 0, 0.0
        while seconds < at_least:
            self.run()
            evaluations += self.evaluations
            seconds += sum(analysis.counters.seconds for analysis in self.analyses)
        return evaluations / seconds / 1e6


def _agree(ours: list[float], theirs: list[float], tolerance: float, board: str) -> None:
    for mine, other in zip(ours, theirs, strict=True):
        if not (math.isnan(mine) and math.isnan(other)) and not math.isclose(mine, other, rel_tol=tolerance):
            raise WrongValue(f"{ours} is not {theirs} on {board}")


def compiled_and_interpreted(settings: Settings) -> Iterator[Finding]:
    """The same source compiled and interpreted: the same values and counts, and nodes a second."""
    compiled = make_player("expectimax:depth=3,eval=nneonneo", GAME)
    boards = [GAME.parse(text) for text in settings.board_texts()[1:4]]
    interpret = _interpreter(compiled, depth=3)

    def compiled_speed() -> float:
        begun, nodes, seconds = time.perf_counter(), 0, 0.0
        while time.perf_counter() - begun < settings.seconds:
            for board in boards:
                counters = compiled.analyse(board).counters
                nodes += counters.nodes
                seconds += counters.seconds
        return nodes / seconds / 1e3

    def interpreted_speed() -> float:
        begun = time.perf_counter()
        nodes = sum(interpret(board)[1] for board in boards)
        return nodes / (time.perf_counter() - begun) / 1e3

    for board in boards:
        analysis = compiled.analyse(board)
        values, nodes = interpret(board)
        if {m.move: m.value for m in analysis.moves} != values or nodes != analysis.counters.nodes:
            raise WrongValue(f"compiled and interpreted differ on {GAME.format(board)}")
    yield side_by_side(
        "expectimax depth 3, compiled",
        "interpreted",
        "k nodes/s",
        compiled_speed,
        interpreted_speed,
        settings.rounds,
    )


def _interpreter(player, depth: int) -> Callable[[Board], tuple[dict[str, float], int]]:
    """The player's search, left to the interpreter: the values of the moves, and the nodes visited."""
    evaluator = player.evaluator
    value = build_expectimax(GAME.rules, evaluator.evaluate, floor=evaluator.floor, jit=interpreted)
    root = build_root(GAME.rules, value, jit=interpreted)

    def search(board: Board) -> tuple[dict[str, float], int]:
        tally = new_tally()
        values = np.empty(MAX_ACTIONS)
        root(board, depth, range(MAX_ACTIONS), False, values, evaluator.weights, tally, ())
        return {name: float(values[a]) for a, name in enumerate(ACTIONS) if not math.isnan(values[a])}, int(tally.nodes)

    return search


# --- Whole games -----------------------------------------------------------------------------------------------------


def random_play(settings: Settings) -> Iterator[Finding]:
    """Random games of 2048 in moves a second, on one thread, beside other packages."""
    match = Match(GAME, [make_player("random", GAME)])
    seeds = count()

    def ours() -> float:
        return _moves_per_second(match, seeds, 1, settings.seconds) / 1e3

    ours()
    for package, (_, make) in OTHERS.items():
        what = "random play of 2048"
        if absent := missing(package):
            yield Finding(what, package, note=absent)
            continue
        play = make()
        moves = max(int(play(100) * settings.seconds), 100)
        finding = side_by_side(
            what, package, "k moves/s", ours, lambda play=play, moves=moves: play(moves) / 1e3, settings.rounds
        )
        yield finding.judged("≥ 50", finding.ratio >= 50)


def two_threads(settings: Settings) -> Iterator[Finding]:
    """Two threads against one, playing expectimax games."""
    what, beside = "expectimax:depth=3 games, 2 threads", "1 thread"
    if (os.cpu_count() or 1) < 2:
        yield Finding(what, beside, note="this machine has one core")
        return
    match = Match(GAME, [make_player("expectimax:depth=3", GAME)])
    match.compile()

    def speed(threads: int) -> float:
        return _moves_per_second(match, count(), threads, 2 * settings.seconds) / 1e3

    yield side_by_side(what, beside, "k moves/s", lambda: speed(2), lambda: speed(1), settings.rounds)


def _moves_per_second(match: Match, seeds: Iterator[int], threads: int, at_least: float) -> float:
    """Games one after the other, until so many seconds have passed."""
    stop = Stop()
    moves = 0
    begun = time.perf_counter()
    for played in play_games(match, seeds, threads=threads, stop=stop):
        moves += played.moves
        if time.perf_counter() - begun > at_least:
            stop.stop()  # what the threads had in hand comes too, cut short
    return moves / (time.perf_counter() - begun)


# --- Start-up --------------------------------------------------------------------------------------------------------


def start_up(settings: Settings) -> Iterator[Finding]:
    """The seconds of a whole command, beside those of importing Numba."""
    script = Path(sys.executable).with_name("contienda")
    command = [str(script)] if script.is_file() else [sys.executable, "-m", "contienda"]
    for arguments in (
        ["--help"],
        ["list", "games"],
        ["hint", "2048", BOARDS[1], "--player", "expectimax:depth=3"],
    ):
        what = " ".join(["contienda", *("BOARD" if argument == BOARDS[1] else argument for argument in arguments)])
        try:
            _seconds([*command, *arguments])  # fills the caches
        except subprocess.CalledProcessError as error:
            yield Finding(what, "import numba", note=f"exit code {error.returncode}")
            continue
        finding = side_by_side(
            what,
            'python -c "import numba"',
            "s",
            lambda arguments=arguments: _seconds([*command, *arguments]),
            lambda: _seconds([sys.executable, "-c", "import numba"]),
            settings.rounds,
        )
        yield finding.judged("< 4", finding.ratio < 4) if arguments[0] == "hint" else finding


def _seconds(command: list[str]) -> float:
    begun = time.perf_counter()
    subprocess.run(command, capture_output=True, check=True)
    return time.perf_counter() - begun


if __name__ == "__main__":
    sys.exit(main())
