"""A deep Q-network in plain NumPy learns 2048 on many boards at once: ``python examples/dqn_2048.py --steps 5000``.

The boards are those of ``gym.make_vec("contienda/2048-v0")``. A board is seen as one-hot cells, a reward is log2(1 +
points), illegal moves are masked. At the end it plays by itself, beside our random player.
"""

from __future__ import annotations

import argparse
from itertools import pairwise

import gymnasium as gym
import numpy as np

import contienda.envs  # noqa: F401  (registers contienda/2048-v0)
from contienda import Match, make_game, make_player
from contienda.core.specs import Spec
from contienda.players.own import FunctionPlayer

KINDS = 18
GAMMA, RATE, BATCH, MEMORY, SYNC = 0.97, 1e-3, 256, 50_000, 200


def one_hot(boards: np.ndarray) -> np.ndarray:
    return np.eye(KINDS, dtype=np.float32)[boards.reshape(len(boards), -1)].reshape(len(boards), -1)


class Network:
    """Two layers, trained by Adam."""

    def __init__(self, inputs: int, hidden: int, lots: np.random.Generator) -> None:
        sizes = (inputs, hidden, 4)
        self.layers = [
            array
            for a, b in pairwise(sizes)
            for array in (lots.normal(0, (2 / a) ** 0.5, (a, b)).astype(np.float32), np.zeros(b, np.float32))
        ]
        self.moments = [(np.zeros_like(layer), np.zeros_like(layer)) for layer in self.layers]
        self.updates = 0

    def __call__(self, seen: np.ndarray) -> np.ndarray:
        self.seen, (w1, b1, w2, b2) = seen, self.layers
        self.hidden = np.maximum(seen @ w1 + b1, 0)
        return self.hidden @ w2 + b2

    def learn(self, gradient: np.ndarray) -> None:
        """Follow the gradient of the loss by the last output."""
        below = (gradient @ self.layers[2].T) * (self.hidden > 0)
        slopes = [self.seen.T @ below, below.sum(0), self.hidden.T @ gradient, gradient.sum(0)]
        self.updates += 1
        for layer, slope, (mean, square) in zip(self.layers, slopes, self.moments, strict=True):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            step = mean / (1 - 0.9**self.updates) / (np.sqrt(square / (1 - 0.999**self.updates)) + 1e-8)
            layer -= RATE * step


def best(values: np.ndarray, mask: np.ndarray) -> np.ndarray:
    return np.where(mask == 1, values, -np.inf).argmax(1)


def train(steps: int, count: int, size: int, seed: int) -> Network:
    lots = np.random.default_rng(seed)
    boards = gym.make_vec("contienda/2048-v0", num_envs=count, size=size, reward="log", autoreset_mode="SameStep")
    cells = size * size
    network, target = Network(cells * KINDS, 128, lots), Network(cells * KINDS, 128, lots)
    memory = [
        np.zeros((MEMORY, *shape), kind)  # boards, actions, rewards, the boards after them, their masks, ends
        for shape, kind in [((cells,), np.uint8), ((), int), ((), float), ((cells,), np.uint8), ((4,), int), ((), bool)]
    ]
    stored, finished = 0, []
    seen, info = boards.reset(seed=seed)
    for step in range(steps):
        greedy = best(network(one_hot(seen)), info["action_mask"])
        anything = best(lots.random((count, 4)), info["action_mask"])
        actions = np.where(lots.random(count) < max(0.05, 1 - 2 * step / steps), anything, greedy)
        after, rewards, ended, _, told = boards.step(actions)
        final, mask = after.copy(), told["action_mask"].copy()
        for i in np.flatnonzero(ended):
            final[i], mask[i] = told["final_obs"][i], 0
            finished.append(told["final_info"]["score"][i])
        place = (stored + np.arange(count)) % MEMORY
        fresh = (seen.reshape(count, -1), actions, rewards, final.reshape(count, -1), mask, ended)
        for array, new in zip(memory, fresh, strict=True):
            array[place] = new
        stored += count
        seen, info = after, told
        if stored >= BATCH:
            chosen = lots.integers(0, min(stored, MEMORY), BATCH)
            s, a, r, n, m, e = (array[chosen] for array in memory)
            later = target(one_hot(n))[np.arange(BATCH), best(network(one_hot(n)), m)]
            wanted = r + GAMMA * np.where(e, 0, later)
            values = network(one_hot(s))
            gradient = np.zeros_like(values)
            gradient[np.arange(BATCH), a] = np.clip(values[np.arange(BATCH), a] - wanted, -1, 1) / BATCH
            network.learn(gradient)
        if step % SYNC == 0:
            target.layers = [layer.copy() for layer in network.layers]
        if (step + 1) % max(1, steps // 10) == 0 and finished:
            print(f"step {step + 1}: {len(finished)} games, mean score of the last 100 {np.mean(finished[-100:]):.0f}")
    return network


def main() -> None:
    parser = argparse.ArgumentParser()
    for name, number in (("steps", 20_000), ("boards", 64), ("size", 4), ("games", 50), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=number)
    asked = parser.parse_args()
    network = train(asked.steps, asked.boards, asked.size, asked.seed)

    def learned(game, state):  # a player for Contienda is a function of (game, state)
        ranks = np.array([[face.bit_length() - 1 if face else 0 for face in row] for row in game.grid(state)])
        mask = np.zeros((1, 4))
        mask[0, game.legal_actions(state)] = 1
        return int(best(network(one_hot(ranks[None])), mask)[0])

    game = make_game(f"2048:rows={asked.size},columns={asked.size}")
    for player in (FunctionPlayer(Spec("dqn", {}), game, learned), make_player("random", game)):
        scores = [game.outcome(Match(game, [player]).play(seed).state)["score"] for seed in range(asked.games)]
        print(f"{player.spec}: mean score {np.mean(scores):.0f} over {asked.games} games")


if __name__ == "__main__":
    main()
