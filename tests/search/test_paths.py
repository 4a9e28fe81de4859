"""Path searches: the 8-puzzle's optima are known, and a path through 2048 must replay as a game to its target."""

from __future__ import annotations

import contextvars
import random
import threading
from collections import Counter
from functools import cache
from statistics import mean

import numpy as np
import pytest
from drive import contienda
from twins.paths import GOAL, neighbours

from contienda import reference
from contienda.compiled.rng import generator, next_bits
from contienda.compiled.stopping import Stop
from contienda.core.analysis import new_tally
from contienda.core.evaluator import weights_record
from contienda.core.language import BadInput, use_language
from contienda.games import make_game
from contienda.games.g2048.board import ACTIONS, largest_rank, score
from contienda.match import Match
from contienda.players import make_player
from contienda.players.paths import PATH_SEARCHES, make_path_search
from contienda.problems import make_problem
from contienda.problems.g2048 import (
    ORDER,
    TWOS_AND_FOURS,
    TWOS_BY_BOARD,
    UC3M_ORDER,
    Problem2048,
    possible_merges,
    world_of,
)
from contienda.problems.puzzle8 import LONGEST
from contienda.record import load_game, path_as_game, save_game
from contienda.search import interpreted
from contienda.search.path.astar import build_astar
from contienda.search.path.backtracking import build_backtracking, fixed_plan
from contienda.search.path.branch_and_bound import build_branch_and_bound
from contienda.search.path.breadth_first import build_breadth_first
from contienda.search.path.hill_climbing import build_hill_climbing
from contienda.search.path.ida_star import build_ida_star
from contienda.search.path.look_ahead import build_look_ahead, build_plan
from contienda.search.path.nodes import FULL, new_nodes, path_to, pop, push

GAME = make_game("2048")

#: The boards of the 8-puzzle by the moves that they need, 0 to 31: Schofield 1967, OEIS A089473.
BOARDS_BY_MOVES = [
    1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529, 10878, 16993, 17110,
    23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2,
]  # fmt: skip
HARDEST = ["8 6 7/2 5 4/3 0 1", "6 4 7/8 5 0/3 2 1"]


def solve(spec, problem, stop=None):
    return make_path_search(spec, problem).solve(stop)


def puzzle(position):
    return make_problem("puzzle8", position)


def text(tiles):
    return "/".join(" ".join(map(str, tiles[i : i + 3])) for i in (0, 3, 6))


@cache
def known():
    return reference.distances(neighbours, GOAL)


@cache
def some_boards():
    """A board for every second number of moves, and a few more: (text, moves)."""
    shuffled = sorted(known())
    random.Random(8).shuffle(shuffled)
    by_moves = {}
    for tiles in shuffled:
        by_moves.setdefault(known()[tiles], tiles)
    chosen = [by_moves[moves] for moves in range(0, 31, 2)] + shuffled[:10]
    return [(text(tiles), known()[tiles]) for tiles in chosen] + [(board, LONGEST) for board in HARDEST]


# --- The 8-puzzle ----------------------------------------------------------------------------------------------------


def test_the_twin_knows_the_whole_puzzle():
    counts = Counter(known().values())
    assert [counts[moves] for moves in range(32)] == BOARDS_BY_MOVES
    assert {text(tiles) for tiles, moves in known().items() if moves == LONGEST} == set(HARDEST)


@pytest.mark.parametrize("spec", ["astar", "astar:h=misplaced", "ida-star", "breadth-first"])
def test_searches_that_claim_the_shortest_path_find_it(spec):
    for board, moves in some_boards():
        solution = solve(spec, puzzle(board))
        assert (solution.ended, solution.steps) == ("found", moves), (spec, board)
        assert solution.problem.format(solution.problem.end_of(solution.path)) == text(GOAL)


@pytest.mark.parametrize(
    "spec",
    [
        *("best-first", "branch-and-bound", "backtracking"),
        pytest.param("backtracking:eval=manhattan", marks=pytest.mark.slow),
    ],
)
def test_the_others_find_some_path(spec):
    for board, moves in some_boards():
        solution = solve(spec, puzzle(board))
        assert solution.found
        assert solution.steps >= moves
        assert solution.problem.format(solution.state) == text(GOAL)
        assert solution.steps > 5000 or solution.problem.end_of(solution.path) == solution.state
        assert spec != "branch-and-bound" or solution.steps <= LONGEST


def test_better_heuristics_make_fewer_states():
    states = [solve(spec, puzzle(HARDEST[0])).states for spec in ("breadth-first", "astar:h=misplaced", "astar")]
    assert states == sorted(states, reverse=True)
    assert states[0] > 10 * states[2]


def test_heuristics_of_the_puzzle_never_say_too_much():
    boards = random.Random(1).sample(sorted(known()), 500)
    for tiles in boards:
        problem = puzzle(text(tiles))
        for name in ("manhattan", "misplaced"):
            h = problem.heuristics[name].function
            here = h(problem.initial, 0, 0)
            assert here <= known()[tiles]
            for action in problem.legal_actions(problem.initial):  # consistent: a step changes it by 1 at most
                assert abs(h(problem.apply(problem.initial, action), 0, 0) - here) <= 1


def test_the_rules_of_the_puzzle_are_those_of_the_twin():
    for tiles in random.Random(2).sample(sorted(known()), 200):
        problem = puzzle(text(tiles))
        after = [problem.format(problem.apply(problem.initial, a)) for a in problem.legal_actions(problem.initial)]
        assert after == [text(other) for other in neighbours(tiles)]


def test_hill_climbing_ends_on_a_peak():
    solution = solve("hill-climbing", puzzle(HARDEST[0]))
    assert solution.ended == "exhausted"
    h = solution.problem.heuristics["manhattan"].function
    problem, peak = solution.problem, solution.state
    assert all(h(problem.apply(peak, a), 0, 0) >= h(peak, 0, 0) for a in problem.legal_actions(peak))
    assert solve("hill-climbing", puzzle("1 2 3/4 5 6/0 7 8")).found


def test_a_puzzle_drawn_by_a_seed_can_be_solved():
    starts = {make_problem("puzzle8", seed=seed).initial for seed in range(20)}
    assert len(starts) == 20
    for seed in range(5):
        problem = make_problem("puzzle8", seed=seed)
        tiles = tuple(int(tile) for tile in problem.format(problem.initial).replace("/", " ").split())
        assert solve("astar", problem).steps == known()[tiles]


# --- Compiled and interpreted, one source ----------------------------------------------------------------------------


def _nearness(state, weights):
    return -manhattan(state, 0, 0)


manhattan = puzzle(HARDEST[0]).heuristics["manhattan"].function


def _builds(problem, jit):
    rules, order = problem.rules, problem.order
    bound = problem.bounds["manhattan"]
    value_of = build_look_ahead(rules, order, 3, _nearness, jit=jit)
    yield build_astar(rules, order, manhattan, early=False, graph=True, jit=jit)
    yield build_branch_and_bound(rules, order, bound.function, graph=True, jit=jit)
    yield build_breadth_first(rules, order, graph=True, jit=jit)
    yield build_hill_climbing(rules, order, manhattan, jit=jit)
    yield build_ida_star(rules, fixed_plan(order, jit=jit), manhattan, graph=True, jit=jit)
    yield build_backtracking(rules, build_plan(order, 3, value_of, 2, jit=jit), graph=True, jit=jit)


def _nodes(problem):
    return new_nodes(problem.initial, 1, heap=True, table=True, line=True, aim=problem.aim)


def test_interpreted_searches_find_what_compiled_ones_find():
    problem = puzzle("1 2 3/7 4 6/0 5 8")
    specs = ["astar", "branch-and-bound", "breadth-first", "hill-climbing", "ida-star"]
    searches = list(_builds(problem, interpreted))
    for spec, search in zip(specs, searches, strict=False):
        nodes, tally = _nodes(problem), new_tally()
        node = search(problem.initial, weights_record({"quota": -LONGEST}), nodes, tally, ())
        compiled = solve(spec, problem)
        assert path_to(nodes, node) == compiled.path
        assert tally.nodes == compiled.states
    nodes, tally = _nodes(problem), new_tally()
    node = searches[-1](problem.initial, weights_record({}), nodes, tally, ())
    assert problem.reached(problem.end_of(path_to(nodes, node)))


def test_the_heap_gives_the_smallest_key_and_keeps_its_ties():
    keys = [random.Random(3).randrange(20) for _ in range(300)]
    for newest, sign in ((True, -1), (False, 1)):
        nodes = new_nodes(world_of(GAME.start(generator(0)), 0), 1, heap=True, newest=newest)
        assert all(push(nodes, node, float(key)) for node, key in enumerate(keys))
        out = [pop(nodes) for _ in keys]
        assert out == sorted(range(300), key=lambda node: (keys[node], sign * node))


# --- 2048: the world of a seed ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [-1, 2**63, 2**64 - 1, -(2**63), 10**25])
def test_any_integer_is_a_seed(seed):
    solution = solve("backtracking:nodes=300", Problem2048(2048, seed))
    assert solution.states == 300
    assert solution.path == solve("backtracking:nodes=300", Problem2048(2048, seed % 2**64)).path


# --- 2048: unicen's searches -----------------------------------------------------------------------------------------

TO_2048 = ["backtracking", "astar:h=unicen", "backtracking:eval=unicen-a,depth=4"]


def check_replays(solution, target, tmp_path):
    """A path is a game: every move legal by the rules of the game, every tile where luck may put one."""
    played = path_as_game(solution)
    state = played.start
    for action in played.actions:
        state = GAME.apply(state, action)
    assert state == played.state
    assert GAME.outcome(state) == {"score": score(solution.state), "max_tile": 1 << largest_rank(solution.state)}
    assert (played.ended == "target") == solution.found == (1 << largest_rank(state) >= target)
    assert played.moves == solution.steps
    save_game(played, tmp_path / "path.json")
    loaded = load_game(tmp_path / "path.json")
    assert (loaded.actions, loaded.state, loaded.ended) == (played.actions, played.state, played.ended)


@pytest.mark.parametrize("spec", [*TO_2048[:2], pytest.param(TO_2048[2], marks=pytest.mark.slow)])
def test_a_path_to_2048_replays_as_a_game(spec, tmp_path):
    for seed in (3, 4):
        solution = solve(spec, Problem2048(2048, seed))
        assert solution.found
        assert 900 < solution.steps < 2000
        assert solution.states < 1_000_000
        check_replays(solution, 2048, tmp_path)
    again = solve(spec, Problem2048(2048, 4))
    assert (again.path, again.states) == (solution.path, solution.states)
    assert solve(spec, Problem2048(2048, 5)).path != again.path


@pytest.mark.parametrize("spec", TO_2048[:2])
def test_8192_is_thousands_of_steps_away(spec, tmp_path):
    """No stack and no memory runs out; the path needs 8192 ÷ 2.2 moves at least, or nearly so."""
    solution = solve(spec, Problem2048(8192, 3))
    assert solution.found
    assert 3600 < solution.steps < 6000
    check_replays(solution, 8192, tmp_path)


def test_a_path_of_no_steps(tmp_path):
    """The board is the goal already, or lost."""
    for board, ended in (
        ("2048 2 0 0/0 0 0 0/0 0 0 0/0 0 0 0", "found"),
        ("2 4 2 4/4 2 4 2/2 4 2 4/4 2 4 2", "exhausted"),
    ):
        for spec in TO_2048[:2]:
            solution = solve(spec, Problem2048(2048, 1, GAME.parse(board)))
            assert (solution.ended, solution.states, solution.path) == (ended, 0, [])
            check_replays(solution, 2048, tmp_path)


def test_twos_alone_take_as_many_steps_as_unicen_published():
    """Ten pairs of each were published, all of 4,173 to 4,707 steps: more than 8192 ÷ 2, and more than with 4s."""
    steps = [solve("backtracking", make_problem("2048:tiles=twos", target=8192, seed=seed)).steps for seed in range(3)]
    assert min(steps) > 4096
    assert 4150 < mean(steps) < 4800


def test_backtracking_keeps_the_memory_of_one_path():
    """1 MB is far too little for all states, and enough for the path."""
    solution = solve("backtracking:memory=1", Problem2048(8192, 5))
    assert solution.found
    assert solve("astar:memory=1", Problem2048(8192, 5)).ended == "memory"


@pytest.mark.slow
def test_the_formula_as_it_is_stated_searches_too_wide():
    """With the true number of steps unicen's h goes back to old boards with room."""
    stated = solve("astar:h=unicen-formula,nodes=300000", Problem2048(2048, 0))
    assert stated.ended == "nodes"


def test_the_formula_as_it_is_stated_counts_the_steps():
    """Its program counts 1 for all."""
    problem = Problem2048(2048, 0)
    world = world_of(GAME.parse_scored("64 8 4 2/16 4 0 0/4 0 0 0/0 0 0 2", 380), 0)
    assert problem.heuristics["unicen-formula"].function(world, 40, 0) == -(380 / 40 + 40 * 8)
    assert problem.heuristics["unicen"].function(world, 40, 0) == -(380 + 8)


def test_the_fewest_moves_to_a_small_tile():
    """A*, IDA* and breadth-first search agree on 2048 too."""
    for seed in range(4):
        problem = Problem2048(16, seed)
        steps = [solve(spec, problem).steps for spec in ("breadth-first", "ida-star", "astar:h=moves")]
        assert len(set(steps)) == 1
        h = problem.heuristics["moves"]
        assert h.function(problem.initial, 0, h.weights) <= steps[0]


def test_branch_and_bound_prunes_a_good_board_and_mends_it():
    """The document's board: 1024 + 2^8 = 1280 < 2048; with its three possible merges the bound is 1024 + 2^11."""
    board = GAME.parse("1024 128 0 0/1024 256 0 0/128 2 0 0/2 2 0 0")
    problem = Problem2048(2048, 0, board)
    assert possible_merges(problem.initial) == 3
    assert problem.bounds["v1"].function(problem.initial, 0) == 1280 < problem.bounds["v1"].quota
    assert problem.bounds["v2"].function(problem.initial, 0) == 3072 >= problem.bounds["v2"].quota
    # One move before: the way to 2048 leads over boards with 8 empty cells, which v1 gives up and v2 does not.
    before = GAME.parse("1024 128 0 0/512 256 0 0/512 2 0 0/2 2 0 0")
    one, two = (solve(f"branch-and-bound:bound={bound}", Problem2048(2048, 0, before)) for bound in ("v1", "v2"))
    assert (one.ended, two.ended) == ("exhausted", "found")
    assert one.counters["cutoffs"] == one.states > 0
    # From the first board v1 gives up every path: between 1016 and 1022 the tiles are seven at least.
    assert solve("branch-and-bound:bound=v1", Problem2048(8192, 1)).ended == "exhausted"


def test_the_printed_bounds_reach_64_and_ours_8192():
    """Where the user meets them: the solution, the complaint after a vain search, and the list of solvers."""
    for bound in ("v1", "v2"):
        spec = f"branch-and-bound:bound={bound},memory=16"
        assert all(solve(spec, Problem2048(64, seed)).found for seed in range(3))
        assert not any(solve(spec, Problem2048(128, seed)).found for seed in range(3))
    vain = contienda("solve", "2048", "--seed", 1, "--player", "branch-and-bound:bound=v2,memory=16")
    assert vain.code == 0
    assert "bound=v1 and v2, as unicen printed them, reach 64 from a fresh board: bound=sum goes on to 8192" in vain.err
    spanish = contienda("solve", "2048", "--seed", 1, "--player", "branch-and-bound:bound=v1", "--lang", "es").err
    assert "llegan a 64 desde un tablero nuevo" in spanish
    listed = {each["name"]: each for each in contienda("list", "solvers", "--json").json["solvers"]}["branch-and-bound"]
    assert "reaches 64 from a fresh board" in listed["about"]
    assert listed["parameters"]["bound"]["default"].startswith("2048: sum")

    found = contienda("solve", "2048", "--seed", 7, "--target", 8192, "--player", "branch-and-bound", "--json").json
    assert (found["found"], found["states"], found["steps"]) == (True, 40_442, 3_509)


@pytest.mark.parametrize(
    ("target", "seeds"),
    [(2048, 2), (4096, 1), (8192, 1), *(pytest.param(1 << rank, 4, marks=pytest.mark.slow) for rank in (11, 12, 13))],
)
def test_branch_and_bound_reaches_the_documents_targets(target, seeds, tmp_path):
    for seed in range(seeds):
        solution = solve("branch-and-bound", Problem2048(target, seed))
        assert solution.found
        check_replays(solution, target, tmp_path)


@pytest.mark.slow
def test_branch_and_bound_reaches_8192_with_twos_alone():
    assert solve("branch-and-bound", make_problem("2048:tiles=twos", target=8192, seed=3)).found


def test_our_bound_is_admissible():
    """No board on a way to a tile has a bound below that tile, and a board without moves only what it has."""
    for seed in range(20):
        problem = Problem2048(256, seed)
        bound = problem.bounds["sum"].function
        solution = solve("backtracking", problem)
        world = problem.initial
        for number, action in enumerate(solution.path):
            assert bound(world, number) >= 1 << 17 >= problem.target
            _, world = problem.rules.result(world, action)
    lost = world_of(GAME.parse("2 4 2 4/4 2 4 2/2 4 2 4/4 2 4 256"), 0)
    assert Problem2048(512, 0).bounds["sum"].function(lost, 9) == 256
    board = world_of(GAME.parse("1024 128 0 0/1024 256 0 0/128 2 0 0/2 2 0 0"), 0)
    assert Problem2048(2048, 0).bounds["sum"].function(board, 9) == 1024 + 1024 + 128 + 128 + 256 + 6 + 131072


# --- 2048: unicen's listings, as printed -----------------------------------------------------------------------------


def test_siblings_cost_as_padre_g_plus_plus():
    """The children of a node whose g is 7 have 7, 8, 9 and 10; by steps all have 8."""
    problem = Problem2048(2048, 0)
    for siblings, expected in ((True, [0, 0, 1, 2, 3]), (False, [0, 1, 1, 1, 1])):
        h = problem.heuristics["unicen"].function
        search = build_astar(problem.rules, ORDER, h, early=True, graph=False, siblings=siblings, jit=interpreted)
        nodes, board = (
            new_nodes(problem.initial, 1, heap=True, aim=problem.aim),
            GAME.parse("0 0 0 0/0 2 4 0/0 8 2 0/0 0 0 0"),
        )
        search(world_of(board, 5), weights_record({}), nodes, new_tally(4), ())
        assert nodes.node[:5]["cost"].tolist() == expected
    steps, printed = (solve(f"astar:g={g}", Problem2048(2048, 3)) for g in ("steps", "siblings"))
    assert steps.found
    assert printed.found
    assert steps.path != printed.path


def test_the_formula_of_the_text_has_no_minus():
    world = world_of(GAME.parse_scored("64 8 4 2/16 4 0 0/4 0 0 0/0 0 0 2", 380), 0)
    assert Problem2048(2048, 0).heuristics["unicen-text"].function(world, 40, 0) == 380 / 40 + 40 * 8


@pytest.mark.slow
def test_the_formula_of_the_text_prefers_few_points_and_full_boards():
    vain = contienda("solve", "2048", "--seed", 0, "--player", "astar:h=unicen-text,nodes=100000", "--json").json
    assert not vain["found"]
    assert vain["max_tile"] <= 64


def test_the_printed_horizon_is_worth_less_than_a_dead_end():
    """−12340 at the depth limit, −10000 at a dead end: every line of full length loses 12340, the others nothing."""
    plain, printed = (player(f"backtracking:depth=2,horizon={horizon}") for horizon in ("0", "printed"))
    for text in BOARDS[:2]:
        board = GAME.parse(text)
        one, two = ({move.move: move.value for move in each.analyse(board, seed=1).moves} for each in (plain, printed))
        assert one.keys() == two.keys()
        assert {two[move] - one[move] for move in one} <= {-12340.0, 0.0}
        assert any(two[move] - one[move] == -12340.0 for move in one)


@pytest.mark.slow
def test_a_solver_with_the_printed_horizon():
    solution = solve("backtracking:horizon=printed", Problem2048(256, 0))
    assert solution.found


# --- 2048: players that look some moves ahead ------------------------------------------------------------------------

BOARDS = ["2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 0", "64 8 4 2/16 4 0 0/4 0 0 0/0 0 0 2", "2 4 2 4/4 2 4 2/2 4 2 4/4 2 4 4"]


@cache
def player(spec):
    return make_player(spec, GAME)


@pytest.mark.parametrize(
    "h",
    [
        "uc3m-score",
        *(pytest.param(h, marks=pytest.mark.slow) for h in ("uc3m-empty", "uc3m-score-v2", "uc3m-empty-v2")),
    ],
)
def test_uc3m_astar_is_its_definition(h):
    function = Problem2048().heuristics[h].function
    for board in BOARDS[:2]:
        state = GAME.parse_scored(board, 380)
        world = world_of(state, int(next_bits(generator(0, stream=1))))
        expected = reference.astar_to_depth(TWOS_BY_BOARD, UC3M_ORDER, lambda s: function(s, 0, 0), world, 4)
        analysis = player(f"astar:h={h},depth=4").analyse(state)
        assert analysis.best == ACTIONS[expected]
        assert {move.move for move in analysis.moves} == {ACTIONS[a] for a in GAME.legal_actions(state)}
        assert analysis.value == max(move.value for move in analysis.moves)


def test_uc3m_astar_has_a_closed_list():
    """Two orders of the same moves lead to the same board: it is valued, and gone on from, once."""
    astar, board = player("astar:h=uc3m-score,depth=4"), GAME.parse("2 0 0 0/0 0 0 0/0 0 2 0/0 0 0 0")
    for _ in range(2):  # a list is emptied before the next search
        counters = astar.analyse(board).counters
        assert counters.hits > 0
        assert counters.evaluations == counters.nodes - counters.hits


def test_heuristics_of_uc3m_to_the_digit():
    problem = Problem2048()
    world = world_of(GAME.parse_scored("64 8 4 2/16 4 0 0/4 0 0 0/0 0 0 2", 1452), 0)
    values = {name: problem.heuristics[name].function(world, 7, 0) for name in problem.heuristics if "uc3m" in name}
    assert values == {"uc3m-score": 1452, "uc3m-empty": 8, "uc3m-score-v2": 18548, "uc3m-empty-v2": 8}


def test_look_ahead_is_its_definition():
    from contienda.games.g2048.terms import corners, room_largest

    def unicen_a(world):
        return score(world) + room_largest(world) + corners(world)

    last_resort = ORDER[-1]
    for board in BOARDS:
        state = GAME.parse_scored(board, 380)
        world = world_of(state, int(next_bits(generator(0, stream=1))))
        analysis = player("backtracking:eval=unicen-a,depth=3").analyse(state)
        expected = reference.look_ahead(TWOS_AND_FOURS, ORDER, last_resort, unicen_a, world, 3)
        assert analysis.value == pytest.approx(expected)
        assert all(move.value == -10000 for move in analysis.moves if move.move == "right")
    # Only the last resort is possible: then it is made.
    assert player("backtracking:eval=unicen-a,depth=3").analyse(GAME.parse("2 0 0 0/4 0 0 0/2 0 0 0/4 0 0 0")).best == (
        "right"
    )


@pytest.mark.slow
def test_uc3m_astar_plays_badly_and_its_second_version_better():
    """Fifteen games each, mean points; measured once: about 1,000, 1,300 and 5,000."""
    specs = ("astar:h=uc3m-score,depth=5", "astar:h=uc3m-empty,depth=5", "astar:h=uc3m-score-v2,depth=10")
    matches = [Match(GAME, [player(spec)], 2048) for spec in specs]
    means = [mean(score(match.play(seed).state) for seed in range(15)) for match in matches]
    assert max(means[:2]) < 2500, means
    assert means[2] > 2 * max(means[:2]), means


@pytest.mark.slow
def test_path_players_play_the_same_game_for_the_same_seed():
    for spec in ("astar:h=uc3m-score-v2,depth=5,spawn=all", "backtracking"):
        match = Match(GAME, [player(spec)], 2048)
        one, again = match.play(3), match.play(3)
        assert one.actions == again.actions
        assert one.nodes == again.nodes > one.moves > 50
    assert score(match.play(3).state) > 5000


@pytest.mark.slow
def test_a_player_without_room_or_time_still_moves():
    state = GAME.parse(BOARDS[0])
    for spec in ("astar:h=uc3m-empty-v2,depth=40,memory=1", "astar:h=uc3m-empty-v2,depth=40,nodes=50"):
        analysis = player(spec).analyse(state)
        assert analysis.best in {"down", "left"}
        assert analysis.counters.depth < 40
    assert analysis.counters.nodes == 50


def test_solving_by_playing():
    solution = solve("astar:h=uc3m-score,depth=5", Problem2048(64, 2))
    assert solution.found
    assert solution.states > solution.steps > 20
    lost = solve("astar:h=uc3m-score,depth=5", Problem2048(131072, 2))
    assert lost.ended == "lost"
    assert lost.problem.legal_actions(lost.state) == []
    assert lost.path[:20] == solution.path[:20]
    assert solve("astar:h=uc3m-score,depth=5,nodes=100", Problem2048(64, 2)).ended == "nodes"


# --- Limits ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["breadth-first", "astar:h=unicen", "backtracking"])
def test_a_limit_of_states_reports_what_was_reached(spec, tmp_path):
    solution = solve(f"{spec},nodes=500" if ":" in spec else f"{spec}:nodes=500", Problem2048(2048, 1))
    assert (solution.ended, solution.states, solution.found) == ("nodes", 500, False)
    assert 0 < solution.steps < 500
    check_replays(solution, 2048, tmp_path)
    data = solution.as_data()
    assert data["max_tile"] == 1 << largest_rank(solution.state) < 2048
    assert len(data["path"]) == data["steps"] == solution.steps


def test_a_limit_of_time_and_a_stop_from_outside():
    assert solve("breadth-first:ms=40", Problem2048(2048, 1)).ended == "ms"
    stop = Stop()
    solver = make_path_search("breadth-first:memory=4000", Problem2048(2048, 1))
    solver.solve(_stopped())  # compiled
    threading.Timer(0.1, stop.stop).start()
    solution = solver.solve(stop)
    assert solution.ended == "stopped"


def _stopped():
    stop = Stop()
    stop.stop()
    return stop


def test_memory_is_bounded_and_says_so():
    solution = solve("breadth-first:memory=2", Problem2048(2048, 1))
    assert solution.ended == "memory"
    assert solution.states * 72 < 2.2 * 2**20
    for language, word in (
        ("en", "its memory is full: set memory=MB"),
        ("es", "su memoria está llena: indica memory=MB"),
    ):

        def message(language=language):
            use_language(language)
            return solution.message

        assert word in contextvars.copy_context().run(message)
    nodes = _nodes(puzzle(HARDEST[0]))
    assert sum(array.nbytes for array in nodes[:-1]) <= 2**20
    search = next(_builds(puzzle(HARDEST[0]), interpreted))
    assert nodes.node.shape[0] < len(nodes.table)
    tiny = nodes._replace(node=nodes.node[:50], heap=nodes.heap[:50])
    assert search(puzzle(HARDEST[0]).initial, weights_record({}), tiny, new_tally(), ()) == FULL


# --- Heuristics of one's own -----------------------------------------------------------------------------------------


def test_a_heuristic_of_ones_own(tmp_path):
    (tmp_path / "mine.py").write_text(
        "from contienda import evaluator\n"
        "from contienda.games.g2048.helpers import empty, score\n"
        "@evaluator(weights={'room': 1.0})\n"
        "def points(board, weights):\n"
        "    return -(score(board) + weights.room * empty(board))\n"
        "def away(puzzle, weights):\n"
        "    return 0 if puzzle.cells == 0x087654321 else 1\n"
    )
    mine = solve(f"astar:h={tmp_path}/mine.py:points", Problem2048(2048, 2))
    assert mine.path == solve("astar:h=unicen", Problem2048(2048, 2)).path
    assert solve(f"best-first:h={tmp_path}/mine.py:away", puzzle("1 2 3/4 5 6/0 7 8")).found
    with pytest.raises(BadInput, match="has no weight 'rooms'"):
        make_path_search(f"astar:h={tmp_path}/mine.py:points,rooms=2", Problem2048(2048, 2))


# --- Bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("problem", "spec", "english", "spanish"),
    [
        ("2048", "nobody", "no solver 'nobody': there are backtracking, astar", "no hay buscador 'nobody'"),
        ("2048", "astar:h=best", "no heuristic 'best' for 2048: there are unicen", "no hay heurística 'best'"),
        ("puzzle8", "astar:h=unicen", "no heuristic 'unicen' for puzzle8: there are manhattan", "hay manhattan"),
        ("2048", "astar:ms=0", "ms=0 must be more than 0", "ms=0 debe ser mayor que 0"),
        ("2048", "astar:nodes=0", "nodes=0 must be at least 1", "nodes=0 debe ser al menos 1"),
        ("2048", "astar:memory=0", "memory=0 must be at least 1 MB", "memory=0 debe ser al menos 1 MB"),
        ("2048", "astar:memory=99999999", "this machine has", "esta máquina tiene"),
        ("2048", "astar:depth=101", "depth=101 is out of range", "depth=101 está fuera de rango"),
        (
            "2048",
            "astar:foo=1",
            "has no weight 'foo': it has none; astar takes h, g, depth",
            "astar admite h, g, depth",
        ),
        ("2048", "astar:spawn=all", "spawn=all is for astar with depth", "spawn=all es para astar con depth"),
        ("2048", "astar:depth=3,spawn=some", "spawn=some: there are one, all", "spawn=some: hay one, all"),
        ("puzzle8", "astar:depth=3", "depth is for problems of a game", "depth es para problemas de un juego"),
        ("2048", "backtracking:depth=0", "depth=0 is out of range", "depth=0 está fuera de rango"),
        ("2048", "backtracking:foo=1", "no parameter 'foo': it has eval, depth", "no tiene el parámetro 'foo'"),
        ("2048", "backtracking:eval=uja", "no evaluator 'uja' for 2048", "no hay evaluador 'uja' para 2048"),
        ("2048", "backtracking:eval=unicen-a,x=1", "has no weight 'x'", "no tiene el peso 'x'"),
        ("2048", "branch-and-bound:bound=v3", "bound=v3: there are sum, v2, v1", "bound=v3: hay sum, v2, v1"),
        ("2048", "astar:g=cousins", "g=cousins: there are steps, siblings", "g=cousins: hay steps, siblings"),
        ("2048", "astar:depth=3,g=siblings", "g=siblings is for astar without depth", "es para astar sin depth"),
        ("2048", "backtracking:horizon=1", "horizon=1: there are 0, printed", "horizon=1: hay 0, printed"),
        ("2048", "breadth-first:h=zero", "breadth-first has no parameter 'h'", "no tiene el parámetro 'h'"),
        ("2048:tiles=threes", "astar", "2048 has no tiles=threes", "2048 no tiene tiles=threes"),
        (
            "2048:rows=3",
            "astar",
            "rows=3: paths are searched on the 4 × 4 board only",
            "rows=3: los caminos se buscan solo",
        ),
        ("2048:size=5", "astar", "2048 has no size=5", "2048 no tiene size=5"),
        ("puzzle8:rows=5", "astar", "puzzle8 has no parameter 'rows'", "puzzle8 no tiene el parámetro 'rows'"),
        ("connect4", "astar", "no problem 'connect4' to solve", "no hay problema 'connect4'"),
    ],
)
def test_what_cannot_be_right(problem, spec, english, spanish):
    for language, words in (("en", english), ("es", spanish)):

        def refused(language=language):
            use_language(language)
            with pytest.raises(BadInput) as error:
                make_path_search(spec, make_problem(problem))
            return str(error.value)

        message = contextvars.copy_context().run(refused)
        assert words in message
        assert "\n" not in message


def test_players_of_another_game_are_refused():
    for spec in ("astar", "backtracking"):
        with pytest.raises(BadInput, match=f"{spec} needs a game with path searches; connect4 is not one"):
            make_player(spec, make_game("connect4"))


def test_every_solver_is_made_by_its_name_alone():
    for name, info in PATH_SEARCHES.items():
        for problem in ("2048", "puzzle8"):
            assert make_path_search(name, make_problem(problem)).spec == name == info.name
        assert info.about.into("en") != info.about.into("es")


# --- The command line ------------------------------------------------------------------------------------------------


def test_solve_from_the_command_line(tmp_path):
    saved = tmp_path / "path.json"
    arguments = ["solve", "2048", "--player", "backtracking", "--target", "2048", "--seed", "5", "--json"]
    data = contienda(*arguments, "--save", saved).json
    assert data["game"] == "2048"
    assert (data["player"], data["target"], data["seed"], data["found"]) == ("backtracking", 2048, 5, True)
    assert data["max_tile"] == 2048
    assert data["steps"] == len(data["path"]) < data["states"]
    assert data["seconds"] > 0
    assert load_game(saved).moves == data["steps"]
    assert contienda("check", saved).code == 0
    again = contienda(*arguments).json
    assert again["path"] == data["path"]


def test_a_target_that_is_not_reached_is_reported():
    ran = contienda(
        "solve", "2048", "--player", "backtracking:nodes=500", "--target", "131072", "--seed", "1", "--json"
    )
    assert (ran.json["found"], ran.json["states"], ran.json["ended"]) == (False, 500, "nodes")
    assert ran.json["max_tile"] >= 32
    assert "stopped at the limit of states" in ran.err
    spanish = contienda("solve", "2048", "--player", "backtracking:nodes=500", "--seed", "1", "--lang", "es")
    assert "no se encuentra" in spanish.out
    assert "parado en el límite de estados" in spanish.err


def test_the_puzzle_from_the_command_line():
    data = contienda("solve", "puzzle8", HARDEST[1], "--json").json
    assert (data["found"], data["steps"], data["target"], data["seed"]) == (True, 31, None, None)
    shown = contienda("solve", "puzzle8", HARDEST[1], "--player", "ida-star")
    assert "31 steps" in shown.out
    assert "cannot be saved as a game" in contienda("solve", "puzzle8", "--save", "x.json").complaint


def test_what_the_command_line_refuses():
    assert "a tile such as 2048" in contienda("solve", "2048", "--target", "none").complaint
    assert "is not a tile" in contienda("solve", "2048", "--target", "3000").complaint
    assert "hay 2048, puzzle8" in contienda("solve", "chess", "--lang", "es").complaint


def test_uc3m_calls_its_astar(tmp_path):
    data = contienda("uc3m", 1, 0, 5, "--seed", "3", "--stats", tmp_path / "stats.txt", "--json").json
    assert data["player"] == "astar:h=uc3m-score,depth=5"
    assert "mean_ms" in (tmp_path / "stats.txt").read_text()


def test_the_list_shows_the_solvers():
    listed = contienda("list", "solvers", "--json").json["solvers"]
    assert [entry["name"] for entry in listed] == list(PATH_SEARCHES)
    assert {"h", "depth", "memory"} <= set(listed[1]["parameters"])
    assert "retrocede" in contienda("list", "solvers", "--lang", "es").out


def test_nodes_are_not_counted_in_floats():
    """Counters of a solution are plain integers, fit for JSON."""
    solution = solve("astar", puzzle(HARDEST[0]))
    assert all(type(value) is int for value in [solution.states, *solution.counters.values(), *solution.path])
    assert not isinstance(solution.seconds, np.generic)
