"""2048 as a Gymnasium vector environment: one compiled loop steps all boards.

Its results equal those of Gymnasium's ``SyncVectorEnv`` with the same number of `Single2048`, bit for bit.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from contienda.core.language import BadInput
from contienda.envs.options_2048 import next_seed, read_options, seeds_after, spaces_of
from contienda.envs.stepping_2048 import build_compiled, find_impossible, make_boards, show_boards

__all__ = ["Vector2048"]

#: More boards than fit in any memory, and few enough for the arithmetic.
_MOST_BOARDS = 10**8
#: Boards for which another thread is worth its hand-over: they take 0.3 ms. Measured on two quiet cores, two threads
#: made 0.8 times the moves of one on 4,096 boards, 1.4 times on 16,384, and 1.7 times on 65,536.
_SHARE = 8192
#: More steps than any game has.
_FOREVER = 2**62


class Vector2048(VectorEnv[np.ndarray, np.ndarray, np.ndarray]):
    """Many boards of 2048, with the options of `contienda.envs.single_2048.Single2048`.

    ``autoreset_mode`` is one of Gymnasium's: a board that has ended starts its next game in the next step (which
    ignores its action), in the same step (``final_obs`` and ``final_info`` then show how it ended), or when ``reset``
    is called with ``options={"reset_mask": …}``. ``max_episode_steps`` truncates a game after that number of steps.
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        *,
        size: int | tuple[int, int] = 4,
        target: int | None = None,
        reward: str = "points",
        illegal: str = "noop",
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        if not (isinstance(num_envs, int | np.integer) and 1 <= num_envs <= _MOST_BOARDS):
            raise BadInput("num_envs={count!r:.40}: a whole number, 1 or more", count=num_envs)
        if max_episode_steps is not None and max_episode_steps < 1:
            raise BadInput("max_episode_steps={count!r:.40}: a whole number, 1 or more", count=max_episode_steps)
        if render_mode is not None:
            raise BadInput("many boards are not rendered: use gym.make for one")
        try:
            self._mode = AutoresetMode(autoreset_mode)
        except ValueError:
            known = ", ".join(mode.value for mode in AutoresetMode)
            raise BadInput(
                "{key}={value!r:.40}: there are {known}", key="autoreset_mode", value=autoreset_mode, known=known
            ) from None
        self._options = read_options(size, target, reward, illegal)
        self.game = self._options.game
        self.num_envs = int(num_envs)
        self.metadata = {**type(self).metadata, "autoreset_mode": self._mode}
        self.single_observation_space, self.single_action_space = spaces_of(self.game)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._most = _FOREVER if max_episode_steps is None else int(max_episode_steps)
        self._boards = make_boards(self.num_envs)
        self._compiled = build_compiled(self.game)
        self._begun = False
        parts = max(1, min(os.cpu_count() or 1, self.num_envs // _SHARE))
        ends = [self.num_envs * part // parts for part in range(parts + 1)]
        self._parts = list(pairwise(ends))

    # --- Beginning ----------------------------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Start a game on every board, or on those of ``options["reset_mask"]``; an int seeds them s, s + 1 …"""
        which = self._asked_for(options)
        seeds = self._read_seeds(seed)
        given = [i for i in which.tolist() if seeds[i] is not None]
        if not self._begun:
            drawn = self.np_random.integers(2**63, size=self.num_envs).tolist()
            seeds = [own if known is None else known for own, known in zip(drawn, seeds, strict=True)]
            given = which.tolist()
            self._begun = len(given) == self.num_envs
        for i in given:
            self._boards["seed"][i] = int(seeds[i] or 0) % 2**64
            self._boards["seeds"][i] = seeds_after(int(seeds[i] or 0))
        for i in sorted(set(which.tolist()) - set(given)):
            self._boards["seed"][i] = next_seed(self._boards["seeds"][i])
        self._compiled.begin(self._boards, which)
        if not self._begun:
            raise BadInput("call reset once without reset_mask: some boards have never begun")
        seen, info = self._seen()
        return seen, info

    def _asked_for(self, options: dict[str, Any] | None) -> np.ndarray:
        mask = (options or {}).get("reset_mask")
        if mask is None:
            return np.arange(self.num_envs)
        if not (isinstance(mask, np.ndarray) and mask.dtype == np.bool_ and mask.shape == (self.num_envs,)):
            raise BadInput("reset_mask must be an array of {count} booleans", count=self.num_envs)
        return np.flatnonzero(mask)

    def _read_seeds(self, seed: int | list[int | None] | None) -> list[int | None]:
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, int | np.integer):
            self._np_random = None
            super().reset(seed=int(seed))
            return [int(seed) + i for i in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise BadInput("{given} seeds for {count} boards", given=len(seed), count=self.num_envs)
        return list(seed)

    # --- Stepping -----------------------------------------------------------------------------------------------------

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Make a move on every board."""
        actions = np.asarray(actions)
        if not self._begun:
            raise BadInput("call reset before the first step")
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise BadInput("actions must be an array of {count} whole numbers", count=self.num_envs)
        actions = actions.astype(np.int64, copy=False)
        disabled = self._mode == AutoresetMode.DISABLED
        wrong = find_impossible(self._boards, actions, disabled, self._options.refuse)
        if wrong >= 0:
            raise self._refused(wrong, int(actions[wrong]))
        count = self.num_envs
        rewards, terminated, truncated = np.empty(count), np.empty(count, np.bool_), np.empty(count, np.bool_)
        shown = self._room()

        def step_some(first: int, end: int) -> int:
            part = slice(first, end)
            boards, reward, most = self._boards[part], self._options.reward, self._most
            told = rewards[part], terminated[part], truncated[part]
            ended: int = self._compiled.step(boards, actions[part], reward, most, *told)
            show_boards(boards, *(array[part] for array in shown.values()))
            return ended

        ended = self._in_parts(step_some)
        seen, info = _told(shown)
        if not ended or self._mode != AutoresetMode.SAME_STEP:
            return seen, rewards, terminated, truncated, info
        final = self._finished(terminated | truncated, seen, info)
        seen, info = self._seen()
        return seen, rewards, terminated, truncated, final | info

    def _in_parts(self, work: Callable[[int, int], int]) -> int:
        """Call ``work(first, end)`` for all boards, many of them on several threads; return the sum of its results."""
        (first, end), *others = self._parts
        futures = [_helpers(os.getpid()).submit(work, *part) for part in others]
        return work(first, end) + sum(future.result() for future in futures)

    def _finished(self, ended: np.ndarray, seen: np.ndarray, info: dict[str, Any]) -> dict[str, Any]:
        """Return the observations of the boards that have ended, and start their next games."""
        which = np.flatnonzero(ended)
        boards = np.full(self.num_envs, None, object)
        for i in which.tolist():
            boards[i] = seen[i].copy()
        self._compiled.restart(self._boards, which)
        told: dict[str, Any] = {}
        for key in ("action_mask", "score", "max_tile", "seed"):
            kept = np.zeros_like(info[key])
            kept[which] = info[key][which]
            told |= {key: kept, f"_{key}": ended.copy()}
        return {"final_obs": boards, "_final_obs": ended.copy(), "final_info": told, "_final_info": ended.copy()}

    def _seen(self) -> tuple[np.ndarray, dict[str, Any]]:
        shown = self._room()
        show_boards(self._boards, *shown.values())
        return _told(shown)

    def _room(self) -> dict[str, np.ndarray]:
        """Return arrays for what is seen of the boards."""
        count = self.num_envs
        return {
            "seen": np.empty((count, self.game.rows, self.game.columns), np.uint8),
            "action_mask": np.empty((count, 4), np.int8),
            "score": np.empty(count, np.int64),
            "max_tile": np.empty(count, np.int64),
            "seed": np.empty(count, np.uint64),
        }

    def _refused(self, number: int, action: int) -> BadInput:
        if not 0 <= action <= 3:
            return BadInput(
                "board {number}: action {action}: 0 is up, 1 right, 2 down, 3 left", number=number, action=action
            )
        if self._boards["ended"][number]:
            return BadInput("board {number} has ended: call reset with options={{'reset_mask': …}}", number=number)
        return BadInput(
            "board {number}: {name} is not legal; nothing was stepped",
            number=number,
            name=("up", "right", "down", "left")[action],
        )


def _told(shown: dict[str, np.ndarray]) -> tuple[np.ndarray, dict[str, Any]]:
    """Return the observations and ``info``, which says of every figure that all boards have it."""
    seen = shown.pop("seen")
    return seen, shown | {f"_{key}": np.ones(len(seen), np.bool_) for key in shown}


@lru_cache(maxsize=1)
def _helpers(process: int) -> ThreadPoolExecutor:
    """Return the threads that step parts of the boards; a process that was forked needs its own."""
    return ThreadPoolExecutor(max((os.cpu_count() or 1) - 1, 1), thread_name_prefix="contienda-boards")
