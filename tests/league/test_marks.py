"""Marks: by staff, rating and exact values; as Gradescope reads them; and the autograder that writes them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from drive import contienda

from contienda.compiled.stopping import Stop
from contienda.core.language import BadInput, Text
from contienda.games import make_game
from contienda.lab.grading import Grading, grade_by_values, regrets_by, sample
from contienda.league import Competitor, HostLimits, Hosts, LeaguePlan, competitor_of_file, run_league
from contienda.league.gradescope import results_of, submission_of
from contienda.league.marks import Marked, check_rubric, marks_as_csv, read_rubric
from contienda.league.oracle import grades_of
from contienda.players import make_player
from contienda.players.base import Forfeit, Player

TTT = make_game("tictactoe")
RUBRIC = """
[[part]]
by = "staff"
points = 50

[[part]]
by = "rating"
points = 30
from = 1000
to = 2000

[[part]]
by = "oracle"
points = 20
from = 0
to = 100

[anchors]
last = 1800
"""
CHOOSES = """
def choose(game, state):
    return game.legal_actions(state)[{}]


class Player:
    choose = staticmethod(choose)
"""


class _Here(Hosts):
    """Players in this process; one gives up at its third position."""

    def __init__(self) -> None:
        super().__init__(TTT, HostLimits())
        self.asked = 0

    @contextmanager
    def player(self, competitor: Competitor, stop: Stop) -> Iterator[Player]:
        if competitor.name == "slow":
            self.asked += 1
            if self.asked == 3:
                raise Forfeit("no answer within {seconds:,g} s", seconds=1.0)
        yield make_player(f"{competitor.place}:choose", TTT)


def _player(folder: Path, name: str, which: int, *, staff: bool = False) -> Competitor:
    path = folder / f"{name}.py"
    path.write_text(CHOOSES.format(which))
    return competitor_of_file(path, name)._replace(staff=staff)


def _oracle(best: int) -> Grading:
    """An oracle to whom the legal move with this index is the best one."""

    def grade(game: Any, players: Any, positions: Any, **more: Any) -> Any:
        def values(state: Any, number: int, stop: Stop) -> dict[int, float]:
            legal = game.legal_actions(state)
            return {action: float(action == legal[best]) for action in legal}

        return grade_by_values(game, players, positions, values, "ply", **more)

    return Grading(lambda game, each, seed: sample(game, 5 * each, seed), grade, regrets_by, (), lambda table: table)


def _rubric(folder: Path, text: str = RUBRIC) -> Path:
    path = folder / "rubric.toml"
    path.write_text(text)
    return path


def test_exact_values_grade_players_where_they_think(tmp_path, monkeypatch):
    monkeypatch.setattr("contienda.league.oracle.exact_grading", lambda game: _oracle(0))
    players = [_player(tmp_path, "first", 0), _player(tmp_path, "last", -1), _player(tmp_path, "slow", 0)]
    steps: list[tuple[int, int]] = []
    grades = grades_of(TTT, players, _Here(), tables=2, watch=lambda done, n: steps.append((done, n)))
    assert (grades["first"].percent, grades["last"].percent) == (100, 0)
    assert (grades["slow"].best, grades["slow"].positions) == (2, 10)
    assert str(grades["slow"].reason) == "no answer within 1 s"
    assert steps == [(done, 13) for done in range(1, 14)]
    assert grades_of(TTT, players, _Here(), stopped=lambda: True, watch=lambda done, n: time.sleep(0.15)) == {}


def test_a_submission_gets_what_gradescope_reads(tmp_path, monkeypatch):
    monkeypatch.setattr("contienda.league.oracle.exact_grading", lambda game: _oracle(0))
    rubric = read_rubric(_rubric(tmp_path))
    players = [_player(tmp_path, "first", 0), _player(tmp_path, "last", -1, staff=True)]
    check_rubric(rubric, TTT, players, alone=True)
    hosts = _Here()
    plan = LeaguePlan("tictactoe", games=4, opening=1, anchors=rubric.anchors)
    standing = run_league(plan, players, hosts=hosts).standing()
    marked = Marked(rubric, standing, grades_of(TTT, players[:1], hosts))
    row = standing.row("first")
    assert standing.row("last").rating == pytest.approx(1800)  # anchored
    results = json.loads(results_of(marked))
    staff, rating, oracle = results["tests"]
    assert (staff["score"], staff["max_score"]) == (50 if row.won > row.lost else 0, 50)
    assert rating["score"] == pytest.approx(30 * min(max((row.rating - 1000) / 1000, 0), 1), abs=0.01)
    assert (oracle["score"], oracle["output"].split(",")[0]) == (20, "10 of 10 moves are best ones")
    assert results["score"] == pytest.approx(sum(test["score"] for test in results["tests"]), abs=0.02)
    assert results["leaderboard"][0] == {"name": "rating", "value": round(row.rating)}
    assert marks_as_csv(marked).splitlines()[0] == "player,mark,rating,points,best moves,reason"
    row.disqualified = Text("it exits")
    assert json.loads(results_of(marked)) | {"tests": 0} == {
        "score": 0, "output": "disqualified: it exits", "tests": 0, "leaderboard": [],
    }  # fmt: skip


def test_everybody_anchored_still_has_a_standing(tmp_path):
    players = [_player(tmp_path, "first", 0, staff=True), _player(tmp_path, "last", -1, staff=True)]
    plan = LeaguePlan("tictactoe", games=2, opening=1, anchors={"first": 1300.0, "last": 1800.0})
    standing = run_league(plan, players, hosts=_Here()).standing()
    assert [row.rating for row in standing.rows] == pytest.approx([1800, 1300])


def test_a_rubric_counts_only_what_the_league_has(tmp_path):
    rubric = read_rubric(_rubric(tmp_path))
    first, last = _player(tmp_path, "first", 0), _player(tmp_path, "last", -1, staff=True)
    with pytest.raises(BadInput, match="there are none: --staff"):
        check_rubric(rubric, TTT, [first])
    with pytest.raises(BadInput, match="needs exact values: tictactoe has none"):
        check_rubric(rubric, TTT, [first, last])
    rubric = rubric._replace(parts=rubric.parts[1:2])
    with pytest.raises(BadInput, match="one submission alone has not"):
        check_rubric(rubric, TTT, [first], alone=True)
    with pytest.raises(BadInput, match="anchors last, who does not play: there are first"):
        check_rubric(rubric, TTT, [first])


def test_a_bad_submission_scores_nothing_and_is_told_why(tmp_path):
    marks = _rubric(tmp_path, '[[part]]\nby = "staff"\npoints = 100\n')
    results, folder = tmp_path / "results.json", tmp_path / "submission"
    folder.mkdir()
    league = ("league", "tictactoe", folder, "--staff", "random", "--marks", marks, "--gradescope", results)

    def refused() -> str:
        assert contienda(*league).code == 0
        found = json.loads(results.read_text())
        assert (found["score"], found["tests"]) == (0, [])
        return str(found["output"])

    assert refused().startswith("no players in")
    (folder / "one.py").write_text(CHOOSES.format(0))
    (folder / "two.py").write_text(CHOOSES.format(1))
    assert refused() == "a submission is one player, and these are 2: one, two"
    (folder / "two.py").write_text("x = 1\n")  # no player: the other one counts
    assert [player.name for player in submission_of(TTT, [str(folder)], ["random"])] == ["one", "random"]
    assert "--gradescope needs a rubric" in contienda("league", "tictactoe", folder, "--gradescope", results).complaint


def test_staff_that_cannot_play_is_named_with_its_reason(tmp_path):
    """Not as if there were none."""
    bad, good = tmp_path / "staff.py", tmp_path / "ana.py"
    bad.write_text("class Player:\n    def choose(self): syntax error\n")
    good.write_text(CHOOSES.format(0))
    marks = _rubric(tmp_path, '[[part]]\nby = "staff"\npoints = 100\n')
    done = contienda("league", "tictactoe", good, "--staff", bad, "--marks", marks)
    assert done.code == 2
    assert "all of them are disqualified: staff: line 2: syntax error" in done.err
    assert "ana" in done.out, "the ladder is shown all the same"
    assert not marks.with_suffix(".csv").exists()


def test_an_autograder_is_written_whole_or_refused(tmp_path):
    marks, out = _rubric(tmp_path, '[[part]]\nby = "staff"\npoints = 100\n'), tmp_path / "out"
    own = tmp_path / "o'wn.py"
    own.write_text(CHOOSES.format(0))
    league = ("league", "autograder", "tictactoe", out, "--marks", marks)
    assert "there are none: --staff" in contienda(*league).complaint
    assert contienda(*league, "--staff", own, "--staff", "random", "--games", 2).code == 0
    assert {path.name for path in out.iterdir()} == {"setup.sh", "run_autograder", "rubric.toml", "staff"}
    assert (out / "staff" / "1" / "o'wn.py").read_text() == own.read_text()
    run = out / "run_autograder"
    assert os.access(run, os.X_OK)
    assert "--staff random" in run.read_text()
    assert "--games=2" in run.read_text()
    assert "contienda[lab]==" in (out / "setup.sh").read_text()
    assert "is not empty" in contienda(*league, "--staff", "random").complaint
    place = f"greedy:eval={own}:choose"
    marked = ("league", "autograder", "tictactoe", tmp_path / "other", "--marks", marks, "--staff", place)
    assert contienda(*marked).code == 2
    assert "takes a game and a folder" in contienda("league", "autograder", "tictactoe").complaint
    assert "needs a rubric" in contienda("league", "autograder", "tictactoe", tmp_path / "other").complaint
    assert "leave out --out" in contienda(*league, "--out", tmp_path / "x.sqlite").complaint


@pytest.mark.slow
def test_an_autograder_runs_in_a_folder_of_its_own(tmp_path):
    """As Gradescope's harness does: unpacked in source, the submission beside it, results read afterwards."""
    root = tmp_path / "autograder"
    rubric = RUBRIC.replace("last", '"greedy:eval=none"')
    written = contienda(
        "league", "autograder", "connect4:rows=4,columns=4", root / "source", "--staff", "greedy:eval=none",
        "--games", 2, "--marks", _rubric(tmp_path, rubric),
    )  # fmt: skip
    assert written.code == 0, written.err
    (root / "venv" / "bin").mkdir(parents=True)
    command = root / "venv" / "bin" / "contienda"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m contienda "$@"\n')
    command.chmod(0o755)
    submission = root / "submission"
    submission.mkdir()

    def results() -> Any:
        run = root / "source" / "run_autograder"
        ran = subprocess.run([run], env=os.environ | {"AUTOGRADER_ROOT": str(root)}, cwd=root, capture_output=True)
        assert ran.returncode == 0, ran.stderr
        return json.loads((root / "results" / "results.json").read_text())

    (submission / "mine.py").write_text(CHOOSES.format(0))
    found = results()
    assert [test["max_score"] for test in found["tests"]] == [50, 30, 20]
    assert 0 < found["tests"][2]["score"] < 20
    (submission / "mine.py").write_text("raise SystemExit\n\n\nclass Player: ...\n")
    assert "SystemExit" in results()["output"]
    (submission / "mine.py").write_bytes(b"\0\xff")
    assert "UTF-8" in results()["output"]
    command.write_text("#!/bin/sh\nexit 3\n")
    assert "not the fault of your submission" in results()["output"]
