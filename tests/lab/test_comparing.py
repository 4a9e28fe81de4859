"""An evaluator against the built-in ones: what is played, and what is refused."""

from __future__ import annotations

import pytest

from contienda.core.language import BadInput
from contienda.games import make_game
from contienda.lab.comparing import comparison_plan


def test_it_meets_every_evaluator_of_a_game_for_two_from_both_sides():
    plan = comparison_plan("mine.py:corner,room=3", make_game("othello"), games=20)
    assert plan.players == ("alphabeta:depth=3,eval=mine.py:corner,room=3",)
    assert plan.opponents == tuple(
        f"alphabeta:depth=3,eval={name}" for name in ("discs", "corners", "mobility", "stability", "othello")
    )
    assert (plan.name, plan.sides, plan.opening, plan.games) == ("corner", "both", 2, 20)
    plan.check(lambda spec: spec.replace("mine.py:corner,room=3", "corners"))


def test_alone_all_play_the_same_seeds_and_chance_has_its_own_search():
    plan = comparison_plan("uma1", make_game("2048"), ("uma4", "combined"), depth=2)
    assert plan.players == tuple(f"expectimax:depth=2,eval={name}" for name in ("uma1", "uma4", "combined"))
    assert plan.opponents == ()
    plan = comparison_plan("race", make_game("einstein"), ("choices",))
    assert plan.opponents == ("expectiminimax:depth=3,eval=choices",)


def test_a_game_without_evaluators_needs_a_name():
    with pytest.raises(BadInput, match="tictactoe has no evaluators to compare with: name some with --with"):
        comparison_plan("mine.py:f", make_game("tictactoe"))
