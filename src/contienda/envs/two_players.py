"""Any two-player game of Contienda as a PettingZoo environment in which agents take turns (AEC).

The agents are ``player_0``, who moves first, and ``player_1``. If a game has luck, it is drawn between their turns from
the seed's generator, as in `contienda.match`.
"""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np

from contienda.compiled.rng import generator
from contienda.core.drawn import picture_svg, picture_text
from contienda.core.extras import MissingExtra
from contienda.core.game import CHANCE, MAX, Game, State
from contienda.core.language import BadInput
from contienda.core.picture import Picture
from contienda.envs.pixels import picture_pixels
from contienda.games import make_game

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError:
    raise MissingExtra("the environments need Gymnasium and PettingZoo: pip install 'contienda[env]'") from None

__all__ = ["TwoPlayers", "two_player_env", "version_0"]


class TwoPlayers(AECEnv):  # type: ignore[misc]
    """A two-player game.

    - Observation: ``observation`` has two planes, the agent's own pieces and the opponent's: 0 for none, 1 for a piece,
      or its number if it has one; for a game without a board, the numbers of its state. ``action_mask`` is 1 for each
      legal move, and all 0 when it is the opponent's turn.
    - Reward: 1 for a win, −1 for a loss, 0 for a draw, at the end.
    - An illegal move raises `BadInput`; with ``env()`` it ends the game and its player gets −1, as in PettingZoo's own
      games.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": ["human", "ansi", "rgb_array", "svg"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(self, game: str | Game, render_mode: str | None = None, **parameters: int) -> None:
        """``parameters`` are the game's: ``raw_env(rows=5, columns=6)``."""
        super().__init__()
        self.game = make_game(_with(game, parameters)) if isinstance(game, str) else game
        if self.game.sides != 2:
            raise BadInput("{name} has no second player", name=self.game.name)
        if render_mode not in (None, *self.metadata["render_modes"]):
            known = ", ".join(self.metadata["render_modes"])
            raise BadInput("render_mode={mode!r:.40}: there are {known}", mode=render_mode, known=known)
        self.render_mode = render_mode
        self.metadata = {**type(self).metadata, "name": f"{self.game.name}_v0"}
        self.possible_agents = ["player_0", "player_1"]
        self.agents: list[str] = []
        self.state_: State = self.game.start(generator(0))
        seen = self._board(self.state_, "player_0")
        box = spaces.Box(0, _largest(seen), seen.shape, seen.dtype.type)
        mask = spaces.Box(0, 1, (self.game.action_count,), np.int8)
        space = spaces.Dict({"observation": box, "action_mask": mask})
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {agent: spaces.Discrete(self.game.action_count) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game; the seed determines its luck, if it has any."""
        if seed is not None:
            self._seed = seed
        elif not hasattr(self, "_seed"):
            self._seed = int(np.random.default_rng().integers(2**63))
        else:
            self._seed += 1
        self._luck = generator(self._seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.state_ = self._after_luck(self.game.start(self._luck))
        self.agent_selection = self._mover()

    def step(self, action: int | None) -> None:
        """Make the move of the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        legal = self.game.legal_actions(self.state_)
        if isinstance(action, bool) or not isinstance(action, int | np.integer) or action not in legal:
            raise BadInput(
                "{agent}: action {action!r:.40} is not legal at {where}: there are {legal}",
                agent=agent,
                action=action,
                where=self.game.format(self.state_),
                legal=", ".join(map(str, legal)),
            )
        self._cumulative_rewards[agent] = 0.0
        self.state_ = self._after_luck(self.game.apply(self.state_, int(action)))
        over = not self.game.legal_actions(self.state_)
        worth = float(np.sign(self.game.rules.utility(self.state_))) if over else 0.0
        self.rewards = {"player_0": worth, "player_1": -worth}
        self.terminations = dict.fromkeys(self.agents, over)
        self.agent_selection = self.possible_agents[1 - self.possible_agents.index(agent)] if over else self._mover()
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """Return the board as an agent sees it, and its legal moves."""
        mask = np.zeros(self.game.action_count, np.int8)
        if agent == self.agent_selection:
            mask[self.game.legal_actions(self.state_)] = 1
        return {"observation": self._board(self.state_, agent), "action_mask": mask}

    def render(self) -> Any:
        """Return the board as text, pixels or SVG; "human" prints the text."""
        picture = self.game.picture(self.state_)
        if self.render_mode == "rgb_array":
            return picture_pixels(picture)
        if self.render_mode == "svg":
            return picture_svg(picture)
        text = self.game.format(self.state_) if picture is None else picture_text(picture)
        if self.render_mode == "human":
            print(text)
        return text if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    # --- The game -----------------------------------------------------------------------------------------------------

    def _mover(self) -> str:
        return self.possible_agents[0 if self.game.rules.turn(self.state_) == MAX else 1]

    def _after_luck(self, state: State) -> State:
        while not self.game.rules.over(state) and self.game.rules.turn(state) == CHANCE:
            state = self.game.apply(state, int(self.game.rules.draw(state, self._luck)))
        return state

    def _board(self, state: State, agent: str) -> np.ndarray:
        picture = self.game.picture(state)
        if picture is None or not picture.pieces:
            return np.array(self.game.as_numbers(state), np.int64)
        return _planes(picture, "first" if agent == "player_0" else "second")


def _planes(picture: Picture, own: str) -> np.ndarray:
    """Return two planes: the pieces of one side, and those of the other."""
    planes = np.zeros((picture.rows * picture.columns, 2), np.int8)
    for cell, piece in enumerate(picture.pieces):
        if piece is not None:
            planes[cell, 0 if piece.role == own else 1] = int(piece.label) if piece.label.isdecimal() else 1
    return planes.reshape(picture.rows, picture.columns, 2)


def _largest(seen: np.ndarray) -> int:
    """Return the largest number that a cell may show, from the first board: pieces keep their numbers."""
    return int(np.iinfo(np.int64).max) if seen.dtype == np.int64 else max(1, int(seen.max()))


def _with(game: str, parameters: dict[str, int]) -> str:
    written = ",".join(f"{key}={value}" for key, value in parameters.items())
    return f"{game}{',' if '=' in game else ':'}{written}" if written else game


def two_player_env(game: str | Game, render_mode: str | None = None, **parameters: int) -> AECEnv:
    """Return the environment of any two-player game, with PettingZoo's usual wrappers: an illegal move loses.

    >>> env = two_player_env("tictactoe")
    >>> env.reset(seed=1)
    >>> env.observe("player_0")["action_mask"]
    array([1, 1, 1, 1, 1, 1, 1, 1, 1], dtype=int8)
    """
    env: AECEnv = TwoPlayers(game, render_mode, **parameters)
    env = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
    env = wrappers.AssertOutOfBoundsWrapper(env)
    return wrappers.OrderEnforcingWrapper(env)


def version_0(game: str) -> SimpleNamespace:
    """Return what a PettingZoo module has, for a game: ``env`` and ``raw_env``."""
    return SimpleNamespace(env=partial(two_player_env, game), raw_env=partial(TwoPlayers, game))
