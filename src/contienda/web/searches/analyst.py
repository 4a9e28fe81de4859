"""Searches for a browser: a hint, a machine's move, a trace, a path to a tile, a batch of games.

Each is a coroutine that runs its searches in a `FairQueue` and can be cancelled at any moment.
"""

from __future__ import annotations

import asyncio
import math
import os
import secrets
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

from starlette.concurrency import run_in_threadpool

from contienda.compiled.rng import generator
from contienda.compiled.stopping import Stop
from contienda.core.analysis import Analysis
from contienda.core.game import CHANCE, FEATURES, Game, State
from contienda.core.language import BadInput
from contienda.core.specs import Spec, parse_spec
from contienda.exercises.course import course_exercise
from contienda.exercises.exercise import exercise_from_data
from contienda.games import game_types, takes_text
from contienda.match import Played
from contienda.players.base import Forfeit, Player
from contienda.players.paths import PATH_SEARCHES, make_path_search
from contienda.players.paths.base import Solution
from contienda.players.review import reviewed
from contienda.problems import PROBLEMS, make_problem
from contienda.record import path_as_game, states_of
from contienda.search.hooks import CAPACITY
from contienda.trace.refuting import after_move, refutation
from contienda.web.errors import Conflict
from contienda.web.games.files import played_game
from contienda.web.games.games import Games
from contienda.web.games.shapes import BatchRequest, MachineMove
from contienda.web.games.table import aimed, game_to_play
from contienda.web.games.views import analysis_view
from contienda.web.searches.batches import Some, Totals, play_some
from contienda.web.searches.confined import analyse_confined, uses_safe
from contienda.web.searches.heuristics import Heuristics
from contienda.web.searches.players import Players, megabytes_of
from contienda.web.searches.reviews import REVIEW_MEMORY, by_scores, reviewer_of
from contienda.web.searches.shapes import (
    AnalysisView,
    ExerciseRequest,
    HintRequest,
    RefutedView,
    ReviewRequest,
    SolutionRequest,
    TraceRequest,
)
from contienda.web.searches.traces import exercise_request, trace_path, trace_request
from contienda.web.settings import Limits
from contienda.web.shapes import PositionRequest
from contienda.web.work import rehearsals
from contienda.web.work.compiler import Compiler, Guarding
from contienda.web.work.processes import Workshop
from contienda.web.work.queue import FairQueue, MemoryLimit, Most
from contienda.web.work.sandbox import Sandbox

__all__ = ["Analyst", "Report"]

#: Tells the browser the progress of a job.
Report = Callable[[dict[str, Any]], None]


def _unheard(progress: dict[str, Any]) -> None: ...


#: Seconds between two reports of one job.
_GLANCE = 0.2

_CORES = os.cpu_count() or 1
#: How many run at once: short searches for a move, lasting ones, paths and games of batches, traces; and how many of
#: these for one browser. More than there are cores, so that none waits long for its turn. Not many more: a thread that
#: holds the GIL without having a core blocks everybody. A trace is written in pure Python: running one at a time leaves
#: the GIL to others half of the time.
_SHORT, _LASTING, _LONG, _TRACES, _EACH = 4 + 2 * _CORES, 2 + _CORES, 2 + _CORES, 1, 2

#: Games of a batch that are handed over at a time; those that do not fit in a turn come back.
_AT_A_TIME = 100

#: Extra seconds for a trace, which may have to be compiled first: on a busy machine, A* took over 60.
_COMPILING = 180


class Analyst:
    """Searches for all browsers."""

    def __init__(
        self,
        games: Games,
        players: Players,
        heuristics: Heuristics,
        compiler: Compiler,
        limits: Limits,
        memory: MemoryLimit,
        desk: FairQueue,
        workshop: Workshop,
        long_workshop: Workshop,
        sandbox: Sandbox,
    ) -> None:
        self._games = games
        self._sandbox = sandbox
        self._workshop, self._long_workshop = workshop, long_workshop
        self._compiler = compiler
        self._players = players
        self._heuristics = heuristics
        self._limits = limits
        self._desk = desk
        # Several queues: a user who waits for a move does not wait for another user's thousand games.
        most = Most(limits.searches, limits.address_searches, limits.all_searches)
        self._short = FairQueue(_SHORT, _EACH, most, "search", lasting=_LASTING, memory=memory)
        self._long = FairQueue(_LONG, _EACH, most, "batch", memory=memory)
        self._traces = FairQueue(_TRACES, 1, most, "trace", memory=memory)

    def close(self) -> None:
        """Start nothing more."""
        for queue in (self._short, self._long, self._traces):
            queue.close()

    @property
    def searches(self) -> int:
        """How many searches run or wait."""
        return self._short.places + self._long.places + self._traces.places + self._sandbox.places

    # A position.

    async def hint(self, client: str, asked: HintRequest, report: Report = _unheard) -> AnalysisView:
        """Return every move of a position with its value."""

        async def read(guard: Guarding) -> tuple[Game, State]:
            if self._compiler.has_board(asked.game):  # handing it to a thread takes longer than reading it
                found: tuple[Game, State] = guard(_read)(asked)
                return found
            return await run_in_threadpool(guard(_read), asked)

        game, state = await self._compiler.sparing(client, rehearsals.BoardRehearsal(asked.game), read, report)
        self._compiler.add_board(asked.game)
        aim = aimed(game, state, asked.target)
        analysis = await self._analyse(client, aim, asked.player, state, 0, report)
        view = analysis_view(game, state, asked.player, analysis)
        if asked.why is not None:
            after = after_move(aim, state, asked.why)
            answer = None if after is None else await self._analyse(client, aim, asked.player, after, 0, report)
            told = refutation(aim, state, asked.why, analysis, answer)
            view.why = [RefutedView(text=one.text.in_all_languages(), board=one.board) for one in told]
        return view

    async def move(self, client: str, asked: MachineMove, report: Report = _unheard) -> dict[str, Any]:
        """Make the machine's move in a game; return the game, the step and the analysis, or the game it lost."""
        table = await run_in_threadpool(self._games.table, client, asked.id)
        if table.row.revision != asked.revision:
            raise Conflict(table.view())
        lots = int(generator(table.row.seed, stream=1 + table.row.cursor).state)
        game = aimed(table.game, table.state, table.row.target)
        try:
            analysis = await self._analyse(client, game, asked.player, table.state, lots, report)
        except Forfeit as forfeit:
            if table.mover != asked.player:  # a helper, which is not a player of this game
                raise
            lost = await run_in_threadpool(self._games.lose, client, asked.id, asked.revision, forfeit.text)
            return {"game": lost.view().model_dump(), "step": None, "analysis": None}
        before = table.state
        ms, nodes = analysis.counters.seconds * 1000, analysis.counters.nodes
        table, step = await run_in_threadpool(
            self._games.make_move, client, asked.id, asked.revision, analysis.best, asked.player, ms, nodes
        )
        found = analysis_view(table.game, before, asked.player, analysis)
        return {"game": table.view().model_dump(), "step": step.model_dump(), "analysis": found.model_dump()}

    async def _analyse(self, client: str, game: Game, spec: str, state: State, seed: int, report: Report) -> Analysis:
        """Run a search within its time limit; compiling does not count."""
        seconds = self._limits.ms / 1000
        begun = math.inf  # until the search itself begins

        def prepare(stop: Stop) -> Player:
            return self._players.get_ready(client, game, spec)

        async def search(guard: Guarding) -> Analysis:
            nonlocal begun
            with self._short.place(client) as place:
                ready = self._players.ready(game, asked)
                player: Player = await place.run(guard(prepare)) if ready is None else ready
                begun = time.monotonic()
                look = guard(partial(player.analyse, state, seed=seed))
                found: Analysis = await place.run(look, seconds, megabytes=megabytes, tell=waiting)
                return found

        def compiling(progress: dict[str, Any]) -> None:
            nonlocal begun
            begun = math.inf
            report(progress)

        def waiting(place: int) -> None:
            report({"waiting": place})

        checked = self._players.algorithm(client, spec)
        asked, megabytes = str(checked), megabytes_of(checked)
        if uses_safe(checked):
            with self._heuristics.blamed():
                found: Analysis = await self._sandbox.run(
                    client, analyse_confined, game.spec, asked, state, seed, seconds,
                    seconds=seconds, megabytes=megabytes, tell=waiting,
                )  # fmt: skip
                return found
        try:
            with self._heuristics.blamed():
                hint = rehearsals.HintRehearsal(game.spec, asked)
                return await self._compiler.sparing(client, hint, search, compiling)
        except BadInput:
            if time.monotonic() - begun < seconds:
                raise
            raise BadInput(
                "no answer within {seconds:,g} s; use a smaller depth, or a time limit such as ms=1000", seconds=seconds
            ) from None

    # A search, step by step.

    async def trace(self, client: str, asked: TraceRequest, report: Report = _unheard) -> str:
        """Return the trace of a player on a position or a drawn tree, or of a solver on the 8-puzzle, as JSON."""
        if (asked.events or 0) > self._limits.events:
            raise BadInput(
                "events={events} exceeds the limit of {limits_events}",
                events=asked.events,
                limits_events=self._limits.events,
            )
        events = asked.events or min(CAPACITY, self._limits.events)
        of_path = asked.game in PROBLEMS and asked.game not in game_types()
        players = self._players
        asked_for = (
            players.resolve(client, asked.player, PATH_SEARCHES) if of_path else players.algorithm(client, asked.player)
        )
        if not of_path and not takes_text(asked.game):
            game_to_play(asked.game)
        work, spec = trace_path if of_path else trace_request, str(asked_for)
        where: Workshop | Sandbox = self._sandbox if uses_safe(asked_for) else self._workshop

        def record(stop: Stop) -> str:
            written: str = where.do(work, asked, spec, events, stop=stop)
            return written

        with self._heuristics.blamed():
            # A trace is bounded by its events; the time limit is for heuristics that never end, and includes compiling.
            return await self._traces.run(client, record, self._limits.path_ms / 1000 + _COMPILING)

    # An exercise.

    async def exercise(self, client: str, asked: ExerciseRequest, report: Report = _unheard) -> str:
        """Return an exercise with its search and its questions as JSON, or as the page or worksheet that it makes."""
        exercise, spec = None, ""
        if asked.exercise is not None:
            exercise = exercise_from_data(asked.exercise)
            of_path = exercise.game in PROBLEMS and exercise.game not in game_types()
            players = self._players
            resolved = (
                players.resolve(client, exercise.player, PATH_SEARCHES)
                if of_path
                else players.algorithm(client, exercise.player)
            )
            spec = str(resolved)
            if not of_path and not takes_text(exercise.game):
                game_to_play(exercise.game)
        elif asked.course is not None:
            exercise = course_exercise(asked.course)
        drawn = None if asked.random is None else (asked.random.kind, asked.random.seed, asked.random.difficulty)
        if exercise is None and drawn is None:
            raise BadInput("name an exercise: exercise, course or random")

        def make(stop: Stop) -> str:
            made: str = self._workshop.do(
                exercise_request, exercise, drawn, spec, asked.form, asked.language, stop=stop
            )
            return made

        with self._heuristics.blamed():
            return await self._traces.run(client, make, self._limits.path_ms / 1000 + _COMPILING)

    # A path.

    async def solution(self, client: str, asked: SolutionRequest, report: Report) -> dict[str, Any]:
        """Find a path to a tile of 2048; return it as a game that can be replayed."""
        game = game_to_play(asked.game)
        seed = secrets.randbits(32) if asked.seed is None else int(asked.seed)
        search = self._players.resolve(client, asked.player, PATH_SEARCHES)
        if not game.problem:
            what = FEATURES["paths"].meaning
            raise BadInput(
                "{name} needs a game with {what}; {spec} is not one", name=search.name, what=what, spec=game.spec
            )
        spec = str(search)
        world = str(Spec(game.problem, parse_spec(asked.game).options | asked.options))
        running: list[Stop] = []

        def solve(stop: Stop) -> tuple[Solution, Played]:
            running.append(stop)
            try:
                problem = make_problem(world, asked.position, target=asked.target, seed=seed)
                found = make_path_search(spec, problem).solve(stop)
                return found, path_as_game(found)
            finally:
                running.clear()

        megabytes = self._players.megabytes(client, asked.player, PATH_SEARCHES)
        path = rehearsals.PathRehearsal(world, asked.position, asked.target, spec)
        work = asyncio.ensure_future(
            self._compiler.sparing(
                client, path, lambda guard: self._long.run(client, guard(solve), megabytes=megabytes), report
            )
        )
        begun: float | None = None  # the time to compile is not counted
        try:
            while not work.done():
                await asyncio.wait({work}, timeout=_GLANCE)
                for stop in running:
                    begun = time.monotonic() if begun is None and stop.searching else begun
                    seconds = 0.0 if begun is None else time.monotonic() - begun
                    report({"states": stop.visited, "seconds": seconds})
                    if 1000 * seconds > self._limits.path_ms:
                        stop.stop()
        finally:
            work.cancel()
        with self._heuristics.blamed():
            found, played = work.result()
        table = await self._desk.run(client, lambda stop: self._games.add_played(client, played, None, False))
        return {
            "found": found.found,
            "states": found.states,
            "steps": found.steps,
            "seconds": found.seconds,
            "message": None if found.found else found.why.in_all_languages(),
            "game": table.view().model_dump(),
        }

    # The review of a game.

    async def review(self, client: str, asked: ReviewRequest, report: Report) -> Any:
        """Compare every move of a game with the best one; return the review of `contienda.web.searches.reviews`."""
        played = await self._desk.run(client, lambda stop: played_game(self._games.store.reader, client, asked.id))
        game = played.game
        work_out = reviewer_of(game)
        megabytes = REVIEW_MEMORY if by_scores(game) else self._players.megabytes(client, "champion")
        moves = sum(game.rules.turn(state) != CHANCE for state in states_of(played)) if reviewed(game) else 0
        done: list[int] = []
        judging = False

        def judge_all(stop: Stop) -> Any:
            nonlocal judging
            judging = True
            return work_out(played, stop, done.append)

        def compiling(progress: dict[str, Any]) -> None:
            nonlocal judging
            judging = False
            report(progress)

        work = asyncio.ensure_future(
            self._compiler.sparing(
                client,
                rehearsals.ReviewRehearsal(game.spec),
                lambda guard: self._long.run(client, guard(judge_all), megabytes=megabytes),
                compiling,
            )
        )
        try:
            while not work.done():
                await asyncio.wait({work}, timeout=_GLANCE)
                if judging:
                    report({"judged": len(done), "moves": moves or len(played.actions)})
        finally:
            work.cancel()
        return work.result()

    # A batch.

    async def batch(self, client: str, asked: BatchRequest, report: Report) -> dict[str, Any]:
        """Play a batch of games, reporting the totals as games end."""
        if asked.games > self._limits.batch_games:
            raise BadInput(
                "{games} games exceed the limit of {batch_games}",
                games=asked.games,
                batch_games=self._limits.batch_games,
            )
        with self._heuristics.blamed():
            algorithms = [self._players.algorithm(client, spec) for spec in asked.players]
        specs = tuple(map(str, algorithms))
        where: Workshop | Sandbox = self._sandbox if any(map(uses_safe, algorithms)) else self._long_workshop
        megabytes = sum(self._players.megabytes(client, spec) for spec in asked.players)
        game_to_play(asked.game)  # raises BadInput for an unknown game
        seed = secrets.randbits(32) if asked.seed is None else int(asked.seed)
        seeds = deque(number % 2**64 for number in range(seed, seed + asked.games))
        opening = 0 if asked.games == 1 else asked.opening
        totals = Totals(asked.games)

        async def play_on() -> None:
            """Play game after game, a few in each of this browser's turns."""
            while seeds:
                mine = [seeds.popleft() for _ in range(min(_AT_A_TIME, len(seeds)))]

                def play(stop: Stop, mine: list[int] = mine) -> Some:
                    some: Some = where.do(play_some, asked.game, specs, asked.target, mine, seed, opening, stop=stop)
                    return some

                some = await self._long.run(client, play, megabytes=megabytes)
                seeds.extendleft(reversed(mine[len(some.ended) :]))
                totals.add(some)
                if totals.since_report() >= _GLANCE:
                    report(totals.report())

        lanes = [asyncio.ensure_future(play_on()) for _ in range(_EACH)]
        try:
            with self._heuristics.blamed():
                await asyncio.gather(*lanes)
        finally:
            for lane in lanes:
                lane.cancel()
        return totals.report() | {"tiles": totals.tiles()}


def _read(asked: PositionRequest) -> tuple[Game, State]:
    game = game_to_play(asked.game)
    return game, game.parse_scored(asked.position, asked.score)
