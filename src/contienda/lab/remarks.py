"""What the figures of an experiment rest on: how its games began, when it stopped, and which games repeat others."""

from __future__ import annotations

from contienda.core.language import Text, plural
from contienda.lab.plan import Plan
from contienda.lab.results import Results

__all__ = ["opening_remark", "remarks_on", "repeats_remark"]


def remarks_on(results: Results) -> list[Text]:
    """Return the remarks that belong beside the figures of these results."""
    plan = results.plan
    found = [opening_remark(plan), repeats_remark(len(results.repeated()))]
    if plan.interval is not None:
        found.append(
            Text(
                "played until each mean is known to within {share:.3g} %, by a confidence sequence of 95 % "
                "(Waudby-Smith and others, 2021), which may be checked after every game",
                share=100 * plan.interval,
            )
        )
    return [text for text in found if text is not None]


def opening_remark(plan: Plan) -> Text | None:
    """Return how games for two began; None for other games."""
    if not plan.opponents:
        return None
    if not plan.opening:
        return Text("no opening moves: players without luck repeat the same game")
    if plan.sides == "both":
        return Text("every opening of {n} random moves, from both sides", n=plan.opening)
    return Text("every game opens with {n} random moves", n=plan.opening)


def repeats_remark(repeated: int) -> Text | None:
    """Return how many games repeat others; None if none do."""
    if not repeated:
        return None
    return plural(
        "{n} game repeated another, move for move: they count once",
        "{n:,} games repeated others, move for move: they count once",
        repeated,
    )
