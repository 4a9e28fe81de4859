"""Environments for reinforcement learning: 2048 for Gymnasium, two-player games for PettingZoo.

``import contienda.envs`` registers ``contienda/2048-v0`` with Gymnasium. `connect4_v0`, `othello_v0` and `tictactoe_v0`
have ``env()`` and ``raw_env()``, as PettingZoo's own environments do; `two_player_env` takes any two-player game.
Importing this compiles nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from contienda.core.language import say

try:
    import gymnasium
except ImportError:
    raise ImportError(say("the environments need Gymnasium and PettingZoo: pip install 'contienda[env]'")) from None

if TYPE_CHECKING:
    from contienda.envs.two_players import connect4_v0 as connect4_v0
    from contienda.envs.two_players import othello_v0 as othello_v0
    from contienda.envs.two_players import tictactoe_v0 as tictactoe_v0
    from contienda.envs.two_players import two_player_env as two_player_env

__all__ = ["ENV_2048", "connect4_v0", "othello_v0", "tictactoe_v0", "two_player_env"]

#: What ``gym.make`` and ``gym.make_vec`` take.
ENV_2048 = "contienda/2048-v0"

if ENV_2048 not in gymnasium.registry:
    gymnasium.register(
        ENV_2048,
        entry_point="contienda.envs.single_2048:Single2048",
        vector_entry_point="contienda.envs.vector_2048:Vector2048",
    )


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from contienda.envs import two_players

    return getattr(two_players, name)
