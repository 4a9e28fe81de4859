"""``contienda lab test``: plays two players until a sequential test knows which is better."""

from __future__ import annotations

import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import typer
from rich.console import Console

from contienda.cli.arguments import print_json
from contienda.cli.lab.run import watched
from contienda.core.game import MIN
from contienda.core.language import BadInput, bounds, number, plural, say
from contienda.games import make_game
from contienda.lab.openings import default_opening
from contienda.lab.plan import Plan
from contienda.lab.results import Results
from contienda.lab.run import run
from contienda.lab.sequential import Hypotheses, Sequential, weigh_results
from contienda.lab.statistics import Interval
from contienda.lab.where import Where

__all__ = ["Question", "run_test", "show_test"]


class Question(NamedTuple):
    """The arguments of ``contienda lab test``."""

    game: str
    first: str
    second: str
    hypotheses: Hypotheses
    most: int
    seed: int
    opening: int | None
    target: int | None


def run_test(question: Question, where: Where, out: Path | None, as_json: bool) -> None:
    """Play until the test decides, and print the verdict; with ``out`` games are kept, and a stopped test resumes."""
    plan = _plan(question)
    plan.check()
    with (
        tempfile.TemporaryDirectory(prefix="contienda-") as folder,
        closing(Results(out or Path(folder) / "test.sqlite", plan)) as results,
    ):
        with watched() as (watch, stopped):
            progress = run(results, where, watch=watch, stopped=stopped)
        found = weigh_results(results, progress.total)
        print_json(_as_data(question, plan, found)) if as_json else show_test(plan, found, Console())
    if not progress.complete:
        raise typer.Exit(130)
    if progress.failed:
        raise typer.Exit(2)


def _plan(question: Question) -> Plan:
    game = make_game(question.game)
    two = MIN in game.kinds
    if question.first == question.second:
        raise BadInput("{spec} against itself: name two different players", spec=question.first)
    if question.opening is not None and not two:
        raise BadInput("opening is for games for two, not {name}", name=game.name)
    opening = 0 if not two else default_opening(game) if question.opening is None else question.opening
    return Plan(
        f"{question.first} – {question.second}",
        question.game,
        (question.first,) if two else (question.first, question.second),
        (question.second,) if two else (),
        test=str(question.hypotheses),
        most=question.most,
        seed=question.seed,
        target=question.target,
        sides="both" if two else "first",
        opening=opening,
    )


def _as_data(question: Question, plan: Plan, found: Sequential) -> dict[str, Any]:
    two = bool(plan.opponents)
    measure = {"elo": _ends(found.difference), "nelo": _ends(found.normalised)} if two else {
        "gain": _ends(found.difference), "effect": _ends(found.normalised)
    }  # fmt: skip
    return {
        "game": plan.game,
        "first": question.first,
        "second": question.second,
        "games": 2 * found.pairs,
        **found.as_data(),
        **measure,
        **({"pentanomial": list(found.counts), "opening": plan.opening} if two else {}),
        "hypotheses": question.hypotheses._asdict(),
        "seed": plan.seed,
    }


def _ends(interval: Interval) -> dict[str, float]:
    return {"value": interval.value, "low": interval.low, "high": interval.high}


def show_test(plan: Plan, found: Sequential, console: Console) -> None:
    """Print the verdict, then the figures behind it."""
    first, second = (plan.players[0], plan.opponents[0]) if plan.opponents else plan.players
    console.print(_verdict(found, first, second), style="bold", highlight=False, markup=False, soft_wrap=True)
    if plan.opponents:
        shown = "Elo " + _interval(found.difference, "+z,.0f") + ", nElo " + _interval(found.normalised, "+z,.0f")
    else:
        shown = say("gain {interval}", interval=_interval(found.difference, "+z,.1%"))
    low, high = found.bounds
    lines = [
        shown,
        say(
            "{games:,} games in {pairs:,} pairs; LLR {llr} and {llr2} between {low} and {high}; LOS {los}",
            games=2 * found.pairs,
            pairs=found.pairs,
            llr=number(found.llr, ",.2f"),
            llr2=number(found.llr_second, ",.2f"),
            low=number(low, ",.2f"),
            high=number(high, ",.2f"),
            los=number(found.los, ",.1%"),
        ),
    ]
    if plan.opponents:
        counts = " ".join(map(str, found.counts))
        lines.append(say("pairs with 0, ½, 1, 1½ and 2 points: {counts}", counts=counts))
    if plan.opening:
        lines.append(say("every opening of {n} random moves, from both sides", n=plan.opening))
    if found.repeated:
        lines.append(
            str(
                plural(
                    "{n} pair repeated another and was left out",
                    "{n:,} pairs repeated others and were left out",
                    found.repeated,
                )
            )
        )
    for line in lines:
        console.print(line, highlight=False, markup=False, soft_wrap=True)


def _verdict(found: Sequential, first: str, second: str) -> str:
    if found.verdict == "first":
        return say("{better} is better than {worse}", better=first, worse=second)
    if found.verdict == "second":
        return say("{better} is better than {worse}", better=second, worse=first)
    if found.decided:
        return say("no difference shown: it is smaller than asked for")
    return say("no difference shown: more games are needed")


def _interval(interval: Interval, how: str) -> str:
    return f"{number(interval.value, how)} {bounds(interval.low, interval.high, how)}"
