"""One training in its own thread, and a game that its network plays meanwhile."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from contienda.core.language import BadInput, Text
from contienda.web.errors import without_folder
from contienda.web.training.kinds import Kind, Learner
from contienda.web.training.shapes import TrainingView
from contienda.web.work import rehearsals
from contienda.web.work.processes import run_in_background

__all__ = ["TrainingRun"]

#: No more trainings run at a time than there are cores; the others wait for their turn, a slice each.
_LEARNING = threading.BoundedSemaphore(os.cpu_count() or 1)
#: Seconds of a slice, and between two saves.
_SLICE, _SAVE_EVERY = 0.3, 20.0
#: Seconds that a stop waits for the current slice.
_PATIENCE = 5.0


class TrainingRun:
    """A training in its own thread, and a game that its network plays meanwhile, for users to watch."""

    def __init__(self, kind: Kind, training: Learner, path: Path, games: int, sparing: Callable[..., None]) -> None:
        self.kind = kind
        self.training = training
        self.path = path
        self._games = games
        self._status: Literal["compiling", "running", "stopped", "finished", "failed"] = "compiling"
        self._error: Text | None = None
        self.given_up = False
        self._halt = threading.Event()
        self._thread = threading.Thread(target=self._work, name="contienda-training", daemon=True)
        self._sample = kind.sample(training)
        self._sparing = sparing
        """`Compiler.sparing_here`, for this browser."""

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Stop after the current slice."""
        self._halt.set()
        self._thread.join(_PATIENCE)  # it may still be compiling

    def give_up(self) -> None:
        """Stop, since another browser gets the place."""
        self.given_up = True
        self._error = Text("stopped, since others were waiting for a place; resume it later")
        self._halt.set()

    def _work(self) -> None:
        training = self.training
        try:
            self._sparing(rehearsals.LearningRehearsal(self.kind.game.spec, training.plan), self._begin)
            if sys.platform == "linux":  # elsewhere it applies to the whole process
                run_in_background()  # not earlier: compiling holds the GIL, and others would wait for it
            training.save(self.path)  # a full disk is reported now
            self._status = "running"
            saved = time.monotonic()
            while training.games < self._games and not self._halt.is_set():
                with _LEARNING:
                    training.play_on(self._games, _SLICE)
                self._sample.go_on()
                if time.monotonic() - saved > _SAVE_EVERY:
                    saved = time.monotonic()
                    training.save(self.path)
            training.save(self.path)
            self._status = "finished" if training.games >= self._games else "stopped"
        except BadInput as error:
            self._status, self._error = "failed", without_folder(error.text, self.path.parent)
        except Exception:
            self._error = Text("something went wrong in this training")
            self._status = "failed"
            raise

    def _begin(self) -> None:
        self.training.compile()
        self._sample.go_on()

    def view(self, since: int) -> TrainingView:
        training = self.training
        return TrainingView(
            name=self.path.stem, game=self.kind.game.spec, network=str(training.plan.network),
            method=training.plan.method, status=self._status,
            games=training.games, target=self._games, moves=training.moves, seconds=training.seconds, start=since,
            curve=self.kind.curve(training, since), board=self._sample.position,
            error=self._error.in_all_languages() if self._error else None,
        )  # fmt: skip
