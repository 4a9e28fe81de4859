"""Figures of how something goes: largest tiles, time by move number, wins and time by depth, learning, weights."""

from __future__ import annotations

from typing import Any

import altair as alt
import polars as pl

from contienda.lab.figures.style import WIDTH, algorithm_colour, finish, name_axis, name_colour
from contienda.language import say

__all__ = [
    "largest_tiles",
    "learning_curve",
    "sensitivity",
    "time_by_depth",
    "time_per_move",
    "wins_by_depth",
]

#: Beyond so many points a curve is thinned out by means over stretches: nobody sees more, and files stay small.
_POINTS = 60


def largest_tiles(table: pl.DataFrame) -> Any:
    """uc3m's distribution: the share of games that ended with each largest tile."""
    if table.is_empty() or table["max_tile"][0] is None:
        return None
    games = table.group_by("name").agg(games=pl.len(), quality=pl.col("score").mean())
    shares = table.group_by("name", "max_tile").len("count").join(games, on="name").sort("name", "max_tile")
    shares = shares.with_columns(share=pl.col("count") / pl.col("games"), tile=pl.col("max_tile").cast(pl.String))
    tiles = [str(tile) for tile in sorted(shares["max_tile"].unique().to_list())]
    chart = (
        alt.Chart(shares)
        .mark_bar()
        .encode(
            alt.X("share:Q", title=say("share of games", "proporción de partidas"), axis=alt.Axis(format="%")),
            alt.Y("name:N", sort=games.sort("quality", descending=True)["name"].to_list(), axis=name_axis()),
            alt.Color(
                "tile:O",
                title=say("largest tile", "ficha mayor"),
                sort=tiles,
                scale=alt.Scale(domain=tiles, scheme="viridis", reverse=True),
                legend=alt.Legend(orient="top", direction="horizontal"),
            ),
            alt.Order("max_tile:Q"),
            tooltip=["name:N", "tile:O", alt.Tooltip("share:Q", format=".1%")],
        )
    )
    return finish(
        chart.properties(width=WIDTH, height=alt.Step(28)),
        say("Largest tiles", "Fichas mayores"),
        say("how many games ended with each", "cuántas partidas acabaron con cada una"),
    )


def time_per_move(turns: pl.DataFrame) -> Any:
    """uc3m's curves: milliseconds of a move against its number; a table of `contienda.lab.table.turns_of`."""
    if turns.is_empty():
        return None
    stretch = 1 + int(turns["move"].to_numpy().max()) // _POINTS
    start = (pl.col("move") // stretch * stretch).alias("move")
    thinned = turns.group_by("algorithm", "name", start, maintain_order=True).agg(pl.col("ms").mean())
    panels = [_times(own) for own in thinned.partition_by("algorithm", maintain_order=True)]
    return finish(
        alt.vconcat(*panels).resolve_scale(color="independent"),
        say("Time per move", "Tiempo por jugada"),
        say("mean over the games that got so far", "media de las partidas que llegaron hasta ahí"),
    )


def _times(turns: pl.DataFrame) -> Any:
    chart = alt.Chart(turns).mark_line(strokeWidth=2)
    return chart.encode(
        alt.X("move:Q", title=say("move number", "número de jugada")),
        alt.Y("ms:Q", title=say("milliseconds", "milisegundos"), scale=alt.Scale(type="log", nice=False)),
        name_colour(turns["name"]),
    ).properties(width=WIDTH, height=320)


def wins_by_depth(means: pl.DataFrame) -> Any:
    """uma's win rates: the share of games won against depth, by evaluator."""
    means = _several_depths(means)
    if means.is_empty():
        return None
    y = alt.Y("wins:Q", title=say("won", "ganadas"), axis=alt.Axis(format="%"), scale=alt.Scale(domain=[0, 1]))
    return _by_depth(
        means,
        y,
        say("Wins by depth", "Victorias según la profundidad"),
        say("bars: Wilson's 95 % intervals", "barras: intervalos de Wilson del 95 %"),
        ("wins_low", "wins_high"),
    )


def time_by_depth(means: pl.DataFrame) -> Any:
    """uma's times: seconds of a game against depth, by evaluator."""
    means = _several_depths(means)
    if means.is_empty():
        return None
    y = alt.Y("seconds:Q", title=say("seconds of a game", "segundos por partida"), scale=alt.Scale(type="log"))
    note = say(
        "on this axis a straight line means: so many times more for each level",
        "en este eje una recta significa: tantas veces más por cada nivel",
    )
    return _by_depth(means, y, say("Time by depth", "Tiempo según la profundidad"), note)


def learning_curve(progress: pl.DataFrame) -> Any:
    """The mean score against the games trained with: columns ``name``, ``games``, ``score``."""
    if progress.is_empty():
        return None
    base = alt.Chart(progress).encode(
        alt.X("games:Q", title=say("games trained with", "partidas de entrenamiento")),
        alt.Y("score:Q", title=say("mean score", "puntuación media")),
        name_colour(progress["name"]),
    )
    return finish(
        (base.mark_line(strokeWidth=3) + base.mark_point(filled=True, size=60)).properties(width=WIDTH, height=400),
        say("Learning", "Aprendizaje"),
    )


def sensitivity(sweep: pl.DataFrame) -> Any:
    """What each weight does: quality against its factor, a table of `contienda.lab.sensitivity.sweep_table`."""
    if sweep.is_empty():
        return None
    # Factors are steps of a ladder with 0 at its foot, which no logarithmic axis has.
    factors = sorted(sweep["factor"].unique().to_list())
    x = alt.X(
        "factor:O",
        sort=factors,
        title=say("times its value", "veces su valor"),
        axis=alt.Axis(labelAngle=0, format="~g"),
    )
    title = say("mean score", "puntuación media")
    base = alt.Chart(sweep).encode(x)
    band = base.mark_errorband(opacity=0.25).encode(
        alt.Y("quality_low:Q", title=title, scale=alt.Scale(zero=False)), alt.Y2("quality_high:Q")
    )
    line = base.mark_line(point=alt.OverlayMarkDef(size=80), strokeWidth=3).encode(alt.Y("quality:Q", title=title))
    chart = (
        alt.layer(band, line)
        .properties(width=330, height=230)
        .facet(alt.Facet("weight:N", title=None, sort=sweep["weight"].unique(maintain_order=True).to_list()), columns=2)
    )
    return finish(
        chart,
        say("What each weight does", "Qué hace cada peso"),
        say("one changed at a time, 95 % intervals", "cambiando uno cada vez, intervalos del 95 %"),
    )


def _several_depths(means: pl.DataFrame) -> pl.DataFrame:
    """Players of which several depths play."""
    means = means.filter(pl.col("depth").is_not_null())
    return means.filter(pl.col("depth").n_unique().over("algorithm", "config") > 1)


def _by_depth(means: pl.DataFrame, y: alt.Y, title: str, note: str, ends: tuple[str, str] | None = None) -> Any:
    x = alt.X("depth:O", title=say("depth", "profundidad"), axis=alt.Axis(labelAngle=0))
    base = alt.Chart(means).encode(x)
    colour = algorithm_colour(means["algorithm"])
    layers = [base.mark_line(strokeWidth=3, point=alt.OverlayMarkDef(size=80)).encode(y, colour)]
    if ends is not None:
        layers.append(base.mark_rule(opacity=0.6).encode(alt.Y(f"{ends[0]}:Q"), alt.Y2(f"{ends[1]}:Q"), colour))
    configs = means["config"].unique(maintain_order=True).to_list()
    panel = alt.layer(*layers).properties(width=340, height=250)
    return finish(panel.facet(alt.Facet("config:N", title=None, sort=configs), columns=2), title, note)
