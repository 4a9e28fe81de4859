"""A report of an experiment: one HTML page that holds all it shows, and needs neither network nor scripts."""

from __future__ import annotations

import html
import io
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

import polars as pl

from contienda.lab.figures import figures_of, save_figures, svg_of
from contienda.lab.results import Results
from contienda.lab.statistics import Interval, Summary, compare, frontier, recommend, summarise
from contienda.lab.table import table_of, turns_of
from contienda.language import BadInput, language, say
from contienda.record import check_writable, write_atomically

__all__ = ["export", "html_table", "interval", "page", "players_html", "report_html", "write_report"]

_STYLE = """
body { font: 17px/1.5 "DejaVu Sans", Arial, sans-serif; max-width: 1100px; margin: 2em auto; padding: 0 1em }
h1 { font-size: 1.8em } h2 { margin-top: 2em; border-bottom: 2px solid #0072B2 }
table { border-collapse: collapse; margin: 1em 0; font-variant-numeric: tabular-nums }
th, td { padding: .3em .7em; border-bottom: 1px solid #ddd; text-align: right; vertical-align: top }
th:first-child, td:first-child { text-align: left; overflow-wrap: anywhere } th { border-bottom: 2px solid #888 }
.range { color: #666; font-size: .85em; white-space: nowrap } .yes { color: #00674d } .no { color: #a03c00 }
svg { max-width: 100%; height: auto } .wide { overflow-x: auto } .note { color: #555 }
"""


#: Failures that a report lists one by one.
_MOST_FAILURES = 100


def write_report(results: Results, path: Path, figures: Path | None = None) -> None:
    """The report as a file; with ``figures`` every chart as SVG and PNG in that folder too."""
    check_writable(path)
    table, turns = table_of(results), turns_of(results)
    charts = figures_of(table, turns)
    write_atomically(path, report_html(results, table, [svg_of(chart) for chart in charts.values()]))
    if figures is not None:
        save_figures(charts, figures)


def report_html(results: Results, table: pl.DataFrame, drawings: Iterable[str]) -> str:
    """The whole page."""
    plan = results.plan
    summaries = sorted(summarise(table), key=lambda s: -s.quality)
    games = sum(summary.games for summary in summaries)
    target = "" if plan.target is None else say(f", to {plan.target}", f", hasta {plan.target}")
    parts = [
        f"<p>{plan.game}{target}: {games:,} {say('games', 'partidas')}.</p>",
        f"<h2>{say('Players', 'Jugadores')}</h2>",
        players_html(summaries),
        f"<h2>{say('Whom to take for what', 'A quién elegir para qué')}</h2>",
        html_table(
            [say("for", "para"), say("player", "jugador")],
            [[_text(str(scenario)), _text(summary.name)] for scenario, summary in recommend(summaries)],
        ),
        f"<h2>{say('The best less the others', 'El mejor menos los demás')}</h2>",
        _differences(table, summaries),
        f"<h2>{say('Figures', 'Figuras')}</h2>",
        *(f"<figure>{drawing}</figure>" for drawing in drawings),
        f"<h2>{say('Who played, when and with what', 'Quién jugó, cuándo y con qué')}</h2>",
        _runs(results),
        *_failures(results),
        *_sources(results),
    ]
    return page(plan.name, parts)


def page(title: str, parts: Sequence[str]) -> str:
    """A page that stands by itself."""
    return (
        f'<!doctype html>\n<html lang="{language()}"><head><meta charset="utf-8"><title>{_text(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head>\n'
        f"<body><h1>{_text(title)}</h1>\n" + "\n".join(parts) + "\n</body></html>\n"
    )


def html_table(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells that are HTML already."""
    head = "".join(f"<th>{header}</th>" for header in headers)
    body = "\n".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table></div>'


def players_html(summaries: list[Summary]) -> str:
    """A row for each player, as HTML."""
    line = {summary.entrant for summary in frontier(summaries)}
    scored = any(summary.score is not None for summary in summaries)
    headers = [say("player", "jugador"), say("games", "partidas")]
    if scored:
        headers += [say("mean score", "puntuación media"), say("median", "mediana"), say("deviation", "desviación")]
        headers += [say("largest tile", "ficha mayor")]
    headers += [say("won", "ganadas"), say("moves", "jugadas"), say("nodes/move", "nodos/jugada")]
    headers += [say("ms/move", "ms/jugada"), "◆"]
    rows = []
    for s in summaries:
        row = [_text(s.name), f"{s.games:,}"]
        if s.score is not None and s.max_tile is not None:
            row += [interval(s.score, ",.0f"), f"{s.score_median:,.0f}", f"{s.score_sd:,.0f}"]
            row += [interval(s.max_tile, ",.0f")]
        row += [interval(s.wins, ".1%"), interval(s.moves, ",.0f"), f"{s.nodes_per_move:,.0f}", f"{s.ms_per_move:.3g}"]
        rows.append([*row, "◆" if s.entrant in line else ""])
    note = say(
        "In brackets 95 % intervals: bootstrap for means, Wilson for shares. ◆ nobody is better in less time.",
        "Entre corchetes, intervalos del 95 %: bootstrap para medias, Wilson para proporciones. ◆ nadie es mejor en "
        "menos tiempo.",
    )
    return html_table(headers, rows) + f'<p class="note">{note}</p>'


def _differences(table: pl.DataFrame, summaries: list[Summary]) -> str:
    if len(summaries) < 2:
        return ""
    best = summaries[0]
    rows = []
    for other in summaries[1:]:
        found = compare(table, best.entrant, other.entrant)
        if found is not None:
            shown = interval(found.difference, ",.0f" if best.score is not None else ".1%")
            rows.append([_text(other.name), str(found.games), shown, f"{found.effect:.2f}", f"{found.p:.2g}"])
    headers = [say("other", "otro"), say("games", "partidas"), say("difference", "diferencia"), "d", "p"]
    note = say(
        f"The best is {best.name}; on the same seeds. d: mean of the differences by their standard deviation. "
        "p: Wilcoxon's signed ranks.",
        f"El mejor es {best.name}; con las mismas semillas. d: media de las diferencias entre su desviación. "
        "p: rangos con signo de Wilcoxon.",
    )
    return html_table(headers, rows) + f'<p class="note">{_text(note)}</p>'


def _runs(results: Results) -> str:
    rows = [
        [
            time.strftime("%Y-%m-%d %H:%M", time.localtime(run["begun"])),
            _text(run["place"]),
            f"{run['contienda']} ({run['code'][:8]})",
            f"Python {run['python']}, numba {run['numba']}, numpy {run['numpy']}",
            _text(f"{run['machine']}, {run['cores']} {say('cores', 'núcleos')}"),
        ]
        for run in results.runs()
    ]
    headers = [say("begun", "comienzo"), say("where", "dónde"), "Contienda", "", say("machine", "máquina")]
    warning = ""
    if len({run["code"] for run in results.runs()}) > 1:
        warning = say(
            "Several versions of the code took part: games may differ between them.",
            "Intervinieron varias versiones del código: las partidas pueden diferir entre ellas.",
        )
    return html_table(headers, rows) + f'<p class="no">{warning}</p>'


def _failures(results: Results) -> list[str]:
    """The games that could not be played, if there are any: the figures do without them."""
    failures = results.failures()
    if not failures:
        return []
    entrants = results.plan.entrants
    rows = [
        [_text(str(entrants[each.entrant])), str(each.seed), _text(str(each.reason))]
        for each in failures[:_MOST_FAILURES]
    ]
    title = say(f"{len(failures)} games could not be played", f"{len(failures)} partidas no se pudieron jugar")
    headers = [say("player", "jugador"), say("seed", "semilla"), say("reason", "motivo")]
    return [f"<h2>{title}</h2>", html_table(headers, rows)]


def _sources(results: Results) -> list[str]:
    """The text of every heuristic that a user wrote: what played under its name."""
    sources = results.sources()
    if not sources:
        return []
    parts = [f"<h2>{say('Heuristics as they played', 'Heurísticas, tal como jugaron')}</h2>"]
    for source in sources:
        parts.append(f"<p>{_text(source.place)}: {source.hash}</p>")
        for number, (name, text) in enumerate(source.files):
            title = source.place if number == 0 else name
            parts.append(f"<details><summary>{_text(title)}</summary><pre>{_text(_readable(text))}</pre></details>")
    return parts


def _readable(text: str) -> str:
    """A kept text without what is no character."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def interval(found: Interval, spec: str) -> str:
    """A figure and its bounds, as HTML."""
    return f'{found.value:{spec}} <span class="range">[{found.low:{spec}}, {found.high:{spec}}]</span>'


def _text(text: str) -> str:
    return html.escape(text)


def export(results: Results, path: Path) -> None:
    """Every game as a row of a CSV or Parquet file, by the ending of its name."""
    if path.suffix not in (".csv", ".parquet"):
        raise BadInput(f"{path.name}: export writes .csv or .parquet", f"{path.name}: export escribe .csv o .parquet")
    check_writable(path)
    file = io.BytesIO()
    table = table_of(results)
    if path.suffix == ".csv":
        table.write_csv(file)
    else:
        table.write_parquet(file)
    write_atomically(path, file.getvalue())
