"""Every figure by its name: one function from a table to a chart, for reports, notebooks and the app alike.

To add a figure, write a function decorated with `figure` in a module of this folder.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

from contienda.core.language import Text
from contienda.lab.frames import pl
from contienda.lab.statistics import means_of
from contienda.lab.table import TurnTimes, counted

__all__ = ["Figure", "all_figures", "figure", "figures_of", "save_figures", "svg_of"]

Draw = TypeVar("Draw", bound=Callable[[Any], Any])


class Figure(NamedTuple):
    """A chart that games may have data for."""

    title: Text
    draw: Callable[[Any], Any]
    """A function from a table to its chart; None if the table has nothing to compare in this way."""
    of: Literal["means", "games", "turns"]
    """What it draws: the means of each player (`means_of`), the table of games, or the time of moves (`TurnTimes`)."""


_figures: dict[str, Figure] = {}


def figure(name: str, title: Text, of: Literal["means", "games", "turns"] = "means") -> Callable[[Draw], Draw]:
    """Register a function as a figure, under a name for files and URLs."""

    def enter(draw: Draw) -> Draw:
        _figures[name] = Figure(title, draw, of)
        return draw

    return enter


def all_figures() -> dict[str, Figure]:
    """Return every figure by its name, in the order of the files."""
    for module in pkgutil.iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")
    return _figures


def figures_of(table: pl.DataFrame, turns: TurnTimes | None = None) -> dict[str, Any]:
    """Return the charts that these games can fill; ``turns`` has the time of each move."""
    table = counted(table)
    if table.is_empty():
        return {}
    tables = {"means": means_of(table), "games": table, "turns": turns}
    found = ((name, each, tables[each.of]) for name, each in all_figures().items())
    charts = {name: each.draw(shown) for name, each, shown in found if shown is not None}
    return {name: chart for name, chart in charts.items() if chart is not None}


def svg_of(chart: Any) -> str:
    """Return a chart as SVG, without a browser or the network."""
    import vl_convert

    svg: str = vl_convert.vegalite_to_svg(chart.to_json())
    return svg


def save_figures(charts: dict[str, Any], folder: Path) -> None:
    """Save each chart as SVG, as PDF, and as PNG at twice the screen's resolution."""
    import vl_convert

    from contienda.core.files import make_folder, write_atomically

    make_folder(folder)
    for name, chart in charts.items():
        write_atomically(folder / f"{name}.svg", svg_of(chart))
        write_atomically(folder / f"{name}.pdf", vl_convert.vegalite_to_pdf(chart.to_json()))
        write_atomically(folder / f"{name}.png", vl_convert.vegalite_to_png(chart.to_json(), scale=2))
