"""A game in which sides do not alternate, in plain Python: each makes two moves in a row."""

from contienda import PlainGame


class Twice(PlainGame):
    """Take one or two stones, twice in a row; whoever takes the last one wins."""

    def start(self):
        return (12, 0)  # stones left, moves made

    def moves(self, position):
        return range(1, min(position[0], 2) + 1)

    def play(self, position, take):
        left, made = position
        return (left - take, made + 1)

    def turn(self, position):
        return 1 + position[1] // 2 % 2

    def worth(self, position, mover):
        last = 1 + (position[1] - 1) // 2 % 2
        return 1 if last == 1 else -1
