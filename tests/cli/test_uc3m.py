"""uc3m's program as its manual describes it: codes, manual or automatic play, arrow keys, Esc, the file of turns."""

from __future__ import annotations

import csv
import os
import re
import select
import sys
import time
from importlib.resources import files
from pathlib import Path

import forked
import polars as pl
import pytest
from drive import command, contienda
from lab_games import made_up_for

from contienda.compiled.rng import generator
from contienda.core.language import BadInput
from contienda.games import make_game
from contienda.lab.documents import DOCUMENTS
from contienda.lab.figures import figures_of
from contienda.lab.published_figures import compare_pooled
from contienda.lab.results import Results
from contienda.lab.table import table_of, turns_of
from contienda.match import Match
from contienda.players import make_player
from contienda.record import load_game

MINIMAX = "minimax:depth=5,eval=uc3m-score,opponent=twos,ties=down-right-up-left"

UP, DOWN, RIGHT, LEFT, ESC = b"\x1b[A", b"\x1b[B", b"\x1b[C", b"\x1b[D", b"\x1b"
CTRL_C, CTRL_D = b"\x03", b"\x04"


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


# --- Started by codes ------------------------------------------------------------------------------------------------


def test_the_call_with_codes(tmp_path):
    played = contienda("uc3m", 0, 1, 3, "--seed", 1, "--json")
    report = played.json
    assert played.err == ""
    assert report["player"] == "minimax:depth=3,eval=uc3m-empty,opponent=twos,ties=down-right-up-left"
    (game,) = report["games"]
    assert (game["seed"], game["won"]) == (1, game["max_tile"] >= 2048)
    (stats,) = tmp_path.glob("uc3m-*.txt")
    text = stats.read_text(encoding="utf-8")
    assert text.count("turn ") == game["moves"]
    assert f"\nscore {game['score']}\nwon? {'yes' if game['won'] else 'no'}\n" in text


@pytest.mark.parametrize(
    ("words", "player"),
    [([], MINIMAX), ([0, 1], MINIMAX.replace("score", "empty")), ([1], "astar:h=uc3m-score,depth=5")],
)
def test_defaults(words, player, monkeypatch):
    """Minimax, score, 5 levels, up to 2048."""
    orders = []

    def refuse(order, _):
        orders.append(order)
        raise BadInput("seen", es="visto")

    monkeypatch.setattr("contienda.cli.play.run_play", refuse)
    assert contienda("uc3m", *words).complaint == "seen"
    (order,) = orders
    assert (order.game, order.player, order.target, order.games) == ("2048", player, 2048, 1)


def test_by_hand_without_a_terminal_moves_are_typed():
    game = make_game("2048")
    state = game.start(generator(5))
    first = game.action_name(state, game.legal_actions(state)[0])
    told = contienda("uc3m", "--manual", "--seed", 5, stdin=f"{first}\n")
    assert (told.code, "your move" in told.out) == (130, True)  # the input ends there, and so does the game


# --- Its file, and the totals on the terminal ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "turn", "keys"),
    [
        ("en", "turn", ["total_ms", "moves", "mean_ms", "score", "won?"]),
        ("es", "turno", ["total_ms", "jugadas", "media_ms", "puntos", "¿ganada?"]),
    ],
)
def test_the_file_and_the_summary_speak_the_user_s_language(language, turn, keys, tmp_path):
    told = contienda("--lang", language, "uc3m", 0, 0, 3, "--seed", 2, "--stats", "stats.txt")
    assert told.code == 0
    lines = (tmp_path / "stats.txt").read_text(encoding="utf-8").splitlines()
    turns, totals = lines[:-5], lines[-5:]
    assert [line.split()[:2] for line in turns] == [[turn, str(n)] for n in range(1, len(turns) + 1)]
    assert [line.split()[0] for line in totals] == keys
    # The terminal shows the same totals, and says where the file is.
    assert told.out.splitlines()[1:6] == totals
    assert told.out.rstrip().endswith("stats.txt")
    total, moves, mean = (float(line.split()[1]) for line in totals[:3])
    assert moves == len(turns)
    assert total == pytest.approx(sum(float(line.split()[2]) for line in turns), abs=0.0001 * len(turns))
    assert mean == pytest.approx(total / moves, abs=0.0001)


def test_every_turn_has_its_own_time():
    """Once the moves of a group shared one figure: 64 in a row were alike, and a curve of them was a staircase."""
    game = make_game("2048")
    match = Match(game, [make_player("minimax:depth=3,eval=uc3m-score,opponent=twos", game)])
    match.compile()
    begun = time.perf_counter()
    played = match.play(1)
    wall = time.perf_counter() - begun
    times = played.move_seconds
    assert len(times) == played.moves > 128
    assert 0 < sum(times) <= wall
    alike = [len(set(times[i : i + 64])) for i in range(0, len(times) - 64, 64)]
    assert min(alike) > 16


# --- Its heuristics --------------------------------------------------------------------------------------------------

#: A board of its own: 4 cells are empty.
BOARD = "2 4 8 16/4 8 16 32/2 4 8 64/0 0 0 0"


@pytest.mark.parametrize(
    ("name", "value"),
    [("uc3m-score", 1452), ("uc3m-score-v2", 18548), ("uc3m-empty", 4), ("uc3m-empty-v2", 12)],
)
def test_worked_values(name, value):
    """A board of 1452 points was worth 1452 and then 20000 − 1452; one with 4 empty cells 4 and then 16 − 4."""
    found = contienda("evaluate", "2048", BOARD, "--score", 1452, "--eval", name)
    assert (found.code, found.out.split()[-1]) == (0, str(value))
    assert contienda("evaluate", "2048", BOARD, "--score", 1452, "--eval", name, "--json").json["value"] == value


# --- Its tables and figures ------------------------------------------------------------------------------------------

TABLES = {
    "Figure 11": ["2048", "1024", "512", "256"],
    "Table 21": ["minimax 5", "minimax 7", "minimax 9", "minimax"],
    "Table 22": ["minimax"],
    "Table 24": [f"minimax uc3m-{h} {depth}" for depth in (5, 7, 9) for h in ("score", "empty")],
    "Table 25": ["astar 5", "astar 8", "astar 10", "astar"],
}
FIGURES = {
    "score-by-depth", "score-by-depth-pooled", "score-by-depth-lost", "largest-tiles", "time-per-move",
    "time-per-move-linear", "time-per-move-won",
}  # fmt: skip


def published(table: int) -> list[dict[str, float]]:
    text = (files("contienda.lab") / "published" / "uc3m_minimax_astar.csv").read_text(encoding="utf-8")
    return [row for row in csv.DictReader(text.splitlines()) if row["table"] == str(table)]


def test_its_reproduction_has_every_table_and_figure(tmp_path):
    """`lab reproduce uc3m` with games that were made up: nothing is left to play, and all of it is shown."""
    for experiment in DOCUMENTS["uc3m"].experiments(False):
        made_up_for(tmp_path / f"{experiment.plan.name}.sqlite", experiment.plan).close()
    ran = contienda("lab", "reproduce", "uc3m", "--out", tmp_path)
    assert ran.code == 0, ran.err
    page = (tmp_path / "uc3m.html").read_text(encoding="utf-8")
    for title, labels in TABLES.items():
        assert title in ran.out
        table = page.partition(title)[2].partition("</table>")[0]
        assert re.findall(r"<tr><td>([^<]*)</td>", table) == labels
    # Tables 23, 26 and 29: the time of a turn with its deviation, as published: 77.3 ± 11.7 ms.
    assert '77.3 <span class="range">± 11.7</span>' in page
    results = Results(tmp_path / "uc3m.sqlite")
    assert set(figures_of(table_of(results), turns_of(results))) >= FIGURES


def test_pooled_games_are_those_of_the_table(tmp_path):
    """Table 24 takes lost games of one heuristic and depth, table 22 won games of all of them."""
    experiment, _ = DOCUMENTS["uc3m"].experiments(False)
    table = table_of(made_up_for(tmp_path / "r.sqlite", experiment.plan))
    lines = {str(pooled.title).split(":")[0]: own for pooled, own in compare_pooled(experiment, table)}
    minimax = table.filter(pl.col("algorithm") == "minimax")
    (won,) = lines["Table 22"]
    assert won.games == minimax["won"].sum()
    assert won.comparisons[0].ours.value == pytest.approx(minimax.filter(pl.col("won"))["score"].mean())
    lost = minimax.filter(~pl.col("won"), pl.col("eval") == "uc3m-empty", pl.col("depth") == 9)
    line = next(line for line in lines["Table 24 and figure 14"] if line.label == "minimax uc3m-empty 9")
    assert line.games == len(lost)
    by_metric = {c.metric: c for c in line.comparisons}
    own = 1000 * lost["seconds"] / lost["moves"]
    assert by_metric["ms_per_move"].ours.value == pytest.approx(own.mean())
    assert by_metric["ms_per_move"].sd == pytest.approx(own.std())
    shares = [each.comparisons[0].ours.value for each in lines["Figure 11"]]
    assert shares == pytest.approx([(minimax["max_tile"] == tile).mean() for tile in (2048, 1024, 512, 256)])


def test_the_document_won_twenty_games_and_not_nineteen():
    """The note of its report: what tables 23 and 24 leave to the won games is table 22, with 20 of them alone."""
    (won,) = published(22)
    every = {(row["evaluator"], row["depth"]): row for row in published(23)}
    assert sum(round(float(row["wins_percent"]) * 15 / 100) for row in every.values()) == 19
    for metric, digit in (("score", 0.05), ("moves", 0.05), ("total_ms", 0.1)):
        means = {}
        for at_depth_7 in (4, 5):
            total = count = 0.0
            for row in published(24):
                whole = every[row["evaluator"], row["depth"]]
                wins = round(float(whole["wins_percent"]) * 15 / 100)
                if (row["evaluator"], row["depth"]) == ("uc3m-empty", "7"):
                    wins = at_depth_7
                total += 15 * float(whole[f"{metric}_mean"]) - (15 - wins) * float(row[f"{metric}_mean"])
                count += wins
            means[at_depth_7] = total / count
        assert means[5] == pytest.approx(float(won[f"{metric}_mean"]), abs=digit)
        assert abs(means[4] - float(won[f"{metric}_mean"])) > 10 * digit


def test_six_of_its_deviations_cannot_be():
    """Some games of a sample spread by s: the whole spreads by s × √((n − 1) / (N − 1)) at least."""
    every = {(row["evaluator"], row["depth"]): row for row in published(23)}
    impossible = [
        (row["evaluator"], row["depth"], metric)
        for row in published(24)
        for metric in ("total_ms", "moves", "ms_per_move", "score")
        if float(row[f"{metric}_sd"]) * ((int(row["games"]) - 1) / 14) ** 0.5
        > float(every[row["evaluator"], row["depth"]][f"{metric}_sd"]) + 0.1
    ]
    assert impossible == [("uc3m-score", depth, m) for depth in "79" for m in ("total_ms", "moves", "ms_per_move")]


# --- At a terminal ---------------------------------------------------------------------------------------------------


class Terminal:
    """A command at a terminal of its own: what is on the screen is read, keys are hit."""

    def __init__(self, *arguments: object, folder: Path, language: str = "en") -> None:
        self._ours, theirs = os.openpty()
        environment = os.environ | {
            "TERM": "xterm-256color",
            "COLUMNS": "100",
            "LINES": "40",
            "CONTIENDA_LANG": language,
        }
        self.process = forked.Popen(
            command("--lang", language, *arguments),
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=folder,
            env=environment,
            start_new_session=True,
            preexec_fn=_own_terminal,
        )
        os.close(theirs)
        self.seen = ""

    def wait_for(self, text: str) -> None:
        """Until the screen has shown this, after what was waited for before."""
        patience = time.monotonic() + 100
        while text not in self.seen:
            assert time.monotonic() < patience, self.seen[-2000:]
            assert self._look(), f"{text!r} never came: {self.seen[-2000:]}"
        self.seen = self.seen.partition(text)[2]

    def _look(self) -> bool:
        """Read what is on the screen; whether the terminal is still open."""
        if select.select([self._ours], [], [], 0.2)[0]:
            try:
                data = os.read(self._ours, 65536)
            except OSError:
                return False
            self.seen += re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", data.decode(errors="replace"))
        return True

    def hit(self, *keys: bytes) -> None:
        os.write(self._ours, b"".join(keys))

    def ended(self) -> int:
        """Its exit code, when nothing more comes."""
        while self._look():
            pass
        return self.process.wait(timeout=60)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._ours)


@pytest.fixture
def terminal(tmp_path):
    """Starts a command at a terminal; it does not outlive the test."""
    opened = []

    def start(*arguments: object, language: str = "en") -> Terminal:
        opened.append(Terminal(*arguments, folder=tmp_path, language=language))
        return opened[-1]

    yield start
    for each in opened:
        each.close()


def _own_terminal() -> None:
    """The terminal of the new session is the one on stdin: Ctrl-C there is a signal here."""
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


posix = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")


@posix
def test_arrow_keys_move_and_esc_starts_again(terminal, tmp_path):
    """Esc deals another game; an arrow that moves nothing is no move; the game that was left is kept."""
    game = make_game("2048")
    start = game.start(generator(8))
    legal = {game.action_name(start, action) for action in game.legal_actions(start)}
    keys = {"up": UP, "down": DOWN, "right": RIGHT, "left": LEFT}
    at = terminal("play", "2048", "--player", "human", "--seed", 7, "--save", "kept")
    at.wait_for("arrows move, Esc starts again")
    move = sorted(legal)[0]
    at.hit(LEFT, UP, LEFT, ESC, *(keys[name] for name in keys if name not in legal), keys[move], CTRL_D)
    assert at.ended() == 130
    (file,) = (tmp_path / "kept").glob("*.json")
    played = load_game(file)
    assert (played.seed, played.moves, played.ended) == (8, 1, "stopped")
    assert game.action_name(start, played.actions[0]) == move


@posix
def test_the_menu_then_any_key_but_esc_starts_the_machine(terminal, tmp_path):
    at = terminal("uc3m", 0, 0, 1, "--speed", 1000, language="es")
    at.wait_for("dejar jugar a la máquina")
    at.hit(b"x", b"a")  # a key that the menu does not know, then automatic
    at.wait_for("Cualquier tecla empieza")
    at.hit(ESC)
    at.wait_for("Cualquier tecla empieza")  # another board: it has not begun
    assert not list(tmp_path.iterdir())
    at.hit(b" ")
    at.wait_for("Partida perdida")
    for key in ("total_ms ", "jugadas ", "media_ms ", "puntos ", "¿ganada? no", "uc3m-"):
        at.wait_for(key)
    assert at.ended() == 0
    (file,) = tmp_path.iterdir()
    assert file.read_text(encoding="utf-8").startswith("turno 1 ")


@posix
def test_the_menu_then_a_game_by_hand(terminal, tmp_path):
    at = terminal("uc3m")
    at.wait_for("play by hand")
    at.hit(b"m")
    at.wait_for("arrows move, Esc starts again")
    at.hit(*(20 * (LEFT, UP, RIGHT, DOWN)))
    at.wait_for("score 1")  # tiles have merged: 1x, or 1xx
    at.hit(ESC)
    at.wait_for("score 0 ")
    at.hit(CTRL_C)
    assert at.ended() == 130
    assert not list(tmp_path.iterdir())  # only automatic games write statistics
