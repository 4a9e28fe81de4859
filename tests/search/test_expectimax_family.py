"""Table, folding, cut-offs, threads: each may change the cost of expectimax; what may change its value says so."""

from __future__ import annotations

import threading
from functools import cache

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from twins import g2048 as twin
from twins.boards import any_grids, board_of, face, grids
from twins.trees import grown, numbers, written

from contienda.compiled.jit import njit
from contienda.compiled.stopping import Stop
from contienda.core.analysis import new_tally
from contienda.core.game import CHANCE, Rules
from contienda.core.language import BadInput
from contienda.evaluation.catalogue import evaluators_of
from contienda.evaluation.compiled import compile_evaluator
from contienda.games import make_game
from contienda.games.g2048.moves import best_move_by_lines
from contienda.games.g2048.shortcuts import auto_depth, fold, mirror, without_points
from contienda.games.tree import Node, Tree
from contienda.match import Match
from contienda.players import make_player
from contienda.search import hooks, interpreted
from contienda.search.expectimax_plus import build_expectimax_plus
from contienda.search.expectiminimax import build_expectiminimax
from contienda.search.hooks import ENTER, LEAVE, RECORDING, SILENT, events, new_log
from contienda.search.star import build_star, new_probes
from contienda.search.steps import Memory, Run
from contienda.search.transposition import new_table

GAME = make_game("2048")
LATE = "0 2 0 8/0 2 16 4/4 16 32 128/8 32 512 1024"
#: Two levels from the end, whatever luck brings.
DOOMED = [[2, 2, 8, 16], [32, 64, 128, 256], [512, 2, 4, 8], [16, 32, 64, 128]]

full = st.lists(st.lists(st.integers(1, 11).map(face), min_size=4, max_size=4), min_size=4, max_size=4)
playable = st.one_of(any_grids, full).filter(lambda grid: not twin.lost(grid))
crowded = grids(6, 1).filter(lambda grid: len(twin.empty_cells(grid)) <= 4 and not twin.lost(grid))


@cache
def player(spec):
    return make_player(spec, GAME)


def values(analysis):
    return {move.move: move.value for move in analysis.moves}


class Direct:
    """The search inside a player, with a memory of its own, called on a board at any depth."""

    def __init__(self, spec):
        search = player(spec).search
        self.value = search.build()
        self.weights, self.memory = search.evaluator.weights, search.memory()

    def __call__(self, board, depth, log=()):
        tally = new_tally()
        value = self.value(board, depth, -np.inf, np.inf, Run(self.weights, tally, log, self.memory))
        return value, int(tally.nodes), int(tally.evaluations)


#: nneonneo with everything: the search that is measured beside its namesake.
CUT = "expectimax:cprob=0.001,table=on,memory=1"

# --- The table -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("evaluator", ["nneonneo", pytest.param("combined", marks=pytest.mark.slow)])
def test_with_a_table_the_value_is_the_same_to_the_bit(evaluator):
    """And so it is with one that remembers other boards, as this one does from example to example."""
    plain, table = Direct(f"expectimax:eval={evaluator}"), Direct(f"expectimax:eval={evaluator},table=on,memory=1")

    @settings(max_examples=40)
    @given(playable, st.integers(0, 30_000), st.integers(0, 5))
    @example(DOOMED, 500, 5)
    def check(grid, points, depth):
        if len(twin.empty_cells(grid)) > 6:
            depth = min(depth, 3)
        board = board_of(grid, points)
        all_of_it, remembered = plain(board, depth), table(board, depth)
        assert remembered[0] == all_of_it[0]
        assert remembered[1] <= all_of_it[1]

    check()


def test_the_table_saves_most_of_the_nodes_of_a_late_board():
    board = GAME.parse("2 0 0 2/4 4 0 0/8 8 4 0/4096 512 64 0")
    plain, found = (player(f"expectimax:depth=7{more}").analyse(board) for more in ("", ",table=on"))
    assert (values(found), found.best) == (values(plain), plain.best)
    assert found.counters.hits > 100
    assert 7 * found.counters.nodes < plain.counters.nodes
    # At an even depth the last level is a chance node's leaves: its average is kept as well.
    plain, found = (player(f"expectimax:depth=4{more}").analyse(board) for more in ("", ",table=on"))
    assert (values(found), found.best) == (values(plain), plain.best)
    assert 2 * found.counters.nodes < plain.counters.nodes


def test_deepening_gives_the_values_of_the_depth_it_reached():
    board = GAME.parse(LATE)
    found = player("expectimax:nodes=30000,table=on").analyse(board)
    assert found.counters.depth == 6
    assert values(found) == values(player("expectimax:depth=6").analyse(board))


# --- The best of four moves without a loop ---------------------------------------------------------------------------


@given(st.one_of(any_grids, grids(15, 0), full))
def test_the_quick_best_move_is_what_rules_and_evaluator_say(grid):
    evaluator = compile_evaluator("nneonneo", GAME, {})
    board = board_of(grid)
    after = [GAME.rules.successor(board, action) for action in range(4)]
    worth = [evaluator.evaluate(state, evaluator.weights) for legal, state in after if legal]
    moves, best = best_move_by_lines(board, evaluator.weights)
    assert moves == len(worth)
    assert best == max(worth) if worth else best < -1e30


@pytest.mark.parametrize("spec", ["expectimax", "expectimax:eval=uc3m-score", "minimax:eval=uc3m-score"])
def test_a_search_that_values_all_moves_at_once_counts_and_finds_what_the_loop_does(spec):
    """The interpreter takes the loop, leaf by leaf; so does a trace. ``uc3m-score`` has no value for a lost board."""
    search = player(spec).search
    assert search.build.args[1].best_move is not None
    at_once, loop, weights = search.build(), search.build(jit=interpreted), search.evaluator.weights

    def found(value, board, depth, budget):
        tally = new_tally(budget)
        worth = value(board, depth, -np.inf, np.inf, Run(weights, tally))
        return worth, int(tally.nodes), int(tally.evaluations)

    @settings(max_examples=10)
    @given(st.one_of(crowded, grids(17, 9).filter(lambda grid: len(twin.empty_cells(grid)) <= 3)), st.integers(1, 200))
    @example(DOOMED, 1000)
    @example([[32768, 32768, 2, 4], [65536, 8, 0, 16], [4, 8, 16, 32], [8, 16, 32, 64]], 1000)
    def check(grid, budget):
        board = board_of(grid)
        assert found(at_once, board, 3, budget) == found(loop, board, 3, budget)

    check()


@pytest.mark.slow
def test_quick_or_not_the_search_is_the_same():
    own = compile_evaluator("nneonneo", GAME, {})
    slow = build_expectimax_plus(
        GAME.rules, own.evaluate, floor=own.floor, table=True, cprob=0.001, same=without_points
    )
    quick, table = Direct(CUT), new_table(1)

    @settings(max_examples=20)
    @given(crowded, st.integers(1, 6))
    @example(DOOMED, 5)
    def check(grid, depth):
        tally = new_tally()
        v = slow(board_of(grid), depth, -np.inf, np.inf, Run(own.weights, tally, (), Memory(table)))
        assert (v, tally.nodes, tally.evaluations) == quick(board_of(grid), depth)

    check()


# --- Symmetric boards ------------------------------------------------------------------------------------------------


@given(any_grids, st.integers(0, 1000))
def test_the_eight_images_of_a_board_fold_into_one_of_them(grid, points):
    images = [board_of(image, points) for image in twin.symmetries(grid)]
    assert len({fold(image) for image in images}) == 1
    assert fold(images[0])[:2] in {image[:2] for image in images}
    assert mirror(mirror(images[0].cells)) == images[0].cells


def test_folded_the_value_is_the_same_but_for_rounding():
    plain, folded = Direct("expectimax"), Direct("expectimax:table=on,fold=on,memory=1")

    @settings(max_examples=30)
    @given(crowded, st.integers(1, 5))
    def check(grid, depth):
        board = board_of(grid)
        assert folded(board, depth)[0] == pytest.approx(plain(board, depth)[0], rel=1e-6, abs=1)

    check()


def test_folding_saves_nodes_on_a_board_that_is_its_own_image():
    board = GAME.parse("4 2 2 4/0 0 0 0/0 0 0 0/0 0 0 0")
    remembered, folded = (player(f"expectimax:depth=5,table=on{more}").analyse(board) for more in ("", ",fold=on"))
    assert folded.counters.nodes < 0.7 * remembered.counters.nodes
    assert values(folded) == pytest.approx(values(remembered), rel=1e-6)


# --- What evaluators declare -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        evaluator.name if evaluator.name != "ntuple" else pytest.param("ntuple", marks=pytest.mark.slow)
        for evaluator in evaluators_of(GAME)
    ],
)
def test_evaluators_keep_what_they_declare(name):
    """Their bounds, that mirror images look alike, that points do not count."""
    evaluator = compile_evaluator(name, GAME, {})
    assert (name in {"none", "uc3m-empty", "uc3m-empty-v2", "nneonneo"}) == (evaluator.bounds is not None)

    @settings(max_examples=30)
    @given(any_grids, st.integers(0, 30_000))
    def check(grid, points):
        board = board_of(grid, points)
        seen = [evaluator.evaluate(board_of(image, points), evaluator.weights) for image in twin.symmetries(grid)]
        if evaluator.bounds is not None:
            low, high = evaluator.bounds() if callable(evaluator.bounds) else evaluator.bounds
            assert low <= seen[0] <= high
        if evaluator.symmetric:
            assert seen == pytest.approx([seen[0]] * 8, rel=1e-6, abs=1)
        if not evaluator.counts_points:
            assert evaluator.evaluate(without_points(board), evaluator.weights) == seen[0]

    check()


def test_bounds_follow_the_weights():
    assert compile_evaluator("uc3m-empty", GAME, {"empty": -2.0}).bounds == (-32.0, 0.0)


# --- Drawn trees: cut-offs by probability, Star1 and Star2 -----------------------------------------------------------


def in_python(rules):
    """Rules left to the interpreter: none of the trees that hypothesis draws need be compiled."""
    return Rules(*(getattr(function, "py_func", function) for function in rules))


def searched(build, tree, *, memory=(), depth=100, alpha=-np.inf, beta=np.inf, evaluate=None, hooks=SILENT, **options):
    evaluate = evaluate or (lambda state, weights: 0.0)
    value = build(in_python(tree.rules), evaluate, hooks=hooks, jit=interpreted, **options)
    tally, log = new_tally(), new_log(20_000)
    return value(Node(0), depth, alpha, beta, Run((), tally, log, memory)), tally, events(log)


def star(tree, probing, **options):
    low, high = tree.utility_bounds
    bounds = {"low": min(low, 0.0), "high": max(high, 0.0)}
    memory = Memory(probes=new_probes() if probing else ())
    return searched(build_star, tree, memory=memory, probing=probing, **bounds, **options)


@pytest.mark.parametrize("probing", [False, True], ids=["star1", "star2"])
@settings(max_examples=80)
@given(drawn=grown(["max", "min", "chance"]), depth=st.integers(0, 8))
def test_star_is_expectiminimax_to_the_bit(probing, drawn, depth):
    tree = Tree(written(drawn))
    value, all_nodes, _ = searched(build_expectiminimax, tree, depth=depth)
    found, tally, _ = star(tree, probing, depth=depth)
    assert found == value
    if not probing:
        assert tally.nodes <= all_nodes.nodes


@pytest.mark.parametrize("probing", [False, True], ids=["star1", "star2"])
@settings(max_examples=80)
@given(drawn=grown(["max", "min", "chance"]), middle=numbers, half=st.floats(0.01, 5))
def test_outside_the_window_star_is_a_bound(probing, drawn, middle, half):
    tree = Tree(written(drawn))
    value, _, _ = searched(build_expectiminimax, tree)
    alpha, beta = middle - half, middle + half
    found, _, _ = star(tree, probing, alpha=alpha, beta=beta)
    if alpha < found < beta:
        assert found == value
    elif found <= alpha:
        assert value <= alpha
        assert value <= found + 1e-9
    else:
        assert value >= beta
        assert value >= found - 1e-9


def test_star1_by_hand():
    """The second branch has 0 with probability 0.9: even with 9 for the rest it makes 0.9, and the first has 4."""
    text = "max[chance[0.5:3 0.5:5] chance[0.9:0 0.05:9 0.05:9]]"
    found, tally, log = star(Tree(text), False, hooks=RECORDING)
    assert found == 4
    assert (tally.nodes, tally.cutoffs) == (6, 1)
    assert [event.event for event in log[-4:]] == [ENTER, LEAVE, hooks.CUT, LEAVE]
    analysis = make_player("expectimax:prune=star1", make_game("tree", text)).analyse(Node(0))
    assert [(move.move, move.value, move.exact) for move in analysis.moves] == [
        ("1", 4.0, True),
        ("2", pytest.approx(0.9), True),
    ]


def test_star2_needs_one_reply_where_star1_needs_all():
    """With 0 in two outcomes of four the second branch has 4.5 at most, and one reply of MIN to each tells so."""
    low = "min[0 max[9 8 7]]"
    tree = Tree(f"max[5 chance[0.25:{low} 0.25:{low} 0.25:{low} 0.25:{low}]]")
    plain, star1, star2 = searched(build_expectiminimax, tree), star(tree, False), star(tree, True)
    assert star1[0] == star2[0] == plain[0] == 5
    assert (star2[1].nodes, star1[1].nodes, plain[1].nodes) == (7, 9, 27)


def test_star_on_the_tree_of_the_document():
    """uma's expectiminimax: 3 to the left, -1 to the right. The third leaf on the right decides."""
    tree = Tree("expectiminimax")
    assert searched(build_expectiminimax, tree)[1].nodes == 15
    assert star(tree, False)[0] == star(tree, True)[0] == 3
    assert star(tree, False)[1].nodes < 15


@pytest.mark.parametrize(
    ("prune", "evaluator"), [("star1", "nneonneo"), pytest.param("star2", "uc3m-empty", marks=pytest.mark.slow)]
)
def test_star_on_2048(prune, evaluator):
    plain = player(f"expectimax:depth=5,eval={evaluator}")
    pruned = player(f"expectimax:depth=5,eval={evaluator},prune={prune}")

    @settings(max_examples=15)
    @given(crowded)
    @example(DOOMED)
    def check(grid):
        board = board_of(grid)
        wanted, found = plain.analyse(board), pruned.analyse(board)
        assert found.best == wanted.best
        assert values(found) == values(wanted)
        assert found.counters.nodes <= wanted.counters.nodes

    check()
    late = GAME.parse(LATE)
    assert pruned.analyse(late).counters.nodes < 0.95 * plain.analyse(late).counters.nodes
    assert pruned.analyse(late).counters.cutoffs > 10


def cut_by_definition(rules, tree, state, depth, likelihood, cprob):
    """Expectimax in which MAX's afterstates that are too unlikely look like their number."""
    if rules.over(state):
        return rules.utility(state)
    if depth == 0:
        return float(state.index)
    children = [(a, Node(tree.first_child[state.index] + a)) for a in range(tree.children[state.index])]
    if rules.turn(state) == CHANCE:
        shares = [(rules.probability(state, action), child) for action, child in children]
        return sum(p * cut_by_definition(rules, tree, child, depth - 1, likelihood * p, cprob) for p, child in shares)
    return max(
        cut_by_definition(
            rules,
            tree,
            child,
            0 if likelihood < cprob and rules.turn(child) == CHANCE else depth - 1,
            likelihood,
            cprob,
        )
        for _, child in children
    )


@settings(max_examples=40)
@given(grown(["max", "chance"]), st.sampled_from([0.0, 1e-30, 0.1, 0.4, 0.9]), st.integers(0, 8), st.booleans())
def test_the_cut_off_by_probability_is_its_definition(drawn, cprob, depth, table):
    """In a tree no state is met twice, so that a table changes nothing; a share that is too small is a leaf."""
    tree = Tree(written(drawn))
    found, _, _ = searched(
        build_expectimax_plus,
        tree,
        memory=Memory(new_table(1) if table else ()),
        depth=depth,
        evaluate=lambda state, weights: float(state.index),
        cprob=cprob,
        table=table,
    )
    wanted = cut_by_definition(in_python(tree.rules), tree._nodes, Node(0), depth, 1.0, cprob)
    assert found == pytest.approx(wanted, abs=1e-9)


def test_with_a_cut_off_no_move_depends_on_another():
    """Nor on what was searched before: the table is empty for every move at the root."""
    cut = player(f"{CUT},depth=9")
    seat = cut.seat(0)
    first = cut.analyse(GAME.parse(LATE))
    for text in (LATE, "2 4 2 0/4 2 4 2/2 4 2 4/512 256 128 64", LATE):
        cut.choose_once(GAME.parse(text), seat)
    again = dict(zip(("up", "right", "down", "left"), seat.values[:4].tolist(), strict=True))
    assert again == values(first)


# --- Depth by the board ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "cut", "free"),
    [
        ("2 0 0 0/0 0 0 0/0 0 0 0/0 0 0 2", 7, 7),  # 1 distinct tile
        (LATE, 13, 9),  # 8 distinct tiles, 3 empty cells: 8 × 4 boards a move, and 32^4 < 2^24 < 32^5
        ("2 4 8 16/256 128 64 32/512 1024 2048 4096/8192 4 2 4", 23, 17),  # 13, none empty: 8^8 = 2^24
    ],
)
def test_auto_depth(text, cut, free):
    board = GAME.parse(text)
    assert (auto_depth(board, True), auto_depth(board, False)) == (cut, free)


def test_auto_depth_plays():
    board = GAME.parse(LATE)
    found = player("expectimax:depth=auto,table=on").analyse(board)
    assert found.counters.depth == 9
    assert values(found) == values(player("expectimax:depth=9,table=on").analyse(board))
    assert player(f"{CUT},depth=auto").analyse(board).counters.depth == 13
    assert player("expectimax:depth=auto,nodes=100").analyse(board).counters.depth < 4


# --- Threads ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("switches", ["depth=4", "depth=5,table=on", "depth=7,cprob=0.001,table=on,memory=1"])
def test_threads_change_no_value(switches):
    alone = player(f"expectimax:{switches}")
    for threads in (2, 3):
        together = player(f"expectimax:{switches},threads={threads}")
        for text in (LATE, "2 2 0 0/2 4 2 0/4 8 4 8/8 16 32 128", "2 4 8 16/32 64 128 256/2 4 8 16/32 64 128 128"):
            one, many = alone.analyse(GAME.parse(text)), together.analyse(GAME.parse(text))
            assert (values(many), many.best, many.pv) == (values(one), one.best, one.pv)
            if switches != "depth=5,table=on":  # there each knows what its own moves have met
                assert many.counters.nodes == one.counters.nodes


def test_threads_share_the_table_where_that_changes_no_value():
    def tables(switches):
        return {id(own.table) for own in player(f"expectimax:{switches},table=on,memory=1,threads=3").seat(0).memory}

    assert len(tables("depth=5")) == 1
    assert len(tables("depth=5,cprob=0.001")) == 3


@pytest.mark.slow
def test_a_match_on_threads_is_the_match_on_one():
    start = GAME.parse("2 4 8 16/4 8 16 32/8 16 32 64/0 2 0 2")
    games = [Match(GAME, [player(f"expectimax:depth=3{more}")]).play(1, start=start) for more in ("", ",threads=2")]
    assert games[0].actions == games[1].actions


def test_threads_listen():
    endless, stop = player("expectimax:depth=21,threads=2"), Stop()
    endless.compile()
    threading.Timer(0.05, stop.stop).start()
    with pytest.raises(BadInput, match="stopped before its first answer"):
        endless.analyse(GAME.parse("2 0 0 0/0 0 0 0/0 0 0 0/0 0 0 2"), stop)
    in_time = player("expectimax:ms=100,threads=2").analyse(GAME.parse(LATE))
    wanted = make_player(f"expectimax:depth={in_time.counters.depth}", GAME).analyse(GAME.parse(LATE))
    assert values(in_time) == values(wanted)


# --- One source: compiled, interpreted, recorded ---------------------------------------------------------------------


def test_compiled_is_interpreted_and_recorded():
    compiled = Direct(CUT)
    own = compile_evaluator("nneonneo", GAME, {})
    plain, recorded = (
        build_expectimax_plus(
            GAME.rules, own.evaluate, floor=own.floor, table=True, cprob=0.001, same=without_points, hooks=h, jit=jit
        )
        for jit, h in ((interpreted, SILENT), (njit, RECORDING))
    )

    @settings(max_examples=6)
    @given(crowded, st.integers(1, 4))
    def check(grid, depth):
        assume(len(twin.empty_cells(grid)) <= 3)
        wanted, log = compiled(board_of(grid), depth), new_log(200_000)
        for search in (plain, recorded):
            tally = new_tally()
            v = search(board_of(grid), depth, -np.inf, np.inf, Run(own.weights, tally, log, Memory(new_table(1))))
            assert (v, tally.nodes, tally.evaluations) == wanted
        kinds = [event.event for event in events(log)]
        assert kinds.count(ENTER) == kinds.count(LEAVE) == wanted[1] - 1

    check()


@pytest.mark.slow
def test_star_compiled_is_interpreted_and_recorded():
    compiled = player("expectimax:depth=5,eval=uc3m-empty,prune=star2").search
    own = compiled.evaluator
    others = [
        build_star(GAME.rules, own.evaluate, low=0.0, high=16.0, probing=True, hooks=h, jit=jit)
        for jit, h in ((interpreted, SILENT), (njit, RECORDING))
    ]

    @settings(max_examples=6)
    @given(crowded, st.integers(1, 4), st.floats(2, 6))
    def check(grid, depth, beta):
        assume(len(twin.empty_cells(grid)) <= 3)
        found = []
        for search, log in ((compiled.build(), ()), (others[0], ()), (others[1], new_log(200_000))):
            tally = new_tally()
            v = search(board_of(grid), depth, 1.0, beta, Run(own.weights, tally, log, Memory(probes=new_probes())))
            found.append((v, tally.nodes, tally.evaluations, tally.cutoffs))
        assert found[0] == found[1] == found[2]

    check()


# --- What cannot be --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("expectimax:prune=star3", "prune=star3: there are off, star1, star2"),
        ("expectimax:prune=star1,eval=uc3m-score", "needs known bounds, and uc3m-score on 2048 has none"),
        ("expectimax:prune=star1,table=on", "prune does not work with table"),
        ("expectimax:prune=star1,cprob=0.1", "prune does not work with table"),
        ("expectimax:prune=star1,threads=2", "prune does not work with table"),
        ("expectimax:fold=on", "need table=on"),
        ("expectimax:memory=5", "need table=on"),
        ("expectimax:fold=on,table=on,eval=snake", "snake is not symmetric"),
        ("expectimax:table=on,memory=0", "at least 1 MB"),
        ("expectimax:table=on,memory=100000000", "does not fit"),
        ("expectimax:cprob=1", "cprob=1 is not a probability"),
        ("expectimax:cprob=-0.1", "cprob=-0.1 is not a probability"),
        ("expectimax:cprob=x", "cprob=x is not a number"),
        ("expectimax:threads=0", "threads=0 is out of range"),
        ("expectimax:threads=2,nodes=5", "nodes are counted on one thread"),
        ("expectimax:depth=deep", "depth=deep is not a whole number"),
        ("minimax:depth=auto", "depth=auto is not a whole number"),
    ],
)
def test_what_cannot_be_is_refused(spec, told):
    with pytest.raises(BadInput, match=told):
        make_player(spec, GAME)


def test_what_is_not_for_a_game_is_refused():
    tree = make_game("tree", "max[chance[0.5:1 0.5:2] 3]")
    for spec in ("expectimax:depth=auto", "expectimax:table=on,fold=on"):
        with pytest.raises(BadInput, match="needs a game that knows its symmetries, and tree does not"):
            make_player(spec, tree)
    with pytest.raises(BadInput, match="connect4 has none: use alphabeta"):
        make_player("expectiminimax:prune=star1", make_game("connect4"))


@pytest.mark.slow
def test_your_own_evaluator_declares_its_bounds(tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text(
        "from contienda import evaluator\n"
        "from contienda.games.g2048.helpers import empty\n\n\n"
        "@evaluator(bounds=(0, 16), symmetric=True)\n"
        "def room(board, weights):\n    return empty(board)\n"
    )
    board = GAME.parse(LATE)
    wanted = values(player("expectimax:depth=3,eval=uc3m-empty").analyse(board))
    for switches in ("prune=star1", "table=on,fold=on"):
        found = make_player(f"expectimax:depth=3,eval={mine}:room,{switches}", GAME).analyse(board)
        assert values(found) == pytest.approx(wanted)
