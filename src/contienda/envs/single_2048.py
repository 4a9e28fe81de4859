"""2048 as a Gymnasium environment: one board, with the game's own rules.

``reset(seed=7)`` starts the game of ``contienda play 2048 --seed 7``: the same moves get the same tiles.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from contienda.compiled.rng import generator
from contienda.core.drawn import picture_svg, picture_text
from contienda.core.language import BadInput
from contienda.envs.options_2048 import next_seed, read_options, seeds_after, spaces_of
from contienda.envs.pixels import picture_pixels
from contienda.games.g2048.board import Board, largest_rank, rank_at, score

__all__ = ["Single2048"]


class Single2048(gymnasium.Env[np.ndarray, int]):
    """2048 for one player.

    - Actions: 0 up, 1 right, 2 down, 3 left.
    - Observation: the exponent of each tile as a byte, 0 for an empty cell.
    - ``info``: ``action_mask`` (1 for a legal move of the board in the observation), ``score``, ``max_tile`` and
      ``seed``, the seed of the game.
    - The episode ends when no move is legal, or at the target.

    ``size`` is 2 to 4, or (rows, columns). ``reward`` is "points", "log" for log2(1 + points), or "target" for 1 at the
    target. A move that changes nothing is illegal: with ``illegal="noop"`` nothing happens and the reward is 0, with
    "refuse" `BadInput` is raised.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array", "svg"], "render_fps": 10}  # noqa: RUF012

    def __init__(
        self,
        render_mode: str | None = None,
        *,
        size: int | tuple[int, int] = 4,
        target: int | None = None,
        reward: str = "points",
        illegal: str = "noop",
    ) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            known = ", ".join(self.metadata["render_modes"])
            raise BadInput("render_mode={mode!r:.40}: there are {known}", mode=render_mode, known=known)
        self.render_mode = render_mode
        self._options = read_options(size, target, reward, illegal)
        self.game = self._options.game
        self.observation_space, self.action_space = spaces_of(self.game)
        self.state: Board | None = None
        """The position, for the players and searches of Contienda; None before the first reset."""
        self._begin(0)
        self.state = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Start a game; without a seed, the next one of the sequence that the last seed determines."""
        first = self._np_random is None
        super().reset(seed=seed)
        if seed is None and first:
            seed = int(self.np_random.integers(2**63))
        if seed is None:
            self._seed = next_seed(self._seeds)
            self._luck = generator(self._seed)
            self.state = self.game.start(self._luck)
        else:
            self._begin(seed)
        return self._seen(), self._info()

    def _begin(self, seed: int) -> None:
        self._seed = seed
        self._seeds: np.record = seeds_after(seed)
        self._luck = generator(seed)
        self.state = self.game.start(self._luck)

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Make a move, and place a random tile."""
        if self.state is None:
            raise BadInput("call reset before the first step")
        if not self.action_space.contains(action):
            raise BadInput("action {action!r:.40}: 0 is up, 1 right, 2 down, 3 left", action=action)
        rules, before = self.game.rules, self.state
        legal, after = rules.successor(before, int(action))
        reward = 0.0
        if legal and not rules.over(before):
            points = int(score(after)) - int(score(before))
            self.state = rules.successor(after, rules.draw(after, self._luck))[1]
            reward = (float(points), float(np.log2(1 + points)), float(rules.over(self.state)))[self._options.reward]
        elif self._options.refuse:
            name = self.game.action_name(before, int(action))
            raise BadInput("{name} is not legal at {where}", name=name, where=self.game.format(before))
        mask = self._mask()
        return self._seen(), reward, not mask.any(), False, self._info(mask)

    def _seen(self) -> np.ndarray:
        rows, columns = self.game.rows, self.game.columns
        ranks = [rank_at(self.state, 4 * row + column) for row in range(rows) for column in range(columns)]
        return np.array(ranks, np.uint8).reshape(rows, columns)

    def _mask(self) -> np.ndarray:
        mask = np.zeros(self.game.action_count, np.int8)
        mask[self.game.legal_actions(self.state)] = 1
        return mask

    def _info(self, mask: np.ndarray | None = None) -> dict[str, Any]:
        return {
            "action_mask": self._mask() if mask is None else mask,
            "score": np.int64(score(self.state)),
            "max_tile": np.int64(1 << largest_rank(self.state)),
            "seed": np.uint64(self._seed),
        }

    def render(self) -> Any:
        """Return the board as text, pixels or SVG."""
        if self.state is None or self.render_mode is None:
            return None
        draw = {"ansi": picture_text, "rgb_array": picture_pixels, "svg": picture_svg}[self.render_mode]
        return draw(self.game.picture(self.state))
