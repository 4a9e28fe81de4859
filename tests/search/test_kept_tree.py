"""A tree that is kept from move to move gives the moves of one that is built anew, for less work."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from drive import contienda, process

from contienda.compiled.jit import njit
from contienda.compiled.rng import generator
from contienda.compiled.rows import rows
from contienda.core.game import MAX, MIN, Game, Rules
from contienda.core.language import BadInput, Text
from contienda.games import make_game
from contienda.games.tree import Tree
from contienda.match import Match
from contienda.players import make_player
from contienda.search.kept_tree import new_kept_tree
from contienda.search.tree_to_leaves import NODE


@pytest.mark.parametrize(
    ("name", "depth"),
    [
        pytest.param("connect4", 4, marks=pytest.mark.slow),
        pytest.param("connect4:rows=4,columns=5", 5, marks=pytest.mark.slow),
        ("tictactoe", 5),
        ("tictactoe", 3),  # by the code of the one before
    ],
)
def test_the_same_games_as_without(name, depth):
    game = make_game(name)
    anew, kept = make_player(f"minimax:depth={depth}", game), make_player(f"minimax:depth={depth},reuse=on", game)
    opponent = make_player("random", game)
    one, two = (Match(game, [player, opponent]) for player in (anew, kept))
    for seed in range(5):
        without, with_tree = (match.play(seed) for match in (one, two))
        assert with_tree.actions == without.actions
        assert with_tree.nodes < without.nodes
        opponent_begins = game.start(generator(seed))._replace(turn=MIN)
        without, with_tree = (match.play(seed, start=opponent_begins) for match in (one, two))
        assert with_tree.actions == without.actions


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
    values = {game.action_name(state, a): v for a, v in enumerate(seat.values) if not np.isnan(v)}
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
        game.action_name(state, a): v for a, v in enumerate(seat.values) if not np.isnan(v)
    }


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("max[min[1 2 3 4 5 6 7 8 9]]", marks=pytest.mark.slow),
        f"min[max[3 1 4] max[min[max[1 2 3 4 5 6 7 8 9 10 11 12]] 3] 5 min[{' '.join(map(str, range(63)))}]]",
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
    tree = new_kept_tree(state, 1, 3, 1)
    tree.length = 2 * 100  # room for a hundred of 4,034 nodes
    monkeypatch.setattr("contienda.players.kept_trees.new_kept_tree", lambda *asked: tree)
    seat = player.seat(0)
    assert game.action_name(state, player.choose(state, seat)) == "1"
    assert tree.count == 0
    tree.length = 300
    assert not any(node.level for node in rows(tree)[200:])  # nothing was written after the room's end
    assert seat.values[0] == make_player("minimax", game).analyse(state).value


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
    title = Text("Coins", es="Monedas")
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
    state, seat = game.parse(""), kept.seat(0)
    while state.coins:
        best = game.action_number(state, plain.analyse(state).best)
        if state.turn == MAX:
            assert kept.choose(state, seat) == best
        state = game.apply(state, best)
    assert chosen("minimax:depth=9,reuse=on", game, Four(6, MIN, 0, 0))[0] == "2"


# --- uja's agent: grown anew only at the leaves -----------------------------------------------------------------------


#: A game and an evaluator by which these players are compiled once for all tests.
SMALL, UJA = "connect4:rows=4,columns=5,connect=3", "eval=uja,ends=heuristic"


class NaiveLeaves:
    """The document's agent in plain Python: nodes with children, a root that follows the game."""

    def __init__(self, game: Game, depth: int, evaluate, *, cutoffs: bool) -> None:
        self.rules, self.depth, self.evaluate, self.cutoffs = game.rules, depth, evaluate, cutoffs
        self.root = None
        self.grown = 0

    def grow(self, state, depth, alpha=-np.inf, beta=np.inf):
        node = {"state": state, "children": {}}
        if depth == 0 or self.rules.over(state):
            node["value"] = self.evaluate(state)
            return node
        maximising = self.rules.turn(state) == MAX
        best = -np.inf if maximising else np.inf
        for action in range(7):
            if not (self.rules.candidates(state) >> action) & 1:
                continue
            child = node["children"][action] = self.grow(self.rules.successor(state, action)[1], depth - 1, alpha, beta)
            best = max(best, child["value"]) if maximising else min(best, child["value"])
            alpha, beta = (max(alpha, best), beta) if maximising else (alpha, min(beta, best))
            if self.cutoffs and alpha >= beta:
                break
        node["value"] = best
        return node

    def choose(self, state) -> int:
        replies = {} if self.root is None else self.root["children"]
        root = next((child for child in replies.values() if child["state"] == state), None)
        if root is None or not root["children"]:
            root = self.grow(state, self.depth)
            self.grown += 1
        action = next(a for a, child in root["children"].items() if child["value"] == root["value"])
        self.root = root["children"][action]
        return action


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
def test_uja_s_agent_is_the_documents(algorithm):
    """Move for move a naive twin, in games against random; and it grows its tree every second or third turn only."""
    game = make_game(SMALL)
    player = make_player(f"{algorithm}:depth=4,{UJA},reuse=leaves", game)
    evaluate = make_player("minimax:depth=1,eval=uja", game).evaluator
    for seed in range(6):
        naive = NaiveLeaves(
            game, 4, lambda state: evaluate.evaluate(state, evaluate.weights), cutoffs=algorithm == "alphabeta"
        )
        seat, luck, state = player.seat(0), np.random.default_rng(seed), game.parse("")
        turns = grown = 0
        while not game.rules.over(state):
            seen = game.rules.seen_by_mover(state)
            action = player.choose(state, seat)
            assert action == naive.choose(seen)
            turns += 1
            grown += int(seat.tally.nodes) > 0
            assert int(seat.tally.depth) == (4 if seat.tally.nodes else 2)  # the horizon shrinks in between
            state = game.apply(state, action)
            if not game.rules.over(state):
                state = game.apply(state, int(luck.choice(game.legal_actions(state))))
        assert grown == naive.grown
        assert grown < turns or turns == 1


@pytest.mark.slow
def test_what_uja_s_agent_costs_beside_the_full_depth():
    """The table of its page, 4 levels, ten games against random play: 27,045 nodes in 73 moves, 52,611 in 72."""
    costs = []
    for more in (",reuse=leaves,ends=heuristic", ""):
        order = ("--player", "random", "--opponent", f"alphabeta:depth=4,eval=uja{more}", "--games", 10, "--seed", 0)
        games = contienda("play", "connect4", *order, "--json").json["games"]
        costs.append((sum(game["nodes"] for game in games), sum(game["moves"] // 2 for game in games)))
    assert costs == [(27_045, 73), (52_611, 72)]


def test_right_after_growing_it_plays_what_the_plain_search_plays():
    game = make_game(SMALL)
    for algorithm in ("minimax", "alphabeta"):
        plain = make_player(f"{algorithm}:depth=4,{UJA}", game)
        kept = make_player(f"{algorithm}:depth=4,{UJA},reuse=leaves", game)
        for text in ("", "44", "4453", "1133"):
            state = game.parse(text)
            seat = kept.seat(0)
            assert game.action_name(state, kept.choose(state, seat)) == plain.analyse(state).best
            assert kept.analyse(state).moves == plain.analyse(state).moves


def test_a_finished_game_is_worth_what_the_heuristic_says():
    """The fourth stone of a row is worth 10^4 and no more: by the rules a win is worth a thousand million."""
    game = make_game("connect4")
    state = game.parse("112233")
    by_rules, by_heuristic = (
        make_player(f"minimax:depth=1,eval=uja,ends={ends}", game).analyse(state).moves
        for ends in ("rules", "heuristic")
    )
    assert by_rules[0].move == by_heuristic[0].move == "4"
    assert by_rules[0].value > 1e8
    won = game.rules.seen_by_mover(game.apply(state, 3))
    uja = make_player("minimax:eval=uja", game).evaluator
    assert by_heuristic[0].value == -uja.evaluate(won, uja.weights) == 9970


def test_a_second_process_plays_by_the_code_that_the_first_kept():
    """The depth was once a literal in a function that recurses: the code that was kept of it crashed."""
    player = f"alphabeta:depth=3,{UJA},reuse=leaves"
    order = ("play", SMALL, "--player", player, "--opponent", "random", "--seed", 1, "--games", 1)
    assert contienda(*order).code == 0
    assert process(*order).code == 0


def test_a_node_keeps_its_move_and_no_board():
    assert NODE.itemsize == 16


def test_a_leafy_tree_without_room_is_searched_by_the_plain_search():
    game = make_game(SMALL)
    kept = make_player(f"minimax:depth=10,{UJA},reuse=leaves,memory=1", game)
    plain = make_player(f"minimax:depth=10,{UJA}", game)
    state = game.parse("44")
    assert plain.analyse(state).counters.nodes * NODE.itemsize > 1 << 20
    assert game.action_name(state, kept.choose(state, kept.seat(0))) == plain.analyse(state).best


@pytest.mark.slow
def test_the_whole_tree_of_a_small_board_is_built_once():
    """4 × 4: 131,060,747 nodes in 2 GB, and then the game is walked; with cut-offs 71,539 at the first move."""
    game = make_game("connect4:rows=4,columns=4")
    player = make_player("minimax:depth=16,eval=uja,reuse=leaves,ends=heuristic,memory=2100", game)
    played = Match(game, [player, make_player("random", game)]).play(1)
    assert played.nodes == 131_060_747


@pytest.mark.parametrize(
    ("game", "spec", "told"),
    [
        ("2048", "alphabeta:reuse=leaves", "reuse=leaves is for games without chance"),
        ("connect4", "alphabeta:ms=10,reuse=leaves", "reuse=leaves takes a depth"),
        ("connect4", "alphabeta:reuse=on", "reuse=on: there are off, leaves"),
        ("connect4", "alphabeta:table=on,reuse=leaves", "reuse=leaves does not work with table"),
        ("connect4", "minimax:ends=never", "ends=never: there are rules, heuristic"),
    ],
)
def test_what_uja_s_agent_cannot_be(game, spec, told):
    complaint = contienda("hint", game, "2 2 0 0/0 0 0 0/0 0 0 0/0 0 0 0" if game == "2048" else "44", "--player", spec)
    assert told in complaint.complaint
