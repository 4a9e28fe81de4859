"""Leagues: who takes part, what a bad file costs, what is played again, and what the table says.

Players run in this process here; `test_processes` starts the real ones.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path

import pytest

from contienda.compiled.stopping import Stop
from contienda.core.language import BadInput
from contienda.games import make_game
from contienda.league import (
    Competitor,
    HostLimits,
    Hosts,
    LeaguePlan,
    LeagueProgress,
    LeagueStore,
    competitors_of,
    run_league,
)
from contienda.league.marks import Marked, marks_as_csv, read_rubric
from contienda.league.page import league_page
from contienda.league.pairings import rounds_of
from contienda.players import make_player
from contienda.players.base import Forfeit, Player

TTT = make_game("tictactoe")
FIRST = "class Player:\n    def choose(self, game, state):\n        return game.legal_actions(state)[0]\n"
LAST = FIRST.replace("[0]", "[-1]")


class _Here(Hosts):
    """Players in this process: files as functions, one of them always at fault."""

    def __init__(self) -> None:
        super().__init__(TTT, HostLimits())
        self.games = 0

    @contextmanager
    def player(self, competitor: Competitor, stop: Stop) -> Iterator[Player]:
        self.games += 1
        if "loops" in competitor.name and self.games > 6:
            raise Forfeit("no answer within {seconds:,g} s", seconds=1.0)
        yield make_player(f"{competitor.place}:choose", TTT)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, which in (("ana", "0"), ("bob", "-1"), ("eva", "len(game.legal_actions(state)) // 2")):
        code = f"def choose(game, state):\n    return game.legal_actions(state)[{which}]\n\n\nclass Player: ...\n"
        (tmp_path / f"{name}.py").write_text(code)
    return tmp_path


def _play(folder: Path, store: LeagueStore | None = None, **more: object) -> tuple[LeagueProgress, _Here]:
    hosts = _Here()
    plan = LeaguePlan("tictactoe", games=4, opening=1)
    progress = run_league(plan, competitors_of(TTT, [str(folder)]), store, hosts=hosts, **more)  # type: ignore[arg-type]
    return progress, hosts


def test_the_table_adds_up(folder):
    progress, _ = _play(folder)
    data = json.loads(json.dumps(progress.as_data()))
    assert data["game"] == "tictactoe"
    assert data["complete"]
    assert data["played"] == 12
    assert {"name", "rating", "low", "high", "games", "won", "drawn", "lost", "points", "disqualified"} <= set(
        data["table"][0]
    )
    assert sum(row["games"] for row in data["table"]) == 2 * (12 - data["repeated"])
    for row in data["table"]:
        assert row["won"] + row["drawn"] + row["lost"] == row["games"]
        assert row["points"] == row["won"] + row["drawn"] / 2
        assert row["low"] < row["rating"] < row["high"]
    assert sum(row["rating"] for row in data["table"]) / 3 == pytest.approx(1500)


def test_only_what_changed_is_played_again(folder, tmp_path):
    store = LeagueStore(tmp_path / "games.sqlite")
    assert _play(folder, store)[0].new == 12
    again, hosts = _play(folder, store)
    assert (again.new, again.reused, hosts.games) == (0, 12, 0)
    (folder / "ana.py").write_text((folder / "ana.py").read_text() + "# other\nX = 1\n")
    assert _play(folder, store)[0].new == 8
    assert again.as_data()["table"] == _play(folder, store)[0].as_data()["table"]  # it plays as before


def test_a_league_that_was_stopped_goes_on(folder, tmp_path):
    seen: list[int] = []
    first, _ = _play(
        folder,
        LeagueStore(tmp_path / "games.sqlite"),
        watch=lambda progress: seen.append(len(progress.games)),
        stopped=lambda: bool(seen) and seen[-1] >= 5,
    )
    assert not first.complete
    assert 5 <= len(first.games) < 12
    second, _ = _play(folder, LeagueStore(tmp_path / "games.sqlite"))
    assert second.complete
    assert second.reused == len(first.games)
    assert second.as_data()["table"] == _play(folder)[0].as_data()["table"]


def test_who_breaks_the_rules_is_out_and_the_others_play_on(folder):
    (folder / "loops.py").write_text((folder / "ana.py").read_text())
    (folder / "empty.py").write_text("")
    (folder / "wrong.py").write_text("def heuristic(board\n")
    (folder / "utf16.py").write_bytes("heuristic = 1".encode("utf-16"))
    (folder / "nothing.py").write_text("x = 1\n")
    (folder / "huge.py").write_text("# " + "x" * 1_000_001)
    (folder / "folder.py").mkdir()
    os.mkfifo(folder / "pipe.py")
    rows = {row["name"]: row for row in _play(folder)[0].as_data()["table"]}
    assert rows["loops"]["disqualified"] == "it lost 3 games by rule; the last: no answer within 1 s"
    assert rows["empty"]["disqualified"] == "the file is empty"
    assert rows["wrong"]["disqualified"].startswith("line 1: syntax error")
    assert "UTF-8" in rows["utf16"]["disqualified"]
    assert "no function heuristic" in rows["nothing"]["disqualified"]
    assert "larger than" in rows["huge"]["disqualified"]
    assert rows["pipe"]["disqualified"] == "it is not a file"
    assert "folder" not in rows
    assert all(rows[name]["disqualified"] is None and rows[name]["games"] for name in ("ana", "bob", "eva"))


def test_who_takes_part_is_found_without_running_anything(tmp_path):
    (tmp_path / "boom.py").write_text("raise SystemExit\n\n\ndef heuristic(board, weights):\n    return 0.0\n")
    (tmp_path / "helper.py").write_text("def count(bits): ...\n")
    (tmp_path / "uses.py").write_text("from helper import count\n\n\ndef heuristic(board, weights):\n    return 0.0\n")
    (tmp_path / "theirs.py").write_text('engine = "./theirs --fast"\n')
    for pupil in ("ana", "bob"):
        (tmp_path / pupil).mkdir()
        (tmp_path / pupil / "player.py").write_text(FIRST)
    found = {player.name: player for player in competitors_of(TTT, [str(tmp_path)])}
    kinds = {name: player.kind for name, player in found.items()}
    assert kinds == {"ana": "player", "bob": "player", "boom": "heuristic", "theirs": "engine", "uses": "heuristic"}
    assert found["ana"].content == found["bob"].content
    with pytest.raises(BadInput, match="two players are called uses"):
        competitors_of(TTT, [str(tmp_path), str(tmp_path / "uses.py")])
    (tmp_path / "none").mkdir()
    with pytest.raises(BadInput, match="no players in"):
        competitors_of(TTT, [str(tmp_path / "none")])
    with pytest.raises(BadInput, match="there is no folder or file"):
        competitors_of(TTT, ["nowhere/"])


def test_formats_pair_as_they_say():
    players = [Competitor(name, "spec", name, name) for name in "abcdefgh"]
    points = lambda meetings: {pair: (1.0, 0.0) if pair[0] < pair[1] else (0.0, 1.0) for pair in meetings}  # noqa: E731
    for name, rounds, meetings in (("round-robin", 1, 28), ("swiss", 4, 16), ("knock-out", 3, 7)):
        found = []
        pairing = rounds_of(name, players)
        told = next(pairing)
        while told is not None:
            found.append(told)
            try:
                told = pairing.send(points(told))
            except StopIteration:
                break
        assert (len(found), sum(map(len, found))) == (rounds, meetings)
        pairs = [frozenset(pair) for each in found for pair in each]
        assert len(set(pairs)) == len(pairs)  # nobody meets anybody twice
        if name == "knock-out":
            assert "a" in found[-1][0]
    staff = [player._replace(staff=player.name in "gh") for player in players]
    assert len(next(rounds_of("gauntlet", staff))) == 1 + 6 * 2
    with pytest.raises(BadInput, match="there are round-robin"):
        rounds_of("league", players)


def test_a_round_robin_of_many_needs_few_processes_at_a_time():
    """With room for 24 players, 60 are made some 200 times, not for most of their 1,770 meetings."""
    players = [Competitor(str(number), "spec", "random", str(number)) for number in range(60)]
    meetings = next(rounds_of("round-robin", players))
    assert {frozenset(pair) for pair in meetings} == {
        frozenset(pair) for pair in combinations([player.name for player in players], 2)
    }
    kept, made = list[str](), 0
    for name in (name for pair in meetings for name in pair):
        made += name not in kept
        kept = [*(each for each in kept if each != name), name][-24:]
    assert made < 240


def test_marks_follow_the_rubric(folder, tmp_path):
    progress, _ = _play(folder)
    rubric = tmp_path / "rubric.toml"
    rubric.write_text('[[part]]\nby = "rating"\npoints = 90\nfrom = 1000\nto = 2000\n')
    with pytest.raises(BadInput, match=r"the parts add up to 90 %, not 100 %"):
        read_rubric(rubric)
    rubric.write_text(rubric.read_text().replace("90", "100"))
    standing = progress.standing()
    marked = Marked(read_rubric(rubric), standing, {})
    best = standing.rows[0]
    assert marked.mark(best) == pytest.approx((best.rating - 1000) / 10)
    assert marks_as_csv(marked).splitlines()[1].startswith(best.name)
    anchors = rubric.read_text() + "[anchors]\nana = "
    for wrong in (
        anchors + "'much'",
        anchors + "nan",
        anchors + "true",
        "",
        "part = 3",
        "[[part]]\nby = 'luck'",
        "[[part]]\nby = 'rating'\npoints = 100",
        "[[[",
        "\udcff",
    ):
        rubric.write_text(wrong, errors="surrogateescape")
        with pytest.raises(BadInput):
            read_rubric(rubric)


def test_the_page_has_every_game_and_loads_nothing(folder):
    progress, _ = _play(folder)
    text = league_page(progress)
    assert text.count("<option") == 12
    assert "http" not in text
    assert "src=" not in text
    assert text.count("<svg") == 3  # the rating of each, with its interval
    assert '<th><abbr title="ana">' in text
    assert "<main>" in text


@pytest.mark.slow
def test_processes(tmp_path):
    """Real processes: one exits, one loops in Python, one takes all memory, one crashes; the good ones play."""
    bodies = {
        "good": "return game.legal_actions(state)[0]",
        "prints": "print('x' * 10**6)\n        return game.legal_actions(state)[-1]",
        "exits": "import os\n        os._exit(3)",
        "loops": "\n        while True: pass",
        "takes": "x = []\n        while True: x.append(bytearray(10**7))",
        "crashes": "import ctypes\n        ctypes.string_at(0)",
    }
    for name, body in bodies.items():
        code = f"class Player:\n    def choose(self, game, state):\n        {body}\n"
        (tmp_path / f"{name}.py").write_text(code)
    (tmp_path / "forever.py").write_text(
        "def heuristic(board, weights):\n    i = 0\n    while i < 1:\n        i -= 1\n    return 0.0\n"
    )
    plan = LeaguePlan("tictactoe", games=2, limits=HostLimits(depth=2, seconds=2.0))
    rows = run_league(plan, competitors_of(TTT, [str(tmp_path)]), tables=2).standing().rows
    assert {row.name for row in rows if row.disqualified is None} == {"good", "prints"}
    told = {row.name: str(row.disqualified) for row in rows}
    assert told["exits"] == "its process ended with code 3"
    assert told["loops"] == "no answer within 2 s"
    assert told["takes"] == "it needs too much memory"
    assert "SIGSEGV" in told["crashes"]


@pytest.mark.slow
def test_a_deeper_search_is_better():
    plan = LeaguePlan("connect4", games=40)
    players = competitors_of(make_game("connect4"), ["alphabeta:depth=4", "alphabeta:depth=1"])
    best, other = run_league(plan, players, tables=2).standing().rows
    assert best.name == "alphabeta:depth=4"
    assert best.low > other.high
