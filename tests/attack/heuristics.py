"""Random heuristics: most are in the safe subset, and some contain something outside it."""

from __future__ import annotations

import random

#: What no heuristic may contain, as an expression.
WILD = (
    "().__class__", "[].append", "board.cells", "weights", "board", "open", "__import__('os')", "'text'", "b'x'",
    "None",
    "[1][0]", "{1: 2}", "(lambda: 1)()", "[x for x in (1, 2)]", "f'{board}'", "1 << 9**9", "math.__dict__",
    "math.pi.real", "weights.__class__", "weights.nothing", "eval('1')", "getattr(board, 'x')", "tile.__globals__",
    "tile(board, 0, 10**9)", "tile(board, 0.5, 0)", "tile", "mine(board, weights)", "(yield)", "(x := 1)", "range(9)",
    "sum(range(10**9))", "1e999", "1j", "...", "max(*row(board, 0))", "print(1)", "tile(weights, 0, 0)",
    "row(board, 0)", "row(board, 0)[9]", "~1", "1 @ 2", "1 if 1 in (1, 2) else 0", "board is board", "tile(board)",
)  # fmt: skip
#: The same, as a statement.
WILD_LINES = (
    "import os", "from os import system", "global x", "while True: pass", "del board", "raise ValueError", "assert 0",
    "with board: pass", "x: int = 1", "x[0] = 1", "board.cells = 1", "weights.room = 9", "for i in board: pass",
    "for i in range(10**9): pass",
    "for i in range(64):\n        for j in range(64):\n            for k in range(64): pass",
    "try:\n        pass\n    except: pass", "class A: pass", "def inner(): pass", "board = 1", "math = 1",
    "async def f(): pass", "exec('1')", "lambda: 1", "x = y = 1", "a, b = 1, 2", "break", "return", "pass; pass",
    "for i in range(3): i = 9", "match board:\n        case _: pass", "nonlocal x",
    "if 0:\n        ghost = 1\n    x = ghost",
)  # fmt: skip


class Programs:
    """Makes one heuristic of 2048 after another."""

    def __init__(self, seed: int, wild: float = 0.01) -> None:
        self._luck = random.Random(seed)
        self._wild = wild
        self._places: list[str] = []
        self._numbers: list[str] = []

    def next(self) -> str:
        """Return the source of a heuristic."""
        luck = self._luck
        lines = ["import math"] if luck.random() < 0.5 else []
        if luck.random() < 0.5:
            lines.append("BONUS = 7.5")
        helped = luck.random() < 0.5
        if helped:
            lines += ["def part(board, i):", *self._body(["i"], ["BONUS"] if "BONUS = 7.5" in lines else [])]
        lines += ['@evaluator(weights={"room": 2.0})', "def mine(board, weights):"]
        known = [
            "weights.room",
            *(["BONUS"] if "BONUS = 7.5" in lines else []),
            *(["part(board, 2)"] if helped else []),
        ]
        return "\n".join(lines + self._body([], known)) + "\n"

    def _body(self, places: list[str], numbers: list[str]) -> list[str]:
        self._places, self._numbers = list(places), [*numbers]
        lines = ["    x = " + self._number(2)]
        self._numbers.append("x")
        lines += self._block(1, self._luck.randint(1, 5))
        return [*lines, "    return " + self._number(3)]

    def _block(self, depth: int, count: int) -> list[str]:
        lines: list[str] = []
        for _ in range(count):
            lines += self._statement(depth)
        return lines

    def _statement(self, depth: int) -> list[str]:
        luck, indent = self._luck, "    " * depth
        if luck.random() < self._wild:
            return [indent + luck.choice(WILD_LINES).replace("\n    ", "\n" + indent)]
        kind = luck.random()
        if depth < 4 and kind < 0.3:
            name = "ijkl"[depth - 1]
            if name in self._places:
                name += "q"
            through = luck.choice(("range(4)", "range(rows(board))", "range(3, 0, -1)", "(0, 3)", "row(board, 1)"))
            held = self._numbers if through.startswith("row(") else self._places
            held.append(name)
            inner = self._block(depth + 1, luck.randint(1, 2))
            held.remove(name)
            return [f"{indent}for {name} in {through}:", *inner]
        if depth < 4 and kind < 0.5:
            inner = self._block(depth + 1, 1)
            return [f"{indent}if {self._number(2)} > {self._number(1)}:", *inner]
        return [f"{indent}x {luck.choice(('+', '-', '*', '/', '//', '%', '**', ''))}= {self._number(3)}"]

    def _place(self) -> str:
        luck = self._luck
        some = luck.choice([*self._places, "0", "1", "2", "3"])
        return luck.choice((some, some, f"{some} + 1", f"3 - {some}", f"{some} % 2", f"-{some}"))

    def _number(self, depth: int) -> str:
        luck = self._luck
        if luck.random() < self._wild:
            return luck.choice(WILD)
        if depth == 0:
            return luck.choice([*self._numbers, *self._places, "1", "2.5", "1000", "True", "math.pi"])
        inner = self._number(depth - 1)
        return luck.choice((
            inner,
            f"tile(board, {self._place()}, {self._place()})",
            f"max(neighbours(board, {self._place()}, {self._place()}))",
            "empty(board)",
            f"({inner} {luck.choice(('+', '-', '*', '/', '//', '%', '**'))} {self._number(depth - 1)})",
            f"math.{luck.choice(('sqrt', 'log', 'exp', 'floor', 'tanh'))}({inner})",
            f"{luck.choice(('abs', 'int', 'round', '-', 'not '))}({inner})",
            f"min({inner}, {self._number(depth - 1)})",
            f"({inner} if {self._number(depth - 1)} < {self._number(0)} else {self._number(0)})",
            f"({inner} and {self._number(0)})",
        ))  # fmt: skip
