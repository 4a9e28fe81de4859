"""Drawn trees: the documents' examples through the searches that play, and the texts."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins.search import TREES

from contienda.compiled.jit import njit
from contienda.compiled.rng import generator
from contienda.core.analysis import new_tally
from contienda.core.game import CHANCE, MAX, MIN, Rules
from contienda.core.language import BadInput
from contienda.games.tree import EXAMPLES, Node, Tree
from contienda.reference import expectiminimax
from contienda.search import interpreted
from contienda.search.alphabeta import build_alphabeta
from contienda.search.expectiminimax import build_expectiminimax
from contienda.search.hooks import CUT, ENTER, LEAVE, RECORDING, events, new_log
from contienda.search.minimax import build_minimax
from contienda.search.root import build_root
from contienda.search.steps import Run


@njit
def nothing(state, weights):
    return math.nan


def search(build, tree, **options):
    """The value of the root by a search of the whole tree, and its counters."""
    value, tally = build(tree.rules, nothing, **options), new_tally()
    return value(Node(0), 100, -np.inf, np.inf, Run(np.zeros(1), tally)), tally


def values_below(build, tree, nodes):
    """The value of each of the first nodes."""
    value = build(tree.rules, nothing)
    return [value(Node(i), 100, -np.inf, np.inf, Run(np.zeros(1), new_tally())) for i in range(nodes)]


def plain(rules: Rules) -> Rules:
    """The rules left to the interpreter: no tree of the hundreds that hypothesis draws need be compiled."""
    return Rules(*(getattr(rule, "py_func", rule) for rule in rules))


# --- The documents' trees --------------------------------------------------------------------------------------------


def test_minimax_on_the_five_level_tree():
    tree = Tree("minimax")
    values = {tree.format(Node(i)): value for i, value in enumerate(values_below(build_minimax, tree, 21))}
    assert values["min[5 8]"] == 5  # level 4
    assert values["min[2 9]"] == 2
    assert values["min[9 1]"] == 1
    assert values["max[min[5 8] min[2 9]]"] == 5  # level 3
    assert values["max[min[9 1] 9]"] == 9
    assert [values[tree.format(tree.apply(Node(0), branch))] for branch in range(3)] == [5, 3, 1]  # level 2
    assert values[EXAMPLES["minimax"]] == 5


def test_the_root_of_the_five_level_tree_takes_its_first_branch():
    tree = Tree("minimax")
    root = build_root(tree.rules, build_minimax(tree.rules, nothing))
    values = np.zeros(64)
    assert root(Node(0), 5, np.arange(64), np.arange(64), False, values, Run(np.zeros(1), new_tally())) == 0
    assert values[:3].tolist() == [5, 3, 1]
    assert np.isnan(values[3:]).all()


def test_minimax_visits_13_nodes_and_alphabeta_11():
    tree = Tree("alphabeta")
    value, tally = search(build_minimax, tree)
    assert (value, tally.nodes, tally.evaluations, tally.cutoffs) == (3, 13, 9, 0)
    value, tally = search(build_alphabeta, tree)
    assert (value, tally.nodes, tally.evaluations, tally.cutoffs) == (3, 11, 7, 1)


def test_alphabeta_cuts_the_second_branch_after_its_2():
    tree = Tree("alphabeta")
    value, log = build_alphabeta(tree.rules, nothing, hooks=RECORDING), new_log(100)
    value(Node(0), 2, -np.inf, np.inf, Run(np.zeros(1), new_tally(), log))
    steps = [(event.event, event.number) for event in events(log)]
    first = [(ENTER, 0), (ENTER, 0), (LEAVE, 3), (ENTER, 1), (LEAVE, 12), (ENTER, 2), (LEAVE, 8), (LEAVE, 3)]
    second = [(ENTER, 1), (ENTER, 0), (LEAVE, 2), (CUT, 2), (LEAVE, 2)]
    third = [(ENTER, 2), (ENTER, 0), (LEAVE, 14), (ENTER, 1), (LEAVE, 5), (ENTER, 2), (LEAVE, 2), (LEAVE, 2)]
    assert steps == first + second + third


def test_expectiminimax_on_the_coin_flipping_tree():
    tree = Tree("expectiminimax")
    assert values_below(build_expectiminimax, tree, 7) == [3, 3, -1, 2, 4, 0, -2]
    assert tree.kinds == {MAX, MIN, CHANCE}


def test_compiled_and_interpreted_searches_agree():
    tree = Tree("expectiminimax")
    value, tally = search(build_expectiminimax, tree)
    again, tally_again = search(build_expectiminimax, tree, jit=interpreted)
    assert (value, tally) == (again, tally_again)
    assert tally.nodes == 15


# --- Any tree --------------------------------------------------------------------------------------------------------

numbers = st.integers(-9, 9).map(float) | st.floats(-1e6, 1e6).map(lambda x: round(x, 3))


def grown(kinds):
    """Trees as nested tuples (kind, children), with leaves as numbers."""
    return st.recursive(
        numbers,
        lambda children: st.tuples(st.sampled_from(kinds), st.lists(children, min_size=1, max_size=4)),
        max_leaves=25,
    )


def written(tree, space=" "):
    if isinstance(tree, float):
        return repr(tree)
    kind, children = tree
    if kind == "chance":
        return f"chance[{space.join(f'1/{len(children)}:{written(child, space)}' for child in children)}]"
    return f"{kind}[{space.join(written(child, space) for child in children)}]"


def listed(tree):
    """The tree as the twins' rules have it."""
    return tree if isinstance(tree, float) else [tree[0], *map(listed, tree[1])]


def worth(tree) -> float:
    """The value by the definition."""
    return expectiminimax(TREES, listed(tree), 100, evaluate=lambda state: math.nan)


def interpreted_value(build, text):
    tree = Tree(text)
    value, tally = build(plain(tree.rules), lambda state, weights: math.nan, jit=interpreted), new_tally()
    return value(Node(0), 100, -np.inf, np.inf, Run(None, tally)), tally


@settings(max_examples=60, deadline=None)
@given(grown(["max", "min", "chance"]))
def test_expectiminimax_is_its_definition(tree):
    assert interpreted_value(build_expectiminimax, written(tree))[0] == pytest.approx(worth(tree), abs=1e-6)


@settings(max_examples=60, deadline=None)
@given(grown(["max", "min"]))
def test_alphabeta_and_minimax_are_the_definition(tree):
    minimax, all_nodes = interpreted_value(build_minimax, written(tree))
    alphabeta, nodes = interpreted_value(build_alphabeta, written(tree))
    assert alphabeta == minimax == worth(tree)
    assert nodes.nodes <= all_nodes.nodes


@settings(max_examples=60, deadline=None)
@given(grown(["max", "min", "chance"]))
def test_what_is_written_is_read_back(drawn):
    tree = Tree(written(drawn))
    text = tree.format(Node(0))
    assert Tree(text).format(Node(0)) == text
    assert Tree(f" {written(drawn, ' , ')} ").format(Node(0)) == text
    assert tree.parse(text) == tree.parse("") == tree.start(generator(0)) == Node(0)


def full(*widths):
    """The text of a tree whose nodes have as many children as the widths say, level by level."""
    return f"max[{' '.join([full(*widths[1:])] * widths[0])}]" if widths else "1"


# --- Texts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_go_by_their_names(name):
    tree = Tree(name)
    assert tree.format(Node(0)) == EXAMPLES[name]
    assert tree.parse(name) == Node(0)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("MAX[Min[3,12, 8] min[2\n4\t6]]", "max[min[3 12 8] min[2 4 6]]"),
        ("max [ -1.50 +.5 1e3 2. ]", "max[-1.5 0.5 1000 2]"),
        ("chance[1/4:1 0.75 : min[2]]", "chance[0.25:1 0.75:min[2]]"),
        ("min[1]", "min[1]"),
        ("7", "7"),
    ],
)
def test_spelling_is_free_within_reason(text, canonical):
    assert Tree(text).format(Node(0)) == canonical


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "character 1 of the tree: a tree is expected, such as max[3 min[2 4]]"),
        ("max[3 min[2 4]", "character 15 of the tree: ] is missing: the node at 1 is open"),
        ("max[3]]", "character 7 of the tree: this ] closes nothing"),
        ("max[3 4] min[5]", "character 10 of the tree: the tree has ended before this"),
        ("max[3 mix[5 6]]", "character 7 of the tree: 'mix' is not max, min or chance"),
        ("max[3 min 4]", "character 10 of the tree: [ is missing after min"),
        ("max[3 (4)]", "character 7 of the tree: '(4)' is not a number"),
        ("max[3 [4 5]]", "character 5 of the tree: '3' is not max, min or chance"),
        ("max[[4 5]]", "character 5 of the tree: a node or a number is expected, not ["),
        ("max[3,,4]", "character 7 of the tree: a node or a number is expected, not ,"),
        ("max[1.2.3]", "character 5 of the tree: '1.2.3' is not a number"),
        ("max[1e999]", "character 5 of the tree: '1e999' is not a number"),
        ("max[nan]", "character 5 of the tree: 'nan' is not a number"),
        ("max[3 min[]]", "character 11 of the tree: a node needs at least one child"),
        ("max[0.5:3 4]", "character 5 of the tree: only children of chance have a probability"),
        ("1:max[3]", "character 1 of the tree: only children of chance have a probability"),
        ("chance[0.5:3 4]", "character 14 of the tree: a probability is missing, such as 0.5:"),
        ("chance[0.5:3 0.5:]", "character 18 of the tree: a child must follow its probability"),
        ("chance[0.5:0.5:3]", "character 12 of the tree: a child must follow its probability"),
        ("chance[:3]", "character 8 of the tree: a node or a number is expected, not :"),
        ("chance[1.5:3 -0.5:4]", "character 8 of the tree: '1.5' is not a probability from 0 to 1"),
        ("chance[1/0:3]", "character 8 of the tree: '1/0' is not a probability from 0 to 1"),
        ("max[2 chance[0.5:3 0.4:4]]", "character 7 of the tree: the probabilities of this node sum to 0.9, not 1"),
        (f"max[{'1 ' * 64}]", "character 131 of the tree: a node has at most 63 children"),
        ("max[" * 100_000, "character 401 of the tree: a tree has at most 100 levels"),
        (full(60, 60, 60), "a tree has at most 100000 nodes"),
    ],
)
def test_parse_says_where_and_what_is_wrong(text, message):
    with pytest.raises(BadInput) as error:
        Tree(text)
    assert error.value.text.into("en").endswith(message)
    assert error.value.text.into("es").startswith("carácter ")


def test_probabilities_may_be_rounded_in_the_tenth_place():
    assert Tree("chance[0.3333333333:1 0.3333333333:2 0.3333333333:3]").kinds == {CHANCE}
    with pytest.raises(BadInput, match=r"sum to 0\.9999999, not 1"):
        Tree("chance[0.4999999:1 0.5:2]")


def test_as_deep_wide_and_large_as_is_allowed():
    assert interpreted_value(build_minimax, "min[" * 99 + "7" + "]" * 99)[0] == 7
    assert interpreted_value(build_minimax, f"max[{' '.join(str(i) for i in range(63))}]")[0] == 62
    value, tally = search(build_minimax, Tree(full(62, 40, 39)))
    assert (value, tally.nodes) == (1, 1 + 62 * (1 + 40 * (1 + 39)))


def test_parse_finds_a_part_of_the_tree_and_refuses_another():
    tree = Tree("alphabeta")
    assert tree.parse("min[14 5 2]") == Node(3)
    with pytest.raises(BadInput, match="not a part of the game's tree"):
        tree.parse("max[min[3 12 8] min[2 4 6] min[14 5 3]]")
    with pytest.raises(BadInput, match="character 4"):
        tree.parse("max")


# --- Playing ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "levels"),
    [("7", 0), ("max[1 2]", 1), ("max[min[1] 2 min[3 max[4 5]] 6]", 3), ("max[min[max[1]] 2 min[3]]", 3)],
)
def test_a_tree_knows_its_levels(text, levels):
    assert Tree(text).longest == levels


def test_branches_are_numbered_from_1():
    tree = Tree("max[min[3 12] 5 6]")
    assert [tree.action_name(Node(0), action) for action in tree.legal_actions(Node(0))] == ["1", "2", "3"]
    assert tree.format(tree.apply(Node(0), tree.action_number(Node(0), "2"))) == "5"
    with pytest.raises(BadInput, match="no branch '3': this node has 2, numbered from 1"):
        tree.action_number(tree.parse("min[3 12]"), "3")
    with pytest.raises(BadInput, match="3 is not possible here"):
        tree.apply(tree.parse("min[3 12]"), 2)


def test_a_drawn_tree_keeps_its_sides():
    tree = Tree("min[3 max[4 5]]")
    assert tree.kinds == {MAX, MIN}
    assert tree.rules.seen_by_mover(Node(0)) == Node(0)
    assert tree.rules.turn(Node(0)) == MIN
    with pytest.raises(BadInput, match="has chance nodes"):
        tree.adversarial("twos")


def test_draw_follows_the_probabilities():
    tree = Tree("chance[0.2:1 0:2 0.5:3 0.3:4]")
    rng = generator(5)
    drawn = [tree.rules.draw(Node(0), rng) for _ in range(5000)]
    counts = np.bincount(drawn, minlength=4) / len(drawn)
    assert counts[1] == 0
    assert counts == pytest.approx([0.2, 0, 0.5, 0.3], abs=0.03)  # four standard deviations


def test_the_same_tree_is_compiled_once():
    assert Tree("alphabeta").rules is Tree(EXAMPLES["alphabeta"]).rules
