"""The champion: expectimax with a network at its leaves, a table, deepening, threads and smaller tiles; bad files."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from drive import contienda
from hypothesis import given
from hypothesis import strategies as st
from twins.boards import board_of, grids
from twins.networks import lookup_places

from contienda.compiled.jit import nanoseconds
from contienda.compiled.rows import rows
from contienda.compiled.stopping import Stop
from contienda.core.game import CHANCE
from contienda.core.language import BadInput
from contienda.evaluation.compiled import compile_evaluator
from contienda.evaluation.g2048 import network_file
from contienda.evaluation.g2048.afterstates import build_best_afterstate, build_evaluate
from contienda.evaluation.g2048.downgrading import build_downgraded
from contienda.evaluation.g2048.network_file import load_network, shared_network, write_file
from contienda.evaluation.g2048.ntuple import Network, new_weights
from contienda.evaluation.g2048.quantised import quantise
from contienda.games import make_game
from contienda.games.g2048.board import rank_at, score
from contienda.match import Match
from contienda.players import make_player
from contienda.players.paths.heuristics import evaluator_named
from contienda.problems.g2048 import Problem2048, world_of
from contienda.trace.making import make_trace

GAME = make_game("2048")
LAYOUT = Network(("012", "456"))
LATE = "0 2 0 8/0 2 16 4/4 16 32 128/8 32 512 1024"
MIDDLE = "2 4 0 0/8 16 2 0/32 4 8 2/256 64 4 2"
DEAD_SOON = "2 4 8 16/4 8 16 32/8 16 32 64/16 32 64 0"


@pytest.fixture(scope="module")
def net(tmp_path_factory) -> Path:
    """A network that has learnt nothing: its weights are drawn by lot."""
    path = tmp_path_factory.mktemp("nets") / "net"
    table = np.random.default_rng(7).normal(0, 50, LAYOUT.size).astype(np.float32)
    write_file(path, LAYOUT, {"open": 1}, {"table": table})
    return path


@pytest.fixture(scope="module")
def packed(net) -> Path:
    path = net.with_name("packed")
    step, blocks = quantise(LAYOUT, rows(load_network(net)[1]), 2.0)
    write_file(path, LAYOUT, {"open": 1, "step": step}, blocks)
    return path


def champion(options: str, net: Path):
    return make_player(f"champion:{options},network={net}", GAME)


def values(player, board):
    return {move.move: move.value for move in player.analyse(GAME.parse(board)).moves}


# --- The search ------------------------------------------------------------------------------------------------------


def by_hand(state, depth, table):
    """Expectimax by its definition: points and network at boards after a move, points alone where there is no move."""
    if state.turn == CHANCE:
        if depth == 0:
            ranks = [rank_at(state, cell) for cell in range(16)]
            return score(state) + float(sum(table[i] for i in lookup_places(LAYOUT, ranks)))
        outcomes = GAME.legal_actions(state)
        return sum(GAME.rules.probability(state, a) * by_hand(GAME.apply(state, a), depth - 1, table) for a in outcomes)
    moves = GAME.legal_actions(state)
    if not moves:
        return score(state)
    return max(by_hand(GAME.apply(state, a), max(depth - 1, 0), table) for a in moves)


@pytest.mark.parametrize("board", [LATE, MIDDLE, DEAD_SOON])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_it_is_expectimax_by_its_definition(net, board, depth):
    table = rows(load_network(net)[1]).astype(float)
    found = values(champion(f"depth={depth}", net), board)
    state = GAME.parse(board)
    for name, value in found.items():
        after = GAME.apply(state, GAME.action_number(state, name))
        assert value == pytest.approx(by_hand(after, depth - 1, table), abs=0.01)


@pytest.mark.parametrize("board", [LATE, MIDDLE, DEAD_SOON])
@pytest.mark.parametrize("depth", [1, 3, 4, 5])
def test_table_and_shortcut_change_nothing(net, board, depth):
    plain = make_player(f"expectimax:depth={depth},eval=ntuple:{net}", GAME)
    assert values(champion(f"depth={depth}", net), board) == values(plain, board)


def test_an_even_number_of_levels_is_worth_the_next(net):
    assert values(champion("depth=2", net), MIDDLE) == values(champion("depth=3", net), MIDDLE)


def test_it_remembers(net):
    counters = champion("depth=5", net).analyse(GAME.parse(MIDDLE)).counters
    assert counters.hits > 0
    plain = make_player(f"expectimax:depth=5,eval=ntuple:{net}", GAME).analyse(GAME.parse(MIDDLE)).counters
    assert counters.nodes < plain.nodes


@pytest.mark.slow
def test_threads_give_the_same_values(net):
    assert values(champion("depth=5,threads=2", net), MIDDLE) == values(champion("depth=5", net), MIDDLE)


def test_under_a_limit_it_deepens_by_whole_moves(net):
    found = champion("nodes=20000", net).analyse(GAME.parse(LATE))
    assert found.counters.depth % 2 == 1
    assert found.counters.depth >= 5
    same = champion(f"depth={found.counters.depth},cprob=0.01", net).analyse(GAME.parse(LATE))
    assert {m.move: m.value for m in found.moves} == {m.move: m.value for m in same.moves}


def test_to_a_given_depth_it_looks_at_everything_and_under_a_limit_not_where_luck_is_unlikely(net):
    exact, cut = (champion(options, net).analyse(GAME.parse(MIDDLE)) for options in ("depth=7", "depth=7,cprob=0.01"))
    assert cut.counters.nodes < exact.counters.nodes
    limited = champion(f"depth=7,nodes={10 * exact.counters.nodes}", net).analyse(GAME.parse(MIDDLE))
    assert limited.moves == cut.moves


def test_time_is_a_stop(net):
    player = champion("ms=20", net)
    player.compile()
    found = player.analyse(GAME.parse("0 0 0 0/0 0 2 0/0 0 0 0/0 2 0 0"))
    assert 1 <= found.counters.depth < 100  # and it ends: a hundred moves deep it would be years


def test_compiled_code_knows_the_time():
    before, now, after = time.monotonic_ns(), nanoseconds(), time.monotonic_ns()
    assert before <= now <= after or now == 0  # 0 where the system has no such clock


def test_a_search_whose_time_is_over_stops_by_itself(net):
    player = champion("depth=99", net)
    seat = player.seat(0)
    player.tally(seat).deadline = time.monotonic_ns() - 1
    assert player.choose_once(GAME.parse(MIDDLE), seat) == -1


@pytest.mark.slow
def test_games_are_the_same_every_time(net):
    match = Match(GAME, [champion("depth=3", net)])
    assert match.play(5).actions == match.play(5).actions


@pytest.mark.slow
def test_it_can_be_traced(net):
    tree = make_trace(champion("depth=2", net), MIDDLE)
    assert tree.best == champion("depth=2", net).analyse(GAME.parse(MIDDLE)).best


def test_a_stop_reaches_it(net):
    stop = Stop()
    stop.stop()
    with pytest.raises(BadInput, match="stopped before its first answer"):
        champion("depth=99", net).analyse(GAME.parse(MIDDLE), stop)


# --- The leaves ------------------------------------------------------------------------------------------------------


@given(grids(12, 1))
def test_the_best_move_is_that_of_the_rules(grid):
    weights = new_weights(LAYOUT)
    rows(weights)[:] = np.arange(LAYOUT.size) % 97
    board, evaluate = board_of(grid), build_evaluate(LAYOUT)
    afters = [GAME.apply(board, action) for action in GAME.legal_actions(board)]
    moves, best = build_best_afterstate(LAYOUT)(board, weights)
    assert moves == len(afters)
    assert best == max((evaluate(after, weights) for after in afters), default=score(board))
    assert best == evaluate(board, weights)


def test_a_packed_network_plays_as_its_multiples_say(net, packed):
    network, weights = load_network(packed)
    assert rows(weights).dtype == np.int16
    _, full = load_network(net)
    assert np.abs(rows(weights) * weights.step - rows(full)).max() <= weights.step / 2
    small, large = values(champion("depth=3", packed), MIDDLE), values(champion("depth=3", net), MIDDLE)
    assert small == pytest.approx(large, abs=float(network.lookups * weights.step / 2))
    assert small != large


# --- Tile downgrading ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("board", "smaller"),
    [
        # the 8192 is missing
        ("32768 16384 4096 2/0 0 0 0/0 0 0 0/0 0 0 0", "16384 8192 4096 2/0 0 0 0/0 0 0 0/0 0 0 0"),
        # twice: 65536 -> 32768 -> 16384
        ("65536 4 4 2/0 0 0 0/0 0 0 0/0 0 0 0", "16384 4 4 2/0 0 0 0/0 0 0 0/0 0 0 0"),
        # two equal ones stay equal
        ("32768 32768 2 4/0 0 0 0/0 0 0 0/0 0 0 0", "16384 16384 2 4/0 0 0 0/0 0 0 0/0 0 0 0"),
        # nothing so large
        ("16384 4096 2 2/0 0 0 0/0 0 0 0/0 0 0 0", "16384 4096 2 2/0 0 0 0/0 0 0 0/0 0 0 0"),
        # nothing missing
        (
            "32768 16384 8192 4096/256 512 1024 2048/128 64 32 16/2 4 8 0",
            "32768 16384 8192 4096/256 512 1024 2048/128 64 32 16/2 4 8 0",
        ),
    ],
)
def test_tiles_above_the_missing_one_are_halved(board, smaller):
    assert GAME.format(build_downgraded(32768)(GAME.parse(board))) == smaller


@pytest.mark.slow
@given(grids(17, 1), st.integers(3, 17))
def test_the_same_moves_merge_the_same_tiles(grid, rank):
    board = board_of(grid)
    smaller = build_downgraded(1 << rank)(board)
    assert score(smaller) == score(board)
    assert GAME.legal_actions(smaller) == GAME.legal_actions(board)
    for action in GAME.legal_actions(board):
        one, other = GAME.apply(board, action), GAME.apply(smaller, action)
        filled = [[bool(rank_at(state, cell)) for cell in range(16)] for state in (one, other)]
        assert filled[0] == filled[1]


def test_the_champion_plays_the_smaller_board(net):
    large, small = "32768 4 0 0/0 0 0 0/0 2 0 0/0 0 0 2", "16384 4 0 0/0 0 0 0/0 2 0 0/0 0 0 2"
    points = score(GAME.parse(large)) - score(GAME.parse(small))
    downgraded = values(champion("depth=3", net), large)
    assert downgraded == pytest.approx(
        {move: v + points for move, v in values(champion("depth=3", net), small).items()}
    )
    assert downgraded != values(champion("depth=3,downgrade=off", net), large)
    assert values(champion("depth=3,downgrade=65536", net), large) == values(
        champion("depth=3,downgrade=off", net), large
    )


def test_searches_for_a_path_take_networks_too(net):
    """What they value is a board before a move, with its luck."""
    evaluate, weights = evaluator_named(Problem2048(), f"ntuple:{net}", {})
    plain = compile_evaluator(f"ntuple:{net}", GAME, {})
    state = GAME.parse(MIDDLE)
    assert evaluate(world_of(state, 7), weights) == plain.evaluate(state, plain.weights)
    assert make_player(f"backtracking:depth=2,eval=ntuple:{net}", GAME).analyse(state).best in {"up", "right", "down"}


# --- The shipped network, and files that are none --------------------------------------------------------------------


def test_without_a_name_it_is_the_network_of_the_package(packed, monkeypatch):
    monkeypatch.setattr(network_file, "_SHIPPED", packed)
    assert values(make_player("champion:depth=3", GAME), MIDDLE) == values(champion("depth=3", packed), MIDDLE)
    greedy = make_player("expectimax:depth=1,eval=ntuple", GAME)
    assert values(greedy, MIDDLE) == values(champion("depth=1", packed), MIDDLE)


def test_the_network_of_the_package_is_small_and_knows_its_strength():
    """Of the first board it expects about what it makes when it plays without search: docs/en/networks.md."""
    assert network_file.shipped_network().stat().st_size <= 48 << 20
    network, weights = shared_network(network_file.shipped_network())
    board = [1, *[0] * 14, 1]
    expected = float(weights.step) * sum(int(rows(weights)[i]) for i in lookup_places(network, board))
    assert 200_000 < expected < 300_000


@pytest.mark.slow
def test_the_network_of_the_package_is_strong():
    """These games are the same every time; docs/en/networks.md has what a thousand others made."""
    match = Match(GAME, [make_player("champion:depth=1", GAME)])
    games = [match.play(seed) for seed in range(20)]
    assert np.mean([score(game.state) for game in games]) > 150_000
    assert sum(max(rank_at(game.state, i) for i in range(16)) >= 13 for game in games) >= 10  # 8192


def test_it_is_loaded_once(packed):
    assert shared_network(packed)[1] is shared_network(packed)[1]
    assert champion("depth=1", packed).evaluator.weights is champion("ms=5", packed).evaluator.weights


def test_a_network_that_has_changed_is_loaded_anew(net, tmp_path):
    changed = tmp_path / "net"
    changed.write_bytes(net.read_bytes())
    before = shared_network(changed)[1]
    write_file(changed, Network(("01",)), {"open": 1}, {"table": np.zeros(256, np.float32)})
    assert shared_network(changed)[0] == Network(("01",))
    assert before is not shared_network(changed)[1]


@pytest.mark.parametrize("spec", ["champion", "champion:ms=1", "expectimax:eval=ntuple"])
def test_without_a_network_it_says_how_to_come_by_one(spec, monkeypatch):
    monkeypatch.setattr(network_file, "_SHIPPED", Path("/nowhere/2048.packed"))
    with pytest.raises(
        BadInput, match=r"this copy of Contienda has no network.*contienda train.*champion:network=my\.net"
    ):
        make_player(spec, GAME)


def test_files_that_are_no_network(net, packed, tmp_path):
    for options, text in {
        str(tmp_path / "none"): "cannot read",
        str(tmp_path): "cannot read|is not a network file",
        __file__: "is not a network file",
    }.items():
        with pytest.raises(BadInput, match=text):
            make_player(f"champion:network={options}", GAME)
    for path in (net, packed):
        cut = tmp_path / "cut"
        cut.write_bytes(path.read_bytes()[:-3])
        with pytest.raises(BadInput, match="incomplete or damaged"):
            make_player(f"champion:network={cut}", GAME)
        broken = bytearray(path.read_bytes())
        broken[-40:] = bytes(40)
        cut.write_bytes(broken)
        if path == packed:
            with pytest.raises(BadInput, match="incomplete or damaged"):
                make_player(f"champion:network={cut}", GAME)
    earlier = tmp_path / "earlier"
    earlier.write_bytes(net.read_bytes().replace(b"NETWORK 2", b"NETWORK 1", 1))
    with pytest.raises(BadInput, match="written by an earlier version with another order of weights"):
        make_player(f"champion:network={earlier}", GAME)
    write_file(tmp_path / "other", Network(("0123",)), {"open": 1, "step": 2.0}, {"low": np.zeros(4, np.uint8)})
    with pytest.raises(BadInput, match="incomplete or damaged"):
        make_player(f"champion:network={tmp_path / 'other'}", GAME)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ("downgrade=3000", "downgrade=3000: write a tile from 8 to 131072, or off"),
        ("downgrade=262144", "write a tile"),
        ("threads=0", "threads=0 is out of range"),
        ("nodes=5,threads=2", "nodes are counted on one thread"),
        ("eval=snake", "champion has no parameter 'eval'"),
        ("depth=0", "depth=0 is out of range"),
        ("cprob=1", "cprob=1 is not a probability"),
    ],
)
def test_what_cannot_be_is_refused(net, options, complaint):
    with pytest.raises(BadInput, match=complaint):
        champion(options, net)


def test_a_network_plays_its_own_game_alone(net):
    with pytest.raises(BadInput, match="is not a network for connect4"):
        make_player(f"alphabeta:eval=ntuple:{net}", make_game("connect4"))


def test_a_network_without_weights_plays_for_points(tmp_path):
    """All values 0: depth 1 takes the move that scores most."""
    write_file(tmp_path / "net", LAYOUT, {"open": 1}, {"table": np.zeros(LAYOUT.size, np.float32)})
    found = champion("depth=1", tmp_path / "net").analyse(GAME.parse("2 2 0 0/0 0 0 0/8 0 0 0/8 0 0 4"))
    assert found.best in ("up", "down")
    assert found.value - found.moves[-1].value == 12  # 16 for the 8s, 4 for the 2s


def test_it_refuses_a_game_for_two_though_that_has_a_network():
    assert "champion needs" in contienda("hint", "connect4", "44", "--player", "champion:depth=1").complaint
