"""The documents' experiments played again: each published figure beside ours, with its interval."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from contienda.lab.documents import DOCUMENTS, Experiment, Figure, Published
from contienda.lab.figures import figures_of, svg_of
from contienda.lab.report import html_table, interval, page
from contienda.lab.results import Results
from contienda.lab.run import Opening, Progress, run
from contienda.lab.statistics import Interval, mean_interval, share_interval
from contienda.lab.table import table_of, turns_of
from contienda.lab.where import Where, open_pool
from contienda.language import BadInput, Text, say

__all__ = [
    "METRICS",
    "Comparison",
    "Line",
    "compare_with_published",
    "document_names",
    "impossible_score",
    "reproduce",
    "reproduction_html",
    "times",
    "verdict",
]

#: What is compared, how it is called and written. Seconds differ with the machine: they give a factor instead.
METRICS: dict[str, tuple[Text, str]] = {
    "wins": (Text("won", "ganadas"), ".0%"),
    "score": (Text("score", "puntuación"), ",.0f"),
    "max_tile": (Text("largest tile", "ficha mayor"), ",.0f"),
    "moves": (Text("moves", "jugadas"), ",.0f"),
    "nodes": (Text("nodes", "nodos"), ",.0f"),
    "seconds": (Text("seconds", "segundos"), ",.3g"),
}

#: Differences this unlikely are not put down to luck.
_DOUBT = 0.05


@dataclass(frozen=True)
class Comparison:
    """A published figure and ours."""

    metric: str
    published: Figure
    ours: Interval
    inside: bool
    """The published figure lies within our interval."""
    p: float | None
    """How likely two samples differ so much by luck: Welch's test, or Fisher's for shares; none without a deviation."""


class Line(NamedTuple):
    """One player: the document's games and ours."""

    label: str
    name: str
    games: int
    comparisons: list[Comparison]
    faster: float | None
    """How many times faster a game is."""
    impossible: bool
    """The published score is too low for the published tile."""


def reproduce(
    names: list[str],
    folder: Path,
    where: Where,
    *,
    quick: bool = False,
    watch: Callable[[Progress], None] = lambda progress: None,
    stopped: Callable[[], bool] = lambda: False,
    opening: Opening = open_pool,
) -> dict[str, list[tuple[Experiment, Results]]]:
    """Play what is missing of these documents' experiments, each in a file of its own in the folder."""
    found: dict[str, list[tuple[Experiment, Results]]] = {}
    for name in names:
        for experiment in DOCUMENTS[name].experiments(quick):
            results = Results(folder / f"{experiment.plan.name}.sqlite", experiment.plan)
            found.setdefault(name, []).append((experiment, results))
            if not stopped():
                run(results, where, watch=watch, stopped=stopped, opening=opening)
    return found


def document_names(name: str) -> list[str]:
    """The documents that a user asks for by name: one, or all."""
    if name != "all" and name not in DOCUMENTS:
        known = ", ".join([*DOCUMENTS, "all"])
        raise BadInput(f"no document {name!r}: there are {known}", f"no hay documento {name!r}: hay {known}")
    return list(DOCUMENTS) if name == "all" else [name]


# --- Comparing -------------------------------------------------------------------------------------------------------


def compare_with_published(experiment: Experiment, table: pl.DataFrame) -> list[Line]:
    """Every player of whom something was published and who has played; in a game for two, against each opponent."""
    published = {line.player: line for line in experiment.published}
    return [_line(published[own["player"][0]], own) for own in table.partition_by("entrant", maintain_order=True)]


def _line(published: Published, own: pl.DataFrame) -> Line:
    comparisons = [_comparison(metric, figure, published.games, own) for metric, figure in published.figures.items()]
    seconds = published.figures.get("seconds")
    ours = float(own["seconds"].to_numpy().mean())
    opponent = own["opponent"][0]
    return Line(
        published.label if opponent is None else f"{published.label} – {opponent}",
        own["name"][0],
        len(own),
        comparisons,
        seconds.mean / ours if seconds is not None and ours > 0 else None,
        impossible_score(published.figures),
    )


def _comparison(metric: str, published: Figure, games: int, own: pl.DataFrame) -> Comparison:
    if metric == "wins":
        won = int(own["won"].sum())
        ours = share_interval(won, len(own))
        p: float | None = _fisher(round(published.mean * games), games, won, len(own))
    else:
        values = own[metric].to_numpy().astype(float)
        ours = mean_interval(values)
        p = None if published.sd is None else _welch(published.mean, published.sd, games, values)
    # A share that was published with two decimals is as good as ours.
    inside = ours.low - 5e-5 <= published.mean <= ours.high + 5e-5
    return Comparison(metric, published, ours, inside, p)


def _fisher(won: int, games: int, our_won: int, our_games: int) -> float:
    from scipy.stats import fisher_exact

    return float(fisher_exact([[won, games - won], [our_won, our_games - our_won]]).pvalue)


def _welch(mean: float, sd: float, games: int, values: np.ndarray[Any, Any]) -> float | None:
    from scipy.stats import ttest_ind_from_stats

    if len(values) < 2 or (sd == 0 and values.std() == 0):
        return None
    ours = (values.mean(), values.std(ddof=1), len(values))
    return float(ttest_ind_from_stats(mean, sd, games, *ours, equal_var=False).pvalue)


def impossible_score(figures: dict[str, Figure]) -> bool:
    """Whether a mean score is less than the mean largest tile takes.

    A tile 2^k made of 4s only takes merges worth (k − 2) × 2^k. That grows faster than the tile, so its mean over games
    is at least its value at the mean tile (Jensen's inequality).
    """
    if "score" not in figures or "max_tile" not in figures:
        return False
    tile = figures["max_tile"].mean
    return figures["score"].mean < tile * (math.log2(tile) - 2)


def verdict(lines: list[Line]) -> Text:
    """How many figures agree, and how many times faster games are."""
    compared = [c for line in lines for c in line.comparisons if c.metric != "seconds"]
    inside = sum(c.inside for c in compared)
    tested = [c.p for c in compared if c.p is not None]
    alike = sum(p > _DOUBT for p in tested)
    faster = [line.faster for line in lines if line.faster is not None]
    en = f"{inside} of {len(compared)} published figures lie within our intervals; "
    es = f"{inside} de {len(compared)} cifras publicadas caen en nuestros intervalos; "
    en += f"{alike} of {len(tested)} differ by no more than luck would make them (p > {_DOUBT})"
    es += f"{alike} de {len(tested)} no difieren más de lo que haría el azar (p > {_DOUBT})"
    if faster:
        low, middle, high = min(faster), median(faster), max(faster)
        en += f"; a game is {times(low)} to {times(high)} times faster, median {times(middle)}"
        es += f"; una partida va de {times(low)} a {times(high)} veces más rápida, mediana {times(middle)}"
    return Text(en, es)


def times(factor: float) -> str:
    """A factor, to two digits at least."""
    return f"{factor:,.0f}" if factor >= 10 else f"{factor:.2g}"


# --- Showing ---------------------------------------------------------------------------------------------------------


def reproduction_html(found: dict[str, list[tuple[Experiment, Results]]], draw: Callable[[Any], str] = svg_of) -> str:
    """All documents on one page; ``draw`` makes SVG of a chart."""
    parts = [
        "<p>"
        + say(
            "Each cell: the published figure, ours with its 95 % interval, ✓ if the published one lies within, and p, "
            "how likely luck alone makes two samples differ so much. The published figures are samples too.",
            "Cada celda: la cifra publicada, la nuestra con su intervalo del 95 %, ✓ si la publicada cae dentro, y p, "
            "lo probable que es que solo el azar separe tanto dos muestras. Las publicadas también son muestras.",
        )
        + "</p>"
    ]
    for name, experiments in found.items():
        document = DOCUMENTS[name]
        parts.append(f"<h2>{document.title}</h2>")
        parts += [f'<p class="note">{note}</p>' for note in document.notes]
        for experiment, results in experiments:
            table = table_of(results)
            lines = compare_with_published(experiment, table)
            parts += [f"<h3>{experiment.plan.name}</h3>", f"<p><b>{verdict(lines)}.</b></p>", _lines_table(lines)]
            charts = figures_of(table, turns_of(results))
            parts += [
                "<details><summary>" + say("Figures", "Figuras") + "</summary>",
                *(f"<figure>{draw(chart)}</figure>" for chart in charts.values()),
                "</details>",
            ]
    return page(say("The documents reproduced", "Los documentos reproducidos"), parts)


def _lines_table(lines: list[Line]) -> str:
    metrics = [c.metric for c in lines[0].comparisons] if lines else []
    headers = [say("player", "jugador"), say("games", "partidas"), *(str(METRICS[metric][0]) for metric in metrics)]
    rows = [
        [
            line.label,
            str(line.games),
            *(_cell(c, line) for c in line.comparisons),
            f"× {times(line.faster)}" if line.faster else "",
        ]
        for line in lines
    ]
    return html_table([*headers, say("faster", "más rápida")], rows)


def _cell(c: Comparison, line: Line) -> str:
    spec = METRICS[c.metric][1]
    text = f"{c.published.mean:{spec}}<br>{interval(c.ours, spec)}"
    if c.metric == "seconds":
        return text
    if c.metric == "score" and line.impossible:
        return text + f'<br><span class="no">{say("impossible", "imposible")}</span>'
    mark = '<span class="yes">✓</span>' if c.inside else '<span class="no">✗</span>'
    return text + f"<br>{mark}" + ("" if c.p is None else f" p = {c.p:.2g}")
