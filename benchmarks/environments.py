"""2048 as an environment, beside those of other packages, in one run: ``python benchmarks/environments.py``.

All step random moves by their own documented calls and begin anew when a game has ended. Steps that change nothing
count as moves, for everybody. ``pip install 'contienda[env,bench]'`` brings the others; what is missing is said.

``--burst`` measures ours alone, on a machine that has other work: in the scheduler's real-time class, so that this work
waits, a few hundredths of a second each time. Linux, as root.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from statistics import median

import gymnasium as gym
import numpy as np
from measuring import Finding, side_by_side

import contienda.envs

BOARDS = 4096


def ours(count: int, seconds: float) -> float:
    """Moves a second, all boards in one call."""
    boards = gym.make_vec(contienda.envs.ENV_2048, num_envs=count)
    boards.reset(seed=1)
    actions = np.random.default_rng(1).integers(0, 4, (100, count))
    boards.step(actions[0])
    steps, begun = 0, time.perf_counter()
    while (passed := time.perf_counter() - begun) < seconds:
        boards.step(actions[steps % 100])
        steps += 1
    return steps * count / passed / 1e6


def bursts(count: int, rounds: int) -> list[float]:
    """Moves a second of each burst of about two million moves, while everything else on the machine waits."""
    boards = gym.make_vec(contienda.envs.ENV_2048, num_envs=count)
    boards.reset(seed=1)
    steps = max(2_000_000 // count, 1)
    actions = np.random.default_rng(1).integers(0, 4, (steps, count))
    for warming in actions[:20]:
        boards.step(warming)
    found = []
    for _ in range(rounds):
        _schedule(os.SCHED_FIFO, 5)
        begun = time.perf_counter()
        for each in actions:
            boards.step(each)
        found.append(steps * count / (time.perf_counter() - begun) / 1e6)
        _schedule(os.SCHED_OTHER, 0)
        time.sleep(0.2)
    return sorted(found)


def _schedule(policy: int, priority: int) -> None:
    for thread in Path("/proc/self/task").iterdir():
        os.sched_setscheduler(int(thread.name), policy, os.sched_param(priority))


def single(seconds: float, name: str = contienda.envs.ENV_2048) -> float:
    """Moves a second on one board of ``gym.make``."""
    env = gym.make(name, disable_env_checker=True)
    env.reset(seed=1)
    lots = np.random.default_rng(1)
    moves, begun = 0, time.perf_counter()
    while (passed := time.perf_counter() - begun) < seconds:
        for action in lots.integers(0, 4, 50).tolist():
            if env.step(action)[2]:
                env.reset()
            moves += 1
    return moves / passed / 1e6


def gymnasium_2048(seconds: float) -> float:
    import gymnasium_2048  # noqa: F401  (registers the environment)

    return single(seconds, "gymnasium_2048/TwentyFortyEight-v0")


def pgx(count: int) -> Callable[[float], float]:
    """Its step, compiled for all boards at once, with its own autoreset."""
    import jax
    from pgx import make
    from pgx.experimental import auto_reset

    env = make("2048")
    begin, step = jax.jit(jax.vmap(env.init)), jax.jit(jax.vmap(auto_reset(env.step, env.init)))
    state = begin(jax.random.split(jax.random.PRNGKey(1), count))
    actions = jax.numpy.asarray(np.random.default_rng(1).integers(0, 4, (20, count)))
    keys = jax.random.split(jax.random.PRNGKey(2), count)
    step(state, actions[0], keys).observation.block_until_ready()

    def play(seconds: float) -> float:
        now, steps, begun = state, 0, time.perf_counter()
        while (passed := time.perf_counter() - begun) < seconds:
            now = step(now, actions[steps % 20], keys)
            now.observation.block_until_ready()
            steps += 1
        return steps * count / passed / 1e6

    return play


def findings(rounds: int, seconds: float) -> list[Finding]:
    what = f"{BOARDS} boards, make_vec"
    found = []
    aim = 20.0
    for package, module in (("gymnasium-2048", "gymnasium_2048"), ("pgx", "pgx")):
        if find_spec(module) is None:
            found.append(Finding(what, package, note=f"{package} is not installed: pip install 'contienda[bench]'"))
            continue
        theirs = gymnasium_2048 if package == "gymnasium-2048" else pgx(BOARDS)
        row = side_by_side(
            what, package, "M moves/s", lambda: ours(BOARDS, seconds), lambda theirs=theirs: theirs(seconds), rounds
        )
        found.append(row.judged("≥ 20 ×", (row.ratio or 0) >= aim))
    row = side_by_side(
        what, "one board, make", "M moves/s", lambda: ours(BOARDS, seconds), lambda: single(seconds), rounds
    )
    found.append(row.judged("≥ 20 M moves/s", (row.ours or 0) >= aim))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each measurement")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--burst", action="store_true", help="ours alone, in the real-time class")
    asked = parser.parse_args()
    if asked.burst:
        for count in (BOARDS, 16 * BOARDS):
            found = bursts(count, asked.rounds)
            print(f"{count} boards: {median(found):.3g} M moves/s ({found[0]:.3g}–{found[-1]:.3g})")
        return
    for row in findings(asked.rounds, asked.seconds):
        if asked.json:
            print(json.dumps(row.as_json()))
        elif row.ratio is None:
            print(f"{row.what} beside {row.beside}: {row.note}")
        else:
            verdict = "reached" if row.reached else "missed"
            print(
                f"{row.what} beside {row.beside}: {row.ours:.4g} and {row.theirs:.4g} {row.unit}, {row.ratio:.3g} × "
                f"({row.lowest:.3g}–{row.highest:.3g}); aim {row.aim}: {verdict}"
            )


if __name__ == "__main__":
    main()
