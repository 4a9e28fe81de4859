"""A race with a die, for two, by the compiled contract: advance by what the die shows, or send the other one back."""

from typing import NamedTuple

from contienda.compiled.jit import njit
from contienda.compiled.rng import below
from contienda.core.game import CHANCE, MAX, MIN, Game, Parameter, Rules
from contienda.core.language import BadInput, Text

ADVANCE, PUSH = 0, 1
NAMES = ("advance", "push")


class Track(NamedTuple):
    """How far both have come, who moves, and the die: 0 while it rolls."""

    max: int
    min: int
    goal: int
    turn: int
    die: int


@njit
def turn(state):
    return CHANCE if state.die == 0 else state.turn


@njit
def candidates(state):
    return 0b111 if state.die == 0 else 0b11


@njit
def successor(state, action):
    if state.die == 0:
        return 0 <= action < 3, Track(state.max, state.min, state.goal, state.turn, action + 1)
    mine, other = (state.max, state.min) if state.turn == MAX else (state.min, state.max)
    if action == ADVANCE:
        mine += state.die
    else:
        other = max(other - state.die, 0)
    if state.turn == MAX:
        return 0 <= action < 2, Track(mine, other, state.goal, MIN, 0)
    return 0 <= action < 2, Track(other, mine, state.goal, MAX, 0)


@njit
def probability(state, action):
    return 1 / 3


@njit
def over(state):
    return max(state.max, state.min) >= state.goal


@njit
def utility(state):
    return 1.0 if state.max >= state.goal else -1.0


@njit
def seen_by_mover(state):
    return state if state.turn == MAX else Track(state.min, state.max, state.goal, MAX, state.die)


@njit
def draw(state, rng):
    return below(rng, 3)


class Race(Game):
    """Advance or push."""

    title = Text("Race", es="Carrera")
    about = Text(
        "advance by the die, or push the other back", es="avanza lo que diga el dado, o haz retroceder al otro"
    )
    parameters = {"goal": Parameter(6, Text("how far it is", es="la distancia"))}  # noqa: RUF012
    rules = Rules(turn, candidates, successor, probability, over, utility, seen_by_mover, draw)
    kinds = frozenset({MAX, MIN, CHANCE})
    utility_bounds = (-1.0, 1.0)
    default_depth = 5

    def __init__(self, goal=6):
        self.goal = goal

    def start(self, rng):
        return Track(0, 0, self.goal, MAX, below(rng, 3) + 1)

    def parse(self, text):
        try:
            first, second, mover, die = map(int, text.split())
        except ValueError:
            raise BadInput(
                "{text!r} is not a position: write first second mover die, such as 0 0 1 3",
                text=text,
                es="{text!r} no es una posición: escribe primero segundo turno dado, como 0 0 1 3",
            ) from None
        return Track(first, second, self.goal, mover - 1, die)

    def format(self, state):
        return f"{state.max} {state.min} {state.turn + 1} {state.die}"

    def action_name(self, state, action):
        return f"die{action + 1}" if state.die == 0 else NAMES[action]

    def action_number(self, state, name):
        names = ["die1", "die2", "die3"] if state.die == 0 else list(NAMES)
        if name not in names:
            raise BadInput(
                "no move {name!r}: {names}", name=name, names=", ".join(names), es="no hay jugada {name!r}: {names}"
            )
        return names.index(name)
