"""Drawn trees, as textbooks use them to explain a search: a game whose rules are a drawing.

    max[min[3 12 8] min[2 4 6] min[14 5 2]]
    max[chance[0.5:min[2 7] 0.5:min[4 6]] 3.5]

A node is ``max[…]``, ``min[…]`` or ``chance[…]`` with one to 63 children between spaces or commas; a leaf is a number,
its value for MAX. Each child of a chance node has its probability before it. Branches are numbered from 1.

The nodes stand in arrays, level by level: the children of a node follow each other, so that a branch is an addition.
"""

from __future__ import annotations

import math
import re
from functools import cached_property, lru_cache
from typing import NamedTuple, NoReturn

import numpy as np

from contienda.compiled.jit import jitable
from contienda.compiled.rng import uniform
from contienda.core.examples import TraceExample
from contienda.core.game import CHANCE, MAX, MIN, Game, Rules
from contienda.core.language import BadInput, Text
from contienda.core.picture import Gesture

__all__ = ["EXAMPLES", "Node", "Tree"]

#: The trees of the document `uma`, by the search that it follows on each. It tells their values as it works them out.
#: What it leaves open: the leaves that alpha-beta and expectiminimax skip or don't choose are those of the same trees
#: in Russell and Norvig's AIMA.
EXAMPLES = {
    "minimax": "max[min[7 max[min[5 8] min[2 9]] 8] min[3 4] min[1 max[min[9 1] 9] 2]]",
    "alphabeta": "max[min[3 12 8] min[2 4 6] min[14 5 2]]",
    "expectiminimax": "max[chance[0.5:min[2 4] 0.5:min[7 4]] chance[0.5:min[6 0] 0.5:min[5 -2]]]",
}

#: A set of actions is a positive 64-bit integer.
MOST_CHILDREN = 63
#: Levels, the root's included: no deeper than a search may look (`Limit.DEEPEST`).
DEEPEST = 100
#: It still compiles in about a second, and is more than people draw.
MOST_NODES = 100_000
#: How far from 1 the probabilities of a chance node may sum: written with ten decimals they pass.
TOLERANCE = 1e-9

_KINDS = {"max": MAX, "min": MIN, "chance": CHANCE}
_WORDS = {kind: word for word, kind in _KINDS.items()}


class Node(NamedTuple):
    """A state: one node of the tree, numbered from 0 at the root, level by level."""

    index: int  # type: ignore[assignment]  # it hides tuple.index, which no state needs


class _Nodes(NamedTuple):
    """All nodes of a tree as arrays; a leaf is a MAX node without children."""

    kind: np.ndarray
    first_child: np.ndarray
    children: np.ndarray
    value: np.ndarray
    probability: np.ndarray


# --- The rules -------------------------------------------------------------------------------------------------------


# Where a search is compiled, the arrays are frozen into the code: measured, 0.35 s for a dozen nodes and 1.1 s for
# 100,000. Python calls these functions as they stand, so that one more tree on a screen compiles nothing.
def _rules(nodes: _Nodes) -> Rules:
    kind, first_child, children, value, likelihood = nodes

    @jitable
    def turn(state):
        return int(kind[state.index])

    @jitable
    def candidates(state):
        """As many 1s as there are branches."""
        return 0x7FFFFFFFFFFFFFFF >> (63 - int(children[state.index]))

    @jitable
    def successor(state, action):
        return action < int(children[state.index]), Node(int(first_child[state.index]) + action)

    @jitable
    def probability(state, action):
        return float(likelihood[first_child[state.index] + action])

    @jitable
    def over(state):
        return int(children[state.index]) == 0

    @jitable
    def utility(state):
        return float(value[state.index])

    @jitable
    def seen_by_mover(state):
        """A drawn tree keeps its MAX and MIN as drawn."""
        return state

    @jitable
    def draw(state, rng):
        """The branch whose part of [0, 1) contains the random number; the last one if rounding leaves a gap."""
        dart = uniform(rng)
        last = int(children[state.index]) - 1
        for branch in range(last):
            dart -= likelihood[first_child[state.index] + branch]
            if dart < 0:
                return branch
        return last

    return Rules(turn, candidates, successor, probability, over, utility, seen_by_mover, draw)


#: The trees of the examples.
_TEXTBOOK = "max[min[3 12 8] min[2 4 6] min[14 5 2]]"
_GOOD_ORDER = "max[min[3 8 12] min[2 4 6] min[2 5 14]]"
_BAD_ORDER = "max[min[14 5 2] min[6 4 2] min[12 8 3]]"
_DEEP = "max[min[7 max[min[5 8] min[2 9]] 8] min[3 4] min[1 max[min[9 1] 9] 2]]"
_WITH_CHANCE = "max[chance[0.5:min[2 4] 0.5:min[7 4]] chance[0.5:min[6 0] 0.5:min[5 -2]]]"


# --- The game --------------------------------------------------------------------------------------------------------


class Tree(Game):
    """The game of one drawn tree, given by its text or by the name of one of the `EXAMPLES`."""

    name = "tree"
    title = Text("Drawn tree")
    about = Text("a textbook's tree of MAX, MIN and chance nodes, written as max[min[3 12 8] min[2 4 6]]")
    takes_text = True
    #: MAX stays MAX, no matter who moves at the root: `seen_by_mover` leaves a state as it is.
    fixed_sides = True
    drawn = True
    default_depth = None
    trace_examples = (
        TraceExample(Text("Alpha-beta: the textbook tree"), ((_TEXTBOOK, "alphabeta"),)),
        TraceExample(Text("Minimax: five levels"), ((_DEEP, "minimax"),)),
        TraceExample(Text("Expectiminimax: with chance"), ((_WITH_CHANCE, "expectiminimax"),)),
        TraceExample(
            Text("Minimax and alpha-beta: nodes saved"), ((_TEXTBOOK, "minimax"), (_TEXTBOOK, "alphabeta")), "two"
        ),
        TraceExample(
            Text("Alpha-beta: bad and good order"), ((_BAD_ORDER, "alphabeta"), (_GOOD_ORDER, "alphabeta")), "two"
        ),
        TraceExample(Text("Exercise: which branches are cut?"), ((_TEXTBOOK, "alphabeta"),), "guess"),
    )

    def __init__(self, text: str) -> None:
        self._example = text.strip() if text.strip() in EXAMPLES else None
        self._nodes, self.rules = _tree(EXAMPLES.get(text.strip(), text))
        self.kinds = frozenset(self._nodes.kind[self._nodes.children > 0].tolist())
        self.longest = _levels_below(self._nodes)
        leaves = self._nodes.value[self._nodes.children == 0]
        self.utility_bounds = float(leaves.min()), float(leaves.max())

    @property
    def default_player(self) -> str:
        """The search that an example is named after."""
        return self._example or super().default_player

    def start(self, rng: np.record) -> Node:
        return Node(0)

    def parse(self, text: str) -> Node:
        """The node whose tree this is, the first of equals; no text is the root.

        >>> tree = Tree("max[min[3 12 8] min[2 4 6]]")
        >>> tree.parse("max[min[3, 12, 8], min[2, 4, 6]]"), tree.parse("min[2 4 6]")
        (Node(index=0), Node(index=2))
        """
        text = text.strip()
        if not text:
            return Node(0)
        wanted = _write(_read(EXAMPLES.get(text, text)))[0]
        if wanted not in self._texts:
            raise BadInput("this tree is not a part of the game's tree")
        return Node(self._texts.index(wanted))

    def format(self, state: Node) -> str:
        """The text of the tree below this node."""
        return self._texts[state.index]

    @cached_property
    def _texts(self) -> list[str]:
        return _write(self._nodes)

    def action_name(self, state: Node, action: int) -> str:
        """Branches are numbered from 1."""
        return str(action + 1)

    def gesture(self, state: Node, action: int) -> Gesture:
        return Gesture("button", label=Text("branch {n}", n=action + 1))

    def action_number(self, state: Node, name: str) -> int:
        branches = int(self._nodes.children[state.index])
        number = int(name) if name.isascii() and name.isdigit() and len(name) <= 2 else 0
        if not 1 <= number <= branches:
            raise BadInput(
                "no branch {name!r}: this node has {branches}, numbered from 1", name=name, branches=branches
            )
        return number - 1


@lru_cache(maxsize=16)
def _tree(text: str) -> tuple[_Nodes, Rules]:
    """A tree that was compiled a moment ago need not be compiled again."""
    nodes = _read(text)
    return nodes, _rules(nodes)


# --- Reading and writing ---------------------------------------------------------------------------------------------


class _Branch(NamedTuple):
    """A node as it is read, with its place in the text."""

    kind: int
    value: float
    probability: float
    place: int
    children: list[_Branch]


# A word or number with the bracket or colon that belongs to it, or a mark by itself. Between them, at most one comma.
_TOKEN = re.compile(r"\s*,?\s*(?:(?P<word>[^\s,:\[\]]+)(?:\s*(?P<mark>[\[:]))?|(?P<alone>[\[\],:])|\Z)")
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", re.ASCII)


def _read(text: str) -> _Nodes:
    """The nodes that a text describes. A stack of open nodes: a text may nest deeper than Python can recurse."""
    root: _Branch | None = None
    unfinished: list[_Branch] = []
    probability: float | None = None  # read, and waiting for its child
    count = 0
    position = 0
    while True:
        token = _TOKEN.match(text, position)
        assert token is not None  # one of its cases fits anything
        position = token.end()
        word, mark = token["word"], token["mark"]
        place = token.start("word" if word else "alone") + 1 if word or token["alone"] else len(text) + 1

        if word and mark == ":":
            if probability is not None:
                _wrong(place, Text("a child must follow its probability"))
            probability = _probability(word, place, unfinished)
        elif word:
            if root is not None and not unfinished:
                _wrong(place, Text("the tree has ended before this"))
            kind = _kind(word, place) if mark else MAX
            value = math.nan if mark else _leaf(word, place)
            count += 1
            node = _Branch(kind, value, 1.0 if probability is None else probability, place, [])
            _check_child(node, probability is not None, unfinished, count)
            probability = None
            if unfinished:
                unfinished[-1].children.append(node)
            else:
                root = node
            if mark:
                unfinished.append(node)
        elif probability is not None:
            _wrong(place, Text("a child must follow its probability"))
        elif token["alone"] == "]":
            if not unfinished:
                _wrong(place, Text("this ] closes nothing"))
            _check_whole(unfinished.pop(), place)
        elif token["alone"]:
            misplaced = token["alone"]
            _wrong(place, Text("a node or a number is expected, not {misplaced}", misplaced=misplaced))
        elif unfinished:
            opened = unfinished[-1].place
            _wrong(place, Text("] is missing: the node at {opened} is open", opened=opened))
        elif root is None:
            _wrong(place, Text("a tree is expected, such as max[3 min[2 4]]"))
        else:
            return _level_by_level(root)


def _wrong(place: int, wrong: Text) -> NoReturn:
    raise BadInput("character {place} of the tree: {wrong}", place=place, wrong=wrong)


def _kind(word: str, place: int) -> int:
    kind = _KINDS.get(word.lower())
    if kind is None:
        _wrong(place, Text("{word!r} is not max, min or chance", word=word))
    return kind


def _leaf(word: str, place: int) -> float:
    if word.lower() in _KINDS:
        _wrong(place + len(word), Text("[ is missing after {word}", word=word))
    value = _number(word)
    if value is None:
        _wrong(place, Text("{word!r} is not a number", word=word))
    return value


def _probability(word: str, place: int, unfinished: list[_Branch]) -> float:
    """A probability, as a decimal or as a fraction: a die's 1/6 has no end of decimals."""
    if not unfinished or unfinished[-1].kind != CHANCE:
        _wrong(place, Text("only children of chance have a probability"))
    above, slash, below = word.partition("/")
    part, whole = _number(above), _number(below) if slash else 1.0
    if part is None or not whole or not 0 <= part / whole <= 1:
        _wrong(place, Text("{word!r} is not a probability from 0 to 1", word=word))
    return part / whole


def _number(word: str) -> float | None:
    """A finite number, if the word is one."""
    value = float(word) if _NUMBER.fullmatch(word) else math.inf
    return value if math.isfinite(value) else None


def _check_child(node: _Branch, has_probability: bool, unfinished: list[_Branch], count: int) -> None:
    place = node.place
    if unfinished and unfinished[-1].kind == CHANCE and not has_probability:
        _wrong(place, Text("a probability is missing, such as 0.5:"))
    if unfinished and len(unfinished[-1].children) == MOST_CHILDREN:
        _wrong(place, Text("a node has at most {most_children} children", most_children=MOST_CHILDREN))
    if len(unfinished) == DEEPEST:
        _wrong(place, Text("a tree has at most {deepest} levels", deepest=DEEPEST))
    if count > MOST_NODES:
        _wrong(place, Text("a tree has at most {most_nodes} nodes", most_nodes=MOST_NODES))


def _check_whole(node: _Branch, place: int) -> None:
    """Finish a node when its ] is read."""
    if not node.children:
        _wrong(place, Text("a node needs at least one child"))
    total = math.fsum(child.probability for child in node.children)
    if node.kind == CHANCE and abs(total - 1) > TOLERANCE:
        _wrong(node.place, Text("the probabilities of this node sum to {total:.10g}, not 1", total=total))


def _level_by_level(root: _Branch) -> _Nodes:
    order = [root]
    first_child = []
    for node in order:  # the list grows while it is read: a queue
        first_child.append(len(order))
        order.extend(node.children)
    return _Nodes(
        np.array([node.kind for node in order]),
        np.array(first_child),
        np.array([len(node.children) for node in order]),
        np.array([node.value for node in order]),
        np.array([node.probability for node in order]),
    )


def _levels_below(nodes: _Nodes) -> int:
    """How many levels there are under the root: up from the last node, which stands on the deepest one."""
    node, levels = len(nodes.kind) - 1, 0
    while node > 0:
        # Its parent is the last node whose children begin no later.
        node = int(np.searchsorted(nodes.first_child, node, "right")) - 1
        levels += 1
    return levels


def _write(nodes: _Nodes) -> list[str]:
    """The text of the tree below each node; children come after their parents, so from the last to the first."""
    kind, first_child, children, value, probability = (column.tolist() for column in nodes)
    texts = [""] * len(kind)
    for index in reversed(range(len(kind))):
        if not children[index]:
            texts[index] = _number_text(value[index])
            continue
        below = range(first_child[index], first_child[index] + children[index])
        chance = kind[index] == CHANCE
        parts = [f"{_number_text(probability[child])}:{texts[child]}" if chance else texts[child] for child in below]
        texts[index] = f"{_WORDS[kind[index]]}[{' '.join(parts)}]"
    return texts


def _number_text(number: float) -> str:
    """The shortest text that reads back as this number: ``3``, ``-0.5``."""
    return repr(number).removesuffix(".0")
