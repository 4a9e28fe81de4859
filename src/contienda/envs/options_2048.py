"""Options and spaces of the 2048 environments, the same for one board and for many."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces

from contienda.compiled.rng import generator, next_bits
from contienda.core.language import BadInput
from contienda.games.g2048.game import G2048

__all__ = ["ILLEGAL", "REWARDS", "Options2048", "next_seed", "read_options", "seeds_after", "spaces_of"]

#: The reward of a move: its points; log2(1 + its points); or 1 for the move that makes the target.
REWARDS = ("points", "log", "target")
#: The effect of a move that changes nothing: none, or an error.
ILLEGAL = ("noop", "refuse")


class Options2048(NamedTuple):
    """The options of an environment, checked."""

    game: G2048
    """The game, with its target if there is one."""
    reward: int
    """The number of the reward in `REWARDS`."""
    refuse: bool
    """Whether illegal moves are refused."""

    @property
    def target_rank(self) -> int:
        """Return the exponent of the target; without a target, one that no tile has."""
        return 64 if self.game.target is None else self.game.target.bit_length() - 1


def read_options(size: int | tuple[int, int], target: int | None, reward: str, illegal: str) -> Options2048:
    """Check the options that a user gives; `BadInput` says what is wrong with them."""
    try:
        rows, columns = (size, size) if isinstance(size, int) else map(int, size)
    except (TypeError, ValueError):
        raise BadInput("size={size!r:.40}: write 4, or (3, 4) for three rows of four", size=size) from None
    for key, value, known in (("reward", reward, REWARDS), ("illegal", illegal, ILLEGAL)):
        if value not in known:
            raise BadInput("{key}={value!r:.40}: there are {known}", key=key, value=value, known=", ".join(known))
    if reward == "target" and target is None:
        raise BadInput("reward='target' needs a target, such as target=2048")
    game = G2048(rows=rows, columns=columns)
    return Options2048(game if target is None else game.until(target), REWARDS.index(reward), illegal == "refuse")


def spaces_of(game: G2048) -> tuple[spaces.Box, spaces.Discrete[Any]]:
    """Return the spaces of observations (the exponent of each tile) and of actions (up, right, down, left)."""
    seen = spaces.Box(0, game.largest_rank, (game.rows, game.columns), np.uint8)
    return seen, spaces.Discrete(game.action_count)


def seeds_after(seed: int) -> np.record:
    """Return the generator of the seeds of later games, for when no other seed is given."""
    return generator(seed, stream=3)


def next_seed(seeds: np.record) -> int:
    """The seed of the next game."""
    return int(next_bits(seeds)) % 2**64
