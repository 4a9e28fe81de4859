"""Invalid numbers and paths: exit code 2 and one line, before any work begins."""

from __future__ import annotations

import os
import re
import shlex
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
import typer
from drive import contienda
from typer.models import OptionInfo

from contienda.cli.commands import app
from contienda.lab.plan import Plan
from contienda.lab.results import Results

TREE = "max[min[3 12 8] min[2 4 6]]"
BOARD = "0 0 0 0/0 0 0 0/0 0 2 4/2 4 8 16"

#: A call of every command that takes numbers or places, sound but for what is added to it.
CALLS = {
    "play": "play 2048 --player random --target 8",
    "hint": f"hint 2048 '{BOARD}' --player random",
    "evaluate": f"evaluate 2048 '{BOARD}'",
    "replay": "replay game.json",
    "solve": "solve 2048 --target 16",
    "trace": f"trace tree '{TREE}'",
    "perft": "perft tictactoe",
    "uc3m": "uc3m 0 0 1",
    "train": "train 2048 --network 2x4 --games 1 --out my.net",
    "pack": "pack my.net --out my.packed",
    "book": "book --game connect4:rows=3,columns=3,connect=3 --plies 1 --out small.book",
    "perfect": "perfect 2048:rows=2,columns=2",
    "review": "review game.json",
    "tables make": "tables make --patterns 44-64",
    "tables drill": "tables drill",
    "web": "web --no-browser",
    "class": "class --no-browser",
    "league": "league tictactoe random greedy",
    "exercise new": f"exercise new tree '{TREE}' --player minimax",
    "exercise page": "exercise page minimax-1",
    "exercise sheet": "exercise sheet minimax-1",
    "lab heuristic": "lab heuristic mine.py:mine tictactoe",
    "lab run": "lab run plan.toml",
    "lab resume": "lab resume plan.sqlite",
    "lab sweep": "lab sweep greedy:eval=uma1",
    "lab tune": "lab tune greedy:eval=uma1",
    "lab test": "lab test tictactoe random greedy --most 2",
    "lab grade": "lab grade random",
    "lab reproduce": "lab reproduce uma",
    "lab merge": "lab merge shard.sqlite",
    "lab new": "lab new",
    "lab report": "lab report plan.sqlite",
    "lab export": "lab export plan.sqlite",
}

LARGE = 2**63
SEEDS = [-1, 2**64, 10**30]
THREADS = [0, -1, LARGE]
#: (command, option): values that cannot be.
NUMBERS = {
    ("play", "--games"): [0, -5, LARGE, 10**30],
    ("play", "--threads"): THREADS,
    ("play", "--seed"): SEEDS,
    ("play", "--opening"): [-1, LARGE],
    ("play", "--speed"): [0, -1, "nan", "inf", 1e300],
    ("play", "--target"): [0, -2, 3, LARGE, "nan"],
    ("hint", "--score"): [-1, LARGE],
    ("evaluate", "--score"): [-1, LARGE],
    ("replay", "--speed"): [0, "nan", "inf"],
    ("solve", "--seed"): SEEDS,
    ("solve", "--target"): [0, 3, LARGE],
    ("trace", "--seed"): SEEDS,
    ("trace", "--score"): [-1, LARGE],
    ("trace", "--events"): [0, -1, LARGE],
    ("perft", "--depth"): [0, -1, LARGE],
    ("uc3m", "--seed"): SEEDS,
    ("uc3m", "--speed"): [0, "nan", "inf"],
    ("train", "--games"): [0, -1, LARGE],
    ("train", "--hours"): [0, -1, "nan", "inf", 1e300],
    ("train", "--threads"): THREADS,
    ("train", "--alpha"): [0, -1, 1.5, "nan", "inf"],
    ("train", "--lambda"): [-0.5, 1.5, "nan"],
    ("train", "--optimism"): [-1, 1e39, "nan", "inf"],
    ("train", "--seed"): SEEDS,
    ("pack", "--step"): [0, -1, "nan", 1e39],
    ("book", "--plies"): [0, -1, 13, LARGE],
    ("book", "--threads"): THREADS,
    ("book", "--memory"): [0, -1, LARGE],
    ("perfect", "--threads"): THREADS,
    ("review", "--worst"): [0, -1, LARGE],
    ("tables make", "--memory"): [0, -1, LARGE],
    ("tables make", "--disk"): [0, -1, LARGE],
    ("tables make", "--threads"): THREADS,
    ("tables drill", "--seed"): SEEDS,
    ("web", "--port"): [-1, 65536, LARGE],
    ("class", "--port"): [-1, 65536, LARGE],
    ("league", "--games"): [0, -1, LARGE],
    ("league", "--depth"): [0, -1, LARGE],
    ("league", "--ms"): [0, -1, "nan", LARGE],
    ("league", "--seconds"): [0, -1, "nan", "inf"],
    ("league", "--seed"): SEEDS,
    ("league", "--threads"): THREADS,
    ("exercise new", "--seed"): SEEDS,
    ("exercise new", "--score"): [-1, LARGE],
    ("lab heuristic", "--games"): [0, -1, LARGE],
    ("lab heuristic", "--depth"): [0, -1, LARGE],
    ("lab heuristic", "--threads"): THREADS,
    ("lab heuristic", "--processes"): THREADS,
    ("lab run", "--threads"): THREADS,
    ("lab run", "--processes"): THREADS,
    ("lab resume", "--threads"): THREADS,
    ("lab resume", "--processes"): THREADS,
    ("lab sweep", "--games"): [0, LARGE],
    ("lab sweep", "--seed"): SEEDS,
    ("lab sweep", "--threads"): THREADS,
    ("lab sweep", "--processes"): THREADS,
    ("lab tune", "--games"): [0, LARGE],
    ("lab tune", "--budget"): [0, 1, LARGE],
    ("lab tune", "--population"): [0, 3, LARGE],
    ("lab tune", "--seed"): SEEDS,
    ("lab tune", "--check"): [0, -1, LARGE],
    ("lab tune", "--threads"): THREADS,
    ("lab tune", "--processes"): THREADS,
    ("lab test", "--elo0"): [20, 1e300, "nan", "inf"],
    ("lab test", "--elo1"): [0, -1, 1e300, "nan", "inf"],
    ("lab test", "--gain"): [0, -1, "nan", "inf"],
    ("lab test", "--alpha"): [0, 1, "nan"],
    ("lab test", "--beta"): [0, 1, "nan"],
    ("lab test", "--most"): [0, LARGE],
    ("lab test", "--opening"): [-1, 21, LARGE],
    ("lab test", "--seed"): SEEDS,
    ("lab test", "--threads"): THREADS,
    ("lab test", "--processes"): THREADS,
    ("lab grade", "--positions"): [0, -1, 1001, LARGE],
    ("lab grade", "--seed"): SEEDS,
    ("lab reproduce", "--threads"): THREADS,
    ("lab reproduce", "--processes"): THREADS,
}


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def call(command: str, *more: object) -> list[object]:
    return [*shlex.split(CALLS[command]), *more]


@pytest.mark.parametrize(
    ("command", "option", "value"),
    [(*place, value) for place, values in NUMBERS.items() for value in values],
)
def test_numbers_that_cannot_be(command, option, value):
    refused = contienda(*call(command, f"{option}={value}")).complaint
    assert len(refused) < 200
    assert os.listdir() == []


def options(group: typer.Typer, path: str = "") -> Iterator[tuple[str, str, set[type]]]:
    """Every option of every command, with what it takes."""
    for command in group.registered_commands:
        assert command.callback is not None
        name = command.name or command.callback.__name__
        for hint in get_type_hints(command.callback, include_extras=True).values():
            about = getattr(hint, "__metadata__", [None])[0]
            if isinstance(about, OptionInfo):
                kind = hint.__origin__
                names = [about.default, *(about.param_decls or ())]  # in Annotated, the first name stands for a default
                yield path + name, max(names, key=len), set(get_args(kind) or (kind,))
    for below in group.registered_groups:
        assert below.typer_instance is not None
        yield from options(below.typer_instance, f"{path}{below.name} " if isinstance(below.name, str) else path)


def test_every_option_that_takes_a_number_or_a_place_is_tried():
    found = list(options(app))
    assert len(found) > 60
    numeric = {(command, option) for command, option, kinds in found if kinds & {int, float}}
    assert numeric <= NUMBERS.keys()
    places = {(command, option) for command, option, kinds in found if Path in kinds}
    read = {("train", "--resume"), ("train", "--from"), ("lab tune", "--from"), ("league", "--marks")}
    assert places == FILES | FOLDERS | read


# --- Places ----------------------------------------------------------------------------------------------------------

FILES = {
    ("play", "--stats"),
    ("solve", "--save"),
    ("trace", "--output"),
    ("uc3m", "--stats"),
    ("train", "--out"),
    ("pack", "--out"),
    ("book", "--out"),
    ("review", "--chart"),
    ("lab run", "--out"),
    ("lab merge", "--out"),
    ("lab sweep", "--out"),
    ("lab tune", "--out"),
    ("lab test", "--out"),
    ("lab grade", "--out"),
    ("lab report", "--out"),
    ("lab export", "--out"),
    ("lab heuristic", "--out"),
    ("exercise new", "--output"),
    ("exercise page", "--output"),
    ("exercise sheet", "--output"),
    ("league", "--out"),
    ("league", "--page"),
    ("league", "--gradescope"),
}
FOLDERS = {
    ("play", "--save"),
    ("lab report", "--figures"),
    ("lab reproduce", "--out"),
    ("web", "--data"),
    ("class", "--data"),
}
#: They must end so.
ENDINGS = {
    "exercise new": ".json",
    "exercise page": ".html",
    "exercise sheet": ".html",
    "trace": ".txt",
    "review": ".svg",
    "lab export": ".csv",
}


@pytest.fixture
def no_files(tmp_path):
    """Things that are no files, each under a name that ends as asked."""
    listeners = []

    def make(ending: str) -> list[str]:
        os.mkfifo(f"pipe{ending}")
        os.mkdir(f"folder{ending}")
        Path("file").touch()
        listener = socket.socket(socket.AF_UNIX)
        listeners.append(listener)
        here = os.open(".", os.O_RDONLY)  # a path of a socket may have some 100 characters
        listener.bind(f"/proc/self/fd/{here}/socket{ending}")
        os.close(here)
        os.symlink(f"loop{ending}", f"loop{ending}")
        return [
            "/dev/full",
            "/dev/null",
            f"pipe{ending}",
            f"folder{ending}",
            f"socket{ending}",
            f"file/below{ending}",
            f"{'x' * 300}{ending}",
            f"loop{ending}",
            "",
        ]

    yield make
    for listener in listeners:
        listener.close()


def sound_files() -> None:
    """What the calls read."""
    Path("plan.toml").write_text('game = "2048"\ngames = 1\ntarget = 8\nplayers = ["random"]\n', encoding="utf-8")
    Path("rubric.toml").write_text('[[part]]\nby = "rating"\npoints = 100\nfrom = 0\nto = 100\n', encoding="utf-8")
    Path("mine.py").write_text("def mine(board, weights):\n    return 0.0\n", encoding="utf-8")
    Results(Path("plan.sqlite"), Plan("plan", "2048", ("random",), games=1, target=8)).close()


def contents() -> dict[str, int]:
    """What is in this folder, and how each thing was last changed."""
    return {name: os.lstat(name).st_mtime_ns for name in os.listdir()}


@pytest.mark.parametrize(("command", "option"), sorted(FILES))
def test_what_is_no_file_is_not_written_to(command, option, no_files):
    sound_files()
    places = no_files(ENDINGS.get(command, ".out"))
    if command == "lab export":  # which takes a folder too
        places.remove("")
    before = contents()
    for place in places:
        words = shlex.split(re.sub(r" --out \S+", "", CALLS[command]))
        refused = contienda(*words, f"{option}={place}").complaint
        assert len(refused) < 600
        assert contents() == before


@pytest.mark.parametrize(("command", "option"), sorted(FOLDERS))
def test_what_cannot_be_a_folder_is_not_written_to(command, option, no_files):
    sound_files()
    places = [place for place in no_files("") if place not in ("", "folder")]
    words, before = call(command), contents()
    for place in places:
        assert "cannot write" in contienda(*words, f"{option}={place}").complaint
        assert contents() == before


def test_an_autograder_is_not_written_where_no_folder_can_be(no_files):
    sound_files()
    places = [place for place in no_files("") if place not in ("", "folder")]
    before = contents()
    for place in places:
        words = ("league", "autograder", "tictactoe", place, "--staff", "random", "--marks", "rubric.toml")
        assert "cannot write" in contienda(*words).complaint
        assert contents() == before


@pytest.mark.parametrize("command", ["lab run", "pack"])
def test_what_is_no_file_is_not_read(command):
    os.mkfifo("pipe")
    name = "plan.toml" if command == "lab run" else "my.net"
    for place in ("/dev/zero", "pipe"):
        words = [place if word == name else word for word in call(command)]
        assert contienda(*words).complaint == f"{place} is not a file"
    assert contienda("train", "2048", "--games=1", "--resume=pipe", "--out=x").complaint == "pipe is not a file"


# --- Folders that are made are told ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        "play 2048 --player random --target 8 --seed 1 --json --save {}/deep",
        "play 2048 --player random --target 8 --seed 1 --json --stats {}/deep/stats.txt",
        "solve 2048 --target 2048 --seed 1 --json --save {}/deep/path.json",
        f"trace tree '{TREE}' -o {{}}/deep/tree.txt",
        "lab new {}/deep/plan.toml",
        "lab run plan.toml --threads 1 --out {}/deep/plan.sqlite",
        "lab export plan.sqlite -o {}/deep/games.csv",
        "book --game connect4:rows=4,columns=5,connect=4 --plies 1 --memory 1 --threads 1 --out {}/deep/small.book",
    ],
)
def test_a_folder_that_is_made_is_told(words):
    sound_files()
    ran = contienda(*shlex.split(words.format("new")))
    assert ran.code == 0, ran.err
    assert "created the folder new/deep" in ran.err.splitlines()
    assert os.listdir("new/deep")
    again = contienda("--lang", "es", *shlex.split(words.format("nueva")))
    assert "se ha creado la carpeta nueva/deep" in again.err.splitlines()
    assert "created the folder" not in contienda(*shlex.split(words.format("new"))).err
