"""The table of players for a paper: ``contienda lab export RESULTS -o table.tex``."""

from __future__ import annotations

from contienda.core.language import bounds, number, say
from contienda.lab.results import Results
from contienda.lab.statistics import Interval, summarise
from contienda.lab.table import table_of

__all__ = ["players_latex"]

_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "_": r"\_", "%": r"\%", "&": r"\&", "#": r"\#", "$": r"\$",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
}  # fmt: skip


def players_latex(results: Results) -> str:
    """Return a ``tabular`` with a row for each player, best first; it needs the package booktabs."""
    summaries = sorted(summarise(table_of(results)), key=lambda summary: -summary.quality)
    scored = any(summary.score is not None for summary in summaries)
    headers = [say("player"), say("games"), *([say("mean score")] if scored else []), say("won"), say("nodes/move")]
    rows = []
    for s in summaries:
        score = [_interval(s.score, ",.0f") if s.score is not None else ""] if scored else []
        cells = [s.name, number(s.games), *score, _interval(s.wins, ",.1%"), number(s.nodes_per_move, ",.0f")]
        rows.append([_escaped(cell) for cell in cells])
    lines = [
        "% " + say("In brackets: 95 % intervals, bootstrap for means and Wilson for shares."),
        "% " + say("Needs {package}.", package=r"\usepackage{booktabs}"),
        rf"\begin{{tabular}}{{l{'r' * (len(headers) - 1)}}}",
        r"\toprule",
        " & ".join(map(_escaped, headers)) + r" \\",
        r"\midrule",
        *(" & ".join(row) + r" \\" for row in rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def _interval(found: Interval, form: str) -> str:
    return f"{number(found.value, form)} {bounds(found.low, found.high, form)}"


def _escaped(text: str) -> str:
    """Text that LaTeX prints as it is.

    >>> _escaped("alphabeta_2 50 %")
    'alphabeta\\\\_2 50 \\\\%'
    """
    return "".join(_SPECIAL.get(character, character) for character in text)
