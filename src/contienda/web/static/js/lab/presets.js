// Experiments to begin from. They are examples: each names the game it is about.

/** `name` is the key of its text. */
export const PRESETS = [
  {
    name: "depths",
    game: "2048",
    players: ["random", "expectimax:depth=1", "expectimax:depth=2", "expectimax:depth=3"],
    games: 50,
    target: "2048",
  },
  {
    name: "luck",
    game: "2048",
    players: ["greedy", "minimax:depth=3", "alphabeta:depth=3", "expectimax:depth=3"],
    games: 50,
    target: "2048",
  },
  {
    name: "evaluators",
    game: "2048",
    players: ["uma1", "uma4", "combined", "nneonneo"].map((name) => `expectimax:depth=1,eval=${name}`),
    games: 50,
    target: "2048",
  },
  {
    name: "connect4",
    game: "connect4",
    players: ["alphabeta:depth=1", "alphabeta:depth=3", "alphabeta:depth=5"],
    opponents: ["random", "mcts:sims=100"],
    games: 20,
    sides: "both",
    opening: 2,
  },
];
