"""The report of an experiment: one self-contained HTML page, without network or scripts."""

from __future__ import annotations

import html
import io
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from contienda.core.files import check_writable, make_folder, write_atomically
from contienda.core.language import BadInput, bounds, language, number, plural, say
from contienda.lab.documents import document_labels
from contienda.lab.figures import figures_of, save_figures, svg_of
from contienda.lab.frames import pl
from contienda.lab.remarks import remarks_on
from contienda.lab.results import Results
from contienda.lab.statistics import Interval, Summary, compare_all, frontier, recommend, summarise
from contienda.lab.table import table_of, turns_of

__all__ = ["export", "html_table", "interval", "page", "players_html", "report_html", "write_report"]

_STYLE = """
body { font: 17px/1.5 "DejaVu Sans", Arial, sans-serif; max-width: 1100px; margin: 2em auto; padding: 0 1em }
h1 { font-size: 1.8em } h2 { margin-top: 2em; border-bottom: 2px solid #0072B2 }
ul { overflow-wrap: anywhere } table { border-collapse: collapse; margin: 1em 0; font-variant-numeric: tabular-nums }
th, td { padding: .3em .7em; border-bottom: 1px solid #ddd; text-align: right; vertical-align: top }
th:first-child, td:first-child { text-align: left; overflow-wrap: anywhere; min-width: 9em }
th { border-bottom: 2px solid #888 }
.range { color: #666; font-size: .85em; white-space: nowrap } .yes { color: #00674d } .no { color: #a03c00 }
svg { max-width: 100%; height: auto } .wide { overflow-x: auto } .note { color: #555 }
"""


#: Failures that a report lists one by one.
_MOST_FAILURES = 100


def write_report(results: Results, path: Path, figures: Path | None = None) -> None:
    """Write the report to a file; with ``figures``, also every chart as SVG and PNG to that folder."""
    check_writable(path)
    table, turns = table_of(results), turns_of(results)
    charts = figures_of(table, turns)
    write_atomically(path, report_html(results, table, [svg_of(chart) for chart in charts.values()]))
    if figures is not None:
        save_figures(charts, figures)


#: Characters that some system forbids in file names.
_NO_FILE_NAME = '<>:"/\\|?*'


def report_html(results: Results, table: pl.DataFrame, drawings: Iterable[str]) -> str:
    """The whole page."""
    plan = results.plan
    summaries = sorted(summarise(table), key=lambda s: -s.quality)
    games = sum(summary.games for summary in summaries)
    target = "" if plan.target is None else say(", to {target}", target=plan.target)
    parts = [
        f"<p>{plan.game}{target}: {plural('{n} game', '{n:,} games', games)}.</p>",
        *(f'<p class="note">{_text(str(remark))}</p>' for remark in remarks_on(results)),
        f"<h2>{say('Players')}</h2>",
        players_html(summaries),
        f"<h2>{say('Which player to choose')}</h2>",
        html_table(
            [say("for"), say("player")],
            [[_text(str(found.scenario)), _text(str(found))] for found in recommend(summaries, table)],
        ),
        f"<h2>{say('The best minus the others')}</h2>",
        _differences(table, summaries),
        f"<h2>{say('Figures')}</h2>",
        *(f"<figure>{drawing}</figure>" for drawing in drawings),
        f"<h2>{say('Who played, when and with what')}</h2>",
        _runs(results),
        *_failures(results),
        *_sources(results),
    ]
    return page(plan.name, parts)


def page(title: str, parts: Sequence[str]) -> str:
    """Return a self-contained page."""
    return (
        f'<!doctype html>\n<html lang="{language()}"><head><meta charset="utf-8"><title>{_text(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head>\n'
        f"<body><main><h1>{_text(title)}</h1>\n" + "\n".join(parts) + "\n</main></body></html>\n"
    )


def html_table(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return an HTML table of cells that are already HTML."""
    head = "".join(f"<th>{header}</th>" for header in headers)
    body = "\n".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table></div>'


def players_html(summaries: list[Summary]) -> str:
    """A row for each player, as HTML."""
    line = {summary.entrant for summary in frontier(summaries)}
    scored = any(summary.score is not None for summary in summaries)
    headers = [say("player"), say("games")]
    if scored:
        headers += [say("mean score"), say("median"), say("deviation")]
        headers += [say("largest tile")]
    headers += [say("won"), say("moves"), say("nodes/move")]
    headers += [say("ms/move"), "◆"]
    rows = []
    for s in summaries:
        row = [_text(s.name), number(s.games)]
        if s.score is not None and s.max_tile is not None:
            row += [interval(s.score, ",.0f"), number(s.score_median or 0, ",.0f")]
            row += [number(s.score_sd or 0, ",.0f"), interval(s.max_tile, ",.0f")]
        row += [interval(s.wins, ",.1%"), interval(s.moves, ",.0f")]
        row += [number(s.nodes_per_move, ",.0f"), number(s.ms_per_move, ",.3g")]
        rows.append([*row, "◆" if s.entrant in line else ""])
    note = say(
        "In brackets: 95 % intervals, bootstrap for means and Wilson for shares. ◆ no player is better in less time."
    )
    return html_table(headers, rows) + f'<p class="note">{note}</p>'


def _differences(table: pl.DataFrame, summaries: list[Summary]) -> str:
    if len(summaries) < 2:
        return ""
    best = summaries[0]
    names = {summary.entrant: summary.name for summary in summaries[1:]}
    rows = []
    for found in compare_all(table, best.entrant, list(names)):
        shown = interval(found.difference, ",.0f" if best.score is not None else ",.1%")
        figures = number(found.effect, ",.2f"), number(found.p, ",.2g")
        rows.append([_text(names[found.second]), str(found.games), shown, *figures])
    headers = [say("other"), say("games"), say("difference"), "d", "p"]
    note = say(
        "The best is {name}; on the same seeds. d: mean of the differences by their standard deviation. "
        "p: Wilcoxon's signed ranks, corrected for the number of comparisons (Holm).",
        name=best.name,
    )
    return html_table(headers, rows) + f'<p class="note">{_text(note)}</p>'


def _runs(results: Results) -> str:
    rows = [
        [
            time.strftime("%Y-%m-%d %H:%M", time.localtime(run["begun"])),
            _text(run["place"]),
            f"{run['contienda']} ({run['code'][:8]})",
            f"Python {run['python']}, numba {run['numba']}, numpy {run['numpy']}",
            _text(f"{run['machine']}, {run['cores']} {say('cores')}"),
        ]
        for run in results.runs()
    ]
    headers = [say("begun"), say("where"), "Contienda", "", say("machine")]
    warning = ""
    if len({run["code"] for run in results.runs()}) > 1:
        warning = say("Several versions of the code took part: games may differ between them.")
    return html_table(headers, rows) + f'<p class="no">{warning}</p>'


def _failures(results: Results) -> list[str]:
    """Return the list of games that could not be played, which the figures leave out."""
    failures = results.failures()
    if not failures:
        return []
    entrants = results.plan.entrants
    rows = [
        [_text(str(entrants[each.entrant])), str(each.seed), _text(str(each.reason))]
        for each in failures[:_MOST_FAILURES]
    ]
    title = say("{count} games could not be played", count=len(failures))
    headers = [say("player"), say("seed"), say("reason")]
    return [f"<h2>{title}</h2>", html_table(headers, rows)]


def _sources(results: Results) -> list[str]:
    """Return the source of every heuristic that a user wrote."""
    sources = results.sources()
    if not sources:
        return []
    parts = [f"<h2>{say('Heuristics as they played')}</h2>"]
    for source in sources:
        parts.append(f"<p>{_text(source.place)}: {source.hash}</p>")
        for place, (name, text) in enumerate(source.files):
            title = source.place if place == 0 else name
            parts.append(f"<details><summary>{_text(title)}</summary><pre>{_text(_readable(text))}</pre></details>")
    return parts


def _readable(text: str) -> str:
    """Return a stored text without invalid characters."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def interval(found: Interval, spec: str) -> str:
    """A figure and its bounds, as HTML."""
    return f'{number(found.value, spec)} <span class="range">{bounds(found.low, found.high, spec)}</span>'


def _text(text: str) -> str:
    return html.escape(text)


def export_each(results: Results, folder: Path) -> list[Path]:
    """Write a CSV file for each experiment, under its name: its games, with the time per move and of each turn.

    An experiment of a document has the document's name, such as ``E4 Minimax_AB_simple_c1_d3.csv``.
    """
    make_folder(folder)
    names = document_labels(results.plan)
    written = []
    for own in table_of(results).partition_by("entrant", maintain_order=True):
        kept = results.turns(own["entrant"][0])
        turns = {seed: np.frombuffer(each, np.float32) for seed, each in kept.items()}
        told = own.with_columns(
            ms_per_move=1000 * pl.col("seconds") / pl.col("moves").clip(1),
            turns_ms=pl.Series([" ".join(f"{ms:.4g}" for ms in turns.get(seed, ())) for seed in own["seed"]]),
        )
        name = names.get(own["player"][0], own["name"][0])
        path = folder / f"{''.join('_' if each in _NO_FILE_NAME else each for each in name)}.csv"
        write_atomically(path, told.write_csv().encode())
        written.append(path)
    return written


def export(results: Results, path: Path) -> None:
    """Write every game as a row of a CSV or Parquet file, or the table of players for LaTeX, by the extension."""
    if path.suffix not in (".csv", ".parquet", ".tex"):
        raise BadInput("{name}: export writes .csv, .parquet or .tex", name=path.name)
    check_writable(path)
    if path.suffix == ".tex":
        from contienda.lab.latex import players_latex

        write_atomically(path, players_latex(results))
        return
    file = io.BytesIO()
    table = table_of(results)
    if path.suffix == ".csv":
        table.write_csv(file)
    else:
        table.write_parquet(file)
    write_atomically(path, file.getvalue())
