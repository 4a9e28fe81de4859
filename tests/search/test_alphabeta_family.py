"""Table, ordering, narrower windows: each may change the cost, none the value or the move.

Every switch has its theorem in `test_theorems`, interpreted; here the searches are compiled.
"""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contienda.compiled.rng import below, generator
from contienda.core.language import BadInput
from contienda.games import make_game
from contienda.match import Match
from contienda.players import make_player

#: Depth and evaluator of the comparison for each game, and the games themselves.
GAMES = {
    "2048": "depth=4,eval=ort-simple-1",
    "connect4:rows=5,columns=5": "depth=5,eval=uja",
    "tictactoe": "depth=6,eval=none",
}
VARIANTS = [
    "negamax:{}",
    "alphabeta:{},order=history,table=on,memory=1,pvs=on",
    "mtdf:{},memory=1",
    "alphabeta:{},pvs=on",
    "alphabeta:{},order=killers",
    "alphabeta:{},order=static,table=on,memory=1",
    "alphabeta:{},table=on,memory=1,aspiration=on,order=history",
    "alphabeta:{},nodes=1000000,table=on,memory=1,order=history,pvs=on",
]


@cache
def player(game, spec):
    return make_player(spec.format(GAMES[game]), make_game(game))


def some_position(game, seed, moves):
    """A position after some random moves, with something left to play."""
    rng = generator(seed)
    state = game.start(rng)
    before = state
    for _ in range(moves):
        legal = game.legal_actions(state)
        if not legal:
            return before
        if game.rules.turn(state) != 2:
            before = state
        state = game.apply(state, legal[below(rng, len(legal))])
    if game.rules.turn(state) == 2:
        state = game.apply(state, game.rules.draw(state, rng))
    return state if game.legal_actions(state) else before


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=3)
@given(seed=st.integers(0, 2**32), moves=st.integers(0, 30))
def test_every_variant_gives_the_values_and_the_move_of_minimax(game, seed, moves):
    minimax = player(game, "minimax:{}")
    state = some_position(minimax.game, seed, moves)
    wanted = minimax.analyse(state)
    for variant in VARIANTS:
        found = player(game, variant).analyse(state)
        assert found.best == wanted.best, variant
        assert {m.move: m.value for m in found.moves} == {m.move: m.value for m in wanted.moves}, variant
        assert all(m.exact for m in found.moves)


@pytest.mark.parametrize("name", ["2048", "connect4"])
def test_negamax_visits_what_alphabeta_visits(name):
    game = make_game(name)
    state = some_position(game, 3, 10)
    plain, nega = (make_player(f"{algorithm}:depth=4", game).analyse(state) for algorithm in ("alphabeta", "negamax"))
    assert (plain.counters.nodes, plain.counters.cutoffs) == (nega.counters.nodes, nega.counters.cutoffs)
    assert (plain.moves, plain.best) == (nega.moves, nega.best)


def test_each_helper_saves_nodes_on_connect_4():
    """From the first position to depth 7: the saving is deterministic, and large; moves and values are the same."""
    game = make_game("connect4")
    known = make_player("minimax:depth=7", game).analyse(game.parse(""))

    def nodes(spec):
        found = make_player(spec, game).analyse(game.parse(""))
        assert (found.moves, found.best) == (known.moves, known.best)
        return found.counters.nodes

    minimax = known.counters.nodes
    alphabeta = nodes("alphabeta:depth=7")
    ordered = nodes("alphabeta:depth=7,order=history")
    remembered = nodes("alphabeta:depth=7,order=history,table=on,memory=16")
    everything = nodes("alphabeta:depth=7,order=history,table=on,memory=16,pvs=on")
    assert minimax == 960_793  # 7 + 7² + … + 7⁶ + 823,536 sequences and the root
    assert minimax > 10 * alphabeta
    assert alphabeta > 2 * ordered > 2 * remembered
    assert everything < 1.1 * remembered


def test_the_table_is_used_and_counted():
    game = make_game("connect4")
    counters = make_player("alphabeta:depth=7,table=on,memory=16", game).analyse(game.parse("44")).counters
    assert counters.hits > 100


def test_equal_moves_are_decided_by_preference_whatever_the_order_of_search():
    """The board is its own mirror image: columns 3 and 5 are equal, and deepening tries the better ones first."""
    game = make_game("connect4")
    leftmost = make_player("alphabeta:depth=9,nodes=10000000,table=on,order=history,pvs=on", game)
    rightmost = make_player("alphabeta:depth=9,nodes=10000000,table=on,order=history,pvs=on,ties=7-6-5-4-3-2-1", game)
    for text in ("", "44", "4444"):
        left, right = leftmost.analyse(game.parse(text)).best, rightmost.analyse(game.parse(text)).best
        assert int(left) == 8 - int(right) <= 4


@pytest.mark.slow
def test_a_match_with_everything_on_is_the_match_of_plain_alphabeta():
    game = make_game("connect4:rows=5,columns=5")
    plain = make_player("alphabeta:depth=5", game)
    plus = make_player("alphabeta:depth=5,table=on,memory=1,order=static,pvs=on", game)
    opponent = make_player("random", game)
    for seed in range(4):
        assert Match(game, [plain, opponent]).play(seed).actions == Match(game, [plus, opponent]).play(seed).actions


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("alphabeta:table=maybe", "table=maybe: write on or off"),
        ("alphabeta:order=best", "order=best: there are none, killers, history, static"),
        ("alphabeta:table=on,memory=-1", "memory=-1: megabytes, 1 or more"),
        ("mtdf:memory=0", "memory=0: megabytes, 1 or more"),
        ("alphabeta:table=on,memory=100000000", "does not fit"),
        ("alphabeta:cutoffs=off,pvs=on", "cutoffs=off does not work with table"),
        ("alphabeta:aspiration=on", "needs table=on"),
        ("mtdf:table=off", "needs table=on"),
    ],
)
def test_what_cannot_be_is_refused(spec, told):
    with pytest.raises(BadInput, match=told):
        make_player(spec, make_game("connect4"))


def test_negamax_refuses_drawn_trees():
    with pytest.raises(BadInput, match="take turns"):
        make_player("negamax", make_game("tree", "max[min[3 12 8] min[2 4 6] min[14 5 2]]"))
