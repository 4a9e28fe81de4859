"""The lab's output: statistics, figures, reports, exports."""

from __future__ import annotations

import json
import re
from contextvars import copy_context

import numpy as np
import polars as pl
import pytest
import scipy
from drive import contienda
from lab_games import ORT, UMA, made_up

from contienda.core.language import use_language
from contienda.lab.figures import all_figures, figures_of, svg_of
from contienda.lab.plan import Plan
from contienda.lab.results import Outcome, Results
from contienda.lab.statistics import (
    compare,
    compare_all,
    frontier,
    mean_interval,
    means_of,
    recommend,
    share_interval,
    summarise,
)
from contienda.lab.table import table_of, turns_of

# --- Statistics ------------------------------------------------------------------------------------------------------


def test_share_interval_is_wilsons():
    for count_, total in ((0, 10), (8, 10), (35, 100), (100, 100)):
        interval = share_interval(count_, total)
        z, share = scipy.stats.norm.ppf(0.975), count_ / total
        middle = (share + z * z / (2 * total)) / (1 + z * z / total)
        half = z / (1 + z * z / total) * (share * (1 - share) / total + z * z / (4 * total * total)) ** 0.5
        assert interval.low == pytest.approx(max(middle - half, 0), abs=1e-12)
        assert interval.high == pytest.approx(min(middle + half, 1), abs=1e-12)


@pytest.mark.parametrize("size", [200, 20_000])
def test_mean_interval_is_near_students_on_normal_values(size):
    values = np.random.default_rng(1).normal(100, 15, size)
    interval = mean_interval(values)
    low, high = scipy.stats.t.interval(0.95, size - 1, values.mean(), scipy.stats.sem(values))
    assert interval.value == pytest.approx(values.mean())
    assert interval.low == pytest.approx(low, abs=0.1 * (high - low))
    assert interval.high == pytest.approx(high, abs=0.1 * (high - low))


def made_table(**scores: list[int]) -> pl.DataFrame:
    """A table of made-up games: scores of each player, whose time is the length of its name."""
    return pl.DataFrame(
        [
            {
                "entrant": e, "name": name, "seed": seed, "score": score, "max_tile": 2 ** (score // 100),
                "won": score > 300, "winner": None, "moves": 10, "nodes": 30, "seconds": 0.01 * len(name),
            }
            for e, (name, own) in enumerate(scores.items())
            for seed, score in enumerate(own)
        ],
        schema_overrides={"winner": pl.Int64},
    )  # fmt: skip


def test_summary():
    summary = summarise(made_table(a=[100, 200, 300, 400]))[0]
    assert summary.score.value == 250
    assert summary.score_sd == pytest.approx(129.0994)
    assert summary.score_median == 250
    assert summary.wins.value == 0.25
    assert summary.tiles == {2: 1, 4: 1, 8: 1, 16: 1}
    assert summary.nodes_per_move == 3
    assert summary.ms_per_move == pytest.approx(1)


def test_differences_are_paired():
    rng = np.random.default_rng(2)
    luck = rng.integers(0, 5000, 30)
    ours, theirs = luck + rng.integers(0, 60, 30), luck
    found = compare(made_table(a=ours.tolist(), b=theirs.tolist()[:20]), 0, 1)
    differences = (ours - theirs)[:20]
    assert found.games == 20
    assert found.difference.value == differences.mean()
    assert found.effect == pytest.approx(differences.mean() / differences.std(ddof=1))
    assert found.p == scipy.stats.wilcoxon(differences).pvalue
    assert found.difference.low > 0  # though the luck of the seeds is a hundred times larger
    assert compare(made_table(a=[1, 2], b=[1, 2]), 0, 1).p == 1


def test_frontier_and_recommendation():
    table = made_table(a=[100, 120], bb=[90, 90], expectimax=[400, 420], expectiminimax=[390, 390], ccc=[300, 320])
    summaries = summarise(table)
    assert [s.name for s in frontier(summaries)] == ["a", "ccc", "expectimax"]
    found = {str(r.scenario).split(":")[0].split(",")[0]: r.summary.name for r in recommend(summaries, table)}
    assert found["best play"] == "expectimax"
    assert found["speed first"] == "ccc"
    assert found["research"] == "expectimax"


def test_what_is_not_shown_to_be_better_is_said():
    # 17 games in which one is always better, and one that only seems to be.
    table = made_table(a=range(100, 117), b=range(50, 67), c=[116 - i for i in range(17)])
    (best, *_) = recommend(summarise(table), table)
    assert best.summary.name == "a"
    assert best.equals == ("c",)
    assert str(best) == "no difference shown between a, c"


def test_many_comparisons_are_corrected_after_holm():
    rng = np.random.default_rng(4)
    table = made_table(**{f"p{i}": (rng.normal(i / 3, 1, 40) * 1000).astype(int).tolist() for i in range(4)})
    raw = [compare(table, 0, other).p for other in (1, 2, 3)]
    held = [difference.p for difference in compare_all(table, 0, [1, 2, 3])]
    order = sorted(range(3), key=raw.__getitem__)
    assert held[order[0]] == pytest.approx(min(1, 3 * raw[order[0]]))
    assert held[order[1]] == pytest.approx(min(1, max(held[order[0]], 2 * raw[order[1]])))
    assert held[order[2]] == pytest.approx(min(1, max(held[order[1]], raw[order[2]])))


# --- Figures and reports ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def experiments(tmp_path_factory) -> dict[str, Results]:
    folder = tmp_path_factory.mktemp("made-up")
    some = tuple(
        player for player in UMA if re.search("depth=[12],eval=uma[12]", player)
    )  # few: they are drawn quickly
    return {"ort": made_up(folder / "ort.sqlite", ORT), "uma": made_up(folder / "uma.sqlite", some, games=4)}


EXPECTED = {
    "ort": {"overview", "quality-and-speed", "efficiency", "alphabeta", "weights", "evaluators", "expectimax-minimax",
            "expectimax", "largest-tiles", "time-per-move", "time-per-move-linear", "time-per-move-won"},
    "uma": {"overview", "quality-and-speed", "efficiency", "alphabeta", "evaluators", "expectimax-minimax",
            "expectimax", "largest-tiles", "time-per-move", "time-per-move-linear", "time-per-move-won",
            "wins-by-depth", "time-by-depth", "score-by-depth", "score-by-depth-pooled", "score-by-depth-lost",
            "wins-of-evaluators", "time-of-evaluators"},
}  # fmt: skip


@pytest.mark.parametrize("name", [pytest.param("ort", marks=pytest.mark.slow), "uma"])
def test_every_figure_is_drawn_in_both_languages(experiments, name):
    results = experiments[name]
    charts = figures_of(table_of(results), turns_of(results))
    assert set(charts) == EXPECTED[name]
    use = copy_context()
    use.run(use_language, "es")
    spanish = use.run(figures_of, table_of(results), turns_of(results))
    for key, chart in charts.items():
        svg = svg_of(chart)
        assert svg.startswith("<svg")
        assert "http" not in svg.replace("http://www.w3.org/", "")
        assert spanish[key].to_dict() != chart.to_dict()


def test_overview_names_everybody(experiments):
    svg = svg_of(all_figures()["overview"].draw(means_of(table_of(experiments["ort"]))))
    assert all(player in svg for player in ORT)


def test_figures_of_ort_show_every_measure_of_the_document(experiments):
    """Tile, score, time and win rate: fields of the axes of each figure's panels."""
    charts = figures_of(table_of(experiments["ort"]))
    measures = {"max_tile", "quality", "wins", "seconds"}
    for name in ("overview", "weights", "evaluators", "expectimax-minimax", "expectimax"):
        assert measures <= _fields(charts[name]), name
    assert {"max_tile", "quality", "wins", "ms_per_move", "nodes_per_move"} <= _fields(charts["alphabeta"])
    assert {"max_tile", "seconds", "quality", "ms_per_move"} <= _fields(charts["quality-and-speed"])


def _fields(chart) -> set[str]:
    return set(re.findall(r'"field": "(\w+)"', json.dumps(chart.to_dict())))


def test_games_for_two_have_figures_too(tmp_path):
    results = Results(tmp_path / "r.sqlite", Plan("x", "connect4", ("random", "greedy"), ("random",), games=6))
    results.begin("nowhere", "0")
    results.add(
        [
            Outcome(e, s, "over", None, None, s < 3, 1 if s < 3 else 2, 20, 20, 0.1, "x")
            for e in (0, 1)
            for s in range(1, 7)
        ]
    )
    charts = figures_of(table_of(results))
    assert set(charts) == {"overview", "quality-and-speed"}
    assert "share of games won" in svg_of(charts["overview"])


def test_report_is_one_page_that_holds_everything(tmp_path):
    results = made_up(tmp_path / "pair.sqlite", ORT[::3][:2])  # one evaluator, with minimax and with alpha-beta
    names = set(figures_of(table_of(results), turns_of(results)))
    assert {"overview", "quality-and-speed", "alphabeta", "largest-tiles", "time-per-move"} <= names
    report = tmp_path / "report.html"
    ran = contienda("lab", "report", results.path, "-o", report, "--figures", tmp_path / "figures")
    assert ran.out.strip() == str(report)
    text = report.read_text()
    assert text.count("<svg") == len(names)
    assert "<script" not in text
    assert not re.findall(r"(?:src|href)=[\"']?(?!#)", text)
    best = max(summarise(table_of(results)), key=lambda s: s.quality)
    assert f"{best.score.value:,.0f}" in text
    assert {path.stem for path in (tmp_path / "figures").glob("*.png")} == names


def test_notebook_shows_the_players(experiments):
    shown = experiments["ort"]._repr_html_()
    assert shown.count("<tr>") == 1 + len(ORT)


def test_report_of_an_experiment_without_games(tmp_path):
    Results(tmp_path / "r.sqlite", Plan("x", "2048", ("random",), games=6))
    assert contienda("lab", "report", tmp_path / "r.sqlite").code == 0
    assert contienda("lab", "status", tmp_path / "r.sqlite").code == 0


def test_export_and_read_back(experiments, tmp_path):
    results = experiments["ort"]
    for name, read in (("r.csv", pl.read_csv), ("r.parquet", pl.read_parquet)):
        assert contienda("lab", "export", results.path, "-o", tmp_path / name).code == 0
        back = read(tmp_path / name)
        assert back["score"].to_list() == table_of(results)["score"].to_list()
        assert back["eval"][0] == "ort-simple-1"
    assert contienda("lab", "export", results.path, "-o", tmp_path / "r.tex").code == 0
    rows = (tmp_path / "r.tex").read_text(encoding="utf-8").splitlines()
    assert next(row.split(" & ")[0] for row in rows if row.endswith(r"\\")) == "player"
    assert sum(row.endswith(r"\\") for row in rows) == 1 + len(results.plan.entrants)
    assert "export writes .csv, .parquet or .tex" in contienda("lab", "export", results.path, "-o", "r.xlsx").complaint
