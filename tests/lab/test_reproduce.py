"""The documents reproduced: their experiments as they were, and the judgement on published figures."""

from __future__ import annotations

import os
import re
import sqlite3
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from drive import contienda
from scipy import stats

from contienda.cli.lab.reproduce import _cell
from contienda.compiled.stopping import Stop
from contienda.core.language import use_language
from contienda.games import make_game
from contienda.lab.documents import DOCUMENTS
from contienda.lab.documents.description import UNPUBLISHED, DocumentExperiment, Published, PublishedValue
from contienda.lab.figures import figures_of, svg_of
from contienda.lab.plan import Plan, WrongPlan
from contienda.lab.published_figures import changes_of, compare_with_published, verdict
from contienda.lab.reproduce import Reproduced, reproduce, reproduced
from contienda.lab.reproduction_page import reproduction_html
from contienda.lab.results import Outcome, Results
from contienda.lab.run import run
from contienda.lab.sampling import sampled
from contienda.lab.shipped import origin_of, pack_results, shipped
from contienda.lab.statistics import means_of
from contienda.lab.table import TurnTimes, table_of, turns_of
from contienda.lab.where import Where
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
    assert (uma.games, len(uma.players), uma.target) == (100, 3 * 4 * 4 + 2 * 4 * 3, 2048)
    for ort, depth in zip(plans("ort"), (3, 4), strict=True):
        assert (ort.games, len(ort.players), ort.target) == (20, 8, 2048)
        assert all(f"depth={depth}" in player for player in ort.players)
    agent, stronger, costs = plans("uja")
    assert len(costs.players) == 4 * 3 + 6 * 2  # minimax in three ways at four levels, alpha-beta in two at six
    for uja in (agent, stronger):
        assert (uja.games, len(uja.players), uja.sides) == (3, 6, "second")
    assert agent.players[0] == "alphabeta:depth=4,eval=uja,reuse=leaves,ends=heuristic"
    assert stronger.players[0] == "alphabeta:depth=4,eval=uja"
    assert [plan.target for plan in plans("unicen")] == [8192, 8192, 2048, 4096, 8192]
    assert "backtracking:eval=unicen-a,depth=4,horizon=printed" in plans("unicen")[2].players


#: A board on which whole games of depth 7 cost little.
SMALL = "2048:rows=2,columns=3"


@pytest.mark.parametrize(
    ("algorithm", "evaluator"),
    [
        pytest.param(algorithm, f"uma{number}", marks=() if cheap else pytest.mark.slow)
        for algorithm in ("minimax", "alphabeta", "expectimax")
        for number in (1, 2, 3, 4)
        for cheap in [number == 1 and algorithm == "minimax"]  # alphabeta has the same stand-ins
    ],
)
def test_stand_ins_make_the_same_moves_at_all_depths(algorithm, evaluator):
    """Whole games, move by move; on the board of 4 × 4 every sampled move is compared as it is played."""
    game = make_game(SMALL)
    for published in uma_lines():
        name, options = published.player.split(":")
        if (name, f"eval={evaluator}" in options) == (algorithm, True) and published.stand_in:
            played = [
                Match(game, [make_player(spec, game.until(64))], 64).play(seed=seed).actions
                for spec in (published.player, published.stand_in)
                for seed in (1, 2)
            ]
            assert played[:2] == played[2:]


def uma_lines() -> list[Published]:
    (uma,) = DOCUMENTS["uma"].experiments(False)
    return uma.published


def test_from_depth_5_on_others_play_umas_games():
    for line in uma_lines():
        depth = int(line.player.partition("depth=")[2][0])
        assert (line.stand_in is not None) == (depth >= 5)
    assert len([line for line in uma_lines() if line.stand_in]) == 3 * 4 * 3


def test_ties_are_settled_alike_where_moves_are_worth_the_same():
    """The first boards of a game have mirror images: two or four moves of one value, and one of them is played."""
    game = make_game("2048").until(2048)
    for text in (
        "2 0 0 2/0 0 0 0/0 0 0 0/2 0 0 2",
        "0 0 0 0/0 2 2 0/0 2 2 0/0 0 0 0",
        "0 0 0 0/0 2 0 0/0 0 2 0/0 0 0 0",
    ):
        state = game.parse(text)
        for evaluator, depth in (("uc3m-score", 2), ("uc3m-score", 3), ("uc3m-empty", 1), ("uc3m-empty", 3)):
            plain, standing = (
                make_player(f"{name},depth={depth},eval={evaluator}", game).analyse(state)
                for name in (
                    "minimax:ties=down-right-up-left",
                    "alphabeta:ties=down-right-up-left,table=on,order=killers",
                )
            )
            assert plain.best == standing.best
            assert [m.value for m in plain.moves] == [m.value for m in standing.moves]


def test_sampled_times_are_those_of_the_player_and_its_moves_are_compared(tmp_path):
    plan = Plan(
        "t",
        SMALL,
        ("minimax:depth=3,eval=uma1", "minimax:depth=2,eval=uma1"),
        games=2,
        target=64,
        stand_ins=("alphabeta:depth=3,eval=uma1,table=on,order=killers", "random"),
        sample=5,
    )
    results = Results(tmp_path / "t.sqlite", plan)
    run(results, Where())
    rows = table_of(results)
    own = [Match(game := make_game(SMALL), [make_player(plan.players[0], game.until(64))], 64).play(s) for s in (1, 2)]
    first = rows.filter(pl.col("entrant") == 0)
    assert first["moves"].to_list() == [played.moves for played in own]
    for row, played in zip(first.iter_rows(named=True), own, strict=True):
        assert 0.3 * played.nodes < row["nodes"] < 3 * played.nodes  # of five moves, where the game has dozens
        assert row["seconds"] > 0
    # The second makes other moves than its stand-in: it is found out, and is no result.
    assert [failure.entrant for failure in results.failures()] == [1, 1]
    assert "is not that of" in results.failures()[0].reason.into("en")


def test_compiling_is_no_part_of_a_sampled_time(monkeypatch):
    """Once the first move of the first game took 400 times as long as the others, and the mean was its."""
    game = make_game(SMALL).until(64)
    player, clock = make_player("minimax:depth=2,eval=uma1", game), [0.0]
    choose = player.choose

    def first_slowly(state, seat):
        clock[0] += 1 if clock[0] else 1000
        return choose(state, seat)

    monkeypatch.setattr(player, "choose", first_slowly)
    monkeypatch.setattr("contienda.lab.sampling.time", SimpleNamespace(perf_counter=lambda: clock[0]))
    stand_in = Match(game, [make_player("alphabeta:depth=2,eval=uma1,table=on,order=killers", game)], 64)
    assert set(sampled(stand_in, player, 1, 5, Stop()).move_seconds) == {1.0}


def test_a_plan_whose_stand_ins_do_not_fit_is_refused():
    for more in ({"stand_ins": ("random",)}, {"sample": 3}, {"stand_ins": ("random", "random"), "sample": 3}):
        with pytest.raises(WrongPlan, match="as many stand_ins"):
            Plan("x", "2048", ("greedy",), games=1, **more)


def test_what_came_with_the_package_is_read_as_results(tmp_path):
    """Packed and unpacked, every game is there, with the code that played it and the machine."""
    (uma,) = DOCUMENTS["uma"].experiments(False)
    results = Results(tmp_path / "uma.sqlite", uma.plan)
    results.begin("here", "c0de")
    results.add([Outcome(0, 1, "over", 100, 16, False, None, 30, 30, 0.5, "x")])
    results.end()
    results.begin("here", "a1de")  # a later run without games says nothing about them
    again = Results.from_bytes(results.compact(), tmp_path / "copy.sqlite")
    assert again.plan == uma.plan
    assert again.rows() == results.rows()
    origin = origin_of(again)
    assert (origin.code, origin.contienda, origin.cores) == ("c0de", results.runs()[0]["contienda"], os.cpu_count())
    results.add([Outcome(0, 2, "over", 100, 16, False, None, 30, 30, 0.5, "x")])
    both = origin_of(again, results)
    assert (both.code, both.ended) == ("c0de, a1de", None)
    (packed,) = [path for path in pack_results(tmp_path, tmp_path) if path.name == "uma.sqlite.xz"]
    assert packed.stat().st_size < 10_000


def test_quick_keeps_to_small_depths():
    for document in DOCUMENTS:
        for plan in plans(document, quick=True):
            assert plan.name.endswith("-quick")
            assert not any(f"depth={depth}" in player for player in plan.players for depth in (6, 7, 9))


def experiment_with(
    tmp_path, figures: dict[str, PublishedValue], scores: list[int]
) -> tuple[DocumentExperiment, Results]:
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
    return DocumentExperiment(plan, [Published("random", "Random", 10, figures)]), results


def played(experiment: DocumentExperiment, results: Results) -> Reproduced:
    return Reproduced(experiment, table_of(results), turns_of(results))


def test_figures_are_judged(tmp_path):
    scores = [1000, 1200, 1400, 1600, 1800, 2000, 2200, 2400]
    figures = {
        "wins": PublishedValue(0.3),
        "score": PublishedValue(1650.0, 400.0),
        "moves": PublishedValue(900.0, 3.0),
        "seconds": PublishedValue(20.0),
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
    text = verdict([line]).into("en")
    assert text.startswith("2 of 3 published figures lie within our intervals; 2 of 3 differ by no more than luck")
    assert "40 times faster" in text


def test_impossible_scores_are_told(tmp_path):
    # A 1024 of 4s alone takes 8 × 1024 points.
    for score, impossible in ((8191, True), (8193, False)):
        folder = tmp_path / str(score)
        figures = {"max_tile": PublishedValue(1024.0, 0.0), "score": PublishedValue(float(score), 10.0)}
        experiment, results = experiment_with(folder, figures, [1000, 2000])
        assert compare_with_published(experiment, table_of(results))[0].impossible is impossible
        assert ("impossible" in reproduction_html({"ort": [played(experiment, results)]})) is impossible


def test_every_score_of_ort_is_impossible():
    ort, _ = DOCUMENTS["ort"].experiments(False)
    for line in ort.published:
        tile, score = line.figures["max_tile"].mean, line.figures["score"].mean
        assert score < 2 * tile  # and a tile of 2^k takes k − 2 times itself


def test_what_each_way_costs_is_part_of_uja(tmp_path):
    """Nodes and time of the machine's own moves: it is second, so half of a game's moves are its own."""
    costs = DOCUMENTS["uja"].experiments(True)[2]
    results = Results(tmp_path / "uja-costs-quick.sqlite", costs.plan)
    results.begin("here", "0")
    results.add(
        [
            Outcome(number, seed, "over", None, None, True, 1, moves, 2616 * (moves // 2), 0.002 * (moves // 2), "x")
            for number in range(len(costs.plan.players))
            for seed, moves in ((1, 16), (2, 9))
        ]
    )
    lines = compare_with_published(costs, table_of(results))
    names = ["minimax", "minimax reuse=on", "minimax reuse=leaves", "alphabeta", "alphabeta reuse=leaves"]
    assert [line.label for line in lines] == [f"{levels} {name} – random" for levels in (4, 5) for name in names]
    nodes, ms = lines[0].comparisons
    assert (nodes.metric, nodes.ours.value) == ("nodes_per_move", 2616)
    assert (ms.metric, ms.ours.value) == ("ms_per_move", pytest.approx(2))
    page = reproduction_html({"uja": [played(costs, results)]}, lambda chart: "")
    assert "<td>4 minimax – random</td><td>2</td><td>–<br>2,616 <span" in page
    assert "faster" not in page


@pytest.fixture
def small_document(monkeypatch):
    """A document of three games that have just ended, whose times are shown."""
    figures = {"score": PublishedValue(100.0, 10.0), "seconds": PublishedValue(1.0, 0.1)}
    plan = Plan("small", "2048:rows=2,columns=2", ("random", "greedy:eval=none"), games=3, turns=True)
    published = [Published("random", "Random", 10, figures), Published("x", "X", 10, figures, "greedy:eval=none")]
    document = DOCUMENTS["uma"]._replace(experiments=lambda quick: [DocumentExperiment(plan, published)])
    monkeypatch.setitem(DOCUMENTS, "uma", document)


def test_times_are_measured_again_and_the_games_stay(tmp_path, small_document):
    reproduce(["uma"], tmp_path, Where())
    results = Results(tmp_path / "small.sqlite")
    before, turns = table_of(results), results.turns(0)
    assert contienda("lab", "reproduce", "uma", "--times", "--out", tmp_path, "--threads", 1).code == 0
    after = table_of(results)
    assert after.drop("seconds").equals(before.drop("seconds"))
    changed = (before["seconds"] != after["seconds"]).to_list()
    assert any(changed[:3])  # two times of a game this short may be the same
    assert not any(changed[3:])  # the times of those who stand in for others are not shown
    assert results.turns(0) != turns
    assert {path.name for path in tmp_path.glob("*.sqlite")} == {"small.sqlite"}
    # Who measured them is recorded: the first run, the one that found nothing to play, and the new times.
    assert len(results.runs()) == 3


def test_times_of_other_games_are_refused(tmp_path, small_document):
    reproduce(["uma"], tmp_path, Where())
    with sqlite3.connect(tmp_path / "small.sqlite") as database:
        database.execute("UPDATE results SET nodes = nodes + 1 WHERE entrant = 0 AND seed = '2'")
    refused = contienda("lab", "reproduce", "uma", "--times", "--out", tmp_path)
    assert refused.code == 2
    assert "with seed 2, random plays another game than before: delete the file to play again" in refused.complaint


def test_page_in_spanish(tmp_path):
    experiment, results = experiment_with(tmp_path, {"wins": PublishedValue(0.3)}, [1000, 3000])
    use_language("es")
    try:
        page = reproduction_html({"uma": [played(experiment, results)]})
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


def test_figures_that_were_never_published_stand_beside_the_others(tmp_path):
    """unicen's runs to 2048 and 4096: ours are shown, and nothing is judged by what nobody published."""
    experiment, results = experiment_with(tmp_path, {"wins": UNPUBLISHED, "score": UNPUBLISHED}, [1000, 3000])
    (line,) = compare_with_published(experiment, table_of(results))
    assert [c.p for c in line.comparisons] == [None, None]
    assert line.comparisons[1].ours.value == 2000
    assert verdict([line]).into("en") == "no figures were published of this"
    page = reproduction_html({"unicen": [played(experiment, results)]})
    assert "nan" not in page.partition("<svg")[0].lower()
    assert _cell(line.comparisons[1], line) == "–  2,000 \\[1,000, 3,000]"  # the command line
    notes = " ".join(note.into("en") for note in DOCUMENTS["unicen"].notes)
    assert "353,272 and 175,653" in notes
    # As its own table has it.
    runs = DOCUMENTS["unicen"].experiments(False)[0].published
    assert [round(line.figures["nodes"].mean) for line in runs] == [353_272, 175_653]


def test_export_writes_a_file_for_each_experiment_named_as_it_is(tmp_path):
    ort, _ = DOCUMENTS["ort"].experiments(False)
    results = Results(tmp_path / "ort.sqlite", ort.plan)
    results.begin("here", "0")
    turns = np.array([1.5, 2.5], np.float32).tobytes()
    results.add([Outcome(number, 1, "over", 1000, 128, False, None, 2, 20, 0.004, "x", turns) for number in (0, 3)])
    results.close()
    ran = contienda("lab", "export", tmp_path / "ort.sqlite", "--out", tmp_path / "csv")
    assert ran.code == 0, ran.err
    names = {path.name for path in (tmp_path / "csv").iterdir()}
    assert names == {"E1 Minimax_NoAB_simple_c1_d3.csv", "E4 Minimax_AB_simple_c1_d3.csv"}
    row = pl.read_csv(tmp_path / "csv" / "E4 Minimax_AB_simple_c1_d3.csv").row(0, named=True)
    assert (row["ms_per_move"], row["turns_ms"]) == (2.0, "1.5 2.5")


def test_figures_of_uma_name_the_documents_players_and_show_a_line_for_each_evaluator():
    (uma,) = DOCUMENTS["uma"].experiments(False)
    rows = [
        {"entrant": number, "player": player, "name": player, "opponent": None, "seed": seed, "source": None}
        | {"ended": "over", "score": 1000, "max_tile": 128, "won": seed == 1, "winner": None, "moves": 100}
        | {"nodes": 100, "seconds": 0.1, "host": "x", "algorithm": player.partition(":")[0]}
        | {"eval": player.partition("eval=")[2][:4], "depth": int(player.partition("depth=")[2][0])}
        for number, player in enumerate(uma.plan.players)
        for seed in (1, 2)
    ]
    games = pl.DataFrame(rows, schema_overrides={"entrant": pl.Int32, "opponent": pl.String, "winner": pl.Int64})
    assert uma.times is not None
    times = games.filter(pl.col("entrant") < len(uma.times.players)).with_columns(
        player=pl.Series([player for player in uma.times.players for _ in (1, 2)]),
        seconds=pl.lit(5.0),
        nodes=pl.lit(70_000),
    )
    shown = Reproduced(uma, games, TurnTimes(pl.DataFrame(), pl.DataFrame()), times).as_published()
    assert shown["name"].unique().sort().to_list() == sorted(line.player for line in uma.published)
    own = shown.filter(pl.col("player") == "minimax:depth=7,eval=uma1")
    assert own["seconds"].to_list() == [5.0, 5.0]
    assert own["nodes"].to_list() == [70_000, 70_000]  # minimax's own, and not those of its stand-in
    untimed = Reproduced(uma, games, TurnTimes(pl.DataFrame(), pl.DataFrame())).as_published()  # the sample comes last
    means = means_of(untimed).filter(pl.col("name") == "minimax:depth=7,eval=uma1")
    assert (means["wins"][0], means["seconds"][0], means["ms_per_move"][0]) == (0.5, None, None)
    assert "NaN" not in svg_of(figures_of(untimed)["time-of-evaluators"])
    charts = figures_of(shown)
    for name in ("wins-of-evaluators", "time-of-evaluators"):
        chart = charts[name].to_dict()
        assert chart["facet"]["sort"] == ["alphabeta", "minimax", "expectimax"]
        assert chart["spec"]["layer"][0]["encoding"]["color"]["sort"] == ["uma1", "uma2", "uma3", "uma4"]


def test_the_improvements_of_ort_absolute_and_in_per_cent(tmp_path):
    """The document's own: figure 3's table, from E4 to E6: +512 (66.7 %), +550 (39.0 %), +35 points, +91 s (91.3 %)."""
    ort, _ = DOCUMENTS["ort"].experiments(False)
    results = Results(tmp_path / "ort.sqlite", ort.plan)
    results.begin("here", "0")
    results.add(
        [
            Outcome(number, seed, "over", 1000 * (1 + number), 128, number == 5, None, 100, 20, 0.5, "x")
            for number in (3, 5)
            for seed in (1, 2)
        ]
    )
    lines = compare_with_published(ort, table_of(results))
    third = ort.improvements[2]
    told = {change.metric: change for change in changes_of(third, lines)}
    assert (told["max_tile"].published, told["score"].published) == (512, 550)
    assert told["max_tile"].published_share == pytest.approx(0.667, abs=5e-4)
    assert told["score"].published_share == pytest.approx(0.390, abs=5e-4)
    assert told["seconds"].published_share == pytest.approx(0.913, abs=5e-4)
    assert told["wins"].published == pytest.approx(0.35)
    assert told["wins"].published_share is None
    assert (told["score"].ours, told["score"].ours_share) == (2000.0, 0.5)
    page = reproduction_html({"ort": [played(ort, results)]}, lambda chart: "")
    assert "+512 (+66.7%)" in page.replace("\u00a0", "")
    assert changes_of(ort.improvements[0], lines) == []


def shipped_page(document: str) -> str:
    """The page of what came with the package; its figures are not drawn."""
    found = []
    for experiment in DOCUMENTS[document].experiments(False):
        results, times = (None if plan is None else shipped(plan) for plan in (experiment.plan, experiment.times))
        assert results is not None, experiment.plan.name
        found.append(reproduced(experiment, results, times))
    return reproduction_html({document: found}, lambda chart: "")


def test_every_table_and_figure_of_uc3m_is_there():
    page = shipped_page("uc3m")
    for title in (
        "uc3m: Tables 23 and 26, figures 13 and 19",
        "Table 21 and figure 12",
        "Table 22",
        "Table 24 and figure 14",
        "Table 25 and figure 18",
        "uc3m-v2: Table 29",
        "Figure 11: minimax",
    ):
        assert f">{title}" in page
    first = page.partition("<h3>uc3m-v2")[0]
    assert re.findall("<figcaption>Figure (.+?)</figcaption>", first) == ["11", "12, 18", "13, 19", "14", "15–17"]
    # The last columns of tables 21 and 25: all depths together. Their deviations are no deviations.
    for algorithm, score in (("minimax", "14,900"), ("astar", "433")):
        assert re.search(
            rf"<td>{algorithm}</td><td>90</td><td>[^/]+/span><br>[^/]+/span>[^/]*</td><td>{score}<br>", page
        )


@pytest.mark.parametrize(("document", "numbers"), [("uma", ("13–16", "17–19", "20", "21")), ("ort", tuple("12345678"))])
def test_every_figure_of_uma_and_ort_is_there(document, numbers):
    page = shipped_page(document)
    assert [f"<figcaption>Figure {each}</figcaption>" in page for each in numbers] == [True] * len(numbers)
