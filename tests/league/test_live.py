"""A live league: one player for each owner, the latest; and whoever has had little time comes first."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from contienda.compiled.stopping import Stop
from contienda.core.language import BadInput
from contienda.league import Competitor, HostLimits, Hosts
from contienda.league import live as module
from contienda.league.live import LiveLeague, LivePlan
from contienda.players import make_player
from contienda.players.base import Forfeit, Player


class _Here(Hosts):
    """Players in this process, random ones; the names say which are at fault, and which are slow."""

    def __init__(self, game, limits):
        super().__init__(game, limits)
        self.tried: Counter[str] = Counter()

    @contextmanager
    def player(self, competitor: Competitor, stop: Stop) -> Iterator[Player]:
        if "slow" in competitor.name:
            time.sleep(0.05)
        if "bad" in competitor.name:
            raise Forfeit("no answer within {seconds:,g} s", seconds=1.0)
        self.tried[competitor.name] += 1
        yield make_player("random", self._game)


@pytest.fixture
def begin(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(module, "Hosts", _Here)
    begun = []

    def start(game: str = "tictactoe", **plan) -> LiveLeague:
        begun.append(LiveLeague(LivePlan(game, HostLimits(), **plan), tmp_path))
        return begun[-1]

    yield start
    for league in begun:
        league.close()


def _hand_in(league: LiveLeague, name: str, text: str = "") -> None:
    league.submit(f"browser of {name}", name, f"{name} {text}", "f")


def _until(done) -> None:
    until = time.monotonic() + 60
    while not done():
        assert time.monotonic() < until
        time.sleep(0.01)


def _at_rest(league: LiveLeague) -> bool:
    stages = {entry.stage for entry in league.entries.values()}
    return stages <= {"playing", "out"} and league.left() == 0


def test_everybody_meets_everybody_and_the_ladder_says_so(begin):
    league = begin(games=4, staff=("greedy",))
    for name in ("ana", "bob"):
        _hand_in(league, name)
    _until(lambda: _at_rest(league))
    standing, entries = league.standing()
    assert {row.name: row.games + standing.repeated >= 8 for row in standing.rows} == dict.fromkeys(entries, True)
    assert entries["greedy"].player.staff
    number, latest = league.recent()[0]
    assert league.played(number).actions == list(latest.actions)
    with pytest.raises(BadInput, match="no longer kept"):
        league.played(10_000)


def test_one_submission_counts_at_a_time(begin):
    league = begin(games=2)
    for name in ("ana", "bob"):
        _hand_in(league, name)
    _until(lambda: _at_rest(league))
    before = league.version
    _hand_in(league, "ana")
    assert league.version == before, "the same again changes nothing"
    _hand_in(league, "ana", "better")
    _until(lambda: _at_rest(league))
    rows = league.standing()[0].rows
    assert [(row.name, row.games) for row in rows if row.games > 2] == [], "the games of the first version are gone"
    league.withdraw("browser of ana")
    assert [row.name for row in league.standing()[0].rows] == ["bob"]
    with pytest.raises(BadInput, match="plays as bob already"):
        league.submit("another browser", "bob", "", "f")


def test_who_fails_is_out_and_told_why_until_the_next_try(begin):
    league = begin(games=2)
    for name in ("ana", "bad", "bob"):
        _hand_in(league, name)
    _until(lambda: _at_rest(league))
    standing, entries = league.standing()
    assert entries["bad"].stage == "out"
    assert str(standing.row("bad").disqualified) == "no answer within 1 s"
    assert standing.row("ana").games
    league.submit("browser of bad", "good", "now", "f")
    _until(lambda: _at_rest(league))
    assert league.standing()[0].row("good").games


def test_who_hands_in_all_the_time_or_is_slow_delays_nobody(begin):
    """Of two newcomers the one who has had more time at the tables waits, whoever came first."""
    league = begin(games=2)
    league.pause(True)
    for name in ("slow", "ana", "bob"):
        _hand_in(league, name)
    league.spent["browser of slow"] = 100.0
    assert [league._next()] == [None], "nothing begins while it is paused"
    league.paused = False
    with league._changed:
        order = []
        while (task := league._next()) is not None and len(order) < 3:
            order.append(task.entries[0].player.name)
            task.entries[0].stage = "playing"
    assert set(order[:2]) == {"ana", "bob"}, "its trial is the last"
    league.paused = False
    _until(lambda: _at_rest(league))
    first = [set(game.pairing[:2]) for _, game in league.recent()[::-1]][:2]
    assert first == [{"ana", "bob"}] * 2, "and so are its games"
    assert league.standing()[0].row("slow").games, "but they come"


def test_in_games_for_one_all_play_the_same_seeds(begin):
    league = begin(game="2048:rows=2,columns=2", games=3)
    for name in ("ana", "bob"):
        _hand_in(league, name)
    _until(lambda: _at_rest(league))
    rows = league.standing()[0].rows
    assert [row.games for row in rows] == [3, 3]
    assert all(row.score is not None for row in rows)
