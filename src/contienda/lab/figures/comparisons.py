"""ort's eight figures, from the means of any experiment (`means_of`): who plays better, and at what cost."""

from __future__ import annotations

from typing import Any, NamedTuple

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


class _Measure(NamedTuple):
    """A column of the means that figures show, with its interval in ``_low`` and ``_high``."""

    column: str
    title: str
    share: bool = False


def _measures(means: pl.DataFrame) -> list[_Measure]:
    """Return what these games are measured by; times that are not known yet are left out."""
    if means["max_tile"][0] is None:
        found = [_Measure("wins", say("share of games won"), share=True)]
    else:
        found = [
            _Measure("max_tile", say("mean largest tile")),
            _Measure("quality", say("mean score")),
            _Measure("wins", say("share of games won"), share=True),
        ]
    if means["seconds"].null_count() < len(means):
        found.append(_Measure("seconds", say("seconds of a game")))
    return found


@figure("overview", Text("All players"))
def overview(means: pl.DataFrame) -> Any:
    """All players by each measure, the best first."""
    if means.is_empty():
        return None
    order = means.sort("quality", descending=True)["name"].to_list()
    panels = [_across(means, order, measure, named=not place) for place, measure in enumerate(_measures(means))]
    return finish(alt.hconcat(*panels, spacing=24), say("All players"), say("means with their 95 % intervals"))


def _across(means: pl.DataFrame, order: list[str], measure: _Measure, *, named: bool) -> Any:
    """Return a panel of level bars, one for each player; their names, if ``named``. Times are points on a logarithmic
    axis."""
    column, title, share = measure
    axis = name_axis() if named else alt.Axis(title=None, labels=False, ticks=False)
    base = alt.Chart(means).encode(alt.Y("name:N", sort=order, axis=axis))
    ends = alt.X2(f"{column}_high:Q")
    colour = algorithm_colour(means["algorithm"])
    if column == "seconds":
        x = alt.X(f"{column}:Q", title=title, scale=alt.Scale(type="log", nice=False, padding=20))
        marks = base.mark_point(filled=True, size=120, opacity=1).encode(x, colour)
    else:
        x = alt.X(f"{column}:Q", title=title, axis=alt.Axis(format="%" if share else ",.3~r", tickCount=4))
        marks = base.mark_bar().encode(x, colour)
    rule = base.mark_rule(strokeWidth=2).encode(alt.X(f"{column}_low:Q", title=title), ends)
    return (marks + rule).properties(width=WIDTH // 3, height=alt.Step(28))


@figure("quality-and-speed", Text("Quality against speed"))
def quality_and_speed(means: pl.DataFrame) -> Any:
    """Quality against time per move, and the largest tile against the time of a game, with the Pareto frontiers."""
    if len(means) < 2:
        return None
    panels = [
        _against_time(means, "quality", _quality_title(means), "ms_per_move", say("milliseconds per move"), "frontier")
    ]
    if means["max_tile"][0] is not None:
        best = pl.col("max_tile") > pl.col("max_tile").cum_max().shift(1).fill_null(-1)
        means = means.sort("seconds", nulls_last=True).with_columns(best=best & pl.col("seconds").is_not_null())
        title = say("mean largest tile")
        panels.append(_against_time(means, "max_tile", title, "seconds", say("seconds of a game"), "best"))
    return finish(
        alt.vconcat(*panels),
        say("Quality against speed"),
        say("dashed: the Pareto frontier, where no player is better in less time"),
    )


def _against_time(means: pl.DataFrame, column: str, title: str, time: str, time_title: str, best: str) -> Any:
    """Return a panel of players by a measure and a time. Those of the frontier, where ``best`` says so, have names."""
    line = means.filter(best).sort(time)
    x = alt.X(f"{time}:Q", title=time_title, scale=alt.Scale(type="log", nice=False, padding=40))
    y = alt.Y(f"{column}:Q", title=title, scale=alt.Scale(zero=True))
    path = alt.Chart(line).mark_line(interpolate="step-after", strokeDash=[6, 4], color="#555555").encode(x, y)
    ends = alt.Chart(means).mark_rule(opacity=0.5).encode(x, alt.Y(f"{column}_low:Q"), alt.Y2(f"{column}_high:Q"))
    dots = (
        alt.Chart(means)
        .mark_point(filled=True, size=170, opacity=0.9)
        .encode(x, y, algorithm_colour(means["algorithm"]), tooltip=["name:N", f"{column}:Q", f"{time}:Q"])
    )
    # Names fit above and to the left of the frontier, where there is nothing; only the first point has the axis there.
    named = _apart(line, column).with_row_index("place")
    texts = [
        alt.Chart(named.filter((pl.col("place") == 0) == first))
        .mark_text(align="left" if first else "right", dx=-8, dy=-14, fontSize=13)
        .encode(x, y, text="name:N")
        for first in (True, False)
    ]
    return alt.layer(path, ends, dots, *texts).properties(width=WIDTH, height=460)


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
    """The savings of alpha-beta: the nodes and the time of a move with and without it, by evaluator; and that it plays
    no better or worse."""
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
    panels += _panels(means, "eval", [measure for measure in _measures(means) if measure.column != "seconds"])
    return finish(
        alt.vconcat(*panels),
        say("What alpha-beta saves"),
        say("the same moves at a lower price; ") + _depth_note(means),
    )


@figure("weights", Text("Sets of weights"))
def weight_configurations(means: pl.DataFrame) -> Any:
    """Sets of weights of the same terms, played by minimax."""
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


def _apart(line: pl.DataFrame, column: str) -> pl.DataFrame:
    """Return the points of a rising line, from its top downwards, whose labels do not overlap."""
    if line.is_empty():
        return line
    room = float(line[column].to_numpy().max()) * _NAME_HEIGHT
    kept: list[float] = []
    for height in sorted(line[column].to_list(), reverse=True):
        if not kept or kept[-1] - height >= room:
            kept.append(height)
    return line.filter(pl.col(column).is_in(kept))


# --- Shared ----------------------------------------------------------------------------------------------------------


def _quality_bars(means: pl.DataFrame, title: str, x: str, least_algorithms: int = 1) -> Any:
    """Bars of every measure; None if there is nothing to compare."""
    if means[x].n_unique() < 2 and means["algorithm"].n_unique() < 2:
        return None
    if means["algorithm"].n_unique() < least_algorithms or (least_algorithms == 1 and means[x].n_unique() < 2):
        return None
    note = say("means with their 95 % intervals; ") + _depth_note(means)
    return finish(alt.vconcat(*_panels(means, x, _measures(means))), title, note)


def _panels(means: pl.DataFrame, x: str, measures: list[_Measure]) -> list[Any]:
    """Return a panel of bars for each measure."""
    return [
        bars(means, x, measure.column, measure.title, offset="algorithm", height=220, share=measure.share)
        for measure in measures
    ]


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
