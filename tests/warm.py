"""Fill the compiler's cache from one process, before several share it: ``python tests/warm.py``.

Workers that compile the same functions at the same time waste minutes.
"""

from __future__ import annotations

from contienda.compiled.rng import generator
from contienda.evaluation.catalogue import evaluators_of
from contienda.evaluation.compiled import compile_evaluator
from contienda.games import game_types, make_game
from contienda.match import Match
from contienda.players import make_player

TREE = "max[chance[0.5:min[2 7] 0.5:min[4 6]] chance[0.5:min[0 5] 0.5:min[-2 1]]]"


def main() -> None:
    for name in game_types():
        game = make_game(name, TREE)
        state = game.start(generator(0)) if name != "2048" else game.parse("2 2 4 8/0 0 0 0/0 0 0 0/0 0 0 32768")
        for evaluator in evaluators_of(game):
            if evaluator.name == "ntuple":
                continue  # hardly a test needs the network of the package, and it takes long
            compiled = compile_evaluator(evaluator.name, game, {})
            compiled.evaluate(state, compiled.weights)
            compiled.terms(state)
        player = make_player("expectiminimax:depth=2", game)
        player.analyse(state)
        sides = 2 if 1 in game.kinds else 1
        Match(game, [make_player("random", game)] * sides).play(0)


if __name__ == "__main__":
    main()
