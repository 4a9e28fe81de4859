"""A tree that is kept from move to move gives the moves of one that is built anew, for less work."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from contienda.core import MAX, MIN, Game, Rules
from contienda.games import make_game
from contienda.games.tree import Tree
from contienda.jit import njit
from contienda.language import BadInput, Text
from contienda.match import Match
from contienda.players import make_player
from contienda.rows import rows
from contienda.search.kept_tree import new_tree


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


# --- Trees that are wider below than at the root, MIN at the root, long states ----------------------------------------


def chosen(spec: str, game: Game, state) -> tuple[str, dict[str, float]]:
    """What the compiled player of a match chooses, and the values it saw."""
    player = make_player(spec, game)
    seat = player.seat(0)
    action = player.choose(state, seat)
    return game.action_name(state, action), {
        game.action_name(state, a): v for a, v in enumerate(seat[3]) if not np.isnan(v)
    }


@pytest.mark.parametrize(
    "text",
    [
        "max[min[1 2 3 4 5 6 7 8 9]]",
        "min[max[3 1 4 1 5] max[9 2 6] 5]",
        "max[min[max[1 2 3 4 5 6 7 8 9 10 11 12]] 3]",
        f"max[min[{' '.join(map(str, range(63)))}] min[{' '.join(map(str, range(5, 68)))}]]",
    ],
)
def test_drawn_trees_of_any_shape(text):
    game = Tree(text)
    state = game.parse("")
    plain = make_player("minimax", game).analyse(state)
    best, values = chosen("minimax:reuse=on", game, state)
    assert best == plain.best
    assert values == {move.move: move.value for move in plain.moves}
    kept = make_player("minimax:reuse=on", game).analyse(state)
    assert (kept.moves, kept.best, kept.pv) == (plain.moves, plain.best, plain.pv)


def test_a_tree_that_outgrows_its_room_is_searched_by_plain_minimax(monkeypatch):
    """One branch at the root, 63 under it and under each of those: the first tells nothing of the room needed."""
    inner = " ".join(f"max[{' '.join(str((i * j) % 101) for j in range(63))}]" for i in range(63))
    game = Tree(f"max[min[{inner}]]")
    state = game.parse("")
    player = make_player("minimax:reuse=on", game)
    tree = new_tree(state, 1, 3, 1)
    tree.length = 2 * 100  # room for a hundred of 4,034 nodes
    monkeypatch.setattr("contienda.players.kept.new_tree", lambda *asked: tree)
    seat = player.seat(0)
    assert game.action_name(state, player.choose(state, seat)) == "1"
    assert tree.count == 0
    tree.length = 300
    assert not any(node.level for node in rows(tree)[200:])  # nothing was written after the room's end
    assert seat[3][0] == make_player("minimax", game).analyse(state).value


class Four(NamedTuple):
    """A pile of coins, in four fields."""

    coins: int
    turn: int
    taken: int
    nothing: int


@njit
def _coins_turn(state):
    return state.turn


@njit
def _coins_candidates(state):
    return (1 << min(state.coins, 3)) - 1


@njit
def _coins_successor(state, action):
    return action < state.coins, Four(state.coins - action - 1, 1 - state.turn, state.taken + action + 1, 0)


@njit
def _coins_probability(state, action):
    return 1.0


@njit
def _coins_over(state):
    return state.coins == 0


@njit
def _coins_utility(state):
    return -1.0 if state.turn == MAX else 1.0


@njit
def _coins_seen(state):
    return state


@njit
def _coins_draw(state, rng):
    return 0


class Coins(Game):
    """Take one, two or three coins; the last one wins."""

    name = "coins"
    title = Text("Coins", "Monedas")
    spec = "coins"
    kinds = frozenset({MAX, MIN})
    default_evaluator = "none"
    fixed_sides = True
    rules = Rules(
        _coins_turn,
        _coins_candidates,
        _coins_successor,
        _coins_probability,
        _coins_over,
        _coins_utility,
        _coins_seen,
        _coins_draw,
    )

    def start(self, rng):
        return Four(9, MAX, 0, 0)

    def parse(self, text):
        return Four(int(text or 9), MAX, 0, 0)

    def format(self, state):
        return str(state.coins)

    def action_name(self, state, action):
        return str(action + 1)

    def action_number(self, state, name):
        return int(name) - 1


def test_states_of_four_fields():
    game = Coins()
    kept, plain = make_player("minimax:depth=9,reuse=on", game), make_player("minimax:depth=9", game)
    assert Match(game, [kept, plain]).play(1).actions == Match(game, [plain, kept]).play(1).actions
    assert chosen("minimax:depth=9,reuse=on", game, Four(6, MIN, 0, 0))[0] == "2"
