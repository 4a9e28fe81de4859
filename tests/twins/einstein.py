"""EinStein würfelt nicht! in its most obvious form: a dictionary of stones, and rules for each colour."""

from __future__ import annotations

STEPS = {
    "r": {"right": (0, 1), "down": (1, 0), "diag": (1, 1)},
    "b": {"left": (0, -1), "up": (-1, 0), "diag": (-1, -1)},
}
GOAL = {"r": (4, 4), "b": (0, 0)}


class NaiveEinStein:
    """A game in progress: where each stone stands, such as r3 on (0, 2); row and column from the top left."""

    def __init__(self, text: str) -> None:
        *rows, last = [row.split() for row in text.split("/")]
        self.mover, die = last[5:]
        self.die = None if die == "-" else int(die)
        self.stones = {
            cell: (r, c) for r, row in enumerate([*rows, last[:5]]) for c, cell in enumerate(row) if cell != "."
        }

    def text(self) -> str:
        standing = {place: stone for stone, place in self.stones.items()}
        rows = [" ".join(standing.get((r, c), ".") for c in range(5)) for r in range(5)]
        return f"{'/'.join(rows)} {self.mover} {self.die or '-'}"

    def winner(self) -> str:
        """r, b or nobody (an empty string)."""
        for colour, other in ("rb", "br"):
            home = any(stone[0] == colour and place == GOAL[colour] for stone, place in self.stones.items())
            if home or not any(stone[0] == other for stone in self.stones):
                return colour
        return ""

    def numbers(self, colour: str) -> list[int]:
        """The stones that are left."""
        return sorted(int(stone[1]) for stone in self.stones if stone[0] == colour)

    def movable(self, colour: str, die: int) -> list[int]:
        left = self.numbers(colour)
        if die in left:
            return [die]
        return [n for n in left if n < die][-1:] + [n for n in left if n > die][:1]

    def moves(self, colour: str, die: int) -> list[str]:
        found = []
        for number in self.movable(colour, die):
            row, column = self.stones[f"{colour}{number}"]
            for name, (down, right) in STEPS[colour].items():
                if row + down in range(5) and column + right in range(5):
                    found.append(f"{number}{name}")
        return found

    def names(self) -> list[str]:
        """The legal moves, or the rolls."""
        if self.winner():
            return []
        return [f"die={n}" for n in range(1, 7)] if self.die is None else self.moves(self.mover, self.die)

    def play(self, name: str) -> None:
        if self.die is None:
            self.die = int(name[-1])
            return
        stone = f"{self.mover}{name[0]}"
        down, right = STEPS[self.mover][name[1:]]
        row, column = self.stones[stone]
        place = (row + down, column + right)
        self.stones = {other: where for other, where in self.stones.items() if where != place}
        self.stones[stone] = place
        self.mover, self.die = "b" if self.mover == "r" else "r", None

    # What the evaluators look at, for one colour.

    def distance(self, stone: str) -> int:
        row, column = self.stones[stone]
        goal_row, goal_column = GOAL[stone[0]]
        return max(abs(goal_row - row), abs(goal_column - column))

    def nearest(self, colour: str) -> int:
        return min(self.distance(stone) for stone in self.stones if stone[0] == colour)

    def turns(self, colour: str) -> float:
        """The turns until a stone is home, if one and the same moves whenever the die lets it."""
        found = []
        for number in self.numbers(colour):
            rolls = sum(number in self.movable(colour, die) for die in range(1, 7))
            found.append(self.distance(f"{colour}{number}") / (rolls / 6))
        return min(found)

    def choices(self, colour: str) -> float:
        return sum(len(self.moves(colour, die)) for die in range(1, 7)) / 6
