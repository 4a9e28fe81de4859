"""Playing with the arrow keys: the board is redrawn at every move; Esc starts again."""

from __future__ import annotations

from itertools import count

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text as Styled

from contienda.cli.draw import draw_board, live_board
from contienda.cli.keys import ESC, ReadKey, at_a_terminal
from contienda.compiled.rng import generator
from contienda.compiled.stopping import Stop
from contienda.core.game import Game, State
from contienda.core.language import say
from contienda.match import Match, Played
from contienda.players.simple import HumanPlayer
from contienda.record import result_of

__all__ = ["ending", "play_by_keys", "takes_arrows"]


def takes_arrows(match: Match, console: Console) -> bool:
    """Whether only people play, every move is a direction, and input and output are a terminal."""
    if not (at_a_terminal() and console.is_terminal):
        return False
    if not all(isinstance(player, HumanPlayer) for player in match.players):
        return False
    start = match.game.start(generator(0))
    return all(match.game.gesture(start, action).kind == "direction" for action in match.game.legal_actions(start))


def play_by_keys(match: Match, seed: int, console: Console, read: ReadKey) -> Played:
    """Play a game with the arrow keys; the last one, if Esc started others; "stopped" if the person left."""
    for number in count():
        hand = _Hand(console, read)
        for player in match.players:
            assert isinstance(player, HumanPlayer)
            player.ask = hand.ask
        with live_board(console) as hand.live:
            played = match.play((seed + number) % 2**64, stop=hand.stop)
            if not hand.again:
                hand.live.update(_shown(match.game, played.state, ending(played)), refresh=True)
                return played
    raise AssertionError


class _Hand:
    """A person's moves in one game."""

    live: Live

    def __init__(self, console: Console, read: ReadKey) -> None:
        self._console = console
        self._read = read
        self.stop = Stop()
        self.again = False
        """Whether the person wants another game."""

    def ask(self, game: Game, state: State) -> int:
        """Return the next move; -1 if there is none, or if the person leaves."""
        moves = {game.gesture(state, action).direction: action for action in game.legal_actions(state)}
        if not moves:
            return -1
        self.live.update(_shown(game, state, say("arrows move, Esc starts again, Ctrl-C leaves")), refresh=True)
        while True:
            try:
                key = self._read()
            except (EOFError, KeyboardInterrupt):
                self.stop.stop()
                return -1
            if key in moves:
                return moves[key]
            if key == ESC:
                self.again = True
                self.stop.stop()
                return -1


def _shown(game: Game, state: State, below: str) -> RenderableType:
    return Group(draw_board(game, state), Styled(below, style="dim"))


def ending(played: Played) -> str:
    """Return the message for the end of a game."""
    if played.ended == "stopped":
        return say("stopped")
    return say("Won!") if result_of(played).get("won") else say("Lost: no move is left.")
