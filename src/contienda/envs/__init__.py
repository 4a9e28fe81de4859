"""Environments for reinforcement learning: 2048 for Gymnasium, two-player games for PettingZoo.

``import contienda.envs`` registers ``contienda/2048-v0`` with Gymnasium. Every two-player game of the catalogue is here
by its name, as `connect4_v0`, with ``env()`` and ``raw_env()`` as PettingZoo's own environments have; `two_player_env`
takes any other, such as ``./mine.py:Mine``. `contienda.envs.kaggle` needs neither of them. Importing this compiles
nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contienda.envs.two_players import two_player_env as two_player_env

__all__ = ["ENV_2048", "two_player_env"]

#: What ``gym.make`` and ``gym.make_vec`` take.
ENV_2048 = "contienda/2048-v0"

try:
    import gymnasium
except ImportError:
    pass  # agents for Kaggle need no Gymnasium; two_players says what it needs
else:
    if ENV_2048 not in gymnasium.registry:
        gymnasium.register(
            ENV_2048,
            entry_point="contienda.envs.single_2048:Single2048",
            vector_entry_point="contienda.envs.vector_2048:Vector2048",
        )


def __getattr__(name: str) -> Any:
    from contienda.games import game_types, make_game

    game = name.removesuffix("_v0")
    is_game = game != name and game in game_types() and not game_types()[game].takes_text
    if name not in __all__ and not (is_game and make_game(game).sides == 2):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from contienda.envs import two_players

    found = two_players.version_0(game) if is_game else getattr(two_players, name)
    globals()[name] = found  # the same each time
    return found
