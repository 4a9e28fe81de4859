"""An experiment in one line of a notebook, kept in a file beside it."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from contienda.lab.plan import Plan
from contienda.lab.results import Results
from contienda.lab.run import Progress, run
from contienda.lab.where import Where

__all__ = ["Experiment"]


class Experiment:
    """Players measured on the same seeds: ``Experiment("tictactoe", ["alphabeta", "greedy"], ["random"], games=50)``.

    ``run()`` plays the games and returns the results; if interrupted, it keeps the finished ones and plays the others
    next time. More keys are those of `contienda.Plan`, such as ``target=2048`` or ``sides="both"``. The file is
    ``path``, or in this folder one named after the game and the plan, so that another plan gets another file.
    """

    def __init__(
        self,
        game: str,
        players: Sequence[str],
        opponents: Sequence[str] = (),
        *,
        games: int | None = 100,
        seed: int = 1,
        path: str | Path | None = None,
        **more: Any,
    ) -> None:
        asked: dict[str, Any] = {"name": "", "game": game, "players": tuple(players), "opponents": tuple(opponents)}
        asked |= {"games": games, "seed": seed, **more}
        if not asked["name"]:
            mark = hashlib.sha256(json.dumps(asked, sort_keys=True, default=str).encode()).hexdigest()[:8]
            asked["name"] = f"{game.partition(':')[0]} {mark}"
        self.plan = Plan(**asked).with_usual_opening(asked)
        self.plan.check()
        self.path = Path(path or f"{self.plan.name.replace('/', ' ')}.sqlite")

    @property
    def results(self) -> Results | None:
        """The games played so far; None before the first ``run``."""
        return Results(self.path, self.plan) if self.path.exists() else None

    def run(self, workers: int | None = None) -> Results:
        """Play the games that are missing, on all cores unless you say how many, and return the results."""
        from rich.progress import Progress as Bar

        results = Results(self.path, self.plan)
        with Bar(transient=True) as bar:
            task = bar.add_task(self.plan.name, total=None)

            def watch(progress: Progress) -> None:
                done = sum(progress.done.values())
                bar.update(task, completed=done, total=done + progress.left)

            run(results, Where(workers=workers or os.cpu_count() or 1), watch=watch)
        return results

    def charts(self) -> dict[str, Any]:
        """Return the Altair charts that the games played so far can fill, by name."""
        results = self.results
        return {} if results is None else results.charts()

    def _repr_html_(self) -> str:
        """The plan, and the table of players once games have been played."""
        results = self.results
        table = "" if results is None or not results.counts() else results._repr_html_()
        return f"{self.plan._repr_html_()}{table}<p><code>{escape(str(self.path))}</code></p>"
