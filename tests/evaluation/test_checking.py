"""`contienda check HEURISTIC GAME`: its findings in an evaluator, and correct mirror images of positions."""

from __future__ import annotations

import textwrap

import pytest
from drive import contienda

from contienda.core.language import BadInput
from contienda.evaluation.checking import check_evaluator, positions_of
from contienda.games import make_game


@pytest.fixture
def write(tmp_path):
    def put(text: str) -> str:
        (tmp_path / "mine.py").write_text(textwrap.dedent(text).lstrip(), encoding="utf-8")
        return f"{tmp_path}/mine.py:f"

    return put


@pytest.mark.parametrize("spec", ["2048", "2048:rows=2,columns=3", "connect4", "othello", "einstein", "tictactoe"])
def test_mirror_images_have_as_many_moves_and_are_turned_back_by_the_same_mirror(spec):
    game = make_game(spec)
    for state in positions_of(game, 12)[2:]:
        images = game.mirrors(state)
        assert images
        for number, image in enumerate(images):
            assert game.rules.turn(image) == game.rules.turn(state)
            assert len(game.legal_actions(image)) == len(game.legal_actions(state))
            assert game.mirrors(image)[number] == state
            assert game.outcome(image) == game.outcome(state)


def test_what_it_finds(write):
    """A line that no position reaches, a value that a mirror changes, one larger than a win."""
    place = write(
        """
        from contienda.games.helpers.tictactoe import MAX, mark, marks

        def f(board, weights):
            value = 1.0 * mark(board, 0, 0)
            if marks(board, MAX) > 5:
                value += 1
            return 2 * value
        """
    )
    report = check_evaluator(place, make_game("tictactoe"), {}, 60)
    assert report.positions == 60
    faults, remarks = ([text.into("en") for text in texts] for texts in (report.faults, report.remarks))
    assert len(faults) == 1
    assert "f returns 2 on" in faults[0] or "f returns -2 on" in faults[0]
    assert "mine.py:6 is never reached: `value += 1`" in remarks
    assert any("mirror images have another value" in remark for remark in remarks)


def test_declared_symmetric_and_not_so_is_a_fault_and_an_index_beyond_an_array_is_found(write):
    lopsided = """
        from contienda import evaluator
        from contienda.games.helpers.tictactoe import mark

        @evaluator(symmetric=True)
        def f(board, weights):
            return 0.1 * mark(board, 0, 0)
        """
    faults = check_evaluator(write(lopsided), make_game("tictactoe"), {}, 40).faults
    assert ["mirror images" in fault.into("en") for fault in faults] == [True]
    beyond = """
        import numpy as np
        from contienda.games.helpers.tictactoe import empty

        WORTH = np.zeros(5)

        def f(board, weights):
            return WORTH[empty(board)]
        """
    with pytest.raises(BadInput) as refused:
        check_evaluator(write(beyond), make_game("tictactoe"), {}, 40)
    told = refused.value.text.into("en")
    assert "mine.py:7: `return WORTH[empty(board)]` fails on " in told
    assert "IndexError" in told


def test_the_command(write):
    place = write("def f(board, weights):\n    return 0.5\n")
    ran = contienda("check", place, "tictactoe")
    assert (ran.code, ran.err) == (0, "")
    assert "no faults on 1,000 positions of tictactoe" in ran.out
    ran = contienda("check", write("def f(board, weights):\n    return 1 / (board.max & 1)\n"), "tictactoe")
    assert ran.code == 1
    assert "mine.py:2: `return 1 / (board.max & 1)` fails on " in ran.out
    assert contienda("check", "mine.py:f", "chess").complaint.startswith("no game 'chess'")
