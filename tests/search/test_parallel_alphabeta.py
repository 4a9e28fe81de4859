"""``alphabeta:threads=N``: moves at the root searched at once, the best move and its value those of one thread."""

from __future__ import annotations

import pytest
from drive import contienda
from hypothesis import given, settings
from hypothesis import strategies as st

from contienda import make_game, make_player
from contienda.core.language import BadInput

GAME = make_game("connect4:rows=4,columns=5")


@settings(max_examples=30)
@given(st.lists(st.integers(0, 4), max_size=9), st.integers(1, 6), st.sampled_from([2, 3, 7]))
@pytest.mark.parametrize("more", ["", ",table=on", ",table=on,order=killers,pvs=on"])
def test_the_same_move_and_values_on_any_number_of_threads(more, columns, depth, threads):
    state = GAME.parse("")
    for column in columns:
        if column in GAME.legal_actions(state):
            state = GAME.apply(state, column)
    if not GAME.legal_actions(state):
        return
    one, many = (
        make_player(f"alphabeta:depth={depth},eval=uja{more}{own}", GAME).analyse(state)
        for own in ("", f",threads={threads}")
    )
    assert many.best == one.best
    assert [(move.move, move.value) for move in many.moves] == [(move.move, move.value) for move in one.moves]


def test_threads_on_the_command_line():
    ask = ("hint", "connect4:rows=4,columns=5", "3342", "--json", "--player")
    one, two = (contienda(*ask, f"alphabeta:depth=6,eval=uja{more}").json for more in ("", ",threads=2"))
    assert (one["best"], one["moves"]) == (two["best"], two["moves"])
    assert contienda(*ask, "alphabeta:threads=0").code == 2
    assert contienda("trace", "connect4", "44", "--player", "alphabeta:depth=2,threads=2").code == 2
    with pytest.raises(BadInput, match="one thread"):
        make_player("alphabeta:depth=2,reuse=leaves,threads=2", GAME)
