"""A table of Q-values learns tic-tac-toe against a player of ours, in PettingZoo's loop.

``python examples/q_learning_tictactoe.py --games 20000 --opponent alphabeta:depth=2``
"""

from __future__ import annotations

import argparse
from collections import defaultdict

import numpy as np

from contienda import make_player
from contienda.envs import tictactoe_v0


def play(env, opponent, table, lots, explore: float, learn: bool = True) -> float:
    """One game of the table as player_0; its reward."""
    env.reset(seed=int(lots.integers(2**31)))
    last = None
    for agent in env.agent_iter():
        seen, reward, ended, _, _ = env.last()
        if agent == "player_1":
            state = env.unwrapped.state_  # our players look at the game's own state
            move = None if ended else opponent.analyse(state, seed=int(lots.integers(2**31))).best
            env.step(None if move is None else env.unwrapped.game.action_number(state, move))
            continue
        key = seen["observation"].tobytes()
        legal = np.flatnonzero(seen["action_mask"])
        if last is not None and learn:
            future = 0.0 if ended else table[key][legal].max()
            before, action = last
            table[before][action] += 0.3 * (reward + 0.95 * future - table[before][action])
        if ended:
            env.step(None)
            return reward
        greedy = legal[table[key][legal].argmax()]
        action = int(lots.choice(legal) if lots.random() < explore else greedy)
        last = key, action
        env.step(action)
    return 0.0


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=5000)
    parser.add_argument("--opponent", default="random")
    asked = parser.parse_args()
    env, lots = tictactoe_v0.env(), np.random.default_rng(1)
    opponent = make_player(asked.opponent, env.unwrapped.game)
    table = defaultdict(lambda: np.zeros(9))
    for number in range(asked.games):
        play(env, opponent, table, lots, explore=max(0.05, 1 - 2 * number / asked.games))
    results = [play(env, opponent, table, lots, explore=0, learn=False) for _ in range(200)]
    won, lost = results.count(1.0), results.count(-1.0)
    print(f"against {asked.opponent}, 200 games: {won} won, {lost} lost, {200 - won - lost} drawn")


if __name__ == "__main__":
    main()
