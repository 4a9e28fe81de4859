"""Mutated files of every format, and mutated texts: each is read, or refused in one sentence; none crashes.

    python tests/attack/fuzz_files.py [--count 100000] [--seed 1] [--keep FOLDER] [FORMAT …]

Mutations are numbered, and the same number and seed give the same mutation: bits flipped, bytes cut out, put in or
exchanged, and where a format has a head of JSON, values in it replaced by what no writer would write. What is read is
used, too: a network values boards, a training run goes on. The work is done in child processes, so that a crash ends
only one of them; the mutation that it died of is kept, and the next child goes on after it.
`tests/whole/test_files.py` runs some hundreds of each.
"""

from __future__ import annotations

import argparse
import copy
import json
import multiprocessing
import random
import re
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from contienda.compiled.rows import rows
from contienda.core.language import BadInput
from contienda.core.specs import parse_spec
from contienda.evaluation.g2048.afterstates import build_evaluate
from contienda.evaluation.g2048.network_file import load_network, write_file
from contienda.evaluation.g2048.ntuple import Network, new_weights
from contienda.evaluation.g2048.quantised import quantise
from contienda.games import make_game
from contienda.games.g2048.board import Board
from contienda.games.tree import Tree
from contienda.lab.plan_file import load_plan, plan_from_toml
from contienda.lab.results import Outcome, Results
from contienda.lab.table import table_of, turns_of
from contienda.learning.plan import TrainingPlan
from contienda.learning.saved import saved_plan
from contienda.learning.training import Training
from contienda.match import Match
from contienda.perfect.book import empty_plies, load_plies, merged, save_plies
from contienda.perfect.positions import Size, look_in
from contienda.players import make_player
from contienda.problems import make_problem
from contienda.record import game_as_text, load_game

#: Seconds that one mutation may take: one that hangs is as bad as one that crashes.
LIMIT = 60
#: Mutations of one child.
BATCH = 5000

#: What no writer writes.
ODD = [
    -1, 0, 1, 2, 60, 63, 64, 65, 255, 256, 65535, 65536, 2**31, 2**32, 2**53, 2**63 - 1, 2**63, 2**64, -(2**63), 10**30,
    10**400, 0.5, -0.0, 1e308, -1e308, 1e-320, float("nan"), float("inf"), True, False, None, "", "0", "text", "<f4",
    "|O", "<f8", "table", "sums", "4x6", "0123", "00", "ff", "\ud800", [], [[]], {}, [0], [1, 2, 3], {"a": 1},
    [None] * 50, list(range(60)), "9" * 5000,
]  # fmt: skip


class Format(NamedTuple):
    """A format: some right files, and what reads and uses one."""

    examples: Callable[[], list[bytes]]
    read: Callable[[Path], None]
    head: Callable[[bytes], tuple[bytes, bytes, bytes]] | None = None
    """A file in three: what stands before its JSON, the JSON, and what follows."""


# --- Mutations -------------------------------------------------------------------------------------------------------


def mutation(name: str, seed: int, number: int) -> bytes:
    """One mutated file of a format, always the same."""
    luck = random.Random(f"{name} {seed} {number}")
    form = FORMATS[name]
    data = luck.choice(_examples(name))
    if form.head is not None and luck.random() < 0.7:
        before, line, after = form.head(data)
        tree = json.loads(line)
        for _ in range(luck.choice((1, 1, 1, 2, 3))):
            tree = _odd(tree, luck)
        data = before + json.dumps(tree).encode("utf-8", "surrogatepass") + after
        if luck.random() < 0.8:
            return data
    for _ in range(luck.choice((1, 1, 2, 4, 16))):
        data = _scrambled(data, luck)
    return data


@cache
def _examples(name: str) -> list[bytes]:
    return FORMATS[name].examples()


def _odd(tree: Any, luck: random.Random) -> Any:
    """The same tree with one value replaced, left out, doubled or exchanged."""
    tree = copy.deepcopy(tree)
    holder: Any = None
    key: Any = None
    node: Any = tree
    while isinstance(node, dict | list) and node and (holder is None or luck.random() < 0.75):
        holder = node
        key = luck.choice(list(node)) if isinstance(node, dict) else luck.randrange(len(node))
        node = node[key]
    if holder is None:
        return luck.choice(ODD)
    kind = luck.random()
    if kind < 0.6:
        holder[key] = luck.choice(ODD)
    elif kind < 0.75 and isinstance(node, int | float) and abs(node) < 2**64:
        holder[key] = node * luck.choice((-1, 2, 0.5, 1.0)) + luck.choice((-1, 0, 1))
    elif kind < 0.85:
        del holder[key]
    elif isinstance(holder, list):
        holder.insert(key, copy.deepcopy(node))
    else:
        other = luck.choice(list(holder))
        holder[key], holder[other] = holder[other], holder[key]
    return tree


def _scrambled(data: bytes, luck: random.Random) -> bytes:
    """Some bytes of it changed."""
    at = luck.randrange(len(data) + 1)
    to = min(len(data), at + luck.choice((1, 1, 2, 4, 8, 64, 1024)))
    match luck.randrange(7):
        case 0 | 1 if at < len(data):
            return data[:at] + bytes([data[at] ^ 1 << luck.randrange(8)]) + data[at + 1 :]
        case 2:
            return data[:at] + luck.randbytes(to - at) + data[to:]
        case 3:
            return data[:at]
        case 4:
            return data[:at] + data[to:]
        case 5:
            return (
                data[:at] + (luck.randbytes(luck.randrange(1, 9)) if luck.random() < 0.5 else data[at:to]) + data[at:]
            )
        case _:
            printable = bytes(luck.choice(b"0123456789-.,:;=/[]{}\"' \nabcxyzmaxin") for _ in range(to - at))
            return data[:at] + printable + data[to:]


# --- Networks --------------------------------------------------------------------------------------------------------

_LAYOUT = Network(("01", "45"), (0, 64))
_PLAN = TrainingPlan(_LAYOUT, "tc", 1.0, carousel=True, seed=3, point=5)


@cache
def _evaluate() -> Callable[..., float]:
    return build_evaluate(_LAYOUT)


def _trained() -> list[bytes]:
    """A run after its first games, of one stage and of two."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "run.net"
        training = Training(_PLAN, 1)
        training.play_on(5, 60)
        training.seconds, training.curve = 1.5, [point._replace(seconds=1.5) for point in training.curve]
        files = []
        for stages in (1, 2):
            training.weights.open = stages
            training.save(file)
            files.append(file.read_bytes())
        return files


def _read_trained(path: Path) -> None:
    network, weights = load_network(path)
    if network == _LAYOUT:
        for cells in (0, 0x123456789ABCDEF, -1):
            float(_evaluate()(Board(cells, 0, 0, 2), weights))
    plan = saved_plan(path)
    training = Training.resume(path, plan, 1)
    if (plan.network, plan.method, plan.carousel, plan.restart) == (_LAYOUT, "tc", True, False):
        for _ in range(3):  # one game of each stage, and one more
            training._play_games(1, training.seats[0])


def _packed() -> list[bytes]:
    weights = new_weights(_LAYOUT)
    rows(weights)[::3] = np.arange(len(rows(weights)[::3])) % 40 - 20
    trained = {"games": 5, "moves": 500, "seconds": 1.0, "curve": []}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "packed.net"
        files = []
        for stages in (1, 2):
            step, blocks = quantise(_LAYOUT, rows(weights)[: stages * _LAYOUT.stage_size], 0.5)
            about = {"open": stages, "step": step, "plan": _PLAN.as_data(), "trained": trained}
            write_file(file, _LAYOUT, about, blocks)
            files.append(file.read_bytes())
        return files


def _network_head(data: bytes) -> tuple[bytes, bytes, bytes]:
    magic, line, blocks = data.split(b"\n", 2)
    return magic + b"\n", line, b"\n" + blocks


# --- Books, games, plans, results ------------------------------------------------------------------------------------

_SIZE = Size(4, 4, 3)


def _books() -> list[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "small.book"
        plies = empty_plies(_SIZE, 4)
        for ply in plies:
            ply.scores[::2] = np.arange(len(ply.scores[::2])) % 9 - 4
        save_plies(file, _SIZE, plies)
        return [file.read_bytes()]


def _read_book(path: Path) -> None:
    book = merged(load_plies(path, _SIZE))
    for key in book.keys[::7].tolist():
        look_in(*book, key)


def _games() -> list[bytes]:
    texts = []
    for spec, players in (("2048", 1), ("connect4", 2), ("tictactoe", 2)):
        game = make_game(spec)
        match = Match(game, [make_player("random", game)] * players)
        played = match.play(5)
        played.move_seconds = [0.001] * played.moves
        texts.append(re.sub(r'"saved": ".*?"', '"saved": "2026-01-31"', game_as_text(played)).encode())
    return texts


def _game_head(data: bytes) -> tuple[bytes, bytes, bytes]:
    return b"", data, b""


_PLAN_TEXTS = (
    b"""name = "depths"
game = "2048"
games = 20
seed = 1
target = 2048
players = ["random", "greedy"]

[[grid]]
player = ["alphabeta", "expectimax"]
eval = ["uma4", "nneonneo"]
depth = [1, 3]
""",
    b"""game = "connect4"
interval = 0.05
most = 500
players = ["minimax:depth=2", "alphabeta:depth=3,table=on,memory=1"]
opponents = ["random"]
sides = "both"
opening = 2
turns = true
""",
)


def _results() -> list[bytes]:
    files = []
    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate(_PLAN_TEXTS):
            file = Path(folder) / f"{number}.db"
            results = Results(file, plan_from_toml(text.decode(), "some"))
            results.begin("here", "0123")
            turns = np.arange(4, dtype=np.float32).tobytes()
            results.add(
                [
                    Outcome(i % 2, 1 + i, "over", 12 * i, 64, False, None, 30 + i, 100, 0.5, "here", turns)
                    for i in range(8)
                ]
            )
            results._db.execute("UPDATE runs SET begun = 1.0, ended = 2.0")
            results._db.execute("PRAGMA journal_mode = DELETE")
            results.close()
            files.append(file.read_bytes())
    return files


def _read_results(path: Path) -> None:
    results = Results(path)
    try:
        results.rows()
        results.runs()
        results.counts()
        results.missing(results.plan.units(results.plan.seeds(3)))
        table_of(results)
        turns_of(results)
    finally:
        results.close()
        for beside in ("-wal", "-shm", "-journal"):
            path.with_name(path.name + beside).unlink(missing_ok=True)


# --- Texts -----------------------------------------------------------------------------------------------------------

_POSITIONS = {
    "2048": "2 4 8 16/0 0 2 4/0 131072 0 2/0 0 0 0",
    "connect4": "4453",
    "tictactoe": "x.o/.x./...",
    "puzzle8": "1 2 3/4 5 6/7 0 8",
    "tree": "max[chance[0.5:min[2 7] 1/2:min[4 6]] 3.5]",
}


def _read_position(path: Path) -> None:
    """``GAME TEXT``: of a game that is not mutated, for each is compiled."""
    name, _, text = _text_of(path).partition(" ")
    if name == "tree":
        tree = Tree(text)
        tree.legal_actions(tree.parse(""))
    elif name == "puzzle8":
        problem = make_problem("puzzle8", text)
        problem.legal_actions(problem.initial)
    elif name in _POSITIONS:
        game = make_game(name)
        state = game.parse(text)
        game.legal_actions(state)
        game.format(state)
        game.outcome(state)


_SPECS = (
    b"alphabeta:depth=3,table=on,memory=1,order=history,pvs=on",
    b"minimax:depth=4,reuse=on,eval=window",
    b"mcts:sims=100,c=1.4",
    b"expectimax:depth=3,eval=nneonneo,cprob=0.01",
    b"montecarlo:rollouts=10",
)


def _read_spec(path: Path) -> None:
    text = _text_of(path)
    spec = parse_spec(text)
    assert parse_spec(str(spec)) == spec
    for game in ("2048", "connect4"):
        try:
            make_player(text, make_game(game))
        except BadInput as error:
            _check_sentence(error)


def _text_of(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace").replace("\0", "")


def _check_sentence(error: BadInput) -> None:
    assert str(error.text.into("en")).strip(), "a refusal that says nothing"
    assert str(error.text.into("es")).strip(), "a refusal that says nothing"


FORMATS = {
    "network": Format(_trained, _read_trained, _network_head),
    "packed": Format(_packed, _read_trained, _network_head),
    "book": Format(_books, _read_book),
    "game": Format(_games, lambda path: (load_game(path), None)[1], _game_head),
    "plan": Format(lambda: list(_PLAN_TEXTS), lambda path: (load_plan(path), None)[1]),
    "result": Format(_results, _read_results),
    "position": Format(lambda: [f"{name} {text}".encode() for name, text in _POSITIONS.items()], _read_position),
    "spec": Format(lambda: list(_SPECS), _read_spec),
}


# --- The runs --------------------------------------------------------------------------------------------------------


def try_one(name: str, data: bytes, folder: Path) -> bool:
    """Read one file: whether it was refused. What is neither read nor refused in words is raised."""
    path = folder / "file"
    path.write_bytes(data)
    try:
        FORMATS[name].read(path)
    except BadInput as error:
        _check_sentence(error)
        return True
    return False


def _child(name: str, seed: int, first: int, last: int, at: Any, faults: Any) -> None:
    """So many mutations; ``at`` tells the parent which one it is at. What is raised is told, and the next is tried."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)  # ends the process even where compiled code runs
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        for example in _examples(name):
            assert not try_one(name, example, Path(folder)), f"{name}: its own example is refused"
        for number in range(first, last):
            data = mutation(name, seed, number)
            at.value = number
            signal.alarm(LIMIT)
            try:
                try_one(name, data, Path(folder))
            except BaseException:
                faults.put((number, traceback.format_exc(limit=-4)))
            signal.alarm(0)
        at.value = last


def run(name: str, seed: int, count: int, keep: Path) -> int:
    """So many mutations of a format, in child processes; how many were neither read nor refused."""
    context = multiprocessing.get_context("spawn")  # a fork would hang in the threads of Polars
    found = 0
    number = 0
    begun = time.monotonic()
    while number < count:
        last = min(count, number + BATCH)
        at, faults = context.Value("q", number), context.SimpleQueue()
        child = context.Process(target=_child, args=(name, seed, number, last, at, faults))
        child.start()
        while child.is_alive() or not faults.empty():
            child.join(0.2)
            while not faults.empty():
                where, told = faults.get()
                found += _keep(name, seed, where, told, keep)
        number = last
        if child.exitcode != 0:
            number = at.value + 1
            found += _keep(name, seed, at.value, f"the process ended with {child.exitcode}\n", keep)
        seconds = time.monotonic() - begun
        print(f"{name}: {number:,} of {count:,}, {found} faults, {seconds:.0f} s", file=sys.stderr, flush=True)
    return found


def _keep(name: str, seed: int, number: int, told: str, keep: Path) -> int:
    keep.mkdir(parents=True, exist_ok=True)
    (keep / f"{name}-{seed}-{number}").write_bytes(mutation(name, seed, number))
    (keep / f"{name}-{seed}-{number}.txt").write_text(told)
    print(f"{name} {number}: {told.splitlines()[-1]}", file=sys.stderr, flush=True)
    return 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("formats", nargs="*", choices=[*FORMATS, []], help="all if none is named")
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=Path("fuzz-found"))
    asked = parser.parse_args()
    faults = {name: run(name, asked.seed, asked.count, asked.keep) for name in asked.formats or FORMATS}
    print("\n".join(f"{name}: {asked.count:,} mutations, {found} faults" for name, found in faults.items()))
    sys.exit(1 if any(faults.values()) else 0)


if __name__ == "__main__":
    main()
