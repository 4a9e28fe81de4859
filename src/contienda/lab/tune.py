"""Tunes the weights of an evaluator: CMA-ES (Hansen and Ostermeier 2001, package ``cma``) on the mean score.

All candidates of a generation play the same seeds, and each generation plays new ones, so that the winner is not fitted
to some seeds. The trials are stored in a file, one line each. The optimiser's state is not stored: its random numbers
come from a seed, so the same scores lead it to the same state. To resume, run the same command with the same file.
"""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from contienda.core.files import check_writable
from contienda.core.language import BadInput
from contienda.games import DEFAULT_GAME
from contienda.lab.plan import Plan
from contienda.lab.results import Failure, Outcome, Results
from contienda.lab.run import run
from contienda.lab.sensitivity import weights_of, with_weights
from contienda.lab.sources import sources_of
from contienda.lab.statistics import Difference, Interval, compare, summarise
from contienda.lab.table import table_of
from contienda.lab.where import Batch, Pool, Where, code_version, open_pool

__all__ = ["Gain", "Trial", "Tuning", "gain", "tune"]

#: The size of the first steps, as a share of each weight.
_SIGMA = 0.4

#: The game of files from earlier versions, which did not name it.
_BEFORE_GAMES = "2048"


@dataclass(frozen=True)
class Tuning:
    """What to tune, and the budget."""

    player: str
    games: int = 50
    """For each candidate."""
    budget: int = 5000
    """Games in all."""
    population: int = 10
    seed: int = 1
    game: str = DEFAULT_GAME

    def __post_init__(self) -> None:
        weights_of(self.player, self.game)
        for name, least in (("games", 1), ("population", 4)):
            if getattr(self, name) < least:
                raise BadInput("{name} must be at least {least}", name=name, least=least)
        if self.generations < 1:
            least = self.games * self.population
            raise BadInput(
                "a budget of {budget} games is too small: one generation takes {least}", budget=self.budget, least=least
            )

    @property
    def generations(self) -> int:
        """The number of generations that the budget allows."""
        return self.budget // (self.games * self.population)

    def seeds(self, generation: int) -> tuple[int, ...]:
        """Return the seeds of a generation, which no other uses."""
        first = self.seed + generation * self.games
        return tuple(range(first, first + self.games))


class Trial(NamedTuple):
    """A candidate and its score."""

    generation: int
    candidate: int
    player: str
    score: float


def tune(
    tuning: Tuning,
    path: Path,
    where: Where,
    *,
    watch: Callable[[list[Trial]], None] = lambda trials: None,
    stopped: Callable[[], bool] = lambda: False,
) -> str | None:
    """Search for better weights; return the player with the best ones, or None if stopped."""
    with warnings.catch_warnings(action="ignore"):  # that it cannot plot
        import cma

    start = weights_of(tuning.player, tuning.game)
    # Weights are scaled by their initial values (0 by 1), so that a step has the same meaning for all.
    scale = np.array([abs(value) or 1.0 for value in start.values()])
    at = np.array(list(start.values())) / scale
    options = {"popsize": tuning.population, "seed": tuning.seed, "verbose": -9}
    search = cma.CMAEvolutionStrategy(at, _SIGMA, options)
    log = _Log(path, tuning)
    with open_pool(where) as pool:
        for generation in range(tuning.generations):
            asked = search.ask()
            players = [with_weights(tuning.player, _named(start, point * scale)) for point in asked]
            scores = _play_generation(tuning, generation, players, log, pool, stopped)
            if scores is None:
                return None
            search.tell(asked, [-score for score in scores])
            watch(log.trials)
    return with_weights(tuning.player, _named(start, search.mean * scale))


def _named(start: dict[str, float], values: np.ndarray[Any, Any]) -> dict[str, float]:
    return dict(zip(start, map(float, values), strict=True))


def _play_generation(
    tuning: Tuning, generation: int, players: list[str], log: _Log, pool: Pool, stopped: Callable[[], bool]
) -> list[float] | None:
    """Return the mean score of each candidate, from the log or played now; None if stopped."""
    scores = log.scores(generation)
    running: dict[Future[list[Outcome | Failure]], int] = {}
    for number, player in enumerate(players):
        if number not in scores:
            seeds = tuning.seeds(generation)
            batch = Batch(number, tuning.game, None, player, None, False, seeds, False, False, code_version())
            running[pool.submit(batch._replace(sources=log.sources))] = number
    while running:
        done, _ = wait(running, timeout=0.2, return_when=FIRST_COMPLETED)
        if stopped():
            return None
        for future in done:
            number = running.pop(future)
            found = [0 if isinstance(each, Failure) else each.score or 0 for each in future.result()]
            scores[number] = sum(found) / len(found)
            log.add(Trial(generation, number, players[number], scores[number]))
    return [scores[number] for number in range(len(players))]


class _Log:
    """The trials so far: a line of JSON for each, after one that says what is tuned."""

    def __init__(self, path: Path, tuning: Tuning) -> None:
        check_writable(path)
        # The budget may be raised later.
        asked = {key: value for key, value in asdict(tuning).items() if key != "budget"}
        self.sources = tuple(sources_of([tuning.player, tuning.game]))
        head = json.dumps(asked | {"sources": {source.place: source.hash for source in self.sources}})
        try:
            text = path.read_text(encoding="utf-8") if path.exists() else ""
            whole = text[: text.rfind("\n") + 1]  # a crash may leave half a line behind
            lines = whole.splitlines()
            first = json.loads(lines[0]) if lines else asked
            self.trials = [Trial(**json.loads(line)) for line in lines[1:]]
        except (OSError, ValueError, TypeError) as error:
            raise BadInput("{path} has no readable tuning: {error}", path=path, error=error) from None
        first = {"game": _BEFORE_GAMES} | first
        # A file of an earlier version does not say what the heuristic was.
        kept = first.get("sources", {source.place: source.hash for source in self.sources})
        if {key: first.get(key) for key in asked} != asked:
            raise BadInput("{path} holds another tuning: give another file with --out", path=path)
        for source in self.sources:
            if kept.get(source.place) != source.hash:
                raise BadInput(
                    "{place} has changed since {path} was started: restore the old text, or choose another file "
                    "with --out",
                    place=source.place,
                    path=path,
                )
        self._path = path
        if whole != text:
            os.truncate(path, len(whole.encode()))
        if not lines:
            self._write(head)

    def scores(self, generation: int) -> dict[int, float]:
        """The scores of a generation's candidates that have played."""
        return {trial.candidate: trial.score for trial in self.trials if trial.generation == generation}

    def add(self, trial: Trial) -> None:
        """Store a trial."""
        self.trials.append(trial)
        self._write(json.dumps(trial._asdict()))

    def _write(self, line: str) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")
            file.flush()
            os.fsync(file.fileno())


class Gain(NamedTuple):
    """The gain from tuning, on seeds that it never used."""

    before: Interval
    after: Interval
    difference: Difference


def gain(tuning: Tuning, tuned: str, path: Path, where: Where, *, games: int = 500) -> Gain:
    """Play the original and the tuned player on the same new seeds."""
    fresh = tuning.seeds(tuning.generations)[0]
    results = Results(path, Plan("tuned", tuning.game, (tuning.player, tuned), games=games, seed=fresh))
    run(results, where)
    table = table_of(results)
    before, after = (summary.score for summary in summarise(table))
    difference = compare(table, 1, 0)
    assert before is not None
    assert after is not None
    assert difference is not None
    return Gain(before, after, difference)
