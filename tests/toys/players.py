"""Players and a search of one's own: a function that chooses, a maker with options, a class, a search."""

import numpy as np

from contienda.compiled.jit import lowest, without_lowest
from contienda.core.analysis import new_tally
from contienda.core.game import MAX, MIN
from contienda.players import make_player
from contienda.players.base import BareSeat, Player
from contienda.players.own import takes


def last(game, state, *, from_end=1):
    """The last of the legal moves."""
    legal = game.legal_actions(state)
    return legal[-min(from_end, len(legal))]


def valued(game, state):
    """Values for all moves, higher for later ones."""
    return {game.action_name(state, action): float(action) for action in game.legal_actions(state)}


def cheat(game, state):
    """A move that there is not."""
    return 63


def broken(game, state):
    """A mistake in the code."""
    return game.legal_actions(state)[len(state) * 100]


def build(game, options):
    """Another player, looking as deep as it is told."""
    return make_player(f"minimax:depth={options.whole_number('levels') or 1}", game)


class Stubborn(Player):
    """Always the first move."""

    compiled = False

    def __init__(self, spec, game):
        super().__init__(spec, game)
        self.choose = lambda state, seat: game.legal_actions(state)[0]

    def seat(self, seed):
        return BareSeat(new_tally())


@takes(MAX, MIN)
def build_search(rules, evaluate, *, floor, hooks=None, jit=None, bonus=0.0):
    """Minimax in a few lines."""
    from contienda.compiled.jit import njit
    from contienda.search.hooks import SILENT

    turn, candidates, successor, over, utility = rules[0], rules[1], rules[2], rules[4], rules[5]
    enter, leave = (hooks or SILENT).enter, (hooks or SILENT).leave

    @(jit or njit)
    def value(state, depth, alpha, beta, run):
        tally = run.tally
        tally.nodes += 1
        if over(state):
            tally.evaluations += 1
            return utility(state) + bonus
        if depth == 0 or tally.nodes >= tally.budget:
            tally.evaluations += 1
            return evaluate(state, run.weights)
        best = -np.inf if turn(state) == MAX else np.inf
        left = candidates(state)
        while left != 0:
            action = lowest(left)
            left = without_lowest(left)
            legal, child = successor(state, action)
            if legal:
                enter(run.log, action, alpha, beta)
                v = value(child, depth - 1, alpha, beta, run)
                leave(run.log, v, alpha, beta)
                best = max(best, v) if turn(state) == MAX else min(best, v)
        return best

    return value
