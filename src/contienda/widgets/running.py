"""An experiment that runs while a notebook shows it, as a widget."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path
from typing import Any

from contienda.games import make_game
from contienda.lab.plan import Plan
from contienda.lab.results import Results
from contienda.lab.run import Progress, run
from contienda.lab.where import Where
from contienda.web.catalogue import game_entry
from contienda.web.lab.experiments import Job
from contienda.web.lab.views import LabViews
from contienda.widgets.page import FrameWidget, widget_module

__all__ = ["RunWidget"]

#: Seconds between two looks at the results.
_GLANCE = 0.5
#: Minutes that a run may take: there is nobody to give the place to.
_MINUTES = 60 * 24 * 365


class RunWidget(FrameWidget):
    """The games of a plan, played in the background: ``RunWidget(plan)``. Games that the file has are not played again.

    Its button stops the run, and resumes it. ``results`` has the games; ``wait()`` waits for them.
    """

    _esm = widget_module("run", "widget-run", ("lab", "lab-tables", "widget"))

    def __init__(self, plan: Plan | Results, path: str | Path | None = None, *, workers: int | None = None) -> None:
        given = plan if isinstance(plan, Results) else None
        plan = plan.plan if isinstance(plan, Results) else plan
        plan.check()
        self.results = given or Results(Path(path or f"{plan.name.replace('/', ' ')}.sqlite"), plan)
        self._where = Where(workers=workers or os.cpu_count() or 1)
        self._views = LabViews(str)
        super().__init__(plan.name)
        game = make_game(plan.game)
        self._catalogue = {"games": {game.name: game_entry(game)}, "levels": {}}
        self.resume()

    def resume(self) -> None:
        """Play the games that are missing."""
        if self.running:
            return
        self._job = Job(self._play, _MINUTES)
        threading.Thread(target=self._report, args=(self._job,), name="contienda-widget", daemon=True).start()

    @property
    def running(self) -> bool:
        """Whether games are being played."""
        return hasattr(self, "_job") and self._job.running

    def stop(self) -> None:
        """Stop the run; games that have ended are kept."""
        self._job.cancel()

    def wait(self, seconds: float | None = None) -> Results:
        """Wait until the run ends; return its results."""
        due = None if seconds is None else time.monotonic() + seconds
        while self.running and (due is None or time.monotonic() < due):
            time.sleep(_GLANCE / 10)
        self._look(self._job)
        return self.results

    def _play(self, job: Job) -> Progress:
        return run(self.results, self._where, watch=job.watch, stopped=job.stopped)

    def _report(self, job: Job) -> None:
        while job.running:
            self._look(job)
            time.sleep(_GLANCE)
        self._look(job)

    def _look(self, job: Job) -> None:
        self._show(catalogue=self._catalogue, run=self._views.run("run", self.results, job).model_dump(mode="json"))

    def _heard(self, wish: dict[str, Any]) -> None:
        if wish.get("do") == "stop":
            self.stop()
        elif wish.get("do") == "resume":
            self.resume()
