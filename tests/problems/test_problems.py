"""The problems by themselves: the world of a seed in 2048, and what is no puzzle, no target."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from contienda.compiled.jit import popcount
from contienda.compiled.rng import generator
from contienda.core.language import BadInput
from contienda.games import make_game
from contienda.games.g2048.board import ACTIONS, empty_cells
from contienda.problems import make_problem
from contienda.problems.g2048 import EVERY_PLACE, TWOS, TWOS_AND_FOURS, Problem2048, world_of

GAME = make_game("2048")


def test_the_tile_depends_on_the_node_and_the_move_alone():
    problem = Problem2048(2048, 5)
    assert Problem2048(2048, 5).initial == problem.initial != Problem2048(2048, 6).initial
    assert problem.begin == GAME.start(generator(5))
    rng, fours, tiles, places = random.Random(4), 0, 0, Counter()
    for seed in range(60):
        world = Problem2048(2048, seed).initial
        for _ in range(60):
            legal = [a for a in range(4) if TWOS_AND_FOURS.result(world, a)[0]]
            if not legal:
                break
            children = [TWOS_AND_FOURS.result(world, a)[1] for a in legal]
            assert len({child.luck for child in children}) == len(children)
            world = rng.choice(children)
            assert TWOS.result(world, 0)[1].bonus == world.bonus  # only a 4 costs a bonus
            tiles += 1
        fours += -world.bonus // 4
    assert 0.08 < fours / tiles < 0.13  # the first two tiles count too: 0.1034 expected
    board = world_of(GAME.parse("2 0 0 0/0 0 0 0/0 0 0 0/0 0 0 0"), 0)
    for luck in range(3000):
        after = TWOS.result(board._replace(luck=luck), ACTIONS.index("right"))[1]
        places[(after.cells ^ 1 << 12).bit_length()] += 1
    assert len(places) == 15
    assert max(places.values()) < 1.4 * min(places.values())


def test_every_place_is_every_place():
    world = Problem2048(2048, 1, GAME.parse("2 4 8 16/2 0 0 0/0 0 0 0/0 0 0 0")).initial
    children = [EVERY_PLACE.result(world, action) for action in range(64)]
    by_move = [sum(legal for legal, _ in children[16 * m : 16 * m + 16]) for m in range(4)]
    assert by_move == [12, 11, 12, 0]
    assert all(popcount(empty_cells(child)) in (10, 11) for legal, child in children if legal)


@pytest.mark.parametrize(
    "position", ["1 2 3", "", "1 2 3/4 5 6/7 8 9", "1 1 2/3 4 5/6 7 8", "1 2 3/4 5 6/8 7 0", "1 2 3 4/5 6 7/8 0", "x"]
)
def test_boards_that_are_no_puzzle(position):
    with pytest.raises(BadInput, match=r"is not an 8-puzzle|has no solution"):
        make_problem("puzzle8", position)


def test_targets_that_are_none():
    for target in (0, 3000, 4, 262144):
        with pytest.raises(BadInput, match="is not a tile"):
            make_problem("2048", target=target)
    with pytest.raises(BadInput, match="puzzle8 has no target"):
        make_problem("puzzle8", target=2048)
