"""Learning from saved games, uc3m's future work: a network by `train --from`, weights by `lab tune --from`."""

from __future__ import annotations

import re

import numpy as np
import pytest
from drive import contienda

from contienda.games import make_game
from contienda.learning.recorded import Recorded, RecordedGame
from contienda.match import Match, play_games
from contienda.players import make_player
from contienda.record import load_games, save_game, states_of

GAME = make_game("2048")


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """Thirty games of a player that looks two moves ahead."""
    folder = tmp_path_factory.mktemp("kept")
    match = Match(GAME, [make_player("expectimax:depth=3,eval=ort-simple-1,mono=-1", GAME)])
    for played in play_games(match, range(1, 31)):
        save_game(played, folder / f"{played.seed:03}.json")
    return folder


def mean_of(player: str) -> float:
    match = Match(GAME, [make_player(player, GAME)])
    return float(np.mean([GAME.outcome(played.state)["score"] for played in play_games(match, range(500, 512))]))


def test_games_are_read_as_they_were_played(kept):
    games = load_games(kept)
    recorded = Recorded.of(RecordedGame(played.start, played.actions, played.ended == "over") for played in games)
    assert recorded.games == 30
    first = games[0]
    states = list(states_of(first))
    after = [state.cells for state, before in zip(states[1:], states, strict=False) if before.turn != states[1].turn]
    assert recorded.cells[: first.moves].tolist() == after
    assert recorded.begins[1] == first.moves
    assert recorded.reward[: first.moves].sum() == GAME.outcome(first.state)["score"]
    assert not recorded.unfinished.any()


def test_a_network_learns_from_saved_games(kept, tmp_path):
    """It never saw a game of its own, and plays better than luck: better still if it reads them ten times."""
    scores = []
    for games in (30, 300):
        out = tmp_path / f"{games}.net"
        told = contienda(
            "train", "2048", "--from", kept, "--network", "2x4", "--games", games, "--threads", 1, "--out", out
        )  # fmt: skip
        assert told.code == 0, told.err
        assert "it learns from 30 saved games" in told.out
        scores.append(mean_of(f"greedy:eval=ntuple:{out}"))
    assert 1.5 * mean_of("random") < scores[0] < scores[1]


def test_weights_are_learnt_from_saved_games(kept, tmp_path):
    """ort's sign of monotonicity punishes order; the games say so, and the weight changes its sign."""
    told = contienda(
        "lab", "tune", "greedy:eval=ort-simple-1", "--from", kept, "--check", 30, "--threads", 1,
        "--out", tmp_path / "t.jsonl",
    )  # fmt: skip
    assert told.code == 0, told.err
    assert float(re.search(r"mono=(-?[\d.]+)", told.out)[1]) < 0
    assert "fitted to 30 games" in told.out
    low = re.search(r"gain [\d,.-]+ \[([\d,.-]+),", told.out)[1]
    assert float(low.replace(",", "")) > 0  # even the lower end of the interval is a gain


@pytest.mark.parametrize(
    ("order", "complaint"),
    [
        (["train", "2048", "--from", "nowhere", "--games", 10, "--out", "n"], "nowhere is not a folder"),
        (["train", "2048", "--from", ".", "--games", 10, "--out", "n", "--network", "2x4"], "no saved games in ."),
        (["lab", "tune", "greedy:eval=combined", "--from", "nowhere"], "nowhere is not a folder"),
    ],
)
def test_what_cannot_be_learnt_from_is_told(order, complaint, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = contienda(*order)
    assert told.code == 2
    assert complaint in told.err
    assert "Traceback" not in told.err
