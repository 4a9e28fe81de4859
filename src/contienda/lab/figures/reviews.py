"""The figure of `contienda.players.review`: what each move of a game lost."""

from __future__ import annotations

from typing import Any

import altair as alt

from contienda.core.language import say
from contienda.lab.figures.style import WIDTH, finish
from contienda.lab.frames import pl

__all__ = ["losses"]

#: Bars that a chart can show; a longer game is cut into stretches of as many moves each.
_BARS = 400


def losses(lost: list[float], critic: str) -> Any:
    """A bar for each move, or for the worst of each stretch of moves; as tall as the points that it lost."""
    step = max(1, -(-len(lost) // _BARS))
    worst = [max(lost[first : first + step]) for first in range(0, len(lost), step)]
    table = pl.DataFrame({"move": [1 + step * i for i in range(len(worst))], "lost": worst})
    bars = (
        alt.Chart(table)
        .mark_bar(color="#0072B2")
        .encode(
            alt.X("move:Q", title=say("move"), scale=alt.Scale(domain=[0, max(len(lost), 1)])),
            alt.Y("lost:Q", title=say("points lost")),
            tooltip=["move:Q", alt.Tooltip("lost:Q", format=",.0f")],
        )
        .properties(width=WIDTH, height=200)
    )
    return finish(bars, say("What each move lost"), critic)
