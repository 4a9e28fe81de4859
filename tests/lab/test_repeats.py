"""Games that repeat others are no evidence: plans of games for two have openings, and repeats count once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from contienda.compiled.stopping import Stop
from contienda.games import make_game
from contienda.lab.experiment import Experiment
from contienda.lab.openings import PairedMatch, course_of
from contienda.lab.plan import Plan
from contienda.lab.plan_file import plan_as_toml, plan_from_toml
from contienda.lab.remarks import remarks_on
from contienda.lab.report import report_html
from contienda.lab.results import Outcome, Results
from contienda.lab.run import run
from contienda.lab.statistics import compare, summarise
from contienda.lab.table import table_of
from contienda.lab.where import Where
from contienda.players import make_player
from contienda.web.searches.batches import Totals, play_some

WRITTEN = 'game = "{game}"\ngames = 10\nplayers = ["random"]\nopponents = ["random"]\n'


@pytest.mark.parametrize(
    ("game", "more", "sides", "opening"),
    [
        ("connect4", "", "both", 4),
        ("tictactoe", "", "both", 2),
        ("connect4", "opening = 0", "first", 0),
        ("connect4", 'sides = "second"', "second", 4),
        ("connect4", "opening = 6", "first", 6),
        ("einstein", "", "first", 0),  # the dice make every game different
    ],
)
def test_a_plan_of_a_game_for_two_has_openings_unless_it_says_otherwise(game, more, sides, opening):
    plan = plan_from_toml(WRITTEN.format(game=game) + more, "plan")
    assert (plan.sides, plan.opening) == (sides, opening)
    assert plan_from_toml(plan_as_toml(plan), "plan") == plan


def test_an_experiment_of_a_notebook_has_them_too_and_one_for_one_player_has_none(tmp_path):
    plan = Experiment("connect4", ["random"], ["alphabeta:depth=1"], path=tmp_path / "r.sqlite").plan
    assert (plan.sides, plan.opening) == ("both", 4)
    assert Experiment("2048", ["random"], path=tmp_path / "s.sqlite").plan.opening == 0


def _made_up(path, courses):
    """Results of two opponents: the first game of each is won, the others lost."""
    plan = Plan("made up", "connect4", ("alphabeta:depth=1",), ("random", "mcts"), games=len(courses), interval=None)
    results = Results(path, plan)
    results.begin("here", "0")
    results.add(
        [
            Outcome(entrant, seed, "over", None, None, number == 0, 1 + (number > 0), 9, 9, 0.1, "here", course=course)
            for entrant in (0, 1)
            for number, (seed, course) in enumerate(zip(plan.seeds(len(courses)), courses, strict=True))
        ]
    )
    return results


def test_games_that_repeat_others_count_once_in_figures_and_comparisons(tmp_path):
    results = _made_up(tmp_path / "r.sqlite", ["a", "b", "b", "b", "a"])
    table = table_of(results)
    assert table["repeated"].to_list() == [False, False, True, True, True] * 2
    assert [(each.games, each.wins.value) for each in summarise(table)] == [(2, 0.5)] * 2
    assert compare(table, 0, 1).games == 2
    told = [str(remark) for remark in remarks_on(results)]
    assert "6 games repeated others, move for move: they count once" in told
    assert "6 games repeated others, move for move: they count once" in report_html(results, table, [])


def test_a_file_without_courses_has_no_repeats(tmp_path):
    results = _made_up(tmp_path / "r.sqlite", ["a", "a"])
    results._db.execute("DROP TABLE courses")  # as earlier versions made it
    assert results.repeated() == set()
    assert [each.games for each in summarise(table_of(results))] == [2, 2]


def test_searches_repeat_themselves_without_openings_and_not_with_them(tmp_path):
    written = 'game = "connect4"\ngames = 6\nplayers = ["alphabeta:depth=1"]\nopponents = ["alphabeta:depth=2"]\n'
    plan = plan_from_toml(written, "plan")
    repeated = {}
    for opening in (0, plan.opening):
        own = replace(plan, sides="first", opening=opening)
        results = Results(tmp_path / f"{opening}.sqlite", own)
        run(results, Where("threads", 1))
        repeated[opening] = len(results.repeated())
        merged = Results(tmp_path / f"{opening}-merged.sqlite", own)
        merged.take_in(results)
        assert merged.repeated() == results.repeated()
    assert repeated == {0: 5, plan.opening: 0}


def test_luck_makes_no_repeats_even_of_the_same_moves():
    game = make_game("tictactoe")
    match = PairedMatch(game, [make_player("random", game), make_player("random", game)])
    assert (match.moves, course_of(match, match.play(1))) == (0, None)


def test_a_batch_of_the_app_opens_from_both_sides_and_counts_repeats_once():
    seeds = list(range(5, 11))
    for asked, opening, repeated in ((None, 4, 0), (0, 0, 5)):
        totals = Totals(len(seeds))
        some = play_some(
            "connect4", ("alphabeta:depth=1", "alphabeta:depth=2"), None, seeds, seeds[0], asked, stop=Stop()
        )
        totals.add(some)
        told = totals.report()
        assert (told["done"], told["opening"], told["repeated"]) == (6, opening, repeated)
        assert told["won"] + told["drawn"] + told["lost"] == 6 - repeated
