"""Random play of 2048 in the packages that offer it, each by its own documented calls.

Each function plays whole games until so many moves are made, and gives the moves per second. They are given the
benefit of every doubt: Gymnasium's checker is off, and its steps that change nothing count as moves.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from importlib.util import find_spec

__all__ = ["OTHERS", "missing"]


def _open_spiel() -> Callable[[int], float]:
    import pyspiel

    game = pyspiel.load_game("2048")

    def play(wanted: int) -> float:
        moves = 0
        begun = time.perf_counter()
        while moves < wanted:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(random.choices(outcomes, chances)[0])
                else:
                    state.apply_action(random.choice(state.legal_actions()))
                    moves += 1
        return moves / (time.perf_counter() - begun)

    return play


def _gymnasium_2048() -> Callable[[int], float]:
    import gymnasium
    import gymnasium_2048  # noqa: F401  (registers the environment)

    environment = gymnasium.make("gymnasium_2048/TwentyFortyEight-v0", disable_env_checker=True)

    def play(wanted: int) -> float:
        moves = 0
        begun = time.perf_counter()
        while moves < wanted:
            environment.reset(seed=moves)
            ended = False
            while not ended:
                _, _, ended, _, _ = environment.step(random.randrange(4))
                moves += 1
        return moves / (time.perf_counter() - begun)

    return play


#: Package -> (the module that it installs, what makes its player).
OTHERS: dict[str, tuple[str, Callable[[], Callable[[int], float]]]] = {
    "open_spiel": ("pyspiel", _open_spiel),
    "gymnasium-2048": ("gymnasium_2048", _gymnasium_2048),
}


def missing(package: str) -> str:
    """Why a package cannot be measured; empty if it can."""
    module = OTHERS[package][0]
    return "" if find_spec(module) else f"{package} is not installed: pip install 'contienda[bench]'"
