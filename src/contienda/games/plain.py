"""Games in ordinary Python: a few methods over positions of any hashable kind.

    from contienda import PlainGame

    class Nim(PlainGame):
        def start(self):
            return (3, 4, 5)

        def moves(self, heaps):
            return [(heap, take) for heap, left in enumerate(heaps) for take in range(1, left + 1)]

        def play(self, heaps, move):
            heap, take = move
            return tuple(left - take if number == heap else left for number, left in enumerate(heaps))

        def worth(self, heaps, mover):
            return -1 if mover == 1 else 1  # the player who cannot move has lost

The searches that play every other game play this one too, from the same source, in the interpreter. They visit hundreds
of times fewer nodes a second than with compiled rules (`contienda.core.game.Game`), and need no compilation.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from contienda.core.evaluator import Evaluator
from contienda.core.language import Text
from contienda.core.picture import Picture
from contienda.games.plain_notation import read_value, types_within, write_value

__all__ = ["FIRST", "SECOND", "PlainGame", "PlainState"]

FIRST, SECOND = 1, 2


class PlainGame:
    """A game for two players who take turns, or for one. A position is anything hashable.

    Player 1 moves first and wants `worth` to be high; player 2 wants it to be low. Only the first four methods are
    needed.
    """

    title: ClassVar[str | Text] = ""
    """The name that people see; by default that of the class."""
    about: ClassVar[str | Text] = ""
    """The rules in a sentence; by default the first line of the docstring."""
    players: ClassVar[int] = 2
    """1 or 2."""
    parameters: ClassVar[Mapping[str, int]] = MappingProxyType({})
    """Integers that a spec may set, with their defaults; each becomes an attribute: ``Nim:heaps=4``."""

    evaluators: ClassVar[tuple[Evaluator, ...]] = ()
    """Estimates of a position's worth to player 1, named in a spec as ``eval=NAME``.

    Their terms are functions of ``(position)`` or ``(position, mover)``.
    """
    default_evaluator: ClassVar[str] = ""
    """The default evaluator of players; if none is named, `guess`, or in a game without it the first of its own."""
    bounds: ClassVar[tuple[float, float] | None] = None
    """The minimum and maximum of `worth` and `guess`, if known: ``prune=star1`` needs them."""

    def start(self) -> Hashable:
        """The first position."""
        raise NotImplementedError

    def moves(self, position: Any) -> Iterable[Hashable]:
        """The legal moves, in the order in which searches try them. The game is over where there are none."""
        raise NotImplementedError

    def play(self, position: Any, move: Any) -> Hashable:
        """The position after a move, or after something that luck brought. It must not change ``position``."""
        raise NotImplementedError

    def worth(self, position: Any, mover: int) -> float:
        """What an ended game is worth to player 1. ``mover`` is whose turn it would be."""
        raise NotImplementedError

    def over(self, position: Any) -> bool:
        """Whether the game ends here although there are moves left."""
        return False

    def luck(self, position: Any) -> Mapping[Hashable, float] | None:
        """The outcomes of luck with their probabilities, or None where a player moves. `play` applies an outcome."""
        return {}

    def turn(self, position: Any) -> int | None:
        """Who moves, 1 or 2, if the players do not simply alternate."""
        return None

    def guess(self, position: Any, mover: int) -> float:
        """The estimated worth of a position to player 1, where a search stops."""
        return 0.0

    def name(self, position: Any, move: Any) -> str:
        """A move as a person types it."""
        return "-".join(map(str, move)) if isinstance(move, tuple) else str(move)

    def draw(self, position: Any) -> Picture | None:
        """The board, if there is one."""
        return None

    def click(self, position: Any, move: Any) -> int | tuple[int, int] | None:
        """The cell that a person clicks to make a move, or the cells of a drag (from, to). None: a button."""
        return None

    def write(self, position: Any) -> str:
        """A position as text; by default as Python writes it, and a text as it is."""
        bare = isinstance(position, str) and position and position == position.strip() and position[0] not in "'\""
        return position if bare else write_value(position)

    def read(self, text: str) -> Hashable:
        """The position that `write` wrote."""
        start = self.start()
        if isinstance(start, str) and text[:1] not in ("'", '"'):
            return text
        # The game's own records: those of its file, of its class, and of the first position.
        types = {**type(self).play.__globals__, **vars(type(self)), **types_within(start)}
        position: Hashable = read_value(text, types)
        return position


class PlainState(NamedTuple):
    """A position with whose turn it is, and which player is MAX."""

    position: Any
    mover: int = FIRST
    as_max: int = FIRST

    def __repr__(self) -> str:
        """Return the position as people write it, for messages about faults."""
        return f"{self.position!r}{' second' if self.mover == SECOND else ''}"
