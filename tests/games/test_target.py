"""A target ends the tree: a board that has reached it is terminal inside the search, the trace and the match."""

from __future__ import annotations

import json

import pytest
from drive import contienda
from hypothesis import given, settings
from hypothesis import strategies as st

from contienda import make_game, make_player, reference
from contienda.core.language import BadInput
from contienda.games.g2048 import G2048
from contienda.trace.making import make_trace

#: Two 1024s that merge at once: to the right or to the left is 2048.
READY = "1024 1024 8 4/16 8 4 2/8 4 2 0/2 0 0 0"


@given(st.lists(st.integers(0, 15), min_size=16, max_size=16), st.integers(3, 15))
def test_a_target_is_reached_as_soon_as_one_tile_is_large_enough(ranks: list[int], rank: int) -> None:
    from contienda.games.g2048.board import board_from_ranks

    board = board_from_ranks(ranks, 0)
    assert G2048().until(1 << rank).rules.over(board) == (max(ranks) >= rank)


@pytest.mark.parametrize(
    "player", ["minimax", "alphabeta", "alphabeta:table=on", "alphabeta:order=static", "expectimax"]
)
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_search_goes_no_further_than_the_target_and_asks_the_evaluator_there(player: str, depth: int) -> None:
    game = make_game("2048").until(2048)
    name, _, options = player.partition(":")
    spec = f"{name}:depth={depth},eval=uma1" + (f",{options}" if options else "")
    made = make_player(spec, game)
    state = game.parse_scored(READY, 15000)
    values = {move.move: move.value for move in made.analyse(state).moves}
    evaluator = made.evaluator

    def evaluate(board: object) -> float:
        return float(evaluator.evaluate(board, evaluator.weights))

    search = reference.expectimax if name == "expectimax" else reference.minimax
    rules = game.rules if name == "expectimax" else game.adversarial("twos-and-fours")
    expected = reference.move_values(search, rules, state, depth, evaluate, evaluator.floor)
    assert values == pytest.approx({game.action_name(state, action): value for action, value in expected.items()})
    for name in ("left", "right"):  # the merge is a leaf, whatever the depth
        after = game.rules.successor(state, game.action_number(state, name))[1]
        assert values[name] == evaluate(after)


def test_the_leaf_at_the_target_costs_one_node_where_the_plain_game_searches_on() -> None:
    plain = make_game("2048")
    aimed = plain.until(2048)
    nodes = [
        make_player("minimax:depth=3,eval=uma1", game).analyse(game.parse_scored(READY, 15000)).counters.nodes
        for game in (plain, aimed)
    ]
    assert nodes[1] < nodes[0]


@settings(max_examples=20)
@given(st.integers(0, 2**32))
def test_far_from_the_target_it_changes_nothing(seed: int) -> None:
    from contienda.compiled.rng import generator

    plain = make_game("2048")
    aimed = plain.until(2048)
    state = plain.start(generator(seed))
    found = [make_player("alphabeta:depth=4,eval=uma1", game).analyse(state) for game in (plain, aimed)]
    assert found[0].moves == found[1].moves
    assert found[0].counters.nodes == found[1].counters.nodes


def test_the_game_that_ends_at_a_tile_has_a_spec_that_makes_it_again() -> None:
    aimed = make_game("2048:rows=3").until(64)
    assert aimed.spec == "2048:rows=3,target=64"
    again = make_game(aimed.spec)
    assert (again.target, again.spec) == (64, aimed.spec)
    assert again.legal_actions(again.parse("64 0 0 0/0 0 0 0/0 0 0 2")) == []
    with pytest.raises(BadInput, match="not a tile"):
        make_game("2048:target=100")
    with pytest.raises(BadInput, match="no target"):
        make_game("connect4:target=64")


def test_a_trace_shows_the_target_as_an_end() -> None:
    game = make_game("2048").until(2048)
    trace = make_trace(make_player("minimax:depth=3,eval=uma1", game), game.parse_scored(READY, 15000))
    ends = [node for node in trace.as_data()["nodes"] if node.get("over")]
    assert {node["move"] for node in ends if node["depth"] == 1} == {"left", "right"}
    assert not {node["id"] for node in ends} & {node["parent"] for node in trace.as_data()["nodes"]}


# --- On the command line ---------------------------------------------------------------------------------------------


def test_hint_takes_a_target() -> None:
    ask = ("hint", "2048", READY, "--score", "15000", "--player", "minimax:depth=3,eval=uma4", "--json")
    on, ended = (json.loads(contienda(*ask, *more).out) for more in ((), ("--target", "2048")))
    assert ended["counters"]["nodes"] < on["counters"]["nodes"]
    merged = {move["move"]: move["value"] for move in ended["moves"]}
    # 2048 in the corner: score 15000 + 2048, 5 empty cells × 11, and the sum of tiles by their places.
    board = [[2048, 8, 4, 0], [16, 8, 4, 2], [8, 4, 2, 0], [2, 0, 0, 0]]
    weights = [[7, 6, 5, 4], [6, 5, 4, 3], [5, 4, 3, 2], [4, 3, 2, 1]]
    mono = sum(t * w for row, by in zip(board, weights, strict=True) for t, w in zip(row, by, strict=True))
    assert merged["left"] == 15000 + 2048 + 5 * 11 + mono


def test_a_board_that_has_the_target_is_over_and_so_says_the_command_line() -> None:
    for command in ("hint", "trace"):
        done = contienda(command, "2048", "2048 2 0 0/0 0 0 0/0 0 0 0/0 0 0 0", "--target", "2048")
        assert done.code == 2
        assert "the game is over in this position" in done.err
        assert contienda(command, "2048", READY, "--target", "2000").code == 2


def test_trace_takes_a_target() -> None:
    ask = ("trace", "2048", READY, "--score", "15000", "--player", "minimax:depth=2,eval=uma1")
    on, ended = (contienda(*ask, *more).out for more in ((), ("--target", "2048")))
    assert len(ended.splitlines()) < len(on.splitlines())
