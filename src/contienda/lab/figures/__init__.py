"""Every figure by its name: one function from a table to a chart, for reports, notebooks and the app alike."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl

from contienda.lab.figures import comparisons, curves
from contienda.lab.statistics import means_of

__all__ = ["FIGURES", "figures_of", "save_figures", "svg_of"]

#: Figures of `means_of` a table of games; each gives None where there is nothing to compare in that way.
FIGURES: dict[str, Callable[[pl.DataFrame], Any]] = {
    "overview": comparisons.overview,
    "quality-and-speed": comparisons.quality_and_speed,
    "efficiency": comparisons.efficiency,
    "alphabeta": comparisons.effect_of_alphabeta,
    "weights": comparisons.weight_configurations,
    "evaluators": comparisons.evaluators,
    "expectimax-minimax": comparisons.expectimax_against_minimax,
    "expectimax": comparisons.configurations_of_expectimax,
    "wins-by-depth": curves.wins_by_depth,
    "time-by-depth": curves.time_by_depth,
}


def figures_of(table: pl.DataFrame, turns: pl.DataFrame | None = None) -> dict[str, Any]:
    """The charts that these games have something to show in; ``turns`` is for the time of each move."""
    if table.is_empty():
        return {}
    means = means_of(table)
    charts = {name: figure(means) for name, figure in FIGURES.items()}
    charts["largest-tiles"] = curves.largest_tiles(table)
    if turns is not None:
        charts["time-per-move"] = curves.time_per_move(turns)
    return {name: chart for name, chart in charts.items() if chart is not None}


def svg_of(chart: Any) -> str:
    """A chart as SVG, drawn here: no browser, no network."""
    import vl_convert

    svg: str = vl_convert.vegalite_to_svg(chart.to_json())
    return svg


def save_figures(charts: dict[str, Any], folder: Path) -> None:
    """Each chart as SVG and as PNG, twice as fine as a screen."""
    import vl_convert

    from contienda.record import make_folder, write_atomically

    make_folder(folder)
    for name, chart in charts.items():
        write_atomically(folder / f"{name}.svg", svg_of(chart))
        write_atomically(folder / f"{name}.png", vl_convert.vegalite_to_png(chart.to_json(), scale=2))
