"""The pages on the five documents give the figures of the results that come with the package, in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest

from contienda.lab.documents import DOCUMENTS
from contienda.lab.published_figures import ComparedLine, compare_with_published
from contienda.lab.shipped import shipped
from contienda.lab.table import table_of

DOCS = Path(__file__).parents[2] / "docs"
LANGUAGES = ("en", "es")


def page(document: str, language: str) -> str:
    folder = DOCS / ("en/documents" if language == "en" else "es/documentos")
    return re.sub(r"\s+", " ", (folder / f"{document}.md").read_text(encoding="utf-8"))


def said(number: float, language: str) -> str:
    """A whole number as its language writes it: 11,446 and 11.446; 4,203 and 4203."""
    text = f"{int(number + 0.5):,}"
    return text if language == "en" else text.replace(",", "" if number < 10_000 else ".")


def games_of(document: str) -> dict[str, pl.DataFrame]:
    """The games that came with the package, by experiment."""
    found = {each.plan.name: shipped(each.plan) for each in DOCUMENTS[document].experiments(False)}
    return {name: table_of(results) for name, results in found.items() if results is not None}


def lines_of(document: str) -> dict[str, list[ComparedLine]]:
    games = games_of(document)
    return {
        each.plan.name: compare_with_published(each, games[each.plan.name])
        for each in DOCUMENTS[document].experiments(False)
    }


def ours(line: ComparedLine) -> dict[str, float]:
    return {c.metric: c.ours.value for c in line.comparisons if c.ours is not None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_uc3m(language):
    games, text = games_of("uc3m"), page("uc3m", language)
    minimax = games["uc3m"].filter(pl.col("algorithm") == "minimax")
    for tile in (2048, 1024, 512, 256):
        share = round(100 * (minimax["max_tile"] == tile).mean())
        assert re.search(rf"{share} % (reached |llegó a |a )?{tile}", text), tile
    won = minimax.filter(pl.col("won"))
    v2 = games["uc3m-v2"].filter(pl.col("eval") == "uc3m-score-v2")
    seven = minimax.filter((pl.col("eval") == "uc3m-empty") & (pl.col("depth") == 7))
    for figure in (won["moves"].mean(), won["score"].mean(), v2["score"].mean(), seven["score"].mean()):
        assert said(figure, language) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_unicen(language):
    lines, text = lines_of("unicen"), page("unicen", language)
    for target in (2048, 4096, 8192):
        row = re.search(rf"\| {target} \|[^|]*\|[^|]*\|[^|]*\|[^|]*\|[^|]*\|", text).group()
        for line in lines[f"unicen-{target}"][:5]:
            # Halves may have been rounded either way.
            found = {said(ours(line)["nodes"] - less, language) for less in (0, 0.5)}
            assert any(each in row for each in found), (line.label, found)
            assert any(said(ours(line)["moves"] - less, language) in row for less in (0, 0.5)), line.label
    for line in lines["unicen-twos"]:
        assert said(ours(line)["nodes"], language) in text
        assert said(ours(line)["moves"], language) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_uja(language):
    found: dict[str, list[str]] = {}
    for line in lines_of("uja")["uja-costs"]:
        found.setdefault(line.label[0], []).append(said(ours(line)["nodes_per_move"], language))
    for levels, nodes in found.items():
        assert f"| {levels} | {' | '.join(['–'] * (5 - len(nodes)) + nodes)} |" in page("uja", language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_uma(language):
    text, games = page("uma", language), games_of("uma")["uma"]
    wins = [c for line in lines_of("uma")["uma"] for c in line.comparisons if c.metric == "wins"]
    inside, alike = sum(c.inside for c in wins), sum(c.p > 0.05 for c in wins)
    told = {"en": "Of {} published win rates, {} lie", "es": "De {} porcentajes publicados, {} caen"}[language]
    assert told.format(len(wins), inside) in text
    assert {"en": f"for {alike} chance", "es": f"en {alike} la diferencia"}[language] in text
    part = {"en": "only a part: {} of the {} games", "es": "solo una parte: {} de las {} partidas"}[language]
    plan = DOCUMENTS["uma"].experiments(False)[0].plan
    total = plan.games * len(plan.entrants)
    assert (part.format(said(len(games), language), said(total, language)) in text) is (len(games) < total)


def test_sampled_times_of_uma_are_of_searches_alone():
    """A game of the sample takes about as long for a node as the others of its player: none was compiled meanwhile."""
    plan = DOCUMENTS["uma"].experiments(False)[0].times
    table = table_of(shipped(plan)).with_columns(node=pl.col("seconds") / pl.col("nodes"))
    assert len(table) == 10 * len(plan.players)
    usual = table.with_columns(usual=pl.col("node").median().over("entrant"))
    assert usual.filter(pl.col("node") > 3 * pl.col("usual")).is_empty()


@pytest.mark.parametrize("language", LANGUAGES)
def test_ort(language):
    text = page("ort", language)
    lines = {line.label[:2]: ours(line) for line in lines_of("ort")["ort"]}
    for name in ("E1", "E3", "E6", "E7"):
        row = re.search(rf"\| {name}, [^|]*\|([^|]*\|){{6}}", text).group()
        own = [each.strip() for each in row.split("|")][3::2]
        figures = lines[name]
        assert own[:3] == [
            said(figures["max_tile"], language), said(figures["score"], language), f"{round(100 * figures['wins'])} %"
        ]  # fmt: skip
