"""Solves by playing: a player that looks a few moves ahead makes one move after another and undoes none."""

from __future__ import annotations

import time

from contienda.compiled.stopping import Stop
from contienda.core.analysis import FOREVER, Limit
from contienda.core.language import BadInput
from contienda.core.problem import Problem
from contienda.core.specs import Spec
from contienda.players.options import Options
from contienda.players.paths.ahead import AStarPlayer
from contienda.players.paths.base import PathLimits, PathSearch, Solution
from contienda.players.paths.options import heuristic_for

__all__ = ["PathByPlaying", "solve_by_playing"]


class PathByPlaying(PathSearch):
    """A player on the problem. The limits are for the whole game."""

    def __init__(self, spec: Spec, problem: Problem, player: AStarPlayer, limits: PathLimits) -> None:
        super().__init__(spec, problem)
        self._world, self.player, self._limits = problem, player, limits

    def solve(self, stop: Stop | None = None) -> Solution:
        stop = stop or Stop()
        problem, player, limits = self._world, self.player, self._limits
        rules, world = problem.rules, problem.initial
        seat = player.seat(problem.seed or 0)
        tally = player.tally(seat)
        tally.budget = 0
        player.choose(player.ahead.board(world), seat)  # compiles
        seat = player.seat(problem.seed or 0)
        tally = player.tally(seat)
        path: list[int] = []
        states = deepest = 0
        ended = "found"
        begun = time.perf_counter()
        while not problem.reached(world):
            left = None if limits.ms is None else limits.ms - 1000 * (time.perf_counter() - begun)
            if left is not None and left <= 0:
                ended = "ms"
                break
            with stop.guard(tally, FOREVER if limits.nodes is None else limits.nodes - states, left):
                action = int(player.choose(player.ahead.board(world), seat))
            states += int(tally.nodes)
            deepest = max(deepest, int(tally.depth))
            if action < 0 or stop.stopped:
                ended = "stopped" if stop.stopped else "lost" if not problem.legal_actions(world) else "ms"
                if limits.nodes is not None and states >= limits.nodes:
                    ended = "nodes"
                break
            path.append(action)
            _, world = rules.result(world, action)
        seconds = time.perf_counter() - begun
        return Solution(problem, self.spec, ended, path, states, seconds, counters={"depth": deepest})


def solve_by_playing(problem: Problem, options: Options, depth: int, spawn: str, limits: PathLimits) -> PathByPlaying:
    """Return uc3m's A* to a target, as the options describe it."""
    if problem.game is None or spawn not in problem.ahead:
        raise BadInput("depth is for problems of a game: {name} is searched to the end", name=problem.name)
    player = AStarPlayer(
        options.spec,
        problem.game,
        heuristic=heuristic_for(problem, options, "uc3m-score-v2"),
        ahead=problem.ahead[spawn],
        depth=depth,
        limit=Limit(depth),
        memory=limits.memory,
    )
    return PathByPlaying(options.spec, problem, player, limits)
