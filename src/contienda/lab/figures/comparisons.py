"""ort's eight figures, from the means of any experiment (`means_of`): who plays better, and at what cost."""

from __future__ import annotations

from typing import Any

import altair as alt

from contienda.core.language import Text, say
from contienda.evaluation.catalogue import all_evaluators
from contienda.lab.figures import figure
from contienda.lab.figures.style import WIDTH, algorithm_colour, bars, finish, name_axis
from contienda.lab.frames import pl

__all__ = [
    "configurations_of_expectimax",
    "effect_of_alphabeta",
    "efficiency",
    "evaluators",
    "expectimax_against_minimax",
    "overview",
    "quality_and_speed",
    "weight_configurations",
]

_MINIMAX = ("minimax", "alphabeta")
#: As a share of the height of a chart.
_NAME_HEIGHT = 0.04


@figure("overview", Text("All players"))
def overview(means: pl.DataFrame) -> Any:
    """All players, the best first."""
    if means.is_empty():
        return None
    title = _quality_title(means)
    base = alt.Chart(means).encode(
        alt.Y("name:N", sort=means.sort("quality", descending=True)["name"].to_list(), axis=name_axis())
    )
    bar = base.mark_bar().encode(alt.X("quality:Q", title=title), algorithm_colour(means["algorithm"]))
    rule = base.mark_rule(strokeWidth=2).encode(alt.X("quality_low:Q", title=title), alt.X2("quality_high:Q"))
    return finish(
        (bar + rule).properties(width=WIDTH, height=alt.Step(28)),
        say("All players"),
        say("means with their 95 % intervals"),
    )


@figure("quality-and-speed", Text("Quality against speed"))
def quality_and_speed(means: pl.DataFrame) -> Any:
    """Quality against time per move, with the Pareto frontier."""
    if len(means) < 2:
        return None
    line = means.filter("frontier").sort("ms_per_move")
    x = alt.X(
        "ms_per_move:Q",
        title=say("milliseconds per move"),
        scale=alt.Scale(type="log", nice=False, padding=40),
    )
    y = alt.Y("quality:Q", title=_quality_title(means), scale=alt.Scale(zero=True))
    path = alt.Chart(line).mark_line(interpolate="step-after", strokeDash=[6, 4], color="#555555").encode(x, y)
    ends = alt.Chart(means).mark_rule(opacity=0.5).encode(x, alt.Y("quality_low:Q"), alt.Y2("quality_high:Q"))
    dots = (
        alt.Chart(means)
        .mark_point(filled=True, size=170, opacity=0.9)
        .encode(x, y, algorithm_colour(means["algorithm"]), tooltip=["name:N", "quality:Q", "ms_per_move:Q"])
    )
    # Names fit above and to the left of the frontier, where there is nothing; only the first point has the axis there.
    named = _apart(line).with_row_index("place")
    texts = [
        alt.Chart(named.filter((pl.col("place") == 0) == first))
        .mark_text(align="left" if first else "right", dx=-8, dy=-14, fontSize=13)
        .encode(x, y, text="name:N")
        for first in (True, False)
    ]
    return finish(
        alt.layer(path, ends, dots, *texts).properties(width=WIDTH, height=460),
        say("Quality against speed"),
        say("dashed: the Pareto frontier, where no player is better in less time"),
    )


@figure("efficiency", Text("Efficiency"))
def efficiency(means: pl.DataFrame) -> Any:
    """The largest tile for each second that a game takes."""
    if means.is_empty() or means["max_tile"][0] is None:
        return None
    means = means.with_columns(efficiency=pl.col("max_tile") / pl.col("seconds")).sort("efficiency", descending=True)
    base = alt.Chart(means).encode(alt.Y("name:N", sort=means["name"].to_list(), axis=name_axis()))
    title = say("largest tile ÷ seconds of a game")
    dots = base.mark_point(filled=True, size=200, opacity=1).encode(
        alt.X("efficiency:Q", title=title, scale=alt.Scale(type="log", nice=False, padding=40)),
        algorithm_colour(means["algorithm"]),
    )
    texts = base.mark_text(align="left", dx=12, fontSize=14).encode(
        alt.X("efficiency:Q"), text=alt.Text("efficiency:Q", format=",.3~r")
    )
    return finish(
        (dots + texts).properties(width=WIDTH, height=alt.Step(28)),
        say("Efficiency"),
        say("equal steps on this axis are equal factors"),
    )


@figure("alphabeta", Text("What alpha-beta saves"))
def effect_of_alphabeta(means: pl.DataFrame) -> Any:
    """The savings of alpha-beta: the nodes and the time of a move with and without it, by evaluator."""
    means = _shared(_deepest(means.filter(pl.col("algorithm").is_in(_MINIMAX))), _MINIMAX)
    if means.is_empty():
        return None
    # Prices differ by factors: a logarithmic axis shows a factor as a length, and bars have no place on it.
    panels = []
    for column, title in (
        ("nodes_per_move", say("nodes per move")),
        ("ms_per_move", say("milliseconds per move")),
    ):
        base = alt.Chart(means).encode(alt.Y("eval:N", axis=name_axis()))
        line = base.mark_line(color="#888888", strokeWidth=3).encode(
            alt.X(f"{column}:Q", title=title, scale=alt.Scale(type="log", nice=False, padding=40)), detail="eval:N"
        )
        dots = base.mark_point(filled=True, size=220, opacity=1).encode(
            alt.X(f"{column}:Q", title=title), algorithm_colour(means["algorithm"])
        )
        texts = base.mark_text(dy=-16, fontSize=14).encode(
            alt.X(f"{column}:Q"), text=alt.Text(f"{column}:Q", format=",.3~r")
        )
        panels.append((line + dots + texts).properties(width=WIDTH, height=alt.Step(52)))
    return finish(
        alt.vconcat(*panels),
        say("What alpha-beta saves"),
        say("the same moves at a lower price; ") + _depth_note(means),
    )


@figure("weights", Text("Sets of weights"))
def weight_configurations(means: pl.DataFrame) -> Any:
    """Sets of weights of the same terms, played by minimax: largest tile and score."""
    means = _deepest(_several_weights(means.filter(pl.col("algorithm").is_in(_MINIMAX))))
    return _quality_bars(means, say("Sets of weights"), "config")


@figure("evaluators", Text("Evaluators"))
def evaluators(means: pl.DataFrame) -> Any:
    """Evaluators, played by minimax."""
    means = _deepest(means.filter(pl.col("algorithm").is_in(_MINIMAX)))
    return _quality_bars(means, say("Evaluators"), "config")


@figure("expectimax-minimax", Text("Expectimax against minimax"))
def expectimax_against_minimax(means: pl.DataFrame) -> Any:
    """Chance nodes against an adversary in their place, with the same evaluators."""
    means = _deepest(means.filter(pl.col("algorithm").is_in((*_MINIMAX, "expectimax"))))
    both = pl.col("eval").filter(pl.col("algorithm") == "expectimax")
    minimax = pl.col("eval").filter(pl.col("algorithm").is_in(_MINIMAX))
    means = means.filter(pl.col("eval").is_in(both.implode()), pl.col("eval").is_in(minimax.implode()))
    return _quality_bars(means, say("Expectimax against minimax"), "config", least_algorithms=2)


@figure("expectimax", Text("Configurations of expectimax"))
def configurations_of_expectimax(means: pl.DataFrame) -> Any:
    """Evaluators and weights, played by expectimax."""
    means = _deepest(means.filter(pl.col("algorithm") == "expectimax"))
    return _quality_bars(means, say("Configurations of expectimax"), "config")


def _apart(line: pl.DataFrame) -> pl.DataFrame:
    """Return the points of a rising line, from its top downwards, whose labels do not overlap."""
    room = float(line["quality"].to_numpy().max()) * _NAME_HEIGHT
    kept: list[float] = []
    for quality in sorted(line["quality"].to_list(), reverse=True):
        if not kept or kept[-1] - quality >= room:
            kept.append(quality)
    return line.filter(pl.col("quality").is_in(kept))


# --- Shared ----------------------------------------------------------------------------------------------------------


def _quality_bars(means: pl.DataFrame, title: str, x: str, least_algorithms: int = 1) -> Any:
    """Bars of the largest tile, for games with tiles, and of the quality; None if there is nothing to compare."""
    if means[x].n_unique() < 2 and means["algorithm"].n_unique() < 2:
        return None
    if means["algorithm"].n_unique() < least_algorithms or (least_algorithms == 1 and means[x].n_unique() < 2):
        return None
    panels = [bars(means, x, "quality", _quality_title(means), offset="algorithm")]
    if means["max_tile"][0] is not None:
        panels.insert(0, bars(means, x, "max_tile", say("mean largest tile"), offset="algorithm"))
    note = say("means with their 95 % intervals; ") + _depth_note(means)
    return finish(alt.vconcat(*panels), title, note)


def _quality_title(means: pl.DataFrame) -> str:
    if means["max_tile"][0] is None:
        return say("share of games won")
    return say("mean score")


def _deepest(means: pl.DataFrame) -> pl.DataFrame:
    """Return only the players with the greatest depth: the others would be compared by their depth."""
    depth = pl.col("depth").fill_null(0)
    return means.filter(depth == depth.max()) if len(means) else means


def _depth_note(means: pl.DataFrame) -> str:
    depth = means["depth"][0]
    return say("depth {depth}", depth=depth) if depth is not None else ""


def _shared(means: pl.DataFrame, algorithms: tuple[str, ...]) -> pl.DataFrame:
    """Return only the evaluators that all these algorithms use."""
    counts = means.group_by("eval").agg(pl.col("algorithm").n_unique().alias("n"))
    shared = counts.filter(pl.col("n") == len(algorithms))["eval"]
    return means.filter(pl.col("eval").is_in(shared.implode()))


def _several_weights(means: pl.DataFrame) -> pl.DataFrame:
    """Return only evaluators that play with several sets of weights for the same terms."""
    terms = {e.name: str(sorted(e.terms.items())) for e, _ in all_evaluators() if e.terms}
    family = [terms.get(name, str(name)) for name in means["eval"]]
    several = pl.col("config").n_unique().over("family") > 1
    return means.with_columns(pl.Series("family", family, pl.String)).filter(several)
