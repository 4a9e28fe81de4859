"""The figures of `contienda lab grade`: how often players make the best move, and what the others cost."""

from __future__ import annotations

from typing import Any

import altair as alt

from contienda.core.language import say
from contienda.lab.figures.style import WIDTH, finish, name_axis
from contienda.lab.frames import pl

__all__ = ["grades", "judged", "regrets"]


def grades(table: pl.DataFrame) -> Any:
    """A table of `contienda.lab.grading_connect4.grades_by`: a panel for each stretch, a bar for each player."""
    if table.is_empty():
        return None
    players = table["player"].unique(maintain_order=True).to_list()
    names = {"optimal": say("optimal move"), "kept": say("keeps the result")}
    long = pl.concat(
        table.select(
            "player",
            "plies",
            pl.lit(names[what]).alias("what"),
            pl.col(what).alias("share"),
            pl.col(f"{what}_low").alias("low"),
            pl.col(f"{what}_high").alias("high"),
        )
        for what in names
    )
    share = say("share of positions")
    base = alt.Chart(long).encode(
        alt.Y("player:N", sort=players, axis=name_axis()),
        alt.YOffset("what:N", sort=list(names.values())),
    )
    bars = base.mark_bar().encode(
        alt.X("share:Q", title=share, axis=alt.Axis(format="%"), scale=alt.Scale(domain=[0, 1])),
        alt.Color(
            "what:N",
            title=None,
            sort=list(names.values()),
            scale=alt.Scale(domain=list(names.values()), range=["#0072B2", "#E69F00"]),
            legend=alt.Legend(orient="top", direction="horizontal"),
        ),
        tooltip=["player:N", "plies:N", "what:N", alt.Tooltip("share:Q", format=".1%")],
    )
    whiskers = base.mark_rule(strokeWidth=2).encode(alt.X("low:Q", title=share), alt.X2("high:Q"))
    panels = alt.layer(bars, whiskers).properties(width=WIDTH // 2, height=alt.Step(14))
    return finish(
        panels.facet(alt.Facet("plies:N", title=say("stones on the board")), columns=2),
        say("Graded by perfect play"),
        say("with 95 % intervals"),
    )


def regrets(table: pl.DataFrame) -> Any:
    """A table of `contienda.lab.grading.regrets_by` largest tile: points lost per move, a line for each player."""
    parts = table.filter(pl.col("largest") > 0)
    if parts.is_empty():
        return None
    players = table["player"].unique(maintain_order=True).to_list()
    tiles = [str(tile) for tile in sorted(parts["largest"].unique())]
    long = parts.with_columns(pl.col("largest").cast(pl.String))
    base = alt.Chart(long).encode(
        alt.X("largest:O", sort=tiles, title=say("largest tile")),
        alt.Color("player:N", sort=players, title=None, legend=alt.Legend(orient="top", direction="vertical")),
    )
    title = say("points lost per move")
    lines = base.mark_line(point=True).encode(
        alt.Y("regret:Q", title=title),
        tooltip=[
            "player:N",
            "largest:O",
            alt.Tooltip("regret:Q", format=".2f"),
            alt.Tooltip("perfect:Q", format=".1%"),
        ],
    )
    whiskers = base.mark_rule(strokeWidth=2).encode(alt.Y("regret_low:Q", title=title), alt.Y2("regret_high:Q"))
    return finish(
        alt.layer(lines, whiskers).properties(width=WIDTH, height=WIDTH // 2),
        say("Graded by perfect play"),
        say("with 95 % intervals"),
    )


def judged(table: pl.DataFrame) -> Any:
    """A table of `contienda.lab.grading.regrets_by`: a bar for each player's share of best moves, and its interval."""
    players = table["player"].to_list()
    share = say("share of best moves")
    base = alt.Chart(table).encode(alt.Y("player:N", sort=players, axis=name_axis()))
    bars = base.mark_bar(color="#0072B2").encode(
        alt.X("perfect:Q", title=share, axis=alt.Axis(format="%"), scale=alt.Scale(domain=[0, 1])),
        tooltip=["player:N", alt.Tooltip("perfect:Q", format=".1%"), alt.Tooltip("regret:Q", format=".3g")],
    )
    whiskers = base.mark_rule(strokeWidth=2).encode(alt.X("perfect_low:Q", title=share), alt.X2("perfect_high:Q"))
    return finish(
        alt.layer(bars, whiskers).properties(width=WIDTH, height=alt.Step(24)),
        say("Graded by a stronger player"),
        say("with 95 % intervals"),
    )
