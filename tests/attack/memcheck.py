"""A little of everything that compiled code does, for ``make memcheck`` to run under valgrind.

Numba's code is compiled in a first run and read from the cache in the second, so that valgrind watches the searches and
not the compiler.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from contienda.evaluation.g2048.network_file import load_network
from contienda.evaluation.g2048.ntuple import Network
from contienda.games import make_game
from contienda.learning.plan import TrainingPlan
from contienda.learning.saved import saved_plan
from contienda.learning.training import Training
from contienda.match import Match
from contienda.perfect.bounds import new_bounds
from contienda.perfect.oracle import Oracle
from contienda.players import make_player
from contienda.players.paths import make_path_search
from contienda.problems import make_problem

SEARCHES = {
    "connect4": (
        "445",
        ["minimax:depth=3,reuse=on", "alphabeta:depth=4,table=on,memory=1,order=history,pvs=on", "mcts:sims=60"],
    ),
    "2048": (
        "2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 0",
        [
            "expectimax:depth=3,table=on,memory=1",
            "expectimax:depth=3,eval=nneonneo,prune=star2",
            "montecarlo:rollouts=2",
        ],
    ),
}


def searches() -> None:
    """Every kind of search, and a game between two of them."""
    for spec, (position, players) in SEARCHES.items():
        game = make_game(spec)
        for player in players:
            print(spec, player, make_player(player, game).analyse(game.parse(position)).best)
    game = make_game("tictactoe")
    match = Match(game, [make_player("minimax:depth=3,reuse=on", game), make_player("random", game)])
    print("tictactoe", match.play(1).actions)


def solving() -> None:
    """The solver of Connect 4, and a search for a path."""
    game = make_game("connect4")
    print("solver", Oracle(game, new_bounds(1)).score(game.parse("2532415147131117532445633637")))
    problem = make_problem("puzzle8", "1 2 3/4 0 6/7 5 8")
    for solver in ("astar:memory=1", "ida-star:memory=1", "breadth-first:memory=1"):
        print(solver, make_path_search(solver, problem).solve().steps)


def training() -> None:
    """A network learns, is saved, read, and goes on."""
    plan = TrainingPlan(Network(("0123", "4567"), (0, 64)), "tc", 1.0, carousel=True, seed=1, point=5)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "small.net"
        run = Training(plan, 1)
        run.play_on(5, 600)
        run.save(file)
        load_network(file)
        again = Training.resume(file, saved_plan(file), 1)
        again.play_on(10, 600)
        print("training", again.games, again.moves)


if __name__ == "__main__":
    searches()
    solving()
    training()
