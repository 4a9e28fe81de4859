"""A tree that is kept from move to move gives the moves of one that is built anew, for less work."""

from __future__ import annotations

import numpy as np
import pytest

from contienda.games import make_game
from contienda.language import BadInput
from contienda.match import Match
from contienda.players import make_player


@pytest.mark.parametrize(
    ("name", "depth"),
    [
        pytest.param("connect4", 4, marks=pytest.mark.slow),
        pytest.param("connect4:rows=4,columns=5", 5, marks=pytest.mark.slow),
        ("tictactoe", 5),
    ],
)
def test_the_same_games_as_without(name, depth):
    game = make_game(name)
    anew, kept = make_player(f"minimax:depth={depth}", game), make_player(f"minimax:depth={depth},reuse=on", game)
    opponent = make_player("random", game)
    first = [Match(game, [player, opponent]) for player in (anew, kept)]
    second = [Match(game, [opponent, player]) for player in (anew, kept)]
    for seed in range(5):
        one, two = (match.play(seed) for match in first)
        assert one.actions == two.actions
        assert two.nodes < one.nodes
        one, two = (match.play(seed) for match in second)
        assert one.actions == two.actions


@pytest.mark.slow
def test_the_second_move_grows_only_the_new_levels():
    """After a move and its reply, the nodes of the upper levels stand; only the two lowest are made."""
    game = make_game("connect4")
    player = make_player("minimax:depth=5,reuse=on", game)
    seat = player.seat(0)
    state = game.parse("")
    first = player.choose(state, seat)
    nodes = int(player.tally(seat).nodes)
    assert nodes == sum(7**level for level in range(6))
    state = game.apply(game.apply(state, first), 0)
    second = player.choose(state, seat)
    assert int(player.tally(seat).nodes) == 7**3 + 7**4 + 7**5 - 0  # the leaves of before, grown, and their children
    plain = make_player("minimax:depth=5", game)
    assert game.action_name(state, second) == plain.analyse(state).best
    values = {game.action_name(state, a): v for a, v in enumerate(seat[3]) if not np.isnan(v)}
    assert values == {move.move: move.value for move in plain.analyse(state).moves}


def test_analysis_is_that_of_minimax():
    game = make_game("connect4")
    state = game.parse("44531")
    kept, plain = (make_player(f"minimax:depth=4{more}", game).analyse(state) for more in (",reuse=on", ""))
    assert (kept.moves, kept.best, kept.pv) == (plain.moves, plain.best, plain.pv)
    assert kept.counters.nodes == plain.counters.nodes


@pytest.mark.parametrize(
    ("game", "spec", "told"),
    [
        ("2048", "minimax:reuse=on", "without chance"),
        ("connect4", "minimax:ms=10,reuse=on", "takes a depth"),
        ("connect4", "minimax:depth=12,reuse=on", "keeps up to 16,148,168,401 nodes"),
    ],
)
def test_what_cannot_be_is_refused(game, spec, told):
    with pytest.raises(BadInput, match=told):
        make_player(spec, make_game(game))
