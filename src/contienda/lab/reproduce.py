"""Plays the documents' experiments again, and compares each published figure with ours and its interval."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from contienda.core.language import BadInput, Text, number, say
from contienda.core.specs import parse_spec
from contienda.lab.again import measure_again
from contienda.lab.documents import DOCUMENTS, TIMED
from contienda.lab.documents.description import (
    DocumentExperiment,
    Improvement,
    PooledTable,
    Published,
    PublishedValue,
    Sample,
)
from contienda.lab.figures import figures_of, svg_of
from contienda.lab.frames import pl
from contienda.lab.plan import Entrant
from contienda.lab.report import html_table, interval, page
from contienda.lab.results import Results
from contienda.lab.run import Opening, Progress, run
from contienda.lab.statistics import Interval, mean_interval, share_interval
from contienda.lab.table import TurnTimes, table_of, turns_of
from contienda.lab.where import Where, open_pool

__all__ = [
    "METRICS",
    "Change",
    "ComparedLine",
    "Comparison",
    "Reproduced",
    "change_texts",
    "changes_of",
    "compare_pooled",
    "compare_with_published",
    "document_names",
    "impossible_score",
    "reproduce",
    "reproduced",
    "reproduction_html",
    "times",
    "verdict",
]

#: The figures that are compared, with their names and formats. Seconds depend on the machine, so they give a factor
#: instead.
METRICS: dict[str, tuple[Text, str]] = {
    "wins": (Text("won"), ",.0%"),
    "score": (Text("score"), ",.0f"),
    "max_tile": (Text("largest tile"), ",.0f"),
    "moves": (Text("moves"), ",.0f"),
    "nodes": (Text("nodes"), ",.0f"),
    "nodes_per_move": (Text("nodes/move"), ",.0f"),
    "share": (Text("share of games"), ",.0%"),
    "seconds": (Text("seconds"), ",.3g"),
    "ms_per_move": (Text("ms/move"), ",.3g"),
}
#: The costs of a player, which are sampled if a stand-in plays its games.
_COST = ("seconds", "ms_per_move", "nodes", "nodes_per_move")

#: Differences less likely than this are not attributed to luck.
_DOUBT = 0.05


@dataclass(frozen=True)
class Comparison:
    """A published figure and ours."""

    metric: str
    published: PublishedValue
    ours: Interval | None
    """None until the moves that give the times have been searched."""
    inside: bool
    """The published figure lies within our interval."""
    p: float | None
    """The p-value of the difference: Welch's test, or Fisher's for shares; none without a deviation."""
    sd: float | None = None
    """Our standard deviation, where one was published."""


class Reproduced(NamedTuple):
    """An experiment played here: the tables of its games, and of its sampled times if it has any."""

    experiment: DocumentExperiment
    games: pl.DataFrame
    turns: TurnTimes
    """The mean time of each turn, where it was kept."""
    times: pl.DataFrame | None = None

    def as_published(self) -> pl.DataFrame:
        """Return the games under the names of the document's players, no matter who played them, with their times.

        Sampled times and nodes are the mean of a move times the moves of the game.
        """
        games = []
        for place, published in enumerate(self.experiment.published):
            own = self.games.filter(pl.col("player") == published.played_by)
            if published.stand_in is None or own.is_empty():
                games.append(own)
                continue
            sampled = _of_player(self.times, published.player)
            player = parse_spec(published.player)
            games.append(
                own.with_columns(
                    entrant=pl.lit(len(self.experiment.plan.entrants) + place, pl.Int32),
                    name=pl.lit(published.player),
                    player=pl.lit(published.player),
                    algorithm=pl.lit(player.name),
                    seconds=pl.lit(_a_move(sampled, "seconds"), pl.Float64) * pl.col("moves"),
                    nodes=(pl.lit(_a_move(sampled, "nodes"), pl.Float64) * pl.col("moves")).round().cast(pl.Int64),
                )
            )
        return pl.concat(games) if games else self.games

    @property
    def heading(self) -> str:
        """The experiment's name, and the part of the document that it covers."""
        name, title = self.experiment.plan.name, self.experiment.title
        return name if title is None else f"{name}: {title}"

    def lines(self) -> list[ComparedLine]:
        """Every published player that has played, beside the published figures."""
        return compare_with_published(self.experiment, self.games, self.times)


class ComparedLine(NamedTuple):
    """One player: the document's games and ours."""

    label: str
    name: str
    """The document's player, and its opponent if there is one."""
    games: int
    comparisons: list[Comparison]
    faster: float | None
    """How many times faster a game is."""
    impossible: bool
    """The published score is too low for the published tile."""


def reproduce(
    names: list[str],
    folder: Path,
    where: Where,
    *,
    quick: bool = False,
    again: bool = False,
    watch: Callable[[Progress], None] = lambda progress: None,
    stopped: Callable[[], bool] = lambda: False,
    opening: Opening = open_pool,
) -> dict[str, list[Reproduced]]:
    """Play the missing games of these documents' experiments, each plan into its own file in the folder.

    With ``again``, the times of all games are measured again (`contienda.lab.again`).
    """
    found: dict[str, list[Reproduced]] = {}
    for name in names:
        for experiment in DOCUMENTS[name].experiments(quick):
            played = [Results(folder / f"{plan.name}.sqlite", plan) for plan in experiment.plans]
            for results in played:
                if not stopped():
                    run(results, where, watch=watch, stopped=stopped, opening=opening)
                if again and not stopped():
                    measure_again(experiment, results, where, watch=watch, stopped=stopped, opening=opening)
            found.setdefault(name, []).append(reproduced(experiment, *played))
            for results in played:
                results.close()
    return found


def reproduced(experiment: DocumentExperiment, results: Results, times: Results | None = None) -> Reproduced:
    """Return the games played so far of an experiment, and of its sampled times."""
    sampled = None if times is None else table_of(times)
    return Reproduced(experiment, table_of(results), turns_of(results), sampled)


def document_names(name: str) -> list[str]:
    """Return the documents of a name: one, or all."""
    if name != "all" and name not in DOCUMENTS:
        known = ", ".join([*DOCUMENTS, "all"])
        raise BadInput("no document {name!r}: there are {known}", name=name, known=known)
    return list(DOCUMENTS) if name == "all" else [name]


# --- Comparing -------------------------------------------------------------------------------------------------------


def compare_with_published(
    experiment: DocumentExperiment, games: pl.DataFrame, times: pl.DataFrame | None = None
) -> list[ComparedLine]:
    """Compare every published player that has played; in a two-player game, against each opponent.

    ``times`` has the sampled moves of players whose games stand-ins played.
    """
    return [
        _line(published, own, own if published.stand_in is None else _of_player(times, published.player))
        for published in experiment.published
        for own in games.filter(pl.col("player") == published.played_by).partition_by("entrant", maintain_order=True)
    ]


def _of_player(times: pl.DataFrame | None, player: str) -> pl.DataFrame | None:
    own = None if times is None else times.filter(pl.col("player") == player)
    return None if own is None or own.is_empty() else own


def _a_move(sampled: pl.DataFrame | None, column: str) -> float | None:
    """The mean of a figure over all moves of some games."""
    return None if sampled is None else float(sampled[column].sum()) / max(int(sampled["moves"].sum()), 1)


def compare_pooled(experiment: DocumentExperiment, table: pl.DataFrame) -> list[tuple[PooledTable, list[ComparedLine]]]:
    """Return the document's tables of pooled games, each with our corresponding games."""
    return [
        (pooled, [_pooled_line(sample, own) for sample in pooled.samples if len(own := _games_of(sample, table))])
        for pooled in experiment.pooled
    ]


def _games_of(sample: Sample, table: pl.DataFrame) -> pl.DataFrame:
    wanted = {"algorithm": sample.algorithm, "eval": sample.evaluator, "depth": sample.depth, "won": sample.won}
    return table.filter(*(pl.col(name) == value for name, value in wanted.items() if value is not None))


def _pooled_line(sample: Sample, own: pl.DataFrame) -> ComparedLine:
    comparisons = [
        _comparison(metric, figure, sample.games, own, sample.tile) for metric, figure in sample.figures.items()
    ]
    return ComparedLine(sample.label, "", len(own), comparisons, _faster(sample.figures, own), impossible=False)


def _faster(figures: dict[str, PublishedValue], timed: pl.DataFrame | None) -> float | None:
    ours = 0.0 if timed is None else float(timed["seconds"].to_numpy().mean())
    return figures["seconds"].mean / ours if "seconds" in figures and ours > 0 else None


def _line(published: Published, own: pl.DataFrame, timed: pl.DataFrame | None) -> ComparedLine:
    comparisons = [
        _comparison(metric, figure, published.games, timed if metric in _COST else own)
        for metric, figure in published.figures.items()
    ]
    opponent = own["opponent"][0]
    return ComparedLine(
        published.label if opponent is None else f"{published.label} – {opponent}",
        str(Entrant(published.player, opponent)),
        len(own),
        comparisons,
        _faster(published.figures, timed),
        impossible_score(published.figures),
    )


def _comparison(
    metric: str, published: PublishedValue, games: int, own: pl.DataFrame | None, tile: int | None = None
) -> Comparison:
    if own is None:
        return Comparison(metric, published, None, inside=False, p=None)
    if metric in ("wins", "share"):
        sd = None
        won = int((own["won"] if metric == "wins" else own["max_tile"] == tile).sum())
        ours = share_interval(won, len(own))
        known = not math.isnan(published.mean)
        p: float | None = _fisher(round(published.mean * games), games, won, len(own)) if known else None
    else:
        values = _values(metric, own)
        ours = mean_interval(values)
        sd = None if published.sd is None or len(values) < 2 else float(values.std(ddof=1))
        p = None if published.sd is None else _welch(published.mean, published.sd, games, values)
    # A share published with two decimals is as precise as ours.
    inside = ours.low - 5e-5 <= published.mean <= ours.high + 5e-5
    return Comparison(metric, published, ours, inside, p, sd)


def _values(metric: str, own: pl.DataFrame) -> np.ndarray[Any, Any]:
    """A figure of each game."""
    if metric == "ms_per_move":
        return np.asarray(1000 * own["seconds"] / _own_moves(own))
    if metric == "nodes_per_move":
        return np.asarray(own["nodes"] / _own_moves(own))
    return own[metric].to_numpy().astype(float)


def _own_moves(own: pl.DataFrame) -> pl.Series:
    """The number of moves that the player itself made: in all documents' games for two it moves second."""
    return (own["moves"] if own["opponent"][0] is None else own["moves"] // 2).clip(1)


def _fisher(won: int, games: int, our_won: int, our_games: int) -> float:
    from scipy.stats import fisher_exact

    return float(fisher_exact([[won, games - won], [our_won, our_games - our_won]]).pvalue)


def _welch(mean: float, sd: float, games: int, values: np.ndarray[Any, Any]) -> float | None:
    from scipy.stats import ttest_ind_from_stats

    if len(values) < 2 or (sd == 0 and values.std() == 0):
        return None
    ours = (values.mean(), values.std(ddof=1), len(values))
    return float(ttest_ind_from_stats(mean, sd, games, *ours, equal_var=False).pvalue)


def impossible_score(figures: dict[str, PublishedValue]) -> bool:
    """Return whether a mean score is too low for the mean largest tile.

    A tile 2^k made of 4s only takes merges worth (k − 2) × 2^k. That grows faster than the tile, so its mean over games
    is at least its value at the mean tile (Jensen's inequality).
    """
    if "score" not in figures or "max_tile" not in figures:
        return False
    tile = figures["max_tile"].mean
    return figures["score"].mean < tile * (math.log2(tile) - 2)


def verdict(lines: list[ComparedLine]) -> Text:
    """Return how many figures agree, and how many times faster games are."""
    compared = [
        c
        for line in lines
        for c in line.comparisons
        if c.metric not in TIMED and c.ours is not None and not math.isnan(c.published.mean)
    ]
    if not compared and any(math.isnan(c.published.mean) for line in lines for c in line.comparisons):
        return Text("no figures were published of this")
    inside = sum(c.inside for c in compared)
    tested = [c.p for c in compared if c.p is not None]
    alike = sum(p > _DOUBT for p in tested)
    faster = [line.faster for line in lines if line.faster is not None]
    agree = Text(
        "{inside:,} of {compared:,} published figures lie within our intervals; {alike:,} of {tested:,} "
        "differ by no more than luck would make them (p > {doubt:,})",
        inside=inside,
        compared=len(compared),
        alike=alike,
        tested=len(tested),
        doubt=_DOUBT,
    )
    if not faster:
        return agree
    return Text(
        "{agree}; a game is {low} to {high} times faster, median {middle}",
        agree=agree,
        low=times(min(faster)),
        high=times(max(faster)),
        middle=times(median(faster)),
    )


def times(factor: float) -> Text:
    """A factor, to two digits at least."""
    return Text("{factor:,.0f}", factor=factor) if factor >= 10 else Text("{factor:,.2g}", factor=factor)


class Change(NamedTuple):
    """The change of a figure from one player to another, absolute and relative; published and ours."""

    metric: str
    published: float
    published_share: float | None
    ours: float | None
    ours_share: float | None


def changes_of(improvement: Improvement, lines: list[ComparedLine]) -> list[Change]:
    """A document's comparison of two of its players, beside ours; nothing until both have played."""
    found = [next((line for line in lines if line.label.startswith(f"{each} ")), None) for each in improvement[1:]]
    if found[0] is None or found[1] is None:
        return []
    before, after = found[0].comparisons, found[1].comparisons
    return [
        Change(
            b.metric,
            a.published.mean - b.published.mean,
            _share(b.published.mean, a.published.mean),
            None if a.ours is None or b.ours is None else a.ours.value - b.ours.value,
            None if a.ours is None or b.ours is None else _share(b.ours.value, a.ours.value),
        )
        for b, a in zip(before, after, strict=True)
    ]


def _share(before: float, after: float) -> float | None:
    return after / before - 1 if before else None


def change_texts(change: Change) -> tuple[str, str, str]:
    """The measure, and the published change and ours, each absolute and in per cent."""
    title, spec = METRICS[change.metric]
    return (
        str(title),
        _gain(change.published, change.published_share, spec),
        _gain(change.ours, change.ours_share, spec),
    )


def _gain(gain: float | None, share: float | None, spec: str) -> str:
    if gain is None:
        return "–"
    percent = "" if share is None else f" ({number(share, '+,.1%')})"
    return number(gain, f"+{spec}") + percent


# --- Showing ---------------------------------------------------------------------------------------------------------


def reproduction_html(found: Mapping[str, Sequence[Reproduced]], draw: Callable[[Any], str] = svg_of) -> str:
    """All documents on one page; ``draw`` makes SVG of a chart."""
    parts = [
        "<p>"
        + say(
            "Each cell: the published figure, ours with its 95 % interval, ✓ if the published one lies "
            "within, and p, how likely luck alone makes two samples differ so much. The published figures "
            "are samples too."
        )
        + "</p>"
    ]
    for name, experiments in found.items():
        document = DOCUMENTS[name]
        parts.append(f"<h2>{document.title}</h2>")
        parts += [f'<p class="note">{note}</p>' for note in document.notes]
        for each in experiments:
            lines = each.lines()
            parts.append(f"<h3>{each.heading}</h3>")
            parts += [f"<p><b>{verdict(lines)}.</b></p>", _lines_table(lines)]
            for pooled, own in compare_pooled(each.experiment, each.games):
                parts += [f"<h4>{pooled.title}</h4>", _lines_table(own)] if own else []
            for improvement in each.experiment.improvements:
                rows = [change_texts(change) for change in changes_of(improvement, lines)]
                headers = ["", say("published"), say("ours")]
                parts += [f"<h4>{improvement.title}</h4>", html_table(headers, rows)] if rows else []
            charts = figures_of(each.as_published(), each.turns)
            parts += [
                "<details><summary>" + say("Figures") + "</summary>",
                *(
                    f"<figure>{_caption(document.figures.get(figure))}{draw(charts[figure])}</figure>"
                    for figure in document.in_order(charts)
                ),
                "</details>",
            ]
    return page(say("The documents reproduced"), parts)


def _caption(numbers: str | None) -> str:
    """Which of the document's figures this corresponds to."""
    return "" if numbers is None else f"<figcaption>{say('Figure {numbers}', numbers=numbers)}</figcaption>"


def _lines_table(lines: list[ComparedLine]) -> str:
    metrics = [c.metric for c in lines[0].comparisons] if lines else []
    headers = [say("player"), say("games"), *(str(METRICS[metric][0]) for metric in metrics)]
    timed = any(line.faster for line in lines)
    rows = [
        [
            line.label,
            str(line.games),
            *(_cell(c, line) for c in line.comparisons),
            *([f"× {times(line.faster)}" if line.faster else ""] if timed else []),
        ]
        for line in lines
    ]
    return html_table([*headers, say("faster")] if timed else headers, rows)


def _cell(c: Comparison, line: ComparedLine) -> str:
    spec = METRICS[c.metric][1]
    unpublished = math.isnan(c.published.mean)
    if c.ours is None:
        return "–" if unpublished else number(c.published.mean, spec)
    theirs, ours = (
        "" if sd is None else f' <span class="range">± {number(sd, spec)}</span>' for sd in (c.published.sd, c.sd)
    )
    text = f"{'–' if unpublished else number(c.published.mean, spec)}{theirs}<br>{interval(c.ours, spec)}{ours}"
    if c.metric in TIMED or unpublished:
        return text
    if c.metric == "score" and line.impossible:
        return text + f'<br><span class="no">{say("impossible")}</span>'
    mark = '<span class="yes">✓</span>' if c.inside else '<span class="no">✗</span>'
    return text + f"<br>{mark}" + ("" if c.p is None else f" p = {number(c.p, ',.2g')}")
