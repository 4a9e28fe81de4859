// Searches worth looking at: the worked trees of the documents, and one of each family. They are examples: each names
// the game it is about.

const DRAWN = "max[min[3 12 8] min[2 4 6] min[14 5 2]]";
const CHANCE = "max[chance[0.5:min[2 4] 0.5:min[7 4]] chance[0.5:min[6 0] 0.5:min[5 -2]]]";
const DEEP = "max[min[7 max[min[5 8] min[2 9]] 8] min[3 4] min[1 max[min[9 1] 9] 2]]";
const GOOD = "max[min[3 8 12] min[2 4 6] min[2 5 14]]";
const BAD = "max[min[14 5 2] min[6 4 2] min[12 8 3]]";
const MIDDLE = "2 4 16 2/8 32 64 4/0 4 128 16/0 0 2 256";

const drawn = (position, player) => ({ game: "tree", position, player });
const board = (player) => ({ game: "2048", position: MIDDLE, player });

/** `name` is the key of its text. */
export const PRESETS = [
  { name: "alphabeta", mode: "one", asked: [drawn(DRAWN, "alphabeta")] },
  { name: "minimax", mode: "one", asked: [drawn(DEEP, "minimax")] },
  { name: "chance", mode: "one", asked: [drawn(CHANCE, "expectiminimax")] },
  { name: "saved", mode: "two", asked: [drawn(DRAWN, "minimax"), drawn(DRAWN, "alphabeta")] },
  { name: "order", mode: "two", asked: [drawn(BAD, "alphabeta"), drawn(GOOD, "alphabeta")] },
  { name: "luck", mode: "two", asked: [board("minimax:depth=3"), board("expectimax:depth=3")] },
  { name: "guess", mode: "guess", asked: [drawn(DRAWN, "alphabeta")] },
  { name: "mcts", mode: "one", asked: [{ game: "tictactoe", position: "O../.X./...", player: "mcts:sims=60" }] },
  {
    name: "astar",
    mode: "one",
    asked: [{ game: "puzzle8", position: "1 2 3/5 0 6/4 7 8", player: "astar:h=manhattan" }],
  },
];
