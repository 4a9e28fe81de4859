"""Shows reproduced documents: each published figure beside ours, on one HTML page."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from contienda.core.language import number, say
from contienda.lab.documents import DOCUMENTS, TIMED
from contienda.lab.figures import figures_of, svg_of
from contienda.lab.published_figures import (
    METRICS,
    Change,
    ComparedLine,
    Comparison,
    changes_of,
    compare_pooled,
    times,
    verdict,
)
from contienda.lab.report import html_table, interval, page
from contienda.lab.reproduce import Reproduced

__all__ = ["change_row", "reproduction_html"]


def reproduction_html(found: Mapping[str, Sequence[Reproduced]], draw: Callable[[Any], str] = svg_of) -> str:
    """All documents on one page; ``draw`` makes SVG of a chart."""
    parts = [
        "<p>"
        + say(
            "Each cell: the published figure, ours with its 95 % interval, ✓ if the published one lies "
            "within, and p, how likely luck alone makes two samples differ so much. The published figures "
            "are samples too."
        )
        + "</p>"
    ]
    for name, experiments in found.items():
        document = DOCUMENTS[name]
        parts.append(f"<h2>{document.title}</h2>")
        parts += [f'<p class="note">{note}</p>' for note in document.notes]
        for each in experiments:
            lines = each.lines()
            parts.append(f"<h3>{each.heading}</h3>")
            parts += [f"<p><b>{verdict(lines)}.</b></p>", _lines_table(lines)]
            for pooled, own in compare_pooled(each.experiment, each.games):
                parts += [f"<h4>{pooled.title}</h4>", _lines_table(own)] if own else []
            for improvement in each.experiment.improvements:
                rows = [change_row(change) for change in changes_of(improvement, lines)]
                headers = ["", say("published"), say("ours")]
                parts += [f"<h4>{improvement.title}</h4>", html_table(headers, rows)] if rows else []
            charts = figures_of(each.as_published(), each.turns)
            parts += [
                "<details><summary>" + say("Figures") + "</summary>",
                *(
                    f"<figure>{_caption(document.figures.get(figure))}{draw(charts[figure])}</figure>"
                    for figure in document.in_order(charts)
                ),
                "</details>",
            ]
    return page(say("The documents reproduced"), parts)


def _caption(numbers: str | None) -> str:
    """Which of the document's figures this corresponds to."""
    return "" if numbers is None else f"<figcaption>{say('Figure {numbers}', numbers=numbers)}</figcaption>"


def _lines_table(lines: list[ComparedLine]) -> str:
    metrics = [c.metric for c in lines[0].comparisons] if lines else []
    headers = [say("player"), say("games"), *(str(METRICS[metric][0]) for metric in metrics)]
    timed = any(line.faster for line in lines)
    rows = [
        [
            line.label,
            str(line.games),
            *(_cell(c, line) for c in line.comparisons),
            *([f"× {times(line.faster)}" if line.faster else ""] if timed else []),
        ]
        for line in lines
    ]
    return html_table([*headers, say("faster")] if timed else headers, rows)


def _cell(c: Comparison, line: ComparedLine) -> str:
    spec = METRICS[c.metric][1]
    unpublished = math.isnan(c.published.mean)
    if c.ours is None:
        return "–" if unpublished else number(c.published.mean, spec)
    theirs, ours = (
        "" if sd is None else f' <span class="range">± {number(sd, spec)}</span>' for sd in (c.published.sd, c.sd)
    )
    text = f"{'–' if unpublished else number(c.published.mean, spec)}{theirs}<br>{interval(c.ours, spec)}{ours}"
    if c.metric in TIMED or unpublished:
        return text
    if c.metric == "score" and line.impossible:
        return text + f'<br><span class="no">{say("impossible")}</span>'
    mark = '<span class="yes">✓</span>' if c.inside else '<span class="no">✗</span>'
    return text + f"<br>{mark}" + ("" if c.p is None else f" p = {number(c.p, ',.2g')}")


def change_row(change: Change) -> list[str]:
    """Return a row of a table: the figure, and the published change and ours, each absolute and in per cent."""
    title, spec = METRICS[change.metric]
    return [
        str(title),
        _gain(change.published, change.published_share, spec),
        _gain(change.ours, change.ours_share, spec),
    ]


def _gain(gain: float | None, share: float | None, spec: str) -> str:
    if gain is None:
        return "–"
    percent = "" if share is None else f" ({number(share, '+,.1%')})"
    return number(gain, f"+{spec}") + percent
