"""How fast Contienda searches and plays, as ratios measured side by side in this run.

    python benchmarks/search.py [--quick] [--yardstick EXPECTIMAX.cpp] [--boards FILE]

The yardstick's source is also taken from the environment, ``YARDSTICK=EXPECTIMAX.cpp make bench``; the boards are those
of ``boards.txt`` beside it, if there is one.

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
from typing import Any

from measuring import Finding, side_by_side
from others import OTHERS, missing
from rich.console import Console
from rich.table import Table
from yardstick import SNAKE, compile_yardstick, run_yardstick

from contienda.compiled.jit import njit
from contienda.compiled.rng import generator
from contienda.compiled.stopping import Stop
from contienda.core.analysis import new_tally
from contienda.core.evaluator import CompiledEvaluator
from contienda.core.game import CHANCE
from contienda.games import make_game
from contienda.games.g2048.board import ACTIONS, Board
from contienda.match import Match, play_games
from contienda.players import make_player
from contienda.search import interpreted
from contienda.search.expectimax import build_expectimax
from contienda.search.montecarlo import build_playout, build_random_policy
from contienda.search.steps import Run

ROOT = Path(__file__).resolve().parent.parent
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
    yardstick: Path | None
    boards: Path | None
    yardstick_depth: int
    seconds: float
    """How long one side of a round lasts, where that can be chosen."""

    def board_texts(self) -> list[str]:
        """The boards of the file, or a few of our own."""
        return self.boards.read_text().splitlines() if self.boards else list(BOARDS)


GAME = make_game("2048")


def main() -> int:
    """Measure everything, print it, and tell whether all values were right."""
    settings = _settings()
    os.chdir(ROOT)  # a heuristic is named by its path
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
    parser.add_argument("--yardstick", type=Path, help="source of a C++ twin, see yardstick.py")
    parser.add_argument("--boards", type=Path, help="boards to search, one to a line")
    given = parser.parse_args()
    named = given.yardstick or os.environ.get("YARDSTICK")
    yardstick = Path(named).resolve() if named else None
    boards = given.boards.resolve() if given.boards else None
    if yardstick and not boards and (beside := yardstick.with_name("boards.txt")).is_file():
        boards = beside
    if given.quick:
        return Settings(rounds=5, yardstick=yardstick, boards=boards, yardstick_depth=5, seconds=0.1)
    return Settings(rounds=9, yardstick=yardstick, boards=boards, yardstick_depth=7, seconds=0.4)


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
    yield from _beside_cpp(settings, "nneonneo", "")
    yield from _beside_cpp(settings, f"{HEURISTICS}:snake_or_nothing", SNAKE)


def _beside_cpp(settings: Settings, evaluator: str, evaluate: str) -> Iterator[Finding]:
    what, beside = f"expectimax depth {settings.yardstick_depth}, {evaluator}", "C++ -O3 -march=native"
    if settings.yardstick is None:
        yield Finding(what, beside, note="give its source with --yardstick")
        return
    with tempfile.TemporaryDirectory() as folder:
        program = compile_yardstick(settings.yardstick, Path(folder), evaluate)
        if isinstance(program, str):
            yield Finding(what, beside, note=program)
            return
        boards = Path(folder) / "boards.txt"
        boards.write_text("\n".join(settings.board_texts()) + "\n")
        ours = _Search(f"expectimax:depth={settings.yardstick_depth},eval={evaluator}", settings.board_texts())
        theirs = run_yardstick(program, boards, settings.yardstick_depth)
        for board, mine, twin in zip(ours.texts, ours.values(), theirs.values, strict=True):
            _agree(mine, twin, 1e-5, board)
        if (evaluations := sum(ours.count("evaluations"))) != theirs.evaluations:
            raise WrongValue(f"{evaluations} evaluations, the yardstick makes {theirs.evaluations}")

        def yardstick_speed() -> float:
            measured = run_yardstick(program, boards, settings.yardstick_depth)
            return measured.evaluations / measured.seconds / 1e6

        finding = side_by_side(
            what,
            beside,
            "M evaluations/s",
            lambda: ours.speed("evaluations", settings.seconds) / 1e6,
            yardstick_speed,
            settings.rounds,
        )
        yield finding.judged("≥ 1.2", finding.ratio >= 1.2)


def users_heuristics(settings: Settings) -> Iterator[Finding]:
    """A heuristic of a user's file against the built-in one of the same formula, in the same search."""
    for name in ("combined", "snake"):
        mine = _Search(f"expectimax:depth=5,eval={HEURISTICS}:{name}", settings.board_texts())
        built_in = _Search(f"expectimax:depth=5,eval={name}", settings.board_texts())
        for board, ours, theirs in zip(mine.texts, mine.values(), built_in.values(), strict=True):
            _agree(ours, theirs, 1e-12, board)
        finding = side_by_side(
            f"expectimax depth 5, {HEURISTICS}:{name}",
            f"eval={name}",
            "M evaluations/s",
            lambda mine=mine: mine.speed("evaluations", settings.seconds) / 1e6,
            lambda built_in=built_in: built_in.speed("evaluations", settings.seconds) / 1e6,
            settings.rounds,
        )
        yield finding.judged("≥ 0.95", finding.ratio >= 0.95)


class _Search:
    """A player and the boards that it searches as it does in a match: all compiled, and that alone is timed."""

    def __init__(self, spec: str, texts: list[str]) -> None:
        self.player = make_player(spec, GAME)
        self.texts = texts
        self.boards: list[Board] = [GAME.parse(text) for text in texts]
        self._seat = self.player.seat(0)
        self.player.choose(self.boards[0], self._seat)  # compiles it

    def values(self) -> list[list[float]]:
        """For each board the value of each action, NaN where there is none."""
        found = [{move.move: move.value for move in self.player.analyse(board).moves} for board in self.boards]
        return [[values.get(action, math.nan) for action in ACTIONS] for values in found]

    def count(self, counter: str) -> list[int]:
        """For each board a counter of its search, ``nodes`` or ``evaluations``."""
        return [self._search(board, counter) for board in self.boards]

    def speed(self, counter: str, at_least: float) -> float:
        """How much the counter grows in a second, over searches of all boards that last so many seconds.

        Seconds of the processor: one thread runs.
        """
        total = 0
        begun = time.process_time()
        while True:
            total += sum(self.count(counter))
            seconds = time.process_time() - begun
            if seconds >= at_least:
                return total / seconds

    def _search(self, board: Board, counter: str) -> int:
        self.player.choose(board, self._seat)
        return int(self.player.tally(self._seat)[counter])


def _agree(ours: list[float], theirs: list[float], tolerance: float, board: str) -> None:
    for mine, other in zip(ours, theirs, strict=True):
        if not (math.isnan(mine) and math.isnan(other)) and not math.isclose(mine, other, rel_tol=tolerance):
            raise WrongValue(f"{ours} is not {theirs} on {board}")


def compiled_and_interpreted(settings: Settings) -> Iterator[Finding]:
    """The same source compiled and interpreted: the same values and counts, and nodes a second."""
    compiled = _Search("expectimax:depth=3,eval=nneonneo", settings.board_texts()[1:4])
    interpret = _interpreter(compiled.player.evaluator, depth=3)
    found = [interpret(board) for board in compiled.boards]
    for text, ours, (theirs, _) in zip(compiled.texts, compiled.values(), found, strict=True):
        _agree(ours, theirs, 0.0, text)
    if compiled.count("nodes") != (visited := [nodes for _, nodes in found]):
        raise WrongValue(f"{compiled.count('nodes')} nodes compiled, {visited} interpreted")

    def interpreted_speed() -> float:
        begun = time.perf_counter()
        nodes = sum(interpret(board)[1] for board in compiled.boards)
        return nodes / (time.perf_counter() - begun) / 1e3

    yield side_by_side(
        "expectimax depth 3, compiled",
        "interpreted",
        "k nodes/s",
        lambda: compiled.speed("nodes", settings.seconds) / 1e3,
        interpreted_speed,
        settings.rounds,
    )


def _interpreter(evaluator: CompiledEvaluator, depth: int) -> Callable[[Board], tuple[list[float], int]]:
    """The search left to the interpreter: for a board the value of each action, and the nodes visited."""
    value = build_expectimax(GAME.rules, evaluator.evaluate, floor=evaluator.floor, jit=interpreted)

    def search(board: Board) -> tuple[list[float], int]:
        tally = new_tally()
        tally.nodes = 1  # the root
        values = [math.nan] * len(ACTIONS)
        for action in GAME.legal_actions(board):
            after = GAME.apply(board, action)
            values[action] = value(after, depth - 1, -math.inf, math.inf, Run(evaluator.weights, tally))
        return values, int(tally.nodes)

    return search


# --- Whole games -----------------------------------------------------------------------------------------------------


def random_play(settings: Settings) -> Iterator[Finding]:
    """Random games of 2048 in moves a second, on one thread, beside other packages.

    Ours are the playouts of Monte Carlo search, game after game in compiled code; theirs go through their Python calls,
    which is all they offer.
    """
    playout = build_playout(GAME.rules, build_random_policy(GAME.rules), signs=False)
    draw, successor = GAME.rules.draw, GAME.rules.successor
    rng = generator(0)

    @njit
    def random_games(wanted: int, rng: Any) -> int:
        moves = 0
        while moves < wanted:
            board = Board(0, 0, 0, CHANCE)
            board = successor(board, draw(board, rng))[1]
            board = Board(board.cells, 0, board.bonus, CHANCE)
            board = successor(board, draw(board, rng))[1]
            moves += playout(board, (), rng)[1] // 2  # every other level is luck's
        return moves

    def ours() -> float:
        begun = time.perf_counter()
        return random_games(2_000_000, rng) / (time.perf_counter() - begun) / 1e3

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

    finding = side_by_side(what, beside, "k moves/s", lambda: speed(2), lambda: speed(1), settings.rounds)
    yield finding.judged("≥ 1.9", finding.ratio >= 1.9)


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
