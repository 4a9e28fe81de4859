"""One game of a league between players in their own processes, as the league keeps it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack

from contienda.compiled.rng import generator
from contienda.compiled.stopping import Stop
from contienda.core.game import CHANCE, MIN, Game, State
from contienda.core.language import BadInput, Text
from contienda.lab.openings import opened
from contienda.league.competitors import Competitor
from contienda.league.hosts import Hosts
from contienda.league.store import LeagueGame, Pairing
from contienda.match import Match, Played
from contienda.players.base import Forfeit
from contienda.record import result_of

__all__ = ["play_pairing", "trial_states", "try_out"]

#: Positions of a trial.
_TRIALS = 3


def play_pairing(
    game: Game,
    pairing: Pairing,
    players: Sequence[Competitor],
    hosts: Hosts,
    *,
    opening: int,
    stop: Stop,
    follow: Callable[[Pairing, Played], None] | None = None,
) -> LeagueGame:
    """Play a game that begins with so many random moves; ``follow(pairing, played)`` is called after each move."""
    start = opened(game, opening, pairing.seed) if opening else None
    with ExitStack() as stack:
        seats = []
        for side, player in enumerate(players):
            try:
                seats.append(stack.enter_context(hosts.player(player, stop)))
            except Forfeit as fault:  # it could be made before
                return _lost(game, pairing, side, fault.text)
        watch = None if follow is None else lambda played: follow(pairing, played)
        try:
            played = Match(game, seats).play(pairing.seed, start=start, stop=stop, watch=watch)
        except BadInput as error:
            raise BadInput(
                "{first} – {second}: {error}", first=pairing.first, second=pairing.second or "", error=error
            ) from None
    return _kept(pairing, played)


def _lost(game: Game, pairing: Pairing, side: int, reason: Text) -> LeagueGame:
    alone = pairing.second is None
    start = game.as_numbers(game.start(generator(pairing.seed)))
    winner, score = (None, 0) if alone else (2 - side, None)
    return LeagueGame(pairing, "forfeit", winner, score, 0, 0, 0.0, start, (), side, reason)


def _kept(pairing: Pairing, played: Played) -> LeagueGame:
    result = result_of(played)
    return LeagueGame(
        pairing,
        played.ended,
        result.get("winner"),
        result.get("score"),
        played.moves,
        played.nodes,
        played.seconds,
        played.game.as_numbers(played.start),
        tuple(played.actions),
        None if played.fault is None else played.fault.side,
        None if played.fault is None else played.fault.reason,
    )


# --- Trials ----------------------------------------------------------------------------------------------------------


def trial_states(game: Game, opening: int) -> list[State]:
    """Return positions in which a player is to choose a move before it takes part."""
    if MIN not in game.kinds or CHANCE in game.kinds:
        states = [game.start(generator(number)) for number in range(_TRIALS)]
    else:
        states = [game.start(generator(0)), *(opened(game, opening, number) for number in range(_TRIALS - 1))]
    return [state for state in states if game.rules.turn(state) != CHANCE]


def try_out(player: Competitor, states: Sequence[State], hosts: Hosts, stop: Stop) -> Text | None:
    """Let a player load, compile and choose a few moves; return why it cannot take part, if so."""
    try:
        hosts.try_out(player, list(states), stop)
    except BadInput as error:
        return error.text
    return None
