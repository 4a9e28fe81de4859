"""Figures of curves and distributions: largest tiles, time of moves, wins and time by depth, learning, weights."""

from __future__ import annotations

from typing import Any

import altair as alt

from contienda.core.language import Text, say
from contienda.lab.figures import figure
from contienda.lab.figures.style import WIDTH, algorithm_colour, bars, finish, name_axis, name_colour
from contienda.lab.frames import pl
from contienda.lab.statistics import mean_interval
from contienda.lab.table import TurnTimes

__all__ = [
    "largest_tiles",
    "score_by_depth",
    "score_by_depth_pooled",
    "score_of_lost_games",
    "sensitivity",
    "time_by_depth",
    "time_of_a_won_game",
    "time_of_evaluators",
    "time_per_move",
    "time_per_move_linear",
    "wins_by_depth",
    "wins_of_evaluators",
]

#: A curve of more points is averaged over stretches: more would not be visible, and files stay small.
_POINTS = 60


@figure("largest-tiles", Text("Largest tiles"), of="games")
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
            alt.X("share:Q", title=say("share of games"), axis=alt.Axis(format="%")),
            alt.Y("name:N", sort=games.sort("quality", descending=True)["name"].to_list(), axis=name_axis()),
            alt.Color(
                "tile:O",
                title=say("largest tile"),
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
        say("Largest tiles"),
        say("how many games ended with each"),
    )


@figure("time-per-move", Text("Time per move"), of="turns")
def time_per_move(turns: TurnTimes) -> Any:
    """Milliseconds of a move against its number, on a logarithmic axis."""
    return _mean_times(turns.means, linear=False)


@figure("time-per-move-linear", Text("Time per move, linear axis"), of="turns")
def time_per_move_linear(turns: TurnTimes) -> Any:
    """The same on a linear axis."""
    return _mean_times(turns.means, linear=True)


def _mean_times(turns: pl.DataFrame, linear: bool) -> Any:
    if turns.is_empty():
        return None
    stretch = 1 + int(turns["move"].to_numpy().max()) // _POINTS
    start = (pl.col("move") // stretch * stretch).alias("move")
    thinned = turns.group_by("algorithm", "name", start, maintain_order=True).agg(pl.col("ms").mean())
    panels = [_times(own, linear) for own in thinned.partition_by("algorithm", maintain_order=True)]
    return finish(
        alt.vconcat(*panels).resolve_scale(color="independent"),
        say("Time per move"),
        say("mean over the games that lasted this long"),
    )


@figure("time-per-move-won", Text("Time per move of one won game"), of="turns")
def time_of_a_won_game(turns: TurnTimes) -> Any:
    """uc3m's figures 15 to 17: every move's time in one won game for each evaluator, by depth."""
    won = turns.won
    if won.is_empty():
        return None
    panels = [
        _one_game(own).properties(title=f"{own['algorithm'][0]}, {say('depth')} {own['depth'][0]}")
        for own in won.sort("algorithm", "depth", maintain_order=True).partition_by(
            "algorithm", "depth", maintain_order=True
        )
    ]
    return finish(
        alt.vconcat(*panels).resolve_scale(color="independent"),
        say("Time per move of one won game"),
        say("for each evaluator that won a game, the first of its seeds"),
    )


def _one_game(won: pl.DataFrame) -> Any:
    chart = alt.Chart(won.with_columns(name=pl.col("eval"))).mark_line(strokeWidth=1)
    return chart.encode(
        alt.X("move:Q", title=say("move number")),
        alt.Y("ms:Q", title=say("milliseconds")),
        name_colour(won["eval"]),
    ).properties(width=WIDTH, height=260)


def _times(turns: pl.DataFrame, linear: bool) -> Any:
    chart = alt.Chart(turns).mark_line(strokeWidth=2)
    scale = alt.Scale(zero=True) if linear else alt.Scale(type="log", nice=False)
    return chart.encode(
        alt.X("move:Q", title=say("move number")),
        alt.Y("ms:Q", title=say("milliseconds"), scale=scale),
        name_colour(turns["name"]),
    ).properties(width=WIDTH, height=320)


@figure("wins-by-depth", Text("Wins by depth"))
def wins_by_depth(means: pl.DataFrame) -> Any:
    """uma's win rates: the share of games won against depth, by evaluator."""
    means = _several_depths(means)
    if means.is_empty():
        return None
    y = alt.Y("wins:Q", title=say("won"), axis=alt.Axis(format="%"), scale=alt.Scale(domain=[0, 1]))
    return _by_depth(
        means,
        y,
        say("Wins by depth"),
        say("bars: Wilson's 95 % intervals"),
        ("wins_low", "wins_high"),
    )


@figure("time-by-depth", Text("Time by depth"))
def time_by_depth(means: pl.DataFrame) -> Any:
    """uma's times: seconds of a game against depth, by evaluator."""
    means = _several_depths(means)
    if means.is_empty():
        return None
    y = alt.Y("seconds:Q", title=say("seconds of a game"), scale=alt.Scale(type="log"))
    note = say("on this axis a straight line means the same factor for each level")
    return _by_depth(means, y, say("Time by depth"), note)


@figure("wins-of-evaluators", Text("Wins by depth, for each algorithm"))
def wins_of_evaluators(means: pl.DataFrame) -> Any:
    """uma's figures 17 to 19: for each algorithm a line for each evaluator."""
    means = _several_depths(means)
    if means.is_empty():
        return None
    y = alt.Y("wins:Q", title=say("won"), axis=alt.Axis(format="%"), scale=alt.Scale(domain=[0, 1]))
    title, note = say("Wins by depth, for each algorithm"), say("bars: Wilson's 95 % intervals")
    return _by_depth(means, y, title, note, ("wins_low", "wins_high"), of_algorithms=True)


@figure("time-of-evaluators", Text("Time by depth, for each algorithm"))
def time_of_evaluators(means: pl.DataFrame) -> Any:
    """uma's figure 21: for each algorithm the seconds of a game, a line for each evaluator."""
    means = _several_depths(means)
    if means.is_empty():
        return None
    y = alt.Y("seconds:Q", title=say("seconds of a game"), scale=alt.Scale(type="log"))
    note = say("on this axis a straight line means the same factor for each level")
    return _by_depth(means, y, say("Time by depth, for each algorithm"), note, of_algorithms=True)


@figure("score-by-depth", Text("Score by depth"))
def score_by_depth(means: pl.DataFrame) -> Any:
    """uc3m's figures 13 and 19: the mean score against depth, for each algorithm a line for each evaluator."""
    means = _several_depths(means)
    if means.is_empty() or means["max_tile"][0] is None:
        return None
    return _scores_by_depth(means, say("Score by depth"), say("means with 95 % intervals"))


@figure("score-by-depth-pooled", Text("Score by depth, all evaluators together"), of="games")
def score_by_depth_pooled(table: pl.DataFrame) -> Any:
    """uc3m's figures 12 and 18: the mean score against depth, all evaluators of an algorithm together."""
    pooled = _grouped(table, "algorithm", "depth")
    if pooled is None:
        return None
    panels = [
        bars(own, "depth", "quality", say("mean score"), width=340).properties(title=own["algorithm"][0])
        for own in pooled.partition_by("algorithm", maintain_order=True)
    ]
    return finish(alt.hconcat(*panels), say("Score by depth"), say("all evaluators together, 95 % intervals"))


@figure("score-by-depth-lost", Text("Score by depth, lost games only"), of="games")
def score_of_lost_games(table: pl.DataFrame) -> Any:
    """uc3m's figure 14: score by depth, of lost games only."""
    if table.is_empty() or not table["won"].any():
        return None
    lost = _grouped(table.filter(~pl.col("won")), "algorithm", "eval", "depth")
    if lost is None:
        return None
    lost = lost.with_columns(config=pl.col("eval"))
    return _scores_by_depth(lost, say("Score by depth, lost games only"), say("means with 95 % intervals"))


def _grouped(table: pl.DataFrame, *keys: str) -> pl.DataFrame | None:
    """Return the mean score of pooled games, for algorithms that play at several depths."""
    if table.is_empty() or table["score"][0] is None:
        return None
    rows = []
    for own in table.filter(pl.col("depth").is_not_null()).partition_by(*keys, maintain_order=True):
        found = mean_interval(own["score"].to_numpy())
        quality = {"quality": found.value, "quality_low": found.low, "quality_high": found.high}
        rows.append({key: own[key][0] for key in keys} | quality)
    if not rows:
        return None
    grouped = pl.DataFrame(rows).sort(*keys)
    grouped = grouped.filter(pl.col("depth").n_unique().over("algorithm") > 1)
    return None if grouped.is_empty() else grouped


def _scores_by_depth(means: pl.DataFrame, title: str, note: str) -> Any:
    """For each algorithm a panel, in it a line for each evaluator."""
    panels = []
    for own in means.partition_by("algorithm", maintain_order=True):
        base = alt.Chart(own.with_columns(name=pl.col("config"))).encode(
            alt.X("depth:O", title=say("depth"), axis=alt.Axis(labelAngle=0)), name_colour(own["config"])
        )
        y = alt.Y("quality:Q", title=say("mean score"), scale=alt.Scale(zero=False))
        line = base.mark_line(strokeWidth=3, point=alt.OverlayMarkDef(size=80)).encode(y)
        ends = base.mark_rule(opacity=0.6).encode(alt.Y("quality_low:Q"), alt.Y2("quality_high:Q"))
        panels.append(alt.layer(ends, line).properties(width=340, height=280, title=own["algorithm"][0]))
    return finish(alt.hconcat(*panels).resolve_scale(color="independent"), title, note)


def sensitivity(sweep: pl.DataFrame) -> Any:
    """The effect of each weight: quality against its factor, a table of `contienda.lab.sensitivity.sweep_table`."""
    if sweep.is_empty():
        return None
    # Factors are drawn as equal steps, because they include 0, which a logarithmic axis cannot show.
    factors = sorted(sweep["factor"].unique().to_list())
    x = alt.X(
        "factor:O",
        sort=factors,
        title=say("times its value"),
        axis=alt.Axis(labelAngle=0, format="~g"),
    )
    title = say("mean score")
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
        say("What each weight does"),
        say("one changed at a time, 95 % intervals"),
    )


def _several_depths(means: pl.DataFrame) -> pl.DataFrame:
    """Players that play at several depths."""
    means = means.filter(pl.col("depth").is_not_null())
    return means.filter(pl.col("depth").n_unique().over("algorithm", "config") > 1)


def _by_depth(
    means: pl.DataFrame,
    y: alt.Y,
    title: str,
    note: str,
    ends: tuple[str, str] | None = None,
    *,
    of_algorithms: bool = False,
) -> Any:
    """A panel for each evaluator with a line for each algorithm, or the other way round."""
    panels = "algorithm" if of_algorithms else "config"
    if of_algorithms and means["config"].n_unique() == 1:
        return None  # the other figure has it
    x = alt.X("depth:O", title=say("depth"), axis=alt.Axis(labelAngle=0))
    base = alt.Chart(means).encode(x)
    colour = _evaluator_colour(means["config"]) if of_algorithms else algorithm_colour(means["algorithm"])
    layers = [base.mark_line(strokeWidth=3, point=alt.OverlayMarkDef(size=80)).encode(y, colour)]
    if ends is not None:
        layers.append(base.mark_rule(opacity=0.6).encode(alt.Y(f"{ends[0]}:Q"), alt.Y2(f"{ends[1]}:Q"), colour))
    names = means[panels].unique(maintain_order=True).to_list()
    panel = alt.layer(*layers).properties(width=340, height=250)
    return finish(panel.facet(alt.Facet(f"{panels}:N", title=None, sort=names), columns=2), title, note)


def _evaluator_colour(configs: pl.Series) -> alt.Color:
    names = configs.unique(maintain_order=True).to_list()
    legend = alt.Legend(orient="top", direction="horizontal", labelLimit=400)
    return alt.Color("config:N", title=say("evaluator"), sort=names, legend=legend)
