"""The players that do not search: a person, and luck."""

from __future__ import annotations

from collections.abc import Callable

from contienda.core import Analysis, Game, MoveValue, Rules, State, new_tally
from contienda.jit import bit, lowest, njit, popcount, without_lowest
from contienda.language import BadInput
from contienda.players.base import Player, Seat
from contienda.players.options import Options
from contienda.rng import below, generator
from contienda.specs import Spec
from contienda.stopping import Stop

__all__ = ["HumanPlayer", "RandomPlayer", "make_human", "make_random"]


class HumanPlayer(Player):
    """A person; whoever owns the keyboard sets `ask`."""

    compiled = False
    ask: Callable[[Game, State], int] | None = None

    def __init__(self, spec: Spec, game: Game) -> None:
        super().__init__(spec, game)
        self.choose = self._choose

    def _choose(self, state: State, seat: Seat) -> int:
        if self.ask is None:
            raise BadInput("a human player needs a keyboard here", "aquí un jugador humano necesita un teclado")
        return self.ask(self.game, state)

    def seat(self, seed: int) -> Seat:
        return (new_tally(),)

    def analyse(self, state: State, stop: Stop | None = None, *, seed: int = 0) -> Analysis:
        raise BadInput("human does not analyse: choose an algorithm", "human no analiza: elige un algoritmo")


class RandomPlayer(Player):
    """Any legal move, all alike: the measure that every other player must beat."""

    def __init__(self, spec: Spec, game: Game) -> None:
        super().__init__(spec, game)
        self.choose = _build_random(game.rules)

    def seat(self, seed: int) -> Seat:
        return (new_tally(), generator(seed, stream=1))

    def analyse(self, state: State, stop: Stop | None = None, *, seed: int = 0) -> Analysis:
        self._refuse_ended(state)
        best = self.game.action_name(state, self.choose(state, self.seat(seed)))
        names = [self.game.action_name(state, action) for action in self.game.legal_actions(state)]
        moves = [MoveValue(name, 0.0) for name in sorted(names, key=lambda name: name != best)]
        return Analysis(moves, best, [best])


def make_human(game: Game, options: Options) -> HumanPlayer:
    """Somebody at a keyboard."""
    return HumanPlayer(options.spec, game)


def make_random(game: Game, options: Options) -> RandomPlayer:
    """Luck."""
    return RandomPlayer(options.spec, game)


def _build_random(rules: Rules) -> Callable[..., int]:
    candidates, successor = rules.candidates, rules.successor

    @njit
    def choose(state, seat):  # type: ignore[no-untyped-def]
        tally, rng = seat
        tally.nodes = 1
        # Draw among the candidates, and again without those that prove illegal: uniform over the legal ones.
        remaining = candidates(state)
        while remaining != 0:
            rest = remaining
            for _ in range(below(rng, popcount(remaining))):
                rest = without_lowest(rest)
            action = lowest(rest)
            if successor(state, action)[0]:
                return action
            remaining &= ~bit(action)
        return -1

    return choose  # type: ignore[no-any-return]
