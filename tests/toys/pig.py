"""Pig for one, in plain Python, with luck: roll on, or bank what you have, in a few turns."""

from contienda import PlainGame


class Pig(PlainGame):
    """Roll and add up, or bank; a one loses what is not banked."""

    players = 1
    parameters = {"turns": 3}  # noqa: RUF012

    def start(self):
        return (0, 0, self.turns, False)  # banked, not banked yet, turns left, the die is in the air

    def moves(self, position):
        return ["roll", "bank"] if position[2] else []

    def luck(self, position):
        return dict.fromkeys(range(1, 7), 1 / 6) if position[3] else {}

    def play(self, position, move):
        banked, pending, turns, _ = position
        if move == "roll":
            return (banked, pending, turns, True)
        if move == "bank":
            return (banked + pending, 0, turns - 1, False)
        return (banked, 0, turns - 1, False) if move == 1 else (banked, pending + move, turns, False)

    def worth(self, position, mover):
        return position[0]

    def guess(self, position, mover):
        return position[0] + position[1]
