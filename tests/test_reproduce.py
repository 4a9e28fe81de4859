"""The documents reproduced: their experiments as they were, and the judgement on published figures."""

from __future__ import annotations

import polars as pl
import pytest
from drive import contienda
from scipy import stats

from contienda.games import make_game
from contienda.lab.documents import DOCUMENTS, Experiment, Figure, Published
from contienda.lab.plan import Plan
from contienda.lab.reproduce import compare_with_published, reproduction_html, verdict
from contienda.lab.results import Outcome, Results
from contienda.lab.table import table_of
from contienda.language import use_language
from contienda.match import Match
from contienda.players import make_player


def plans(document: str, quick: bool = False) -> list[Plan]:
    return [experiment.plan for experiment in DOCUMENTS[document].experiments(quick)]


def test_experiments_are_the_documents():
    minimax, v2 = plans("uc3m")
    assert (minimax.games, len(minimax.players), v2.games, len(v2.players)) == (15, 12, 10, 2)
    assert minimax.players[0] == "minimax:depth=5,eval=uc3m-score,opponent=twos,ties=down-right-up-left"
    assert v2.players[1] == "astar:depth=10,h=uc3m-empty-v2"
    (uma,) = plans("uma")
    assert (uma.games, len(uma.players), uma.target) == (100, 3 * 4 * 7, 2048)
    for ort, depth in zip(plans("ort"), (3, 4), strict=True):
        assert (ort.games, len(ort.players), ort.target) == (20, 8, 2048)
        assert all(f"depth={depth}" in player for player in ort.players)
    (uja,) = plans("uja")
    assert (uja.games, len(uja.players), uja.sides) == (3, 6, "second")
    assert [plan.target for plan in plans("unicen")] == [8192, 8192]


@pytest.mark.slow
def test_the_table_of_expectimax_changes_no_move():
    (uma,) = plans("uma")
    game = make_game("2048")
    with_table = [player for player in uma.players if "table=on" in player]
    assert len(with_table) == 4 * 3
    for spec in with_table[:2]:
        plain, tabled = (
            Match(game, [make_player(each, game)], 256).play(seed=3) for each in (spec.replace(",table=on", ""), spec)
        )
        assert tabled.actions == plain.actions
        assert tabled.nodes < plain.nodes


def test_quick_keeps_to_small_depths():
    for document in DOCUMENTS:
        for plan in plans(document, quick=True):
            assert plan.name.endswith("-quick")
            assert not any(f"depth={depth}" in player for player in plan.players for depth in (6, 7, 9))


def experiment_with(tmp_path, figures: dict[str, Figure], scores: list[int]) -> tuple[Experiment, Results]:
    """A document that says this of random, whose games had these scores."""
    plan = Plan("x", "2048", ("random",), games=len(scores), target=2048)
    results = Results(tmp_path / "r.sqlite", plan)
    results.begin("nowhere", "0")
    results.add(
        [
            Outcome(0, seed, "over", score, 128, score > 2000, None, 100 + seed, 100, 0.5, "x")
            for seed, score in zip(plan.seeds(len(scores)), scores, strict=True)
        ]
    )
    return Experiment(plan, [Published("random", "Random", 10, figures)]), results


def test_figures_are_judged(tmp_path):
    scores = [1000, 1200, 1400, 1600, 1800, 2000, 2200, 2400]
    figures = {
        "wins": Figure(0.3),
        "score": Figure(1650.0, 400.0),
        "moves": Figure(900.0, 3.0),
        "seconds": Figure(20.0),
    }
    experiment, results = experiment_with(tmp_path, figures, scores)
    (line,) = compare_with_published(experiment, table_of(results))
    wins, score, moves, _ = line.comparisons
    assert wins.inside
    assert wins.p == pytest.approx(stats.fisher_exact([[3, 7], [2, 6]]).pvalue)
    assert score.inside
    ours = pl.Series(scores)
    assert score.p == pytest.approx(
        stats.ttest_ind_from_stats(1650, 400, 10, ours.mean(), ours.std(), 8, equal_var=False).pvalue
    )
    assert not moves.inside
    assert moves.p < 1e-6
    assert line.faster == pytest.approx(40)
    assert not line.impossible
    text = verdict([line]).en
    assert text.startswith("2 of 3 published figures lie within our intervals; 2 of 3 differ by no more than luck")
    assert "40 times faster" in text


def test_impossible_scores_are_told(tmp_path):
    # A 1024 of 4s alone takes 8 × 1024 points.
    for score, impossible in ((8191, True), (8193, False)):
        folder = tmp_path / str(score)
        figures = {"max_tile": Figure(1024.0, 0.0), "score": Figure(float(score), 10.0)}
        experiment, results = experiment_with(folder, figures, [1000, 2000])
        assert compare_with_published(experiment, table_of(results))[0].impossible is impossible
        assert ("impossible" in reproduction_html({"ort": [(experiment, results)]})) is impossible


def test_every_score_of_ort_is_impossible():
    ort, _ = DOCUMENTS["ort"].experiments(False)
    for line in ort.published:
        tile, score = line.figures["max_tile"].mean, line.figures["score"].mean
        assert score < 2 * tile  # and a tile of 2^k takes k − 2 times itself


def test_page_in_spanish(tmp_path):
    experiment, results = experiment_with(tmp_path, {"wins": Figure(0.3)}, [1000, 3000])
    use_language("es")
    try:
        page = reproduction_html({"uma": [(experiment, results)]})
    finally:
        use_language("en")
    assert '<html lang="es">' in page
    assert "Los documentos reproducidos" in page


def test_unknown_document():
    complaint = contienda("lab", "reproduce", "mit").complaint
    assert complaint == "no document 'mit': there are uc3m, unicen, uja, uma, ort, all"


@pytest.mark.slow
def test_paths_to_8192_again(tmp_path):
    ran = contienda("lab", "reproduce", "unicen", "--quick", "--out", tmp_path, "--threads", 1)
    assert ran.code == 0, ran.err
    results = Results(tmp_path / "unicen-twos-quick.sqlite")
    table = table_of(results)
    assert table["won"].all()
    assert (table["moves"] > 4096).all()  # as in every published path
    assert "<svg" in (tmp_path / "unicen-quick.html").read_text()
    # Nothing is left to be played.
    before = len(results.runs())
    assert contienda("lab", "reproduce", "unicen", "--quick", "--out", tmp_path, "--threads", 1).code == 0
    assert table_of(results).equals(table)
    assert len(results.runs()) == before + 1


@pytest.mark.slow
def test_all_documents_quickly(tmp_path):
    ran = contienda("lab", "reproduce", "all", "--quick", "--out", tmp_path)
    assert ran.code == 0, ran.err
    page = (tmp_path / "all-quick.html").read_text()
    assert all(str(document.title) in page for document in DOCUMENTS.values())
    # Our win rates and uma's agree as two samples of the same should.
    (uma,) = DOCUMENTS["uma"].experiments(True)
    lines = compare_with_published(uma, table_of(Results(tmp_path / "uma-quick.sqlite")))
    wins = [c for line in lines for c in line.comparisons if c.metric == "wins"]
    assert sum(c.p > 0.05 for c in wins) >= 0.8 * len(wins)
