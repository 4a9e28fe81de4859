"""The review of a game of points, beside the exact values of a small board."""

from __future__ import annotations

import json

import pytest
from drive import contienda

from contienda.core.language import BadInput
from contienda.games import make_game
from contienda.match import Match
from contienda.perfect.layers_2048 import move_value
from contienda.perfect.values_2048 import values_of
from contienda.players import make_player
from contienda.players.review import critic_of, review_points, worst
from contienda.record import save_game

GAME = make_game("2048:rows=2,columns=3")


@pytest.fixture
def played():
    return Match(GAME, [make_player("random", GAME)]).play(4)


def test_a_move_loses_what_the_exact_values_say(played):
    critic = critic_of(GAME)
    assert critic.spec == "perfect"
    seen: list[int] = []
    lost = review_points(GAME, played.start, played.actions, critic, progress=seen.append)
    assert seen == list(range(1, played.moves + 1))
    values = values_of(GAME)
    for one in lost:
        by_move = {
            GAME.action_name(one.state, action): move_value(values, one.state.cells, action)[0]
            for action in GAME.legal_actions(one.state)
        }
        assert one.loss == pytest.approx(max(by_move.values()) - by_move[one.move])
        assert by_move[one.best] == max(by_move.values())
    ten = worst(lost)
    assert [one.loss for one in ten] == sorted((one.loss for one in lost if one.loss), reverse=True)[:10]


def test_a_perfect_game_loses_nothing():
    perfect = make_player("perfect", GAME)
    game = Match(GAME, [perfect]).play(4)
    assert worst(review_points(GAME, game.start, game.actions, perfect)) == []


def test_the_command_reviews_a_file(played, tmp_path):
    save_game(played, tmp_path / "game.json")
    chart = tmp_path / "losses.svg"
    run = contienda("review", tmp_path / "game.json", "--worst", 2, "--chart", chart)
    assert run.code == 0
    assert run.out.count(" was best") == 2
    assert chart.read_text().startswith("<svg")
    data = json.loads(contienda("review", tmp_path / "game.json", "--json").out)
    assert data["moves"] == played.moves == len(data["losses"])
    assert data["lost"] == pytest.approx(sum(data["losses"]))
    assert data["worst"][0]["lost"] == max(data["losses"])


def test_a_game_without_points_is_refused(tmp_path):
    game = make_game("tictactoe")
    with pytest.raises(BadInput, match="tictactoe"):
        critic_of(game)
    save_game(Match(game, [make_player("random", game)] * 2).play(1), tmp_path / "game.json")
    assert "tictactoe" in contienda("review", tmp_path / "game.json").complaint
