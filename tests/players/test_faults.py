"""Players that are not compiled, and so may be anybody's: errors name the player at fault."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from drive import contienda

from contienda.core.analysis import new_tally
from contienda.core.language import BadInput, Text
from contienda.core.specs import Spec
from contienda.games import make_game
from contienda.lab.plan import Plan
from contienda.lab.report import report_html
from contienda.lab.results import Results
from contienda.lab.run import run
from contienda.lab.statistics import summarise
from contienda.lab.table import table_of
from contienda.lab.where import Where
from contienda.match import Match, PlayerFault
from contienda.players import PLAYERS, make_player
from contienda.players.base import BareSeat, Player
from contienda.players.catalogue import PlayerInfo


class Scripted(Player):
    """Plays the first legal moves, and after some of them whatever it was told to."""

    compiled = False

    def __init__(self, game, answer: Any, after: int = 3) -> None:
        super().__init__(Spec("scripted", {}), game)
        self.answer, self.after = answer, after
        self.choose = self._choose

    def _choose(self, state, seat):
        seat.tally.nodes += 1
        if seat.tally.nodes <= self.after:
            return self.game.legal_actions(state)[0]
        return self.answer() if callable(self.answer) else self.answer

    def seat(self, seed):
        return BareSeat(new_tally())


def fail():
    raise KeyError("no idea")


FAULTS = [
    (7, "scripted: its move 7 is not legal at"),
    (-2, "scripted: its move -2 is not legal at"),
    (2**70, "scripted: its move 1180591620717411303424 is not legal"),
    (None, "scripted: its move None is not a whole number"),
    ("left", "scripted: its move 'left' is not a whole number"),
    (1.0, "scripted: its move 1.0 is not a whole number"),
    (True, "scripted: its move True is not a whole number"),
    (-1, "scripted: it returned no move, although there are legal ones"),
    (fail, "scripted: it fails: KeyError: 'no idea'"),
]


@pytest.mark.parametrize(("answer", "told"), FAULTS)
@pytest.mark.parametrize("spec", ["2048", "connect4"])
def test_a_match_refuses_what_is_no_move(spec, answer, told):
    game = make_game(spec)
    players = [Scripted(game, answer)] + ([make_player("random", game)] if spec == "connect4" else [])
    with pytest.raises(PlayerFault) as refused:
        Match(game, players).play(1)
    assert str(refused.value).startswith(told)
    assert refused.value.text.into("es") != refused.value.text.into("en")
    assert "\n" not in str(refused.value)


def test_a_full_column_is_no_move():
    """The rules say what may be played, and the match asks them: not only whether a number is small enough."""
    game = make_game("connect4")
    players = [Scripted(game, 0, after=0), Scripted(game, 0, after=0)]
    with pytest.raises(PlayerFault, match=r"its move 0 is not legal at 111111: there are 1 \(2\), 2 \(3\)"):
        Match(game, players).play(1)


def test_moves_of_numpy_are_moves():
    game = make_game("tictactoe")

    class First(Scripted):
        def _choose(self, state, seat):
            return np.int64(self.game.legal_actions(state)[0])

    played = Match(game, [First(game, None), First(game, None)]).play(1)
    assert played.ended == "over"
    assert all(type(action) is int for action in played.actions)


# --- By name: on the command line and in the lab ---------------------------------------------------------------------


def make_scripted(game, options):
    return Scripted(game, fail)


def make_sometimes(game, options):
    """Goes wrong only in long games: after 20 moves."""
    return Scripted(game, 9, after=20)


@pytest.fixture(autouse=True)
def _known(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    for name in ("scripted", "sometimes"):
        info = PlayerInfo(name, Text("{name}", name=name, es="{name}"), f"{__name__}:make_{name}", {})
        monkeypatch.setitem(PLAYERS, name, info)


def test_the_command_line_tells_it_in_one_line():
    refused = contienda("play", "2048", "--player", "scripted", "--games", 3, "--seed", 1).complaint
    assert refused == "scripted: it fails: KeyError: 'no idea'"
    assert contienda("--lang", "es", "play", "2048", "--player", "scripted").complaint.startswith("scripted: falla: ")


def test_the_lab_notes_what_could_not_be_played_and_comes_to_an_end():
    plan = Plan("faults", "2048", ("scripted", "random"), games=6, target=64)
    results = Results(Path("faults.sqlite"), plan)
    progress = run(results, Where("threads", 2))
    assert progress.complete
    assert progress.failed == 6
    assert results.counts() == {1: 6}
    failures = results.failures()
    assert [(each.entrant, each.seed) for each in failures] == [(0, seed) for seed in range(1, 7)]
    assert {str(each.reason) for each in failures} == {"scripted: it fails: KeyError: 'no idea'"}
    table = table_of(results)
    assert [summary.name for summary in summarise(table)] == ["random"]
    assert "6 games could not be played" in report_html(results, table, [])
    results.close()
    status = contienda("lab", "status", "faults.sqlite").out
    assert "not played: 6 games, first seed 1: scripted: it fails: KeyError: 'no idea'" in " ".join(status.split())
    assert "6/12, 6 not played" in " ".join(contienda("lab", "list").out.split())
    resumed = contienda("lab", "resume", "faults.sqlite", "--threads", 1)
    assert resumed.code == 2, "it tries once more, and says so"
    assert "Traceback" not in resumed.err


def test_games_that_succeed_the_next_time_are_played(monkeypatch):
    plan = Plan("faults", "2048", ("sometimes",), games=4, target=32)
    results = Results(Path("faults.sqlite"), plan)
    first = run(results, Where("threads", 1))
    assert first.failed == len(results.failures()) > 0
    monkeypatch.setattr(f"{__name__}.make_sometimes", lambda game, options: Scripted(game, 9, after=10**9))
    from contienda.lab import where

    where._match.cache_clear()
    again = run(results, Where("threads", 1))
    assert again.complete
    assert (again.failed, again.new, results.failures()) == (0, first.failed, [])
    assert results.counts() == {0: 4}


def test_an_experiment_that_runs_until_it_is_sure_ends_too():
    plan = Plan("faults", "2048", ("scripted", "random"), interval=0.5, most=120, target=16)
    results = Results(Path("faults.sqlite"), plan)
    assert run(results, Where("threads", 2)).complete
    assert results.counts().keys() == {1}


def test_a_fault_is_bad_input():
    assert issubclass(PlayerFault, BadInput)
