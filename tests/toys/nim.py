"""Nim, as a beginner writes it: whoever takes the last stone wins."""

from contienda import PlainGame


class Nim(PlainGame):
    """Take stones from one heap; whoever takes the last one wins."""

    title = "Nim"
    parameters = {"heaps": 3}  # noqa: RUF012

    def start(self):
        return tuple(range(1, 2 * self.heaps, 2))

    def moves(self, heaps):
        return [(heap, take) for heap, left in enumerate(heaps, 1) for take in range(1, left + 1)]

    def play(self, heaps, move):
        heap, take = move
        return tuple(left - take if number == heap else left for number, left in enumerate(heaps, 1))

    def worth(self, heaps, mover):
        return -1 if mover == 1 else 1  # the player who cannot move has lost
