"""The style of the figures: legible from the back row of a classroom, in colours that colour-blind readers can tell
apart."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import altair as alt

from contienda.core.language import say
from contienda.lab.frames import pl

__all__ = ["WIDTH", "algorithm_colour", "bars", "finish", "for_screen", "name_axis", "name_colour"]

#: Pixels; the height follows from what is drawn.
WIDTH = 760

#: Okabe and Ito's colours (2008), the same algorithm in the same one everywhere.
_COLOURS = {
    "minimax": "#0072B2",
    "alphabeta": "#56B4E9",
    "expectimax": "#D55E00",
    "expectiminimax": "#E69F00",
    "mcts": "#009E73",
    "montecarlo": "#66C2A5",
    "astar": "#CC79A7",
    "backtracking": "#7A4B8C",
    "greedy": "#8C7A00",
    "random": "#999999",
}
_OTHERS = ["#000000", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7A4B8C", "#8C7A00", "#999999"]


def algorithm_colour(algorithms: Iterable[str]) -> alt.Color:
    """Colour by algorithm."""
    present = _in_order(algorithms)
    colours = [_COLOURS.get(name, "#000000") for name in present]
    legend = alt.Legend(orient="top", direction="horizontal") if len(present) > 1 else None
    return alt.Color(
        "algorithm:N",
        title=say("algorithm"),
        scale=alt.Scale(domain=present, range=colours),
        legend=legend,
    )


def _in_order(algorithms: Iterable[str]) -> list[str]:
    known = list(_COLOURS)
    return sorted(set(algorithms), key=lambda name: (known.index(name) if name in known else len(known), name))


def name_colour(names: Iterable[str]) -> alt.Color:
    """Colour by player, where several share an algorithm."""
    present = list(dict.fromkeys(names))
    colours = [_OTHERS[i % len(_OTHERS)] for i in range(len(present))]
    return alt.Color(
        "name:N",
        title=None,
        scale=alt.Scale(domain=present, range=colours),
        legend=alt.Legend(orient="bottom", columns=1 if len(present) < 5 else 2),
    )


def name_axis(**options: Any) -> alt.Axis:
    """An axis of players, with their full names."""
    return alt.Axis(title=None, labelLimit=600, **options)


def bars(
    means: pl.DataFrame,
    x: str,
    y: str,
    y_title: str,
    *,
    offset: str | None = None,
    width: int = WIDTH,
    height: int = 320,
    share: bool = False,
) -> Any:
    """Upright bars with their intervals, ``y_low`` and ``y_high``, side by side for each ``offset``.

    A ``share`` is written in per cent.
    """
    place: dict[str, Any] = {"x": alt.X(f"{x}:N", axis=alt.Axis(title=None, labelAngle=0, labelLimit=300))}
    if offset is not None:
        place["xOffset"] = alt.XOffset(f"{offset}:N", sort=_in_order(means[offset]))
    base = alt.Chart(means).encode(**place)
    axis: dict[str, Any] = {"axis": alt.Axis(format="%"), "scale": alt.Scale(domain=[0, 1.1])} if share else {}
    bar = base.mark_bar().encode(alt.Y(f"{y}:Q", title=y_title, **axis), algorithm_colour(means["algorithm"]))
    layers = [bar]
    if f"{y}_low" in means.columns:
        layers.append(base.mark_rule(strokeWidth=2).encode(alt.Y(f"{y}_low:Q", title=y_title), alt.Y2(f"{y}_high:Q")))
    top = alt.Y(f"{y}_high:Q" if f"{y}_high" in means.columns else f"{y}:Q")
    number = alt.Text(f"{y}:Q", format=".0%" if share else ",.3~r")
    layers.append(base.mark_text(baseline="bottom", dy=-4, fontSize=15).encode(top, text=number))
    return alt.layer(*layers).properties(width=width, height=height)


def finish(chart: Any, title: str, note: str = "") -> Any:
    """Return a chart with its title, a note on its marks, and legible text."""
    heading = alt.TitleParams(title, subtitle=note, anchor="start", fontSize=22, subtitleFontSize=15, offset=14)
    return (
        chart.properties(title=heading)
        .configure(font="DejaVu Sans, Arial, sans-serif", background="white")
        .configure_axis(labelFontSize=15, titleFontSize=16, titleFontWeight="normal", gridColor="#dddddd")
        .configure_legend(labelFontSize=15, titleFontSize=15, labelLimit=500, symbolSize=180)
        .configure_header(labelFontSize=16, titleFontSize=16)
        .configure_view(stroke=None)
    )


#: On dark backgrounds: the colour of texts and lines, and of what is grey on white.
_INK, _MUTED, _LINE = "#f1eee7", "#b8b3a8", "#3d434d"
_ON_DARK = {"#000000": _INK, "#555555": _MUTED, "#dddddd": _LINE}


def for_screen(spec: dict[str, Any], *, dark: bool) -> dict[str, Any]:
    """Return a chart for a page of the app: transparent, and with light text and lines on a dark page.

    >>> for_screen({"config": {"background": "white"}}, dark=False)
    {'config': {'background': 'transparent'}}
    """
    config = spec.get("config", {}) | {"background": "transparent"}
    if dark:
        labels = {"labelColor": _MUTED, "titleColor": _INK}
        config = {
            **config,
            "title": {**config.get("title", {}), "color": _INK, "subtitleColor": _MUTED},
            "axis": {**config.get("axis", {}), **labels, "domainColor": _MUTED, "tickColor": _MUTED},
            "legend": {**config.get("legend", {}), **labels},
            "header": {**config.get("header", {}), **labels},
            "text": {"color": _INK},
            "rule": {"color": _INK},
        }
    shown = spec | {"config": config}
    return _recoloured(shown) if dark else shown


def _recoloured(part: Any) -> Any:
    """Return the same with colours for a dark background; the data are unchanged, because they name no colours."""
    if isinstance(part, dict):
        return {key: value if key == "datasets" else _recoloured(value) for key, value in part.items()}
    if isinstance(part, list):
        return [_recoloured(each) for each in part]
    return _ON_DARK.get(part, part) if isinstance(part, str) else part
